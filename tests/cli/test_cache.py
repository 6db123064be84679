"""`rulekit cache` shows and clears the cache."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.runtime.cache_folders import listed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RULEKIT_CACHE_SIZE", raising=False)
    elsewhere("tic_tac_toe", "skirmish")
    return tmp_path / "cache"


def elsewhere(*names: str) -> None:
    """Play these games in a process that has ended."""
    code = "import sys, rulekit\nfor path in sys.argv[1:]: rulekit.load(path).program()"
    subprocess.run(
        [sys.executable, "-c", code, *(str(ROOT / "examples" / name) for name in names)],
        cwd=ROOT,
        check=True,
    )


def test_it_shows_each_game(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache"]) == 0
    told = capsys.readouterr().out
    assert str(base) in told and "500.0 MB" in told and "tic_tac_toe" in told and "skirmish" in told
    assert main(["cache", "skirmish", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [entry["game"] for entry in data["entries"]] == ["skirmish"] and data["entries"][0][
        "size"
    ] > 10_000
    assert (
        main(["cache", "chess", "--lang", "fr"]) == 0
        and "rien de compilé n'est gardé de chess" in capsys.readouterr().out
    )


def test_it_clears_a_game_or_all(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--clear", str(ROOT / "examples" / "skirmish")]) == 0
    assert "1 entry of" in capsys.readouterr().out and "skirmish" not in {
        each.game for each in listed(base)
    }
    assert "tic_tac_toe" in {each.game for each in listed(base)}
    assert main(["cache", "--clear"]) == 0 and not listed(base)


def test_what_is_used_stays(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = rulekit.load(ROOT / "examples" / "skirmish")
    assert main(["cache", "--clear"]) == 0
    told = capsys.readouterr().out
    assert "1 entry in use by running programs stayed" in told and game.name in {
        each.game for each in listed(base)
    }


def test_a_limit_is_kept_from_now_on(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "--limit", "1kB"]) == 0 and not listed(base)
    assert "at most 0.0 MB" in capsys.readouterr().out
    elsewhere("skirmish")
    elsewhere("tic_tac_toe")
    assert {each.game for each in listed(base)} <= {"tic_tac_toe"}
    assert main(["cache", "--limit", "much"]) == 2 and "300MB" in capsys.readouterr().err


def test_without_a_cache_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", "")
    assert main(["cache"]) == 0 and "RULEKIT_CACHE is empty" in capsys.readouterr().out
