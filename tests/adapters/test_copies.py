"""Copies: a copied or pickled environment of PettingZoo or state of OpenSpiel plays independently,
wherever its game lies."""

from __future__ import annotations

import copy
import pickle
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest

import rulekit
import rulekit.adapters.openspiel
from rulekit.adapters.pettingzoo import RulekitEnv, env

ROOT = Path(__file__).resolve().parents[2]
GAMES = [
    "examples/skirmish",
    "examples/tic_tac_toe",
    "tests/fixtures/cards",
    "tests/fixtures/blocks",
    "tests/fixtures/duel",
]
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda made: pickle.loads(pickle.dumps(made)),
}
NAMES = [
    "plain",
    "with blank",
    "games (1)",
    "a,b",
    "x=1",
    "\u00e9",
    "a)b",
    "(",
    "100%",
    "50%28",
    "a,seed=3",
    "[x]",
    "a;b",
]


def looked(environment: Any) -> list[Any]:
    """Return all that an environment reports of its position."""
    seen = [environment.observe(agent) for agent in environment.possible_agents]
    return [
        environment.agents,
        environment.agent_selection,
        environment.rewards,
        environment.terminations,
        environment.truncations,
        environment._cumulative_rewards,
        [(each["observation"].tolist(), each["action_mask"].tolist()) for each in seen],
    ]


def step(environment: Any, chance: random.Random) -> None:
    agent = environment.agent_selection
    over = environment.terminations[agent] or environment.truncations[agent]
    environment.step(
        None
        if over
        else int(chance.choice(np.flatnonzero(environment.observe(agent)["action_mask"])))
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("folder", GAMES)
def test_a_copy_of_an_environment_is_equal_and_plays_by_itself(folder: str, way: str) -> None:
    """Positions are random. Environments are wrapped or not, of a game by its path or loaded."""
    for seed in range(6):
        chance = random.Random(seed)
        path = str(ROOT / folder)
        made: Any = [env(path), RulekitEnv(path), env(rulekit.load(path))][seed % 3]
        made.reset(seed=seed)
        for _ in range(chance.randint(0, 12)):
            if made.agents:
                step(made, chance)
        other = WAYS[way](made)
        before = looked(made)
        assert looked(other) == before and type(other) is type(made)
        while other.agents and chance.random() < 0.9:
            step(other, chance)
        assert looked(made) == before, "the original stands where it stood"


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_goes_on_as_the_original_does(way: str) -> None:
    """Choices and dice are the same, and so is the next game."""
    made = env(str(ROOT / "examples" / "skirmish"))
    made.reset(seed=5)
    other = WAYS[way](made)
    for _ in range(2):
        one, two = random.Random(1), random.Random(1)
        while made.agents:
            step(made, one)
            step(other, two)
            assert looked(made) == looked(other)
        made.reset()
        other.reset()
        assert looked(made) == looked(other)


@pytest.mark.parametrize("way", WAYS)
def test_an_environment_that_was_not_reset_is_copied_too(way: str) -> None:
    other = WAYS[way](env(str(ROOT / "examples" / "tic_tac_toe")))
    other.reset(seed=1)
    assert other.agents


def test_a_game_is_pickled_by_its_folder() -> None:
    game = rulekit.load(ROOT / "examples" / "skirmish", lang="en")
    again = pickle.loads(pickle.dumps(game))
    assert (again.name, again.info.digest, again.lang) == (game.name, game.info.digest, game.lang)
    assert copy.deepcopy(game) is game
    with pytest.raises(TypeError, match=r"rulekit\.load"):
        pickle.dumps(rulekit.Game(game.info, game.program))


@pytest.mark.parametrize("name", NAMES)
def test_the_folder_of_a_game_may_have_any_name(name: str, tmp_path: Path) -> None:
    """This holds for a string of OpenSpiel, its output, a pickle, and OpenSpiel's own program that
    reads the string."""
    folder = str(shutil.copytree(ROOT / "examples" / "tic_tac_toe", tmp_path / name))
    by_string = pyspiel.load_game(f"rulekit(game={folder},rng_seed=1)")
    by_name = pyspiel.load_game("rulekit", {"game": folder, "rng_seed": 1})
    for game in (
        by_string,
        by_name,
        pickle.loads(pickle.dumps(by_name)),
        pyspiel.load_game(str(by_name)),
    ):
        assert (
            game.get_parameters()["game"],
            game.get_parameters()["rng_seed"],
            game.num_players(),
        ) == (folder, 1, 2)
        state = game.new_initial_state()
        state.apply_action(state.legal_actions()[0])
        for other in (
            pickle.loads(pickle.dumps(state)),
            game.deserialize_state(state.serialize()),
            copy.deepcopy(state),
            state.clone(),
        ):
            assert str(other) == str(state) and other.legal_actions() == state.legal_actions()
            other.apply_action(other.legal_actions()[0])
            assert str(other) != str(state)


@pytest.mark.parametrize("folder", GAMES)
def test_a_state_is_pickled_anywhere(folder: str) -> None:
    game = pyspiel.load_game("rulekit", {"game": str(ROOT / folder), "rng_seed": 3})
    for seed in range(4):
        chance, state = random.Random(seed), game.new_initial_state()
        for _ in range(chance.randint(0, 12)):
            if not state.is_terminal():
                state.apply_action(
                    0 if state.is_chance_node() else chance.choice(state.legal_actions())
                )
        other = pickle.loads(pickle.dumps(state))
        assert (
            str(other) == str(state)
            and other.current_player() == state.current_player()
            and other.returns() == state.returns()
        )


def test_other_strings_are_read_as_before() -> None:
    assert pyspiel.load_game("tic_tac_toe").num_players() == 2
    assert pyspiel.load_game("kuhn_poker", {"players": 3}).num_players() == 3
    with pytest.raises(Exception, match="no game"):
        pyspiel.load_game("rulekit(game=nosuch)")
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("rulekit(game=examples/skirmish,nosuch=1)")
