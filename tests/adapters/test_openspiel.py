"""Every game as a game of OpenSpiel: its own tests, its bots, and the knowledge of a resampled
state."""

from __future__ import annotations

import importlib.util
import json
import pickle
import random
import re
import sys
import unittest
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import open_spiel
import pyspiel
import pytest
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.observation import make_observation
from open_spiel.python.rl_environment import Environment

import rulekit
from rulekit.adapters.openspiel import RunningGame
from rulekit.engine.knowledge.observation import Observer
from tests.engine.knowledge.twins import swaps

ROOT = Path(__file__).resolve().parents[2]
SMALL = [*sorted((ROOT / "examples").iterdir()), *sorted((ROOT / "tests" / "fixtures").iterdir())]
CERTAIN = pyspiel.GameType.ChanceMode.DETERMINISTIC


def game(folder: str | Path, **given: Any) -> Any:
    return pyspiel.load_game("rulekit", {"game": str(ROOT / folder), "rng_seed": 7, **given})


def decisions(state: Any, rng: random.Random, most: int = 1000) -> Iterator[Any]:
    """Yield the state at each decision of a random game."""
    for _ in range(most):
        while state.is_chance_node():
            state.apply_action(0)
        if state.is_terminal():
            return
        yield state
        state.apply_action(rng.choice(state.legal_actions()))


def sides_of(state: Any) -> range:
    return range(state.get_game().num_players())


# ---------------------------------------------------------------------------- OpenSpiel's own tests
@pytest.mark.parametrize("folder", SMALL, ids=lambda folder: folder.name)
def test_random_sim_test_of_whole_games(folder: Path) -> None:
    """OpenSpiel does not serialize sampled stochastic games in Python. Our own pickles of these are
    tested below."""
    small = game(folder)
    pyspiel.random_sim_test(
        small, num_sims=1, serialize=small.get_type().chance_mode == CERTAIN, verbose=False
    )


WARGAMES = [
    ("games/sphacteria", ""),
    *(("games/amphipolis", name) for name in ("brasidas", "campaign", "cleon", "nicias")),
]
LARGE = [
    *(("games/athens_sparta", name) for name in ("war", "tourney", "sicily")),
    *(("games/peloponnesian_war", name) for name in ("war431", "war415", "war410")),
]


@pytest.mark.parametrize(("folder", "scenario"), WARGAMES)
def test_random_sim_test_of_a_wargame_that_is_broken_off(folder: str, scenario: str) -> None:
    pyspiel.random_sim_test(
        game(folder, scenario=scenario, max_game_length=40),
        num_sims=1,
        serialize=False,
        verbose=False,
    )


@pytest.mark.parametrize(("folder", "scenario"), LARGE)
def test_random_sim_test_of_a_large_wargame_that_is_broken_off(folder: str, scenario: str) -> None:
    pyspiel.random_sim_test(
        game(folder, scenario=scenario, max_game_length=40),
        num_sims=1,
        serialize=False,
        verbose=False,
    )


def file_of_openspiel(*path: str) -> ModuleType:
    file = Path(open_spiel.__file__).parent.joinpath(*path)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def api_test() -> Any:
    """Return the API test of the installed OpenSpiel."""
    return file_of_openspiel("integration_tests", "api_test.py")


@pytest.mark.parametrize("folder", ["examples/tic_tac_toe", "examples/skirmish"])
def test_the_api_tests(folder: str) -> None:
    tests = type(
        "Enforced",
        (api_test().EnforceAPIOnPartialTreeBase,),
        {"game_name": folder, "game": game(folder)},
    )
    found = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(tests).run(found)
    assert found.testsRun >= 5
    assert [*found.errors, *found.failures] == []


# --------------------------------------------------------------------------------------------- bots
def played(whole: Any, bots: list[Any]) -> list[float]:
    state = whole.new_initial_state()
    while not state.is_terminal():
        state.apply_action(
            0 if state.is_chance_node() else int(bots[state.current_player()].step(state))
        )
    returns: list[float] = state.returns()
    return returns


def rollouts() -> Any:
    return RandomRolloutEvaluator(1, np.random.RandomState(1))


def searcher(whole: Any, simulations: int) -> Any:
    """Return a bot. With hidden information it is the one that uses `resample_from_infostate`,
    otherwise the one that searches the state."""
    if whole.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return MCTSBot(whole, 2.0, simulations, rollouts(), random_state=np.random.RandomState(2))
    return ISMCTSBot(
        game=whole,
        evaluator=rollouts(),
        uct_c=2.0,
        max_simulations=simulations,
        random_state=np.random.RandomState(2),
        allow_inconsistent_action_sets=True,
    )


@pytest.mark.parametrize(
    "folder",
    ["examples/tic_tac_toe", "examples/skirmish", "tests/fixtures/cards", "tests/fixtures/blocks"],
)
def test_its_bots_play_a_game(folder: str) -> None:
    whole = game(folder)
    assert (
        sum(played(whole, [searcher(whole, 4), UniformRandomBot(1, np.random.RandomState(3))])) == 0
    )
    assert (
        sum(
            pyspiel.evaluate_bots(
                whole.new_initial_state(),
                [pyspiel.make_uniform_random_bot(0, 1), pyspiel.make_uniform_random_bot(1, 2)],
                5,
            )
        )
        == 0
    )


def test_its_environment_for_learning_plays_a_game() -> None:
    """Observations are planes of the announced size, and the final rewards are the returns."""
    environment = Environment(game("examples/skirmish"))
    agents = [RandomAgent(player, environment.action_spec()["num_actions"]) for player in range(2)]
    step = environment.reset()
    while not step.last():
        player = step.current_player()
        assert (
            len(step.observations["info_state"][player])
            == environment.observation_spec()["info_state"][0]
        )
        step = environment.step([agents[player].step(step).action])
    assert sorted(step.rewards) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_game_of_no_choices_is_none() -> None:
    with pytest.raises(rulekit.RulekitError, match="max_game_length needs a number of at least 1"):
        game("examples/hex", max_game_length=0)


def test_a_search_finds_the_win() -> None:
    """With two in a row, it finds the third."""
    whole = game("examples/tic_tac_toe")
    state = whole.new_initial_state()
    for key in ("mark a1", "mark b1", "mark a2", "mark b2"):
        state.apply_action(state.string_to_action(key))
    assert state.action_to_string(searcher(whole, 60).step(state)) == "mark a3"


@pytest.mark.parametrize("folder", ["games/sphacteria", "games/amphipolis"])
def test_a_bot_of_hidden_worlds_plays_some_moves_of_a_wargame(folder: str) -> None:
    """Its simulations end at the maximum length of the game."""
    whole = game(folder, max_game_length=12)
    assert played(whole, [searcher(whole, 2)] * 2) == [0.0, 0.0]


# ---------------------------------------------------------------------------- knowledge of a player
@pytest.mark.parametrize(
    ("folder", "most"),
    [
        ("examples/skirmish", 60),
        ("tests/fixtures/cards", 60),
        ("tests/fixtures/secrets", 60),
        ("tests/fixtures/blocks", 60),
        ("games/sphacteria", 30),
        ("games/amphipolis", 15),
    ],
)
def test_what_is_resampled_keeps_to_what_the_player_knows(folder: str, most: int) -> None:
    """Information state, planes and options are the same. Hidden information sometimes differs."""
    whole, rng = game(folder), random.Random(1)
    sampler, differ = pyspiel.UniformProbabilitySampler(0.0, 1.0), 0
    for state in decisions(whole.new_initial_state(), rng, most):
        for player in sides_of(state):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert bool(other.legal_actions())
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            differ += other.observation_string(1 - player) != state.observation_string(1 - player)
    assert differ > 3


def cards(state: Any, path: str) -> tuple[str, ...]:
    return tuple(state.course.state.get(path))


def names_in(told: str) -> set[str]:
    return set(re.findall(r"[a-z]+", told))


def test_each_hand_that_can_be_is_resampled_about_as_often() -> None:
    """Red holds one of three cards. Blue holds one of the others, and the last is in the deck."""
    state = next(decisions(game("examples/skirmish").new_initial_state(), random.Random(1)))
    found = Counter(cards(state.resample_from_infostate(0), "hand.blue") for _ in range(200))
    assert cards(state, "hand.red") not in found
    assert len(found) == 2
    assert min(found.values()) > 60


def test_others_are_told_nothing_true_in_a_resampled_state() -> None:
    """The information state of another player consists of public events and the resampled
    position."""
    state = next(decisions(game("examples/skirmish").new_initial_state(), random.Random(1)))
    true = cards(state, "hand.blue")
    other = next(
        each
        for each in iter(lambda: state.resample_from_infostate(0), None)
        if cards(each, "hand.blue") != true
    )
    assert names_in(state.information_state_string(1)) & {"ambush", "rumour", "patrol"} == set(true)
    assert names_in(other.information_state_string(1)) & {"ambush", "rumour", "patrol"} == set(
        cards(other, "hand.blue")
    )


@pytest.mark.parametrize("folder", ["tests/fixtures/cards", "tests/fixtures/secrets"])
def test_who_cannot_tell_two_states_apart_has_one_information_state(folder: str) -> None:
    """Two things that the player never could distinguish are swapped, in the present and the
    past."""
    compared, rules = 0, game(folder).rules
    for seed in range(3):
        state, rng, chosen = rules.new(seed), random.Random(seed), list[int]()
        for number in range(24):
            if state.is_terminal():
                break
            if number % 6 == 3:
                for player in range(2):
                    for swap in list(swaps(state, player))[:4]:
                        assert known(rules, swap.with_past(), player, chosen) == known(
                            rules, state.clone(), player, chosen
                        )
                        compared += 1
            shown, true = rng.choice(list(rules.offered.ids(state).items()))
            chosen.append(shown)
            state.apply_action(true)
    assert compared > 20


def known(rules: Any, state: rulekit.State, player: int, chosen: list[int]) -> str:
    """Return the information state of a state with its whole history."""
    course = RunningGame(rules)
    course.state, course.chosen = state, list(chosen)
    made = pyspiel.load_game("rulekit", {"game": rules.key[0]}).new_initial_state()
    made.course = course
    told: str = made.information_state_string(player)
    return told


def test_the_id_of_an_option_does_not_tell_which_a_thing_is() -> None:
    """Things that a player cannot distinguish have the same option ids for them. Each id is an
    option of its own."""
    rules, veiled, compared = game("tests/fixtures/secrets").rules, 0, 0
    for seed in range(4):
        state, rng = rules.new(seed), random.Random(seed)
        for _ in range(40):
            if state.is_terminal():
                break
            player, shown = state.current_player(), rules.offered.ids(state)
            assert sorted(shown.values()) == sorted(state.legal_actions())
            unknown = [
                id for id, true in shown.items() if not Observer(state, player).names_all(true)
            ]
            assert [id for id in shown if rules.offered.key(state, id).endswith(" ?")] == unknown
            if unknown:
                veiled += 1
                for swap in list(swaps(state, player))[:6]:
                    assert list(rules.offered.ids(swap.twin())) == list(shown)
                    compared += sorted(swap.twin().legal_actions()) != sorted(shown.values())
            state.apply_action(rng.choice(state.legal_actions()))
    assert veiled > 5
    assert compared > 5


def test_an_id_that_is_not_shown_is_refused() -> None:
    whole = game("tests/fixtures/secrets")
    for state in decisions(whole.new_initial_state(), random.Random(2)):
        hidden = set(state.course.state.legal_actions()) - set(state.legal_actions())
        for action in hidden:
            with pytest.raises(rulekit.IllegalChoice, match=r"is not offered"):
                state.child(action)
        if hidden:
            return
    raise AssertionError("each id was the true one")


@pytest.mark.parametrize("folder", ["examples/skirmish", "tests/fixtures/secrets"])
def test_what_is_recalled_does_not_hang_on_when_it_is_asked(folder: str) -> None:
    """It is the same if it is requested at each decision or only at the end. It holds the player's
    own choices in order."""
    whole, own = game(folder), {0: list[int](), 1: list[int]()}
    often, once, rng = whole.new_initial_state(), whole.new_initial_state(), random.Random(2)
    for number in range(60):
        if often.is_chance_node():
            whole.rng.seed(number)
            often.apply_action(0)
            whole.rng.seed(number)
            once.apply_action(0)
        elif often.is_terminal():
            break
        else:
            action = rng.choice(often.legal_actions())
            own[often.current_player()].append(action)
            often.apply_action(action)
            once.apply_action(action)
        for player in range(2):
            often.information_state_string(player)
    for player in range(2):
        assert often.information_state_string(player) == once.information_state_string(player)
        _, told = json.loads(once.information_state_string(player))
        chosen = [int(line.removeprefix("chose ")) for line in told if line.startswith("chose ")]
        assert chosen == own[player]
        assert len(told) > len(chosen)


def test_observers_tell_what_is_public_and_what_is_not() -> None:
    whole = game("examples/skirmish")
    state = next(decisions(whole.new_initial_state(), random.Random(1)))
    kinds = pyspiel.PrivateInfoType
    public, private = (
        make_observation(
            whole,
            pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=info),
        )
        for public, info in ((True, kinds.NONE), (False, kinds.SINGLE_PLAYER))
    )
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert cards(state, "hand.red")[0] in private.string_from(state, 0)
    assert "points" not in private.string_from(state, 0)
    own = make_observation(whole)
    own.set_from(state, 0)
    assert own.dict["hand"].shape == (2, 3)
    assert own.dict["hand"].sum() == 1
    with pytest.raises(rulekit.RulekitError, match="combined knowledge"):
        make_observation(
            whole, pyspiel.IIGObservationType(perfect_recall=False, private_info=kinds.ALL_PLAYERS)
        )


# --------------------------------------------------------------------------------------------- dice
def test_dice_are_a_chance_node_of_their_own() -> None:
    """The choice itself rolls nothing, so two copies are equal after it. Each then rolls new
    dice."""
    whole = game("tests/fixtures/dice")
    for state in decisions(whole.new_initial_state(), random.Random(1)):
        found = []
        for action in state.legal_actions():
            one, two = state.child(action), state.child(action)
            assert str(one) == str(two)
            if one.is_chance_node():
                assert one.chance_outcomes() == [(0, 1.0)]
                found.append(len({str(one.child(0)) for _ in range(20)}))
        if found:
            assert max(found) > 3
            return
    raise AssertionError("no choice rolls")


def test_the_same_seed_rolls_the_same_dice() -> None:
    ends = []
    for _ in range(2):
        state = game("examples/skirmish").new_initial_state()
        list(decisions(state, random.Random(4)))
        ends.append(str(state))
    assert ends[0] == ends[1]


# -------------------------------------------------------------------------------------- kept values
def test_a_state_is_kept_and_read_back() -> None:
    """This works by pickle and by its own text, at decisions, at dice and at the end."""
    whole = game("examples/skirmish")
    state, rng = whole.new_initial_state(), random.Random(3)
    for number in range(80):
        if number % 9 == 0 or state.is_terminal():
            for again in (
                pickle.loads(pickle.dumps(state)),
                whole.deserialize_state(state.serialize()),
            ):
                assert str(again) == str(state)
                assert again.history() == state.history()
                assert all(
                    again.information_state_string(player) == state.information_state_string(player)
                    for player in range(2)
                )
        if state.is_terminal():
            break
        state.apply_action(0 if state.is_chance_node() else rng.choice(state.legal_actions()))
    assert state.is_terminal()


def test_a_game_is_kept_with_its_dice() -> None:
    whole = game("examples/skirmish", scenario="morning")
    whole.new_initial_state().apply_action(0)
    again = pickle.loads(pickle.dumps(whole))
    assert str(again) == str(whole)
    assert again.rng.random() == whole.rng.random()


# --------------------------------------------------------------------------------------- parameters
def test_rulings_and_editions_are_parameters() -> None:
    own, named = (
        game("games/sphacteria", edition="balanced"),
        game("games/sphacteria", rulings="tie_winner:split_run"),
    )
    assert (
        own.rules.table.program.rules
        == named.rules.table.program.rules
        != game("games/sphacteria").rules.table.program.rules
    )
    assert str(pyspiel.load_game(str(named))) == str(named)


def test_ids_are_those_of_the_game() -> None:
    whole = game("examples/tic_tac_toe")
    state = whole.new_initial_state()
    assert (
        whole.num_distinct_actions()
        == rulekit.load(ROOT / "examples" / "tic_tac_toe").num_distinct_actions()
    )
    assert [state.action_to_string(action) for action in state.legal_actions()][:2] == [
        "mark a1",
        "mark b1",
    ]


def test_a_game_that_is_broken_off_has_no_winner() -> None:
    state = game("examples/tic_tac_toe", max_game_length=3).new_initial_state()
    assert len(list(decisions(state, random.Random(1)))) == 3
    assert (state.is_terminal(), state.returns(), state.legal_actions()) == (True, [0.0, 0.0], [])


def test_a_level_counts_as_much_as_is_said() -> None:
    state = game("examples/tic_tac_toe", levels="win:0.5").new_initial_state()
    for key in ("mark a1", "mark b1", "mark a2", "mark b2", "mark a3"):
        state.apply_action(state.string_to_action(key))
    assert state.returns() == [0.5, -0.5]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"game": ""}, "name the game: rulekit(game=...)"),
        ({"scenario": "noon"}, "skirmish has no scenario 'noon'; it has morning"),
        ({"rulings": "odds"}, "'odds' is not of the form name:value;name:value"),
        ({"rulings": "odds:x"}, "skirmish has no ruling 'odds'; it has none"),
        (
            {"levels": "win:two"},
            "a level counts from 0 to 1, and is one of win, drawn, not 'win' with -1.0",
        ),
        (
            {"levels": "tie:1"},
            "a level counts from 0 to 1, and is one of win, drawn, not 'tie' with 1.0",
        ),
    ],
)
def test_wrong_parameters_are_told(given: dict[str, str], told: str) -> None:
    with pytest.raises(rulekit.RulekitError) as refused:
        pyspiel.load_game("rulekit", {"game": str(ROOT / "examples" / "skirmish"), **given})
    assert str(refused.value) == told


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [("openspiel", "pyspiel", "openspiel"), ("pettingzoo", "pettingzoo", "pettingzoo")],
)
def test_a_library_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, library: str, extra: str
) -> None:
    monkeypatch.delitem(sys.modules, f"rulekit.adapters.{module}", raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf"pip install 'rulekit\[{extra}\]'"):
        importlib.import_module(f"rulekit.adapters.{module}")
