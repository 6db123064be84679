"""Seats and simulation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import rulekit
from rulekit.play.simulate import make_order, play, report
from rulekit.play.stats import summary, wilson

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "examples" / "connect_four"


def test_wilson_lies_around_the_share() -> None:
    low, high = wilson(50, 100)
    assert low < 0.5 < high
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert summary([3, 1, 2])["median"] == 2
    assert summary([]) == {}


def test_fast_and_full_simulations_play_to_the_end() -> None:
    game = rulekit.load(SMALL)
    fast = rulekit.simulate(game, 30, seed=1)
    full = rulekit.simulate(game, 30, seed=1, coverage=True)
    assert fast["games"] == full["games"] == 30
    assert not fast["failures"] and not full["failures"]
    assert full["events"] == full["decisions"] + 30 or full["events"] >= full["decisions"]
    assert sum(s["count"] for s in fast["results"]["winners"].values()) == 30
    assert full["coverage"]["events"]["never"] == []
    assert rulekit.simulate(game, 30, seed=1)["results"] == fast["results"]


def test_jobs_count_the_same() -> None:
    game = rulekit.load(SMALL)
    order = make_order(game, 8, 3, None, None, {})
    alone, _ = play(game, order)
    spread, _ = play(game, order, 2, partial(rulekit.load, SMALL))
    assert report(game, order, alone, 1.0) == report(game, order, spread, 1.0)


def test_a_person_cannot_sit_in_a_simulation() -> None:
    game = rulekit.load(SMALL)
    with pytest.raises(rulekit.RulekitError, match="person"):
        rulekit.simulate(game, 1, seats={game.sides[0]: "human"})


def test_a_greedy_seat_needs_a_total() -> None:
    state = rulekit.load(SMALL).new(seed=1)
    with pytest.raises(rulekit.RulekitError, match="victory_total"):
        rulekit.make_agent("greedy", state)
    with pytest.raises(rulekit.RulekitError, match="no seat"):
        rulekit.make_agent("clever", state)
