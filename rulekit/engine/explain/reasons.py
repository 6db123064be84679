"""Takes the trace of a refused option, makes its causes in words: bars that hold, prices, ways that
are closed, what a thing is like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit.engine.explain.derivation import Derivation, derive
from rulekit.engine.kernel.names import Names, tidy
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.visibility import Visibility
from rulekit.runtime.intrinsics import members

WAYS = 3  # reasons why a way is closed that are told
_WORDS = ("been", "domain", "picked", "start")


@frozen
class Reason:
    """One reason of a refusal. `cause`: the word of the clause that does not hold (when, with,
    limit, pays); bar and total: what forbids it; apart, been, start: of a walk; picked, most: of a
    group; possible: it is none of those that may be meant; moment: not now; unknown and secret: it
    may not be known. `of`: the ids of the pieces and places that it speaks of; `where`: the places
    of which it is said, in front."""

    text: str
    ref: tuple[str, ...] = ()
    cause: str = ""
    of: tuple[str, ...] = ()
    where: str = ""

    def said(self, colon: str) -> str:
        """The reason with its paragraphs, for people."""
        return f"{self.where}{colon if self.where else ''}{self.text}{cited(self.ref)}"


def said(names: Names, reasons: Sequence[Reason]) -> str:
    """Reasons in one sentence."""
    return names.semicolon.join(reason.said(names.word("colon")) for reason in reasons)


@define
class Causes:
    """What stands behind a refusal. `word`: a bare fact of the machine; `most`: as many as a group
    may have; `price`: what it costs and what is left; `bars`: the rules that forbid it, with
    paragraphs; `facts`: what the thing is like that does not fit.
    """

    word: str = ""
    most: int | None = None
    price: str = ""
    bars: list[Reason] = field(factory=list)
    facts: list[str] = field(factory=list)


def cited(ref: Sequence[str]) -> str:
    """Paragraphs in brackets."""
    return f" [{', '.join(ref)}]" if ref else ""


def graph_kind(state: Position) -> int:
    """The kind of the places that borders join; -1: there are none."""
    return next((k.joins for k in state.table.program.kinds if k.joins >= 0), -1)


def causes(state: Position, trace: Sequence[Any]) -> Causes:
    """The causes in a trace, for the player who is asked."""
    out, viewer, names = Causes(), Visibility(state, state.current_player()), state.names
    kind = graph_kind(state)
    ways: dict[
        tuple[Reason, ...], dict[int, tuple[str, ...]]
    ] = {}  # without, and with the ids that they speak of
    for part in trace:
        what = part[0]
        if what in _WORDS:
            out.word = what
        elif what == "most":
            out.most = part[1]
        elif what == "pays":
            out.price = names.word("costs", **price(names, part))
        elif what in ("cell", "fixed"):
            out.facts += [fact for fact in [_fact(viewer, part)] if fact]
        elif what == "apart":
            text = names.word(
                "not_next",
                **{
                    to: names.label(kind, place)
                    for to, place in zip(("to", "at"), part[1:], strict=True)
                },
            )
            out.bars.append(
                Reason(text, (), "apart", tuple(str(names.id(kind, place)) for place in part[1:]))
            )
        elif what == "reach":
            for place, why in _closed(state, part):
                ways.setdefault(tuple(evolve(r, of=()) for r in why), {})[place] = tuple(
                    one for r in why for one in r.of
                )
        elif what != "cost":
            out.bars += bars(names, derive(names, part, viewer, asked=True))
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
    """What something costs, and what is left to pay it from."""
    _, cost, left, unit = fact
    words = f" {names.unit(unit)}" if unit else ""
    return {"cost": f"{cost}{words}", "left": f"{left}{words}"}


def bars(names: Names, derivation: Derivation) -> Iterator[Reason]:
    """The bars that hold, with what stands behind them, and the totals that were compared, but for
    those that are hidden."""
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
    """The pieces and places among ids, each once."""
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


def _fact(viewer: Visibility, part: tuple[Any, ...]) -> str:
    """What a member is like, as far as the player may know it: its state or its data that a
    condition has asked."""
    names, program = viewer.names, viewer.program
    if part[0] == "cell":
        _, at, member = part
        cell = program.cells[at]
        if (
            cell.hidden
            or not viewer.sees(at, (member,))
            or not viewer.knows(cell.keys[0].kind, member)
        ):
            return ""
        name, type, value, text = (
            cell.name,
            cell.type,
            viewer.state.raw(cell, (member,)),
            names.text(f"cell.{cell.name}"),
        )
    else:
        _, kind, number, member = part
        if not viewer.knows(kind, member):
            return ""
        name = list(program.kinds[kind].fixed)[number]
        type, values = program.kinds[kind].fixed[name]
        value, text = values[member], names.text(f"fixed.{name}")
    held = [value] if type.form == "member" else members(value) if type.form == "set" else []
    if not all(viewer.knows(type.kind, i) for i in held):
        return ""
    text = (text or tidy(name)).rstrip(" :")
    return f"{text}{names.word('colon')}{names.shown(type, value)}"


def _closed(state: Position, trace: tuple[Any, ...]) -> Iterator[tuple[int, tuple[Reason, ...]]]:
    """Each place next to the beginning of a walk, and why the walk cannot be a step there."""
    _, movement, steps = trace
    for place, failed, parts in steps:
        clause = state.table.program.movements[movement][failed] if failed >= 0 else None
        found, text = (
            causes(state, parts),
            (state.names.text(clause.key, clause.reason) if clause is not None else ""),
        )
        told = [Reason(text, clause.ref, clause.word)] if clause is not None and text else []
        told += [Reason(found.price, (), "pays")] if found.price else []
        told += found.bars
        yield place, tuple(told) or (Reason(state.names.word("guard"), (), "when"),)
