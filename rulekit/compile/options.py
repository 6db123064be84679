"""Takes options and their guards, makes the functions that list the legal ones as masks, and the blocks that take one up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define, field

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile import ir
from rulekit.compile.control import Decision, Flow, Lower, Offer, Targets
from rulekit.compile.expr import Expressions
from rulekit.compile.masks import narrowed
from rulekit.compile.unit import X, const, name
from rulekit.model.visitor import everything, substitute
from rulekit.program import program as pg

_UNROLL = 6  # values of a looped parameter that are written out one by one
_WRITTEN_OUT = 16  # the same of a number as the last parameter


def param_info(flow: Flow, option: m.Option) -> list[pg.ParamInfo]:
    found = []
    for i, p in enumerate(option.params):
        span = option.ranges[i] if i < len(option.ranges) else None
        if isinstance(p.type, m.MemberOf):
            found.append(pg.ParamInfo(p.name, flow.unit.index(p.type.kind), 0, p.type.kind.size))
        else:
            low, high = span or ((p.type.low or 0, p.type.high or 0) if isinstance(p.type, m.Int) else (0, 1))
            found.append(pg.ParamInfo(p.name, -1, low, high - low + 1))
    return found


def clause_infos(option: m.Option) -> list[pg.ClauseInfo]:
    found = []
    for c in option.clauses:
        if isinstance(c, m.Guarded):
            found.append(pg.ClauseInfo("when", "", c.reason, c.key, c.ref))
        elif isinstance(c, m.With):
            found.append(pg.ClauseInfo("with", c.var.name))
        elif isinstance(c, m.Pays):
            found.append(pg.ClauseInfo("pays", "", ref=c.ref))
        else:
            found.append(pg.ClauseInfo("limit", c.name, ref=c.ref))
    return found


def family(flow: Flow, option: m.Option) -> int:
    """The family of an option: the same wherever it is offered."""
    if id(option) not in flow.options:
        info = pg.FamilyInfo(option.name, "option", 0, param_info(flow, option), option.key, option.label, option.ref, option.secret,
                             option.word, clause_infos(option))
        index = flow.family(info)
        flow.options[id(option)] = (option, index)
        flow.spans[index] = option
    return flow.options[id(option)][1]


def tests(option: m.Option, analysis: an.Analysis) -> list[m.Expr]:
    """All that must hold, in written order; `with` variables replaced by their values."""
    found: list[m.Expr] = []
    known: dict[m.Var, m.Expr] = {}
    for c in option.clauses:
        if isinstance(c, m.With):
            value = substitute(c.value, known)
            known[c.var] = value
            if isinstance(c.value.type, m.MemberOf):
                found.append(m.Not(m.IsNone(value, type=an.BOOL), type=an.BOOL, span=option.span))
            elif analysis.deps(value).raises:
                found.append(m.Compare("=", value, value, type=an.BOOL, span=option.span))  # it is worked out here
        else:
            found.append(substitute(clause_test(c), known))
    return found


def clause_test(c: m.Guarded | m.Pays | m.Limit) -> m.Expr:
    """The condition of one clause."""
    if isinstance(c, m.Guarded):
        return c.cond
    if isinstance(c, m.Pays):
        have: m.Expr = m.Read(c.target, type=c.target.type) if isinstance(c.target, m.Var) else c.target
        return m.Compare(">=", have, c.amount, type=an.BOOL, span=c.amount.span)
    free: m.Expr = m.Compare("<", m.ReadCell(c.counter, c.keys, type=c.counter.type), m.Const(c.count, type=m.Int()), type=an.BOOL)
    return free if c.unless is None else m.Or([free, c.unless], type=an.BOOL)


@define(eq=False)
class Lister:
    """Writes the lines that append the layers of options to `out`."""

    flow: Flow
    low: Expressions
    fix: dict[m.Var, m.Expr] = field(factory=dict)  # variables whose value is taken as known
    lines: list[str] = field(factory=list)

    def option(self, option: m.Option, extra: Sequence[m.Expr] = ()) -> None:
        index = family(self.flow, option)
        info = self.flow.families[index]
        conds = [x for t in [*extra, *tests(option, self.low.an)] for x in self._open(t)]
        within = [m.In(m.Read(p, type=p.type), among, type=an.BOOL) for p, among in zip(option.params, option.domains, strict=False)
                  if among is not None]
        conds[:0] = within
        if self.fix:
            conds = [substitute(c, self.fix) for c in conds]
        self._params(option, info, 0, info.base, conds, 0)

    def _open(self, e: m.Expr) -> list[m.Expr]:
        return [x for item in e.items for x in self._open(item)] if isinstance(e, m.And) else [e]

    def _split(self, conds: Sequence[m.Expr], open: Sequence[m.Var]) -> tuple[list[m.Expr], list[m.Expr]]:
        """Conditions that are asked now, as they do not depend on parameters that are still open, and those for later. What may end
        play with an error does not go before those that stand before it, and nothing behind it goes before it."""
        now: list[m.Expr] = []
        later: list[m.Expr] = []
        held = False
        for c in conds:
            d = self.low.an.deps(c)
            held = held or (d.raises and bool(later))
            wait = held or any(p in d.vars for p in open)
            (later if wait else now).append(c)
            held = held or (d.raises and wait)
        return now, later

    def _emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _params(self, option: m.Option, info: pg.FamilyInfo, number: int, base: int | str, conds: list[m.Expr], depth: int) -> None:
        """The parameters from this one on: conditions without any of them first, then loops, the last one as a mask."""
        rest = option.params[number:]
        now, later = self._split(conds, rest)
        x = self.low.cond(an.all_of(now))
        if x.const is not None and not x.const:
            return
        if x.const is None:
            self._emit(depth, f"if {x.text}:")
            depth += 1
        if not rest:
            self._emit(depth, f"out.append(({base}, 1))")
            return
        size = info.params[number].size
        stride = 1
        for p in info.params[number + 1:]:
            stride *= p.size
        var, low_value = option.params[number], info.params[number].low
        if len(rest) == 1 and isinstance(var.type, m.MemberOf):
            mask = narrowed(self.low, const((1 << size) - 1), var, later)
            self._layer(depth, base, mask)
        elif size <= _UNROLL and not isinstance(var.type, m.MemberOf):
            for value in range(size):
                fixed = {var: m.Const(value + low_value, type=var.type)}
                self._params(option, info, number + 1, _plus(base, value * stride), [substitute(c, fixed) for c in later], depth)
        elif len(rest) == 1 and stride == 1:
            self._numbers(depth, base, var, low_value, size, later)
        else:
            self._loop(option, info, number, base, later, depth, stride)

    def _layer(self, depth: int, base: int | str, mask: X) -> None:
        if mask.const == 0:
            return
        if mask.const is not None:
            self._emit(depth, f"out.append(({base}, {mask.text}))")
        else:
            self._emit(depth, f"m = {mask.text}")
            self._emit(depth, f"if m: out.append(({base}, m))")

    def _numbers(self, depth: int, base: int | str, var: m.Var, low: int, size: int, conds: list[m.Expr]) -> None:
        """A number as the last parameter: tested one by one into a mask."""
        if size <= _WRITTEN_OUT:
            terms = []
            for value in range(size):
                x = self.low.cond(an.all_of([substitute(c, {var: m.Const(low + value, type=var.type)}) for c in conds]))
                if x.const is None or x.const:
                    terms.append(f"{1 << value}" if x.const is not None else f"({1 << value} if {x.p} else 0)")
            if terms:
                self._emit(depth, f"m = {' | '.join(terms)}")
                self._emit(depth, f"if m: out.append(({base}, m))")
            return
        n = self.low.temp()
        self.low.env[var] = name(n)
        test = self.low.cond(an.all_of(conds))
        self._emit(depth, "m = 0")
        self._emit(depth, f"for {n} in range({low}, {low + size}):")
        self._emit(depth + 1, f"if {test.text}: m |= 1 << {n} - {low}" if low else f"if {test.text}: m |= 1 << {n}")
        self._emit(depth, f"if m: out.append(({base}, m))")

    def _loop(self, option: m.Option, info: pg.FamilyInfo, number: int, base: int | str, conds: list[m.Expr], depth: int,
              stride: int) -> None:
        var, param = option.params[number], info.params[number]
        n = self.low.temp()
        self.low.env[var] = name(n)
        inner, left = self._split(conds, option.params[number + 1:])
        if isinstance(var.type, m.MemberOf):
            mask = narrowed(self.low, const((1 << param.size) - 1), var, inner)
            if mask.const == 0:
                return
            self._emit(depth, f"for {n} in members({mask.text}):")
            at = f"{n}*{stride}" if stride != 1 else n
        else:
            left = conds
            self._emit(depth, f"for {n} in range({param.low}, {param.low + param.size}):")
            at = f"({n} - {param.low})*{stride}" if param.low else f"{n}*{stride}"
        before = len(self.lines)
        self._params(option, info, number + 1, f"{base} + {at}", left, depth + 1)
        if len(self.lines) == before:
            self.lines.pop()


def _plus(base: int | str, n: int) -> int | str:
    return base + n if isinstance(base, int) else f"{base} + {n}" if n else base


def with_values(low: Lower, option: m.Option) -> None:
    """Binds the `with` variables of an option that was taken."""
    for c in option.clauses:
        if isinstance(c, m.With):
            low.set_var(c.var, low.val(c.value).text)


def decode(low: Lower, option: m.Option, info: pg.FamilyInfo) -> None:
    """The parameters out of the chosen id."""
    rest = f"o - {info.base}"
    for i, p in enumerate(option.params):
        stride = 1
        for later in info.params[i + 1:]:
            stride *= later.size
        first = info.params[i].low
        more = f" + {first}" if first > 0 else f" - {-first}" if first else ""
        if len(option.params) == 1:
            low.set_var(p, f"o - {info.base - first}")
        elif stride == 1:
            low.set_var(p, f"({rest}) % {info.params[i].size}{more}")
        else:
            low.set_var(p, f"({rest}) // {stride}" + (f" % {info.params[i].size}" if i else "") + more)


def take(low: Lower, option: m.Option, me: str, after: ir.Block, to: Targets) -> None:
    """Pays, counts, and does what the option says; ends at `after`."""
    info = low.flow.families[family(low.flow, option)]
    low.span = option.span
    if option.me is not None:
        low.env[option.me] = name(me)
    mine = [*option.params, *(c.var for c in option.clauses if isinstance(c, m.With))]
    if option.proc is not None:  # its frame may be in use: hold the parameters in locals of Python
        for p in mine:
            low.env[p] = name(low.temp())
    decode(low, option, info)
    with_values(low, option)
    for c in option.clauses:
        if isinstance(c, m.Pays):
            if isinstance(c.target, m.Var):
                low.do_SetVar(m.SetVar(c.target, ":=", m.Arith("-", m.Read(c.target, type=c.target.type), c.amount, type=c.target.type)))
            else:
                low.do_SetCell(m.SetCell(c.target.cell, c.target.keys, "-=", c.amount))
        elif isinstance(c, m.Limit):
            one: m.Expr = m.Const(1, type=m.Int())
            low.write(c.counter, c.keys, "+=", one if c.counts is None else m.If(c.counts, one, m.Const(0, type=m.Int()), type=m.Int()))
    if option.proc is not None:
        args = [me, *(low.env[p].text for p in mine)]
        for p in mine:
            del low.env[p]
        if option.me is not None:
            del low.env[option.me]
        low.call_asking(option.proc, args)
    else:
        low.stmts(option.body, to.within(after))
        if option.me is not None:
            low.env.pop(option.me, None)
    low.goto(after)


def in_context(option: m.Option) -> list[m.Expr]:
    """A standing option is there only while its context runs."""
    if option.proc is None or option.proc.context is None:
        return []
    return [m.Running(option.proc.context, type=an.BOOL)]


def bind_me(options: Sequence[m.Option]) -> list[m.Var]:
    return [o.me for o in options if o.me is not None]


def choose(low: Lower, s: m.Choose, to: Targets) -> None:
    """A decision among options."""
    low.changing = {n.var for n, _ in everything([o.body for o in s.options]) if isinstance(n, m.SetVar)}
    who, end, ask = low.who_slot(s.who), low.new(), low.new()
    if s.me is not None:
        low.set_var(s.me, f"s[{who}]")
        if str(low.unit.lay.vars[s.me]) != who:
            low.env[s.me] = name(f"s[{who}]")
    low.goto(ask)
    low.open(ask)
    d = low.flow.decision("choose", s.who, low.proc)
    d.prompt, d.text, d.ref, d.span = s.prompt, s.text, s.ref, s.span
    low.shown(d, s.visible)
    lines = listing(low, s, {})
    sides = low.unit.model.sides
    if sides is not None and sides.size == 2 and isinstance(s.who, m.Read) and not s.standing and _loops(lines):
        known = [v for v in (s.who.var, s.me, *bind_me(s.options)) if v is not None]
        each = [listing(low, s, {v: m.Const(i, type=m.MemberOf(sides)) for v in known}) for i in range(2)]
        if max(_loops(x) for x in each) < _loops(lines):  # the code is written twice, once for each player
            lines = ["if not w:", *("    " + x for x in [*each[0], "return out"]), *each[1]]
    d.asked = who
    d.layers = [f"w = s[{who}]", *tidy(["out = []", *lines, "return out"])]
    layers = low.hold(X(f"O{d.number}(s)"))
    low.branch(f"not {layers.text}", to.skip)
    low.add(ir.Decide(d.number, layers.text))
    for option in s.options:
        block = _offer(low, d, option)
        low.open(block)
        take(low, option, f"s[{who}]", end, to)
    for option in s.standing:
        block = _offer(low, d, option)
        low.open(block)
        take(low, option, f"s[{who}]", ask, to)
    if s.me is not None:
        low.env.pop(s.me, None)
    low.open(end)


def _offer(low: Lower, d: Decision, option: m.Option) -> ir.Block:
    block = low.new()
    block.option = True
    d.offers.append(Offer(family(low.flow, option), block))
    return block


def listing(low: Lower, s: m.Choose, fix: dict[m.Var, m.Expr]) -> list[str]:
    """The lines that list the options; variables for the player are the local `w`."""
    inner = Expressions(low.unit)
    lister = Lister(low.flow, inner, fix)
    if s.me is not None:
        inner.env[s.me] = name("w")
    for option in [*s.options, *s.standing]:
        if option.me is not None:
            inner.env[option.me] = name("w")
    for option in s.options:
        lister.option(option)
    if s.standing:
        lister.lines.append("if not out: return out")
        for option in s.standing:
            lister.option(option, in_context(option))
    return lister.lines


def _loops(lines: Sequence[str]) -> int:
    """How many loops over members there are."""
    return sum(len(re.findall(r"\bF\d+\(|union_of\(|union\(", line)) for line in lines)


def tidy(lines: list[str]) -> list[str]:
    """One layer only: no list is built up."""
    if len(lines) == 4 and lines[1].startswith("m = ") and lines[2].startswith("if m: out.append("):
        return [lines[1], f"return [{lines[2][len('if m: out.append('):-1]}] if m else []"]
    return lines
