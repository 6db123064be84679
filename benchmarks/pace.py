"""Helpers of all benchmarks: the folders of games, the duration of a measurement, the form of a
line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = float(os.environ.get("BENCH_SECONDS", "0.5"))  # of one measurement
ROUNDS = 3


def folder(name: str) -> Path:
    return next(
        ROOT / base / name
        for base in ("examples", "games", "benchmarks")
        if (ROOT / base / name).is_dir()
    )


def word(good: bool) -> str:
    return "ok" if good else "below"


def line(what: str, number: str, target: str = "", good: bool | None = None) -> None:
    print(f"{what:52} {number:>18}  {target:>16}  {'' if good is None else word(good)}")


def command(*words: str, cache: str | None = None) -> float:
    """Return the wall-clock seconds of a command in a new process."""
    environment = dict(os.environ)
    if cache is not None:
        environment["RULEKIT_CACHE"] = cache
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    return time.perf_counter() - began


def on_one_core() -> None:
    """Restrict this process, and those that it starts, to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
