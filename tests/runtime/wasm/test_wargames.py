"""The large games in the native module: the same node counts, and whole games equal to those of
Python in which all invariants hold."""

from __future__ import annotations

import json

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

from rulekit.runtime.intrinsics import CHOICES, branch, drawn, mix
from rulekit.runtime.slots import LAYERS, PC
from tests.games.plays import GOLDEN, WAR, game_of, played
from tests.games.test_athens_sparta import TREES

PERFT = [
    *json.loads((GOLDEN / "perft.json").read_text()),
    *(("athens_sparta", "war", *tree) for tree in TREES),
]
GAMES = [
    *(("athens_sparta", scenario) for scenario in ("war", "tourney", "sicily")),
    *(("peloponnesian_war", scenario) for scenario in WAR),
]


@pytest.mark.parametrize(("name", "scenario", "seed", "choices", "counts"), PERFT)
def test_the_decision_tree_is_as_before(
    name: str, scenario: str, seed: int, choices: int, counts: list[int]
) -> None:
    machine = game_of(name).wasm_instance(scenario)
    machine.put(played(name, scenario, seed, choices).slots)
    assert machine.counted(len(counts)) == counts


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "scenario"), GAMES)
def test_a_random_game_is_pythons_and_its_invariants_hold(
    name: str, scenario: str, seed: int
) -> None:
    """Slots and options are compared to the end, and each decision is checked against all
    invariants."""
    machine = game_of(name).wasm_instance(scenario)
    code, player, count = machine.program.code("fast"), branch(seed, CHOICES), 0
    assert any(invariant.everywhere for invariant in machine.program.invariants)
    state = code.blank(seed)
    code.begin(state)
    machine.begin(seed)
    while True:
        slots, layers = machine.slots(), [(base, mask) for base, mask in code.layers(state)]
        assert [
            slot
            for slot, pair in enumerate(zip(slots, state, strict=True))
            if pair[0] != pair[1] and slot != LAYERS
        ] == []
        assert [machine.program.invariants[i].name for i in code.invariants(slots)] == []
        if state[PC] <= 0:
            break
        assert machine.layers() == layers
        option = drawn(layers, mix(player, count))
        code.apply(state, option)
        machine.apply(option)
        count += 1
    assert state[PC] == 0 and count > 20
