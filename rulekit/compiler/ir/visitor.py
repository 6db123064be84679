"""Walk and copy values and statements of the intermediate form, and measure code.

The fields of a class declare which values it holds, so no list of fields is kept here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, get_type_hints

import attrs

from rulekit.common.node_fields import evolve, mentioned, within
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v

_HOLDS: dict[type, tuple[str, ...]] = {}


def _holds(cls: type) -> tuple[str, ...]:
    """Return the names of the fields that hold values or statements, in order."""
    if cls not in _HOLDS:
        described: Any = cls
        types = get_type_hints(cls)
        _HOLDS[cls] = tuple(
            f.name
            for f in attrs.fields(described)
            if any(issubclass(each, (v.Value, c.Statement)) for each in mentioned(types[f.name]))
        )
    return _HOLDS[cls]


def parts(node: v.Value | c.Statement) -> list[Any]:
    """Return the values and statements directly inside a node."""
    found: list[Any] = []
    for name in _HOLDS.get(node.__class__) or _holds(node.__class__):
        held = getattr(node, name)
        if held.__class__ is tuple:
            found += held
        elif held is not None:
            found.append(held)
    return found


def nodes(*roots: v.Value | c.Statement) -> Iterator[Any]:
    """Iterate over all values and statements in some roots, each before its parts."""
    return within(roots, parts)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy with each part changed, or the same node if no part changes."""
    changes: dict[str, Any] = {}
    for name in _holds(node.__class__):
        held = getattr(node, name)
        if isinstance(held, tuple):
            made: Any = tuple([change(x) for x in held])
            if any(a is not b for a, b in zip(made, held, strict=True)):
                changes[name] = made
        elif held is not None and (made := change(held)) is not held:
            changes[name] = made
    return evolve(node, **changes) if changes else node


def replaced(node: Any, old: v.Value, new: v.Value) -> Any:
    """Return a copy in which every occurrence of a value is replaced by another."""
    return new if node == old else rebuilt(node, lambda x: replaced(x, old, new))


def simple(value: v.Value) -> bool:
    """Return True if a value may be written twice because it is only read, not computed."""
    return isinstance(
        value, (v.ConstValue, v.Local, v.FrameValue, v.SlotValue, v.Chosen, v.RowValue)
    )


def weight(body: Iterable[c.Stmt]) -> int:
    """Return the length of code, counted in statements."""
    return sum(1 + sum(map(weight, inside(i))) for i in body)


def gotos(body: Iterable[c.Stmt]) -> list[c.Goto]:
    return [n for n in nodes(*body) if isinstance(n, c.Goto)]


def inside(statement: c.Stmt) -> list[c.Code]:
    """Return the code inside a statement."""
    if isinstance(statement, c.IfStatement):
        return [statement.then, statement.other]
    return [statement.body] if isinstance(statement, c.Loop) else []


def ends(body: Sequence[c.Stmt]) -> bool:
    """Return True if control never runs off the end."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, c.IfStatement):
        return bool(last.other) and ends(last.then) and ends(last.other)
    return isinstance(last, (c.Goto, c.Decide, c.ReturnStatement, c.StopStatement, c.Next))
