"""Loops: how often they go round is settled when they begin."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.play.test_small_rules import agreed, written

ROUNDS = """
state ends: 0..9 = 2
state went: 0..9
phase main
  LOOP
    went += 1
    BODY
  finish none, drawn
"""
ASKS = """choose by red "what"
      option more
        ends += 2
      option fewer
        ends := 0"""


@pytest.mark.parametrize("loop", ["each n in 1 .. ends", "repeat ends times", "repeat at most ends"])
@pytest.mark.parametrize(("body", "choices"), [(ASKS, ["more", "more"]), (ASKS, ["fewer", "fewer"]), ("ends += 2", []), ("ends := 0", [])],
                         ids=["more", "fewer", "more unasked", "fewer unasked"])
def test_the_end_of_a_loop_is_looked_at_once_before_its_first_round(tmp_path: Path, loop: str, body: str, choices: list[str]) -> None:
    """Two rounds, whatever the number becomes in them; with a question in each round, and without."""
    folder = written(tmp_path, ROUNDS.replace("LOOP", loop).replace("BODY", body))
    state = rulekit.load(folder).new()
    for choice in choices:
        state.apply(choice)
    assert state.is_terminal() and state.get("went") == 2
    agreed(folder, 2)
