"""The benchmarks: the handwritten games follow the rules, and the table can be printed."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulekit

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from hand_games import GAMES  # noqa: E402  (the benchmarks are a folder of scripts)

KNOWN = {  # at a depth that copies of plain games reach quickly
    "tic_tac_toe": [9, 72, 504, 3024],
    "connect_four": [7, 49, 343, 2401],
    "breakthrough": [22, 484],
    "hex": [121],
}


def leaves(game: Any, depth: int) -> int:
    """Return the number of sequences of `depth` moves. Games that end earlier do not count."""
    if depth == 0:
        return 1
    if game.is_over():
        return 0
    total = 0
    for move in game.legal_moves():
        after = copy.deepcopy(game)
        after.apply(move)
        total += leaves(after, depth - 1)
    return total


@pytest.mark.parametrize("name", KNOWN)
def test_a_game_by_hand_has_the_known_tree(name: str) -> None:
    assert [leaves(GAMES[name](), depth) for depth in range(1, len(KNOWN[name]) + 1)] == KNOWN[name]


def test_the_endless_game_goes_on() -> None:
    state = rulekit.load(BENCHMARKS / "endless").new(seed=1)
    rng = random.Random(1)
    for _ in range(300):
        state.apply_action(rng.choice(state.legal_actions()))
    assert not state.is_terminal()


def test_the_table_can_be_printed() -> None:
    code = (
        "import bench\n"
        "bench.ROUNDS, bench.SECONDS = 1, 0.01\n"
        "bench.TARGETS = {'tic_tac_toe': (1.0, 0.8)}\n"
        "bench.speeds()\nbench.records()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "tic_tac_toe" in done.stdout


def test_two_cores_are_held_to_a_target() -> None:
    code = (
        "import simulate\nsimulate.PATHS = ('../examples/tic_tac_toe',)\nfor simulate.TARGET in (0,"
        " 99):\n    simulate.main(0.01, 1)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=BENCHMARKS, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told = [
        line.split("at least ")[1].split()
        for line in done.stdout.splitlines()
        if "at least" in line
    ]
    assert told == [["0", "ok"], ["99", "below"]]
