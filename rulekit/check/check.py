"""Takes a game folder as read, makes the checked model: every name resolved, every expression typed; all findings go to
the sink."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from rulekit import model as m
from rulekit.base.diagnostic import Diagnostic, Sink
from rulekit.base.span import NOWHERE, Span
from rulekit.check import (
    blocks,
    bodies,
    data,
    dice,
    exprs,
    flow,
    holes,
    leaks,
    limits,
    paragraphs,
    signatures,
    stmts,
    things,
    totals,
    typed,
    windows,
    work,
)
from rulekit.check.blocks import block
from rulekit.check.bodies import frame_scope
from rulekit.check.collect import Collected, collect, unused_units
from rulekit.check.drawing import bind_drawing, numbers
from rulekit.check.hexes import beside, hexes
from rulekit.check.scope import Scope, World
from rulekit.check.texts import known, needed
from rulekit.check.totals import Contribution
from rulekit.source.gamesource import GameSource
from rulekit.syntax import tree as t
from rulekit.syntax.parse import parse_scanned

QUOTED = re.compile(r"'([\w.]+)(?:\(\.\.\.\))?'")

typed.HANDLERS.update(exprs.MAKERS)
blocks.HANDLERS.update(stmts.MAKERS)


def check(source: GameSource, sink: Sink) -> m.Model | None:
    """The model of a game, or None if there are errors. Never raises for what an author may write."""
    absent: set[str] = set()
    model = guarded(lambda inner: checked(parsed(source, inner, absent), source, inner), sink)
    if absent:
        sink.found[:] = [d for d in sink.found if not follows(d, absent)]
    return model


def follows(diagnostic: Diagnostic, absent: set[str]) -> bool:
    """Does this finding only follow from a declaration that could not be read: is the name that it is about one of that?"""
    name = QUOTED.search(diagnostic.message)
    return diagnostic.code[2] not in "12" and name is not None and name[1] in absent


def check_files(files: list[tuple[t.File, int]], source: GameSource, sink: Sink) -> m.Model | None:
    """As `check`, from syntax trees."""
    return guarded(lambda inner: checked(files, source, inner), sink)


def guarded(make: Callable[[Sink], m.Model | None], sink: Sink) -> m.Model | None:
    """What may find very much, or nest very deep."""
    try:
        with limits.deep_stack():
            return make(limits.Bounded(sink.found))
    except limits.Enough:
        return None
    except RecursionError:
        sink.error("RK511", NOWHERE, "the rules nest too deep",
                   "divide long expressions, and let definitions use each other less")
        return None


def parsed(source: GameSource, sink: Sink, absent: set[str] | None = None) -> list[tuple[t.File, int]]:
    """The syntax trees of all rules, if these are not too long together. `absent`: takes the names in what could not be read."""
    length = 0
    for text in source.rules:
        length += len(text.text)
        if length > limits.RULES:
            sink.error("RK213", Span(text.path, 1, 1, 1, 2),
                       f"the rules of the game have more than {limits.RULES:,} characters",
                       "a table in tables/*.csv or data in things.yaml may say the same in less")
            raise limits.Enough
    files = []
    for text in source.rules:
        file, scan = parse_scanned(text.text, text.path, sink)
        files.append((file, text.layer))
        if absent is not None:
            absent.update(token.value for piece in scan.pieces if piece.fault is not None for token in piece.tokens)
    return files


def checked(files: list[tuple[t.File, int]], source: GameSource, sink: Sink) -> m.Model | None:
    """The model of parsed rules, one step after the other."""
    world = World(source, sink, m.Model(source.name, 1))
    files = paragraphs.renumbered(files, source, sink)
    found = collect(files, world)
    world.model.cited = paragraphs.cited(files)
    if source.manifest.get("rulekit") == "library":
        return None
    dice.predeclare(found, world)
    things.kinds(found, world)
    if any(d.code == "RK310" for d in sink.errors):
        return None  # what a library needs is missing: its rules cannot be read without
    signatures.frames(found, world)
    places = signatures.moments(found, world)
    things.attributes(found, world)
    signatures.signatures(found, world)
    signatures.define_bodies(found, world)
    things.member_values(found, world)
    things.fixed_data(found, world)
    things.computed_values(found, world)
    things.initial_values(found, world)
    signatures.lifetimes(found, world)
    signatures.visibility(found, world)
    for unsettled in list(world.pending):
        world.settle(unsettled)
    declared = windows.options(places, world)
    windows.guards(declared, world)
    contributions = clauses(found, world)
    contributions += bodies.cards(found, world)
    totals.build(world, contributions, found.dropped)
    windows.assemble(found, places, world)
    bodies.procedures(world)
    windows.option_bodies(declared, world)
    windows.whenevers(found, world)
    start(found, world)
    windows.invariants(found, world)
    totals.complete(world)
    world.model.texts = data.bind_texts(source)
    world.model.told = bind_drawing(world.model, placed(source), source.drawing, sink)
    flow.analyse(world)
    if not sink.errors:
        work.bounded(world)
        if not sink.errors:  # what is too long by itself is told once
            work.stretched(world)
        leaks.analyse(world)
        holes.picks(world)
        unused_units(files, world)
    finish(found, world)
    return None if sink.errors else world.model


def clauses(found: Collected, world: World) -> list[Contribution]:
    """Clauses in the blocks of totals and permits, then those that stand by themselves."""
    made: list[Contribution] = []
    for symbol in world.symbols.values():
        decl = symbol.decl
        if isinstance(decl, (t.TotalDecl, t.PermitDecl)):
            for clause in decl.clauses:
                path = clause.path if len(clause.path) == 2 else (decl.name, *clause.path)
                whole = t.Clause(clause.word, path, clause.amount, clause.when, clause.reason, clause.ref or decl.ref,
                                 span=clause.span)
                made.append(Contribution(whole, symbol.layer))
    made += [Contribution(clause, layer) for clause, layer in found.clauses]
    return made


def start(found: Collected, world: World) -> None:
    """The first phase, and what is set up before it."""
    model = world.model
    symbol = world.symbols.get("main")
    if symbol is None or not isinstance(symbol.obj, m.Procedure):
        if any(d.code.startswith("RK2") for d in world.sink.errors):
            return  # it may stand in what could not be read
        files = list(world.source.files)  # those of libraries first
        file = next((name for name in reversed(files) if name.endswith("game.yaml")), files[0] if files else "")
        world.error("RK510", Span(file, 1, 1, 1, 1), "the game has no 'phase main'", "the first phase is called main")
        return
    model.main = symbol.obj
    if found.setups:
        setup = m.Procedure("setup", "setup", span=found.setups[0].span)
        scope = frame_scope(setup, world)
        for decl in found.setups:
            setup.body += block(decl.body, scope)
        model.setup = setup
        model.procedures.append(setup)
    if not model.levels and not any(d.code.startswith("RK2") for d in world.sink.errors):
        world.error("RK514", symbol.decl, "nothing ends the game",
                    "write 'finish WHO, LEVEL' where somebody has won, 'finish none, LEVEL' for a draw")
    if model.sides is None:
        world.error("RK509", symbol.decl, "nobody decides in this game",
                    "one kind must say 'decides', e.g. kind Side decides = white | black")


def placed(source: GameSource) -> dict[str, str]:
    """The kinds of pieces, with the state that says where one stands."""
    return {data.kind: data.place_cell for data in source.kinds if data.place_cell is not None}


def finish(found: Collected, world: World) -> None:
    """What the data says beyond the rules: scenarios, texts, facts for frontends."""
    model, source, sink = world.model, world.source, world.sink
    model.scenarios = dict(data.bind_scenarios(model, source, sink))
    dice.texts(model)
    for symbol in world.symbols.values():
        if symbol.what == "menu" and symbol.name not in world.menus_used:
            sink.warn("RK512", symbol.span, f"no 'choose' offers the menu '{symbol.name}'",
                      f"write 'choose by ... from {symbol.name}'")
    model.info = {"manifest": source.manifest, "geometry": source.geometry, "editions": source.editions,
                  "place_cells": placed(source), "numbers": numbers(model),
                  "drawing": source.drawing.plain() if source.drawing is not None else {},
                  "fixed": sorted({f.name for f in model.fixed if f.owner is None and not f.synthetic}),
                  "arcs": {kind.name: kind.arcs for kind in model.kinds.values() if kind.joins is not None},
                  "beside": {fixed.name: (kind.name, fixed.values) for fixed, kind in beside(model.fixed)}}
    if boards := hexes(model.fixed):
        model.info["hexes"] = boards
    if not sink.errors:
        model.wanted_texts = needed(model, [block.name for block in found.blocks])
        last = limits.Bounded(sink.found, only_warnings=True)
        with suppress(limits.Enough):
            data.check_texts(model, source, model.wanted_texts, last, known(model) | {f"paragraph.{ref}" for ref in model.cited})


__all__ = ["Scope", "check", "check_files"]
