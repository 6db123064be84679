"""Lower queries of paths over borders to functions that search layer by layer."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.unit import ZERO, const, known, there, type_of, where

_A, _B, _Z, _N = (v.Local(x) for x in ("a", "b", "z", "n"))


def ways(low: Lowering, expression: m.Ways) -> v.Value:
    """Lower a path query to a call. If an operand is none, there is no search."""
    assert isinstance(expression.start.type, m.MemberOf) and isinstance(
        expression.borders.type, m.SetOf
    )
    place, border = expression.start.type.kind, expression.borders.type.kind
    parts = (expression.start, expression.by, expression.borders, expression.through)
    given = [low.val(x) for x in parts]
    names = ("st", "by", "over", "through")
    start, by, *sets = (
        v.Local(name, type_of(part.type)) for name, part in zip(names, parts, strict=True)
    )
    over, through = (
        x if isinstance(x, v.ConstValue) else p for p, x in zip(sets, given[2:], strict=True)
    )
    taken = [
        (p, x)
        for p, x in zip((start, by, over, through), given, strict=True)
        if isinstance(p, v.Local)
    ]
    stays = constant_folding.bits(
        "|", [through, v.Bit(start, type_of(expression.through.type))], place.all
    )
    body = _flood(expression.op, _step(low, border, over, place), place, start, by, stays)
    found = v.CallValue(
        low.unit.helper([p for p, _ in taken], tuple(body), expression.span),
        tuple(x for _, x in taken),
        type_of(expression.type),
    )
    missing = [
        there(x)
        for part, x in ((expression.start, given[0]), (expression.by, given[1]))
        if low.an.maybe_none(part)
    ]
    return where(missing, found, const(m.NO_LIMIT) if expression.op == "distance" else ZERO)


def _step(low: Lowering, border: m.Kind, over: v.Value, place: m.Kind) -> c.Stmt:
    """Add all places that are one of some borders away from the place a to `further`."""
    mask, sure = v.Mask(place.size), known(over)
    further = v.Local("further", mask)
    rows = [
        [(b, z) for b, a, z in border.arcs if a == at and (sure is None or sure >> b & 1)]
        for at in range(place.size)
    ]
    if sure is not None:
        beside = low.unit.table([*(sum({1 << z for _, z in row}) for row in rows), 0])
        return c.Assign(further, v.RowValue(beside, _A, mask), "|=")
    add = c.Assign(further, v.Bit(_Z, mask), "|=")
    return c.ForRows(
        (_B, _Z),
        low.unit.table([*map(tuple, rows), ()]),
        _A,
        (c.IfStatement(v.Has(over, _B), (add,)),),
    )


def _flood(
    op: str, step: c.Stmt, place: m.Kind, start: v.Local, by: v.Local, stays: v.Value
) -> list[c.Stmt]:
    """Return a search layer by layer.

    Args:
        step: the statement that expands the place a.
        stays: the places from which the search may continue.
    """
    mask = v.Mask(place.size)
    layer, seen, further = (v.Local(x, mask) for x in ("layer", "seen", "further"))
    both = v.Bits("&", layer, by)
    found: dict[str, list[c.Stmt]] = {
        "distance": [c.IfStatement(v.Has(layer, by), (c.Give(_N),))],
        "nearest": [c.IfStatement(v.Some(both), (c.Give(both),))],
        "within": [],
    }
    body: Sequence[c.Stmt] = [
        *found[op],
        c.Assign(further, ZERO),
        c.ForMembers(_A, constant_folding.bits("&", [layer, stays], place.all), (step,)),
        c.Assign(layer, v.Bits("&", further, v.Complement(seen))),
        c.IfStatement(v.NotValue(v.Some(layer)), (c.Break(),)),
        c.Assign(seen, layer, "|="),
    ]
    rounds = v.Extreme("min", (by, const(place.size))) if op == "within" else const(place.size)
    end = {"distance": const(m.NO_LIMIT), "nearest": ZERO}.get(op, seen)
    first = v.Bit(start, mask)
    nothing = (
        [c.IfStatement(v.CompareValue("<", by, ZERO), (c.Give(ZERO),))] if op == "within" else []
    )
    return [
        *nothing,
        c.Assign(layer, first),
        c.Assign(seen, first),
        c.ForRange(_N, ZERO, rounds, tuple(body)),
        c.Give(end),
    ]
