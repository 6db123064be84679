"""The totals computed for a past event, with their derivations at that time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.engine.explain.derivation import Derivation, derive
from rulekit.engine.explain.event_derivations import worked
from rulekit.engine.kernel.events import Event
from rulekit.engine.kernel.position import ALL, Position
from rulekit.engine.kernel.tracer import Tracer
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.records import Trace

TOTALS = ("total", "permit")  # declarations that have clauses
# a total that is computed more often than this for one event is part of a search through things
MAX_NAMED_CAUSES = 3


def behind(state: Position, number: int, observer: int | str | None = ALL) -> list[Derivation]:
    """Return the totals computed between the previous event and this one.

    They are found by playing the choice once more in a copy. If there are none, the totals up to
    the next event count, else all of the choice up to this event. A search computes the same total
    for many things. Of these, the result has only those about things that the event names, or their
    places.

    Args:
        observer: the reader, or None for a spectator. Values that they may not know after the
            choice are masked. If they may not see the whole event, the result is empty, since its
            totals could reveal the rest.
    """
    if observer != ALL and not _seen(Observer(state, observer), state.events[number]):
        return []
    copy = state.clone()
    choice = copy.choice_of_event(number)
    if choice == 0:
        return []
    while copy.move_number() >= choice:
        copy.undo()
    tracer = Tracer(copy)
    tracer.keep()
    event = state.events[number]
    named = set(_words(event.params))
    if event.name == "changed":  # a cell such as `pa.red`
        parts = event.params["what"].split(".")
        named |= {".".join(parts[i:]) for i in range(1, len(parts))}
    named |= _places(copy, named)
    copy.redo()
    named |= _places(copy, named)
    just = [trace for at, trace in tracer.kept if at == number]
    near = [trace for at, trace in tracer.kept if number <= at <= number + 1]
    earlier = [trace for at, trace in tracer.kept if at <= number]
    knows = None if observer == ALL else Observer(copy, observer)
    return (
        _derivations(copy, just, named, knows)
        or _derivations(copy, near, named, knows)
        or _derivations(copy, earlier, named, knows)
    )


def _seen(observer: Observer, event: Event) -> bool:
    """Return True if the observer sees an event and everything that it names."""
    seen = observer.event(event)
    return seen is not None and seen.params == event.params


def _derivations(
    state: Position, traces: Sequence[Trace], named: set[str], observer: Observer | None
) -> list[Derivation]:
    latest = {_key(t): t for t in traces}
    inside = {key for t in latest.values() for key in _parts(t)}
    found = [
        (trace, derive(state.names, trace, observer))
        for key, trace in latest.items()
        if trace.what in TOTALS and key not in inside
    ]
    # a value that depends on a hidden one could reveal it
    whole = not any(derivation.hidden for _, derivation in found)
    made = [
        next((d for t, d in found if t is trace), None) or worked(state.names, trace, observer)
        for key, trace in latest.items()
        if key not in inside and (trace.what in TOTALS or whole)
    ]
    return concerning([each for each in made if each is not None], named)


def concerning(found: Sequence[Derivation], named: set[str]) -> list[Derivation]:
    """Drop the totals of a search through many things, unless their varying arguments are named."""
    out: list[Derivation] = []
    for each in found:
        alike = [d for d in found if d.name == each.name]
        varying = [
            a for a in each.arguments if any(d.arguments.get(a) != each.arguments[a] for d in alike)
        ]  # a hidden derivation has no arguments
        if len(alike) <= MAX_NAMED_CAUSES or all(
            named.issuperset(_words(each.arguments[a])) for a in varying
        ):
            out.append(each)
    return out


def _words(value: Any) -> Iterator[str]:
    """Yield the names in a value of an event or argument."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif value is not None:
        yield str(value)


def _places(state: Position, named: set[str]) -> set[str]:
    """Return the places of the named things."""
    out = set()
    for kind, cell in state.names.place_cells.items():
        for at in {
            state.names.ordinals[kind][word] for word in named if word in state.names.ordinals[kind]
        }:
            place = state.raw(cell, (at,))
            if place >= 0:
                out.add(state.table.program.kinds[cell.type.kind].members[place])
    return out


def _key(trace: Trace) -> tuple[str, int, tuple[Any, ...]]:
    return trace.what, trace.number, tuple(trace.arguments)


def _parts(trace: Trace) -> set[tuple[str, int, tuple[Any, ...]]]:
    """Return the keys of the traces inside a trace, which need not be reported again."""
    found: set[tuple[str, int, tuple[Any, ...]]] = set()
    for line in trace.lines:
        for part in line.parts:
            found |= {_key(part)} | _parts(part)
    return found
