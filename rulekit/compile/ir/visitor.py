"""Takes values and statements of the intermediate form, makes walks through them and copies with changes. What a class holds it says
itself, by its fields: no list of fields is kept here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import attrs

from rulekit.base.fields import evolve, mentioned
from rulekit.compile.ir.code import Statement
from rulekit.compile.ir.values import Value

_HOLDS: dict[type, tuple[str, ...]] = {}


def _holds(cls: type) -> tuple[str, ...]:
    """The names of the fields in which values or statements stand, in order."""
    if cls not in _HOLDS:
        described: Any = cls
        types = get_type_hints(cls)
        _HOLDS[cls] = tuple(f.name for f in attrs.fields(described)
                            if any(issubclass(each, (Value, Statement)) for each in mentioned(types[f.name])))
    return _HOLDS[cls]


def parts(node: Value | Statement) -> list[Any]:
    """The values and statements directly inside."""
    found: list[Any] = []
    for name in _HOLDS.get(node.__class__) or _holds(node.__class__):
        held = getattr(node, name)
        if held.__class__ is tuple:
            found += held
        elif held is not None:
            found.append(held)
    return found


def nodes(*roots: Value | Statement) -> Iterator[Any]:
    """All values and statements in these, each before what is inside of it."""
    todo = list(reversed(roots))
    while todo:
        node = todo.pop()
        yield node
        inside = parts(node)
        inside.reverse()
        todo += inside


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


def replaced(node: Any, old: Value, new: Value) -> Any:
    """A copy with a value put in the place of another one, wherever it stands."""
    return new if node == old else rebuilt(node, lambda x: replaced(x, old, new))
