"""The recorded bytes of a game's use, one function for each digest of
`rulekit.runtime.identity`."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from rulekit.common.errors import RulekitError, RulesError
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.search.agent_registry import agents_of
from rulekit.engine.simulation.ranges import make_order, play
from rulekit.presentation.seat import Seat
from rulekit.runtime.identity import Use

LONGEST = 40  # most choices


def _scenarios(game: Game) -> list[str | None]:
    return list(game.scenarios) or [None]


def played(game: Game, scenario: str | None) -> Any:
    """Return the players, options, choices and events as numbers."""
    state, random, out = game.new(scenario, 3), Random(3), []
    try:
        while not state.is_terminal() and len(out) < LONGEST:
            legal = state.legal_actions()
            out.append((state.current_player(), list(legal)))
            state.apply_action(random.choice(list(legal)))
    except RulesError:
        out.append("broken")
    return [out, [list(record) for record in state.log]]


def recorded(game: Game, scenario: str | None) -> Any:
    """Return a saved game, without the parts of its header that describe the rules as a whole."""
    state, random = game.new(scenario, 3), Random(3)
    recorder = Recorder(game, state, dict.fromkeys(game.sides, "random"))
    try:
        while state.decision is not None and len(recorder.save.records) < LONGEST:
            recorder.apply(random.choice(list(state.legal_actions())))
    except RulesError:
        pass
    head = {
        key: value
        for key, value in recorder.save.header.items()
        if key in ("game", "scenario", "rulings", "seats", "seed")
    }
    return [head, [line for line, _ in recorder.save.lines()]]


def counted(game: Game, scenario: str | None) -> Any:
    """Return tallies of games between automatic seats."""
    out = []
    for seat in {"random", *agents_of(game.new(scenario, 1))} & {
        "random",
        "greedy",
        "charts",
        "search:easy",
    }:
        games = 6 if seat == "random" else 1
        seat = "search:3" if seat == "search:easy" else seat
        tally, _ = play(
            game,
            make_order(game, games, 5, scenario, None, dict.fromkeys(game.sides, seat), coverage=1),
        )
        out.append([seat, tally.to_json()])
    return sorted(out, key=repr)


def shown(game: Game, scenario: str | None) -> Any:
    """Return the observations of each seat and of a spectator, in both languages."""
    state, random, out = game.new(scenario, 3), Random(3), []
    for _ in range(4):
        for lang in ("en", "fr"):
            for side in (*game.sides, None):
                seat = Seat(state, side, lang)
                asked = seat.decision()
                out.append(
                    [
                        asked.to_json() if asked else None,
                        seat.position(),
                        seat.log(),
                        seat.sheet() if not state.choices else None,
                    ]
                )
        if state.is_terminal():
            break
        try:
            state.apply_action(random.choice(list(state.legal_actions())))
        except RulesError:
            break
    return [repr(each) for each in out]


BY_USE: dict[Use, Callable[[Game, str | None], Any]] = {
    Use.PLAY: played,
    Use.RECORD: recorded,
    Use.SEATS: counted,
    Use.LOOK: shown,
}


def bytes_of(game: Game, use: Use) -> dict[str | None, str]:
    """Return the bytes of a new run of a use, by scenario."""
    return {
        scenario: _said(lambda scenario=scenario: BY_USE[use](game, scenario))
        for scenario in _scenarios(game)
    }  # type: ignore[misc]


def _said(make: Callable[[], Any]) -> str:
    try:
        return json.dumps(make(), sort_keys=True)
    except RulekitError as error:
        return f"refused: {error}"


def digest(game: Game, use: Use, scenario: str | None) -> str:
    """Return the digest of a use. A tally names places only for failed games."""
    identity = game.identity(scenario)
    return {
        Use.PLAY: identity.play,
        Use.RECORD: identity.record,
        Use.SEATS: identity.seats,
        Use.LOOK: identity.look,
    }[use]
