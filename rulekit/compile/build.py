"""Takes a checked model, makes `Compiled`: layout, blocks, functions, and their Python text, for all scenarios and rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from rulekit import model as m
from rulekit.base.collector import paused
from rulekit.base.span import NOWHERE
from rulekit.compile import analysis as an
from rulekit.compile import ir
from rulekit.compile.analysis import Analysis
from rulekit.compile.control import Flow, Lower
from rulekit.compile.emit import Emitter, Text, count_preds, finish, function_text, locals_of, never_read, prune
from rulekit.compile.endings import resets
from rulekit.compile.expr import Expressions
from rulekit.compile.info import describe, start
from rulekit.compile.late import Late, late
from rulekit.compile.layout import DEPTH, Facts, facts, layout
from rulekit.compile.lookahead import functions as walk_functions
from rulekit.compile.needs import forget, must_begin
from rulekit.compile.reasons import reasons
from rulekit.compile.stmts import Body
from rulekit.compile.unit import Function, Unit, name
from rulekit.compile.walk import walk_procedure
from rulekit.compile.watched import Watching
from rulekit.program import program as pg
from rulekit.program.compiled import Compiled, digest_of


@define(eq=False)
class Plain:
    """A function with effects that asks nothing, before it is emitted."""

    name: str
    params: list[str]
    body: list[ir.Instr]
    span: Any = NOWHERE


@define(eq=False)
class Build:
    """All that was made of a model: for `show`, and to emit the variants."""

    model: m.Model
    unit: Unit
    flow: Flow
    facts: Facts
    plain: list[Plain] = field(factory=list)
    specials: dict[str, ir.Block] = field(factory=dict)
    invariants: list[str] = field(factory=list)
    ways: dict[str, int] = field(factory=dict)  # scenario -> which of the ways to set them is its own


def late_values(model: m.Model) -> tuple[dict[m.Fixed, Late], dict[str, int]]:
    """The values of late fixed for each way to choose, and the way that is each scenario's."""
    ruled = {r.fixed for r in model.rulings}
    free = [f for f in model.fixed if f.late and f not in ruled]
    sets: dict[str, tuple[tuple[int, ...], ...]] = {}  # scenario -> the values of each
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
    """The intermediate form of a game. `plain`: what this gave before; then with functions that explain, and with no total put in place of
    its call."""
    if plain is None:
        values, ways = late_values(model)
        known = facts(model)
        unit = Unit(model, Analysis(model, values), layout(model, known))
    else:
        ways, known = plain.ways, plain.facts
        unit = Unit(model, Watching(model, plain.unit.an.late), layout(model, known), True, chosen=plain.unit.chosen,
                    promises=plain.unit.promises, known=plain.unit.an)
    lay = unit.lay
    trace = unit.trace
    flow = Flow(unit)
    build = Build(model, unit, flow, known, ways=ways)
    movements = {mv.proc: mv for mv in model.movements}
    _specials(build)
    for proc in lay.procs:
        if proc in movements:
            walk_procedure(Lower(flow, proc), movements[proc])
        elif proc.asks:
            Lower(flow, proc).procedure()
        else:
            unit.want("Q", proc)
    for d in model.defines:
        if not isinstance(d.type, m.Record):
            unit.want("D", d)
    for t in model.totals:
        unit.want("T", t)
    for p in model.permits:
        unit.want("P", p)
    low = Expressions(unit)
    for i, inv in enumerate(model.invariants):
        if inv.everywhere:
            build.invariants.append(f"if not ({low.cond(inv.cond).text}): out.append({i})")
    _seen(build)
    if trace:
        reasons(unit, flow)
    _wanted(build)
    forget()
    return build


def _specials(build: Build) -> None:
    """Blocks of the machine: begin, the end of the game, the end of a bare procedure."""
    flow, model, lay = build.flow, build.model, build.unit.lay
    begin, second, over, bare = (flow.block(None) for _ in range(4))
    for block in (begin, second, over, bare):
        block.entry = True
    build.specials = {"begin": begin, "second": second, "over": over, "bare": bare}
    for block, proc, after in ((begin, model.setup, second), (second, model.main, over)):
        if proc is None:
            block.body.append(ir.Goto(after))
        elif proc.asks:
            block.body.append(ir.Put(str(lay.frames[proc].returns), "=", str(after.number)))
            block.body.append(ir.Goto(flow.entry(proc)))
        else:
            build.unit.want("Q", proc)
            block.body += [ir.Call(f"Q{build.unit.index(proc)}", []), ir.Goto(after)]
    unfinished = '''raise RulesError("play ended without 'finish'")'''
    over.body += [ir.Line(unfinished, span=model.main.span if model.main is not None else NOWHERE), ir.Stop()]
    bare.body += [ir.Put("0", "=", str(pg.BARE_END)), ir.Line("s[1] = []"), ir.Stop()]


def _wanted(build: Build) -> None:
    """The functions of declarations, until no new one is asked for."""
    unit = build.unit
    made: set[tuple[str, int]] = set()
    while True:
        todo = [key for key in sorted(unit.wanted) if key not in made]
        if not todo:
            return
        for key in todo:
            made.add(key)
            _declaration(build, key[0], unit.wanted[key])


def _declaration(build: Build, letter: str, item: Any) -> None:
    unit = build.unit
    title = f"{letter}{unit.index(item)}"
    if letter == "D":
        _pure(unit, title, item.params, unit.an.body_of(item), item.type)
    elif letter in "TP":
        _pure(unit, title, item.params, unit.an.sum_of(item), item.type if letter == "T" else an.BOOL)
    elif letter == "S":
        for i in range(item.kind.size):
            value = (item.values[i] if i < len(item.values) else None) or item.default
            _pure(unit, f"{title}_{i}", item.params, value if value is not None else m.Const(0, type=item.type), item.type)
    elif letter in "WGA":
        unit.functions.append(walk_functions(unit, item, letter))
    elif letter == "E":
        _event(build, title, item)
    elif letter == "H":
        _whenever(build, title, item)
    elif letter == "Q":
        _procedure(build, title, item)


def _pure(unit: Unit, title: str, params: Sequence[m.Var], body: m.Expr, type: m.Type) -> None:
    names = [f"p{i}" for i in range(len(params))]
    low = Expressions(unit, {p: name(n) for p, n in zip(params, names, strict=True)})
    holes = [n for n, p in zip(names, params, strict=True) if isinstance(p.type, m.MemberOf) and not p.type.optional]
    lines = [f"if {' or '.join(f'{h} < 0' for h in holes)}: return {m.empty(type)}"] if holes else []
    unit.functions.append(Function(title, ["s", *names], [*lines, f"return {low.val(body).text}"], body.span))


def _event(build: Build, title: str, e: m.Event) -> None:
    from rulekit.compile.stmts import event_id

    names = [f"p{i}" for i in range(len(e.params))]
    body = Body(build.unit, {p: name(n) for p, n in zip(e.params, names, strict=True)}, True)
    body.span = e.span
    body.add(ir.Log(", ".join([str(event_id(build.unit, e)), *names])))
    for shown in e.reveals:
        body.reveal(shown)
    body.plain(e.body)
    build.plain.append(Plain(title, names, body.out, e.span))


def _whenever(build: Build, title: str, rule: m.Whenever) -> None:
    body = Body(build.unit)
    body.span = rule.proc.span
    body.add(ir.Line("done = 0"))
    inner = Body(build.unit)
    inner.span = body.span
    source = inner.val(rule.source)
    inner.add(ir.Line(f"left = {source.p} & ~done"))
    inner.add(ir.If("not left", [ir.Line("return")], []))
    inner.add(ir.Line("x = left & -left; done |= x"))
    inner.call(rule.proc, ["x.bit_length() - 1"])
    body.add(ir.While("while 1:", inner.out))
    build.plain.append(Plain(title, [], body.out, body.span))


def _procedure(build: Build, title: str, proc: m.Procedure) -> None:
    """A procedure that asks nothing. Its resets and the flag that it runs stand in a function around it."""
    unit, frame = build.unit, build.unit.lay.frames[proc]
    names = [f"p{i}" for i in range(len(proc.params))]
    body = Body(unit)
    body.span = proc.span
    if proc.word == "phase":
        body.add(ir.Log(", ".join([str(pg.PHASE_BEGUN), str(unit.index(proc)), *names])))
    for var, text in zip(proc.params, names, strict=True):
        body.add(ir.PutVar(unit.lay.vars[var], text))
    for var in proc.vars:
        if must_begin(proc, var):
            body.add(ir.PutVar(unit.lay.vars[var], str(m.first_value(var.type))))
    body.plain(proc.body)
    if proc.result is not None:
        body.add(ir.Return(-1, body.read(proc.result).text))
    ends = Body(unit)
    ends.span = proc.span
    resets(ends, proc)
    if not ends.out and frame.running < 0 and not proc.reentrant:
        build.plain.append(Plain(title, names, body.out, proc.span))
        return
    build.plain.append(Plain(f"{title}b", names, body.out, proc.span))
    outer = Body(unit)
    outer.span = proc.span
    kept = [*proc.params, *proc.vars] if proc.reentrant else []  # an inner activation must not spoil the frame of the outer one
    for i, var in enumerate(kept):
        outer.add(ir.Line(f"k{i} = {outer.read(var).text}"))
    if frame.running >= 0:
        outer.add(ir.Line(f"before = s[{frame.running}]"))
        outer.put(str(frame.running), "=", "1")
    if proc.result is not None:
        outer.add(ir.Line(f"r = ¢{title}b¢({', '.join(['s', *names])})"))
    else:
        outer.add(ir.Call(f"{title}b", names))
    outer.out += ends.out
    for i, var in enumerate(kept):
        outer.add(ir.PutVar(unit.lay.vars[var], f"k{i}"))
    if frame.running >= 0:
        outer.put(str(frame.running), "=", "before")
    if proc.result is not None:
        outer.add(ir.Return(-1, "r"))
    build.plain.append(Plain(title, names, outer.out, proc.span))


def _seen(build: Build) -> None:
    """Functions that say who may know what."""
    unit = build.unit
    for cell in build.model.cells:
        if cell.seen:
            _viewers(unit, f"V{unit.index(cell)}", cell.seen)
    for kind in build.model.kinds.values():
        if kind.identity:
            _viewers(unit, f"I{unit.index(kind)}", kind.identity)


def _viewers(unit: Unit, title: str, seen: Sequence[m.Seen]) -> None:
    lines = ["out = 0"]
    count = max(len(x.vars) for x in seen)
    for x in seen:
        low = Expressions(unit, {v: name(f"p{i}") for i, v in enumerate(x.vars)})
        who = "-1" if x.who == "all" else "0" if x.who == "none" else low.bit(x.who).text if isinstance(x.who, m.Expr) else "0"
        test = low.cond(x.when).text if x.when is not None else ""
        lines.append(f"if {test}: out |= {who}" if test else f"out |= {who}")
    unit.functions.append(Function(title, ["s", *(f"p{i}" for i in range(count))], [*lines, "return out"]))


# ------------------------------------------------------------------------------------------------ text
def emit(build: Build) -> tuple[dict[str, str], dict[str, list[str]], set[int]]:
    """The Python text of the variants, the author's places by line, and the variables that have no slot."""
    flow, unit = build.flow, build.unit
    count_preds(flow.blocks)
    frames = _frame_tables(build)
    roots = [b for b in flow.blocks if b.entry or b in flow.entries.values()]
    texts: dict[bool, list[Text]] = {}
    emitters: dict[bool, Emitter] = {}
    for full in (True, False):
        e = emitters[full] = Emitter(flow, full)
        e.blocks(roots, flow.decisions)
        for p in build.plain:
            e.plain(p.name, p.params, p.body, p.span)
        texts[full] = e.done
    options = [Text(f"O{d.number}", [(0, f"def O{d.number}(s):", d.span), *((1, line, d.span) for line in d.layers)])
               for d in flow.decisions]
    pure = [*(function_text(f) for f in unit.functions), *options]
    exposed = {unit.lay.vars[v] for v in unit.exposed if v in unit.lay.vars}
    for text in pure:
        exposed |= text.tokens()
    exposed |= {unit.lay.vars[v] for p in unit.lay.procs if p.asks for v in p.params}
    exposed |= {unit.lay.vars[v] for mv in build.model.movements for v in (mv.halted, mv.start, mv.at, mv.fuel, mv.been)}
    dead = never_read(texts[True], exposed)
    local = locals_of(texts[True], exposed) - dead
    checks = Text("invariants", [(0, line, NOWHERE) for line in build.invariants])
    sources, places = {}, {}
    from rulekit.compile.frame import epilogue, prologue

    for full in (True,) if unit.trace else (False, True):
        head = prologue(build)
        lines, at = finish([*prune(pure, [*texts[full], checks]), *texts[full]], local, full, dead)
        tail = epilogue(build, emitters[full], frames)
        body = "\n".join([*head, *lines, *tail]) + "\n"
        for mark, table in frames.items():
            body = body.replace(mark, table)
        body = _result_calls(body, full)
        variant = "traced" if unit.trace else "full" if full else "fast"
        sources[variant] = body
        places[variant] = [""] * len(head) + at + [""] * len(tail)
    return sources, places, local | dead


def _result_calls(body: str, full: bool) -> str:
    import re

    return re.sub(r"¢(\w+)¢\(s", r"\1(s, L, T" if full else r"\1(s", body)


def _frame_tables(build: Build) -> dict[str, str]:
    """For each reentrant procedure: its slots, the depth, the save area."""
    lay, found = build.unit.lay, {}
    for proc, frame in lay.frames.items():
        if proc.reentrant and proc.asks:
            slots = [frame.returns, *(lay.vars[v] for v in [*proc.params, *proc.vars]), *frame.extra]
            frame.depth, frame.saved = lay.take(0), slots
            frame.save = lay.take(*[0] * (len(slots) * (DEPTH - 1)))
            found[f"¤{build.unit.index(proc)}¤"] = build.unit.table([tuple(slots), frame.depth, frame.save])
    return found


@paused()
def compile_game(model: m.Model) -> Compiled:
    """The compiled game, for all its scenarios and rulings."""
    made = lower(model)
    sources, places, local = emit(made)
    program = describe(made, local)
    told, told_at, _ = emit(lower(model, made))
    program.source, program.lines = {**sources, **told}, {**places, **told_at}
    made.unit.an.forget()
    scenarios = list(model.scenarios)
    default = str(model.info.get("manifest", {}).get("default_scenario") or next(iter(scenarios), ""))
    starts = {name: start(made, program, name) for name in scenarios or [""]}
    constants = {title: (value.axes, value.values) for value, title in made.unit.chosen.items()}
    return Compiled(program, starts, default, constants, digest_of(program))


def build(model: m.Model, scenario: str = "", rulings: Mapping[str, str] | None = None) -> pg.Program:
    """The program of a scenario under rulings. Without the name of a scenario: the game's default one, else the first."""
    return compile_game(model).bind(scenario, rulings or {})
