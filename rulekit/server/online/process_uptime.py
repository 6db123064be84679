"""The time for which this process has been there and could keep choices, as clocks need it."""

from __future__ import annotations

import time
from collections.abc import Callable


class Alive:
    """`now`: seconds that only rise, and stand still while the machine sleeps."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = now()
        self._lost = False

    @property
    def seconds(self) -> float:
        """How long since its last beat (or its start) it could keep choices: not at all if the
        database refused a beat meanwhile."""
        return 0.0 if self._lost else self._now() - self._since

    def beaten(self) -> None:
        """A beat was kept."""
        self._since, self._lost = self._now(), False

    def lost(self) -> None:
        """The database has refused a beat."""
        self._lost = True
