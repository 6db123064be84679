"""What checks clean compiles and begins: `check` tries it, and a failure of the compiler is told as ours, with the rule at which it stood."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.compile.ir import values as v
from rulekit.compile.lower import fold
from rulekit.loading import Loader
from tests.compile.games import ROOT

BROKEN = ROOT / "tests" / "broken" / "compile"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game of the fixture in the folder where the test runs, with a cache of its own."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    shutil.copytree(BROKEN, tmp_path / "whole")
    monkeypatch.chdir(tmp_path)
    return Path("whole")


def told(folder: Path) -> list[tuple[str, str, int]]:
    return [(d.code, d.span.file, d.span.line) for d in Loader(folder).findings() if d.level == "error"]


def raises(mask: v.Value) -> v.Value:
    raise KeyError("a table that is not there")


def test_nothing_is_wrong_with_the_game(folder: Path) -> None:
    assert told(folder) == []


@pytest.mark.parametrize("broken", [raises, lambda mask: v.Local("3.bit_count()"), lambda mask: v.Local("missing(s)")],
                         ids=["it fails", "its text is no Python", "its code fails"])
def test_a_failure_of_the_compiler_names_the_rule_and_is_told_as_ours(broken: object, folder: Path, monkeypatch: pytest.MonkeyPatch,
                                                                      capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "game.rules").read_text().replace("  most := count(held)\n", "")
    (folder / "game.rules").write_text(text.replace("  choose", "  most := count(held)\n  choose"))
    monkeypatch.setattr(fold, "size", broken)
    assert told(folder) == [("RK520", "whole/game.rules", 9)]
    assert main(["check", "whole"]) == 3
    out = capsys.readouterr().out
    assert "a defect of rulekit, not of the game" in out and "most := count(held)" in out and "Traceback" not in out


def test_who_loads_it_is_told_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fold, "size", raises)
    with pytest.raises(rulekit.GameError, match="RK520"):
        rulekit.load(folder).new()
    assert main(["simulate", "whole"]) == 3
    assert "whole/game.rules:12" in capsys.readouterr().err


def test_check_and_play_after_it_compile_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Loader(folder).findings() is not None
    monkeypatch.setattr(fold, "size", raises)
    assert rulekit.load(folder).new(seed=1).decision is not None


def test_a_game_of_the_series_with_ships_only_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Kinds of the library without members, conditions that hold of nothing: it loads, begins and is played to its end."""
    naval = ROOT / "tests" / "games" / "naval"
    if not (ROOT / "games").is_dir():
        return
    assert [d for d in Loader(naval).findings() if d.level == "error"] == []
    game = rulekit.load(naval)
    for seed in range(3):
        state = game.new(seed=seed)
        while state.decision is not None:
            state.apply(state.decision.options[seed % len(state.decision.options)])
        assert state.result is not None
