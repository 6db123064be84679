"""Memoize a method by the identity of its argument."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

# For each function: (argument, result) by the id of the argument, which is kept alive here.
Memory = defaultdict[str, dict[int, tuple[object, Any]]]


class Remembering(Protocol):
    @property
    def memory(self) -> Memory: ...


R = TypeVar("R", bound=Remembering)
K = TypeVar("K")
T = TypeVar("T")


def once(find: Callable[[R, K], T], meanwhile: T | None = None) -> Callable[[R, K], T]:
    """Return the same function with its results kept in `memory` of its first argument.

    Args:
        meanwhile: the result for a recursive call with the same argument.
    """
    name = find.__name__

    def asked(who: R, thing: K) -> T:
        known = who.memory[name]
        kept = known.get(id(thing))
        if kept is None:
            if meanwhile is not None:
                known[id(thing)] = (thing, meanwhile)
            kept = known[id(thing)] = (thing, find(who, thing))
        answer: T = kept[1]
        return answer

    return asked
