"""Fixtures and hooks of all tests: markers for slow tests, and a rarely running garbage collector.

Objects of a compilation live long, so frequent collections would take a tenth of the time.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink

gc.set_threshold(50_000, 20, 50)

# No example may fail because the machine is busy.
settings.register_profile("rulekit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rulekit")

# Files or single tests that take seconds each: they play many whole games, run
# hostile files in separate processes, kill processes or start browsers. `make test` skips
# them, `make test-all` (used by CI) does not.
LONG = {
    line
    for line in (Path(__file__).parent / "long.txt").read_text(encoding="utf-8").splitlines()
    if line
}


TEMPORARY = pytest.StashKey[str]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give this run its own folder of temporary files.

    By default all runs share one and remove the files of earlier ones. Simultaneous runs, as in
    `make test`, then delete the same files at once, and one of them fails.
    """
    if config.option.basetemp is None:
        folder = tempfile.mkdtemp(prefix="rulekit-tests-")
        config.stash[TEMPORARY] = folder
        config.option.basetemp = str(Path(folder) / "run")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Delete the folder, unless a test failed. Then it stays for inspection."""
    if (folder := config.stash.get(TEMPORARY, "")) and not FAILED:
        shutil.rmtree(folder, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow tests."""
    for item in items:
        file, _, name = item.nodeid.partition("::")
        folder = file.rsplit("/", 1)[0]
        if not LONG.isdisjoint((folder, file, f"{file}::{name.partition('[')[0]}")):
            item.add_marker("long")


TOOK: dict[str, float] = {}  # seconds of each test, including its fixtures
FAILED: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record the time of each test and the failed tests."""
    TOOK[report.nodeid] = TOOK.get(report.nodeid, 0.0) + report.duration
    if report.failed:
        FAILED.add(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write the times to the folder $RULEKIT_DURATIONS, for tests/slowest.py."""
    if folder := os.environ.get("RULEKIT_DURATIONS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{os.getpid()}.json").write_text(json.dumps(TOOK), encoding="utf-8")


OF_RULES = ("RK2", "RK3", "RK4", "RK5", "RK7")
PLACELESS = ("RK511", "RK520")  # too deep nesting, and a defect of rulekit


@pytest.fixture(autouse=True)
def each_finding_has_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check in all tests that each finding about rules has a file and a line."""
    add = Sink.add

    def placed(self: Sink, diagnostic: Diagnostic) -> None:
        about_rules = diagnostic.code.startswith(OF_RULES) and diagnostic.code not in PLACELESS
        assert not about_rules or (diagnostic.span.file and diagnostic.span.line), diagnostic
        add(self, diagnostic)

    monkeypatch.setattr(Sink, "add", placed)
