"""Takes movements, makes the functions of their look-ahead, and the blocks of a walk."""

from __future__ import annotations

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile import ir
from rulekit.compile.control import Lower, Offer, Targets
from rulekit.compile.expr import Expressions
from rulekit.compile.unit import Unit, X
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
        sides = unit.model.sides
        frame.extra.append(unit.lay.note(unit.lay.take(0), "member", sides.size if sides is not None else 0, mv.proc))
    return frame.extra[0]


def walk_procedure(low: Lower, mv: m.Movement) -> None:
    """The blocks of all walks by a movement."""
    proc, flow = mv.proc, low.flow
    low.open(flow.entry(proc))
    low.span = proc.span
    who = str(who_of(low.unit, mv))
    start = low.read(mv.start).text
    outer_walk, made, arc = low.slot("walk"), low.slot("flag"), low.slot("member", len(mv.arcs))
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
    tests = [pg.ClauseInfo("when", "", g.reason, g.key, g.ref) for g in (*mv.may, *mv.end)]
    goes = flow.family(pg.FamilyInfo("to", "to", 0, [pg.ParamInfo("to", -1, 0, len(mv.arcs))], "option.to", "", mv.ref,
                                     arcs=list(mv.arcs), clauses=tests))
    stops = flow.family(pg.FamilyInfo("stop", "stop", 0, [], "option.stop", "", mv.ref, clauses=tests[len(mv.may):]))
    base, stop = flow.families[goes].base, flow.families[stops].base
    now = [low.read(v).text for v in (mv.at, mv.fuel, mv.been)]
    args = ", ".join(["s", *(low.read(p).text for p in proc.params), start, *now])
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
