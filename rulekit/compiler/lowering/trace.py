"""Functions that derive the value of a total or permit, for the traced variant."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.expressions import ExpressionLowering, over
from rulekit.compiler.lowering.unit import (
    NONE,
    ONE,
    ZERO,
    Unit,
    const,
    disj,
    missing_tests,
    type_of,
)
from rulekit.compiler.model.visitor import binders, nodes, subexpressions

_MAX_INLINED_WEIGHT = 200  # of a definition
_DEEP = 6  # maximal depth of definitions inlined to find the totals inside
_NONE, _EMPTY = v.Nothing(), v.Tuple(())
_LINES, _PARTS = v.Local("lines", v.RECORD), v.Local("parts", v.RECORD)
_VALUE, _V, _FOUND, _CANCEL, _H = (v.Local(x) for x in ("value", "v", "found", "cancel", "h"))


def parts(low: ExpressionLowering, exprs: Sequence[m.Expr | None], ways: bool = False) -> v.Value:
    """Return a list of the derivations of the totals and permits that expressions call.

    Args:
        ways: also include the first steps of each movement whose reach is used.
    """
    found: list[v.Value] = []

    def tell(function: FunctionName, args: Sequence[m.Expr]) -> None:
        call = v.CallValue(function, tuple([low.val(a) for a in args]), v.RECORD)
        if call not in found:
            found.append(call)

    def look(expression: m.Expr, bound: frozenset[m.Var], depth: int) -> None:
        if isinstance(expression, (m.CallTotal, m.CallPermit)) and not any(
            low.an.deps(a).vars & bound for a in expression.args
        ):
            tell(trace_name(low.unit, expression.target), expression.args)
            return
        if ways and isinstance(expression, m.ReachOf) and not low.an.deps(expression).vars & bound:
            tell(
                FunctionName(FunctionKind.REACH_TRACE, low.unit.index(expression.movement)),
                [*expression.args, expression.start],
            )
            return
        if isinstance(expression, m.CallDefine) and depth < _DEEP:
            opened = low.called(expression)
            if low.an.weight(opened) < _MAX_INLINED_WEIGHT:
                look(opened, bound, depth + 1)
                return
        if (
            ways
            and isinstance(expression, m.Filter)
            and not bound
            and any(isinstance(n, m.ReachOf) for n in nodes(expression.cond))
        ):
            each = ExpressionLowering(low.unit, {**low.env, expression.var: _H})
            source = low.val(expression.source)
            found.append(v.Spread(parts(each, [expression.cond], True), _H, source))
            return
        inner = bound.union(var for var, _ in binders(expression))
        for x in subexpressions(expression):
            look(x, inner, depth)

    for e in exprs:
        if e is not None:
            look(e, frozenset(), 0)
    return v.Listing(tuple(found)) if found else _EMPTY


def trace_name(unit: Unit, total: m.Total | m.Permit) -> FunctionName:
    """Return the name of the function that traces a total or permit."""
    is_total = isinstance(total, m.Total)
    kind = FunctionKind.TOTAL_TRACE if is_total else FunctionKind.PERMIT_TRACE
    return FunctionName(kind, unit.index(total))


def sum_trace(unit: Unit, total: m.Total | m.Permit) -> c.Function:
    """Return the function that traces a total or permit.

    It returns (what, index, args, value, lines), with a line for each clause in the order in which
    the clauses count.
    """
    params, low = over(unit, total.params)
    what = (
        v.TextValue("total" if isinstance(total, m.Total) else "permit"),
        const(unit.index(total)),
        v.Tuple(params),
    )
    missing = missing_tests(params, total.params)
    body: list[c.Stmt] = (
        [c.IfStatement(disj(missing), (c.Give(v.Tuple((*what, ZERO, v.Listing(())))),))]
        if missing
        else []
    )
    body.append(c.NewList(_LINES, "list"))
    body += (
        [c.Assign(_FOUND, ZERO), c.Assign(_VALUE, ZERO)]
        if isinstance(total, m.Total)
        else [c.Assign(_VALUE, ONE)]
    )
    for clause in (
        total.of("set", "base", "modifier", "least", "most")
        if isinstance(total, m.Total)
        else total.clauses
    ):
        body += _clause(ExpressionLowering(unit, low.env), total.clauses.index(clause), clause)
    body.append(c.Give(v.Tuple((*what, _VALUE, _LINES))))
    return c.Function(trace_name(unit, total), params, tuple(body), total.span)


def _line(
    number: int,
    status: v.Value,
    amount: v.Value = _NONE,
    holder: v.Value = NONE,
    cancel: v.Value = NONE,
    parts: v.Value = _PARTS,
) -> c.Stmt:
    """Append the line of a clause: its number, status, amount, holder, cancel and derivations."""
    return c.Append(_LINES, v.Tuple((const(number), status, amount, holder, cancel, parts)))


def _clause(low: ExpressionLowering, number: int, clause: m.Clause) -> list[c.Stmt]:
    """Return the statements that evaluate one clause."""
    lines: list[c.Stmt] = [c.Assign(_PARTS, parts(low, [clause.cond]))]
    source = an.held_set(clause) if clause.holder is not None else None
    test = (
        low.val(source)
        if source is not None
        else low.cond(clause.cond)
        if clause.cond is not None
        else ONE
    )
    held = v.Local("held", type_of(source.type) if source is not None else v.FLAG)
    lines += [c.Assign(held, test), c.Assign(_CANCEL, NONE)]
    for i, cancel in enumerate(clause.cancels):
        open = v.CompareValue("<", _CANCEL, ZERO)
        lines.append(
            c.IfStatement(
                v.All((open, held, low.cond(an.holds(cancel)))), (c.Assign(_CANCEL, const(i)),)
            )
        )
    inner = ExpressionLowering(low.unit, low.env)
    if clause.holder is not None:
        inner.env[clause.holder[0]] = _H
    body = tuple(_counted(inner, number, clause))
    counts: c.Stmt = (
        c.ForMembers(_H, held, body)
        if clause.holder is not None
        else c.ForItems(_H, (NONE,), False, body)
    )
    if clause.word in ("set", "base"):
        counts = c.IfStatement(_FOUND, (_line(number, v.TextValue("overridden")),), (counts,))
    counts = c.IfStatement(
        v.CompareValue(">=", _CANCEL, ZERO),
        (_line(number, v.TextValue("cancelled"), cancel=_CANCEL),),
        (counts,),
    )
    return [
        *lines,
        c.IfStatement(v.NotValue(held), (_line(number, v.TextValue("condition")),), (counts,)),
    ]


def _counted(low: ExpressionLowering, number: int, clause: m.Clause) -> list[c.Stmt]:
    """Return the effect of a clause that holds, for each of its holders, on the value."""
    applied = v.TextValue("applied")
    if clause.word == "bar":
        return [c.Assign(_VALUE, ZERO), _line(number, applied, holder=_H), c.Break()]
    amount = low.val(clause.amount) if clause.amount is not None else ZERO
    status: v.Value = applied
    if clause.word in ("least", "most"):
        status = v.IfValue(
            v.CompareValue(">" if clause.word == "least" else "<", _V, _VALUE),
            applied,
            v.TextValue("idle"),
        )
    all_parts = v.Listing((v.Spread(_PARTS), v.Spread(parts(low, [clause.amount]))))
    lines = [c.Assign(_V, amount), _line(number, status, _V, _H, NONE, all_parts)]
    if clause.word == "modifier":
        return [*lines, c.Assign(_VALUE, _V, "+=")]
    if clause.word in ("least", "most"):
        bound = v.Extreme("max" if clause.word == "least" else "min", (_VALUE, _V))
        return [*lines, c.Assign(_VALUE, bound), c.Break()]
    return [*lines, c.Assign(_VALUE, _V), c.Assign(_FOUND, ONE), c.Break()]
