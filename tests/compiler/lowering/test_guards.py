"""The guards of an option are evaluated in written order. An error in one arises if and only if no
guard before it is false."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from tests.small_games import write_game

RULES = """
kind Spot = s1 | s2 | s3
  state marked: bool
  state worth: 0..9
  state room: 0..9
state n: 0..9
state open: bool
phase main
  SET
  choose by red "now"
    option go(PARAMS)
GUARDS
      n += 0
    option stop
      n += 0
  finish none, drawn
"""
PLAIN, OWN = "open", "x.marked"  # without a parameter, and with one
BAD, OWN_BAD = "6 / n down > 1", "6 / x.worth down > 1"
LATE, LATE_BAD = "y.marked", "6 / (y.worth + x.room) down > 1"


@pytest.mark.parametrize(
    ("guards", "new_value", "found"),
    [
        ([PLAIN, BAD], "n := 0", ["stop"]),
        ([BAD, PLAIN], "n := 0", None),
        ([PLAIN, OWN_BAD], "n := 0", ["stop"]),
        ([OWN_BAD, PLAIN], "n := 0", None),
        ([OWN, BAD], "n := 0", ["stop"]),
        ([BAD, OWN], "n := 0", None),
        ([OWN, BAD], "s2.marked := true", None),
        ([OWN, OWN_BAD], "n := 0", ["stop"]),
        ([OWN_BAD, OWN], "n := 0", None),
        ([OWN, OWN_BAD], "s2.marked := true", None),
        ([OWN_BAD, OWN, PLAIN], "s1.worth := 1", None),
        ([OWN, PLAIN, OWN_BAD], "s2.marked := true", ["stop"]),
        ([LATE, OWN_BAD], "n := 0", ["stop"]),
        ([OWN_BAD, LATE], "n := 0", None),
        ([LATE_BAD, OWN], "n := 0", None),
        ([LATE_BAD, PLAIN], "s1.worth := 1", None),
        ([PLAIN, LATE_BAD], "n := 0", ["stop"]),
        ([OWN, LATE_BAD], "n := 0", ["stop"]),
        ([OWN, LATE, BAD], "s1.marked := true", None),
        ([OWN, LATE, PLAIN, BAD], "s1.marked := true", ["stop"]),
    ],
)
def test_an_error_in_a_guard_is_met_in_written_order(
    tmp_path: Path, guards: list[str], new_value: str, found: list[str] | None
) -> None:
    """`None` means that play ends with the error. The result is the same with one more parameter,
    with a number as the last one, and in each variant."""
    for params in (
        "x: Spot, y: Spot",
        "y: Spot, x: Spot",
        "x: Spot, y: Spot, k: 1..3",
        "k: 1..20, x: Spot, y: Spot",
    ):
        text = (
            RULES.replace("PARAMS", params)
            .replace("SET", new_value)
            .replace("GUARDS", "\n".join(f"      when {g}" for g in guards))
        )
        game = rulekit.load(write_game(tmp_path, text))
        for variant in ("full", "fast"):
            assert offered(game, variant) == found, (params, variant)


def offered(game: rulekit.Game, variant: str) -> list[str] | None:
    """Return the keys of the first options, or None if there is an error."""
    table = game.table(variant=variant)
    state: list[int] = table.code.blank(1, 0)
    more: list[Any] = [[], []] if variant == "full" else []
    try:
        table.code.begin(state, *more)
        layers = table.code.layers(state)
    except (rulekit.RulesError, ZeroDivisionError):
        return None
    return [
        table.book.option(base + i).key
        for base, mask in layers
        for i in range(mask.bit_length())
        if mask >> i & 1
    ]


def test_guards_of_numbers_before_other_parameters_hold(tmp_path: Path) -> None:
    """A long range is enumerated. Each guard is evaluated for all its parameters."""
    guards = "\n".join(
        f"      when {g}" for g in ("k > 18", "x.marked", "k != 20 or y.marked", "y.worth = 0")
    )
    text = RULES.replace("SET", "s2.marked := true").replace("GUARDS", guards)
    for params, wanted in (
        ("k: 1..20, x: Spot, y: Spot", "go 19 s2 s1|go 19 s2 s2|go 19 s2 s3|go 20 s2 s2"),
        ("x: Spot, k: 1..20, y: Spot", "go s2 19 s1|go s2 19 s2|go s2 19 s3|go s2 20 s2"),
        ("y: Spot, x: Spot, k: 1..20", "go s1 s2 19|go s2 s2 19|go s2 s2 20|go s3 s2 19"),
    ):
        game = rulekit.load(write_game(tmp_path, text.replace("PARAMS", params)))
        for variant in ("full", "fast"):
            assert offered(game, variant) == [*wanted.split("|"), "stop"]
