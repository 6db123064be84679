"""The layout of the memory of a module: slots, constants, tables, options, results and scratch.

A slot has the number of words that its type needs. All places of a cell are equally wide, so that
they can be indexed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, assert_never

from attrs import define, field

from rulekit.compiler.analysis.late_constants import Late
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering.layout import Layout, Place
from rulekit.compiler.lowering.unit import type_of
from rulekit.runtime.slots import MAX_ACTIVATIONS
from rulekit.runtime.wasm_format import DEPTH, RESULT, Shape, WasmCell, words_of

ROOM = 1024  # games of a batch
MARKS = 1 << 18  # bytes of the marks of a batch of games
SCRATCH = 1 << 18
SLACK = 1 << 12  # bytes behind the scratch memory for a short list
LAYERS = 1 << 16  # bytes of the options of a decision
SEEN = 1 << 15  # bytes of what a search by several keys has seen


class TooWide(Exception):
    """The game has something that the backend does not support or that does not fit.

    Python plays such a game.
    """


def words(type: v.Type) -> int:
    """Return the number of words of a value of a type in computations.

    A list of masks lies in memory, so its value is its address.
    """
    match type:
        case v.Mask(size):
            return words_of(size)
        case v.Packed(most):
            return words_of(16 * most)
        case v.RatioType():
            return 2
        case v.Flag() | v.NumberType() | v.Masks() | v.RecordType():
            return 1
    assert_never(type)


def kept(type: v.Type) -> int:
    """Return the number of words of a slot of a type."""
    return 1 + type.size * words_of(type.size) if isinstance(type, v.Masks) else words(type)


@define(eq=False)
class Memory:
    """The layout of the memory.

    Attributes:
        types: the type of each slot.
        strides: for each slot that is read with an index, the number of words of a place.
    """

    types: list[v.Type]
    strides: dict[int, int]
    address: list[int] = field(factory=list)
    widest: int = 1  # words of a set
    top: int = 0
    state: int = 0
    tables: dict[str, tuple[int, Shape]] = field(factory=dict)
    late: dict[str, tuple[int, Shape]] = field(factory=dict)
    data: list[tuple[int, bytes]] = field(factory=list)
    values: dict[str, Any] = field(factory=dict)  # of constant tables, by name
    lates: dict[str, Late] = field(factory=dict)
    layer_words: int = 1
    addresses: int = 0  # of a table with the address of each slot
    origin: int = 0
    layers: int = 0
    results: int = 0
    marks: int = 0
    counts: int = 0
    scratch: int = 0
    nothing: int = 0  # an empty list of masks

    def take(self, count: int) -> int:
        """Reserve bytes and return their address."""
        at = self.top
        self.top += (count + 15) // 16 * 16
        return at

    def shape(self, name: str, columns: int = 0, lists: bool = False) -> tuple[int, Shape]:
        """Return the address and the shape of a table.

        Args:
            columns: the number of columns, or 0 for an array of numbers.
        """
        known = self.tables.get(name) or self.late.get(name)
        if known is None:
            late = self.lates.get(name)
            ways = late.values if late is not None else (self.values[name],)
            made = _shape(ways, columns, lists)
            known = (self.take(made.length), made)
            (self.late if late is not None else self.tables)[name] = known
            if late is None:
                self.data.append((known[0], made.pack(self.values[name], known[0])))
        if known[1].form != ("lists" if lists else "rows" if columns else "array"):
            raise TooWide(f"the table {name} is read in several ways")
        return known

    def chosen(self, name: str) -> tuple[int, int]:
        """Return the address and the number of words of a late-bound number or mask."""
        if name not in self.late:
            width = max(_words(x) for x in self.lates[name].values)
            self.late[name] = (self.take(8 * width), Shape("one", (width,)))
        at, shape = self.late[name]
        return at, shape.words[0]

    def cells(self) -> list[WasmCell]:
        """Return the description of the slots for the host."""
        return [
            WasmCell(at, kept(type), *_form(type))
            for at, type in zip(self.address, self.types, strict=True)
        ]


def _form(type: v.Type) -> tuple[str, int]:
    match type:
        case v.Mask():
            return "mask", 0
        case v.Packed():
            return "packed", 0
        case v.Masks(size):
            return "masks", size
        case v.RatioType():
            return "ratio", 0
        case v.Flag() | v.NumberType() | v.RecordType():
            return "number", 0
    assert_never(type)


def _words(value: Any) -> int:
    return (
        words_of(value.bit_length())
        if isinstance(value, int) and value >= 0
        else 2
        if isinstance(value, tuple)
        else 1
    )


def _shape(ways: Sequence[Any], columns: int, lists: bool) -> Shape:
    """Return the shape that has room for all of these values."""
    most = max(len(way) for way in ways)
    if lists:
        rows = [row for way in ways for group in way for row in group]
        inner = max(sum(map(len, way)) for way in ways)
        wide = (
            tuple(max([1, *(_words(row[i]) for row in rows)]) for i in range(columns))
            if columns > 1
            else _column(rows)
        )
        return Shape("lists", wide, most, inner)
    entries = [x for way in ways for x in way]
    if columns == 1:
        return Shape("rows", _column(entries), most)
    if columns:
        return Shape(
            "rows",
            tuple(max([1, *(_words(row[i]) for row in entries)]) for i in range(columns)),
            most,
        )
    return Shape("array", (max([1, *map(_words, entries)]),), most)


def _column(values: Iterable[int]) -> tuple[int, ...]:
    return (max([1, *map(_words, values)]),)


def memory(
    lay: Layout,
    initial: Iterable[Sequence[int]],
    read: Iterable[v.FrameValue | v.SlotValue],
    saved: Mapping[str, Any],
    tables: Mapping[Any, str],
    chosen: Mapping[Late, str],
) -> Memory:
    """Return the memory of a game. Tables are added when they are used.

    Args:
        read: the nodes with which functions read the state.
        saved: the slots, the depth and the save area of procedures that can run inside themselves.
    """
    slot_types = _SlotTypes([v.NUMBER] * lay.slots)
    slot_types.add_layout(lay)
    slot_types.add_reads(read)
    slot_types.add_initial_states(initial)
    strides = slot_types.join_neighbours()
    slot_types.add_save_areas(saved)
    mem = Memory(
        slot_types.types,
        strides,
        values={name: key for key, name in tables.items()},
        lates={name: late for late, name in chosen.items()},
    )
    _place_parts(mem)
    return mem


@define(eq=False)
class _SlotTypes:
    """The widest type of each slot.

    Attributes:
        together: the slots of each cell and image, which are read with an index.
    """

    types: list[v.Type]
    together: list[range] = field(factory=list)

    def widen(self, slot: int, type: v.Type) -> None:
        """Give a slot a type, unless it has a wider one."""
        if kept(type) > kept(self.types[slot]) or self.types[slot] in (v.NUMBER, v.FLAG):
            self.types[slot] = type

    def add_layout(self, lay: Layout) -> None:
        """Add the types of cells, of the knowledge of players, and of variables."""
        for place in lay.places.values():
            self._add_cell(place)
        for kind, slot in lay.known.items():
            self.widen(slot, v.Mask(kind.size))
        for var, slot in lay.vars.items():
            self.widen(slot, type_of(var.type))

    def _add_cell(self, place: Place) -> None:
        cell = place.cell
        if place.index >= 0:
            self.together.append(range(place.index - 1, place.index + place.values + 1))
            self.widen(place.index, v.Mask(prod(k.size for k in cell.keys)))
        if place.base >= 0:
            self.together.append(
                range(
                    place.base - (1 if place.form == "mask" or cell.keys else 0),
                    place.base + prod(place.row),
                )
            )
            self.widen(
                place.base,
                v.Mask(cell.keys[-1].size) if place.form == "mask" else type_of(cell.type),
            )
        for image in place.images:
            self.together.append(range(image.base - 1, image.base + image.size + 1))
            self.widen(image.base, v.Mask(cell.keys[0].size))
            self.widen(image.filled, v.Mask(image.size + 1))

    def add_reads(self, read: Iterable[v.FrameValue | v.SlotValue]) -> None:
        """Add the types with which functions read the state."""
        for n in read:
            if isinstance(n, v.FrameValue):
                self.widen(n.slot, n.type)
            elif n.at is None:
                self.widen(n.base, n.type)

    def add_initial_states(self, initial: Iterable[Sequence[int]]) -> None:
        """Make room for the values with which the scenarios begin."""
        for slots in initial:
            for slot, value in enumerate(slots):
                if isinstance(value, int) and value.bit_length() > 64 * kept(self.types[slot]):
                    self.widen(slot, v.Mask(value.bit_length()))

    def join_neighbours(self) -> dict[int, int]:
        """Give the slots that are read together the same type, and return their strides."""
        strides: dict[int, int] = {}
        for group in self.together:
            widest = max(
                (self.types[i] for i in group), key=lambda x: (kept(x), x not in (v.NUMBER, v.FLAG))
            )
            for i in group:
                self.types[i], strides[i] = widest, kept(widest)
        return strides

    def add_save_areas(self, saved: Mapping[str, Any]) -> None:
        """Give each slot of a save area the type of the slot that it saves."""
        for frame, _, area in saved.values():
            for level in range(MAX_ACTIVATIONS - 1):
                for i, slot in enumerate(frame):
                    self.types[area + level * len(frame) + i] = self.types[slot]


def _place_parts(mem: Memory) -> None:
    """Set the addresses of the slots and of each other part."""
    mem.widest = max(words(type) for type in mem.types if not isinstance(type, v.Packed))
    for type in mem.types:
        mem.address.append(mem.top)
        mem.top += 8 * kept(type)
    mem.top = mem.state = (mem.top + 15) // 16 * 16
    mem.addresses = mem.take(4 * len(mem.types))
    mem.data.append((mem.addresses, b"".join(a.to_bytes(4, "little") for a in mem.address)))
    mem.origin = mem.take(mem.state)
    mem.nothing = mem.take(16)
    mem.layers = mem.take(LAYERS)
    mem.results = mem.take(ROOM * RESULT)
    mem.marks = mem.take(MARKS)
    mem.counts = mem.take(8 * DEPTH)
    mem.scratch = mem.take(SCRATCH + SLACK)
