"""Takes the events of a choice, makes the answer whether a player may take it back. It follows from the events' kinds."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.program.program import DIE_ROLLED, DRAWN, FIRST_EVENT, PUT, REVEALED, ROLL_CANCELLED, Program

_WHY = {DIE_ROLLED: "a die was rolled", ROLL_CANCELLED: "a die was rolled",
        DRAWN: "something was drawn", REVEALED: "something was revealed"}


def barrier(program: Program, log: Sequence[tuple[int, ...]], begin: int) -> str:
    """Why the events from `begin` on cannot be taken back by a player; '' if they can."""
    for at in range(begin, len(log)):
        record = log[at]
        if record[0] in _WHY:
            return _WHY[record[0]]
        if record[0] == PUT and record[4] >= 0 and program.cells[record[1]].everyone and not program.cells[record[4]].everyone:
            return "something was revealed"
        if record[0] >= FIRST_EVENT and program.events[record[0] - FIRST_EVENT].reveals:
            return "something was revealed"
    return ""
