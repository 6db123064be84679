"""Adapters of rulekit games to other libraries: OpenSpiel and PettingZoo. Each library is an
optional dependency (an extra).
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.state import State
from rulekit.runtime.program import Program


class MissingLibrary(RulekitError, ImportError):
    """The optional library of an adapter is not installed."""


def missing(library: str, extra: str) -> MissingLibrary:
    """Return the error for a missing library. Its message tells how to install the extra."""
    return MissingLibrary(
        _(
            "this needs the library {name}: pip install 'rulekit[{extra}]'",
            name=library,
            extra=extra,
        ).text("en")
    )


def weights(program: Program, given: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of each level of victory. Levels that are not given weigh 1.

    Raises:
        RulekitError: the game has no such level, or a weight is outside 0 .. 1.
    """
    for level, weight in given.items():
        if level not in program.levels or not 0 <= weight <= 1:
            raise RulekitError(
                _(
                    "a level counts from 0 to 1, and is one of {known}, not {level} with {weight}",
                    level=repr(level),
                    weight=str(weight),
                    known=", ".join(program.levels),
                ).text("en")
            )
    return {level: given.get(level, 1.0) for level in program.levels}


def rewards(state: State, counts: Mapping[str, float]) -> list[float]:
    """Return the rewards of the players at the end: `State.returns`, scaled by the weight of the
    level of victory.
    """
    result = state.result
    weight = counts[result.level] if result is not None else 0.0
    return [each * weight for each in state.returns()]


__all__ = ["MissingLibrary", "missing", "rewards", "weights"]
