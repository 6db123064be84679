"""The large games in reference and compiled form, decision by decision."""

from __future__ import annotations

from functools import cache

import pytest

from rulekit.loading import Loader
from rulekit.program.compiled import Compiled
from tests.games.plays import SCENARIOS, game_of
from tests.reference.agree import agree
from tests.reference.games import ROOT, model_of


@cache
def compiled(name: str) -> Compiled:
    return Loader(ROOT / "games" / name).compiled()


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_reference_and_compiled_agree(name: str, scenario: str) -> None:
    assert agree(model_of(f"games/{name}"), compiled(name).bind(scenario, {}), 4, scenario, limit=100) > 80


@pytest.mark.parametrize(("name", "scenario"), [pair for pair in SCENARIOS if pair[1] in ("cleon", "campaign")])
def test_they_agree_in_the_other_edition(name: str, scenario: str) -> None:
    rulings = game_of(name).info.editions["en-2017"]
    assert agree(model_of(f"games/{name}"), compiled(name).bind(scenario, rulings), 5, scenario, rulings, limit=80) > 60
