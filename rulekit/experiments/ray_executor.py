"""Takes orders and the address of a Ray cluster, plays pieces there: a crew whose players are
workers of the cluster.

A piece is a task. Its worker gets the games once, compiled, and keeps them; it needs rulekit of the
same version, and no folder of a game. What was under way on a worker that is lost Ray gives to
another one; as a tally is the same whoever counts it, so is the result.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

from rulekit import __version__
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.engine.game.game import Game
from rulekit.experiments.executor import LOSSES, Bench, Done, Job, Piece, cores, lacking, parcels
from rulekit.runtime.program import FORMAT

LOCAL = "local"  # as an address: a cluster of this machine, for as long as it plays
AHEAD = 2  # pieces for each worker: one is played, one waits there
CONNECT = 5.0  # seconds in which the head of a cluster must answer
FAULTS = (
    (signal.SIGILL, signal.SIGSEGV, signal.SIGFPE, signal.SIGABRT)
    if sys.platform != "win32"
    else ()
)
HANDLER = 512  # bytes that have room for what a system keeps of a signal's handler (152 on Linux)
ASK = 10.0  # seconds after which it is asked again how many workers there are


class Cluster:
    """The workers of a Ray cluster; at the address LOCAL, so many processes of this machine."""

    def __init__(
        self, address: str, games: Sequence[Game], jobs: Sequence[Job], workers: int = 0
    ) -> None:
        self._ray = _library()
        self._begin(address, workers)
        for game in lacking(games, jobs):
            game.native()
        self._given = self._ray.put((parcels(games, jobs), list(jobs)))
        self._key = sha256(f"{os.getpid()} {time.time_ns()}".encode()).hexdigest()
        self._play = self._ray.remote(_play).options(max_retries=LOSSES)
        self._under_way: dict[Any, Piece] = {}
        self._asked = time.monotonic()
        self.size = self._workers()

    def _begin(self, address: str, workers: int) -> None:
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
        try:
            if address != LOCAL:
                _ask_there(address)
            with _own_handlers():
                if address == LOCAL:
                    self._ray.init(num_cpus=workers or cores(), include_dashboard=False, **quiet)
                else:
                    self._ray.init(address=address, **quiet)
        except (OSError, ValueError, RuntimeError, self._ray.exceptions.RayError) as error:
            raise fault(
                RulekitError, "study.no_cluster", address=repr(address), why=_said(error)
            ) from None

    def _workers(self) -> int:
        return AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, piece: Piece) -> None:
        """This piece is to be played."""
        # The games go along in a list: so they are fetched when a worker wants them, once, and not
        # for each piece.
        self._under_way[
            self._play.remote([self._given], self._key, (__version__, FORMAT), piece)
        ] = piece

    def wait(self) -> list[Done]:
        """Pieces that are done."""
        if time.monotonic() - self._asked > ASK:
            self._asked, self.size = time.monotonic(), self._workers()
        ready, _ = self._ray.wait(list(self._under_way), num_returns=1)
        return [self._result(ref) for ref in ready]

    def _result(self, ref: Any) -> Done:
        del self._under_way[ref]
        try:
            done: Done = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            raise (
                cause
                if isinstance(cause, RulekitError)
                else fault(RulekitError, "study.cluster_failed", why=_said(cause))
            ) from None
        except self._ray.exceptions.RayError as error:
            raise fault(RulekitError, "study.cluster_failed", why=_said(error)) from None
        return done

    def close(self) -> None:
        """Leaves the cluster; what is under way is given up. One of this machine ends."""
        with _own_handlers():
            self._ray.shutdown()


@contextmanager
def _own_handlers() -> Iterator[None]:
    """Puts back who is told of a fault of the processor: Ray takes these signals, by which native
    modules tell errors, for itself."""
    before = {number: _handler(number) for number in FAULTS}
    try:
        yield
    finally:
        for number, kept in before.items():
            _handler(number, kept)


def _handler(
    number: int, new: ctypes.Array[ctypes.c_char] | None = None
) -> ctypes.Array[ctypes.c_char]:
    """What the system keeps of a signal's handler; `new` takes its place."""
    kept = ctypes.create_string_buffer(HANDLER)
    ctypes.CDLL(None).sigaction(number, new, kept)
    return kept


_benches: dict[str, Bench] = {}  # of a worker: what it was given last


def _play(given: Sequence[Any], key: str, version: tuple[str, int], piece: Piece) -> Done:
    """What a worker does with a piece."""
    if version != (__version__, FORMAT):
        raise fault(RulekitError, "study.other_version", version=__version__, wanted=version[0])
    if key not in _benches:
        parcels, jobs = _library().get(given[0])
        _benches.clear()
        _benches[key] = Bench([parcel.game() for parcel in parcels], jobs)
    return _benches[key].play(piece)


def _ask_there(address: str) -> None:
    """OSError if nothing listens at HOST:PORT: Ray itself would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal() and int(port) < 1 << 16:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()


def _library() -> Any:
    """Ray. It tells nobody that it is used. RulekitError with what to install if it is not
    there."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise fault(RulekitError, "study.no_ray", name="ray") from None
    return ray


def _said(error: BaseException) -> str:
    """The first line of what an error says."""
    return next(
        (line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__
    )
