"""The promises of the engine, kept by a whole game: it ends by its rules, can be replayed, taken back, saved, and shows nobody a secret."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import rulekit
from rulekit.play.savefile import parse_save
from rulekit.play.saves import Recorder, replay

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "games" / "sphacteria"
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def game() -> rulekit.Game:
    return rulekit.load(GAME)


def played(game: rulekit.Game, seed: int, choices: int | None = None) -> rulekit.State:
    """A game of random choices, whole or up to some number of them."""
    state, rng = game.new(seed=seed), random.Random(seed)
    while not state.is_terminal() and (choices is None or state.choices_count() < choices):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def told(state: rulekit.State) -> list[str]:
    """The log as a reader sees it."""
    return [line for _, line in state.table.events.lines(state.events)]


def test_random_games_end_by_the_rules(game: rulekit.Game) -> None:
    """No dead end, no step over its budget, no invariant broken; a level of victory in the end."""
    levels: Counter[str] = Counter()
    for seed in range(60):
        state, rng = game.new(seed=seed), random.Random(seed)
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            assert state.choices_count() < 2000
        assert state.result is not None
        levels[state.result.level] += 1
    assert sum(levels.values()) == 60 and len(levels) >= 2


def test_saved_games_replay_exactly(game: rulekit.Game) -> None:
    for seed in range(8):
        recorder = Recorder(game, game.new(seed=seed), dict.fromkeys(game.sides, "random"))
        file, rng = io.StringIO(), random.Random(seed)
        recorder.write_to(file)
        while recorder.state.decision:
            recorder.apply(rng.choice(recorder.state.decision.options))
        done = replay(game, parse_save(file.getvalue()), everything=True)
        assert done.ok and done.state == recorder.state


def test_saving_and_loading_at_every_decision_changes_nothing(game: rulekit.Game) -> None:
    state, rng = game.new(seed=11), random.Random(11)
    while not state.is_terminal():
        again = game.state_from_json(state.to_json())
        assert again == state and again.to_json() == state.to_json()
        assert again.legal_actions() == state.legal_actions()
        action = rng.choice(state.legal_actions())
        again.apply_action(action)
        state.apply_action(action)
        assert again == state


def test_undo_to_the_start_and_redo_give_the_same_events(game: rulekit.Game) -> None:
    state = played(game, 12)
    events, start, end = list(state.events), game.new(seed=12), state.to_json()
    count = state.choices_count()
    for _ in range(count):
        state.undo()
    assert state == start
    for _ in range(count):
        state.redo()
    assert list(state.events) == events and state.to_json() == end


def test_the_same_seed_gives_the_same_bytes_in_a_new_process(game: rulekit.Game) -> None:
    code = (f"import random, rulekit\ns = rulekit.load({str(GAME)!r}).new(seed=13)\nr = random.Random(13)\n"
            "while not s.is_terminal(): s.apply_action(r.choice(s.legal_actions()))\nprint(s.to_json())")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert out.strip() == played(game, 13).to_json()


def test_what_only_the_enemy_knows_changes_nothing(game: rulekit.Game) -> None:
    """Two games whose hands of the one side differ look the same to the other, byte for byte, and to an onlooker."""
    mine, theirs = [0, 1], ([2, 3], [4, 5])
    sides = game.sides
    views = []
    for hand in theirs:
        state = game.new(seed=5, dice=[*mine, *hand, 6, 5])
        views.append((json.dumps(state.view(sides[0])), json.dumps(state.view(None)), json.dumps(state.view(sides[1]))))
    assert views[0][0] == views[1][0]
    assert views[0][1] == views[1][1]
    assert views[0][2] != views[1][2]


@pytest.mark.parametrize("seed", [1, 2])
def test_the_transcript_is_as_before(game: rulekit.Game, seed: int) -> None:
    """A change of the rules that changes these games must be meant: write the files anew with `python -m tests.games.golden`."""
    assert told(played(game, seed)) == (GOLDEN / f"sphacteria_{seed}.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("seed", "choices", "counts"), json.loads((GOLDEN / "sphacteria_perft.json").read_text()))
def test_the_decision_tree_is_as_before(game: rulekit.Game, seed: int, choices: int, counts: list[int]) -> None:
    assert leaves(played(game, seed, choices), len(counts)) == counts


def leaves(state: rulekit.State, depth: int) -> list[int]:
    """How many positions there are after 1, 2, ... choices."""
    counts = [0] * depth

    def count(left: int) -> None:
        for action in state.legal_actions():
            state.apply_action(action)
            counts[depth - left] += 1
            if left > 1 and not state.is_terminal():
                count(left - 1)
            state.undo()

    count(depth)
    return counts
