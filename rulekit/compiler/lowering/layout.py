"""Assign slots of the state to cells, frame variables, return blocks and save areas."""

from __future__ import annotations

from math import prod
from typing import Any

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import everything
from rulekit.compiler.model.visitor import nodes as visitor_nodes
from rulekit.runtime.slots import FIRST_SLOT

MAX_INDEX_VALUES = 4  # up to this number of values, the index of a cell replaces its slots
MAX_DIRECT_INDEX_VALUES = 2  # the same for a cell whose values are also read directly
LARGEST = 512  # maximal size of a kind for which a cell with such values has an index
SMALL = 64  # up to this number of values, an index by an attribute of the value does not pay


@define(eq=False)
class Image:
    """An index by a constant attribute of the value of a cell, for example by the hex of the spot
    of each piece.

    Attributes:
        base: the first of the masks of keys: one for each value of `fixed`, then one for all other
            keys.
        filled: the slot with the set of the values that some key has. One more bit is set if there
            are other keys.
    """

    fixed: m.Fixed
    base: int
    filled: int

    @property
    def size(self) -> int:
        return m.kind_of(self.fixed.type).size

    @property
    def row(self) -> tuple[int, ...]:
        """The number of the mask for each value of the cell, and for none."""
        return (*(x if x >= 0 else self.size for x in self.fixed.values), self.size)


@define(eq=False)
class Place:
    """The location of a cell in the state, as in `rulekit.runtime.program.CellInfo`."""

    cell: m.Cell
    form: str
    base: int = -1
    index: int = -1
    values: int = 0
    images: list[Image] = field(factory=list)

    @property
    def row(self) -> list[int]:
        """The sizes of the keys that determine the slot."""
        sizes = [k.size for k in self.cell.keys]
        return sizes[:-1] if self.form == "mask" else sizes


@define(eq=False)
class FrameLayout:
    """The slots of a procedure.

    They hold its variables, the return block, the depth (with a save area, if it is reentrant) and
    a flag that it is running (if it cannot suspend).
    """

    returns: int = -1
    running: int = -1
    depth: int = -1
    save: int = -1
    extra: list[int] = field(factory=list)  # cursors of loops, allocated by the lowering
    saved: list[int] = field(factory=list)  # the slots to save, if it is reentrant

    @property
    def runs(self) -> int:
        """The slot that is 0 while the procedure does not run, or -1 if there is none."""
        return self.returns if self.returns >= 0 else self.running


@define(eq=False)
class Layout:
    slots: int = FIRST_SLOT
    initial: list[int] = field(factory=list)
    places: dict[m.Cell, Place] = field(factory=dict)
    # procedures of the model, then those of movements and other parts
    procs: list[m.Procedure] = field(factory=list)
    promises: list[str] = field(factory=list)  # the names of values with a range, without cells
    frames: dict[m.Procedure, FrameLayout] = field(factory=dict)
    vars: dict[m.Var, int] = field(factory=dict)
    known: dict[m.Kind, int] = field(factory=dict)
    notes: list[tuple[int, str, int, m.Procedure | None]] = field(
        factory=list
    )  # see `rulekit.runtime.program.SlotInfo`
    redo: int = -1

    def note(self, slot: int, form: str, size: int = 0, proc: m.Procedure | None = None) -> int:
        """Record the content of a slot of the machine, and return the slot."""
        self.notes.append((slot, form, size, proc))
        return slot

    def take(self, *values: int) -> int:
        """Allocate slots with these initial values, and return the first."""
        first = self.slots
        self.initial += values
        self.slots += len(values)
        return first


def layout(model: m.Model) -> Layout:
    """Return the layout, which depends only on the model."""
    nodes = list(everything(model))
    (indexed, direct), imaged, flagged = _uses(model, nodes), _imaged(nodes), _flagged(nodes)
    known = set(model.procedures)
    lay = Layout(initial=[0] * FIRST_SLOT)
    lay.procs = [
        *model.procedures,
        *(n for n, _ in nodes if isinstance(n, m.Procedure) and n not in known),
    ]
    held = [
        *(t.name for t in model.totals),
        *(n.what for n, _ in nodes if isinstance(n, m.InRange)),
    ]
    lay.promises = list(dict.fromkeys(held))
    lay.initial[5] = lay.initial[6] = lay.initial[7] = -1
    lay.redo = lay.note(lay.take(0, 0), "flag")
    lay.note(lay.redo + 1, "number")  # results of procedures pass through here
    for cell in model.cells:
        place = lay.places[cell] = _place(lay, cell, cell in indexed, cell in direct)
        if place.form == "both" and place.values > SMALL:
            place.images = [
                _image(lay, place, fixed) for imaged_cell, fixed in imaged if imaged_cell is cell
            ]
        if cell.pool and (kind := m.kind_of(cell.type)) not in lay.known:
            lay.known[kind] = lay.take(0)
    for proc in lay.procs:
        lay.frames[proc] = _frame(lay, proc, proc in flagged)
    return lay


def _uses(model: m.Model, nodes: list[tuple[Any, Any]]) -> tuple[set[m.Cell], set[m.Cell]]:
    """Return the cells that are filtered by value, and the cells that are read outside of a
    comparison.
    """
    inside = {id(n) for n in visitor_nodes([event.body for event in model.events])}
    indexed: set[m.Cell] = set()
    direct: set[m.Cell] = set()
    members = {n.var for n, _ in nodes if isinstance(n, m.Over)}
    params = {p for o, _ in nodes if isinstance(o, m.GuardedOption) for p in o.params}
    for node, parent in nodes:
        if not isinstance(node, m.ReadCell):
            continue
        tested = isinstance(parent, (m.Compare, m.IsNone)) or (
            isinstance(parent, m.In) and parent.item is node
        )
        if not tested:
            direct.add(node.cell)
        elif len(node.keys) == 1 and isinstance(node.keys[0], m.Read):
            var = node.keys[0].var
            if var in members or (id(node) not in inside and (var.frame is None or var in params)):
                indexed.add(node.cell)
    return indexed, direct


def _imaged(nodes: list[tuple[Any, Any]]) -> list[tuple[m.Cell, m.Fixed]]:
    """Return the pairs of a cell with one key and a constant attribute of its values, where a
    filter or `collect` uses this attribute.
    """
    found: dict[tuple[m.Cell, m.Fixed], None] = {}
    for node, parent in nodes:
        if (
            isinstance(node, m.ReadFixed)
            and isinstance(parent, (m.Compare, m.In, m.Collect))
            and len(node.keys) == 1
        ):
            key = node.keys[0].source if isinstance(node.keys[0], m.The) else node.keys[0]
            if (
                isinstance(key, m.ReadCell)
                and isinstance(node.type, m.MemberOf)
                and not node.fixed.late
            ):
                found[key.cell, node.fixed] = None
    return list(found)


def _flagged(nodes: list[tuple[Any, Any]]) -> set[m.Procedure]:
    """Return the procedures for which the rules test whether they are running."""
    called = [n.proc for n, _ in nodes if isinstance(n, m.GuardedOption) and n.proc is not None]
    return {
        *(n.proc for n, _ in nodes if isinstance(n, (m.Running, m.Hook))),
        *(p.context for p in called if p.context is not None),
    }


def _place(lay: Layout, cell: m.Cell, indexed: bool, direct: bool) -> Place:
    count = prod(key.size for key in cell.keys)
    if isinstance(cell.type, m.Bool) and cell.keys:
        width = max(1, cell.keys[-1].size)  # a kind of a library may have no members
        full = (1 << width) - 1 if cell.initial else 0
        lay.take(0)
        return Place(cell, "mask", lay.take(*[full] * (count // width)))
    place = Place(cell, "plain")
    if (
        isinstance(cell.type, m.MemberOf)
        and len(cell.keys) == 1
        and cell.keys[0].kind
        and indexed
        and cell.type.kind.size <= LARGEST
    ):
        place.values = cell.type.kind.size
        most = MAX_DIRECT_INDEX_VALUES if direct else MAX_INDEX_VALUES
        place.form = "index" if place.values <= most else "both"
        everyone = (1 << count) - 1
        lay.take(0)
        home = cell.initial if cell.initial >= 0 else place.values
        place.index = lay.take(*[everyone if v == home else 0 for v in range(place.values + 1)])
    if place.form != "index":
        if cell.keys:
            lay.take(m.empty(cell.type))  # the entry for the key -1
        place.base = lay.take(*[cell.initial] * count)
    return place


def _image(lay: Layout, place: Place, fixed: m.Fixed) -> Image:
    """Allocate an index in which all keys have the initial value of the cell."""
    lay.take(0)  # the entry for none
    image = Image(fixed, lay.slots, -1)
    first = image.row[place.cell.initial]
    lay.take(
        *[(1 << place.cell.keys[0].size) - 1 if at == first else 0 for at in range(image.size + 1)]
    )
    image.filled = lay.take(1 << first)
    return image


def _frame(lay: Layout, proc: m.Procedure, flagged: bool) -> FrameLayout:
    frame = FrameLayout()
    if proc.asks or proc.word == "movement":
        frame.returns = lay.take(0)
    elif flagged:
        frame.running = lay.note(lay.take(0), "flag", 0, proc)
    for var in [*proc.params, *proc.vars]:
        lay.vars[var] = lay.take(0)
    return frame
