"""Takes a procedure, makes the code for its end: cells that live as long as its activation take their defaults."""

from __future__ import annotations

from math import prod

from rulekit import model as m
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.ir.types import Mask
from rulekit.compile.lower.unit import const, disj, type_of
from rulekit.compile.lower.writes import Writes
from rulekit.model.visitor import nodes
from rulekit.program.slots import SCOPE_ENDED


def resets(low: Writes, proc: m.Procedure) -> None:
    """The cells that live as long as an activation take their defaults. (As long as a roll: see `event_over`.)"""
    if proc.word != "event":
        _ended(low, proc)
    elif not any(event.built_in and event.wrapper is proc for event in low.unit.model.events):
        event_over(low, proc)


def event_over(low: Writes, wrapper: m.Procedure) -> None:
    """The end of an event, or of a roll with all its repetitions, unless it was made inside a window of another one."""
    with low.apart() as made:
        _ended(low, wrapper)
    flags = [low.unit.open_flag(node.moment) for node in reversed(list(nodes(wrapper.body))) if isinstance(node, m.Window)]
    if made:
        low.add(c.If(v.Not(disj([v.Slot(flag) for flag in sorted(flags, key=str)])), tuple(made)))


def _ended(low: Writes, proc: m.Procedure) -> None:
    ended = False
    for cell in low.unit.model.cells:
        for scope, mask in cell.resets:
            if scope is proc:
                ended = True
                _reset(low, cell, mask)
    if ended:
        low.add(c.Log((const(SCOPE_ENDED), const(low.unit.index(proc)))))


def _reset(low: Writes, cell: m.Cell, mask: int | None) -> None:
    place = low.unit.lay.places[cell]
    count = prod(key.size for key in cell.keys)
    rest = count // cell.keys[0].size if cell.keys else 1
    if place.images:
        i, bit, left = v.Local("i"), v.Local("x", Mask(count)), low.kept(const((1 << count) - 1 if mask is None else mask))
        with low.apart() as body:
            low.put_both(cell, i, const(cell.initial))
        low.add(c.ForBits(left, i, bit, tuple(body)))
    elif place.form in ("index", "both"):
        group = (1 << count) - 1 if mask is None else mask
        where = (const(place.base), const(place.index), const(place.values))
        low.add(c.Effect("put_group", (*where, const(group), const(cell.initial))))
    elif place.form == "mask":
        width = cell.keys[-1].size
        bits = (1 << width) - 1
        for row in range(count // width):
            hit = bits if mask is None else sum(1 << i for i in range(width) if mask >> (row * width + i) // rest & 1)
            one = v.Slot(place.base + row, type=Mask(width))
            if hit == bits:
                low.put(one, "=", const(bits if cell.initial else 0))
            elif hit:
                low.put(one, "|=" if cell.initial else "&=", const(hit) if cell.initial else v.Complement(const(hit)))
    else:
        slots = [place.base + i for i in range(count) if mask is None or mask >> i // rest & 1]
        if len(slots) <= 3:
            for slot in slots:
                low.put(v.Slot(slot, type=type_of(cell.type)), "=", const(cell.initial))
        elif mask is None:
            low.add(c.Effect("fill", (const(place.base), const(count), const(cell.initial))))
        else:
            low.add(c.Effect("fill_at", (const(cell.initial),), (low.unit.table(slots),)))
