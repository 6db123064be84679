"""Takes a state and a past event, makes the derivations of the totals that were computed for it, as they were then."""

from __future__ import annotations

from typing import Any

from rulekit.play.derivation import Derivation, derive
from rulekit.play.state import State
from rulekit.play.tracing import Tracer


def behind(state: State, number: int) -> list[Derivation]:
    """The totals computed between the event before and the one after, in a copy that is taken back and played on once more.

    If there are none so near, all of the same choice up to the event."""
    copy = state.clone()
    choice = copy.choice_of_event(number)
    if choice == 0:
        return []
    while copy.choices_count() >= choice:
        copy.undo()
    tracer = Tracer(copy)
    tracer.keep()
    copy.redo()
    near = [trace for at, trace in tracer.kept if number <= at <= number + 1]
    earlier = [trace for at, trace in tracer.kept if at <= number]
    latest = {_key(t): t for t in near or earlier}
    inside = {key for t in latest.values() for key in _parts(t)}
    return [derive(copy.names, trace) for key, trace in latest.items() if key not in inside]


def _key(trace: Any) -> tuple[str, int, tuple[Any, ...]]:
    return trace[0], trace[1], tuple(trace[2])


def _parts(trace: Any) -> set[tuple[str, int, tuple[Any, ...]]]:
    """The traces that stand inside a trace: they need not be told again."""
    found: set[tuple[str, int, tuple[Any, ...]]] = set()
    for line in trace[4]:
        for part in line[5]:
            found |= {_key(part)} | _parts(part)
    return found
