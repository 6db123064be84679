"""Dependencies of expressions, their known values, and definitions, totals and permits as plain
expressions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.errors import RulesError
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.analysis.guards import proved
from rulekit.compiler.analysis.intervals import ExprBounds
from rulekit.compiler.analysis.late_constants import NOTHING, Axis, Deps, Late, join, late, ways
from rulekit.compiler.analysis.memo import Memory, once
from rulekit.compiler.analysis.partial_eval import Possible, Values
from rulekit.compiler.model.visitor import (
    binders,
    fields,
    rebuilt,
    scoped,
    subexpressions,
    substitute,
)
from rulekit.compiler.semantics.values import Env, NotConstant

BOOL = m.Bool()
TRUE = m.Const(1, type=BOOL)
FALSE = m.Const(0, type=BOOL)


MOST_WAYS = 64  # maximal number of combinations for which late values are computed in advance


class ModelAnalysis(Possible):
    """Answers questions of the lowering about a model and its late-bound constants.

    Attributes:
        late: all values of each late-bound constant, in row-major order.
    """

    def __init__(self, model: m.Model, late: Mapping[m.Fixed, Late]) -> None:
        self.model = model
        self.late = dict(late)
        self.chosen: dict[Axis, int] = {}
        self.memory: Memory = defaultdict(dict)
        self.bounds = ExprBounds(self)
        self._vectors: dict[tuple[int, int], tuple[object, Late | None]] = {}
        # `_vectors` by shape, so that copies of an expression are analysed once
        self._forms: dict[Hashable, tuple[object, Late | None]] = {}
        self.called: dict[tuple[object, ...], Values | None] = {}

    def forget(self) -> None:
        """Drop all memoized results."""
        known: list[dict[Any, Any]] = [
            self.memory,
            self._vectors,
            self._forms,
            self.called,
            self.bounds.memory,
        ]
        for each in known:
            each.clear()

    def read_late(self, fixed: m.Fixed) -> Sequence[int]:
        try:
            values: Sequence[int] = self.late[fixed].at(self.chosen)
        except KeyError:
            raise NotConstant(fixed.name) from None
        return values

    # ----------------------------------------------------------------------------------- dependence
    @once
    def deps(self, expression: m.Expr) -> Deps:
        """Return the dependencies of an expression."""
        if isinstance(expression, m.Const):
            return NOTHING
        if isinstance(expression, m.Read):
            return Deps(frozenset((expression.var,)), False, False)
        d = join([self.deps(x).without(bound) for x, bound in scoped(expression)])
        if isinstance(expression, m.ReadFixed) and expression.fixed.late:
            d = evolve(d, late=d.late.union(self.late[expression.fixed].axes))
        elif isinstance(expression, (m.ReadCell, m.Here, m.Running, m.CouldBeIn)):
            d = evolve(d, state=True)
        elif isinstance(expression, m.ReachOf):
            d = join([d, self._of_movement(expression.movement)])
        if self.refuses(expression):
            d = evolve(d, raises=True)
        if isinstance(expression, (m.CallDefine, m.CallTotal, m.CallPermit, m.AppliesTo)):
            d = join([d, self.deps_of(expression.target)])
        elif isinstance(expression, m.CallSlot):
            d = join(
                [
                    d,
                    *[
                        self.deps(x).without(expression.slot.params)
                        for x in [*expression.slot.values, expression.slot.default]
                        if x is not None
                    ],
                ]
            )
        return d

    def refuses(self, expression: m.Expr) -> bool:
        """Return True if this node itself, apart from its parts, can end play with an error."""
        if isinstance(expression, m.InRange):
            return True
        if isinstance(expression, m.The):
            return not isinstance(expression.source.type, m.MemberOf) or self.maybe_none(
                expression.source
            )
        if isinstance(expression, m.Arith):
            return expression.op in ("up", "down") and not self.value(expression.right)
        if isinstance(expression, m.CallTable):
            return any(
                k is not None and not clamp and not self.fits(k, a)
                for k, clamp, a in zip(
                    expression.table.keys, expression.table.clamps, expression.args, strict=True
                )
            )
        if isinstance(expression, (m.ReadCell, m.ReadFixed)):
            family = expression.cell if isinstance(expression, m.ReadCell) else expression.fixed
            return not all(
                self.fits(k, a) for k, a in zip(family.keys, expression.keys, strict=True)
            )
        return False

    def fits(self, key: m.Key, expression: m.Expr) -> bool:
        """Return True if a value certainly exists for this key."""
        return key.kind is not None or self.bounds.within(expression, key.low, key.high)

    @partial(once, meanwhile=NOTHING)
    def deps_of(self, definition: m.Define | m.Total | m.Permit) -> Deps:
        return self.deps(self.body_of(definition)).without(definition.params)

    def _of_movement(self, mv: m.Movement) -> Deps:
        exprs = [mv.allowance, mv.cost, *(g.cond for g in [*mv.may, *mv.stop, *mv.end])]
        d = join([self.deps(x) for x in exprs if x is not None])
        own = [
            *mv.proc.params,
            mv.start,
            mv.at,
            mv.fuel,
            mv.been,
            mv.border_var,
            mv.from_var,
            mv.to_var,
            mv.halted,
        ]
        return evolve(d.without(own), state=True)

    # --------------------------------------------------------------------------------------- values
    def value(self, expression: m.Expr) -> Any | None:
        """Return the value if it is constant, else None."""
        found = self.settled(expression)
        return found.values[0] if found is not None and found.const else None

    @once
    def settled(self, expression: m.Expr) -> Late | None:
        """Return the value if it is known as soon as a scenario and rulings are chosen, else
        None.
        """
        return self.settled_at(expression, {})

    def settled_at(self, expression: m.Expr, env: Env) -> Late | None:
        """Return the same with the given values of some variables."""
        return self._in_each_way(
            self.deps(expression).late, lambda: as_int(self.eval(expression, env))
        )

    def _in_each_way(self, needed: Iterable[Axis], find: Callable[[], Any]) -> Late | None:
        """Evaluate `find` for each combination of choices. Return None if there are too many
        combinations, or if one of them has no known value.
        """
        axes, before, found = sorted(needed), self.chosen, []
        if prod(size for _, size in axes) > MOST_WAYS:
            return None
        try:
            for way in ways(axes):
                self.chosen = dict(zip(axes, way, strict=True))
                found.append(find())
        except (NotConstant, RulesError, IndexError, KeyError):
            return None
        finally:
            self.chosen = before
        return late(axes, found)

    def vector(self, expression: m.Expr, var: m.Var, domain: Sequence[int]) -> Late | None:
        """Return the values for all values of `var`, as tuples. Return None if they depend on
        anything else that changes in a game.
        """
        key = (id(expression), id(var))
        if key not in self._vectors:
            form = (len(domain), shape(expression, {var: 0}))
            if form not in self._forms:
                self._forms[form] = ((expression, var), self._vector(expression, var, domain))
            self._vectors[key] = ((expression, var), self._forms[form][1])
        return self._vectors[key][1]

    def _vector(self, expression: m.Expr, var: m.Var, domain: Sequence[int]) -> Late | None:
        d = self.deps(expression)
        if var not in d.vars and (d.state or d.vars):
            return None
        return self._in_each_way(
            d.late, lambda: tuple(as_int(self.eval(expression, {var: i})) for i in domain)
        )

    def fixed_vector(
        self, expression: m.Expr, var: m.Var, domain: Sequence[int]
    ) -> tuple[Any, ...] | None:
        """Return the same if it is constant, else None."""
        found = self.vector(expression, var, domain)
        return found.values[0] if found is not None and found.const else None

    def literal(self, value: Late, type: m.Type, span: Span = NOWHERE) -> m.Expr:
        """Return an expression with this value."""
        if value.const:
            return m.Const(value.values[0], type=type, span=span)
        fixed = m.Fixed("chosen", [], type, late=True)
        self.late[fixed] = value.map(lambda v: (v,))
        return m.ReadFixed(fixed, [], type=type, span=span)

    @once
    def weight(self, expression: m.Expr) -> int:
        """Return the number of nodes. An expression that is known as soon as a scenario and rulings
        are chosen counts as one.
        """
        return (
            1
            if self.settled(expression) is not None
            else 1 + sum(self.weight(x) for x in subexpressions(expression))
        )

    def maybe_none(self, expression: m.Expr) -> bool:
        """Return True if this member can be -1.

        The type alone does not decide this, because an expression may have moved out of the test
        that narrowed its type.
        """
        if not isinstance(expression.type, m.MemberOf):
            return False
        if isinstance(expression, m.Const):
            return expression.value < 0
        if isinstance(expression, m.Read):
            return (
                expression.var.type.optional
                if isinstance(expression.var.type, m.MemberOf)
                else False
            )
        if isinstance(expression, m.The):
            return False
        if isinstance(expression, m.ReadCell):
            return (
                isinstance(expression.cell.type, m.MemberOf) and expression.cell.type.optional
            ) or any(self.maybe_none(k) for k in expression.keys)
        if isinstance(expression, m.ReadFixed):
            some = (
                self.late[expression.fixed].values
                if expression.fixed.late
                else (expression.fixed.values,)
            )
            return any(-1 in values for values in some) or any(
                self.maybe_none(k) for k in expression.keys
            )
        if isinstance(expression, m.If):
            return self.maybe_none(expression.then) or self.maybe_none(expression.other)
        if isinstance(expression, m.OrElse):
            return self.maybe_none(expression.other)
        if isinstance(expression, m.Shift):
            return self.maybe_none(expression.member)
        return not self._there_for_all(expression)

    def _there_for_all(self, expression: m.Expr) -> bool:
        """Return True if the value is known and not none, for each value of the one variable on
        which it depends.
        """
        if not self.deps(expression).vars:
            found = self.settled(expression)
            return found is not None and all(x >= 0 for x in found.values)
        of_members = self.by_member(expression)
        if of_members is None or self.maybe_none(m.Read(of_members[0])):
            return False
        return all(x >= 0 for values in of_members[1].values for x in values)

    def by_member(self, expression: m.Expr) -> tuple[m.Var, Late] | None:
        """Return the one variable on which a value depends, and the value for each member that the
        variable can be.
        """
        vars = self.deps(expression).vars
        var = next(iter(vars), None)
        if var is None or len(vars) > 1 or not isinstance(var.type, m.MemberOf):
            return None
        vector = self.vector(expression, var, range(var.type.kind.size))
        return None if vector is None else (var, vector)

    # ----------------------------------------------- definitions, totals and permits as expressions
    @once
    def body_of(self, definition: m.Define | m.Total | m.Permit) -> m.Expr:
        """Return the value of a declaration as one expression of its parameters."""
        made = (
            define_expr(definition)
            if isinstance(definition, m.Define)
            else permit_expr(definition)
            if isinstance(definition, m.Permit)
            else total_expr(definition, self._surely)
        )
        made = self.simplify(proved(made))
        if (
            isinstance(definition, m.Total)
            and isinstance(definition.type, m.Int)
            and definition.type.low is not None
        ):
            made = m.InRange(made, definition.name, type=definition.type, span=definition.span)
        return made

    def _surely(self, clause: m.Clause) -> bool:
        """Return True if a clause cannot raise an error in any state."""
        return not any(self.deps(x).raises for x in [held_set(clause), *map(holds, clause.cancels)])

    def simplify(self, expression: m.Expr) -> m.Expr:
        """Return the expression without the parts that the scenario, rulings or constants already
        decide.
        """
        if isinstance(expression, m.Const):
            return expression
        known = (
            self.settled(expression)
            if not isinstance(expression.type, (m.Record, m.RatioT))
            else None
        )
        if known is not None and all(isinstance(v, int) for v in known.values):
            return self.literal(known, expression.type, expression.span)
        if isinstance(expression, (m.And, m.Or)):
            stop = 0 if isinstance(expression, m.And) else 1
            items = [
                x
                for x in (self.simplify(x) for x in expression.items)
                if not (isinstance(x, m.Const) and bool(x.value) != bool(stop))
            ]
            return items[0] if len(items) == 1 else evolve(expression, items=items)
        if isinstance(expression, m.If):
            cond = self.simplify(expression.cond)
            if isinstance(cond, m.Const):
                return self.simplify(expression.then if cond.value else expression.other)
            return evolve(
                expression,
                cond=cond,
                then=self.simplify(expression.then),
                other=self.simplify(expression.other),
            )
        if isinstance(expression, (m.Arith, m.Least, m.Not, m.Compare)) or (
            isinstance(expression, m.Filter) and not isinstance(expression.cond, m.Const)
        ):
            return rebuilt(expression, self.simplify)
        return expression


def as_int(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def define_expr(definition: m.Define) -> m.Expr:
    """Return the cases as one expression. The last case has no condition."""
    result = definition.cases[-1][1]
    for cond, value in reversed(definition.cases[:-1]):
        result = (
            value
            if cond is None
            else m.If(cond, value, result, type=definition.type, span=value.span)
        )
    return result


def any_of(items: Sequence[m.Expr]) -> m.Expr:
    return FALSE if not items else items[0] if len(items) == 1 else m.Or(list(items))


def all_of(items: Sequence[m.Expr]) -> m.Expr:
    return TRUE if not items else items[0] if len(items) == 1 else m.And(list(items))


def negate(expression: m.Expr) -> m.Expr:
    return (
        expression.value
        if isinstance(expression, m.Not)
        else m.Not(expression, span=expression.span)
    )


def held_set(clause: m.Clause | m.Cancel) -> m.Expr:
    """Return the holders for which a clause holds, before its cancels."""
    assert clause.holder is not None
    var, source = clause.holder
    return (
        source
        if clause.cond is None
        else m.Filter(source, var, clause.cond, type=source.type, span=clause.span)
    )


def holds(part: m.Clause | m.Cancel) -> m.Expr:
    """Return the condition that a clause holds, before its cancels. A clause with holders holds if
    there is one.
    """
    return (
        m.Count("some", held_set(part), type=BOOL)
        if part.holder is not None
        else part.cond
        if part.cond is not None
        else TRUE
    )


def clause_cond(clause: m.Clause) -> m.Expr:
    """Return the condition that a clause counts."""
    base = holds(clause)
    return all_of([*([] if base is TRUE else [base]), *(negate(holds(c)) for c in clause.cancels)])


def clause_amount(clause: m.Clause) -> m.Expr:
    """Return the amount of a clause that counts."""
    amount = clause.amount if clause.amount is not None else m.Const(0, type=m.Int())
    if clause.holder is None:
        return amount
    var = clause.holder[0]
    held = held_set(clause)
    if clause.word == "modifier":
        return m.Aggregate("sum", held, var, amount, type=m.Int(), span=clause.span)
    first = m.FirstBy(held, m.Var(var.name, var.type), [], type=var.type, span=clause.span)
    return substitute(amount, {var: first})


def total_expr(total: m.Total, surely: Callable[[m.Clause], bool]) -> m.Expr:
    """Return a total as one expression.

    Args:
        surely: returns True if a clause with holders cannot end play with an error.
    """

    def either(clause: m.Clause, then: m.Expr, other: m.Expr, cond: m.Expr) -> m.Expr:
        return then if cond is TRUE else m.If(cond, then, other, type=total.type, span=clause.span)

    zero = m.Const(0, type=m.Int())
    value: m.Expr = zero
    for clause in reversed(total.of("set", "base")):
        value = either(clause, clause_amount(clause), value, clause_cond(clause))
    for clause in total.of("modifier"):
        summed = clause.holder is not None and surely(clause)  # the sum over no holders is 0
        cond = all_of([negate(holds(c)) for c in clause.cancels]) if summed else clause_cond(clause)
        part = either(clause, clause_amount(clause), zero, cond)
        value = (
            part if value is zero else m.Arith("+", value, part, type=total.type, span=clause.span)
        )
    for clause in total.of("least", "most"):
        bound = m.Least(
            "max" if clause.word == "least" else "min",
            [value, clause_amount(clause)],
            type=total.type,
            span=clause.span,
        )
        value = either(clause, bound, value, clause_cond(clause))
    return value


def permit_expr(permit: m.Permit) -> m.Expr:
    return all_of([negate(clause_cond(c)) for c in permit.clauses])


def uses(expression: m.Expr, var: m.Var) -> int:
    """Return the number of times a variable is read."""
    return int(isinstance(expression, m.Read) and expression.var is var) + sum(
        uses(x, var) for x in subexpressions(expression)
    )


def shape(expression: object, bound: Mapping[m.Var, int]) -> Hashable:
    """Return a key for an expression that is equal for copies of it.

    The key holds object ids, so the expression must live as long as the key.

    Args:
        bound: a number for each variable that stands for any other variable.
    """
    if isinstance(expression, m.Var):
        return bound[expression] if expression in bound else ("var", id(expression))
    if isinstance(expression, (list, tuple)):
        return tuple([shape(x, bound) for x in expression])
    if isinstance(expression, m.Expr):
        inner = bound
        for var, _ in binders(expression):
            inner = {**inner, var: len(inner)}
        return (
            expression.__class__,
            *[
                shape(getattr(expression, name), inner)
                for name in fields(expression)
                if name != "span"
            ],
        )
    return (
        expression
        if isinstance(expression, (int, str, m.Type)) or expression is None
        else id(expression)
    )


class Watching(ModelAnalysis):
    """An analysis for the traced variant. It treats no total or permit as known, so that each one
    is evaluated, and reported, where the rules ask for it.
    """

    def on_call_total(self, expression: m.CallTotal | m.CallPermit, env: Env) -> Any:
        raise NotConstant("")

    on_call_permit = on_call_total
