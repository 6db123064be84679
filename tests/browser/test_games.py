"""Games in the browser, played to their ends as a person plays them."""

import os

import pytest


def test_a_game_by_clicks_only_to_its_end(server, look):
    """The page reports the end: result, seed and commitment."""
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.play(brisk=0.6)
    assert page.choice > 100 and page.clicks > 60
    page.page.get_by_text("committed to at the start").wait_for()


LONG = [
    "brasidas",
    "cleon",
    "campaign",
]  # half a minute or more each, also played by `make browser`


@pytest.mark.parametrize("scenario", ["nicias", *(LONG if os.environ.get("RULEKIT_WHOLE") else [])])
def test_each_scenario_by_clicks_only(server, look, scenario):
    page = look(server)
    page.new("amphipolis", scenario, seats={"sparta": "greedy"})
    page.play(brisk=0.7)
    assert page.over and page.choice > 40


def test_a_click_on_the_middle_of_a_lit_sign_takes_its_place(server, look):
    """The click works on the symbol of the sign, not only on its edge."""
    page = look(server)
    page.new("peloponnesian_war", seats={"opponent": "charts"}, seed="77")
    sign = page.page.locator('.map .place.target[data-place="Athens"]').first.bounding_box()
    page.page.mouse.click(sign["x"] + sign["width"] / 2, sign["y"] + sign["height"] / 2)
    page.settle()
    assert page.prompt_text.count("leads an operation from Athens") > 1


def test_what_a_side_has_is_told_with_the_side_and_an_army_where_it_is(server, look):
    page = look(server)
    page.new("peloponnesian_war", seats={"opponent": "charts"}, seed="77")
    ours, theirs = (each.inner_text().split() for each in page.page.locator(".seats .seat").all())
    assert (
        ours[ours.index("Talents") + 1] == "6000" and theirs[theirs.index("Talents") + 1] == "2000"
    )
    assert "Talents" not in page.page.locator(".top").inner_text() and "Pieces" not in ours, (
        "all pieces of this game are of nations"
    )
    for name in ("Corcyra", "Phormio", "1"):
        assert page.page.locator(".map .force.moving").count() == 0
        [thing] = [each for each in page.lit() if name in each["name"].split(".")[0].split()[:2]]
        page.click(thing)
    sign = page.page.locator('[data-sign="Corcyra"] .force.moving')
    assert [text.strip() for text in sign.locator("text").all_text_contents()] == ["1"]
