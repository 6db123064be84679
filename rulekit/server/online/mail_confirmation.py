"""Confirms addresses of mail: a letter with a link that nobody guesses, and until it is opened
nothing else is sent there.

A link is kept as its SHA-256 only. Links count for a day, also of people who have gone, so that
nobody fills another's letter box.
"""

from __future__ import annotations

import logging
import secrets
import time
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault, filled
from rulekit.server.online.accounts import digest
from rulekit.server.online.rate_limits import TooOften
from rulekit.server.online.seating import NotThere
from rulekit.server.online.services import Site
from rulekit.server.schema import CONFIRMATIONS, PEOPLE

LASTS = 86400.0  # seconds that a link is good for
LETTERS_OF_PERSON, LETTERS_TO_BOX = 5, 3  # within that time


class NotSent(RulekitError):
    """A letter could not be sent."""


def begin(db: Connection, person: str, mail: str) -> str:
    """A new link for somebody's address: its token. TooOften if so many letters were sent for them,
    or to this address, today."""
    if db.dialect.name != "sqlite":  # one after the other, so that many at once are counted, too
        db.execute(text("SELECT pg_advisory_xact_lock(4257)"))
    now, box = time.time(), _box(mail)
    db.execute(delete(CONFIRMATIONS).where(CONFIRMATIONS.c.ends < now))
    for test, most in (
        (CONFIRMATIONS.c.person == person, LETTERS_OF_PERSON),
        (CONFIRMATIONS.c.box == box, LETTERS_TO_BOX),
    ):
        if (
            db.execute(select(func.count()).select_from(CONFIRMATIONS).where(test)).scalar_one()
            >= most
        ):
            raise fault(TooOften, "people.many_letters")
    token = secrets.token_urlsafe(24)
    db.execute(
        insert(CONFIRMATIONS).values(
            digest=digest(token), person=person, mail=mail, box=box, ends=now + LASTS
        )
    )
    return token


def _box(mail: str) -> str:
    """What an address counts as: many servers put what stands behind a plus into the same box."""
    local, _, domain = mail.casefold().rpartition("@")
    return digest(f"{local.partition('+')[0]}@{domain}")


async def send(site: Site, mail: str, token: str, lang: str) -> None:
    """Sends the letter. It holds no word of the person who gave the address: they may be a stranger
    to its owner. NotSent."""
    assert site.mailer is not None
    body = filled(
        lang, "people.confirm_letter", server=site.public, address=f"{site.public}/confirm/{token}"
    )
    try:
        await site.mailer.send(mail, filled(lang, "people.confirm_subject"), f"{body}\n")
    except Exception as error:
        logging.getLogger("rulekit.notices").warning(
            "a letter was not sent: %s", type(error).__name__
        )
        raise fault(NotSent, "people.not_sent") from None


def undo(db: Connection, token: str) -> None:
    """Its letter was not sent: it does not count."""
    db.execute(delete(CONFIRMATIONS).where(CONFIRMATIONS.c.digest == digest(token)))


def asked(db: Connection, token: str) -> Any:
    """The person whose address a link confirms, as the database has them. NotThere if it confirms
    none any more."""
    good = (CONFIRMATIONS.c.digest == digest(token)) & (CONFIRMATIONS.c.ends > time.time())
    row = db.execute(
        select(PEOPLE)
        .join(
            CONFIRMATIONS,
            (CONFIRMATIONS.c.person == PEOPLE.c.id) & (CONFIRMATIONS.c.mail == PEOPLE.c.mail),
        )
        .where(good)
    ).first()
    if row is None:
        raise fault(NotThere, "people.no_confirmation")
    return row


def confirm(db: Connection, token: str) -> None:
    """The address is right. NotThere."""
    row = asked(db, token)
    db.execute(
        update(PEOPLE)
        .where(PEOPLE.c.id == row.id, PEOPLE.c.mail == row.mail)
        .values(confirmed=time.time())
    )


def forget(db: Connection, person: str) -> None:
    """Somebody goes: their links open nothing any more."""
    db.execute(
        update(CONFIRMATIONS).where(CONFIRMATIONS.c.person == person).values(person=None, mail=None)
    )
