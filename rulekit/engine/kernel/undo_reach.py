"""How far a player may take back his choices at a position."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulekit.engine.kernel.position import Position
from rulekit.engine.kernel.undo_barrier import stop


@frozen
class UndoReach:
    """How far a player may take back: so many of his own choices, to where so many choices were
    made; the key of the words for what stops him there, and the number of the event that does (-1:
    none)."""

    steps: int
    choices: int
    why: str
    event: int = -1


def undo_reach(
    state: Position, player: int, counts: Callable[[int], bool] | None = None
) -> UndoReach:
    """How far a player may take back his choices, one after the other, and others' passes between
    them; as far as he knows, if `counts` says which choices he counts: of others' choices that he
    did not notice he is told nothing."""
    steps, to, left = 0, state.choices_count(), state.choices_count()
    while left:
        begin, end = state.events_of(left)
        own = state.chooser(left) == player
        if not own and not state.was_pass(left) and (counts is None or counts(left)):
            return UndoReach(steps, to, "others_choice")
        event, why = stop(state.table.program, state.records(begin, end), 0)
        if why:
            return UndoReach(steps, to, why, begin + event)
        left -= 1
        if own:
            steps, to = steps + 1, left
    return UndoReach(steps, to, "nothing_to_undo")
