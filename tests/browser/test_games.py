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


def test_a_click_on_the_middle_of_a_lit_sign_takes_its_place(server, look):
    """Where its mark stands, not only on its edge."""
    page = look(server)
    page.new("peloponnesian_war", seats={"opponent": "charts"}, seed="77")
    sign = page.page.locator('.map .place.target[data-place="Athens"]').first.bounding_box()
    page.page.mouse.click(sign["x"] + sign["width"] / 2, sign["y"] + sign["height"] / 2)
    page.settle()
    assert page.prompt_text.count("leads an operation from Athens") > 1
