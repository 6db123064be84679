"""The tables of `Program`, and the initial state of each scenario.

The tables hold names, the layout, families of options and decisions.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import FLEX
from rulekit.compiler.lowering.artifacts import Build
from rulekit.compiler.lowering.control_flow import when
from rulekit.compiler.lowering.costs import priced
from rulekit.compiler.lowering.secret_reads import Secrecy, offered
from rulekit.compiler.lowering.unit import Unit, asked, rulings
from rulekit.runtime import program as pg
from rulekit.runtime.cells import write
from rulekit.runtime.compiled import Start

_MAX_CALLERS = 50  # of a chain of callers that is described


def type_info(unit: Unit, t: m.Type | None) -> pg.TypeInfo:
    if isinstance(t, m.Bool):
        return pg.TypeInfo("bool")
    if isinstance(t, m.Int):
        return pg.TypeInfo("int", unit=None if t.unit == FLEX else t.unit, low=t.low, high=t.high)
    if isinstance(t, m.MemberOf):
        return pg.TypeInfo("member", unit.index(t.kind), t.optional)
    if isinstance(t, m.SetOf):
        return pg.TypeInfo("set", unit.index(t.kind))
    return pg.TypeInfo("ratio" if isinstance(t, m.RatioT) else "record")


def describe(build: Build, local: set[int]) -> pg.Program:
    """Return the compiled game without its text, and without the values that a scenario and rulings
    set.
    """
    model, unit, flow = build.model, build.unit, build.flow
    program = pg.Program(model.name, model.version, "", "")
    program.rulings = [
        pg.RulingInfo(r.name, r.alternatives, r.default, r.data) for r in model.rulings
    ]
    program.kinds = [_kind(unit, k) for k in model.kinds.values()]
    program.sides = unit.index(model.sides)
    program.moments = unit.index(model.moments)
    program.turning = any(
        unit.an.deps(e).state
        for seen in _all_seen(model)
        for e in (seen.who, seen.when)
        if isinstance(e, m.Expr)
    )
    program.cells = [_cell(unit, c) for c in model.cells]
    secrecy = Secrecy(unit, local)
    program.procs = [_proc(build, p, local, secrecy) for p in unit.lay.procs]
    program.families = flow.families
    program.decisions = [pg.DecisionInfo("", -1, "", "", [])]
    for d in flow.decisions:
        families = [o.family for o in d.offers]
        own = {var: i for i, var in enumerate([*d.proc.params, *d.proc.vars])}
        visible = (
            None
            if d.visible is None
            else {name: own[var] for name, var in d.visible.items() if var in own}
        )
        program.decisions.append(
            pg.DecisionInfo(
                d.kind,
                unit.index(d.proc),
                d.prompt,
                d.text,
                families,
                d.ref,
                d.moment,
                d.group[0],
                visible,
                d.group[1],
            )
        )
    program.events = [_event(unit, e, secrecy) for e in model.events]
    offered(secrecy, flow)
    priced(flow)
    program.totals = [_sum(unit, t, t.type, secrecy) for t in model.totals]
    program.permits = [_sum(unit, p, m.Bool(), secrecy) for p in model.permits]
    program.defines = [
        pg.TotalInfo(
            d.name,
            _params(unit, d.params),
            type_info(unit, d.type),
            unit.index(d.context),
            ref=d.ref,
            secrets=secrecy.define(d),
            rulings=asked(unit.model, d),
            given=secrecy.given(d.params),
        )
        for d in model.defines
    ]
    program.tables = [_table(unit, t, secrecy) for t in model.tables]
    program.movements = [[when(g) for g in (*mv.may, *mv.end)] for mv in model.movements]
    program.invariants = [pg.InvariantInfo(i.name, i.everywhere, i.ref) for i in model.invariants]
    program.levels, program.purposes = model.levels, model.purposes
    program.blocks = [-1, *(unit.index(b.proc) for b in flow.blocks)]
    program.slots, program.options = unit.lay.slots, flow.next_id - 1
    program.machine = _machine(build)
    program.halts = sorted(
        unit.lay.vars[mv.halted] for mv in model.movements if mv.halted in unit.lay.vars
    )
    program.flags = sorted(unit.open_moments.values())
    program.scenarios = [
        (name, str(getattr(s, "title", ""))) for name, s in model.scenarios.items()
    ]
    program.texts, program.info, program.promises = model.texts, model.info, unit.lay.promises
    return program


def start(build: Build, program: pg.Program, scenario: str) -> Start:
    """Return the initial state and the choices of a scenario. In a model without scenarios, the
    name "" gives the defaults.
    """
    chosen = dict(getattr(build.model.scenarios.get(scenario), "rulings", {}))
    return Start(build.ways[scenario], _initial(build, program, scenario), chosen)


def _kind(unit: Unit, k: m.Kind) -> pg.KindInfo:
    info = pg.KindInfo(
        k.name,
        k.members,
        k.labels,
        k.decides,
        k.ordered,
        unit.index(k.joins),
        k.identity is not None,
        k in unit.lay.known,
        k.own,
        unit.lay.known.get(k, -1),
        _veiled(unit, k),
    )
    info.fixed = {
        f.name: (_fixed_type(unit, f), [int(v) for v in f.values]) for f in shown_attributes(k)
    }
    return info


def _veiled(unit: Unit, kind: m.Kind) -> bool:
    """Return True if things of a kind are in a pool that not all players may see."""
    return any(cell.pool and cell.seen and m.kind_of(cell.type) is kind for cell in unit.lay.places)


def _fixed_type(unit: Unit, f: m.Fixed) -> pg.TypeInfo:
    """Return the type of a constant attribute. It is optional if some value is the number that
    means none.
    """
    info = type_info(unit, f.type)
    return evolve(info, optional=True) if info.form == "int" and m.NO_LIMIT in f.values else info


def shown_attributes(k: m.Kind) -> Iterator[m.Fixed]:
    """Iterate over the attributes of a kind that a program shows to frontends."""
    return (
        f
        for f in k.fixed.values()
        if len(f.keys) == 1 and f.keys[0].kind is k and not isinstance(f.type, (m.Record, m.RatioT))
    )


def _cell(unit: Unit, c: m.Cell) -> pg.CellInfo:
    place = unit.lay.places[c]
    keys = [pg.KeyInfo(unit.index(k.kind), k.low, k.size) for k in c.keys]
    return pg.CellInfo(
        c.name,
        unit.index(c.owner),
        keys,
        type_info(unit, c.type),
        c.initial,
        place.form,
        place.base,
        place.index,
        place.values or None,
        c.hidden,
        c.pool,
        not c.seen,
        c.ref,
        tuple(pg.ImageInfo(x.base, x.filled, x.row, x.size + 1) for x in place.images),
        tuple(sorted({unit.index(scope) for scope, _ in c.resets})),
    )


def _all_seen(model: m.Model) -> list[m.Seen]:
    return [
        seen
        for each in (
            *(c.seen for c in model.cells),
            *(k.identity or () for k in model.kinds.values()),
        )
        for seen in each
    ]


def _proc(build: Build, p: m.Procedure, local: set[int], secrecy: Secrecy) -> pg.ProcInfo:
    unit, lay = build.unit, build.unit.lay
    frame = lay.frames[p]
    vars = [
        pg.VarInfo(
            v.name,
            type_info(unit, v.type),
            -1 if lay.vars[v] in local else lay.vars[v],
            v.shared,
            secrecy.masked(p.params, v),
            secrecy.private(p.params, v),
        )
        for v in [*p.params, *p.vars]
    ]
    entry = build.flow.entries.get(p)
    return pg.ProcInfo(
        p.name,
        p.word,
        len(p.params),
        vars,
        frame.runs,
        entry.number if entry else -1,
        p.asks,
        unit.index(p.context),
        _chain(build, p),
        sorted(block for _, block in build.flow.sites.get(p, [])),
        frame.saved,
        frame.depth,
        frame.save,
        p.ref,
        str(p.span) if p.span.line else "",
    )


def _machine(build: Build) -> list[pg.SlotInfo]:
    """Describe the slots that belong to no cell and to no variable of a procedure."""
    unit, lay = build.unit, build.unit.lay
    notes = [pg.SlotInfo(at, form, size, unit.index(proc)) for at, form, size, proc in lay.notes]
    return sorted(notes, key=lambda note: note.slot)


def _chain(build: Build, p: m.Procedure) -> list[tuple[int, int]] | None:
    """Return the callers up to main, or None if there is not exactly one path."""
    chain: list[tuple[int, int]] = []
    sites = build.flow.sites
    while p is not build.model.main:
        found = sites.get(p, [])
        if len(found) != 1 or len(chain) > _MAX_CALLERS:
            return None
        caller, block = found[0]
        chain.append((build.unit.index(caller), block))
        p = caller
    return chain


def _params(unit: Unit, params: list[m.Var]) -> list[tuple[str, pg.TypeInfo]]:
    return [(v.name, type_info(unit, v.type)) for v in params]


def _event(unit: Unit, e: m.EventDeclaration, secrecy: Secrecy) -> pg.EventInfo:
    hidden = []
    for v in e.params:
        kind = v.type.kind if isinstance(v.type, (m.MemberOf, m.SetOf)) else None
        hidden.append(kind is not None and (_veiled(unit, kind) or kind.identity is not None))
    secrets = [secrecy.masked(e.params, v) for v in e.params]
    return pg.EventInfo(
        e.name, _params(unit, e.params), hidden, bool(e.reveals), e.ref, secrets, secrecy.written(e)
    )


def _sum(unit: Unit, t: m.Total | m.Permit, type: m.Type, secrecy: Secrecy) -> pg.TotalInfo:
    clauses = [
        pg.ClauseInfo(
            c.word,
            c.name,
            c.reason,
            f"clause.{t.name}.{c.name}",
            c.ref,
            [(x.by, x.ref) for x in c.cancels],
            secrecy.presence(t.params, c),
            secrecy.amount(t.params, c),
            rulings(unit.model, [c.cond, c.amount, *(x.cond for x in c.cancels)], opened=True),
        )
        for c in t.clauses
    ]
    return pg.TotalInfo(
        t.name,
        _params(unit, t.params),
        type_info(unit, type),
        unit.index(t.context),
        clauses,
        t.ref,
        given=secrecy.given(t.params),
    )


def _initial(build: Build, program: pg.Program, scenario: str) -> list[int]:
    """Return the initial state: defaults, then the values of the scenario."""
    s = list(build.unit.lay.initial)
    for cell in build.model.cells:
        if cell.pool and not cell.seen:
            s[build.unit.lay.known[m.kind_of(cell.type)]] |= cell.initial
    begin = build.model.scenarios.get(scenario)
    for cell, keys, value in getattr(begin, "cells", []):
        write(program, s, program.cells[build.unit.index(cell)], keys, int(value))
    return s


def _table(unit: Unit, t: m.Table, secrecy: Secrecy) -> pg.TableInfo:
    keys = [
        (
            (0, len(t.ratios), True)
            if k is None
            else (0 if k.kind is not None else k.low, k.size, clamp)
        )
        for k, clamp in zip(t.keys, t.clamps, strict=True)
    ]
    return pg.TableInfo(
        t.name,
        _params(unit, t.params),
        type_info(unit, m.Record(tuple(t.outputs))),
        ref=t.ref,
        given=secrecy.given(t.params),
        keys=keys,
        ratios=t.ratios,
        rounding=t.rounding,
        outputs=[(name, type_info(unit, type)) for name, type in t.outputs],
        columns=t.data,
    )
