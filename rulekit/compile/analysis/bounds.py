"""Takes an expression that is a number, makes the least and the greatest value that it may have, whatever the state is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Protocol

from rulekit import model as m
from rulekit.compile.analysis.late import Late

Ends = tuple[int, int]
FAR = 1 << 60  # farther than any number of a game
ANY = (-FAR, FAR)


def around(all: Iterable[Ends]) -> Ends:
    """The bounds of what is one of several."""
    ends = list(all)
    return min(low for low, _ in ends), max(high for _, high in ends)


class Bodies(Protocol):
    """What is asked of an analysis: the values of each late fixed, definitions and totals as expressions."""

    late: dict[m.Fixed, Late]

    def body_of(self, t: m.Define | m.Total | m.Permit) -> m.Expr: ...


class Bounds:
    """Bounds by the form of the expression. Of a variable nothing is known: what it is given is not held to its range."""

    def __init__(self, an: Bodies) -> None:
        self.an = an
        self.memo: dict[int, tuple[object, Ends]] = {}

    def of(self, e: m.Expr) -> Ends:
        known = self.memo.get(id(e))
        if known is None:
            self.memo[id(e)] = (e, ANY)
            method = self._by_class.get(e.__class__)
            known = self.memo[id(e)] = (e, method(self, e) if method is not None else ANY)
        return known[1]

    def within(self, e: m.Expr, low: int, high: int) -> bool:
        """Is the value surely in this range?"""
        least, greatest = self.of(e)
        return low <= least and greatest <= high

    # -------------------------------------------------------------------------------- nodes
    def _const(self, e: m.Const) -> Ends:
        return (e.value, e.value) if isinstance(e.value, int) else ANY

    def _cell(self, e: m.ReadCell) -> Ends:
        type = e.cell.type
        if not isinstance(type, m.Int) or type.low is None or type.high is None:
            return ANY
        return min(type.low, 0), max(type.high, 0)  # 0 through a hole

    def _fixed(self, e: m.ReadFixed) -> Ends:
        tables = self.an.late[e.fixed].values if e.fixed.late else (e.fixed.values,)
        values = [v for table in tables for v in table]
        return (min(0, *values), max(0, *values)) if values and all(isinstance(v, int) for v in values) else ANY

    def _table(self, e: m.CallTable | m.FieldOf) -> Ends:
        call = e if isinstance(e, m.CallTable) else e.record
        column = e.output if isinstance(e, m.CallTable) else e.index
        if not isinstance(call, m.CallTable) or column is None:
            return ANY
        return min(0, *call.table.data[column]), max(0, *call.table.data[column])

    def _call(self, e: m.CallDefine | m.CallTotal) -> Ends:
        return around([self.of(self.an.body_of(e.target)), (0, 0)])

    def _count(self, e: m.Count) -> Ends:
        return (0, e.source.type.kind.size) if isinstance(e.source.type, m.SetOf) else ANY

    def _aggregate(self, e: m.Aggregate) -> Ends:
        low, high = around([self.of(e.value), (0, 0)])
        if e.op != "sum" or not isinstance(e.source.type, m.SetOf):
            return low, high
        return low * e.source.type.kind.size, high * e.source.type.kind.size

    def _least(self, e: m.Least) -> Ends:
        choose = min if e.op == "min" else max
        found = [self.of(a) for a in e.args]
        return choose(low for low, _ in found), choose(high for _, high in found)

    def _arith(self, e: m.Arith) -> Ends:
        a, b = self.of(e.left), self.of(e.right)
        if e.op == "+":
            return a[0] + b[0], a[1] + b[1]
        if e.op == "-":
            return a[0] - b[1], a[1] - b[0]
        if e.op in ("up", "down") and b[0] <= 0:
            return ANY
        ends = [x * y if e.op == "*" else -(-x // y) if e.op == "up" else x // y for x in a for y in b]
        return min(ends), max(ends)

    def _if(self, e: m.If) -> Ends:
        return around([self.of(e.then), self.of(e.other)])

    _by_class: ClassVar[dict[type, Callable[[Any, Any], Ends]]] = {
        m.Const: _const, m.ReadCell: _cell, m.ReadFixed: _fixed, m.CallTable: _table, m.FieldOf: _table, m.CallDefine: _call,
        m.CallTotal: _call, m.Count: _count, m.Aggregate: _aggregate, m.Least: _least, m.Arith: _arith, m.If: _if,
    }
