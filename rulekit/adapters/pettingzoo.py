"""A PettingZoo environment (AEC) of a game: the players act in turn, each with an observation and a
mask of their options.

    from rulekit.adapters import pettingzoo
    env = pettingzoo.env("tic_tac_toe")

docs/analysts.md describes observations, actions and rewards.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rulekit.adapters import missing, rewards, weights
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.project.loader import load

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

    from rulekit.adapters.tensors import Planes
except ImportError as error:  # the extra is not installed
    raise missing("pettingzoo", "pettingzoo") from error

MODES = ("ansi",)


class RulekitEnv(AECEnv):
    """An environment that plays one game at a time.

    The agents are the players, each with their number, for example `red_0`. A game is truncated
    after `max_choices` choices.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "rulekit_v1",
        "render_modes": list(MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: str | Game,
        scenario: str | None = None,
        edition: str | None = None,
        rulings: Mapping[str, str] | None = None,
        levels: Mapping[str, float] | None = None,
        max_choices: int = 10_000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in MODES:
            raise RulekitError(
                _(
                    "there is no render mode {mode}; there are {known}",
                    mode=repr(render_mode),
                    known=", ".join(MODES),
                ).text("en")
            )
        if max_choices < 1:
            raise RulekitError(
                _("{what} needs a number of at least 1", what="max_choices").text("en")
            )
        self._given = (game, scenario, edition, rulings, levels, max_choices, render_mode)
        self.render_mode = render_mode
        self._game = load(game) if isinstance(game, str) else game
        self._chosen: dict[str, Any] = {
            "scenario": scenario,
            "edition": edition,
            "rulings": rulings,
        }
        self._longest = max_choices
        table = self._game.table(**self._chosen)
        self._counts = weights(table.program, levels or {})
        self.planes = Planes(table.names)
        self.offered = MaskedOptions(table.program)
        self.possible_agents: list[str] = [
            f"{side}_{i}" for i, side in enumerate(table.names.sides)
        ]
        self.agents: list[str] = []
        self._actions = table.program.options + 1
        mask = Box(0, 1, (self._actions,), np.int8)
        self._observations = {
            agent: Dict(
                {
                    "observation": Box(-np.inf, np.inf, (self.planes.size,), np.float32),
                    "action_mask": mask,
                }
            )
            for agent in self.possible_agents
        }
        self._options = {agent: Discrete(self._actions) for agent in self.possible_agents}
        self._rng: np.random.Generator | None = None
        self.stands: State | None = None

    # ---------------------------------------------------------------- copies
    def __copy__(self) -> RulekitEnv:
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> RulekitEnv:
        """Return an independent environment at the same position."""
        made = type(self).__new__(type(self))
        memo |= {id(shared): shared for shared in (self._game, self.planes, self.offered)}
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return made

    def __getstate__(self) -> dict[str, Any]:
        kept = {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_game", "_given", "planes", "offered", "stands")
        }
        game, *given = self._given
        return {
            "given": (self._game if isinstance(game, str) else game, *given),
            "kept": kept,
            "stands": None if self.stands is None else self.stands.to_json(),
        }

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(*state["given"])  # type: ignore[misc]
        self.__dict__.update(state["kept"])
        self.stands = (
            None if state["stands"] is None else self._game.state_from_json(state["stands"])
        )

    # ---------------------------------------------------------------- a game
    def observation_space(self, agent: str) -> Any:
        """Return the space of observations: the planes and the mask of options."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions: the ids of options."""
        return self._options[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        With the same seed, the same choices lead to the same game. Without a seed, the next one
        comes from the generator of the last seeded reset.
        """
        if seed is not None or self._rng is None:
            self._rng, __ = seeding.np_random(seed)
        self.stands = self._game.new(seed=int(self._rng.integers(1 << 63)), **self._chosen)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._made = 0
        self._turn()

    def _state(self) -> State:
        assert self.stands is not None
        return self.stands

    def _turn(self) -> None:
        """Select the agent to move, or mark the game as terminated or truncated."""
        state = self._state()
        if state.is_terminal():
            self.rewards = dict(
                zip(self.possible_agents, rewards(state, self._counts), strict=True)
            )
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._made >= self._longest:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[state.current_player()]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent, with their options if it is their turn."""
        state, player = self._state(), self.possible_agents.index(agent)
        mask = np.zeros(self._actions, np.int8)
        if state.current_player() == player:
            mask[list(self.offered.ids(state))] = 1
        return {"observation": self.planes.tensor(state, player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take the option with this id. Raise `IllegalChoice`, with the rule, if it is not
        offered.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent, state = self.agent_selection, self._state()
        state.apply_action(self.offered.true(state, int(action) if action is not None else 0))
        self.stands = state.clone(history=False)
        self._made += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turn()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the public view of the position as JSON text."""
        if self.render_mode is None:
            return None
        return json.dumps(self._state().view(None), indent=1, ensure_ascii=False)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def action_names(self, actions: Sequence[int]) -> list[str]:
        """Return the keys of options, given their ids."""
        return [self.offered.key(self._state(), int(action)) for action in actions]


class _Ordered(OrderEnforcingWrapper):
    """The outermost wrapper. It copies deeply, as a shallow copy would share the running game."""

    def __copy__(self) -> _Ordered:
        return copy.deepcopy(self)


def env(game: str | Game, **given: Any) -> Any:
    """Return the environment in PettingZoo's usual wrappers, which reject calls in the wrong order
    and ids out of range.
    """
    return _Ordered(AssertOutOfBoundsWrapper(RulekitEnv(game, **given)))


__all__ = ["RulekitEnv", "env"]
