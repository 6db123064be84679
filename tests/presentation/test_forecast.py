"""The consequences of keys, and plans: forecasts come true, reveal no secret, and change
nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

import rulekit
from rulekit import Seat
from rulekit.presentation.forecast import Forecast, ReachablePlace
from tests.engine.knowledge.twins import swaps
from tests.presentation.seat_positions import decisions, game


def chosen(state: rulekit.State, rng: random.Random) -> list[str]:
    """Return some possible members of a group here, in any order, or nothing at another
    question."""
    assert state.decision is not None
    adds = [o.key for o in state.decision.options if o.key.startswith("add ")]
    return rng.sample(adds, rng.randint(0, min(3, len(adds))))


def forecasts(name: str, seeds: range) -> Iterator[tuple[rulekit.State, Forecast, list[str]]]:
    """Yield forecasts during games, and their keys."""
    for state, rng in decisions(name, seeds):
        asked = state.decision
        if asked is not None and asked.kind in ("group", "walk") and asked.player:
            keys = chosen(state, rng)
            yield state, Seat(state, asked.player).forecast(keys), keys


def spent(state: rulekit.State, player: str) -> dict[str, int]:
    """Return the remaining points of the player, by name."""
    asked = Seat(state, player).decision()
    return {f"{p.of} {p.unit}": p.amount or 0 for p in asked.left} if asked is not None else {}


def come_true(state: rulekit.State, reach: ReachablePlace, player: str) -> bool:
    """Return True if the forecast comes true. It is certain only if nothing intervenes."""
    after, before = state.clone(), spent(state, player)
    done = Seat(after, player).plan(reach.keys)
    if reach.stopped_by:
        assert done.taken >= min(reach.sure, len(reach.keys)) or done.stopped_by in (
            "die",
            "draw",
            "reveal",
        )
        return False
    assert done.stopped_by is None and done.taken == len(reach.keys)
    assert (
        after.decision is not None
        and after.decision.kind == "walk"
        and after.decision.player == player
    )
    now = spent(after, player)
    for paid in reach.cost:
        name = f"{paid.of} {paid.unit}"
        if name in before:
            assert paid.amount == before[name] - now[name]
    walk = Seat(after, player).decision()
    assert walk is not None and walk.options is not None
    assert reach.may_stop == any(o.key == "stop" for o in walk.options)
    assert reach.stop == ("stop" if reach.may_stop else "")
    assert standing(after) == reach.place == reach.way[-1]
    return True


def standing(state: rulekit.State) -> str | None:
    from rulekit.engine.explain import refusals
    from rulekit.engine.explain.reasons import graph_kind

    return state.names.id(graph_kind(state), refusals.standing(state))


def ended(state: rulekit.State, reach: ReachablePlace, player: str) -> bool:
    """Return True if all walking pieces that still exist are at the predicted place after the
    walk."""
    after = state.clone()
    done = Seat(after, player).plan(reach.keys)
    assert done.taken == len(reach.keys) and done.stopped_by is None
    pieces = {key.split()[1] for key in reach.keys if key.startswith("add ")}
    kinds = [k for k in after.names.place_cells if pieces & after.names.ordinals[k].keys()]
    for kind in kinds:
        cell = after.names.cell_name(after.names.place_cells[kind])
        places = {after.get(f"{cell}.{piece}") for piece in pieces}
        assert places == {reach.place}
    return bool(kinds)


def offered(state: rulekit.State, found: Forecast) -> int:
    """Return the number of offered steps of a walk. All of them must be in the forecast."""
    assert state.decision is not None
    if state.decision.kind != "walk":
        return 0
    asked = Seat(state, state.decision.player).decision()
    assert asked is not None and asked.options is not None
    steps = {o.ends_at for o in asked.options if o.verb == "to" and o.ends_at is not None}
    assert steps <= {reach.place for reach in found.places} | {standing(state)}
    return len(steps)


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
@pytest.mark.parametrize("name", ["skirmish", "small", "sphacteria", "amphipolis"])
def test_a_forecast_comes_true(name: str) -> None:
    """The keys of each place lead there at that cost, with the stated possibility to stay, unless
    something intervenes. Every offered place of a walk is in the forecast."""
    walks = ends = stepped = 0
    for state, found, _ in forecasts(name, range(3)):
        assert state.decision is not None
        stepped += offered(state, found)
        for reach in found.places:
            if reach.may_stop and not reach.stop and not reach.stopped_by:
                ends += ended(state, reach, state.decision.player)
            else:
                walks += come_true(state, reach, state.decision.player)
    assert walks or ends
    assert stepped or name == "small"


def by_hand(
    state: rulekit.State, player: str, allowed: int, found: dict[str, int], budget: list[int]
) -> None:
    """Find all places where a walk can end, by every path, with the least cost. Other players
    pass."""
    assert state.decision is not None
    proc = state.table.program.procs[state.table.program.decisions[state.slots[0]].proc]
    fuel = next(v.slot for v in proc.vars if v.name == "fuel")
    for option in state.decision.options:
        if option.key.startswith("to ") and budget[0] > 0:
            budget[0] -= 1
            after, begun = state.clone(), len(state.trail)
            after.apply(option)
            while (
                after.decision is not None
                and after.decision.kind == "window"
                and proc.returns not in after.trail[begun::2]
            ):
                after.apply("pass")
            if after.decision is not None and proc.returns not in after.trail[begun::2]:
                place = str(standing(after))
                found[place] = min(found.get(place, 99), allowed - after.slots[fuel])
                by_hand(after, player, allowed, found, budget)


@pytest.mark.docs("python#a-seat-what-is-asked-forecasts-plans")
@pytest.mark.parametrize("name", ["skirmish", "sphacteria", "amphipolis"])
def test_every_place_is_foretold_at_its_least_cost(name: str) -> None:
    """The result equals an exhaustive search of all paths, as long as the walk continues."""
    compared = 0
    for state, found, _ in forecasts(name, range(3)):
        if state.decision is None or state.decision.kind != "walk" or rolls(found):
            continue
        asked = Seat(state, state.decision.player).decision()
        assert asked is not None
        allowed = next((p.amount for p in asked.left if p.of == state.decision.procedure), None)
        places: dict[str, int] = {}
        budget = [400]
        by_hand(state, state.decision.player, allowed or 0, places, budget)
        if budget[0] <= 0 or allowed is None:
            continue
        told = {reach.place: reach.cost[-1].amount for reach in found.places}
        assert {place: told.get(place) for place in places if place != standing(state)} == {
            place: cost for place, cost in places.items() if place != standing(state)
        }
        assert list(told.values()) == sorted(cost or 0 for cost in told.values())
        compared += len(places)
    assert compared


def rolls(found: Forecast) -> bool:
    return any(
        reach.stopped_by in ("die", "draw", "reveal", "choice", "error") for reach in found.places
    )


@pytest.mark.parametrize("name", ["skirmish", "cards", "secrets", "sphacteria", "amphipolis"])
def test_a_forecast_changes_nothing(name: str) -> None:
    """No byte of the state or its history changes, and the forecast is plain data."""
    for state, rng in decisions(name, range(2), 120):
        who = state.current_player()
        if who >= 0:
            before = state.to_json(), list(state.log), list(state.trail), state.slots[1]
            json.dumps(Seat(state, who).forecast(chosen(state, rng)).to_json())
            assert (state.to_json(), state.log, state.trail, state.slots[1]) == before


@pytest.mark.parametrize("name", ["skirmish", "sphacteria", "amphipolis", "cards", "secrets"])
def test_dice_to_come_change_no_forecast(name: str) -> None:
    """With another seed the answers are the same, because nothing is rolled or drawn."""
    for state, rng in decisions(name, range(2), 120):
        who = state.current_player()
        if who >= 0:
            keys, other = chosen(state, rng), state.reseeded(rng.randrange(2**40))
            assert Seat(other, who).forecast(keys) == Seat(state, who).forecast(keys)
            mine, others = Seat(state, who).decision(), Seat(other, who).decision()
            assert mine is not None and others is not None and mine.options == others.options


@pytest.mark.parametrize("name", ["cards", "secrets", "amphipolis"])
def test_twins_have_one_forecast(name: str) -> None:
    """States that the player cannot distinguish have the same options, costs, ends and
    forecasts."""
    compared = 0
    for number, (state, rng) in enumerate(decisions(name, range(3), 90)):
        who = state.current_player()
        if (
            who < 0
            or number % 7
            or (
                name == "amphipolis"
                and state.decision
                and state.decision.kind not in ("group", "walk")
            )
        ):
            continue
        keys = chosen(state, rng)
        told = Seat(state, who).decision(), Seat(state, who).forecast(keys)
        for swap in list(swaps(state, who))[::5][:12]:
            twin = swap.twin()
            assert (Seat(twin, who).decision(), Seat(twin, who).forecast(keys)) == told
            compared += 1
    assert compared


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis"])
def test_the_order_of_pieces_does_not_matter(name: str) -> None:
    """Any order gives the same forecast and the same plan."""
    compared = 0
    for state, rng in decisions(name, range(3)):
        if state.decision is not None and state.decision.kind == "group":
            seat, keys = Seat(state, state.decision.player), chosen(state, rng)
            found = seat.forecast(keys)
            turned, other = [*reversed(keys)], state.clone()
            assert seat.forecast(turned) == found
            first = state.clone()
            one, two = Seat(first, seat.player).plan(keys), Seat(other, seat.player).plan(turned)
            if one.stopped_by is None and two.stopped_by is None:
                assert first == other
                compared += 1
    assert compared


def test_what_leads_to_a_group_may_be_left_out() -> None:
    """If there is only one path, a piece is enough."""
    for state, _ in decisions("sphacteria", range(3)):
        asked = state.decision
        if (
            asked is None
            or asked.kind != "choose"
            or not any(o.key.startswith("activate ") for o in asked.options)
        ):
            continue
        seat = Seat(state, asked.player)
        zone = next(str(o.params["z"]) for o in asked.options if o.key.startswith("activate "))
        there = state.clone()
        there.apply(f"activate {zone}")
        for key in ("pass", "move"):
            if there.decision is not None and any(o.key == key for o in there.decision.options):
                there.apply(key)
        if (
            there.decision is None
            or there.decision.kind != "group"
            or there.decision.player != asked.player
        ):
            continue
        piece = there.decision.options[0].key
        found = seat.forecast([piece])
        assert found.keys[:3] == (f"activate {zone}", "move", piece) and found.places
        assert [p.of for p in found.places[0].cost] == ["budget", "march"]
        return
    raise AssertionError("nobody is asked to activate")


def test_what_leads_to_a_walk_of_a_lone_piece_may_be_left_out() -> None:
    """The ship in the channel is alone, so no group is formed. Naming another piece, or one during
    the walk, is refused."""
    state = game("sphacteria").new(seed=7)
    while state.decision is not None and state.decision.kind != "choose":
        state.apply("pass" if state.decision.kind == "window" else "pick 5")
    seat = Seat(state, "athens")
    whole = seat.forecast(["add athens.T1"])
    assert whole.keys == ("activate I", "pass", "move") and whole.stopped_by is None
    assert {"C", "D", "H"} <= {place.place for place in whole.places}
    assert seat.forecast(["activate I", "move", "add athens.T1"]) == whole
    assert seat.forecast(["add athens.T1", "add athens.H1"]).refused == "add athens.H1"
    for key in whole.keys:
        state.apply(key)
    assert Seat(state, "athens").forecast(["add athens.T1"]).refused == "add athens.T1"


def test_a_forecast_ends_before_a_die() -> None:
    """If the rules would roll on the way, it says so and stops there."""
    seen = {f.stopped_by for state, f, _ in forecasts("amphipolis", range(8))}
    assert seen & {"die", "draw", "choice"}


def test_a_plan_stops_at_what_was_not_foreseen() -> None:
    """That is another player's decision, or a key that is not offered, with the reason. Earlier
    choices stay."""
    state = game("skirmish").new(seed=7)
    assert state.decision is not None
    who = state.decision.player
    first = state.decision.options[0].key
    done = Seat(state, who).plan([first, "fly", first])
    assert (done.taken, done.rest, done.stopped_by) in (
        (1, ("fly", first), "key"),
        (1, ("fly", first), "choice"),
    )
    other = next(
        side
        for side in state.names.sides
        if state.decision is not None and side != state.decision.player
    )
    assert Seat(state, other).plan([first]).taken == 0
    assert Seat(state, other).plan([first]).stopped_by in ("choice", "window")
    assert Seat(state).plan([first]).stopped_by in ("choice", "window")


def test_what_is_left_is_told_of_each_place() -> None:
    """The cost of a place and the rest add up to the allowance. Where the march ends there is no
    rest."""
    state = game("skirmish").new(seed=7)
    whole = Seat(state, "red").forecast(["march red.H1"])
    assert whole.left is not None and (whole.left.amount, whole.left.unit) == (3, "PM")
    told = {p.place: (p.cost[-1].amount, p.left.amount) for p in whole.places if p.left is not None}
    assert told == {"wood": (2, 1), "ford": (1, 2)}
    assert {p.place for p in whole.places} - set(told) == {"road"}, "all is spent there"


def test_what_is_left_after_steps_that_were_made_is_not_taken_off_twice() -> None:
    """The steps are part of the cost of each place, and the rest before them is given
    separately."""
    state = game("skirmish").new(seed=7)
    onward = Seat(state, "red").forecast(["march red.H1", "to wood"])
    assert onward.left is not None and onward.left.amount == 1
    assert [
        (p.place, p.cost[-1].amount, p.left.amount) for p in onward.places if p.left is not None
    ] == [("wood", 2, 1)]
