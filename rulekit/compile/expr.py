"""Takes checked expressions, makes Python expressions over the state `s`: constants folded, queries on sets as mask algebra."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile import fold, strict
from rulekit.compile.late import Late, both
from rulekit.compile.unit import Unit, X, const, name, part_of
from rulekit.compile.workings import asked, told
from rulekit.meaning.values import void
from rulekit.model.visitor import substitute

_SMALL = 40  # nodes of a definition that is put in place of its call
_DECIDED = 80  # the same, where arguments are fixed and have decided parts of it


class Expressions:
    """Lowers expressions inside one emitted function. `env`: variables that are bound here. Others are frame variables."""

    def __init__(self, unit: Unit, env: Mapping[m.Var, X] | None = None) -> None:
        self.unit = unit
        self.an = unit.an
        self.env: dict[m.Var, X] = dict(env or {})
        self.loop: frozenset[m.Var] = frozenset()  # inside a loop over them: what does not depend on them is computed before the loop
        self.hoisted: dict[str, str] = {}
        self.temps = 0
        self.pure = True  # in a function without effects: frame variables that are read must have slots

    # -------------------------------------------------------------------------------- entry points
    def cond(self, e: m.Expr) -> X:
        """A test: true or false in Python's sense."""
        return self._lower(e, True)

    def val(self, e: m.Expr) -> X:
        """The value as an int."""
        x = self._lower(e, False)
        if x.truthy:
            return const(int(bool(x.const))) if x.const is not None else X(f"1 if {x.p} else 0")
        return x

    def _lower(self, e: m.Expr, test: bool) -> X:
        known = self.an.settled(e)
        if known is not None and not isinstance(e.type, m.Record):
            return self.unit.pick(known)
        if self.loop and self._free_of_loop(e):
            return self._hoist(e, test)
        looked = self._looked_up(e)
        if looked is not None:
            return looked
        found = self._simple_inline(e)
        if found is not None:
            return self._lower(found, test)
        if not self.an.deps(e).raises:
            return self._by_class[e.__class__](self, e)
        return strict.worked_out(self, e, self._by_class[e.__class__])

    def _looked_up(self, e: m.Expr) -> X | None:
        """A value that is fixed for each member that one variable may be: a table."""
        d = self.an.deps(e)
        if len(d.vars) != 1 or isinstance(e, (m.Read, m.ReadFixed)) or isinstance(e.type, (m.Record, m.RatioT)):
            return None
        var = next(iter(d.vars))
        if not isinstance(var.type, m.MemberOf):
            return None
        vector = self.an.vector(e, var, range(var.type.kind.size))
        hole = self.an.through_hole(e, var) if vector is not None else None
        if vector is None or hole is None or not all(isinstance(v, int) for values in vector.values for v in values):
            return None
        x = self.read(var)
        return X(f"{self.unit.table(both(vector, hole).map(lambda t: (*t[0], t[1])))}[{x.text}]", atom=True)

    def _free_of_loop(self, e: m.Expr) -> bool:
        if isinstance(e, (m.Read, m.Const)):
            return False
        d = self.an.deps(e)
        return not self.loop & d.vars and not d.raises

    def _hoist(self, e: m.Expr, test: bool) -> X:
        loop, self.loop = self.loop, frozenset()
        x = self.cond(e) if test else self.val(e)
        self.loop = loop
        if x.const is not None or (x.atom and "[" not in x.text):
            return x
        return X(self.before_loop(x.text), atom=True, truthy=x.truthy)

    def stays(self, e: m.Expr, var: m.Var) -> bool:
        """Is the mask of the members `var` for which this holds the same in all rounds of the loop?"""
        d = self.an.deps(e)
        return bool(self.loop) and not self.loop & (d.vars - {var}) and not d.raises

    def before_loop(self, text: str) -> str:
        """The name of what is computed before the loop."""
        return self.hoisted.setdefault(text, f"h{len(self.hoisted)}")

    def temp(self) -> str:
        self.temps += 1
        return f"t{self.temps}"

    def read(self, var: m.Var) -> X:
        if var in self.env:
            return self.env[var]
        if var not in self.unit.lay.vars:
            raise LookupError(f"the variable {var.name!r} is bound nowhere")
        if self.pure:
            self.unit.exposed.add(var)
        return name(self.unit.var(var))

    # -------------------------------------------------------------------------------- calls that are put in place
    def _simple_inline(self, e: m.Expr) -> m.Expr | None:
        """The body of a small definition in place of its call: for the same call the same copy, so that it is analysed once."""
        if not isinstance(e, (m.CallDefine, m.CallTotal, m.CallPermit)):
            return None
        known = self.unit.inlined.get(id(e))
        if known is None:
            known = self.unit.inlined[id(e)] = (e, self._inlined(e))
        return known[1]

    def _inlined(self, e: m.CallDefine | m.CallTotal | m.CallPermit) -> m.Expr | None:
        body: m.Expr
        if isinstance(e, m.CallDefine):
            if self.unit.trace and asked(self.unit.model, e.define):
                return None
            params, args, body, result = e.define.params, e.args, self.an.body_of(e.define), e.define.type
        elif not self.unit.trace:
            target = e.total if isinstance(e, m.CallTotal) else e.permit
            params, args, body, result = target.params, e.args, self.an.sum_of(target), e.type
        else:
            return None
        if isinstance(result, m.Record) or any(self.an.deps(a).raises for a in args):
            return None  # an argument is worked out once, whether it is used or not
        known = {p: m.Const(v, type=p.type) for p, a in zip(params, args, strict=True) if isinstance(v := self.an.value(a), int) and v >= 0}
        if known:  # what does not depend on the others is decided
            body = self.an.simplify(substitute(body, known))
        limit = (_DECIDED if known else _SMALL) if isinstance(e, m.CallDefine) else 20
        if self.an.weight(body) > limit or not all(self._cheap(a) or an.uses(body, p) <= 1 for p, a in zip(params, args, strict=True)):
            return self._tabled(params, args, body, result)
        return self.call_expr(params, args, body, result)

    def _tabled(self, params: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr, result: m.Type) -> m.Expr | None:
        """The body in place of a call, if one argument that is a variable decides it: it becomes a table."""
        d = self.an.deps(body)
        used = [(p, a) for p, a in zip(params, args, strict=True) if p in d.vars or self.an.maybe_none(a)]
        if d.state or d.raises or len(used) != 1 or len(params) == 1 or not isinstance(used[0][1], m.Read):
            return None
        made = self.call_expr(params, args, body, result)
        return made if self._looked_up(made) is not None else None

    def _cheap(self, e: m.Expr) -> bool:
        if isinstance(e, (m.Read, m.Const)) or self.an.settled(e) is not None:
            return True
        return isinstance(e, (m.ReadFixed, m.ReadCell)) and len(e.keys) <= 1 and all(isinstance(k, (m.Read, m.Const)) for k in e.keys)

    def call_expr(self, params: Sequence[m.Var], args: Sequence[m.Expr], body: m.Expr, result: m.Type) -> m.Expr:
        """A body with arguments put in; empty through a hole."""
        made = substitute(body, dict(zip(params, args, strict=True)))
        for p, a in zip(params, args, strict=True):
            if isinstance(p.type, m.MemberOf) and not p.type.optional and self.an.maybe_none(a):
                hole = substitute(body, {p: m.Const(-1, type=m.MemberOf(p.type.kind, True))})
                if self.an.value(hole) != m.empty(result):
                    made = m.If(m.IsNone(a, type=an.BOOL), m.Const(m.empty(result), type=result), made, type=result, span=body.span)
        return made

    def _call(self, letter: str, item: object, params: Sequence[m.Var], args: Sequence[m.Expr]) -> X:
        holes = any(isinstance(p.type, m.MemberOf) and not p.type.optional and self.an.maybe_none(a)
                    for p, a in zip(params, args, strict=True))
        function = self.unit.want(letter, item, holes)
        return X(f"{function}({', '.join(['s', *(self.val(a).text for a in args)])})", atom=True)

    # -------------------------------------------------------------------------------- leaves
    def _read(self, e: m.Read) -> X:
        return self.read(e.var)

    def _here(self, e: m.Here) -> X:
        return name("s[5]")

    def _running(self, e: m.Running) -> X:
        frame = self.unit.lay.frames[e.proc]
        return X(f"s[{frame.returns if frame.returns >= 0 else frame.running}]", atom=True, truthy=True)

    def _ratio(self, e: m.RatioOf) -> X:
        return X(f"({self.val(e.num).text}, {self.val(e.den).text})", atom=True)

    def ordinal(self, key: m.Key, e: m.Expr) -> X:
        """A key as an offset from 0."""
        x = self.val(e)
        if key.kind is None and not self.an.fits(key, e):
            return X(f"key({x.text}, {key.low}, {key.high})", atom=True)
        if key.kind is not None or key.low == 0:
            return x
        return const(x.const - key.low) if x.const is not None else X(f"{x.p} - {key.low}" if key.low > 0 else f"{x.p} + {-key.low}")

    def offset(self, keys: Sequence[m.Key], args: Sequence[m.Expr], start: int = 0) -> X:
        """start + the row-major place of keys."""
        fixed, terms = start, []
        for i, (key, e) in enumerate(zip(keys, args, strict=True)):
            stride = 1
            for later in keys[i + 1:]:
                stride *= later.size
            x = self.ordinal(key, e)
            if x.const is not None:
                fixed += x.const * stride
            else:
                terms.append(x.p if stride == 1 else f"{x.p}*{stride}")
        if not terms:
            return const(fixed)
        return X(" + ".join(terms) if not fixed else f"{fixed} + " + " + ".join(terms) if fixed > 0 else " + ".join(terms) + f" - {-fixed}")

    def _holes(self, keys: Sequence[m.Key], args: Sequence[m.Expr]) -> str:
        """A test that no key is none, "" if none can be."""
        some = [a for k, a in zip(keys, args, strict=True) if k.kind is not None and self.an.maybe_none(a)]
        return " and ".join(f"{self.val(a).p} >= 0" for a in some)

    def _fixed(self, e: m.ReadFixed) -> X:
        f = e.fixed
        tables = self.an.late[f] if f.late else Late((), (f.values,))
        hole = void(f.type)
        vary = [i for i, k in enumerate(e.keys) if self.an.value(k) is None]
        if len(vary) < len(e.keys) and not self.an.refuses(e):  # constant keys: a smaller table
            keys = [self.an.value(k) for k in e.keys]
            if any(k == -1 and f.keys[i].kind is not None for i, k in enumerate(keys)):
                return const(hole)
            known = {i: k - (0 if f.keys[i].kind else f.keys[i].low) for i, k in enumerate(keys) if k is not None}
            tables = tables.map(lambda values: part_of(f.keys, values, known))
        else:
            vary = list(range(len(e.keys)))
        keys_left = [f.keys[i] for i in vary]
        args = [e.keys[i] for i in vary]
        if all(v == hole for values in tables.values for v in values):
            return const(hole)
        holes = self._holes(keys_left, args) if len(args) > 1 else ""
        x = X(f"{self.unit.table(tables.map(lambda values: (*values, hole)))}[{self.offset(keys_left, args).text}]", atom=True)
        return X(f"{x.text} if {holes} else {hole}") if holes else x

    def _cell(self, e: m.ReadCell) -> X:
        place = self.unit.lay.places[e.cell]
        if place.form == "mask":
            rows, last = list(zip(e.cell.keys, e.keys, strict=True))[:-1], e.keys[-1]
            row = self.offset([k for k, _ in rows], [a for _, a in rows], place.base)
            holes = self._holes([k for k, _ in rows], [a for _, a in rows]) if len(rows) > 1 else ""
            x = self.member_in(last, X(f"s[{row.text}]", atom=True), e.cell.keys[-1])
            return X(f"{holes} and {x.p}", truthy=True) if holes else x
        if place.form == "index":
            bit = self.val(e.keys[0])
            reads = [f"{v} if s[{place.index + v}] >> {bit.p} & 1" for v in range(place.values)]
            text = " else ".join([*reads, "-1"])
            return X(f"-1 if {bit.p} < 0 else {text}" if self.an.maybe_none(e.keys[0]) else text)
        holes = self._holes(e.cell.keys, e.keys) if len(e.keys) > 1 else ""
        x = X(f"s[{self.offset(e.cell.keys, e.keys, place.base).text}]", atom=True)
        return X(f"{x.text} if {holes} else {m.empty(e.cell.type)}") if holes else x

    # -------------------------------------------------------------------------------- calls
    def _define(self, e: m.CallDefine) -> X:
        return self._call("D", e.define, e.define.params, e.args)

    def _total(self, e: m.CallTotal) -> X:
        return self._call("T", e.total, e.total.params, e.args)

    def _permit(self, e: m.CallPermit) -> X:
        return self._call("P", e.permit, e.permit.params, e.args)

    def _applies(self, e: m.AppliesTo) -> X:
        return strict.applied(self, e.target.params, e.args, an.clause_cond(e.clause), an.BOOL)

    def _lookup(self, e: m.CallTable | m.FieldOf) -> X:
        from rulekit.compile.lookups import lookup, result

        return lookup(self, e) if isinstance(e, m.CallTable) else result(self, e)

    def _slot(self, e: m.CallSlot) -> X:
        member = self.an.value(e.member)
        if member is not None:
            value = (e.slot.values[member] if 0 <= member < len(e.slot.values) else None) or (e.slot.default if member >= 0 else None)
            if value is None:
                return const(void(e.type))
            return strict.applied(self, e.slot.params, e.args, value, e.type)
        table = self.unit.want("S", e.slot)
        x = X(f"{table}[{self.val(e.member).text}]({', '.join(['s', *(self.val(a).text for a in e.args)])})", atom=True)
        tests = [f"{self.val(a).p} >= 0" for a in [e.member, *e.args] if self.an.maybe_none(a)]
        return X(f"{x.text} if {' and '.join(tests)} else {void(e.type)}") if tests else x

    def _reach(self, e: m.ReachOf, letter: str = "G") -> X:
        function = self.unit.want(letter, e.movement)
        args = [self.val(a) for a in [*e.args, e.start]]
        tests = [f"{x.p} >= 0" for a, x in zip([*e.args, e.start], args, strict=True) if self.an.maybe_none(a)]
        text = f"{function}({', '.join(['s', *(x.text for x in args)])})"
        return X(f"{text} if {' and '.join(tests)} else 0") if tests else X(text, atom=True)

    def _could_be_in(self, e: m.CouldBeIn) -> X:
        cell = e.pool.cell
        assert isinstance(cell.type, m.SetOf)
        known = self.unit.lay.known[cell.type.kind]
        return X(f"could_be(s[{known}], {self.val(e.item).text}, {self.val(e.pool).text}, {int(bool(cell.seen))})", atom=True, truthy=True)

    # -------------------------------------------------------------------------------- members and sets
    def bit(self, e: m.Expr) -> X:
        """The set of one member; empty of none."""
        x = self.val(e)
        if x.const is not None:
            return const(1 << x.const if x.const >= 0 else 0)
        return X(f"B[{x.text}]", atom=True) if self.an.maybe_none(e) else X(f"1 << {x.p}")

    def mask_of(self, e: m.Expr) -> X:
        """A set, or a member as a set."""
        return self.val(e) if isinstance(e.type, m.SetOf) else self.bit(e)

    def member_in(self, item: m.Expr, mask: X, key: m.Key | None = None) -> X:
        """Is a member (or number) in a mask?"""
        x = self.ordinal(key, item) if key is not None else self.val(item)
        return fold.has(mask, x, f"{mask.p} & B[{x.text}]" if self.an.maybe_none(item) else f"{mask.p} >> {x.p} & 1")

    def _in(self, e: m.In) -> X:
        return self.member_in(e.item, self.val(e.source))

    def _make_set(self, e: m.MakeSet) -> X:
        return fold.united([self.mask_of(i) for i in e.items])

    def _set_op(self, e: m.SetOp) -> X:
        return fold.set_op(e.op, self.mask_of(e.left), self.mask_of(e.right))

    def _filter(self, e: m.Filter) -> X:
        return self.filtered(e)

    def _count(self, e: m.Count) -> X:
        if e.op == "count":
            return fold.size(self.val(e.source))
        source = self.opened(e.source)
        if isinstance(source, m.If):  # one set or the other: only that one is looked at
            sides = (m.Count(e.op, x, type=e.type, span=e.span) for x in (source.then, source.other))
            return self.cond(m.If(source.cond, *sides, type=e.type, span=e.span))
        if isinstance(source, m.Filter):
            x = self.filtered(source, any=True)
        elif isinstance(source, m.ReachOf) and not self.an.deps(source).raises:
            x = self._reach(source, "A")
        else:
            x = self.val(e.source)
        if x.const is not None:
            return const(int(bool(x.const) == (e.op == "some")))
        return X(x.text, atom=x.atom, truthy=True) if e.op == "some" else X(f"not {x.p}", truthy=True)

    def opened(self, source: m.Expr) -> m.Expr:
        """The filter behind the name of a set: whether it is empty can be told at its first member."""
        while isinstance(source, m.CallDefine) and (inlined := self._simple_inline(source)) is not None:
            source = inlined
        while isinstance(source, m.CallDefine) and len(source.define.cases) == 1 and source.define.cases[0][0] is None \
                and all(isinstance(a, (m.Read, m.Const)) for a in source.args):
            source = self.call_expr(source.define.params, source.args, source.define.cases[0][1], source.type)
        return source

    def _the(self, e: m.The) -> X:
        x = self.val(e.source)
        if isinstance(e.source.type, m.SetOf):
            return X(f"the({x.text})", atom=True)
        if not self.an.maybe_none(e.source) and not isinstance(e.source.type, m.Int):
            return x
        return X(f"there({x.text}, {-1 if isinstance(e.source.type, m.MemberOf) else m.NO_LIMIT})", atom=True)

    # -------------------------------------------------------------------------------- numbers
    def _least(self, e: m.Least) -> X:
        args = [self.val(a) for a in e.args]
        x = fold.least(e.op, args)
        tests = [f"{v.p} >= 0" for v, a in zip(args, e.args, strict=True) if self.an.maybe_none(a)]
        return X(f"{x.text} if {' and '.join(tests)} else -1") if tests else x

    def _arith(self, e: m.Arith) -> X:
        return fold.arith(e.op, self.val(e.left), self.val(e.right))

    def _in_range(self, e: m.InRange) -> X:
        x = self.val(e.value)
        assert isinstance(e.type, m.Int)
        low, high = e.type.low, e.type.high
        if x.const is not None and (x.const == m.NO_LIMIT or (low or 0) <= x.const <= (high or 0)):
            return x
        return X(f"held({x.text}, {low}, {high}, {self.unit.promise(e.what)})", atom=True)

    def _shift(self, e: m.Shift) -> X:
        assert isinstance(e.member.type, m.MemberOf)
        top = e.member.type.kind.size - 1
        a, b = self.val(e.member), self.val(e.by)
        text = f"shift({a.text}, {b.text}, {top})" if self.an.maybe_none(e.member) else f"min(max({a.p} + {b.p}, 0), {top})"
        return X(told(self.unit, "shifted", self.unit.index(e.member.type.kind), text, [e.member, e.by], [a.text, b.text]), atom=True)

    # -------------------------------------------------------------------------------- tests
    def _compare(self, e: m.Compare) -> X:
        if isinstance(e.left.type, m.RatioT):
            return X(f"compare_ratios({fold.PYTHON[e.op]!r}, {self.val(e.left).text}, {self.val(e.right).text})", atom=True, truthy=True)
        inverse = self._by_index(e)
        if inverse is not None:
            return inverse
        if isinstance(e.left.type, m.Bool):
            return self._compare_bools(e)
        a, b = self.val(e.left), self.val(e.right)
        left, right = self.an.maybe_none(e.left), self.an.maybe_none(e.right)
        if left and right and e.op in ("=", "!="):
            return X(f"{a.p} == {b.p} >= 0" if e.op == "=" else f"-1 != {a.p} != {b.p} != -1")
        return fold.comparison(e.op, a, b, [x for x, hole in ((a, left), (b, right)) if hole and e.op != "="])

    def _by_index(self, e: m.Compare) -> X | None:
        """cell(k) = v where the cell has one mask per value."""
        for cell, other in ((e.left, e.right), (e.right, e.left)):
            if e.op in ("=", "!=") and isinstance(cell, m.ReadCell) and self.unit.lay.places[cell.cell].form == "index" \
                    and not self.an.deps(e).raises:
                place = self.unit.lay.places[cell.cell]
                v = self.val(other)
                if v.const is not None and v.const < 0:
                    return const(0)
                slot = f"s[{place.index + v.const}]" if v.const is not None else f"s[{place.index} + {v.p}]"
                x = self.member_in(cell.keys[0], name(slot))
                if e.op == "=":
                    return x
                there = self.member_in(cell.keys[0], X(f"~s[{place.index + place.values}]"))
                return X(f"not {x.p} and {there.p}" + (f" and {v.p} >= 0" if self.an.maybe_none(other) else ""), truthy=True)
        return None

    def _compare_bools(self, e: m.Compare) -> X:
        a, b = self.cond(e.left), self.cond(e.right)
        for x, y in ((a, b), (b, a)):
            if x.const is not None:
                same = bool(x.const) == (e.op == "=")
                return y if same else X(f"not {y.p}", truthy=True)
        return X(f"(not {a.p}) {'==' if e.op == '=' else '!='} (not {b.p})")

    def _is_none(self, e: m.IsNone) -> X:
        if isinstance(e.value, m.ReadCell) and self.unit.lay.places[e.value.cell].form == "index":
            place = self.unit.lay.places[e.value.cell]
            if self.an.maybe_none(e.value.keys[0]):
                there = self.member_in(e.value.keys[0], X(f"~s[{place.index + place.values}]"))
                return X(f"not {there.p}", truthy=True)
            return self.member_in(e.value.keys[0], name(f"s[{place.index + place.values}]"))
        if isinstance(e.value.type, m.Int):
            return X(f"{self.val(e.value).p} == {m.NO_LIMIT}")
        if not isinstance(e.value.type, m.MemberOf) or not self.an.maybe_none(e.value):
            return const(0)
        if isinstance(e.value, m.FirstBy) and not any(self.an.deps(k).raises for k in e.value.keys):
            return self._count(m.Count("no", e.value.source, type=e.type))
        return X(f"{self.val(e.value).p} < 0")

    def _between(self, e: m.Between) -> X:
        low, value, high = (self.val(x) for x in (e.low, e.value, e.high))
        tests = [f"{x.p} >= 0" for x, part in zip((low, value, high), (e.low, e.value, e.high), strict=True) if self.an.maybe_none(part)]
        if fold.known(low, value, high) is not None and not tests:
            return const(int(low.const <= value.const <= high.const))
        return X(" and ".join([*tests, f"{low.p} <= {value.p} <= {high.p}"]))

    def _not(self, e: m.Not) -> X:
        x = self.cond(e.value)
        if x.const is not None:
            return const(int(not x.const))
        return X(x.text[4:], truthy=True) if x.text.startswith("not ") and " and " not in x.text and " or " not in x.text else \
            X(f"not {x.p}", truthy=True)

    def _and(self, e: m.And) -> X:
        return self._join(e.items, " and ", 0)

    def _or(self, e: m.Or) -> X:
        return self._join(e.items, " or ", 1)

    def _join(self, items: Sequence[m.Expr], word: str, stop: int) -> X:
        found = []
        for item in items:
            x = self.cond(item)
            if x.const is not None:
                if bool(x.const) == bool(stop):
                    found.append(const(stop))
                    break
                continue
            found.append(x)
        if not found:
            return const(1 - stop)
        return found[0] if len(found) == 1 else X(word.join(x.p for x in found), truthy=True)

    def _if(self, e: m.If) -> X:
        if isinstance(e.type, m.Bool):
            c, a, b = self.cond(e.cond), self.cond(e.then), self.cond(e.other)
        else:
            c, a, b = self.cond(e.cond), self.val(e.then), self.val(e.other)
        if c.const is not None:
            return a if c.const else b
        return X(f"{a.p} if {c.p} else {b.p}", truthy=isinstance(e.type, m.Bool))

    def _or_else(self, e: m.OrElse) -> X:
        if isinstance(e.value.type, m.Int):
            t = self.temp()
            return X(f"{t} if ({t} := {self.val(e.value).text}) != {m.NO_LIMIT} else {self.val(e.other).p}")
        if not self.an.maybe_none(e.value):
            return self.val(e.value)
        a = self.val(e.value)
        if a.atom:
            return X(f"{a.text} if {a.text} >= 0 else {self.val(e.other).p}")
        t = self.temp()
        return X(f"{t} if ({t} := {a.text}) >= 0 else {self.val(e.other).p}")

    def filtered(self, e: m.Filter, any: bool = False) -> X:
        """The members for which a condition holds; with `any` something true if there are some."""
        from rulekit.compile.masks import filtered

        return filtered(self, e, any)

    def _collect(self, e: m.Collect) -> X:
        from rulekit.compile.loops import collect

        return collect(self, e)

    def _aggregate(self, e: m.Aggregate) -> X:
        from rulekit.compile.loops import aggregate

        return aggregate(self, e)

    def _first(self, e: m.FirstBy) -> X:
        from rulekit.compile.loops import first

        return first(self, e)

    _by_class: ClassVar[dict[type, Callable[[Any, Any], X]]] = {
        m.Read: _read, m.Here: _here, m.Running: _running, m.RatioOf: _ratio, m.ReadFixed: _fixed, m.ReadCell: _cell, m.CallDefine: _define,
        m.CallTotal: _total, m.CallPermit: _permit, m.AppliesTo: _applies, m.CallTable: _lookup, m.FieldOf: _lookup, m.CallSlot: _slot,
        m.ReachOf: _reach, m.CouldBeIn: _could_be_in, m.In: _in, m.MakeSet: _make_set, m.SetOp: _set_op, m.Filter: _filter,
        m.Count: _count, m.The: _the, m.Least: _least, m.Arith: _arith, m.Shift: _shift, m.Compare: _compare, m.IsNone: _is_none,
        m.Between: _between, m.Not: _not, m.And: _and, m.Or: _or, m.If: _if, m.OrElse: _or_else,
        m.InRange: _in_range, m.Collect: _collect, m.Aggregate: _aggregate, m.FirstBy: _first,
    }
