"""Find the events that stop undo: dice, draws and reveals."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.runtime.program import Program
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, FIRST_EVENT, PUT, REVEALED, ROLL_CANCELLED

_WHY = {
    DIE_ROLLED: "die_was_rolled",
    ROLL_CANCELLED: "die_was_rolled",
    DRAWN: "was_drawn",
    REVEALED: "was_revealed",
}


def barrier(program: Program, log: Sequence[tuple[int, ...]], begin: int) -> str:
    """Return the message key of the reason why a player cannot undo the events from `begin` on.

    The key is '' if they can.
    """
    return stop(program, log, begin)[1]


def stop(program: Program, log: Sequence[tuple[int, ...]], begin: int) -> tuple[int, str]:
    """Find the first event from `begin` on that a player cannot undo.

    Returns:
        The index of the event and the message key of the reason, or (-1, "") if there is none.
    """
    for at in range(begin, len(log)):
        record = log[at]
        if record[0] in _WHY:
            return at, _WHY[record[0]]
        if (
            record[0] == PUT
            and record[4] >= 0
            and program.cells[record[1]].everyone
            and not program.cells[record[4]].everyone
        ):
            return at, "was_revealed"
        if record[0] >= FIRST_EVENT and program.events[record[0] - FIRST_EVENT].reveals:
            return at, "was_revealed"
    return -1, ""
