"""Takes what was built and where it lies in memory, makes `Maker`: what the writers of a module's functions ask and share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from attrs import define, field

from rulekit.base.span import Span
from rulekit.compile.built import Build, Parts
from rulekit.compile.emit.wasm.memory import Memory, kept
from rulekit.compile.ir import code as c
from rulekit.compile.ir import types as t
from rulekit.compile.ir import values as v
from rulekit.compile.ir.visitor import nodes
from rulekit.program.native import FAILURES

Made = c.Function | c.Routine


@define(eq=False)
class Maker:
    """Writes the functions of a module, and the parts of the runtime that they need."""

    build: Build
    parts: Parts
    mem: Memory
    writers: Mapping[str, Callable[..., str]]  # of the parts of the runtime
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
            self.needed[title] = self.writers[name](self, *args)
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


def is_layers(x: v.Value | None) -> bool:
    """Is it a list of options?"""
    if isinstance(x, v.If):
        return is_layers(x.then) and is_layers(x.other)
    return isinstance(x, (v.Layer, v.Layers)) or (isinstance(x, v.Run) and x.function == "in_classes")
