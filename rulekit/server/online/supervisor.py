"""Runs background tasks. Each survives its errors, is restarted when it ends, and records its last
success.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from attrs import define, field

from rulekit.server.online import metrics
from rulekit.server.storage import StoreError

Got = TypeVar("Got")
STALLED = 60.0  # seconds without a successful round after which a duty counts as stalled
_log = logging.getLogger("rulekit.duties")


class OwnThread:
    """A thread for the blocking work of one duty, so that it does not wait for the threads that
    play.
    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, name)

    async def run(self, do: Callable[..., Got], *args: Any) -> Got:
        """Run a function in the thread. If the caller is cancelled, wait until the thread has
        finished it, so that nothing happens later.
        """
        work = self._pool.submit(do, *args)
        done = asyncio.wrap_future(work)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            if not work.cancel():
                await asyncio.wait([done])
            raise

    def close(self) -> None:
        """Drop the waiting work."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@define(eq=False)
class Duty:
    """Periodic work.

    Attributes:
        every: the seconds between two rounds.
        succeeded: the time of the last successful round.
    """

    name: str
    do: Callable[[], Awaitable[None]]
    every: float
    succeeded: float = 0.0
    task: asyncio.Task[None] | None = field(default=None, init=False)


class Supervisor:
    """The duties of a process. An error of a round is logged and counted, and the next round
    follows. A task that has ended is restarted.

    Args:
        now: returns seconds that never decrease.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._duties: list[Duty] = []
        self._ended = False

    def begin(self, duties: list[Duty]) -> None:
        """Begin duties in the running event loop."""
        for duty in duties:
            duty.succeeded = self._now()
            self._duties.append(duty)
            self._start(duty)

    async def end(self) -> None:
        """Cancel all duties."""
        self._ended = True
        tasks = [duty.task for duty in self._duties if duty.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def ages(self) -> dict[str, float]:
        """Return the seconds since the last successful round of each duty."""
        return {duty.name: self._now() - duty.succeeded for duty in self._duties}

    def stalled(self) -> list[str]:
        """Return the duties without a recent successful round."""
        return [
            duty.name
            for duty in self._duties
            if self._now() - duty.succeeded > max(STALLED, 3 * duty.every)
        ]

    def _start(self, duty: Duty) -> None:
        duty.task = asyncio.get_running_loop().create_task(self._go(duty), name=duty.name)
        duty.task.add_done_callback(lambda _: self._restart(duty))

    def _restart(self, duty: Duty) -> None:
        if not self._ended:
            _log.error("the task %s has ended; it is begun again", duty.name)
            metrics.failed(duty.name)
            asyncio.get_running_loop().call_later(
                duty.every, lambda: None if self._ended else self._start(duty)
            )

    async def _go(self, duty: Duty) -> None:
        while True:
            try:
                await duty.do()
                duty.succeeded = self._now()
            except StoreError as error:
                _log.warning("%s waits for the database: %s", duty.name, error)
            except Exception as error:
                failed(duty.name, "a round", error)
            await asyncio.sleep(duty.every)


def failed(duty: str, what: str, error: BaseException) -> None:
    """Log and count a failure of a duty. Its other work continues."""
    _log.error("%s of %s failed", what, duty, exc_info=error)
    metrics.failed(duty)
