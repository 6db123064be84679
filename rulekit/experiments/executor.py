"""Executors that play batches of games: in this process, or in several processes of this machine. A
batch is a range of the games of an order.

Each process receives the compiled games once and then plays batch after batch. A process that dies
(killed, out of memory) is replaced and its batch is played again. This is safe because a tally does
not depend on the process that computes it.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter, deque
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from attrs import define, frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.simulation.native_ranges import (
    AUTO,
    NATIVE,
    PYTHON,
    NativeRanges,
    hindrance,
    native_ranges,
)
from rulekit.engine.simulation.ranges import Order, RangePlayer, range_player
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.game_bundle import GameBundle, pack
from rulekit.runtime.wasm.instance import NotNative, available

LOSSES = 3  # losses of a batch after which the executor gives up


@frozen
class Job:
    """An order, the game that it is for, and the engine that plays it.

    Attributes:
        game: the index of the game.
        engine: native, python, or auto (the native module if there is one).
    """

    order: Order
    game: int = 0
    engine: str = AUTO


@frozen
class GameBatch:
    """A batch: the games begin .. end - 1 of a job."""

    job: int
    begin: int
    end: int


@frozen
class Done:
    """The result of a batch.

    Attributes:
        seconds: the time that the batch took.
        natively: the number of its games that the native module played.
    """

    batch: GameBatch
    tally: Tally
    seconds: float
    natively: int = 0


class Executor(Protocol):
    """The interface of an executor.

    Attributes:
        size: the number of batches that it holds at the same time.
    """

    size: int

    def submit(self, batch: GameBatch) -> None:
        """Queue a batch."""

    def wait(self) -> list[Done]:
        """Wait for at least one submitted batch, and return those that are finished. At least one
        must have been submitted.
        """

    def close(self) -> None:
        """Stop, and abandon the batches that are still running."""


class WorkerState:
    """A worker's players of all jobs. Each is created when it is first needed."""

    def __init__(self, games: Sequence[Game], jobs: Sequence[Job]) -> None:
        self._games, self._jobs = games, jobs
        self._players: dict[int, tuple[RangePlayer, NativeRanges | None]] = {}

    def play(self, batch: GameBatch) -> Done:
        """Play a batch."""
        if batch.job not in self._players:
            self._players[batch.job] = self._player(self._jobs[batch.job])
        player, native = self._players[batch.job]
        begin = time.perf_counter()
        tally = player(batch.begin, batch.end)
        return Done(
            batch, tally, time.perf_counter() - begin, native.natively if native is not None else 0
        )

    def _player(self, job: Job) -> tuple[RangePlayer, NativeRanges | None]:
        """Return the player of a job: the native module if it exists, otherwise Python.

        With the engine `native`, the module is compiled if necessary, and `NotNative` is raised if
        that fails.
        """
        game = self._games[job.game]
        if job.engine != PYTHON:
            try:
                native = native_ranges(game, job.order, make=job.engine == NATIVE)
            except NotNative:
                if job.engine == NATIVE:
                    raise
            else:
                return native.play, native
        return range_player(game, job.order), None


class LocalExecutor:
    """An executor that plays in this process."""

    size = 1

    def __init__(self, games: Sequence[Game], jobs: Sequence[Job]) -> None:
        prepare(games, jobs)
        self._games, self._jobs = games, jobs
        self._worker_state = WorkerState(games, jobs)
        self._waiting: deque[GameBatch] = deque()

    def submit(self, batch: GameBatch) -> None:
        """Queue a batch."""
        self._waiting.append(batch)

    def wait(self) -> list[Done]:
        """Play one batch and return its result."""
        return [self._worker_state.play(self._waiting.popleft())]

    def renew(self) -> None:
        """Create the players again, so that they use native modules compiled in the meantime."""
        self._worker_state = WorkerState(self._games, self._jobs)

    def close(self) -> None:
        """Do nothing: there is nothing to stop."""


@define(eq=False)
class _Worker:
    process: Any
    pipe: Connection
    batch: GameBatch | None = None


class Processes:
    """An executor with several processes of this machine."""

    def __init__(self, size: int, games: Sequence[Game], jobs: Sequence[Job]) -> None:
        self.size = size
        self._given = (bundles(games, jobs), list(jobs))
        self._context = get_context("spawn")
        self._waiting: deque[GameBatch] = deque()
        self._lost: Counter[GameBatch] = Counter()
        self._workers: list[_Worker] = []

    def submit(self, batch: GameBatch) -> None:
        """Queue a batch."""
        self._waiting.append(batch)
        self._feed()

    def wait(self) -> list[Done]:
        """Return finished batches. The batch of a process that died is played again."""
        done: list[Done] = []
        while not done:
            self._feed()
            busy = {worker.pipe: worker for worker in self._workers if worker.batch is not None}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    self._lose(worker)
                    continue
                worker.batch = None
                if isinstance(answer, Exception):
                    raise answer
                done.append(answer)
        self._feed()
        return done

    def close(self) -> None:
        """Stop the processes."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [worker.process.pid for worker in self._workers]

    def _feed(self) -> None:
        """Give waiting batches to idle workers, and start workers as long as there are fewer than
        `size`.
        """
        while self._waiting:
            worker = next((each for each in self._workers if each.batch is None), None)
            if worker is None and len(self._workers) == self.size:
                return
            worker = worker or self._hired()
            worker.batch = self._waiting.popleft()
            try:
                worker.pipe.send(worker.batch)
            except OSError:
                self._lose(worker)

    def _hired(self) -> _Worker:
        mine, its = self._context.Pipe()
        process = self._context.Process(target=_work, args=(its, *self._given), daemon=True)
        process.start()
        its.close()
        self._workers.append(_Worker(process, mine))
        return self._workers[-1]

    def _lose(self, worker: _Worker) -> None:
        """Queue the batch of a dead process again. Raise `RulekitError` once a batch was lost
        `LOSSES` times.
        """
        assert worker.batch is not None
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        self._lost[worker.batch] += 1
        if self._lost[worker.batch] >= LOSSES:
            raise RulekitError(
                _(
                    "a process died {n} times in the same games (exit code {why}); is"
                    " there enough memory?",
                    n=str(LOSSES),
                    why=str(worker.process.exitcode),
                )
            )
        self._waiting.appendleft(worker.batch)


def _work(pipe: Connection, bundles: Sequence[GameBundle], jobs: Sequence[Job]) -> None:
    """The main loop of a worker process: play each batch received until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers itself
    worker_state = WorkerState([bundle.game() for bundle in bundles], jobs)
    while True:
        try:
            batch = pipe.recv()
        except (EOFError, OSError):
            return
        answer: Done | Exception
        try:
            answer = worker_state.play(batch)
        except Exception as error:  # a defect of ours, raised again in the parent
            answer = error
        try:
            pipe.send(answer)
        except OSError:
            return


def bundles(games: Sequence[Game], jobs: Sequence[Job]) -> list[GameBundle]:
    """Bundle the games with the code variants that their jobs need."""
    prepare(games, jobs)
    return [
        pack(game, set().union(*(job.order.variants for job in jobs if job.game == i)))
        for i, game in enumerate(games)
    ]


def prepare(games: Sequence[Game], jobs: Sequence[Job]) -> None:
    """Compile the native modules that searching seats use, so that their thinking time does not
    include it.
    """
    for i, game in enumerate(games):
        if available() and any(job.game == i and job.order.searches for job in jobs):
            game.native()


def lacking(games: Sequence[Game], jobs: Sequence[Job]) -> list[Game]:
    """Return the games that jobs could play natively, but whose native module is not compiled
    yet.
    """
    return [
        game
        for i, game in enumerate(games)
        if game.native(make=False) is None
        and any(
            job.game == i and job.engine != PYTHON and hindrance(job.order) is None for job in jobs
        )
    ]


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
