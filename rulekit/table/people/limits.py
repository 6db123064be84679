"""Takes what somebody does and who he is, says whether it is too often: counted in memory, by each process for itself."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Lock

from rulekit.base.errors import RulekitError
from rulekit.play.words import fault

RATES: dict[str, tuple[int, float]] = {  # how many times in how many seconds
    "ask": (1200, 60.0),  # requests from an address
    "wrong": (5, 60.0),  # wrong passwords for a name from an address
    "guess": (30, 60.0),  # wrong passwords and invitations from an address
    "account": (10, 3600.0),  # accounts and guests from an address
    "open": (40, 3600.0),  # tables by a person
    "write": (30, 60.0),  # texts, offers, invitations by a person
}
MOST = 20_000  # of those that are counted at a time


class TooOften(RulekitError):
    """Too many requests of a sort."""


class Limits:
    """What was done lately. `now`: seconds that only rise."""

    def __init__(self, rates: dict[str, tuple[int, float]] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._rates = RATES | (rates or {})
        self._now = now
        self._lock = Lock()
        self._done: dict[tuple[str, str], deque[float]] = {}

    def ask(self, sort: str, who: str) -> None:
        """TooOften if it was done too often already; it is not counted."""
        most, within = self._rates[sort]
        with self._lock:
            done = self._lately(sort, who, within)
            if done is not None and len(done) >= most:
                raise fault(TooOften, "people.too_often", seconds=str(max(1, round(within - (self._now() - done[0])))))

    def count(self, sort: str, who: str) -> None:
        """It was done once more."""
        with self._lock:
            if len(self._done) >= MOST:
                self._forget()
            self._done.setdefault((sort, who), deque(maxlen=self._rates[sort][0])).append(self._now())

    def spend(self, sort: str, who: str) -> None:
        """Both: TooOften, or it is counted."""
        self.ask(sort, who)
        self.count(sort, who)

    def _lately(self, sort: str, who: str, within: float) -> deque[float] | None:
        done = self._done.get((sort, who))
        while done and self._now() - done[0] >= within:
            done.popleft()
        return done

    def _forget(self) -> None:
        """What is long ago; if that is not enough, what was counted first."""
        for sort, who in list(self._done):
            if not self._lately(sort, who, self._rates[sort][1]):
                del self._done[sort, who]
        for key in list(self._done)[:max(0, len(self._done) - MOST // 2)]:
            del self._done[key]
