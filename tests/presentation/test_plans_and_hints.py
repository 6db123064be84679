"""The Python page on `Seat.preview` and `Seat.hint`, in small games."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit import Seat
from tests.small_games import write_game

RULES = """
kind Chit = storm | calm
pool cup of Chit seen by none
pool hand(s: Side) of Chit seen by s
state points(s: Side): 0..9
state noise: 0..9
state cried: 0..9
total vp(s: Side): int
  base points(s)
event gained(s: Side, n: 0..9)
  points(s) += n
moment pause asks blue
reaction cry at pause "Cry"
  limit 1 per game
  cried += 1
  points(red) := 0
setup
  each c in Chit
    put c in cup
  points(red) := 1
phase main
  choose by red "first"
    option small
      gained(red, 1)
    option wait
      gained(red, 2)
      open pause
      noise := 3
    option take
      draw 1 from cup to hand(red)
      gained(red, 1)
    option idle
      noise := 1
  choose by red "then"
    option more
      gained(red, 3)
    option less
      points(red) := 0
  finish red, win
"""


def test_a_window_of_another_on_the_way_counts_as_passed(tmp_path: Path) -> None:
    """The later effects are shown, and nothing has been chosen."""
    state = rulekit.load(write_game(tmp_path, RULES)).new(seed=1)
    before = state.clone()
    (result,) = Seat(state, "red").preview(["wait", "more"]).results
    assert result.points == {"red": 5} and state == before


def test_it_tells_changes_against_the_present_and_points_without_events(tmp_path: Path) -> None:
    """They are those of the whole plan, not of its last choice. A change that is reversed on the
    way is none."""
    state = rulekit.load(write_game(tmp_path, RULES)).new(seed=1)
    way = Seat(state, "red").preview(["small", "more"])
    (result,) = way.results
    assert way.complete and result.chance == 1 and result.points == {"red": 4}
    assert not result.events and not result.lines


def test_a_plan_is_told_up_to_its_first_draw(tmp_path: Path) -> None:
    state = rulekit.load(write_game(tmp_path, RULES)).new(seed=1)
    for keys in (["take"], ["take", "more"]):
        (result,) = Seat(state, "red").preview(keys).results
        assert result.end == "draw" and result.points in ({}, {"red": 0})


def test_a_hint_is_the_first_choice_of_the_best_line(tmp_path: Path) -> None:
    state = rulekit.load(write_game(tmp_path, RULES)).new(seed=1)
    state.apply("idle")
    found = Seat(state, "red").hint()
    assert (found.key, found.label, found.by) == ("more", state.decision.options[0].label, "search")  # type: ignore[union-attr]
