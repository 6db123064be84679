"""The tables and shifts in the odds of an option: columns with their results, before and after."""

import random

import rulekit
from rulekit import Seat


def test_the_columns_of_a_ratio_are_told_with_what_each_gives() -> None:
    """They use the words of the game. A fight with a column shift and one without have the same
    headings."""
    game, looked, shifted = rulekit.load("games/sphacteria"), 0, 0
    for seed in range(5, 15):
        state, rng = game.new(seed=seed), random.Random(seed)
        while (asked := state.decision) is not None and not asked.prompt.startswith(
            "The odds are known"
        ):
            state.apply_action(rng.choice(state.legal_actions()))
        if asked is None:
            continue
        derivations = Seat(state, asked.player).odds().ways[0].derivations
        table = next(one.data for one in derivations if one.name == "odds")
        shift = next((one.data for one in derivations if one.what == "shift"), None)
        assert table["columns"] == [[1, 3], [1, 2], [2, 3], [1, 1], [3, 2], [2, 1], [3, 1]]
        assert table["results"] == ["1/3", "1/2", "2/3", "1/1", "3/2", "2/1", "3/1"]
        odds = table["ratio"][0] / table["ratio"][1]
        at = [i for i, (a, b) in enumerate(table["columns"]) if a / b <= odds]
        assert table["column"] == (max(at) if at else 0)
        looked += 1
        if shift is not None:
            members = shift["members"]
            assert members.index(shift["before"]) == table["column"]
            assert members.index(shift["after"]) == min(max(table["column"] + shift["by"], 0), 6)
            shifted += 1
    assert looked > shifted > 0
