"""`odds CHOICE: {event NAME: 5/12}`: exact probabilities of what an option leads to."""

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
state n: 0..9
event won(s: Side)
  n += 1
event lost(s: Side)
  n := 0
phase main
  choose by red "on"
    option fight
      roll d = 2d6 by red for luck
      if d >= 9
        won(red)
      else
        lost(red)
    option flee
      lost(red)
  choose by red "and"
    option rest
      n := 0
  finish none, drawn
"""


def faults(tmp_path: Path, then: str) -> list[str]:
    """Return the messages of the checks and of the run."""
    game, sink = rulekit.load(write_game(tmp_path, RULES)), Sink()
    found = vet(game, parse_situations(f"- name: A\n  then: [{then}]\n", "s.yaml", sink), sink)
    return [d.message for d in sink.found] + [run(game, case_of(each)).why for each in found]


@pytest.mark.parametrize(
    "then",
    [
        "odds fight: {event won: 5/18, event lost: 13/18, event die_rolled: 1}",
        "odds flee: {event won: 0, event lost: 1}",
        "odds fight: {event won: 10/36}",
    ],
)
def test_exact_chances_hold(tmp_path: Path, then: str) -> None:
    assert faults(tmp_path, then) == [""]


@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("odds fight: {event won: 1/4}", "odds fight: event won: expected 1/4, is 5/18"),
        ("odds flee: {event lost: 0}", "expected 0, is 1"),
        ("odds rest: {event lost: 0}", "odds rest: this is not offered"),
        ("odds fly: {event lost: 0}", "'fly' in 'fly' is not an option"),
        ("odds fight: {event gone: 0}", "'gone' is not an event"),
        ("odds fight: {n: 0}", "'odds' knows the chances of events"),
        ("odds fight: {event won: 3/1x}", "is no chance from 0 to 1"),
        ("odds fight: 1", "needs events with chances"),
        ("odds fight", "has no value"),
    ],
)
def test_other_chances_and_forms_fail(tmp_path: Path, then: str, message: str) -> None:
    assert message in faults(tmp_path, then)[0]
