"""Takes a state and a past event, makes the derivations of the totals that were computed for it, as
they were then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.engine.explain.derivation import Derivation, derive
from rulekit.engine.explain.event_workings import worked
from rulekit.engine.kernel.events import Event
from rulekit.engine.kernel.position import ALL, Position
from rulekit.engine.kernel.tracer import Tracer
from rulekit.engine.knowledge.observation import Observer

TOTALS = ("total", "permit")  # of what there are clauses
# so often the same total may be computed around one event, before it counts as a search through
# many things
FEW = 3


def behind(state: Position, number: int, viewer: int | str | None = ALL) -> list[Derivation]:
    """The totals computed between the event before and it, in a copy that is taken back and played
    on once more.

    If there are none so near, those up to the event after it, else all of the same choice up to the
    event. Of a total that was computed for many things, to search among them, only what concerns
    the things that the event names, or the places where they stand. `viewer`: who reads it (None: a
    spectator); what he may not know after the choice is masked. Of an event that he does not see,
    or not whole, there is nothing: what was computed for it may be of what he does not see."""
    if viewer != ALL and not _seen(Observer(state, viewer), state.events[number]):
        return []
    copy = state.clone()
    choice = copy.choice_of_event(number)
    if choice == 0:
        return []
    while copy.choices_count() >= choice:
        copy.undo()
    tracer = Tracer(copy)
    tracer.keep()
    event = state.events[number]
    named = set(_words(event.params))
    if event.name == "changed":  # of one cell, such as `pa.red`
        parts = event.params["what"].split(".")
        named |= {".".join(parts[i:]) for i in range(1, len(parts))}
    named |= _places(copy, named)
    copy.redo()
    named |= _places(copy, named)
    just = [trace for at, trace in tracer.kept if at == number]
    near = [trace for at, trace in tracer.kept if number <= at <= number + 1]
    earlier = [trace for at, trace in tracer.kept if at <= number]
    knows = None if viewer == ALL else Observer(copy, viewer)
    return (
        _told(copy, just, named, knows)
        or _told(copy, near, named, knows)
        or _told(copy, earlier, named, knows)
    )


def _seen(viewer: Observer, event: Event) -> bool:
    """Does he see an event, and all that it names?"""
    seen = viewer.event(event)
    return seen is not None and seen.params == event.params


def _told(
    state: Position, traces: Sequence[Any], named: set[str], viewer: Observer | None
) -> list[Derivation]:
    latest = {_key(t): t for t in traces}
    inside = {key for t in latest.values() for key in _parts(t)}
    found = [
        (trace, derive(state.names, trace, viewer))
        for key, trace in latest.items()
        if trace[0] in TOTALS and key not in inside
    ]
    whole = not any(
        derivation.hidden for _, derivation in found
    )  # else what it was worked into could tell it
    made = [
        next((d for t, d in found if t is trace), None) or worked(state.names, trace, viewer)
        for key, trace in latest.items()
        if key not in inside and (trace[0] in TOTALS or whole)
    ]
    return concerning([each for each in made if each is not None], named)


def concerning(found: Sequence[Derivation], named: set[str]) -> list[Derivation]:
    """Without the totals of a search among many things, but for those whose arguments, as far as
    they vary, are named."""
    out: list[Derivation] = []
    for each in found:
        alike = [d for d in found if d.name == each.name]
        varying = [
            a for a in each.arguments if any(d.arguments.get(a) != each.arguments[a] for d in alike)
        ]  # what is hidden has none
        if len(alike) <= FEW or all(named.issuperset(_words(each.arguments[a])) for a in varying):
            out.append(each)
    return out


def _words(value: Any) -> Iterator[str]:
    """The names in a value of an event or argument."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif value is not None:
        yield str(value)


def _places(state: Position, named: set[str]) -> set[str]:
    """Where the named things stand."""
    out = set()
    for kind, cell in state.names.place_cells.items():
        for at in {
            state.names.ordinals[kind][word] for word in named if word in state.names.ordinals[kind]
        }:
            place = state.raw(cell, (at,))
            if place >= 0:
                out.add(state.table.program.kinds[cell.type.kind].members[place])
    return out


def _key(trace: Any) -> tuple[str, int, tuple[Any, ...]]:
    return trace[0], trace[1], tuple(trace[2])


def _parts(trace: Any) -> set[tuple[str, int, tuple[Any, ...]]]:
    """The traces that stand inside a trace: they need not be told again."""
    found: set[tuple[str, int, tuple[Any, ...]]] = set()
    for line in trace[4]:
        for part in line[5]:
            found |= {_key(part)} | _parts(part)
    return found
