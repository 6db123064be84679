"""Read and write the cells of a state. Only this module and emitted code know the layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from rulekit.runtime.intrinsics import members
from rulekit.runtime.program import CellInfo, ImageInfo, Program
from rulekit.runtime.slots import LAYERS


def place(cell: CellInfo, keys: Sequence[int]) -> int:
    """Return the row-major place of some keys, which are ordinals or plain numbers.

    Raises:
        IndexError: the cell has no such key.
    """
    out = 0
    for info, key in zip(cell.keys, keys, strict=True):
        step = key - info.low
        if not 0 <= step < info.size:
            raise IndexError(f"{cell.name} has no key {key}")
        out = out * info.size + step
    return out


def places(cell: CellInfo) -> Iterator[tuple[int, ...]]:
    """Iterate over all keys of a cell, in the order of their places."""
    return product(*(range(key.low, key.low + key.size) for key in cell.keys))


def keys_of(cell: CellInfo, at: int) -> tuple[int, ...]:
    """Return the keys of a place."""
    keys = []
    for key in reversed(cell.keys):
        at, step = divmod(at, key.size)
        keys.append(step + key.low)
    return tuple(reversed(keys))


def read(slots: Sequence[int], cell: CellInfo, keys: Sequence[int] = ()) -> int:
    """Return the value of a cell."""
    return read_at(slots, cell, place(cell, keys))


def read_at(slots: Sequence[int], cell: CellInfo, at: int) -> int:
    """Return the value of a cell at a place."""
    if cell.form == "mask":
        row, bit = divmod(at, cell.keys[-1].size)
        return slots[cell.base + row] >> bit & 1
    if cell.form == "index":
        values = _values(cell)
        return next((v for v in range(values) if slots[cell.index + v] >> at & 1), -1)
    return slots[cell.base + at]


def slots_at(cell: CellInfo, at: int) -> tuple[int, ...]:
    """Return the slots that hold the value of a cell at a place. Some also hold other values."""
    if cell.form == "mask":
        return (cell.base + at // cell.keys[-1].size,)
    own = (cell.base + at,) if cell.form in ("plain", "both") else ()
    inverse = (
        range(cell.index, cell.index + _values(cell) + 1) if cell.form in ("index", "both") else ()
    )
    return (
        *own,
        *inverse,
        *(
            slot
            for image in cell.images
            for slot in (*range(image.base, image.base + image.size), image.filled)
        ),
    )


def write(
    program: Program, slots: list[int], cell: CellInfo, keys: Sequence[int], value: int
) -> None:
    """Set a cell of a state outside of play, in situations and when loading.

    For pools, this keeps the invariant that a thing is in one pool only.
    """
    write_at(program, slots, cell, place(cell, keys), value)


def write_at(program: Program, slots: list[int], cell: CellInfo, at: int, value: int) -> None:
    """Set a cell at a place, outside of play."""
    slots[LAYERS] = None  # type: ignore[call-overload]
    if cell.pool:
        for other in program.cells:
            if other.pool and other.type.kind == cell.type.kind:
                for i in range(len(list(places(other)))):
                    slots[other.base + i] &= ~value
        known = program.kinds[cell.type.kind].known_slot
        if known >= 0:
            slots[known] = slots[known] | value if cell.everyone else slots[known] & ~value
    if cell.form == "mask":
        row, bit = divmod(at, cell.keys[-1].size)
        slots[cell.base + row] = slots[cell.base + row] & ~(1 << bit) | (1 if value else 0) << bit
        return
    if cell.form in ("plain", "both"):
        slots[cell.base + at] = value
    if cell.form in ("index", "both"):
        values = _values(cell)
        for v in range(values + 1):
            slots[cell.index + v] &= ~(1 << at)
        slots[cell.index + (value if value >= 0 else values)] |= 1 << at
    for image in cell.images:
        for base, kept in images_of(slots, cell, image):
            slots[base] = kept


def column(slots: Sequence[int], cell: CellInfo) -> list[int]:
    """Return the values of a cell at all places, in order."""
    size = prod(key.size for key in cell.keys)
    if not size:  # a key without members
        return []
    if cell.form == "mask":
        width = cell.keys[-1].size
        return [
            slots[cell.base + row] >> bit & 1
            for row in range(size // width)
            for bit in range(width)
        ]
    if cell.form == "index":
        found = [-1] * size
        for value in range(_values(cell)):
            for at in members(slots[cell.index + value]):
                found[at] = value
        return found
    return list(slots[cell.base : cell.base + size])


def write_column(slots: list[int], cell: CellInfo, values: Sequence[int]) -> None:
    """Set a cell at all places, outside of play.

    All pools of a kind must be set, so that each thing is in one only.
    """
    slots[LAYERS] = None  # type: ignore[call-overload]
    if cell.form == "mask" and values:
        width = cell.keys[-1].size
        for row in range(len(values) // width):
            slots[cell.base + row] = sum(
                1 << bit for bit in range(width) if values[row * width + bit]
            )
        return
    if cell.form in ("plain", "both"):
        slots[cell.base : cell.base + len(values)] = values
    if cell.form in ("index", "both"):
        none = _values(cell)
        masks = [0] * (none + 1)
        for at, value in enumerate(values):
            masks[value if value >= 0 else none] |= 1 << at
        slots[cell.index : cell.index + none + 1] = masks
    for image in cell.images:
        for base, kept in images_of(slots, cell, image):
            slots[base] = kept


def images_of(slots: Sequence[int], cell: CellInfo, image: ImageInfo) -> Iterator[tuple[int, int]]:
    """Yield the slots and values of an index by constant attribute, computed anew."""
    masks = [0] * image.size
    for value, at in enumerate(image.row):
        masks[at] |= slots[cell.index + value]
    yield from enumerate(masks, image.base)
    yield image.filled, sum(1 << at for at, mask in enumerate(masks) if mask)


def _values(cell: CellInfo) -> int:
    assert cell.values is not None
    return cell.values
