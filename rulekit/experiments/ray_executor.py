"""An executor whose workers run on a Ray cluster.

A batch is a Ray task. A worker receives the compiled games once and keeps them. It needs the same
version of rulekit, but no game folder. If a worker is lost, Ray gives its batch to another one,
with the same result.
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
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.experiments.executor import (
    LOSSES,
    Done,
    GameBatch,
    Job,
    WorkerState,
    bundles,
    cores,
    lacking,
)
from rulekit.runtime.program import FORMAT

LOCAL = "local"  # address of a temporary cluster on this machine
BATCHES_PER_WORKER = 2  # batches for each worker: one runs, one waits
CONNECT = 5.0  # seconds in which the head of a cluster must answer
FAULTS = (
    (signal.SIGILL, signal.SIGSEGV, signal.SIGFPE, signal.SIGABRT)
    if sys.platform != "win32"
    else ()
)
HANDLER = 512  # bytes, enough for the system's data of a signal handler (152 on Linux)
ASK = 10.0  # seconds between two updates of the number of workers


class Cluster:
    """The workers of a Ray cluster. With the address LOCAL, `workers` processes of this machine."""

    def __init__(
        self, address: str, games: Sequence[Game], jobs: Sequence[Job], workers: int = 0
    ) -> None:
        self._ray = _library()
        self._begin(address, workers)
        for game in lacking(games, jobs):
            game.native()
        self._given = self._ray.put((bundles(games, jobs), list(jobs)))
        self._key = sha256(f"{os.getpid()} {time.time_ns()}".encode()).hexdigest()
        self._play = self._ray.remote(_play).options(max_retries=LOSSES)
        self._pending: dict[Any, GameBatch] = {}
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
            raise RulekitError(
                _(
                    "there is no cluster at {address}: {why}",
                    address=repr(address),
                    why=_said(error),
                )
            ) from None

    def _workers(self) -> int:
        return BATCHES_PER_WORKER * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, batch: GameBatch) -> None:
        """Start a batch."""
        # The games are wrapped in a list. Ray would fetch a bare reference for each batch. This way
        # a worker fetches the games once, when it needs them.
        self._pending[self._play.remote([self._given], self._key, (__version__, FORMAT), batch)] = (
            batch
        )

    def wait(self) -> list[Done]:
        """Wait for a batch, and return those that are finished."""
        if time.monotonic() - self._asked > ASK:
            self._asked, self.size = time.monotonic(), self._workers()
        ready, __ = self._ray.wait(list(self._pending), num_returns=1)
        return [self._result(ref) for ref in ready]

    def _result(self, ref: Any) -> Done:
        del self._pending[ref]
        try:
            done: Done = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            raise (
                cause
                if isinstance(cause, RulekitError)
                else RulekitError(_("the cluster could not play: {why}", why=_said(cause)))
            ) from None
        except self._ray.exceptions.RayError as error:
            raise RulekitError(_("the cluster could not play: {why}", why=_said(error))) from None
        return done

    def close(self) -> None:
        """Disconnect and abandon running batches. A local cluster is shut down."""
        with _own_handlers():
            self._ray.shutdown()


@contextmanager
def _own_handlers() -> Iterator[None]:
    """Restore the handlers of processor faults afterwards. Ray replaces them, but native modules
    report errors through these signals.
    """
    before = {number: _handler(number) for number in FAULTS}
    try:
        yield
    finally:
        for number, kept in before.items():
            _handler(number, kept)


def _handler(
    number: int, new: ctypes.Array[ctypes.c_char] | None = None
) -> ctypes.Array[ctypes.c_char]:
    """Return the system's data for the handler of a signal, and replace it by `new` if given."""
    kept = ctypes.create_string_buffer(HANDLER)
    ctypes.CDLL(None).sigaction(number, new, kept)
    return kept


_worker_states: dict[str, WorkerState] = {}  # in a worker: the players for its latest games


def _play(given: Sequence[Any], key: str, version: tuple[str, int], batch: GameBatch) -> Done:
    """Play a batch: the body of a Ray task."""
    if version != (__version__, FORMAT):
        raise RulekitError(
            _(
                "a worker of the cluster has rulekit {version}, not {wanted}",
                version=__version__,
                wanted=version[0],
            )
        )
    if key not in _worker_states:
        bundles, jobs = _library().get(given[0])
        _worker_states.clear()
        _worker_states[key] = WorkerState([bundle.game() for bundle in bundles], jobs)
    return _worker_states[key].play(batch)


def _ask_there(address: str) -> None:
    """Raise OSError if nothing listens at HOST:PORT. Ray itself would wait for minutes."""
    host, __, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal() and int(port) < 1 << 16:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT).close()


def _library() -> Any:
    """Import Ray, with its usage statistics disabled. Raise `RulekitError` with installation advice
    if it is missing.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise RulekitError(
            _(
                "a cluster is reached with the library {name}: pip install 'rulekit[cluster]'",
                name="ray",
            )
        ) from None
    return ray


def _said(error: BaseException) -> str:
    """Return the first line of an error message."""
    return next(
        (line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__
    )
