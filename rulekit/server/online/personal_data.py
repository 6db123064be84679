"""Export and deletion of a person's data. Finished games remain complete, without the person's
name.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import (
    ACCOUNTS,
    HOSTED,
    MESSAGES,
    NOTES,
    NOTICES,
    OBSERVERS,
    READS,
    SEATS,
    TABLES,
)
from rulekit.server.online import mail_confirmation
from rulekit.server.online.accounts import Person, end_sessions
from rulekit.server.online.protocol import PersonalData, PersonalNote, PersonalTable, PersonalText
from rulekit.server.online.seating import NotAllowed
from rulekit.server.storage import remove

NOBODY = "—"  # the name of people who have left


def collect(db: Connection, who: Person) -> PersonalData:
    """Return all stored data of a person except the hash of their password and the tokens of their
    sessions.
    """
    created = db.execute(select(ACCOUNTS.c.created).where(ACCOUNTS.c.id == who.id)).scalar_one()
    sides: dict[str, list[str]] = {}
    for id, side in db.execute(
        select(SEATS.c.table_id, SEATS.c.side).where(SEATS.c.person == who.id)
    ):
        sides.setdefault(id, []).append(side)
    looks = set(
        db.execute(select(OBSERVERS.c.table_id).where(OBSERVERS.c.person == who.id)).scalars()
    )
    owned = HOSTED.c.owner == who.id
    rows = db.execute(
        select(TABLES.c.id, TABLES.c.game, TABLES.c.created, HOSTED.c.owner)
        .join(HOSTED, HOSTED.c.table_id == TABLES.c.id)
        .where(owned | TABLES.c.id.in_([*sides, *looks]))
        .order_by(TABLES.c.created)
    )
    tables = [
        PersonalTable(
            row.id,
            row.game,
            row.created,
            row.owner == who.id,
            sides.get(row.id, []),
            row.id in looks,
        )
        for row in rows
    ]
    texts = [
        PersonalText(row.table_id, row.room, row.text, row.written)
        for row in db.execute(
            select(MESSAGES)
            .where(MESSAGES.c.person == who.id, MESSAGES.c.removed.is_(False))
            .order_by(MESSAGES.c.id)
        )
    ]
    notes = [
        PersonalNote(row.table_id, row.text)
        for row in db.execute(select(NOTES).where(NOTES.c.person == who.id))
    ]
    return PersonalData(
        who.name,
        who.guest,
        created,
        who.lang,
        who.mail,
        who.confirmed,
        who.hook,
        tables,
        texts,
        notes,
    )


def forget(db: Connection, who: Person) -> list[str]:
    """Delete a person: name, addresses, password, messages, notes, and their tables where play has
    not begun.

    Return the tables that are removed or have a free seat again. Raise `NotAllowed` while the
    person plays somewhere.
    """
    mine = select(SEATS.c.table_id).where(SEATS.c.person == who.id)
    unbegun = HOSTED.c.begun.is_(None)
    db.execute(
        update(HOSTED)
        .where(
            unbegun, (HOSTED.c.owner == who.id) | HOSTED.c.table_id.in_(mine)
        )  # locks the rows, so that none of these games begins meanwhile
        .values(access=HOSTED.c.access)
    )
    going = HOSTED.c.begun.is_not(None) & HOSTED.c.ended.is_(None)
    if (
        db.execute(select(HOSTED.c.table_id).where(going, HOSTED.c.table_id.in_(mine))).first()
        is not None
    ):
        raise NotAllowed(_("you still have unfinished games; finish them, or resign"))
    left = list(
        db.execute(select(HOSTED.c.table_id).where(unbegun, HOSTED.c.table_id.in_(mine))).scalars()
    )
    own = list(
        db.execute(select(HOSTED.c.table_id).where(unbegun, HOSTED.c.owner == who.id)).scalars()
    )
    for id in own:
        remove(db, id)
    db.execute(
        update(SEATS)
        .where(SEATS.c.person == who.id, SEATS.c.table_id.in_(left))
        .values(person=None)
    )
    db.execute(update(MESSAGES).where(MESSAGES.c.person == who.id).values(removed=True, text=""))
    for each in (NOTES, READS, OBSERVERS, NOTICES):
        db.execute(delete(each).where(each.c.person == who.id))
    mail_confirmation.forget(db, who.id)
    end_sessions(db, who.id)
    db.execute(
        update(ACCOUNTS)
        .where(ACCOUNTS.c.id == who.id)
        .values(
            name=NOBODY,
            key=f"gone {who.id}",
            password=None,
            mail=None,
            confirmed=None,
            hook=None,
            admin=False,
            look="",
        )
    )
    return sorted({*own, *left})
