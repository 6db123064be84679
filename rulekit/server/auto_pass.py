"""Takes a state and a side that wishes to pass, says whether the table still passes for it: as long
as a phase lasts, in windows only.

The wishes of a table are kept: they hold though nobody looks on for a while, the server begins
anew, or another process makes the next choice."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen
from sqlalchemy import Connection, bindparam, delete, insert, select

from rulekit.engine.game.state import State
from rulekit.runtime.slots import PHASE_BEGUN
from rulekit.server.schema import PASSING


@frozen
class Passing:
    """A side's wish to pass in windows as long as a phase lasts. `begun`: the number of the event
    with which the phase began (-1: none goes on); `only`: where it could do something else than
    pass, it is asked."""

    side: str
    begun: int
    only: bool = False

    @classmethod
    def now(cls, state: State, side: str, only: bool = False) -> Passing:
        """The wish, of the innermost phase that goes on."""
        return cls(side, phase_begun(state), only)

    def holds(self, state: State) -> bool:
        """Does the phase go on, and was the side asked nothing else?"""
        asked = state.decision
        if asked is None or not _goes_on(state, self.begun):
            return False
        return asked.player != self.side or (
            pass_of(state) > 0 and not (self.only and len(asked.options) > 1)
        )


_KEPT = select(PASSING.c.side, PASSING.c.begun, PASSING.c.only).where(
    PASSING.c.table_id == bindparam("id")
)


def kept_of(db: Connection, id: str) -> dict[str, Passing]:
    """The wishes of a table, by side."""
    found = db.execute(_KEPT, {"id": id})
    return {row.side: Passing(row.side, row.begun, row.only) for row in found}


def keep(db: Connection, id: str, wishes: Mapping[str, Passing]) -> None:
    """Keeps the wishes of a table instead of those that were kept."""
    db.execute(delete(PASSING).where(PASSING.c.table_id == id))
    if wishes:
        rows = [
            {"table_id": id, "side": side, "begun": each.begun, "only": each.only}
            for side, each in wishes.items()
        ]
        db.execute(insert(PASSING), rows)


def pass_of(state: State) -> int:
    """The option that passes the window at which play stands; 0: it is none."""
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
    """The number of the event with which the innermost phase began that goes on; -1: there is
    none."""
    return next(
        (number for number in range(len(state.log) - 1, -1, -1) if _goes_on(state, number)), -1
    )


def _goes_on(state: State, number: int) -> bool:
    """Does the phase go on that began with this event? A later one of the same name is another."""
    log = state.log
    if (
        number < 0
        or number >= len(log)
        or log[number][0] != PHASE_BEGUN
        or not state.running(log[number][1])
    ):
        return False
    return all(record[:2] != log[number][:2] for record in log[number + 1 :])
