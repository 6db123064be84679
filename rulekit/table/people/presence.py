"""Takes who looks at a table from this process, and what the other processes say of theirs; makes who is there.

A process says it when it changes, when it hears of one that it did not know, and every half a minute; what was not said again is
forgotten: so who looked from a process that was killed is not there for ever."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock

import msgspec
from msgspec import Struct

from rulekit.table.people.accounts import Person
from rulekit.table.people.bus import BYTES, Bus
from rulekit.table.store import StoreError

MARK = "@"  # what is said on the bus begins with it
EVERY = 30.0  # seconds after which it is said again
LASTS = 90.0  # seconds after which it is forgotten


class Looking(Struct):
    """Who looks: the names of those with a session by their ids, and how many others."""

    known: dict[str, str]
    others: int


class Said(Struct):
    """What one process says to the others."""

    process: str
    looking: Looking


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
        """Who looks at a table, here (`whos`) and elsewhere; the other processes hear of what is new of it."""
        here = Looking({who.id: who.name for who in whos if isinstance(who, Person)}, sum(not isinstance(who, Person) for who in whos))
        with self._lock:
            say = id in self._again or here != self._here.get(id, Looking({}, 0))
            self._again.discard(id)
            if whos:
                self._here[id] = here
            else:
                self._here.pop(id, None)
            there = [each for since, each in self._there.get(id, {}).values() if since > self._now() - LASTS]
        if say:
            with suppress(StoreError):  # it is said again
                self._bus.say(id, MARK + _written(self._bus.own, here))
        known = {person: name for each in (*there, here) for person, name in each.known.items()}
        return Looking(known, sum(each.others for each in (*there, here)))

    def heard(self, id: str, text: str) -> None:
        """What another process says of a table; one that was not known is answered."""
        said = msgspec.json.decode(text.removeprefix(MARK), type=Said)
        with self._lock:
            known = self._there.setdefault(id, {})
            if said.process not in known and id in self._here:
                self._again.add(id)
            known[said.process] = (self._now(), said.looking)
            if not said.looking.known and not said.looking.others:
                del known[said.process]
            if not known:
                del self._there[id]

    def due(self) -> list[str]:
        """All tables that somebody looks at from here: they are to be said again. What was not said again elsewhere is forgotten."""
        with self._lock:
            late = self._now() - LASTS
            for id, known in list(self._there.items()):
                self._there[id] = {process: (since, each) for process, (since, each) in known.items() if since > late}
                if not self._there[id]:
                    del self._there[id]
            self._again |= set(self._here)
            return list(self._here)


def _written(process: str, here: Looking) -> str:
    """What a process says of its own, with as many names as there is room for."""
    room, known = BYTES, {}
    for id, name in here.known.items():
        room -= len(msgspec.json.encode({id: name}))
        if room < 0:
            break
        known[id] = name
    return msgspec.json.encode(Said(process, Looking(known, here.others))).decode()
