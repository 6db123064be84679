"""The language reference outside of its sections: invariants, the deciding player, and the rules of
a walk."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.reference.interpreter import Reference
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.simulation.ranges import make_order, range_player
from rulekit.engine.testing.runner import run
from rulekit.project.validate_situations import case_of
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree
from tests.language.played import SIDES, compiled, play, stored_model
from tests.language.test_movements import MAP
from tests.small_games import write_game

ROOM = """
kind Tent = t1 | t2 | t3
  state full: bool
event filled(t: Tent)
  t.full := true
invariant room: count(Tent where full) < 2
procedure fill_two
  filled(t1)
  filled(t2)
phase main
  repeat 3 times
    choose by red "which"
      option fill(t: Tent)
        when not t.full
        filled(t)
  finish none, drawn
"""


@pytest.mark.docs("language#7-events")
def test_an_invariant_is_checked_in_situations_and_in_random_games(tmp_path: Path) -> None:
    game = rulekit.load(write_game(tmp_path, ROOM))
    for steps, ok in (
        ("do: [fill t1]", True),
        ("do: [fill t1, fill t2]", False),
        ("run: fill_two", False),
    ):
        text = f"- name: a test\n  {steps}\n  then: [{{full.t1: true}}]\n"
        [case] = [case_of(each) for each in parse_situations(text, "tests.yaml", Sink())]
        outcome = run(game, case)
        assert outcome.ok == ok, outcome.faults
    tally = range_player(game, make_order(game, 2, 0, None, None, {}, full=True))(0, 2)
    assert len(tally.failures) == 2 and "'room'" in tally.failures[0]


WALK = """
unit PM
kind Zone
kind Way joins Zone
  fixed steep: bool
kind Piece = p1 | p2 | p3
  state zone: Zone? = a
  fixed slow: bool
state got: 0..9
movement go(g: set Piece)
  over Way w from x to y
  allowance 1 PM
  cost 2 PM if w.steep or g has slow else 1 PM
  on entry
    each p in g
      p.zone := y
standing shout in main
  got += 1
phase main
  walk go({p1}) from d by red when got = 1
  walk go({p1}) from d by red when got = 0
  pick group g from Piece by red "who" while some(reach go(g) from a) "they have nowhere to go"
  walk go(g) from d by red
  finish none, drawn
"""


@pytest.mark.docs(
    "language#8-movement", "language#9-procedures-phases-statements", "language#11-standing-options"
)
def test_a_walk_may_be_guarded_and_a_group_that_cannot_go_is_not_picked(tmp_path: Path) -> None:
    """A standing option is not offered during the walk, nor while the group is picked."""
    rules = (
        WALK.replace("p1 | p2 | p3", "p1(false) | p2(true) | p3(false)")
        .replace("  fixed slow: bool\n", "")
        .replace(
            "kind Piece = p1(false) | p2(true) | p3(false)\n",
            "kind Piece = p1(false) | p2(true) | p3(false)\n  fixed slow: bool\n",
        )
        .replace(" = a\n", "\n")
    )
    found = play(stored_model(tmp_path, rules, map=MAP), "to c", "add p1", "go", "to e")
    assert found.asked == [
        "red: to c, to e",
        "red: add p1, add p3",
        "red: add p3, go",
        "red: to c, to e",
    ]


ASKED = """
state got: 0..99
moment bell asks red, blue
event hit
  got += 1
reaction ring "Ring"
  at bell
  for blue
  limit 1 per game
  got += 10
reaction shout after hit
  for red.enemy
  limit 1 per game
  got += 20
phase main
  open bell
  hit
  finish none, drawn
"""


def test_for_says_who_is_asked_and_at_says_when() -> None:
    """The moment asks both sides, but only one of them has the option."""
    found = play(ASKED, "ring", "shout")
    assert (found.asked, found["got"]) == (["blue: ring, pass", "blue: shout, pass"], 31)


ROLLS = """
phase main
  roll d = 3d6 by blue for luck
  roll e = d20 by red for storm
  finish none, drawn
"""


@pytest.mark.docs("language#9-procedures-phases-statements")
def test_a_roll_adds_its_dice_and_is_recorded() -> None:
    """The record has purpose, side and sum. Each die uses all its faces."""
    assert [args for _, args in play(ROLLS, dice=[15, 20]).events] == [(0, 1, 15), (1, 0, 20)]
    model = written(SIDES + ROLLS)
    found = [[args[2] for _, args in Reference(model, seed=seed).events] for seed in range(400)]
    assert {low for low, _ in found} <= set(range(3, 19)) and {high for _, high in found} == set(
        range(1, 21)
    )
    assert 10 < sum(low for low, _ in found) / 400 < 11
    for seed in range(3):
        agree(model, compiled(model), seed)
