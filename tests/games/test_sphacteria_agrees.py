"""The large game in reference and compiled form, decision by decision."""

from __future__ import annotations

from functools import cache

import pytest

from rulekit.compile.build import build
from rulekit.program.program import Program
from tests.reference.agree import agree
from tests.reference.games import model_of

GAME = "games/sphacteria"


@cache
def compiled() -> Program:
    return build(model_of(GAME), "historical", {})


@pytest.mark.parametrize("seed", [4])
def test_reference_and_compiled_agree(seed: int) -> None:
    assert agree(model_of(GAME), compiled(), seed, "historical", limit=200) > 100
