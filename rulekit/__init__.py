"""Board wargames written as data and played by one generic engine. This is the only public door; everything loads when asked for.

    import rulekit
    game = rulekit.load("tic_tac_toe")
    state = game.new(seed=7)
    state.apply(state.decision.options[0])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.base.diagnostic import Diagnostic
    from rulekit.base.errors import GameError, IllegalChoice, RulekitError, RulesError, SaveError
    from rulekit.loading import find, load
    from rulekit.play.agents import Agent, make_agent
    from rulekit.play.decision import Decision, Option
    from rulekit.play.game import Game
    from rulekit.play.saves import Save, read_save, replay
    from rulekit.play.state import Event, Result, State
    from rulekit.seat.seat import Seat
    from rulekit.seat.sheet import sheet
    from rulekit.study.simulate import simulate

__version__ = "0.1.0"

_WHERE = {
    "Agent": "rulekit.play.agents", "Decision": "rulekit.play.decision", "Diagnostic": "rulekit.base.diagnostic",
    "Event": "rulekit.play.state", "Game": "rulekit.play.game", "GameError": "rulekit.base.errors",
    "IllegalChoice": "rulekit.base.errors", "Option": "rulekit.play.decision", "Result": "rulekit.play.state",
    "RulekitError": "rulekit.base.errors", "RulesError": "rulekit.base.errors", "Save": "rulekit.play.saves",
    "SaveError": "rulekit.base.errors", "Seat": "rulekit.seat.seat", "State": "rulekit.play.state", "find": "rulekit.loading",
    "load": "rulekit.loading",
    "make_agent": "rulekit.play.agents", "read_save": "rulekit.play.saves", "replay": "rulekit.play.saves",
    "sheet": "rulekit.seat.sheet", "simulate": "rulekit.study.simulate",
}

__all__ = [
    "Agent", "Decision", "Diagnostic", "Event", "Game", "GameError", "IllegalChoice", "Option", "Result", "RulekitError",
    "RulesError", "Save", "SaveError", "Seat", "State", "find", "load", "make_agent", "read_save", "replay", "sheet",
    "simulate",
]


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module 'rulekit' has no attribute {name!r}")
    return getattr(import_module(where), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
