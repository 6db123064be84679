"""Find situations that prove nothing, because they only read a given value or repeat a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import RulekitError
from rulekit.engine.game.setup import EVERYWHERE, WrongSetup, place_cell, procedure
from rulekit.engine.kernel.names import Names, UnknownName
from rulekit.engine.testing import expectations

if TYPE_CHECKING:
    from rulekit.compiler.source.situations import Expectation, Situation

CHECKS_NOTHING = "RK612"


def vet_proof(names: Names, situation: Situation, plays: bool, sink: Sink) -> None:
    """Report the parts of a situation that prove nothing.

    Args:
        plays: True if play happens in it. The given position can then have changed at the end.
    """
    seen: dict[str, Span] = {}
    for each in situation.then:
        said = f"{each.word} {each.subject}".strip()
        key = f"{said}: {each.value.plain() if each.value is not None else None!r}"
        if key in seen:
            more = (
                "; write how often something happened as `count EVENT: 2`"
                if each.word == "event"
                else ""
            )
            sink.error(
                CHECKS_NOTHING,
                each.span,
                f"'{said}' is expected twice at the same moment",
                f"remove one of the two expectations{more}",
                "the same again",
                second=seen[key],
                second_label="the first one is here",
            )
        seen.setdefault(key, each.span)
    if not plays and situation.then:
        given = dict(_given(names, situation))
        if all(_repeats(names, situation, given, each) for each in situation.then):
            sink.error(
                CHECKS_NOTHING,
                situation.then[0].span,
                f"the situation '{situation.name}' plays nothing and only checks its own `given`",
                "add a `do`, `run` or `phase`, or expect a result of the rules: a total, a legal"
                " choice, an observation",
                "this is only given",
            )


def _given(names: Names, situation: Situation) -> Iterator[tuple[tuple[str, Any], Any]]:
    """Yield the values that the situation sets, by their subject.

    A subject is a state with its keys, a field of a procedure, or a ruling.
    """
    for piece, values in situation.given.place.items():
        for attribute, value in values.items():
            yield _state(names, f"{attribute or place_cell(names, piece)}.{piece}", value.plain())
    for path, value in situation.given.set.items():
        yield _state(names, path, value.plain())
    for pool, things in situation.given.put.items():
        cell, keys = names.cell(pool)
        yield (cell.name, keys), {names.member(cell.type.kind, thing.plain()) for thing in things}
    for name, fields in situation.within.items():
        proc = names.program.procs[procedure(names, name)]
        types = {var.name: var.type for var in proc.vars}
        for field, value in fields.items():
            held = types[field], names.parse(types[field], value.plain())
            yield ("field", field), held
            yield ("field", f"{name}.{field}"), held
    for name, ruling in situation.rulings.items():
        yield ("ruling", name), str(ruling.plain())


def _state(names: Names, path: str, value: Any) -> tuple[tuple[str, Any], Any]:
    cell, keys = names.cell(path)
    return (cell.name, keys), names.parse(cell.type, value)


def _repeats(
    names: Names, situation: Situation, given: dict[tuple[str, Any], Any], expectation: Expectation
) -> bool:
    """Return True if an expectation only reads a given value."""
    value = expectation.value.plain() if expectation.value is not None else None
    with suppress(RulekitError, WrongSetup, KeyError):
        if expectation.word in ("pool", "in_pool", "not_in_pool", "size"):
            return _lies(names, given, expectation, value)
        if expectation.word == "value":
            return given.get(("ruling", expectation.subject)) == str(value)
        if expectation.word in expectations.WORDS and expectation.word != "var":
            return False
        path = (
            expectation.subject
            if expectation.word == "var"
            else f"{expectation.word}.{expectation.subject}"
            if expectation.subject
            else expectation.word
        )
        try:
            key, wanted = _state(names, path, value)
        except UnknownName:
            type, held = given["field", path]
            return bool(names.parse(type, value) == held)
        if key in given:
            return bool(given[key] == wanted)
        stands = {cell.name for cell in names.place_cells.values()}
        return (
            wanted == -1
            and key[0] in stands
            and (
                situation.empty or any(str(d.plain()) == EVERYWHERE for d in situation.given.clear)
            )
        )
    return False


def _lies(
    names: Names, given: dict[tuple[str, Any], Any], expectation: Expectation, value: Any
) -> bool:
    """Return True if an expectation about a pool only reads a given value."""
    cell, keys = names.cell(expectation.subject)
    held = given.get((cell.name, keys))
    if not isinstance(held, set):
        return False
    if expectation.word == "size":
        return bool(len(held) == value)
    listed = {
        names.member(cell.type.kind, thing)
        for thing in (value if isinstance(value, list) else [value])
    }
    return (
        bool(listed == held)
        if expectation.word == "pool"
        else listed.issubset(held)
        if expectation.word == "in_pool"
        else listed.isdisjoint(held)
    )
