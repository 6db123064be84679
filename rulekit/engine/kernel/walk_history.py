"""Takes a state and how long its trail was before, makes the steps that walks have taken since,
those too that were not asked as there was no other."""

from __future__ import annotations

from attrs import frozen

from rulekit.engine.kernel.position import Position


@frozen
class Step:
    """One step of a walk. `movement`: the number of its procedure; `kind`, `place`: where it
    led."""

    movement: int
    kind: int
    place: int


def steps_since(state: Position, length: int) -> list[Step]:
    """The steps, the first one first: where a walk has been grows by a place with each, and with
    each walk it begins anew."""
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
            out.append(Step(*been[slot], (before ^ slots[slot]).bit_length() - 1))
        slots[slot] = before
    return out[::-1]


def walker(state: Position, movement: int) -> str:
    """What people call the first of those who walk, or walked last, by a movement; '' if it is
    about no piece."""
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
