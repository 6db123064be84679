"""Board wargames written as data and played by one generic engine.

This module is the only public interface. Each name is imported on first access.

    import rulekit
    game = rulekit.load("tic_tac_toe")
    state = game.new(seed=7)
    state.apply(state.decision.options[0])
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.common.diagnostics.diagnostic import Diagnostic
    from rulekit.common.errors import GameError, IllegalChoice, RulekitError, RulesError, SaveError
    from rulekit.engine.game.game import Game
    from rulekit.engine.game.state import Event, Result, State
    from rulekit.engine.kernel.decision import Decision, Option
    from rulekit.engine.saves.recorder import Save, read_save, replay
    from rulekit.engine.search.agent_registry import Agent, make_agent
    from rulekit.experiments.simulate import simulate
    from rulekit.presentation.seat import Seat
    from rulekit.presentation.sheet import sheet
    from rulekit.project.loader import find, load

__version__ = "0.1.0"

_WHERE = {
    "Agent": "rulekit.engine.search.agent_registry",
    "Decision": "rulekit.engine.kernel.decision",
    "Diagnostic": "rulekit.common.diagnostics.diagnostic",
    "Event": "rulekit.engine.game.state",
    "Game": "rulekit.engine.game.game",
    "GameError": "rulekit.common.errors",
    "IllegalChoice": "rulekit.common.errors",
    "Option": "rulekit.engine.kernel.decision",
    "Result": "rulekit.engine.game.state",
    "RulekitError": "rulekit.common.errors",
    "RulesError": "rulekit.common.errors",
    "Save": "rulekit.engine.saves.recorder",
    "SaveError": "rulekit.common.errors",
    "Seat": "rulekit.presentation.seat",
    "State": "rulekit.engine.game.state",
    "find": "rulekit.project.loader",
    "load": "rulekit.project.loader",
    "make_agent": "rulekit.engine.search.agent_registry",
    "read_save": "rulekit.engine.saves.recorder",
    "replay": "rulekit.engine.saves.recorder",
    "sheet": "rulekit.presentation.sheet",
    "simulate": "rulekit.experiments.simulate",
}

__all__ = [
    "Agent",
    "Decision",
    "Diagnostic",
    "Event",
    "Game",
    "GameError",
    "IllegalChoice",
    "Option",
    "Result",
    "RulekitError",
    "RulesError",
    "Save",
    "SaveError",
    "Seat",
    "State",
    "find",
    "load",
    "make_agent",
    "read_save",
    "replay",
    "sheet",
    "simulate",
]


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module 'rulekit' has no attribute {name!r}")
    return getattr(import_module(where), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
