"""Takes orders, plays pieces of them: in this process, or in several on this machine. A piece is a
range of the games of an order.

Each process gets the games once, compiled, and plays piece after piece. A process that dies (out of
memory, killed) is replaced, and its piece is played again; a tally is the same whoever counts
it."""

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
from rulekit.common.i18n.catalog import fault
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
from rulekit.experiments.game_bundle import Parcel, packed
from rulekit.runtime.wasm.instance import NotNative, available

LOSSES = 3  # so often a piece may be lost before it is given up


@frozen
class Job:
    """An order, which of the games it is for, and the engine: native, python, or auto: in the
    native module where one is at hand."""

    order: Order
    game: int = 0
    engine: str = AUTO


@frozen
class Piece:
    """The games begin .. end - 1 of a job."""

    job: int
    begin: int
    end: int


@frozen
class Done:
    """A piece that was played, and the seconds that it took. `natively`: so many of its games were
    played in the native module."""

    piece: Piece
    tally: Tally
    seconds: float
    natively: int = 0


class Crew(Protocol):
    """Who plays pieces. `size`: so many at the same time."""

    size: int

    def submit(self, piece: Piece) -> None:
        """This piece is to be played."""

    def wait(self) -> list[Done]:
        """Pieces that are done: waits for the first. There must be one under way."""

    def close(self) -> None:
        """Ends; what is under way is given up."""


class Bench:
    """The players of all jobs, each made when it is first needed."""

    def __init__(self, games: Sequence[Game], jobs: Sequence[Job]) -> None:
        self._games, self._jobs = games, jobs
        self._players: dict[int, tuple[RangePlayer, NativeRanges | None]] = {}

    def play(self, piece: Piece) -> Done:
        """Plays a piece."""
        if piece.job not in self._players:
            self._players[piece.job] = self._player(self._jobs[piece.job])
        player, native = self._players[piece.job]
        begin = time.perf_counter()
        tally = player(piece.begin, piece.end)
        return Done(
            piece, tally, time.perf_counter() - begin, native.natively if native is not None else 0
        )

    def _player(self, job: Job) -> tuple[RangePlayer, NativeRanges | None]:
        """Who plays a job: the native module if it was made; with the engine `native`, nobody
        else."""
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


class Here:
    """This process."""

    size = 1

    def __init__(self, games: Sequence[Game], jobs: Sequence[Job]) -> None:
        prepare(games, jobs)
        self._games, self._jobs = games, jobs
        self._bench = Bench(games, jobs)
        self._waiting: deque[Piece] = deque()

    def submit(self, piece: Piece) -> None:
        """This piece is to be played."""
        self._waiting.append(piece)

    def wait(self) -> list[Done]:
        """Plays one."""
        return [self._bench.play(self._waiting.popleft())]

    def renew(self) -> None:
        """Asks anew who plays: native modules have been made."""
        self._bench = Bench(self._games, self._jobs)

    def close(self) -> None:
        """There is nothing to end."""


@define(eq=False)
class _Worker:
    process: Any
    pipe: Connection
    piece: Piece | None = None


class Processes:
    """Several processes of this machine."""

    def __init__(self, size: int, games: Sequence[Game], jobs: Sequence[Job]) -> None:
        self.size = size
        self._given = (parcels(games, jobs), list(jobs))
        self._context = get_context("spawn")
        self._waiting: deque[Piece] = deque()
        self._lost: Counter[Piece] = Counter()
        self._workers: list[_Worker] = []

    def submit(self, piece: Piece) -> None:
        """This piece is to be played."""
        self._waiting.append(piece)
        self._feed()

    def wait(self) -> list[Done]:
        """Pieces that are done; those of a process that died are played again."""
        done: list[Done] = []
        while not done:
            self._feed()
            busy = {worker.pipe: worker for worker in self._workers if worker.piece is not None}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    self._lose(worker)
                    continue
                worker.piece = None
                if isinstance(answer, Exception):
                    raise answer
                done.append(answer)
        self._feed()
        return done

    def close(self) -> None:
        """Ends the processes."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [worker.process.pid for worker in self._workers]

    def _feed(self) -> None:
        """Whoever has nothing to do gets a piece."""
        while self._waiting:
            worker = next((each for each in self._workers if each.piece is None), None)
            if worker is None and len(self._workers) == self.size:
                return
            worker = worker or self._hired()
            worker.piece = self._waiting.popleft()
            try:
                worker.pipe.send(worker.piece)
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
        """A process has died: another one plays its piece."""
        assert worker.piece is not None
        self._workers.remove(worker)
        worker.pipe.close()
        worker.process.join()
        self._lost[worker.piece] += 1
        if self._lost[worker.piece] >= LOSSES:
            raise fault(RulekitError, "study.died", n=str(LOSSES), why=str(worker.process.exitcode))
        self._waiting.appendleft(worker.piece)


def _work(pipe: Connection, parcels: Sequence[Parcel], jobs: Sequence[Job]) -> None:
    """What a process does: plays what it is sent until nobody sends any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who stopped it also ends its processes
    bench = Bench([parcel.game() for parcel in parcels], jobs)
    while True:
        try:
            piece = pipe.recv()
        except (EOFError, OSError):
            return
        answer: Done | Exception
        try:
            answer = bench.play(piece)
        except Exception as error:  # a defect of ours: told where the order was given
            answer = error
        try:
            pipe.send(answer)
        except OSError:
            return


def parcels(games: Sequence[Game], jobs: Sequence[Job]) -> list[Parcel]:
    """The games, with what their jobs are played with."""
    prepare(games, jobs)
    return [
        packed(game, set().union(*(job.order.variants for job in jobs if job.game == i)))
        for i, game in enumerate(games)
    ]


def prepare(games: Sequence[Game], jobs: Sequence[Job]) -> None:
    """Makes the native modules in which seats search, before a clock runs."""
    for i, game in enumerate(games):
        if available() and any(job.game == i and job.order.searches for job in jobs):
            game.native()


def lacking(games: Sequence[Game], jobs: Sequence[Job]) -> list[Game]:
    """The games whose native module would be played in, but was not made yet."""
    return [
        game
        for i, game in enumerate(games)
        if game.native(make=False) is None
        and any(
            job.game == i and job.engine != PYTHON and hindrance(job.order) is None for job in jobs
        )
    ]


def cores() -> int:
    """How many processes this machine runs at the same time, as far as this one may."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
