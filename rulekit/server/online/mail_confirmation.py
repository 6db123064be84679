"""Confirmation of mail addresses by a letter with a secret link. Until the link is opened, nothing
else is sent to the address.

Of a link only the SHA-256 is stored. Links count for the limits for a day, even after their person
has left, so that nobody can flood another person's mailbox.
"""

from __future__ import annotations

import logging
import secrets
import time
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ACCOUNTS, CONFIRMATIONS
from rulekit.server.online.accounts import digest
from rulekit.server.online.rate_limits import TooOften
from rulekit.server.online.seating import NotThere
from rulekit.server.online.services import Site

LASTS = 86400.0  # seconds for which a link is valid
LETTERS_OF_PERSON, LETTERS_TO_BOX = 5, 3  # within that time


class NotSent(RulekitError):
    """A letter could not be sent."""


def begin(db: Connection, person: str, mail: str) -> str:
    """Create a link for a person's address and return its token. Raise `TooOften` if too many
    letters were sent today for this person or to this address.
    """
    if db.dialect.name != "sqlite":  # serialize, so that simultaneous ones count too
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
            raise TooOften(
                _(
                    "too many emails were sent today to this address or for you; try"
                    " again tomorrow, or without an address"
                )
            )
    token = secrets.token_urlsafe(24)
    db.execute(
        insert(CONFIRMATIONS).values(
            digest=digest(token), person=person, mail=mail, box=box, ends=now + LASTS
        )
    )
    return token


def _box(mail: str) -> str:
    """Return the key of an address for limits. It drops everything after a plus, because many mail
    servers deliver such addresses to the same mailbox.
    """
    local, __, domain = mail.casefold().rpartition("@")
    return digest(f"{local.partition('+')[0]}@{domain}")


async def send(site: Site, mail: str, token: str, lang: str) -> None:
    """Send the letter with the link. Raise `NotSent` on failure.

    The letter contains no text of the person who entered the address, because the owner of the
    address may be a stranger.
    """
    assert site.mailer is not None
    body = _(
        "Somebody entered this address at {server}, to get an email when it"
        " is their turn.\n\nIf it was you, open this link within a day:"
        "\n\n{address}\n\nIf not, do nothing. We will not write to you again.",
        server=site.public,
        address=f"{site.public}/confirm/{token}",
    ).text(lang)
    try:
        await site.mailer.send(mail, _("Is this your address?").text(lang), f"{body}\n")
    except Exception as error:
        logging.getLogger("rulekit.notices").warning(
            "a letter was not sent: %s", type(error).__name__
        )
        raise NotSent(_("the email could not be sent; try again later")) from None


def undo(db: Connection, token: str) -> None:
    """Delete a link whose letter was not sent, so that it does not count for the limits."""
    db.execute(delete(CONFIRMATIONS).where(CONFIRMATIONS.c.digest == digest(token)))


def asked(db: Connection, token: str) -> Any:
    """Return the row of the person whose address a link confirms. Raise `NotThere` if the link is
    invalid or has expired, or if the person has another address now.
    """
    good = (CONFIRMATIONS.c.digest == digest(token)) & (CONFIRMATIONS.c.ends > time.time())
    row = db.execute(
        select(ACCOUNTS)
        .join(
            CONFIRMATIONS,
            (CONFIRMATIONS.c.person == ACCOUNTS.c.id) & (CONFIRMATIONS.c.mail == ACCOUNTS.c.mail),
        )
        .where(good)
    ).first()
    if row is None:
        raise NotThere(_("this link is no longer valid: send the email again from your account"))
    return row


def confirm(db: Connection, token: str) -> None:
    """Mark the address as confirmed. Raise `NotThere` if the link is invalid."""
    row = asked(db, token)
    db.execute(
        update(ACCOUNTS)
        .where(ACCOUNTS.c.id == row.id, ACCOUNTS.c.mail == row.mail)
        .values(confirmed=time.time())
    )


def forget(db: Connection, person: str) -> None:
    """Disable the links of a person who leaves."""
    db.execute(
        update(CONFIRMATIONS).where(CONFIRMATIONS.c.person == person).values(person=None, mail=None)
    )
