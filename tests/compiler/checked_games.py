"""The checked models and programs of games, once per test run."""

from __future__ import annotations

from rulekit.runtime.program import Program
from tests.compiler.reference.reference_games import ROOT, compiled_of, model_of

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
    """Return the compiled game, by default for its first scenario."""
    return compiled_of(path).bind(scenario or next(iter(model(path).scenarios)), {})
