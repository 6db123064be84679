"""The starts of situations are computed once, and each situation gets an equal copy."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.game.game import Game
from rulekit.engine.game.setup import empty
from rulekit.runtime import cells
from rulekit.runtime.program import CellInfo, KeyInfo, TypeInfo
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def game() -> Game:
    return rulekit.load(ROOT / "games" / "sphacteria")


def test_a_kept_start_equals_a_new_one(game: Game) -> None:
    ruling = next(r for r in game.info.rulings if r.alternatives)
    other = {ruling.name: next(a for a in ruling.alternatives if a != ruling.default)}
    for scenario in game.scenarios:
        for rulings in ({}, other):
            for seed in (0, 7, 7, 0):
                fresh = game.new(scenario, seed, rulings)
                assert game.started(scenario, seed, rulings).to_json() == fresh.to_json()
                bare = empty(game.blank(scenario, seed, rulings))
                assert game.emptied(scenario, seed, rulings).to_json() == bare.to_json()


def test_changes_of_one_copy_do_not_reach_the_next(game: Game) -> None:
    for make in (game.started, game.emptied):
        first, before = make(), make().to_json()
        first.set("turn", 3)
        first.reseed(5)
        assert first.to_json() != before
        assert make().to_json() == before
    played = game.started()
    played.apply(played.legal_actions()[0])
    assert game.started() == game.new(seed=0)
    assert game.started().choices == []


def test_old_starts_are_dropped(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulekit.engine.game.game._MAX_STARTS", 3)
    for seed in range(20, 30):
        assert game.started(seed=seed) == game.new(seed=seed)


def test_an_emptied_state_lacks_the_set_up(tmp_path: Path) -> None:
    rules = """
state n: 0..9 = 2
setup
  n := 5
phase main
  choose by red "on"
    option rest
      n += 1
  finish none, drawn
"""
    game = rulekit.load(write_game(tmp_path, rules))
    assert (game.started().get("n"), game.emptied().get("n")) == (5, 2)


def test_a_mask_of_a_kind_without_members_has_no_values() -> None:
    keys = [KeyInfo(0, 0, 2), KeyInfo(1, 0, 0)]
    cell = CellInfo("idle", -1, keys, TypeInfo("bool"), 0, "mask", base=10)
    slots = [0] * 12
    assert cells.column(slots, cell) == []
    cells.write_column(slots, cell, [])
