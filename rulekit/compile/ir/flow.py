"""Takes code and values, makes measures of them: jumps, length, whether it ends, what may be written twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v


def simple(x: v.Value) -> bool:
    """May it be written twice: is it only read, not worked out?"""
    return isinstance(x, (v.Const, v.Local, v.Frame, v.Slot, v.Chosen, v.Row))


def weight(body: Iterable[c.Stmt]) -> int:
    """How long the code is."""
    return sum(1 + sum(map(weight, inside(i))) for i in body)


def gotos(body: Iterable[c.Stmt]) -> list[c.Goto]:
    found: list[c.Goto] = []
    for i in body:
        found += [i] if isinstance(i, c.Goto) else [g for part in inside(i) for g in gotos(part)]
    return found


def inside(i: c.Stmt) -> list[c.Code]:
    """The code inside of a statement."""
    if isinstance(i, c.If):
        return [i.then, i.other]
    return [i.body] if isinstance(i, c.Loop) else []


def ends(body: Sequence[c.Stmt]) -> bool:
    """Does control never run off the end?"""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, c.If):
        return bool(last.other) and ends(last.then) and ends(last.other)
    return isinstance(last, (c.Goto, c.Decide, c.Return, c.Stop, c.Next))
