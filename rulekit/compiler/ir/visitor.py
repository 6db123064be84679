"""Takes values and statements of the intermediate form, makes walks through them, copies with
changes, and measures of code: jumps, length, whether it ends. What a class holds it says itself, by
its fields: no list of fields is kept here.
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
    """The names of the fields in which values or statements stand, in order."""
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
    """The values and statements directly inside."""
    found: list[Any] = []
    for name in _HOLDS.get(node.__class__) or _holds(node.__class__):
        held = getattr(node, name)
        if held.__class__ is tuple:
            found += held
        elif held is not None:
            found.append(held)
    return found


def nodes(*roots: v.Value | c.Statement) -> Iterator[Any]:
    """All values and statements in these, each before what is inside of it."""
    return within(roots, parts)


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A copy with each part changed; the same if none is."""
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
    """A copy with a value put in the place of another one, wherever it stands."""
    return new if node == old else rebuilt(node, lambda x: replaced(x, old, new))


def simple(x: v.Value) -> bool:
    """May it be written twice: is it only read, not worked out?"""
    return isinstance(x, (v.Const, v.Local, v.Frame, v.Slot, v.Chosen, v.Row))


def weight(body: Iterable[c.Stmt]) -> int:
    """How long the code is."""
    return sum(1 + sum(map(weight, inside(i))) for i in body)


def gotos(body: Iterable[c.Stmt]) -> list[c.Goto]:
    return [n for n in nodes(*body) if isinstance(n, c.Goto)]


def inside(i: c.Stmt) -> list[c.Code]:
    """The code inside of a statement."""
    if isinstance(i, c.If):
        return [i.then, i.other]
    return [i.body] if isinstance(i, c.Loop) else []


def ends(body: Sequence[c.Stmt]) -> bool:
    """Does control never run off the end?"""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, c.If):
        return bool(last.other) and ends(last.then) and ends(last.other)
    return isinstance(last, (c.Goto, c.Decide, c.Return, c.Stop, c.Next))
