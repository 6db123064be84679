"""The start of play in a situation: in a phase as if its callers ran, from a scenario, or from
nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.testing.runner import Case, Expected, SituationStep, run
from tests.small_games import write_game

DAY = """
state n: 0..9
phase day(active: Side)
  choose by active "on"
    option rest
      n += 1
"""
COUNTED = """
phase main
  repeat 2 times
    each s in Side
      day(s)
  finish none, drawn
"""
TURNED = """
state opener: Side
phase main
  var turn_of: Side = opener
  repeat until n >= 4, at most 4
    day(turn_of)
    turn_of := turn_of.enemy
  finish none, drawn
"""
SORTED = """
phase main
  each s in Side by s = blue
    day(s)
  finish none, drawn
"""
LISTED = """
phase main
  each s in [blue, red]
    day(s)
  finish none, drawn
"""
OUTER = """
phase round(who: Side, other: Side)
  day(other)
  day2(who)
phase day2(active: Side)
  choose by active "on"
    option wait
      return
phase main
  each s in Side
    round(s, s.enemy)
  finish none, drawn
"""
LIVE = """
phase main
  each s in Side by -n live
    day(s)
  finish none, drawn
"""
TIED = """
phase main
  each s in Side by 0 ties red
    day(s)
  finish none, drawn
"""
NUMBERED = """
phase main
  each k in 1..3
    night(k)
  finish none, drawn
phase night(k: 1..3)
  choose by (red if k = 2 else blue) "on"
    option sleep
      return
"""


def asked(folder: Path, rules: str, phase: str, player: str | None) -> list[str]:
    """Return the deciding players from a phase to the end of the game."""
    case = Case("a test", empty=True, phase=phase, player=player)
    game = rulekit.load(write_game(folder, DAY + rules))
    who: list[str] = []
    while True:
        case.do = [SituationStep(None, "#1")] * len(who)
        case.then = [Expected("result", "", "drawn")]
        done = run(game, case)
        if done.ok:
            return who
        assert " is asked" in done.standing, done.why
        who.append(done.standing.split(" ", 1)[0])
        assert len(who) < 20


@pytest.mark.docs("situations#where-play-starts")
@pytest.mark.parametrize(
    ("rules", "phase", "player", "players"),
    [
        (COUNTED, "day", "red", ["red", "blue", "red", "blue"]),
        (COUNTED, "day(blue)", None, ["blue", "red", "blue"]),
        (TURNED, "day", "blue", ["blue", "red", "blue", "red"]),
        (SORTED, "day", "blue", ["blue", "red"]),
        (SORTED, "day", "red", ["red"]),
        (LISTED, "day", "blue", ["blue", "red"]),
        (LIVE, "day", "red", ["red", "blue"]),
        (TIED, "day", "blue", ["blue", "red"]),
        (NUMBERED, "night(2)", None, ["red", "blue"]),
        (OUTER, "day2(red)", None, ["red", "red", "blue"]),
        (OUTER, "round(red, blue)", None, ["blue", "red", "red", "blue"]),
    ],
)
def test_after_a_phase_play_goes_on_with_the_player_who_comes_next(
    tmp_path: Path, rules: str, phase: str, player: str | None, players: list[str]
) -> None:
    """The caller's variables have the arguments of the phase, and its loops are in that round."""
    assert asked(tmp_path, rules, phase, player) == players


SET_UP = """
state held(s: Side): 0..9
setup
  held(red) := 5
procedure count_up(s: Side)
  held(s) += 1
phase main
  state_of_play
phase state_of_play
  choose by red "on"
    option rest
      finish none, drawn
"""


@pytest.mark.parametrize(("empty", "held"), [(False, 6), (True, 1)])
def test_a_procedure_runs_in_the_set_up_game_unless_it_is_empty(
    tmp_path: Path, empty: bool, held: int
) -> None:
    """The start is the same with `run` as with `do`."""
    case = Case(
        "a test",
        empty=empty,
        run="count_up(red)",
        then=[Expected("held", "red", held), Expected("decision", "", None)],
    )
    done = run(rulekit.load(write_game(tmp_path, SET_UP)), case)
    assert done.ok, done.why


@pytest.mark.docs("situations#where-play-starts")
def test_a_game_that_has_not_begun_is_not_over(tmp_path: Path) -> None:
    """It has neither a result nor a decision, so an expectation of a result fails."""
    game = rulekit.load(write_game(tmp_path, SET_UP))
    done = run(game, Case("a test", empty=True, then=[Expected("result", "", {"winner": "none"})]))
    assert "the game is not over" in done.why
    assert done.standing == "play has not begun"
    assert game.blank().result is None
