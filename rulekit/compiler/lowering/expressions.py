"""Lower checked expressions to values of the intermediate form: constants are folded, and queries
on sets become mask algebra.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind
from rulekit.compiler.lowering import constant_folding, evaluation_order
from rulekit.compiler.lowering.aggregates import aggregate, collect, first
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.filters import filtered
from rulekit.compiler.lowering.layout import Place
from rulekit.compiler.lowering.path_queries import ways
from rulekit.compiler.lowering.unit import (
    NONE,
    ZERO,
    Unit,
    const,
    having,
    known,
    number_at,
    parameters,
    reported,
    there,
    truthy,
    type_of,
    where,
)
from rulekit.compiler.semantics.values import void
from rulekit.runtime.slots import HERE


def row(low: Lowering, e: m.CallTable, before: int = 0) -> v.Value:
    """Lower the row of a table, which is -1 if a key is none.

    Args:
        before: the number of the first row.
    """
    t = e.table
    sizes = [len(t.ratios) if k is None else k.size for k in t.keys]
    terms: list[v.Value] = []
    present: list[v.Value] = []
    args = [low.val(a) for a in e.args]
    for key, clamp, a, x in zip(t.keys, t.clamps, e.args, args, strict=True):
        if key is None:
            pair = (x.num, x.den) if isinstance(x, v.Pair) else (v.Spread(x),)
            terms.append(
                v.RunValue(
                    "ratio_column",
                    (v.TableValue(low.unit.table(t.ratios)), v.TextValue(t.rounding), *pair),
                )
            )
        elif key.kind is not None:
            terms.append(x)
            if low.an.maybe_none(a):
                present.append(there(x))
        elif clamp:
            clamped = v.Extreme("min", (v.Extreme("max", (x, const(key.low))), const(key.high)))
            terms.append(v.ArithValue("-", clamped, const(key.low)))
        else:
            terms.append(v.RunValue("row", (x, const(key.low), const(key.high))))
    total = reported(
        low.unit, "looked", low.unit.index(t), number_at(0, sizes, terms), e.args, args
    )
    total = v.ArithValue("+", const(before), total) if before else total
    return where(present, total, NONE)


def lookup(low: Lowering, e: m.CallTable) -> v.Value:
    """Lower a result of a table.

    All its results together are one number, a record. This is the number of the row among the rows
    of all tables with the same results, or -1 if a key is none.
    """
    if e.output is not None:
        return column(low, e.table.data[e.output], e.type, row(low, e))
    alike = tables(low, e.type)
    return row(low, e, sum(len(t.data[0]) for t in alike[: alike.index(e.table)]))


def result(low: Lowering, e: m.FieldOf) -> v.Value:
    """Lower one result of a record, for example of an earlier lookup."""
    if isinstance(e.record, m.CallTable):
        return column(low, e.record.table.data[e.index], e.type, row(low, e.record))
    values = [value for t in tables(low, e.record.type) for value in t.data[e.index]]
    return column(low, values, e.type, low.val(e.record))


def tables(low: Lowering, record: m.Type) -> list[m.Table]:
    """Return the tables that have the results of this record."""
    return [t for t in low.unit.model.tables if m.Record(tuple(t.outputs)) == record]


def column(low: Lowering, values: Sequence[int], type: m.Type, at: v.Value) -> v.Value:
    return v.RowValue(low.unit.table([*values, m.empty(type)]), at, type_of(type))


def _given(type: m.Type) -> v.Type:
    """Return the type of the result of a function of a declaration. The result of a bool is 0 or
    1.
    """
    return v.NUMBER if isinstance(type, m.Bool) else type_of(type)


def looked_for(place: Place, member: v.Value) -> v.Value:
    """Return the value of a member that must not be none, where only one mask for each value
    exists.
    """
    x: v.Value = NONE
    for value in reversed(range(place.values)):
        x = v.IfValue(v.Has(having(place, value), member), const(value), x)
    return x


def over(unit: Unit, vars: Sequence[m.Var]) -> tuple[tuple[v.Local, ...], ExpressionLowering]:
    """Return the parameters of an emitted function for those of a declaration, and the context
    inside it.
    """
    params = parameters(vars)
    return params, ExpressionLowering(unit, dict(zip(vars, params, strict=True)))


class ExpressionLowering(Lowering):
    """Lowers expressions inside one emitted function.

    Attributes:
        env: the variables that are bound here. All others are frame variables.
    """

    def inside(self, env: Mapping[m.Var, v.Value]) -> ExpressionLowering:
        return ExpressionLowering(self.unit, env)

    def cond(self, e: m.Expr) -> v.Value:
        settled = self.an.settled(e)
        if settled is not None and not isinstance(e.type, m.Record):
            return self.unit.pick(settled, type_of(e.type))
        if self.loop and self._free_of_loop(e):
            return self._hoist(e)
        looked = self._looked_up(e)
        if looked is not None:
            return looked
        found = self.inline(e)
        if found is not None:
            return self.cond(found)
        if not self.an.deps(e).raises:
            return self.visit(e)
        return evaluation_order.lower_in_order(self, e)

    def _hoist(self, e: m.Expr) -> v.Value:
        loop, self.loop = self.loop, frozenset()
        x = self.cond(e)
        self.loop = loop
        if isinstance(x, (v.ConstValue, v.Local, v.FrameValue, v.Chosen)):
            return x
        held = self.before_loop(x)
        return v.Some(held) if truthy(x) else held

    on_call_table, on_field_of = lookup, result
    on_filter, on_collect, on_aggregate, on_first_by, on_ways = (
        filtered,
        collect,
        aggregate,
        first,
        ways,
    )

    # --------------------------------------------------------------------------------------- leaves
    def on_const(self, e: m.Const) -> v.Value:
        return const(e.value)

    def on_read(self, e: m.Read) -> v.Value:
        return self.read(e.var)

    def on_here(self, e: m.Here) -> v.Value:
        return v.SlotValue(HERE)

    def on_running(self, e: m.Running) -> v.Value:
        return v.Some(v.SlotValue(self.unit.lay.frames[e.proc].runs))

    def on_ratio_of(self, e: m.RatioOf) -> v.Value:
        return v.Pair(self.val(e.num), self.val(e.den))

    def there(self, given: Sequence[m.Expr], values: Sequence[v.Value]) -> list[v.Value]:
        """Return tests that a value is not none, for those values that may be none."""
        return [there(x) for e, x in zip(given, values, strict=True) if self.an.maybe_none(e)]

    def _present(self, keys: Sequence[m.Key], args: Sequence[m.Expr]) -> list[v.Value]:
        """Return tests that a key is not none, for those keys that may be none.

        A single key needs no test, because the entry at -1 is stored too.
        """
        if len(keys) <= 1:
            return []
        return [
            there(self.val(a))
            for k, a in zip(keys, args, strict=True)
            if k.kind is not None and self.an.maybe_none(a)
        ]

    def on_read_fixed(self, e: m.ReadFixed) -> v.Value:
        f = e.fixed
        tables = self.an.late[f] if f.late else Late((), (f.values,))
        missing = void(f.type)
        if all(x == missing for values in tables.values for x in values):
            return const(missing)
        ords = [self.ordinal(k, a) for k, a in zip(f.keys, e.keys, strict=True)]
        table = self.unit.table(tables.map(lambda values: (*values, missing)))
        x = v.RowValue(table, number_at(0, [k.size for k in f.keys], ords), type_of(f.type))
        return where(self._present(f.keys, e.keys), x, const(missing))

    def on_read_cell(self, e: m.ReadCell) -> v.Value:
        place = self.unit.lay.places[e.cell]
        if place.form == "mask":
            rows, keys = e.keys[:-1], e.cell.keys[:-1]
            row = self.cell_slot(keys, rows, place.base, v.Mask(e.cell.keys[-1].size))
            present = self._present(keys, rows)
            x = self.member_in(e.keys[-1], row, e.cell.keys[-1])
            return v.All((*present, x)) if present else x
        if place.form == "index":
            member = self.val(e.keys[0])
            x = looked_for(place, member)
            return (
                v.IfValue(v.CompareValue("<", member, ZERO), NONE, x)
                if self.an.maybe_none(e.keys[0])
                else x
            )
        present = self._present(e.cell.keys, e.keys)
        return where(
            present,
            self.cell_slot(e.cell.keys, e.keys, place.base, type_of(e.cell.type)),
            const(m.empty(e.cell.type)),
        )

    # ---------------------------------------------------------------------------------------- calls
    def on_call_define(self, e: m.CallDefine) -> v.Value:
        return self._call(FunctionKind.DEFINITION, e)

    def on_call_total(self, e: m.CallTotal) -> v.Value:
        return self._call(FunctionKind.TOTAL, e)

    def on_call_permit(self, e: m.CallPermit) -> v.Value:
        return self._call(FunctionKind.PERMIT, e)

    def _call(self, kind: FunctionKind, e: m.CallDefine | m.CallTotal | m.CallPermit) -> v.Value:
        return v.CallValue(
            self.unit.request(kind, e.target), tuple(self.val(a) for a in e.args), _given(e.type)
        )

    def on_applies_to(self, e: m.AppliesTo) -> v.Value:
        return evaluation_order.applied(
            self, e.target.params, e.args, an.clause_cond(e.clause), an.BOOL
        )

    def on_call_slot(self, e: m.CallSlot) -> v.Value:
        member = self.an.value(e.member)
        if member is not None:
            value = e.slot.of(member)
            if value is None:
                return const(void(e.type))
            return evaluation_order.applied(self, e.slot.params, e.args, value, e.type)
        table = self.unit.request(FunctionKind.SLOT, e.slot)
        given = [e.member, *e.args]
        member, *args = values = [self.val(a) for a in given]
        return where(
            self.there(given, values),
            v.CallOf(table, member, tuple(args), _given(e.type)),
            const(void(e.type)),
        )

    def on_reach_of(self, e: m.ReachOf) -> v.Value:
        return self._reach(e, FunctionKind.DESTINATIONS)

    def _reach(self, e: m.ReachOf, kind: FunctionKind) -> v.Value:
        function = self.unit.request(kind, e.movement)
        given = [*e.args, e.start]
        args = [self.val(a) for a in given]
        result = type_of(e.type) if kind is FunctionKind.DESTINATIONS else v.NUMBER
        x = v.CallValue(function, tuple(args), result)
        return where(self.there(given, args), x, ZERO)

    def on_could_be_in(self, e: m.CouldBeIn) -> v.Value:
        cell = e.pool.cell
        found = v.SlotValue(self.unit.lay.known[m.kind_of(cell.type)], type=type_of(cell.type))
        return v.RunValue(
            "could_be", (found, self.val(e.item), self.val(e.pool), const(bool(cell.seen))), v.FLAG
        )

    # ----------------------------------------------------------------------------- members and sets
    def member_in(self, item: m.Expr, mask: v.Value, key: m.Key | None = None) -> v.Value:
        """Return the test that a member or number is in a mask."""
        x = self.ordinal(key, item) if key is not None else self.val(item)
        return constant_folding.has(mask, x, self.an.maybe_none(item))

    def on_in(self, e: m.In) -> v.Value:
        return self.member_in(e.item, self.val(e.source))

    def on_make_set(self, e: m.MakeSet) -> v.Value:
        return constant_folding.bits("|", [self.mask_of(i) for i in e.items])

    def on_set_op(self, e: m.SetOp) -> v.Value:
        left, right = self.mask_of(e.left), self.mask_of(e.right)
        if e.op == "+":
            return constant_folding.bits("|", [left, right])
        whole = m.kind_of(e.type).all
        return constant_folding.bits("&", [left, constant_folding.others(right, whole)], whole)

    def on_count(self, e: m.Count) -> v.Value:
        if e.op == "count":
            return constant_folding.size(self.val(e.source))
        source = self.opened(e.source)
        if isinstance(source, m.If):  # only the selected set is evaluated
            sides = (
                m.Count(e.op, x, type=e.type, span=e.span) for x in (source.then, source.other)
            )
            return self.cond(m.If(source.cond, *sides, type=e.type, span=e.span))
        if isinstance(source, m.Filter):
            x = filtered(self, source, only_first=True)
        elif isinstance(source, m.ReachOf) and not self.an.deps(source).raises:
            x = self._reach(source, FunctionKind.HAS_DESTINATION)
        else:
            x = self.val(e.source)
        if isinstance(x, v.ConstValue):
            return const(bool(x.value) == (e.op == "some"))
        return v.Some(x) if e.op == "some" else v.NotValue(x)

    def on_the(self, e: m.The) -> v.Value:
        x = self.val(e.source)
        if isinstance(e.source.type, m.SetOf):
            return v.RunValue("the", (x,))
        if not self.an.maybe_none(e.source) and not isinstance(e.source.type, m.Int):
            return x
        return v.RunValue(
            "there", (x, const(-1 if isinstance(e.source.type, m.MemberOf) else m.NO_LIMIT))
        )

    # -------------------------------------------------------------------------------------- numbers
    def on_least(self, e: m.Least) -> v.Value:
        args = [self.val(a) for a in e.args]
        return where(self.there(e.args, args), v.Extreme(e.op, tuple(args)), NONE)

    def on_arith(self, e: m.Arith) -> v.Value:
        return constant_folding.arith(e.op, self.val(e.left), self.val(e.right))

    def on_in_range(self, e: m.InRange) -> v.Value:
        x = self.val(e.value)
        assert isinstance(e.type, m.Int)
        low, high, here = e.type.low, e.type.high, known(x)
        if here is not None and (here == m.NO_LIMIT or (low or 0) <= here <= (high or 0)):
            return x
        return v.RunValue(
            "held", (x, const(low), const(high), const(self.unit.lay.promises.index(e.what)))
        )

    def on_shift(self, e: m.Shift) -> v.Value:
        kind = m.kind_of(e.member.type)
        top = const(kind.size - 1)
        a, b = self.val(e.member), self.val(e.by)
        x = (
            v.RunValue("shift", (a, b, top))
            if self.an.maybe_none(e.member)
            else v.Extreme("min", (v.Extreme("max", (v.ArithValue("+", a, b), ZERO)), top))
        )
        return reported(self.unit, "shifted", self.unit.index(kind), x, [e.member, e.by], [a, b])

    # ---------------------------------------------------------------------------------------- tests
    def on_compare(self, e: m.Compare) -> v.Value:
        if isinstance(e.left.type, m.RatioT):
            return v.RunValue(
                "compare_ratios",
                (v.TextValue(constant_folding.PYTHON[e.op]), self.val(e.left), self.val(e.right)),
                v.FLAG,
            )
        inverse = self._by_index(e)
        if inverse is not None:
            return inverse
        if isinstance(e.left.type, m.Bool):
            return self._compare_bools(e)
        a, b = self.val(e.left), self.val(e.right)
        left, right = self.an.maybe_none(e.left), self.an.maybe_none(e.right)
        if left and right and e.op in ("=", "!="):
            return v.BothThere(constant_folding.PYTHON[e.op], a, b)
        return constant_folding.comparison(
            e.op, a, b, [x for x, missing in ((a, left), (b, right)) if missing and e.op != "="]
        )

    def _by_index(self, e: m.Compare) -> v.Value | None:
        """Lower cell(k) = v for a cell with one mask for each value."""
        for cell, other in ((e.left, e.right), (e.right, e.left)):
            if (
                e.op in ("=", "!=")
                and isinstance(cell, m.ReadCell)
                and self.unit.lay.places[cell.cell].form == "index"
                and not self.an.deps(e).raises
            ):
                place = self.unit.lay.places[cell.cell]
                y = self.val(other)
                if y == NONE:
                    return ZERO
                x = self.member_in(cell.keys[0], having(place, y))
                if e.op == "=":
                    return x
                elsewhere = self.member_in(cell.keys[0], v.Complement(having(place, place.values)))
                return v.All(
                    (v.NotValue(x), elsewhere, *([there(y)] if self.an.maybe_none(other) else []))
                )
        return None

    def _compare_bools(self, e: m.Compare) -> v.Value:
        a, b = self.cond(e.left), self.cond(e.right)
        for x, y in ((a, b), (b, a)):
            if isinstance(x, v.ConstValue):
                return y if bool(x.value) == (e.op == "=") else v.NotValue(y)
        return v.CompareValue("==" if e.op == "=" else "!=", v.NotValue(a), v.NotValue(b))

    def on_is_none(self, e: m.IsNone) -> v.Value:
        if isinstance(e.value, m.ReadCell) and self.unit.lay.places[e.value.cell].form == "index":
            place = self.unit.lay.places[e.value.cell]
            nowhere = having(place, place.values)
            if self.an.maybe_none(e.value.keys[0]):
                return v.NotValue(self.member_in(e.value.keys[0], v.Complement(nowhere)))
            return self.member_in(e.value.keys[0], nowhere)
        if isinstance(e.value.type, m.Int):
            return v.CompareValue("==", self.val(e.value), const(m.NO_LIMIT))
        if not isinstance(e.value.type, m.MemberOf) or not self.an.maybe_none(e.value):
            return ZERO
        if isinstance(e.value, m.FirstBy) and not any(self.an.deps(k).raises for k in e.value.keys):
            return self.on_count(m.Count("no", e.value.source, type=e.type))
        return v.CompareValue("<", self.val(e.value), ZERO)

    def on_between(self, e: m.Between) -> v.Value:
        low, value, high = (self.val(x) for x in (e.low, e.value, e.high))
        nullable = [
            x
            for x, part in zip((low, value, high), (e.low, e.value, e.high), strict=True)
            if self.an.maybe_none(part)
        ]
        return v.BetweenValue(low, value, high, tuple(nullable))

    def on_not(self, e: m.Not) -> v.Value:
        x = self.cond(e.value)
        if isinstance(x, v.ConstValue):
            return const(not x.value)
        return v.Some(x.value) if isinstance(x, v.NotValue) else v.NotValue(x)

    def on_and(self, e: m.And) -> v.Value:
        return self._join(e.items, v.All, 0)

    def on_or(self, e: m.Or) -> v.Value:
        return self._join(e.items, v.Any, 1)

    def _join(self, items: Sequence[m.Expr], joined: type[v.All | v.Any], stop: int) -> v.Value:
        found: list[v.Value] = []
        for item in items:
            x = self.cond(item)
            if isinstance(x, v.ConstValue):
                if bool(x.value) == bool(stop):
                    found.append(const(stop))
                    break
                continue
            found.append(x)
        if not found:
            return const(1 - stop)
        return found[0] if len(found) == 1 else joined(tuple(found))

    def on_if(self, e: m.If) -> v.Value:
        flag = isinstance(e.type, m.Bool)
        side = self.cond if flag else self.val
        return constant_folding.either(self.cond(e.cond), side(e.then), side(e.other), flag)

    def on_or_else(self, e: m.OrElse) -> v.Value:
        if isinstance(e.value.type, m.Int):
            return v.OrElseValue(self.val(e.value), self.val(e.other), m.NO_LIMIT)
        if not self.an.maybe_none(e.value):
            return self.val(e.value)
        return v.OrElseValue(self.val(e.value), self.val(e.other))
