"""The seat that searches."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.kernel.bound_program import BoundProgram
from rulekit.engine.search.agent_registry import is_agent
from rulekit.engine.search.mcts import Tree
from rulekit.engine.search.native_tree import NativeTree, machine_of
from rulekit.engine.search.search_agent import Effort, SearchAgent, effort
from rulekit.runtime.wasm.instance import WasmInstance, available
from tests.engine.search.searched_positions import (
    EXAMPLES,
    ROOT,
    position_before_the_end,
    rounds_game,
    three_in_a_row,
)

iterate = Tree.iterate


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("", Effort(0.5)),
        ("easy", Effort(0.0, 100)),
        ("hard", Effort(2.0)),
        ("2s", Effort(2.0)),
        ("0.2s", Effort(0.2)),
        ("500", Effort(0.0, 500)),
    ],
)
def test_an_effort_is_a_level_or_seconds_or_visits(text: str, means: Effort) -> None:
    assert effort(text) == means


@pytest.mark.parametrize(
    "text", ["0s", "0", "-1s", "1m", "easier", "s", "1e3", "601s", "10000001", " 2s", "2s "]
)
def test_what_is_no_effort(text: str) -> None:
    assert effort(text) is None
    assert not is_agent(f"search:{text}")


def test_the_names_of_seats() -> None:
    assert all(
        map(
            is_agent,
            ("random", "greedy", "search", "search:easy", "search:hard", "search:1s", "search:20"),
        )
    )
    assert not any(map(is_agent, ("human", "search:", "searching", "greedy:hard", "random:1s", "")))


@pytest.mark.parametrize("native", [True, False])
def test_tic_tac_toe_is_never_lost(native: bool) -> None:
    """This holds for the second player too, against any choices."""
    game = rulekit.load(EXAMPLES / "tic_tac_toe")
    for seed in range(12):
        state, agent, rng = (
            game.new(seed=seed),
            SearchAgent(seed, Effort(0, 300), native),
            random.Random(seed),
        )
        me = seed % 2
        while not state.is_terminal():
            mine = state.current_player() == me
            state.apply_action(agent.choose(state) if mine else rng.choice(state.legal_actions()))
        assert state.returns()[me] >= 0


def test_it_wins_where_it_can_and_stops_who_would() -> None:
    state = three_in_a_row()
    assert state.table.book.option(SearchAgent(1, Effort(0, 200)).choose(state)).key == "drop 4"
    state.apply("drop 6")  # yellow did not block, so red wins on 7
    assert state.table.book.option(SearchAgent(1, Effort(0, 200)).choose(state)).key == "drop 7"
    other = rulekit.load(EXAMPLES / "connect_four").new(seed=1)
    for column in (1, 7, 2, 7, 3):
        other.apply(f"drop {column}")
    assert other.table.book.option(SearchAgent(1, Effort(0, 600)).choose(other)).key == "drop 4"


@pytest.mark.parametrize(
    ("manifest", "way"),
    [
        ("search: {stretch: round}\n", "right"),
        ("greedy: worth\nsearch: {stretch: round}\n", "left"),
        ("search: {stretch: round, total: worth, scale: 2}\n", "left"),
        ("greedy: vp\nsearch: {stretch: round, total: worth}\n", "left"),
    ],
)
def test_it_plays_for_the_total_that_the_game_names(
    tmp_path: Path, manifest: str, way: str
) -> None:
    """The total is compared at the beginning of a round, though the game is always drawn."""
    state = rounds_game(tmp_path, manifest)
    for seed in range(4):
        option = state.table.book.option(SearchAgent(seed, Effort(0, 100)).choose(state))
        assert option.key == f"turn {way}"


def test_without_a_stretch_the_end_of_the_game_counts(tmp_path: Path) -> None:
    """It is the same here for all choices."""
    state = rounds_game(tmp_path, "")
    assert {branch.value for branch in SearchAgent(1, Effort(0, 100)).think(state).branches} == {
        0.0
    }


def test_the_same_seed_makes_the_same_choices_natively_and_not() -> None:
    pytest.importorskip("wasmtime")
    game = rulekit.load(ROOT / "tests" / "fixtures" / "cards")
    for seed in range(2):
        line = []
        for native in (True, False):
            state, agent = game.new(seed=seed), SearchAgent(9, Effort(0, 60), native)
            while not state.is_terminal() and state.move_number() < 20:
                state.apply_action(agent.choose(state))
            line.append(state.history())
        assert line[0] == line[1]


def test_an_only_option_is_taken_without_a_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SearchAgent, "think", None)
    state = position_before_the_end()
    assert SearchAgent(1, Effort(5.0)).choose(state) == state.legal_actions()[0]


def test_it_can_be_stopped() -> None:
    """Another thread stops it, and it returns its best choice so far. Stopped before the search, it
    searches for a moment."""
    state, agent = three_in_a_row(), SearchAgent(1, Effort(300.0))
    threading.Timer(0.2, agent.stop).start()
    assert agent.choose(state) in state.legal_actions()
    agent.stop()
    assert agent.think(state).visits > 0  # does not take 300 seconds
    assert agent.think(state, Effort(0, 10)).visits == 10
    agent.end()
    assert agent.think(state).visits == 0


@pytest.mark.skipif(not available(), reason="wasmtime is not installed")
def test_it_can_be_stopped_while_the_native_module_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """It then searches in Python for a moment, and natively once the module exists. The module is
    built once."""
    made, goes_on, begun = list[BoundProgram](), threading.Event(), threading.Event()

    def slowly(table: BoundProgram) -> WasmInstance | None:
        made.append(table)
        begun.set()
        goes_on.wait()
        return machine_of(table)

    monkeypatch.setattr("rulekit.engine.search.native_tree.machine_of", slowly)
    state, agent = three_in_a_row(), SearchAgent(1, Effort(300.0))
    threading.Thread(target=lambda: (begun.wait(), agent.stop()), daemon=True).start()
    thought = agent.think(state)
    assert thought.visits > 0 and isinstance(thought.tree, Tree) and not agent.natively
    goes_on.set()
    thought = agent.think(state, Effort(0, 100))
    assert isinstance(thought.tree, NativeTree) and agent.natively and len(made) == 1


def test_what_goes_wrong_when_the_native_module_is_made_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_: BoundProgram) -> None:
        raise rulekit.RulekitError("it does not start")

    monkeypatch.setattr("rulekit.engine.search.native_tree.machine_of", broken)
    agent = SearchAgent(1, Effort(0, 10))
    for _ in range(2):
        with pytest.raises(rulekit.RulekitError, match="it does not start"):
            agent.choose(three_in_a_row())


def test_what_is_made_once_is_not_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock starts after the native module is built or read, however long that takes."""
    times = [0.0]
    monkeypatch.setattr("rulekit.engine.search.search_agent.time.perf_counter", lambda: times[0])
    monkeypatch.setattr(
        "rulekit.engine.search.native_tree.machine_of", lambda _: times.append(times.pop() + 5.0)
    )
    monkeypatch.setattr(
        Tree,
        "iterate",
        lambda self, visits, only=0: (
            times.append(times.pop() + visits / 1000),
            iterate(self, visits, only),
        ),
    )
    assert 90 < SearchAgent(1, Effort(0.1)).think(three_in_a_row()).visits < 110


def test_the_tree_is_kept_while_the_turn_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is retained until another player chooses or something is rolled. Then a new one begins."""
    made: list[int] = []
    new = SearchAgent._new
    monkeypatch.setattr(SearchAgent, "_new", lambda *args: (made.append(1), new(*args))[1])
    game = rulekit.load(ROOT / "games" / "sphacteria")
    state, agent, kept = game.new(seed=4), SearchAgent(1, Effort(0, 40)), 0
    rng, before = random.Random(1), (-1, 0)
    while state.move_number() < 200 and not state.is_terminal():
        if state.current_player() == 0 and len(state.legal_actions()) > 1:
            known, count = len(made), state.move_number()
            quiet = state.randoms == before[1] and all(
                state.chooser(n) == 0 or state.was_pass(n) for n in range(before[0] + 1, count + 1)
            )
            before = (count, state.randoms)
            state.apply_action(agent.choose(state))
            assert quiet or len(made) > known
            kept += len(made) == known
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert kept > 5 and len(made) > 5


def test_a_total_or_phase_that_is_not_there_is_told(tmp_path: Path) -> None:
    for given in ("total: gold", "stretch: gold", "total: both"):
        with pytest.raises(rulekit.GameError, match=f"'{given.split()[1]}'"):
            rounds_game(tmp_path, f"search: {{{given}}}\n")
