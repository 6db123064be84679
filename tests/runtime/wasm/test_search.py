"""The search tree in the native module equals that of Python, node by node and number by number."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

import rulekit
from rulekit.common.errors import RulesError
from rulekit.engine.search.mcts import Grower, Tree, TreeBranch
from rulekit.engine.search.native_tree import NativeTree, machine_of
from rulekit.runtime.program import Program
from rulekit.runtime.wasm.instance import WasmInstance
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = [
    f
    for f in (
        *(ROOT / "examples").iterdir(),
        *(ROOT / "tests" / "fixtures").iterdir(),
        *(ROOT / "games").iterdir(),
    )
    if (f / "game.yaml").exists()
    and "rulekit: game" in (f / "game.yaml").read_text(encoding="utf-8")
]
VISITS = {"amphipolis": 40, "sphacteria": 80, "peloponnesian_war": 12}


def all_of(tree: Grower, at: int = 0, deep: int = 0) -> list[tuple[int, TreeBranch]]:
    """Yield every node below one, with its depth."""
    return [
        found
        for branch in tree.branches(at)
        for found in ((deep, branch), *all_of(tree, branch.at, deep + 1))
    ]


def trees(program: Program, machine: WasmInstance | None, seed: int) -> tuple[Tree, NativeTree]:
    assert machine is not None
    return Tree(program, seed), NativeTree(machine, seed)


@pytest.mark.parametrize("folder", [pytest.param(f, id=f.name) for f in sorted(FOLDERS)])
def test_both_grow_the_same_tree(folder: Path) -> None:
    """Iterations start from three positions in turn, then from the most visited node with another
    position."""
    game = rulekit.load(folder)
    states = [game.new(seed=seed) for seed in (5, 6, 7)]
    stand = [state for state in states if not state.is_terminal() and state.current_player() >= 0]
    if not stand:
        pytest.skip("over before anybody is asked")
    trees_ = trees(game.program(), machine_of(stand[0].table), 11)
    visits = VISITS.get(folder.name, 100)
    for tree in trees_:
        tree.set_root_states([state.slots for state in stand])
        tree.iterate(visits)
    python, native = map(all_of, trees_)
    assert python == native
    assert trees_[0].failed == trees_[1].failed < visits
    if not python:
        return
    best = max(trees_[0].branches(), key=lambda b: b.visits)
    assert 0 < best.visits <= visits
    for tree in trees_:
        tree.advance_root(best.at)
        tree.set_root_states([stand[-1].slots], later=True)
        tree.iterate(visits // 2)
        tree.iterate(visits // 5, stand[-1].legal_actions()[-1])
    python, native = map(all_of, trees_)
    assert python == native


def test_a_new_tree_knows_nothing_of_the_one_before() -> None:
    """A seat builds several trees in the same instance. The second one equals that of Python too,
    with its principal variation."""
    game = rulekit.load(ROOT / "games" / "sphacteria")
    state = game.new(seed=5)
    machine, lines = machine_of(state.table), 0
    for _ in range(5):
        state.apply_action(state.legal_actions()[-1])
        python, native = trees(game.program(), machine, 11)
        for tree in (python, native):
            tree.set_root_states([state.slots])
            tree.iterate(100)
        assert all_of(python) == all_of(native)
        assert python.kept() == native.kept()
        lines += python.kept() is not None
    assert lines > 1


STEPS = """
state gold(s: Side): -99..99
total vp(s: Side): int
  base gold(s)
phase main
  turn(red)
  turn(blue)
  finish none, drawn
phase turn(s: Side)
  choose by s "on"
    option rest
    option work
      gold(s) += 20
  choose by s "then"
    option little
      gold(s) += 2
    option much
      gold(s) += 4
"""


@pytest.mark.parametrize("native", [True, False])
def test_a_kept_tree_counts_from_where_it_was_planted(tmp_path: Path, native: bool) -> None:
    """Gains since then count in later iterations too. Otherwise choices with many early iterations
    would seem better than others."""
    folder = write_game(tmp_path, STEPS)
    (folder / "game.yaml").write_text(
        (folder / "game.yaml").read_text() + "search: {stretch: turn, scale: 100}\n"
    )
    game = rulekit.load(folder)
    state = game.new(seed=1)
    machine = machine_of(state.table)
    assert machine is not None
    tree = NativeTree(machine, 3) if native else Tree(game.program(), 3)
    tree.set_root_states([state.slots])
    tree.iterate(300)
    before = max(tree.branches(), key=lambda b: b.visits)
    assert state.table.book.option(before.option).key == "work"
    known = {b.option: b for b in tree.branches(before.at)}
    assert len(known) == 2
    tree.advance_root(before.at)
    state.apply_action(before.option)
    tree.set_root_states([state.slots], later=True)
    tree.iterate(300)
    for b in tree.branches():
        assert b.visits > known[b.option].visits
        assert b.lead_gain == pytest.approx(
            known[b.option].lead_gain, abs=8
        )  # the other side randomly takes 2, 4, 22 or 24 of it
    assert min(b.lead_gain for b in tree.branches()) > 8


FAILS = """
state divisor: 0..9 = 1
state left: 0..9
event went(n: 0..9)
  left := n
phase main
  repeat 6 times
    choose by red "on"
      option slow
      option quick
    went(6 / divisor down)
  finish none, drawn
"""


def test_a_visit_that_fails_counts_for_nothing_in_both(tmp_path: Path) -> None:
    """One of two positions ends with an error of the rules as soon as the other side acts."""
    game = rulekit.load(write_game(tmp_path, FAILS))
    good, bad = game.new(seed=1), game.new(seed=1)
    bad.set("divisor", 0)
    pair = trees(game.program(), machine_of(good.table), 3)
    for tree in pair:
        tree.set_root_states([good.slots, bad.slots])
        tree.iterate(40)
        assert tree.failed == 20
        assert sum(b.visits for b in tree.branches()) == 20
    assert all_of(pair[0]) == all_of(pair[1])


def test_no_machine_is_made_of_a_game_without_its_source() -> None:
    table = rulekit.load(ROOT / "examples" / "tic_tac_toe").new(seed=1).table
    table.native = lambda: None
    assert machine_of(table) is None


def test_what_does_not_fit_into_memory_is_told() -> None:
    game = rulekit.load(ROOT / "examples" / "tic_tac_toe")
    with pytest.raises(rulekit.RulekitError, match="memory") as told:
        NativeTree(WasmInstance(game.program(), game.native(), memory=1 << 21), 1)
    assert not isinstance(told.value, RulesError)
