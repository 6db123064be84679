"""Takes work that is long, does it in threads of its own, so much at a time and no more: play has
the other threads."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault

Got = TypeVar("Got")


class Limited(RulekitError):
    """Too much, or too often: later it may be done."""


class Busy(Limited):
    """Too much of it waits already."""


class Bounded:
    """`threads` that do the work; `most`: that is done or waits in all, `each`: of one person.
    `begins`: what a thread does first. Its methods belong to one event loop."""

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
        """How much is done or waits now."""
        return self._now.total()

    async def do(self, who: Hashable, work: Callable[..., Got], *args: Any) -> Got:
        """What the work gives, when its turn has come. Busy if too much waits, of this person or in
        all. It runs to its end though nobody waits for it any more, and counts as long."""
        if self._now.total() >= self._most:
            raise fault(Busy, "table.busy_all")
        if self._now[who] >= self._each:
            raise fault(Busy, "table.busy")
        self._now[who] += 1
        try:
            done = asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args))
        except RuntimeError:  # it is just ending
            self._ended(who)
            raise fault(Busy, "table.busy_all") from None
        done.add_done_callback(lambda future: self._ended(who, future))
        return await asyncio.shield(done)

    def _ended(self, who: Hashable, done: asyncio.Future[Any] | None = None) -> None:
        if done is not None and not done.cancelled():
            done.exception()  # it is nobody's any more, if nobody waits
        self._now[who] -= 1
        if self._now[who] <= 0:
            del self._now[who]

    def close(self) -> None:
        """Does no more; what has begun ends."""
        self._pool.shutdown(wait=False, cancel_futures=True)
