"""Situations: the player of the enclosing phases, unspecified dice, and values that were not
computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.engine.testing.runner import Case, Expected, Outcome, SituationStep, run
from tests.small_games import write_game

RULES = """
state done(s: Side): 0..99
event fell(s: Side, n: 0..9)
  done(s) += n
total worth(n: 0..9) in turn_of: int
  base n + 1
phase main
  round_of(3, red)
  finish none, drawn
phase round_of(turn: 1..9, who: Side)
  turn_of
  fell(who, turn)
phase turn_of
  choose by red "what"
    option cast
      roll d = d6 by red for luck
      fell(red, d)
    option rest
      fell(red, 0)
    option score
      roll d = d6 by red for luck
      fell(red, worth(d))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_game(tmp_path, RULES)


def outcome(path: Path, choice: str, then: Expected, **given: Any) -> Outcome:
    within = {"round_of": given.pop("around", {"turn": 2, "who": "red"})}
    return run(
        rulekit.load(path),
        Case(
            "a test",
            do=[SituationStep(None, choice)],
            then=[then],
            phase="turn_of",
            within=within,
            **given,
        ),
    )


@pytest.mark.docs("situations#dice")
def test_dice_that_are_not_given_are_thrown(path: Path) -> None:
    """As many as needed are thrown. Specified dice must all be used and be enough."""
    cast = Expected("count", "fell", 2)
    assert outcome(path, "cast", cast).why == outcome(path, "cast", cast, dice=[3]).why == ""
    assert "were too few" in outcome(path, "cast", cast, dice=[]).why
    assert "were not used" in outcome(path, "cast", cast, dice=[3, 4]).why


def test_a_total_that_is_no_more_has_the_value_that_was_computed(path: Path) -> None:
    """It has that value for the same arguments, and none for others."""
    assert outcome(path, "score", Expected("total", "worth 2", 3), dice=[2]).why == ""
    assert (
        "it was not computed"
        in outcome(path, "score", Expected("total", "worth 5", 6), dice=[2]).why
    )


@pytest.mark.docs("situations#where-play-starts", "situations#given")
@pytest.mark.parametrize("player", ["red", "blue"])
def test_the_player_plays_in_the_phases_around_too(path: Path, player: str) -> None:
    """This is so if the situation does not specify another player, also as a last parameter."""
    done = {
        side: (
            outcome(path, "rest", Expected("done", side, 0), around={"turn": 2}, player=player).why
        )
        for side in ("red", "blue")
    }
    assert [side for side, why in done.items() if why] == [player], done
    assert outcome(path, "rest", Expected("done", "red", 2), player=player).why == ""


FIRST = """
state done: 0..99
total worth(n: 0..9) in turn_of: int
  base n
  modifier more +1 when n > 1
phase turn_of
  choose by red "what"
    option rest
      done := worth(1)
phase main
  turn_of
  finish none, drawn
"""


def test_what_stands_in_the_first_procedure_has_a_meaning_only_there(tmp_path: Path) -> None:
    """After the turn nothing is computed for other arguments, but values computed in it are still
    known."""
    game = rulekit.load(write_game(tmp_path, FIRST))
    applies, total = Expected("applies", "worth(2).more", True), Expected("total", "worth(2)", 3)
    after, where = (
        [SituationStep("red", "rest")],
        "(worth only has a meaning in turn_of: open it under 'within')",
    )
    assert [run(game, Case("a test", then=[each])).why for each in (applies, total)] == ["", ""]
    assert [run(game, Case("a test", do=after, then=[each])).why for each in (applies, total)] == [
        f"applies worth(2).more: worth was not computed for them {where}",
        f"worth(2): expected 3, but it was not computed {where}",
    ]
