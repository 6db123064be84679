"""`put thing in pool` with a pool that depends on a condition."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.compiler.checked_rules import findings
from tests.small_games import SIDES, assert_agreement, write_game

RULES = """
kind Chit = storm | spy | calm
pool cup of Chit
pool box(s: Side) of Chit
pool spent of Chit
state wet: bool
state dark: bool
phase main
  choose by red "what"
    option wet
      wet := true
    option dark
      dark := true
    option both
      wet := true
      dark := true
    option neither
      wet := false
  put storm in POOL
  finish none, drawn
"""
POOL = "box(red) if wet and dark else spent if wet else box(blue) if dark else cup"


@pytest.mark.parametrize(
    ("choice", "pool"),
    [("both", "box.red"), ("wet", "spent"), ("dark", "box.blue"), ("neither", "cup")],
)
def test_a_thing_goes_where_the_condition_says(tmp_path: Path, choice: str, pool: str) -> None:
    folder = write_game(tmp_path, RULES.replace("POOL", POOL))
    state = rulekit.load(folder).new(seed=1)
    state.apply(choice)
    assert [
        name for name in ("cup", "box.red", "box.blue", "spent") if "storm" in state.get(name)
    ] == [pool]
    assert_agreement(folder, 4)


@pytest.mark.parametrize(
    "pool",
    [
        "nowhere if wet else cup",
        "cup if wet else nowhere",
        "nowhere if wet else elsewhere",
        "cup if wet else spent if dark else nowhere",
    ],
)
def test_a_pool_that_is_none_is_told_and_nothing_else(pool: str) -> None:
    _, lines = findings(SIDES + RULES.replace("POOL", pool))
    assert [line[:5] for line in lines] == ["RK301"] * (
        pool.count("nowhere") + pool.count("elsewhere")
    ), lines
