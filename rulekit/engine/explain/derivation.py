"""Turn traces of emitted code into derivations: how a value came about, with cited paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import evolve, field, frozen

from rulekit.common.errors import RulekitError, RulesError
from rulekit.common.i18n.languages import HOME
from rulekit.common.i18n.messages import Message, _
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.kernel.position import Position
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import ClauseInfo, SecretInfo, TotalInfo, TypeInfo
from rulekit.runtime.records import Trace, TraceLine


@frozen
class DerivationLine:
    """One clause of a derivation.

    Attributes:
        status: applied, condition (does not hold), cancelled, overridden, or idle (a bound that the
            value keeps anyway).
        hidden: True if the observer may not know its amount.
        rulings: the rulings that influenced it, each with its choice.
        shown: its amount as people read it.
    """

    word: str
    name: str
    status: str
    amount: Any = None
    holder: str | None = None
    cancelled_by: str = ""
    text: str = ""
    ref: tuple[str, ...] = ()
    parts: tuple[Derivation, ...] = ()
    hidden: bool = False
    rulings: tuple[str, ...] = ()
    shown: str = ""


_NOTES = {
    "condition": _("does not apply"),
    "overridden": _("overridden"),
    "idle": _("changes nothing"),
    "cancelled": _("cancelled"),
}


def _note(line: DerivationLine) -> Message:
    """Return the line of a clause that did not count."""
    if line.status == "cancelled" and line.cancelled_by:
        return _("cancelled by {what}", what=line.cancelled_by)
    return _NOTES[line.status]


class Knows(Protocol):
    """The part of an observer that derivations need."""

    def may_know(
        self,
        info: TotalInfo,
        secrets: Sequence[SecretInfo],
        args: Sequence[int],
        asked: bool = False,
    ) -> bool:
        """Return True if the observer may know all these secrets, and the subject of the total.

        Args:
            secrets: the secrets that the total reads.
            asked: True if the observer named the subject.
        """

    def may_know_total(self, info: TotalInfo, args: Sequence[int], asked: bool = False) -> bool:
        """Return True if the observer may know its value."""


@frozen
class Derivation:
    """A total, permit or other value, with everything that contributes to it.

    A clause is left out if the observer may not know whether it counts.

    Attributes:
        hidden: True if the observer may not know the value.
        title: its name and arguments for people, in a language other than that of the rules.
        label: its name as people read it.
        labels: its arguments as people read them.
        shown: its value with the unit, as people read it.
        data: the input of a table look-up or column shift.
    """

    what: str
    name: str
    arguments: dict[str, Any]
    value: Any
    unit: str | None = None
    ref: tuple[str, ...] = ()
    lines: tuple[DerivationLine, ...] = field(factory=tuple)
    hidden: bool = False
    title: str = ""
    label: str = ""
    labels: dict[str, str] = field(factory=dict)
    shown: str = ""
    data: dict[str, Any] = field(factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the derivation as plain data."""
        return {
            "what": self.what,
            "name": self.name,
            "arguments": self.arguments,
            "value": self.value,
            "unit": self.unit,
            "ref": list(self.ref),
            "hidden": self.hidden,
            "label": self.label,
            "labels": self.labels,
            "shown": self.shown,
            "data": self.data,
            "lines": [
                {
                    "word": x.word,
                    "name": x.name,
                    "status": x.status,
                    "amount": x.amount,
                    "shown": x.shown,
                    "holder": x.holder,
                    "cancelled_by": x.cancelled_by,
                    "text": x.text,
                    "ref": list(x.ref),
                    "hidden": x.hidden,
                    "rulings": list(x.rulings),
                    "parts": [p.to_json() for p in x.parts],
                }
                for x in self.lines
            ],
        }

    def text(
        self, depth: int = 0, full: bool = False, lang: str = HOME, labelled: bool = False
    ) -> str:
        """Return a text for people, one clause a line.

        Args:
            full: include the clauses that do not hold.
            lang: the language of words that are not the game's.
            labelled: name the total and its arguments as players read them, not as the rules do.
        """
        pad = "  " * depth
        arguments = (
            ", ".join(str(v) for v in self.arguments.values() if not isinstance(v, list))
            if self.arguments
            else ""
        )
        value = (
            {True: _("yes").text(lang), False: _("no").text(lang)}.get(self.value, self.value)
            if self.what == "permit"
            else self.value
        )
        value = _("hidden").text(lang) if self.hidden else self.shown if self.unit else value
        head = self.title or (f"{tidy(self.name)} ({arguments})" if arguments else tidy(self.name))
        if labelled and self.label:
            labels_text = ", ".join(self.labels.values())
            head = f"{self.label} ({labels_text})" if labels_text else self.label
        out = [f"{pad}{head} = {value}{_cited(self.ref)}"]
        for line in self.lines:
            if line.status in ("condition", "idle") and not full:
                continue
            signed = line.word == "modifier" and isinstance(line.amount, int)
            amount = (
                "" if line.amount is None else f"{line.amount:+d}" if signed else str(line.amount)
            )
            amount = _("hidden").text(lang) if line.hidden else amount
            note = _note(line).text(lang) if line.status in _NOTES else ""
            name = line.text or tidy(line.name or line.word)
            said = _said(line.rulings) if line.status in ("applied", "cancelled") else ""
            out.append(
                f"{pad}  {amount:>4} {name}{f' {note}' if note else ''}{_cited(line.ref)}{said}"
            )
            out.extend(
                part.text(depth + 4, full, lang, labelled)
                for part in line.parts
                if part.lines or part.what == "total"
            )
        return "\n".join(out)


def _said(rulings: Sequence[str]) -> str:
    return f"  {{{', '.join(rulings)}}}" if rulings else ""


def chosen(names: Names, rulings: Sequence[int]) -> tuple[str, ...]:
    """Return the rulings with their choice in this game, for people."""
    found = (names.program.rulings[i] for i in rulings)
    return tuple(
        names.say(_("ruling {name}: {chosen}", name=ruling.name, chosen=ruling.chosen))
        for ruling in found
    )


def _cited(ref: Sequence[str]) -> str:
    return f"  [{', '.join(ref)}]" if ref else ""


def derive(
    names: Names, trace: Trace, observer: Knows | None = None, asked: bool = False
) -> Derivation:
    """Return a trace with names, as far as the observer may know.

    Args:
        observer: the player who asks, or None for everything.
        asked: True if the observer named the subject.
    """
    what, index, args, value, lines = trace
    info = _info(names, what, index)
    if observer is not None and not observer.may_know_total(info, args, asked):
        return _masked(names, trace, info, observer, asked)
    shown = {n: names.value(t, a) for (n, t), a in zip(info.params, args, strict=False)}
    shown_value = (
        names.say(_("yes") if value else _("no"))
        if what == "permit"
        else names.shown(info.type, value)
    )
    return Derivation(
        what,
        info.name,
        shown,
        bool(value) if what == "permit" else names.value(info.type, value),
        info.type.unit,
        info.ref,
        tuple(_line(names, info, each, observer) for each in lines),
        title=_title(names, what, info, args),
        label=_label(names, what, info),
        labels=labels(names, info.params, args),
        shown=shown_value,
    )


def explain(
    position: Position, name: str, args: Sequence[Any], observer: Knows | None
) -> Derivation:
    """Return the derivation of a total or permit at a position.

    Args:
        args: the arguments as ids and numbers.
        observer: see `derive`.

    Raises:
        RulekitError: the name has no derivation, or the arguments do not fit.
        RulesError: the rules fail.
    """
    what, index, __ = position.names.declared(name)
    if what not in ("total", "permit"):
        raise RulekitError(
            position.names.say(
                _("{name} is neither a total nor a permit: it has no derivation", name=repr(name))
            )
        )
    raw = position.arguments(name, args)
    try:
        return derive(
            position.names,
            Trace.of(position.code.explain(position.slots, what, index, raw)),
            observer,
            asked=True,
        )
    except RulesError:
        raise
    except (ArithmeticError, LookupError, ValueError) as error:
        raise as_rules_error(position.table.program, error) from error


def _masked(
    names: Names, trace: Trace, info: TotalInfo, observer: Knows, asked: bool
) -> Derivation:
    """Return a derivation with a hidden value.

    It has only the clauses and amounts that the observer may know. About a thing that they may not
    know, it reveals nothing.
    """
    what, __, args, __, lines = trace
    if not observer.may_know(info, [], args, asked):
        label = _label(names, what, info)
        return Derivation(
            what,
            info.name,
            {},
            None,
            None,
            info.ref,
            hidden=True,
            label=label,
            shown=names.say(_("hidden")),
        )
    # behind: an earlier `base` or `set` that may count is hidden
    # given: a visible one has given the value
    shown_lines, behind, given = [], False, False
    for each in lines:
        clause = info.clauses[each.clause]
        first, counts = clause.word in ("set", "base"), each.status in ("applied", "overridden")
        known = observer.may_know(info, clause.presence, args, asked)
        behind = behind or (first and not known and not given)
        if known and not (first and counts and behind):
            given = given or (first and counts)
            secret = not observer.may_know(info, clause.amount, args, asked)
            line = _line(names, info, each, observer)
            # the status idle would reveal something about the value
            line = evolve(line, status="applied") if line.status == "idle" else line
            shown_lines.append(
                evolve(line, amount=None, shown="", parts=(), hidden=True)
                if secret and line.status == "applied"
                else line
            )
    shown = {n: names.value(t, a) for (n, t), a in zip(info.params, args, strict=False)}
    return Derivation(
        what,
        info.name,
        shown,
        None,
        None,
        info.ref,
        tuple(shown_lines),
        True,
        _title(names, what, info, args),
        _label(names, what, info),
        labels(names, info.params, args),
        names.say(_("hidden")),
    )


def _label(names: Names, what: str, info: TotalInfo) -> str:
    return names.text(f"{what}.{info.name}", tidy(info.name))


def labels(
    names: Names, params: Sequence[tuple[str, TypeInfo]], args: Sequence[Any]
) -> dict[str, str]:
    """Return arguments as people read them, by name."""
    return {name: names.shown(type, arg) for (name, type), arg in zip(params, args, strict=False)}


def _title(names: Names, what: str, info: TotalInfo, args: Sequence[int]) -> str:
    if names.lang == HOME:
        return ""
    texts = [
        names.shown(t, a)
        for (_, t), a in zip(info.params, args, strict=False)
        if t.form not in ("set", "ratio")
    ]
    text = names.text(f"{what}.{info.name}", tidy(info.name))
    return f"{text} ({', '.join(texts)})" if texts else text


def _info(names: Names, what: str, index: int) -> TotalInfo:
    program = names.program
    found: dict[str, Sequence[TotalInfo]] = {
        "total": program.totals,
        "permit": program.permits,
        "define": program.defines,
        "table": program.tables,
    }
    return found[what][index]


def _line(
    names: Names, info: TotalInfo, trace: TraceLine, observer: Knows | None
) -> DerivationLine:
    at, status, amount, holder, cancel, parts = trace
    clause = info.clauses[at]
    by, ref = "", clause.ref
    if status == "cancelled" and cancel is not None and 0 <= cancel < len(clause.cancels):
        by, where = clause.cancels[cancel]
        ref = ref + where
    number = names.value(info.type, amount) if amount is not None and clause.word != "bar" else None
    shown = names.shown(evolve(info.type, unit=None), amount) if number is not None else ""
    who = None if holder is None or (isinstance(holder, int) and holder < 0) else str(holder)
    return DerivationLine(
        clause.word,
        clause.name,
        status,
        number,
        who,
        by,
        clause_text(names, info.name, clause),
        ref,
        tuple(derive(names, p, observer) for p in parts),
        rulings=chosen(names, clause.rulings),
        shown=shown,
    )


def clause_text(names: Names, owner: str, clause: ClauseInfo) -> str:
    """Return the name of a clause for people."""
    default = clause.reason or tidy(clause.name or clause.word)
    return (
        names.text(clause.key)
        or (names.text(f"clause.{owner}.{clause.name}") if clause.name else "")
        or default
    )
