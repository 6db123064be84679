"""Situations: a total or permit whose value is constant is computed at its use in the rules, and
observed like any other."""

from __future__ import annotations

import pytest

import rulekit
from rulekit.engine.game.game import Game
from tests.project.situation_checks import outcome
from tests.small_games import SIDES

RULES = """
kind Man = ann | bob | cid
  fixed strong: bool = false
pool home of Man
state n: 0..9
state tired: bool
state lead: Side
total few: 0..5
  base 2
total t(s: Side): int
  base 1
  modifier late +1 when s = red
total one: int
  base 1
total weight(p: Man): int
  base 1
  modifier heavy +2 when p is bob
permit may(s: Side)
  bar shut when s = blue "shut"
define twice(s: Side): int = t(s) * 2
define bigger: int = one + 1
event gave(v: 0..9)
  n += v
event told(b: bool)
  tired := b
define whose(k: 0..9): Side = red if k = one else blue
phase main
  repeat 9 times
    choose by red "what"
      option in_event
        gave(t(red))
      option in_sum
        gave(t(red) + one)
      option in_define
        gave(twice(red))
      option in_other
        gave(bigger)
      option in_if
        if t(red) = 2
          gave(1)
        else
          gave(2)
      option in_unless
        if t(red) = 3
          gave(1)
      option in_state
        n := t(red)
      option in_flag
        tired := may(blue)
      option in_loop
        each m in Man
          gave(weight(m))
      option in_set
        gave(count(Man m where weight(m) = 3))
      option in_count
        repeat t(red) times
          gave(1)
      option in_pick
        pick k from 1..few by red "how many"
        gave(k)
      option in_question(k: 1..3)
        when t(red) = k "no"
        n := 1
      option in_amount(k: 1..3)
        when t(red) >= 2 "no"
        n := k
      option in_player
        pick k from 1..2 by whose(one) "how many"
        gave(k)
      option none_of_these
        n := 1
  finish red, win
"""
MANIFEST = 'rulekit: game\nname: known\ntitle: Known\nversion: "1.0"\nlanguage: 1\n'


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("known")
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + RULES)
    return rulekit.load(folder)


@pytest.mark.parametrize(
    ("do", "then"),
    [
        ("in_event", "{total t: 2}, {applies t.late: true}, {event gave: {v: 2}}"),
        ("in_sum", "{total t: 2}, {total one: 1}, {event gave: {v: 3}}"),
        ("in_define", "{total t: 2}, {applies t.late: true}, {event gave: {v: 4}}"),
        ("in_other", "{total one: 1}, {event gave: {v: 2}}"),
        ("in_if", "{total t: 2}, {event gave: {v: 1}}"),
        ("in_unless", "{total t: 2}, {no_event: gave}"),
        ("in_state", "{total t: 2}, {n: 2}"),
        ("in_flag", "{permit may: false}, {applies may.shut: true}, {tired: false}"),
        ("in_loop", "{total weight: 1}, {applies weight.heavy: true}, {count gave: 3}"),
        ("in_set", "{total weight: 1}, {applies weight.heavy: true}, {event gave: {v: 1}}"),
        ("in_count", "{total t: 2}, {count gave: 2}"),
        ("in_pick; 2", "{total few: 2}, {event gave: {v: 2}}"),
        ("in_question 2", "{total t: 2}, {n: 1}"),
        ("in_amount 3", "{total t: 2}, {n: 3}"),
        ("in_player; 1", "{total one: 1}, {event gave: {v: 1}}"),
    ],
)
def test_what_is_known_beforehand_is_seen_where_it_is_asked(
    known: Game, do: str, then: str
) -> None:
    """The uses are in an event, a sum, a definition, a question, a state, a loop, a set, a number
    of rounds and an option."""
    assert outcome(known, f"do: [{{red: {do}}}]\nthen: [{then}]").why == ""
