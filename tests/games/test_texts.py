"""Texts for players: in each language of the game, no prompt, option or line of the log has a
gap."""

from __future__ import annotations

import random

import pytest

from tests.games.plays import game_of

GAMES = ["sphacteria", "amphipolis", "peloponnesian_war"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_text_has_an_unfilled_placeholder(name: str, lang: str) -> None:
    game = game_of(name, lang)
    for seed in range(3):
        state, rng = game.new(seed=seed), random.Random(seed)
        while (asked := state.decision) is not None:
            assert asked.prompt and "{" not in asked.prompt
            for option in asked.options:
                assert option.label and "{" not in option.label
            state.apply_action(rng.choice(state.legal_actions()))
        for event in state.events:
            assert "{" not in state.table.events.text(event)
