"""Takes the type of a field, makes the classes that it mentions: by them a visitor knows where
nodes lie. Walks through nodes; copies with other fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, get_args

import attrs

_CLASS = type
T = TypeVar("T")


def mentioned(type: Any) -> tuple[type, ...]:
    """The classes that a type is made of, those in its arguments too."""
    if isinstance(type, _CLASS) and not get_args(type):
        return (type,)
    return tuple(each for argument in get_args(type) for each in mentioned(argument))


def within(roots: Iterable[T], parts: Callable[[T], list[T]]) -> Iterator[T]:
    """These and all inside of them, each before what is in it. `parts`: what is directly inside, a
    list of its own."""
    todo = list(roots)
    todo.reverse()
    while todo:
        node = todo.pop()
        yield node
        inside = parts(node)
        inside.reverse()
        todo += inside


def evolve(node: T, **changes: Any) -> T:
    """A copy with other values of some fields."""
    given: Any = node
    copy: T = attrs.evolve(given, **changes)
    return copy
