"""Chat messages of players and of observers, and private notes."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, select, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ACCOUNTS, MESSAGES, NOTES, READS
from rulekit.server.online.access import may
from rulekit.server.online.accounts import Person
from rulekit.server.online.protocol import ChatMessage
from rulekit.server.online.seating import Hosted, NotAllowed, NotThere

MAX_CHAT_MESSAGES = 200  # messages at a time


def plain(text: str) -> str:
    """Return a text in its stored form, without control characters that affect a terminal or the
    direction of text. Raise `RulekitError` if nothing is left.
    """
    kept = "".join(
        c
        for c in unicodedata.normalize("NFC", text)
        if c == "\n" or c == "‍" or unicodedata.category(c)[0] != "C"
    )
    if not kept.strip():
        raise RulekitError(_("the message is empty"))
    return kept.strip()


def hears(found: Hosted, who: Person | None, room: str) -> bool:
    """Return True if somebody may read a chat. Players read theirs and observers read theirs. After
    the game, everybody who may watch reads the chat of the observers.
    """
    own, over = bool(found.sides_of(who)), found.ended is not None
    return found.looks(who) and (own if room == "players" else over or not own)


def say(db: Connection, found: Hosted, who: Person, room: str, text: str) -> int:
    """Store a message and return its number."""
    if f"say_{room}" not in may(found, who):
        raise NotAllowed(_("you cannot use this chat now"))
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


def said_since(db: Connection, found: Hosted, who: Person | None, since: int) -> list[ChatMessage]:
    """Return the last messages after a number that somebody may read."""
    rooms = [room for room in ("players", "observers") if hears(found, who, room)]
    rows = db.execute(
        _texts()
        .where(MESSAGES.c.table_id == found.id, MESSAGES.c.id > since, MESSAGES.c.room.in_(rooms))
        .order_by(MESSAGES.c.id.desc())
        .limit(MAX_CHAT_MESSAGES)
    ).all()
    return [_chat_message(row) for row in reversed(rows)]


def said_at(db: Connection, number: int) -> ChatMessage | None:
    """Return one message, or None."""
    row = db.execute(_texts().where(MESSAGES.c.id == number)).first()
    return _chat_message(row) if row else None


def remove(db: Connection, found: Hosted, who: Person, number: int) -> None:
    """Remove the text of a message. People may remove their own, and an administrator may remove
    any.
    """
    row = db.execute(
        select(MESSAGES).where(MESSAGES.c.id == number, MESSAGES.c.table_id == found.id)
    ).first()
    if row is None or (not hears(found, who, row.room) and not who.admin):
        raise NotThere(_("there is no such message"))
    if row.person != who.id and not who.admin:
        raise NotAllowed(_("this message is from another person"))
    db.execute(update(MESSAGES).where(MESSAGES.c.id == number).values(removed=True, text=""))


def read(db: Connection, id: str, who: Person) -> int:
    """Return the number of the last message that somebody has read."""
    return (
        db.execute(
            select(READS.c.upto).where(READS.c.table_id == id, READS.c.person == who.id)
        ).scalar()
        or 0
    )


def has_read(db: Connection, id: str, who: Person, upto: int) -> None:
    """Store the number of the last message that somebody has read."""
    db.execute(delete(READS).where(READS.c.table_id == id, READS.c.person == who.id))
    db.execute(insert(READS).values(table_id=id, person=who.id, upto=upto))


def unread(db: Connection, tables: Sequence[Hosted], who: Person) -> dict[str, int]:
    """Return the number of unread messages of other people at each table."""
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
    """Return a person's own note about a table."""
    return (
        db.execute(
            select(NOTES.c.text).where(NOTES.c.table_id == id, NOTES.c.person == who.id)
        ).scalar()
        or ""
    )


def write_note(db: Connection, id: str, who: Person, text: str) -> None:
    """Replace a person's own note about a table. A blank one removes it."""
    db.execute(delete(NOTES).where(NOTES.c.table_id == id, NOTES.c.person == who.id))
    if text.strip():
        db.execute(insert(NOTES).values(table_id=id, person=who.id, text=plain(text)))


def _texts() -> Any:
    return select(MESSAGES, ACCOUNTS.c.name, ACCOUNTS.c.password).join(
        ACCOUNTS, ACCOUNTS.c.id == MESSAGES.c.person
    )


def _chat_message(row: Any) -> ChatMessage:
    return ChatMessage(
        row.id,
        row.room,
        row.name,
        row.password is None,
        "" if row.removed else row.text,
        row.written,
        row.removed,
    )
