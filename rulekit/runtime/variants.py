"""Takes what makes something of a variant of a game's code, makes `Variants`: that of each, when it
is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from attrs import frozen

T = TypeVar("T")
FULL, FAST, TRACED = VARIANTS = ("full", "fast", "traced")


@frozen
class Text:
    """The Python text of a variant; of each of its lines the author's place, or ""."""

    python: str
    places: list[str]


class Variants(Mapping[str, T]):
    """Something of each variant, as `make` gives it when it is first asked for."""

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
