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


def row(low: Lowering, expression: m.CallTable, before: int = 0) -> v.Value:
    """Lower the row of a table, which is -1 if a key is none.

    Args:
        before: the number of the first row.
    """
    t = expression.table
    sizes = [len(t.ratios) if k is None else k.size for k in t.keys]
    terms: list[v.Value] = []
    present: list[v.Value] = []
    args = [low.val(a) for a in expression.args]
    for key, clamp, a, x in zip(t.keys, t.clamps, expression.args, args, strict=True):
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
        low.unit, "looked", low.unit.index(t), number_at(0, sizes, terms), expression.args, args
    )
    total = v.ArithValue("+", const(before), total) if before else total
    return where(present, total, NONE)


def lookup(low: Lowering, expression: m.CallTable) -> v.Value:
    """Lower a result of a table.

    All its results together are one number, a record. This is the number of the row among the rows
    of all tables with the same results, or -1 if a key is none.
    """
    if expression.output is not None:
        return column(
            low, expression.table.data[expression.output], expression.type, row(low, expression)
        )
    alike = tables(low, expression.type)
    return row(low, expression, sum(len(t.data[0]) for t in alike[: alike.index(expression.table)]))


def result(low: Lowering, expression: m.FieldOf) -> v.Value:
    """Lower one result of a record, for example of an earlier lookup."""
    if isinstance(expression.record, m.CallTable):
        return column(
            low,
            expression.record.table.data[expression.index],
            expression.type,
            row(low, expression.record),
        )
    values = [
        value for t in tables(low, expression.record.type) for value in t.data[expression.index]
    ]
    return column(low, values, expression.type, low.val(expression.record))


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

    def cond(self, expression: m.Expr) -> v.Value:
        settled = self.an.settled(expression)
        if settled is not None and not isinstance(expression.type, m.Record):
            return self.unit.pick(settled, type_of(expression.type))
        if self.loop and self._free_of_loop(expression):
            return self._hoist(expression)
        looked = self._looked_up(expression)
        if looked is not None:
            return looked
        found = self.inline(expression)
        if found is not None:
            return self.cond(found)
        if not self.an.deps(expression).raises:
            return self.visit(expression)
        return evaluation_order.lower_in_order(self, expression)

    def _hoist(self, expression: m.Expr) -> v.Value:
        loop, self.loop = self.loop, frozenset()
        x = self.cond(expression)
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
    def on_const(self, expression: m.Const) -> v.Value:
        return const(expression.value)

    def on_read(self, expression: m.Read) -> v.Value:
        return self.read(expression.var)

    def on_here(self, expression: m.Here) -> v.Value:
        return v.SlotValue(HERE)

    def on_running(self, expression: m.Running) -> v.Value:
        return v.Some(v.SlotValue(self.unit.lay.frames[expression.proc].runs))

    def on_ratio_of(self, expression: m.RatioOf) -> v.Value:
        return v.Pair(self.val(expression.num), self.val(expression.den))

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

    def on_read_fixed(self, expression: m.ReadFixed) -> v.Value:
        f = expression.fixed
        tables = self.an.late[f] if f.late else Late((), (f.values,))
        missing = void(f.type)
        if all(x == missing for values in tables.values for x in values):
            return const(missing)
        ords = [self.ordinal(k, a) for k, a in zip(f.keys, expression.keys, strict=True)]
        table = self.unit.table(tables.map(lambda values: (*values, missing)))
        x = v.RowValue(table, number_at(0, [k.size for k in f.keys], ords), type_of(f.type))
        return where(self._present(f.keys, expression.keys), x, const(missing))

    def on_read_cell(self, expression: m.ReadCell) -> v.Value:
        place = self.unit.lay.places[expression.cell]
        if place.form == "mask":
            rows, keys = expression.keys[:-1], expression.cell.keys[:-1]
            row = self.cell_slot(keys, rows, place.base, v.Mask(expression.cell.keys[-1].size))
            present = self._present(keys, rows)
            x = self.member_in(expression.keys[-1], row, expression.cell.keys[-1])
            return v.All((*present, x)) if present else x
        if place.form == "index":
            member = self.val(expression.keys[0])
            x = looked_for(place, member)
            return (
                v.IfValue(v.CompareValue("<", member, ZERO), NONE, x)
                if self.an.maybe_none(expression.keys[0])
                else x
            )
        present = self._present(expression.cell.keys, expression.keys)
        return where(
            present,
            self.cell_slot(
                expression.cell.keys, expression.keys, place.base, type_of(expression.cell.type)
            ),
            const(m.empty(expression.cell.type)),
        )

    # ---------------------------------------------------------------------------------------- calls
    def on_call_define(self, expression: m.CallDefine) -> v.Value:
        return self._call(FunctionKind.DEFINITION, expression)

    def on_call_total(self, expression: m.CallTotal) -> v.Value:
        return self._call(FunctionKind.TOTAL, expression)

    def on_call_permit(self, expression: m.CallPermit) -> v.Value:
        return self._call(FunctionKind.PERMIT, expression)

    def _call(
        self, kind: FunctionKind, expression: m.CallDefine | m.CallTotal | m.CallPermit
    ) -> v.Value:
        return v.CallValue(
            self.unit.request(kind, expression.target),
            tuple(self.val(a) for a in expression.args),
            _given(expression.type),
        )

    def on_applies_to(self, expression: m.AppliesTo) -> v.Value:
        return evaluation_order.applied(
            self,
            expression.target.params,
            expression.args,
            an.clause_cond(expression.clause),
            an.BOOL,
        )

    def on_call_slot(self, expression: m.CallSlot) -> v.Value:
        member = self.an.value(expression.member)
        if member is not None:
            value = expression.slot.of(member)
            if value is None:
                return const(void(expression.type))
            return evaluation_order.applied(
                self, expression.slot.params, expression.args, value, expression.type
            )
        table = self.unit.request(FunctionKind.SLOT, expression.slot)
        given = [expression.member, *expression.args]
        member, *args = values = [self.val(a) for a in given]
        return where(
            self.there(given, values),
            v.CallOf(table, member, tuple(args), _given(expression.type)),
            const(void(expression.type)),
        )

    def on_reach_of(self, expression: m.ReachOf) -> v.Value:
        return self._reach(expression, FunctionKind.DESTINATIONS)

    def _reach(self, expression: m.ReachOf, kind: FunctionKind) -> v.Value:
        function = self.unit.request(kind, expression.movement)
        given = [*expression.args, expression.start]
        args = [self.val(a) for a in given]
        result = type_of(expression.type) if kind is FunctionKind.DESTINATIONS else v.NUMBER
        x = v.CallValue(function, tuple(args), result)
        return where(self.there(given, args), x, ZERO)

    def on_could_be_in(self, expression: m.CouldBeIn) -> v.Value:
        cell = expression.pool.cell
        found = v.SlotValue(self.unit.lay.known[m.kind_of(cell.type)], type=type_of(cell.type))
        return v.RunValue(
            "could_be",
            (found, self.val(expression.item), self.val(expression.pool), const(bool(cell.seen))),
            v.FLAG,
        )

    # ----------------------------------------------------------------------------- members and sets
    def member_in(self, item: m.Expr, mask: v.Value, key: m.Key | None = None) -> v.Value:
        """Return the test that a member or number is in a mask."""
        x = self.ordinal(key, item) if key is not None else self.val(item)
        return constant_folding.has(mask, x, self.an.maybe_none(item))

    def on_in(self, expression: m.In) -> v.Value:
        return self.member_in(expression.item, self.val(expression.source))

    def on_make_set(self, expression: m.MakeSet) -> v.Value:
        return constant_folding.bits("|", [self.mask_of(i) for i in expression.items])

    def on_set_op(self, expression: m.SetOp) -> v.Value:
        left, right = self.mask_of(expression.left), self.mask_of(expression.right)
        if expression.op == "+":
            return constant_folding.bits("|", [left, right])
        whole = m.kind_of(expression.type).all
        return constant_folding.bits("&", [left, constant_folding.others(right, whole)], whole)

    def on_count(self, expression: m.Count) -> v.Value:
        if expression.op == "count":
            return constant_folding.size(self.val(expression.source))
        source = self.opened(expression.source)
        if isinstance(source, m.If):  # only the selected set is evaluated
            sides = (
                m.Count(expression.op, x, type=expression.type, span=expression.span)
                for x in (source.then, source.other)
            )
            return self.cond(m.If(source.cond, *sides, type=expression.type, span=expression.span))
        if isinstance(source, m.Filter):
            x = filtered(self, source, only_first=True)
        elif isinstance(source, m.ReachOf) and not self.an.deps(source).raises:
            x = self._reach(source, FunctionKind.HAS_DESTINATION)
        else:
            x = self.val(expression.source)
        if isinstance(x, v.ConstValue):
            return const(bool(x.value) == (expression.op == "some"))
        return v.Some(x) if expression.op == "some" else v.NotValue(x)

    def on_the(self, expression: m.The) -> v.Value:
        x = self.val(expression.source)
        if isinstance(expression.source.type, m.SetOf):
            return v.RunValue("the", (x,))
        if not self.an.maybe_none(expression.source) and not isinstance(
            expression.source.type, m.Int
        ):
            return x
        return v.RunValue(
            "there",
            (x, const(-1 if isinstance(expression.source.type, m.MemberOf) else m.NO_LIMIT)),
        )

    # -------------------------------------------------------------------------------------- numbers
    def on_least(self, expression: m.Least) -> v.Value:
        args = [self.val(a) for a in expression.args]
        return where(self.there(expression.args, args), v.Extreme(expression.op, tuple(args)), NONE)

    def on_arith(self, expression: m.Arith) -> v.Value:
        return constant_folding.arith(
            expression.op, self.val(expression.left), self.val(expression.right)
        )

    def on_in_range(self, expression: m.InRange) -> v.Value:
        x = self.val(expression.value)
        assert isinstance(expression.type, m.Int)
        low, high, here = expression.type.low, expression.type.high, known(x)
        if here is not None and (here == m.NO_LIMIT or (low or 0) <= here <= (high or 0)):
            return x
        return v.RunValue(
            "held",
            (x, const(low), const(high), const(self.unit.lay.promises.index(expression.what))),
        )

    def on_shift(self, expression: m.Shift) -> v.Value:
        kind = m.kind_of(expression.member.type)
        top = const(kind.size - 1)
        a, b = self.val(expression.member), self.val(expression.by)
        x = (
            v.RunValue("shift", (a, b, top))
            if self.an.maybe_none(expression.member)
            else v.Extreme("min", (v.Extreme("max", (v.ArithValue("+", a, b), ZERO)), top))
        )
        return reported(
            self.unit,
            "shifted",
            self.unit.index(kind),
            x,
            [expression.member, expression.by],
            [a, b],
        )

    # ---------------------------------------------------------------------------------------- tests
    def on_compare(self, expression: m.Compare) -> v.Value:
        if isinstance(expression.left.type, m.RatioT):
            return v.RunValue(
                "compare_ratios",
                (
                    v.TextValue(constant_folding.PYTHON[expression.op]),
                    self.val(expression.left),
                    self.val(expression.right),
                ),
                v.FLAG,
            )
        inverse = self._by_index(expression)
        if inverse is not None:
            return inverse
        if isinstance(expression.left.type, m.Bool):
            return self._compare_bools(expression)
        a, b = self.val(expression.left), self.val(expression.right)
        left, right = self.an.maybe_none(expression.left), self.an.maybe_none(expression.right)
        if left and right and expression.op in ("=", "!="):
            return v.BothThere(constant_folding.PYTHON[expression.op], a, b)
        return constant_folding.comparison(
            expression.op,
            a,
            b,
            [x for x, missing in ((a, left), (b, right)) if missing and expression.op != "="],
        )

    def _by_index(self, expression: m.Compare) -> v.Value | None:
        """Lower cell(k) = v for a cell with one mask for each value."""
        for cell, other in (
            (expression.left, expression.right),
            (expression.right, expression.left),
        ):
            if (
                expression.op in ("=", "!=")
                and isinstance(cell, m.ReadCell)
                and self.unit.lay.places[cell.cell].form == "index"
                and not self.an.deps(expression).raises
            ):
                place = self.unit.lay.places[cell.cell]
                y = self.val(other)
                if y == NONE:
                    return ZERO
                x = self.member_in(cell.keys[0], having(place, y))
                if expression.op == "=":
                    return x
                elsewhere = self.member_in(cell.keys[0], v.Complement(having(place, place.values)))
                return v.All(
                    (v.NotValue(x), elsewhere, *([there(y)] if self.an.maybe_none(other) else []))
                )
        return None

    def _compare_bools(self, expression: m.Compare) -> v.Value:
        a, b = self.cond(expression.left), self.cond(expression.right)
        for x, y in ((a, b), (b, a)):
            if isinstance(x, v.ConstValue):
                return y if bool(x.value) == (expression.op == "=") else v.NotValue(y)
        return v.CompareValue("==" if expression.op == "=" else "!=", v.NotValue(a), v.NotValue(b))

    def on_is_none(self, expression: m.IsNone) -> v.Value:
        if (
            isinstance(expression.value, m.ReadCell)
            and self.unit.lay.places[expression.value.cell].form == "index"
        ):
            place = self.unit.lay.places[expression.value.cell]
            nowhere = having(place, place.values)
            if self.an.maybe_none(expression.value.keys[0]):
                return v.NotValue(self.member_in(expression.value.keys[0], v.Complement(nowhere)))
            return self.member_in(expression.value.keys[0], nowhere)
        if isinstance(expression.value.type, m.Int):
            return v.CompareValue("==", self.val(expression.value), const(m.NO_LIMIT))
        if not isinstance(expression.value.type, m.MemberOf) or not self.an.maybe_none(
            expression.value
        ):
            return ZERO
        if isinstance(expression.value, m.FirstBy) and not any(
            self.an.deps(k).raises for k in expression.value.keys
        ):
            return self.on_count(m.Count("no", expression.value.source, type=expression.type))
        return v.CompareValue("<", self.val(expression.value), ZERO)

    def on_between(self, expression: m.Between) -> v.Value:
        low, value, high = (
            self.val(x) for x in (expression.low, expression.value, expression.high)
        )
        nullable = [
            x
            for x, part in zip(
                (low, value, high), (expression.low, expression.value, expression.high), strict=True
            )
            if self.an.maybe_none(part)
        ]
        return v.BetweenValue(low, value, high, tuple(nullable))

    def on_not(self, expression: m.Not) -> v.Value:
        x = self.cond(expression.value)
        if isinstance(x, v.ConstValue):
            return const(not x.value)
        return v.Some(x.value) if isinstance(x, v.NotValue) else v.NotValue(x)

    def on_and(self, expression: m.And) -> v.Value:
        return self._join(expression.items, v.All, 0)

    def on_or(self, expression: m.Or) -> v.Value:
        return self._join(expression.items, v.Any, 1)

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

    def on_if(self, expression: m.If) -> v.Value:
        flag = isinstance(expression.type, m.Bool)
        side = self.cond if flag else self.val
        return constant_folding.either(
            self.cond(expression.cond), side(expression.then), side(expression.other), flag
        )

    def on_or_else(self, expression: m.OrElse) -> v.Value:
        if isinstance(expression.value.type, m.Int):
            return v.OrElseValue(self.val(expression.value), self.val(expression.other), m.NO_LIMIT)
        if not self.an.maybe_none(expression.value):
            return self.val(expression.value)
        return v.OrElseValue(self.val(expression.value), self.val(expression.other))
