"""A game may give its own text of a cited paragraph, which the sheet contains."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.folder import read_game
from tests.small_games import write_game

RULES = """
phase main  ref "2, 4.2 die a"
  pick n from 1 .. 2 by red "go on"  ref "3.1"
  finish red, win
"""


def made(folder: Path, **texts: str) -> rulekit.Game:
    (folder / "texts").mkdir()
    for lang, text in texts.items():
        (folder / "texts" / f"{lang}.yaml").write_text(text)
    return rulekit.load(write_game(folder, RULES))


def test_the_sheet_has_the_texts_of_its_language(tmp_path: Path) -> None:
    game = made(
        tmp_path,
        en='paragraph.2: "How a turn goes."\nparagraph.3.1: "One or two."\n',
        fr='paragraph.2: "Comment va un tour."\n',
    )
    assert rulekit.sheet(game).paragraphs == {"2": "How a turn goes.", "3.1": "One or two."}
    assert rulekit.sheet(game, lang="fr").paragraphs == {
        "2": "Comment va un tour.",
        "3.1": "One or two.",
    }


@pytest.mark.docs("data-files#scenarios-rulings-texts-overlays")
@pytest.mark.parametrize(
    "ref, known",
    [
        ("2", True),
        ("4.2", True),
        ("4", True),
        ("3.1", True),
        ("3.2", False),
        ("4.3", False),
        ("5", False),
    ],
)
def test_only_what_is_cited_may_have_a_text(tmp_path: Path, ref: str, known: bool) -> None:
    made(tmp_path, en=f'paragraph.{ref}: "A text."\n')
    sink = Sink()
    source = read_game(tmp_path, sink)
    assert source is not None and check(source, sink) is not None
    assert [d.code for d in sink.found if d.code == "RK671"] == ([] if known else ["RK671"])


def test_the_games_say_what_is_cited_most() -> None:
    for name in ("sphacteria", "amphipolis"):
        english, french = (
            rulekit.sheet(rulekit.load(f"games/{name}"), lang=lang).paragraphs
            for lang in ("en", "fr")
        )
        assert english.keys() == french.keys() and len(english) > 20
        assert all(english[ref] != french[ref] for ref in english)
