"""Takes totals and permits, makes functions that tell how a value comes about."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile.expr import Expressions
from rulekit.compile.unit import Function, Unit, X, name
from rulekit.model.visitor import binders, subexpressions

_DEEP = 6  # definitions that are opened to find the totals inside


def parts(low: Expressions, exprs: Sequence[m.Expr | None], ways: bool = False) -> str:
    """A list of the traces of the totals and permits that expressions ask; `ways`: and of the first steps where they ask for a reach."""
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
        if ways and isinstance(e, m.ReachOf) and not low.an.deps(e).vars & bound:
            text = f"XW{low.unit.index(e.movement)}({', '.join(['s', *(low.val(a).text for a in (*e.args, e.start))])})"
            if text not in found:
                found.append(text)
            return
        if isinstance(e, m.CallDefine) and depth < _DEEP:
            opened = low.call_expr(e.define.params, e.args, low.an.body_of(e.define), e.type)
            if low.an.weight(opened) < 200:
                look(opened, bound, depth + 1)
                return
        if ways and isinstance(e, m.Filter) and not bound and _asks_ways(e.cond):
            each = Expressions(low.unit, {**low.env, e.var: name("h")})
            found.append(f"*[t for h in members({low.val(e.source).text}) for t in {parts(each, [e.cond], True)}]")
            return
        inner = bound.union(var for var, _ in binders(e))
        for x in subexpressions(e):
            look(x, inner, depth)

    for e in exprs:
        if e is not None:
            look(e, frozenset(), 0)
    return f"[{', '.join(found)}]" if found else "()"


def _asks_ways(e: m.Expr) -> bool:
    return isinstance(e, m.ReachOf) or any(_asks_ways(x) for x in subexpressions(e))


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
    status = {"least": "'applied' if v > value else 'idle'", "most": "'applied' if v < value else 'idle'"}.get(clause.word, "'applied'")
    lines.append(f"        lines.append(({number}, {status}, v, h, -1, [*parts, *{parts(inner, [clause.amount])}]))")
    change = {"modifier": "value += v", "least": "value = max(value, v); break", "most": "value = min(value, v); break"}
    lines.append(f"        {change.get(clause.word, 'value = v; found = 1; break')}")
    return lines
