"""Takes the events of a choice, makes the answer whether a player may take it back. It follows from the events' kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from rulekit.engine.kernel.position import UnderWay
from rulekit.runtime.program import Program
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, FIRST_EVENT, PUT, REVEALED, ROLL_CANCELLED


@frozen
class Reach:
    """How far a player may take back: so many of his own choices, to where so many choices were made; the key of the words for what stops
    him there, and the number of the event that does (-1: none)."""

    steps: int
    choices: int
    why: str
    event: int = -1


_WHY = {DIE_ROLLED: "die_was_rolled", ROLL_CANCELLED: "die_was_rolled",
        DRAWN: "was_drawn", REVEALED: "was_revealed"}


def barrier(program: Program, log: Sequence[tuple[int, ...]], begin: int) -> str:
    """Why the events from `begin` on cannot be taken back by a player, as the key of the words for it; '' if they can."""
    return stop(program, log, begin)[1]


def stop(program: Program, log: Sequence[tuple[int, ...]], begin: int) -> tuple[int, str]:
    """The first event from `begin` on that a player cannot take back, and the key of the words for why; (-1, "") if there is none."""
    for at in range(begin, len(log)):
        record = log[at]
        if record[0] in _WHY:
            return at, _WHY[record[0]]
        if record[0] == PUT and record[4] >= 0 and program.cells[record[1]].everyone and not program.cells[record[4]].everyone:
            return at, "was_revealed"
        if record[0] >= FIRST_EVENT and program.events[record[0] - FIRST_EVENT].reveals:
            return at, "was_revealed"
    return -1, ""


def reach(state: UnderWay, player: int, counts: Callable[[int], bool] | None = None) -> Reach:
    """How far a player may take back his choices, one after the other, and others' passes between them; as far as he knows, if `counts`
    says which choices he counts: of others' choices that he did not notice he is told nothing."""
    steps, to, left = 0, state.choices_count(), state.choices_count()
    while left:
        begin, end = state.events_of(left)
        own = state.chooser(left) == player
        if not own and not state.was_pass(left) and (counts is None or counts(left)):
            return Reach(steps, to, "others_choice")
        event, why = stop(state.table.program, state.records(begin, end), 0)
        if why:
            return Reach(steps, to, why, begin + event)
        left -= 1
        if own:
            steps, to = steps + 1, left
    return Reach(steps, to, "nothing_to_undo")
