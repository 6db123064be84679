"""Games in the browser, played to their ends as a person plays them."""

import os

import pytest


def test_a_game_by_clicks_only_to_its_end(server, look):
    """With the account of the end: result, seed and commitment."""
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.play(brisk=0.6)
    assert page.choice > 100 and page.clicks > 60
    assert "committed to at the start" in page.prompt_text


LONG = ["brasidas", "cleon", "campaign"]  # half a minute and more each: `make browser` plays them too


@pytest.mark.parametrize("scenario", ["nicias", *(LONG if os.environ.get("RULEKIT_WHOLE") else [])])
def test_each_scenario_by_clicks_only(server, look, scenario):
    page = look(server)
    page.new("amphipolis", scenario, seats={"sparta": "greedy"})
    page.play(brisk=0.7)
    assert page.over and page.choice > 40
