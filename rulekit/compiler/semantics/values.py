"""Operations on run-time values that do not depend on the game: members of sets, missing values,
offsets in tables, comparisons.

The module also defines `ReferenceDerivation`, the record of how the value of a total or permit was
computed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, assert_never

from attrs import define, field

from rulekit.compiler import model as m

Value = Any  # an int; a tuple of ints for a record or a ratio
ARITH: Mapping[m.ArithOp, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "down": operator.floordiv,
    "up": lambda x, y: -(-x // y),
}
COMPARE: Mapping[m.CompareOp, Callable[[Value, Value], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COUNT: Mapping[Literal["some", "no", "count"], Callable[[int], int]] = {
    "some": bool,
    "no": operator.not_,
    "count": int.bit_count,
}
LEAST: Mapping[Literal["min", "max"], Callable[[Iterable[int]], int]] = {"min": min, "max": max}
AGGREGATE: Mapping[Literal["sum", "min", "max", "median"], Callable[[list[int], int], int]] = {
    "sum": lambda values, _: sum(values),
    "min": lambda values, of_none: min(
        values, default=of_none
    ),  # NO_LIMIT is greater than all numbers
    "max": lambda values, of_none: max(values, default=of_none),
    "median": lambda values, of_none: sorted(values)[(len(values) - 1) // 2] if values else of_none,
}
SETS: Mapping[Literal["+", "-"], Callable[[int, int], int]] = {
    "+": operator.or_,
    "-": lambda some, less: some & ~less,
}


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a set, in data order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def void(type: m.Type) -> Value:
    """Return the empty value of a type, also for records."""
    return (
        tuple(m.empty(t) for _, t in type.fields) if isinstance(type, m.Record) else m.empty(type)
    )


def is_member(type: m.Type) -> bool:
    return isinstance(type, m.MemberOf)


def layers(
    arcs: Iterable[tuple[int, int, int]], start: int, borders: int, through: int
) -> Iterator[int]:
    """Yield the places by their distance from `start`, as masks. The first contains only the start.

    Args:
        arcs: (border, from, to).
        borders: the mask of borders that may be used.
        through: the mask of places, in addition to the start, that can be left again.
    """
    ways = [(a, z) for b, a, z in arcs if borders >> b & 1]
    layer = seen = 1 << start if start >= 0 else 0
    while layer:
        yield layer
        leaving = layer & (through | 1 << start)
        layer = 0
        for a, z in ways:
            if leaving >> a & 1 and not seen >> z & 1:
                layer |= 1 << z
        seen |= layer


def looked_for(op: Literal["distance", "nearest", "within"], by: int, around: Iterable[int]) -> int:
    """Return the result of a `Ways` expression, given the layers around its start."""
    found = m.NO_LIMIT if op == "distance" else 0
    for steps, layer in enumerate(around):
        match op:
            case "distance":
                if by >= 0 and layer >> by & 1:
                    return steps
            case "nearest":
                if layer & by:
                    return layer & by
            case "within":
                found |= layer if steps <= by else 0
            case never:
                assert_never(never)
    return found


def is_missing(type: m.Type, value: Value) -> bool:
    """Return True if a value is the missing value of this type. For an optional number this is
    NO_LIMIT.
    """
    if isinstance(type, m.MemberOf):
        return bool(value == -1)
    return isinstance(type, m.Int) and value == m.NO_LIMIT


def refuses(params: Iterable[m.Var], args: Iterable[Value]) -> bool:
    """Return True if an argument is a missing value that its parameter does not accept."""
    pairs = zip(params, args, strict=True)
    return any(v == -1 and isinstance(p.type, m.MemberOf) and not p.type.optional for p, v in pairs)


def offset(keys: Sequence[m.Key], values: Sequence[int]) -> int | None:
    """Return the index in a row-major list, or None if any key is a missing value.

    Raises:
        IndexError: another key is out of range.
    """
    if any(key.kind is not None and value == -1 for key, value in zip(keys, values, strict=True)):
        return None
    place = 0
    for key, value in zip(keys, values, strict=True):
        step = value - (0 if key.kind is not None else key.low)
        if not 0 <= step < key.size:
            raise IndexError(value)
        place = place * key.size + step
    return place


def ratio_column(ratios: Sequence[tuple[int, int]], rounding: str, num: int, den: int) -> int:
    """Return the column of a ratio among ascending ones.

    Ratios beyond the ends are clamped. x to 0 selects the last column, and 0 to x (also 0 to 0) the
    first.
    """
    if num <= 0:
        return 0
    if den <= 0:
        return len(ratios) - 1
    if rounding == "up":
        return next((i for i, (n, d) in enumerate(ratios) if n * den >= num * d), len(ratios) - 1)
    return max((i for i, (n, d) in enumerate(ratios) if n * den <= num * d), default=0)


def compare_ratios(op: m.CompareOp, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Compare two ratios by cross multiplication. x to 0 is greater than all others, and 0 to x is
    less.
    """
    (a, b), (c, d) = ((0, 1) if n <= 0 else (1, 0) if k <= 0 else (n, k) for n, k in (left, right))
    return COMPARE[op](a * d, c * b)


@define(eq=False)
class ReferenceLine:
    """One clause in a derivation.

    Attributes:
        status: "applied", "condition" (it does not hold), "cancelled" (by `cancel`), "overridden"
            (another set or base came first) or "idle" (a bound that does not change the value).
        amount: the amount of the clause, if it applies.
        holder: the member for which the clause of a card holds, or -1.
        parts: the totals and permits that its condition and its amount used.
    """

    clause: m.Clause
    status: str
    amount: int | None = None
    holder: int = -1
    cancel: m.Cancel | None = None
    parts: list[ReferenceDerivation] = field(factory=list)


@define(eq=False)
class ReferenceDerivation:
    """The record of how the value of a total or permit was computed."""

    target: m.Total | m.Permit
    args: list[Any]
    value: int = 0
    lines: list[ReferenceLine] = field(factory=list)
    pending: list[ReferenceDerivation] = field(
        factory=list
    )  # parts of the line that is being worked out

    def add(self, line: ReferenceLine) -> None:
        line.parts, self.pending = self.pending, []
        self.lines.append(line)


Env = dict[m.Var, Any]


class NotConstant(Exception):
    """Raised if the value depends on the state of a game."""
