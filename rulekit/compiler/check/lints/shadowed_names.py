"""Warn of names that hide another one, as recorded during name resolution."""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.scope import CheckState

WORDS = {"cell": "state", "pool": "pool", "fixed": "fixed value"}


def hiding(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each name in the rules of the game itself that hides a state, a parameter or another
    name around it.
    """
    for span, (var, other) in world.hiding.items():
        if span.file in uses.own:
            what = "the outer name" if isinstance(other, m.Var) else f"the {WORDS[other.what]}"
            world.sink.warn(
                "RK718",
                span,
                f"'{var.name}' hides {what} '{var.name}'",
                "give it another name",
                second=other.span if other.span.line else None,
                second_label="this is hidden",
            )
