"""Lower expressions with a part that can raise an error, so that this part is evaluated exactly
once, in its turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.loops import outside
from rulekit.compiler.lowering.unit import type_of
from rulekit.compiler.model.visitor import rebuilt, scoped, subexpressions

_OVER_OPERANDS = (
    m.ReadFixed,
    m.ReadCell,
    m.CallTable,
    m.CallSlot,
    m.ReachOf,
    m.Ways,
    m.Least,
    m.Between,
    m.Compare,
    m.In,
    m.CouldBeIn,
)


def lower_in_order(low: Lowering, expression: m.Expr) -> v.Value:
    """Lower an expression so that no part that can raise an error is left out."""
    x = low.visit(expression) if not _leaves_out(low, expression) else _over_held(low, expression)
    if not isinstance(x, v.ConstValue) or isinstance(expression, (m.And, m.Or, m.If)):
        return x
    asked = [a for a, bound in scoped(expression) if not bound and low.an.deps(a).raises]
    return v.Last((*(low.val(a) for a in asked), x)) if asked else x


def _leaves_out(low: Lowering, expression: m.Expr) -> bool:
    """Return True if the emitted code would skip or reorder operands of which one can raise an
    error.
    """
    if isinstance(expression, m.FieldOf):  # the result of a lookup in a table
        return _leaves_out(low, expression.record)
    if not isinstance(expression, _OVER_OPERANDS):
        return False
    operands = subexpressions(expression)
    if len(operands) <= 1 or not any(low.an.deps(a).raises for a in operands):
        return False
    return (
        isinstance(expression, (m.Between, m.In))
        or low.an.refuses(expression)
        or any(low.an.maybe_none(a) for a in operands)
    )


def _over_held(low: Lowering, expression: m.Expr) -> v.Value:
    """Lower an expression whose operands are evaluated before it."""
    held: dict[m.Var, m.Expr] = {}

    def hold(expression: m.Expr) -> m.Expr:
        if isinstance(expression, (m.Read, m.Const, m.RatioOf)):
            return expression
        var = low.var_for(expression, f"x{len(held)}")
        held[var] = expression
        return m.Read(var, span=expression.span)

    over = (
        evolve(expression, record=rebuilt(expression.record, hold))
        if isinstance(expression, m.FieldOf)
        else rebuilt(expression, hold)
    )
    return called(low, list(held), list(held.values()), over)


def called(low: Lowering, vars: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr) -> v.Value:
    """Lower `body` as a call of a function whose arguments are evaluated before it, each once."""
    params, given, env = outside(low, [body], vars)
    for var, a in zip(vars, args, strict=True):
        env[var] = param = v.Local(f"a{len(params) + 1}", type_of(var.type))
        params.append(param)
        given.append(low.val(a))
    inner = low.inside(env)
    inner.pure = low.pure
    flag = isinstance(body.type, m.Bool)
    made = (inner.cond if flag else inner.val)(body)
    return v.CallValue(
        low.unit.helper(params, (c.Give(made),), body.span),
        tuple(given),
        v.FLAG if flag else type_of(body.type),
    )


def applied(
    low: Lowering, params: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr, result: m.Type
) -> v.Value:
    """Lower a body for some arguments. It is inlined, unless an argument can raise an error: then
    the arguments are evaluated first.
    """
    if not any(low.an.deps(a).raises for a in args):
        made = low.call_expr(params, args, body, result)
        return low.cond(made) if isinstance(result, m.Bool) else low.val(made)
    held = {m.Var(p.name, a.type): a for p, a in zip(params, args, strict=True)}
    return called(
        low,
        list(held),
        list(held.values()),
        low.call_expr(params, [m.Read(x) for x in held], body, result),
    )
