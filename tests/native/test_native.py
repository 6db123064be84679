"""The native module plays what Python plays: every slot and every option, choice by choice."""

from pathlib import Path

import pytest
import rulekit
from rulekit.base.errors import RulesError
from rulekit.play.perft import perft
from rulekit.play.playouts import playouts
from rulekit.program.program import LAYERS, PC
from rulekit.program.runtime import CHOICES, branch, drawn, mix

pytest.importorskip("wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]")

from rulekit.native import Machine, NotNative  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = {"tic_tac_toe": 20, "connect_four": 5, "breakthrough": 3, "hex": 2}
FOLDERS = [*(ROOT / "examples").iterdir(), *(ROOT / "tests" / "fixtures").iterdir(), ROOT / "games" / "sphacteria", ROOT / "games" / "amphipolis"]


def stepwise(program: rulekit.Program, machine: Machine, seed: int, most: int) -> int:
    """Plays one game in both, at most so many choices."""
    code, player = program.code("fast"), branch(seed, CHOICES)
    state, count = code.blank(seed), 0
    code.begin(state)
    machine.begin(seed)
    while True:
        layers = [tuple(x) for x in code.layers(state)]
        assert machine.layers() == layers, f"the options after {count} choices"
        mine = machine.slots()
        different = {i: (x, y) for i, (x, y) in enumerate(zip(state, mine, strict=True)) if i != LAYERS and x != y}
        assert not different, f"slots after {count} choices"
        if state[PC] <= 0 or count == most:
            return count
        option = drawn(layers, mix(player, count))
        code.apply(state, option)
        machine.apply(option)
        count += 1


@pytest.mark.parametrize("folder", [pytest.param(f, id=f.name) for f in sorted(FOLDERS) if (f / "game.yaml").exists()])
def test_the_native_module_plays_what_python_plays(folder: Path) -> None:
    game = rulekit.load(folder)
    names = [name for name, _ in game.program().scenarios] or [None]
    for name in names:
        program = game.program(name)
        machine = Machine(program)
        assert stepwise(program, machine, 7, 300) > 0
        few = 1 if folder.parent.name == "games" else 5
        assert machine.playouts(100, few) == playouts(program, 100, few)
