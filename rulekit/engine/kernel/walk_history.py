"""Reconstruct the steps of walks from the undo trail of a state.

The steps include those that nobody was asked about because there was no alternative.
"""

from __future__ import annotations

from attrs import frozen

from rulekit.engine.kernel.position import Position


@frozen
class WalkStep:
    """One step of a walk.

    Attributes:
        movement: the number of the movement's procedure.
        kind: the kind of the place to which it led.
        place: the ordinal of that place.
    """

    movement: int
    kind: int
    place: int


def steps_since(state: Position, length: int) -> list[WalkStep]:
    """Return the steps taken since the trail had a given length, oldest first.

    Each walk has a set of visited places, `been`. Each step adds one place to it, and a new walk
    empties it. The function finds these additions while it reads the trail backwards.
    """
    been = {
        var.slot: (number, var.type.kind)
        for number, proc in enumerate(state.table.program.procs)
        if proc.word == "movement"
        for var in proc.vars[proc.params :]
        if var.name == "been"
    }
    slots, trail, out = state.slots[:], state.trail, []
    for i in range(len(trail) - 2, length - 2, -2):
        slot, before = trail[i], trail[i + 1]
        if slot in been and before and before != slots[slot] and before & slots[slot] == before:
            out.append(WalkStep(*been[slot], (before ^ slots[slot]).bit_length() - 1))
        slots[slot] = before
    return out[::-1]


def walker(state: Position, movement: int) -> str:
    """Return the label of the first piece that moves, or moved last, by a movement.

    The label is '' if the movement has no piece among its parameters.
    """
    proc, names = state.table.program.procs[movement], state.names
    for var in proc.vars[: proc.params]:
        if (
            var.slot >= 0
            and var.type.kind in names.place_cells
            and var.type.form in ("member", "set")
        ):
            held = state.held(var)
            first = held if var.type.form == "member" else (held & -held).bit_length() - 1
            if first >= 0:
                return names.label(var.type.kind, first)
    return ""
