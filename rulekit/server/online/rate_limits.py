"""Rate limits and caps. Each process counts for itself, in memory. docs/operating.md explains the
numbers.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.bounded_threads import Limited

Rate = tuple[int, float]
RATES: dict[str, Rate] = {  # (times, seconds)
    "ask": (1200, 60.0),  # requests from an address
    "wrong": (5, 60.0),  # wrong passwords for a name from an address
    "guess": (30, 60.0),  # wrong passwords and invitations from an address
    "try": (60, 3600.0),  # attempts to sign up, from an address
    "account": (10, 3600.0),  # new accounts from an address
    "guest": (40, 3600.0),  # guests by one invitation
    "guests": (200, 3600.0),  # guests by all invitations to the tables of one person
    "letter": (10, 86400.0),  # confirmation letters, requested from an address
    "open": (40, 3600.0),  # tables by a person
    "write": (30, 60.0),  # texts, offers, invitations by a person
    "messages": (400, 10.0),  # messages over all sockets of a person
    "choices": (1200, 60.0),  # choices and undos by a person
}
CAPS: dict[str, int] = {  # maximum numbers at a time
    "sockets": 1 << 20,  # in all, and no more than the file descriptors allow
    "sockets_table": 400,  # at a table
    "sockets_address": 60,  # from an address
    "sockets_person": 30,  # of a person
    "connections": 100,  # other connections, from an address
    "undone": 2000,  # choices that a side may undo at a table
    "tables": 300,  # tables of a person that have not ended
    "records": 6000,  # choices in an uploaded save, including undone ones
}
MAX_COUNTED_PEOPLE = 20_000  # people counted at a time, for each limit


class TooOften(Limited):
    """Too many requests of one kind."""


class Limits:
    """Counts of recent actions.

    Args:
        now: returns seconds that never decrease.
    """

    def __init__(
        self,
        rates: Mapping[str, Rate] | None = None,
        now: Callable[[], float] = time.monotonic,
        caps: Mapping[str, int] | None = None,
    ) -> None:
        self._rates = RATES | dict(rates or {})
        self._caps = CAPS | dict(caps or {})
        self._now = now
        self._lock = Lock()
        self._done: dict[str, dict[str, deque[float]]] = {sort: {} for sort in self._rates}

    def most(self, name: str) -> int:
        """Return the maximum number at a time."""
        return self._caps[name]

    def spend(self, sort: str, who: str, many: int = 1) -> None:
        """Count `many` actions. Raise `TooOften`, and count nothing, if the limit is exhausted."""
        most, within = self._rates[sort]
        with self._lock:
            done = self._lately(sort, who)
            if done and len(done) + many > most:
                raise TooOften(
                    _(
                        "too many attempts; try again in {seconds} s",
                        seconds=str(max(1, round(within - (self._now() - done[0])))),
                    )
                )
            if most <= 0:
                raise TooOften(
                    _("too many attempts; try again in {seconds} s", seconds=str(round(within)))
                )
            done.extend([self._now()] * many)

    def give_back(self, sort: str, who: str) -> None:
        """Undo the last count."""
        with self._lock:
            done = self._done[sort].get(who)
            if done:
                done.pop()

    @contextmanager
    def tried(self, spent: Iterable[tuple[str, str]], wrong: type[Exception]) -> Iterator[None]:
        """Limit attempts that fail with `wrong`.

        Attempts are counted first, so that simultaneous ones count too. Every other outcome gives
        the count back.
        """
        counted = self._spend_all(spent)
        try:
            yield
        except wrong:
            raise
        except Exception:
            self._give_all_back(counted)
            raise
        self._give_all_back(counted)

    @contextmanager
    def made(self, spent: Iterable[tuple[str, str]]) -> Iterator[None]:
        """Limit things that are created. They are counted first, and an exception gives the count
        back.
        """
        counted = self._spend_all(spent)
        try:
            yield
        except Exception:
            self._give_all_back(counted)
            raise

    def _spend_all(self, spent: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        counted: list[tuple[str, str]] = []
        try:
            for each in spent:
                self.spend(*each)
                counted.append(each)
        except TooOften:
            self._give_all_back(counted)
            raise
        return counted

    def _give_all_back(self, counted: Iterable[tuple[str, str]]) -> None:
        for each in counted:
            self.give_back(*each)

    def _lately(self, sort: str, who: str) -> deque[float]:
        within = self._rates[sort][1]
        if who not in self._done[sort] and len(self._done[sort]) >= MAX_COUNTED_PEOPLE:
            self._forget(sort)
        done = self._done[sort].setdefault(who, deque())
        while done and self._now() - done[0] >= within:
            done.popleft()
        return done

    def _forget(self, sort: str) -> None:
        """Drop expired counts. If that is not enough, drop the oldest ones."""
        kept, late = self._done[sort], self._now() - self._rates[sort][1]
        last = {who: done[-1] for who, done in kept.items() if done and done[-1] > late}
        keep = sorted(last, key=lambda who: last[who])[-MAX_COUNTED_PEOPLE // 2 :]
        self._done[sort] = {who: kept[who] for who in keep}


def network(address: str) -> str:
    """Return the form of an address for limits: the /64 of IPv6, which one household has for
    itself, and IPv4 mapped to IPv6 as plain IPv4.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    return (
        str(ip_network((found, 64), strict=False)) if isinstance(found, IPv6Address) else str(found)
    )


def read_limits(texts: Iterable[str]) -> tuple[dict[str, Rate], dict[str, int]]:
    """Parse limits from the command line: NAME=TIMES/SECONDS, or NAME=MAXIMUM. Raise `RulekitError`
    for an invalid one.
    """
    rates: dict[str, Rate] = {}
    caps: dict[str, int] = {}
    for text in texts:
        name, __, value = text.partition("=")
        times, __, seconds = value.partition("/")
        if name in RATES and times.isdecimal() and seconds.isdecimal() and int(seconds) > 0:
            rates[name] = int(times), float(seconds)
        elif name in CAPS and value.isdecimal():
            caps[name] = int(value)
        else:
            raise RulekitError(
                _(
                    "{text} is not a limit: write NAME=TIMES/SECONDS or NAME=MOST, with one"
                    " of the names {names}",
                    text=repr(text[:60]),
                    names=", ".join([*RATES, *CAPS]),
                )
            )
    return rates, caps
