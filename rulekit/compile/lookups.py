"""Takes look-ups in tables, makes reads of their data: the row first, then the column of the result that is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import model as m
from rulekit.compile.expr import Expressions
from rulekit.compile.unit import X
from rulekit.compile.workings import told


def row(low: Expressions, e: m.CallTable, before: int = 0) -> X:
    """The row of a table, -1 through a hole. `before`: from which number on its rows are counted."""
    t = e.table
    sizes = [len(t.ratios) if k is None else k.size for k in t.keys]
    terms, holes, args = [], [], []
    for i, (key, a) in enumerate(zip(t.keys, e.args, strict=True)):
        x = low.val(a)
        args.append(x.text)
        if key is None:
            pair = x.text[1:-1] if isinstance(a, m.RatioOf) else f"*{x.text}"
            text = f"ratio_column({low.unit.table(t.ratios)}, {t.rounding!r}, {pair})"
        elif key.kind is not None:
            text = x.p
            if low.an.maybe_none(a):
                holes.append(f"{x.p} >= 0")
        elif t.clamps[i]:
            text = f"(min(max({x.text}, {key.low}), {key.high}) - {key.low})"
        else:
            text = f"row({x.text}, {key.low}, {key.high})"
        stride = 1
        for later in sizes[i + 1:]:
            stride *= later
        terms.append(text if stride == 1 else f"{text}*{stride}")
    total = told(low.unit, "looked", low.unit.index(t), " + ".join(terms) or "0", e.args, args)
    total = f"{before} + {total}" if before else total
    return X(f"{total} if {' and '.join(holes)} else -1" if holes else total)


def lookup(low: Expressions, e: m.CallTable) -> X:
    """A result of a table. All its results are one number, a record: the place of the row among the rows of all tables that have such
    results, -1 through a hole."""
    if e.output is not None:
        return column(low, e.table.data[e.output], e.type, row(low, e))
    alike = tables(low, e.type)
    return row(low, e, sum(len(t.data[0]) for t in alike[:alike.index(e.table)]))


def result(low: Expressions, e: m.FieldOf) -> X:
    """A result of a record, e.g. of one that was looked up before."""
    if isinstance(e.record, m.CallTable):
        return column(low, e.record.table.data[e.index], e.type, row(low, e.record))
    values = [value for t in tables(low, e.record.type) for value in t.data[e.index]]
    return column(low, values, e.type, low.val(e.record))


def tables(low: Expressions, record: m.Type) -> list[m.Table]:
    """The tables that have such results."""
    return [t for t in low.unit.model.tables if m.Record(tuple(t.outputs)) == record]


def column(low: Expressions, values: Sequence[int], type: m.Type, at: X) -> X:
    return X(f"{low.unit.table([*values, m.empty(type)])}[{at.text}]", atom=True)
