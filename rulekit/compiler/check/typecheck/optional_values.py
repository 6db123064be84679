"""Warns where a missing value or an empty set would silently change the result of comparisons, sums
and picks.

A test with a missing value is false. Where this is probably not intended, the author is warned and
shown alternatives.
"""

from __future__ import annotations

import re

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.limits import Constant, Unbounded
from rulekit.compiler.check.resolve.scope import CheckState, Scope
from rulekit.compiler.check.typecheck.block_exits import BlockExits, may_skip
from rulekit.compiler.check.typecheck.type_advice import written
from rulekit.compiler.semantics.values import NotConstant
from rulekit.compiler.syntax import ast as t

LOOKED = 20_000  # steps, to see whether a set is the same always


# ------------------------------------------------------------------------------------------------ c
def may_lack(expression: m.Expr) -> bool:
    """Return True if a value may be none here, as far as its guards show."""
    return (
        isinstance(expression.type, m.MemberOf)
        and expression.type.optional
        and not (isinstance(expression, m.Const) and expression.value >= 0)
    )


def compared(node: t.Binary, left: m.Expr, right: m.Expr, scope: Scope) -> None:
    """Warn of `a = b` if both may be none, and of `a != b` if one may be."""
    a, b = _words(node.left, "a"), _words(node.right, "b")
    both, alike = may_lack(left) and may_lack(right), f"{b} = none if {a} = none else {a} = {b}"
    if node.op == "=" and both:
        help = (
            f"write '{a} != none and {a} = {b}', or '{alike}' if two missing values (none) count"
            " as equal"
        )
        scope.world.sink.warn(
            "RK410", node.span, "both sides may be none here, which makes this false", help
        )
    elif node.op == "!=" and both:
        help = (
            f"write '{a} != none and {b} != none and {a} != {b}', or 'not ({alike})' if a missing"
            " value (none) counts as different"
        )
        scope.world.sink.warn(
            "RK411", node.span, "both sides may be none here; if one is, this is false", help
        )
    elif node.op == "!=" and (may_lack(left) or may_lack(right)):
        lacking = a if may_lack(left) else b
        help = (
            f"write '{lacking} != none and {a} != {b}', or 'not ({a} = {b})' if a missing value"
            " (none) counts as different"
        )
        scope.world.sink.warn(
            "RK411", node.span, f"'{lacking}' may be none here, which makes this false", help
        )


def outside(node: t.Binary, scope: Scope) -> None:
    """Warn of `a not in S` if a may be none."""
    a, s = _words(node.left, "a"), _words(node.right, "S")
    help = (
        f"write '{a} != none and {a} not in {s}', or 'not ({a} in {s})' if a missing value (none)"
        " counts as outside"
    )
    scope.world.sink.warn(
        "RK411", node.span, f"'{a}' may be none here, which makes this false", help
    )


def _words(node: t.ExprSyntax, otherwise: str) -> str:
    """Return the expression as written, or a letter that stands for it."""
    text = written(node)
    return otherwise if "this" in re.findall(r"\w+", text) else text


# ------------------------------------------------------------------------------------------------ e
def is_sure(made: m.Expr, node: t.ExprSyntax, scope: Scope) -> bool:
    """Return True if a set is known here to have members."""
    return (isinstance(made, m.Const) and made.value != 0) or node in scope.known or _always(made)


def _always(made: m.Expr) -> bool:
    """Return True if a set is constant and not empty."""
    try:
        return bool(Constant(LOOKED).eval(made, {}))
    except (NotConstant, RulesError, Unbounded, StopIteration, RecursionError, IndexError):
        return False  # it depends on the state, or is not computed yet


def aggregated(node: t.AggregateSyntax, source: m.Expr, scope: Scope) -> None:
    """Warn of `min` and `max` over a set that may be empty."""
    if node.word != "sum" and not is_sure(source, node.source, scope):
        what = _words(node.source, "S")
        scope.world.sink.warn(
            "RK413",
            node.span,
            f"the set may be empty here, which makes '{node.word}' 0",
            f"write the value for that case: '... if some {what} else 0', or add the condition"
            f" 'some {what}'",
        )


def picks(world: CheckState) -> None:
    """Warn of picks that could end the game without a `finish`.

    A pick from an empty set skips the rest of its block. It is reported if this lets execution
    reach the end of `main`, which otherwise never happens.
    """
    main = world.model.main
    if main is None or BlockExits(lambda stmt: False).of_procedure(main):
        return
    skipping: list[m.Stmt] = []

    def met(stmt: m.Stmt) -> bool:
        if open_ := isinstance(stmt, (m.Pick, m.PickGroup)) and may_skip(stmt):
            skipping.append(stmt)
        return open_

    if not BlockExits(met).of_procedure(main):
        return
    for stmt in skipping:
        if BlockExits(lambda each, one=stmt: each is one).of_procedure(main):  # type: ignore[misc]
            world.sink.warn(
                "RK412",
                stmt.span,
                "if the set is empty, the pick and all later steps are skipped, including the end"
                " of the game",
                "add a condition ('if some S' ... 'else' ...), or write ', or none' and the steps"
                " for that case",
            )
