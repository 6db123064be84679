"""Takes an expression and the values of some variables, makes the set of values that it may have, whatever the state is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Protocol

from rulekit import model as m
from rulekit.base.errors import RulesError
from rulekit.compile.analysis.bounds import Bodies
from rulekit.compile.analysis.late import Axis, Deps
from rulekit.meaning.values import ARITH, COMPARE, Env, NotConstant, is_hole, is_member, offset, void

Values = frozenset[Any] | None  # None: anything
Given = Mapping[m.Var, Any]
_MOST = 6
BOTH = frozenset((0, 1))
YES, NO, HOLE = frozenset((1,)), frozenset((0,)), frozenset((-1,))


def truth(values: Values) -> frozenset[int]:
    return BOTH if values is None else frozenset(int(bool(v)) for v in values)


class Known(Bodies, Protocol):
    """What is asked of an analysis. `chosen`: what is taken as chosen while something is evaluated."""

    chosen: dict[Axis, int]

    def deps(self, e: m.Expr) -> Deps: ...

    def eval(self, expr: m.Expr, env: Env) -> Any: ...

    def maybe_none(self, e: m.Expr) -> bool: ...

    def possible_late(self, fixed: m.Fixed) -> list[Sequence[int]]: ...


class Possible(m.ExprVisitor[[Given], Values], whole=False):
    """Evaluates over sets of values. What reads the state may be anything of its type."""

    def __init__(self, an: Known) -> None:
        self.an = an
        self.memo: dict[tuple[int, tuple[Any, ...], tuple[int | None, ...]], tuple[m.Expr, Values]] = {}

    def of(self, e: m.Expr, env: Given) -> Values:
        if isinstance(e, m.Const):
            return frozenset((e.value,))
        d = self.an.deps(e)
        given = tuple([env.get(v) for v in d.vars]) if d.vars else ()
        chosen = tuple([self.an.chosen.get(a) for a in d.late]) if d.late else ()
        key = (id(e), given, chosen)
        known = self.memo.get(key)
        if known is None:
            mine = {v: x for v, x in zip(d.vars, given, strict=True) if x is not None}
            known = self.memo[key] = (e, self._find(e, mine, d.state or None in given or None in chosen))
        return known[1]

    def _find(self, e: m.Expr, env: Given, open: bool) -> Values:
        if not open and all(isinstance(x, int) for x in env.values()):
            try:
                value = self.an.eval(e, dict(env))
                return frozenset((int(value) if isinstance(value, bool) else value,))
            except (NotConstant, RulesError, IndexError, KeyError, TypeError):
                return None
        method = self.methods.get(e.__class__)
        found: Values = method(self, e, env) if method is not None else None
        if found is None or len(found) > _MOST:
            return BOTH if isinstance(e.type, m.Bool) else None
        return found

    def safe(self, e: m.Expr, env: Given) -> bool:
        """Is it worked out without an error, whatever the state is? What `and`, `or`, `if` and cases leave out is not asked."""
        if not self.an.deps(e).raises:
            return True
        if isinstance(e, (m.And, m.Or)):
            stop = NO if isinstance(e, m.And) else YES
            for x in e.items:
                if not self.safe(x, env):
                    return False
                if truth(self.of(x, env)) == stop:
                    return True
            return True
        if isinstance(e, m.If):
            holds = truth(self.of(e.cond, env))
            sides = [part for side, part in ((1, e.then), (0, e.other)) if side in holds]
            return self.safe(e.cond, env) and all(self.safe(x, env) for x in sides)
        if isinstance(e, m.CallDefine) and all(self.safe(a, env) for a in e.args):
            args = [self.of(a, env) for a in e.args]
            inner = {p: next(iter(a)) if len(a) == 1 else a for p, a in zip(e.target.params, args, strict=True) if a is not None}
            return self.safe(self.an.body_of(e.target), inner)
        try:
            self.an.eval(e, {v: x for v, x in env.items() if isinstance(x, int)})
        except (NotConstant, RulesError, IndexError, KeyError, TypeError):
            return False
        return True

    # -------------------------------------------------------------------------------- nodes
    def on_read(self, e: m.Read, env: Given) -> Values:
        x = env.get(e.var)
        return x if isinstance(x, frozenset) else None if x is None else frozenset((x,))

    def on_read_fixed(self, e: m.ReadFixed, env: Given) -> Values:
        tables = self.an.possible_late(e.fixed) if e.fixed.late else [e.fixed.values]
        found: set[Any] = set()
        keys = [some for some in (self.of(k, env) for k in e.keys) if some is not None]
        if len(keys) < len(e.keys):
            return None
        for key in product(*keys):
            try:
                place = offset(e.fixed.keys, key)
            except IndexError:
                return None
            found.update([void(e.fixed.type)] if place is None else (values[place] for values in tables))
        return frozenset(found)

    def on_read_cell(self, e: m.ReadCell, env: Given) -> Values:
        for key, k in zip(e.cell.keys, e.keys, strict=True):
            if key.kind is not None and self.of(k, env) == HOLE:
                return frozenset((m.empty(e.cell.type),))
        return None

    def on_call_define(self, e: m.CallDefine, env: Given) -> Values:
        args = [self.of(a, env) for a in e.args]
        found: set[Any] = set()
        inner = dict(zip(e.target.params, args, strict=True))
        for p, a in inner.items():
            if isinstance(p.type, m.MemberOf) and not p.type.optional:
                if a == HOLE:
                    return frozenset((m.empty(e.target.type),)) if not isinstance(e.target.type, m.Record) else None
                if a is not None and -1 in a:
                    return None
                if a is None and self.an.maybe_none(e.args[e.target.params.index(p)]):
                    if isinstance(e.target.type, m.Record):
                        return None
                    found.add(m.empty(e.target.type))
        bound = {p: next(iter(a)) if a is not None and len(a) == 1 else a for p, a in inner.items() if a is not None}
        for cond, value in e.target.cases:
            holds = YES if cond is None else truth(self.of(cond, bound))
            if 1 in holds:
                some = self.of(value, bound)
                if some is None:
                    return None
                found |= some
            if 0 not in holds:
                break
        return frozenset(found)

    def on_compare(self, e: m.Compare, env: Given) -> Values:
        a, b = self.of(e.left, env), self.of(e.right, env)
        left, right = is_member(e.left.type), is_member(e.right.type)
        if (left and a == HOLE) or (right and b == HOLE):
            return NO
        if a is None or b is None or isinstance(e.left.type, m.RatioT):
            return BOTH
        return frozenset(int(not (left and x == -1) and not (right and y == -1) and COMPARE[e.op](x, y)) for x in a for y in b)

    def on_in(self, e: m.In, env: Given) -> Values:
        items, sets = self.of(e.item, env), self.of(e.source, env)
        if items == HOLE or sets == NO:
            return NO
        if items is None or sets is None:
            return BOTH
        return frozenset(int(i != -1 and s >> i & 1) for i in items for s in sets)

    def on_is_none(self, e: m.IsNone, env: Given) -> Values:
        values = self.of(e.value, env)
        if values is None:
            return BOTH if self.an.maybe_none(e.value) or isinstance(e.value.type, m.Int) else NO
        return frozenset(int(is_hole(e.value.type, v)) for v in values)

    def on_not(self, e: m.Not, env: Given) -> Values:
        return frozenset(1 - v for v in truth(self.of(e.value, env)))

    def on_and(self, e: m.And | m.Or, env: Given) -> Values:
        stop = 0 if isinstance(e, m.And) else 1
        some = False
        for x in e.items:
            found = truth(self.of(x, env))
            if found == frozenset((stop,)):
                return frozenset((stop,))
            some = some or stop in found
        return BOTH if some else frozenset((1 - stop,))

    on_or = on_and

    def on_if(self, e: m.If, env: Given) -> Values:
        found: frozenset[Any] = frozenset()
        holds = truth(self.of(e.cond, env))
        for side, part in ((1, e.then), (0, e.other)):
            if side in holds:
                some = self.of(part, env)
                if some is None:
                    return None
                found |= some
        return found

    def on_or_else(self, e: m.OrElse, env: Given) -> Values:
        values = self.of(e.value, env)
        hole = -1 if isinstance(e.value.type, m.MemberOf) else m.NO_LIMIT
        if values is None or hole not in values:
            return values
        other = self.of(e.other, env)
        return None if other is None else (values - {hole}) | other

    def on_filter(self, e: m.Filter, env: Given) -> Values:
        return NO if self.of(e.source, env) == NO or truth(self.of(e.cond, env)) == NO else None

    def on_count(self, e: m.Count, env: Given) -> Values:
        source = self.of(e.source, env)
        if e.op == "count":
            return None if source is None else frozenset(x.bit_count() for x in source)
        return BOTH if source is None else frozenset(int(bool(x) == (e.op == "some")) for x in source)

    def on_arith(self, e: m.Arith, env: Given) -> Values:
        a, b = self.of(e.left, env), self.of(e.right, env)
        if a is None or b is None or e.op not in "+-*":
            return None
        return frozenset(ARITH[e.op](x, y) for x in a for y in b)
