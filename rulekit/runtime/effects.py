"""Writes to a state that are too long to be inlined in emitted code.

`log` and `trail` are None in the fast variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulekit.common.errors import RulesError
from rulekit.runtime.intrinsics import draw, members, roll
from rulekit.runtime.slots import COUNTER, DRAWN, GATHERED, MAX_ACTIVATIONS, PUT, REVEALED, SCRIPT

Log = list[tuple[Any, ...]] | None
Trail = list[int] | None
# the pools of one kind: (first slot, number of slots, 1 if open to all, cell)
Pools = Sequence[tuple[int, int, int, int]]


def put_both(
    slots: list[int],
    log: Log,
    trail: Trail,
    base: int,
    index: int,
    values: int,
    key: int,
    value: int,
) -> None:
    """Write a member-valued cell that has an inverse index."""
    at = base + key
    old = slots[at]
    if old == value:
        return
    bit = 1 << key
    a, b = index + (old if old >= 0 else values), index + (value if value >= 0 else values)
    if trail is not None:
        trail += (at, old, a, slots[a], b, slots[b])
    slots[at] = value
    slots[a] &= ~bit
    slots[b] |= bit


def put_group(
    slots: list[int],
    log: Log,
    trail: Trail,
    base: int,
    index: int,
    values: int,
    group: int,
    value: int,
) -> None:
    """Write such a cell for all members of a set. If base < 0, there is the index only."""
    goal = index + (value if value >= 0 else values)
    group &= ~slots[goal]
    if not group:
        return
    rest = group
    slot = index
    while rest:
        hit = slots[slot] & rest
        if hit:
            if trail is not None:
                trail += (slot, slots[slot])
            slots[slot] ^= hit
            rest ^= hit
        slot += 1
    if trail is not None:
        trail += (goal, slots[goal])
    slots[goal] |= group
    if base >= 0:
        put_all(slots, log, trail, base, group, value)


def put_all(slots: list[int], log: Log, trail: Trail, base: int, group: int, value: int) -> None:
    """Write one value to the slots base + i of the members of a set."""
    while group:
        low = group & -group
        group ^= low
        at = base + low.bit_length() - 1
        if trail is not None:
            trail += (at, slots[at])
        slots[at] = value


def fill(slots: list[int], log: Log, trail: Trail, base: int, count: int, value: int) -> None:
    """Write one value to consecutive slots."""
    if trail is not None:
        for at in range(base, base + count):
            if slots[at] != value:
                trail += (at, slots[at])
    slots[base : base + count] = [value] * count


def fill_at(raw: list[int], log: Log, trail: Trail, slots: Sequence[int], value: int) -> None:
    for at in slots:
        if trail is not None:
            trail += (at, raw[at])
        raw[at] = value


def roll_dice(slots: list[int], log: Log, trail: Trail, number: int, faces: int) -> int:
    if trail is not None:
        trail += (SCRIPT, slots[SCRIPT], COUNTER, slots[COUNTER])
    return roll(slots, number, faces)


def _set(slots: list[int], trail: Trail, at: int, value: int) -> None:
    if trail is not None:
        trail += (at, slots[at])
    slots[at] = value


def _locate(slot: int, pools: Pools) -> tuple[int, int, int]:
    """Return (cell, place, open to all) of a pool's slot."""
    for base, count, public, cell in pools:
        if base <= slot < base + count:
            return cell, slot - base, public
    return -1, 0, 0


def is_open(slot: int, pools: Pools) -> bool:
    """Return True if everybody may see the content of a pool, by its slot."""
    _, _, public = _locate(slot, pools)
    return bool(public)


def _move(
    slots: list[int], trail: Trail, pools: Pools, known: int, thing: int, target: int
) -> tuple[int, int]:
    """Move a thing from its pool to another. Return the cell and place that it comes from."""
    bit = 1 << thing
    origin = (-1, 0)
    _, _, seen = _locate(target, pools)
    for base, count, public, cell in pools:
        for i in range(count):
            if slots[base + i] & bit:
                _set(slots, trail, base + i, slots[base + i] ^ bit)
                seen = seen or public
                origin = (cell, i)
    _set(slots, trail, target, slots[target] | bit)
    if seen:
        _set(slots, trail, known, slots[known] | bit)
    return origin


def draw_things(
    slots: list[int],
    log: Log,
    trail: Trail,
    pools: Pools,
    known: int,
    count: int,
    source: int,
    target: int,
) -> None:
    """Move random members of a pool to another.

    The place of everything that was in the pool is then no longer publicly known.
    """
    source_cell, source_place, _ = _locate(source, pools)
    target_cell, target_place, _ = _locate(target, pools)
    for _ in range(min(count, slots[source].bit_count())):
        if trail is not None:
            trail += (SCRIPT, slots[SCRIPT], COUNTER, slots[COUNTER])
        content = slots[source]
        thing = draw(slots, content)
        _set(slots, trail, known, slots[known] & ~content)
        _move(slots, trail, pools, known, thing, target)
        if log is not None:
            log.append((DRAWN, source_cell, source_place, target_cell, target_place, thing))


def put_thing(
    slots: list[int], log: Log, trail: Trail, pools: Pools, known: int, thing: int, target: int
) -> None:
    if thing < 0:
        return
    origin = _move(slots, trail, pools, known, thing, target)
    if log is not None:
        cell, place, _ = _locate(target, pools)
        log.append((PUT, cell, place, thing, *origin))


def gather_things(
    slots: list[int], log: Log, trail: Trail, pools: Pools, known: int, source: int, target: int
) -> None:
    content = slots[source]
    for thing in members(content):
        _move(slots, trail, pools, known, thing, target)
    if log is not None:
        source_cell, source_place, _ = _locate(source, pools)
        target_cell, target_place, _ = _locate(target, pools)
        log.append((GATHERED, source_cell, source_place, target_cell, target_place, content))


def log_revealed(slots: list[int], log: Log, trail: Trail, kind: int, mask: int) -> None:
    if log is not None:
        for member in members(mask):
            log.append((REVEALED, kind, member))


# ------------------------------------------------------------------------------------------- frames
def save_frame(
    raw: list[int], log: Log, trail: Trail, frame: tuple[Sequence[int], int, int]
) -> None:
    """Copy the slots of a procedure to its save area, when it is called while it runs."""
    slots, depth, area = frame
    level = raw[depth]
    at = area + level * len(slots)
    if level >= MAX_ACTIVATIONS - 1:
        raise RulesError(f"a procedure runs more than {MAX_ACTIVATIONS} deep")
    for i, slot in enumerate(slots):
        _set(raw, trail, at + i, raw[slot])
    _set(raw, trail, depth, level + 1)


def load_frame(
    raw: list[int], log: Log, trail: Trail, frame: tuple[Sequence[int], int, int]
) -> None:
    """Copy the slots back when the inner activation ends."""
    slots, depth, area = frame
    level = raw[depth] - 1
    if level < 0:
        return
    at = area + level * len(slots)
    for i, slot in enumerate(slots):
        _set(raw, trail, slot, raw[at + i])
        _set(raw, trail, at + i, 0)
    _set(raw, trail, depth, level)


# --------------------------------------------------------------------------------- lists and groups
def packed(values: Iterable[int]) -> int:
    """Pack a list of ordinals and small numbers, with the first in the low bits. 0 is the end."""
    code = at = 0
    for value in values:
        code |= value + 2 << at
        at += 16
    return code


def packed_after(code: int, value: int) -> int:
    """Return the rest of a packed list after a value, or 0 if it does not contain the value."""
    while code and (code & 0xFFFF) - 2 != value:
        code >>= 16
    return code >> 16


def packed_there(values: Iterable[int]) -> int:
    """Pack values without missing ones and duplicates."""
    code = at = seen = 0
    for value in values:
        if value >= 0 and not seen >> value & 1:
            seen |= 1 << value
            code |= value + 2 << at
            at += 16
    return code


def pack_masks(masks: Iterable[int]) -> int:
    """Pack a list of masks: their width, then the masks."""
    found = list(masks)
    width = max(m.bit_length() for m in found)
    code = 0
    for mask in reversed(found):
        code = code << width | mask
    return code << 16 | width


def unpacked(code: int) -> list[int]:
    """Return the masks of a packed list."""
    width, rest, out = code & 0xFFFF, code >> 16, []
    while rest:
        out.append(rest & (1 << width) - 1)
        rest >>= width
    return out


def first_class(classes: int, left: int) -> int:
    """Return the members left of the first class in a list that has any left."""
    width, rest = classes & 0xFFFF, classes >> 16
    while rest and not rest & (1 << width) - 1 & left:
        rest >>= width
    return rest & (1 << width) - 1 & left


def group_rest(source: int, picked: int, most: int, alike: int) -> int:
    """Return the elements that are examined for a group with a condition.

    Args:
        alike: if not 0, include unpicked elements before the last picked one.
    """
    if picked.bit_count() >= most:
        return 0
    return source & ~picked if alike else source >> picked.bit_length() << picked.bit_length()


def group_mask(source: int, picked: int, least: int, most: int) -> int:
    """Return the elements that may be added to a group.

    They come after the last picked one and leave enough others to reach `least`. If there are too
    few, the elements are offered one by one.
    """
    n = picked.bit_count()
    if n >= most:
        return 0
    rest = source >> picked.bit_length() << picked.bit_length()
    spare = n + rest.bit_count() - least
    if least <= n + 1:
        return rest
    out = 0
    for _ in range(max(spare, 0) + 1):
        low = rest & -rest
        out |= low
        rest ^= low
    return out


def group_classes(classes: int, picked: int, least: int, most: int, kept: int = -1) -> int:
    """Return the elements that may be added to a group in which the members of a class are alike.

    Only the lowest element of each class is offered, and classes before the last used one are
    closed.

    Args:
        kept: a mask of the elements that may be added.
    """
    n = picked.bit_count()
    if n >= most:
        return 0
    masks = unpacked(classes)
    last = max((i for i, mask in enumerate(masks) if mask & picked), default=0)
    frees = [mask & ~picked & kept for mask in masks[last:]]
    least = min(least, n + sum(free.bit_count() for free in frees))
    out, rest = 0, 0
    for free in reversed(frees):
        rest += free.bit_count()
        if free and n + rest >= least:
            out |= free & -free
    return out


def in_classes(base: int, classes: int, free: int) -> list[tuple[int, int]]:
    """Return the options to add the members of `free`, in the order of their classes."""
    return [(base, mask & free) for mask in unpacked(classes) if mask & free]


def members_at(slots: list[int], base: int, group: int, value: int) -> int:
    """Return the members of a set whose slot has a value."""
    return sum(1 << i for i in members(group) if slots[base + i] == value)
