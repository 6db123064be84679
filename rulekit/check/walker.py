"""Takes nodes of the model, makes the stream of all expressions and statements in them, and in what they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulekit import model as m

_FIELDS: dict[type, tuple[str, ...]] = {}
_PARTS = (m.Expr, m.Stmt, m.Option, m.Guarded, m.With, m.Pays, m.Limit)
_STOP = (m.Kind, m.Fixed, m.Cell, m.Var, m.Define, m.Total, m.Permit, m.Table, m.Slot, m.Procedure, m.Event, m.Movement,
         m.Invariant, m.Clause, m.Type)


def parts(node: Any) -> Iterator[Any]:
    """The expressions, statements and clauses directly inside a node, not following references to declarations."""
    fields = _FIELDS.get(type(node))
    if fields is None:
        fields = tuple(a.name for a in attrs.fields(type(node)) if a.name not in ("type", "span", "ref", "proc"))
        _FIELDS[type(node)] = fields
    for name in fields:
        yield from _inside(getattr(node, name))


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _inside(item)
    elif isinstance(value, _PARTS):
        yield value


def nodes(*roots: Any) -> Iterator[Any]:
    """Every node in these trees, roots first."""
    stack = [r for root in roots for r in _inside(root)]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(parts(node))


def targets(node: object) -> list[object]:
    """The declarations that an expression refers to."""
    if isinstance(node, m.CallDefine):
        return [node.define]
    if isinstance(node, m.CallTotal):
        return [node.total]
    if isinstance(node, m.CallPermit):
        return [node.permit]
    if isinstance(node, m.AppliesTo):
        return [node.clause]
    if isinstance(node, m.CallSlot):
        return [node.slot]
    if isinstance(node, m.ReachOf):
        return [node.movement]
    return []


def inner(target: object) -> list[object]:
    """The expressions of a declaration, as roots for `nodes`."""
    if isinstance(target, m.Define):
        return [[c for c, _ in target.cases], [v for _, v in target.cases]]
    if isinstance(target, (m.Total, m.Permit)):
        return [part for clause in target.clauses for part in inner(clause)]
    if isinstance(target, m.Clause):
        return [target.amount, target.cond, target.holder, [c.cond for c in target.cancels],
                [c.holder for c in target.cancels]]
    if isinstance(target, m.Slot):
        return [target.default, target.values]
    if isinstance(target, m.Movement):
        return [target.allowance, target.cost, target.may, target.stop, target.end]
    return []


def reached(*roots: Any) -> Iterator[Any]:
    """Every node in these trees and in the declarations that they refer to, each declaration once."""
    seen: set[int] = set()
    waiting: list[Any] = list(roots)
    while waiting:
        for node in nodes(waiting.pop()):
            yield node
            for target in targets(node):
                if id(target) not in seen:
                    seen.add(id(target))
                    waiting += inner(target)
