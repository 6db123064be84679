"""A picture of a decision needs no traced variant, because the playing code gives the costs. Only
reasons and derivations need it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulekit
from rulekit.engine.explain.refusals import step_price
from rulekit.presentation.seat import Seat
from rulekit.project.loader import Loader
from rulekit.runtime.variants import TRACED

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    "examples/skirmish",
    "tests/fixtures/skirmish",
    "tests/fixtures/choices",
    "tests/fixtures/duel",
    "games/sphacteria",
]


@pytest.mark.parametrize("path", GAMES)
def test_pictures_are_shown_without_the_traced_variant(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Loader._code

    def watched(self: Loader, variant: str) -> object:
        assert variant != TRACED
        return make(self, variant)

    monkeypatch.setattr(Loader, "_code", watched)
    state, random = rulekit.load(ROOT / path).new(seed=2), Random(2)
    for _ in range(40):
        if state.decision is None:
            break
        for side in (*state.names.sides, None):
            seat = Seat(state, side)
            seat.decision(), seat.position(), seat.log()
        prices = [step_price(state, option) for option in state.legal_actions()]
        assert len(prices) == len(state.legal_actions())
        state.apply_action(random.choice(list(state.legal_actions())))


def test_prices_are_those_that_the_traced_variant_tells() -> None:
    """Amounts and sources of each option with a cost are compared, at each decision of some
    games."""
    state, random, found = rulekit.load(ROOT / "examples" / "skirmish").new(seed=2), Random(2), 0
    while state.decision is not None:
        traced = state.table.program.code(TRACED)
        for option in state.legal_actions():
            family = state.table.book.family(option)
            at, args = (
                state.table.program.families.index(family),
                state.table.book.arguments(family, option),
            )
            told = state.code.cost(state.slots, at, args)
            assert told == traced.cost(state.slots, at, args) and state.code.purses(
                state.slots, at
            ) == traced.purses(state.slots, at)
            assert len(told) == len(family.prices)
            found += len(told)
        state.apply_action(random.choice(list(state.legal_actions())))
    assert found
