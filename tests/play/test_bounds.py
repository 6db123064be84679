"""Bounds of what the engine is given and looks up: the last that is fine, and the first that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.base.errors import RulesError
from rulekit.program import runtime
from tests.play.test_small_rules import written


@pytest.mark.parametrize("look", [runtime.row, runtime.key])
def test_a_number_is_a_key_from_the_first_to_the_last(look: object) -> None:
    assert callable(look)
    assert [look(n, 2, 4) for n in (2, 3, 4)] == [0, 1, 2]
    for n in (1, 5):
        with pytest.raises(RulesError):
            look(n, 2, 4)


def test_beyond_its_ends_a_table_of_numbers_is_nothing_and_a_shift_stops() -> None:
    assert [runtime.at((7, 8), i) for i in (-1, 0, 1, 2)] == [0, 7, 8, 0]
    assert [runtime.shift(member, by, 3) for member, by in ((1, 1), (1, 9), (1, -9), (0, 0), (3, 1), (-1, 1))] == [2, 3, 0, 0, 3, -1]


DRAWN = """
kind Chit = storm | spy | calm
pool cup of Chit
pool hand of Chit
setup
  put storm in cup
  put calm in cup
  put spy in hand
phase main
  pick n from 1 .. 2 by red "how many"
  draw 1 from cup to hand
  finish none, drawn
"""


def test_a_draw_that_is_written_down_is_of_what_lies_there(tmp_path: Path) -> None:
    game = rulekit.load(written(tmp_path, DRAWN))
    for written_down, drawn in ((0, "storm"), (2, "calm")):
        state = game.new(seed=1, dice=[written_down])
        state.apply("pick 1")
        assert drawn in state.get("hand")
    state = game.new(seed=1, dice=[1])
    with pytest.raises(RulesError, match="is not there to be drawn"):
        state.apply("pick 1")


@pytest.mark.parametrize("result", [-1, 65535])
def test_what_is_written_down_has_a_bound(tmp_path: Path, result: int) -> None:
    game = rulekit.load(written(tmp_path, DRAWN))
    with pytest.raises(rulekit.RulekitError, match="between 0 and 65534"):
        game.new(seed=1, dice=[result])
    game.new(seed=1, dice=[0, 65534])
