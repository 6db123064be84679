"""The evaluator of pure expressions: the definition of the meaning of every pure node.

For totals and permits it can also record the derivation. `PureEvaluator` itself evaluates only
constants. An evaluator with a state (the reference interpreter) derives from it and overrides
`read_cell`, `read_frame`, `read_late`, `here`, `runs`, `could_be_in` and `reach`. The code is
deliberately simple and slow, because the emitted code is tested against it.

A parameter whose type is a member that is not optional does not accept the missing value -1. A call
with -1 there (of a define, total, permit, table, slot, `applies` or `reach`) returns the empty
value of its type. The same holds for every key of a cell or constant that is a kind.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.semantics.values import (
    AGGREGATE,
    ARITH,
    COMPARE,
    COUNT,
    LEAST,
    SETS,
    Env,
    NotConstant,
    ReferenceDerivation,
    ReferenceLine,
    Value,
    bits,
    compare_ratios,
    is_member,
    is_missing,
    layers,
    looked_for,
    offset,
    ratio_column,
    refuses,
    void,
)


class PureEvaluator(m.ExprVisitor[[Env], Value]):
    """Evaluates expressions.

    `env` binds variables. `read_frame` is called for a frame variable that is not bound.
    """

    derivation: ReferenceDerivation | None = (
        None  # where the clauses that are tried are recorded, while `explain` runs
    )

    # what has to do with a game that is running: overridden by who has one
    def read_cell(self, cell: m.Cell, keys: tuple[int, ...]) -> int:
        """Return the value of a cell. Keys are ordinals or plain numbers, without missing
        values.
        """
        raise NotConstant(cell.name)

    def read_frame(self, var: m.Var) -> Value:
        raise NotConstant(var.name)

    def read_late(self, fixed: m.Fixed) -> Sequence[int]:
        """Return all values of a late-bound constant, row-major."""
        raise NotConstant(fixed.name)

    def here(self) -> int:
        """Return the ordinal of the open moment, or -1."""
        raise NotConstant("here")

    def runs(self, proc: m.Procedure) -> bool:
        """Return True if the procedure is on the call stack."""
        raise NotConstant(proc.name)

    def could_be_in(self, thing: int, pool: m.ReadCell) -> bool:
        """Return True if, by public knowledge, this thing could lie in that pool. The keys of the
        pool are constants.
        """
        raise NotConstant(pool.cell.name)

    def reach(self, movement: m.Movement, args: list[Value], start: int, env: Env) -> int:
        """Return the set of places where the movement could end.

        An evaluator with a state calls `rulekit.compiler.semantics.movement.reach`.
        """
        raise NotConstant(movement.name)

    def eval(self, expr: m.Expr, env: Env) -> Value:
        """Return the value of an expression."""
        return self.methods[expr.__class__](self, expr, env)

    def test(self, expr: m.Expr | None, env: Env) -> bool:
        """Return True if a condition holds or is None."""
        return expr is None or bool(self.eval(expr, env))

    def calling(self, params: list[m.Var], args: Sequence[Value], env: Env) -> Env | None:
        """Return the environment inside a call, or None if an argument is a missing value that its
        parameter does not accept.
        """
        return None if refuses(params, args) else {**env, **dict(zip(params, args, strict=True))}

    # -------------------------------------------------------------------------------- leaves
    def on_const(self, expression: m.Const, env: Env) -> Value:
        return expression.value

    def on_ratio_of(self, expression: m.RatioOf, env: Env) -> Value:
        return (self.eval(expression.num, env), self.eval(expression.den, env))

    def on_read(self, expression: m.Read, env: Env) -> Value:
        if expression.var in env:
            return env[expression.var]
        if expression.var.frame is None:
            raise NotConstant(expression.var.name)
        return self.read_frame(expression.var)

    def on_here(self, expression: m.Here, env: Env) -> Value:
        return self.here()

    def _place(
        self, expression: m.ReadFixed | m.ReadCell, of: m.Fixed | m.Cell, keys: Sequence[int]
    ) -> int | None:
        try:
            return offset(of.keys, keys)
        except IndexError as wrong:
            raise RulesError(f"{of.name} has no value for {wrong}", str(expression.span)) from None

    def on_read_fixed(self, expression: m.ReadFixed, env: Env) -> Value:
        return self.fixed_at(expression, self._args(expression.keys, env))

    def fixed_at(self, expression: m.ReadFixed, keys: Sequence[int]) -> Value:
        """Return the value of a constant for these keys."""
        place = self._place(expression, expression.fixed, keys)
        if place is None:
            return void(expression.fixed.type)
        values = (
            self.read_late(expression.fixed) if expression.fixed.late else expression.fixed.values
        )
        if place >= len(values):
            raise NotConstant(expression.fixed.name)
        return values[place]

    def on_read_cell(self, expression: m.ReadCell, env: Env) -> Value:
        keys = tuple(self._args(expression.keys, env))
        return (
            void(expression.cell.type)
            if self._place(expression, expression.cell, keys) is None
            else self.read_cell(expression.cell, keys)
        )

    def on_running(self, expression: m.Running, env: Env) -> Value:
        return self.runs(expression.proc)

    def on_could_be_in(self, expression: m.CouldBeIn, env: Env) -> Value:
        item = self.eval(expression.item, env)
        keys = self._args(expression.pool.keys, env)
        if self._place(expression.pool, expression.pool.cell, keys) is None or item == -1:
            return False
        known: list[m.Expr] = [
            m.Const(k, type=x.type) for k, x in zip(keys, expression.pool.keys, strict=True)
        ]
        return self.could_be_in(
            item,
            m.ReadCell(
                expression.pool.cell, known, type=expression.pool.type, span=expression.pool.span
            ),
        )

    # -------------------------------------------------------------------------------- calls
    def _args(self, args: list[m.Expr], env: Env) -> list[Value]:
        return [self.eval(a, env) for a in args]

    def on_call_define(self, expression: m.CallDefine, env: Env) -> Value:
        return self.call_define(expression.target, self._args(expression.args, env), env)

    def call_define(self, define: m.Define, args: list[Value], env: Env) -> Value:
        inner = self.calling(define.params, args, env)
        if inner is None:
            return void(define.type)
        return self.eval(
            next(value for cond, value in define.cases if self.test(cond, inner)), inner
        )

    def on_call_total(self, expression: m.CallTotal, env: Env) -> Value:
        return call(self, expression.target, self._args(expression.args, env), env)

    def on_call_permit(self, expression: m.CallPermit, env: Env) -> Value:
        return call(self, expression.target, self._args(expression.args, env), env)

    def on_applies_to(self, expression: m.AppliesTo, env: Env) -> Value:
        bound = self.calling(expression.target.params, self._args(expression.args, env), env)
        if bound is None:
            return False
        return applies(self, expression.clause, bound)

    def on_call_table(self, expression: m.CallTable, env: Env) -> Value:
        args = self._args(expression.args, env)
        if any(
            key is not None and key.kind is not None and value == -1
            for key, value in zip(expression.table.keys, args, strict=True)
        ):
            return void(expression.type)
        place = 0
        for i, (key, value) in enumerate(zip(expression.table.keys, args, strict=True)):
            if key is None:
                step, size = (
                    ratio_column(expression.table.ratios, expression.table.rounding, *value),
                    len(expression.table.ratios),
                )
            elif key.kind is not None:
                step, size = value, key.size
            else:
                step, size = value - key.low, key.size
                if expression.table.clamps[i]:
                    step = min(max(step, 0), size - 1)
                elif not 0 <= step < size:
                    raise RulesError(
                        f"the table {expression.table.name} has no line for {value}",
                        str(expression.span),
                    )
            place = place * size + step
        if expression.output is not None:
            return expression.table.data[expression.output][place]
        return tuple(column[place] for column in expression.table.data)

    def on_field_of(self, expression: m.FieldOf, env: Env) -> Value:
        return self.eval(expression.record, env)[expression.index]

    def on_call_slot(self, expression: m.CallSlot, env: Env) -> Value:
        member = self.eval(expression.member, env)
        args = self._args(expression.args, env)
        value, inner = expression.slot.of(member), self.calling(expression.slot.params, args, env)
        return (
            void(expression.slot.type or expression.type)
            if value is None or inner is None
            else self.eval(value, inner)
        )

    def on_reach_of(self, expression: m.ReachOf, env: Env) -> Value:
        args = self._args(expression.args, env)
        start = self.eval(expression.start, env)
        if start == -1 or refuses(expression.movement.proc.params, args):
            return 0
        return self.reach(expression.movement, args, start, env)

    def on_ways(self, expression: m.Ways, env: Env) -> Value:
        start, by, borders, through = self._args(
            [expression.start, expression.by, expression.borders, expression.through], env
        )
        return looked_for(
            expression.op,
            by,
            layers(m.kind_of(expression.borders.type).arcs, start, borders, through),
        )

    # -------------------------------------------------------------------------------- sets
    def _each(self, var: m.Var, source: m.Expr, env: Env) -> Iterator[tuple[int, Env]]:
        inner = dict(env)
        for member in bits(self.eval(source, env)):
            inner[var] = member
            yield member, inner

    def on_filter(self, expression: m.Filter, env: Env) -> Value:
        return sum(
            1 << i
            for i, inner in self._each(expression.var, expression.source, env)
            if self.eval(expression.cond, inner)
        )

    def _unite(self, type: m.Type, value: int) -> int:
        if isinstance(type, m.SetOf):
            return value
        return 0 if value == -1 else 1 << value

    def _united(self, found: Iterable[tuple[m.Type, int]]) -> int:
        return reduce(operator.or_, (self._unite(type, value) for type, value in found), 0)

    def on_make_set(self, expression: m.MakeSet, env: Env) -> Value:
        return self._united((item.type, self.eval(item, env)) for item in expression.items)

    def on_collect(self, expression: m.Collect, env: Env) -> Value:
        return self._united(
            (expression.value.type, self.eval(expression.value, inner))
            for _, inner in self._each(expression.var, expression.source, env)
        )

    def on_count(self, expression: m.Count, env: Env) -> Value:
        return COUNT[expression.op](self.eval(expression.source, env))

    def on_the(self, expression: m.The, env: Env) -> Value:
        value = self.eval(expression.source, env)
        if isinstance(expression.source.type, m.SetOf):
            if value.bit_count() != 1:
                raise RulesError(
                    f"'the' needs exactly one, here are {value.bit_count()}", str(expression.span)
                )
            return value.bit_length() - 1
        if is_missing(expression.source.type, value):
            raise RulesError("'the' needs one that is there, here is none", str(expression.span))
        return value

    def on_aggregate(self, expression: m.Aggregate, env: Env) -> Value:
        values = [
            self.eval(expression.value, inner)
            for _, inner in self._each(expression.var, expression.source, env)
        ]
        if is_member(expression.value.type):
            return AGGREGATE[expression.op]([v for v in values if v != -1], -1)
        return AGGREGATE[expression.op](values, 0)

    def on_least(self, expression: m.Least, env: Env) -> Value:
        values = self._args(expression.args, env)
        if is_member(expression.type) and -1 in values:
            return -1
        return LEAST[expression.op](values)

    def on_first_by(self, expression: m.FirstBy, env: Env) -> Value:
        return min(
            (
                (self.sort_keys(expression.keys, inner), member)
                for member, inner in self._each(expression.var, expression.source, env)
            ),
            default=((), -1),
        )[1]

    def sort_keys(self, keys: list[m.Expr], env: Env) -> tuple[int, ...]:
        """Return the sort keys of a member. The smallest sorts first, and for a bool, true sorts
        first.
        """
        return tuple(
            int(not self.eval(k, env)) if isinstance(k.type, m.Bool) else self.eval(k, env)
            for k in keys
        )

    # -------------------------------------------------------------------------------- operators
    def on_arith(self, expression: m.Arith, env: Env) -> Value:
        left, right = self.eval(expression.left, env), self.eval(expression.right, env)
        if right == 0 and expression.op in ("up", "down"):
            raise RulesError("division by zero", str(expression.span))
        return ARITH[expression.op](left, right)

    def on_in_range(self, expression: m.InRange, env: Env) -> Value:
        return held(
            expression.type, self.eval(expression.value, env), expression.what, str(expression.span)
        )

    def on_set_op(self, expression: m.SetOp, env: Env) -> Value:
        left, right = (
            self._unite(x.type, self.eval(x, env)) for x in (expression.left, expression.right)
        )
        return SETS[expression.op](left, right)

    def on_shift(self, expression: m.Shift, env: Env) -> Value:
        member, by = self.eval(expression.member, env), self.eval(expression.by, env)
        return (
            -1
            if member == -1
            else min(max(member + by, 0), m.kind_of(expression.member.type).size - 1)
        )

    def on_compare(self, expression: m.Compare, env: Env) -> Value:
        return self.compared(
            expression, self.eval(expression.left, env), self.eval(expression.right, env)
        )

    def compared(self, expression: m.Compare, left: Value, right: Value) -> bool:
        """Return True if the comparison holds for these values."""
        if isinstance(expression.left.type, m.RatioT):
            return compare_ratios(expression.op, left, right)
        if (left == -1 and is_member(expression.left.type)) or (
            right == -1 and is_member(expression.right.type)
        ):
            return False
        return COMPARE[expression.op](left, right)

    def on_is_none(self, expression: m.IsNone, env: Env) -> Value:
        return is_missing(expression.value.type, self.eval(expression.value, env))

    def on_in(self, expression: m.In, env: Env) -> Value:
        item, source = self.eval(expression.item, env), self.eval(expression.source, env)
        return item != -1 and bool(source >> item & 1)

    def on_between(self, expression: m.Between, env: Env) -> Value:
        value, low, high = values = [
            self.eval(x, env) for x in (expression.value, expression.low, expression.high)
        ]
        if any(
            is_member(x.type) and v == -1
            for x, v in zip(
                (expression.value, expression.low, expression.high), values, strict=True
            )
        ):
            return False
        return bool(low <= value <= high)

    def on_not(self, expression: m.Not, env: Env) -> Value:
        return not self.eval(expression.value, env)

    def on_and(self, expression: m.And, env: Env) -> Value:
        return all(self.eval(x, env) for x in expression.items)

    def on_or(self, expression: m.Or, env: Env) -> Value:
        return any(self.eval(x, env) for x in expression.items)

    def on_if(self, expression: m.If, env: Env) -> Value:
        return self.eval(
            expression.then if self.eval(expression.cond, env) else expression.other, env
        )

    def on_or_else(self, expression: m.OrElse, env: Env) -> Value:
        value = self.eval(expression.value, env)
        return (
            self.eval(expression.other, env) if is_missing(expression.value.type, value) else value
        )


# ------------------------------------------------------------------------------------------------ t
def explain(
    by: PureEvaluator, target: m.Total | m.Permit, args: list[Any], env: Env
) -> ReferenceDerivation:
    """Return the derivation of a total or permit, with every clause: applied, or the reason why it
    is not.
    """
    before = by.derivation
    root = by.derivation = ReferenceDerivation(target, args)
    try:
        call(by, target, args, env)
    finally:
        by.derivation = before
    return root.pending[0]


def held(type: m.Type, value: int, what: str, where: str = "") -> int:
    """Return a number if it is in the range of its type, or raise RulesError."""
    low, high = (type.low, type.high) if isinstance(type, m.Int) else (None, None)
    if value != m.NO_LIMIT and (
        (low is not None and value < low) or (high is not None and value > high)
    ):
        raise RulesError(f"{what} would be {value}, outside of {low} .. {high}", where)
    return value


def call(by: PureEvaluator, target: m.Total | m.Permit, args: list[Any], env: Env) -> int:
    """Return the value of a total or permit, or 0 if an argument is a missing value that it does
    not accept.
    """
    outer = by.derivation
    inner = by.derivation = None if outer is None else ReferenceDerivation(target, args)
    try:
        value = 0
        bound = by.calling(target.params, args, env)
        if bound is not None:
            value = (
                total_of(by, target, bound)
                if isinstance(target, m.Total)
                else allowed(by, target, bound)
            )
            if isinstance(target, m.Total):
                held(target.type, value, target.name, str(target.span))
    finally:
        by.derivation = outer
    if outer is not None and inner is not None:
        inner.value = value
        outer.pending.append(inner)
    return value


def total_of(by: PureEvaluator, total: m.Total, env: Env) -> int:
    """Return the value of a total whose parameters are bound."""
    value = 0
    found = False
    for clause in total.of("set", "base"):
        if not found:
            amounts = list(_amounts(by, clause, env))
            found = bool(amounts)
            value = amounts[0] if found else 0
        elif by.derivation is not None and _holders(by, clause, env):
            by.derivation.add(ReferenceLine(clause, "overridden"))
    for clause in total.of("modifier"):
        value += sum(_amounts(by, clause, env))
    for clause in total.of("least", "most"):
        for amount in _amounts(by, clause, env, value):
            value = max(value, amount) if clause.word == "least" else min(value, amount)
    return value


def allowed(by: PureEvaluator, permit: m.Permit, env: Env) -> int:
    """Return 1 unless a bar holds.

    With a derivation, all bars are tried. Otherwise only those up to the first that holds are
    tried.
    """
    value = 1
    for clause in permit.clauses:
        if held := _holders(by, clause, env):
            value = 0
            if by.derivation is None:
                return value
            by.derivation.add(ReferenceLine(clause, "applied", holder=_holder(clause, held[0])))
    return value


def applies(by: PureEvaluator, clause: m.Clause, env: Env) -> bool:
    """Return True if a clause applies, with the parameters of its target bound."""
    outer, by.derivation = by.derivation, None
    try:
        return bool(_holders(by, clause, env))
    finally:
        by.derivation = outer


def _holder(clause: m.Clause, env: Env) -> int:
    return -1 if clause.holder is None else int(env[clause.holder[0]])


def _amounts(by: PureEvaluator, clause: m.Clause, env: Env, value: int = 0) -> Iterator[int]:
    """Yield the amounts of a clause: one for each holder of a modifier, otherwise at most one, for
    the first holder.

    Args:
        value: the value so far, to which a `least` or `most` is applied.
    """
    for bound in _holders(by, clause, env):
        amount = 0 if clause.amount is None else int(by.eval(clause.amount, bound))
        if by.derivation is not None:
            idle = (clause.word == "least" and amount <= value) or (
                clause.word == "most" and amount >= value
            )
            by.derivation.add(
                ReferenceLine(clause, "idle" if idle else "applied", amount, _holder(clause, bound))
            )
        yield amount
        if clause.word != "modifier":
            return


def _holders(by: PureEvaluator, clause: m.Clause, env: Env) -> list[Env]:
    """Return the bindings under which the clause applies. If there are none, add the reason to the
    derivation.
    """
    held = _bindings(by, clause, env)
    cancel = (
        next((each for each in clause.cancels if _bindings(by, each, env)), None) if held else None
    )
    if by.derivation is not None and (not held or cancel is not None):
        by.derivation.add(
            ReferenceLine(clause, "cancelled" if held else "condition", cancel=cancel)
        )
    return held if cancel is None else []


def _bindings(by: PureEvaluator, part: m.Clause | m.Cancel, env: Env) -> list[Env]:
    """Return the bindings under which the condition holds, ignoring cancels."""
    found = (
        [env]
        if part.holder is None
        else [{**env, part.holder[0]: x} for x in bits(by.eval(part.holder[1], env))]
    )
    return [bound for bound in found if by.test(part.cond, bound)]
