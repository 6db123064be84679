"""The people who watch each table, in this process and in the others.

A process announces its people when they change and when it hears of a new process. Every half a
minute it announces all of them. An announcement that is not repeated expires, so that the people of
a killed process do not remain.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Lock

import msgspec
from msgspec import Struct

from rulekit.server.online.accounts import Person
from rulekit.server.online.event_bus import BYTES, Bus
from rulekit.server.storage import StoreError

MARK = "@"  # prefix of announcements on the bus
ALL = "-"  # in place of a table's id: an announcement for several tables
EVERY = 30.0  # seconds between two announcements
LASTS = 90.0  # seconds after which an announcement expires


class Watchers(Struct):
    """The people who watch a table.

    Attributes:
        known: the names of people with a session, by id.
        others: the number of other people.
    """

    known: dict[str, str]
    others: int


NOBODY = Watchers({}, 0)


class PresenceMessage(Struct):
    """The announcement of one process, by table."""

    process: str
    tables: dict[str, Watchers]


class Presence:
    """The people who watch each table. Its methods may be called from any thread.

    Args:
        now: returns seconds that never decrease.
    """

    def __init__(self, bus: Bus, now: Callable[[], float] = time.monotonic) -> None:
        self._bus = bus
        self._now = now
        self._lock = Lock()
        self._here: dict[str, Watchers] = {}
        self._there: dict[str, dict[str, tuple[float, Watchers]]] = {}
        self._again: set[str] = set()

    def at(self, id: str, whos: Sequence[object]) -> Watchers:
        """Return the people who watch a table in any process, and announce changes to the other
        processes.

        Args:
            whos: the people in this process.
        """
        here = Watchers(
            {who.id: who.name for who in whos if isinstance(who, Person)},
            sum(not isinstance(who, Person) for who in whos),
        )
        with self._lock:
            say = id in self._again or here != self._here.get(id, NOBODY)
            self._again.discard(id)
            if whos:
                self._here[id] = here
            else:
                self._here.pop(id, None)
            there = [
                each
                for since, each in self._there.get(id, {}).values()
                if since > self._now() - LASTS
            ]
        if say:
            with suppress(StoreError):  # it is repeated later
                for text in _written(self._bus.own, {id: here}):
                    self._bus.say(id, text)
        known = {person: name for each in (*there, here) for person, name in each.known.items()}
        return Watchers(known, sum(each.others for each in (*there, here)))

    def heard(self, text: str) -> list[str]:
        """Take in an announcement of another process, and answer a new process. Return the tables
        with changes.
        """
        said = msgspec.json.decode(text.removeprefix(MARK), type=PresenceMessage)
        with self._lock:
            return [
                id
                for id, watchers in said.tables.items()
                if self._is_new(said.process, id, watchers)
            ]

    def _is_new(self, process: str, id: str, watchers: Watchers) -> bool:
        known = self._there.setdefault(id, {})
        before = known.pop(process, None)
        if before is None and id in self._here:
            self._again.add(id)
        if watchers != NOBODY:
            known[process] = (self._now(), watchers)
        if not known:
            del self._there[id]
        return before is None or before[1] != watchers

    def due(self) -> list[str]:
        """Announce the people of all tables in this process. Drop expired announcements of other
        processes and return their tables.

        It blocks. Raise `StoreError` on failure.
        """
        with self._lock:
            late, forgotten = self._now() - LASTS, []
            for id, known in list(self._there.items()):
                self._there[id] = {
                    process: (since, each)
                    for process, (since, each) in known.items()
                    if since > late
                }
                if len(self._there[id]) < len(known):
                    forgotten.append(id)
                if not self._there[id]:
                    del self._there[id]
            here = dict(self._here)
        for text in _written(self._bus.own, here):
            self._bus.say(ALL, text)
        return forgotten


def _written(process: str, tables: dict[str, Watchers]) -> Iterator[str]:
    """Return the announcement of a process as messages within the limit of size."""
    part: dict[str, Watchers] = {}
    room = 0
    for id, watchers in tables.items():
        short = _short(watchers)
        size = len(msgspec.json.encode({id: short}))
        if part and size > room:
            yield _message(process, part)
            part, room = {}, 0
        room = (room if part else BYTES) - size
        part[id] = short
    if part:
        yield _message(process, part)


def _message(process: str, tables: dict[str, Watchers]) -> str:
    return MARK + msgspec.json.encode(PresenceMessage(process, tables)).decode()


def _short(watchers: Watchers) -> Watchers:
    """Return the people with as many names as fit into a message."""
    room, known = BYTES, {}
    for id, name in watchers.known.items():
        room -= len(msgspec.json.encode({id: name}))
        if room < 0:
            break
        known[id] = name
    return Watchers(known, watchers.others)
