"""A sum over no members is 0 and evaluates no term, also if the term does not depend on the member
and could fail. Each of its cancels cancels it."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.compiler import build
from rulekit.compiler.source.game_source import GameSource, RulesText
from tests.compiler.reference.agree import agree
from tests.small_games import write_game

RULES = """game sums 1
unit PF
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Item = a | b | c
  state used: bool
state aim: Item?
kind Card
  state played: set Side
  slot effect(me: Side)
  rules while played as me
members Card = spear | shield
Card spear "Spear"
  modifier strength.spear -rank(the aim) when s = me.enemy and aim != none
  aimed(b)
Card shield "Shield"
  modifier strength.shield +1 when s = me
  aimed(c)
define rank(x: Item): PF = 3 PF if x.used else 1 PF
total strength(s: Side): PF
  base 5
event aimed(x: Item)
  aim := x
  x.used := true
event card_played(c: Card, s: Side)
  c.played += {s}
phase main
  each s in Side
    choose by s "what"
      option guard "guard"
        when strength(s) >= 5
      option play(c: Card) "play {c}"
        when no c.played
        card_played(c, s)
        c.effect(s)
  finish red, win when strength(red) > strength(blue)
  finish none, drawn
"""


def test_a_term_that_fails_is_not_asked_for_without_members() -> None:
    sink = Sink()
    model = check(
        GameSource(
            "sums", Path(), rules=[RulesText("g.rules", RULES, 0, "g")], files={"g.rules": RULES}
        ),
        sink,
    )
    assert model is not None and not sink.errors, [
        f"{d.span}: {d.message}" for d in sink.in_order()
    ]
    compiled = build(model, "")
    for seed in range(12):
        agree(model, compiled, seed)


CANCELLED = """
kind Card
  state played: set Side
  slot effect(me: Side)
  rules while played as me
members Card = spear | shield
Card shield "Shield"
  modifier strength.shield +1 when s = me
state dark: bool
state wet: bool
total strength(s: Side): int
  base 5
cancel strength.shield when dark
cancel strength.shield when wet
setup
  shield.played += {red}
phase main
  choose by red "what"
    option look
      dark := false
      wet := false
  finish none, drawn
"""


def test_what_holders_add_is_cancelled_by_each_of_its_cancels(tmp_path: Path) -> None:
    """Red has the shield, which is worth one to them unless it is dark or wet."""
    state = rulekit.load(write_game(tmp_path, CANCELLED)).new()
    found = {}
    for dark in (False, True):
        for wet in (False, True):
            state.set("dark", dark)
            state.set("wet", wet)
            found[dark, wet] = state.value_of("strength", "red"), state.value_of("strength", "blue")
    assert found == {
        (False, False): (6, 5),
        (False, True): (5, 5),
        (True, False): (5, 5),
        (True, True): (5, 5),
    }
