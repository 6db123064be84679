"""Takes states and masks at play time, makes what emitted code needs: random results, options out
of layers, undo, errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

from rulekit.common.errors import RulesError, ScriptError
from rulekit.runtime.slots import COUNTER, LAYERS, SCRIPT, SEED

_M64 = 0xFFFFFFFFFFFFFFFF
KEYS = 1 << 64  # seeds from here on are keys
SEEDS = 1 << 128  # all seeds are below this
CHOICES = 1 << 32  # the branch of a seed from which the options of a playout are drawn
Layers = Sequence[tuple[int, int]]


class Over(Exception):
    """Inside emitted code: the game has ended in the midst of a function. Never leaves `apply`."""


def mix(seed: int, counter: int) -> int:
    """The 64 random bits with this number: of a small seed by splitmix64; of a key by a keyed hash,
    so that they tell nothing of others."""
    if seed > _M64:
        return int.from_bytes(_hashed(seed, counter, 8, b"dice"), "little")
    x = (seed + (counter + 1) * 0x9E3779B97F4A7C15) & _M64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _M64
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _M64
    return x ^ x >> 31


def branch(seed: int, number: int) -> int:
    """A seed for something beside the dice, such as an agent. That of a key tells nothing of the
    key."""
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
    """The sum of `number` dice, the first with this counter."""
    return sum(mix(seed, counter + i) % faces + 1 for i in range(number))


def script(values: Iterable[int]) -> int:
    """Scripted results as one int for the slot SCRIPT: the sum of each roll, the ordinal of each
    thing drawn, in order. 1: used up."""
    code = 1
    for value in reversed(list(values)):
        code = code << 16 | value + 1
    return code


def scripted(s: list[int]) -> int:
    """How many scripted results are left."""
    return max(0, (s[SCRIPT].bit_length() - 1) // 16)


def roll(s: list[int], number: int, faces: int) -> int:
    """The next roll. Writes SCRIPT or COUNTER (emitted code has put both on the trail)."""
    code = s[SCRIPT]
    if code > 1:
        s[SCRIPT] = code >> 16
        value = (code & 0xFFFF) - 1
        if not number <= value <= number * faces:
            raise ScriptError(
                f"the result {value} cannot be rolled with {number}d{faces}", scripted(s), False
            )
        return value
    counter = s[COUNTER]
    s[COUNTER] = counter + number
    if number == 1:
        return mix(s[SEED], counter) % faces + 1
    return dice(s[SEED], counter, number, faces)


def draw(s: list[int], mask: int) -> int:
    """A random member of a set that is not empty."""
    code = s[SCRIPT]
    if code > 1:
        s[SCRIPT] = code >> 16
        member = (code & 0xFFFF) - 1
        if not mask >> member & 1:
            raise ScriptError("the result of a draw is not there to be drawn", scripted(s), True)
        return member
    counter = s[COUNTER]
    s[COUNTER] = counter + 1
    return nth(mask, mix(s[SEED], counter) % mask.bit_count())


def nth(mask: int, k: int) -> int:
    """The position of the bit number k (from 0, lowest first)."""
    if k < 6 and mask < 0x10000000000000000:  # few steps: sooner done than halving
        while k:
            mask &= mask - 1
            k -= 1
        return (mask & -mask).bit_length() - 1
    shift = 0
    while mask > 0xFFFFFFFF:
        low = mask & 0xFFFFFFFF
        n = low.bit_count()
        if k < n:
            mask = low
            break
        k -= n
        mask >>= 32
        shift += 32
    low = mask & 0xFFFF
    n = low.bit_count()
    if k >= n:
        k -= n
        low = mask >> 16
        shift += 16
    n = (low & 0xFF).bit_count()
    if k >= n:
        k -= n
        low >>= 8
        shift += 8
    while k:
        low &= low - 1
        k -= 1
    return shift + (low & -low).bit_length() - 1


def count(layers: Layers) -> int:
    """How many options."""
    return sum(mask.bit_count() for _, mask in layers)


def sample(layers: Layers, u: float) -> int:
    """The option at u in [0, 1): no list is made."""
    if len(layers) == 1:
        base, mask = layers[0]
        n = mask.bit_count()
        if n == 1:
            return base + mask.bit_length() - 1
        return base + nth(mask, int(u * n))
    k = 0
    for _, mask in layers:
        k += mask.bit_count()
    k = int(u * k)
    for base, mask in layers:
        n = mask.bit_count()
        if k < n:
            return base + (mask.bit_length() - 1 if n == 1 else nth(mask, k))
        k -= n
    raise IndexError("no options")


def drawn(layers: Layers, bits: int) -> int:
    """The option that 64 random bits choose: in integers, so that every target chooses the same."""
    k = (bits >> 32) * count(layers) >> 32
    for base, mask in layers:
        n = mask.bit_count()
        if k < n:
            return base + nth(mask, k)
        k -= n
    raise IndexError("no options")


def ids(layers: Layers) -> list[int]:
    """All option ids, ascending within each layer, layers in order."""
    out: list[int] = []
    for base, mask in layers:
        while mask:
            low = mask & -mask
            out.append(base + low.bit_length() - 1)
            mask ^= low
    return out


def offers(layers: Layers, option: int) -> bool:
    """Is this option among them?"""
    return any(base <= option and mask >> option - base & 1 for base, mask in layers)


def is_single(layers: Layers) -> bool:
    """Is there exactly one option?"""
    return len(layers) == 1 and not layers[0][1] & (layers[0][1] - 1)


def undo(s: list[int], trail: list[int], length: int) -> None:
    """Takes the state back to where the trail had this length."""
    s[LAYERS] = None  # type: ignore[call-overload]
    while len(trail) > length:
        value = trail.pop()
        s[trail.pop()] = value


def ratio_column(ratios: Sequence[tuple[int, int]], rounding: str, num: int, den: int) -> int:
    """The column of a ratio among ascending ones; the ends clamp; x to 0 is the top, 0 to x (and 0
    to 0) the bottom."""
    if num <= 0:
        return 0
    last = len(ratios) - 1
    if den <= 0:
        return last
    if rounding == "up":
        return next((i for i, (n, d) in enumerate(ratios) if n * den >= num * d), last)
    return max((i for i, (n, d) in enumerate(ratios) if n * den <= num * d), default=0)


def the(mask: int) -> int:
    """The only member."""
    if not mask or mask & (mask - 1):
        raise RulesError(f"'the' needs exactly one, here are {mask.bit_count()}")
    return mask.bit_length() - 1


def there(value: int, hole: int) -> int:
    """A value that must not be none."""
    if value == hole:
        raise RulesError("'the' needs one that is there, here is none")
    return value


def div_up(a: int, b: int) -> int:
    if b == 0:
        raise RulesError("division by zero")
    return -(-a // b)


def div_down(a: int, b: int) -> int:
    if b == 0:
        raise RulesError("division by zero")
    return a // b


def looked(s: Sequence[int], table: int, at: int, args: object) -> int:
    """A row that was looked up; a place to listen at (`args()`: the keys as they were before they
    were pulled to the ends)."""
    return at


def shifted(s: Sequence[int], kind: int, value: int, args: object) -> int:
    """A member that was moved along its kind; a place to listen at (`args()`: the member before,
    and by how much)."""
    return value


def row(value: int, low: int, high: int) -> int:
    """A key of a table, counted from its first line."""
    if value < low or value > high:
        raise RulesError(f"the table has no line for {value}")
    return value - low


def key(value: int, low: int, high: int) -> int:
    """A number that is a key, counted from the first."""
    if value < low or value > high:
        raise RulesError(f"there is no value for {value}: it goes from {low} to {high}")
    return value - low


def at(table: Sequence[int], i: int) -> int:
    """An entry of a table; 0 beyond its ends."""
    return table[i] if 0 <= i < len(table) else 0


def shift(member: int, by: int, top: int) -> int:
    """A member moved by some places, stopping at the ends; none stays none."""
    return member if member < 0 else min(max(member + by, 0), top)


def too_long(limit: int) -> None:
    raise RulesError(f"the loop was not over after {limit} rounds")


def could_be(known: int, item: int, pool: int, hidden: int) -> bool:
    """May everybody think that a thing lies in a pool?"""
    if item < 0:
        return False
    return bool(pool >> item & 1) if known >> item & 1 else bool(hidden and pool)


def compare_ratios(op: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """By cross multiplication; x to 0 is greater than all, 0 to x less."""
    (a, b), (c, d) = ((0, 1) if n <= 0 else (1, 0) if k <= 0 else (n, k) for n, k in (left, right))
    x, y = a * d, c * b
    return {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def union(s: list[int], base: int, mask: int) -> int:
    """The slots base + i for the members i of a set, united."""
    out = 0
    while mask:
        low = mask & -mask
        out |= s[base + low.bit_length() - 1]
        mask ^= low
    return out


def union_of(table: Sequence[int], mask: int) -> int:
    """The entries i of a table of masks for the members i of a set, united."""
    out = 0
    while mask:
        low = mask & -mask
        out |= table[low.bit_length() - 1]
        mask ^= low
    return out


def members(mask: int) -> list[int]:
    """The members of a set, in order."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def chosen(ways: Sequence[int], axes: Sequence[tuple[int, int]], values: Sequence[Any]) -> Any:
    """Of values over some axes (number, size), row-major, the one for the way that each axis
    takes."""
    place = 0
    for axis, size in axes:
        place = place * size + ways[axis]
    return values[place]
