"""Takes texts of people, keeps them: the chat of the players, that of the observers, and notes that
only their writer reads."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.server.online.access import may
from rulekit.server.online.accounts import Person
from rulekit.server.online.schemas import Talked
from rulekit.server.online.seating import Hosted, NotAllowed, NotThere
from rulekit.server.schema import MESSAGES, NOTES, PEOPLE, READS

MOST = 200  # texts at a time


def plain(text: str) -> str:
    """A text as it is kept: no character that steers a terminal or turns the line round.
    RulekitError if nothing is left."""
    kept = "".join(
        c
        for c in unicodedata.normalize("NFC", text)
        if c == "\n" or c == "‍" or unicodedata.category(c)[0] != "C"
    )
    if not kept.strip():
        raise fault(RulekitError, "people.no_text")
    return kept.strip()


def hears(found: Hosted, who: Person | None, room: str) -> bool:
    """May somebody read a chat? The players theirs; the observers theirs, and the players too when
    the game is over."""
    own, over = bool(found.sides_of(who)), found.ended is not None
    return found.looks(who) and (own if room == "players" else over or not own)


def say(db: Connection, found: Hosted, who: Person, room: str, text: str) -> int:
    """Adds a text: its number."""
    if f"say_{room}" not in may(found, who):
        raise fault(NotAllowed, "people.not_here")
    done = db.execute(
        insert(MESSAGES).values(
            table_id=found.id,
            room=room,
            person=who.id,
            text=plain(text),
            written=time.time(),
            removed=False,
        )
    )
    key: Any = done.inserted_primary_key
    return int(key[0])


def said_since(db: Connection, found: Hosted, who: Person | None, since: int) -> list[Talked]:
    """The texts after a number that somebody may read, the last ones."""
    rooms = [room for room in ("players", "observers") if hears(found, who, room)]
    rows = db.execute(
        _texts()
        .where(MESSAGES.c.table_id == found.id, MESSAGES.c.id > since, MESSAGES.c.room.in_(rooms))
        .order_by(MESSAGES.c.id.desc())
        .limit(MOST)
    ).all()
    return [_talked(row) for row in reversed(rows)]


def said_at(db: Connection, number: int) -> Talked | None:
    """One text."""
    row = db.execute(_texts().where(MESSAGES.c.id == number)).first()
    return _talked(row) if row else None


def remove(db: Connection, found: Hosted, who: Person, number: int) -> None:
    """Takes a text away: one's own, or an admin any of a game that he may see."""
    row = db.execute(
        select(MESSAGES).where(MESSAGES.c.id == number, MESSAGES.c.table_id == found.id)
    ).first()
    if row is None or (not hears(found, who, row.room) and not who.admin):
        raise fault(NotThere, "people.no_such_text")
    if row.person != who.id and not who.admin:
        raise fault(NotAllowed, "people.not_yours")
    db.execute(update(MESSAGES).where(MESSAGES.c.id == number).values(removed=True, text=""))


def read(db: Connection, id: str, who: Person) -> int:
    """Up to which text somebody has read."""
    return (
        db.execute(
            select(READS.c.upto).where(READS.c.table_id == id, READS.c.person == who.id)
        ).scalar()
        or 0
    )


def has_read(db: Connection, id: str, who: Person, upto: int) -> None:
    """From now on up to this one."""
    db.execute(delete(READS).where(READS.c.table_id == id, READS.c.person == who.id))
    db.execute(insert(READS).values(table_id=id, person=who.id, upto=upto))


def unread(db: Connection, tables: Sequence[Hosted], who: Person) -> dict[str, int]:
    """How many texts of others somebody has not read at each table."""
    mine = and_(READS.c.table_id == MESSAGES.c.table_id, READS.c.person == who.id)
    rows = db.execute(
        select(MESSAGES.c.table_id, MESSAGES.c.room, func.count())
        .outerjoin(READS, mine)
        .where(
            MESSAGES.c.table_id.in_([each.id for each in tables]),
            MESSAGES.c.id > func.coalesce(READS.c.upto, 0),
            MESSAGES.c.person != who.id,
            MESSAGES.c.removed.is_(False),
        )
        .group_by(MESSAGES.c.table_id, MESSAGES.c.room)
    ).all()
    heard = {
        (each.id, room)
        for each in tables
        for room in ("players", "observers")
        if hears(each, who, room)
    }
    out: dict[str, int] = {}
    for id, room, many in rows:
        if (id, room) in heard:
            out[id] = out.get(id, 0) + many
    return out


def note(db: Connection, id: str, who: Person) -> str:
    """One's own note about a table."""
    return (
        db.execute(
            select(NOTES.c.text).where(NOTES.c.table_id == id, NOTES.c.person == who.id)
        ).scalar()
        or ""
    )


def write_note(db: Connection, id: str, who: Person, text: str) -> None:
    """Another note instead."""
    db.execute(delete(NOTES).where(NOTES.c.table_id == id, NOTES.c.person == who.id))
    if text.strip():
        db.execute(insert(NOTES).values(table_id=id, person=who.id, text=plain(text)))


def _texts() -> Any:
    return select(MESSAGES, PEOPLE.c.name, PEOPLE.c.password).join(
        PEOPLE, PEOPLE.c.id == MESSAGES.c.person
    )


def _talked(row: Any) -> Talked:
    return Talked(
        row.id,
        row.room,
        row.name,
        row.password is None,
        "" if row.removed else row.text,
        row.written,
        row.removed,
    )
