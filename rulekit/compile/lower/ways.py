"""Takes a question about ways over borders, makes the function that looks for it, layer by layer; over the same borders in the whole game
the layers around each place are a table."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import model as m
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.lower.lowering import Lowering
from rulekit.compile.lower.unit import ZERO, conj, const, known, there, type_of
from rulekit.meaning.values import layers

_KEPT = 400  # places around which layers are kept
_A, _B, _Z, _N = (v.Local(x) for x in ("a", "b", "z", "n"))


def ways(low: Lowering, e: m.Ways) -> v.Value:
    """A call of the function; from none, and to none, nothing is looked for."""
    assert isinstance(e.start.type, m.MemberOf) and isinstance(e.borders.type, m.SetOf)
    place, border = e.start.type.kind, e.borders.type.kind
    parts = (e.start, e.by, e.borders, e.through)
    given = [low.val(x) for x in parts]
    params = [v.Local(name, type_of(x.type)) for name, x in zip(("st", "by", "over", "through"), parts, strict=True)]
    start, by, over, through = params
    free = known(given[3]) == place.all
    kept = free and known(given[2]) is not None and e.op == "nearest" and place.size <= _KEPT
    if kept:
        around = [tuple(enumerate(layers(border.arcs, at, known(given[2]), place.all))) for at in range(place.size)]
        body = _among_layers(low.unit.table([*around, ()]), start, by)
    else:
        rows = [[(b, z) for b, a, z in border.arcs if a == at and _may(given[2], b)] for at in range(place.size)]
        stays = None if free else v.Bits("|", through, v.Bit(start, through.type))
        body = _flood(e.op, _step(low, rows, None if known(given[2]) is not None else over, place), place, start, by, stays)
    used = [(p, x) for p, x in zip(params, given, strict=True)
            if p not in (over, through) or (p == over and known(x) is None) or (p == through and not free)]
    title = low.unit.helper([p for p, _ in used], tuple(body), e.span)
    found = v.Call(title, tuple(x for _, x in used), type_of(e.type))
    missing = [there(x) for part, x in ((e.start, given[0]), (e.by, given[1])) if low.an.maybe_none(part)]
    return v.If(conj(missing), found, const(m.NO_LIMIT) if e.op == "distance" else ZERO) if missing else found


def _may(borders: v.Value, b: int) -> bool:
    mask = known(borders)
    return mask is None or bool(mask >> b & 1)


def _among_layers(table: str, start: v.Local, by: v.Local) -> list[c.Stmt]:
    """The first layer in which some of them lie."""
    layer = v.Local("layer", by.type)
    both = v.Bits("&", layer, by)
    return [c.ForRows((_N, layer), table, start, (c.If(v.Some(both), (c.Give(both),)),)), c.Give(ZERO)]


def _step(low: Lowering, rows: list[list[tuple[int, int]]], over: v.Local | None, place: m.Kind) -> c.Stmt:
    """Adds to what is further on all that lies beside the place a. `over`: over which borders; None: over all in the rows."""
    mask = v.Mask(place.size)
    further = v.Local("further", mask)
    if over is None:
        beside = low.unit.table([*(sum({1 << z for _, z in row}) for row in rows), 0])
        return c.Assign(further, v.Row(beside, _A, mask), "|=")
    add = c.Assign(further, v.Bit(_Z, mask), "|=")
    return c.ForRows((_B, _Z), low.unit.table([*map(tuple, rows), ()]), _A, (c.If(v.Has(over, _B), (add,)),))


def _flood(op: str, step: c.Stmt, place: m.Kind, start: v.Local, by: v.Local, stays: v.Value | None) -> list[c.Stmt]:
    """Layer after layer. `step`: from the place a. `stays`: what is left again on the way; None: all."""
    mask = v.Mask(place.size)
    layer, seen, further = (v.Local(x, mask) for x in ("layer", "seen", "further"))
    both = v.Bits("&", layer, by)
    found: dict[str, list[c.Stmt]] = {
        "distance": [c.If(v.Has(layer, by), (c.Give(_N),))],
        "nearest": [c.If(v.Some(both), (c.Give(both),))],
        "within": [],
    }
    leaving = layer if stays is None else v.Bits("&", layer, stays)
    body: Sequence[c.Stmt] = [
        *found[op],
        c.Assign(further, ZERO),
        c.ForMembers(_A, leaving, (step,)),
        c.Assign(layer, v.Bits("&", further, v.Complement(seen))),
        c.If(v.Not(v.Some(layer)), (c.Break(),)),
        c.Assign(seen, layer, "|="),
    ]
    rounds = v.Extreme("min", (by, const(place.size))) if op == "within" else const(place.size)
    end = {"distance": const(m.NO_LIMIT), "nearest": ZERO}.get(op, seen)
    first = v.Bit(start, mask)
    nothing = [c.If(v.Compare("<", by, ZERO), (c.Give(ZERO),))] if op == "within" else []
    return [*nothing, c.Assign(layer, first), c.Assign(seen, first), c.ForRange(_N, ZERO, rounds, tuple(body)), c.Give(end)]



