"""Takes look-ups in tables, makes reads of their data: the row first, then the column of the result that is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import model as m
from rulekit.compile.ir import values as v
from rulekit.compile.lower.lowering import Lowering
from rulekit.compile.lower.unit import NONE, conj, const, number_at, there, type_of
from rulekit.compile.lower.workings import told


def row(low: Lowering, e: m.CallTable, before: int = 0) -> v.Value:
    """The row of a table, -1 through a hole. `before`: from which number on its rows are counted."""
    t = e.table
    sizes = [len(t.ratios) if k is None else k.size for k in t.keys]
    terms: list[v.Value] = []
    holes: list[v.Value] = []
    args: list[v.Value] = []
    for i, (key, a) in enumerate(zip(t.keys, e.args, strict=True)):
        x = low.val(a)
        args.append(x)
        if key is None:
            pair = (x.num, x.den) if isinstance(x, v.Pair) else (v.Spread(x),)
            terms.append(v.Run("ratio_column", (v.Table(low.unit.table(t.ratios)), v.Text(t.rounding), *pair)))
        elif key.kind is not None:
            terms.append(x)
            if low.an.maybe_none(a):
                holes.append(there(x))
        elif t.clamps[i]:
            clamped = v.Extreme("min", (v.Extreme("max", (x, const(key.low))), const(key.high)))
            terms.append(v.Arith("-", clamped, const(key.low)))
        else:
            terms.append(v.Run("row", (x, const(key.low), const(key.high))))
    total = told(low.unit, "looked", low.unit.index(t), number_at(0, sizes, terms), e.args, args)
    total = v.Arith("+", const(before), total) if before else total
    return v.If(conj(holes), total, NONE) if holes else total


def lookup(low: Lowering, e: m.CallTable) -> v.Value:
    """A result of a table. All its results are one number, a record: the place of the row among the rows of all tables that have such
    results, -1 through a hole."""
    if e.output is not None:
        return column(low, e.table.data[e.output], e.type, row(low, e))
    alike = tables(low, e.type)
    return row(low, e, sum(len(t.data[0]) for t in alike[:alike.index(e.table)]))


def result(low: Lowering, e: m.FieldOf) -> v.Value:
    """A result of a record, e.g. of one that was looked up before."""
    if isinstance(e.record, m.CallTable):
        return column(low, e.record.table.data[e.index], e.type, row(low, e.record))
    values = [value for t in tables(low, e.record.type) for value in t.data[e.index]]
    return column(low, values, e.type, low.val(e.record))


def tables(low: Lowering, record: m.Type) -> list[m.Table]:
    """The tables that have such results."""
    return [t for t in low.unit.model.tables if m.Record(tuple(t.outputs)) == record]


def column(low: Lowering, values: Sequence[int], type: m.Type, at: v.Value) -> v.Value:
    return v.Row(low.unit.table([*values, m.empty(type)]), at, type_of(type))
