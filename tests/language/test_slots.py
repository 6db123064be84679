"""Members with their own rules: the block of a member fills the slots of its kind, and its clauses
apply while somebody holds it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.compiler.checked_rules import findings
from tests.language.played import play
from tests.language.played_choices import HEAD, cell_values, play_choices
from tests.small_games import write_game

SLOTS = """
state turn: 0..9 = 1
kind Card
  state played: set Side per day
  slot guard(me: Side): bool = DEFAULT
  slot effect(me: Side)
  rules while played as me
members Card = drums | scouts | rest | double
total morale_of(s: Side): int
  base 2
Card drums "War drums"
  when turn > 1
  when me = red
  modifier morale_of.drums +1 when s = me
Card scouts "Scouts"
  pick z from Spot where it != s2 by me
  more := more * 10 + (1 if z = s1 else 3)
Card double "Double"
  when me = blue
  more := more * 10 + 7
  return when turn > 4
  more := more * 10 + 8
menu orders in day
action play(c: Card) in orders
  when c.guard(me)
  when me not in c.played
  c.played += {me}
  c.effect(me)
action wait in orders
  turn += 1
phase day(s: Side)
  repeat 3 times
    choose by s from orders "what"
  got := got * 100 + morale_of(red) * 10 + morale_of(blue)
phase main
  day(red)
  day(blue)
  finish none, drawn
"""


@pytest.mark.docs("language#14-cards-members-with-rules-of-their-own")
def test_each_member_fills_the_slots_of_its_kind() -> None:
    """All its `when` lines fill the condition, and its steps fill the other slot. A member without
    them has the default or does nothing. Its clauses end when nobody holds it."""
    asked, reference = play_choices(
        SLOTS.replace("DEFAULT", "true"),
        "play 1",
        "z 2",
        "wait",
        "play 0",
        "play 3",
        "play 2",
        "wait",
    )
    assert asked == [
        "r play 1 play 2 wait",
        "r z 0 z 2",
        "r play 2 wait",
        "r play 0 play 2 wait",
        "b play 1 play 2 play 3 wait",
        "b play 1 play 2 wait",
        "b play 1 wait",
    ]
    assert cell_values(reference, "got", "more") == [3222, 378]


@pytest.mark.docs("language#14-cards-members-with-rules-of-their-own")
def test_a_slot_has_its_default_where_a_member_says_nothing() -> None:
    asked, _ = play_choices(SLOTS.replace("DEFAULT", "false"), "wait", "play 0", "wait", "play 3")
    assert asked == ["r wait", "r play 0 wait", "r wait", "b play 3 wait", "b wait"]


HELD = """
state guests: set Side
kind Card
  rules while guests as me
members Card = drums | scouts
total morale_of(s: Side): int
  base 2
permit may(s: Side)
Card drums "War drums"
  modifier morale_of.drums +1 when s = me
  set morale_of.scared 9 when s = me.enemy and got = 1
  bar may.tired when s = me "tired"
phase main
  guests := {WHOSE}
  got := 1 when GOT
  got := morale_of(red) * 10 + morale_of(blue)
  more := (1 if may(red) else 2) * 10 + (1 if may(blue) else 2)
  finish none, drawn
"""


@pytest.mark.docs("language#14-cards-members-with-rules-of-their-own")
@pytest.mark.parametrize(
    ("whose", "one", "found"),
    [
        ("", "true", [22, 11]),
        ("red", "false", [32, 21]),
        ("blue", "false", [23, 12]),
        ("blue", "true", [93, 12]),
        ("red, blue", "false", [33, 22]),
    ],
)
def test_clauses_of_a_member_hold_while_it_names_somebody(
    whose: str, one: str, found: list[int]
) -> None:
    """Each of them is `me` in turn."""
    _, reference = play_choices(HELD.replace("WHOSE", whose).replace("GOT", one))
    assert cell_values(reference, "got", "more") == found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  slot guard(me: Side): bool = DEFAULT\n", "", "no slot for 'when' lines"),
        ("  slot effect(me: Side)\n", "", "no slot for steps"),
    ],
)
def test_a_block_has_nothing_for_which_there_is_no_slot(old: str, new: str, told: str) -> None:
    _, found = findings(HEAD + SLOTS.replace(old, new).replace("DEFAULT", "true"))
    assert any(each.startswith("RK505") and told in each for each in found), found


@pytest.mark.docs("language#14-cards-members-with-rules-of-their-own")
def test_rules_hold_while_a_set_of_players_has_members() -> None:
    _, found = findings(
        HEAD
        + HELD.replace("WHOSE", "red")
        .replace("GOT", "false")
        .replace("guests: set Side", "guests: Side?")
    )
    assert "RK401 10: 'rules while' needs the set of Side to which the rules apply" in found


LOUD = """
state got: 0..99
kind Card
  state played: set Side
  rules while played as me
members Card = drums
total morale: int
  base 1
Card drums "War drums"
  modifier morale.loud +2
phase main
  choose by red "who"
    option nobody
      drums.played := {}
    option one
      drums.played := {blue}
    option both
      drums.played := {red, blue}
  got := morale
  finish none, drawn
"""


@pytest.mark.parametrize(("who", "morale"), [("nobody", 1), ("one", 3), ("both", 5)])
def test_what_a_member_changes_it_changes_for_each_who_holds_it(who: str, morale: int) -> None:
    assert play(LOUD, who)["got"] == morale


def test_a_clause_says_for_whom_it_counts(tmp_path: Path) -> None:
    """This includes the first player."""
    rules = (
        (HEAD + HELD)
        .split("fixed enemy: Side\n", 1)[1]
        .replace("WHOSE", "red, blue")
        .replace("GOT", "false")
    )
    state = rulekit.load(
        write_game(
            tmp_path,
            rules.replace("  finish none", '  choose by red "on"\n    option on\n  finish none'),
        )
    ).new(seed=1)
    lines = [
        line
        for who in ("red", "blue")
        for line in state.explain("morale_of", who).lines
        if line.status == "applied"
    ]
    assert [(line.name, line.holder) for line in lines if line.word == "modifier"] == [
        ("drums", "0"),
        ("drums", "1"),
    ]
