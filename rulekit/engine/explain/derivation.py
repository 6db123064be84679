"""Takes traces of the emitted code, makes `Derivation`: how a number or a yes/no comes about, with
the paragraph of each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from attrs import evolve, field, frozen

from rulekit.common.errors import RulekitError, RulesError
from rulekit.common.i18n.catalog import HOME, word
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.kernel.position import Position
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import ClauseInfo, SecretInfo, TotalInfo, TypeInfo


@frozen
class Line:
    """One clause: status is applied, condition (does not hold), cancelled, overridden, or idle: a
    bound that the value keeps anyway. `shown`: its amount as people read it."""

    word: str
    name: str
    status: str
    amount: Any = None
    holder: str | None = None
    cancelled_by: str = ""
    text: str = ""
    ref: tuple[str, ...] = ()
    parts: tuple[Derivation, ...] = ()
    hidden: bool = False  # its amount is not for this viewer
    rulings: tuple[str, ...] = ()  # those that had a say in it, with what they say
    shown: str = ""


class Knows(Protocol):
    """A viewer, as far as it matters what he may know."""

    def may_know(
        self,
        info: TotalInfo,
        secrets: Sequence[SecretInfo],
        args: Sequence[int],
        asked: bool = False,
    ) -> bool:
        """May he know all of these secrets that a total reads, and what it is about? `asked`: he
        has named that himself."""

    def may_know_total(self, info: TotalInfo, args: Sequence[int], asked: bool = False) -> bool:
        """May he know its value?"""


@frozen
class Derivation:
    """A total, permit or other value with all that has part in it. `hidden`: the value is not for
    this viewer; clauses are left out if he may not know whether they count. `label`, `labels`,
    `shown`: its name, its arguments and its value (with the unit) as people read them; `data`: of a
    table or shift, what it was read from."""

    what: str
    name: str
    arguments: dict[str, Any]
    value: Any
    unit: str | None = None
    ref: tuple[str, ...] = ()
    lines: tuple[Line, ...] = field(factory=tuple)
    hidden: bool = False
    title: str = (
        ""  # what people call it with its arguments, in a language other than that of the rules
    )
    label: str = ""
    labels: dict[str, str] = field(factory=dict)
    shown: str = ""
    data: dict[str, Any] = field(factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
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

    def text(self, depth: int = 0, full: bool = False, lang: str = HOME) -> str:
        """For people, one clause per line. `full`: with those that do not hold. `lang`: of the
        words that are not the game's."""
        pad = "  " * depth
        arguments = (
            ", ".join(str(v) for v in self.arguments.values() if not isinstance(v, list))
            if self.arguments
            else ""
        )
        value = (
            {True: word(lang, "yes"), False: word(lang, "no")}.get(self.value, self.value)
            if self.what == "permit"
            else self.value
        )
        value = word(lang, "hidden") if self.hidden else self.shown if self.unit else value
        head = self.title or (f"{tidy(self.name)} ({arguments})" if arguments else tidy(self.name))
        out = [f"{pad}{head} = {value}{_cited(self.ref)}"]
        for line in self.lines:
            if line.status in ("condition", "idle") and not full:
                continue
            signed = line.word == "modifier" and isinstance(line.amount, int)
            amount = (
                "" if line.amount is None else f"{line.amount:+d}" if signed else str(line.amount)
            )
            amount = word(lang, "hidden") if line.hidden else amount
            cancelled = "cancelled_by" if line.cancelled_by else "cancelled"
            status = {"cancelled": cancelled, "condition": "does_not_apply"}.get(
                line.status, line.status
            )
            note = word(lang, status).replace("{what}", line.cancelled_by)
            name = line.text or tidy(line.name or line.word)
            said = _said(line.rulings) if line.status in ("applied", "cancelled") else ""
            out.append(
                f"{pad}  {amount:>4} {name}{f' {note}' if note else ''}{_cited(line.ref)}{said}"
            )
            out.extend(
                part.text(depth + 4, full, lang)
                for part in line.parts
                if part.lines or part.what == "total"
            )
        return "\n".join(out)


def _said(rulings: Sequence[str]) -> str:
    return f"  {{{', '.join(rulings)}}}" if rulings else ""


def chosen(names: Names, rulings: Sequence[int]) -> tuple[str, ...]:
    """Rulings with what they say in this game, for people."""
    found = (names.program.rulings[i] for i in rulings)
    return tuple(names.word("ruling", name=ruling.name, chosen=ruling.chosen) for ruling in found)


def _cited(ref: Sequence[str]) -> str:
    return f"  [{', '.join(ref)}]" if ref else ""


def derive(
    names: Names, trace: Any, viewer: Knows | None = None, asked: bool = False
) -> Derivation:
    """A `Trace` in names, for a viewer; None: with all that there is to know. `asked`: he has named
    himself what it is about."""
    what, index, args, value, lines = trace
    info = _info(names, what, index)
    if viewer is not None and not viewer.may_know_total(info, args, asked):
        return _masked(names, trace, info, viewer, asked)
    shown = {n: names.value(t, a) for (n, t), a in zip(info.params, args, strict=False)}
    told = (
        names.word("yes" if value else "no") if what == "permit" else names.shown(info.type, value)
    )
    return Derivation(
        what,
        info.name,
        shown,
        bool(value) if what == "permit" else names.value(info.type, value),
        info.type.unit,
        info.ref,
        tuple(_line(names, info, each, viewer) for each in lines),
        title=_title(names, what, info, args),
        label=_label(names, what, info),
        labels=labels(names, info.params, args),
        shown=told,
    )


def explain(position: Position, name: str, args: Sequence[Any], viewer: Knows | None) -> Derivation:
    """How a total or permit comes about at a position, for arguments given as ids and numbers.
    `viewer`: see `derive`.

    Raises RulekitError for a name that has no derivation, and for arguments that do not fit;
    RulesError if the rules fail.
    """
    what, index, _ = position.names.declared(name)
    if what not in ("total", "permit"):
        raise RulekitError(position.names.word("no_derivation_of", name=repr(name)))
    raw = position.arguments(name, args)
    try:
        return derive(
            position.names,
            position.code.explain(position.slots, what, index, raw),
            viewer,
            asked=True,
        )
    except RulesError:
        raise
    except (ArithmeticError, LookupError, ValueError) as error:
        raise as_rules_error(position.table.program, error) from error


def _masked(names: Names, trace: Any, info: TotalInfo, viewer: Knows, asked: bool) -> Derivation:
    """A derivation whose value is hidden: the clauses of which the viewer may know whether they
    count, and the amounts that he may know. About a thing that he may not know nothing is told."""
    what, _, args, _, lines = trace
    if not viewer.may_know(info, [], args, asked):
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
            shown=names.word("hidden"),
        )
    told, behind, given = (
        [],
        False,
        False,
    )  # is a `set` before it, that may count, not told; has one that is told given the value?
    for each in lines:
        clause = info.clauses[each[0]]
        first, counts = clause.word in ("set", "base"), each[1] in ("applied", "overridden")
        known = viewer.may_know(info, clause.presence, args, asked)
        behind = behind or (first and not known and not given)
        if known and not (first and counts and behind):
            given = given or (first and counts)
            secret = not viewer.may_know(info, clause.amount, args, asked)
            line = _line(names, info, each, viewer)
            line = (
                evolve(line, status="applied") if line.status == "idle" else line
            )  # whether it binds would tell of the value
            told.append(
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
        tuple(told),
        True,
        _title(names, what, info, args),
        _label(names, what, info),
        labels(names, info.params, args),
        names.word("hidden"),
    )


def _label(names: Names, what: str, info: TotalInfo) -> str:
    return names.text(f"{what}.{info.name}", tidy(info.name))


def labels(
    names: Names, params: Sequence[tuple[str, TypeInfo]], args: Sequence[Any]
) -> dict[str, str]:
    """Arguments as people read them, by their names."""
    return {name: names.shown(type, arg) for (name, type), arg in zip(params, args, strict=False)}


def _title(names: Names, what: str, info: TotalInfo, args: Sequence[int]) -> str:
    if names.lang == HOME:
        return ""
    told = [
        names.shown(t, a)
        for (_, t), a in zip(info.params, args, strict=False)
        if t.form not in ("set", "ratio")
    ]
    text = names.text(f"{what}.{info.name}", tidy(info.name))
    return f"{text} ({', '.join(told)})" if told else text


def _info(names: Names, what: str, index: int) -> TotalInfo:
    program = names.program
    found: dict[str, Sequence[TotalInfo]] = {
        "total": program.totals,
        "permit": program.permits,
        "define": program.defines,
        "table": program.tables,
    }
    return found[what][index]


def _line(names: Names, info: TotalInfo, trace: Any, viewer: Knows | None) -> Line:
    at, status, amount, holder, cancel, parts = trace
    clause = info.clauses[at]
    by, ref = "", clause.ref
    if status == "cancelled" and cancel is not None and 0 <= cancel < len(clause.cancels):
        by, where = clause.cancels[cancel]
        ref = ref + where
    number = names.value(info.type, amount) if amount is not None and clause.word != "bar" else None
    shown = names.shown(evolve(info.type, unit=None), amount) if number is not None else ""
    who = None if holder is None or (isinstance(holder, int) and holder < 0) else str(holder)
    return Line(
        clause.word,
        clause.name,
        status,
        number,
        who,
        by,
        clause_text(names, info.name, clause),
        ref,
        tuple(derive(names, p, viewer) for p in parts),
        rulings=chosen(names, clause.rulings),
        shown=shown,
    )


def clause_text(names: Names, owner: str, clause: ClauseInfo) -> str:
    """What people call a clause."""
    default = clause.reason or tidy(clause.name or clause.word)
    return (
        names.text(clause.key)
        or (names.text(f"clause.{owner}.{clause.name}") if clause.name else "")
        or default
    )
