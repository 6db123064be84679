"""Takes what happened to whom, keeps it in a queue, sends it by mail and web hook: see docs/operating.md.

A notice waits a while, and is dropped if it is not true any more when it is due. What cannot be sent is tried again, ever later,
five times."""

from __future__ import annotations

from sqlalchemy import Connection, insert

from rulekit.table.people.seating import Hosted
from rulekit.table.schema import NOTICES

WAITS = 60.0  # seconds before it is told that one is asked


def of_turn(db: Connection, hosted: Hosted, decides: str | None, now: float) -> None:
    """Who is asked now, or that the game is over."""
    if decides is None:
        queue(db, hosted, "over", list(hosted.seats), now)
    elif decides in hosted.seats:
        queue(db, hosted, "asked", [decides], now, WAITS)


def queue(db: Connection, hosted: Hosted, what: str, sides: list[str], now: float, waits: float = 0.0) -> None:
    """Something is to be told to those who sit somewhere."""
    rows = [{"person": sitter.id, "table_id": hosted.id, "channel": channel, "what": what, "made": now, "tries": 0, "due": now + waits}
            for sitter in {hosted.seats[side] for side in sides} if sitter.id for channel in sitter.channels]
    if rows:
        db.execute(insert(NOTICES), rows)
