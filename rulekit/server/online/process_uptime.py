"""The time during which this process was running and able to store choices, for the clocks."""

from __future__ import annotations

import time
from collections.abc import Callable


class Alive:
    """Measures the time in which the process could store choices.

    Args:
        now: returns seconds that never decrease and stop while the machine sleeps.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._since = now()
        self._lost = False

    @property
    def seconds(self) -> float:
        """Return the seconds since the last stored beat, or since the start. Return 0 if the
        database refused a beat in the meantime.
        """
        return 0.0 if self._lost else self._now() - self._since

    def beaten(self) -> None:
        """Record a stored beat."""
        self._since, self._lost = self._now(), False

    def lost(self) -> None:
        """Record a beat that the database refused."""
        self._lost = True
