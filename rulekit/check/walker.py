"""Takes nodes of the model, makes the stream of all expressions and statements in them, and in what they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulekit import model as m

_PARTS = (m.Expr, m.Stmt, m.Option, m.Guarded, m.With, m.Pays, m.Limit)
_STOP = (m.Kind, m.Fixed, m.Cell, m.Var, m.Define, m.Total, m.Permit, m.Table, m.Slot, m.Procedure, m.Event, m.Movement,
         m.Invariant, m.Clause, m.Type)


class _Fields(dict[type, tuple[str, ...]]):
    """By class of nodes: the names of the fields in which others may stand."""

    def __missing__(self, cls: Any) -> tuple[str, ...]:
        self[cls] = names = tuple(a.name for a in attrs.fields(cls) if a.name not in ("type", "span", "ref", "proc"))
        return names


class _NodeOrNot(dict[type, bool]):
    """By class: is it one of nodes?"""

    def __missing__(self, cls: type) -> bool:
        self[cls] = found = issubclass(cls, _PARTS)
        return found


_FIELDS, _IS_PART = _Fields(), _NodeOrNot()


def parts(node: Any) -> list[Any]:
    """The expressions, statements and clauses directly inside a node, not following references to declarations."""
    found: list[Any] = []
    for name in _FIELDS[node.__class__]:
        _inside(getattr(node, name), found)
    return found


def _inside(value: Any, found: list[Any]) -> None:
    cls = value.__class__
    if _IS_PART[cls]:
        found.append(value)
    elif cls is list or cls is tuple:
        for item in value:
            _inside(item, found)


def nodes(*roots: Any) -> Iterator[Any]:
    """Every node in these trees, roots first."""
    stack: list[Any] = []
    _inside(roots, stack)
    while stack:
        node = stack.pop()
        yield node
        for name in _FIELDS[node.__class__]:
            _inside(getattr(node, name), stack)


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
