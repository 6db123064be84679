"""Rulings: each combination makes a separate game, whatever was compiled before. A single ruling
overrides an edition."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.small_games import SIDES

RULES = """
phase main
  roll d = d6 by red for luck
  pick x from 1 .. 2 by red "end"
  finish red, early when taker is early and d < 7
  finish blue, late when taker is late
  finish none, never
"""


@pytest.fixture
def game(tmp_path: Path) -> rulekit.Game:
    (tmp_path / "game.yaml").write_text(
        "rulekit: game\nname: small\ntitle: Small\nversion: '1'\nlanguage: 1\neditions: {second:"
        " {taker: late}}\n"
    )
    (tmp_path / "rulings.yaml").write_text(
        "- id: taker\n  question: Who wins?\n  ref: ['1']\n  alternatives: {early: one, late: two,"
        " never: three}\n  default: early\n  reason: a test\n"
    )
    (tmp_path / "game.rules").write_text(SIDES + RULES)
    return rulekit.load(tmp_path)


def level(state: rulekit.State) -> str:
    state.apply("pick 1")
    assert state.result is not None
    return state.result.level


@pytest.mark.docs("language#15-libraries-changes-by-name-rulings", "python#a-game-and-its-states")
def test_each_game_is_played_under_its_own(game: rulekit.Game) -> None:
    """Games of one `Game` follow one another, also if they began earlier and are read from JSON."""
    wanted = ["late", "early", "never", "late"]
    states = [game.new(seed=1, rulings={"taker": chosen}) for chosen in wanted]
    texts = [state.to_json() for state in states]
    assert [level(game.new(seed=1)), *map(level, states)] == ["early", *wanted]
    assert [level(game.state_from_json(text)) for text in texts] == wanted


@pytest.mark.docs("python#a-game-and-its-states")
def test_what_is_chosen_by_itself_stands_before_an_edition(game: rulekit.Game) -> None:
    assert level(game.new(seed=1, edition="second")) == "late"
    assert [
        level(game.new(seed=1, edition="second", rulings={"taker": chosen}))
        for chosen in ("early", "never")
    ] == ["early", "never"]
    assert game.rulings({"taker": "never"}, "second") == {"taker": "never"}


@pytest.mark.docs("python#searches")
def test_other_dice_are_not_those_that_were_given(game: rulekit.Game) -> None:
    """A look-ahead must not use the specified dice of the real game."""
    state = game.new(seed=1, dice=[3, 2])
    assert state.events[-1].params["value"] == 3 and state.script_left() == 1
    assert state.reseeded(5).script_left() == 0 and state.script_left() == 1
