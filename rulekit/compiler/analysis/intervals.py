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

    def body_of(self, definition: m.Define | m.Total | m.Permit) -> m.Expr: ...


class ExprBounds(m.ExprVisitor[[], Ends], whole=False):
    """Computes bounds from the form of an expression.

    Nothing is known of a variable, because the value that it receives is not limited to its range.
    """

    def __init__(self, an: Bodies) -> None:
        self.an = an
        self.memory: Memory = defaultdict(dict)

    @partial(once, meanwhile=ANY)
    def of(self, expression: m.Expr) -> Ends:
        """Return the bounds of a number."""
        return self.visit(expression) if expression.__class__ in self.methods else ANY

    def within(self, expression: m.Expr, low: int, high: int) -> bool:
        """Return True if the value certainly lies in this range."""
        least, greatest = self.of(expression)
        return low <= least and greatest <= high

    # ---------------------------------------------------------------------------------------- nodes
    def on_const(self, expression: m.Const) -> Ends:
        return (expression.value, expression.value) if isinstance(expression.value, int) else ANY

    def on_read_cell(self, expression: m.ReadCell) -> Ends:
        type = expression.cell.type
        if not isinstance(type, m.Int) or type.low is None or type.high is None:
            return ANY
        return min(type.low, 0), max(type.high, 0)  # 0 if a key is none

    def on_read_fixed(self, expression: m.ReadFixed) -> Ends:
        tables = (
            self.an.late[expression.fixed].values
            if expression.fixed.late
            else (expression.fixed.values,)
        )
        values = [v for table in tables for v in table]
        return (
            (min(0, *values), max(0, *values))
            if values and all(isinstance(v, int) for v in values)
            else ANY
        )

    def on_call_table(self, expression: m.CallTable | m.FieldOf) -> Ends:
        call = expression if isinstance(expression, m.CallTable) else expression.record
        column = expression.output if isinstance(expression, m.CallTable) else expression.index
        if not isinstance(call, m.CallTable) or column is None:
            return ANY
        return min(0, *call.table.data[column]), max(0, *call.table.data[column])

    on_field_of = on_call_table

    def on_call_define(self, expression: m.CallDefine | m.CallTotal) -> Ends:
        return around([self.of(self.an.body_of(expression.target)), (0, 0)])

    on_call_total = on_call_define

    def on_count(self, expression: m.Count) -> Ends:
        return 0, m.kind_of(expression.source.type).size

    def on_aggregate(self, expression: m.Aggregate) -> Ends:
        low, high = around([self.of(expression.value), (0, 0)])
        times = m.kind_of(expression.source.type).size if expression.op == "sum" else 1
        return low * times, high * times

    def on_least(self, expression: m.Least) -> Ends:
        lows, highs = zip(*map(self.of, expression.args), strict=True)
        return LEAST[expression.op](lows), LEAST[expression.op](highs)

    def on_arith(self, expression: m.Arith) -> Ends:
        a, b = self.of(expression.left), self.of(expression.right)
        if expression.op in ("up", "down") and b[0] <= 0:
            return ANY
        ends = [ARITH[expression.op](x, y) for x in a for y in b]
        return min(ends), max(ends)

    def on_if(self, expression: m.If) -> Ends:
        return around([self.of(expression.then), self.of(expression.other)])
