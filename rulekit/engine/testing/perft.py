"""Count the positions of a decision tree at each depth."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.runtime import intrinsics
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import Program
from rulekit.runtime.seeds import check_seed
from rulekit.runtime.slots import PC


def perft(
    program: Program, depth: int, seed: int = 0, slots: Sequence[int] | None = None
) -> list[int]:
    """Return the counts for the depths 1 .. depth.

    Args:
        slots: the slots of a state. Without them, the tree starts at the beginning.
    """
    code = program.code("fast")
    root: list[int] = list(slots) if slots is not None else code.blank(check_seed(seed), 0)
    counts = [0] * depth

    def down(at: list[int], level: int) -> None:
        layers = code.layers(at)
        counts[level] += intrinsics.count(layers)
        if level + 1 < depth:
            for option in intrinsics.ids(layers):
                child = at[:]
                code.apply(child, option)
                if child[PC] > 0:
                    down(child, level + 1)

    try:
        if slots is None:
            code.begin(root)
        if root[PC] > 0:
            down(root, 0)
    except Exception as error:
        raise as_rules_error(program, error) from error
    return counts
