"""Many positions in parallel: each equals that of a separate instance, after every choice."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

import rulekit
from rulekit.common.errors import RulesError
from rulekit.compiler.compiler import build
from rulekit.engine.testing.perft import perft
from rulekit.runtime.intrinsics import CHOICES, branch, drawn, mix
from rulekit.runtime.slots import LAYERS, PC
from rulekit.runtime.wasm import Batch, NotNative, WasmInstance, batch
from tests.compiler.checked_rules import written
from tests.compiler.reference.reference_games import model_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    "path", ["tests/fixtures/skirmish", "tests/fixtures/dice", "games/sphacteria"]
)
def test_positions_go_on_as_in_python(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "LISTS", 200)  # options are read in several parts
    machine = rulekit.load(ROOT / path).wasm_instance()
    code, seeds = machine.program.code("fast"), [*range(40, 47)]
    many = Batch(machine, len(seeds))
    many.begin(seeds)
    states = [code.blank(seed) for seed in seeds]
    for state in states:
        code.begin(state)
    for n in range(60):
        for i, (state, layers) in enumerate(zip(states, many.options(), strict=True)):
            assert layers == (
                [tuple(layer) for layer in code.layers(state)] if state[PC] > 0 else []
            )
            mine = many.slots(i)
            assert [*mine[:LAYERS], *mine[LAYERS + 1 :]] == [*state[:LAYERS], *state[LAYERS + 1 :]]
            assert many.over(i) == (state[PC] <= 0)
        options = [
            0 if i == n % 7 or not layers else drawn(layers, mix(branch(seeds[i], CHOICES), n))
            for i, layers in enumerate(many.options())
        ]
        many.apply(options)
        for state, option in zip(states, options, strict=True):
            if option and state[PC] > 0:
                code.apply(state, option)
    size = many.machine.native.size
    assert [
        many.machine.native.slots(bytes(many.images()[i : i + size]))
        for i in range(0, 7 * size, size)
    ] == [many.slots(i) for i in range(7)]


def test_perft_of_a_position() -> None:
    program = build(model_of("examples/tic_tac_toe"), native=True)
    code, many = program.code("fast"), Batch(WasmInstance(program), 3)
    many.begin([1, 2, 3])
    many.apply([1, 5, 0])
    assert many.perft(0, 3) == [8, 56, 336] and many.perft(2, 3) == [9, 72, 504]
    state = code.blank(2)
    code.begin(state)
    for option in (1, 4, 2):
        code.apply(state, option)
    many.put(1, state)
    assert many.options()[1] == [tuple(layer) for layer in code.layers(state)]
    assert many.perft(1, 4) == perft(program, 4, slots=state)
    assert many.options()[2] == [(1, 511)]  # the other states are unchanged


def test_an_error_in_one_position() -> None:
    rules = (
        "game broken 1\nkind Side decides = red | blue\nstate x: 0..9\nphase main\n  repeat 5"
        " times\n    choose by red\n      option go(i: 0..2)\n        x := 6 / i down\n  finish"
        " red, win\n"
    )
    many = Batch(WasmInstance(build(written(rules), native=True)), 3)
    many.begin([0, 0, 0])
    first = many.options()[0][0][0]
    with pytest.raises(RulesError, match="division by zero"):
        many.apply([first + 1, first, first + 1])
    x = many.machine.program.cells[0].base
    assert [many.slots(i)[x] for i in range(3)] == [6, 0, 0]
    many.apply([first + 1, first + 2, first + 2])
    assert [many.slots(i)[x] for i in range(3)] == [6, 3, 3]


def test_more_positions_than_there_is_room_for() -> None:
    machine = WasmInstance(build(model_of("examples/tic_tac_toe"), native=True), memory=8 << 20)
    with pytest.raises(NotNative, match="no room for 1000000 positions"):
        Batch(machine, 1_000_000)
    with pytest.raises(ValueError, match="2 given for 3"):
        Batch(machine, 3).begin([1, 2])
