"""Find the events that stop undo: dice, draws and reveals."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.i18n.messages import _
from rulekit.runtime.program import Program
from rulekit.runtime.records import Put, Record, kind_of
from rulekit.runtime.slots import DIE_ROLLED, DRAWN, FIRST_EVENT, PUT, REVEALED, ROLL_CANCELLED

_WHY = {
    DIE_ROLLED: "die_was_rolled",
    ROLL_CANCELLED: "die_was_rolled",
    DRAWN: "was_drawn",
    REVEALED: "was_revealed",
}
UNDO_STOPS = {
    "nothing_to_undo": _("there is nothing to take back"),
    "others_choice": _("the last choice was another player's"),
    "die_was_rolled": _("a die was rolled"),
    "was_drawn": _("something was drawn"),
    "was_revealed": _("something was revealed"),
}


def barrier(program: Program, log: Sequence[Record], begin: int) -> str:
    """Return the key in `UNDO_STOPS` of the reason that stops undo of the events from `begin` on.

    The key is '' if they can.
    """
    _, why = stop(program, log, begin)
    return why


def stop(program: Program, log: Sequence[Record], begin: int) -> tuple[int, str]:
    """Find the first event from `begin` on that a player cannot undo.

    Returns:
        The index of the event and the key in `UNDO_STOPS` of the reason, or (-1, "").
    """
    for at in range(begin, len(log)):
        kind = kind_of(log[at])
        if kind in _WHY:
            return at, _WHY[kind]
        if kind == PUT and _leaves_a_hidden_pool(program, Put._make(log[at])):
            return at, "was_revealed"
        if kind >= FIRST_EVENT and program.events[kind - FIRST_EVENT].reveals:
            return at, "was_revealed"
    return -1, ""


def _leaves_a_hidden_pool(program: Program, put: Put) -> bool:
    """Return True if everybody sees now a thing that came from a pool that not everybody sees."""
    return (
        put.source_cell >= 0
        and program.cells[put.cell].everyone
        and not program.cells[put.source_cell].everyone
    )
