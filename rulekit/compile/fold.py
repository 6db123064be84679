"""Takes an operator and lowered operands, makes the expression: worked out here where the operands are known, else Python text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit import model as m
from rulekit.compile.unit import X, const
from rulekit.meaning.values import compare

PYTHON = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def known(*operands: X) -> list[Any] | None:
    """The values, if all are known."""
    values = [x.const for x in operands]
    return None if None in values else values


def members_of(mask: int) -> list[int]:
    """The members of a set that is known, in order."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def size(mask: X) -> X:
    """How many members a set has."""
    return const(mask.const.bit_count()) if mask.const is not None else X(f"{mask.p}.bit_count()", atom=True)


def united(masks: Sequence[X]) -> X:
    """The union of some sets: what is known at one stroke."""
    whole = 0
    for x in masks:
        whole |= x.const or 0
    rest = [x for x in masks if x.const is None]
    if not rest:
        return const(whole)
    terms = [*rest, const(whole)] if whole else rest
    return X(" | ".join(x.p for x in terms)) if len(terms) > 1 else rest[0]


def set_op(op: str, a: X, b: X) -> X:
    """A union, a difference, or the common members."""
    if op == "+":
        return united([a, b])
    values = known(a, b)
    if values is not None:
        return const(values[0] & ~values[1] if op == "-" else values[0] & values[1])
    if a.const == 0 or (op != "-" and b.const == 0):
        return const(0)
    if op == "-":
        return a if b.const == 0 else X(f"{a.p} & ~{b.p}")
    return X(f"{a.p} & {b.p}")


def has(mask: X, place: X, test: str) -> X:
    """Is the place (counted from 0) in the mask? `test`: the text for one that is not known."""
    if place.const is not None and (place.const < 0 or mask.const is not None):
        return const(0 if place.const < 0 else mask.const >> place.const & 1)
    if mask.const == 0:
        return const(0)
    if place.const is not None:
        return X(f"{mask.p} >> {place.const} & 1" if place.const else f"{mask.p} & 1")
    return X(test, truthy="B[" in test)


def arith(op: str, a: X, b: X) -> X:
    """A number of two. A division by what may be 0 is left to the game that does it."""
    if op in "+-" and b.const == 0:
        return a
    if op == "+" and a.const == 0:
        return b
    if op == "*" and 1 in (a.const, b.const):
        return b if a.const == 1 else a
    values = known(a, b)
    if op in "+-*":
        if values is None:
            return X(f"{a.p} {op} {b.p}")
        x, y = values
        return const(x + y if op == "+" else x - y if op == "-" else x * y)
    if values is not None and b.const:
        return const(a.const // b.const if op == "down" else -(-a.const // b.const))
    if b.const:
        return X(f"{a.p} // {b.p}" if op == "down" else f"-(-{a.p} // {b.p})")
    return X(f"div_{op}({a.text}, {b.text})", atom=True)


def least(op: str, numbers: Sequence[X]) -> X:
    """The least or the greatest of some numbers."""
    values = known(*numbers)
    if values is not None:
        return const(min(values) if op == "min" else max(values))
    return X(f"{op}({', '.join(x.text for x in numbers)})", atom=True)


def comparison(op: m.CompareOp, a: X, b: X, holes: Sequence[X] = ()) -> X:
    """A comparison of numbers or ordinals. `holes`: which of the two may be none; then it is false."""
    values = known(a, b)
    if values is not None:
        return const(int(all(x.const >= 0 for x in holes) and compare(op, *values)))
    return X(" and ".join([*(f"{x.p} >= 0" for x in holes), f"{a.p} {PYTHON[op]} {b.p}"]))
