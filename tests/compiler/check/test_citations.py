"""A library cites paragraphs by the numbers of the game that uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.source.folder import read_game

LIBRARY = """library common 1
kind Side decides
  fixed enemy: Side
total strength(s: Side): int  ref "3.1 a, 9"
  base 1  ref "3.1"
  modifier late +1 when s.enemy = s.enemy.enemy.enemy  ref "4"
"""
GAME = """game own 1
members Side = north(south) | south(north)
modifier strength.north +1 when s is north  ref "3.1"
phase main  ref "3.1"
  finish none, drawn
"""


def cited(folder: Path, manifest: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the paragraphs that the clauses of the total cite, and the findings."""
    for name, words, rules in (
        (
            "common",
            "rulekit: library\nname: common\ntitle: Common\nversion: '1'\nlanguage: 1\n",
            LIBRARY,
        ),
        (
            "own",
            (
                "rulekit: game\nname: own\ntitle: Own\nversion: '1'\nlanguage: 1\nuses:"
                f" [common]\n{manifest}\n"
            ),
            GAME,
        ),
    ):
        (folder / name).mkdir()
        (folder / name / "game.yaml").write_text(words)
        (folder / name / "game.rules").write_text(rules)
    sink = Sink()
    source = read_game(folder / "own", sink)
    assert source is not None
    model = check(source, sink)
    assert model is not None, sink.found
    total = model.totals[0]
    return [", ".join(total.ref), *(", ".join(c.ref) for c in total.clauses)], [
        (d.code, d.help) for d in sink.found
    ]


@pytest.mark.docs("data-files#the-manifest")
@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        ("paragraphs: {}", ["3.1 a, 9", "3.1", "4", "3.1"]),
        ("paragraphs: {'3.1': '5.2'}", ["5.2 a, 9", "5.2", "4", "3.1"]),
        ("paragraphs: {'3.1 a': '5.2 b', '9': '7'}", ["5.2 b, 7", "3.1", "4", "3.1"]),
        ("paragraphs: {'3.1 a, 9': '1', '4': '6.6'}", ["1", "3.1", "6.6", "3.1"]),
    ],
)
def test_libraries_cite_by_the_numbers_of_the_game(
    tmp_path: Path, manifest: str, expected: list[str]
) -> None:
    """The game's own references are unchanged."""
    refs, found = cited(tmp_path, manifest)
    assert refs == expected
    assert not found


def test_a_paragraph_that_no_library_cites(tmp_path: Path) -> None:
    assert cited(tmp_path, "paragraphs: {'3.11': '5.2'}")[1] == [
        ("RK516", "did you mean '3.1' or '3.1 a'?")
    ]
