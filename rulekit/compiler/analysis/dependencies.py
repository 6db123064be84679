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
    def deps(self, e: m.Expr) -> Deps:
        """Return the dependencies of an expression."""
        if isinstance(e, m.Const):
            return NOTHING
        if isinstance(e, m.Read):
            return Deps(frozenset((e.var,)), False, False)
        d = join([self.deps(x).without(bound) for x, bound in scoped(e)])
        if isinstance(e, m.ReadFixed) and e.fixed.late:
            d = evolve(d, late=d.late.union(self.late[e.fixed].axes))
        elif isinstance(e, (m.ReadCell, m.Here, m.Running, m.CouldBeIn)):
            d = evolve(d, state=True)
        elif isinstance(e, m.ReachOf):
            d = join([d, self._of_movement(e.movement)])
        if self.refuses(e):
            d = evolve(d, raises=True)
        if isinstance(e, (m.CallDefine, m.CallTotal, m.CallPermit, m.AppliesTo)):
            d = join([d, self.deps_of(e.target)])
        elif isinstance(e, m.CallSlot):
            d = join(
                [
                    d,
                    *[
                        self.deps(x).without(e.slot.params)
                        for x in [*e.slot.values, e.slot.default]
                        if x is not None
                    ],
                ]
            )
        return d

    def refuses(self, e: m.Expr) -> bool:
        """Return True if this node itself, apart from its parts, can end play with an error."""
        if isinstance(e, m.InRange):
            return True
        if isinstance(e, m.The):
            return not isinstance(e.source.type, m.MemberOf) or self.maybe_none(e.source)
        if isinstance(e, m.Arith):
            return e.op in ("up", "down") and not self.value(e.right)
        if isinstance(e, m.CallTable):
            return any(
                k is not None and not clamp and not self.fits(k, a)
                for k, clamp, a in zip(e.table.keys, e.table.clamps, e.args, strict=True)
            )
        if isinstance(e, (m.ReadCell, m.ReadFixed)):
            family = e.cell if isinstance(e, m.ReadCell) else e.fixed
            return not all(self.fits(k, a) for k, a in zip(family.keys, e.keys, strict=True))
        return False

    def fits(self, key: m.Key, e: m.Expr) -> bool:
        """Return True if a value certainly exists for this key."""
        return key.kind is not None or self.bounds.within(e, key.low, key.high)

    @partial(once, meanwhile=NOTHING)
    def deps_of(self, t: m.Define | m.Total | m.Permit) -> Deps:
        return self.deps(self.body_of(t)).without(t.params)

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
    def value(self, e: m.Expr) -> Any | None:
        """Return the value if it is constant, else None."""
        found = self.settled(e)
        return found.values[0] if found is not None and found.const else None

    @once
    def settled(self, e: m.Expr) -> Late | None:
        """Return the value if it is known as soon as a scenario and rulings are chosen, else
        None.
        """
        return self.settled_at(e, {})

    def settled_at(self, e: m.Expr, env: Env) -> Late | None:
        """Return the same with the given values of some variables."""
        return self._in_each_way(self.deps(e).late, lambda: as_int(self.eval(e, env)))

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

    def vector(self, e: m.Expr, var: m.Var, domain: Sequence[int]) -> Late | None:
        """Return the values for all values of `var`, as tuples. Return None if they depend on
        anything else that changes in a game.
        """
        key = (id(e), id(var))
        if key not in self._vectors:
            form = (len(domain), shape(e, {var: 0}))
            if form not in self._forms:
                self._forms[form] = ((e, var), self._vector(e, var, domain))
            self._vectors[key] = ((e, var), self._forms[form][1])
        return self._vectors[key][1]

    def _vector(self, e: m.Expr, var: m.Var, domain: Sequence[int]) -> Late | None:
        d = self.deps(e)
        if var not in d.vars and (d.state or d.vars):
            return None
        return self._in_each_way(
            d.late, lambda: tuple(as_int(self.eval(e, {var: i})) for i in domain)
        )

    def fixed_vector(self, e: m.Expr, var: m.Var, domain: Sequence[int]) -> tuple[Any, ...] | None:
        """Return the same if it is constant, else None."""
        found = self.vector(e, var, domain)
        return found.values[0] if found is not None and found.const else None

    def literal(self, value: Late, type: m.Type, span: Span = NOWHERE) -> m.Expr:
        """Return an expression with this value."""
        if value.const:
            return m.Const(value.values[0], type=type, span=span)
        fixed = m.Fixed("chosen", [], type, late=True)
        self.late[fixed] = value.map(lambda v: (v,))
        return m.ReadFixed(fixed, [], type=type, span=span)

    @once
    def weight(self, e: m.Expr) -> int:
        """Return the number of nodes. An expression that is known as soon as a scenario and rulings
        are chosen counts as one.
        """
        return (
            1 if self.settled(e) is not None else 1 + sum(self.weight(x) for x in subexpressions(e))
        )

    def maybe_none(self, e: m.Expr) -> bool:
        """Return True if this member can be -1.

        The type alone does not decide this, because an expression may have moved out of the test
        that narrowed its type.
        """
        if not isinstance(e.type, m.MemberOf):
            return False
        if isinstance(e, m.Const):
            return e.value < 0
        if isinstance(e, m.Read):
            return e.var.type.optional if isinstance(e.var.type, m.MemberOf) else False
        if isinstance(e, m.The):
            return False
        if isinstance(e, m.ReadCell):
            return (isinstance(e.cell.type, m.MemberOf) and e.cell.type.optional) or any(
                self.maybe_none(k) for k in e.keys
            )
        if isinstance(e, m.ReadFixed):
            some = self.late[e.fixed].values if e.fixed.late else (e.fixed.values,)
            return any(-1 in values for values in some) or any(self.maybe_none(k) for k in e.keys)
        if isinstance(e, m.If):
            return self.maybe_none(e.then) or self.maybe_none(e.other)
        if isinstance(e, m.OrElse):
            return self.maybe_none(e.other)
        if isinstance(e, m.Shift):
            return self.maybe_none(e.member)
        return not self._there_for_all(e)

    def _there_for_all(self, e: m.Expr) -> bool:
        """Return True if the value is known and not none, for each value of the one variable on
        which it depends.
        """
        if not self.deps(e).vars:
            found = self.settled(e)
            return found is not None and all(x >= 0 for x in found.values)
        of_members = self.by_member(e)
        if of_members is None or self.maybe_none(m.Read(of_members[0])):
            return False
        return all(x >= 0 for values in of_members[1].values for x in values)

    def by_member(self, e: m.Expr) -> tuple[m.Var, Late] | None:
        """Return the one variable on which a value depends, and the value for each member that the
        variable can be.
        """
        vars = self.deps(e).vars
        var = next(iter(vars), None)
        if var is None or len(vars) > 1 or not isinstance(var.type, m.MemberOf):
            return None
        vector = self.vector(e, var, range(var.type.kind.size))
        return None if vector is None else (var, vector)

    # ----------------------------------------------- definitions, totals and permits as expressions
    @once
    def body_of(self, t: m.Define | m.Total | m.Permit) -> m.Expr:
        """Return the value of a declaration as one expression of its parameters."""
        made = (
            define_expr(t)
            if isinstance(t, m.Define)
            else permit_expr(t)
            if isinstance(t, m.Permit)
            else total_expr(t, self._surely)
        )
        made = self.simplify(proved(made))
        if isinstance(t, m.Total) and isinstance(t.type, m.Int) and t.type.low is not None:
            made = m.InRange(made, t.name, type=t.type, span=t.span)
        return made

    def _surely(self, clause: m.Clause) -> bool:
        """Return True if a clause cannot raise an error in any state."""
        return not any(self.deps(x).raises for x in [held_set(clause), *map(holds, clause.cancels)])

    def simplify(self, e: m.Expr) -> m.Expr:
        """Return the expression without the parts that the scenario, rulings or constants already
        decide.
        """
        if isinstance(e, m.Const):
            return e
        known = self.settled(e) if not isinstance(e.type, (m.Record, m.RatioT)) else None
        if known is not None and all(isinstance(v, int) for v in known.values):
            return self.literal(known, e.type, e.span)
        if isinstance(e, (m.And, m.Or)):
            stop = 0 if isinstance(e, m.And) else 1
            items = [
                x
                for x in (self.simplify(x) for x in e.items)
                if not (isinstance(x, m.Const) and bool(x.value) != bool(stop))
            ]
            return items[0] if len(items) == 1 else evolve(e, items=items)
        if isinstance(e, m.If):
            cond = self.simplify(e.cond)
            if isinstance(cond, m.Const):
                return self.simplify(e.then if cond.value else e.other)
            return evolve(e, cond=cond, then=self.simplify(e.then), other=self.simplify(e.other))
        if isinstance(e, (m.Arith, m.Least, m.Not, m.Compare)) or (
            isinstance(e, m.Filter) and not isinstance(e.cond, m.Const)
        ):
            return rebuilt(e, self.simplify)
        return e


def as_int(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def define_expr(d: m.Define) -> m.Expr:
    """Return the cases as one expression. The last case has no condition."""
    result = d.cases[-1][1]
    for cond, value in reversed(d.cases[:-1]):
        result = value if cond is None else m.If(cond, value, result, type=d.type, span=value.span)
    return result


def any_of(items: Sequence[m.Expr]) -> m.Expr:
    return FALSE if not items else items[0] if len(items) == 1 else m.Or(list(items))


def all_of(items: Sequence[m.Expr]) -> m.Expr:
    return TRUE if not items else items[0] if len(items) == 1 else m.And(list(items))


def negate(e: m.Expr) -> m.Expr:
    return e.value if isinstance(e, m.Not) else m.Not(e, span=e.span)


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


def total_expr(t: m.Total, surely: Callable[[m.Clause], bool]) -> m.Expr:
    """Return a total as one expression.

    Args:
        surely: returns True if a clause with holders cannot end play with an error.
    """

    def either(clause: m.Clause, then: m.Expr, other: m.Expr, cond: m.Expr) -> m.Expr:
        return then if cond is TRUE else m.If(cond, then, other, type=t.type, span=clause.span)

    zero = m.Const(0, type=m.Int())
    value: m.Expr = zero
    for clause in reversed(t.of("set", "base")):
        value = either(clause, clause_amount(clause), value, clause_cond(clause))
    for clause in t.of("modifier"):
        summed = clause.holder is not None and surely(clause)  # the sum over no holders is 0
        cond = all_of([negate(holds(c)) for c in clause.cancels]) if summed else clause_cond(clause)
        part = either(clause, clause_amount(clause), zero, cond)
        value = part if value is zero else m.Arith("+", value, part, type=t.type, span=clause.span)
    for clause in t.of("least", "most"):
        bound = m.Least(
            "max" if clause.word == "least" else "min",
            [value, clause_amount(clause)],
            type=t.type,
            span=clause.span,
        )
        value = either(clause, bound, value, clause_cond(clause))
    return value


def permit_expr(p: m.Permit) -> m.Expr:
    return all_of([negate(clause_cond(c)) for c in p.clauses])


def uses(e: m.Expr, var: m.Var) -> int:
    """Return the number of times a variable is read."""
    return int(isinstance(e, m.Read) and e.var is var) + sum(
        uses(x, var) for x in subexpressions(e)
    )


def shape(e: object, bound: Mapping[m.Var, int]) -> Hashable:
    """Return a key for an expression that is equal for copies of it.

    The key holds object ids, so the expression must live as long as the key.

    Args:
        bound: a number for each variable that stands for any other variable.
    """
    if isinstance(e, m.Var):
        return bound[e] if e in bound else ("var", id(e))
    if isinstance(e, (list, tuple)):
        return tuple([shape(x, bound) for x in e])
    if isinstance(e, m.Expr):
        inner = bound
        for var, _ in binders(e):
            inner = {**inner, var: len(inner)}
        return (
            e.__class__,
            *[shape(getattr(e, name), inner) for name in fields(e) if name != "span"],
        )
    return e if isinstance(e, (int, str, m.Type)) or e is None else id(e)


class Watching(ModelAnalysis):
    """An analysis for the traced variant. It treats no total or permit as known, so that each one
    is evaluated, and reported, where the rules ask for it.
    """

    def on_call_total(self, e: m.CallTotal | m.CallPermit, env: Env) -> Any:
        raise NotConstant("")

    on_call_permit = on_call_total
