"""Bounds of numeric expressions that hold in every state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Protocol

from rulekit.compiler import model as m
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.analysis.memo import Memory, once
from rulekit.compiler.semantics.values import ARITH, LEAST

Ends = tuple[int, int]
FAR = 1 << 60  # beyond any number of a game
ANY = (-FAR, FAR)


def around(intervals: Iterable[Ends]) -> Ends:
    """Return the bounds of a value that is one of several."""
    ends = list(intervals)
    return min(low for low, _ in ends), max(high for _, high in ends)


class Bodies(Protocol):
    """The part of an analysis that is needed here: late-bound constants, and definitions and totals
    as expressions.
    """

    late: dict[m.Fixed, Late]

    def body_of(self, t: m.Define | m.Total | m.Permit) -> m.Expr: ...


class ExprBounds(m.ExprVisitor[[], Ends], whole=False):
    """Computes bounds from the form of an expression.

    Nothing is known of a variable, because the value that it receives is not limited to its range.
    """

    def __init__(self, an: Bodies) -> None:
        self.an = an
        self.memory: Memory = defaultdict(dict)

    @partial(once, meanwhile=ANY)
    def of(self, e: m.Expr) -> Ends:
        """Return the bounds of a number."""
        return self.visit(e) if e.__class__ in self.methods else ANY

    def within(self, e: m.Expr, low: int, high: int) -> bool:
        """Return True if the value certainly lies in this range."""
        least, greatest = self.of(e)
        return low <= least and greatest <= high

    # ---------------------------------------------------------------------------------------- nodes
    def on_const(self, e: m.Const) -> Ends:
        return (e.value, e.value) if isinstance(e.value, int) else ANY

    def on_read_cell(self, e: m.ReadCell) -> Ends:
        type = e.cell.type
        if not isinstance(type, m.Int) or type.low is None or type.high is None:
            return ANY
        return min(type.low, 0), max(type.high, 0)  # 0 if a key is none

    def on_read_fixed(self, e: m.ReadFixed) -> Ends:
        tables = self.an.late[e.fixed].values if e.fixed.late else (e.fixed.values,)
        values = [v for table in tables for v in table]
        return (
            (min(0, *values), max(0, *values))
            if values and all(isinstance(v, int) for v in values)
            else ANY
        )

    def on_call_table(self, e: m.CallTable | m.FieldOf) -> Ends:
        call = e if isinstance(e, m.CallTable) else e.record
        column = e.output if isinstance(e, m.CallTable) else e.index
        if not isinstance(call, m.CallTable) or column is None:
            return ANY
        return min(0, *call.table.data[column]), max(0, *call.table.data[column])

    on_field_of = on_call_table

    def on_call_define(self, e: m.CallDefine | m.CallTotal) -> Ends:
        return around([self.of(self.an.body_of(e.target)), (0, 0)])

    on_call_total = on_call_define

    def on_count(self, e: m.Count) -> Ends:
        return 0, m.kind_of(e.source.type).size

    def on_aggregate(self, e: m.Aggregate) -> Ends:
        low, high = around([self.of(e.value), (0, 0)])
        times = m.kind_of(e.source.type).size if e.op == "sum" else 1
        return low * times, high * times

    def on_least(self, e: m.Least) -> Ends:
        lows, highs = zip(*map(self.of, e.args), strict=True)
        return LEAST[e.op](lows), LEAST[e.op](highs)

    def on_arith(self, e: m.Arith) -> Ends:
        a, b = self.of(e.left), self.of(e.right)
        if e.op in ("up", "down") and b[0] <= 0:
            return ANY
        ends = [ARITH[e.op](x, y) for x in a for y in b]
        return min(ends), max(ends)

    def on_if(self, e: m.If) -> Ends:
        return around([self.of(e.then), self.of(e.other)])
