"""A situation with `rows` is one situation for each row."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.testing.runner import Outcome, run
from rulekit.project.validate_situations import case_of, vet
from tests.small_games import write_game

RULES = """
state n(s: Side): 0..9
state open(s: Side): bool
define doubled(k: int): int = k * 2
phase main
  choose by red "on"
    option add(k: 1..3)
      n(red) += k
  choose by red "on"
    option rest
      n(blue) += 1
  finish none, drawn
"""
TABLE = """- name: Added
  rows: |
    k | n | open
    1 | 1 | false

    3 | 3 | true
    2 | 9 | "true"
  given: {set: {open.red: $open}}
  do: [add $k]
  then: [{n red: $n}, {"define doubled($k)": 2}]
"""


def outcomes(tmp_path: Path, text: str) -> tuple[list[Outcome], Sink]:
    sink = Sink()
    game = rulekit.load(write_game(tmp_path, RULES))
    found = vet(game, parse_situations(text, "s.yaml", sink), sink)
    return [run(game, case_of(each)) for each in found], sink


@pytest.mark.docs("situations#a-table-of-cases")
def test_each_row_is_a_situation_with_its_name_and_line(tmp_path: Path) -> None:
    found, sink = outcomes(tmp_path, TABLE)
    assert not sink.found
    assert [(each.case.name, each.line, each.why) for each in found] == [
        ("Added (1, 1, false)", 4, ""),
        ("Added (3, 3, true)", 6, "define doubled(3): expected 2, is 6"),
        (
            "Added (2, 9, true)",
            7,
            "n.red: expected 9, is 2\ndefine doubled(2): expected 2, is 4",
        ),
    ]
    assert found[1].case.set == {"open.red": True}


def test_a_list_of_rows_does_the_same(tmp_path: Path) -> None:
    text = """- name: Added
  rows: [{k: 1, who: red}, {who: red, k: 2}]
  do: [{$who: add $k}]
  then: [{n $who: $k}]
"""
    found, sink = outcomes(tmp_path, text)
    assert not sink.found and [each.ok for each in found] == [True, True]
    wrong, _ = outcomes(tmp_path, text.replace("n $who: $k", "n $who: 1"))
    assert [each.ok for each in wrong] == [True, False]


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "message"),
    [
        ("red: $n}", "red: $m}", "RK613", 10, "'$m' is no column of `rows`"),
        ("n red: $n", "n red: 1", "RK617", 2, "the column 'n' is not used"),
        ("3 | 3 | true", "3 | 3", "RK617", 6, "this line has 2 values"),
        ("k | n | open", "k 1 | n | open", "RK617", 4, "a column cannot be named 'k 1'"),
        ('    1 | 1 | false\n\n    3 | 3 | true\n    2 | 9 | "true"\n', "", "RK617", 2, "no rows"),
        ("3 | 3 | true", "1 | 1 | false", "RK611", 6, "two situations are named"),
        ("3 | 3 | true", "7 | purple | true", "RK615", 6, "'purple' is not a number"),
    ],
)
def test_a_faulty_table_is_reported_at_its_place(
    tmp_path: Path, old: str, new: str, code: str, line: int, message: str
) -> None:
    assert old in TABLE
    _, sink = outcomes(tmp_path, TABLE.replace(old, new))
    found = [(d.code, d.span.line, d.message) for d in sink.found]
    assert any((code, line) == (each, at) and message in text for each, at, text in found), found


def test_rows_with_other_columns_are_reported(tmp_path: Path) -> None:
    text = "- name: A\n  rows: [{k: 1}, {n: 2}]\n  do: [add $k]\n  then: [{n red: $n}]\n"
    _, sink = outcomes(tmp_path, text)
    assert "the rows do not have the same columns" in sink.found[0].message
