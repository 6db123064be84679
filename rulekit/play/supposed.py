"""Takes a viewer, makes positions that he may suppose: the same ones, whatever it is that he may not know.

To work something out in them instead of in the true position can tell him nothing. Where they agree, it hangs on nothing that is hidden."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod

from attrs import frozen

from rulekit.play.names import NO_LIMIT
from rulekit.play.view import Viewer
from rulekit.program import cells
from rulekit.program.program import TypeInfo, VarInfo
from rulekit.program.runtime import members
from rulekit.program.slots import COUNTER, LAYERS, SCRIPT, SEED

WAYS = 3  # in so many ways things are dealt out, if there are many
DEALS = 6  # in all ways, if there are no more
VALUES = 64  # so many values of one thing are tried

Thing = tuple[int, int]  # a kind, and which of its members
Place = tuple[int, tuple[int, ...]]  # a cell, and its keys


def deals(viewer: Viewer) -> list[list[int]]:
    """The slots of positions in which values that the viewer may not know are the first that they may be, and things that he may not tell
    apart are dealt out in every way; in `WAYS` of them, if these are more than `DEALS`. One, the true one without its seed, where he may
    know all."""
    classes, unseen = _alike(viewer), _unseen(viewer)
    slots = _blinded(viewer, unseen)
    if not classes:
        return [slots]
    many = prod(factorial(len(things)) for things in classes) > DEALS
    orders = [_turned(classes, way) for way in range(WAYS)] if many else product(*(permutations(sorted(things)) for things in classes))
    features = _features(viewer, slots, {thing for things in classes for thing in things}, unseen)
    alike = [sorted(things, key=lambda thing: features[thing]) for things in classes]
    found = [_dealt(viewer, slots, alike, unseen, order) for order in orders]
    return list({tuple(each[LAYERS + 1:]): each for each in found}.values())


def sampled(viewer: Viewer, rng: random.Random) -> list[int]:
    """The slots of one position that the viewer may suppose, by lot: things that he may not tell apart are dealt out in any order, and each
    value that he may not know is any of those that it may be (the first, of more than are tried). There is no die to come."""
    classes, unseen = _alike(viewer), _unseen(viewer)
    slots = _blinded(viewer, unseen)
    if classes:
        features = _features(viewer, slots, {thing for things in classes for thing in things}, unseen)
        alike = [sorted(things, key=lambda thing: features[thing]) for things in classes]
        slots = _dealt(viewer, slots, alike, unseen, [rng.sample(things, len(things)) for things in classes])
    for value in unseen_values(viewer):
        if value.values:
            value.put(slots, rng.choice(value.values))
    return slots


def stand_ins(viewer: Viewer) -> dict[Thing, Thing]:
    """For each thing of which the viewer may not know which it is, one whose name may stand for it: the same one in all positions that he
    cannot tell apart."""
    classes = [found for things in _alike(viewer) if (found := [thing for thing in things if not viewer.knows(*thing)])]
    if not classes:
        return {}
    unseen = _unseen(viewer)
    features = _features(viewer, _blinded(viewer, unseen), {thing for things in classes for thing in things}, unseen)
    alike = [sorted(things, key=lambda thing: features[thing]) for things in classes]
    return {thing: name for things in alike for thing, name in zip(things, sorted(things), strict=True)}


def _blinded(viewer: Viewer, unseen: Collection[Place]) -> list[int]:
    """The slots with no die to come, in which values that the viewer may not know are the first that they may be."""
    slots: list[int] = viewer.state.slots[:]
    slots[LAYERS] = None  # type: ignore[call-overload]
    slots[SEED] = slots[COUNTER] = slots[SCRIPT] = 0
    for at, keys in unseen:
        cell = viewer.program.cells[at]
        cells.write(viewer.program, slots, cell, keys, (cell.type.low or 0) if cell.type.form == "int" else 0)
    return slots


def unseen_values(viewer: Viewer) -> list[Unseen]:
    """The values that he may not know, other than what things lie where."""
    all_cells = viewer.program.cells
    return [Unseen(cells.slots_of(all_cells[at], keys), _possible(viewer, all_cells[at].type), _cell(viewer, at, keys))
            for at, keys in _unseen(viewer)]


def _turned(classes: Sequence[Sequence[Thing]], way: int) -> list[list[Thing]]:
    """The things of each class in the order of their names, turned round by some places."""
    return [names[way % len(names):] + names[:way % len(names)] for names in map(sorted, classes)]


def _dealt(viewer: Viewer, slots: list[int], classes: Sequence[Sequence[Thing]], unseen: Collection[Place],
           orders: Sequence[Sequence[Thing]]) -> list[int]:
    """One way: the things of a class, in the order of all that is so of them, by the names of its order. What was put into an `unseen`
    place tells nothing of a thing, and stays what it is."""
    new: dict[Thing, Thing] = {}
    for things, names in zip(classes, orders, strict=True):
        new.update(zip(things, names, strict=True))
    return _renamed(viewer, slots, new, unseen)


# -------------------------------------------------------------------- things that look alike
def _alike(viewer: Viewer) -> list[list[Thing]]:
    """The things that the viewer may not know, in classes of a kind and of the same owner."""
    program, out = viewer.program, list[list[Thing]]()
    for kind, info in enumerate(program.kinds):
        if not info.hidden_identity and info.known_slot < 0:
            continue
        owners = [values for type, values in info.fixed.values() if type.form == "member" and type.kind == program.sides]
        groups: dict[tuple[int, ...], list[Thing]] = {}
        for i in range(len(info.members)):
            if not viewer.knows_thing(kind, i):
                groups.setdefault(tuple(values[i] for values in owners), []).append((kind, i))
        out += [group for group in groups.values() if len(group) > 1]
    return out


def _features(viewer: Viewer, slots: list[int], things: set[Thing], unseen: Collection[Place]) -> dict[Thing, tuple[tuple[int, ...], ...]]:
    """All that is so of each thing, but for its name: values of its cells, and sets and places that hold it, other than `unseen` ones."""
    found: dict[Thing, list[tuple[int, ...]]] = {thing: [] for thing in things}
    kinds = {kind for kind, _ in things}

    def hold(type: TypeInfo, value: int, where: tuple[int, ...]) -> None:
        for i in [value] if type.form == "member" else members(value):
            if (type.kind, i) in found:
                found[type.kind, i].append(where)

    for at, cell in enumerate(viewer.program.cells):
        holds = cell.type.kind in kinds and cell.type.form in ("member", "set")
        own = [n for n, key in enumerate(cell.keys) if key.kind in kinds]
        for keys in cells.places(cell) if holds or own else ():
            if (at, keys) in unseen:
                continue
            value, rest = cells.read(slots, cell, keys), [v for n, v in enumerate(keys) if n not in own]
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


def _variables(viewer: Viewer) -> Iterator[VarInfo]:
    return (var for proc in viewer.program.procs for var in proc.vars if var.slot >= 0)


def _renamed(viewer: Viewer, slots: Sequence[int], new: dict[Thing, Thing], unseen: Collection[Place]) -> list[int]:
    """A position in which things bear other names, in all that it holds but for `unseen` places."""
    out, program = list(slots), viewer.program
    hiding = {kind for kind, _ in new}

    def value(type: TypeInfo, old: int) -> int:
        if type.form == "member":
            return new.get((type.kind, old), (type.kind, old))[1]
        return mask(type.kind, old) if type.form == "set" else old

    def mask(kind: int, old: int) -> int:
        return sum(1 << new.get((kind, i), (kind, i))[1] for i in members(old)) if kind in hiding else old

    for at, cell in enumerate(program.cells):
        if cell.type.kind in hiding or any(k.kind in hiding for k in cell.keys):
            for place, keys in enumerate(cells.places(cell)):
                to = tuple(new.get((k.kind, v), (k.kind, v))[1] for k, v in zip(cell.keys, keys, strict=True))
                now = cells.read_at(slots, cell, place)
                now = now if (at, keys) in unseen else value(cell.type, now)
                if cell.pool:
                    out[cell.base + cells.place(cell, to)] = now
                elif cells.read(out, cell, to) != now:
                    cells.write(program, out, cell, to, now)
    for at, kind in enumerate(program.kinds):
        if kind.known_slot >= 0:
            out[kind.known_slot] = mask(at, slots[kind.known_slot])
    for var in _variables(viewer):
        if var.type.kind in hiding:
            out[var.slot] = value(var.type, slots[var.slot])
    return out


# -------------------------------------------------------------------- values that are not seen
_Put = Callable[[list[int], int], None]  # puts a value into a position


@frozen
class Unseen:
    """A value that the viewer may not know. `slots`: where it stands; `values`: all that it may be, or None: more than are tried."""

    slots: tuple[int, ...]
    values: tuple[int, ...] | None
    put: _Put


def _unseen(viewer: Viewer) -> dict[Place, None]:
    """Where values are that the viewer may not know, other than where things lie and how often something was done; in order."""
    return {(at, keys): None for at, cell in enumerate(viewer.program.cells)
            if (not cell.everyone and not cell.pool) or (cell.hidden and cell.type.form == "member")
            for keys in cells.places(cell) if not viewer.sees(at, keys)}


def _cell(viewer: Viewer, at: int, keys: tuple[int, ...]) -> _Put:
    return lambda slots, value: cells.write(viewer.program, slots, viewer.program.cells[at], keys, value)


def _possible(viewer: Viewer, type: TypeInfo) -> tuple[int, ...] | None:
    """All values of a type, in order; None: there are more than `VALUES`, or they are not counted."""
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
