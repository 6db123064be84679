"""Functions that emitted code calls: random results, options from layers, undo and errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from rulekit.common.errors import RulesError, ScriptError
from rulekit.runtime.slots import COUNTER, LAYERS, SCRIPT, SEED

_MAX_SINGLE_STEPS = 6  # for so few, removing bits one by one is faster than halving
_M32 = 0xFFFFFFFF
_M64 = 0xFFFFFFFFFFFFFFFF
KEYS = 1 << 64  # seeds from here on are keys
SEEDS = 1 << 128  # all seeds are below this
CHOICES = 1 << 32  # the branch of a seed for the options of a playout
Layers = Sequence[tuple[int, int]]


class Over(Exception):
    """Raised inside emitted code when the game ends in the middle of a function.

    It never leaves `apply`.
    """


def mix(seed: int, counter: int) -> int:
    """Return 64 random bits by number: splitmix64 for a small seed, a keyed hash for a key.

    Bits of a key reveal nothing about its other bits.
    """
    if seed > _M64:
        return int.from_bytes(_hashed(seed, counter, 8, b"dice"), "little")
    x = (seed + (counter + 1) * 0x9E3779B97F4A7C15) & _M64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _M64
    return x ^ x >> 31


def branch(seed: int, number: int) -> int:
    """Return a seed for another purpose than dice, such as an agent.

    It reveals nothing of a key.
    """
    return (
        int.from_bytes(_hashed(seed, number, 16, b"branch"), "little")
        if seed > _M64
        else mix(seed, number)
    )


def _hashed(key: int, number: int, size: int, purpose: bytes) -> bytes:
    return blake2b(
        number.to_bytes(8, "little"),
        digest_size=size,
        key=key.to_bytes(16, "little"),
        person=purpose,
    ).digest()


def dice(seed: int, counter: int, number: int, faces: int) -> int:
    """Return the sum of `number` dice. The first has this counter."""
    return sum(mix(seed, counter + i) % faces + 1 for i in range(number))


def script(values: Iterable[int]) -> int:
    """Return scripted results as one int for the slot SCRIPT, where 1 means used up.

    They are the sum of each roll and the ordinal of each thing drawn, in order.
    """
    code = 1
    for value in reversed(list(values)):
        code = code << 16 | value + 1
    return code


def scripted(slots: list[int]) -> int:
    """Return the number of scripted results left."""
    return max(0, (slots[SCRIPT].bit_length() - 1) // 16)


def roll(slots: list[int], number: int, faces: int) -> int:
    """Return the next roll. Write SCRIPT or COUNTER, which emitted code has put on the trail."""
    code = slots[SCRIPT]
    if code > 1:
        slots[SCRIPT] = code >> 16
        value = (code & 0xFFFF) - 1
        if not number <= value <= number * faces:
            raise ScriptError(
                f"the result {value} cannot be rolled with {number}d{faces}", scripted(slots), False
            )
        return value
    counter = slots[COUNTER]
    slots[COUNTER] = counter + number
    if number == 1:
        return mix(slots[SEED], counter) % faces + 1
    return dice(slots[SEED], counter, number, faces)


def draw(slots: list[int], mask: int) -> int:
    """Return a random member of a non-empty set."""
    code = slots[SCRIPT]
    if code > 1:
        slots[SCRIPT] = code >> 16
        member = (code & 0xFFFF) - 1
        if not mask >> member & 1:
            raise ScriptError(
                "the result of a draw is not there to be drawn", scripted(slots), True
            )
        return member
    counter = slots[COUNTER]
    slots[COUNTER] = counter + 1
    return nth(mask, mix(slots[SEED], counter) % mask.bit_count())


def nth(mask: int, index: int) -> int:
    """Return the position of bit number k, counted from 0 for the lowest."""
    if index < _MAX_SINGLE_STEPS and mask <= _M64:
        while index:
            mask &= mask - 1
            index -= 1
        return (mask & -mask).bit_length() - 1
    shift = 0
    while mask > _M32:
        low = mask & _M32
        n = low.bit_count()
        if index < n:
            mask = low
            break
        index -= n
        mask >>= 32
        shift += 32
    low = mask & 0xFFFF
    n = low.bit_count()
    if index >= n:
        index -= n
        low = mask >> 16
        shift += 16
    n = (low & 0xFF).bit_count()
    if index >= n:
        index -= n
        low >>= 8
        shift += 8
    while index:
        low &= low - 1
        index -= 1
    return shift + (low & -low).bit_length() - 1


def count(layers: Layers) -> int:
    """Return the number of options."""
    return sum(mask.bit_count() for _, mask in layers)


def sample(layers: Layers, fraction: float) -> int:
    """Return the option at u in [0, 1), without building a list."""
    if len(layers) == 1:
        base, mask = layers[0]
        n = mask.bit_count()
        if n == 1:
            return base + mask.bit_length() - 1
        return base + nth(mask, int(fraction * n))
    k = 0
    for _, mask in layers:
        k += mask.bit_count()
    k = int(fraction * k)
    for base, mask in layers:
        n = mask.bit_count()
        if k < n:
            return base + (mask.bit_length() - 1 if n == 1 else nth(mask, k))
        k -= n
    raise IndexError("no options")


def drawn(layers: Layers, bits: int) -> int:
    """Return the option that 64 random bits select, by integers, so that every backend agrees."""
    k = (bits >> 32) * count(layers) >> 32
    for base, mask in layers:
        n = mask.bit_count()
        if k < n:
            return base + nth(mask, k)
        k -= n
    raise IndexError("no options")


def ids(layers: Layers) -> list[int]:
    """Return all option ids, ascending within each layer, layers in order."""
    out: list[int] = []
    for base, mask in layers:
        while mask:
            low = mask & -mask
            out.append(base + low.bit_length() - 1)
            mask ^= low
    return out


def offers(layers: Layers, option: int) -> bool:
    """Return True if this option is among them."""
    return any(base <= option and mask >> option - base & 1 for base, mask in layers)


def is_single(layers: Layers) -> bool:
    """Return True if there is exactly one option."""
    if len(layers) != 1:
        return False
    _, mask = layers[0]
    return not mask & (mask - 1)


def undo(slots: list[int], trail: list[int], length: int) -> None:
    """Restore the state from when the trail had this length."""
    slots[LAYERS] = None  # type: ignore[call-overload]
    while len(trail) > length:
        value = trail.pop()
        slots[trail.pop()] = value


def ratio_column(ratios: Sequence[tuple[int, int]], rounding: str, num: int, den: int) -> int:
    """Return the column of a ratio among ascending ones, clamped at the ends.

    x to 0 is the top column. 0 to x and 0 to 0 are the bottom one.
    """
    if num <= 0:
        return 0
    last = len(ratios) - 1
    if den <= 0:
        return last
    if rounding == "up":
        return next((i for i, (n, d) in enumerate(ratios) if n * den >= num * d), last)
    return max((i for i, (n, d) in enumerate(ratios) if n * den <= num * d), default=0)


def the(mask: int) -> int:
    """Return the only member of a set."""
    if not mask or mask & (mask - 1):
        raise RulesError(f"'the' needs exactly one, here are {mask.bit_count()}")
    return mask.bit_length() - 1


def there(value: int, missing: int) -> int:
    """Return a value that must not be missing."""
    if value == missing:
        raise RulesError("'the' needs one that is there, here is none")
    return value


def div_up(dividend: int, divisor: int) -> int:
    if divisor == 0:
        raise RulesError("division by zero")
    return -(-dividend // divisor)


def div_down(dividend: int, divisor: int) -> int:
    if divisor == 0:
        raise RulesError("division by zero")
    return dividend // divisor


def looked(slots: Sequence[int], table: int, at: int, args: object) -> int:
    """Return a row of a table that was looked up.

    Instrumented code replaces this function to record look-ups. `args()` returns the keys before
    they were clamped.
    """
    return at


def shifted(slots: Sequence[int], kind: int, value: int, args: object) -> int:
    """Return a member that was moved along its kind.

    Instrumented code replaces this function to record shifts. `args()` returns the member before
    and the distance.
    """
    return value


def row(value: int, low: int, high: int) -> int:
    """Return a key of a table, counted from its first line."""
    if value < low or value > high:
        raise RulesError(f"the table has no line for {value}")
    return value - low


def key(value: int, low: int, high: int) -> int:
    """Return a number that is a key, counted from the first."""
    if value < low or value > high:
        raise RulesError(f"there is no value for {value}: it goes from {low} to {high}")
    return value - low


def at(table: Sequence[int], index: int) -> int:
    """Return an entry of a table, or 0 beyond its ends."""
    return table[index] if 0 <= index < len(table) else 0


def shift(member: int, by: int, top: int) -> int:
    """Move a member by some places, stopping at the ends. A missing value stays missing."""
    return member if member < 0 else min(max(member + by, 0), top)


def too_long(limit: int) -> None:
    raise RulesError(f"the loop was not over after {limit} rounds")


def could_be(known: int, item: int, pool: int, hidden: int) -> bool:
    """Return True if, by public knowledge, a thing may be in a pool."""
    if item < 0:
        return False
    return bool(pool >> item & 1) if known >> item & 1 else bool(hidden and pool)


def compare_ratios(op: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Compare ratios by cross multiplication. x to 0 is greater than all others, 0 to x less."""
    (a, b), (c, d) = ((0, 1) if n <= 0 else (1, 0) if k <= 0 else (n, k) for n, k in (left, right))
    x, y = a * d, c * b
    return {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def union(slots: list[int], base: int, mask: int) -> int:
    """Return the union of the slots base + i for the members i of a set."""
    out = 0
    while mask:
        low = mask & -mask
        out |= slots[base + low.bit_length() - 1]
        mask ^= low
    return out


def union_of(table: Sequence[int], mask: int) -> int:
    """Return the union of the entries i of a table of masks for the members i of a set."""
    out = 0
    while mask:
        low = mask & -mask
        out |= table[low.bit_length() - 1]
        mask ^= low
    return out


def members(mask: int) -> list[int]:
    """Return the members of a set, in order."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def chosen(ways: Sequence[int], axes: Sequence[tuple[int, int]], values: Sequence[Any]) -> Any:
    """Select from row-major values over some axes (number, size), by the choice on each axis."""
    place = 0
    for axis, size in axes:
        place = place * size + ways[axis]
    return values[place]
