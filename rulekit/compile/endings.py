"""Takes a procedure, makes the instructions for its end: cells that live as long as its activation take their defaults."""

from __future__ import annotations

from rulekit import model as m
from rulekit.compile import ir
from rulekit.compile.stmts import Body
from rulekit.compile.unit import const
from rulekit.model.visitor import nodes
from rulekit.program import program as pg


def resets(low: Body, proc: m.Procedure) -> None:
    """The cells that live as long as an activation take their defaults. (As long as a roll: see `event_over`.)"""
    if proc.word != "event":
        _ended(low, proc)
    elif not any(event.built_in and event.wrapper is proc for event in low.unit.model.events):
        event_over(low, proc)


def event_over(low: Body, wrapper: m.Procedure) -> None:
    """The end of an event, or of a roll with all its repetitions, unless it was made inside a window of another one."""
    outer, low.out = low.out, []
    _ended(low, wrapper)
    made, low.out = low.out, outer
    flags = [low.unit.open_flag(node.moment) for node in reversed(list(nodes(wrapper.body))) if isinstance(node, m.Window)]
    if made:
        low.add(ir.If(f"not ({' or '.join(f's[{flag}]' for flag in sorted(flags))})", made, []))


def _ended(low: Body, proc: m.Procedure) -> None:
    ended = False
    for cell in low.unit.model.cells:
        for scope, mask in cell.resets:
            if scope is proc:
                ended = True
                _reset(low, cell, mask)
    if ended:
        low.add(ir.Log(f"{pg.SCOPE_ENDED}, {low.unit.index(proc)}"))


def _reset(low: Body, cell: m.Cell, mask: int | None) -> None:
    place = low.unit.lay.places[cell]
    count = 1
    for key in cell.keys:
        count *= key.size
    rest = count // cell.keys[0].size if cell.keys else 1
    if place.form in ("index", "both"):
        group = (1 << count) - 1 if mask is None else mask
        low.add(ir.Call("put_group", [str(place.base), str(place.index), str(place.values), const(group).text, str(cell.initial)]))
    elif place.form == "mask":
        width = cell.keys[-1].size
        bits = (1 << width) - 1
        for row in range(count // width):
            hit = bits if mask is None else sum(1 << i for i in range(width) if mask >> (row * width + i) // rest & 1)
            if hit:
                one = str(place.base + row)
                if hit == bits:
                    low.put(one, "=", const(bits if cell.initial else 0).text)
                else:
                    low.put(one, "|=" if cell.initial else "&=", const(hit).text if cell.initial else f"~{const(hit).text}")
    else:
        slots = [place.base + i for i in range(count) if mask is None or mask >> i // rest & 1]
        if len(slots) <= 3:
            for slot in slots:
                low.put(str(slot), "=", str(cell.initial))
        elif mask is None:
            low.add(ir.Call("fill", [str(place.base), str(count), str(cell.initial)]))
        else:
            low.add(ir.Call("fill_at", [low.unit.table(slots), str(cell.initial)]))
