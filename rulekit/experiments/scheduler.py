"""Schedule jobs: divide their open ranges into batches that keep all workers of an executor busy,
and report each finished batch.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from rulekit.engine.game.game import Game
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.executor import (
    Done,
    Executor,
    GameBatch,
    Job,
    LocalExecutor,
    Processes,
    cores,
    lacking,
)

# seconds that a batch should take: short enough to stop soon, long enough that the overhead of
# sending it is negligible
LASTS = 0.5
# seconds that this process plays alone before it starts workers: enough for short orders
ALONE = 1.5
MIN_NATIVE_SECONDS = (
    3.0  # least seconds left to play in Python for which compiling a native module pays
)
AUTO = 0  # as many processes as there are cores


@define
class Schedule:
    """The ranges of games that are still to be played.

    The speed of each job is learned from its finished batches. The last batches are small, so that
    all workers finish at about the same time. The results do not depend on the sizes of batches.
    """

    gaps: deque[GameBatch]
    games: int = field(init=False)
    _rates: dict[int, float] = field(factory=dict)  # games per second of one worker, by job

    def __attrs_post_init__(self) -> None:
        self.games = sum(gap.end - gap.begin for gap in self.gaps)

    def next(self, size: int) -> GameBatch | None:
        """Return the next batch for one of `size` workers, or None if nothing is left."""
        if not self.gaps:
            return None
        gap = self.gaps.popleft()
        most = max(1, min(int(self._rates.get(gap.job, 0) * LASTS), self.games // (2 * size)))
        end = min(gap.end, gap.begin + most)
        if end < gap.end:
            self.gaps.appendleft(GameBatch(gap.job, end, gap.end))
        self.games -= end - gap.begin
        return GameBatch(gap.job, gap.begin, end)

    def seconds(self) -> float:
        """Estimate the seconds that one worker needs for the rest. A job without finished batches
        counts as very slow.
        """
        return sum((gap.end - gap.begin) / self._rates.get(gap.job, 1e-3) for gap in self.gaps)

    def learn(self, done: Done) -> None:
        """Update the speed of a job from a finished batch."""
        self._rates[done.batch.job] = (done.batch.end - done.batch.begin) / max(done.seconds, 1e-6)


def carry_out(
    executor: Executor, plan: Schedule, heard: Callable[[Done], None], seconds: float | None = None
) -> None:
    """Play the batches of a plan. Call `heard` once for each finished batch.

    Args:
        seconds: if given, no batch starts after this time.
    """
    begin, pending = time.monotonic(), 0
    while True:
        while pending < executor.size and (seconds is None or time.monotonic() - begin < seconds):
            batch = plan.next(executor.size)
            if batch is None:
                break
            executor.submit(batch)
            pending += 1
        if not pending:
            return
        for done in executor.wait():
            pending -= 1
            plan.learn(done)
            heard(done)


def work_off(
    games: Sequence[Game],
    jobs: Sequence[Job],
    gaps: Iterable[GameBatch],
    heard: Callable[[Done], None],
    processes: int = AUTO,
    executor: Executor | None = None,
) -> None:
    """Play all ranges of games and call `heard` for each finished batch.

    With an executor, it plays everything. Without one, this process begins if `processes` is 1 or
    AUTO, or if a native module is missing. Unless `processes` is 1, worker processes take over
    after a short time (AUTO: one for each core). Missing native modules are compiled only if enough
    games are left to make it worthwhile.
    """
    plan = Schedule(deque(gaps))
    here, lack = LocalExecutor(games, jobs), lacking(games, jobs) if executor is None else []
    if executor is None and (processes in (AUTO, 1) or lack):
        alone = ALONE if (processes or cores()) > 1 else None
        carry_out(here, plan, heard, ALONE if lack else alone)
        if lack and plan.gaps:
            if plan.seconds() > MIN_NATIVE_SECONDS:
                for game in lack:
                    game.native()
                here.renew()
            carry_out(here, plan, heard, alone)
    if not plan.gaps:
        return
    executor = executor or Processes(min(processes or cores(), plan.games), games, jobs)
    try:
        carry_out(executor, plan, heard)
    finally:
        executor.close()


@define
class Sums:
    """The sums of the tallies of each job, updated after every batch."""

    tallies: list[Tally]
    games: int = 0  # played or failed
    natively: int = 0  # of these, in the native module

    def hear(self, done: Done) -> None:
        """Add a finished batch."""
        self.natively += done.natively
        self.tallies[done.batch.job].add(done.tally)
        self.games += done.batch.end - done.batch.begin
