"""Games in the browser, played to their ends as a person plays them."""

import pytest


def test_a_game_by_clicks_only_to_its_end(server, look):
    """With the account of the end: result, seed and commitment."""
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.play(brisk=0.6)
    assert page.choice > 100 and page.clicks > 60
    assert "committed to at the start" in page.prompt_text


@pytest.mark.parametrize("scenario", ["brasidas", "nicias", "cleon"])
def test_each_scenario_by_clicks_only(server, look, scenario):
    page = look(server)
    page.new("amphipolis", scenario, seats={"sparta": "greedy"})
    page.play(brisk=0.7)
    assert page.over and page.choice > 100
