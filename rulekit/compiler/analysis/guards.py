"""Remove tests that the conditions around them make unnecessary: where `x != none` holds, `the x`
is `x`.

An expression that can no longer end play with an error may be evaluated in any order: as a mask,
before a loop, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import nodes, rebuilt, subexpressions, substitute

_DEEP = 4  # maximal depth of definitions that are inlined
Facts = tuple[m.Expr, ...]  # expressions that are not none


def proved(expression: m.Expr, facts: Facts = ()) -> m.Expr:
    """Return the expression without unnecessary tests, given values that are known to be
    present.
    """
    return (
        _rewritten(expression, facts)
        if any(isinstance(n, m.The) for n in nodes(expression))
        else expression
    )


def proved_in_turn(tests: Sequence[m.Expr]) -> list[m.Expr]:
    """Return the same tests without unnecessary parts, where each test is evaluated only if those
    before it hold.
    """
    if not any(isinstance(n, m.The) for n in nodes(*tests)):
        return list(tests)
    return _in_turn(tests, (), True)


def _in_turn(tests: Sequence[m.Expr], known: Facts, truth: bool) -> list[m.Expr]:
    """Rewrite each test with the facts that follow if all tests before it are `truth`."""
    found = []
    for test in tests:
        found.append(_rewritten(test, known))
        known += _facts(test, truth)
    return found


def _rewritten(expression: m.Expr, known: Facts) -> m.Expr:
    if isinstance(expression, m.The) and any(same(expression.source, fact) for fact in known):
        return _rewritten(expression.source, known)
    if isinstance(expression, (m.And, m.Or)):
        return evolve(
            expression, items=_in_turn(expression.items, known, isinstance(expression, m.And))
        )
    if isinstance(expression, m.If):
        return evolve(
            expression,
            cond=_rewritten(expression.cond, known),
            then=_rewritten(expression.then, known + _facts(expression.cond, True)),
            other=_rewritten(expression.other, known + _facts(expression.cond, False)),
        )
    if isinstance(expression, m.Over):
        of_members = known + _of_members(expression.source, expression.var, _DEEP)
        source = expression.source
        return rebuilt(expression, lambda x: _rewritten(x, known if x is source else of_members))
    return (
        rebuilt(expression, lambda x: _rewritten(x, known))
        if subexpressions(expression)
        else expression
    )


def _facts(expression: m.Expr, truth: bool, deep: int = _DEEP) -> Facts:
    """Return the values that are present if the truth of a condition is `truth`."""
    if isinstance(expression, m.Not):
        return _facts(expression.value, not truth, deep)
    if isinstance(expression, m.IsNone):
        return () if truth else (expression.value,)
    if isinstance(expression, m.And if truth else m.Or):
        assert isinstance(expression, (m.And, m.Or))
        return tuple(fact for item in expression.items for fact in _facts(item, truth, deep))
    return (
        _facts(body, truth, deep - 1) if deep and (body := _opened(expression)) is not None else ()
    )


def _of_members(source: m.Expr, var: m.Var, deep: int) -> Facts:
    """Return the values that are present for each member of a set."""
    if isinstance(source, m.Filter):
        cond = substitute(source.cond, {source.var: m.Read(var)})
        return _of_members(source.source, var, deep) + _facts(cond, True)
    return (
        _of_members(body, var, deep - 1) if deep and (body := _opened(source)) is not None else ()
    )


def _opened(expression: m.Expr) -> m.Expr | None:
    """Return the body of a called definition that has only one case."""
    if not isinstance(expression, m.CallDefine) or len(expression.target.cases) > 1:
        return None
    return substitute(
        expression.target.cases[0][1],
        dict(zip(expression.target.params, expression.args, strict=True)),
    )


# the field that holds the variable, value or declaration that is read
_WHAT: dict[type, str] = {
    m.Read: "var",
    m.Const: "value",
    m.ReadCell: "cell",
    m.ReadFixed: "fixed",
}


def same(first: m.Expr, second: m.Expr) -> bool:
    """Return True if two terms read the same variable in the same way."""
    what = _WHAT.get(first.__class__)
    if (
        first is second
        or what is None
        or first.__class__ is not second.__class__
        or getattr(first, what) != getattr(second, what)
    ):
        return first is second
    left, right = subexpressions(first), subexpressions(second)
    return len(left) == len(right) and all(same(x, y) for x, y in zip(left, right, strict=True))
