"""The large games in the reference interpreter and compiled, decision by decision."""

from __future__ import annotations

import pytest

from tests.compiler.reference.agree import agree
from tests.compiler.reference.reference_games import compiled_of, model_of
from tests.games.plays import SCENARIOS, WAR, game_of


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_reference_and_compiled_agree(name: str, scenario: str) -> None:
    assert (
        agree(
            model_of(f"games/{name}"),
            compiled_of(f"games/{name}").bind(scenario, {}),
            4,
            scenario,
            limit=100,
        )
        > 80
    )


@pytest.mark.parametrize("edition", ["solitaire", "watched", "two_players"])
@pytest.mark.parametrize("scenario", WAR)
def test_they_agree_on_the_war_whoever_leads_the_other_side(scenario: str, edition: str) -> None:
    rulings = game_of("peloponnesian_war").info.editions[edition]
    assert (
        agree(
            model_of("games/peloponnesian_war"),
            compiled_of("games/peloponnesian_war").bind(scenario, rulings),
            6,
            scenario,
            rulings,
            limit=100,
        )
        > 25
    )


@pytest.mark.parametrize(
    ("name", "scenario"), [pair for pair in SCENARIOS if pair[1] in ("cleon", "campaign")]
)
def test_they_agree_in_the_other_edition(name: str, scenario: str) -> None:
    rulings = game_of(name).info.editions["en-2017"]
    assert (
        agree(
            model_of(f"games/{name}"),
            compiled_of(f"games/{name}").bind(scenario, rulings),
            5,
            scenario,
            rulings,
            limit=80,
        )
        > 60
    )
