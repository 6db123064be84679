"""Takes the trace of a refused option, makes its causes in words: bars that hold, prices, ways that are closed, what a thing is like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulekit.play.derivation import Derivation, derive
from rulekit.play.names import Names, tidy
from rulekit.play.view import Viewer
from rulekit.program import cells

if TYPE_CHECKING:
    from rulekit.play.state import State

WAYS = 3  # reasons why a way is closed that are told
_WORDS = ("been", "domain", "picked", "start")


@define
class Causes:
    """What stands behind a refusal. `word`: a bare fact of the machine; `most`: as many as a group may have; `price`: what it costs and
    what is left; `bars`: the rules that forbid it, with paragraphs; `facts`: what the thing is like that does not fit."""

    word: str = ""
    most: int | None = None
    price: str = ""
    bars: list[str] = field(factory=list)
    facts: list[str] = field(factory=list)


def cited(ref: Sequence[str]) -> str:
    """Paragraphs in brackets."""
    return f" [{', '.join(ref)}]" if ref else ""


def graph_kind(state: State) -> int:
    """The kind of the places that borders join."""
    return next(k.joins for k in state.table.program.kinds if k.joins >= 0)


def causes(state: State, trace: Sequence[Any]) -> Causes:
    """The causes in a trace, for the player who is asked."""
    out, viewer = Causes(), Viewer(state, state.current_player())
    ways: dict[str, list[str]] = {}
    for part in trace:
        what = part[0]
        if what in _WORDS:
            out.word = what
        elif what == "most":
            out.most = part[1]
        elif what == "pays":
            out.price = state.names.word("costs", **price(part))
        elif what in ("cell", "fixed"):
            out.facts += [fact for fact in [_fact(viewer, part)] if fact]
        elif what == "apart":
            out.bars.append(state.names.word("not_next", **{to: state.names.label(graph_kind(state), place)
                                                            for to, place in zip(("to", "at"), part[1:], strict=True)}))
        elif what == "reach":
            for place, why in _closed(state, part):
                ways.setdefault(why, []).append(place)
        elif what != "cost":
            out.bars += bars(state.names, derive(state.names, part, viewer))
    every = {place for places in ways.values() for place in places}
    for why, places in sorted(ways.items(), key=lambda item: len(item[1]))[:WAYS]:
        named = list(dict.fromkeys(places))
        out.bars.append(why if len(every) == len(named) > 1 else f"{', '.join(named)}{state.names.word('colon')}{why}")
    out.bars = list(dict.fromkeys(out.bars))
    return out


def price(fact: tuple[str, int, int, str | None]) -> dict[str, str]:
    """What something costs, and what is left to pay it from."""
    _, cost, left, unit = fact
    words = f" {unit}" if unit else ""
    return {"cost": f"{cost}{words}", "left": f"{left}{words}"}


def bars(names: Names, derivation: Derivation) -> Iterator[str]:
    """The bars that hold, with what stands behind them, and the totals that were compared."""
    if derivation.what == "permit":
        for line in derivation.lines:
            if line.word == "bar" and line.status == "applied":
                yield (line.text or tidy(line.name)) + cited(line.ref)
                for part in line.parts:
                    yield from bars(names, part)
    elif derivation.what == "total":
        unit = f" {derivation.unit}" if derivation.unit else ""
        yield f"{names.text(f'total.{derivation.name}', tidy(derivation.name))} = {derivation.value}{unit}{cited(derivation.ref)}"


def _fact(viewer: Viewer, part: tuple[Any, ...]) -> str:
    """What a member is like, as far as the player may know it: its state or its data that a condition has asked."""
    names, program = viewer.names, viewer.program
    if part[0] == "cell":
        _, at, member = part
        cell = program.cells[at]
        if cell.hidden or not viewer.sees(at, (member,)) or not viewer.knows(cell.keys[0].kind, member):
            return ""
        name, type, value, text = cell.name, cell.type, cells.read(viewer.state._s, cell, (member,)), names.text(f"cell.{cell.name}")
    else:
        _, kind, number, member = part
        if not viewer.knows(kind, member):
            return ""
        name = list(program.kinds[kind].fixed)[number]
        type, values = program.kinds[kind].fixed[name]
        value, text = values[member], names.text(f"fixed.{name}")
    if type.form == "member" and not viewer.knows(type.kind, value):
        return ""
    text = (text or tidy(name)).rstrip(" :")
    return f"{text}{names.word('colon')}{names.shown(type, value)}"


def _closed(state: State, trace: tuple[Any, ...]) -> Iterator[tuple[str, str]]:
    """Each place next to the beginning of a walk, and why the walk cannot be a step there."""
    _, movement, steps = trace
    for place, failed, parts in steps:
        clause = state.table.program.movements[movement][failed] if failed >= 0 else None
        found, text = causes(state, parts), state.names.text(clause.key, clause.reason) if clause is not None else ""
        told = [text + cited(clause.ref)] if clause is not None and text else []
        told += [found.price] if found.price else []
        told += found.bars
        yield state.names.label(graph_kind(state), place), state.names.semicolon.join(told) or state.names.word("guard")
