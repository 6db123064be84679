"""Takes a state and a viewer, makes `Viewer`: what he may know of it."""

from __future__ import annotations

from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observation import Onlooker


class Viewer(Onlooker):
    """One player (or a spectator) looking at one state, which may be played on."""

    state: State

    def __init__(self, state: State, player: int | str | None) -> None:
        super().__init__(state, player)
