"""The classes in the type of a field, by which visitors find child nodes, a traversal of nodes, and
copies with changed fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, get_args

import attrs

_CLASS = type
T = TypeVar("T")


def mentioned(type: Any) -> tuple[type, ...]:
    """Return the classes in a type, including those in its arguments."""
    if isinstance(type, _CLASS) and not get_args(type):
        return (type,)
    return tuple(each for argument in get_args(type) for each in mentioned(argument))


def within(roots: Iterable[T], parts: Callable[[T], list[T]]) -> Iterator[T]:
    """Yield the roots and all their descendants, each before its children.

    Args:
        parts: returns a new list of the children of a node.
    """
    todo = list(roots)
    todo.reverse()
    while todo:
        node = todo.pop()
        yield node
        inside = parts(node)
        inside.reverse()
        todo += inside


def evolve(node: T, **changes: Any) -> T:
    """Return a copy with other values of some fields."""
    given: Any = node
    copy: T = attrs.evolve(given, **changes)
    return copy
