"""Steps that write the value that is already there: `n := n`, `n += 0`, or `n := min(9, n + 0)` for
a number up to 9.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.model.visitor import rebuilt, substitute

NOTHING: Mapping[m.Var, m.Expr] = {}
DEEP = 4  # the number of calls inside calls that are followed


def is_same(stmt: m.Stmt, given: Mapping[m.Var, m.Expr] = NOTHING) -> bool:
    """Return True if a step certainly writes the value that is already there.

    Args:
        given: the known values of parameters.
    """
    if isinstance(stmt, m.IfStmt):
        return bool(stmt.then or stmt.other) and all(
            is_same(each, given) for each in (*stmt.then, *stmt.other)
        )
    if not isinstance(stmt, (m.SetVar, m.SetCell)):
        return False
    value = plain(substitute(stmt.value, given))
    if stmt.op != ":=":
        return _is(value, 0)
    if isinstance(stmt, m.SetVar):
        return isinstance(value, m.Read) and value.var is stmt.var
    keys = [plain(substitute(k, given)) for k in stmt.keys]
    return (
        isinstance(value, m.ReadCell) and value.cell is stmt.cell and key(value.keys) == key(keys)
    )


def is_idle(stmt: m.Stmt, given: Mapping[m.Var, m.Expr], deep: int = DEEP) -> bool:
    """Return True if a step of a procedure certainly changes nothing outside of it.

    It is a loop without rounds, draws nothing, or writes the values that are already there.

    Args:
        given: the known values of parameters.
        deep: the number of further calls that are followed.
    """
    if is_same(stmt, given):
        return True
    if isinstance(stmt, m.Repeat):
        return stmt.form != "until" and _is(plain(substitute(stmt.limit, given)), 0)
    if isinstance(stmt, m.Draw):
        return _is(plain(substitute(stmt.count, given)), 0)
    if isinstance(stmt, m.IfStmt):
        return all(is_idle(each, given, deep) for each in (*stmt.then, *stmt.other))
    if isinstance(stmt, m.CallProc):
        return deep > 0 and has_idle_call(stmt, given, deep)
    return False


def has_idle_call(call: m.CallProc, given: Mapping[m.Var, m.Expr], deep: int = DEEP) -> bool:
    """Return True if a procedure certainly changes nothing with the numbers that it gets."""
    args = [plain(substitute(arg, given)) for arg in call.args]
    inside = {
        var: arg
        for var, arg in zip(call.proc.params, args, strict=True)
        if isinstance(arg, m.Const)
    }
    body = call.proc.body
    return bool(inside and body and call.proc.word == "procedure") and all(
        is_idle(each, inside, deep - 1) for each in body
    )


def plain(e: m.Expr) -> m.Expr:
    """Return the expression without parts that do not affect its value."""
    e = rebuilt(e, plain)
    if isinstance(e, m.InRange):
        return e.value
    if isinstance(e, m.The) and isinstance(e.source.type, m.MemberOf):
        return e.source
    if isinstance(e, (m.Arith, m.SetOp)) and e.op in ("+", "-"):
        return e.left if _is(e.right, 0) else e.right if e.op == "+" and _is(e.left, 0) else e
    if isinstance(e, m.Arith) and e.op == "*":
        return e.left if _is(e.right, 1) else e.right if _is(e.left, 1) else e
    return _within(e) if isinstance(e, m.Least) else e


def _is(e: m.Expr, value: int) -> bool:
    return isinstance(e, m.Const) and e.value == value


def _within(e: m.Least) -> m.Expr:
    """Remove the numbers from `min` and `max` that a state never exceeds."""
    for read in e.args:
        type = read.cell.type if isinstance(read, m.ReadCell) else None
        end = (type.high if e.op == "min" else type.low) if isinstance(type, m.Int) else None
        others = [each.value for each in e.args if isinstance(each, m.Const)]
        if (
            end is not None
            and len(others) == len(e.args) - 1
            and all(n >= end if e.op == "min" else n <= end for n in others)
        ):
            return read
    return e
