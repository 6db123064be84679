"""The variants of a game's code, and a mapping whose values are built on first access."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from attrs import frozen

T = TypeVar("T")
FULL, FAST, TRACED = VARIANTS = ("full", "fast", "traced")


@frozen
class Text:
    """The Python text of a variant.

    Attributes:
        places: for each line, the author's place, or "".
    """

    python: str
    places: list[str]


class Variants(Mapping[str, T]):
    """A mapping from variants to values that `make` builds on first access."""

    def __init__(self, make: Callable[[str], T], names: Iterable[str] = VARIANTS) -> None:
        self._names = tuple(names)
        self._make = make
        self._made: dict[str, T] = {}

    def __getitem__(self, variant: str) -> T:
        if variant not in self._made:
            if variant not in self._names:
                raise KeyError(variant)
            self._made[variant] = self._make(variant)
        return self._made[variant]

    def __contains__(self, variant: object) -> bool:
        return variant in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
