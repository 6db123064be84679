"""Takes the path of a game, makes its checked model and its program, once per test run."""

from __future__ import annotations

from rulekit.runtime.program import Program
from tests.reference.games import ROOT, compiled_of, model_of

__all__ = ["ROOT", "SMALL", "model", "program"]
SMALL = [
    "examples/tic_tac_toe",
    "examples/connect_four",
    "examples/breakthrough",
    "examples/hex",
    "tests/fixtures/blocks",
    "tests/fixtures/cards",
    "tests/fixtures/names",
    "tests/fixtures/skirmish",
    "tests/fixtures/dice",
    "tests/fixtures/dice_quiet",
    "tests/fixtures/hexes",
]
model = model_of


def program(path: str, scenario: str = "") -> Program:
    """The compiled game; without a scenario: its first one."""
    return compiled_of(path).bind(scenario or next(iter(model(path).scenarios)), {})
