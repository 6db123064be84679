"""The base class of the lowering of expressions: constant tables, inlining, and hoisting out of
loops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.analysis.late_constants import both
from rulekit.compiler.analysis.memo import once
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.unit import ONE, ZERO, Unit, const, slot_at, stays, truthy, type_of
from rulekit.compiler.model.visitor import substitute

_SMALL = 40  # maximal number of nodes of an inlined definition


class Lowering(m.ExprVisitor[[], v.Value], ABC, whole=False):
    """The context of one emitted function.

    Attributes:
        env: the variables that are bound here. All others are frame variables.
    """

    def __init__(self, unit: Unit, env: Mapping[m.Var, v.Value] | None = None) -> None:
        self.unit = unit
        self.an, self.memory = unit.an, unit.memory
        self.env: dict[m.Var, v.Value] = dict(env or {})
        # The variables of the enclosing loop. Values that do not depend on them are hoisted.
        self.loop: frozenset[m.Var] = frozenset()
        self.hoisted: dict[v.Value, v.Local] = {}
        self.temps = 0
        # Inside a function without effects, the frame variables that are read must have slots.
        self.pure = True

    @abstractmethod
    def inside(self, env: Mapping[m.Var, v.Value]) -> Lowering:
        """Return the context of a separate function without effects."""

    @abstractmethod
    def cond(self, expression: m.Expr) -> v.Value:
        """Lower an expression. The value of a bool is only good as a test."""

    def val(self, expression: m.Expr) -> v.Value:
        """Lower an expression. The value of a bool is 0 or 1."""
        x = self.cond(expression)
        return v.IfValue(x, ONE, ZERO) if truthy(x) else x

    def _looked_up(self, expression: m.Expr) -> v.Value | None:
        """Return a lookup in a table, if the value is constant for each member that one variable
        can be.
        """
        skipped = isinstance(expression, (m.Read, m.ReadFixed)) or isinstance(
            expression.type, (m.Record, m.RatioT)
        )
        found = None if skipped else self.an.by_member(expression)
        if found is None:
            return None
        var, vector = found
        missing = self.an.settled_at(expression, {var: -1})
        if missing is None or not all(
            isinstance(x, int) for values in vector.values for x in values
        ):
            return None
        at = self.read(var)
        return v.RowValue(
            self.unit.table(both(vector, missing).map(lambda t: (*t[0], t[1]))),
            at,
            type_of(expression.type),
        )

    def _free_of_loop(self, expression: m.Expr) -> bool:
        if isinstance(expression, (m.Read, m.Const)):
            return False
        d = self.an.deps(expression)
        return not self.loop & d.vars and not d.raises

    def stays(self, expression: m.Expr, var: m.Var) -> bool:
        """Return True if the mask of the members `var` for which this holds is the same in all
        rounds of the loop.
        """
        d = self.an.deps(expression)
        return bool(self.loop) and not self.loop & (d.vars - {var}) and not d.raises

    def before_loop(self, value: v.Value) -> v.Local:
        """Hoist a value out of the loop, and return the local that holds it."""
        value = value.value if isinstance(value, v.Some) else value
        return self.hoisted.setdefault(value, v.Local(f"h{len(self.hoisted)}", v.typed(value)))

    def var_for(self, expression: m.Expr, name: str) -> m.Var:
        """Create a variable that receives the value of an expression in advance."""
        return m.Var(
            name,
            (
                m.MemberOf(expression.type.kind, self.an.maybe_none(expression))
                if isinstance(expression.type, m.MemberOf)
                else expression.type
            ),
        )

    def temp(self, type: v.Type = v.NUMBER) -> v.Local:
        self.temps += 1
        return v.Local(f"t{self.temps}", type)

    def read(self, var: m.Var) -> v.Value:
        if var in self.env:
            return self.env[var]
        if self.pure:
            self.unit.exposed.add(var)
        return self.unit.var(var)

    def inline(self, expression: m.Expr) -> m.Expr | None:
        """Return the body of a small definition to replace its call, or None.

        Equal calls return the same copy, so that it is analysed only once.
        """
        return (
            self._inlined(expression)
            if isinstance(expression, (m.CallDefine, m.CallTotal, m.CallPermit))
            else None
        )

    @once
    def _inlined(self, expression: m.CallDefine | m.CallTotal | m.CallPermit) -> m.Expr | None:
        params, args, body = (
            expression.target.params,
            expression.args,
            self.an.body_of(expression.target),
        )
        if (
            stays(self.unit, expression)
            or isinstance(expression.type, m.Record)
            or any(self.an.deps(a).raises for a in args)
        ):
            return None  # an argument that may raise is evaluated once, used or not
        fixed = {
            p: m.Const(x, type=p.type)
            for p, a in zip(params, args, strict=True)
            if isinstance(x := self.an.value(a), int) and x >= 0
        }
        if fixed:  # decide the parts that depend on these only
            body = self.an.simplify(substitute(body, fixed))
        limit = _SMALL if isinstance(expression, m.CallDefine) else 20
        if self.an.weight(body) > limit or not all(
            self._cheap(a) or an.uses(body, p) <= 1 for p, a in zip(params, args, strict=True)
        ):
            return None
        return self.call_expr(params, args, body, expression.type)

    def _cheap(self, expression: m.Expr) -> bool:
        if isinstance(expression, (m.Read, m.Const)) or self.an.settled(expression) is not None:
            return True
        return (
            isinstance(expression, (m.ReadFixed, m.ReadCell))
            and len(expression.keys) <= 1
            and all(isinstance(k, (m.Read, m.Const)) for k in expression.keys)
        )

    def call_expr(
        self, params: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr, result: m.Type
    ) -> m.Expr:
        """Return a body with its arguments substituted. If an argument is none where it may not be,
        the value is empty.
        """
        made = substitute(body, dict(zip(params, args, strict=True)))
        for p, a in zip(params, args, strict=True):
            if isinstance(p.type, m.MemberOf) and not p.type.optional and self.an.maybe_none(a):
                missing = substitute(body, {p: m.Const(-1, type=m.MemberOf(p.type.kind, True))})
                if self.an.value(missing) != m.empty(result):
                    made = m.If(
                        m.IsNone(a),
                        m.Const(m.empty(result), type=result),
                        made,
                        type=result,
                        span=body.span,
                    )
        return made

    def called(self, expression: m.CallDefine | m.CallTotal | m.CallPermit) -> m.Expr:
        """Return the expression that a call stands for."""
        return self.call_expr(
            expression.target.params,
            expression.args,
            self.an.body_of(expression.target),
            expression.type,
        )

    def opened(self, source: m.Expr) -> m.Expr:
        """Return the filter behind the name of a set. A test for emptiness can then stop at the
        first member.
        """
        while isinstance(source, m.CallDefine) and (inlined := self.inline(source)) is not None:
            source = inlined
        return source

    # ------------------------------------------------------------------------ keys, members as sets
    def ordinal(self, key: m.Key, expression: m.Expr) -> v.Value:
        """Lower a key to an offset from 0."""
        x = self.val(expression)
        if key.kind is None and not self.an.fits(key, expression):
            return v.RunValue("key", (x, const(key.low), const(key.high)))
        return x if key.kind is not None else constant_folding.moved(x, -key.low)

    def cell_slot(
        self, keys: Sequence[m.Key], args: Sequence[m.Expr], start: int, type: v.Type
    ) -> v.SlotValue:
        """Return the slot at the row-major place of some keys, counted from `start`."""
        return slot_at(
            start,
            [k.size for k in keys],
            [self.ordinal(k, e) for k, e in zip(keys, args, strict=True)],
            type,
        )

    def bit(self, expression: m.Expr) -> v.Value:
        """Lower a member to a set of one member, which is empty for none."""
        type = (
            v.Mask(expression.type.kind.size)
            if isinstance(expression.type, m.MemberOf)
            else v.NUMBER
        )
        return constant_folding.bit(self.val(expression), type, self.an.maybe_none(expression))

    def mask_of(self, expression: m.Expr) -> v.Value:
        """Lower a set, or a member as a set of one."""
        return (
            self.val(expression) if isinstance(expression.type, m.SetOf) else self.bit(expression)
        )
