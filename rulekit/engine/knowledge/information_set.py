"""Build positions of an observer's information set.

They depend only on information that the observer may have. A computation in them, instead of in the
true position, cannot reveal a secret. If it agrees in all of them, it does not depend on anything
hidden.
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

WAYS = 3  # the number of ways to deal out things, if there are more than `DEALS`
DEALS = 6  # all ways are used up to this number
VALUES = 64  # a hidden value with more possible values than this is not varied

Thing = tuple[int, int]  # a kind, and the ordinal of a member
Place = tuple[int, int]  # a cell, and the number of one of its places


@frozen
class Blind:
    """A position as an observer knows it, before hidden things are dealt.

    Attributes:
        observer: the player who may not know everything.
        slots: the state without the seed of future dice. Each hidden value is its first possible
            one.
        alike: classes of things that the observer cannot tell apart. Each class is ordered by the
            facts about its things.
        unseen: the places with hidden values.
        values: the hidden values.
    """

    observer: Observer
    slots: list[int]
    alike: list[list[Thing]]
    unseen: dict[Place, None]
    values: list[Unseen]

    @classmethod
    def of(cls, observer: Observer) -> Blind:
        """Return the present position as the observer knows it."""
        unseen = _unseen(observer)
        slots = _blinded(observer, unseen)
        return cls(
            observer,
            slots,
            _ordered(observer, slots, _alike(observer), unseen),
            unseen,
            _values(observer, unseen),
        )

    def dealt(self, orders: Sequence[Sequence[Thing]]) -> list[int]:
        """Return the slots of one way to deal: rename the things of each class.

        The content of `unseen` places stays as it is, since it says nothing of a thing.

        Args:
            orders: for each class, its names in another order.
        """
        new: dict[Thing, Thing] = {}
        for things, names in zip(self.alike, orders, strict=True):
            new.update(zip(things, names, strict=True))
        return _renamed(self.observer, self.slots, new, self.unseen) if new else self.slots[:]

    def sampled(self, rng: random.Random) -> list[int]:
        """Sample one determinization.

        Things that look alike are dealt in a random order. Each hidden value is any of its possible
        ones, or the first if it is not varied.
        """
        slots = self.dealt([rng.sample(sorted(things), len(things)) for things in self.alike])
        for value in self.values:
            if value.values:
                value.put(slots, rng.choice(value.values))
        return slots


def deals(observer: Observer) -> list[list[int]]:
    """Return the slots of positions in which indistinguishable things are dealt out in every way.

    If there are more than `DEALS` ways, `WAYS` of them are used. Hidden values are the first
    possible ones. If the observer may know everything, the result is the true position without its
    seed.
    """
    blind = Blind.of(observer)
    many = prod(factorial(len(things)) for things in blind.alike) > DEALS
    orders = (
        [_turned(blind.alike, way) for way in range(WAYS)]
        if many
        else product(*(permutations(sorted(things)) for things in blind.alike))
    )
    return list({tuple(each[LAYERS + 1 :]): each for each in map(blind.dealt, orders)}.values())


def stand_ins(observer: Observer) -> dict[Thing, Thing]:
    """Map each thing whose identity the observer may not know to one whose name replaces it.

    The replacement is the same in all positions that the observer cannot tell apart.
    """
    classes = [
        found
        for things in _alike(observer)
        if (found := [thing for thing in things if not observer.knows(*thing)])
    ]
    if not classes:
        return {}
    unseen = _unseen(observer)
    alike = _ordered(observer, _blinded(observer, unseen), classes, unseen)
    return {
        thing: name for things in alike for thing, name in zip(things, sorted(things), strict=True)
    }


def _blinded(observer: Observer, unseen: Collection[Place]) -> list[int]:
    """Return the slots without future dice, with the first possible value for each hidden one."""
    slots: list[int] = observer.state.slots[:]
    slots[LAYERS] = None  # type: ignore[call-overload]
    slots[SEED] = slots[COUNTER] = slots[SCRIPT] = 0
    for at, place in unseen:
        cell = observer.program.cells[at]
        cells.write_at(observer.program, slots, cell, place, _first(cell.type))
    for var in _held(observer):
        slots[var.slot] = _first(var.type)
    return slots


def _first(type: TypeInfo) -> int:
    return (type.low or 0) if type.form == "int" else 0


def _held(observer: Observer) -> list[VarInfo]:
    """Return the variables of running procedures that hold a secret from the observer.

    Such a value lies in a secret cell, or will be put into one.
    """
    going_on = (
        proc for at, proc in enumerate(observer.program.procs) if observer.state.running(at)
    )
    return [
        var
        for proc in going_on
        for var in proc.vars
        if var.private and var.slot >= 0 and observer.may_have(var)
    ]


def unseen_values(observer: Observer) -> list[Unseen]:
    """Return the hidden values, except for which things lie where."""
    return _values(observer, _unseen(observer))


def _values(observer: Observer, unseen: Collection[Place]) -> list[Unseen]:
    all_cells = observer.program.cells
    possible = {at: _possible(observer, all_cells[at].type) for at in {at for at, _ in unseen}}
    held = [
        Unseen((var.slot,), _possible(observer, var.type), _slot(var.slot))
        for var in _held(observer)
    ]
    return [
        *[
            Unseen(cells.slots_at(all_cells[at], place), possible[at], _cell(observer, at, place))
            for at, place in unseen
        ],
        *held,
    ]


def _turned(classes: Sequence[Sequence[Thing]], way: int) -> list[list[Thing]]:
    """Return the things of each class in the order of their names, rotated by some places."""
    return [names[way % len(names) :] + names[: way % len(names)] for names in map(sorted, classes)]


# --------------------------------------------------------------------------- things that look alike
def _alike(observer: Observer) -> list[list[Thing]]:
    """Return the things that the observer may not know, in classes by kind and owner."""
    program, out = observer.program, list[list[Thing]]()
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
            if not observer.knows_thing(kind, i):
                groups.setdefault(tuple(values[i] for values in owners), []).append((kind, i))
        out += [group for group in groups.values() if len(group) > 1]
    return out


def _ordered(
    observer: Observer,
    slots: list[int],
    classes: Sequence[Sequence[Thing]],
    unseen: Collection[Place],
) -> list[list[Thing]]:
    """Order each class by the facts about its things."""
    if not classes:
        return []
    features = _features(observer, slots, {thing for things in classes for thing in things}, unseen)
    return [sorted(things, key=lambda thing: features[thing]) for things in classes]


def _features(
    observer: Observer, slots: list[int], things: set[Thing], unseen: Collection[Place]
) -> dict[Thing, tuple[tuple[int, ...], ...]]:
    """Return all facts about each thing except its name.

    Facts are the values of its cells, and the sets and places that contain it. `unseen` places are
    left out.
    """
    found: dict[Thing, list[tuple[int, ...]]] = {thing: [] for thing in things}
    kinds = {kind for kind, _ in things}

    def hold(type: TypeInfo, value: int, where: tuple[int, ...]) -> None:
        for i in [value] if type.form == "member" else members(value):
            if (type.kind, i) in found:
                found[type.kind, i].append(where)

    for at, cell in enumerate(observer.program.cells):
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
    for var in _variables(observer):
        if var.type.kind in kinds and var.type.form in ("member", "set"):
            hold(var.type, slots[var.slot], (-1, var.slot))
    return {thing: tuple(facts) for thing, facts in found.items()}


def _variables(observer: Observer) -> Iterator[VarInfo]:
    return (var for proc in observer.program.procs for var in proc.vars if var.slot >= 0)


def _renamed(
    observer: Observer, slots: Sequence[int], new: dict[Thing, Thing], unseen: Collection[Place]
) -> list[int]:
    """Rename things in all that a position holds, except in `unseen` places."""
    out, program = list(slots), observer.program
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
    for var in _variables(observer):
        if var.type.kind in names:
            out[var.slot] = renamed(var.type, slots[var.slot])
    return out


def _places(cell: CellInfo, names: dict[int, list[int]]) -> list[int]:
    """For each place of a cell, return its place under the new names."""
    found = [0]
    for key in cell.keys:
        steps = (
            [name - key.low for name in names[key.kind][key.low : key.low + key.size]]
            if key.kind in names
            else range(key.size)
        )
        found = [place * key.size + step for place in found for step in steps]
    return found


# ------------------------------------------------------------------------------------ hidden values
_Put = Callable[[list[int], int], None]  # puts a value into a position


@frozen
class Unseen:
    """A value that the observer may not know.

    Attributes:
        slots: the slots that hold it.
        values: all its possible values, or None if there are too many to try.
        put: writes a value into a position.
    """

    slots: tuple[int, ...]
    values: tuple[int, ...] | None
    put: _Put


def _unseen(observer: Observer) -> dict[Place, None]:
    """Return the places of hidden values, in order.

    The places of things and the counts of repeated actions are left out.
    """
    return {
        (at, place): None
        for at, cell in enumerate(observer.program.cells)
        if (not cell.everyone and not cell.pool) or (cell.hidden and cell.type.form == "member")
        for place, keys in enumerate(cells.places(cell))
        if not observer.sees(at, keys)
    }


def _cell(observer: Observer, at: int, place: int) -> _Put:
    cell = observer.program.cells[at]
    if cell.form == "plain" and not cell.pool:
        return _slot(cell.base + place)
    return lambda slots, value: cells.write_at(observer.program, slots, cell, place, value)


def _slot(at: int) -> _Put:
    return lambda slots, value: slots.__setitem__(at, value)


def _possible(observer: Observer, type: TypeInfo) -> tuple[int, ...] | None:
    """Return all values of a type, in order.

    The result is None if there are more than `VALUES`, or if the type has no bounds.
    """
    none = () if not type.optional else (NO_LIMIT,) if type.form == "int" else (-1,)
    size = len(observer.program.kinds[type.kind].members) if type.kind >= 0 else 0
    found: range | None = None
    if type.form in ("bool", "member"):
        found = range(2 if type.form == "bool" else size)
    elif type.form == "set":
        found = range(1 << min(size, VALUES.bit_length()))
    elif type.form == "int" and type.low is not None and type.high is not None:
        found = range(type.low, type.high + 1)
    return (*found, *none) if found and len(found) <= VALUES else None
