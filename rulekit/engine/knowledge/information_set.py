"""Takes a viewer, makes positions that he may suppose: the same ones, whatever it is that he may
not know.

To work something out in them instead of in the true position can tell him nothing. Where they
agree, it hangs on nothing that is hidden.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod

from attrs import frozen

from rulekit.engine.kernel.names import NO_LIMIT
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime import cells
from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import CellInfo, TypeInfo, VarInfo
from rulekit.runtime.slots import COUNTER, LAYERS, SCRIPT, SEED

WAYS = 3  # in so many ways things are dealt out, if there are many
DEALS = 6  # in all ways, if there are no more
VALUES = 64  # so many values of one thing are tried

Thing = tuple[int, int]  # a kind, and which of its members
Place = tuple[int, int]  # a cell, and which of its places


@frozen
class Blind:
    """A position as a viewer may suppose it, before it is dealt. `slots`: with no die to come, and
    with the first value that each may have which he may not know; `alike`: the things that he may
    not tell apart, each class in the order of all that is so of them.
    """

    viewer: Observer
    slots: list[int]
    alike: list[list[Thing]]
    unseen: dict[Place, None]
    values: list[Unseen]

    @classmethod
    def of(cls, viewer: Observer) -> Blind:
        """Of where the viewer stands."""
        unseen = _unseen(viewer)
        slots = _blinded(viewer, unseen)
        return cls(
            viewer,
            slots,
            _ordered(viewer, slots, _alike(viewer), unseen),
            unseen,
            _values(viewer, unseen),
        )

    def dealt(self, orders: Sequence[Sequence[Thing]]) -> list[int]:
        """One way: the things of each class by the names of its order. What was put into an
        `unseen` place tells nothing of a thing, and stays what it is."""
        new: dict[Thing, Thing] = {}
        for things, names in zip(self.alike, orders, strict=True):
            new.update(zip(things, names, strict=True))
        return _renamed(self.viewer, self.slots, new, self.unseen) if new else self.slots[:]

    def sampled(self, rng: random.Random) -> list[int]:
        """One position by lot: things that he may not tell apart are dealt out in any order, and
        each value that he may not know is any of those that it may be (the first, of more than are
        tried)."""
        slots = self.dealt([rng.sample(sorted(things), len(things)) for things in self.alike])
        for value in self.values:
            if value.values:
                value.put(slots, rng.choice(value.values))
        return slots


def deals(viewer: Observer) -> list[list[int]]:
    """The slots of positions in which values that the viewer may not know are the first that they
    may be, and things that he may not tell apart are dealt out in every way; in `WAYS` of them, if
    these are more than `DEALS`. One, the true one without its seed, where he may know all."""
    blind = Blind.of(viewer)
    many = prod(factorial(len(things)) for things in blind.alike) > DEALS
    orders = (
        [_turned(blind.alike, way) for way in range(WAYS)]
        if many
        else product(*(permutations(sorted(things)) for things in blind.alike))
    )
    return list({tuple(each[LAYERS + 1 :]): each for each in map(blind.dealt, orders)}.values())


def stand_ins(viewer: Observer) -> dict[Thing, Thing]:
    """For each thing of which the viewer may not know which it is, one whose name may stand for it:
    the same one in all positions that he cannot tell apart."""
    classes = [
        found
        for things in _alike(viewer)
        if (found := [thing for thing in things if not viewer.knows(*thing)])
    ]
    if not classes:
        return {}
    unseen = _unseen(viewer)
    alike = _ordered(viewer, _blinded(viewer, unseen), classes, unseen)
    return {
        thing: name for things in alike for thing, name in zip(things, sorted(things), strict=True)
    }


def _blinded(viewer: Observer, unseen: Collection[Place]) -> list[int]:
    """The slots with no die to come, in which values that the viewer may not know are the first
    that they may be."""
    slots: list[int] = viewer.state.slots[:]
    slots[LAYERS] = None  # type: ignore[call-overload]
    slots[SEED] = slots[COUNTER] = slots[SCRIPT] = 0
    for at, place in unseen:
        cell = viewer.program.cells[at]
        cells.write_at(viewer.program, slots, cell, place, _first(cell.type))
    for var in _held(viewer):
        slots[var.slot] = _first(var.type)
    return slots


def _first(type: TypeInfo) -> int:
    return (type.low or 0) if type.form == "int" else 0


def _held(viewer: Observer) -> list[VarInfo]:
    """The variables of what goes on whose value the viewer may not know, as it lies in a secret
    cell, or will."""
    going_on = (proc for at, proc in enumerate(viewer.program.procs) if viewer.state.running(at))
    return [
        var
        for proc in going_on
        for var in proc.vars
        if var.private and var.slot >= 0 and viewer.may_have(var)
    ]


def unseen_values(viewer: Observer) -> list[Unseen]:
    """The values that he may not know, other than what things lie where."""
    return _values(viewer, _unseen(viewer))


def _values(viewer: Observer, unseen: Collection[Place]) -> list[Unseen]:
    all_cells = viewer.program.cells
    possible = {at: _possible(viewer, all_cells[at].type) for at in {at for at, _ in unseen}}
    held = [
        Unseen((var.slot,), _possible(viewer, var.type), _slot(var.slot)) for var in _held(viewer)
    ]
    return [
        *[
            Unseen(cells.slots_at(all_cells[at], place), possible[at], _cell(viewer, at, place))
            for at, place in unseen
        ],
        *held,
    ]


def _turned(classes: Sequence[Sequence[Thing]], way: int) -> list[list[Thing]]:
    """The things of each class in the order of their names, turned round by some places."""
    return [names[way % len(names) :] + names[: way % len(names)] for names in map(sorted, classes)]


# -------------------------------------------------------------------- things that look alike
def _alike(viewer: Observer) -> list[list[Thing]]:
    """The things that the viewer may not know, in classes of a kind and of the same owner."""
    program, out = viewer.program, list[list[Thing]]()
    for kind, info in enumerate(program.kinds):
        if not info.hidden_identity and info.known_slot < 0:
            continue
        owners = [
            values
            for type, values in info.fixed.values()
            if type.form == "member" and type.kind == program.sides
        ]
        groups: dict[tuple[int, ...], list[Thing]] = {}
        for i in range(len(info.members)):
            if not viewer.knows_thing(kind, i):
                groups.setdefault(tuple(values[i] for values in owners), []).append((kind, i))
        out += [group for group in groups.values() if len(group) > 1]
    return out


def _ordered(
    viewer: Observer,
    slots: list[int],
    classes: Sequence[Sequence[Thing]],
    unseen: Collection[Place],
) -> list[list[Thing]]:
    """Each class in the order of all that is so of its things."""
    if not classes:
        return []
    features = _features(viewer, slots, {thing for things in classes for thing in things}, unseen)
    return [sorted(things, key=lambda thing: features[thing]) for things in classes]


def _features(
    viewer: Observer, slots: list[int], things: set[Thing], unseen: Collection[Place]
) -> dict[Thing, tuple[tuple[int, ...], ...]]:
    """All that is so of each thing, but for its name: values of its cells, and sets and places that
    hold it, other than `unseen` ones."""
    found: dict[Thing, list[tuple[int, ...]]] = {thing: [] for thing in things}
    kinds = {kind for kind, _ in things}

    def hold(type: TypeInfo, value: int, where: tuple[int, ...]) -> None:
        for i in [value] if type.form == "member" else members(value):
            if (type.kind, i) in found:
                found[type.kind, i].append(where)

    for at, cell in enumerate(viewer.program.cells):
        holds = cell.type.kind in kinds and cell.type.form in ("member", "set")
        own = [n for n, key in enumerate(cell.keys) if key.kind in kinds]
        for place, (keys, value) in enumerate(
            zip(cells.places(cell), cells.column(slots, cell), strict=True) if holds or own else ()
        ):
            if (at, place) in unseen:
                continue
            rest = [v for n, v in enumerate(keys) if n not in own]
            if holds:
                hold(cell.type, value, (at, *rest))
            else:
                for n in own:
                    if (cell.keys[n].kind, keys[n]) in found:
                        found[cell.keys[n].kind, keys[n]].append((at, *rest, value))
    for var in _variables(viewer):
        if var.type.kind in kinds and var.type.form in ("member", "set"):
            hold(var.type, slots[var.slot], (-1, var.slot))
    return {thing: tuple(facts) for thing, facts in found.items()}


def _variables(viewer: Observer) -> Iterator[VarInfo]:
    return (var for proc in viewer.program.procs for var in proc.vars if var.slot >= 0)


def _renamed(
    viewer: Observer, slots: Sequence[int], new: dict[Thing, Thing], unseen: Collection[Place]
) -> list[int]:
    """A position in which things bear other names, in all that it holds but for `unseen` places."""
    out, program = list(slots), viewer.program
    names = {kind: list(range(len(program.kinds[kind].members))) for kind, _ in new}
    for (kind, i), (_, name) in new.items():
        names[kind][i] = name

    def renamed(type: TypeInfo, old: int) -> int:
        if type.form == "set":
            return sum(1 << names[type.kind][i] for i in members(old))
        return names[type.kind][old] if type.form == "member" and old >= 0 else old

    for at, cell in enumerate(program.cells):
        if cell.type.kind in names or any(key.kind in names for key in cell.keys):
            before = values = cells.column(slots, cell)
            if cell.type.kind in names:
                values = [
                    value if (at, place) in unseen else renamed(cell.type, value)
                    for place, value in enumerate(before)
                ]
            after = values[:]
            for to, value in zip(_places(cell, names), values, strict=True):
                after[to] = value
            if after != before:
                cells.write_column(out, cell, after)
    for kind in names:
        if (slot := program.kinds[kind].known_slot) >= 0:
            out[slot] = sum(1 << names[kind][i] for i in members(slots[slot]))
    for var in _variables(viewer):
        if var.type.kind in names:
            out[var.slot] = renamed(var.type, slots[var.slot])
    return out


def _places(cell: CellInfo, names: dict[int, list[int]]) -> list[int]:
    """For each place of a cell the one of the new names."""
    found = [0]
    for key in cell.keys:
        steps = (
            [name - key.low for name in names[key.kind][key.low : key.low + key.size]]
            if key.kind in names
            else range(key.size)
        )
        found = [place * key.size + step for place in found for step in steps]
    return found


# -------------------------------------------------------------------- values that are not seen
_Put = Callable[[list[int], int], None]  # puts a value into a position


@frozen
class Unseen:
    """A value that the viewer may not know. `slots`: where it stands; `values`: all that it may be,
    or None: more than are tried."""

    slots: tuple[int, ...]
    values: tuple[int, ...] | None
    put: _Put


def _unseen(viewer: Observer) -> dict[Place, None]:
    """Where values are that the viewer may not know, other than where things lie and how often
    something was done; in order."""
    return {
        (at, place): None
        for at, cell in enumerate(viewer.program.cells)
        if (not cell.everyone and not cell.pool) or (cell.hidden and cell.type.form == "member")
        for place, keys in enumerate(cells.places(cell))
        if not viewer.sees(at, keys)
    }


def _cell(viewer: Observer, at: int, place: int) -> _Put:
    cell = viewer.program.cells[at]
    if cell.form == "plain" and not cell.pool:
        return _slot(cell.base + place)
    return lambda slots, value: cells.write_at(viewer.program, slots, cell, place, value)


def _slot(at: int) -> _Put:
    return lambda slots, value: slots.__setitem__(at, value)


def _possible(viewer: Observer, type: TypeInfo) -> tuple[int, ...] | None:
    """All values of a type, in order; None: there are more than `VALUES`, or they are not
    counted."""
    none = () if not type.optional else (NO_LIMIT,) if type.form == "int" else (-1,)
    size = len(viewer.program.kinds[type.kind].members) if type.kind >= 0 else 0
    found: range | None = None
    if type.form in ("bool", "member"):
        found = range(2 if type.form == "bool" else size)
    elif type.form == "set":
        found = range(1 << min(size, VALUES.bit_length()))
    elif type.form == "int" and type.low is not None and type.high is not None:
        found = range(type.low, type.high + 1)
    return (*found, *none) if found and len(found) <= VALUES else None
