"""Emit the WebAssembly module of a game, with everything that a host must know."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.backends.function_names import text_of
from rulekit.compiler.backends.wasm import effects, intrinsics
from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.exports import play
from rulekit.compiler.backends.wasm.facts import FunctionFacts, Made, tables
from rulekit.compiler.backends.wasm.fuel import callees, in_order
from rulekit.compiler.backends.wasm.intervals import FunctionBounds, of_slots
from rulekit.compiler.backends.wasm.memory import ROOM, Memory, TooWide, memory
from rulekit.compiler.backends.wasm.search import search
from rulekit.compiler.backends.wasm.statements import FunctionWriter
from rulekit.compiler.backends.wasm.templates import render
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.artifacts import Build, VariantParts
from rulekit.runtime.slots import SEED
from rulekit.runtime.wasm_format import DoesNotFit, Native, NoNative

WRITERS = {**intrinsics.PARTS, **effects.PARTS}
MEMORY = 1024  # pages at most: 64 MiB
_OF_DECISIONS = (FunctionKind.RESUMPTION, FunctionKind.OPTIONS)
_CALLABLE = (FunctionKind.DEFINITION, FunctionKind.PROCEDURE)


def _reached(
    made: Sequence[Made], roots: Iterable[FunctionName]
) -> tuple[dict[FunctionName, FunctionFacts], set[FunctionName]]:
    """Return the called functions, callees first, and those that close a cycle of calls."""
    functions = {f.name: f for f in made}
    members = tables(made)
    found: dict[FunctionName, FunctionFacts] = {}
    called: dict[FunctionName, list[FunctionName]] = {}
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = facts = FunctionFacts(functions[name])
            called[name] = callees(facts, members)
            todo += called[name]
    order, again = in_order(called)
    return {name: found[name] for name in order}, again


def native(
    build: Build, parts: VariantParts, images: Iterable[Sequence[int]], open: bool = False
) -> Native | NoNative:
    """Return the module of a game, or the reason why the backend does not support it.

    Args:
        open: also export definitions and procedures.
    """
    try:
        return _native(build, parts, images, open)
    except (TooWide, DoesNotFit) as error:
        return NoNative(str(error))


def _native(
    build: Build, parts: VariantParts, images: Iterable[Sequence[int]], open: bool
) -> Native:
    unit, decisions, model = build.unit, build.flow.decisions, build.model
    sides = model.sides.size if model.sides is not None else 0
    made: list[Made] = [*parts.functions, *parts.routines]
    roots = [
        *(FunctionName(FunctionKind.BLOCK, n) for n in parts.blocks),
        *(FunctionName(kind, d.number) for d in decisions for kind in _OF_DECISIONS),
        *(FunctionName(FunctionKind.TOTAL, i) for i in _scores(model)),
    ]
    callable_names = {name for name in unit.requested if name.kind in _CALLABLE}
    called = [f.name for f in made if open and f.name in callable_names]
    roots += called
    reached, again = _reached(made, roots)
    read = [
        n
        for facts in reached.values()
        for n in facts.every
        if isinstance(n, (v.FrameValue, v.SlotValue))
    ]
    names = {name: values for values, name in unit.tables.items()}
    saved = {name: names[name] for name in parts.saved.values()}
    mem = memory(unit.lay, images, read, saved, unit.tables, unit.chosen)
    bounds = FunctionBounds(reached, mem, of_slots(unit.lay))
    context = EmitContext(
        build, parts, mem, bounds, WRITERS, parts.local, parts.dead, functions=reached, again=again
    )
    top, last = max(parts.blocks, default=0) + 1, max((d.number for d in decisions), default=0) + 1
    table = {
        **{n: FunctionName(FunctionKind.BLOCK, n) for n in parts.blocks},
        **{top + d.number: FunctionName(FunctionKind.RESUMPTION, d.number) for d in decisions},
        **{top + last + d.number: FunctionName(FunctionKind.OPTIONS, d.number) for d in decisions},
    }
    at = top + 2 * last
    context.tables = tables(f for f in made if f.name in reached)
    for name, facts in reached.items():
        family = facts.made.table
        alike = context.tables.get(family, []) if family is not None else []
        if family is not None and alike[:1] == [name]:
            context.families[family] = at
            table.update(enumerate(alike, at))
            at += len(alike)
    scores = {i: at + n for n, i in enumerate(_scores(model))}
    table.update({at: FunctionName(FunctionKind.TOTAL, i) for i, at in scores.items()})
    at += len(scores)
    context.prepare()
    texts = [FunctionWriter(context, f).text() for f in reached.values()]
    texts += [
        intrinsics.fixed(context),
        play(context, build.specials["begin"].number, top, top + last, sides),
    ]
    texts.append(
        search(
            mem,
            {d.number: d.asked.base for d in decisions},
            build.flow.families,
            build.flow.next_id - 1,
            sides,
        )
    )
    elements = "\n".join(
        f"(elem (table $functions) (i32.const {i}) func ${text_of(name)})"
        for i, name in sorted(table.items())
    )
    data = "\n".join(
        f'(data (i32.const {a}) "{"".join(f"{chr(92)}{x:02x}" for x in b)}")'
        for a, b in mem.data
        if b
    )
    texts += [f'(export "{name}" (func ${name}))' for name in map(text_of, called)]
    pages = (mem.top + 65535) // 65536
    text = "\n".join(
        ["(module", _head(mem, pages, at), elements, *texts, *context.needed.values(), data, ")"]
    )
    return Native(
        zlib.compress(text.encode(), 6),
        mem.cells(),
        mem.state,
        mem.late,
        mem.origin,
        mem.layers,
        mem.layer_words,
        mem.results,
        mem.marks,
        ROOM,
        mem.counts,
        pages,
        context.places,
        scores,
        sides,
    )


def _scores(model: m.Model) -> list[int]:
    """Return the totals that may be the score of a side, which is their only parameter."""
    return [
        i
        for i, total in enumerate(model.totals)
        if total.context is None
        and len(total.params) == 1
        and isinstance(type := total.params[0].type, m.MemberOf)
        and type.kind is model.sides
    ]


_EXPORTED = (
    "failure",
    "fail_a",
    "fail_b",
    "fail_c",
    "fail_d",
    "fail_place",
    "max_steps",
    "max_choices",
    "max_fuel",
)


def _head(mem: Memory, pages: int, functions: int) -> str:
    exported = " ".join(
        f'(global ${name} (export "{name}") (mut i64) (i64.const 0))' for name in _EXPORTED
    )
    return render(
        "module.head",
        pages=pages,
        max_pages=max(MEMORY, pages),
        functions=functions,
        exported=exported,
        layers=mem.layers,
        seed=mem.address[SEED],
        marks=mem.marks,
        scratch=mem.scratch,
        stack=mem.top,
    )
