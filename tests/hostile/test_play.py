"""Hostile games that pass the checker: they end by a bound, and run nothing but rules."""

from __future__ import annotations

import pytest

from tests.hostile.hostile_case import Case

PYTHON = """state def: 0..9
state class: 0..9
state None: 0..9
state print: 0..9
event yield(def: 0..9)
  class := def
phase main
  let lambda = 3
  let True = 4
  let self = 7
  let s = 6
  yield(lambda)
  def := True + self + s - 15
  choose by red
    option import(pass: 0..3)
      finish red, win
"""
FORMAT = """phase main
  choose by red "{0.__class__} {p.__init__.__globals__} {p} {self} %s %(p)s"
    option go(p: Side) "{p.__class__} {p} {0} {p!r}"
      finish red, win
"""
NAMES = """kind Thing = __import__ | __class__ | os | system
  fixed __dict__: int = 1
  state __init__: 0..3
define exec = some (Thing where __dict__ = 1)
event __del__(x: Thing)
  x.__init__ := 2
phase main
  choose by red
    option __new__(lambda: Thing)
      when exec
      __del__(lambda)
      finish red, win
"""
LOOPS = {
    "until": "  repeat until false, at most 100000\n    x := 1 - x\n",
    "until, in a loop": (
        "  repeat 2 times\n    repeat until x = 5, at most 100000\n      x := 1 - x\n"
    ),
    "times": "  n := 999999\n  repeat n times\n    repeat n times\n      y += 1\n",
    "numbers": "  n := 999999\n  each i in 1..n\n    each j in 1..n\n      y += 1\n",
    "a number that grows": "  repeat 100 times\n    n := n * n\n",
    "a variable that grows": "  repeat 100 times\n    y := y * y\n",
}
WRONG = [
    (
        (
            "state x: 0..9\nphase main\n  choose by red\n    option go when 6 / x up = 3\n     "
            " finish red, win\n"
        ),
        "division by zero",
    ),
    ("state x: 0..9\nphase main\n  x := 9\n  x += 1\n  finish red, win\n", "outside of 0 .. 9"),
    (
        "state x: 0..9\nphase main\n  let z = the (Side where x = 0)\n  finish z, win\n",
        "exactly one",
    ),
]
WIDE = dict(
    zip(
        [
            "definitions",
            "procedures",
            "blocks",
            "branches",
            "brackets",
            "a set",
            "options",
            "an option",
        ],
        [
            "state x: 0..9\ndefine f0 = x\n"
            + "".join(f"define f{i + 1} = f{i} + 1\n" for i in range(98))
            + "phase main\n  choose by red\n    option go when f98 = 98\n      finish red, win\n",
            "procedure p0\n  finish red, win\n"
            + "".join(f"procedure p{i + 1}\n  p{i}\n" for i in range(97))
            + "phase main\n  p97\n",
            "state x: 0..9\nphase main\n"
            + "".join("  " * (i + 1) + "if x = 0\n" for i in range(39))
            + "  " * 40
            + "finish red, win\n",
            "state x: 0..9\ndefine f = "
            + "1 if x = 1 else " * 70
            + "1\nphase main\n  choose by red\n    option go when f = 1\n      finish red, win\n",
            "state x: 0..9\ndefine f = "
            + "(1+" * 49
            + "x"
            + ")" * 49
            + "\nphase main\n  choose by red\n    option go when f = 49\n      finish red, win\n",
            "state x: 0..9\nphase main\n  choose by red\n    option go when x in {"
            + ", ".join(map(str, range(1000)))
            + "}\n      finish red, win\n",
            "phase main\n  choose by red\n"
            + "".join(f"    option o{i}\n      finish red, win\n" for i in range(300)),
            (
                "phase main\n  choose by red\n    option go(a: 1 .. 400, b: 1 .. 400)\n      finish"
                " red, win\n"
            ),
        ],
        strict=True,
    )
)


@pytest.mark.docs("language#16-what-the-language-does-not-have")
def test_names_of_python_are_names(case: Case) -> None:
    assert case(PYTHON, play=True)["over"]
    assert case(NAMES, play=True)["over"]


def test_only_simple_names_are_filled_in(case: Case) -> None:
    told = case(FORMAT, play=True)
    assert "{0.__class__} {p.__init__.__globals__}" in told["text"]
    assert "%s %(p)s" in told["text"]
    assert "{p.__class__} red" in told["text"]
    assert "{p!r}" in told["text"]


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_a_loop_without_decisions_ends(case: Case, loop: str) -> None:
    told = case(
        "state x: 0..9\nstate n: int = 3\nphase main\n  var y = 3\n" + loop + "  finish red, win\n",
        play=True,
    )
    assert told["raised"] == "RulesError", told


@pytest.mark.parametrize(("rules", "said"), WRONG)
def test_what_goes_wrong_in_play_is_told(case: Case, rules: str, said: str) -> None:
    told = case(rules, play=True)
    assert told["raised"] == "RulesError"
    assert said in told["text"]


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_what_is_deep_or_wide_within_bounds_is_played(case: Case, rules: str) -> None:
    assert case(rules, play=True)["over"]


# a loop that may ask, with many calls that do not ask
CALLS = (
    "state x: 0..9\nprocedure q0\n  x := 1 - x\n"
    + "".join(f"procedure q{i + 1}\n  q{i}\n  q{i}\n" for i in range(15))
    + "phase main\n  repeat 90000 times\n    q15\n    if x = 9\n      pick s from Side by red\n    "
    "  x := 0\n  finish red, win\n"
)


def test_what_is_recorded_between_two_decisions_is_bounded(case: Case) -> None:
    """The records are counted, not only the rounds."""
    told = case(CALLS, play=True)
    assert (told["raised"], "too many steps" in told["text"]) == ("RulesError", True), told


def test_rules_that_watch_and_set_each_other_off_end(case: Case) -> None:
    told = case(
        "state x: bool\nevent turned\n  x := not x\nwhenever s in Side where x or not x\n "
        " turned\nphase main\n  turned\n  finish red, win\n",
        play=True,
    )
    assert (told["raised"], "without end" in told["text"]) == ("RulesError", True), told
