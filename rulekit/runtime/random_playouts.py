"""Takes a program and a seed, makes random games to the end, from the beginning or from a position:
the same, choice by choice, as the native module plays."""

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
    """How a random game ended. `rolls`: how many random results were drawn from the seed."""

    winner: int
    level: int
    decisions: int
    rolls: int


def playouts(
    program: Program, first: int, games: int, start: Sequence[Any] | None = None
) -> list[Playout]:
    """Games with the seeds first, first + 1 ...; `start`: the slots of a position at a decision,
    from which they go on (random results that were drawn before it count)."""
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
