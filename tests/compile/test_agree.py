"""The compiled variants play as the reference evaluator does: options, cells, events, results, derivations."""

from __future__ import annotations

import pytest

from tests.compile.games import SMALL, model, program
from tests.reference.agree import agree


@pytest.mark.parametrize("path", SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_is_the_same(path: str, seed: int) -> None:
    scenario = next(iter(model(path).scenarios))
    assert agree(model(path), program(path), seed, scenario=scenario, limit=150, explained=0.05) > 0


@pytest.mark.parametrize("scenario", ["amphipolis", "chios", "order", "siege"])
def test_every_scenario_of_the_blocks(scenario: str) -> None:
    path = "tests/fixtures/blocks"
    for seed in range(6):
        agree(model(path), program(path, scenario), seed, scenario=scenario, limit=150)
