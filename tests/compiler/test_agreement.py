"""The compiled variants and the reference interpreter agree on options, cells, events, results and
derivations."""

from __future__ import annotations

import pytest

from tests.compiler.checked_games import SMALL, model, program
from tests.compiler.reference.agree import agree


@pytest.mark.parametrize("path", SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_is_the_same(path: str, seed: int) -> None:
    scenario = next(iter(model(path).scenarios))
    assert agree(model(path), program(path), seed, scenario=scenario, explained=0.05) > 0
