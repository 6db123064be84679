"""Masks of the members that have a value, tables of such masks, and the one value through which a
condition depends on a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulekit.compiler import model as m
from rulekit.compiler.analysis.guards import same
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.loops import domain, index_of
from rulekit.compiler.lowering.unit import Unit, const
from rulekit.compiler.model.visitor import rebuilt, subexpressions


def places(values: Sequence[Any], test: Callable[[Any], object]) -> int:
    """Return the set of the places whose value passes a test."""
    return sum(1 << i for i, x in enumerate(values) if test(x))


def meeting(values: Sequence[int], size: int) -> tuple[int, ...]:
    """Return for each element the set of the places whose set contains it."""
    return tuple(sum(1 << i for i, x in enumerate(values) if x >> w & 1) for w in range(size))


def holders(values: Sequence[Any], wanted: Iterable[int]) -> tuple[int, ...]:
    """Return for each value the set of the places that have it."""
    found: dict[int, int] = {}
    for i, x in enumerate(values):
        found[x] = found.get(x, 0) | 1 << i
    return tuple(found.get(w, 0) for w in wanted)


def preimage(unit: Unit, late: Late, met: v.Value, size: int, every: v.Mask) -> v.Value:
    """Return the members that a constant map takes into a mask. If the map is a shift, the result
    is a shift too.
    """
    steps = {x - i for vector in late.values for i, x in enumerate(vector) if x >= 0}
    if late.const and len(steps) == 1:
        step, there = steps.pop(), places(late.values[0], lambda x: x >= 0)
        shifted = v.Shifted(met, -step) if step else met
        return (
            shifted
            if there == (1 << every.size) - 1 and step >= 0
            else v.Bits("&", shifted, const(there))
        )
    return v.RunValue(
        "union_of",
        (v.TableValue(unit.table(late.map(lambda values: holders(values, range(size))))), met),
        every,
    )


def chosen(
    condition: v.Value | None, inside: v.Value | None, outside: v.Value | None, whole: int
) -> v.Value | None:
    """Return the members of `inside` inside `condition` and the members of `outside` outside it."""
    if condition is None or inside is None or outside is None:
        return None
    return constant_folding.bits(
        "|",
        [
            constant_folding.bits("&", [condition, inside], whole),
            constant_folding.bits("&", [outside, constant_folding.others(condition, whole)], whole),
        ],
        whole,
    )


def only_term(low: Lowering, expression: m.Expr, var: m.Var) -> m.Expr | None:
    """Return the smallest value of `var` through which alone the condition depends on it, or
    None.
    """
    found: list[m.Expr] = []

    def look(expression: m.Expr) -> bool:
        """Return False if `var` is also read in another way."""
        if var not in low.an.deps(expression).vars:
            return True
        if (
            isinstance(expression.type, m.MemberOf)
            and not isinstance(expression, m.Read)
            and low.an.deps(expression).vars == {var}
        ):
            known = (
                index_of(low, expression, var)
                if isinstance(expression, m.ReadCell)
                else low.an.vector(expression, var, domain(var))
            )
            if known is not None:
                found.append(expression)
                return True
        return not isinstance(expression, m.Read) and all(
            look(x) for x in subexpressions(expression)
        )

    if not look(expression) or not found or any(not same(f, found[0]) for f in found):
        return None
    return found[0]


def put_for(expression: m.Expr, term: m.Expr, by: m.Expr) -> m.Expr:
    """Return a copy with a term replaced."""
    return by if same(expression, term) else rebuilt(expression, lambda x: put_for(x, term, by))
