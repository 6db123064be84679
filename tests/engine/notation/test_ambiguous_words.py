"""The meaning of a typed choice: whole keys before words, words before labels, labels before
beginnings."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.kernel.decision import matching
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead
from tests.small_games import write_game

OFFERS = """
kind Spot = A | B | north | nova
kind Tent = t1 | t2 | t3
phase main
  repeat 3 times
    choose by red "what"
      option march(t: Tent) "Go on"
      option mark(s: Spot) "Set a sign"
      option carry(t: Tent, s: Spot) when t != t2 "Bring it"
      option rest "Do nothing"
  finish none, drawn
"""


@pytest.fixture
def state(tmp_path: Path) -> rulekit.State:
    return rulekit.load(write_game(tmp_path, OFFERS)).new(seed=1)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("mark A", ["mark A"]),
        ("MARK a", ["mark A"]),
        ("A", ["mark A", "carry t1 A", "carry t3 A"]),
        ("march t3", ["march t3"]),
        ("t2", ["march t2"]),
        ("march", ["march t1", "march t2", "march t3"]),
        ("carry t1 north", ["carry t1 north"]),
        ("carry north t1", []),
        ("carry(t3, B)", ["carry t3 B"]),
        ("carry: t3 B", ["carry t3 B"]),
        ("rest", ["rest"]),
        ("nothing", ["rest"]),
        ("Do", ["rest"]),
        ("re", ["rest"]),
        ("mark no", ["mark north", "mark nova"]),
        ("mark nor", ["mark north"]),
        ("mar nov", ["mark nova"]),
        ("", []),
        ("   ", []),
        ("fly", []),
        ("rest A", []),
        ("mark A B", []),
        ("mark t", []),
    ],
)
def test_a_text_means(state: rulekit.State, text: str, keys: list[str]) -> None:
    assert state.decision is not None
    assert [option.key for option in matching(text, state.decision.options, state.names)] == keys


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("march F2", ["march red.F2"]),
        ("f2", ["march red.F2"]),
        ("march red.F2", ["march red.F2"]),
        ("march f", ["march red.F1", "march red.F2"]),
        ("march red", ["march red.F1", "march red.F2", "march red.H1"]),
        ("red guard", ["march red.F1"]),
        ("guard red", []),
        ("F", ["march red.F1", "march red.F2"]),
    ],
)
def test_the_last_part_of_an_id_stands_for_it(text: str, keys: list[str]) -> None:
    state = rulekit.load("examples/skirmish").new(seed=1)
    assert state.decision is not None
    assert [option.key for option in matching(text, state.decision.options, state.names)] == keys


def test_a_number_stands_for_one_that_is_offered_and_for_no_other(state: rulekit.State) -> None:
    """If a thing may not be named, the key is its number, from 1."""
    lookahead = PlayerLookahead.of(Observer(state, "red"))
    ids = lookahead.ids()
    assert [lookahead.find(f"#{n}") for n in (0, 1, 2, len(ids), len(ids) + 1)] == [
        0,
        ids[0],
        ids[1],
        ids[-1],
        0,
    ]
    assert [lookahead.find(text) for text in ("#", "#x", "fly", "mark no")] == [0] * 4
    assert (
        lookahead.find("mark nor") == lookahead.find("mark north") != 0
        and lookahead.find("rest") in ids
    )


INVARIANT = """
kind Tent = t1 | t2 | t3
  state full: bool
event filled(t: Tent)
  t.full := true
invariant room: count(Tent where full) < 2
phase main
  repeat 3 times
    choose by red "which"
      option fill(t: Tent)
        filled(t)
      option rest
  finish none, drawn
"""


@pytest.mark.docs("language#7-events")
def test_a_choice_that_breaks_an_invariant_is_an_error_and_none_is_made(tmp_path: Path) -> None:
    """The state is unchanged, and play can continue."""
    state = rulekit.load(write_game(tmp_path, INVARIANT)).new(seed=1)
    state.apply("fill t1")
    before = state.to_json(), list(state.events)
    with pytest.raises(rulekit.RulesError, match="'room'"):
        state.apply("fill t2")
    assert (state.to_json(), list(state.events)) == before
    state.apply("rest")
    assert state.move_number() == 2
