"""The context of a compilation to WebAssembly, shared by the writers of all functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.span import Span
from rulekit.compiler.backends.wasm.facts import FunctionFacts
from rulekit.compiler.backends.wasm.intervals import FunctionBounds
from rulekit.compiler.backends.wasm.memory import Memory, kept, words
from rulekit.compiler.backends.wasm.widths import Widths, widths
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.artifacts import Build, VariantParts
from rulekit.runtime.wasm_format import FAILURES


@define(eq=False)
class EmitContext:
    """Holds the facts about the functions of a module, and the runtime functions that they need."""

    build: Build
    parts: VariantParts
    mem: Memory
    bounds: FunctionBounds
    writers: Mapping[str, Callable[..., str]]  # of the parts of the runtime
    local: Collection[int] = ()
    dead: Collection[int] = ()
    params: dict[FunctionName, list[int]] = field(
        factory=dict
    )  # the words of the parameters of each function
    results: dict[FunctionName, int] = field(factory=dict)  # the words that it gives
    ending: set[FunctionName] = field(factory=set)  # routines that may end the game
    needed: dict[str, str] = field(factory=dict)  # parts of the runtime
    places: list[str] = field(factory=lambda: [""])
    numbers: dict[str, int] = field(factory=dict)  # of places
    families: dict[FunctionName, int] = field(
        factory=dict
    )  # table of functions -> the first in the module's table
    functions: dict[FunctionName, FunctionFacts] = field(factory=dict)
    tables: dict[FunctionName, list[FunctionName]] = field(
        factory=dict
    )  # the functions of each table of functions
    lists: set[FunctionName] = field(factory=set)  # the functions that list options
    widths: dict[FunctionName, Widths] = field(factory=dict)
    again: set[FunctionName] = field(factory=set)  # those through which functions call themselves
    work: dict[FunctionName, int] = field(
        factory=dict
    )  # what a call of a function does that it does not count itself

    # -------------------------------------------------------------------------------- the runtime
    def title(self, name: str, *args: object) -> str:
        """Return the name of a runtime function."""
        return "$" + "_".join([name, *(str(a).replace("-", "m") for a in args)])

    def need(self, name: str, *args: Any) -> str:
        """Return the name of a runtime function, and emit it if that was not done before."""
        title = self.title(name, *args)
        if title not in self.needed:
            self.needed[title] = ""
            self.needed[title] = self.writers[name](self, *args)
        return title

    def failure(self, what: str) -> int:
        """Return the number of a kind of error."""
        return FAILURES.index(what)

    def place(self, span: Span) -> int:
        """Return the number of a place in the author's files, or 0 if it is unknown."""
        text = str(span) if span.line else ""
        if text and text not in self.numbers:
            self.numbers[text] = len(self.places)
            self.places.append(text)
        return self.numbers.get(text, 0)

    # -------------------------------------------------------------------------------- what is asked
    @property
    def no_masks(self) -> int:
        """The address of an empty list of masks."""
        return self.mem.nothing

    def type_of(self, value: v.SlotValue) -> v.Type:
        return v.NUMBER if value.base == 0 and value.at is not None else self.mem.types[value.base]

    def slot_words(self, value: v.SlotValue) -> int:
        return kept(self.type_of(value))

    def columns(self, table: str) -> int:
        """Return the number of columns of a table of rows, or 0 if it never has rows."""
        late = self.mem.lates.get(table)
        ways = late.values if late is not None else (self.mem.values[table],)
        return next((len(row) for rows in ways for row in rows), 0)

    def family(self, table: FunctionName) -> tuple[list[int], int, int]:
        """Return the widths of the parameters of a table of functions, that of its result, and its
        start.
        """
        first = self.tables[table][0]
        return self.params[first], self.results[first], self.families[table]

    def prepare(self) -> None:
        """Compute the parameters and results of all functions, the widest layer, and the routines
        that may end the game.
        """
        calls: dict[FunctionName, set[FunctionName]] = {}
        for name, facts in self.functions.items():
            self.params[name] = [words(p.type) for p in facts.made.params]
            calls[name] = {n.function for n in facts.of(c.CallStatement)}
            if facts.of(c.OverStatement):
                self.ending.add(name)
            if facts.lists():
                self.lists.add(name)
        while more := {
            name
            for name, called in calls.items()
            if name not in self.ending and called & self.ending
        }:
            self.ending |= more
        for name, facts in self.functions.items():
            routine = name.kind in (FunctionKind.RESUMPTION, FunctionKind.BLOCK)
            self.results[name] = (
                0 if name in self.lists else 1 if routine else self._widths(facts).result(facts)
            )
        for alike in self.tables.values():
            widest = max(self.results[name] for name in alike)
            self.results.update(dict.fromkeys(alike, widest))
        for name, facts in self.functions.items():
            self.widths[name] = own = self._widths(facts)
            wide = [own.of(n.mask) for n in facts.of(v.Layer)] + [
                own.of(n.args[2]) for n in facts.of(v.RunValue) if n.function == "in_classes"
            ]
            self.mem.layer_words = max([self.mem.layer_words, *wide])

    def _widths(self, facts: FunctionFacts) -> Widths:
        return widths(facts, self.mem.types, self.results, self.local, self.mem.widest)
