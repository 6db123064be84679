"""Games in the browser, played as a person plays them."""

import pytest


def test_a_game_by_clicks_only(server, look):
    page = look(server)
    page.new("sphacteria", seats={"sparta": "greedy"})
    page.play(brisk=0.6)
    assert page.over and page.choice > 40
