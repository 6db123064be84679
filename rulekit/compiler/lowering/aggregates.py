"""Lower expressions that compute one value from the members of a set, as mask algebra if possible,
else as a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Literal

from rulekit.compiler import model as m
from rulekit.compiler.analysis.guards import same
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import simple
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.filters import mask
from rulekit.compiler.lowering.inverse_index import places
from rulekit.compiler.lowering.loops import (
    I,
    bit_of,
    conjuncts,
    domain,
    image_of,
    loop,
    outside,
    sort_keys,
)
from rulekit.compiler.lowering.unit import NONE, ONE, ZERO, const, known, summed, type_of
from rulekit.compiler.model.visitor import substitute

_MAX_SPELLED_VALUES = 4  # of an attribute that is collected value by value
_MAX_NEAREST_VALUES = 6  # of an attribute whose extreme is looked for value by value
_MAX_SUM_TERMS = 12  # of a sum without a loop


def _filled(low: Lowering, expression: m.Collect) -> v.Value | None:
    """Return the set of values that some member has, if an index keeps it for all members.

    A condition that the value is present does not change this set, so such a filter is ignored.
    """
    image = image_of(low, expression.value, expression.var)
    source = low.opened(expression.source)
    if image is None:
        return None
    if isinstance(source, m.Filter):
        parts = [
            x.value.value
            for x in conjuncts(source.cond)
            if isinstance(x, m.Not) and isinstance(x.value, m.IsNone)
        ]
        assert isinstance(expression.value, m.ReadFixed)
        there = substitute(expression.value.keys[0], {expression.var: m.Read(source.var)})
        if len(parts) != len(conjuncts(source.cond)) or not all(same(x, there) for x in parts):
            return None
        source = source.source
    if low.an.value(source) != (1 << len(domain(expression.var))) - 1:
        return None
    return v.Bits(
        "&", v.SlotValue(image.filled, type=v.Mask(image.size + 1)), const((1 << image.size) - 1)
    )


def collect(low: Lowering, expression: m.Collect) -> v.Value:
    kept = _filled(low, expression)
    if kept is not None:
        return kept
    late = low.an.vector(expression.value, expression.var, domain(expression.var))
    vector = late.values[0] if late is not None and late.const else None
    source, type = low.val(expression.source), type_of(expression.type)
    if vector is not None and isinstance(expression.value.type, m.MemberOf):
        values = sorted({x for x in vector if x >= 0})
        if len(values) <= _MAX_SPELLED_VALUES and (simple(source) or len(values) == 1):
            return constant_folding.bits(
                "|",
                [
                    constant_folding.either(_among(source, vector, x), const(1 << x), ZERO)
                    for x in values
                ],
            )
    if late is not None:
        member = isinstance(expression.value.type, m.MemberOf)
        table = low.unit.table(
            late.map(
                lambda values: (*((1 << x if x >= 0 else 0) if member else x for x in values), 0)
            )
        )
        return v.RunValue("union_of", (v.TableValue(table), source), type)
    out = v.Local("out", type)
    return loop(
        low,
        source,
        expression.var,
        [expression.value],
        (c.Assign(out, ZERO),),
        lambda inner: (c.Assign(out, inner.mask_of(expression.value), "|="),),
        (c.Give(out),),
        type=type,
    )


def _among(source: v.Value, vector: Sequence[int], value: int) -> v.Value:
    """Return the members of a set that have a value."""
    return constant_folding.bits("&", [source, const(places(vector, lambda x: x == value))])


def aggregate(low: Lowering, expression: m.Aggregate) -> v.Value:
    if expression.op == "sum":
        return total(low, low.val(expression.source), expression.var, expression.value)
    return (
        median(low, expression)
        if expression.op == "median"
        else extreme(low, expression, expression.op)
    )


def extreme(low: Lowering, expression: m.Aggregate, op: Literal["min", "max"]) -> v.Value:
    """Lower the least or the greatest value over a set."""
    vector = low.an.fixed_vector(expression.value, expression.var, domain(expression.var))
    source = low.val(expression.source)
    none = -1 if isinstance(expression.value.type, m.MemberOf) else 0
    if vector is not None:
        values = sorted({x for x in vector if none == 0 or x >= 0}, reverse=op == "max")
        if len(values) <= _MAX_NEAREST_VALUES:
            return _nearest(low, source, vector, values, const(none))
    out = v.Local("out")
    return loop(
        low,
        source,
        expression.var,
        [expression.value],
        (c.Assign(out, v.Nothing()),),
        lambda inner: (c.KeepExtreme(op, out, inner.val(expression.value), none == -1),),
        (c.GiveExtreme(out, none),),
        type=v.NUMBER,
    )


def median(low: Lowering, expression: m.Aggregate) -> v.Value:
    """Lower the value of the middle member in the order of the values, as a call of a function."""
    m_ = v.Local("m", v.Mask(len(domain(expression.var))))
    params, args, env = outside(low, [expression.value], [expression.var], m_)
    ordered = in_order(low.inside(env), m_, expression.var, [expression.value])
    at = v.ArithValue("//", v.ArithValue("-", v.Size(m_), ONE), const(2))
    member = v.ArithValue(
        "-", v.ElementValue(v.RunValue("packed", (ordered,), v.typed(ordered)), at), const(2)
    )
    value = low.inside({**env, expression.var: I}).val(expression.value)
    code = (c.IfStatement(v.NotValue(m_), (c.Give(ZERO),)), c.Assign(I, member), c.Give(value))
    return v.CallValue(
        low.unit.helper(params, code, expression.span), (low.val(expression.source), *args)
    )


def _nearest(
    low: Lowering, source: v.Value, vector: Sequence[int], values: Sequence[int], none: v.Value
) -> v.Value:
    """Return the first of some values that a member of a set has."""
    again = source if simple(source) else low.temp(v.Mask(len(vector)))
    x = none
    for i, value in reversed(list(enumerate(values))):
        first = (
            v.Bind(again, source)
            if i == 0 and isinstance(again, v.Local) and again != source
            else again
        )
        x = constant_folding.either(_among(first, vector, value), const(value), x)
    return x


def total(low: Lowering, source: v.Value, var: m.Var, value: m.Expr) -> v.Value:
    """Lower the sum of a number over a set.

    A constant number becomes bit planes. A number that depends on a condition with a mask is split
    into two sums.
    """
    if simple(source):
        parts = planes(low, source, var, value)
        if parts is not None:
            return summed(parts)
    elif low.pure and not low.an.deps(value).vars & low.env.keys():
        held = v.Local("m", v.Mask(len(domain(var))))
        parts = planes(low.inside({}), held, var, value)
        if parts is not None:
            return v.CallValue(
                low.unit.helper((held,), (c.Give(summed(parts)),), value.span), (source,)
            )
    out = v.Local("out")
    return loop(
        low,
        source,
        var,
        [value],
        (c.Assign(out, ZERO),),
        lambda inner: (c.Assign(out, inner.val(value), "+="),),
        (c.Give(out),),
        type=v.NUMBER,
    )


def planes(low: Lowering, source: v.Value, var: m.Var, value: m.Expr) -> list[v.Value] | None:
    """Return the terms of the sum, or None if it needs a loop."""
    vector = low.an.vector(value, var, domain(var))
    if vector is not None:
        return _planes(low, source, vector)
    inlined = low.inline(value)
    if inlined is not None:
        return planes(low, source, var, inlined)
    if isinstance(value, m.If):
        cond = mask(low, value.cond, var)
        if cond is None:
            return None
        whole = (1 << len(domain(var))) - 1
        inside, beyond = (
            constant_folding.bits("&", [source, cond]),
            constant_folding.bits("&", [source, constant_folding.others(cond, whole)]),
        )
        yes, no = planes(low, inside, var, value.then), planes(low, beyond, var, value.other)
        if yes is None or no is None or len(yes) + len(no) > _MAX_SUM_TERMS:
            return None
        return [*yes, *no]
    deps = low.an.deps(value)
    if var not in deps.vars:
        product = constant_folding.arith("*", constant_folding.size(source), low.val(value))
        # For an empty set the value is not evaluated, so it cannot raise an error.
        return [v.IfValue(source, product, ZERO) if deps.raises and not known(source) else product]
    return None


def _plane(sign: int, bit: int, values: Sequence[int]) -> int:
    """Return the places of the values of one sign that have bit k."""
    return places(values, lambda x: sign * x > 0 and abs(x) >> bit & 1)


def _planes(low: Lowering, source: v.Value, vector: Late) -> list[v.Value]:
    most = max((abs(x) for values in vector.values for x in values), default=0)
    terms: list[v.Value] = []
    for sign, k in product((1, -1), range(most.bit_length())):
        plane = low.unit.pick(vector.map(partial(_plane, sign, k)), v.Mask(len(vector.values[0])))
        if plane != ZERO:
            terms.append(
                constant_folding.arith(
                    "*",
                    constant_folding.size(constant_folding.bits("&", [source, plane])),
                    const(sign << k),
                )
            )
    return terms


def first(low: Lowering, expression: m.FirstBy) -> v.Value:
    source = low.val(expression.source)
    vectors = [
        low.an.fixed_vector(k, expression.var, domain(expression.var)) for k in expression.keys
    ]
    if not all(x is not None for x in vectors):
        return _first(
            low,
            source,
            expression.var,
            expression.keys,
            lambda inner: sort_keys(inner, expression.keys),
        )
    keys = [
        tuple(int(not y) for y in x or ()) if isinstance(k.type, m.Bool) else x or ()
        for k, x in zip(expression.keys, vectors, strict=True)
    ]
    ranks = list(zip(*keys, strict=True)) if keys else []
    if ranks == sorted(ranks):  # the lowest bit is the first
        return v.Lowest(source)
    order = {r: n for n, r in enumerate(sorted(set(ranks)))}
    table = low.unit.table([order[r] for r in ranks])
    return _first(low, source, expression.var, [], lambda _: (v.RowValue(table, I),))


def _first(
    low: Lowering,
    source: v.Value,
    var: m.Var,
    exprs: Sequence[m.Expr],
    keys: Callable[[Lowering], tuple[v.Value, ...]],
) -> v.Value:
    best, least = v.Local("best"), v.Local("least")
    return loop(
        low,
        source,
        var,
        exprs,
        (c.Assign(best, NONE), c.Assign(least, v.Nothing())),
        lambda inner: (c.KeepLeast(best, least, keys(inner), I),),
        (c.Give(best),),
        type=v.NUMBER,
    )


def classes(
    low: Lowering, source: v.Value, var: m.Var, keys: Sequence[m.Expr], in_order: bool
) -> v.Value:
    """Lower the classes of members with equal keys, as a list of masks. They are in the order of
    the keys, or of their first members.
    """
    out = v.Local("out")
    size = len(domain(var))

    def body(inner: Lowering) -> c.Code:
        made = sort_keys(inner, keys) if in_order else tuple(inner.val(k) for k in keys)
        return (c.GroupIn(out, made, bit_of(var)),)

    return loop(
        low,
        source,
        var,
        keys,
        (c.NewList(out, "groups", size),),
        body,
        (c.GiveList(out, "groups", in_order),),
        type=v.Masks(size),
    )


def firsts(low: Lowering, source: v.Value, var: m.Var, keys: Sequence[m.Expr]) -> v.Value:
    """Lower a set to the first member of each class with equal keys."""
    out, seen, bit = v.Local("out", v.Mask(len(domain(var)))), v.Local("seen"), bit_of(var)
    return loop(
        low,
        source,
        var,
        keys,
        (c.Assign(out, ZERO), c.NewList(seen, "keys", len(domain(var)))),
        lambda inner: (c.Distinct(out, seen, tuple(inner.val(k) for k in keys), bit),),
        (c.Give(out),),
    )


def in_order(low: Lowering, source: v.Value, var: m.Var, keys: Sequence[m.Expr]) -> v.Value:
    """Lower the members to a list in the order of the keys."""
    out = v.Local("out")
    return loop(
        low,
        source,
        var,
        keys,
        (c.NewList(out, "list", len(domain(var))),),
        lambda inner: (c.SortIn(out, sort_keys(inner, keys), I),),
        (c.GiveList(out, "list"),),
        type=v.Packed(len(domain(var))),
    )
