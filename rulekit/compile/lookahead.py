"""Takes a movement, makes the functions that search its graph: legal steps from a place, places where a walk could end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs
from attrs import define

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile.expr import Expressions
from rulekit.compile.late import Late
from rulekit.compile.loops import hoists
from rulekit.compile.unit import Function, Unit, X, name
from rulekit.model.visitor import rebuilt, subexpressions, substitute

_CLASSES = 16  # sorts of arcs for which the code is written out


@define
class Tests:
    """The conditions of a step over one sort of arcs, as text."""

    cost: str
    may: str
    stop: str
    end: str


Steps = tuple[Expressions, list[m.Expr], X, list[int], list[Tests]]


def functions(unit: Unit, mv: m.Movement, letter: str) -> Function:
    """W: the mask of legal arcs from a place. G: the mask of places where a walk could end. A: is there one?"""
    env = {p: name(f"p{i}") for i, p in enumerate(mv.proc.params)}
    env.update({mv.start: name("st"), mv.been: name("been"), mv.border_var: name("b"), mv.from_var: name("a"), mv.to_var: name("z"),
                mv.at: name("at"), mv.fuel: name("fuel"), mv.halted: X("0", 0, True)})
    known = unit.steps.get(mv)
    if known is None:
        known = unit.steps[mv] = _steps(unit, mv, env)
    low, exprs, first_test, sorts, classes = known
    out = _rows(unit, mv, sorts, classes)
    by_place = not any(v in unit.an.deps(e).vars for e in exprs[2:] for v in (mv.border_var, mv.from_var))
    by_fuel = any(mv.fuel in unit.an.deps(e).vars for e in exprs)
    key = ("z" if by_place else "k") if not by_fuel else "(z, f)" if by_place else "(k, f)"
    params = ["s", *(env[p].text for p in mv.proc.params), "st"]
    fuel = low.val(mv.allowance).text if mv.allowance is not None else str(m.NO_LIMIT)
    tests, ends, stops = _lines(classes, mv.cost is not None, unit.an.bounds.of(exprs[0])[0] < 0)
    first = hoists(low, [first_test.text])
    later = [h for h in hoists(low, [first_test.text, *tests, ends, stops, fuel]) if h not in first]
    if letter != "G":  # few arcs are looked at
        later, (ends, stops, fuel, *tests) = _put_back(later, [ends, stops, fuel, *tests])
    halt = [] if first_test.const else ["return 0"] if first_test.const == 0 else [f"if not ({first_test.text}): return 0"]
    head = [*first, *halt, *later]
    if letter != "W":
        found = "return 1" if letter == "A" else "found |= 1 << z"
        body = ["been = 1 << st", *head, f"fuel = {fuel}", "at = a = st; found = 0; best = {}; todo = [(st, fuel)]",
                *_flood(out, tests, key, ends, stops, found), "return found"]
        return Function(f"{letter}{unit.index(mv)}", params, body, mv.proc.span)
    body = [*head, "a = at; left = fuel; out = 0", f"for x, k, b, z, c, q in {out}[a]:", "    if been >> z & 1: continue",
            *("    " + t for t in tests), "    f = fuel - c; at = z; fuel = f", f"    if {ends}: out |= x",
            *([] if stops == "1" else [f"    elif not ({stops}):", *("        " + t for t in _seek(out, tests, key, ends, stops))]),
            "    at = a; fuel = left", "return out"]
    return Function(f"W{unit.index(mv)}", [*params, "at", "fuel", "been"], body, mv.proc.span)


def _steps(unit: Unit, mv: m.Movement, env: Mapping[m.Var, X]) -> Steps:
    """What the three functions of a movement have in common: its conditions (cost, may, stop, end), what must hold at all, the sorts."""
    low = Expressions(unit, env)
    low.loop = frozenset((mv.border_var, mv.from_var, mv.to_var, mv.at, mv.fuel))
    exprs = [_inside(low, mv.cost) if mv.cost is not None else m.Const(0, type=m.Int()), an.all_of([_inside(low, g.cond) for g in mv.may]),
             an.any_of([_inside(low, g.cond) for g in mv.stop]), an.all_of([_inside(low, g.cond) for g in mv.end])]
    always = [x for x in _parts(exprs[1]) if not low.loop & unit.an.deps(x).vars]
    exprs[1] = an.all_of([x for x in _parts(exprs[1]) if x not in always])
    first_test = low.cond(an.all_of(always))
    return (low, exprs, first_test, *_sorts(low, mv, exprs))


def _put_back(hoisted: Sequence[str], lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """What was taken out of a loop, and its lines: what stands there only once is back in its place."""
    kept, text = list(hoisted), list(lines)
    for line in reversed(hoisted):
        h, value = line.split(" = ", 1)
        at, word = kept.index(line), re.compile(rf"\b{h}\b")
        if sum(len(word.findall(x)) for x in [*kept[at + 1:], *text]) == 1:
            del kept[at]
            kept, text = ([word.sub(f"({value})", x) for x in group] for group in (kept, text))
    return kept, text


def _inside(low: Expressions, e: m.Expr) -> m.Expr:
    """The expression with what it calls put in place, so that parts that stay the same over the arcs can be taken out."""
    if isinstance(e, (m.And, m.Or)):
        return attrs.evolve(e, items=[_inside(low, x) for x in e.items])
    if isinstance(e, m.Not):
        return attrs.evolve(e, value=_inside(low, e.value))
    if isinstance(e, m.If):
        return attrs.evolve(e, cond=_inside(low, e.cond), then=_inside(low, e.then), other=_inside(low, e.other))
    if isinstance(e, (m.CallPermit, m.CallTotal)) and not low.unit.trace:
        target = e.permit if isinstance(e, m.CallPermit) else e.total
        body = low.an.sum_of(target)
        if low.an.weight(body) < 400 and all(isinstance(a, (m.Read, m.Const)) for a in e.args):
            return _inside(low, low.call_expr(target.params, e.args, body, e.type))
    return e


def _parts(e: m.Expr) -> list[m.Expr]:
    return [x for item in e.items for x in _parts(item)] if isinstance(e, m.And) else [e]


# ------------------------------------------------------------------------------------------------ sorts of arcs
def _atoms(low: Expressions, e: m.Expr, steps: frozenset[m.Var]) -> list[m.Expr]:
    """The parts that are decided by the arc alone."""
    d = low.an.deps(e)
    if not d.vars & steps:
        return []
    if isinstance(e.type, m.Bool) and _fixed(low, e, steps):
        return [e]
    inner = subexpressions(e) if isinstance(e, (m.And, m.Or, m.Not, m.If, m.Compare, m.Arith)) else []
    return [a for x in inner for a in _atoms(low, x, steps)]


def _fixed(low: Expressions, e: m.Expr, steps: frozenset[m.Var]) -> bool:
    d = low.an.deps(e)
    if d.vars <= steps and not d.state:
        return True
    if len(d.vars) == 1 and d.vars <= steps:
        var = next(iter(d.vars))
        return isinstance(var.type, m.MemberOf) and low.an.vector(e, var, range(var.type.kind.size)) is not None
    return False


def _put(low: Expressions, e: m.Expr, known: Mapping[int, Late]) -> m.Expr:
    """A copy with some parts replaced by their values."""
    if id(e) in known:
        return low.an.literal(known[id(e)], e.type, e.span)
    if not isinstance(e, (m.And, m.Or, m.Not, m.If, m.Compare, m.Arith)):
        return e
    return rebuilt(e, lambda x: _put(low, x, known))


def _at(low: Expressions, e: m.Expr, mv: m.Movement, arc: tuple[int, int, int]) -> Late | None:
    vars = zip((mv.border_var, mv.from_var, mv.to_var), arc, strict=True)
    value = low.an.settled(substitute(e, {v: m.Const(x, type=v.type) for v, x in vars}))
    return value if value is not None and all(isinstance(v, int) for v in value.values) else None


def _sorts(low: Expressions, mv: m.Movement, exprs: Sequence[m.Expr]) -> tuple[list[int], list[Tests]]:
    """The sort of each arc (-1: never passable), and the conditions of each sort."""
    steps = frozenset((mv.border_var, mv.from_var, mv.to_var))
    atoms = [a for e in exprs for a in _atoms(low, e, steps)]
    keys = [tuple(_at(low, a, mv, arc) for a in atoms) for arc in mv.arcs]
    if any(None in key for key in keys):
        atoms, keys = [], [() for _ in mv.arcs]
    order = sorted(dict.fromkeys(keys), key=lambda key: -keys.count(key))
    if len(order) > 64:
        atoms, order, keys = [], [()], [() for _ in mv.arcs]
    made: list[Tests] = []
    sort_of: dict[tuple[Late | None, ...], int] = {}
    for key in order:
        known = {id(a): v for a, v in zip(atoms, key, strict=True) if v is not None}
        cost, may, stop, end = (low.an.simplify(_put(low, e, known)) for e in exprs)
        if low.an.value(may) == 0:
            sort_of[key] = -1
            continue
        tests = Tests(low.val(cost).text, *(_text(low.cond(x)) for x in (may, stop, end)))
        if tests not in made:
            made.append(tests)
        sort_of[key] = made.index(tests)
    if len(made) > _CLASSES and atoms:
        return _one_sort(low, mv, exprs, [sort_of[k] for k in keys])
    return [sort_of[k] for k in keys], made


def _one_sort(low: Expressions, mv: m.Movement, exprs: Sequence[m.Expr], sorts: list[int]) -> tuple[list[int], list[Tests]]:
    """Too many sorts: one for all, tested by tables."""
    cost, may, stop, end = exprs
    del mv
    return [min(0, x) for x in sorts], [Tests(low.val(cost).text, *(_text(low.cond(x)) for x in (may, stop, end)))]


def _text(x: X) -> str:
    return x.text if x.const is None else str(int(bool(x.const)))


def _rows(unit: Unit, mv: m.Movement, sorts: Sequence[int], classes: Sequence[Tests]) -> str:
    """The table of arcs out of each place: (bit, arc, border, to, cost, sort)."""
    places = max([max(a, z) for _, a, z in mv.arcs] + [0]) + 1
    costs = [int(classes[q].cost) if q >= 0 and classes[q].cost.isdigit() else 0 for q in sorts]
    rows = [tuple((1 << k, k, b, z, costs[k], sorts[k]) for k, (b, a, z) in enumerate(mv.arcs) if a == here and sorts[k] >= 0)
            for here in range(places)]
    return unit.table([*rows, ()])


def _lines(classes: Sequence[Tests], priced: bool, negative: bool) -> tuple[list[str], str, str]:
    """The lines that go on to the next arc if a step is not allowed; the tests of end and stop. `negative`: may a step cost less than 0?"""
    lines: list[str] = []
    if not classes:
        return ["continue"], "0", "1"
    if priced and not all(t.cost.isdigit() for t in classes):
        lines.append(f"c = {_by_sort([t.cost for t in classes])}")
    if priced and negative:  # walking round in a circle would never end
        lines.append('if c < 0: raise RulesError("a step costs less than 0")')
    if priced:
        lines.append("if c > fuel: continue")
    may = _by_sort([t.may for t in classes])
    if may != "1":
        lines.append(f"if not ({may}): continue")
    return lines, _by_sort([t.end for t in classes]), _by_sort([t.stop for t in classes])


def _by_sort(texts: Sequence[str]) -> str:
    """The text of each sort of arcs; one if they do not differ."""
    if len(set(texts)) == 1:
        return texts[0]
    groups = {t: [q for q, x in enumerate(texts) if x == t] for t in dict.fromkeys(texts)}
    parts = list(groups.items())
    chain = [f"({t}) if {f'q == {at[0]}' if len(at) == 1 else f'q in {tuple(at)}'}" for t, at in parts[:-1]]
    return f"({' else '.join([*chain, f'({parts[-1][0]})'])})"


# ------------------------------------------------------------------------------------------------ searches
def _seek(out: str, tests: Sequence[str], key: str, end: str, stop: str) -> list[str]:
    """From place z with f left: is there a place where the walk can end? Then the arc x is legal. Where it has been is not entered."""
    return ["best = {}; todo = [(z, f)]; b0 = b; a0 = a; closed = been | 1 << z", "while todo:",
            "    a, left2 = todo.pop(); at = a; ok = 0",
            f"    for _, k, b, z, c, q in {out}[a]:", "        if closed >> z & 1: continue", "        at = a; fuel = left2",
            *("        " + t for t in tests), "        f = fuel - c", f"        if best.get({key}, -1) >= f: continue",
            f"        best[{key}] = f; at = z; fuel = f", f"        if {end}: ok = 1; break",
            *([] if stop == "1" else [f"        if not ({stop}): todo.append((z, f))"]), "    if ok: out |= x; break", "a = a0; b = b0"]


def _flood(out: str, tests: Sequence[str], key: str, end: str, stop: str, found: str) -> list[str]:
    return ["while todo:", "    a, left = todo.pop()", f"    for x, k, b, z, c, q in {out}[a]:",
            "        if z == st: continue", "        at = a; fuel = left", *("        " + t for t in tests), "        f = fuel - c",
            f"        if best.get({key}, -1) >= f: continue", f"        best[{key}] = f; at = z; fuel = f", f"        if {end}: {found}",
            *([] if stop == "1" else [f"        if not ({stop}): todo.append((z, f))"])]
