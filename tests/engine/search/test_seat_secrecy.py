"""Hidden information does not influence an automatic seat."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.determinizations import determinize
from rulekit.engine.knowledge.information_set import Blind
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.search.agent_registry import Agent, make_agent
from rulekit.engine.search.search_agent import Effort, SearchAgent
from rulekit.runtime.slots import FIRST_SLOT, LAYERS, SEED
from rulekit.runtime.wasm import available

ROOT = Path(__file__).resolve().parents[3]
CARDS, SECRETS = ROOT / "tests" / "fixtures" / "cards", ROOT / "tests" / "fixtures" / "secrets"
FOLDERS = [
    CARDS,
    SECRETS,
    ROOT / "examples" / "skirmish",
    *(ROOT / "games" / name for name in ("sphacteria", "amphipolis", "athens_sparta")),
]
SEATS: dict[str, Callable[[State], Agent]] = {
    "search": lambda _: SearchAgent(5, Effort(0, 30), native=False),
    "native": lambda _: SearchAgent(5, Effort(0, 300)),
    "greedy": lambda state: make_agent("greedy", state, 5),
}


def twin_of(state: State, rng: random.Random) -> State | None:
    """Return the same game with other hidden information of the deciding player."""
    twin = state.clone()
    twin.slots[FIRST_SLOT:] = Blind.of(Observer(state, state.current_player())).sampled(rng)[
        FIRST_SLOT:
    ]
    twin.slots[LAYERS] = None  # type: ignore[call-overload]  # its options are its own
    asked_alike = (
        twin.current_player() == state.current_player()
        and twin.legal_actions() == state.legal_actions()
    )
    return twin if asked_alike and twin.slots[FIRST_SLOT:] != state.slots[FIRST_SLOT:] else None


@pytest.mark.parametrize(
    ("folder", "seat"),
    [
        (folder, seat)
        for folder in FOLDERS
        for seat in SEATS
        if seat != "greedy" or folder.parent.name == "games"
    ],
    ids=lambda x: getattr(x, "name", x),
)
def test_what_it_may_not_know_changes_nothing(folder: Path, seat: str) -> None:
    """Two seats with the same seed play a game. One of them always has a determinization instead of
    the true position. Both make the same choices."""
    if seat == "native" and not available():
        pytest.skip("plays in Python here")
    game, rng, compared = rulekit.load(folder), random.Random(4), 0
    for seed in range(12):
        state = game.new(seed=seed)
        agents = [[SEATS[seat](state) for _ in range(2)] for _ in game.sides]
        for _ in range(40):
            if state.is_terminal() or compared > 8:
                break
            me, legal = state.current_player(), state.legal_actions()
            twin = twin_of(state, rng) if len(legal) > 1 else None
            if twin is None:
                state.apply_action(rng.choice(legal))
                continue
            compared += 1
            here, there = (
                agent.choose(each) for agent, each in zip(agents[me], (state, twin), strict=True)
            )
            assert here == there
            state.apply_action(here)
    assert compared > 3


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_it_looks_at_positions_that_may_be(folder: Path) -> None:
    """The player's observation is the same in all of them, hidden information is not always the
    same, and none has the seed."""
    game, rng, differ = rulekit.load(folder), random.Random(4), 0
    for seed in range(6):
        state = game.new(seed=seed)
        for _ in range(rng.randrange(40)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        me, other = state.current_player(), state.clone(history=False)
        seen = state.view(me)
        found = determinize(state, MaskedOptions(state.table.program).ids(state), rng)
        for slots in found:
            other.slots[:] = slots
            there = other.view(me)
            assert all(there[part] == seen[part] for part in ("state", "pools", "unknown"))
            assert slots[SEED] == 0
        differ += len({tuple(slots[FIRST_SLOT:]) for slots in found}) > 1
    assert differ
