"""Takes what happened to whom, keeps it in a queue of the database, sends it by mail and web hook: see docs/operating.md.

A notice waits a while, and is dropped if it is not true any more when it is due. What cannot be sent is tried again, ever later. Of
several processes one sends it: who puts off its next try first."""

from __future__ import annotations

import ipaddress
import logging
import socket
from smtplib import SMTPException
from typing import Any, Protocol

import httpx2
from sqlalchemy import Connection, delete, insert, select, update

from rulekit.base.errors import RulekitError
from rulekit.play.words import fault, filled
from rulekit.table.people import metrics
from rulekit.table.people.seating import Hosted, load
from rulekit.table.schema import NOTICES, PEOPLE, TABLES
from rulekit.table.store import Store

WAITS = 60.0  # seconds before it is told that one is asked
TRIES = (60.0, 300.0, 3600.0, 6 * 3600.0, 24 * 3600.0)  # seconds after which it is tried again
LIMIT = 10.0  # seconds to wait for a web hook
_log = logging.getLogger("rulekit.notices")


class Sends(Protocol):
    """What sends letters."""

    def send(self, to: str, subject: str, text: str) -> None:
        """Sends a letter."""


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


def send(store: Store, public: str, mailer: Sends | None, now: float) -> None:
    """Sends what is due."""
    with store.reading() as db:
        rows = list(db.execute(select(NOTICES, PEOPLE.c.mail, PEOPLE.c.hook, PEOPLE.c.lang, TABLES.c.game)
                               .join(PEOPLE, PEOPLE.c.id == NOTICES.c.person).join(TABLES, TABLES.c.id == NOTICES.c.table_id)
                               .where(NOTICES.c.due <= now).order_by(NOTICES.c.due).limit(20)))
    for row in rows:
        if _claimed(store, row, now):
            trouble = _sent(row, public, mailer)
            metrics.noticed(row.channel, trouble is None)
            _settled(store, row, trouble)


def _claimed(store: Store, row: Any, now: float) -> bool:
    """Is it for us to send, and still true?"""
    later = now + TRIES[min(row.tries, len(TRIES) - 1)]
    with store.begin() as db:
        if not _still(db, row):
            db.execute(delete(NOTICES).where(NOTICES.c.id == row.id))
            return False
        done = db.execute(update(NOTICES).where(NOTICES.c.id == row.id, NOTICES.c.due == row.due).values(due=later, tries=row.tries + 1))
        return done.rowcount == 1


def _still(db: Connection, row: Any) -> bool:
    """Who was to be told that he is asked: is he, since then?"""
    if row.what != "asked":
        return True
    found = load(db, row.table_id)
    side = found.decides if found.plays else None
    return side in found.seats and found.seats[side].id == row.person


def _settled(store: Store, row: Any, trouble: str | None) -> None:
    """It was sent; or it is given up, or tried again when it is due."""
    with store.begin() as db:
        if trouble is None:
            db.execute(delete(NOTICES).where(NOTICES.c.id == row.id))
        elif row.tries + 1 >= len(TRIES):
            db.execute(update(NOTICES).where(NOTICES.c.id == row.id).values(due=None, trouble=trouble[:200]))
        else:
            db.execute(update(NOTICES).where(NOTICES.c.id == row.id).values(trouble=trouble[:200]))


def _sent(row: Any, public: str, mailer: Sends | None) -> str | None:
    """Sends one; what went wrong, None if nothing did. Where it was sent is not logged."""
    address = f"{public}/table/{row.table_id}"
    subject = filled(row.lang, f"people.notice_{row.what}", game=row.game)
    try:
        if row.channel == "mail" and mailer is not None and row.mail:
            why = filled(row.lang, "people.notice_why", address=f"{public}/account")
            mailer.send(row.mail, subject, f"{subject}\n\n{address}\n\n{why}\n")
        elif row.channel == "hook" and row.hook:
            posted(row.hook, {"text": f"{subject} {address}", "content": f"{subject} {address}", "what": row.what, "table": row.table_id,
                              "game": row.game, "address": address})
    except (RulekitError, OSError, SMTPException, httpx2.HTTPError, ValueError) as error:
        _log.warning("a notice by %s was not sent: %s", row.channel, type(error).__name__)
        return type(error).__name__
    return None


def posted(hook: str, told: dict[str, str]) -> None:
    """Posts to a web hook, which may lie on the open internet only: a server's own network is nobody's to reach. RulekitError,
    OSError, HTTPError."""
    at = httpx2.URL(hook)
    host, port = at.host, at.port or (443 if at.scheme == "https" else 80)
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not found or not all(reachable(each) for each in found):
        raise fault(RulekitError, "people.hook_inside")
    with httpx2.Client(timeout=LIMIT, follow_redirects=False, trust_env=False) as client:  # to the address that was looked at
        client.post(at.copy_with(host=found[0]), json=told, headers={"host": at.netloc.decode()},
                    extensions={"sni_hostname": host}).raise_for_status()


def reachable(address: str) -> bool:
    """Is it an address of the open internet?"""
    return ipaddress.ip_address(address.split("%")[0]).is_global
