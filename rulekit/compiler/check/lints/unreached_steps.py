"""Report the steps that the conditions before them exclude, unless the cause is reported itself."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import reached


def tell_unreached(steps: Sequence[tuple[m.Stmt | None, m.Stmt]], world: CheckState) -> None:
    """Warn of steps that are never reached, each given with the step before it."""
    known = {found.span for found in world.sink.found if found.code == "RK704"}
    for before, stmt in steps:
        picks = isinstance(before, m.Pick)
        if isinstance(before, m.Pick) and not known.isdisjoint(
            node.span for node in reached(before.source) if isinstance(node, m.Expr)
        ):
            continue  # the condition that nothing passes is reported
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
