"""Register `rulekit(game=..., ...)` with OpenSpiel, so that its bots and algorithms can play every
game.

    import pyspiel, rulekit.adapters.openspiel
    game = pyspiel.load_game("rulekit(game=tic_tac_toe)")

All dice and draws of a choice are one chance node with a single outcome, which reseeds the dice.
OpenSpiel calls this a sampled stochastic game. See docs/analysts.md.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rulekit.adapters import missing, rewards, weights
from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.kernel.bound_program import BoundProgram
from rulekit.engine.kernel.events import QUIET
from rulekit.engine.knowledge.determinization import Lawful
from rulekit.engine.knowledge.information_set import Blind
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.knowledge.visibility import SPECTATOR
from rulekit.project.loader import load

try:
    import numpy as np
    import pyspiel

    from rulekit.adapters.tensors import Planes
except ImportError as error:  # the extra is not installed
    raise missing("open_spiel", "openspiel") from error

SHORT_NAME = "rulekit"
DEFAULTS: dict[str, Any] = {
    "game": "",
    "scenario": "",
    "edition": "",
    "rulings": "",
    "levels": "",
    "max_game_length": 10_000,
    "rng_seed": -1,
}
_SIGNS = str.maketrans(
    {sign: f"%{ord(sign):02X}" for sign in "%(),="}
)  # the reserved characters of OpenSpiel's game strings
TRIES = 50  # samples after which the true position is used
_SIDES = 10  # greatest number of players, which OpenSpiel asks for


class Rules:
    """The data that all states of one OpenSpiel game share.

    Attributes:
        start: the state at the first decision, or None if the set-up rolls or draws.
    """

    def __init__(self, name: str, scenario: str, edition: str, rulings: str, levels: str) -> None:
        if not name:
            raise RulekitError(_("name the game: rulekit(game=...)").text("en"))
        self.key = (name, scenario, edition, rulings, levels)
        self.game: Game = load(name)
        self.chosen: dict[str, Any] = {
            "scenario": scenario or None,
            "edition": edition or None,
            "rulings": _pairs(rulings),
        }
        self.table: BoundProgram = self.game.table(**self.chosen)
        self.counts = weights(
            self.table.program, {level: _number(weight) for level, weight in _pairs(levels).items()}
        )
        self.planes = Planes(self.table.names)
        self.offered = MaskedOptions(self.table.program)
        first = self.game.new(seed=0, **self.chosen)
        self.start = None if first.randoms else first
        kinds = self.table.program.kinds
        self.has_chance = bool(self.table.program.purposes) or any(kind.pooled for kind in kinds)

    def new(self, seed: int) -> State:
        """Return a new state at its first decision."""
        return self.game.new(seed=seed, **self.chosen)


@cache
def rules(name: str, scenario: str, edition: str, rulings: str, levels: str) -> Rules:
    """Return the shared data of a game. The result is cached."""
    return Rules(name, scenario, edition, rulings, levels)


def _pairs(text: str) -> dict[str, str]:
    """Parse `tie_winner:attacker;works:T9` into names and alternatives."""
    found = [part.partition(":") for part in text.split(";") if part]
    if any(not mark or not value for _, mark, value in found):
        raise RulekitError(
            _("{text} is not of the form name:value;name:value", text=repr(text)).text("en")
        )
    return {name.strip(): value.strip() for name, _, value in found}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _plain(value: Any) -> Any:
    """Decode a percent-encoded parameter: `games%20%281%29` is `games (1)`, unless a file with the
    encoded name exists.
    """
    return (
        unquote(value)
        if isinstance(value, str) and "%" in value and not Path(value).exists()
        else value
    )


def _spelt(value: Any) -> Any:
    """Percent-encode a parameter that could not stand in a game string of OpenSpiel."""
    return (
        value.translate(_SIGNS)
        if isinstance(value, str) and re.search(r"[(),=]|%[0-9A-Fa-f]{2}", value)
        else value
    )


class RunningGame:
    """A running game: its state, the choice that waits for dice, and the memory of each observer.

    Attributes:
        waiting: the choice that needs random results (0 stands for the set-up), or None.
        made: the number of choices made.
        recall: for each player, and last for a spectator, their observations and own choices in
            order, up to the last call of `look`.
        chosen: the displayed ids of the choices made since then.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.state: State | None = rules.start.clone() if rules.start is not None else None
        self.waiting: int | None = None if self.state is not None else 0
        self.made = 0
        self.chosen: list[int] = []
        self.recall: list[list[str]] = [[] for _ in range(rules.game.num_players() + 1)]

    def choose(self, action: int) -> None:
        """Make a choice. If it needs random results, undo it and wait for `sample`."""
        assert self.state is not None
        before, true = self.state.randoms, self.rules.offered.true(self.state, action)
        self.state.apply_action(true)
        self.made += 1
        self.chosen.append(action)
        if self.state.randoms != before:
            self.state.undo()
            self.waiting = true

    def sample(self, seed: int) -> None:
        """Reseed the dice and carry out the choice, or the set-up, that waits for them."""
        if self.state is None:
            self.state = self.rules.new(seed)
        else:
            assert self.waiting is not None
            self.state.reseed(seed)
            self.state.apply_action(self.waiting)
        self.waiting = None

    def look(self, player: int) -> list[str]:
        """Return everything that a player (-1: a spectator) can recall.

        New observations are first appended to the memory of every observer, and the event history
        is dropped.
        """
        state = self.state
        if state is not None and (state.events or state.move_number()):
            for who, observed in enumerate(self.recall):
                observer = Observer(state, who if who < len(self.recall) - 1 else None)
                observed.extend(_new_observations(observer, self.chosen))
            self.state = state.clone(history=False)
            self.chosen = self.chosen[
                state.move_number() :
            ]  # a choice that waits for dice is reported later, with its results
        return self.recall[player]

    def determinization(self, player: int, rng: random.Random) -> RunningGame:
        """Return a determinization of this course: it agrees with the player's knowledge and is
        otherwise sampled at random.

        Private observations of other players are not part of it: they recall only what a spectator
        does. If no sample fits after `TRIES` attempts, the true position is used.
        """
        assert self.state is not None
        own, public = self.look(player), self.recall[SPECTATOR]
        observer, true = Observer(self.state, player), self.state
        asked = true.current_player()
        offered = list(self.rules.offered.ids(true)) if asked == player else None
        found = true
        lawful = Lawful(Blind.of(observer))
        for __ in range(TRIES):
            state = State(true.table, lawful.sampled(rng))
            if self._fits(state, asked, offered):
                found = state
                break
        made = RunningGame.__new__(RunningGame)
        made.rules, made.waiting, made.made, made.chosen = self.rules, None, self.made, []
        made.state = found.clone(history=False)
        made.recall = [list(own if who == player else public) for who in range(len(self.recall))]
        return made

    def _fits(self, state: State, asked: int, offered: Sequence[int] | None) -> bool:
        """Return True if the game can have reached this state: it is over, or `asked` has to choose
        among these options (None: any).
        """
        try:
            options = list(self.rules.offered.ids(state))
            return state.is_terminal() or (
                state.current_player() == asked and bool(options) and offered in (None, options)
            )
        except RulekitError:
            return False

    # ---------------------------------------------------------------- copies
    def __deepcopy__(self, memo: dict[int, Any]) -> RunningGame:
        made = RunningGame.__new__(RunningGame)
        made.rules, made.waiting, made.made, made.chosen = (
            self.rules,
            self.waiting,
            self.made,
            list(self.chosen),
        )
        made.state = self.state.clone() if self.state is not None else None
        made.recall = [list(observed) for observed in self.recall]
        return made

    def __getstate__(self) -> dict[str, Any]:
        self.look(SPECTATOR)
        return {
            "key": self.rules.key,
            "state": self.state.to_json() if self.state is not None else None,
            "waiting": self.waiting,
            "made": self.made,
            "chosen": self.chosen,
            "recall": self.recall,
        }

    def __setstate__(self, kept: Mapping[str, Any]) -> None:
        self.rules = rules(*kept["key"])
        self.state = (
            self.rules.game.state_from_json(kept["state"]) if kept["state"] is not None else None
        )
        self.waiting, self.made, self.chosen, self.recall = (
            kept["waiting"],
            kept["made"],
            kept["chosen"],
            kept["recall"],
        )

    def __str__(self) -> str:
        stands = "" if self.state is None else self.state.to_json()
        return f"{self.made} {'' if self.waiting is None else self.waiting} {stands}"


def _new_observations(observer: Observer, chosen: Sequence[int]) -> list[str]:
    """Return the observations and own choices of an observer since the history began, in order.

    Args:
        chosen: the ids of the choices as they were displayed.
    """
    state, out = observer.state, list[str]()
    events = {event.number: event for event in observer.events() if event.kind not in QUIET}
    first = state.events_of(1)[0] if state.move_number() else len(state.events)
    spans = [
        (0, first),
        *(state.events_of(choice) for choice in range(1, state.move_number() + 1)),
    ]
    for choice, (begin, end) in enumerate(spans):
        if choice and state.chooser(choice) == observer.me:
            out.append(f"chose {chosen[choice - 1]}")
        out += [
            json.dumps(events[number].to_json()) for number in range(begin, end) if number in events
        ]
    return out


class RulekitGame(pyspiel.Game):
    """A game of OpenSpiel, defined by its parameters.

    Parameters:
        game: a folder, or the name of an installed game.
        scenario: the scenario; empty for the default.
        edition: a named set of rulings.
        rulings: single rulings, as `name:alternative` pairs joined by semicolons.
        levels: the weights of the levels of victory, as `level:0.5` pairs joined by semicolons.
        max_game_length: the number of choices after which a game is stopped without a winner.
        rng_seed: the seed of the dice, or -1 for an arbitrary one.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.given = {name: _plain(value) for name, value in (params or {}).items()}
        given = {**DEFAULTS, **self.given}
        self.rules = rules(
            given["game"], given["scenario"], given["edition"], given["rulings"], given["levels"]
        )
        self.longest = int(given["max_game_length"])
        if self.longest < 1:
            raise RulekitError(
                _("{what} needs a number of at least 1", what="max_game_length").text("en")
            )
        self.rng = random.Random(None if given["rng_seed"] < 0 else given["rng_seed"])
        table, players = self.rules.table, self.rules.game.num_players()
        info = pyspiel.GameInfo(
            num_distinct_actions=table.program.options + 1,
            max_chance_outcomes=1 if self.rules.has_chance else 0,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.longest,
        )
        super().__init__(
            _type(self.rules.has_chance, table.has_secrets),
            info,
            {name: _spelt(value) for name, value in self.given.items()},
        )

    def new_initial_state(self, *__: Any) -> RulekitState:
        """Return the state at the first decision, or at the chance node of the set-up."""
        return RulekitState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the greatest number of chance nodes: one for each choice and one for the
        set-up.
        """
        return self.longest + 1 if self.rules.has_chance else 0

    def get_parameters(self) -> dict[str, Any]:
        """Return the parameters as they were given, with the defaults.

        The game string encodes `(`, `)`, `,`, `=` and `%` in them as `%28` and so on.
        """
        return {**DEFAULTS, **self.given}

    def __reduce__(self) -> Any:
        return _reloaded, (self.given, self.rng.getstate())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulekitObserver:
        """Return an OpenSpiel observer with the planes and the string of a player's knowledge."""
        if params:
            raise RulekitError(
                _("an observer has no parameters; here are {params}", params=repr(params)).text(
                    "en"
                )
            )
        return RulekitObserver(
            self.rules, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        )


class RulekitState(pyspiel.State):
    """A state of OpenSpiel. All of its data is in `course`."""

    def __init__(self, game: RulekitGame) -> None:
        super().__init__(game)
        self.course = RunningGame(game.rules)

    def _stands(self) -> State:
        assert self.course.state is not None
        return self.course.state

    def current_player(self) -> int:
        """Return the player to move, or the id for chance or for a finished game."""
        if self.course.waiting is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return (
            int(pyspiel.PlayerId.TERMINAL)
            if self.is_terminal()
            else self._stands().current_player()
        )

    def is_terminal(self) -> bool:
        """Return True if the game is over or was stopped at its maximum length."""
        if self.course.waiting is not None:
            return False
        return self._stands().is_terminal() or self.course.made >= self.get_game().longest

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 shared by the losers, scaled by the weight of the level of
        victory.

        It is 0 for everybody while the game runs, and if nobody has won.
        """
        state = self.course.state
        return (
            rewards(state, self.course.rules.counts)
            if state is not None
            else [0.0] * self.num_players()
        )

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.course.rules.offered.ids(self._stands()))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the only outcome: new dice."""
        return [(0, 1.0)]

    def _apply_action(self, action: int) -> None:
        if self.course.waiting is not None:
            self.course.sample(self.get_game().rng.getrandbits(48))
        else:
            self.course.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "dice"
        state = self.course.state
        return (
            self.course.rules.offered.key(state, action)
            if state is not None
            else self.course.rules.table.book.option(action).key
        )

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Any = None
    ) -> RulekitState:
        """Return another state of the player's information set, sampled at random.

        Args:
            probability_sampler: returns numbers from 0 to 1. By default the game's own generator is
                used.
        """
        game = self.get_game()
        seed = (
            game.rng.getrandbits(48)
            if probability_sampler is None
            else int(probability_sampler() * (1 << 48))
        )
        made: RulekitState = game.new_initial_state()
        made.course = self.course.determinization(player_id, random.Random(seed))
        return made

    def __str__(self) -> str:
        return str(self.course)

    def __reduce__(self) -> Any:
        """Pickle by the serialized text: OpenSpiel cannot pickle a sampled stochastic game written
        in Python.
        """
        return _restored, (self.get_game().given, self.serialize())


def _reloaded(given: Mapping[str, Any], dice: Any) -> RulekitGame:
    made: RulekitGame = pyspiel.load_game(SHORT_NAME, dict(given))
    made.rng.setstate(dice)
    return made


def _restored(given: Mapping[str, Any], text: str) -> RulekitState:
    made: RulekitState = pyspiel.load_game(SHORT_NAME, dict(given)).deserialize_state(text)
    return made


def load_game(text: str, params: Mapping[str, Any] | None = None) -> Any:
    """Load a game of OpenSpiel by its string, or by its name and parameters.

    This replaces `pyspiel.load_game`. Unlike the original, it accepts the path of a game folder
    that contains characters reserved in game strings, so that every program can read such a path.
    """
    mine = params is None and text.startswith(f"{SHORT_NAME}(") and text.endswith(")")
    found = _PARAMETERS.split(text[len(SHORT_NAME) + 1 : -1]) if mine else [""]
    given: dict[str, Any] = dict(zip(found[1::2], found[2::2], strict=True)) if not found[0] else {}
    if not re.search(r"[(),=]", given.get("game", "")) or not Path(given["game"]).is_dir():
        return _load_game(text) if params is None else _load_game(text, dict(params))
    whole = {name: int(value) for name, value in given.items() if isinstance(DEFAULTS[name], int)}
    return _load_game(SHORT_NAME, {**given, **whole})


_PARAMETERS = re.compile(rf"(?:^|,)({'|'.join(DEFAULTS)})=")
_load_game = pyspiel.load_game


class RulekitObserver:
    """An OpenSpiel observer of a player's knowledge. With perfect recall it gives a string but no
    tensor.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise RulekitError(
                _("the combined knowledge of all players is not available").text("en")
            )
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._public, self._recalls = kind.public_info, kind.perfect_recall
        self._planes = rules.planes
        self.tensor = (
            None if self._recalls or not self._public else np.zeros(rules.planes.size, np.float32)
        )
        self.dict = {} if self.tensor is None else rules.planes.named(self.tensor)

    def set_from(self, state: RulekitState, player: int) -> None:
        """Write the observation into `tensor`, and so into the planes of `dict`, which share its
        memory.
        """
        stands = state.course.state
        if self.tensor is None:
            return
        if stands is None:
            self.tensor.fill(0)
        else:
            self._planes.write(stands, player if self._private else None, self.tensor)

    def string_from(self, state: RulekitState, player: int) -> str:
        """Return the observation as text."""
        who = player if self._private else None
        observed = state.course.look(SPECTATOR if who is None else who) if self._recalls else []
        stands = state.course.state
        if stands is None:
            return ""
        now = Observer(stands, who).now()
        if self._public:
            return json.dumps([now, observed] if self._recalls else now)
        beyond = _beyond(now, Observer(stands, None).now())
        return json.dumps(beyond) if beyond else ""


def _beyond(own: Mapping[str, Any], public: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a player's view that differ from a spectator's."""
    return {
        part: own[part]
        for part in ("phases", "state", "pools", "unknown")
        if own[part] != public[part]
    }


def _type(chance: bool, secrets: bool) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=SHORT_NAME,
        long_name="Board games written as data",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.SAMPLED_STOCHASTIC if chance else kinds.ChanceMode.DETERMINISTIC
        ),
        information=(
            kinds.Information.IMPERFECT_INFORMATION
            if secrets
            else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=_SIDES,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
        default_loadable=False,
        provides_factored_observation_string=True,
    )


pyspiel.register_game(_type(True, True), RulekitGame)
pyspiel.load_game = load_game

__all__ = ["DEFAULTS", "SHORT_NAME", "RulekitGame", "RulekitObserver", "RulekitState"]
