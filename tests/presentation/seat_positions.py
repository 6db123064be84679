"""Games at interesting decisions, for the tests of a seat, played at random from seeds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import rulekit

ROOT = Path(__file__).resolve().parents[2]
GAMES = {
    "skirmish": ROOT / "examples" / "skirmish",
    "sphacteria": ROOT / "games" / "sphacteria",
    "amphipolis": ROOT / "games" / "amphipolis",
    "small": ROOT / "tests" / "fixtures" / "skirmish",
    "cards": ROOT / "tests" / "fixtures" / "cards",
    "secrets": ROOT / "tests" / "fixtures" / "secrets",
}


@cache
def game(name: str) -> rulekit.Game:
    return rulekit.load(GAMES[name])


def decisions(
    name: str, seeds: range, most: int = 250
) -> Iterator[tuple[rulekit.State, random.Random]]:
    """Yield a game at each of its decisions. The same state is played on, so copy it to store
    it."""
    for seed in seeds:
        state, rng = game(name).new(seed=seed), random.Random(seed)
        for _ in range(most):
            if state.is_terminal():
                break
            yield state, rng
            state.apply_action(rng.choice(state.legal_actions()))
