"""Takes expressions of which a part may end play with an error, makes Python text in which that part is worked out: once, in its turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulekit import model as m
from rulekit.compile.unit import X, name
from rulekit.model.visitor import rebuilt, scoped, subexpressions

if TYPE_CHECKING:
    from rulekit.compile.expr import Expressions
    from rulekit.compile.stmts import Body

_OVER_OPERANDS = (m.ReadFixed, m.ReadCell, m.CallTable, m.CallSlot, m.ReachOf, m.Least, m.Between, m.Compare, m.In, m.CouldBeIn)


def worked_out(low: Expressions, e: m.Expr, method: Callable[[Any, Any], X]) -> X:
    """The value as `method` lowers it, with nothing left out."""
    x = method(low, e) if not _leaves_out(low, e) else _over_held(low, e)
    if x.const is None or isinstance(e, (m.And, m.Or, m.If)):
        return x
    asked = [a for a, bound in scoped(e) if not bound and low.an.deps(a).raises]
    return X(f"({', '.join([*(low.val(a).text for a in asked), x.text])})[-1]", atom=True) if asked else x


def _leaves_out(low: Expressions, e: m.Expr) -> bool:
    """Would the Python text leave out some of the operands, or take them in another order, where one may raise?"""
    if isinstance(e, m.FieldOf):  # of a table that is looked up here
        return _leaves_out(low, e.record)
    if not isinstance(e, _OVER_OPERANDS):
        return False
    operands = subexpressions(e)
    if len(operands) < 2 or not any(low.an.deps(a).raises for a in operands):
        return False
    return isinstance(e, (m.Between, m.In)) or low.an.refuses(e) or any(low.an.maybe_none(a) for a in operands)


def _over_held(low: Expressions, e: m.Expr) -> X:
    """The same over operands that are worked out before it."""
    held: dict[m.Var, m.Expr] = {}

    def hold(a: m.Expr) -> m.Expr:
        if isinstance(a, (m.Read, m.Const, m.RatioOf)):
            return a
        type = m.MemberOf(a.type.kind, low.an.maybe_none(a)) if isinstance(a.type, m.MemberOf) else a.type
        var = m.Var(f"x{len(held)}", type)
        held[var] = a
        return m.Read(var, type=type, span=a.span)

    over = attrs.evolve(e, record=rebuilt(e.record, hold)) if isinstance(e, m.FieldOf) else rebuilt(e, hold)
    return called(low, list(held), list(held.values()), over)


def called(low: Expressions, vars: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr) -> X:
    """The value of `body` with variables that are worked out before it, each once: a call of a function."""
    from rulekit.compile.expr import Expressions
    from rulekit.compile.loops import outside

    names, given, env = outside(low, [body], vars)
    for var, a in zip(vars, args, strict=True):
        env[var] = name(f"a{len(names)}")
        names.append(env[var].text)
        given.append(low.val(a).text)
    inner = Expressions(low.unit, env)
    inner.pure = low.pure
    truthy = isinstance(body.type, m.Bool)
    text = (inner.cond if truthy else inner.val)(body).text
    return X(f"{low.unit.helper(names, [f'return {text}'], body.span)}({', '.join(given)})", atom=True, truthy=truthy)


def applied(low: Expressions, params: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr, result: m.Type) -> X:
    """A body for some arguments, put in place of its call; they are worked out first where one may raise."""
    if not any(low.an.deps(a).raises for a in args):
        made = low.call_expr(params, args, body, result)
        return low.cond(made) if isinstance(result, m.Bool) else low.val(made)
    held = {m.Var(p.name, a.type): a for p, a in zip(params, args, strict=True)}
    return called(low, list(held), list(held.values()), low.call_expr(params, [m.Read(v, type=v.type) for v in held], body, result))


def held(body: Body, e: m.Expr) -> m.Expr:
    """The expression, worked out where the statement stands that is being lowered."""
    if isinstance(e, m.Const):
        return e
    type = m.MemberOf(e.type.kind, body.an.maybe_none(e)) if isinstance(e.type, m.MemberOf) else e.type
    var = m.Var("held", type)
    body.env[var] = body.hold(body.val(e))
    return m.Read(var, type=type, span=e.span)
