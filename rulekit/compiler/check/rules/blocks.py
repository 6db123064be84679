"""Checks blocks of statements: turns syntax trees into statements of the model.

Other modules register a handler for each class of statement here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.scope import Scope
from rulekit.compiler.check.typecheck.dispatch import condition
from rulekit.compiler.check.typecheck.narrowing import facts
from rulekit.compiler.syntax import ast as t

PLAIN = (t.AssignStmt, t.EachStmt, t.IfSyntax)  # what the body of an event may hold
GUARDED = (t.RollStmt, t.DrawStmt, t.PutStmt, t.GatherStmt, t.OpenStmt, t.WalkStmt)
HANDLERS: dict[
    type[t.StmtSyntax], Callable[..., m.Block]
] = {}  # what the modules give that `check` imports
S = TypeVar("S", bound=t.StmtSyntax)
Checking: TypeAlias = "Callable[[S, Scope], m.Block]"


def checking_of(cls: type[S]) -> Callable[[Checking[S]], Checking[S]]:
    """Register the function that checks the statements of a class."""

    def marked(function: Checking[S]) -> Checking[S]:
        HANDLERS[cls] = function
        return function

    return marked


def block(nodes: Sequence[t.StmtSyntax], scope: Scope) -> m.Block:
    """Check statements in order. Facts that follow from an early exit hold for the statements after
    it.
    """
    made: m.Block = []
    world = scope.world
    for node in nodes:
        world.statements += 1
        if world.statements > limits.STATEMENTS:
            world.error(
                "RK407",
                node,
                f"the procedures of the game have more than {limits.STATEMENTS:,} statements",
                "use data and loops instead of repeated statements",
            )
            raise limits.TooManyFindings
        if scope.event and not isinstance(node, PLAIN):
            world.error(
                "RK503",
                node,
                "an event may only assign state; it cannot contain choices, dice, calls or other"
                " events",
                "move this to the procedure that makes the event happen",
            )
            continue
        found = HANDLERS[type(node)](node, alone(node, scope))
        for stmt in found:
            stmt.span = node.span
            stmt.ref = getattr(node, "ref", ())
        made += guarded(node, found, scope)
        if isinstance(node, (t.LeaveStmt, t.ReturnStmt)) and node.when is not None:
            scope.known = scope.known | facts(node.when, False, scope)
    return made


def guarded(node: t.StmtSyntax, found: m.Block, scope: Scope) -> m.Block:
    when = getattr(node, "when", None)
    if when is None:
        return found
    return [m.IfStmt(condition(when, scope), found, [], span=node.span)]


def under_guard(node: t.StmtSyntax, scope: Scope) -> Scope:
    """Return the scope of a statement with the facts that its guard implies."""
    when = getattr(node, "when", None)
    return scope.with_facts(facts(when, True, scope)) if when is not None else scope


def alone(node: t.StmtSyntax, scope: Scope) -> Scope:
    """Return a separate scope for a guarded statement, so that nothing after it knows the variable
    of a `roll` that may not happen.
    """
    if not isinstance(node, GUARDED) or node.when is None:
        return scope
    if isinstance(node, t.RollStmt):
        scope.world.unsure.add(node.var)
    return under_guard(node, scope).inner()
