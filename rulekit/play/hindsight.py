"""Takes a state and a past event, makes the derivations of the totals that were computed for it, as they were then."""

from __future__ import annotations

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
    latest = {(t[0], t[1], t[2]): t for t in near or earlier}
    return [derive(copy.names, trace) for trace in latest.values()]
