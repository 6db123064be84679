"""What the operators give: numbers, ordered members, sets; the same in the compiled game and in the reference."""

from __future__ import annotations

from pathlib import Path

import rulekit
from tests.play.test_small_rules import agreed, written

RULES = """
kind Mood ordered = low | steady | high | wild
kind Item = a | b | c
state one: set Item = {a, b}
state others: set Item = {b, c}
state mood: Mood = steady
state n: -9..9 = 5
state k: -9..9 = -2
state gone: Item?
state yes: bool = true
DEFINES
phase main
  choose by red "what"
    option look
      n += 0
    option other
      n += 1
      mood := mood + 1
      gone := b
      one -= {a}
SET
  finish none, drawn
"""
VALUES = [
    ("Mood", "mood + 1", "high"), ("Mood", "mood - 1", "low"), ("Mood", "mood + 9", "wild"), ("Mood", "mood - 9", "low"),
    ("Mood", "mood + k", "low"), ("Mood", "mood - k", "wild"), ("Mood", "mood + (1 if yes else 2)", "high"),
    ("-99..99", "n + k", 3), ("-99..99", "n - k", 7), ("-99..99", "n * k", -10), ("-99..99", "-n", -5), ("-99..99", "n - k - 1", 6),
    ("-99..99", "n / 2 up", 3), ("-99..99", "n / 2 down", 2), ("-99..99", "k / 4 up", 0), ("-99..99", "k / 4 down", -1),
    ("-99..99", "n / k up", -2), ("-99..99", "n / k down", -3), ("-99..99", "min(n, k, 0)", -2), ("-99..99", "max(n, k, 9)", 9),
    ("set Item", "one + others", ["a", "b", "c"]), ("set Item", "one - others", ["a"]), ("set Item", "one where it in others", ["b"]),
    ("Item", "gone ?? c", "c"), ("Item?", "first(one by it = a)", "a"), ("bool", "mood < high", True), ("bool", "mood >= high", False),
    ("bool", "n in 6 .. 9", False), ("bool", "a in one and not a in others", True),
]


def test_what_an_operator_gives(tmp_path: Path) -> None:
    defines = "\n".join(f"define found{i}: {type} = {expr}\nstate kept{i}: {type}" for i, (type, expr, _) in enumerate(VALUES))
    kept = "\n".join(f"  kept{i} := found{i}" for i in range(len(VALUES)))
    folder = written(tmp_path, RULES.replace("DEFINES", defines).replace("SET", kept))
    state = rulekit.load(folder).new(seed=1)
    assert {expr: state.value_of(f"found{i}") for i, (_, expr, _) in enumerate(VALUES)} == {expr: value for _, expr, value in VALUES}
    agreed(folder, 4)
