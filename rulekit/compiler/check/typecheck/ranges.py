"""Ensures that a number keeps its declared range, with a check at run time where this is not
certain at compile time.
"""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import Scope
from rulekit.compiler.syntax import ast as t


def promised(made: m.Expr, want: m.Type, what: str, node: t.NodeSyntax, scope: Scope) -> m.Expr:
    """Return `made` with a check of the range of `want` where it is needed. A literal outside the
    range is an error.
    """
    if (
        not isinstance(want, m.Int)
        or not isinstance(made.type, m.Int)
        or want.low is None
        or want.high is None
    ):
        return made
    if isinstance(made, m.Const):
        if made.value != m.NO_LIMIT and not want.low <= made.value <= want.high:
            scope.world.error(
                "RK406",
                node,
                f"{made.value} is outside {want.low}..{want.high} ({what})",
                "give a value of the range, or declare a wider one",
            )
        return made
    ends = certain(made)
    if ends is not None and want.low <= ends[0] and ends[1] <= want.high:
        return made
    return m.InRange(made, what, type=m.Int(made.type.unit, want.low, want.high), span=made.span)


def clamped(made: m.Expr, want: m.Type) -> m.Expr:
    """Return `made`, clamped to the range."""
    if not isinstance(want, m.Int) or want.low is None or want.high is None:
        return made
    low, high = (m.Const(end, type=want) for end in (want.low, want.high))
    return m.Least(
        "min",
        [m.Least("max", [made, low], type=want, span=made.span), high],
        type=want,
        span=made.span,
    )


def answered(made: m.Expr, result: m.Var, node: t.NodeSyntax, scope: Scope) -> m.Expr:
    """Return `made` as the answer of a moment."""
    if result.clamp:
        return clamped(made, result.type)
    return promised(
        made,
        result.type,
        f"the answer of {result.frame.name}" if result.frame is not None else result.name,
        node,
        scope,
    )


def certain(expression: m.Expr) -> tuple[int, int] | None:
    """Return the range in which a number certainly lies, or None.

    It follows from the form of the expression and from the enforced ranges of cells and variables.
    """
    type = expression.type
    if isinstance(expression, m.Const):
        return expression.value, expression.value
    if isinstance(expression, m.If):
        then, other = certain(expression.then), certain(expression.other)
        if then is None or other is None:
            return None
        return min(then[0], other[0]), max(then[1], other[1])
    if isinstance(expression, m.Arith) and expression.op in ("+", "-"):
        a, b = certain(expression.left), certain(expression.right)
        if a is None or b is None:
            return None
        return (a[0] + b[0], a[1] + b[1]) if expression.op == "+" else (a[0] - b[1], a[1] - b[0])
    if isinstance(expression, m.Count) and isinstance(expression.source.type, m.SetOf):
        return 0, expression.source.type.kind.size
    if isinstance(expression, m.Read) and expression.var.held:
        type = expression.var.type
    elif isinstance(expression, (m.ReadCell, m.ReadFixed)):
        type = expression.cell.type if isinstance(expression, m.ReadCell) else expression.fixed.type
    elif not isinstance(expression, m.InRange):
        return None
    if not isinstance(type, m.Int) or type.low is None or type.high is None:
        return None
    if isinstance(expression, (m.ReadCell, m.ReadFixed)):  # 0 through a missing value
        return min(type.low, 0), max(type.high, 0)
    return type.low, type.high
