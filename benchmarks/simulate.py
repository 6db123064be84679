"""Print the speed-up of simulations by two processes over one: `python benchmarks/simulate.py
[SECONDS [ROUNDS]]`.

Both have their games compiled and warm before the clock starts. They take turns, and the median of
the rounds is printed.

The number is meaningful only if nothing else runs, since two cores cannot do twice the work if one
of them is busy. So it also prints the load of the machine, and the share of the time in which the
two processes played. The rest is lost by distributing the work, on a busy machine too.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections import deque

from pace import line

import rulekit
from rulekit.engine.simulation.ranges import make_order
from rulekit.experiments.executor import GameBatch, Job, Processes, cores
from rulekit.experiments.scheduler import Schedule, carry_out

PATHS = ("games/sphacteria", "games/amphipolis")
TARGET = 1.8  # times the games per second of one core


def played(executor: Processes, games: int) -> tuple[float, float]:
    """Return games per second of an executor, and the share of the time in which its processes
    played."""
    begin, busy = time.perf_counter(), []
    carry_out(
        executor, Schedule(deque([GameBatch(0, 0, games)])), lambda done: busy.append(done.seconds)
    )
    seconds = time.perf_counter() - begin
    return games / seconds, sum(busy) / seconds / executor.size


def main(seconds: float = 2.0, rounds: int = 5) -> None:
    """Print for each game whether two processes reach the target.

    Args:
        seconds: the approximate duration of a round with one process.
    """
    print(f"{cores()} cores, load {os.getloadavg()[0]:.2f}; {rounds} rounds of {seconds:g} seconds")
    for path in PATHS:
        game = rulekit.load(path)
        executors = [
            Processes(size, [game], [Job(make_order(game, 1, 0, None, None, {}))])
            for size in (1, 2)
        ]
        try:
            for executor in executors:
                played(executor, 50)
            games = max(50, int(seconds * played(executors[0], 50)[0]))
            games = max(50, int(seconds * played(executors[0], games)[0]))
            rates = [[played(executor, games) for executor in executors] for _ in range(rounds)]
        finally:
            for executor in executors:
                executor.close()
        one, two = (
            statistics.median(rate for rate, _ in column) for column in zip(*rates, strict=True)
        )
        ratios = sorted(pair[1][0] / pair[0][0] for pair in rates)
        busy = statistics.median(pair[1][1] for pair in rates)
        ratio = statistics.median(ratios)
        line(
            f"{game.title}, two cores to one",
            f"{ratio:.2f} times",
            f"at least {TARGET}",
            ratio >= TARGET,
        )
        print(
            f"  one {one:.1f}, two {two:.1f} games a second: {ratios[0]:.2f} to {ratios[-1]:.2f}"
            f" times; two played {100 * busy:.0f} % of the time"
        )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:]))
