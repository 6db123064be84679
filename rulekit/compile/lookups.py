"""Takes look-ups in tables, makes reads of their data: the row first, then the column of the result that is wanted."""

from __future__ import annotations

from rulekit.check import model as m
from rulekit.compile.expr import Expressions
from rulekit.compile.unit import X
from rulekit.compile.workings import told


def row(low: Expressions, e: m.CallTable) -> X:
    """The row of a table, -1 through a hole."""
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
    return X(f"{total} if {' and '.join(holes)} else -1" if holes else total)


def lookup(low: Expressions, e: m.CallTable) -> X:
    """A result of a table; the row itself if all its results are wanted."""
    at = row(low, e)
    return at if e.output is None else column(low, e.table, e.output, at)


def column(low: Expressions, t: m.Table, output: int, at: X) -> X:
    return X(f"{low.unit.table([*t.data[output], m.empty(t.outputs[output][1])])}[{at.text}]", atom=True)


def result(low: Expressions, e: m.FieldOf) -> X:
    """A result of a row that was looked up before."""
    if isinstance(e.record, m.CallTable):
        return column(low, e.record.table, e.index, low.val(e.record))
    assert isinstance(e.record, m.Read), "a record is a table's or a variable's"
    return column(low, low.unit.lay.records[e.record.var], e.index, low.read(e.record.var))
