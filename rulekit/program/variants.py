"""Takes what there is of some variants of the code, and what makes that of one more, makes a mapping: that one when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class Variants(Mapping[str, T]):
    """By variant. `later`: the one that `make` makes when it is first asked for, once."""

    def __init__(self, made: Mapping[str, T], later: str, make: Callable[[], T]) -> None:
        self._made = dict(made)
        self._later = later
        self._make = make

    def __getitem__(self, variant: str) -> T:
        if variant == self._later and variant not in self._made:
            self._made[variant] = self._make()
        return self._made[variant]

    def __contains__(self, variant: object) -> bool:
        return variant == self._later or variant in self._made

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._made, self._later)))

    def __len__(self) -> int:
        return len({*self._made, self._later})
