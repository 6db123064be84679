"""Takes an operator and lowered operands, makes the value: worked out here where the operands are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from rulekit import model as m
from rulekit.compile.ir import values as v
from rulekit.compile.lower.unit import ZERO, const, known
from rulekit.meaning.values import ARITH, COMPARE, LEAST, SETS

PYTHON = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def all_known(*operands: v.Value) -> list[Any] | None:
    """The values, if all are known."""
    values = [known(x) for x in operands]
    return None if None in values else values


def either(test: v.Value, then: v.Value, other: v.Value, flag: bool = False) -> v.Value:
    """One or the other, as a test says. `flag`: are both truth values?"""
    return v.If(test, then, other, flag) if known(test) is None else then if known(test) else other


def size(mask: v.Value) -> v.Value:
    """How many members a set has."""
    here = known(mask)
    return const(here.bit_count()) if here is not None else v.Size(mask)


def bits(op: str, masks: Sequence[v.Value]) -> v.Value:
    """Masks joined by an operator, the first with the second, and so on."""
    made = masks[0]
    for x in masks[1:]:
        made = v.Bits(op, made, x)
    return made


def united(masks: Sequence[v.Value]) -> v.Value:
    """The union of some sets: what is known at one stroke."""
    whole = 0
    for x in masks:
        whole |= known(x) or 0
    rest = [x for x in masks if known(x) is None]
    if not rest:
        return const(whole)
    return bits("|", [*rest, const(whole)] if whole else rest)


def set_op(op: Literal["+", "-"], a: v.Value, b: v.Value) -> v.Value:
    """A union or a difference."""
    if op == "+":
        return united([a, b])
    values = all_known(a, b)
    if values is not None:
        return const(SETS[op](*values))
    if known(a) == 0:
        return ZERO
    return a if known(b) == 0 else v.Bits("&", a, v.Complement(b))


def has(mask: v.Value, place: v.Value, unsure: bool) -> v.Value:
    """Is the place (counted from 0) in the mask? `unsure`: it may be -1."""
    at, whole = known(place), known(mask)
    if at is not None and (at < 0 or whole is not None):
        return const(0 if at < 0 else whole >> at & 1)
    if whole == 0:
        return ZERO
    return v.HasOrNone(mask, place) if unsure and at is None else v.Has(mask, place)


def arith(op: m.ArithOp, a: v.Value, b: v.Value) -> v.Value:
    """A number of two. A division by what may be 0 is left to the game that does it."""
    if op in "+-" and known(b) == 0:
        return a
    if op == "+" and known(a) == 0:
        return b
    if op == "*" and 1 in (known(a), known(b)):
        return b if known(a) == 1 else a
    values = all_known(a, b)
    if op in "+-*":
        if values is None:
            return v.Arith(op, a, b)
        return const(ARITH[op](*values))
    if values is not None and known(b):
        return const(ARITH[op](*values))
    if known(b):
        return v.Arith("//", a, b) if op == "down" else v.Negative(v.Arith("//", v.Negative(a), b))
    return v.Run(f"div_{op}", (a, b))


def moved(x: v.Value, by: int) -> v.Value:
    """A number that is greater by so much."""
    if isinstance(x, v.Const) or not by:
        return const(known(x) + by) if by else x
    return v.Arith("+" if by > 0 else "-", x, const(abs(by)))


def least(op: Literal["min", "max"], numbers: Sequence[v.Value]) -> v.Value:
    """The least or the greatest of some numbers."""
    values = all_known(*numbers)
    if values is not None:
        return const(LEAST[op](values))
    return v.Extreme(op, tuple(numbers))


def comparison(op: m.CompareOp, a: v.Value, b: v.Value, holes: Sequence[v.Value] = ()) -> v.Value:
    """A comparison of numbers or ordinals. `holes`: which of the two may be none; then it is false."""
    values = all_known(a, b)
    if values is not None:
        return const(int(all(known(x) >= 0 for x in holes) and COMPARE[op](*values)))
    return v.Compare(PYTHON[op], a, b, tuple(holes))
