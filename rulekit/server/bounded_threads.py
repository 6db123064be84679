"""Thread pools with bounded queues for long work, so that it does not block the threads that
play.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _

Got = TypeVar("Got")


class Limited(RulekitError):
    """A limit was reached. The request may succeed later."""


class Busy(Limited):
    """Too many requests are waiting already."""


class BoundedThreads:
    """A thread pool with limits. Its methods belong to one event loop.

    Args:
        threads: the number of threads.
        most: the greatest number of running and waiting jobs.
        each: the same for one person.
        begins: runs first in each thread.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        most: int,
        each: int,
        begins: Callable[[], None] | None = None,
    ) -> None:
        self._pool = ThreadPoolExecutor(threads, name, initializer=begins)
        self._most, self._each = most, each
        self._now: Counter[Hashable] = Counter()

    @property
    def waiting(self) -> int:
        """The number of running and waiting jobs."""
        return self._now.total()

    async def do(self, who: Hashable, work: Callable[..., Got], *args: Any) -> Got:
        """Run `work` in a thread and return its result.

        A job that has begun runs to its end, and counts until then, even if nobody waits for it any
        more.

        Raises:
            Busy: too many jobs of this person, or in all.
        """
        if self._now.total() >= self._most:
            raise Busy(_("the server is busy; try again in a moment"))
        if self._now[who] >= self._each:
            raise Busy(_("too many requests are waiting"))
        self._now[who] += 1
        try:
            done = asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args))
        except RuntimeError:  # it is just ending
            self._ended(who)
            raise Busy(_("the server is busy; try again in a moment")) from None
        done.add_done_callback(lambda future: self._ended(who, future))
        return await asyncio.shield(done)

    def _ended(self, who: Hashable, done: asyncio.Future[Any] | None = None) -> None:
        if done is not None and not done.cancelled():
            done.exception()  # it is nobody's any more, if nobody waits
        self._now[who] -= 1
        if self._now[who] <= 0:
            del self._now[who]

    def close(self) -> None:
        """Cancel waiting jobs. Running ones finish."""
        self._pool.shutdown(wait=False, cancel_futures=True)
