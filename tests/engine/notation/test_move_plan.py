"""A typed move is tokens, then a plan. Neither step plays anything."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.errors import IllegalChoice
from rulekit.engine.game.state import State
from rulekit.engine.notation.move_plan import Designator, MovePlan, plan_choice, plan_move
from rulekit.engine.notation.move_tokens import Role, move_tokens, names_and_places, texts

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def group() -> State:
    """Athens forms a group in Thasos."""
    state = rulekit.load(ROOT / "games" / "amphipolis").new("cleon", 7)
    while state.decision is not None and state.decision.kind == "window":
        state.apply("pass")
    state.apply("march_in")
    return state


def test_tokens_have_roles_and_keep_their_text(group: State) -> None:
    tokens = move_tokens("F1, Cleon; DONE to M1 stop", group.names)
    assert texts(tokens) == ["F1", "Cleon", "DONE", "to", "M1", "stop"]
    assert [token.roles for token in tokens] == [
        Role.NAME,
        Role.NAME,
        Role.LEAVE,
        Role.TO,
        Role.NAME,
        Role.STOP,
    ]
    named, places = names_and_places(tokens[:-1])
    assert (texts(named), places) == (["F1", "Cleon", "DONE"], ["M1"])


def test_a_plan_is_plain_data_and_plays_nothing(group: State) -> None:
    before, decision = group.clone(), group.decision
    assert decision is not None
    plan = plan_move(group, move_tokens("1 all done to M1", group.names), False, decision.options)
    first = decision.options[0].key.partition(" ")[2]
    assert plan == MovePlan(
        (first, "all", "done"), (Designator(first),), True, True, (Designator("M1"),), False
    )
    assert group == before and plan_choice(group, [], decision.player) is None


def test_a_number_beyond_the_list_is_refused_by_the_plan(group: State) -> None:
    decision = group.decision
    assert decision is not None
    with pytest.raises(IllegalChoice, match="999"):
        plan_move(group, move_tokens("999", group.names), False, decision.options)


def test_the_rest_of_a_plan_is_move_text() -> None:
    places = (Designator("K"), Designator("L"))
    assert str(MovePlan(("H1",), (Designator("H1"),), path=places)) == "H1 to K to L"
    assert str(MovePlan(path=places)) == "to K to L stop"
    assert str(MovePlan(stops=True)) == "stop" and str(MovePlan()) == ""
