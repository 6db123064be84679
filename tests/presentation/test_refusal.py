"""Refusals of an option, a piece or a place: reason by reason, for programs and for people, without
secrets."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulekit
from rulekit import Seat
from rulekit.engine.game.state import State
from rulekit.presentation.refusal import Refusal
from rulekit.runtime.slots import PC
from tests.engine.knowledge.twins import swaps
from tests.games.plays import game_of
from tests.small_games import write_game

SECRETS = Path(__file__).resolve().parents[1] / "fixtures" / "secrets"


def passed(state: State) -> State:
    while state.decision is not None and state.decision.kind == "window":
        state.apply("pass")
    return state


@pytest.fixture
def moving() -> State:
    """A game in which Sparta has activated N with six units and a leader."""
    state = passed(game_of("sphacteria", "en").new(seed=3))
    state.apply("pick 3")
    passed(state).apply("activate N")
    return passed(state)


def seat(state: State) -> Seat:
    return Seat(state, state.current_player())


# ------------------------------------------------------------------------- options
@pytest.mark.docs("python#why-not")
def test_a_reason_has_its_text_paragraph_cause_and_things() -> None:
    state = passed(game_of("sphacteria", "en").new(seed=3))
    state.apply("pick 3")
    [reason] = seat(passed(state)).why("activate K")
    assert reason == Refusal(
        "activate K",
        "No unit of yours that may still move stands there.",
        ("2.C2",),
        "when",
        ("K",),
    )
    assert seat(state).why("activate N") == []


@pytest.mark.docs("python#why-not")
def test_in_a_group_each_bar_is_a_reason_of_its_own(moving: State) -> None:
    """The places that bar the path are in `of`, not in the text. The key is in no text."""
    moving.apply("move")
    reasons = seat(moving).why("add brasidas")
    assert [(r.cause, r.text, r.ref) for r in reasons] == [
        ("when", "They have nowhere to go together", ()),
        ("bar", "A leader needs company", ("3.1",)),
    ]
    assert reasons[1].of[0] == "sparta.brasidas" and {"K", "L", "M"} <= set(reasons[1].of)
    assert seat(moving).why("add H1") == []
    moving.apply("add H1")
    assert [r.cause for r in seat(moving).why("add H1")] == ["picked"]
    assert not any("add" in r.text for r in reasons)


def test_a_place_that_is_not_next_is_named(moving: State) -> None:
    for choice in ("move", "add H1", "go"):
        moving.apply(choice)
    [reason] = seat(moving).why("to Q")
    assert (reason.cause, reason.of) == ("apart", ("Q", "N"))


@pytest.mark.docs("python#why-not")
def test_who_is_not_asked_is_told_only_that(moving: State) -> None:
    for player in ("athens", None):
        for key in ("move", "add brasidas", "no such thing"):
            assert Seat(moving, player).why(key) == [
                Refusal(key, "it is Sparta's decision", (), "other")
            ]
            assert Seat(moving, player).why_not(key) == [
                Refusal(key, "it is Sparta's decision", (), "other")
            ]


def test_what_is_no_option_is_said_without_its_words(moving: State) -> None:
    assert [(r.cause, r.text) for r in seat(moving).why("fly")] == [
        ("none", "there is no such option here")
    ]
    assert [r.cause for r in seat(moving).why("activate K")] == ["moment"]


def test_both_forms_come_from_one_place() -> None:
    """For every refused option, the sentence consists of the reasons."""
    rng, state, seen = random.Random(2), game_of("sphacteria", "en").new(seed=2), 0
    for _ in range(60):
        assert state.decision is not None
        for at in state.table.program.decisions[state.slots[PC]].families:
            family = state.table.program.families[at]
            for id in range(family.base, family.base + min(family.size, 30)):
                if id not in state.legal_actions():
                    key = state.table.book.option(id).key
                    reasons = seat(state).why(key)
                    [whole] = state.why(key)[:1]
                    assert all(reason.text in whole for reason in reasons if reason.key == key)
                    seen += len(reasons)
        state.apply_action(rng.choice(state.legal_actions()))
    assert seen > 200


# ---------------------------------------------------------------------- pieces and places
@pytest.mark.docs("python#why-not")
def test_of_a_piece_it_is_told_what_stands_behind_the_next_choice(moving: State) -> None:
    """No option names it here, but `move` leads to a group that refuses it."""
    reasons = seat(moving).why_not("sparta.brasidas")
    assert [(r.key, r.cause) for r in reasons] == [
        ("move add sparta.brasidas", "when"),
        ("move add sparta.brasidas", "bar"),
    ]
    assert seat(moving).why_not("sparta.H1") == []
    assert "owner" in seat(moving).why_not("athens.A1")[0].text


@pytest.mark.docs("python#why-not")
def test_of_a_piece_whose_place_is_chosen_the_reason_of_the_place_is_told(moving: State) -> None:
    moving.apply("done")
    assert [(r.key, r.cause) for r in seat(moving).why_not("sparta.H1")] == [("activate N", "when")]
    assert seat(moving).why_not("N") == seat(moving).why_not("sparta.H1")


NEAR = """
kind Tent = t1 | t2
state fine: bool = true
state calm: bool = true
phase main
  choose by red "what"
    option dig(t: Tent)
      when not fine "too dry"
      when t = t2 "not this one"
      finish red, win
    option camp(t: Tent)
      when fine "too wet"
      when t = t2 "not this one"
      finish red, win
    option raid(t: Tent)
      when fine "too wet"
      when calm "too calm"
      when t = t2 "not this one"
      finish red, win
    option burn(t: Tent)
      when not fine "too dry"
      finish red, win
    option stay
      finish none, drawn
"""


def test_of_a_thing_the_option_that_is_nearest_to_being_offered_comes_first(tmp_path: Path) -> None:
    """An option that fails at its last condition comes before those that fail earlier. Equal ones
    are in the order of the rules."""
    state = rulekit.load(write_game(tmp_path, NEAR)).new(seed=1)
    assert [r.key for r in Seat(state, "red").why_not("t1")] == [
        "raid t1",
        "camp t1",
        "dig t1",
        "burn t1",
    ]


# ------------------------------------------------------------------- no secrets
def asked(seed: int) -> Iterator[State]:
    state, rng = rulekit.load(SECRETS).new(seed=seed), random.Random(seed)
    for number in range(40):
        if state.decision is None:
            break
        if number % 8 == seed % 8:
            yield state
        state.apply_action(rng.choice(state.legal_actions()))


def test_why_those_who_are_chosen_cannot_go_to_a_place(moving: State) -> None:
    """The reasons are those of their walk, without the choices before it. A reachable place has
    none."""
    here, keys = seat(moving), ["add sparta.H1"]
    reached = {reach.place for reach in here.forecast(keys).places}
    assert {"K", "L", "O"} <= reached
    assert all(here.why_not(place, keys) == [] for place in reached)
    assert [(r.key, r.text, r.cause, r.of) for r in here.why_not("A", keys)] == [
        ("to A", "A Athenian roads is not next to N Spartan camp", "apart", ("A", "N"))
    ]
    assert here.why_not("sparta.H2", keys) == here.why_not("sparta.H2"), (
        "of a piece they change nothing"
    )
    assert here.why_not("A", ["add athens.H1"]) == here.why_not("A"), "who cannot go is not led on"
    assert here.why_not("A")[0].key != "to U"


def test_why_those_who_have_one_way_only_cannot_go_elsewhere() -> None:
    """The hoplites of Pylos have only one destination, so there is no decision about it."""
    state = passed(game_of("sphacteria", "en").new(seed=7))
    while state.current_player() != 0 or state.decision.kind != "choose":
        state.apply_action(state.legal_actions()[-1])
    state.set("zone.sparta.H1", "O")
    state.set("zone.athens.T1", "A")
    here = Seat(state, "athens")
    assert [place.place for place in here.forecast(["add athens.H1"]).places] == ["O"]
    assert [(r.key, r.text, r.of) for r in here.why_not("H", ["add athens.H1"])] == [
        ("to H", "Athenian hoplites H1 can only go to O Approach to Pylos", ("H", "O"))
    ]
    assert here.why_not("O", ["add athens.H1"]) == []


@pytest.mark.parametrize("seed", range(3))
def test_of_twins_the_same_is_told(seed: int) -> None:
    """Two things that the player never could distinguish are swapped. No byte about any thing or
    option differs."""
    for state in asked(seed):
        kinds = state.table.program.kinds
        things = [member for kind in kinds for member in kind.members]
        keys = ["add b1", "strike b1", "guess red", "name_it r1", "show c2", "look_at c4"]

        def told(of: State, things: list[str] = things, keys: list[str] = keys) -> str:
            chosen = [[option.key] for option in seat(of).observer.options()[:4]]
            return json.dumps(
                [
                    [
                        r.to_json()
                        for t in things
                        for each in [[], *chosen]
                        for r in seat(of).why_not(t, each)
                    ],
                    [r.to_json() for k in keys for r in seat(of).why(k)],
                ]
            )

        here = told(state)
        pairs = list(swaps(state, state.current_player()))
        for swap in pairs[:: max(1, len(pairs) // 3)][:3]:
            assert told(swap.twin()) == here
