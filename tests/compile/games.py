"""Takes the path of a game, makes its checked model and its program, once per test run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulekit import model as m
from rulekit.base.diagnostic import Sink
from rulekit.check.check import check
from rulekit.compile.build import build
from rulekit.program.program import Program
from rulekit.source.folder import read_game

ROOT = Path(__file__).parents[2]
SMALL = ["examples/tic_tac_toe", "examples/connect_four", "examples/breakthrough", "examples/hex", "tests/fixtures/blocks",
         "tests/fixtures/cards", "tests/fixtures/skirmish",
         "tests/fixtures/dice", "tests/fixtures/dice_quiet"]


@cache
def model(path: str) -> m.Model:
    """The checked model of a game of this repository."""
    sink = Sink()
    source = read_game(ROOT / path, sink)
    assert source is not None, sink.found
    found = check(source, sink)
    assert found is not None, sink.found
    return found


@cache
def program(path: str, scenario: str = "") -> Program:
    """The compiled game; without a scenario: its first one."""
    made = model(path)
    return build(made, scenario or next(iter(made.scenarios)))
