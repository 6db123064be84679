"""Expectations of what a player reads: `text prompt`, `text option`, `text log by PLAYER`."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.source.situations import parse_situations
from rulekit.engine.testing.runner import run
from rulekit.project.validate_situations import case_of, vet
from tests.small_games import write_game

RULES = """
state code(s: Side): 0..9 seen by s
event told(s: Side, k: int)
  code(s) := k
phase main
  choose by red "Which number?"
    option note(k: 1..3)
      told(red, k)
  choose by red "And now?"
    option rest
      code(blue) := 1
  finish none, drawn
"""
EN = 'event.told: "{s} writes {k}."\noption.main.note: "Note {k}"\n'
FR = 'event.told: "{s} écrit {k}."\noption.main.note: "Noter {k}"\n'


def faults(tmp_path: Path, then: str, do: str = "[note 2]") -> list[str]:
    """Return the messages of the checks and of the run."""
    folder = write_game(tmp_path, RULES)
    (folder / "texts").mkdir()
    (folder / "texts" / "en.yaml").write_text(EN)
    (folder / "texts" / "fr.yaml").write_text(FR)
    sink, game = Sink(), rulekit.load(folder)
    text = f"- name: A\n  do: {do}\n  then: [{then}]\n"
    found = vet(game, parse_situations(text, "s.yaml", sink), sink)
    return [d.message for d in sink.found] + [run(game, case_of(each)).why for each in found]


@pytest.mark.parametrize(
    "then",
    [
        'text prompt: "And now?"',
        'text log by red: "writes 2"',
        "text log by red: {en: writes 2, fr: écrit 2}",
        "text log by blue: writes",
        "text log by observer: writes",
    ],
)
def test_the_words_that_are_read_hold(tmp_path: Path, then: str) -> None:
    assert faults(tmp_path, then) == [""]


def test_the_text_of_an_option_is_read_in_each_language(tmp_path: Path) -> None:
    assert faults(tmp_path, "text option note 2: {en: Note 2, fr: Noter 2}", "[]") == [""]


@pytest.mark.parametrize(
    ("then", "message"),
    [
        ('text prompt: "Which"', "text prompt: expected 'Which', reads 'And now?'"),
        ("text log by red: writes 3", "expected 'writes 3', reads "),
        ("text log by blue: writes 2", "expected 'writes 2', reads "),
        ("text log by red: {en: writes 2, fr: writes 2}", "expected 'writes 2', reads "),
        ("text option rest: Sleep", "expected 'Sleep', reads "),
        ("text option note 1: Note 1", "text option note 1: expected 'Note 1', reads nothing"),
    ],
)
def test_other_words_fail(tmp_path: Path, then: str, message: str) -> None:
    assert message in faults(tmp_path, then)[0]


@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("text map: words", "'text map' names no text"),
        ("text prompt now: words", "'text prompt now' names no text"),
        ("text option: words", "'text option' names no text"),
        ("text log: words", "'text log' names no text"),
        ("text log by green: words", "'green' is not a Side"),
        ("text prompt: {xx: words}", "the game has no language 'xx'"),
        ("text prompt: 3", "needs words that are read, not 3"),
        ("text prompt", "'text prompt' has no value"),
        ("text option fly: words", "'fly' in 'fly' is not an option"),
    ],
)
def test_a_wrong_form_is_reported(tmp_path: Path, then: str, message: str) -> None:
    assert message in faults(tmp_path, then)[0]


def test_without_play_there_is_no_log(tmp_path: Path) -> None:
    assert "needs something that happened" in faults(tmp_path, "text log by red: a", "[]")[0]
