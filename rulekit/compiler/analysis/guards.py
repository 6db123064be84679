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


def proved(e: m.Expr, facts: Facts = ()) -> m.Expr:
    """Return the expression without unnecessary tests, given values that are known to be
    present.
    """
    return _rewritten(e, facts) if any(isinstance(n, m.The) for n in nodes(e)) else e


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


def _rewritten(e: m.Expr, known: Facts) -> m.Expr:
    if isinstance(e, m.The) and any(same(e.source, fact) for fact in known):
        return _rewritten(e.source, known)
    if isinstance(e, (m.And, m.Or)):
        return evolve(e, items=_in_turn(e.items, known, isinstance(e, m.And)))
    if isinstance(e, m.If):
        return evolve(
            e,
            cond=_rewritten(e.cond, known),
            then=_rewritten(e.then, known + _facts(e.cond, True)),
            other=_rewritten(e.other, known + _facts(e.cond, False)),
        )
    if isinstance(e, m.Over):
        of_members = known + _of_members(e.source, e.var, _DEEP)
        source = e.source
        return rebuilt(e, lambda x: _rewritten(x, known if x is source else of_members))
    return rebuilt(e, lambda x: _rewritten(x, known)) if subexpressions(e) else e


def _facts(e: m.Expr, truth: bool, deep: int = _DEEP) -> Facts:
    """Return the values that are present if the truth of a condition is `truth`."""
    if isinstance(e, m.Not):
        return _facts(e.value, not truth, deep)
    if isinstance(e, m.IsNone):
        return () if truth else (e.value,)
    if isinstance(e, m.And if truth else m.Or):
        assert isinstance(e, (m.And, m.Or))
        return tuple(fact for item in e.items for fact in _facts(item, truth, deep))
    return _facts(body, truth, deep - 1) if deep and (body := _opened(e)) is not None else ()


def _of_members(source: m.Expr, var: m.Var, deep: int) -> Facts:
    """Return the values that are present for each member of a set."""
    if isinstance(source, m.Filter):
        cond = substitute(source.cond, {source.var: m.Read(var)})
        return _of_members(source.source, var, deep) + _facts(cond, True)
    return (
        _of_members(body, var, deep - 1) if deep and (body := _opened(source)) is not None else ()
    )


def _opened(e: m.Expr) -> m.Expr | None:
    """Return the body of a called definition that has only one case."""
    if not isinstance(e, m.CallDefine) or len(e.target.cases) > 1:
        return None
    return substitute(e.target.cases[0][1], dict(zip(e.target.params, e.args, strict=True)))


# the field that holds the variable, value or declaration that is read
_WHAT: dict[type, str] = {
    m.Read: "var",
    m.Const: "value",
    m.ReadCell: "cell",
    m.ReadFixed: "fixed",
}


def same(a: m.Expr, b: m.Expr) -> bool:
    """Return True if two terms read the same variable in the same way."""
    what = _WHAT.get(a.__class__)
    if (
        a is b
        or what is None
        or a.__class__ is not b.__class__
        or getattr(a, what) != getattr(b, what)
    ):
        return a is b
    left, right = subexpressions(a), subexpressions(b)
    return len(left) == len(right) and all(same(x, y) for x, y in zip(left, right, strict=True))
