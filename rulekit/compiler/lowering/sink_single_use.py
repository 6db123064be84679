"""Sink hoisted values that are read only once back to their use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import nodes, replaced


def sink_to_use(hoisted: Sequence[c.Stmt], used: Sequence[Any]) -> tuple[list[c.Stmt], list[Any]]:
    """Return the remaining assignments, and the values and statements that use them."""
    kept, rest = list(hoisted), list(used)
    for line in reversed(hoisted):
        assert isinstance(line, c.Assign)
        at, h = kept.index(line), line.local
        if _reads(h, [*kept[at + 1 :], *rest]) == 1:
            del kept[at]
            kept, rest = ([replaced(x, h, line.value) for x in group] for group in (kept, rest))
    return kept, rest


def _reads(local: v.Local, among: Sequence[Any]) -> int:
    """Return the number of times a local is read. Some operations read their operand twice."""
    every = list(nodes(*among))
    twice = [
        n.value if isinstance(n, v.OrElseValue) else n.mask
        for n in every
        if isinstance(n, (v.OrElseValue, v.Lowest, v.LowestBit, v.More))
    ]
    return every.count(local) + twice.count(local)
