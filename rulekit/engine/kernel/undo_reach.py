"""The number of their own choices that a player may undo at a position."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from rulekit.engine.kernel.position import Position
from rulekit.engine.kernel.undo_barrier import stop


@frozen
class UndoReach:
    """The limits of a player's undo.

    Attributes:
        steps: the number of their own choices that the player may undo.
        choices: the number of choices, of all players, that stand after that.
        why: the reason that stops further undo, as a key of `undo_barrier.UNDO_STOPS`.
        event: the number of the event that stops it, or -1 if none does.
    """

    steps: int
    choices: int
    why: str
    event: int = -1


def undo_reach(
    state: Position, player: int, counts: Callable[[int], bool] | None = None
) -> UndoReach:
    """Find how far a player may undo their choices, one after the other.

    Passes of others between them do not stop it.

    Args:
        counts: tells whether the player can observe a choice, by its number. With it, the result
            reveals nothing of choices that the player did not observe.
    """
    steps, to, left = 0, state.move_number(), state.move_number()
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
