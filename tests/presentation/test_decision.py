"""The decision of a seat: the options, their costs, the ends of steps, and the remaining points."""

from __future__ import annotations

import json

import pytest

import rulekit
from rulekit import Seat
from rulekit.engine.lookahead.player_lookahead import is_unlimited
from rulekit.runtime import cells
from tests.presentation.seat_positions import GAMES, decisions, game


def test_only_who_is_asked_has_options() -> None:
    """Others see the player and the question, but no options. Two of them see the same."""
    state = game("skirmish").new(seed=7)
    assert state.decision is not None
    who = state.decision.player
    other = next(side for side in state.names.sides if side != who)
    mine, theirs, spectator = (Seat(state, seat).decision() for seat in (who, other, None))
    assert mine is not None and theirs is not None and spectator is not None
    assert mine.options is not None and [o.key for o in mine.options] == [
        o.key for o in state.decision.options
    ]
    assert theirs.options is None and spectator.options is None and not theirs.forced
    assert {**theirs.to_json(), "undo": None} == {**spectator.to_json(), "undo": None}


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
@pytest.mark.parametrize("name", GAMES)
def test_an_option_costs_what_is_then_paid(name: str) -> None:
    """The stated cost is the first amount that is taken from the stated source. The state is
    unchanged."""
    compared = 0
    for state, rng in decisions(name, range(3)):
        before, asked = (
            state.to_json(),
            Seat(state, state.current_player() if state.current_player() >= 0 else None).decision(),
        )
        assert asked is not None and state.to_json() == before
        json.dumps(asked.to_json())
        for option in rng.sample(asked.options or (), min(3, len(asked.options or ()))):
            prices = state.table.book.family(state.find(option.key).id).prices
            assert len(prices) == len(option.cost) or all(
                p.clause < 0 and is_unlimited(state.slots[p.slot]) for p in prices
            )
            for price, paid in zip(prices, option.cost, strict=False):
                after = state.clone()
                begun = len(after.trail)
                after.apply(option.key)
                slot = price.slot
                if price.cell >= 0:
                    cell, keys = state.names.cell(paid.of)
                    assert cell.form == "plain"
                    slot = cell.base + cells.place(cell, keys)
                trail = after.trail[begun:]
                found = [trail[i + 1] for i in range(0, len(trail), 2) if trail[i] == slot] + [
                    after.slots[slot]
                ]
                assert paid.amount == (found[0] - found[1] if len(found) > 1 else 0)
                left = [p.amount for p in asked.left if (p.of, p.unit) == (paid.of, paid.unit)]
                assert found[0] in left
                compared += 1
    assert compared or name == "secrets"


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
@pytest.mark.parametrize("name", ["skirmish", "sphacteria", "amphipolis"])
def test_a_step_ends_where_it_says(name: str) -> None:
    """Unless another player's window intervenes, the group is there, and may stop there if that was
    stated."""
    compared = 0
    for state, rng in decisions(name, range(4)):
        if state.decision is None or state.decision.kind != "walk":
            continue
        asked = Seat(state, state.decision.player).decision()
        assert asked is not None and asked.options is not None
        steps = [
            option
            for option in asked.options
            if option.verb == "to" and option.may_stop is not None
        ]
        for option in rng.sample(steps, min(2, len(steps))):
            after, begun = state.clone(), len(state.trail)
            after.apply(option.key)
            while (
                after.decision is not None
                and after.decision.kind == "window"
                and any(o.key == "pass" for o in after.decision.options)
            ):
                after.apply("pass")
            again = (
                after.decision is not None
                and after.decision.kind == "walk"
                and after.decision.player == asked.player
            )
            over = state.table.program.procs[
                state.table.program.decisions[state.slots[0]].proc
            ].returns
            if (
                again and after.decision is not None and over not in after.trail[begun::2]
            ):  # still in the same walk
                assert _stands(after) == option.ends_at
                assert option.may_stop == any(o.key == "stop" for o in after.decision.options)
                compared += 1
    assert compared > 20


def _stands(state: rulekit.State) -> str | None:
    from rulekit.engine.explain.reasons import graph_kind
    from rulekit.engine.explain.refusals import standing

    return state.names.id(graph_kind(state), standing(state))


def test_parameters_say_what_they_are() -> None:
    """Pieces, places, numbers and things are distinguished only by the data of the game."""
    found: dict[str, set[tuple[str, str, str | None]]] = {}
    for state, _ in decisions("skirmish", range(3)):
        asked = Seat(state, state.current_player()).decision()
        assert asked is not None
        for option in asked.options or ():
            assert option.types.keys() == option.params.keys()
            found.setdefault(option.verb, set()).update(
                (name, t.role, t.kind) for name, t in option.types.items()
            )
    assert found["to"] == {("to", "place", "Zone"), ("over", "thing", "Border")}
    assert {role for types in found.values() for _, role, _ in types} >= {"piece", "place"}


def test_what_stops_an_undo_is_told() -> None:
    """The player sees the reason. A spectator has nothing to undo."""
    state = game("skirmish").new(seed=7)
    assert state.decision is not None
    who = state.decision.player
    state.apply(state.decision.options[0])
    mine, spectator = Seat(state, who).decision(), Seat(state).decision()
    assert mine is not None and spectator is not None
    why = state.undo_refusal(who)
    assert (mine.undo.may, mine.undo.why) == (not why, why)
    assert not spectator.undo.may and not spectator.undo.why
