"""Copies of an expression have the same shape, and expressions with other values have another."""

from rulekit.compiler import model as m
from rulekit.compiler.analysis.dependencies import shape
from rulekit.compiler.model.visitor import substitute


def in_some(kind: m.Kind, var: m.Var, than: int) -> m.Expr:
    """Return a test whether `var` is among all members but one."""
    other = m.Var("other", m.MemberOf(kind))
    unlike = m.Compare("!=", m.Read(other), m.Const(than, type=other.type))
    whole = m.Const((1 << 3) - 1, type=m.SetOf(kind))
    return m.In(m.Read(var), m.Filter(whole, other, unlike, type=m.SetOf(kind)))


def test_shapes_of_copies() -> None:
    kind = m.Kind("Item", members=["i0", "i1", "i2"])
    a, b = m.Var("a", m.MemberOf(kind)), m.Var("b", m.MemberOf(kind))
    one = in_some(kind, a, 1)
    copy = substitute(one, {a: m.Read(b)})
    assert shape(one, {a: 0}) == shape(copy, {b: 0})
    assert shape(one, {}) != shape(copy, {})  # different free variables
    assert shape(one, {a: 0}) != shape(in_some(kind, a, 2), {a: 0})
