"""Takes a state at a decision, makes a choice: the seats that play by themselves."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Protocol

from rulekit.base.errors import RulekitError, RulesError
from rulekit.play.state import State
from rulekit.program import runtime

HUMAN = "human"
DEFAULT_TOTAL = "vp"


class Agent(Protocol):
    """A seat that plays by itself. `choose` gives the id of one of the options of the state's decision."""

    def choose(self, state: State) -> int:
        """The id of the option it takes."""


class RandomAgent:
    """Any option, all alike."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, state: State) -> int:
        """One of the options."""
        return runtime.sample(state._code.layers(state._s), self._rng.random())


class GreedyAgent:
    """One step ahead: the option after which its own victory total less the best of the others' is highest. Ties: any of them.

    It looks ahead in a copy with other dice: what will be rolled or drawn, nobody knows."""

    def __init__(self, seed: int, total: str) -> None:
        self._rng = random.Random(seed)
        self._total = total

    def choose(self, state: State) -> int:
        """The option with the highest lead after it."""
        me = state.current_player()
        best: list[int] = []
        lead = float("-inf")
        for action in state.legal_actions():
            value = self._after(state, action, me)
            if value > lead:
                lead, best = value, []
            if value == lead:
                best.append(action)
        return self._rng.choice(best)

    def _after(self, state: State, action: int, me: int) -> float:
        ahead = state.reseeded(self._rng.getrandbits(48))
        try:
            ahead.apply_action(action)
        except RulesError:
            return float("-inf")
        if ahead.is_terminal():
            return 1e6 * ahead.returns()[me]
        sides = ahead.names.sides
        totals = [float(ahead.value_of(self._total, side)) for side in sides]
        return totals[me] - max((v for i, v in enumerate(totals) if i != me), default=0.0)


def victory_total(state: State) -> str:
    """The total that the greedy seat looks at: the manifest's `victory_total`, else `vp`."""
    manifest = state.table.program.info.get("manifest", {})
    return str(manifest.get("victory_total", DEFAULT_TOTAL)) if isinstance(manifest, dict) else DEFAULT_TOTAL


def _greedy(state: State, seed: int) -> Agent:
    name = victory_total(state)
    info = next((t for t in state.table.program.totals if t.name == name), None)
    sides = state.table.program.sides
    if info is None or [t.kind for _, t in info.params] != [sides] or info.context >= 0:
        raise RulekitError(f"a greedy seat needs a total {name!r} of one player; {state.table.program.name} has none "
                           "(name another with `victory_total` in game.yaml)")
    return GreedyAgent(seed, name)


AGENTS: dict[str, Callable[[State, int], Agent]] = {"random": lambda _, seed: RandomAgent(seed), "greedy": _greedy}


def make_agent(name: str, state: State, seed: int = 0) -> Agent:
    """A seat by its name: random or greedy."""
    if name not in AGENTS:
        raise RulekitError(f"there is no seat {name!r}; there are {HUMAN}, {', '.join(AGENTS)}")
    return AGENTS[name](state, seed)


def seat_plan(given: Mapping[str, str], state: State, default: str) -> dict[str, str]:
    """Who sits where: each player's seat by name, `default` for those not named."""
    names = state.names
    plan = dict.fromkeys(names.sides, default)
    for side, seat in given.items():
        if seat != HUMAN and seat not in AGENTS:
            raise RulekitError(f"there is no seat {seat!r}; there are {HUMAN}, {', '.join(AGENTS)}")
        plan[names.sides[names.side(side)]] = seat
    return plan


def make_agents(plan: Mapping[str, str], state: State, seed: int) -> list[Agent | None]:
    """An agent per player in order; None for a person."""
    return [None if plan[side] == HUMAN else make_agent(plan[side], state, runtime.mix(seed, i + 1))
            for i, side in enumerate(state.names.sides)]
