"""Scores of each side at the end of each turn, from the native module."""

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.kernel.scoring import measures
from rulekit.runtime.code import Code
from rulekit.runtime.intrinsics import CHOICES, branch, drawn, mix
from rulekit.runtime.program import Program
from rulekit.runtime.slots import PC

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

from rulekit.runtime.wasm.instance import Measured

ROOT = Path(__file__).resolve().parents[3]


def marks_of(program: Program, code: Code, seed: int) -> list[tuple[int, ...]]:
    """Return the turns of a game in Python, each with the scores at its end."""
    known, player = measures(program), branch(seed, CHOICES)
    s, n, marks, marked = code.blank(seed), 0, [], 0
    code.begin(s)
    turn = s[known.turn]
    while s[PC] > 0:
        code.apply(s, drawn(code.layers(s), mix(player, n)))
        n += 1
        if s[known.turn] != turn:
            marks.append((turn, *known.scores(code, s)))
            turn, marked = s[known.turn], n
    return marks if marked == n and n else [*marks, (turn, *known.scores(code, s))]


@pytest.mark.parametrize(
    "path", ["games/sphacteria", "examples/breakthrough", "tests/fixtures/race"]
)
def test_turns_and_scores_are_those_of_python(path: str) -> None:
    machine = rulekit.load(ROOT / path).wasm_instance()
    program = machine.program
    known = measures(program)
    played = machine.play(50, 20, Measured(known.score, known.turn))
    rows = played.marks.cast("q").tolist()
    wide = machine.native.row // 8
    mine = [
        tuple(rows[i : i + 1 + known.sides * (known.score >= 0)]) for i in range(0, len(rows), wide)
    ]
    theirs = [marks_of(program, program.code("fast"), seed) for seed in range(50, 70)]
    assert mine == [mark for game in theirs for mark in game]
    assert played.results.cast("q")[5::6].tolist() == [len(game) for game in theirs]
