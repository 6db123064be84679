"""The process that runs hostile cases, and fixtures that use it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
MANIFEST = "rulekit: game\nname: hostile\ntitle: Hostile\nversion: '1'\nlanguage: 1\n"
HEAD = "game hostile 1\nkind Side decides = red | blue\n"
MAIN = "phase main\n  choose by red\n    option go\n      finish red, win\n"
# Processor time: 2 on a quick machine, four times that on a slow, busy machine. A case without a
# bound takes hours.
SECONDS = 8

Case = Callable[..., dict[str, Any]]
Command = Callable[..., tuple[int, str]]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """One process with all imports loaded. It forks for each case."""
    with subprocess.Popen(
        [sys.executable, str(HERE / "runner.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={
            "RULEKIT_CACHE": str(tmp_path_factory.mktemp("cache")),
            "PYTHONPATH": str(HERE.parent.parent),
        },
    ) as made:
        yield made
        assert made.stdin is not None
        made.stdin.close()


@pytest.fixture
def case(server: subprocess.Popen[str], tmp_path: Path) -> Case:
    """Runs a folder: rules (with a head and a phase main around them, unless `whole`) and other
    files."""

    def run(
        rules: str = "",
        files: dict[str, str | bytes] | None = None,
        whole: bool = False,
        play: bool = False,
    ) -> dict[str, Any]:
        text = rules if whole else HEAD + rules + ("" if "phase main" in rules else MAIN)
        write(tmp_path, {"game.yaml": MANIFEST, "game.rules": text, **(files or {})})
        return ask(server, {"folder": str(tmp_path), "play": play})

    return run


@pytest.fixture
def command(server: subprocess.Popen[str]) -> Command:
    """Runs a command. Returns its exit code and output."""

    def run(*words: object) -> tuple[int, str]:
        told = ask(server, {"command": [str(word) for word in words]})
        return told["exit"], told["text"]

    return run


def ask(server: subprocess.Popen[str], job: dict[str, Any]) -> dict[str, Any]:
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(job) + "\n")
    server.stdin.flush()
    told: dict[str, Any] = json.loads(server.stdout.readline())
    assert "crash" not in told, told["crash"]
    assert told["seconds"] < SECONDS, told
    return told


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            continue  # a test has created something else at this path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
