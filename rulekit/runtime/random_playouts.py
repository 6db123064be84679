"""Random playouts in Python, equal to those of the native module, choice by choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rulekit.runtime import intrinsics
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import Program
from rulekit.runtime.slots import COUNTER, LAYERS, LEVEL, PC, SCRIPT, SEED, WINNER


@frozen
class Playout:
    """The end of a playout.

    Attributes:
        winner: the ordinal of the winner, or -1.
        level: the index of the level of victory.
        decisions: the number of choices.
        rolls: the number of random results drawn from the seed.
    """

    winner: int
    level: int
    decisions: int
    rolls: int


def playouts(
    program: Program, first: int, games: int, start: Sequence[Any] | None = None
) -> list[Playout]:
    """Play games with the seeds first, first + 1 and so on.

    Args:
        start: the slots of a position at a decision, from which the games go on. Random results
            drawn before it are included in `rolls`.
    """
    code = program.code("fast")
    found = []
    for seed in range(first, first + games):
        player = intrinsics.branch(seed, intrinsics.CHOICES)
        s, n = code.blank(seed) if start is None else list(start), 0
        try:
            if start is None:
                code.begin(s)
            else:
                s[SEED], s[SCRIPT], s[LAYERS] = seed, 0, None  # type: ignore[call-overload]
            while s[PC] > 0:
                code.apply(s, intrinsics.drawn(code.layers(s), intrinsics.mix(player, n)))
                n += 1
        except Exception as error:
            raise as_rules_error(program, error) from error
        found.append(Playout(s[WINNER], s[LEVEL], n, s[COUNTER]))
    return found
