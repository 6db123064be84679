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


def type_info(unit: Unit, value_type: m.Type | None) -> pg.TypeInfo:
    if isinstance(value_type, m.Bool):
        return pg.TypeInfo("bool")
    if isinstance(value_type, m.Int):
        return pg.TypeInfo(
            "int",
            unit=None if value_type.unit == FLEX else value_type.unit,
            low=value_type.low,
            high=value_type.high,
        )
    if isinstance(value_type, m.MemberOf):
        return pg.TypeInfo("member", unit.index(value_type.kind), value_type.optional)
    if isinstance(value_type, m.SetOf):
        return pg.TypeInfo("set", unit.index(value_type.kind))
    return pg.TypeInfo("ratio" if isinstance(value_type, m.RatioT) else "record")


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


def _kind(unit: Unit, kind: m.Kind) -> pg.KindInfo:
    info = pg.KindInfo(
        kind.name,
        kind.members,
        kind.labels,
        kind.decides,
        kind.ordered,
        unit.index(kind.joins),
        kind.identity is not None,
        kind in unit.lay.known,
        kind.own,
        unit.lay.known.get(kind, -1),
        _veiled(unit, kind),
    )
    info.fixed = {
        f.name: (_fixed_type(unit, f), [int(v) for v in f.values]) for f in shown_attributes(kind)
    }
    return info


def _veiled(unit: Unit, kind: m.Kind) -> bool:
    """Return True if things of a kind are in a pool that not all players may see."""
    return any(cell.pool and cell.seen and m.kind_of(cell.type) is kind for cell in unit.lay.places)


def _fixed_type(unit: Unit, attribute: m.Fixed) -> pg.TypeInfo:
    """Return the type of a constant attribute. It is optional if some value is the number that
    means none.
    """
    info = type_info(unit, attribute.type)
    return (
        evolve(info, optional=True)
        if info.form == "int" and m.NO_LIMIT in attribute.values
        else info
    )


def shown_attributes(kind: m.Kind) -> Iterator[m.Fixed]:
    """Iterate over the attributes of a kind that a program shows to frontends."""
    return (
        f
        for f in kind.fixed.values()
        if len(f.keys) == 1
        and f.keys[0].kind is kind
        and not isinstance(f.type, (m.Record, m.RatioT))
    )


def _cell(unit: Unit, cell: m.Cell) -> pg.CellInfo:
    place = unit.lay.places[cell]
    keys = [pg.KeyInfo(unit.index(k.kind), k.low, k.size) for k in cell.keys]
    return pg.CellInfo(
        cell.name,
        unit.index(cell.owner),
        keys,
        type_info(unit, cell.type),
        cell.initial,
        place.form,
        place.base,
        place.index,
        place.values or None,
        cell.hidden,
        cell.pool,
        not cell.seen,
        cell.ref,
        tuple(pg.ImageInfo(x.base, x.filled, x.row, x.size + 1) for x in place.images),
        tuple(sorted({unit.index(scope) for scope, _ in cell.resets})),
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


def _proc(build: Build, procedure: m.Procedure, local: set[int], secrecy: Secrecy) -> pg.ProcInfo:
    unit, lay = build.unit, build.unit.lay
    frame = lay.frames[procedure]
    vars = [
        pg.VarInfo(
            v.name,
            type_info(unit, v.type),
            -1 if lay.vars[v] in local else lay.vars[v],
            v.shared,
            secrecy.masked(procedure.params, v),
            secrecy.private(procedure.params, v),
        )
        for v in [*procedure.params, *procedure.vars]
    ]
    entry = build.flow.entries.get(procedure)
    return pg.ProcInfo(
        procedure.name,
        procedure.word,
        len(procedure.params),
        vars,
        frame.runs,
        entry.number if entry else -1,
        procedure.asks,
        unit.index(procedure.context),
        _chain(build, procedure),
        sorted(block for _, block in build.flow.sites.get(procedure, [])),
        frame.saved,
        frame.depth,
        frame.save,
        procedure.ref,
        str(procedure.span) if procedure.span.line else "",
    )


def _machine(build: Build) -> list[pg.SlotInfo]:
    """Describe the slots that belong to no cell and to no variable of a procedure."""
    unit, lay = build.unit, build.unit.lay
    notes = [pg.SlotInfo(at, form, size, unit.index(proc)) for at, form, size, proc in lay.notes]
    return sorted(notes, key=lambda note: note.slot)


def _chain(build: Build, procedure: m.Procedure) -> list[tuple[int, int]] | None:
    """Return the callers up to main, or None if there is not exactly one path."""
    chain: list[tuple[int, int]] = []
    sites = build.flow.sites
    while procedure is not build.model.main:
        found = sites.get(procedure, [])
        if len(found) != 1 or len(chain) > _MAX_CALLERS:
            return None
        caller, block = found[0]
        chain.append((build.unit.index(caller), block))
        procedure = caller
    return chain


def _params(unit: Unit, params: list[m.Var]) -> list[tuple[str, pg.TypeInfo]]:
    return [(v.name, type_info(unit, v.type)) for v in params]


def _event(unit: Unit, event: m.EventDeclaration, secrecy: Secrecy) -> pg.EventInfo:
    hidden = []
    for v in event.params:
        kind = v.type.kind if isinstance(v.type, (m.MemberOf, m.SetOf)) else None
        hidden.append(kind is not None and (_veiled(unit, kind) or kind.identity is not None))
    secrets = [secrecy.masked(event.params, v) for v in event.params]
    return pg.EventInfo(
        event.name,
        _params(unit, event.params),
        hidden,
        bool(event.reveals),
        event.ref,
        secrets,
        secrecy.written(event),
    )


def _sum(unit: Unit, total: m.Total | m.Permit, type: m.Type, secrecy: Secrecy) -> pg.TotalInfo:
    clauses = [
        pg.ClauseInfo(
            c.word,
            c.name,
            c.reason,
            f"clause.{total.name}.{c.name}",
            c.ref,
            [(x.by, x.ref) for x in c.cancels],
            secrecy.presence(total.params, c),
            secrecy.amount(total.params, c),
            rulings(unit.model, [c.cond, c.amount, *(x.cond for x in c.cancels)], opened=True),
        )
        for c in total.clauses
    ]
    return pg.TotalInfo(
        total.name,
        _params(unit, total.params),
        type_info(unit, type),
        unit.index(total.context),
        clauses,
        total.ref,
        given=secrecy.given(total.params),
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


def _table(unit: Unit, table: m.Table, secrecy: Secrecy) -> pg.TableInfo:
    keys = [
        (
            (0, len(table.ratios), True)
            if k is None
            else (0 if k.kind is not None else k.low, k.size, clamp)
        )
        for k, clamp in zip(table.keys, table.clamps, strict=True)
    ]
    return pg.TableInfo(
        table.name,
        _params(unit, table.params),
        type_info(unit, m.Record(tuple(table.outputs))),
        ref=table.ref,
        given=secrecy.given(table.params),
        keys=keys,
        ratios=table.ratios,
        rounding=table.rounding,
        outputs=[(name, type_info(unit, type)) for name, type in table.outputs],
        columns=table.data,
    )
