"""A declared range is a promise everywhere. Breaking it ends play with an error that names the
cause and the place, in all variants."""

from __future__ import annotations

import pytest

from rulekit.common.errors import RulesError
from rulekit.compiler.compiler import build
from rulekit.compiler.reference.interpreter import Reference
from rulekit.runtime.code import as_rules_error
from tests.compiler.checked_rules import findings, written
from tests.compiler.reference.agree import agree

HEAD = """game ranges 1
unit PA
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Place = grid 1 by 3
  state men: 0..9
  state depth: int
kind Border joins Place
state pot: 0..99 = 40
state purse: 0..9 PA
state seen: 0..99
"""
PLAY = """phase main
  choose by red
    option go
      tried(red)
    option end
      pot := 1
  finish none, over
"""
BROKEN = {
    "a field": (
        "procedure tried(s: Side)\n  field left: 0..2 = 1\n  left -= pot - 38\n  seen := left\n",
        "left would be -1, outside of 0 .. 2",
    ),
    "a field as it begins": (
        "procedure tried(s: Side)\n  field left: 0..2 = pot\n  seen := left\n",
        "left would be 40, outside of 0 .. 2",
    ),
    "a variable": (
        (
            "procedure tried(s: Side)\n  var left: 0..50 PA = 10\n  left += pot as PA\n  left +="
            " 1\n  seen := left as int\n"
        ),
        "left would be 51, outside of 0 .. 50",
    ),
    "a parameter": (
        "procedure tried(s: Side)\n  part(pot / 2 down)\nprocedure part(n: 1..6)\n  seen := n\n",
        "n of part would be 20, outside of 1 .. 6",
    ),
    "the difference of two": (
        "procedure tried(s: Side)\n  part(seen - pot)\nprocedure part(n: 0..6)\n  seen := n\n",
        "n of part would be -40, outside of 0 .. 6",
    ),
    "the difference of two, as a key": (
        "state row(n: 0..9): 0..9\nprocedure tried(s: Side)\n  seen := row(seen - pot)\n",
        "no value for -40",
    ),
    "a sum of what may be less than nothing, as a key": (
        (
            "state row(n: -9..0): 0..9\nstate low(p: Place): -5..0 = -5\nprocedure tried(s: Side)\n"
            "  seen := row(sum(low of Place))\n"
        ),
        "no value for -15",
    ),
    "a state that is given a wider variable": (
        "procedure tried(s: Side)\n  field wide: 0..99 = pot\n  purse := wide as PA\n",
        "purse would be 40, outside of 0 .. 9",
    ),
    "a parameter that is changed": (
        "procedure tried(s: Side)\n  part(2)\nprocedure part(n: 0..6)\n  n -= 3\n  seen := n + 5\n",
        "n would be -1, outside of 0 .. 6",
    ),
    "a parameter of an event": (
        "procedure tried(s: Side)\n  lost(pot - 30)\nevent lost(n: 0..9)\n  seen := n\n",
        "n of lost would be 10, outside of 0 .. 9",
    ),
    "a parameter of a definition": (
        "procedure tried(s: Side)\n  seen := half(pot)\ndefine half(n: 0..9): int = n / 2 up\n",
        "n of half would be 40, outside of 0 .. 9",
    ),
    "a result": (
        (
            "procedure tried(s: Side)\n  seen := rest(3)\ndefine rest(n: 0..9): 0..9\n  = 4 when n"
            " > 5\n  = pot + n\n"
        ),
        "rest would be 43, outside of 0 .. 9",
    ),
    "a parameter of a total": (
        "procedure tried(s: Side)\n  seen := might(pot)\ntotal might(n: 0..9): int\n  base n\n",
        "n of might would be 40, outside of 0 .. 9",
    ),
    "a parameter of a total of which a clause is asked": (
        (
            "procedure tried(s: Side)\n  let n = pot\n  seen := 1 when might.strong applies\ntotal"
            " might(n: 0..9): int\n  base 1\n  modifier strong +1 when n > 5\n"
        ),
        "n of might would be 40, outside of 0 .. 9",
    ),
    "a parameter of a permit whose bar asks for nothing of it": (
        (
            "procedure tried(s: Side)\n  let n = pot\n  seen := 1 when may.full applies\npermit"
            ' may(n: 0..9)\n  bar full when pot > 50 "no"\n'
        ),
        "n of may would be 40, outside of 0 .. 9",
    ),
    "a total": (
        (
            "procedure tried(s: Side)\n  seen := might(3)\ntotal might(n: 0..9): 0..20\n  base n\n "
            " modifier pot pot when pot > 10\n"
        ),
        "might would be 43, outside of 0 .. 20",
    ),
    "a parameter of a permit": (
        (
            "procedure tried(s: Side)\n  seen := 1 when may(pot)\npermit may(n: 0..9)\n  bar full"
            ' when n > 5 "no"\n'
        ),
        "n of may would be 40, outside of 0 .. 9",
    ),
    "a parameter of a moment": (
        (
            "procedure tried(s: Side)\n  open asked(pot)\nmoment asked(n: 0..9) asks red\non at"
            " asked\n  seen := n\n"
        ),
        "n of asked would be 40, outside of 0 .. 9",
    ),
    "a number of any size that may be filled": (
        (
            "state spot: Place? = a1\nprocedure tried(s: Side)\n  a1.depth := pot\n "
            " part(spot.depth ?? 3)\nprocedure part(n: 0..9)\n  seen := n\n"
        ),
        "n of part would be 40, outside of 0 .. 9",
    ),
    "an answer": (
        (
            "procedure tried(s: Side)\n  let a = open asked\n  seen := a\nmoment asked -> 0..9"
            " default 0 asks red\non at asked\n  answer pot\n"
        ),
        "the answer of asked would be 40, outside of 0 .. 9",
    ),
    "an answer that nobody gives": (
        (
            "procedure tried(s: Side)\n  let a = open asked\n  seen := a\nmoment asked -> 0..9"
            " default pot asks red\n"
        ),
        "the answer of asked would be 40, outside of 0 .. 9",
    ),
    "a slot": (
        (
            "kind Card = k1 | k2\n  slot worth(k: int): 0..9 = k\nprocedure tried(s: Side)\n  seen"
            " := k1.worth(pot)\n"
        ),
        "worth would be 40, outside of 0 .. 9",
    ),
    "a parameter of a slot": (
        (
            "kind Card = k1 | k2\n  slot worth(k: 0..9): int = k\nprocedure tried(s: Side)\n  seen"
            " := k1.worth(pot)\n"
        ),
        "k of worth would be 40, outside of 0 .. 9",
    ),
    "a defined attribute": (
        (
            "define twice(p: Place): 0..9 = p.men + pot\nprocedure tried(s: Side)\n  seen :="
            " a1.twice\n"
        ),
        "twice would be 40, outside of 0 .. 9",
    ),
    "a parameter of a phase": (
        "procedure tried(s: Side)\n  part(pot)\nphase part(n: 0..9)\n  seen := n\n",
        "n of part would be 40, outside of 0 .. 9",
    ),
    "a parameter of a movement": (
        (
            "kind Unit = u1\n  state spot: Place?\nmovement go(g: set Unit, k: 0..9)\n  over Border"
            " b from x to y\nprocedure tried(s: Side)\n  seen := count(reach go({u1}, pot) from"
            " a1)\n"
        ),
        "k of go would be 40, outside of 0 .. 9",
    ),
    "a state in a loop": (
        (
            "procedure tried(s: Side)\n  each p in Place\n    p.men += pot - 31\n  each p in"
            " Place\n    p.men += 1\n"
        ),
        "men would be 10, outside of 0 .. 9",
    ),
    "a state in an event": (
        "procedure tried(s: Side)\n  lost\nevent lost\n  a1.men -= 1\n",
        "men would be -1, outside of 0 .. 9",
    ),
    "how many there are": (
        (
            "procedure tried(s: Side)\n  part(count(Place where men < 9))\nprocedure part(n:"
            " 0..2)\n  seen := n + 9\n"
        ),
        "n of part would be 3, outside of 0 .. 2",
    ),
    "a sum of two that are counted": (
        (
            "procedure tried(s: Side)\n  part(count(Place where men < 9) + count(Place where men <"
            " 9))\nprocedure part(n: 0..5)\n  seen := n + 9\n"
        ),
        "n of part would be 6, outside of 0 .. 5",
    ),
    "a difference of two that are counted": (
        (
            "procedure tried(s: Side)\n  part(count(Place where men > 8) - count(Place where men <"
            " 9))\nprocedure part(n: -2..3)\n  seen := n + 9\n"
        ),
        "n of part would be -3, outside of -2 .. 3",
    ),
    "one or the other, the first": (
        (
            "procedure tried(s: Side)\n  part((count(Place where men < 9) + 3) if pot > 9 else"
            " 2)\nprocedure part(n: 0..5)\n  seen := n + 9\n"
        ),
        "n of part would be 6, outside of 0 .. 5",
    ),
    "one or the other, the second": (
        (
            "procedure tried(s: Side)\n  part(2 if pot < 9 else count(Place where men < 9) +"
            " 3)\nprocedure part(n: 0..5)\n  seen := n + 9\n"
        ),
        "n of part would be 6, outside of 0 .. 5",
    ),
    "a parameter that is handed on": (
        (
            "procedure tried(s: Side)\n  again(4)\nprocedure again(k: 0..9)\n  part(k)\nprocedure"
            " part(n: 0..3)\n  seen := n + 9\n"
        ),
        "n of part would be 4, outside of 0 .. 3",
    ),
    "a state that is handed on": (
        "procedure tried(s: Side)\n  part(pot)\nprocedure part(n: 0..39)\n  seen := n + 9\n",
        "n of part would be 40, outside of 0 .. 39",
    ),
    "a field that is handed on": (
        (
            "procedure tried(s: Side)\n  handed\nprocedure handed\n  field k: 0..50 = pot\n "
            " part(k)\nprocedure part(n: 0..39)\n  seen := n + 9\n"
        ),
        "n of part would be 40, outside of 0 .. 39",
    ),
    "a product": (
        (
            "procedure tried(s: Side)\n  part(count(Place where men < 9) * 3)\nprocedure part(n:"
            " -9..8)\n  seen := n + 9\n"
        ),
        "n of part would be 9, outside of -9 .. 8",
    ),
    "the greatest of some": (
        (
            "procedure tried(s: Side)\n  part(max(count(Place where men < 9), 1))\nprocedure"
            " part(n: 0..2)\n  seen := n + 9\n"
        ),
        "n of part would be 3, outside of 0 .. 2",
    ),
    "inside a set": (
        (
            "procedure tried(s: Side)\n  seen := count(Place where big(pot + men))\ndefine big(n:"
            " 0..9): bool = n > 5\n"
        ),
        "n of big would be 40, outside of 0 .. 9",
    ),
}


@pytest.mark.docs("language#3-state")
@pytest.mark.docs("diagnostics#errors-during-play")
@pytest.mark.parametrize(("rules", "message"), BROKEN.values(), ids=BROKEN)
def test_a_range_that_is_left_is_told_by_all(rules: str, message: str) -> None:
    model = written(HEAD + PLAY + rules)
    compiled = build(model)
    reference = Reference(model)
    with pytest.raises(RulesError, match=message.replace("..", r"\.\.")):
        reference.apply(0)
    for variant in ("full", "fast", "traced"):
        code, more = compiled.code(variant), [] if variant == "fast" else [[], []]
        state = code.blank(0)
        code.begin(state, *more)
        with pytest.raises(RulesError) as failed:
            code.apply(state, 1, *more)
        told = as_rules_error(compiled, failed.value)
        assert message in str(told) and told.where.startswith("g.rules:")
        assert int(told.where.split(":")[1]) > (HEAD + PLAY).count("\n")
    agree(model, compiled, 1, choices=[1])


@pytest.mark.docs("language#3-state")
def test_what_certainly_fits_costs_no_test() -> None:
    model = written(
        HEAD
        + PLAY
        + """procedure tried(s: Side)
  field left: 0..9 = 3
  left := 2 if pot > 3 else 4
  part(left)
  part(count(Place))
  var more: 0..99 = pot
  seen := more
procedure part(n: 0..12)
  field twice: 0..24 = 0
  twice := n + n
  seen := twice
"""
    )
    assert "held(" not in build(model).source["full"].replace("def held(", "")


@pytest.mark.docs("language#3-state")
def test_a_number_that_is_clamped_stops_at_the_ends() -> None:
    model = written(
        HEAD
        + PLAY
        + """procedure tried(s: Side)
  field left: 0..2 clamp = pot
  left -= 1
  left -= 7
  var up: 3..5 clamp = left
  seen := up + part(pot)
  let answered = open asked
  seen += answered
moment asked -> 0..1 clamp default pot asks red
define part(n: 0..4 clamp): 0..2 clamp = n
"""
    )
    compiled = build(model)
    agree(model, compiled, 1, choices=[0])
    reference = Reference(model)
    reference.apply(0)
    assert reference.cells()["seen"] == [6]


def test_a_literal_that_cannot_fit_is_found_by_check() -> None:
    model, found = findings(
        HEAD
        + PLAY
        + "procedure tried(s: Side)\n  field left: 0..2 = 3\n  part(9)\n  left := 7\nprocedure"
        " part(n: 0..4)\n  seen := n\n"
    )
    assert model is None
    assert [line.split(":")[0] for line in found] == ["RK406 20", "RK406 21", "RK406 22"]


@pytest.mark.parametrize(
    ("range_", "first"), [("-5..-1", -1), ("3..7", 3), ("-4..4", 0), ("0..2", 0), ("-9..0", 0)]
)
def test_what_nothing_was_given_begins_nearest_to_nought(range_: str, first: int) -> None:
    """This holds for a state, a field, and a reset state."""
    model = written(
        HEAD + f"state low: {range_}\nstate briefly: {range_} per tried\nstate around(p: Place):"
        f" {range_}\nstate got: -99..99\n"
        + PLAY
        + f"procedure tried(s: Side)\n  field own: {range_}\n  got := own\n  briefly :="
        f" {range_.split('..')[0]}\n"
    )
    compiled = build(model)
    reference = Reference(model)
    reference.apply(0)
    assert reference.cells()["low"] == [first] and reference.cells()["got"] == [first]
    assert reference.cells()["briefly"] == [first] and reference.cells()["around"] == [first] * 3
    agree(model, compiled, 1, choices=[0])


def test_what_is_never_none_may_be_filled_all_the_same() -> None:
    """`??` may follow a number without keys, with keys, or with an optional key. Its range covers
    both sides."""
    model = written(
        HEAD
        + "state spot: Place?\n"
        + PLAY
        + """procedure tried(s: Side)
  field wide: 0..99 = pot ?? 3
  seen := wide + (men(a1) ?? 2) + (spot.men ?? 50)
  part(spot.men ?? 50)
procedure part(n: 0..50)
  pot := n
"""
    )
    reference = Reference(model)
    reference.apply(0)
    assert reference.cells()["seen"] == [90] and reference.cells()["pot"] == [50]
    agree(model, build(model), 1, choices=[0])


@pytest.mark.parametrize(
    ("end", "codes"),
    [
        ("spot.men ?? 3", []),
        ("spot.depth ?? 3", ["RK406"]),
        ("spot.men ?? deep(a1)", ["RK406"]),
        ("spot.men ?? pot", []),
        ("deep(a1)", ["RK406"]),
    ],
)
def test_options_are_numbered_only_where_the_ends_of_their_range_are_known(
    end: str, codes: list[str]
) -> None:
    """If one number fills in for another, both must be known."""
    rules = "state spot: Place?\ndefine deep(p: Place): int = p.depth\n" + PLAY
    _, found = findings(
        HEAD
        + rules
        + f'procedure tried(s: Side)\n  pick n from 0 .. {end} by s "how many"\n  seen := n\n'
    )
    assert [line[:5] for line in found] == codes
