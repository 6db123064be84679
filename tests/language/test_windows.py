"""Windows: the players, their order and number of turns, and the current moment of nested
windows."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.small_games import assert_agreement, write_game

ASKED = """
state rung(s: Side): 0..9
state mover: Side = blue
event rang(s: Side)
  rung(s) += 1
moment bell asks ASKS
reaction ring at bell
  when rung(me) < 2
  rang(me)
phase main
  open bell
  finish none, drawn
"""


def course(state: rulekit.State, choices: str) -> str:
    """Return the deciding players, one letter each, during these choices (`+` acts, `-` passes),
    with `.` at the end of play."""
    asked = ""
    for choice in choices:
        assert state.decision is not None, asked
        asked += state.decision.player[0]
        state.apply("ring" if choice == "+" else "pass")
    return asked + ("." if state.decision is None else state.decision.player[0])


@pytest.mark.docs("language#12-moments-reactions-hooks")
@pytest.mark.parametrize(
    ("asks", "choices", "asked"),
    [
        ("red, blue", "--", "rb."),
        ("blue, red", "--", "br."),
        ("mover, mover.enemy", "--", "br."),
        ("red", "-", "r."),
        ("red, blue", "-+--", "rbrb."),
        ("red, blue", "+--", "rrb."),
        ("red, blue", "++-", "rrb."),
        ("red, blue", "-+-+-", "rbrbr."),
        ("red, blue", "++++", "rrbb."),
        ("mover, red, blue", "-+--", "brbr."),
        ("mover, red, blue", "--", "br."),
        ("red, mover, red", "--", "rb."),
    ],
)
def test_all_are_asked_again_after_a_play_each_once_and_in_order(
    tmp_path: Path, asks: str, choices: str, asked: str
) -> None:
    """It closes when all have passed in sequence. Players without options are not asked."""
    folder = write_game(tmp_path, ASKED.replace("ASKS", asks))
    assert course(rulekit.load(folder).new(), choices) == asked
    assert_agreement(folder, 3)


NESTED = """
state told: 0..99
event woken
  told += 1
moment inner asks blue, red
moment dawn in day asks red, blue
moment dusk in day asks red, blue
moment any_part in day = dawn, dusk, after woken asks red, blue
reaction shout at inner
  limit 1 per any_call by me
  told += 1
reaction call at any_part
  when here is dawn
  limit 2 per day by me
  any_call
reaction sleep at any_part
  when here is dusk
  limit 1 per day by me
  told += 1
procedure any_call
  open inner
  open inner
phase day
  open dawn
  open dusk
phase main
  repeat 2 times
    day
  finish none, drawn
"""


def test_when_a_window_within_another_closes_it_is_the_outer_moment_again(tmp_path: Path) -> None:
    """Options for dawn only return after the inner window, and are not available at dusk."""
    folder = write_game(tmp_path, NESTED)
    assert_agreement(folder)
    state, found = rulekit.load(folder).new(), []
    while state.decision is not None:
        acts = [o.key for o in state.decision.options if o.key != "pass"]
        found.append(f"{state.decision.player[0]} {' '.join(acts)}")
        state.apply(acts[0])
    part = [
        "r call",
        "b shout",
        "r shout",
        "r call",
        "b shout",
        "r shout",
        "b call",
        "b shout",
        "r shout",
        "b call",
        "b shout",
        "r shout",
    ]
    assert found == [*part, "r sleep", "b sleep"] * 2


HELD = """
kind Card = bell | book
state rung(s: Side): 0..9
pool box of Card seen by none
pool hand(s: Side) of Card seen by s
pool table of Card
event rang(s: Side)
  rung(s) += 1
moment dusk asks red, blue
reaction ring at dusk
  when bell in hand(me)
  limit 1 per game by me
  rang(me)
setup
  WHERE
phase main
  open dusk
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("where", "asked"),
    [
        ("put bell in hand(blue)", "b."),
        ("put book in hand(blue)", "b."),
        ("put book in hand(red)", "r."),
        ("put book in table", "."),
        ("put bell in table", "."),
    ],
)
def test_who_holds_nothing_is_not_asked_for_what_he_may_hold(
    tmp_path: Path, where: str, asked: str
) -> None:
    """All know the number of cards in a hand. An empty one has none. A player with a different card
    is asked all the same."""
    folder = write_game(tmp_path, HELD.replace("WHERE", where))
    assert course(rulekit.load(folder).new(), "-" * (len(asked) - 1)) == asked
    assert_agreement(folder, 2)
