"""Conditions that a growing or shrinking value keeps true, such as `glory(s) > 3` if all writes
only add to `glory`.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.check.typecheck.ranges import certain
from rulekit.compiler.model.visitor import reached

Ends = Callable[[m.Expr], tuple[int, int] | None]
LARGE, SMALL = (">", ">="), ("<", "<=")


def grows_with(e: m.Expr, cell: m.Cell) -> int | None:
    """Return how a value changes if a cell grows: 1 (it never gets smaller), -1 (it never gets
    larger), 0 (it does not read the cell), or None (unknown). True is larger than false.
    """
    if not any(isinstance(node, m.ReadCell) and node.cell is cell for node in reached(e)):
        return 0
    if isinstance(e, m.ReadCell):
        return 1 if all(grows_with(k, cell) == 0 for k in e.keys) else None
    if isinstance(e, (m.And, m.Or)):
        return _together([grows_with(item, cell) for item in e.items])
    if isinstance(e, m.Not):
        return _times(-1, grows_with(e.value, cell))
    if isinstance(e, m.Compare) and e.op in (*LARGE, *SMALL):
        sides = grows_with(e.left, cell), _times(-1, grows_with(e.right, cell))
        return _times(1 if e.op in LARGE else -1, _together([*sides]))
    if isinstance(e, m.Arith) and e.op in ("+", "-"):
        right = _times(1 if e.op == "+" else -1, grows_with(e.right, cell))
        return _together([grows_with(e.left, cell), right])
    if isinstance(e, m.Least):
        return _together([grows_with(arg, cell) for arg in e.args])
    if isinstance(e, m.InRange):
        return grows_with(e.value, cell)
    if isinstance(e, m.Count):
        return _times(-1 if e.op == "no" else 1, grows_with(e.source, cell))
    if isinstance(e, m.Filter):
        return _together([grows_with(e.source, cell), grows_with(e.cond, cell)])
    if isinstance(e, m.Aggregate) and e.op == "sum" and grows_with(e.source, cell) == 0:
        return grows_with(e.value, cell)
    return None


def _together(signs: list[int | None]) -> int | None:
    """Return the common sign of several parts."""
    found = {sign for sign in signs if sign != 0}
    return 0 if not found else found.pop() if len(found) == 1 else None


def _times(sign: int, other: int | None) -> int | None:
    return None if other is None else sign * other


def direction(write: m.SetCell, value: m.Expr, ends: Ends) -> int | None:
    """Return 1 if a write never makes its cell smaller, -1 if it never makes it larger, and None if
    neither is certain.

    Args:
        value: the value that is written or added.
        ends: returns the range of a number.
    """
    if isinstance(write.cell.type, m.SetOf):
        return None
    if write.op != ":=":
        return _times(1 if write.op == "+=" else -1, _sign(ends(value)))
    old = m.ReadCell(write.cell, write.keys, type=write.cell.type)
    return next((sign for sign in (1, -1) if _moves(value, old, sign, ends)), None)


def _sign(ends: tuple[int, int] | None) -> int | None:
    return None if ends is None else 1 if ends[0] >= 0 else -1 if ends[1] <= 0 else None


def _moves(e: m.Expr, old: m.ReadCell, sign: int, ends: Ends) -> bool:
    """Return True if a value is certainly not below the old one (`sign` 1), or not above it."""
    if isinstance(e, m.ReadCell):
        return bool(key(e) == key(old))
    if isinstance(e, m.Const):
        return _is_end(e.value, old.cell.type, sign)
    if isinstance(e, m.InRange):
        return _moves(e.value, old, sign, ends)
    if isinstance(e, m.If):
        return _moves(e.then, old, sign, ends) and _moves(e.other, old, sign, ends)
    if isinstance(e, m.Shift):
        return _moves(e.member, old, sign, ends) and _sign(ends(e.by)) == sign
    if isinstance(e, m.Arith) and e.op in ("+", "-"):
        by = _times(1 if e.op == "+" else -1, _sign(ends(e.right)))
        left = _moves(e.left, old, sign, ends) and by == sign
        return left or (
            e.op == "+" and _moves(e.right, old, sign, ends) and _sign(ends(e.left)) == sign
        )
    if isinstance(e, m.Least):
        moves = [_moves(arg, old, sign, ends) for arg in e.args]
        return all(moves) if (e.op == "min") == (sign == 1) else any(moves)
    return False


def _is_end(value: int, type: m.Type, sign: int) -> bool:
    """Return True if no value of the type is beyond this one."""
    if isinstance(type, m.Bool):
        return value == (sign == 1)
    if isinstance(type, m.Int):
        end = type.high if sign == 1 else type.low
        return end is not None and (value >= end if sign == 1 else value <= end)
    return (
        isinstance(type, m.MemberOf)
        and type.kind.ordered
        and not type.optional
        and value == (type.kind.size - 1 if sign == 1 else 0)
    )


def ends_of(e: m.Expr, ranges: Ends) -> tuple[int, int] | None:
    """Return the range of a number, from all that is written to it or else from its form."""
    found = ranges(e)
    return found if found is not None else certain(e)
