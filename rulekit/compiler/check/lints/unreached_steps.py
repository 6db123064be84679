"""Report the steps that the conditions before them exclude, unless the cause itself is reported."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import reached


def report_unreached(steps: Sequence[tuple[m.Stmt | None, m.Stmt]], world: CheckState) -> None:
    """Warn of steps that are never reached, each given with the step before it."""
    for before, stmt in steps:
        picks = isinstance(before, m.Pick)
        if before is not None and has_empty_source(before, world):
            continue
        world.sink.warn(
            "RK700",
            stmt.span,
            "this is never reached: there is never anything to pick before it"
            if picks
            else "this is never reached: the conditions above cover every case and leave",
            "correct the set of the pick, or remove this"
            if picks
            else "correct one of the conditions before it, or remove this",
            second=before.span if picks and before is not None else None,
            second_label="the pick" if picks else "",
        )


def has_empty_source(stmt: m.Stmt, world: CheckState) -> bool:
    """Return True if a condition in the set of a pick or loop is reported because nothing passes
    it.
    """
    if not isinstance(stmt, (m.Pick, m.PickGroup, m.Each)):
        return False
    known = {
        found.span
        for found in world.sink.found
        if found.code == "RK704" and "never true" in found.message
    }
    inside = reached(stmt.source) if known else ()
    return any(isinstance(node, m.Expr) and node.span in known for node in inside)
