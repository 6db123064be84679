"""Takes statements and values of the intermediate form, makes text that people read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import attrs
from attrs import frozen

from rulekit.base.fields import evolve
from rulekit.compile.emit.values import ATOM, COMPARE, Values
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.layout import Layout


@frozen
class Span:
    """Slots that belong to a cell. `one`: there is one place only."""

    first: int
    count: int
    title: str
    one: bool = False


class Readable(Values):
    """Prints values with the names of variables and cells."""

    def __init__(self, names: Mapping[int, str], cells: Sequence[Span] = ()) -> None:
        super().__init__()
        self.names = names  # of variables, by their slots
        self.cells = cells

    def parsed(self, x: v.Value) -> tuple[str, int]:
        if isinstance(x, v.Frame):
            return self.names.get(x.slot, f"s[{x.slot}]"), ATOM
        if isinstance(x, v.Slot):
            return self.place(x), ATOM
        if isinstance(x, v.OrElse):
            return f"or_else({self.text(x.value)}, {self.text(x.other)})", ATOM
        return super().parsed(x)

    def place(self, x: v.Slot) -> str:
        """A slot by what it holds, if that has a name."""
        if x.at is None and x.base in self.names:
            return self.names[x.base]
        for cell in self.cells:
            if cell.first <= x.base < cell.first + cell.count:
                return cell.title if cell.one else f"{cell.title}[{self.slot(evolve(x, base=x.base - cell.first))}]"
        return f"s[{self.slot(x)}]"

    def _mask(self, x: v.Masked) -> tuple[str, int]:
        if isinstance(x, (v.Bits, v.Complement, v.Shifted)):
            return super()._mask(x)
        if isinstance(x, (v.Bit, v.BitOrNone)):
            return f"{{{self.text(x.member)}}}", ATOM
        if isinstance(x, (v.Has, v.HasOrNone)):
            return f"{self.text(x.member)} in {self.at(x.mask, COMPARE + 1)}", COMPARE
        return f"{_words(x.__class__, '_')}({', '.join(self.field(value) for value in _fields(x))})", ATOM

    def field(self, held: Any) -> str:
        """What a field holds."""
        if isinstance(held, v.Value):
            value: Any = held
            return self.text(value)
        if isinstance(held, c.Block):
            return f"L{held.number}"
        if isinstance(held, tuple):
            return f"({', '.join(self.field(x) for x in held)})"
        return str(held)

    # -------------------------------------------------------------------------------- statements
    def code(self, body: Iterable[c.Stmt], depth: int) -> list[str]:
        """The lines of some code."""
        pad = "    " * depth
        lines: list[str] = []
        for x in body:
            lines.append(pad + self.line(x))
            if isinstance(x, c.If):
                lines += self.code(x.then, depth + 1)
                lines += [f"{pad}else", *self.code(x.other, depth + 1)] if x.other else []
            elif isinstance(x, c.Loop):
                lines += self.code(x.body, depth + 1)
        return lines

    def line(self, x: c.Stmt) -> str:
        """A statement without the code inside of it."""
        match x:
            case c.Assign(place, value, op) | c.Put(place, value, op):
                return f"{self.text(place)} {op} {self.text(value)}"
            case c.PutFrame(slot, value):
                return f"{self.names.get(slot, f's[{slot}]')} = {self.text(value)}"
            case c.Call(function, args, into, local):
                return f"{self.into(into, local)}call {function}({self.many(args)})"
            case c.Effect(function, args, tables, into, frame):
                return f"{self.into(into)}call {function}({', '.join([*tables, *map(self.text, args)])})" + \
                    (f" of procedure {frame}" if frame >= 0 else "")
            case c.If(cond):
                return f"if {self.text(cond)}"
            case c.While(cond):
                return f"while {self.text(cond)}" if cond is not None else "loop"
            case c.Goto(block):
                return f"goto L{block.number}"
            case c.Decide(decision, layers):
                return f"decide D{decision}" + (f" among {self.text(layers)}" if layers is not None else "")
            case c.Return(returns):
                return f"return to s[{returns}]"
            case c.Log(items) | c.Fail(_, items):
                return f"{'log' if isinstance(x, c.Log) else x.what} {self.many(items)}".rstrip()
        held = [self.field(f) for f in _fields(x) if f is not None and not _is_code(f)]
        return f"{_words(x.__class__, ' ')} {', '.join(held)}".rstrip()

    def into(self, slot: int, local: v.Local | None = None) -> str:
        """Where the value of a call goes."""
        name = local.name if local is not None else self.names.get(slot, f"s[{slot}]") if slot >= 0 else ""
        return f"{name} = " if name else ""


def _fields(x: v.Value | c.Stmt) -> list[Any]:
    """What the fields hold, but for types and the author's place."""
    described: Any = x.__class__
    held = [getattr(x, f.name) for f in attrs.fields(described) if f.name != "span"]
    return [h for h in held if not isinstance(h, v.Type)]


def _is_code(held: Any) -> bool:
    return isinstance(held, tuple) and any(isinstance(x, c.Stmt) for x in held)


def _words(cls: type, between: str) -> str:
    """The name of a class as words: `KeepLeast`: keep least."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", between, cls.__name__).lower()


def spans(lay: Layout) -> list[Span]:
    """The slots of all cells. Of a cell that has a mask for each value: `stands.with[3]` are those with value 3."""
    found = []
    for cell, place in lay.places.items():
        title = f"{cell.owner.name}.{cell.name}" if cell.owner is not None else cell.name
        if place.index >= 0:
            found.append(Span(place.index, place.values + 1, f"{title}.with"))
        if place.base >= 0:
            found.append(Span(place.base, prod(place.row), title, not place.row))
    return found
