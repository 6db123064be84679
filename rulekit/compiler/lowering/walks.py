"""Lower walks: the blocks of a movement's procedure."""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind
from rulekit.compiler.lowering.blocks import Blocks
from rulekit.compiler.lowering.control_flow import Targets, when
from rulekit.compiler.lowering.expressions import ExpressionLowering
from rulekit.compiler.lowering.options import CHOSEN, decide
from rulekit.compiler.lowering.unit import NONE, ONE, ZERO, Unit, const, having, known, type_of
from rulekit.runtime import program as pg
from rulekit.runtime import slots

_SPARE = v.SlotValue(slots.SPARE)


def walk(low: Blocks, statement: m.Walk, to: Targets) -> None:
    """Lower the statement, which calls the movement's procedure."""
    mv = statement.movement
    args = [low.hold(low.val(a)) for a in statement.args]
    start, who = low.hold(low.val(statement.start)), low.hold(low.val(statement.who))
    end = low.new()
    if low.an.maybe_none(statement.start):
        low.branch(v.CompareValue("<", start, ZERO), end)
    low.set_var(mv.start, start)
    low.put(who_of(low.unit, mv), who)
    low.call_asking(mv.proc, args)
    low.begin(end)


def who_of(unit: Unit, mv: m.Movement) -> v.SlotValue:
    """Return the slot with the player who walks."""
    frame = unit.lay.frames[mv.proc]
    if not frame.extra:
        frame.extra.append(unit.lay.note(unit.lay.take(0), "member", unit.players, mv.proc))
    return v.SlotValue(frame.extra[0])


def walk_procedure(low: Blocks, mv: m.Movement) -> None:
    """Write the blocks that all walks of a movement share."""
    proc, flow = mv.proc, low.flow
    low.open(flow.entry(proc))
    low.span = proc.span
    who = who_of(low.unit, mv)
    start = low.read(mv.start)
    for var in (mv.border_var, mv.from_var, mv.to_var):
        low.set_var(var, NONE)
    low.set_var(mv.halted, ZERO)
    low.set_var(mv.at, start)
    low.set_var(mv.been, v.Bit(start, type_of(mv.been.type)))
    low.set_var(mv.fuel, low.val(mv.allowance) if mv.allowance is not None else const(m.NO_LIMIT))
    outer_walk = low.stored(_SPARE, "walk")
    low.put(_SPARE, const(low.unit.lay.vars[mv.halted]))
    made, arc = low.stored(ZERO, "flag"), low.slot("member", len(mv.arcs))
    back, over, head, step, stranded = (low.new() for _ in range(5))
    to = Targets(over, over, over)
    low.begin(head)
    d = low.decision("walk", mv, who, f"movement.{mv.name}")
    d.span = proc.span
    tests = [when(g) for g in (*mv.may, *mv.end)]
    goes = flow.family(
        pg.FamilyInfo(
            "to",
            "to",
            0,
            [pg.ParamInfo("to", -1, 0, len(mv.arcs))],
            "option.to",
            "",
            mv.ref,
            arcs=list(mv.arcs),
            clauses=tests,
        )
    )
    stops = flow.family(
        pg.FamilyInfo(
            "stop", "stop", 0, [], "option.stop", "", mv.ref, clauses=tests[len(mv.may) :]
        )
    )
    flow.walks[goes] = mv
    base = const(flow.families[goes].base)
    stop = v.Layer(const(flow.families[stops].base), ONE)
    arcs = v.Mask(len(mv.arcs))
    now = [low.read(var) for var in (mv.at, mv.fuel, mv.been)]
    steps = v.CallValue(
        low.unit.request(FunctionKind.STEPS, mv),
        (*(low.read(p) for p in proc.params), start, *now),
        arcs,
    )
    inner = ExpressionLowering(low.unit)
    may_end = inner.cond(an.all_of([g.cond for g in mv.end]))
    end_test = (
        v.All((made, may_end)) if known(may_end) is None else made if known(may_end) else ZERO
    )
    there, ends = low.kept(steps), low.kept(end_test)
    with low.case(v.NotValue(there), stranded):
        low.branch(v.Any((ends, v.NotValue(made))), over)
    with low.case(v.All((v.NotValue(ends), v.NotValue(v.More(there)))), step):
        low.put(arc, v.Highest(there))
    decide(low, d, lambda mask: v.Layer(base, mask), (steps, there), stop, (end_test, ends))
    with low.taken(d, goes, step):
        low.put(arc, v.ArithValue("-", CHOSEN, base))
    with low.taken(d, stops, over):
        pass
    low.open(step)
    low.put(made, ONE)
    _step(low, mv, arc, to, head, over, stranded)
    low.open(stranded)
    low.stmts(mv.stranded, to)
    low.begin(over)
    low.put(_SPARE, outer_walk)
    low.begin(back)
    low.leave_procedure()


def _step(
    low: Blocks,
    mv: m.Movement,
    arc: v.SlotValue,
    to: Targets,
    head: c.Block,
    over: c.Block,
    stranded: c.Block,
) -> None:
    """Write a step over the arc in a slot, and its consequences."""
    table = low.unit.table(mv.arcs)
    row = low.hold(v.RowValue(table, arc, v.RECORD))
    for i, var in enumerate((mv.border_var, mv.from_var, mv.to_var)):
        low.set_var(var, there := v.PartValue(row, i))
    if mv.cost is not None:
        cost = low.val(mv.cost)
        if known(cost) != 0:
            low.set_var(mv.fuel, v.ArithValue("-", low.read(mv.fuel), cost))
    low.set_var(mv.at, there)
    low.set_var(mv.been, v.Bits("|", low.read(mv.been), v.Bit(there, type_of(mv.been.type))))
    entered, inner = low.new(), low.new()
    low.goto(inner)
    low.nested(mv.on_entry, inner, entered, Targets(entered, entered, entered))
    low.open(entered)
    if mv.group is not None and mv.place_cell is not None:
        _left_behind(low, mv, mv.group, mv.place_cell, over)
    halted = low.new()
    low.branch(low.read(mv.halted), halted)
    low.branch(low.cond(an.any_of([g.cond for g in mv.stop])), over)
    low.goto(head)
    low.open(halted)
    low.branch(low.cond(an.all_of([g.cond for g in mv.end])), over)
    low.goto(stranded)


def _left_behind(low: Blocks, mv: m.Movement, var: m.Var, cell: m.Cell, over: c.Block) -> None:
    """Remove the members of the group that are not at the destination of the step. The walk ends if
    none is left.
    """
    place, group, to = low.unit.lay.places[cell], low.read(var), low.read(mv.to_var)
    type = type_of(var.type)
    here = (
        having(place, to)
        if place.index >= 0
        else v.RunValue("members_at", (const(place.base), group, to), type)
    )
    checked = low.new()
    with low.case(group, checked):
        low.set_var(var, v.Bits("&", group, here))
        low.branch(v.NotValue(group), over)
    low.begin(checked)
