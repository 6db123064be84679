"""Order functions, callees first, and count work so that each run of a module ends.

A run may execute a limited number of instructions (`fuel`). A loop counts its rounds if it could
execute many. A function counts itself if it executes more than a few instructions or could call
itself. The caller counts for smaller functions. Each choice and each block count at last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulekit.compiler.backends.wasm.facts import FunctionFacts
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionName

MAX_UNCOUNTED_WORK = 1 << 8  # what a function may do without counting
MUCH = 1 << 12  # what a loop may do without counting its rounds
CHOICE = 2 * MAX_UNCOUNTED_WORK  # what is counted for a choice or a block
SETS = 1 << 9  # what a function of the runtime that goes through a set does
MAX_WORK = 1 << 40


def charge(amount: int, place: int, held: str) -> list[str]:
    """Return code that counts work, and fails if there was too much.

    Args:
        held: the name of a local.
    """
    return [
        "global.get $fuel",
        f"i64.const {min(amount, MAX_WORK)}",
        "i64.sub",
        f"local.tee {held}",
        "global.set $fuel",
        f"local.get {held}",
        "i64.const 0",
        "i64.lt_s",
        "if",
        f"i64.const {place}",
        "call $spent",
        "unreachable",
        "end",
    ]


def callees(
    facts: FunctionFacts, tables: Mapping[FunctionName, list[FunctionName]]
) -> list[FunctionName]:
    """Return the functions that a function may call.

    Args:
        tables: the functions of each table.
    """
    return facts.calls() + [name for n in facts.of(v.CallOf) for name in tables[n.table]]


def in_order(
    called: Mapping[FunctionName, Iterable[FunctionName]],
) -> tuple[list[FunctionName], set[FunctionName]]:
    """Return the functions, callees first, and those that close a cycle of calls."""
    order: list[FunctionName] = []
    again: set[FunctionName] = set()
    opened: dict[FunctionName, bool] = {}  # is it still open?
    for root in called:
        if root in opened:
            continue
        opened[root] = True
        stack = [(root, iter(called[root]))]
        while stack:
            name, rest = stack[-1]
            callee = next(rest, None)
            if callee is None:
                stack.pop()
                opened[name] = False
                order.append(name)
            elif callee not in opened:
                opened[callee] = True
                stack.append((callee, iter(called[callee])))
            elif opened[callee]:
                again.add(callee)
    return order, again
