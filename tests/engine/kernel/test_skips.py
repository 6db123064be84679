"""Auto-pass: the duration of each wish, its windows, and its end."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.cli.terminal.auto_pass import Skips
from tests.small_games import write_game

BELLS = """
state rung: 0..99
moment dawn in day asks red
moment dusk in day asks red
reaction ring at dawn
  when rung < 50
  rung += 1
reaction toll at dusk
  when rung < 50
  rung += 1
phase day
  open dawn
  open dawn
  open dusk
  roll d = d6 by red for luck when rung > 50
phase main
  repeat 3 times
    day
    pick n from 1 .. 2 by red "on"
  finish none, drawn
"""


def skipping(state: rulekit.State, skips: Skips, most: int = 20) -> list[str]:
    """Return the questions that red still gets: moments and other decisions. Red passes or
    continues."""
    asked = []
    for _ in range(most):
        if state.decision is None:
            break
        if not skips.passes(state, state.decision):
            asked.append(state.decision.moment or state.decision.kind)
        state.apply("pass" if state.decision.kind == "window" else "pick 1")
    return asked


@pytest.fixture
def state(tmp_path: Path) -> rulekit.State:
    return rulekit.load(write_game(tmp_path, BELLS)).new(seed=1)


DAY = ["dawn", "dawn", "dusk", "pick"]


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], ["dusk", "pick"] * 3),
        (["turn"], ["dusk", "pick", *DAY, *DAY]),
        (["game"], ["dusk", "pick"] * 3),
        (["all"], ["pick"] * 3),
        (["all", "turn"], ["pick", *DAY, *DAY]),
        (["ALL", "Game"], ["pick"] * 3),
    ],
)
def test_a_wish_is_of_one_moment_or_of_all_and_for_a_turn_or_longer(
    state: rulekit.State, words: list[str], asked: list[str]
) -> None:
    """A wish until something happens ends only with a die, a draw, a reveal or the end."""
    skips = Skips()
    skips.set(state, state.decision, words)
    assert skipping(state, skips) == asked


@pytest.mark.parametrize("stop", ["clear", "off"])
def test_who_wants_to_be_asked_again_is(state: rulekit.State, stop: str) -> None:
    skips = Skips()
    skips.set(state, state.decision, ["all", "game"])
    assert skips.passes(state, state.decision)
    if stop == "clear":
        skips.clear()
    else:
        skips.set(state, state.decision, ["off"])
    assert skipping(state, skips) == DAY * 3


def test_outside_of_a_window_only_all_of_them_can_be_meant(state: rulekit.State) -> None:
    skips = Skips()
    for _ in range(3):
        state.apply("pass")
    with pytest.raises(rulekit.RulekitError):
        skips.set(state, state.decision, ["turn"])
    skips.set(state, state.decision, ["all", "game"])
    assert not skips.passes(state, state.decision)
    state.apply("pick 1")
    assert skips.passes(state, state.decision)


def test_to_pass_all_lasts_until_one_is_asked_something_else_or_somebody_plays(
    state: rulekit.State,
) -> None:
    skips, other = Skips(), Skips()
    skips.pass_all(state, state.decision)
    assert skipping(state.clone(), skips) == ["pick", *DAY, *DAY]
    other.pass_all(state, state.decision)
    state.apply("ring")
    assert state.decision.kind == "window" and not other.passes(state, state.decision)


def test_a_die_ends_a_wish_until_something_happens(tmp_path: Path) -> None:
    """It does not end one for the whole game."""
    folder = write_game(tmp_path, BELLS.replace(" when rung > 50", ""))
    for words, asked in (([], ["dusk", "pick", *DAY, *DAY]), (["game"], ["dusk", "pick"] * 3)):
        state, skips = rulekit.load(folder).new(seed=1), Skips()
        skips.set(state, state.decision, words)
        assert skipping(state, skips) == asked
