"""Every game as an environment of PettingZoo: its own tests, masks, rewards."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import rulekit
from rulekit.adapters.pettingzoo import RulekitEnv, env

ROOT = Path(__file__).resolve().parents[2]
SMALL = [*sorted((ROOT / "examples").iterdir()), *sorted((ROOT / "tests" / "fixtures").iterdir())]
LARGE = [
    ("games/sphacteria", "historical"),
    *(("games/amphipolis", name) for name in ("brasidas", "campaign", "cleon", "nicias")),
    *(("games/athens_sparta", name) for name in ("war", "tourney", "sicily")),
    *(("games/peloponnesian_war", name) for name in ("war431", "war415", "war410")),
]
# a warning of the test about every environment whose observations contain a mask
OF_MASKS = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably", "ignore:Observation is not a NumPy array"
)


@OF_MASKS
@pytest.mark.parametrize("folder", SMALL, ids=lambda folder: folder.name)
def test_a_small_game_passes_api_test_and_seed_test(folder: Path) -> None:
    api_test(env(str(folder)), num_cycles=60)
    seed_test(lambda: env(str(folder)), num_cycles=30)


@OF_MASKS
@pytest.mark.parametrize(("folder", "scenario"), LARGE)
def test_a_wargame_passes_api_test_and_seed_test(folder: str, scenario: str) -> None:
    given = {"game": str(ROOT / folder), "scenario": scenario}
    api_test(env(**given), num_cycles=12)
    seed_test(lambda: env(**given), num_cycles=8)


def played(environment: Any, seed: int, rng: random.Random) -> dict[str, float]:
    """Return the reward of each player in a random game."""
    environment.reset(seed=seed)
    got: dict[str, float] = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        seen, reward, over, broken_off, _ = environment.last()
        got[agent] += reward
        environment.step(
            None if over or broken_off else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        )
    return got


def test_the_winner_gets_what_the_loser_gives() -> None:
    for seed in range(5):
        got = played(env(str(ROOT / "examples" / "connect_four")), seed, random.Random(seed))
        assert sorted(got.values()) in ([-1.0, 1.0], [0.0, 0.0])
    halves = env(str(ROOT / "examples" / "breakthrough"), levels={"win": 0.5})
    assert sorted(played(halves, 1, random.Random(1)).values()) == [-0.5, 0.5]


def test_a_game_that_is_too_long_is_truncated() -> None:
    short = RulekitEnv(str(ROOT / "examples" / "hex"), max_choices=4)
    assert set(played(short, 1, random.Random(1)).values()) == {0.0}
    short.reset(seed=1)
    for _ in range(4):
        short.step(int(np.flatnonzero(short.last()[0]["action_mask"])[0]))
    assert all(short.truncations.values())
    assert not any(short.terminations.values())


@pytest.mark.parametrize("choices", [0, -1])
def test_a_game_of_no_choices_is_none(choices: int) -> None:
    with pytest.raises(rulekit.RulekitError, match="max_choices needs a number of at least 1"):
        env(str(ROOT / "examples" / "hex"), max_choices=choices)


def test_the_mask_is_of_who_is_asked_and_the_planes_are_his_own() -> None:
    skirmish = RulekitEnv(rulekit.load(ROOT / "examples" / "skirmish"))
    skirmish.reset(seed=3)
    red, blue = (skirmish.observe(agent) for agent in ("red_0", "blue_1"))
    assert skirmish.agent_selection == "red_0"
    assert list(np.flatnonzero(red["action_mask"])) == sorted(skirmish._state().legal_actions())
    assert blue["action_mask"].sum() == 0
    hands = [
        skirmish.planes.named(seen["observation"])["hand"].sum(axis=1).tolist()
        for seen in (red, blue)
    ]
    assert hands == [[1, 0], [0, 1]]
    assert skirmish.action_names(np.flatnonzero(red["action_mask"]))[0] in ("rest", "march red.F1")


def test_the_next_game_without_a_seed_is_another_one_and_the_same_each_time() -> None:
    hands = []
    for _ in range(2):
        skirmish = RulekitEnv(str(ROOT / "examples" / "skirmish"))
        skirmish.reset(seed=5)
        for _ in range(8):
            hands.append(skirmish._state().get("hand.red")[0])
            skirmish.reset()
    assert hands[:8] == hands[8:]
    assert len(set(hands)) > 1


def test_what_is_not_offered_is_refused_with_the_rule() -> None:
    board = RulekitEnv(str(ROOT / "examples" / "tic_tac_toe"))
    board.reset(seed=1)
    board.step(1)
    with pytest.raises(rulekit.IllegalChoice, match="the cell is taken"):
        board.step(1)


def test_what_everybody_may_know_is_rendered() -> None:
    board = env(str(ROOT / "examples" / "tic_tac_toe"), render_mode="ansi")
    board.reset(seed=1)
    board.step(1)
    assert '"a1": "x"' in board.render()
    with pytest.raises(
        rulekit.RulekitError, match="there is no render mode 'human'; there are ansi"
    ):
        RulekitEnv(str(ROOT / "examples" / "tic_tac_toe"), render_mode="human")
