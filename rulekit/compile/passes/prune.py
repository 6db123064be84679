"""Takes functions without effects and what calls them, makes the list of those that are needed."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.ir.visitor import nodes


def prune(functions: Sequence[c.Function], callers: Sequence[c.Code]) -> list[c.Function]:
    """Those helpers (F) that the callers or another one that is kept call; all others."""
    helpers = {f.name: f for f in functions if is_helper(f.name)}
    todo = [*callers, *(f.body for f in functions if f.name not in helpers)]
    used: set[str] = set()
    while todo:
        for n in nodes(*todo.pop()):
            if isinstance(n, v.Call) and n.function in helpers and n.function not in used:
                used.add(n.function)
                todo.append(helpers[n.function].body)
    return [f for f in functions if f.name not in helpers or f.name in used]


def is_helper(name: str) -> bool:
    return name[0] == "F" and name[1:].isdigit()
