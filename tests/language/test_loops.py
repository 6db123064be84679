"""Loops: the number of rounds is fixed at the beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.kernel.tracer import Tracer
from tests.small_games import assert_agreement, write_game

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


@pytest.mark.parametrize(
    "loop", ["each n in 1 .. ends", "repeat ends times", "repeat at most ends"]
)
@pytest.mark.parametrize(
    ("body", "choices"),
    [(ASKS, ["more", "more"]), (ASKS, ["fewer", "fewer"]), ("ends += 2", []), ("ends := 0", [])],
    ids=["more", "fewer", "more unasked", "fewer unasked"],
)
def test_the_end_of_a_loop_is_looked_at_once_before_its_first_round(
    tmp_path: Path, loop: str, body: str, choices: list[str]
) -> None:
    """There are two rounds, however the number changes in them, with and without a decision in each
    round."""
    folder = write_game(tmp_path, ROUNDS.replace("LOOP", loop).replace("BODY", body))
    state = rulekit.load(folder).new()
    for choice in choices:
        state.apply(choice)
    assert state.is_terminal() and state.get("went") == 2
    assert_agreement(folder, 2)


UNASKED = """
define number(s: Side): 0..1 = 1 if s = red else 0
state from_it: 0..9
state sum_of: 0..99
state last: 0..99
state rounds: 0..9
state kept: 0..9
procedure counting(ends: 0..9, shift: 0..9)
  var seen: 0..99 = 1
  var more: 0..9 = 2
  choose by red "before"
    option one
      more := 1
    option three
      more := 3
  LOOP
    let twice = seen * 2 + shift
    seen := min(twice, 40) when twice < 30
    rounds += 1
    leave when twice >= 30
  sum_of := seen
  kept := more
  choose by red "after"
    option once
      last := seen + more
    option doubled
      last := 2 * seen
phase main
  from_it := 3
  counting(from_it, 1)
  counting(from_it + 3, 0)
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("loop", "first", "second"),
    [
        ("each n in 1 .. ends", (15, 3, 3), (16, 8, 1)),
        ("repeat ends times", (15, 3, 3), (16, 8, 1)),
        ("repeat until seen > 9, at most 9", (15, 3, 3), (16, 7, 1)),
        ("repeat at most ends - 1", (7, 2, 3), (16, 7, 1)),
        ("each s in Side by -number(s)", (7, 2, 3), (4, 4, 1)),
        ("each s in Side", (7, 2, 3), (4, 4, 1)),
        ("each s in Side live", (7, 2, 3), (4, 4, 1)),
    ],
)
def test_a_loop_that_asks_nothing_in_a_procedure_that_asks(
    tmp_path: Path, loop: str, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    """It reads and writes the procedure's variables and ends where it should, and the statement
    after it follows, in each variant."""
    folder = write_game(tmp_path, UNASKED.replace("LOOP", loop))
    game = rulekit.load(folder)
    state, found = game.new(seed=1), []
    for choice in ("three", "doubled", "one", "once"):
        found += (
            [tuple(state.get(name) for name in ("sum_of", "rounds", "kept"))]
            if choice in ("doubled", "once")
            else []
        )
        state.apply(choice)
    assert state.is_terminal() and found == [first, second] and state.get("last") == second[0] + 1
    assert_agreement(folder, 4)
    traced = game.new(seed=1)
    tracer = Tracer(traced)
    for choice in ("three", "doubled", "one", "once"):
        traced.apply(choice)
    assert traced == state and traced.code is tracer.code


@pytest.mark.parametrize(
    "loop",
    [
        "each n in 1 .. ends",
        "repeat ends times",
        "repeat until seen > 9, at most 9",
        "each s in Side by -number(s)",
        "each s in Side live",
    ],
)
def test_a_loop_that_asks_nothing_is_natively_the_same(tmp_path: Path, loop: str) -> None:
    pytest.importorskip("wasmtime")
    from rulekit.engine.testing.native_crosscheck import Verifier

    verifier = Verifier(
        rulekit.load(write_game(tmp_path, UNASKED.replace("LOOP", loop))).wasm_instance()
    )
    assert [verifier.game(seed) for seed in range(4)] == [(4, "")] * 4
