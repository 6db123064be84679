"""Takes what was built and what Python is printed from, makes `Native`: the text of the WebAssembly module and what a host must know."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulekit.base.span import Span
from rulekit.compile.emit.wasm import effects, runtime
from rulekit.compile.emit.wasm.code import Code, is_layers
from rulekit.compile.emit.wasm.memory import ROOM, Memory, TooWide, kept, memory, words
from rulekit.compile.emit.wasm.play import play
from rulekit.compile.emit.wasm.values import Values
from rulekit.compile.ir import code as c
from rulekit.compile.ir import types as t
from rulekit.compile.ir import values as v
from rulekit.compile.ir.visitor import nodes
from rulekit.program.native import FAILURES, DoesNotFit, Native

if TYPE_CHECKING:
    from rulekit.compile.build import Build

PARTS = {**runtime.PARTS, **effects.PARTS}
MEMORY = 1024  # pages at most: 64 MiB
Made = c.Function | c.Routine


@define(eq=False)
class Parts:
    """What the variants are printed from. `local`, `dead`: frame variables that are locals, that nobody reads. `saved`: the table of each
    procedure whose frame is saved. `blocks`: those that are routines."""

    routines: list[c.Routine]
    functions: list[c.Function]
    local: Collection[int]
    dead: Collection[int]
    saved: Mapping[int, str]
    blocks: list[int]


@define(eq=False)
class Maker:
    """Writes the functions of a module, and the parts of the runtime that they need."""

    build: Build
    parts: Parts
    mem: Memory
    local: Collection[int] = ()
    dead: Collection[int] = ()
    params: dict[str, list[int]] = field(factory=dict)  # the words of the parameters of each function
    results: dict[str, int] = field(factory=dict)  # the words that it gives
    ending: set[str] = field(factory=set)  # routines that may end the game
    needed: dict[str, str] = field(factory=dict)  # parts of the runtime
    places: list[str] = field(factory=lambda: [""])
    numbers: dict[str, int] = field(factory=dict)  # of places
    families: dict[str, int] = field(factory=dict)  # table of functions -> the first in the module's table
    functions: dict[str, Made] = field(factory=dict)

    # -------------------------------------------------------------------------------- the runtime
    def title(self, name: str, *args: object) -> str:
        """The name of a part of the runtime."""
        return "$" + "_".join([name, *(str(a).replace("-", "m") for a in args)])

    def need(self, name: str, *args: Any) -> str:
        """The name of a part of the runtime, which is written if it is not there yet."""
        title = self.title(name, *args)
        if title not in self.needed:
            self.needed[title] = ""
            self.needed[title] = PARTS[name](self, *args)
        return title

    def frames(self, proc: int, save: bool) -> str:
        """The function that saves the frame of a procedure, or brings it back."""
        title = f"${'save' if save else 'load'}_{proc}"
        if title not in self.needed:
            self.needed[title] = effects.frames(self, title, self.mem.values[self.parts.saved[proc]], save) + ")"
        return title

    def failure(self, what: str) -> int:
        """The number of a kind of error."""
        return FAILURES.index(what)

    def place(self, span: Span) -> int:
        """The number of the author's place; 0: none."""
        text = str(span) if span.line else ""
        if text and text not in self.numbers:
            self.numbers[text] = len(self.places)
            self.places.append(text)
        return self.numbers.get(text, 0)

    # -------------------------------------------------------------------------------- what is asked of slots, tables and functions
    @property
    def no_masks(self) -> int:
        """The address of an empty list of masks."""
        return self.mem.nothing

    def type_of(self, x: v.Slot) -> t.Type:
        return t.NUMBER if x.base == 0 and x.at is not None else self.mem.types[x.base]

    def slot_words(self, x: v.Slot) -> int:
        return kept(self.type_of(x))

    def columns(self, table: str) -> int:
        """The columns of a table of rows."""
        late = self.mem.lates.get(table)
        rows = late.values[0] if late is not None else self.mem.values[table]
        return len(rows[0])

    def family(self, table: str) -> tuple[list[int], int, int]:
        """The words of the parameters and of the result of a table of functions, and where it begins."""
        return self.params[f"{table}_0"], self.results[f"{table}_0"], self.families[table]

    def lists(self, name: str) -> bool:
        """Does a function list options?"""
        made = self.functions[name]
        return (name[0] == "O" and name[1:].isdigit()) or any(
            isinstance(n, c.Append) or (isinstance(n, c.Give) and is_layers(n.value)) for n in nodes(*made.body))

    def widths(self, made: Made) -> dict[str, int]:
        """The words of each local: as its type says, or what it is assigned."""
        wide: dict[str, int] = {p.name: words(p.type) for p in made.params}
        assigned: list[tuple[str, v.Value]] = []
        for n in nodes(*made.body):
            if isinstance(n, v.Local):
                wide[n.name] = max(wide.get(n.name, 1), words(n.type))
            elif isinstance(n, v.Frame) and n.slot in self.local:
                wide[f"v{n.slot}"] = max(wide.get(f"v{n.slot}", 1), words(n.type), words(self.mem.types[n.slot]))
            elif isinstance(n, c.PutFrame) and n.slot in self.local:
                wide[f"v{n.slot}"] = max(wide.get(f"v{n.slot}", 1), words(self.mem.types[n.slot]))
                assigned.append((f"v{n.slot}", n.value))
            elif isinstance(n, (c.Call, c.Effect)) and n.into in self.local:
                wide[f"v{n.into}"] = max(wide.get(f"v{n.into}", 1), words(self.mem.types[n.into]))
            elif (isinstance(n, c.Assign) and not is_layers(n.value) and not isinstance(n.value, v.Nothing)) or isinstance(n, v.Bind):
                assigned.append((n.local.name, n.value))
            elif isinstance(n, c.ForBits) and n.bit is not None:
                assigned.append((n.bit.name, n.mask))
        probe = Values(self)
        probe.wide = wide
        params = {p.name for p in made.params}
        for name, value in assigned * 2:
            if name not in params:
                wide[name] = max(wide.get(name, 1), probe.width(value))
        return wide

    def prepare(self) -> None:
        """The parameters and results of all functions, the widest layer, the routines that may end the game."""
        calls: dict[str, set[str]] = {}
        for name, made in self.functions.items():
            self.params[name] = [words(p.type) for p in made.params]
            calls[name] = {n.function for n in nodes(*made.body) if isinstance(n, c.Call)}
            if any(isinstance(n, c.Over) for n in nodes(*made.body)):
                self.ending.add(name)
        while more := {name for name, called in calls.items() if name not in self.ending and called & self.ending}:
            self.ending |= more
        for name, made in self.functions.items():
            self.results[name] = 0 if self.lists(name) else 1 if name[0] in "RB" else self._given(made)
        for name in self.functions:
            group = name.rsplit("_", 1)[0]
            if group != name:
                alike = [x for x in self.functions if x.rsplit("_", 1)[0] == group]
                self.results[name] = max(self.results[x] for x in alike)
        for made in self.functions.values():
            probe = Values(self)
            probe.wide = self.widths(made)
            for n in nodes(*made.body):
                if isinstance(n, v.Layer):
                    self.mem.layer_words = max(self.mem.layer_words, probe.width(n.mask))
                elif isinstance(n, v.Run) and n.function == "in_classes":
                    self.mem.layer_words = max(self.mem.layer_words, probe.width(n.args[2]))

    def _given(self, made: Made) -> int:
        probe = Values(self)
        probe.wide = self.widths(made)
        found = [0]
        for n in nodes(*made.body):
            if isinstance(n, c.Give) and n.value is not None:
                found.append(probe.width(n.value))
            elif isinstance(n, c.GiveExtreme):
                found.append(1)
            elif isinstance(n, c.FirstHit):
                found.append(probe.wide.get("x", 1))
            elif isinstance(n, c.GiveList):
                size = next(x.size for x in nodes(*made.body) if isinstance(x, c.NewList) and x.out == n.out)
                found.append(words(t.Packed(size)) if n.form == "list" else 1)
        return max(found)


def _reached(functions: Mapping[str, Made], roots: Iterable[str]) -> dict[str, Made]:
    """Those that are called, in the order in which they stand."""
    todo, found = list(roots), set(roots)
    while todo:
        for n in nodes(*functions[todo.pop()].body):
            called: list[str] = []
            if isinstance(n, (v.Call, c.Call)):
                called = [n.function]
            elif isinstance(n, v.CallOf):
                called = [name for name in functions if name.rsplit("_", 1)[0] == n.table]
            for name in called:
                if name not in found:
                    found.add(name)
                    todo.append(name)
    return {name: made for name, made in functions.items() if name in found}


def native(build: Build, parts: Parts, images: Iterable[Sequence[int]]) -> Native | None:
    """The module of a game; None if there is something in it that this target does not know."""
    try:
        return _native(build, parts, images)
    except (TooWide, DoesNotFit):
        return None


def _native(build: Build, parts: Parts, images: Iterable[Sequence[int]]) -> Native:
    unit, decisions = build.unit, build.flow.decisions
    made: list[Made] = [*parts.functions, *parts.routines]
    every = {f.name: f for f in made}
    roots = [*(f"B{n}" for n in parts.blocks), *(f"{letter}{d.number}" for d in decisions for letter in "RO")]
    reached = _reached(every, roots)
    bodies = [f.body for f in reached.values()]
    names = {name: values for values, name in unit.tables.items()}
    saved = {name: names[name] for name in parts.saved.values()}
    mem = memory(unit.lay, images, bodies, saved, unit.tables, unit.chosen)
    maker = Maker(build, parts, mem, parts.local, parts.dead, functions=reached)
    top, last = max(parts.blocks, default=0) + 1, max((d.number for d in decisions), default=0) + 1
    table = {**{n: f"B{n}" for n in parts.blocks}, **{top + d.number: f"R{d.number}" for d in decisions},
             **{top + last + d.number: f"O{d.number}" for d in decisions}}
    at = top + 2 * last
    for name in reached:
        group, _, number = name.rpartition("_")
        if group and number == "0":
            maker.families[group] = at
            alike = [x for x in reached if x.rpartition("_")[0] == group]
            table.update({at + int(x.rpartition("_")[2]): x for x in alike})
            at += len(alike)
    maker.prepare()
    texts = [Code(maker, f).text() for f in reached.values()]
    texts += [runtime.fixed(maker), play(maker, build.specials["begin"].number, top, top + last)]
    elements = "\n".join(f"(elem (table $functions) (i32.const {i}) func ${name})" for i, name in sorted(table.items()))
    data = "\n".join(f'(data (i32.const {a}) "{"".join(f"{chr(92)}{x:02x}" for x in b)}")' for a, b in mem.data if b)
    pages = (mem.top + 65535) // 65536
    text = "\n".join(["(module", _head(mem, pages, at), elements, *texts, *maker.needed.values(), data, ")"])
    return Native(zlib.compress(text.encode(), 6), mem.cells(), mem.state, mem.late, mem.origin, mem.layers, mem.layer_words, mem.results,
                  ROOM, mem.counts, pages, maker.places)


def _head(mem: Memory, pages: int, functions: int) -> str:
    exported = " ".join(f'(global ${name} (export "{name}") (mut i64) (i64.const 0))'
                        for name in ("failure", "fail_a", "fail_b", "fail_c", "fail_d", "fail_place", "max_steps", "max_choices"))
    return f"""(type $block (func (result i64))) (type $resume (func (param i64) (result i64))) (type $options (func))
(memory (export "memory") {pages} {max(MEMORY, pages)})
(table $functions {functions} {functions} funcref)
{exported}
(global $layer_end (export "layer_end") (mut i32) (i32.const {mem.layers}))
(global $begun (export "begun") (mut i32) (i32.const 0))
(global $ticks (mut i64) (i64.const 0)) (global $over (mut i32) (i32.const 0)) (global $bump (mut i32) (i32.const {mem.scratch}))
(global $stack i32 (i32.const {mem.top}))"""
