"""Turn the trace of an illegal option into reasons: bars, prices, blocked ways and facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit.common.i18n.messages import _
from rulekit.engine.explain.derivation import Derivation, derive
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.visibility import Visibility
from rulekit.runtime.intrinsics import members
from rulekit.runtime.records import Trace

WAYS = 3  # the largest number of reported reasons for blocked ways
_WORDS = ("been", "domain", "picked", "start")


@frozen
class Reason:
    """One reason of a refusal.

    Attributes:
        cause: the kind of reason. It is one of these:
            when, with, limit, pays: the word of the clause that does not hold.
            bar, total: a rule that forbids it.
            apart, been, start: about a walk.
            picked, most: about a group.
            possible: it is not among the possible things.
            moment: not at this time.
            unknown, secret: the player may not know it.
        of: the ids of the pieces and places that the reason is about.
        where: the places to which it applies, as a prefix of the text.
    """

    text: str
    ref: tuple[str, ...] = ()
    cause: str = ""
    of: tuple[str, ...] = ()
    where: str = ""

    def said(self, colon: str) -> str:
        """Return the reason with its paragraphs, for people."""
        return f"{self.where}{colon if self.where else ''}{self.text}{cited(self.ref)}"


def said(names: Names, reasons: Sequence[Reason]) -> str:
    """Join reasons into one sentence."""
    return names.semicolon.join(reason.said(names.colon) for reason in reasons)


@define
class RefusalReasons:
    """The reasons of a refusal.

    Attributes:
        word: a bare fact of the machine.
        most: the largest size of a group.
        price: the cost and the amount that is left.
        bars: the rules that forbid it, with paragraphs.
        facts: facts about the thing that do not fit.
    """

    word: str = ""
    most: int | None = None
    price: str = ""
    bars: list[Reason] = field(factory=list)
    facts: list[str] = field(factory=list)


def cited(ref: Sequence[str]) -> str:
    """Return paragraphs in brackets."""
    return f" [{', '.join(ref)}]" if ref else ""


def graph_kind(state: Position) -> int:
    """Return the kind of the places that borders join, or -1."""
    return next((k.joins for k in state.table.program.kinds if k.joins >= 0), -1)


def refusal_reasons(state: Position, trace: Sequence[Any]) -> RefusalReasons:
    """Return the reasons in a trace, as far as the current player may know."""
    out, observer, names = RefusalReasons(), Visibility(state, state.current_player()), state.names
    kind = graph_kind(state)
    # reasons without ids: the places that they block, with the ids that they are about
    ways: dict[tuple[Reason, ...], dict[int, tuple[str, ...]]] = {}
    for part in trace:
        what = part[0]
        if what in _WORDS:
            out.word = what
        elif what == "most":
            out.most = part[1]
        elif what == "pays":
            out.price = names.say(_("costs {cost}, {left} left").with_params(**price(names, part)))
        elif what in ("cell", "fixed"):
            out.facts += [fact for fact in [_fact(observer, part)] if fact]
        elif what == "apart":
            to, at = (names.label(kind, place) for place in part[1:])
            text = names.say(_("{to} is not next to {at}", to=to, at=at))
            out.bars.append(
                Reason(text, (), "apart", tuple(str(names.id(kind, place)) for place in part[1:]))
            )
        elif what == "reach":
            for place, why in _closed(state, part):
                ways.setdefault(tuple(evolve(r, of=()) for r in why), {})[place] = tuple(
                    one for r in why for one in r.of
                )
        elif what != "cost":
            out.bars += bars(names, derive(names, Trace.of(part), observer, asked=True))
    every = {place for places in ways.values() for place in places}
    for why, places in sorted(ways.items(), key=lambda item: len(item[1]))[:WAYS]:
        where = (
            ""
            if len(every) == len(places) > 1
            else ", ".join(names.label(kind, place) for place in places)
        )
        of = dict.fromkeys(
            [
                *(str(names.id(kind, place)) for place in places),
                *(one for ids in places.values() for one in ids),
            ]
        )
        out.bars += [
            evolve(reason, of=tuple(of), where="" if n else where) for n, reason in enumerate(why)
        ]
    out.bars = list(dict.fromkeys(out.bars))
    return out


def price(names: Names, fact: tuple[str, int, int, str | None]) -> dict[str, str]:
    """Return the cost and the amount that is left to pay it."""
    __, cost, left, unit = fact
    words = f" {names.unit(unit)}" if unit else ""
    return {"cost": f"{cost}{words}", "left": f"{left}{words}"}


def bars(names: Names, derivation: Derivation) -> Iterator[Reason]:
    """Yield the bars that hold with their own reasons, and the totals compared.

    Hidden totals are left out.
    """
    of = concerned(names, derivation.arguments.values())
    if derivation.what == "permit":
        for line in derivation.lines:
            if line.word == "bar" and line.status == "applied":
                yield Reason(line.text or tidy(line.name), line.ref, "bar", of)
                for part in line.parts:
                    yield from bars(names, part)
    elif derivation.what == "total" and not derivation.hidden:
        unit = f" {names.unit(derivation.unit)}" if derivation.unit else ""
        text = (
            f"{names.text(f'total.{derivation.name}', tidy(derivation.name))} ="
            f" {derivation.value}{unit}"
        )
        yield Reason(text, derivation.ref, "total", of)


def concerned(names: Names, values: Iterable[Any]) -> tuple[str, ...]:
    """Return the pieces and places among ids, each once."""
    kinds = {*names.place_cells, *(cell.type.kind for cell in names.place_cells.values())}
    each = (
        one
        for value in values
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, str)
    )
    return tuple(
        dict.fromkeys(one for one in each if any(one in names.ordinals[kind] for kind in kinds))
    )


def _fact(observer: Visibility, part: tuple[Any, ...]) -> str:
    """Return a fact about a member that a condition read, or '' if the player may not know it."""
    names, program = observer.names, observer.program
    if part[0] == "cell":
        __, at, member = part
        cell = program.cells[at]
        if (
            cell.hidden
            or not observer.sees(at, (member,))
            or not observer.knows(cell.keys[0].kind, member)
        ):
            return ""
        name, type, value, text = (
            cell.name,
            cell.type,
            observer.state.raw(cell, (member,)),
            names.text(f"cell.{cell.name}"),
        )
    else:
        __, kind, number, member = part
        if not observer.knows(kind, member):
            return ""
        name = list(program.kinds[kind].fixed)[number]
        type, values = program.kinds[kind].fixed[name]
        value, text = values[member], names.text(f"fixed.{name}")
    held = [value] if type.form == "member" else members(value) if type.form == "set" else []
    if not all(observer.knows(type.kind, i) for i in held):
        return ""
    text = (text or tidy(name)).rstrip(" :")
    return f"{text}{names.colon}{names.shown(type, value)}"


def _closed(state: Position, trace: tuple[Any, ...]) -> Iterator[tuple[int, tuple[Reason, ...]]]:
    """Yield each place next to the start of a walk, with the reasons why no step can go there."""
    __, movement, steps = trace
    for place, failed, parts in steps:
        clause = state.table.program.movements[movement][failed] if failed >= 0 else None
        found, text = (
            refusal_reasons(state, parts),
            (state.names.text(clause.key, clause.reason) if clause is not None else ""),
        )
        reasons = [Reason(text, clause.ref, clause.word)] if clause is not None and text else []
        reasons += [Reason(found.price, (), "pays")] if found.price else []
        reasons += found.bars
        yield (
            place,
            tuple(reasons)
            or (Reason(state.names.say(_("a condition does not hold")), (), "when"),),
        )
