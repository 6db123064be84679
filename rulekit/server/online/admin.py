"""Endpoints for administrators (status, people), and commands that make administrators and set new
passwords.
"""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy import func, select, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ACCOUNTS, HOSTED, NOTICES, SESSIONS, TABLES, VERSION
from rulekit.server.online import accounts, protocol
from rulekit.server.online.accounts import Passwords
from rulekit.server.online.display_names import compared
from rulekit.server.online.endpoints import Ask, Endpoint
from rulekit.server.online.seating import NotThere
from rulekit.server.online.services import OF_PERSON
from rulekit.server.storage import Store

MAX_LIST_ENTRIES = 100  # entries of a list


def standing(ask: Ask) -> protocol.ServerStatus:
    """Show the status of the server: counts, notifications that could not be sent, and the last
    changed tables.

    The tables are listed. Their games are not shown.
    """
    now, store = time.time(), ask.site.store
    with store.reading() as db:

        def count(table: Any, *tests: Any) -> int:
            return int(
                db.execute(select(func.count()).select_from(table).where(*tests)).scalar_one()
            )

        counts = {
            "accounts": count(ACCOUNTS, ACCOUNTS.c.password.is_not(None)),
            "guests": count(ACCOUNTS, ACCOUNTS.c.password.is_(None)),
            "sessions": count(SESSIONS, SESSIONS.c.ends > now),
            "tables": count(HOSTED),
            "going": count(HOSTED, HOSTED.c.begun.is_not(None), HOSTED.c.ended.is_(None)),
            "ended": count(HOSTED, HOSTED.c.ended.is_not(None)),
            "notices": count(NOTICES, NOTICES.c.due.is_not(None)),
            "given_up": count(NOTICES, NOTICES.c.due.is_(None), NOTICES.c.trouble.is_not(None)),
            "rooms": len(ask.site.hub.opened),
            "sockets": ask.site.hub.sockets,
        }
        tables = [
            protocol.InAdmin(
                row.id, row.game, row.name, row.access, row.changed, row.ended is not None
            )
            for row in db.execute(
                select(
                    TABLES.c.id,
                    TABLES.c.game,
                    ACCOUNTS.c.name,
                    HOSTED.c.access,
                    TABLES.c.changed,
                    HOSTED.c.ended,
                )
                .join(HOSTED, HOSTED.c.table_id == TABLES.c.id)
                .join(ACCOUNTS, ACCOUNTS.c.id == HOSTED.c.owner)
                .order_by(TABLES.c.changed.desc())
                .limit(MAX_LIST_ENTRIES)
            )
        ]
        troubles = [
            f"{row.channel}: {row.trouble}"
            for row in db.execute(
                select(NOTICES.c.channel, NOTICES.c.trouble)
                .where(NOTICES.c.trouble.is_not(None))
                .order_by(NOTICES.c.id.desc())
                .limit(MAX_LIST_ENTRIES)
            )
        ]
    return protocol.ServerStatus(
        VERSION, "postgresql" if store.many else "sqlite", counts, tables, troubles
    )


def list_accounts(ask: Ask) -> list[protocol.ListedAccount]:
    """List people whose name contains `like`, the newest first."""
    given = ask.query.get("like", "").replace("\0", "")
    like = compared(given)
    account = ACCOUNTS.c.password.is_not(None) & ACCOUNTS.c.key.contains(
        like, autoescape=True
    )  # ignores case in all scripts
    guest = func.lower(ACCOUNTS.c.name).contains(like, autoescape=True) | ACCOUNTS.c.name.contains(
        given, autoescape=True
    )
    with ask.site.store.reading() as db:
        rows = db.execute(
            select(ACCOUNTS)
            .where(account | (ACCOUNTS.c.password.is_(None) & guest))
            .order_by(ACCOUNTS.c.created.desc())
            .limit(MAX_LIST_ENTRIES)
        ).all()
    return [
        protocol.ListedAccount(row.id, row.name, row.password is None, bool(row.admin), row.created)
        for row in rows
    ]


def sign_off(ask: Ask) -> None:
    """End all sessions of a person."""
    with ask.site.bus.changing(OF_PERSON, ask.path["person"]) as db:
        if (
            db.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.id == ask.path["person"])).first()
            is None
        ):
            raise NotThere(_("there is nothing at this address"))
        accounts.end_sessions(db, ask.path["person"])


ADMIN = [
    Endpoint("GET", "/api/admin", standing, "admin", gives=protocol.ServerStatus),
    Endpoint(
        "GET",
        "/api/admin/accounts",
        list_accounts,
        "admin",
        gives=list[protocol.ListedAccount],
        query={"like": str},
    ),
    Endpoint("DELETE", "/api/admin/accounts/{person}/sessions", sign_off, "admin", status=204),
]


# ---------------------------------------------------------------------- commands on the machine
def make_admin(store: Store, name: str) -> None:
    """Make the owner of an account an administrator. Raise `RulekitError` if there is no such
    account.
    """
    with store.begin() as db:
        done = db.execute(
            update(ACCOUNTS)
            .where(ACCOUNTS.c.key == compared(name), ACCOUNTS.c.password.is_not(None))
            .values(admin=True)
        )
        if done.rowcount != 1:
            raise RulekitError(_("nobody has the name {name}", name=repr(name)))


def new_password(store: Store, name: str, passwords: Passwords) -> str:
    """Set and return a new password for somebody who forgot theirs, and end their sessions. Raise
    `RulekitError` if there is no such account.
    """
    password = secrets.token_urlsafe(12)
    hashed = passwords.made(password, name)
    with store.begin() as db:
        row = accounts.by_name(db, name)
        if row is None:
            raise RulekitError(_("nobody has the name {name}", name=repr(name)))
        db.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == row.id).values(password=hashed))
        accounts.end_sessions(db, row.id)
    return password
