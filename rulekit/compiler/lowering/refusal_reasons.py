"""Functions that explain why an option of a decision, a pick, a group or a walk is illegal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.control_flow import Flow, Growing
from rulekit.compiler.lowering.expressions import ExpressionLowering, over
from rulekit.compiler.lowering.movement_search import lookahead_locals
from rulekit.compiler.lowering.options import WHO, bound, clause_test, in_option
from rulekit.compiler.lowering.program_tables import shown_attributes
from rulekit.compiler.lowering.trace import parts, sum_trace
from rulekit.compiler.lowering.unit import ZERO, Unit, const, is_read, known, type_of
from rulekit.compiler.model.visitor import subexpressions

_DEEP = 6  # maximal depth of definitions inlined to explain why a member is not in a set
_P0, _B, _A, _Z = (v.Local(x) for x in ("p0", "b", "a", "z"))
_EMPTY = v.Tuple(())


def _refuse(clause: int, traces: v.Value = _EMPTY) -> c.Stmt:
    """Return from the function with the clause that fails (-1: none of them) and the derivations
    that explain it.
    """
    return c.Give(v.Tuple((const(clause), traces)))


def _why(
    index: int,
    params: Sequence[v.Local],
    body: Sequence[c.Stmt],
    span: Span,
    last: v.Value = _EMPTY,
) -> c.Function:
    """Return the `REFUSAL` function of a family of options. If control reaches its end, none of the
    clauses fails.
    """
    return c.Function(
        FunctionName(FunctionKind.REFUSAL, index), (WHO, *params), (*body, _refuse(-1, last)), span
    )


def _unless(cond: v.Value, *then: c.Stmt) -> c.Stmt:
    return c.IfStatement(v.NotValue(cond), then)


def _word(text: str, *items: v.Value) -> v.Value:
    return v.Tuple((v.TextValue(text), *items))


def _said(text: str) -> v.Value:
    """Return a single word in place of derivations."""
    return v.Tuple((_word(text),))


def _listed(first: Sequence[v.Value], traces: v.Value) -> v.Value:
    """Return a list of some records, followed by derivations."""
    return v.Listing((*first, v.Spread(traces)))


def reasons(unit: Unit, flow: Flow) -> None:
    """Add the traces of all totals, permits and movements, and the refusals of all options."""
    for t in unit.model.totals:
        unit.functions.append(sum_trace(unit, t))
    for p in unit.model.permits:
        unit.functions.append(sum_trace(unit, p))
    for mv in unit.model.movements:
        unit.functions.append(ways_trace(unit, mv))
    for index, option in sorted(flow.spans.items()):
        unit.functions.append(option_trace(unit, index, option))
    for index, group in sorted(flow.groups.items()):
        unit.functions.append(group_trace(unit, index, group))
    for index, source in sorted(flow.picks.items()):
        unit.functions.append(
            _why(index, [_P0], _outside(ExpressionLowering(unit), source), source.span)
        )
    for index, mv in flow.walks.items():
        unit.functions += [step_trace(unit, index, mv), stop_trace(unit, index + 1, mv)]


def option_trace(unit: Unit, index: int, option: m.GuardedOption) -> c.Function:
    """Return the refusal function of an option.

    It returns the index of the first clause that fails for given parameters (-1: none fails), and
    derivations.
    """
    params, low = in_option(unit, option)
    body: list[c.Stmt] = []
    for param, within in zip(params, option.domains, strict=False):
        if within is not None:
            body.append(
                _unless(
                    v.Has(low.val(within), param), _refuse(len(option.clauses), _said("domain"))
                )
            )
    for number, clause in enumerate(option.clauses):
        if isinstance(clause, m.With):
            body.append(given := bound(low, number, clause))
            if isinstance(clause.value.type, m.MemberOf):
                body.append(
                    c.IfStatement(v.CompareValue("<", given.local, ZERO), (_refuse(number),))
                )
        else:
            test = clause_test(clause)
            cond = low.cond(test)
            if not known(cond):
                pays = isinstance(clause, m.Pays) and isinstance(test, m.Compare)
                price = (
                    [_price("pays", low, test.right, test.left)]
                    if pays and isinstance(test, m.Compare)
                    else []
                )
                body.append(
                    _unless(cond, _refuse(number, _listed(price, parts(low, [test], True))))
                )
    return _why(index, params, body, option.span)


def _price(word: str, low: ExpressionLowering, cost: m.Expr, left: m.Expr) -> v.Value:
    """Return the record (word, price, amount left to pay it, unit)."""
    unit = cost.type.unit if isinstance(cost.type, m.Int) else None
    return _word(
        word, low.val(cost), low.val(left), v.Nothing() if unit is None else v.TextValue(unit)
    )


# --------------------------------------------------------------------------------- members of a set
def _outside(low: ExpressionLowering, source: m.Expr, depth: int = 0) -> list[c.Stmt]:
    """Return statements that explain why the member p0 is not in a set.

    They return the first condition that the member fails, with the totals that it calls and the
    values that it reads. Control passes through them if the member is in the set.
    """
    inside = v.Has(low.val(source), _P0)
    if isinstance(source, m.Filter):
        low.env[source.var] = _P0
        out = _outside(low, source.source, depth)
        for cond in source.cond.items if isinstance(source.cond, m.And) else [source.cond]:
            test, read = low.cond(cond), _read(low.unit, cond, source.var)
            out.append(_unless(test, _refuse(-1, _listed(read, parts(low, [cond], True)))))
        return out
    if isinstance(source, m.SetOp) and source.op == "-":
        return [*_outside(low, source.left, depth), _unless(inside, _refuse(-1))]
    if isinstance(source, m.SetOp):
        return [_unless(inside, *_outside(low, source.left, depth), _refuse(-1))]
    if isinstance(source, m.If):
        first = low.cond(source.cond)
        return [
            c.IfStatement(
                first,
                tuple(_outside(low, source.then, depth)),
                tuple(_outside(low, source.other, depth)),
            )
        ]
    if isinstance(source, m.CallDefine) and depth < _DEEP:
        return _outside(low, low.called(source), depth + 1)
    apart = (
        isinstance(source, m.ReadFixed)
        and source.fixed.synthetic
        and source.fixed.name == "neighbours"
    )
    details = (
        v.Tuple((_word("apart", _P0, low.val(source.keys[0])),))
        if apart and isinstance(source, m.ReadFixed)
        else _EMPTY
    )
    return [_unless(inside, _refuse(-1, details))]


def _read(unit: Unit, cond: m.Expr, var: m.Var) -> list[v.Value]:
    """Return records of the values that a condition reads of a member.

    They are ('cell', cell, member) and ('fixed', kind, number of the attribute, member).
    """
    found: dict[v.Value, None] = {}

    def look(expression: m.Expr, depth: int) -> None:
        if (
            isinstance(expression, (m.ReadCell, m.ReadFixed))
            and len(expression.keys) == 1
            and is_read(expression.keys[0], var)
        ):
            if isinstance(expression, m.ReadCell):
                found[_word("cell", const(unit.index(expression.cell)), _P0)] = None
            elif expression.fixed.owner is not None and expression.fixed in (
                shown := list(shown_attributes(expression.fixed.owner))
            ):
                found[
                    _word(
                        "fixed",
                        const(unit.index(expression.fixed.owner)),
                        const(shown.index(expression.fixed)),
                        _P0,
                    )
                ] = None
        if isinstance(expression, m.CallDefine) and depth < _DEEP:
            look(ExpressionLowering(unit).called(expression), depth + 1)
            return
        for x in subexpressions(expression):
            look(x, depth)

    look(cond, 0)
    return list(found)


def group_trace(unit: Unit, index: int, group: Growing) -> c.Function:
    """Return the refusal function of an element that may be added to a group. Its only clause is
    the condition that the group keeps.
    """
    s, picked = group.stmt, group.picked
    low = ExpressionLowering(unit)
    body = [
        c.IfStatement(v.Has(picked, _P0), (_refuse(-1, _said("picked")),)),
        _unless(v.Has(group.source, _P0), *_outside(low, s.source), _refuse(-1)),
        c.IfStatement(
            v.CompareValue(">=", v.Size(picked), group.most),
            (_refuse(-1, _listed([_word("most", group.most)], parts(low, [s.high]))),),
        ),
    ]
    if s.keeps is not None:
        grown = v.Local("grown", picked.type)
        low.env[s.var] = grown
        body.append(c.Assign(grown, v.Bits("|", picked, v.Bit(_P0, picked.type))))
        body.append(_unless(low.cond(s.keeps.cond), _refuse(0, parts(low, [s.keeps.cond], True))))
    return _why(index, [_P0], body, s.span)


# -------------------------------------------------------------------------------------------- walks
def _guarded(
    low: ExpressionLowering,
    guards: Sequence[m.Guarded],
    first: int,
    fails: Callable[[int, v.Value], c.Code],
) -> list[c.Stmt]:
    """Return statements that test some clauses in order. At the first one that fails they execute
    `fails`, which receives its number and derivations.
    """
    return [
        _unless(cond, *fails(number, parts(low, [guard.cond])))
        for number, guard in enumerate(guards, first)
        if not known(cond := low.cond(guard.cond))
    ]


def _refused(clause: int, traces: v.Value) -> c.Code:
    return (_refuse(clause, traces),)


def step_trace(unit: Unit, index: int, mv: m.Movement) -> c.Function:
    """Return the refusal function of a step of a walk. Its parameter is the arc.

    Its clauses are those of entering, then those of ending there. The latter come with the price of
    the step, to show that it could be paid.
    """
    low = ExpressionLowering(unit, {mv.border_var: _B, mv.from_var: _A, mv.to_var: _Z})
    body: list[c.Stmt] = [
        c.Unpack((_B, _A, _Z), v.RowValue(unit.table(mv.arcs), _P0, v.RECORD)),
        c.IfStatement(v.CompareValue("!=", _A, low.read(mv.at)), (_refuse(-1),)),
        c.IfStatement(v.Has(low.read(mv.been), _Z), (_refuse(-1, _said("been")),)),
        *_guarded(low, mv.may, 0, _refused),
    ]
    cost = mv.cost if mv.cost is not None else m.Const(0, type=m.Int())
    left = m.Read(mv.fuel)
    if mv.cost is not None:
        test = v.CompareValue(">", low.val(mv.cost), low.val(left))
        pays = _price("pays", low, cost, left)
        body.append(c.IfStatement(test, (_refuse(-1, _listed([pays], parts(low, [cost]))),)))
    price = _price("cost", low, cost, left)
    body += _guarded(
        low,
        mv.end,
        len(mv.may),
        lambda clause, traces: (_refuse(clause, _listed([price], traces)),),
    )
    return _why(index, [_P0], body, mv.proc.span, v.Tuple((price,)))


def stop_trace(unit: Unit, index: int, mv: m.Movement) -> c.Function:
    """Return the refusal function of ending a walk at its place. The clauses are those of
    ending.
    """
    low = ExpressionLowering(unit)
    begun = _unless(v.More(low.read(mv.been)), _refuse(-1, _said("start")))
    return _why(index, [], [begun, *_guarded(low, mv.end, 0, _refused)], mv.proc.span)


def ways_trace(unit: Unit, mv: m.Movement) -> c.Function:
    """Return a function that explains why no single step is a legal walk.

    It returns ('reach', movement, steps). A step is (place, clause, derivations): the number of the
    clause of entering or ending that fails, or -1 if the step costs too much. The price precedes
    the derivations in that case.
    """
    params, low = over(unit, mv.proc.params)
    st, at, fuel, allowed = (v.Local(x) for x in ("st", "at", "fuel", "allowed"))
    been, found = v.Local("been", type_of(mv.been.type)), v.Local("found", v.RECORD)
    low.env.update(lookahead_locals(mv))
    allowance = low.val(mv.allowance) if mv.allowance is not None else const(m.NO_LIMIT)
    table = unit.table(mv.arcs)
    each: list[c.Stmt] = [
        c.IfStatement(v.CompareValue("!=", _A, st), (c.Continue(),)),
        c.Assign(at, st),
        c.Assign(fuel, allowed),
        *_guarded(low, mv.may, 0, partial(_way, found)),
    ]
    if mv.cost is not None:
        price = _price("pays", low, mv.cost, m.Read(mv.fuel))
        test = v.CompareValue(">", low.val(mv.cost), fuel)
        each += [
            c.IfStatement(test, _way(found, -1, _listed([price], parts(low, [mv.cost])))),
            c.Assign(fuel, low.val(mv.cost), "-="),
        ]
    each += [c.Assign(at, _Z), *_guarded(low, mv.end, len(mv.may), partial(_way, found))]
    body = (
        c.NewList(found, "list"),
        c.Assign(been, v.Bit(st, been.type)),
        c.Assign(at, st),
        c.Assign(fuel, allowance),
        c.Assign(allowed, fuel),
        c.ForRows((_B, _A, _Z), table, None, tuple(each)),
        c.Give(_word("reach", const(unit.index(mv)), found)),
    )
    return c.Function(
        FunctionName(FunctionKind.REACH_TRACE, unit.index(mv)), (*params, st), body, mv.proc.span
    )


def _way(found: v.Local, number: int, traces: v.Value) -> c.Code:
    """Record why a step is not a legal walk, and continue with the next one."""
    return c.Append(found, v.Tuple((_Z, const(number), traces))), c.Continue()
