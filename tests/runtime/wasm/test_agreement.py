"""The native module plays as Python does: every slot and every option, choice by choice."""

from pathlib import Path

import pytest

from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import RulesError
from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.engine.testing.perft import perft
from rulekit.runtime.random_playouts import playouts
from rulekit.runtime.slots import PC
from rulekit.runtime.wasm_format import DoesNotFit

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

import rulekit
from rulekit.engine.testing.native_crosscheck import Verifier
from rulekit.runtime.wasm import NotNative, WasmInstance
from tests.language.test_small_rules import TIES
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = [
    *(ROOT / "examples").iterdir(),
    *(ROOT / "tests" / "fixtures").iterdir(),
    ROOT / "games" / "sphacteria",
]


def machine_of(path: str) -> WasmInstance:
    return rulekit.load(ROOT / path).wasm_instance()


@pytest.mark.parametrize(
    "folder", [pytest.param(f, id=f.name) for f in sorted(FOLDERS) if (f / "game.yaml").exists()]
)
def test_the_native_module_plays_what_python_plays(folder: Path) -> None:
    machine = machine_of(folder.relative_to(ROOT).as_posix())
    program = machine.program
    count, unlike = Verifier(machine).game(7, 200)
    assert count > 0 and unlike == ""
    assert machine.playouts(100, 3) == playouts(program, 100, 3)


@pytest.mark.parametrize(
    "scenario", sorted(f.stem for f in (ROOT / "games" / "amphipolis" / "scenarios").iterdir())
)
def test_all_of_amphipolis(scenario: str) -> None:
    """One game of each edition is compared after every choice, and others by their ends."""
    game = rulekit.load(ROOT / "games" / "amphipolis")
    assert len(game.info.editions) == 2
    for edition in (None, *game.info.editions):
        machine = game.wasm_instance(scenario, edition=edition)
        count, unlike = Verifier(machine).game(3)
        assert count > 100 and unlike == ""
        assert machine.slots()[PC] == 0
        assert machine.playouts(20, 4) == playouts(machine.program, 20, 4)


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of("examples/tic_tac_toe")
    assert Verifier(machine).game(1)[1] == ""
    begin, apply = machine.begin, machine.apply

    def refuse(option: int) -> None:
        apply(option)
        raise RulesError("so", "a place")

    with monkeypatch.context() as patched:
        patched.setattr(machine, "begin", lambda seed: begin(seed + 1))
        assert Verifier(machine).game(1) == (0, "slot 2 is 1 in Python, 2 natively")
    with monkeypatch.context() as patched:
        patched.setattr(machine, "layers", lambda: [(1, 5)])
        assert Verifier(machine).game(1) == (
            0,
            "the options are [(1, 511)] in Python, [(1, 5)] natively",
        )
    with monkeypatch.context() as patched:
        patched.setattr(machine, "apply", refuse)
        assert Verifier(machine).game(1) == (1, "Python says '', the native module 'so'")


@pytest.mark.parametrize(
    "name", ["examples/tic_tac_toe", "examples/skirmish", "tests/fixtures/dice"]
)
def test_perft_counts_alike(name: str) -> None:
    machine = machine_of(name)
    assert machine.perft(3, seed=5) == perft(machine.program, 3, 5)


def test_games_from_a_state() -> None:
    machine = machine_of("examples/tic_tac_toe")
    program = machine.program
    code = program.code("fast")
    state = code.blank(0)
    code.begin(state)
    for option in (1, 2, 4, 5):
        code.apply(state, option)
    machine.start(state)
    machine.begin(3)
    assert machine.slots()[3:] == state[3:] and machine.layers() == [
        tuple(x) for x in code.layers(state)
    ]
    machine.apply(7)
    assert machine.slots()[PC] == 0  # three in a column
    assert {p.decisions for p in machine.playouts(0, 50)} <= set(range(1, 6))
    machine.reset()
    assert machine.playouts(0, 5) == playouts(program, 0, 5)


def test_equal_states_have_equal_digests() -> None:
    machine = machine_of("examples/tic_tac_toe")
    machine.playouts(0, 30)
    digests = machine.digests()
    assert len(set(digests)) == 30  # the seed is part of a state
    machine.playouts(29, 1)
    assert machine.digests() == digests[-1:] == [machine.native.digest(machine.image())]


def test_a_state_has_the_bytes_of_each_of_its_slots() -> None:
    """Slots are packed in runs. A number that is too large for that is packed separately, or does
    not fit."""
    game = rulekit.load(ROOT / "games" / "sphacteria")
    native, state = game.native(), game.new(seed=5)
    wide = next(
        at for at, cell in enumerate(native.cells) if cell.form == "mask" and cell.words == 1
    )
    for slots in (
        state.slots,
        [1 << 63 if at == wide else each for at, each in enumerate(state.slots)],
    ):
        read = native.slots(native.image(slots))
        assert [read[at] for at in range(2, len(slots))] == slots[2:] and read[0] == slots[0]
    with pytest.raises(DoesNotFit):
        native.image([1 << 64 if at == wide else each for at, each in enumerate(state.slots)])


def test_wide_seeds_and_scripts_are_refused() -> None:
    machine = machine_of("tests/fixtures/dice")
    with pytest.raises(NotNative, match="below 2"):
        machine.begin(1 << 64)


def test_time_is_bounded() -> None:
    game = rulekit.load(ROOT / "examples" / "hex")
    with pytest.raises(RulesError, match="too many steps"):
        WasmInstance(game.program(), game.native(), fuel=10_000).playouts(0, 100)
    with pytest.raises(NotNative, match="does not start"):
        WasmInstance(game.program(), game.native(), memory=1 << 16)


def test_the_machine_breaks_ties_as_python_does(tmp_path: Path) -> None:
    machine = rulekit.load(write_game(tmp_path, TIES)).wasm_instance()
    assert [Verifier(machine).game(seed)[1] for seed in range(8)] == [""] * 8


def test_the_machine_names_each_place_of_the_author_once() -> None:
    context = EmitContext.__new__(EmitContext)
    context.places, context.numbers = [""], {}
    spans = [Span("", 0, 0), Span("a.rules", 2, 1), Span("a.rules", 3, 1), Span("a.rules", 2, 1)]
    assert [context.place(span) for span in spans] == [0, 1, 2, 1] and len(context.places) == 3
