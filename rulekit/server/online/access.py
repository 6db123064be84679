"""The access policy of a server with accounts: rights at a table, and the clocks, offers and
notifications that are stored together with choices.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, bindparam, select, update

from rulekit.common.i18n.messages import _, ngettext
from rulekit.engine.saves.save_format import Save
from rulekit.server.access import AccessPolicy, PlayedRoom, Rights, StoredChoices
from rulekit.server.database_schema import HOSTED, OFFERS, TABLES
from rulekit.server.online import clock, clock_updates, metrics, notifications
from rulekit.server.online.accounts import Person
from rulekit.server.online.clock_updates import NotStored
from rulekit.server.online.end_texts import ending_of, error_message
from rulekit.server.online.event_bus import BYTES, MOVE_NOW, PLAYED, Bus
from rulekit.server.online.presence import Presence, Watchers
from rulekit.server.online.protocol import Clock, Present, Proposal, Sitting, TableStatus
from rulekit.server.online.rate_limits import Limits, TooOften
from rulekit.server.online.seating import Hosted, NotThere, load
from rulekit.server.online.socket_admission import Admission
from rulekit.server.protocol import PassUntilPhaseEnds, Redo, StopPassing, Take, UndoRequest
from rulekit.server.storage import Store, TableRow

_BESIDE = (
    select(
        HOSTED.c.left,
        HOSTED.c.running,
        HOSTED.c.since,
        HOSTED.c.ended,
        TABLES.c.changed,
        TABLES.c.decides,
        TABLES.c.choices,
    )
    .join(TABLES, TABLES.c.id == HOSTED.c.table_id)
    .where(HOSTED.c.table_id == bindparam("id"))
)
_GOING = (
    (HOSTED.c.table_id == bindparam("of")) & HOSTED.c.begun.is_not(None) & HOSTED.c.ended.is_(None)
)
_IN_TIME = (
    (HOSTED.c.late != "loses") | HOSTED.c.falls.is_(None) | (HOSTED.c.falls > bindparam("now"))
)
_PLAYED = update(HOSTED).where(_GOING & _IN_TIME)

OVER = _("the game is over")


class OnlineAccessPolicy(AccessPolicy):
    """The access policy of a server with accounts. `room.beside` holds the online data (`Hosted`)
    of a room.
    """

    def __init__(self, store: Store, bus: Bus, limits: Limits | None = None) -> None:
        self.store = store
        self.bus = bus
        self.limits = limits or Limits()
        self.admission = Admission(self.limits)
        self.presence = Presence(bus)

    def rights(self, who: object, row: TableRow) -> Rights:
        """Return the current rights of a person at a table, from the database."""
        with self.store.reading() as db:
            try:
                return load(db, row.id).rights(_person(who))
            except NotThere:
                return Rights(False)

    def opened(self, room: PlayedRoom) -> None:
        """Load the online data of a room.

        The game runs from the moment when all seats are taken until it has ended. Before that,
        nobody sees the dealt position.
        """
        with self.store.reading() as db:
            found = load(db, room.id)
        room.beside = found
        room.ended = found.ended is not None
        room.veiled = found.begun is None
        room.halted = (
            None
            if found.plays
            else OVER
            if room.ended
            else _("the game begins when all seats are taken")
        )

    def now_beside(self, db: Connection, room: PlayedRoom) -> Any:
        """Return the online data that change with choices: clocks, end of the game, and the row in
        the list of tables. Return None if there is no such table.
        """
        row = db.execute(_BESIDE, {"id": room.id}).first()
        return None if row is None else list(row)

    def heard(self, notification: str) -> StoredChoices | None:
        """Decode the notification that `notify` encoded."""
        return msgspec.json.decode(notification, type=StoredChoices) if notification else None

    def followed(self, room: PlayedRoom, beside: Any) -> None:
        """Update clocks, offers that lapse and the end of the game after choices of another
        process. All other changes have notifications of their own.
        """
        hosted: Hosted = room.beside
        left, running, since, ended, changed, decides, choices = beside or [None] * 7
        if left is None or ended is not None or hosted.offers:
            self.opened(room)
            room.beside.news = True
            return
        hosted.news |= (hosted.choices == 0) != (choices == 0)
        hosted.clocks = clock.read(left, running, since)
        hosted.decides, hosted.changed, hosted.choices = decides, changed, choices

    def announce_move_now(self, room: PlayedRoom) -> None:
        """Send `MOVE_NOW` on the bus."""
        self.bus.say(room.id, MOVE_NOW)

    def writes(self, db: Connection, room: PlayedRoom) -> None:
        """Store the clocks after the choices, and queue a notification for the next player. Raise
        `NotStored` if the game has ended or its flag has fallen.
        """
        hosted: Hosted = room.beside
        now, asked = time.time(), room.state.decision
        decides = asked.player if asked else None
        clocks = clock_updates.after(db, hosted, room.state, now)
        done = db.execute(
            _PLAYED,
            {
                "of": room.id,
                "now": now,
                "ended": now if decides is None else None,
                "running": clocks.running,
                "since": clocks.since,
                "falls": clocks.falls,
                "left": clocks.kept(),
            },
        )
        if done.rowcount != 1:
            raise NotStored(_("the game is over"))
        lapses = any(offer.kind == "takeback" for offer in hosted.offers)
        if lapses:
            db.execute(
                update(OFFERS)
                .where(
                    OFFERS.c.table_id == room.id,
                    OFFERS.c.answer.is_(None),
                    OFFERS.c.kind == "takeback",
                )
                .values(answer="lapsed")
            )
        if decides != hosted.decides or decides is None:
            notifications.of_turn(db, hosted, decides, now, room.choices)
        metrics.kept()
        hosted.news = lapses or (hosted.choices == 0) != (room.choices == 0)
        hosted.clocks, hosted.decides, hosted.changed, hosted.choices = (
            clocks,
            decides,
            now,
            room.choices,
        )
        hosted.offers = [offer for offer in hosted.offers if offer.kind != "takeback"]
        if decides is None:
            hosted.ended, room.ended, room.halted = now, True, OVER

    def notify(self, db: Connection, room: PlayedRoom, kept: StoredChoices | None = None) -> None:
        """Send the change on the bus."""
        if kept is None or not self.store.many:
            self.bus.within(db, room.id)
            return
        hosted: Hosted = room.beside
        kept.beside = [
            hosted.clocks.kept(),
            hosted.clocks.running,
            hosted.clocks.since,
            hosted.ended,
            hosted.changed,
            hosted.decides,
            hosted.choices,
        ]
        notification = msgspec.json.encode(kept)
        self.bus.within(
            db, room.id, PLAYED + (notification.decode() if len(notification) <= BYTES else "")
        )  # if the message is too long, the others read the database

    def error_message(self, lang: str, error: Exception) -> str:
        """Return the text of an error, without names of files of the server."""
        return error_message(lang, error)

    def admits(self, table: str, who: object, address: str) -> AbstractContextManager[None]:
        """Count a socket as open within the block, subject to the limits of `Admission`."""
        person = _person(who)
        return self.admission.admits(table, person.id if person else None, address)

    def hears(self, key: Hashable, request: object) -> None:
        """Spend the limits of messages and of choices. Raise `TooOften` if one is exhausted."""
        self.limits.spend("messages", str(key))
        if isinstance(request, Take | UndoRequest | Redo | PassUntilPhaseEnds | StopPassing):
            self.limits.spend(
                "choices", str(key), max(1, len(request.keys)) if isinstance(request, Take) else 1
            )

    def may_undo(self, room: PlayedRoom, side: str) -> None:
        """Raise `TooOften` if a side has undone too many choices in one game, because its journal
        may not grow without end.
        """
        if undone_by(room.recorder.save, side) >= self.limits.most("undone"):
            raise TooOften(
                ngettext(
                    "your side has taken back {n} choice in this game, which is the limit",
                    "your side has taken back {n} choices in this game, which is the limit",
                    self.limits.most("undone"),
                )
            )

    def hints(self, room: PlayedRoom) -> bool:
        """Return True if players may ask for hints: only if no other person plays."""
        return len(room.humans) == 1 and super().hints(room)

    def beside(self, who: object, room: PlayedRoom) -> Sequence[Struct]:
        """Return the message with seats, offers and the clock."""
        found, own = table_status(room.beside, _person(who)), room.beside.sides_of(_person(who))
        for each in found.offers:
            if each.kind == "takeback":
                each.choice = room.counted(each.choice, each.side, own[0] if own else None)
        return [found]

    def present(self, whos: Sequence[object], room: PlayedRoom) -> Sequence[Struct]:
        """Return the message with the present people."""
        return [present(room.beside, self.presence.at(room.id, whos))]

    def news(self, room: PlayedRoom) -> bool:
        """Return True, once, after offers lapsed and after the first choice, from which on players
        may ask to take back.
        """
        hosted: Hosted = room.beside
        was, hosted.news = hosted.news, False
        return was

    def ticks(self, room: PlayedRoom) -> Sequence[Struct]:
        """Return the message with the clocks, after each choice."""
        hosted: Hosted = room.beside
        return [clock_of(hosted)] if hosted.clocks.left else []


def undone_by(save: Save, side: str) -> int:
    """Return the number of choices of a side in a journal that were undone."""
    standing: list[str | None] = []
    many = 0
    for record in save.records:
        if record.undo:
            many += bool(standing) and standing.pop() == side
        elif record.choice is not None:
            standing.append(record.by)
    return many


def _person(who: object) -> Person | None:
    return who if isinstance(who, Person) else None


def clock_of(hosted: Hosted) -> Clock:
    """Return the message with the time of each side now."""
    now = time.time()
    left = {side: round(seconds, 2) for side, seconds in hosted.clocks.now(now).items()}
    return Clock(hosted.rule_text, hosted.late, left, hosted.clocks.running, now)  # type: ignore[arg-type]


def present(hosted: Hosted, watchers: Watchers) -> Present:
    """Return the message with the present people. Somebody with several open pages is listed
    once.
    """
    sides = sorted(side for side, sitter in hosted.seats.items() if sitter.id in watchers.known)
    playing = {sitter.id for sitter in hosted.seats.values()}
    return Present(
        sides,
        sorted(name for id, name in watchers.known.items() if id not in playing),
        watchers.others,
    )


def sittings(seats: dict[str, str], hosted: Hosted, who: Person | None) -> list[Sitting]:
    """Return the sides in the order of the game, with their players."""
    own = hosted.sides_of(who)
    return [
        Sitting(
            side,
            s.name if (s := hosted.seats.get(side)) and s.id else None,
            bool(s and s.guest),
            hosted.machines.get(side),
            side in own,
        )
        for side in seats
    ]


def table_status(hosted: Hosted, who: Person | None) -> TableStatus:
    """Return the message with the online data of a table, for one person."""
    seats = {**hosted.machines, **dict.fromkeys(hosted.seats, "")}
    offers = [Proposal(o.id, o.kind, o.side, o.choice, o.made) for o in hosted.offers]
    return TableStatus(
        hosted.id,
        hosted.owner_name,
        hosted.access,  # type: ignore[arg-type]
        sittings(dict(sorted(seats.items())), hosted, who),
        hosted.begun,
        hosted.ended,
        ending_of(hosted.ending),
        clock_of(hosted),
        offers,
        may(hosted, who),
        hosted.next,
    )


def may(hosted: Hosted, who: Person | None) -> list[str]:
    """Return the actions beside the game that a person may take, as in `TableStatus.may`."""
    own, owns = hosted.sides_of(who), who is not None and who.id == hosted.owner
    looks, over = who is not None and hosted.looks(who), hosted.ended is not None
    late = hosted.late_side(time.time())
    tests = {
        "invite": owns and not over,
        "access": owns,
        "close": owns and hosted.begun is None,
        "move": owns and not over,
        "sit": (
            who is not None
            and not over
            and hosted.knows(who)
            and any(s.id is None for s in hosted.seats.values())
        ),
        "leave": bool(own) and hosted.begun is None,
        "resign": bool(own) and hosted.plays,
        "takeback": bool(own) and hosted.plays and hosted.choices > 0 and bool(hosted.others(who)),
        "rematch": bool(own) and over and hosted.next is None,
        "claim": bool(own) and hosted.plays and late is not None and late not in own,
        "say_players": bool(own),
        "say_observers": looks and (over or not own),
        "note": looks,
        "save": looks and over,
    }
    return [name for name, is_so in tests.items() if is_so]
