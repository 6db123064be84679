"""Takes who looks at a table from this process, and what the other processes say of theirs; makes
who is there.

A process says it when it changes, when it hears of one that it did not know, and, of all its tables
together, every half a minute; what was not said again is forgotten: so who looked from a process
that was killed is not there for ever.
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

MARK = "@"  # what is said on the bus begins with it
ALL = "-"  # instead of a table's id: what is said is of several tables
EVERY = 30.0  # seconds after which it is said again
LASTS = 90.0  # seconds after which it is forgotten


class Looking(Struct):
    """Who looks: the names of those with a session by their ids, and how many others."""

    known: dict[str, str]
    others: int


NOBODY = Looking({}, 0)


class Said(Struct):
    """What one process says to the others, by the ids of tables."""

    process: str
    tables: dict[str, Looking]


class Presence:
    """It may be used from any thread. `now`: seconds that only rise."""

    def __init__(self, bus: Bus, now: Callable[[], float] = time.monotonic) -> None:
        self._bus = bus
        self._now = now
        self._lock = Lock()
        self._here: dict[str, Looking] = {}
        self._there: dict[str, dict[str, tuple[float, Looking]]] = {}
        self._again: set[str] = set()

    def at(self, id: str, whos: Sequence[object]) -> Looking:
        """Who looks at a table, here (`whos`) and elsewhere; the other processes hear of what is
        new of it."""
        here = Looking(
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
            with suppress(StoreError):  # it is said again
                for text in _written(self._bus.own, {id: here}):
                    self._bus.say(id, text)
        known = {person: name for each in (*there, here) for person, name in each.known.items()}
        return Looking(known, sum(each.others for each in (*there, here)))

    def heard(self, text: str) -> list[str]:
        """What another process says of its tables; one that was not known is answered. The tables
        where it is something new."""
        said = msgspec.json.decode(text.removeprefix(MARK), type=Said)
        with self._lock:
            return [
                id for id, looking in said.tables.items() if self._is_new(said.process, id, looking)
            ]

    def _is_new(self, process: str, id: str, looking: Looking) -> bool:
        known = self._there.setdefault(id, {})
        before = known.pop(process, None)
        if before is None and id in self._here:
            self._again.add(id)
        if looking != NOBODY:
            known[process] = (self._now(), looking)
        if not known:
            del self._there[id]
        return before is None or before[1] != looking

    def due(self) -> list[str]:
        """Says again who looks from here, at all tables. What was not said again elsewhere is
        forgotten: the tables where that is so. It blocks. StoreError."""
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


def _written(process: str, tables: dict[str, Looking]) -> Iterator[str]:
    """What a process says of its own, in messages that are no longer than they may be."""
    part: dict[str, Looking] = {}
    room = 0
    for id, looking in tables.items():
        short = _short(looking)
        size = len(msgspec.json.encode({id: short}))
        if part and size > room:
            yield _message(process, part)
            part, room = {}, 0
        room = (room if part else BYTES) - size
        part[id] = short
    if part:
        yield _message(process, part)


def _message(process: str, tables: dict[str, Looking]) -> str:
    return MARK + msgspec.json.encode(Said(process, tables)).decode()


def _short(looking: Looking) -> Looking:
    """With as many names as there is room for."""
    room, known = BYTES, {}
    for id, name in looking.known.items():
        room -= len(msgspec.json.encode({id: name}))
        if room < 0:
            break
        known[id] = name
    return Looking(known, looking.others)
