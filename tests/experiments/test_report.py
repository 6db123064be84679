"""The report: one self-contained page, the same for the same counts, in both languages, for light
and dark."""

from __future__ import annotations

import base64
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulekit
from rulekit.cli.main import main
from rulekit.engine.simulation.ranges import make_order, play
from rulekit.experiments import plots
from rulekit.experiments.plots import DARK, LEAST_CONTRAST, LIGHT, contrast, legible, quantile
from rulekit.experiments.run import Run

pytest.importorskip("matplotlib")

from rulekit.experiments.report import page

ROOT = Path(__file__).resolve().parents[2]
RACE = ROOT / "tests" / "fixtures" / "race"
VOID = {"meta", "source", "img"}


def entry(
    lang: str = "en",
    scenario: str | None = "long",
    games: int = 60,
    coverage: int = 3,
    **rulings: str,
) -> Run:
    game = rulekit.load(RACE, lang=lang)
    order = make_order(game, games, 1, scenario, rulings, {}, coverage)
    return Run(game, order, play(game, order)[0])


@cache
def usual() -> str:
    """The page of one run."""
    return page([entry()])


class Checked(HTMLParser):
    """Checks that tags are closed in order, and collects texts and addresses."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.links: list[str] = []
        self.alts: list[str] = []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "srcset", "href")]
        self.alts += [value or "" for name, value in attrs if name == "alt"]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open[-1] != "style":
            self.texts.append(data.strip())


def pictures(found: Checked) -> list[str]:
    return [
        base64.b64decode(link.removeprefix("data:image/svg+xml;base64,")).decode()
        for link in found.links
    ]


def test_it_needs_nothing_else_and_runs_nothing() -> None:
    html = usual()
    found = Checked(html)
    assert "<script" not in html and "default-src 'none'" in html
    assert found.links and all(
        link.startswith("data:image/svg+xml;base64,") for link in found.links
    )
    assert all(found.alts) and len(found.alts) * 2 == len(found.links)
    for svg in pictures(found):
        tree = ElementTree.fromstring(svg)
        assert not tree.findall(".//{*}image") and not tree.findall(".//{*}script")
        assert not re.search(r"(?:href|src)=\"(?!#)", svg) and not re.search(r"url\((?!#)", svg)


def test_equal_counts_make_equal_pages() -> None:
    assert page([entry()]) == usual()


def test_it_says_how_many_games_and_what_the_intervals_are() -> None:
    texts = " ".join(Checked(usual()).texts)
    assert "Games in each run: 60. The bars are 95-percent intervals (Wilson)." in texts
    assert "Watched games: 20, one in 3 of 60" in texts
    assert "1 never occurred: lead of: taxed" in texts
    assert "seeds of each run 1 to 60" in texts


def test_the_numbers_stand_beside_the_pictures() -> None:
    one = entry()
    texts = Checked(usual()).texts
    for (winner, level), count in one.tally.results.items():
        at = texts.index(one.ended(winner, level))
        assert str(count) in texts[at : at + 3]


def test_in_french_it_is_french() -> None:
    texts = " ".join(Checked(page([entry("fr", prize="high")])).texts)
    for words in (
        "Qui gagne",
        "Rouge",
        "La longue course",
        "prize=high",
        "intervalles à 95 %",
        "Tempête",
        "victoire nette",
    ):
        assert words in texts, words
    assert not re.search(r"\b(?:the|games|wins|share|seats)\b", texts)


def test_runs_are_compared_by_what_tells_them_apart() -> None:
    entries = [
        entry(scenario=scenario, games=20, coverage=0, **rulings)
        for scenario in ("long", "short")
        for rulings in ({}, {"lead": "tax"})
    ]
    found = Checked(page(entries, "Four & more"))
    assert "Four & more" in found.texts
    for name in ("The long race · default", "The short race · lead=tax"):
        assert name in found.texts
    [wins] = [svg for svg in pictures(found)[:1] if "The short race" in svg]
    assert wins.count("lead=tax") == 2
    assert "Options" not in found.texts  # no statistics were collected


def test_a_game_without_score_and_turns_and_names_that_are_markup() -> None:
    game = rulekit.load(ROOT / "examples" / "tic_tac_toe")
    order = make_order(game, 30, 0, None, None, {}, 1)
    html = page(
        [Run(game, order, play(game, order)[0], None, ("<b>.yaml",))], "<script>alert(1)</script>"
    )
    found = Checked(html)
    assert "<script>" not in html and "<script>alert(1)</script>" in found.texts
    assert "How long it lasts" in found.texts and "score" not in " ".join(found.texts)


@pytest.mark.parametrize("colour", ["#1f5a93", "#a52f27", "#fff", "#000000", "#777777", "#ffff00"])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_colours_of_sides_stand_out_from_the_ground(colour: str, theme: plots.Theme) -> None:
    assert contrast(legible(colour, theme.ground), theme.ground) >= LEAST_CONTRAST
    if contrast(colour, theme.ground) >= LEAST_CONTRAST and len(colour) == 7:
        assert legible(colour, theme.ground) == colour
    assert contrast(theme.ink, theme.ground) >= 7


def test_quantiles_are_ranks_of_what_was_counted() -> None:
    counts = {3: 1, 5: 98, 9: 1}
    assert [quantile(counts, part) for part in (0, 2, 50, 99, 100)] == [3, 5, 5, 5, 9]
    assert quantile({4: 1}, 75) == 4


def test_the_commands_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "r.html"
    assert main(["simulate", str(RACE), "--games", "40", "--jobs", "1", "--report", str(file)]) == 0
    assert "r.html written" in capsys.readouterr().err
    assert "Watched games: 2," in " ".join(Checked(file.read_text(encoding="utf-8")).texts)
    sweep = tmp_path / "s.yaml"
    sweep.write_text(
        f"{{title: Compared, game: {RACE}, games: 10, scenarios: all}}", encoding="utf-8"
    )
    assert main(["sweep", str(sweep), "--jobs", "1", "--report", str(file), "--lang", "fr"]) == 0
    assert "Compared" in Checked(file.read_text(encoding="utf-8")).texts


def test_without_the_library_it_is_said_before_anything_is_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["simulate", str(RACE), "--report", "nowhere.html"]) == 1
    out, err = capsys.readouterr()
    assert "rulekit[report]" in err and not out and not Path("nowhere.html").exists()
