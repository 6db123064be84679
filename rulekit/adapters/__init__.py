"""Takes a loaded game, makes what other libraries play with: a game of OpenSpiel, an environment of
PettingZoo. Each is an extra."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import filled
from rulekit.engine.game.state import State
from rulekit.runtime.program import Program


class MissingLibrary(RulekitError, ImportError):
    """A library that an extra brings is not installed."""


def missing(library: str, extra: str) -> MissingLibrary:
    """The error for it, which says how to install it."""
    return MissingLibrary(filled("en", "doors.no_library", name=library, extra=extra))


def weights(program: Program, given: Mapping[str, float]) -> dict[str, float]:
    """How much each level of a victory counts, 1 for those that are not named. RulekitError for one
    that the game does not have, or more than 1."""
    for level, weight in given.items():
        if level not in program.levels or not 0 <= weight <= 1:
            raise RulekitError(
                filled(
                    "en",
                    "doors.levels",
                    level=repr(level),
                    weight=str(weight),
                    known=", ".join(program.levels),
                )
            )
    return {level: given.get(level, 1.0) for level in program.levels}


def rewards(state: State, counts: Mapping[str, float]) -> list[float]:
    """What the players get where the game is over: as `State.returns`, by the level of the
    victory."""
    result = state.result
    weight = counts[result.level] if result is not None else 0.0
    return [each * weight for each in state.returns()]


__all__ = ["MissingLibrary", "missing", "rewards", "weights"]
