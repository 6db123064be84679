"""The position of a seat: running procedures, tracks, points of each side, and possible undos."""

from __future__ import annotations

import json
import random

import pytest

import rulekit
from rulekit import Seat
from rulekit.common.errors import IllegalChoice


def games(path: str, seed: int, choices: int) -> rulekit.State:
    state, rng = rulekit.load(path).new(seed=seed), random.Random(seed)
    for _ in range(choices):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_points_of_a_phase_tracks_and_seats() -> None:
    """The announced, remaining and spent points are public."""
    state, rng = rulekit.load("games/sphacteria").new(seed=7), random.Random(1)
    seen = 0
    for _ in range(150):
        state.apply_action(rng.choice(state.legal_actions()))
        place = Seat(state, None).position()
        phase = next((each for each in place.running if each.name == "action_phase"), None)
        fields = {each.name: each.value for each in phase.fields} if phase is not None else {}
        if "n" in fields and state.decision is not None and state.decision.kind != "pick":
            assert (
                fields["n"] >= fields["budget"] + fields["spent"]
                and fields["active"] in state.names.sides
            )
            seen += 1
        assert place.tracks == {
            "turn": state.get("turn"),
            "supply": {s: state.get(f"supply.{s}") for s in state.names.sides},
        }
        assert place.seats["athens"]["hand"] == len(state.get("hand.athens"))
        assert place.seats["sparta"]["score"] == state.value_of("vp", "sparta")
        assert place.undo is None and json.dumps(place.to_json())
    assert seen > 10


def test_a_label_says_what_goes_on_in_the_language_of_the_seat() -> None:
    state = games("games/sphacteria", 1, 40)
    english, french = (Seat(state, None, lang).position() for lang in ("en", "fr"))
    assert [each.name for each in english.running] == [each.name for each in french.running]
    assert [each.label for each in english.running] != [each.label for each in french.running]
    assert english.to_json()["state"] == french.to_json()["state"] == state.view(None)["state"]


def test_before_it_is_settled_a_value_is_not_told() -> None:
    """A player who is asked for the number of points has announced none, whatever they announced
    before."""
    state, rng = rulekit.load("games/sphacteria").new(seed=7), random.Random(1)
    asked = 0
    for _ in range(200):
        state.apply_action(rng.choice(state.legal_actions()))
        if (
            state.decision is not None
            and state.decision.procedure == "action_phase"
            and state.decision.kind == "pick"
        ):
            phase = Seat(state, None).position().running[-1]
            assert phase.name == "action_phase" and "n" not in {each.name for each in phase.fields}
            asked += 1
    assert asked


@pytest.mark.parametrize("path", ["tests/fixtures/duel", "examples/skirmish"])
def test_a_die_that_anybody_rolled_stops_what_may_be_taken_back(path: str) -> None:
    """Another player's pass may follow the die. At each decision of short games, `undo` agrees with
    the actual undo."""
    stopped = 0
    for seed in range(6):
        state, rng = rulekit.load(path).new(seed=seed), random.Random(seed)
        while not state.is_terminal() and state.move_number() < 40:
            for side in state.names.sides:
                undo, copy = Seat(state, side).position().undo, state.clone()
                assert undo is not None
                stopped += undo.why == "die_was_rolled"
                for _ in range(undo.steps):
                    copy.undo_own(side)
                with pytest.raises(IllegalChoice):
                    copy.undo_own(side)
            state.apply_action(rng.choice(state.legal_actions()))
    assert stopped


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("path", ["games/sphacteria", "games/amphipolis", "tests/fixtures/secrets"])
def test_so_many_choices_may_be_taken_back_and_no_more(path: str, seed: int) -> None:
    """`undo` predicts the actual undo."""
    state = games(path, seed, 30 + 5 * seed)
    for side in state.names.sides:
        undo, copy = Seat(state, side).position().undo, state.clone()
        assert undo is not None
        for _ in range(undo.steps):
            copy.undo_own(side)
        assert Seat(copy, side).history.now == undo.choice
        with pytest.raises(IllegalChoice):
            copy.undo_own(side)
        if undo.event is not None:
            assert undo.why in ("die_was_rolled", "was_drawn", "was_revealed") and undo.text
            shown = {"put", *(e.name for e in state.table.program.events if e.reveals)}
            stops = {
                "die_was_rolled": {"die_rolled", "roll_cancelled"},
                "was_drawn": {"drawn"},
                "was_revealed": {*shown, "revealed"},
            }
            assert undo.event in stops[undo.why]
