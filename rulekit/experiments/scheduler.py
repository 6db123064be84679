"""Takes jobs, gaps and a crew, makes tallies: hands out ranges of a size that keeps everybody busy,
and tells of each that is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from rulekit.engine.game.game import Game
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.executor import Crew, Done, Here, Job, Piece, Processes, cores, lacking

# seconds that a piece should take: short enough to stop, long enough that handing it out costs
# nothing
LASTS = 0.5
# seconds that this process plays by itself before it calls others: short orders are done by then
ALONE = 1.5
MAKING = 3.0  # seconds that must be left to be played in Python if a native module is to be made
AUTO = 0  # as many processes as there are cores


@define
class Plan:
    """The games that are still to be played. How long those of a job take is learnt from its
    pieces; the last pieces are small, so that all are done at the same time. Results do not hang on
    the sizes."""

    gaps: deque[Piece]
    games: int = field(init=False)
    _rates: dict[int, float] = field(factory=dict)  # games a second of one player, by job

    def __attrs_post_init__(self) -> None:
        self.games = sum(gap.end - gap.begin for gap in self.gaps)

    def next(self, size: int) -> Piece | None:
        """The next piece for one of so many players; None if there is nothing left."""
        if not self.gaps:
            return None
        gap = self.gaps.popleft()
        most = max(1, min(int(self._rates.get(gap.job, 0) * LASTS), self.games // (2 * size)))
        end = min(gap.end, gap.begin + most)
        if end < gap.end:
            self.gaps.appendleft(Piece(gap.job, end, gap.end))
        self.games -= end - gap.begin
        return Piece(gap.job, gap.begin, end)

    def seconds(self) -> float:
        """How long one player needs for what is left, as far as one knows; a job of which nothing
        was played counts as long."""
        return sum((gap.end - gap.begin) / self._rates.get(gap.job, 1e-3) for gap in self.gaps)

    def learn(self, done: Done) -> None:
        """A piece has taken its time."""
        self._rates[done.piece.job] = (done.piece.end - done.piece.begin) / max(done.seconds, 1e-6)


def carry_out(
    crew: Crew, plan: Plan, heard: Callable[[Done], None], seconds: float | None = None
) -> None:
    """Plays what a plan has, or as much as is begun in so many seconds; `heard` is told of each
    piece, once."""
    begin, under_way = time.monotonic(), 0
    while True:
        while under_way < crew.size and (seconds is None or time.monotonic() - begin < seconds):
            piece = plan.next(crew.size)
            if piece is None:
                break
            crew.submit(piece)
            under_way += 1
        if not under_way:
            return
        for done in crew.wait():
            under_way -= 1
            plan.learn(done)
            heard(done)


def work_off(
    games: Sequence[Game],
    jobs: Sequence[Job],
    gaps: Iterable[Piece],
    heard: Callable[[Done], None],
    processes: int = AUTO,
    crew: Crew | None = None,
) -> None:
    """Plays all gaps by a crew; without one in this process, or in several (AUTO: in this one
    first, and if that lasts, on all cores). Native modules that were not made before are made when
    it lasts."""
    plan = Plan(deque(gaps))
    here, lack = Here(games, jobs), lacking(games, jobs) if crew is None else []
    if crew is None and (processes in (AUTO, 1) or lack):
        alone = ALONE if (processes or cores()) > 1 else None
        carry_out(here, plan, heard, ALONE if lack else alone)
        if lack and plan.gaps:
            if plan.seconds() > MAKING:
                for game in lack:
                    game.native()
                here.renew()
            carry_out(here, plan, heard, alone)
    if not plan.gaps:
        return
    crew = crew or Processes(min(processes or cores(), plan.games), games, jobs)
    try:
        carry_out(crew, plan, heard)
    finally:
        crew.close()


@define
class Sums:
    """The tallies of all jobs, added up as pieces are done."""

    tallies: list[Tally]
    games: int = 0  # that were played, and failed
    natively: int = 0  # of them

    def hear(self, done: Done) -> None:
        """A piece is done."""
        self.natively += done.natively
        self.tallies[done.piece.job].add(done.tally)
        self.games += done.piece.end - done.piece.begin
