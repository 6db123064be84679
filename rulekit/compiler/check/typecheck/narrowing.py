"""Derives facts from conditions: values that are not none, and sets that are not empty."""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import Scope, is_none
from rulekit.compiler.check.typecheck.dispatch import typed
from rulekit.compiler.syntax import ast as t

NOTHING: frozenset[t.ExprSyntax] = frozenset()


def facts(node: t.ExprSyntax, truth: bool, scope: Scope) -> frozenset[t.ExprSyntax]:
    """Return the expressions that are not none, and the sets that are not empty, if `node` is true
    (or false).

    A condition proves a fact only if it would be false for a missing value. `x is not a`, `not (x =
    a)` and `x.flag = false` also hold for a missing value, so they prove nothing.
    """
    if isinstance(node, t.Unary) and node.op == "not":
        return facts(node.operand, not truth, scope)
    if isinstance(node, t.Quant) and node.word == ("some" if truth else "no"):
        return frozenset({node.operand})
    if isinstance(node, t.Binary):
        op = node.op
        if op == ("and" if truth else "or"):
            return facts(node.left, truth, scope) | facts(node.right, truth, scope)
        if op in ("=", "!=") and is_none(node.right):
            return frozenset({node.left}) if truth == (op == "!=") else NOTHING
        if truth and op in ("=", "!=", "<", "<=", ">", ">="):
            return _there(node.left, scope) | _there(node.right, scope) | _counted(node)
        if truth and op == "in":
            return _there(node.left, scope) | _around(node.right, scope)
        if truth and op in ("not in", "is"):
            return _there(node.left, scope)
        if truth and op in ("has", "only"):
            return frozenset({node.left})
    if truth and isinstance(node, t.Attr):
        return _bases(node, scope)
    return NOTHING


def _counted(node: t.Binary) -> frozenset[t.ExprSyntax]:
    """Return the set that a comparison proves not to be empty: `count S >= 2`."""
    if not (
        isinstance(node.left, t.Quant)
        and node.left.word == "count"
        and isinstance(node.right, t.NumberSyntax)
    ):
        return NOTHING
    least = {"=": node.right.value, ">=": node.right.value, ">": node.right.value + 1}.get(
        node.op, 0
    )
    return (
        frozenset({node.left.operand})
        if least >= 1 or (node.op == "!=" and node.right.value == 0)
        else NOTHING
    )


def _around(node: t.ExprSyntax, scope: Scope) -> frozenset[t.ExprSyntax]:
    """Return the facts that follow if something is near a place: `z in p.zone.neighbours`."""
    node = node.func if isinstance(node, t.CallSyntax) else node
    return (
        _bases(node.base, scope)
        if isinstance(node, t.Attr) and node.name in ("neighbours", "within")
        else NOTHING
    )


def _there(node: t.ExprSyntax, scope: Scope) -> frozenset[t.ExprSyntax]:
    """Return the facts that follow if a test of this value holds.

    Read through a missing value, a condition is false and a set is empty. A test of such a value
    can therefore hold although the value is missing.
    """
    if isinstance(node, t.Attr) and isinstance(_quietly(node, scope).type, (m.Bool, m.SetOf)):
        return NOTHING
    return _bases(node, scope)


def _bases(node: t.ExprSyntax, scope: Scope) -> frozenset[t.ExprSyntax]:
    """Return a value and everything it is read through, all of which exist if the value does."""
    found = {node}
    while isinstance(node, t.Attr) and not _takes_none(_quietly(node, scope)):
        node = node.base
        found.add(node)
    return frozenset(found)


def _takes_none(made: m.Expr) -> bool:
    """Return True if a call has a value even for an argument that is none."""
    if not isinstance(made, (m.CallDefine, m.CallTotal, m.CallPermit)):
        return False
    return any(isinstance(p.type, m.MemberOf) and p.type.optional for p in made.target.params[:1])


def _quietly(node: t.ExprSyntax, scope: Scope) -> m.Expr:
    """Return the typed expression without reporting errors. They are reported when it is finally
    typed.
    """
    world = scope.world
    outer_sink, world.sink = world.sink, Sink()
    try:
        return typed(node, scope)
    finally:
        world.sink = outer_sink
