"""Results of operators on numbers, ordered members and sets. The compiled game and the reference
interpreter agree."""

from __future__ import annotations

from itertools import product
from operator import add, mul, sub
from pathlib import Path

import rulekit
from rulekit.compiler import model as m
from rulekit.compiler.check.typecheck.operators import LARGEST, bounds
from tests.small_games import assert_agreement, write_game

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
    ("Mood", "mood + 1", "high"),
    ("Mood", "mood - 1", "low"),
    ("Mood", "mood + 9", "wild"),
    ("Mood", "mood - 9", "low"),
    ("Mood", "mood + k", "low"),
    ("Mood", "mood - k", "wild"),
    ("Mood", "mood + (1 if yes else 2)", "high"),
    ("-99..99", "n + k", 3),
    ("-99..99", "n - k", 7),
    ("-99..99", "n * k", -10),
    ("-99..99", "-n", -5),
    ("-99..99", "n - k - 1", 6),
    ("-99..99", "n / 2 up", 3),
    ("-99..99", "n / 2 down", 2),
    ("-99..99", "k / 4 up", 0),
    ("-99..99", "k / 4 down", -1),
    ("-99..99", "n / k up", -2),
    ("-99..99", "n / k down", -3),
    ("-99..99", "min(n, k, 0)", -2),
    ("-99..99", "max(n, k, 9)", 9),
    ("set Item", "one + others", ["a", "b", "c"]),
    ("set Item", "one - others", ["a"]),
    ("set Item", "one where it in others", ["b"]),
    ("Item", "gone ?? c", "c"),
    ("Item?", "first(one by it = a)", "a"),
    ("bool", "mood < high", True),
    ("bool", "mood >= high", False),
    ("bool", "n in 6 .. 9", False),
    ("bool", "a in one and not a in others", True),
]


def test_what_an_operator_gives(tmp_path: Path) -> None:
    defines = "\n".join(
        f"define found{i}: {type} = {expr}\nstate kept{i}: {type}"
        for i, (type, expr, _) in enumerate(VALUES)
    )
    kept = "\n".join(f"  kept{i} := found{i}" for i in range(len(VALUES)))
    folder = write_game(tmp_path, RULES.replace("DEFINES", defines).replace("SET", kept))
    state = rulekit.load(folder).new(seed=1)
    assert {expr: state.value_of(f"found{i}") for i, (_, expr, _) in enumerate(VALUES)} == {
        expr: value for _, expr, value in VALUES
    }
    assert_agreement(folder, 4)


def test_the_bounds_of_an_operator_are_those_of_its_values() -> None:
    """This includes negative numbers. If they are unknown or too large, there are none."""
    ranges = [(low, high) for low in range(-3, 4) for high in range(low, 4)]
    for a, b in product(ranges, ranges):
        for op, give in (("+", add), ("-", sub), ("*", mul)):
            found = [give(x, y) for x in range(a[0], a[1] + 1) for y in range(b[0], b[1] + 1)]
            assert bounds(op, m.Int(None, *a), m.Int(None, *b)) == (min(found), max(found)), (
                a,
                op,
                b,
            )
    whole, half = m.Int(None, 0, 9), m.Int(None, 0, None)
    assert [
        bounds(op, x, y)
        for op in "+-*"
        for x, y in ((whole, half), (half, whole), (m.Int(None, None, 9), whole))
    ] == [(None, None)] * 9
    assert bounds("+", m.Int(None, 0, LARGEST - 1), m.Int(None, 0, 1)) == (None, None)
    assert bounds("+", m.Int(None, 0, LARGEST - 2), m.Int(None, 0, 1)) == (0, LARGEST - 1)
    assert bounds("-", m.Int(None, 1 - LARGEST, 0), m.Int(None, 0, 1)) == (None, None)


REGIONS = """
kind Area = world(none) | north(world) | south(world) | town(north) | gate(town)
  fixed parent: Area?
define found(a: Area, b: Area): bool = a.inside(b)
phase main
  choose by red "what"
    option look
      finish none, drawn
"""


def test_a_place_is_inside_of_itself_and_of_all_around_it(tmp_path: Path) -> None:
    state = rulekit.load(write_game(tmp_path, REGIONS)).new(seed=1)
    around = {
        "world": ["world"],
        "north": ["world", "north"],
        "south": ["world", "south"],
        "town": ["world", "north", "town"],
        "gate": ["world", "north", "town", "gate"],
    }
    assert {a: [b for b in around if state.value_of("found", a, b)] for a in around} == around
