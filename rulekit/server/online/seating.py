"""Seats, access to tables and invitations."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from attrs import define, frozen
from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.search.agent_registry import HUMAN
from rulekit.server.access import Rights
from rulekit.server.database_schema import (
    ACCOUNTS,
    HOSTED,
    INVITATIONS,
    OBSERVERS,
    OFFERS,
    SEATS,
    TABLES,
)
from rulekit.server.dealing import Deal
from rulekit.server.online import clock
from rulekit.server.online.accounts import Person, digest
from rulekit.server.online.clock import Clocks, Rule
from rulekit.server.online.display_names import look
from rulekit.server.storage import deal as store_deal

INVITED = 14 * 86400.0  # seconds that an invitation is good for
ABANDONED = 30 * 86400.0  # seconds without a choice after which a game may be claimed


class NotSignedIn(RulekitError):
    """The request needs a session."""


class NotAllowed(RulekitError):
    """The person may not do this."""


class NotThere(RulekitError):
    """The thing does not exist, or the person may not know that it does."""


@frozen
class Sitter:
    """The player of a side. The `id` of an open seat is None."""

    id: str | None
    name: str = ""
    guest: bool = False


@define
class Hosted:
    """The online data of a table, stored next to its journal.

    Attributes:
        seats: the player of each human side.
        machines: the programs of the other sides.
        offers: the open offers.
    """

    id: str
    owner: str
    owner_name: str
    access: str
    begun: float | None
    ended: float | None
    ending: str | None
    rule_text: str
    late: str
    clocks: Clocks
    next: str | None
    seats: dict[str, Sitter]
    machines: dict[str, str]
    observers: frozenset[str]
    offers: list[Any]
    changed: float
    decides: str | None
    choices: int
    deals: bool = False  # the game is dealt when it begins
    news: bool = False  # not sent yet to the pages of this process

    @property
    def rule(self) -> Rule:
        """Return the rule of the clock."""
        return clock.rule(self.rule_text)

    @property
    def plays(self) -> bool:
        """Return True if the game has begun and not ended."""
        return self.begun is not None and self.ended is None

    @property
    def free(self) -> int:
        """Return the number of free seats."""
        return sum(sitter.id is None for sitter in self.seats.values())

    def sides_of(self, who: Person | None) -> tuple[str, ...]:
        """Return the sides that a person plays."""
        return tuple(
            side for side, sitter in self.seats.items() if who is not None and sitter.id == who.id
        )

    def others(self, who: Person | None) -> list[str]:
        """Return the sides that other people play."""
        return [
            side
            for side, sitter in self.seats.items()
            if sitter.id is not None and (who is None or sitter.id != who.id)
        ]

    def knows(self, who: Person | None) -> bool:
        """Return True if a person may know that the table exists."""
        return self.looks(who) or (who is not None and (self.access == "open" or who.admin))

    def looks(self, who: Person | None) -> bool:
        """Return True if a person may see the game."""
        if self.access == "public":
            return True
        return who is not None and (
            who.id == self.owner or bool(self.sides_of(who)) or who.id in self.observers
        )

    def rights(self, who: Person | None) -> Rights:
        """Return the rights of a person, for the hub."""
        return Rights(self.looks(who), self.sides_of(who))

    def late_side(self, now: float) -> str | None:
        """Return the side whose flag has fallen or that has abandoned the game, or None."""
        falls = self.clocks.falls
        if falls is not None and falls <= now:
            return self.clocks.running
        return (
            self.decides if self.decides in self.seats and now - self.changed > ABANDONED else None
        )


def load(db: Connection, id: str) -> Hosted:
    """Return the online data of a table. Raise `NotThere` if it does not exist."""
    found = load_all(db, [id])
    if id not in found:
        raise no_table(id)
    return found[id]


_IDS: Any = bindparam("ids", expanding=True)
_HOSTED = (
    select(
        HOSTED,
        ACCOUNTS.c.name.label("owner_name"),
        TABLES.c.seats,
        TABLES.c.changed,
        TABLES.c.decides,
        TABLES.c.choices,
    )
    .join(ACCOUNTS, ACCOUNTS.c.id == HOSTED.c.owner)
    .join(TABLES, TABLES.c.id == HOSTED.c.table_id)
    .where(HOSTED.c.table_id.in_(_IDS))
)
_SITTERS = (
    select(SEATS.c.table_id, SEATS.c.side, ACCOUNTS.c.id, ACCOUNTS.c.name, ACCOUNTS.c.password)
    .select_from(SEATS.outerjoin(ACCOUNTS, ACCOUNTS.c.id == SEATS.c.person))
    .where(SEATS.c.table_id.in_(_IDS))
)
_OBSERVERS = select(OBSERVERS).where(OBSERVERS.c.table_id.in_(_IDS))
_OFFERS = (
    select(OFFERS)
    .where(OFFERS.c.table_id.in_(_IDS), OFFERS.c.answer.is_(None))
    .order_by(OFFERS.c.id)
)


def load_all(db: Connection, ids: Sequence[str]) -> dict[str, Hosted]:
    """Return the online data of the existing tables among `ids`."""
    of = {"ids": list(ids)}
    rows = db.execute(_HOSTED, of).all()
    sitters: dict[str, dict[str, Sitter]] = {row.table_id: {} for row in rows}
    for each in db.execute(_SITTERS, of):
        sitters[each.table_id][each.side] = _sitter(each)
    observers: dict[str, set[str]] = {id: set() for id in sitters}
    for each in db.execute(_OBSERVERS, of):
        observers[each.table_id].add(each.person)
    offers: dict[str, list[Any]] = {id: [] for id in sitters}
    for each in db.execute(_OFFERS, of):
        offers[each.table_id].append(each)
    return {
        row.table_id: _hosted(
            row, sitters[row.table_id], frozenset(observers[row.table_id]), offers[row.table_id]
        )
        for row in rows
    }


def _hosted(
    row: Any, sitters: dict[str, Sitter], observers: frozenset[str], offers: list[Any]
) -> Hosted:
    seats = _seats(row.seats)
    return Hosted(
        row.table_id,
        row.owner,
        row.owner_name,
        row.access,
        row.begun,
        row.ended,
        row.ending,
        row.clock,
        row.late,
        clock.read(row.left, row.running, row.since),
        row.next,
        {side: sitters[side] for side in seats if side in sitters},
        {side: seat for side, seat in seats.items() if side not in sitters},
        observers,
        offers,
        row.changed,
        row.decides,
        row.choices,
        bool(row.deals),
    )


def _seats(text: str) -> dict[str, str]:
    found: dict[str, str] = msgspec.json.decode(text)
    return found


def _sitter(row: Any) -> Sitter:
    if row.id is None:
        return Sitter(None)
    return Sitter(row.id, row.name, row.password is None)


def seen(db: Connection, id: str, who: Person | None) -> Hosted:
    """Return a table that a person may see. Otherwise raise `NotThere`, as if it did not exist."""
    found = load(db, id)
    if not found.looks(who):
        raise no_table(id)
    return found


def no_table(id: str) -> NotThere:
    """Return the error for a table that does not exist or that the person may not see."""
    return NotThere(_("there is no table {id}", id=repr(id[:40])))


def host(
    db: Connection,
    id: str,
    owner: Person,
    access: str,
    rule: str,
    late: str,
    seats: dict[str, str | None],
    decides: str | None,
    choices: int,
    deals: bool = True,
) -> None:
    """Store a new table.

    Args:
        seats: the id of the person who plays each human side, None for an open seat.
        deals: if a seat is open, the game is dealt again when it begins.
    """
    now = time.time()
    full = None not in seats.values()
    clocks = (
        clock.begun(clock.rule(rule), list(seats), decides, choices, now) if full else Clocks({})
    )
    begun = now if full else None
    db.execute(
        insert(HOSTED).values(
            table_id=id,
            owner=owner.id,
            access=access,
            begun=begun,
            deals=deals and not full,
            clock=rule,
            late=late,
            running=clocks.running,
            since=clocks.since,
            falls=clocks.falls,
            left=clocks.kept(),
        )
    )
    if seats:
        db.execute(
            insert(SEATS),
            [{"table_id": id, "side": side, "person": person} for side, person in seats.items()],
        )


def sit(db: Connection, id: str, side: str, who: Person, deal: Callable[[], Deal]) -> None:
    """Take an open seat. The last one begins the game, which is dealt now. Raise `NotAllowed` if
    the seat is not open.
    """
    db.execute(
        update(HOSTED).where(HOSTED.c.table_id == id).values(access=HOSTED.c.access)
    )  # locks the row, so that from here on only one transaction runs
    taken = db.execute(
        update(SEATS)
        .where(SEATS.c.table_id == id, SEATS.c.side == side, SEATS.c.person.is_(None))
        .values(person=who.id)
    )
    if taken.rowcount != 1:
        raise NotAllowed(_("the seat {side} is not open", side=repr(side[:40])))
    db.execute(delete(INVITATIONS).where(INVITATIONS.c.table_id == id, INVITATIONS.c.side == side))
    found = load(db, id)
    if found.begun is None and not found.free:
        now, decides, choices = time.time(), found.decides, found.choices
        if found.deals:
            new = deal()
            store_deal(db, id, new.header, new.lines, new.standing)
            decides, choices = new.standing.decides, new.standing.choices
        clocks = clock.begun(found.rule, list(found.seats), decides, choices, now)
        db.execute(
            update(HOSTED)
            .where(HOSTED.c.table_id == id)
            .values(
                begun=now,
                deals=False,
                running=clocks.running,
                since=clocks.since,
                falls=clocks.falls,
                left=clocks.kept(),
            )
        )


def leave(db: Connection, found: Hosted, side: str, who: Person) -> None:
    """Give up a seat before play has begun. Until then the owner may also remove a player."""
    sitter = found.seats.get(side)
    if sitter is None or sitter.id is None or who.id not in (sitter.id, found.owner):
        raise NotAllowed(_("you do not play {side}", side=repr(side[:40])))
    if found.begun is not None:
        raise NotAllowed(_("the game has begun"))
    db.execute(
        update(SEATS).where(SEATS.c.table_id == found.id, SEATS.c.side == side).values(person=None)
    )


# ---------------------------------------------------------------------- invitations
def invite(
    db: Connection, found: Hosted, side: str | None, who: Person, token: str | None = None
) -> tuple[str, float]:
    """Create an invitation by the owner. Return its token (the given one, or a new one) and the
    time at which it expires.
    """
    if who.id != found.owner:
        raise NotAllowed(_("only the person who opened the table may do this"))
    if side is not None and (side not in found.seats or found.seats[side].id is not None):
        raise NotAllowed(_("the seat {side} is not open", side=repr(side[:40])))
    token, ends = token or secrets.token_urlsafe(24), time.time() + INVITED
    db.execute(
        insert(INVITATIONS).values(digest=digest(token), table_id=found.id, side=side, ends=ends)
    )
    return token, ends


def invited(db: Connection, token: str) -> Any:
    """Return the row of an invitation. Raise `NotThere` if it is invalid or has expired."""
    row = db.execute(
        select(INVITATIONS).where(
            INVITATIONS.c.digest == digest(token), INVITATIONS.c.ends > time.time()
        )
    ).first()
    if row is None:
        raise NotThere(_("this invitation is no longer valid"))
    return row


def ask_unlike(db: Connection, id: str, name: str, who: str = "") -> None:
    """Raise `RulekitError` if another person at the table has this name, or one that looks like
    it.
    """
    here = (
        select(SEATS.c.person).where(SEATS.c.table_id == id, SEATS.c.person.is_not(None)),
        select(OBSERVERS.c.person).where(OBSERVERS.c.table_id == id),
        select(HOSTED.c.owner).where(HOSTED.c.table_id == id),
    )
    at_table = or_(*(ACCOUNTS.c.id.in_(each) for each in here))
    if (
        db.execute(
            select(ACCOUNTS.c.id).where(
                at_table, ACCOUNTS.c.look == look(name), ACCOUNTS.c.id != who
            )
        ).first()
        is not None
    ):
        raise RulekitError(_("the name {name} is taken, or looks like one that is", name=name))


def tables_of(db: Connection, person: str) -> list[str]:
    """Return the tables at which a person plays or watches."""
    return [
        id
        for each in (SEATS, OBSERVERS)
        for id in db.execute(select(each.c.table_id).where(each.c.person == person)).scalars()
    ]


def come(db: Connection, row: Any, who: Person, deal: Callable[[], Deal]) -> None:
    """Accept an invitation to a seat, or to watch."""
    if row.side is not None:
        sit(db, row.table_id, row.side, who, deal)
    elif (
        db.execute(
            select(OBSERVERS).where(
                OBSERVERS.c.table_id == row.table_id, OBSERVERS.c.person == who.id
            )
        ).first()
        is None
    ):
        db.execute(insert(OBSERVERS).values(table_id=row.table_id, person=who.id))


# ---------------------------------------------------------------------- lists
def rows_for(db: Connection, who: Person | None, which: str) -> list[Any]:
    """Return the tables of a list, the last changed first: `mine`, `open` (a seat is free) or
    `public`.
    """
    wanted = select(TABLES, HOSTED.c.begun, HOSTED.c.ended).join(
        HOSTED, HOSTED.c.table_id == TABLES.c.id
    )
    tests: dict[str, Callable[[], Any]] = {
        "mine": lambda: (
            (HOSTED.c.owner == (who.id if who else ""))
            | TABLES.c.id.in_(_of(SEATS, who))
            | TABLES.c.id.in_(_of(OBSERVERS, who))
        ),
        "open": (
            lambda: (
                HOSTED.c.begun.is_(None)
                & HOSTED.c.ended.is_(None)
                & HOSTED.c.access.in_(("open", "public"))
            )
        ),
        "public": lambda: (HOSTED.c.access == "public") & HOSTED.c.begun.is_not(None),
    }
    return list(
        db.execute(wanted.where(tests[which]()).order_by(TABLES.c.changed.desc()).limit(200))
    )


def _of(seats: Any, who: Person | None) -> Any:
    return select(seats.c.table_id).where(seats.c.person == (who.id if who else ""))


def human_sides(seats: dict[str, str]) -> list[str]:
    """Return the sides that people play."""
    return [side for side, seat in seats.items() if seat == HUMAN]
