"""Auto-pass: a side's preference to pass windows until a phase ends.

It is stored, so that it survives a restart and a time without connected pages. It also holds if
another process makes the next choice.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen
from sqlalchemy import Connection, bindparam, delete, insert, select

from rulekit.engine.game.state import State
from rulekit.runtime.records import PhaseBegun, kind_of
from rulekit.runtime.slots import PHASE_BEGUN
from rulekit.server.database_schema import AUTO_PASS


@frozen
class AutoPass:
    """A side's preference to pass windows during a phase.

    Attributes:
        begun: the number of the event that began the phase (-1: no phase).
        only: ask the side where it has other options than to pass.
    """

    side: str
    begun: int
    only: bool = False

    @classmethod
    def now(cls, state: State, side: str, only: bool = False) -> AutoPass:
        """Return the preference for the innermost running phase."""
        return cls(side, phase_begun(state), only)

    def holds(self, state: State) -> bool:
        """Return True if the phase is still running and the side faces no other decision than a
        window.
        """
        asked = state.decision
        if asked is None or not _goes_on(state, self.begun):
            return False
        return asked.player != self.side or (
            pass_of(state) > 0 and not (self.only and len(asked.options) > 1)
        )


_KEPT = select(AUTO_PASS.c.side, AUTO_PASS.c.begun, AUTO_PASS.c.only).where(
    AUTO_PASS.c.table_id == bindparam("id")
)


def load_auto_pass(db: Connection, id: str) -> dict[str, AutoPass]:
    """Return the stored preferences of a table by side."""
    found = db.execute(_KEPT, {"id": id})
    return {row.side: AutoPass(row.side, row.begun, row.only) for row in found}


def store_auto_pass(db: Connection, id: str, wishes: Mapping[str, AutoPass]) -> None:
    """Replace the stored preferences of a table."""
    db.execute(delete(AUTO_PASS).where(AUTO_PASS.c.table_id == id))
    if wishes:
        rows = [
            {"table_id": id, "side": side, "begun": each.begun, "only": each.only}
            for side, each in wishes.items()
        ]
        db.execute(insert(AUTO_PASS), rows)


def pass_of(state: State) -> int:
    """Return the option that passes the current window, or 0 if the decision is not a window."""
    asked = state.decision
    if asked is None or asked.kind != "window":
        return 0
    return next(
        (
            option.id
            for option in asked.options
            if state.table.book.family(option.id).what == "pass"
        ),
        0,
    )


def phase_begun(state: State) -> int:
    """Return the number of the event that began the innermost running phase, or -1."""
    return next(
        (number for number in range(len(state.log) - 1, -1, -1) if _goes_on(state, number)), -1
    )


def _goes_on(state: State, number: int) -> bool:
    """Return True if the phase that began with this event is still running. A later phase of the
    same name is another one.
    """
    log = state.log
    if (
        number < 0
        or number >= len(log)
        or kind_of(log[number]) != PHASE_BEGUN
        or not state.running(procedure := PhaseBegun.of(log[number]).procedure)
    ):
        return False
    later = (record for record in log[number + 1 :] if kind_of(record) == PHASE_BEGUN)
    return all(PhaseBegun.of(record).procedure != procedure for record in later)
