"""Remove helper functions that nothing calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.passes.use_sets import UseSets


def prune(
    functions: Sequence[tuple[c.Function, UseSets]], called: Iterable[FunctionName]
) -> list[c.Function]:
    """Return all functions except the helpers that are not called, directly or through other
    helpers.
    """
    helpers = {f.name: used for f, used in functions if f.name.kind is FunctionKind.HELPER}
    todo = [
        *called,
        *(name for f, used in functions if f.name not in helpers for name in used.called),
    ]
    kept: set[FunctionName] = set()
    while todo:
        name = todo.pop()
        if name in helpers and name not in kept:
            kept.add(name)
            todo += helpers[name].called
    return [f for f, _ in functions if f.name not in helpers or f.name in kept]
