"""Takes an expression, makes a key: the same for copies that differ in their places and in the variables bound inside only."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from rulekit import model as m
from rulekit.model.visitor import binders, fields


def shape(e: object, bound: Mapping[m.Var, int]) -> Hashable:
    """`bound`: a number for each variable that stands for any other. Holds ids, so the expression must live as long as its key."""
    if isinstance(e, m.Var):
        return bound[e] if e in bound else ("var", id(e))
    if isinstance(e, (list, tuple)):
        return tuple([shape(x, bound) for x in e])
    if isinstance(e, m.Expr):
        inner = bound
        for var, _ in binders(e):
            inner = {**inner, var: len(inner)}
        return (e.__class__, *[shape(getattr(e, name), inner) for name in fields(e) if name != "span"])
    if isinstance(e, m.MemberOf):
        return (id(e.kind), e.optional)
    if isinstance(e, m.SetOf):
        return (id(e.kind),)
    if isinstance(e, (m.Bool, m.RatioT)):
        return (e.__class__.__name__,)
    return e if isinstance(e, (int, str, m.Int)) or e is None else id(e)
