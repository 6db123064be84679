"""The folder of a sweep, with one file for each run. A sweep that was killed resumes from it.

A file holds the ranges of games that were played, and their tally. Each write replaces the file
atomically, so a reader finds either the old or the new one. Games played after the last write are
played again, with the same results.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import define, field

import rulekit
from rulekit import __version__
from rulekit.common.errors import RulekitError
from rulekit.common.files import (
    FileRefused,
    drop_drafts,
    locked,
    printable,
    read_plain,
    write_whole,
)
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.simulation.ranges import Order
from rulekit.engine.simulation.tally import Tally
from rulekit.experiments.executor import Done, GameBatch
from rulekit.runtime.cache import sources

FORMAT, VERSION = "rulekit-run", 2
MAX_FILE_BYTES = 200_000_000  # bytes of one file
PLACES = "places"  # key in a head: the places of the rules in their files
PLAYED_BY = ("compiler", "engine", "runtime")  # packages whose code determines the results of games
EVERY = 2.0  # seconds between two writings of a run


@define
class PlayedRun:
    """The played part of a run.

    Attributes:
        path: the file of the run.
        head: the data that identifies the run.
        ranges: the played ranges, sorted, no two of them adjacent.
        tally: the results of these games.
        written: the time of the last write, on the monotonic clock.
        fresh: True if the file is up to date.
    """

    path: Path
    head: dict[str, Any]
    ranges: list[tuple[int, int]] = field(factory=list)
    tally: Tally = field(factory=Tally)
    written: float = 0.0
    fresh: bool = True

    def add(self, done: Done) -> None:
        """Add a finished batch."""
        self.tally.add(done.tally)
        self.ranges = _joined([*self.ranges, (done.batch.begin, done.batch.end)])
        self.fresh = False

    def gaps(self, job: int, games: int) -> Iterator[GameBatch]:
        """Yield the ranges that are still to be played, out of this number of games."""
        at = 0
        for begin, end in [*self.ranges, (games, games)]:
            if at < min(begin, games):
                yield GameBatch(job, at, min(begin, games))
            at = max(at, end)

    def write(self) -> None:
        """Replace the file by the current state."""
        head = self.head if self.tally.failed else _apart(self.head)
        data = {**head, "done": [list(each) for each in self.ranges], "tally": self.tally.to_json()}
        write_whole(
            self.path, (json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        )
        self.written, self.fresh = time.monotonic(), True


@define
class Folder:
    """The folder of a sweep. Only one process can have it open.

    Attributes:
        every: the least number of seconds between two writes of a run.
    """

    path: Path
    every: float = EVERY
    runs: list[PlayedRun] = field(factory=list)
    _lock: int = -1

    def open(self, heads: list[dict[str, Any]], games: list[int]) -> None:
        """Create or reopen the folder, and read the existing files of these runs.

        Raises:
            RulekitError: another process uses the folder, a file is damaged, or a file holds more
                games than the run should have.
        """
        (self.path / "runs").mkdir(parents=True, exist_ok=True)
        self._lock = os.open(
            self.path / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666
        )
        if not locked(self._lock):
            raise RulekitError(
                _(
                    "another process is playing this sweep: {folder}",
                    folder=printable(str(self.path)),
                )
            )
        drop_drafts(self.path)
        drop_drafts(self.path / "runs")
        self.runs = [
            _kept(self.path / "runs" / f"{_digest(head)}.json", head, many)
            for head, many in zip(heads, games, strict=True)
        ]

    def hear(self, done: Done) -> None:
        """Add a finished batch. Write its run if the last write is long enough ago."""
        run = self.runs[done.batch.job]
        run.add(done)
        if time.monotonic() - run.written >= self.every:
            run.write()

    def settle(self) -> None:
        """Write every run that has changed since its last write."""
        for run in self.runs:
            if not run.fresh:
                run.write()

    def close(self) -> None:
        """Release the lock of the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def head_of(game: Game, order: Order, overlays: tuple[str, ...]) -> dict[str, Any]:
    """Return the data that identifies a run: everything that its games depend on.

    The number of games is not part of it, so a run can be extended. The places of the rules in
    their files count only if a game failed, because its error message names them.
    """
    program = game.program(order.scenario, order.rulings)
    return {
        "format": FORMAT,
        "version": VERSION,
        "rulekit": __version__,
        "engine": engine(),
        "game": program.name,
        "rules": program.rules,
        "seats_by": game.identity(order.scenario, order.rulings).seats,
        "scenario": program.scenario,
        "rulings": dict(sorted(order.rulings.items())),
        "overlays": list(overlays),
        "seats": order.seats,
        "seed": order.seed,
        "sample": order.coverage,
        "full": order.full,
        PLACES: game.places(),
    }


@cache
def engine() -> str:
    """Return a digest of the source files that play and count games."""
    root = Path(rulekit.__file__).parent
    total = sha256()
    for part in PLAYED_BY:
        for entry in sources(root / part, deep=True):
            total.update(f"{part} {entry.name}\n".encode() + Path(entry).read_bytes())
    return total.hexdigest()[:16]


def _digest(head: dict[str, Any]) -> str:
    return sha256(json.dumps(_apart(head), sort_keys=True).encode()).hexdigest()[:20]


def _apart(head: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in head.items() if key != PLACES}


def _kept(path: Path, head: dict[str, Any], games: int) -> PlayedRun:
    try:
        data = json.loads(read_plain(path, MAX_FILE_BYTES, path.parent))
    except FileRefused as refused:
        if refused.why == "missing":
            return PlayedRun(path, head)
        raise
    except (ValueError, RecursionError) as error:
        raise _damaged(path, error) from None
    try:
        if not isinstance(data, dict) or any(
            data.get(key) != value for key, value in _apart(head).items()
        ):
            raise ValueError("head")
        ranges = [(begin, end) for begin, end in data["done"]]
        if (
            not all(type(n) is int for each in ranges for n in each)
            or ranges != _joined(ranges)
            or any(not 0 <= b < e for b, e in ranges)
        ):
            raise ValueError("done")
        tally = Tally.from_json(data["tally"])
        if tally.games + tally.failed != sum(end - begin for begin, end in ranges):
            raise ValueError("tally")
        if tally.failed and data.get(PLACES) != head[PLACES]:
            return PlayedRun(path, head)
    except (RulekitError, KeyError, TypeError, ValueError) as error:
        raise _damaged(path, error) from None
    if ranges and ranges[-1][1] > games:
        raise RulekitError(
            _(
                "{folder}: a run already has more games ({n}) than {games}; ask for"
                " {n}, or name another --out",
                folder=printable(str(path.parent.parent)),
                n=str(ranges[-1][1]),
                games=str(games),
            )
        )
    return PlayedRun(path, head, ranges, tally)


def _damaged(path: Path, error: Exception) -> RulekitError:
    return RulekitError(
        _(
            "{file} is not the file of a run ({why}); remove it to play the run again",
            file=printable(str(path)),
            why=str(error),
        )
    )


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for begin, end in sorted(ranges):
        if out and out[-1][1] == begin:
            out[-1] = (out[-1][0], end)
        else:
            out.append((begin, end))
    return out


@contextlib.contextmanager
def opened(
    path: Path, heads: list[dict[str, Any]], games: list[int], every: float = EVERY
) -> Iterator[Folder]:
    """Open the folder of a sweep. At the end, write and close it, also after an exception."""
    folder = Folder(path, every)
    try:
        folder.open(heads, games)
        yield folder
    finally:
        try:
            folder.settle()
        finally:
            folder.close()
