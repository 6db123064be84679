"""A queue of notifications in the database, sent by mail and web hooks. See docs/operating.md.

A notification waits for a short time and is dropped if it is no longer true when it is due. One
that fails is tried again at growing intervals, and finally given up. If there are several
processes, the one that first moves the time of the next try sends it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from attrs import define, field
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import ACCOUNTS, NOTICES, TABLES
from rulekit.server.online import metrics
from rulekit.server.online.protocol import GivenUp
from rulekit.server.online.seating import Hosted, load
from rulekit.server.online.supervisor import OwnThread, failed
from rulekit.server.storage import Store, StoreError

WAITS = 60.0  # seconds before a player is notified of their turn
AGAIN = 3600.0  # seconds before the same notification is repeated if nobody made a choice
TRIES = (
    60.0,
    300.0,
    3600.0,
    6 * 3600.0,
    24 * 3600.0,
)  # seconds before each new try, after the last one it is given up
_log = logging.getLogger("rulekit.notices")


class Sends(Protocol):
    """A sender of letters."""

    async def send(self, to: str, subject: str, text: str) -> None:
        """Send a letter."""


class Posts(Protocol):
    """A sender of web hook messages."""

    async def post(self, hook: str, message: dict[str, str]) -> None:
        """Post a message."""


def of_turn(db: Connection, hosted: Hosted, decides: str | None, now: float, choices: int) -> None:
    """Queue a notification for the player to decide, or for all players if the game is over."""
    if decides is None:
        queue(db, hosted, "over", list(hosted.seats), now, choices)
    elif decides in hosted.seats:
        queue(db, hosted, "asked", [decides], now, choices)


_REACHED = select(ACCOUNTS.c.id, ACCOUNTS.c.mail, ACCOUNTS.c.confirmed, ACCOUNTS.c.hook).where(
    ACCOUNTS.c.id.in_(bindparam("ids", expanding=True))
)


def queue(
    db: Connection, hosted: Hosted, what: str, sides: list[str], now: float, choices: int
) -> None:
    """Queue a notification for the players of some sides, by each channel that they have chosen."""
    ids = {sitter.id for sitter in (hosted.seats[side] for side in sides) if sitter.id}
    for row in db.execute(_REACHED, {"ids": list(ids)}).all():
        for channel, wished in (
            ("mail", row.mail and row.confirmed is not None),
            ("hook", row.hook),
        ):
            if wished:
                _queue_one(
                    db,
                    (NOTICES.c.person == row.id)
                    & (NOTICES.c.table_id == hosted.id)
                    & (NOTICES.c.channel == channel)
                    & (NOTICES.c.what == what),
                    {
                        "person": row.id,
                        "table_id": hosted.id,
                        "channel": channel,
                        "what": what,
                        "made": now,
                        "tries": 0,
                        "due": now + (WAITS if what == "asked" else 0.0),
                        "choices": choices,
                    },
                )


def _queue_one(db: Connection, same: Any, fresh: dict[str, Any]) -> None:
    """Queue one notification, at most one for each subject.

    One that is waiting already is not sent twice. A turn is announced again if the game has
    advanced since the last notification. Anything else is announced again after a pause, if it is
    still true then.
    """
    old = db.execute(select(NOTICES).where(same)).first()
    if old is None:
        db.execute(insert(NOTICES).values(**fresh))
        return
    if old.done is not None and (
        fresh["what"] != "asked" or fresh["choices"] <= (old.announced or 0)
    ):
        fresh["due"] = max(fresh["due"], old.done + AGAIN)
    if old.due is None or (
        old.tries == 0 and fresh["what"] == "asked"
    ):  # a new turn gets a new waiting time
        db.execute(update(NOTICES).where(NOTICES.c.id == old.id).values(**fresh))


def given_up(db: Connection, person: str) -> list[Any]:
    """Return the number of undelivered notifications of a person for each channel, with the time
    and reason of the last one.
    """
    rows = db.execute(
        select(NOTICES.c.channel, NOTICES.c.done, NOTICES.c.trouble)
        .where(NOTICES.c.person == person, NOTICES.c.due.is_(None), NOTICES.c.trouble.is_not(None))
        .order_by(NOTICES.c.done)
    ).all()
    found = {row.channel: GivenUp(row.channel, 0, row.done or 0.0, row.trouble) for row in rows}
    for row in rows:
        found[row.channel].many += 1
    return list(found.values())


def reachable_again(db: Connection, person: str, channel: str) -> None:
    """Clear the undelivered notifications of a channel that works again or has a new address."""
    over = (NOTICES.c.person == person) & (NOTICES.c.channel == channel) & NOTICES.c.due.is_(None)
    db.execute(update(NOTICES).where(over).values(trouble=None))


# ---------------------------------------------------------------------- sending
Deliver = Callable[[Any], Awaitable[None]]


def by_mail(mailer: Sends, public: str) -> Deliver:
    """Return a function that sends a notification as a letter."""

    async def deliver(row: Any) -> None:
        address, subject = _link_and_subject(row, public)
        why = _(
            "You get this email because you asked for it: {address}", address=f"{public}/account"
        ).text(row.lang)
        await mailer.send(row.mail, subject, f"{subject}\n\n{address}\n\n{why}\n")

    return deliver


def by_hook(hooks: Posts, public: str) -> Deliver:
    """Return a function that posts a notification to a web hook."""

    async def deliver(row: Any) -> None:
        address, subject = _link_and_subject(row, public)
        text = f"{subject} {address}"
        await hooks.post(
            row.hook,
            {
                "text": text,
                "content": text,
                "what": row.what,
                "table": row.table_id,
                "game": row.game,
                "address": address,
            },
        )

    return deliver


_SUBJECTS = {
    "asked": _("{game}: it is your turn"),
    "over": _("{game}: the game is over"),
    "takeback": _("{game}: your opponent asks to undo"),
    "rematch": _("{game}: your opponent offers a rematch"),
}


def _link_and_subject(row: Any, public: str) -> tuple[str, str]:
    return f"{public}/table/{row.table_id}", _SUBJECTS[row.what].text(row.lang, game=row.game)


@define(eq=False)
class Outbox:
    """Sends the notifications of one channel. It sends one at a time to each person, so that a slow
    address does not delay others.

    Attributes:
        deliver: sends one notification within a deadline of its own. It raises an exception on
            failure.
        slots: the number of notifications at a time.
    """

    store: Store
    channel: str
    deliver: Deliver
    slots: int
    _thread: OwnThread = field(init=False)
    _flying: dict[str, asyncio.Task[None]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._thread = OwnThread(self.channel)

    async def begin_due(self, now: float | None = None) -> None:
        """Begin to send the notifications that are due, up to the number of free slots. It does not
        wait for other servers. Raise `StoreError` if the database fails.
        """
        free = self.slots - len(self._flying)
        if free <= 0:
            return
        for row in await self._thread.run(
            self._claimed, time.time() if now is None else now, list(self._flying), free
        ):
            task = asyncio.get_running_loop().create_task(self._one(row))
            self._flying[row.person] = task
            task.add_done_callback(lambda __, person=row.person: self._flying.pop(person))  # type: ignore[misc]

    async def landed(self) -> None:
        """Wait until all started deliveries have succeeded or failed."""
        await asyncio.gather(*self._flying.values())

    async def close(self) -> None:
        """Cancel running deliveries. They are tried again later."""
        tasks = list(self._flying.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thread.close()

    def _claimed(self, now: float, flying: list[str], most: int) -> list[Any]:
        """Return the notifications that this process has to send now, the first one due for each
        person.
        """
        due = (
            (NOTICES.c.due <= now)
            & (NOTICES.c.channel == self.channel)
            & NOTICES.c.person.not_in(flying)
        )
        first = (
            select(func.min(NOTICES.c.id))
            .where(due)
            .group_by(NOTICES.c.person)
            .order_by(func.min(NOTICES.c.due))
            .limit(most)
        )
        with self.store.reading() as db:
            ids = list(db.execute(first).scalars())
            rows = list(
                db.execute(
                    select(
                        NOTICES,
                        ACCOUNTS.c.mail,
                        ACCOUNTS.c.confirmed,
                        ACCOUNTS.c.hook,
                        ACCOUNTS.c.lang,
                        TABLES.c.game,
                    )
                    .join(ACCOUNTS, ACCOUNTS.c.id == NOTICES.c.person)
                    .join(TABLES, TABLES.c.id == NOTICES.c.table_id)
                    .where(NOTICES.c.id.in_(ids), NOTICES.c.due <= now)
                )
            )  # unless another process has claimed it
        claimed = []
        for row in rows:
            try:
                if self._claims(row, now):
                    claimed.append(row)
            except StoreError:  # the claimed ones are sent all the same
                if not claimed:
                    raise
                break
        return claimed

    def _claims(self, row: Any, now: float) -> bool:
        """Return True if this process has to send the notification and it is still true. If that
        cannot be determined, the notification is postponed like one that failed.
        """
        later = now + TRIES[min(row.tries, len(TRIES) - 1)]
        with self.store.begin() as db:
            mine = (NOTICES.c.id == row.id) & (NOTICES.c.due == row.due)
            done = db.execute(update(NOTICES).where(mine).values(due=later, tries=row.tries + 1))
        if done.rowcount != 1:
            return False
        try:
            with self.store.begin() as db:
                wished = (
                    row.hook if self.channel == "hook" else row.mail and row.confirmed is not None
                )
                if not wished or not _still(db, row):
                    if row.done is None:
                        db.execute(delete(NOTICES).where(NOTICES.c.id == row.id))
                    else:  # the time of the last one is still needed
                        db.execute(
                            update(NOTICES)
                            .where(NOTICES.c.id == row.id)
                            .values(due=None, trouble=None)
                        )
                    return False
        except Exception as error:
            self._settled(row, type(error).__name__)
            failed(self.channel, f"notice {row.id}", error)
            return False
        return True

    async def _one(self, row: Any) -> None:
        """Send one notification. Its address is not logged."""
        trouble = None
        try:
            await self.deliver(row)
        except Exception as error:
            trouble = type(error).__name__
            _log.warning("a notice by %s was not sent: %s", self.channel, trouble)
        try:
            await self._thread.run(self._settled, row, trouble)
        except Exception as error:  # it is tried again when it is due
            failed(self.channel, f"notice {row.id}", error)

    def _settled(self, row: Any, trouble: str | None) -> None:
        """Store the result: sent, given up, or to be tried again when it is due."""
        over = row.tries + 1 >= len(TRIES)
        metrics.noticed(
            row.channel, "sent" if trouble is None else "given_up" if over else "failed"
        )
        with self.store.begin() as db:
            if trouble is None:
                db.execute(
                    update(NOTICES)
                    .where(NOTICES.c.id == row.id)
                    .values(due=None, trouble=None, done=time.time(), announced=row.choices)
                )
                reachable_again(db, row.person, row.channel)
            elif over:
                db.execute(
                    update(NOTICES)
                    .where(NOTICES.c.id == row.id)
                    .values(due=None, trouble=trouble[:200], done=time.time())
                )
            else:
                db.execute(
                    update(NOTICES).where(NOTICES.c.id == row.id).values(trouble=trouble[:200])
                )


def _still(db: Connection, row: Any) -> bool:
    """Return True if the notification is still true: the person is to decide, or the offer is
    open.
    """
    if row.what == "over":
        return True
    found = load(db, row.table_id)
    if row.what != "asked":
        return any(
            offer.kind == row.what and found.seats[offer.side].id != row.person
            for offer in found.offers
        )
    side = found.decides if found.plays else None
    return side in found.seats and found.seats[side].id == row.person
