"""Takes a node of the model, makes the stream of all expressions and statements in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulekit.check import model as m

_FIELDS: dict[type, tuple[str, ...]] = {}
_PARTS = (m.Expr, m.Stmt, m.Option, m.Guarded, m.With, m.Pays, m.Limit)
_STOP = (m.Kind, m.Fixed, m.Cell, m.Var, m.Define, m.Total, m.Permit, m.Table, m.Slot, m.Procedure, m.Event, m.Movement, m.Invariant, m.Clause, m.Type)


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
