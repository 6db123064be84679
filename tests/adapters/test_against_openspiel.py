"""A differential test against OpenSpiel: the same legal moves at each decision, and the same
result."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel
import pytest

import rulekit

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LETTERS = "abcdefghijk"
GAMES = 60


def cell(member: str) -> tuple[int, int]:
    """Return (row, column) from 1 of the cell of a grid: `b3` is in row 3, column 2."""
    return int(member[1:]), LETTERS.index(member[0]) + 1


def drop(params: dict[str, Any], player: int) -> str:
    return f"{'xo'[player]}{params['column'] - 1}"


def step(params: dict[str, Any], player: int) -> str:
    """Return OpenSpiel's form of a step. Its first player starts at the top and moves down: our row
    r is its rank 9 - r."""
    row, column = cell(params["c"])
    to_row, to_column = row + (1 if player == 0 else -1), column + params["way"]
    return f"{LETTERS[column - 1]}{9 - row}{LETTERS[to_column - 1]}{9 - to_row}"


def place(params: dict[str, Any], player: int) -> str:
    row, column = cell(params["c"])
    return f"{LETTERS[column - 1]}{row}"


CASES = {
    "connect_four": ("connect_four", drop),
    "breakthrough": ("breakthrough(rows=8,columns=8)", step),
    "hex": ("hex(board_size=11)", place),
}


@pytest.mark.parametrize("name", CASES)
def test_same_moves_and_results_as_openspiel(name: str) -> None:
    theirs, translate = CASES[name]
    game, other = rulekit.load(EXAMPLES / name), pyspiel.load_game(theirs)
    for seed in range(GAMES):
        play_both(game, other, translate, random.Random(seed))


def play_both(
    game: Any, other: Any, translate: Callable[[dict[str, Any], int], str], rng: random.Random
) -> None:
    ours, theirs = game.new(seed=1), other.new_initial_state()
    while ours.decision is not None:
        player = theirs.current_player()
        assert not theirs.is_terminal()
        assert ours.current_player() == player
        moves = {translate(option.params, player): option for option in ours.decision.options}
        actions = {
            theirs.action_to_string(player, a).rstrip("*"): a for a in theirs.legal_actions()
        }
        assert sorted(moves) == sorted(actions)
        assert len(moves) == len(ours.decision.options)
        move = rng.choice(sorted(moves))
        ours.apply(moves[move])
        theirs.apply_action(actions[move])
    assert theirs.is_terminal()
    assert ours.is_terminal()
    assert list(ours.returns()) == list(theirs.returns())
