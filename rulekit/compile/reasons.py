"""Takes options, groups, picks and walks, makes functions that tell why one of their options is refused."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import model as m
from rulekit.compile.control import Flow, Growing
from rulekit.compile.expr import Expressions
from rulekit.compile.info import told_of
from rulekit.compile.options import clause_test
from rulekit.compile.prices import prices
from rulekit.compile.trace import parts, sum_trace
from rulekit.compile.unit import Function, Unit, X, name
from rulekit.model.visitor import subexpressions

_DEEP = 6  # definitions that are opened to find why something is not in a set


def reasons(unit: Unit, flow: Flow) -> None:
    """X functions of all totals, permits and movements, Z functions of all options, and what these cost."""
    for t in unit.model.totals:
        unit.functions.append(sum_trace(unit, "T", t))
    for p in unit.model.permits:
        unit.functions.append(sum_trace(unit, "P", p))
    for mv in unit.model.movements:
        unit.functions.append(ways_trace(unit, mv))
    unit.functions += prices(flow)
    for index, option in sorted(flow.spans.items()):
        unit.functions.append(option_trace(unit, index, option))
    for index, group in sorted(flow.groups.items()):
        unit.functions.append(group_trace(unit, index, group))
    for index, source in sorted(flow.picks.items()):
        low = Expressions(unit)
        unit.functions.append(Function(f"Z{index}", ["s", "w", "p0"], [*_outside(low, source), "return (-1, ())"], source.span))
    for d in flow.decisions:
        if d.kind == "walk":
            mv_here = next((x for x in unit.model.movements if x.proc is d.proc), None)
            if mv_here is not None:
                unit.functions += [step_trace(unit, d.offers[0].family, mv_here), stop_trace(unit, d.offers[1].family, mv_here)]


def option_trace(unit: Unit, index: int, option: m.Option) -> Function:
    """(index of the first clause that fails, traces) of an option with given parameters; -1: none fails."""
    names = [f"p{i}" for i in range(len(option.params))]
    low = Expressions(unit, {p: name(n) for p, n in zip(option.params, names, strict=True)})
    if option.me is not None:
        low.env[option.me] = name("w")
    body: list[str] = []
    for i, within in enumerate(option.domains):
        if within is not None:
            body.append(f"if not ({low.val(within).p} >> {names[i]} & 1): return ({len(option.clauses)}, (('domain',),))")
    for number, clause in enumerate(option.clauses):
        if isinstance(clause, m.With):
            local = f"w{number}"
            body.append(f"{local} = {low.val(clause.value).text}")
            low.env[clause.var] = name(local)
            if isinstance(clause.value.type, m.MemberOf):
                body.append(f"if {local} < 0: return ({number}, ())")
        else:
            test = clause_test(clause)
            cond = low.cond(test)
            if cond.const is None or not cond.const:
                price = _price("pays", low, test.right, test.left) if isinstance(test, m.Compare) and isinstance(clause, m.Pays) else ""
                body.append(f"if not ({cond.text}): return ({number}, [{price}*{parts(low, [test], True)}])")
    return Function(f"Z{index}", ["s", "w", *names], [*body, "return (-1, ())"], option.span)


def _price(word: str, low: Expressions, cost: m.Expr, left: m.Expr) -> str:
    """(word, what it costs, what is left to pay it from, unit) and a comma."""
    unit = cost.type.unit if isinstance(cost.type, m.Int) else None
    return f"({word!r}, {low.val(cost).text}, {low.val(left).text}, {unit!r}), "


# ------------------------------------------------------------------------------------------------ members of a set
def _outside(low: Expressions, source: m.Expr, depth: int = 0) -> list[str]:
    """Lines that return why the member p0 is not in a set: the first condition that it does not meet, with what that asks and reads of it;
    they run through if it is there."""
    inside = f"{low.val(source).p} >> p0 & 1"
    if isinstance(source, m.Filter):
        low.env[source.var] = name("p0")
        out = _outside(low, source.source, depth)
        for cond in source.cond.items if isinstance(source.cond, m.And) else [source.cond]:
            out.append(f"if not ({low.cond(cond).text}): return (-1, [{_read(low.unit, cond, source.var)}*{parts(low, [cond], True)}])")
        return out
    if isinstance(source, m.SetOp) and source.op in "&-":
        return [*_outside(low, source.left, depth), *(_outside(low, source.right, depth) if source.op == "&" else []),
                f"if not ({inside}): return (-1, ())"]
    if isinstance(source, m.SetOp):
        return [f"if not ({inside}):", *(f"    {line}" for line in _outside(low, source.left, depth)), "    return (-1, ())"]
    if isinstance(source, m.If):
        return [f"if {low.cond(source.cond).text}:", *(f"    {line}" for line in [*_outside(low, source.then, depth), "pass"]),
                "else:", *(f"    {line}" for line in [*_outside(low, source.other, depth), "pass"])]
    if isinstance(source, m.CallDefine) and depth < _DEEP:
        return _outside(low, low.call_expr(source.define.params, source.args, low.an.body_of(source.define), source.type), depth + 1)
    apart = isinstance(source, m.ReadFixed) and source.fixed.synthetic and source.fixed.name == "neighbours"
    told = f"(('apart', p0, {low.val(source.keys[0]).text}),)" if apart and isinstance(source, m.ReadFixed) else "()"
    return [f"if not ({inside}): return (-1, {told})"]


def _read(unit: Unit, cond: m.Expr, var: m.Var) -> str:
    """('cell', cell, member) and ('fixed', kind, number of the attribute, member): what a condition reads of a member; with commas."""
    found: dict[str, None] = {}

    def look(e: m.Expr, depth: int) -> None:
        if isinstance(e, (m.ReadCell, m.ReadFixed)) and len(e.keys) == 1 and isinstance(e.keys[0], m.Read) and e.keys[0].var is var:
            if isinstance(e, m.ReadCell):
                found[f"('cell', {unit.index(e.cell)}, p0), "] = None
            elif e.fixed.owner is not None and e.fixed in (told := list(told_of(e.fixed.owner))):
                found[f"('fixed', {unit.index(e.fixed.owner)}, {told.index(e.fixed)}, p0), "] = None
        if isinstance(e, m.CallDefine) and depth < _DEEP:
            look(Expressions(unit).call_expr(e.define.params, e.args, unit.an.body_of(e.define), e.type), depth + 1)
            return
        for x in subexpressions(e):
            look(x, depth)

    look(cond, 0)
    return "".join(found)


def group_trace(unit: Unit, index: int, group: Growing) -> Function:
    """The same for an element that may be added to a group: its only clause is what the group keeps."""
    s = group.stmt
    low = Expressions(unit)
    body = [f"if s[{group.picked}] >> p0 & 1: return (-1, (('picked',),))", f"if not s[{group.source}] >> p0 & 1:",
            *(f"    {line}" for line in _outside(low, s.source)), "    return (-1, ())",
            f"if s[{group.picked}].bit_count() >= s[{group.most}]: return (-1, [('most', s[{group.most}]), *{parts(low, [s.high])}])"]
    if s.keeps is not None:
        low.env[s.var] = name("grown")
        body += [f"grown = s[{group.picked}] | 1 << p0",
                 f"if not ({low.cond(s.keeps.cond).text}): return (0, {parts(low, [s.keeps.cond], True)})"]
    return Function(f"Z{index}", ["s", "w", "p0"], [*body, "return (-1, ())"], s.span)


# ------------------------------------------------------------------------------------------------ walks
def step_trace(unit: Unit, index: int, mv: m.Movement) -> Function:
    """The same for a step of a walk: its parameter is the arc. Its clauses are those of entering, then those of ending there; with the
    latter comes the price of the step, which tells that it could be paid."""
    low = Expressions(unit, {mv.border_var: name("b"), mv.from_var: name("a"), mv.to_var: name("z")})
    table = unit.table(mv.arcs)
    body = [f"b, a, z = {table}[p0]", f"if a != {low.read(mv.at).text}: return (-1, ())",
            f"if {low.read(mv.been).text} >> z & 1: return (-1, (('been',),))"]
    for number, guard in enumerate(mv.may):
        cond = low.cond(guard.cond)
        if cond.const is None or not cond.const:
            body.append(f"if not ({cond.text}): return ({number}, {parts(low, [guard.cond])})")
    cost = mv.cost if mv.cost is not None else m.Const(0, type=m.Int())
    left = m.Read(mv.fuel, type=mv.fuel.type)
    if mv.cost is not None:
        body.append(f"if {low.val(mv.cost).p} > {low.val(left).p}: return (-1, [{_price('pays', low, cost, left)}*{parts(low, [cost])}])")
    price = _price("cost", low, cost, left)
    for number, guard in enumerate(mv.end, len(mv.may)):
        cond = low.cond(guard.cond)
        if cond.const is None or not cond.const:
            body.append(f"if not ({cond.text}): return ({number}, [{price}*{parts(low, [guard.cond])}])")
    return Function(f"Z{index}", ["s", "w", "p0"], [*body, f"return (-1, ({price}))"], mv.proc.span)


def stop_trace(unit: Unit, index: int, mv: m.Movement) -> Function:
    """The same for ending a walk where it is: its clauses are those of ending."""
    low = Expressions(unit)
    been = low.read(mv.been).text
    body = [f"if not {been} & ({been} - 1): return (-1, (('start',),))"]
    for number, guard in enumerate(mv.end):
        cond = low.cond(guard.cond)
        if cond.const is None or not cond.const:
            body.append(f"if not ({cond.text}): return ({number}, {parts(low, [guard.cond])})")
    return Function(f"Z{index}", ["s", "w"], [*body, "return (-1, ())"], mv.proc.span)


def ways_trace(unit: Unit, mv: m.Movement) -> Function:
    """('reach', movement, steps): why no walk is a single step, for each out of a place: where it leads; the number of the clause of
    entering or ending that fails (-1 for one that costs too much); its traces (before them the price)."""
    names = [f"p{i}" for i in range(len(mv.proc.params))]
    low = Expressions(unit, {p: name(n) for p, n in zip(mv.proc.params, names, strict=True)})
    low.env.update({mv.start: name("st"), mv.been: name("been"), mv.border_var: name("b"), mv.from_var: name("a"), mv.to_var: name("z"),
                    mv.at: name("at"), mv.fuel: name("fuel"), mv.halted: X("0", 0, True)})
    body = ["found = []; been = 1 << st; at = st",
            f"fuel = allowed = {low.val(mv.allowance).text if mv.allowance is not None else m.NO_LIMIT}",
            f"for b, a, z in {unit.table(mv.arcs)}:", "    if a != st: continue", "    at = st; fuel = allowed"]
    body += _ways(low, 0, mv.may)
    if mv.cost is not None:
        left = m.Read(mv.fuel, type=mv.fuel.type)
        price = _price("pays", low, mv.cost, left)
        body += [f"    if {low.val(mv.cost).p} > fuel:", f"        found.append((z, -1, [{price}*{parts(low, [mv.cost])}]))",
                 "        continue",
                 f"    fuel -= {low.val(mv.cost).p}"]
    body += ["    at = z", *_ways(low, len(mv.may), mv.end)]
    return Function(f"XW{unit.index(mv)}", ["s", *names, "st"], [*body, f"return ('reach', {unit.index(mv)}, found)"], mv.proc.span)


def _ways(low: Expressions, first: int, guards: Sequence[m.Guarded]) -> list[str]:
    return [f"    if not ({low.cond(g.cond).text}): found.append((z, {number}, {parts(low, [g.cond])})); continue"
            for number, g in enumerate(guards, first)]
