"""Lower conditions on the elements of a kind to masks, without a loop over the elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.analysis.guards import proved_in_turn
from rulekit.compiler.analysis.late_constants import Late, both
from rulekit.compiler.analysis.memo import once
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import nodes, simple
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.inverse_index import (
    chosen,
    holders,
    meeting,
    only_term,
    places,
    preimage,
    put_for,
)
from rulekit.compiler.lowering.loops import conjuncts, domain, image_of, index_of, loop
from rulekit.compiler.lowering.unit import NONE, ZERO, conj, const, having, is_read, known, slot_at
from rulekit.compiler.model.visitor import substitute
from rulekit.compiler.semantics.values import bits

_MAX_TABLE_VALUES = 64  # numbers of an attribute that get a table of their members
_MAX_UNITED_SETS = 4  # sets of a cell that are united without a loop
_MAX_COMPARED_VALUES = 4  # maximal number of values for which two cells are compared value by value


def filtered(low: Lowering, expression: m.Filter, only_first: bool = False) -> v.Value:
    """Lower a filter to the members of the source for which the condition holds.

    Args:
        only_first: return only whether there is one.
    """
    source, tests = _one_filter(low, expression)
    return narrowed(
        low, low.val(source), expression.var, tests, only_first, low.an.deps(source).raises
    )


@once
def _one_filter(low: Lowering, expression: m.Filter) -> tuple[m.Expr, list[m.Expr]]:
    """Return the source and the conditions of a filter, merged with the filters that are its
    source.
    """
    source, rest = low.opened(expression.source), conjuncts(expression.cond)
    while isinstance(source, m.Filter):  # a filter of a filter is one filter
        rest = [
            *(substitute(c, {source.var: m.Read(expression.var)}) for c in conjuncts(source.cond)),
            *rest,
        ]
        source = low.opened(source.source)
    return source, proved_in_turn(rest)


def _sorted_out(
    low: Lowering, var: m.Var, tests: Sequence[m.Expr]
) -> tuple[list[m.Expr], list[tuple[m.Expr, v.Value | None]]]:
    """Return the tests that do not depend on the member, and the others, each with its mask if it
    has one.
    """
    free: list[m.Expr] = []
    masks: list[tuple[m.Expr, v.Value | None]] = []
    for test in tests:
        for part in [test] if var not in low.an.deps(test).vars else _opened(low, test):
            if var in low.an.deps(part).vars:
                masks.append((part, mask(low, part, var)))
            else:
                free.append(part)
    return free, masks


def narrowed(
    low: Lowering,
    source: v.Value,
    var: m.Var,
    tests: Sequence[m.Expr],
    only_first: bool = False,
    raises: bool = False,
) -> v.Value:
    """Reduce a mask by conditions on its members.

    A condition that can raise an error is evaluated for exactly those members for which the
    conditions before it hold. So are the conditions after it.

    Args:
        only_first: return only whether a member is left.
        raises: True if the source can raise an error, so that it must be evaluated.
    """
    sure = next((i for i, test in enumerate(tests) if low.an.deps(test).raises), len(tests))
    free, masks = _sorted_out(low, var, tests[:sure])
    slow = [part for part, x in masks if x is None]
    terms, kept = [source], list[v.Value]()
    found = [(part, x) for part, x in masks if x is not None]
    for part, x in sorted(found, key=lambda each: _is_wide(each[1])):  # wide masks last
        if _is_wide(x) and [t for t in terms if isinstance(t, v.RowValue)]:
            # This is a union over almost all members, so testing the few candidates is faster.
            slow.append(part)
        else:
            (kept if isinstance(x, v.ConstValue) or low.stays(part, var) else terms).append(x)
    same = _cut(kept, var)
    terms.append(same if isinstance(same, v.ConstValue) else low.before_loop(same))
    x = _cut(terms, var)
    conds = [cond for cond in map(low.cond, free) if not known(cond)]
    if x == ZERO or ZERO in conds:
        return ZERO
    if raises and conds:
        x, conds = (
            v.Bits("&", x, v.IfValue(conj(conds), const((1 << len(domain(var))) - 1), ZERO)),
            [],
        )
    slow += tests[sure:]
    if slow:
        x = _tried(low, x, var, an.all_of(slow), only_first and sure == len(tests))
    if conds:
        return v.All((*conds, x)) if only_first else v.IfValue(conj(conds), x, ZERO)
    return x


def _cut(masks: Sequence[v.Value], var: m.Var) -> v.Value:
    """Return the members that are in all of these masks."""
    whole = (1 << len(domain(var))) - 1
    return constant_folding.bits(
        "&", [*sorted(masks, key=constant_folding.complements), const(whole)], whole
    )


def _tried(low: Lowering, source: v.Value, var: m.Var, cond: m.Expr, only_first: bool) -> v.Value:
    """Test the members one by one.

    Args:
        only_first: return only the first member for which the condition holds.
    """
    out, bit = v.Local("out", v.Mask(len(domain(var)))), v.Local("x", v.Mask(len(domain(var))))
    if only_first:
        return loop(
            low,
            source,
            var,
            [cond],
            (),
            lambda inner: (c.IfStatement(inner.cond(cond), (c.Give(bit),)),),
            (c.Give(ZERO),),
            0,
        )
    return loop(
        low,
        source,
        var,
        [cond],
        (c.Assign(out, ZERO),),
        lambda inner: (c.IfStatement(inner.cond(cond), (c.Assign(out, bit, "|="),)),),
        (c.Give(out),),
        0,
    )


def _is_wide(value: v.Value) -> bool:
    """Return True if the value is a union over the members that a complement leaves."""
    return constant_folding.complements(value) and any(
        isinstance(n, v.RunValue) and n.function == "union_of" for n in nodes(value)
    )


def _opened(low: Lowering, test: m.Expr) -> list[m.Expr]:
    """Return the conjuncts of a test. Calls of small definitions are inlined."""
    inlined = low.inline(test)
    if inlined is None:
        return conjuncts(test) if isinstance(test, m.And) else [test]
    return [x for part in conjuncts(inlined) for x in _opened(low, part)]


def mask(low: Lowering, expression: m.Expr, var: m.Var) -> v.Value | None:
    """Return the mask of the members for which a condition holds, or None if it has no such form.

    The mask may have further bits.
    """
    deps, whole = low.an.deps(expression), (1 << len(domain(var))) - 1
    vector = low.an.vector(expression, var, domain(var))
    if vector is not None:
        return low.unit.pick(
            vector.map(lambda values: places(values, bool)), v.Mask(len(domain(var)))
        )
    if deps.raises:
        return None
    if var not in deps.vars:
        return constant_folding.either(low.cond(expression), const(whole), ZERO)
    inlined = low.inline(expression)
    if inlined is not None:
        return mask(low, inlined, var)
    if isinstance(expression, m.Not):
        opposite = mask(low, expression.value, var)
        return None if opposite is None else constant_folding.others(opposite, whole)
    if isinstance(expression, (m.And, m.Or)):
        return _joined(low, expression, var)
    if isinstance(expression, m.If):
        return _either(low, expression, var)
    form = _FORMS.get(expression.__class__)
    x = form(low, expression, var) if form is not None else None
    return x if x is not None else through(low, expression, var)


def _joined(low: Lowering, expression: m.And | m.Or, var: m.Var) -> v.Value | None:
    free = [x for x in expression.items if var not in low.an.deps(x).vars]
    found = [
        x
        for x in (mask(low, item, var) for item in expression.items if item not in free)
        if x is not None
    ]
    if len(free) + len(found) < len(expression.items):
        return None
    whole = (1 << len(domain(var))) - 1
    joined = constant_folding.bits("&" if isinstance(expression, m.And) else "|", found, whole)
    test = low.cond(evolve(expression, items=free))  # the items that do not depend on the member
    return (
        constant_folding.either(test, joined, ZERO)
        if isinstance(expression, m.And)
        else constant_folding.either(test, const(whole), joined)
    )


def _either(low: Lowering, expression: m.If, var: m.Var) -> v.Value | None:
    """Select from two masks by a condition, for each member or for all members together."""
    a, b = mask(low, expression.then, var), mask(low, expression.other, var)
    if var in low.an.deps(expression.cond).vars:
        return chosen(mask(low, expression.cond, var), a, b, (1 << len(domain(var))) - 1)
    return (
        None
        if a is None or b is None
        else a
        if a == b
        else constant_folding.either(low.cond(expression.cond), a, b)
    )


def _alike(low: Lowering, expression: m.Compare, var: m.Var) -> v.Value | None:
    """Return the mask of the members with equal (or different) values in two cells that have one
    mask for each value.
    """
    places = [
        place
        for x in (expression.left, expression.right)
        if (place := index_of(low, x, var)) is not None
    ]
    if len(places) <= 1 or not 0 < places[0].values <= _MAX_COMPARED_VALUES:
        return None

    def both_at(value: int) -> list[v.Value]:
        return [having(place, value) for place in places]

    same = constant_folding.bits(
        "|", [constant_folding.bits("&", both_at(value)) for value in range(places[0].values)]
    )
    return (
        same
        if expression.op == "="
        else v.Complement(constant_folding.bits("|", [same, *both_at(places[0].values)]))
    )


def _compared(low: Lowering, expression: m.Compare, var: m.Var) -> v.Value | None:
    if expression.op not in ("=", "!="):
        return None
    alike = _alike(low, expression, var)
    if alike is not None:
        return alike
    for left, right in ((expression.left, expression.right), (expression.right, expression.left)):
        if (
            var in low.an.deps(left).vars
            and var not in low.an.deps(right).vars
            and not isinstance(left.type, m.Bool)
        ):
            x = equal(low, left, right, var)
            if x is None or expression.op == "=":
                return x
            none = mask(low, m.IsNone(left), var) if isinstance(left.type, m.MemberOf) else ZERO
            if none is None or low.an.maybe_none(right):
                return None
            return constant_folding.others(
                constant_folding.bits("|", [x, none]), (1 << len(domain(var))) - 1
            )
    return None


def equal(low: Lowering, left: m.Expr, right: m.Expr, var: m.Var) -> v.Value | None:
    """Return the mask of the members for which `left` has a value that does not depend on them."""
    inlined = low.inline(left)
    if inlined is not None:
        return equal(low, inlined, right, var)
    if isinstance(left, m.Read):
        return low.bit(right)
    r, every = low.val(right), v.Mask(len(domain(var)))
    vector = low.an.vector(left, var, domain(var))
    if vector is not None and all(isinstance(x, int) for values in vector.values for x in values):
        return _with_value(low, left, right, r, vector, every)
    place, image = index_of(low, left, var), image_of(low, left, var)
    if place is not None or image is not None:
        first = place.index if place is not None else image.base if image is not None else 0
        return ZERO if r == NONE else slot_at(first, [0], [r], every)
    if isinstance(left, m.If) and simple(r):
        then, other = (
            (
                equal(low, side, right, var)
                if var in low.an.deps(side).vars
                else mask(low, m.Compare("=", side, right), var)
            )
            for side in (left.then, left.other)
        )
        return chosen(mask(low, left.cond, var), then, other, (1 << every.size) - 1)
    return None


def _with_value(
    low: Lowering, left: m.Expr, right: m.Expr, result: v.Value, vector: Late, every: v.Mask
) -> v.Value | None:
    """Return the mask of the members for which a constant attribute has a value."""
    member = isinstance(left.type, m.MemberOf)
    settled = (
        low.an.settled(right)
        if not isinstance(result, v.ConstValue)
        else Late((), (known(result),))
    )
    if settled is not None:
        return low.unit.pick(
            both(vector, settled).map(
                lambda t: places(t[0], lambda x: x == t[1] and not (member and x < 0))
            ),
            every,
        )
    if isinstance(left.type, m.MemberOf):
        size = left.type.kind.size
        return v.RowValue(
            low.unit.table(vector.map(lambda values: (*holders(values, range(size)), 0))),
            result,
            every,
        )
    least, most = (f(f(values) for values in vector.values) for f in (min, max))
    if most - least > _MAX_TABLE_VALUES:
        return None
    table = low.unit.table(vector.map(lambda values: holders(values, range(least, most + 1))))
    return v.RunValue("at", (v.TableValue(table), v.ArithValue("-", result, const(least))), every)


def _membership(low: Lowering, expression: m.In, var: m.Var) -> v.Value | None:
    item, source = expression.item, expression.source
    in_item, in_source = var in low.an.deps(item).vars, var in low.an.deps(source).vars
    if is_read(item, var) and not in_source:
        return low.val(source)
    if in_source and not in_item:
        vector = low.an.vector(source, var, domain(var))
        if vector is not None and isinstance(item.type, m.MemberOf):
            size = item.type.kind.size
            table = vector.map(lambda values: (*meeting(values, size), 0))
            return v.RowValue(low.unit.table(table), low.val(item), v.Mask(len(domain(var))))
    return None


def _missing(low: Lowering, expression: m.IsNone, var: m.Var) -> v.Value | None:
    place = index_of(low, expression.value, var)
    if place is not None:
        return having(place, place.values)
    inlined = low.inline(expression.value)
    if inlined is not None:
        return mask(low, m.IsNone(inlined), var)
    if isinstance(expression.value, m.If):
        then, other = (m.IsNone(x) for x in (expression.value.then, expression.value.other))
        return mask(low, m.If(expression.value.cond, then, other, type=an.BOOL), var)
    return None


def _flag(low: Lowering, expression: m.ReadCell, var: m.Var) -> v.Value | None:
    place = low.unit.lay.places[expression.cell]
    last = expression.keys[-1] if expression.keys else None
    if (
        place.form != "mask"
        or last is None
        or not is_read(last, var)
        or expression.cell.keys[-1].kind is None
    ):
        return None
    rest = expression.keys[:-1]
    if any(var in low.an.deps(k).vars for k in rest) or (
        len(rest) > 1 and any(low.an.maybe_none(k) for k in rest)
    ):
        return None
    return low.cell_slot(expression.cell.keys[:-1], rest, place.base, v.Mask(len(domain(var))))


def _meets(low: Lowering, expression: m.Count, var: m.Var) -> v.Value | None:
    """Return the mask of the members for which a constant set shares a member with a set that does
    not depend on them, or shares none.
    """
    if expression.op == "count":
        return None
    source = low.opened(expression.source)
    size = m.kind_of(source.type).size
    met: v.Value = const((1 << size) - 1)
    if isinstance(source, m.Filter):
        element = source.var
        source, tests = _one_filter(low, source)
        if any(var in low.an.deps(t).vars for t in tests):
            return None
        met = narrowed(low, met, element, tests)
    vector = low.an.vector(source, var, domain(var))
    if vector is None:
        return None
    table = low.unit.table(vector.map(lambda values: meeting(values, size)))
    x = v.RunValue("union_of", (v.TableValue(table), met), v.Mask(len(domain(var))))
    return x if expression.op == "some" else constant_folding.others(x, (1 << len(domain(var))) - 1)


_FORMS: dict[type, Callable[[Lowering, Any, m.Var], v.Value | None]] = {
    m.Compare: _compared,
    m.In: _membership,
    m.IsNone: _missing,
    m.ReadCell: _flag,
    m.Count: _meets,
}


def through(low: Lowering, expression: m.Expr, var: m.Var) -> v.Value | None:
    """Return the mask for a condition that depends on `var` only through one value.

    It finds the values for which the condition holds, then the members that have them.
    """
    term = only_term(low, expression, var)
    if term is None or not isinstance(term.type, m.MemberOf):
        return None
    fresh = m.Var("v", m.MemberOf(term.type.kind))
    inner = put_for(expression, term, m.Read(fresh))
    none = put_for(expression, term, m.Const(-1, type=m.MemberOf(term.type.kind, True)))
    at_none = low.an.settled(none)
    if at_none is None:
        return None
    met = mask(low, inner, fresh)
    if met is None:
        return None
    size, every = term.type.kind.size, v.Mask(len(domain(var)))
    whole = (1 << size) - 1
    met = (
        constant_folding.bits("&", [met, const(whole)])
        if known(met) is not None or constant_folding.complements(met)
        else met
    )
    vector = low.an.vector(term, var, domain(var))
    if vector is not None:
        missing = low.unit.pick(
            both(vector, at_none).map(lambda t: places(t[0], lambda y: y < 0) if t[1] else 0), every
        )
        return constant_folding.bits("|", [preimage(low.unit, vector, met, size, every), missing])
    assert isinstance(term, m.ReadCell)
    place = low.unit.lay.places[term.cell]
    inside = known(met)
    if inside is not None and inside.bit_count() <= _MAX_UNITED_SETS:
        x = constant_folding.bits("|", [having(place, y) for y in bits(inside)])
    else:
        x = v.RunValue("union", (const(place.index), met), every)
    return constant_folding.bits(
        "|", [x, constant_folding.either(low.unit.pick(at_none), having(place, place.values), ZERO)]
    )
