"""Rules without findings compile and begin: `check` tries this, and reports a failure of the
compiler as a defect of rulekit, with the rule."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering import constant_folding
from rulekit.project.loader import Loader
from tests.compiler.checked_games import ROOT

BROKEN = ROOT / "tests" / "broken" / "compile"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game of the fixture in the working folder of the test, with its own cache."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    shutil.copytree(BROKEN, tmp_path / "whole")
    monkeypatch.chdir(tmp_path)
    return Path("whole")


def told(folder: Path) -> list[tuple[str, str, int]]:
    return [
        (d.code, d.span.file, d.span.line) for d in Loader(folder).findings() if d.level == "error"
    ]


def raises(mask: v.Value) -> v.Value:
    raise KeyError("a table that is not there")


def test_nothing_is_wrong_with_the_game(folder: Path) -> None:
    assert told(folder) == []


@pytest.mark.docs("diagnostics#diagnostics")
@pytest.mark.parametrize(
    "broken",
    [raises, lambda mask: v.Local("3.bit_count()"), lambda mask: v.Local("missing(s)")],
    ids=["it fails", "its text is no Python", "its code fails"],
)
def test_a_failure_of_the_compiler_names_the_rule_and_is_told_as_ours(
    broken: object,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (folder / "game.rules").read_text().replace("  most := count(held)\n", "")
    (folder / "game.rules").write_text(text.replace("  choose", "  most := count(held)\n  choose"))
    monkeypatch.setattr(constant_folding, "size", broken)
    assert told(folder) == [("RK520", "whole/game.rules", 9)]
    assert main(["check", "whole"]) == 3
    out = capsys.readouterr().out
    assert (
        "a defect of rulekit, not of the game" in out
        and "most := count(held)" in out
        and "Traceback" not in out
    )


def test_who_loads_it_is_told_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(constant_folding, "size", raises)
    with pytest.raises(rulekit.GameError, match="RK520"):
        rulekit.load(folder).new()
    assert main(["simulate", "whole"]) == 3
    assert "whole/game.rules:12" in capsys.readouterr().err


def test_check_and_play_after_it_compile_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Loader(folder).findings() is not None
    monkeypatch.setattr(constant_folding, "size", raises)
    assert rulekit.load(folder).new(seed=1).decision is not None


def test_a_game_of_the_series_with_ships_only_plays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Kinds of the library have no members, and conditions match nothing. The game still loads,
    begins and ends."""
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


ENDLESS = """game whole 1
kind Side decides = red | blue
state n: 0..300
state m: 0..300
event more
  n += 1
event less
  n -= 1
event turned
  n := 0
  m := 1
event back
  n := 1
  m := 0
event set_to(k: 0..300)
  n := k
BODY
phase main
  BEGIN
  choose by red "now"
    option over "Over"
      finish none, drawn
    option again "Again"
      set_to(1)
"""
ONE = "whenever s in Side where n > 0\n  set_to(n)"
TWO = (
    "whenever s in Side where n > 0\n  turned\nwhenever s in Side where m > 0\n  called\nprocedure"
    " called\n  back"
)
DOWN = "whenever s in Side where n > 0\n  less"


def rules(folder: Path, body: str, begin: str = "set_to(1)") -> Path:
    (folder / "game.rules").write_text(
        ENDLESS.replace("BODY", body).replace("BEGIN", begin), encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize(
    ("body", "line", "second"),
    [(ONE, 17, 16), (TWO, 17, 22)],
    ids=["itself", "two, by a procedure"],
)
def test_rules_that_set_each_other_off_are_the_author_s_fault(
    body: str, line: int, second: int, folder: Path
) -> None:
    [found] = (each for each in Loader(rules(folder, body)).findings() if each.level == "error")
    assert (found.code, found.level, found.span.line) == (
        "RK523",
        "error",
        line,
    ) and "without end" in found.message
    assert (
        found.second is not None
        and found.second.line >= second - 1
        and "must remove them from it" in found.help
    )
    assert main(["check", "whole"]) == 1


def test_rules_that_set_each_other_off_in_play_are_told_with_their_places(folder: Path) -> None:
    game = rulekit.load(rules(folder, TWO, "set_to(0)"))
    state = game.new(seed=1)
    with pytest.raises(rulekit.RulesError) as raised:
        state.apply("again")
    where, circle = raised.value.where, [place.split(":")[1] for place in raised.value.circle]
    assert (
        where.endswith("game.rules:17:1")
        and circle[:2] == ["17", "18"]
        and {"19", "20"} <= set(circle)
    )
    assert str(raised.value).startswith(
        f"{where}: the rules set each other off without end: "
    ) and "game.rules:20 ->" in str(raised.value)


def test_a_rule_that_surely_sets_itself_off_is_told_before_it_comes_up(folder: Path) -> None:
    """It is reported with its step, and never ends when it is triggered. One that is triggered at
    the beginning is reported once."""
    body = "whenever s in Side where n > 0\n  back"
    [found] = (
        each
        for each in Loader(rules(folder, body, "set_to(0)")).findings()
        if each.code in ("RK523", "RK720")
    )
    assert (found.code, found.span.line, found.second and found.second.line) == ("RK720", 17, 18)
    with pytest.raises(rulekit.RulesError, match="without end"):
        rulekit.load(folder).new(seed=1).apply("again")
    assert [
        each.code
        for each in Loader(rules(folder, body)).findings()
        if each.code in ("RK523", "RK720")
    ] == ["RK523"]


def test_a_chain_of_events_that_ends_may_be_long(folder: Path) -> None:
    assert told(rules(folder, DOWN, "set_to(200)")) == []
