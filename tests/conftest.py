"""All tests: which of them take long; and the collector runs seldom (what compiling makes lives long, and looking through it again and
again is a tenth of the time)."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

gc.set_threshold(50_000, 20, 50)

# Whole files, or single tests, that take seconds each: they play whole games over and over, run hostile files in processes of their own, kill
# processes, start browsers. `make test` leaves them out, `make test-all` (what CI runs) does not.
LONG = {line for line in (Path(__file__).parent / "long.txt").read_text(encoding="utf-8").splitlines() if line}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks those that take long."""
    for item in items:
        file, _, name = item.nodeid.partition("::")
        folder = file.rsplit("/", 1)[0]
        if not LONG.isdisjoint((folder, file, f"{file}::{name.partition('[')[0]}")):
            item.add_marker("long")
