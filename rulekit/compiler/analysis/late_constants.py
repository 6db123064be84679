"""Values that become known when a scenario and rulings are chosen, and the dependencies of an
expression.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import define, frozen

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m

# (axis, number of its alternatives). Axis 0 is the values of the scenarios, 1 + i is ruling i.
Axis = tuple[int, int]


@frozen
class Late:
    """A value for each combination of choices.

    Attributes:
        axes: the choices on which it depends. A constant has none.
        values: in row-major order over the axes, of which the first varies slowest.
    """

    axes: tuple[Axis, ...]
    values: tuple[Any, ...]

    @property
    def const(self) -> bool:
        """Whether the value is the same for all choices."""
        return not self.axes

    def map(self, made: Callable[[Any], Any]) -> Late:
        """Return the late value with a function applied to each of its values."""
        return late(self.axes, [made(v) for v in self.values])

    def at(self, chosen: Mapping[Axis, int]) -> Any:
        """Return the value for these choices."""
        place = 0
        for axis in self.axes:
            place = place * axis[1] + chosen[axis]
        return self.values[place]

    def to(self, axes: Sequence[Axis]) -> Sequence[Any]:
        """Return the values over a larger list of axes."""
        return [self.at(dict(zip(axes, way, strict=True))) for way in ways(axes)]


def ways(axes: Sequence[Axis]) -> Iterator[tuple[int, ...]]:
    """Iterate over all combinations of choices. The first axis varies slowest."""
    return product(*(range(size) for _, size in axes))


def late(axes: Sequence[Axis], values: Sequence[Any]) -> Late:
    """Return a late value, which is a constant if the values do not differ."""
    if all(v == values[0] for v in values):
        return Late((), (values[0],))
    return Late(tuple(axes), tuple(values))


def both(first: Late, second: Late) -> Late:
    """Return the pairs of two late values."""
    axes = sorted({*first.axes, *second.axes})
    return late(axes, list(zip(first.to(axes), second.to(axes), strict=True)))


@define(frozen=True)
class Deps:
    """The dependencies of an expression.

    Attributes:
        vars: its free variables.
        state: whether it reads anything that changes in play, apart from frame variables.
        raises: whether it may raise a RulesError.
        late: the choices that its late-bound constants depend on.
    """

    vars: frozenset[m.Var]
    state: bool
    raises: bool
    late: frozenset[Axis] = frozenset()

    def without(self, bound: Collection[m.Var]) -> Deps:
        """Return the same dependencies where these variables are bound."""
        return (
            evolve(self, vars=self.vars.difference(bound))
            if bound and not self.vars.isdisjoint(bound)
            else self
        )


NOTHING = Deps(frozenset(), False, False)


def join(parts: Sequence[Deps]) -> Deps:
    some = [d for d in parts if d is not NOTHING]
    if len(some) <= 1:
        return some[0] if some else NOTHING
    return Deps(
        frozenset().union(*[d.vars for d in some]),
        any(d.state for d in some),
        any(d.raises for d in some),
        frozenset().union(*[d.late for d in some]),
    )
