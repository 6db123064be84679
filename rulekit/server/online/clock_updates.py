"""Updates of the stored clocks of a table after choices were made or undone, with the time left at
each decision.
"""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select

from rulekit.common.i18n.messages import _
from rulekit.engine.game.state import State
from rulekit.server.database_schema import CLOCKS, HOSTED
from rulekit.server.online import clock
from rulekit.server.online.clock import Clocks, Moment
from rulekit.server.online.seating import Hosted
from rulekit.server.storage import StoreError


class NotStored(StoreError):
    """The choices may not be stored at this table."""


def after(db: Connection, hosted: Hosted, state: State, now: float) -> Clocks:
    """Return the new clocks, computed from the stored ones.

    The stored times may have been moved since this process read them. Raise `NotStored` if a side
    that undoes a choice would lose on time.
    """
    rule = hosted.rule
    if not rule.seconds:
        return hosted.clocks
    before = _kept(db, hosted)
    moment = _moment(state, before.first)
    if rule.each and before.running is not None:
        _note(db, hosted.id, before, now)
    clocks = before.after(
        rule, moment, now, _had(db, hosted.id, moment) if before.was_asked(rule, moment) else None
    )
    if moment.asked is None:
        return clocks.stopped(now)
    late = next((side for side, seconds in clocks.left.items() if seconds <= 0), None)
    if late is not None and moment.choices < before.choices and hosted.late == "loses":
        raise NotStored(
            _(
                "{side} would have no time left there",
                side=state.names.label(state.table.program.sides, state.names.side(late)),
            )
        )
    return clocks


_HELD = (
    select(HOSTED.c.left, HOSTED.c.running, HOSTED.c.since)
    .where(HOSTED.c.table_id == bindparam("id"))
    .with_for_update()
)


def _kept(db: Connection, hosted: Hosted) -> Clocks:
    row = db.execute(_HELD, {"id": hosted.id}).first()
    return hosted.clocks if row is None else clock.read(row.left, row.running, row.since)


def _moment(state: State, first: int) -> Moment:
    sides, asked = state.names.sides, state.decision
    choosers = [sides[mark.chooser] if mark.chooser >= 0 else "" for mark in state.marks[first:]]
    player = asked.player if asked else None
    return Moment(player, state.move_number(), clock.turns_of(choosers, player))


def _note(db: Connection, id: str, clocks: Clocks, now: float) -> None:
    """Store the time that the side to decide has left at this decision."""
    side = str(clocks.running)
    db.execute(
        delete(CLOCKS).where(
            CLOCKS.c.table_id == id, CLOCKS.c.choices == clocks.choices, CLOCKS.c.side == side
        )
    )
    db.execute(
        insert(CLOCKS).values(
            table_id=id, choices=clocks.choices, side=side, left=clocks.now(now)[side]
        )
    )


def _had(db: Connection, id: str, moment: Moment) -> float | None:
    """Return the time that the side to decide had left at this decision before, or None."""
    return db.execute(
        select(CLOCKS.c.left).where(
            CLOCKS.c.table_id == id,
            CLOCKS.c.choices == moment.choices,
            CLOCKS.c.side == moment.asked,
        )
    ).scalar()
