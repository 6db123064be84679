"""Build values from an operator and lowered operands, and fold them if the operands are known."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial, reduce
from typing import Any, Literal

from rulekit.compiler import model as m
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import nodes
from rulekit.compiler.lowering.unit import ZERO, const, known
from rulekit.compiler.semantics.values import ARITH, COMPARE

PYTHON: dict[m.CompareOp, v.CompareOp] = {
    "=": "==",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
}


def all_known(*operands: v.Value) -> list[Any] | None:
    """Return the values if all of them are known, else None."""
    values = [known(x) for x in operands]
    return None if None in values else values


def either(test: v.Value, then: v.Value, other: v.Value, flag: bool = False) -> v.Value:
    """Return one of two values, depending on a test.

    Args:
        flag: True if both are truth values.
    """
    return (
        v.IfValue(test, then, other, flag)
        if known(test) is None
        else then
        if known(test)
        else other
    )


def size(mask: v.Value) -> v.Value:
    """Return the number of members of a set."""
    here = known(mask)
    return const(here.bit_count()) if here is not None else v.Size(mask)


def bits(op: Literal["&", "|"], masks: Sequence[v.Value], whole: int = -1) -> v.Value:
    """Combine masks with an operator, each mask once.

    All known masks become one, which is left out if it changes nothing.

    Args:
        whole: the set of all possible members.
    """
    joined, neutral, deciding = (operator.and_, -1, 0) if op == "&" else (operator.or_, 0, whole)
    sure = reduce(joined, [known(x) for x in masks if known(x) is not None], neutral)
    rest = [x for x in dict.fromkeys(masks) if known(x) is None]
    if not rest or sure == deciding:
        return const(sure & whole)
    idle = sure == neutral or (op == "&" and sure == whole and not all(map(complements, rest)))
    return reduce(partial(v.Bits, op), rest if idle else [*rest, const(sure)])


def complements(value: v.Value) -> bool:
    """Return True if the value contains a complement, so that it may have bits beyond the members
    of its kind.
    """
    return any(isinstance(n, v.Complement) for n in nodes(value))


def others(value: v.Value, whole: int) -> v.Value:
    """Return all members of a kind that are not in a mask."""
    if isinstance(value, v.ConstValue):
        return const(whole & ~known(value))
    return value.mask if isinstance(value, v.Complement) else v.Complement(value)


def bit(member: v.Value, type: v.Type, unsure: bool = False) -> v.Value:
    """Return the set of one member.

    Args:
        unsure: True if the member may be none, which gives the empty set.
    """
    at = known(member)
    if at is not None:
        return const(1 << at if at >= 0 else 0)
    return v.BitOrNone(member, type) if unsure else v.Bit(member, type)


def has(mask: v.Value, place: v.Value, unsure: bool) -> v.Value:
    """Return the test that a place, counted from 0, is in the mask.

    Args:
        unsure: True if the place may be -1.
    """
    at = known(place)
    if known(mask) == 0 or (at is not None and at < 0):
        return ZERO
    return v.HasOrNone(mask, place) if unsure and at is None else v.Has(mask, place)


def arith(op: m.ArithOp, left: v.Value, right: v.Value) -> v.Value:
    """Return the result of an arithmetic operator. A division is left to run time if its divisor
    may be 0.
    """
    values = all_known(left, right)
    if values is not None and (op in "+-*" or known(right)):
        return const(ARITH[op](*values))
    if op in "+-" and known(right) == 0:
        return left
    if op == "+" and known(left) == 0:
        return right
    if op == "*" and 1 in (known(left), known(right)):
        return right if known(left) == 1 else left
    if op != "up" and op != "down":
        return v.ArithValue(op, left, right)
    if known(right):
        return (
            v.ArithValue("//", left, right)
            if op == "down"
            else v.Negative(v.ArithValue("//", v.Negative(left), right))
        )
    return v.RunValue("div_up" if op == "up" else "div_down", (left, right))


def moved(value: v.Value, by: int) -> v.Value:
    """Return a number that is greater by `by`."""
    if isinstance(value, v.ConstValue) or not by:
        return const(known(value) + by) if by else value
    return v.ArithValue("+" if by > 0 else "-", value, const(abs(by)))


def comparison(
    op: m.CompareOp, left: v.Value, right: v.Value, nullable: Sequence[v.Value] = ()
) -> v.Value:
    """Return a comparison of numbers or ordinals.

    Args:
        nullable: the operands that may be none. The comparison is false if one of them is.
    """
    values = all_known(left, right)
    if values is not None:
        return const(int(all(known(x) >= 0 for x in nullable) and COMPARE[op](*values)))
    return v.CompareValue(PYTHON[op], left, right, tuple(nullable))
