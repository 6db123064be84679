"""Takes movements, makes the functions of their look-ahead, and the blocks of a walk."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.check import model as m
from rulekit.compile import analysis as an
from rulekit.compile import ir
from rulekit.compile.control import Lower, Offer, Targets
from rulekit.compile.expr import Expressions
from rulekit.compile.loops import hoists
from rulekit.compile.unit import Function, Unit, X, name
from rulekit.program import program as pg


def walk(low: Lower, s: m.Walk, to: Targets) -> None:
    """The statement: a call of the movement's procedure."""
    mv = s.movement
    args = [low.hold(low.val(a)).text for a in s.args]
    start, who = low.hold(low.val(s.start)), low.hold(low.val(s.who))
    end = low.new()
    if low.an.maybe_none(s.start):
        low.branch(f"{start.p} < 0", end)
    low.set_var(mv.start, start.text)
    low.put(str(who_of(low.unit, mv)), "=", who.text)
    low.call_asking(mv.proc, args)
    low.goto(end)
    low.open(end)


def who_of(unit: Unit, mv: m.Movement) -> int:
    """The slot with the player who walks."""
    frame = unit.lay.frames[mv.proc]
    if not frame.extra:
        frame.extra.append(unit.lay.take(0))
    return frame.extra[0]


def walk_procedure(low: Lower, mv: m.Movement) -> None:
    """The blocks of all walks by a movement."""
    proc, flow = mv.proc, low.flow
    low.open(flow.entry(proc))
    low.span = proc.span
    who = str(who_of(low.unit, mv))
    start = low.read(mv.start).text
    outer_walk, made, arc = low.slot(), low.slot(), low.slot()
    for v in (mv.border_var, mv.from_var, mv.to_var):
        low.set_var(v, "-1")
    low.set_var(mv.halted, "0")
    low.set_var(mv.at, start)
    low.set_var(mv.been, f"1 << {start}")
    low.set_var(mv.fuel, low.val(mv.allowance).text if mv.allowance is not None else str(m.NO_LIMIT))
    low.put(outer_walk, "=", f"s[{pg.SPARE}]")
    low.put(str(pg.SPARE), "=", str(low.unit.lay.vars[mv.halted]))
    low.put(made, "=", "0")
    back, over, head, step, stranded = (low.new() for _ in range(5))
    to = Targets(over, over, over)
    low.goto(head)
    low.open(head)
    d = flow.decision("walk", m.Const(0, type=m.Int()), proc)
    d.prompt, d.ref, d.span = f"movement.{mv.name}", mv.ref, mv.proc.span
    goes = flow.family(pg.FamilyInfo("to", "to", 0, [pg.ParamInfo("to", -1, 0, len(mv.arcs))], "option.to", "", mv.ref,
                                     arcs=list(mv.arcs), clauses=[pg.ClauseInfo("when", "", g.reason, g.key, g.ref) for g in mv.may]))
    stops = flow.family(pg.FamilyInfo("stop", "stop", 0, [], "option.stop", "", mv.ref))
    base, stop = flow.families[goes].base, flow.families[stops].base
    args = ", ".join(["s", *(low.read(p).text for p in proc.params), start, low.read(mv.at).text, low.read(mv.fuel).text, low.read(mv.been).text])
    function = low.unit.want("W", mv)
    inner = Expressions(low.unit)
    may_end = inner.cond(an.all_of([g.cond for g in mv.end]))
    end_test = f"s[{made}] and {may_end.p}" if may_end.const is None else f"s[{made}]" if may_end.const else "0"
    d.asked = who
    d.layers = [f"m = {function}({args})", f"out = [({base}, m)] if m else []", f"if {end_test}: out.append(({stop}, 1))", "return out"]
    m_, e_ = low.temp(), low.temp()
    low.add(ir.Line(f"{m_} = {function}({args})"))
    low.add(ir.Line(f"{e_} = {end_test}"))
    nothing, single = low.new(), low.new()
    low.branch(f"not {m_}", nothing)
    low.branch(f"not {e_} and not {m_} & ({m_} - 1)", single)
    low.add(ir.Decide(d.number, f"[({base}, {m_}), ({stop}, 1)] if {e_} else [({base}, {m_})]"))
    low.open(nothing)
    low.branch(f"{e_} or not s[{made}]", over)
    low.goto(stranded)
    low.open(single)
    low.put(arc, "=", f"{m_}.bit_length() - 1")
    low.goto(step)
    chosen, stopped = low.new(), low.new()
    chosen.option = stopped.option = True
    d.offers = [Offer(goes, chosen), Offer(stops, stopped)]
    low.open(chosen)
    low.put(arc, "=", f"o - {base}")
    low.goto(step)
    low.open(stopped)
    low.goto(over)
    low.open(step)
    low.put(made, "=", "1")
    _step(low, mv, arc, to, head, over, stranded)
    low.open(stranded)
    low.stmts(mv.stranded, to)
    low.goto(over)
    low.open(over)
    low.put(str(pg.SPARE), "=", f"s[{outer_walk}]")
    low.goto(back)
    low.open(back)
    low.leave_procedure()


def _step(low: Lower, mv: m.Movement, arc: str, to: Targets, head: ir.Block, over: ir.Block, stranded: ir.Block) -> None:
    """A step over the arc in a slot, and what it brings about."""
    table = low.unit.table(mv.arcs)
    t = low.hold(X(f"{table}[s[{arc}]]"))
    low.set_var(mv.border_var, f"{t.text}[0]")
    low.set_var(mv.from_var, f"{t.text}[1]")
    low.set_var(mv.to_var, f"{t.text}[2]")
    if mv.cost is not None:
        cost = low.val(mv.cost)
        if cost.const != 0:
            low.set_var(mv.fuel, f"{low.read(mv.fuel).text} - {cost.p}")
    low.set_var(mv.at, f"{t.text}[2]")
    low.set_var(mv.been, f"{low.read(mv.been).text} | 1 << {t.text}[2]")
    entered, inner = low.new(), low.new()
    low.goto(inner)
    low.nested(mv.on_entry, inner, entered, Targets(entered, entered, entered))
    low.open(entered)
    if mv.group is not None and mv.place_cell is not None:
        place, group, z = low.unit.lay.places[mv.place_cell], low.read(mv.group).text, low.read(mv.to_var).text
        here = f"s[{place.index} + {z}]" if place.index >= 0 else f"members_at(s, {place.base}, {group}, {z})"
        some, checked = low.new(), low.new()
        low.branch(group, some)
        low.goto(checked)
        low.open(some)
        low.set_var(mv.group, f"{group} & {here}")
        low.branch(f"not {group}", over)
        low.goto(checked)
        low.open(checked)
    halted = low.new()
    low.branch(low.read(mv.halted).text, halted)
    stop = low.cond(an.any_of([g.cond for g in mv.stop]))
    if stop.const is None:
        low.branch(stop.text, over)
    low.goto(over if stop.const else head)
    low.open(halted)
    end = low.cond(an.all_of([g.cond for g in mv.end]))
    if end.const is None:
        low.branch(end.text, over)
    low.goto(over if end.const else stranded)


# ------------------------------------------------------------------------------------------------ look-ahead
def functions(unit: Unit, mv: m.Movement, letter: str) -> Function:
    """W: the mask of legal arcs from a place. G: the mask of places where a walk could end. A: is there one?"""
    env = {p: name(f"p{i}") for i, p in enumerate(mv.proc.params)}
    env.update({mv.start: name("st"), mv.been: name("been"), mv.border_var: name("b"), mv.from_var: name("a"), mv.to_var: name("z"),
                mv.at: name("at"), mv.fuel: name("fuel"), mv.halted: X("0", 0, True)})
    low = Expressions(unit, env)
    low.loop = frozenset((mv.border_var, mv.from_var, mv.to_var, mv.at, mv.fuel))
    arcs, costs = _arcs(unit, mv)
    places = max([z for _, _, z in mv.arcs] + [a for _, a, _ in mv.arcs] + [0]) + 1
    rows = [tuple((1 << k, k, b, z, costs[k]) for k, (b, a, z) in enumerate(mv.arcs) if a == here and k in arcs) for here in range(places)]
    out = unit.table([*rows, ()])
    static_cost = all(c is not None for c in costs.values())
    cost = "c" if static_cost else low.val(_inside(low, mv.cost)).text if mv.cost is not None else "0"
    parts = [x for g in mv.may for x in _dynamic(unit, _inside(low, g.cond), mv)]
    always = [x for x in parts if not low.loop & unit.an.deps(x).vars]
    first_test = low.cond(an.all_of(always))
    may = low.cond(an.all_of([x for x in parts if x not in always]))
    stop = low.cond(an.any_of([_inside(low, g.cond) for g in mv.stop]))
    end = low.cond(an.all_of([_inside(low, g.cond) for g in mv.end]))
    tests = [f"c = {cost}"] if not static_cost else []
    tests += ["if c > fuel: continue"] if mv.cost is not None else []
    tests += [f"if not ({may.text}): continue"] if may.const is None else ["continue"] if not may.const else []
    by_place = not any(v in unit.an.deps(g.cond).vars for g in [*mv.stop, *mv.end] for v in (mv.border_var, mv.from_var))
    by_fuel = any(mv.fuel in unit.an.deps(x).vars for x in [*([mv.cost] if mv.cost else []), *(g.cond for g in [*mv.may, *mv.stop, *mv.end])])
    key = ("z" if by_place else "k") if not by_fuel else "(z, f)" if by_place else "(k, f)"
    params = ["s", *(env[p].text for p in mv.proc.params), "st"]
    ends = end.text if end.const is None else str(end.const)
    stops = stop.text if stop.const is None else str(stop.const)
    fuel = low.val(mv.allowance).text if mv.allowance is not None else str(m.NO_LIMIT)
    head = hoists(low, [first_test.text, *tests, ends, stops, fuel])
    if first_test.const is None:
        head.append(f"if not ({first_test.text}): return 0")
    elif not first_test.const:
        head.append("return 0")
    if letter != "W":
        found = "return 1" if letter == "A" else "found |= 1 << z"
        body = ["been = 1 << st", *head, f"fuel = {fuel}", "at = a = st; found = 0; best = {}; todo = [(st, fuel)]",
                *_flood(out, tests, key, ends, stops, found), "return found"]
        return Function(f"{letter}{unit.index(mv)}", params, body, mv.proc.span)
    seek = _seek(out, tests, key, ends, stops)
    body = [*head, "a = at; left = fuel; out = 0", f"for x, k, b, z, c in {out}[a]:", "    if been >> z & 1: continue",
            *("    " + t for t in tests), "    f = fuel - c; at = z; fuel = f", f"    if {ends}: out |= x",
            *([] if stops == "1" else [f"    elif not ({stops}):", *("        " + t for t in seek)]),
            "    at = a; fuel = left", "return out"]
    return Function(f"W{unit.index(mv)}", [*params, "at", "fuel", "been"], body, mv.proc.span)


def _inside(low: Expressions, e: m.Expr) -> m.Expr:
    """The expression with what it calls put in place, so that parts that stay the same over the arcs can be taken out."""
    if isinstance(e, m.And):
        return m.And([_inside(low, x) for x in e.items], type=e.type, span=e.span)
    if isinstance(e, m.Not):
        return m.Not(_inside(low, e.value), type=e.type, span=e.span)
    if isinstance(e, (m.CallPermit, m.CallTotal)):
        target = e.permit if isinstance(e, m.CallPermit) else e.total
        body = low.an.sum_of(target)
        if an.size(body) < 400 and all(isinstance(a, (m.Read, m.Const)) for a in e.args):
            return _inside(low, low.call_expr(target.params, e.args, body, e.type))
    return e


def _seek(out: str, tests: Sequence[str], key: str, end: str, stop: str) -> list[str]:
    """From place z with f left: is there a place where the walk can end? Then the arc x is legal."""
    return ["best = {}; todo = [(z, f)]; b0 = b; a0 = a; closed = been | 1 << z", "while todo:", "    a, left2 = todo.pop(); at = a; ok = 0",
            f"    for _, k, b, z, c in {out}[a]:", "        if closed >> z & 1: continue", "        at = a; fuel = left2", *("        " + t for t in tests),
            "        f = fuel - c", f"        if best.get({key}, -1) >= f: continue", f"        best[{key}] = f; at = z; fuel = f",
            f"        if {end}: ok = 1; break", *([] if stop == "1" else [f"        if not ({stop}): todo.append((z, f))"]),
            "    if ok: out |= x; break", "a = a0; b = b0"]


def _flood(out: str, tests: Sequence[str], key: str, end: str, stop: str, found: str) -> list[str]:
    return ["while todo:", "    a, left = todo.pop()", f"    for x, k, b, z, c in {out}[a]:",
            "        if z == st: continue", "        at = a; fuel = left",
            *("        " + t for t in tests), "        f = fuel - c", f"        if best.get({key}, -1) >= f: continue",
            f"        best[{key}] = f; at = z; fuel = f", f"        if {end}: {found}",
            *([] if stop == "1" else [f"        if not ({stop}): todo.append((z, f))"])]


def _step_vars(mv: m.Movement) -> set[m.Var]:
    return {mv.border_var, mv.from_var, mv.to_var}


def _at_arc(unit: Unit, e: m.Expr, mv: m.Movement, arc: tuple[int, int, int]) -> int | None:
    """The value of an expression over one arc, if fixed."""
    vars = zip((mv.border_var, mv.from_var, mv.to_var), arc, strict=True)
    value = unit.an.value(an.substitute(e, {v: m.Const(x, type=v.type) for v, x in vars}))
    return value if isinstance(value, int) else None


def _arcs(unit: Unit, mv: m.Movement) -> tuple[set[int], dict[int, int | None]]:
    """The arcs that are not forbidden for ever, and their costs where those are fixed."""
    left, costs = set(), {}
    for k, arc in enumerate(mv.arcs):
        if all(_at_arc(unit, x, mv, arc) != 0 for g in mv.may for x in _parts(g.cond)):
            left.add(k)
        costs[k] = 0 if mv.cost is None else _at_arc(unit, mv.cost, mv, arc) if unit.an.deps(mv.cost).vars <= _step_vars(mv) else None
    return left, costs


def _parts(e: m.Expr) -> list[m.Expr]:
    return [x for item in e.items for x in _parts(item)] if isinstance(e, m.And) else [e]


def _dynamic(unit: Unit, e: m.Expr, mv: m.Movement) -> list[m.Expr]:
    """The conjuncts that are not decided by the arc alone."""
    found = []
    for x in _parts(e):
        d = unit.an.deps(x)
        if d.state or not d.vars <= _step_vars(mv):
            found.append(x)
        elif any(_at_arc(unit, x, mv, arc) is None for arc in mv.arcs):
            found.append(x)
    return found
