"""Takes an expression, makes a key: the same for copies that differ in their places and in the variables bound inside only."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import attrs

from rulekit import model as m

_NAMES: dict[type, list[str]] = {}


def shape(e: object, bound: Mapping[m.Var, int]) -> Hashable:
    """`bound`: a number for each variable that stands for any other. Holds ids, so the expression must live as long as its key."""
    if isinstance(e, m.Var):
        return bound[e] if e in bound else ("var", id(e))
    if isinstance(e, (list, tuple)):
        return tuple([shape(x, bound) for x in e])
    if isinstance(e, m.Expr):
        cls: type = e.__class__
        if cls not in _NAMES:
            described: type[attrs.AttrsInstance] = e.__class__
            _NAMES[cls] = [f.name for f in attrs.fields(described) if f.name != "span"]
        inner = {**bound, e.var: len(bound)} if isinstance(e, (m.Filter, m.Collect, m.Aggregate, m.FirstBy)) else bound
        return (cls, *[shape(getattr(e, name), inner) for name in _NAMES[cls]])
    if isinstance(e, m.MemberOf):
        return (id(e.kind), e.optional)
    if isinstance(e, m.SetOf):
        return (id(e.kind),)
    if isinstance(e, (m.Bool, m.RatioT)):
        return (e.__class__.__name__,)
    return e if isinstance(e, (int, str, m.Int)) or e is None else id(e)
