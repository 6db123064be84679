"""Compile a checked model for all scenarios and rulings: layout, blocks, functions and their Python
text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import RLock
from typing import Any, assert_never

from rulekit.common.diagnostics.span import NOWHERE
from rulekit.common.gc_pause import paused
from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.analysis.dependencies import ModelAnalysis, Watching
from rulekit.compiler.analysis.late_constants import Late, late
from rulekit.compiler.backends.python.module import epilogue, prologue
from rulekit.compiler.backends.python.printer import Printer
from rulekit.compiler.backends.wasm.module import native as module_of
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.artifacts import Build, VariantParts
from rulekit.compiler.lowering.control_flow import Flow
from rulekit.compiler.lowering.costs import prices
from rulekit.compiler.lowering.expressions import ExpressionLowering, over
from rulekit.compiler.lowering.layout import layout
from rulekit.compiler.lowering.movement_search import search_function
from rulekit.compiler.lowering.procedures import Lower
from rulekit.compiler.lowering.program_tables import describe, start
from rulekit.compiler.lowering.refusal_reasons import reasons
from rulekit.compiler.lowering.statements import Body, event_id
from rulekit.compiler.lowering.unit import (
    NONE,
    ONE,
    ZERO,
    Unit,
    const,
    disj,
    missing_tests,
    parameters,
    type_of,
)
from rulekit.compiler.lowering.walks import walk_procedure
from rulekit.compiler.lowering.writes import resets
from rulekit.compiler.passes.dead_functions import prune
from rulekit.compiler.passes.register_promotion import registers
from rulekit.compiler.passes.structuring import Routines, count_preds
from rulekit.compiler.passes.use_sets import uses
from rulekit.runtime import program as pg
from rulekit.runtime.compiled import Compiled, digest_of
from rulekit.runtime.slots import BARE_END, MAX_ACTIVATIONS, PC, PHASE_BEGUN
from rulekit.runtime.variants import FULL, TRACED, Text, Variants
from rulekit.runtime.wasm_format import Native, NoNative

_PRICES = (FunctionKind.COST, FunctionKind.PURSES)  # play itself does not call these


def late_values(model: m.Model) -> tuple[dict[m.Fixed, Late], dict[str, int]]:
    """Return all values of the late-bound constants, and for each scenario the index of its set of
    values.

    Scenarios that give the same values share a set. Axis 0 of a value counts these sets, and the
    following axes count the alternatives of each ruling.
    """
    ruled = {r.fixed for r in model.rulings}
    free = [f for f in model.fixed if f.late and f not in ruled]
    sets: dict[str, tuple[tuple[int, ...], ...]] = {}  # scenario -> the values of each constant
    for scenario, begin in (model.scenarios or {"": None}).items():
        given = getattr(begin, "late", {})
        known = [given[f.name] if given.get(f.name) is not None else f.values for f in free]
        sets[scenario] = tuple(tuple(v) if isinstance(v, list) else (v,) for v in known)
    different = list(dict.fromkeys(sets.values()))
    axis = (0, len(different))
    found = {f: late((axis,), [values[i] for values in different]) for i, f in enumerate(free)}
    for i, ruling in enumerate(model.rulings, 1):
        count = len(ruling.alternatives)
        found[ruling.fixed] = late(((i, count),), [(at,) for at in range(count)])
    return found, {scenario: different.index(values) for scenario, values in sets.items()}


def lower(model: m.Model, plain: Build | None = None) -> Build:
    """Lower a model to the intermediate form.

    Args:
        plain: the result of an earlier call, for the traced variant. The new form then has
            functions that explain, and no total is inlined.
    """
    if plain is None:
        values, ways = late_values(model)
        an = ModelAnalysis(model, values)
        unit = Unit(model, an, layout(model), an)
    else:
        ways, known = plain.ways, plain.unit
        an = Watching(model, known.an.late)
        unit = Unit(
            model,
            an,
            layout(model),
            known.an,
            True,
            chosen=dict(known.chosen),
            given=set(known.chosen),
        )
    flow = Flow(unit)
    build = Build(model, unit, flow, ways=ways)
    movements = {mv.proc: mv for mv in model.movements}
    _specials(build)
    for proc in unit.lay.procs:
        if proc in movements:
            walk_procedure(Lower(flow, proc), movements[proc])
        elif proc.asks:
            Lower(flow, proc).procedure()
        else:
            unit.request(FunctionKind.PROCEDURE, proc)
    numbers = [d for d in model.defines if not isinstance(d.type, m.Record)]
    for define in numbers:
        unit.request(FunctionKind.DEFINITION, define)
    for total in model.totals:
        unit.request(FunctionKind.TOTAL, total)
    for permit in model.permits:
        unit.request(FunctionKind.PERMIT, permit)
    low = ExpressionLowering(unit)
    for i, inv in enumerate(model.invariants):
        if inv.everywhere:
            build.invariants.append((i, low.cond(inv.cond)))
    _seen(build)
    unit.functions += prices(flow)
    if unit.trace:
        reasons(unit, flow)
    _lower_requested(build)
    return build


def _specials(build: Build) -> None:
    """Add the special blocks: the beginning of the game, its end, and the end of a procedure that
    is run by itself.
    """
    flow, model, lay = build.flow, build.model, build.unit.lay
    begin, second, over, bare = (flow.block(None) for _ in range(4))
    for block in (begin, second, over, bare):
        block.entry = True
    build.specials = {"begin": begin, "second": second, "over": over, "bare": bare}
    for block, proc, after in ((begin, model.setup, second), (second, model.main, over)):
        if proc is None:
            block.body.append(c.Goto(after))
        elif proc.asks:
            block.body.append(
                c.PutStatement(v.SlotValue(lay.frames[proc].returns), const(after.number))
            )
            block.body.append(c.Goto(flow.entry(proc)))
        else:
            function = build.unit.request(FunctionKind.PROCEDURE, proc)
            block.body += [c.CallStatement(function, ()), c.Goto(after)]
    over.body += [
        c.Fail("unfinished", span=model.main.span if model.main is not None else NOWHERE),
        c.StopStatement(),
    ]
    bare.body += [c.PutStatement(v.SlotValue(PC), const(BARE_END)), c.NoLayers(), c.StopStatement()]


def _lower_requested(build: Build) -> None:
    """Lower the requested functions, and those that they request, until none is left."""
    unit = build.unit
    done: set[FunctionName] = set()
    while todo := [name for name in sorted(unit.requested) if name not in done]:
        for name in todo:
            done.add(name)
            _declaration(build, name, unit.requested[name])


def _declaration(build: Build, name: FunctionName, item: Any) -> None:
    """Lower the function of a declaration."""
    unit = build.unit
    match name.kind:
        case FunctionKind.DEFINITION | FunctionKind.TOTAL:
            _pure(unit, name, item.params, unit.an.body_of(item), item.type)
        case FunctionKind.PERMIT:
            _pure(unit, name, item.params, unit.an.body_of(item), an.BOOL)
        case FunctionKind.SLOT:
            for i in range(item.kind.size):
                body = item.of(i) or m.Const(0, type=item.type)
                _pure(unit, name._replace(member=i), item.params, body, item.type, name)
        case FunctionKind.STEPS | FunctionKind.DESTINATIONS | FunctionKind.HAS_DESTINATION as kind:
            unit.functions.append(search_function(unit, item, kind))
        case FunctionKind.EVENT:
            _event(build, name, item)
        case FunctionKind.WHENEVER:
            _whenever(build, name, item)
        case FunctionKind.PROCEDURE:
            _procedure(build, name, item)
        case (
            FunctionKind.BLOCK
            | FunctionKind.PROCEDURE_BODY
            | FunctionKind.RESUMPTION
            | FunctionKind.OPTIONS
            | FunctionKind.HELPER
            | FunctionKind.CELL_OBSERVERS
            | FunctionKind.IDENTITY_OBSERVERS
            | FunctionKind.COST
            | FunctionKind.PURSES
            | FunctionKind.REFUSAL
            | FunctionKind.TOTAL_TRACE
            | FunctionKind.PERMIT_TRACE
            | FunctionKind.REACH_TRACE
        ):
            raise AssertionError(f"nobody requests {name.kind.name}")
        case _:
            assert_never(name.kind)


def _pure(
    unit: Unit,
    name: FunctionName,
    vars: Sequence[m.Var],
    body: m.Expr,
    type: m.Type,
    table: FunctionName | None = None,
) -> None:
    params, low = over(unit, vars)
    missing = missing_tests(params, vars)
    first = (c.IfStatement(disj(missing), (c.Give(const(m.empty(type))),)),) if missing else ()
    unit.functions.append(
        c.Function(name, params, (*first, c.Give(low.val(body))), body.span, table=table)
    )


def _event(build: Build, name: FunctionName, event: m.EventDeclaration) -> None:
    params = parameters(event.params)
    body = Body(build.unit, dict(zip(event.params, params, strict=True)), True, event.span)
    body.add(c.LogStatement((const(event_id(build.unit, event)), *params)))
    for shown in event.reveals:
        body.reveal(shown)
    body.plain(event.body)
    build.plain.append(c.Routine(name, params, tuple(body.out), event.span))


def _whenever(build: Build, name: FunctionName, rule: m.Whenever) -> None:
    done, left, bit = (v.Local(x, type_of(rule.source.type)) for x in ("done", "left", "x"))
    inner = Body(build.unit, span=rule.proc.span)
    source = inner.val(rule.source)
    inner.add(c.Assign(left, v.Bits("&", source, v.Complement(done))))
    inner.add(c.IfStatement(v.NotValue(left), (c.Give(),)))
    inner.add(c.Assign(bit, v.LowestBit(left)))
    inner.add(c.Assign(done, bit, "|="))
    inner.call(rule.proc, [v.Highest(bit)])
    body = (c.Assign(done, ZERO, span=inner.span), c.While(None, tuple(inner.out), span=inner.span))
    build.plain.append(c.Routine(name, (), body, inner.span))


def _procedure(build: Build, name: FunctionName, proc: m.Procedure) -> None:
    """Emit a procedure without decisions.

    If it has resets or a flag that it is running, they stand in a second function that wraps the
    first.
    """
    unit, frame = build.unit, build.unit.lay.frames[proc]
    body_name = FunctionName(FunctionKind.PROCEDURE_BODY, name.number)
    params = parameters(proc.params)
    body = Body(unit, span=proc.span)
    if proc.word == "phase":
        body.add(c.LogStatement((const(PHASE_BEGUN), const(unit.index(proc)), *params)))
    for var, param in zip(proc.params, params, strict=True):
        body.add(c.PutFrame(unit.lay.vars[var], param))
    body.plain(proc.body)
    if proc.result is not None:
        body.add(c.Give(body.read(proc.result)))
    outer = Body(unit, span=proc.span)
    # An inner activation must not overwrite the frame of the outer one.
    kept = [*proc.params, *proc.vars] if proc.reentrant else []
    targets = [v.Local(f"k{i}", type_of(var.type)) for i, var in enumerate(kept)]
    before, result = (
        v.Local("before"),
        (v.Local("r", type_of(proc.result.type)) if proc.result is not None else None),
    )
    for local, var in zip(targets, kept, strict=True):
        outer.add(c.Assign(local, outer.read(var)))
    if frame.running >= 0:
        outer.add(c.Assign(before, v.SlotValue(frame.running)))
        outer.put(v.SlotValue(frame.running), ONE)
    outer.add(c.CallStatement(body_name, params, local=result))
    resets(outer, proc)
    for local, var in zip(targets, kept, strict=True):
        outer.add(c.PutFrame(unit.lay.vars[var], local))
    if frame.running >= 0:
        outer.put(v.SlotValue(frame.running), before)
    alone = len(outer.out) == 1
    if result is not None:
        outer.add(c.Give(result))
    build.plain.append(c.Routine(name if alone else body_name, params, tuple(body.out), proc.span))
    if not alone:
        build.plain.append(c.Routine(name, params, tuple(outer.out), proc.span))


def _seen(build: Build) -> None:
    """Emit the functions that compute which players may see a cell or an identity."""
    unit = build.unit
    for cell in build.model.cells:
        if cell.seen:
            _observers(unit, FunctionName(FunctionKind.CELL_OBSERVERS, unit.index(cell)), cell.seen)
    for kind in build.model.kinds.values():
        if kind.identity:
            _observers(
                unit, FunctionName(FunctionKind.IDENTITY_OBSERVERS, unit.index(kind)), kind.identity
            )


def _observers(unit: Unit, name: FunctionName, seen: Sequence[m.Seen]) -> None:
    out = v.Local("out", v.Mask(unit.players))
    code: list[c.Stmt] = [c.Assign(out, ZERO)]
    for x in seen:
        _, low = over(unit, x.vars)
        who = NONE if x.who == "all" else low.bit(x.who) if isinstance(x.who, m.Expr) else ZERO
        adds = c.Assign(out, who, "|=")
        code.append(adds if x.when is None else c.IfStatement(low.cond(x.when), (adds,)))
    unit.functions.append(
        c.Function(
            name,
            tuple(v.Local(f"p{i}") for i in range(max(len(x.vars) for x in seen))),
            (*code, c.Give(out)),
        )
    )


# --------------------------------------------------------------------------------------------- text
def parts(build: Build) -> VariantParts:
    """Run the passes and return everything that the variants are printed from."""
    flow, unit = build.flow, build.unit
    count_preds(flow.blocks)
    saved = _saved_frames(build)
    written = Routines(flow)
    written.all([b for b in flow.blocks if b.entry or b in flow.entries.values()], flow.decisions)
    routines = [*written.made, *build.plain]
    options = [
        c.Function(FunctionName(FunctionKind.OPTIONS, d.number), (), d.layers, d.span)
        for d in flow.decisions
    ]
    pure = [*unit.functions, *options]
    functions, effects = [(f, uses(f.body)) for f in pure], [(r, uses(r.body)) for r in routines]
    exposed = {unit.lay.vars[var] for var in unit.exposed if var in unit.lay.vars}.union(
        *(used.frames for _, used in functions)
    )
    exposed |= {unit.lay.vars[var] for p in unit.lay.procs if p.asks for var in p.params}
    exposed |= {
        unit.lay.vars[var]
        for mv in build.model.movements
        for var in (mv.halted, mv.start, mv.at, mv.fuel, mv.been)
    }
    local, dead = registers(effects, exposed)
    checks = uses(tuple(c.Do(cond) for _, cond in build.invariants))
    called = set().union(checks.called, *(used.called for _, used in effects))
    kept = prune([(f, used) for f, used in functions if f.name.kind not in _PRICES], called)
    display_only = [f for f in prune(functions, called) if f not in kept]
    return VariantParts(routines, kept, display_only, local, dead, saved, sorted(written.needed))


def printed(build: Build, parts: VariantParts, full: bool) -> Text:
    """Print the Python text of a variant. The full variant has a log and a trail of old values, the
    fast one has neither.
    """
    printer = Printer(full, parts.local, parts.dead, parts.saved, build.unit.trace)
    for f in [*parts.functions, *parts.display_only, *parts.routines]:
        printer.function(f)
    head, tail = prologue(build), epilogue(build, printer, parts.blocks)
    places = [""] * len(head) + printer.places + [""] * len(tail)
    return Text("\n".join([*head, *printer.lines, *tail]) + "\n", places)


def _saved_frames(build: Build) -> dict[int, str]:
    """Allocate the save area of each reentrant procedure. Return, by procedure, the table with its
    slots, the depth and the save area.
    """
    lay, found = build.unit.lay, {}
    for proc, frame in lay.frames.items():
        if proc.reentrant and proc.asks:
            slots = [
                frame.returns,
                *(lay.vars[var] for var in [*proc.params, *proc.vars]),
                *frame.extra,
            ]
            frame.depth, frame.saved = lay.take(0), slots
            frame.save = lay.take(*[0] * (len(slots) * (MAX_ACTIVATIONS - 1)))
            found[build.unit.index(proc)] = build.unit.table(
                [tuple(slots), frame.depth, frame.save]
            )
    return found


class Compilation:
    """The compilation of one game, with each output computed on first request.

    Later outputs reuse the earlier ones. A lock lets only one thread compile at a time.
    """

    def __init__(self, model: m.Model) -> None:
        self._model = model
        self._lock = RLock()
        self._texts: dict[str, Text] = {}
        self._native: dict[bool, Native | NoNative] = {}

    @cached_property
    def _build(self) -> Build:
        return lower(self._model)

    @cached_property
    def _parts(self) -> VariantParts:
        return parts(self._build)

    @cached_property
    def _compiled(self) -> Compiled:
        text, model, made = self.text(FULL), self._model, self._build
        program = describe(made, {*self._parts.local, *self._parts.dead})
        scenarios = list(model.scenarios)
        default = str(
            model.info.get("manifest", {}).get("default_scenario") or next(iter(scenarios), "")
        )
        starts = {name: start(made, program, name) for name in scenarios or [""]}
        constants = {title: (value.axes, value.values) for value, title in made.unit.chosen.items()}
        return Compiled(program, starts, default, constants, digest_of(program, text.python))

    @paused()
    def compiled(self) -> Compiled:
        """Return the compiled game for all scenarios and rulings, without its code."""
        with self._lock:
            return self._compiled

    @paused()
    def text(self, variant: str) -> Text:
        """Return the Python text of a variant."""
        with self._lock:
            if variant not in self._texts:
                self._texts[variant] = (
                    self._traced()
                    if variant == TRACED
                    else printed(self._build, self._parts, variant == FULL)
                )
            return self._texts[variant]

    def _traced(self) -> Text:
        traced = lower(self._model, self._build)
        text = printed(traced, parts(traced), True)
        self._build.unit.an.forget()
        return text

    @paused()
    def native(self, open: bool = False) -> Native | NoNative:
        """Return the WebAssembly module, or the reason why there is none.

        Args:
            open: also export definitions and procedures.
        """
        with self._lock:
            if open not in self._native:
                images = [begin.initial for begin in self._compiled.starts.values()]
                self._native[open] = module_of(self._build, self._parts, images, open)
            return self._native[open]


def compile_game(model: m.Model, native: bool = False, open: bool = False) -> Compiled:
    """Return the compiled game with its code.

    Args:
        native: include the WebAssembly module.
        open: as for `Compilation.native`.
    """
    compilation = Compilation(model)
    texts: Variants[Text] = Variants(compilation.text)
    made = compilation.compiled().with_code(
        Variants(lambda v: texts[v].python), Variants(lambda v: texts[v].places), {}
    )
    if native:
        made.program.native = compilation.native(open)
    return made


def build(
    model: m.Model,
    scenario: str = "",
    rulings: Mapping[str, str] | None = None,
    native: bool = False,
) -> pg.Program:
    """Return the program of a scenario under some rulings.

    Args:
        scenario: its name; if empty, the default scenario of the game, else the first.
        native: as for `compile_game`.
    """
    return compile_game(model, native).bind(scenario, rulings or {})
