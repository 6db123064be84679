"""Athens & Sparta in play: whole random games, both ends, nothing told of blocks, cards and plans that a player does not know."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.plays import game_of, played, told
from tests.play.twins import swaps, told_to

NAME, SCENARIO = "athens_sparta", "war"


def test_random_games_end_by_the_rules() -> None:
    """No dead end, no step over its budget; both sides win, by points and by a main city."""
    ends: Counter[tuple[str, str]] = Counter()
    for seed in range(24):
        result = played(NAME, SCENARIO, seed).result
        assert result is not None and result.winner is not None
        ends[str(result.winner), result.level] += 1
    assert {winner for winner, _ in ends} == {"athens", "sparta"}
    assert {level for _, level in ends} == {"points", "capital_taken"}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_log_tells_no_key(lang: str) -> None:
    state = game_of(NAME, lang).new(SCENARIO, seed=4)
    while not state.is_terminal() and state.choices_count() < 150:
        state.apply_action(state.legal_actions()[state.choices_count() % len(state.legal_actions())])
    lines = told(state)
    assert lines and not any("event." in line or "member." in line or "{" in line for line in lines)


@pytest.mark.parametrize("choices", [90])
def test_two_blocks_or_cards_that_nobody_could_tell_apart_change_places_unnoticed(choices: int) -> None:
    """For each player and an onlooker: no byte of view, log, screen, prompt, options, totals or what is found differs."""
    state = played(NAME, SCENARIO, 3, choices)
    for viewer in (-1, *range(len(state.names.sides))):
        pairs = list(swaps(state, viewer))
        before = told_to(state, viewer)
        assert pairs
        assert all(told_to(swap.twin(), viewer) == before for swap in pairs[::max(1, len(pairs) // 3)][:3])
