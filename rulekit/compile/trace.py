"""Takes totals, permits and options, makes functions that tell how a value comes about, and why an option is refused."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.check import model as m
from rulekit.compile import analysis as an
from rulekit.compile.control import Flow, Growing
from rulekit.compile.expr import Expressions
from rulekit.compile.options import clause_test
from rulekit.compile.unit import Function, Unit, X, name

_DEEP = 6  # definitions that are opened to find the totals inside


def traces(unit: Unit, flow: Flow) -> None:
    """X functions of all totals and permits, Z functions of all options."""
    for t in unit.model.totals:
        unit.functions.append(sum_trace(unit, "T", t))
    for p in unit.model.permits:
        unit.functions.append(sum_trace(unit, "P", p))
    for index, option in sorted(flow.spans.items()):
        unit.functions.append(option_trace(unit, index, option))
    for index, group in sorted(flow.groups.items()):
        unit.functions.append(group_trace(unit, index, group))
    movements = {mv.name: mv for mv in unit.model.movements}
    for d in flow.decisions:
        if d.kind == "walk":
            mv = next((x for x in movements.values() if x.proc is d.proc), None)
            if mv is not None:
                unit.functions.append(step_trace(unit, d.offers[0].family, mv))


def parts(low: Expressions, exprs: Sequence[m.Expr | None]) -> str:
    """A list of the traces of the totals and permits that expressions ask."""
    found: list[str] = []

    def look(e: m.Expr, bound: frozenset[m.Var], depth: int) -> None:
        if isinstance(e, (m.CallTotal, m.CallPermit)):
            target = e.total if isinstance(e, m.CallTotal) else e.permit
            if not any(low.an.deps(a).vars & bound for a in e.args):
                letter = "T" if isinstance(e, m.CallTotal) else "P"
                text = f"X{letter}{low.unit.index(target)}({', '.join(['s', *(low.val(a).text for a in e.args)])})"
                if text not in found:
                    found.append(text)
                return
        if isinstance(e, m.CallDefine) and depth < _DEEP:
            opened = low.call_expr(e.define.params, e.args, low.an.body_of(e.define), e.type)
            if low.an.weight(opened) < 200:
                look(opened, bound, depth + 1)
                return
        inner = bound | {e.var} if isinstance(e, an.BINDERS) else bound
        for x in an.parts(e):
            look(x, inner, depth)

    for e in exprs:
        if e is not None:
            look(e, frozenset(), 0)
    return f"[{', '.join(found)}]" if found else "()"


def sum_trace(unit: Unit, letter: str, t: m.Total | m.Permit) -> Function:
    """(what, index, args, value, lines) of a total or permit, clause by clause in the order in which they count."""
    names = [f"p{i}" for i in range(len(t.params))]
    env = {p: name(n) for p, n in zip(t.params, names, strict=True)}
    what, index = ("total" if letter == "T" else "permit"), unit.index(t)
    args = f"({''.join(n + ', ' for n in names)})"
    holes = [n for n, p in zip(names, t.params, strict=True) if isinstance(p.type, m.MemberOf) and not p.type.optional]
    body = [f"if {' or '.join(f'{h} < 0' for h in holes)}: return ({what!r}, {index}, {args}, 0, [])"] if holes else []
    body += ["lines = []; found = 0; value = 0" if letter == "T" else "lines = []; value = 1"]
    order = ("set", "base", "modifier", "least", "most") if isinstance(t, m.Total) else ("bar",)
    for word in order:
        for number, clause in enumerate(t.clauses):
            if clause.word == word:
                body += _clause(Expressions(unit, env), number, clause)
    body.append(f"return ({what!r}, {index}, {args}, value, lines)")
    return Function(f"X{letter}{index}", ["s", *names], body, t.span)


def _clause(low: Expressions, number: int, clause: m.Clause) -> list[str]:
    """The lines that try one clause."""
    lines = [f"parts = {parts(low, [clause.cond])}"]
    held = low.val(an.held_set(clause)).text if clause.holder is not None else ""
    test = held if clause.holder is not None else low.cond(clause.cond).text if clause.cond is not None else "1"
    lines.append(f"held = {test}")
    lines.append("cancel = -1")
    for i, cancel in enumerate(clause.cancels):
        lines.append(f"if cancel < 0 and held and ({low.cond(an.cancel_cond(cancel)).text}): cancel = {i}")
    lines += [f"if not held: lines.append(({number}, 'condition', None, -1, -1, parts))",
              f"elif cancel >= 0: lines.append(({number}, 'cancelled', None, -1, cancel, parts))"]
    if clause.word in ("set", "base"):
        lines.append(f"elif found: lines.append(({number}, 'overridden', None, -1, -1, parts))")
    lines.append("else:")
    inner = Expressions(low.unit, low.env)
    if clause.holder is not None:
        inner.env[clause.holder[0]] = name("h")
        lines.append("    for h in members(held):")
    else:
        lines.append("    for h in (-1,):")
    if clause.word == "bar":
        return [*lines, f"        value = 0; lines.append(({number}, 'applied', None, h, -1, parts))", "        break"]
    amount = inner.val(clause.amount) if clause.amount is not None else X("0", 0, True)
    lines.append(f"        v = {amount.text}")
    lines.append(f"        lines.append(({number}, 'applied', v, h, -1, [*parts, *{parts(inner, [clause.amount])}]))")
    change = {"modifier": "value += v", "least": "value = max(value, v); break", "most": "value = min(value, v); break"}
    lines.append(f"        {change.get(clause.word, 'value = v; found = 1; break')}")
    return lines


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
                body.append(f"if not ({cond.text}): return ({number}, [{price}*{parts(low, [test])}])")
    return Function(f"Z{index}", ["s", "w", *names], [*body, "return (-1, ())"], option.span)


def _price(word: str, low: Expressions, cost: m.Expr, left: m.Expr) -> str:
    """(word, what it costs, what is left to pay it from, unit) and a comma."""
    unit = cost.type.unit if isinstance(cost.type, m.Int) else None
    return f"({word!r}, {low.val(cost).text}, {low.val(left).text}, {unit!r}), "


def group_trace(unit: Unit, index: int, group: Growing) -> Function:
    """The same for an element that may be added to a group: its only clause is what the group keeps."""
    body = [f"if s[{group.picked}] >> p0 & 1: return (-1, (('picked',),))", f"if not s[{group.source}] >> p0 & 1: return (-1, ())"]
    if group.stmt.keeps is not None:
        cond = group.stmt.keeps.cond
        low = Expressions(unit, {group.stmt.var: name("grown")})
        body += [f"grown = s[{group.picked}] | 1 << p0",
                 f"if not ({low.cond(cond).text}): return (0, {parts(low, [cond])})"]
    return Function(f"Z{index}", ["s", "w", "p0"], [*body, "return (-1, ())"], group.stmt.span)


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
