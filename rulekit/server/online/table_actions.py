"""Actions of players beside the game: resign, claim, offer and reply."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, delete, insert, update

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.database_schema import HOSTED, OFFERS, TABLES
from rulekit.server.online import notifications
from rulekit.server.online.accounts import Person
from rulekit.server.online.seating import Hosted, NotAllowed, NotThere, load

MOST_BACK = 200  # choices that one offer may take back


def held(db: Connection, id: str) -> Hosted:
    """Return a table that nobody else changes until the transaction ends."""
    db.execute(update(HOSTED).where(HOSTED.c.table_id == id).values(access=HOSTED.c.access))
    return load(db, id)


def ask_own(found: Hosted, who: Person, side: str) -> None:
    """Raise `NotAllowed` if the person does not play this side."""
    if side not in found.sides_of(who):
        raise NotAllowed(_("you do not play {side}", side=repr(side[:40])))


def end(db: Connection, found: Hosted, kind: str, loser: str) -> None:
    """End a game outside of its rules. Raise `NotAllowed` if it is not running."""
    now = time.time()
    stopped = found.clocks.stopped(now)
    done = db.execute(
        update(HOSTED)
        .where(HOSTED.c.table_id == found.id, HOSTED.c.begun.is_not(None), HOSTED.c.ended.is_(None))
        .values(
            ended=now,
            ending=f"{kind}:{loser}",
            running=None,
            since=None,
            falls=None,
            left=stopped.kept(),
        )
    )
    if done.rowcount != 1:
        raise NotAllowed(_("the game is over"))
    others = [side for side in (*found.seats, *found.machines) if side != loser]
    winner = others[0] if len(others) == 1 else ""
    db.execute(
        update(TABLES)
        .where(TABLES.c.id == found.id)
        .values(result=f"{winner}:{kind}", decides=None, changed=now)
    )
    db.execute(
        update(OFFERS)
        .where(OFFERS.c.table_id == found.id, OFFERS.c.answer.is_(None))
        .values(answer="lapsed")
    )
    notifications.of_turn(db, found, None, now, found.choices)


def resign(db: Connection, id: str, who: Person, side: str) -> None:
    """Resign with a side."""
    found = held(db, id)
    ask_own(found, who, side)
    end(db, found, "resigned", side)


def claim(db: Connection, id: str, who: Person, side: str) -> None:
    """Claim the game because the side to decide has no time left or has not played for long."""
    found = held(db, id)
    ask_own(found, who, side)
    late = found.late_side(time.time())
    if late is None or late in found.sides_of(who):
        raise NotAllowed(_("the other side has time left"))
    end(db, found, "claimed", late)


def offer(db: Connection, id: str, who: Person, side: str, kind: str, choice: int | None) -> bool:
    """Store an offer to which another player has to agree, at most one of each kind. An open one
    stays as it is.

    Return True if no other person plays, so that a rematch needs no agreement.
    """
    found = held(db, id)
    ask_own(found, who, side)
    if (kind == "takeback" and not found.plays) or (kind == "rematch" and found.ended is None):
        raise NotAllowed(_("the game is over") if kind == "takeback" else _("the game is not over"))
    if kind == "rematch" and found.next is not None:
        raise NotAllowed(_("the rematch already exists"))
    if kind == "takeback" and not (choice is not None and choice < found.choices):
        raise RulekitError(
            _("the number must be below {n} to take back a choice", n=str(found.choices))
        )
    if kind == "takeback" and found.choices - (choice or 0) > MOST_BACK:
        raise RulekitError(_("you can take back at most {n} choices at once", n=str(MOST_BACK)))
    if not found.others(who):
        if kind == "rematch":
            return True
        raise NotAllowed(_("there is no other player who could agree"))
    at, now = found.choices if choice is None else choice, time.time()
    if any((each.kind, each.side, each.choice) == (kind, side, at) for each in found.offers):
        return False
    same = (OFFERS.c.table_id == id) & (OFFERS.c.side == side) & (OFFERS.c.kind == kind)
    db.execute(update(OFFERS).where(same, OFFERS.c.answer.is_(None)).values(answer="lapsed"))
    done = db.execute(insert(OFFERS).values(table_id=id, kind=kind, side=side, choice=at, made=now))
    key: Any = done.inserted_primary_key
    db.execute(delete(OFFERS).where(same, OFFERS.c.id < key[0], OFFERS.c.answer.is_not(None)))
    notifications.queue(db, found, kind, found.others(who), now, found.choices)
    return False


def reply(db: Connection, id: str, who: Person, side: str, number: int, accept: bool) -> Any:
    """Answer an offer, or withdraw your own. Return its row if it was accepted, None otherwise.

    The caller then carries it out. The acceptance of a takeback is stored by `settle`, together
    with the undone choices.
    """
    found = held(db, id)
    ask_own(found, who, side)
    row = next((each for each in found.offers if each.id == number), None)
    if row is None:
        raise NotThere(_("this offer is no longer valid"))
    own = row.side in found.sides_of(who)
    if own and accept:
        raise NotAllowed(_("only the other player can accept your offer"))
    if row.kind != "takeback" or not accept:
        settle(db, number, "withdrawn" if own else "accepted" if accept else "refused")
    return row if accept else None


def settle(db: Connection, number: int, answer: str) -> None:
    """Store the answer to an offer. Raise `NotThere` if it has lapsed or was answered."""
    if (
        db.execute(
            update(OFFERS)
            .where(OFFERS.c.id == number, OFFERS.c.answer.is_(None))
            .values(answer=answer)
        ).rowcount
        != 1
    ):
        raise NotThere(_("this offer is no longer valid"))
