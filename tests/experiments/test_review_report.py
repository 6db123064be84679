"""The page of a game review: one file, the same for the same game, in both languages."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

import rulekit
from rulekit.cli.main import main
from rulekit.engine.search.game_review import review_game
from rulekit.engine.search.search_agent import Effort
from rulekit.experiments.review_report import review_page
from tests.engine.search.searched_positions import ROOT
from tests.engine.search.test_analysis import missed
from tests.experiments.test_report import Checked

EFFORT = Effort(0, 200)


def test_it_has_the_picture_the_turning_points_and_the_numbers() -> None:
    state = missed()
    game = rulekit.load(ROOT / "examples" / "connect_four")
    found = review_game(state, EFFORT)
    html = review_page(game, state, found, EFFORT)
    page = Checked(html)
    assert (
        page.alts == ["expected chance to win"]
        and all(link.startswith("data:") for link in page.links)
        and "<script" not in html
    )
    assert "yellow won" in page.texts and "9 / 9" in page.texts
    worst = found.turning_points[0]
    assert page.texts.count(worst.best.label) > 1 and page.texts.count(f"{worst.loss:.2f}") == 2, (
        "in the list and in the numbers"
    )
    svg = base64.b64decode(re.findall(r"base64,([^\"]+)", html)[0]).decode()
    for number in range(1, len(found.turning_points) + 1):
        assert re.search(rf">{number}</text>", svg)
    assert html == review_page(game, state, review_game(state, EFFORT), EFFORT)


def test_the_command_writes_it_in_french(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save, html = tmp_path / "s.save", tmp_path / "s.html"
    assert (
        main(
            [
                "play",
                str(ROOT / "games" / "sphacteria"),
                "--seat",
                "random",
                "--seed",
                "4",
                "--save",
                str(save),
            ]
        )
        == 0
    )
    assert (
        main(
            [
                "analyse",
                str(save),
                "--whole",
                "--visits",
                "4",
                "--lang",
                "fr",
                "--report",
                str(html),
            ]
        )
        == 0
    )
    page = Checked(html.read_text(encoding="utf-8"))
    assert (
        page.alts == ["avance attendue (Perspectives)"]
        and "Tournants" in page.texts
        and "Le cours de la partie" in page.texts
    )
