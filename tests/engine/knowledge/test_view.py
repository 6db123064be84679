"""An observer's view does not change if only hidden information changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.knowledge.observation import Observer
from tests.small_games import write_game

CARDS = Path(__file__).resolve().parents[2] / "fixtures" / "cards"


@pytest.fixture
def game() -> rulekit.Game:
    return rulekit.load(CARDS)


def dealt(game: rulekit.Game, mine: list[int], theirs: list[int]) -> rulekit.State:
    return game.new(seed=1, dice=[*mine, *theirs])


def text(state: rulekit.State, observer: str | None) -> str:
    return json.dumps(state.view(observer))


def test_another_hand_gives_the_same_bytes(game: rulekit.Game) -> None:
    me, other = game.sides
    one, two = dealt(game, [0, 1, 2], [3, 4, 5]), dealt(game, [0, 1, 2], [6, 7, 8])
    assert one != two
    assert text(one, me) == text(two, me)
    assert text(one, other) != text(two, other)


def test_another_secret_choice_gives_the_same_bytes_until_it_is_revealed(
    game: rulekit.Game,
) -> None:
    me, other = game.sides
    one, two = dealt(game, [0, 1, 2], [3, 4, 5]), dealt(game, [0, 1, 2], [3, 4, 5])
    assert one.decision.player == me
    one.apply(one.decision.options[0])
    two.apply(two.decision.options[1])
    assert text(one, other) == text(two, other)
    assert text(one, None) == text(two, None)
    for state in (one, two):
        state.apply(state.decision.options[0])
    assert text(one, other) != text(two, other)


def test_only_the_decider_sees_the_options(game: rulekit.Game) -> None:
    state = game.new(seed=1)
    decider = state.decision.player
    other = next(s for s in game.sides if s != decider)
    assert "options" in state.view(decider)["decision"]
    assert "options" not in state.view(other)["decision"]
    assert "options" not in state.view(None)["decision"]


def test_after_the_end_nobody_has_options() -> None:
    state = rulekit.load(CARDS.parents[2] / "examples" / "tic_tac_toe").new(seed=1)
    for key in ("a1", "a2", "b1", "b2", "c1"):
        state.apply(key)
    for observer in ("x", "o", None):
        assert Observer(state, observer).options() == []
        assert state.view(observer)["decision"] is None


TWICE = """
phase day(n: 1..2)
  watch(n)
phase watch(n: 1..2)
  choose by red "go on"
    option on
phase main
  day(1)
  day(2)
  finish none, drawn
"""


def test_what_goes_on_is_told_from_the_outside_in(tmp_path: Path) -> None:
    """This includes procedures with several callers, in any order of declaration."""
    state = rulekit.load(write_game(tmp_path, TWICE)).new(seed=1)
    assert state.view("red")["phases"] == [
        {"phase": "main"},
        {"phase": "day", "n": 1},
        {"phase": "watch", "n": 1},
    ]


def test_the_seed_is_in_no_view(game: rulekit.Game) -> None:
    seed = 918_273_645_546
    state = game.new(seed=seed)
    while state.decision:
        for observer in [*game.sides, None]:
            assert str(seed) not in text(state, observer)
        state.apply(state.decision.options[0])


def test_sizes_of_pools_are_public_and_members_are_not(game: rulekit.Game) -> None:
    me, other = game.sides
    hands = game.new(seed=1).view(me)["pools"]["hand"]
    assert hands[me]["size"] == hands[other]["size"] == 3
    assert len(hands[me]["members"]) == 3
    assert hands[other]["members"] == []


def test_a_thing_of_unknown_identity_has_no_name_in_the_view() -> None:
    game = rulekit.load(CARDS.parent / "blocks")
    state = game.new(seed=1)
    me, other = game.sides
    mine, theirs = state.view(me), state.view(other)
    assert any(piece.startswith(f"{me}.") for piece in mine["state"]["strength"])
    hidden = [
        piece for piece in mine["state"]["strength"] if piece not in theirs["state"]["strength"]
    ]
    assert hidden
    assert len(theirs["unknown"]["Block"]) >= len(hidden)
    for piece in hidden:
        assert f'"{piece}"' not in json.dumps(theirs)


TOGETHER = """
kind Hand = rock | paper | shears
state shown: Hand = rock
phase main
  together each s in Side
    pick h from Hand by s "your hand"
    shown := h
  finish none, drawn
"""


@pytest.mark.parametrize(("old", "secret"), [("  together each", True), ("  each", False)])
def test_what_is_chosen_together_is_a_secret_of_the_game(
    tmp_path: Path, old: str, secret: bool
) -> None:
    """It is secret until all have chosen, even if nothing else is hidden. Consecutive choices are
    not."""
    state = rulekit.load(write_game(tmp_path, TOGETHER.replace("  together each", old))).new(seed=1)
    assert state.table.has_secrets is secret
