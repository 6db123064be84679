"""Helpers of the tests of games: games and scenarios, random play, the log as text, node counts of
decision trees."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import rulekit

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden"
SCENARIOS = [
    ("sphacteria", "historical"),
    ("amphipolis", "brasidas"),
    ("amphipolis", "nicias"),
    ("amphipolis", "cleon"),
    ("amphipolis", "campaign"),
]
WAR = ("war431", "war415", "war410")  # the set-ups of The Peloponnesian War
MOST = 4000  # most decisions of a game


@cache
def game_of(name: str, lang: str = "en") -> rulekit.Game:
    """Return the game, loaded once."""
    return rulekit.load(ROOT / "games" / name, lang=lang)


def played(
    name: str, scenario: str, seed: int, choices: int | None = None, edition: str | None = None
) -> rulekit.State:
    """Play random choices, to the end or up to a number of them."""
    state, rng = game_of(name).new(scenario, seed=seed, edition=edition), random.Random(seed)
    while not state.is_terminal() and (choices is None or state.move_number() < choices):
        state.apply_action(rng.choice(state.legal_actions()))
        assert state.move_number() < MOST
    return state


def told(state: rulekit.State) -> list[str]:
    """Return the log as a reader sees it."""
    return [line for _, line in state.table.events.lines(state.events)]


def leaves(state: rulekit.State, depth: int) -> list[int]:
    """Return the number of positions after 1, 2, ... choices."""
    counts = [0] * depth

    def count(left: int) -> None:
        for action in state.legal_actions():
            state.apply_action(action)
            counts[depth - left] += 1
            if left > 1 and not state.is_terminal():
                count(left - 1)
            state.undo()

    count(depth)
    return counts
