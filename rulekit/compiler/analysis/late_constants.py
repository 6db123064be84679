"""Takes nothing, makes `Late`: a value that is known once a scenario and rulings are chosen, for
each way to choose them; and `Deps`: what the value of an expression depends on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import define, frozen

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m

Axis = tuple[int, int]  # 0: what the scenarios fix, 1 + i: ruling i of the model; in how many ways


@frozen
class Late:
    """`values`: row-major over the axes (first slowest). Without axes: a constant."""

    axes: tuple[Axis, ...]
    values: tuple[Any, ...]

    @property
    def const(self) -> bool:
        """Is it the same whatever is chosen?"""
        return not self.axes

    def map(self, made: Callable[[Any], Any]) -> Late:
        """The value made of each value."""
        return late(self.axes, [made(v) for v in self.values])

    def at(self, chosen: Mapping[Axis, int]) -> Any:
        """The value where this is chosen."""
        place = 0
        for axis in self.axes:
            place = place * axis[1] + chosen[axis]
        return self.values[place]

    def to(self, axes: Sequence[Axis]) -> Sequence[Any]:
        """The values over more axes."""
        return [self.at(dict(zip(axes, way, strict=True))) for way in ways(axes)]


def ways(axes: Sequence[Axis]) -> Iterator[tuple[int, ...]]:
    """All ways to choose, the first axis slowest."""
    return product(*(range(size) for _, size in axes))


def late(axes: Sequence[Axis], values: Sequence[Any]) -> Late:
    """A late value, a constant if the values do not differ."""
    if all(v == values[0] for v in values):
        return Late((), (values[0],))
    return Late(tuple(axes), tuple(values))


def both(a: Late, b: Late) -> Late:
    """The pairs of the values of two."""
    axes = sorted({*a.axes, *b.axes})
    return late(axes, list(zip(a.to(axes), b.to(axes), strict=True)))


@define(frozen=True)
class Deps:
    """`vars`: free variables. `state`: reads something that changes (besides frame variables).
    `raises`: may raise a RulesError. `late`: what must be chosen before its late values are
    known."""

    vars: frozenset[m.Var]
    state: bool
    raises: bool
    late: frozenset[Axis] = frozenset()

    def without(self, bound: Collection[m.Var]) -> Deps:
        """The same where these variables have values."""
        return (
            evolve(self, vars=self.vars.difference(bound))
            if bound and not self.vars.isdisjoint(bound)
            else self
        )


NOTHING = Deps(frozenset(), False, False)


def join(all: Sequence[Deps]) -> Deps:
    some = [d for d in all if d is not NOTHING]
    if len(some) < 2:
        return some[0] if some else NOTHING
    return Deps(
        frozenset().union(*[d.vars for d in some]),
        any(d.state for d in some),
        any(d.raises for d in some),
        frozenset().union(*[d.late for d in some]),
    )
