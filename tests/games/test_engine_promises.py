"""The promises of the engine, for whole games: they end by their rules, can be replayed, undone and
saved, and reveal no secret."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import parse_save
from tests.engine.knowledge.twins import differing_swaps
from tests.games.plays import GOLDEN, ROOT, SCENARIOS, game_of, leaves, played, told

each_scenario = pytest.mark.parametrize(("name", "scenario"), SCENARIOS)


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis"])
def test_random_games_end_by_the_rules(name: str) -> None:
    """In each scenario and edition there is no dead end, no step over its budget and no broken
    invariant. The end has a level of victory."""
    levels: Counter[str] = Counter()
    for scenario in [scenario for game, scenario in SCENARIOS if game == name]:
        for edition in game_of(name).info.editions:
            for seed in range(15):
                state = played(name, scenario, seed, edition=edition)
                assert state.result is not None
                levels[state.result.level] += 1
    assert len(levels) >= 2


@each_scenario
def test_saved_games_replay_exactly(name: str, scenario: str) -> None:
    game = game_of(name)
    for seed in range(3):
        recorder = Recorder(
            game, game.new(scenario, seed=seed), dict.fromkeys(game.sides, "random")
        )
        rng = random.Random(seed)
        while recorder.state.decision:
            recorder.apply(rng.choice(recorder.state.decision.options))
        done = replay(game, parse_save(recorder.save.text()), everything=True)
        assert done.ok and done.state == recorder.state


def test_a_save_of_an_older_compiler_replays_exactly() -> None:
    """It was written before the compiler had a typed form. The digest of the rules differs, and
    every event is as recorded. It includes undone choices."""
    save = parse_save(
        (Path(__file__).parent / "saves" / "sphacteria_2026_11_23.save").read_text(encoding="utf-8")
    )
    game = game_of("sphacteria")
    assert save.header["rules"] != game.new("historical").table.program.rules and any(
        "undo" in line for line in save.text().splitlines()
    )
    done = replay(game, save, everything=True)
    assert done.ok and not done.first_difference and done.choices == 229
    assert done.state.result is not None and (
        done.state.result.winner,
        done.state.result.level,
    ) == ("athens", "strategic")


@each_scenario
def test_saving_and_loading_at_every_decision_changes_nothing(name: str, scenario: str) -> None:
    game, rng = game_of(name), random.Random(11)
    state = game.new(scenario, seed=11)
    while not state.is_terminal():
        again = game.state_from_json(state.to_json())
        assert again == state and again.to_json() == state.to_json()
        assert again.legal_actions() == state.legal_actions()
        action = rng.choice(state.legal_actions())
        again.apply_action(action)
        state.apply_action(action)
        assert again == state


@each_scenario
def test_undo_to_the_start_and_redo_give_the_same_events(name: str, scenario: str) -> None:
    state = played(name, scenario, 12)
    events, start, end = list(state.events), game_of(name).new(scenario, seed=12), state.to_json()
    count = state.move_number()
    for _ in range(count):
        state.undo()
    assert state == start
    for _ in range(count):
        state.redo()
    assert list(state.events) == events and state.to_json() == end


@each_scenario
def test_the_same_seed_gives_the_same_bytes_in_a_new_process(name: str, scenario: str) -> None:
    code = (
        "import random, rulekit\ns ="
        f" rulekit.load({str(ROOT / 'games' / name)!r}).new({scenario!r}, seed=13)\nr ="
        " random.Random(13)\nwhile not s.is_terminal():"
        " s.apply_action(r.choice(s.legal_actions()))\nprint(s.to_json())"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    assert out.strip() == played(name, scenario, 13).to_json()


@each_scenario
def test_what_only_the_enemy_knows_changes_nothing(name: str, scenario: str) -> None:
    """Two games with different hands of one side look the same to the other side and to a
    spectator, byte for byte."""
    mine, theirs = [0, 1], ([2, 3], [4, 5])
    game = game_of(name)
    views = []
    for hand in theirs:
        state = game.new(scenario, seed=5, dice=[*mine, *hand, 6, 5])
        views.append(
            (
                json.dumps(state.view(game.sides[0])),
                json.dumps(state.view(None)),
                json.dumps(state.view(game.sides[1])),
            )
        )
    assert views[0][0] == views[1][0]
    assert views[0][1] == views[1][1]
    assert views[0][2] != views[1][2]


@each_scenario
@pytest.mark.parametrize("choices", [25, 140])
def test_two_chits_that_nobody_could_tell_apart_change_places_unnoticed(
    name: str, scenario: str, choices: int
) -> None:
    """In a running game, for each player and a spectator, no byte of view, log, screen, prompt,
    options, totals or search results differs."""
    state = played(name, scenario, 3, choices)
    for observer in (-1, *range(len(state.names.sides))):
        assert not differing_swaps(state, observer)


@pytest.mark.parametrize("name", ["sphacteria", "amphipolis"])
def test_each_number_has_its_paragraph(name: str) -> None:
    """Every clause of a total or permit cites one, also in the block of a card. Totals that only
    seats use are exempt."""
    program = game_of(name).new().table.program
    bare = [
        (info.name, clause.name)
        for info in (*program.totals, *program.permits)
        for clause in info.clauses
        if not clause.ref
    ]
    assert {each for each in bare if each[0] != "prospect"} <= {("march_step", "sealed")}
    assert all(
        ref
        for info in (*program.totals, *program.permits)
        for clause in info.clauses
        for _, ref in clause.cancels
    )


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.txt")), ids=lambda file: file.stem)
def test_the_transcript_is_as_before(file: object) -> None:
    """If a change of the rules changes these games on purpose, write the files again with `python
    -m tests.games.golden`."""
    name, scenario, seed = file.stem.split("_")  # type: ignore[attr-defined]
    assert told(played(name, scenario, int(seed))) == file.read_text(encoding="utf-8").splitlines()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "scenario", "seed", "choices", "counts"),
    json.loads((GOLDEN / "perft.json").read_text()),
)
def test_the_decision_tree_is_as_before(
    name: str, scenario: str, seed: int, choices: int, counts: list[int]
) -> None:
    assert leaves(played(name, scenario, seed, choices), len(counts)) == counts


def test_golden_files_of_every_scenario_are_there() -> None:
    assert {tuple(file.stem.split("_")[:2]) for file in GOLDEN.glob("*.txt")} == set(SCENARIOS)
