"""The sources of payment for options and walks, and functions that return the price of one
option.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import FLEX
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.control_flow import Flow
from rulekit.compiler.lowering.expressions import ExpressionLowering
from rulekit.compiler.lowering.options import WHO, bound, in_option
from rulekit.compiler.lowering.unit import Unit
from rulekit.runtime import program as pg


def priced(flow: Flow) -> None:
    """Record in the families of options the source of each payment."""
    for index, option in flow.spans.items():
        flow.families[index].prices = [
            _purse(flow.unit, number, pays)
            for number, pays in enumerate(option.clauses)
            if isinstance(pays, m.Pays)
        ]
    for index, mv in flow.walks.items():
        if mv.cost is not None and mv.allowance is not None:
            flow.families[index].prices = [
                pg.PriceInfo(
                    mv.name,
                    proc=flow.unit.index(mv.proc),
                    slot=flow.unit.lay.vars[mv.fuel],
                    unit=_unit(mv.cost, mv.allowance),
                )
            ]


def prices(flow: Flow) -> Iterator[c.Function]:
    """Generate the functions `COST` and `PURSES` of the options that cost something.

    `COST` returns for each price of an option the amount and the keys of the cell. `PURSES` returns
    only the keys, if they do not depend on the parameters of the option.
    """
    unit = flow.unit
    arc, steps = v.Local("p0"), tuple([v.Local(x) for x in "baz"])
    for index, option in sorted(flow.spans.items()):
        pays = [x for x in option.clauses if isinstance(x, m.Pays)]
        if not pays:
            continue
        params, low = in_option(unit, option)
        body = [
            bound(low, number, x)
            for number, x in enumerate(option.clauses)
            if isinstance(x, m.With)
        ]
        found = v.Tuple(tuple([v.Tuple((low.val(x.amount), *_keys(low, x))) for x in pays]))
        yield c.Function(
            FunctionName(FunctionKind.COST, index),
            (WHO, *params),
            (*body, c.Give(found)),
            option.span,
        )
        keys = v.Tuple(
            tuple([v.Nothing() if _own(unit, option, x) else v.Tuple(_keys(low, x)) for x in pays])
        )
        yield c.Function(
            FunctionName(FunctionKind.PURSES, index), (WHO,), (c.Give(keys),), option.span
        )
    for index, mv in flow.walks.items():
        if mv.cost is not None and mv.allowance is not None:
            low = ExpressionLowering(
                unit, dict(zip((mv.border_var, mv.from_var, mv.to_var), steps, strict=True))
            )
            row = v.RowValue(unit.table(mv.arcs), arc, v.RECORD)
            price = v.Tuple((v.Tuple((low.val(mv.cost),)),))
            yield c.Function(
                FunctionName(FunctionKind.COST, index),
                (WHO, arc),
                (c.Unpack(steps, row), c.Give(price)),
                mv.proc.span,
            )


def _purse(unit: Unit, number: int, pays: m.Pays) -> pg.PriceInfo:
    """Return the source from which one clause `pays` is paid."""
    if isinstance(pays.target, m.Var):
        var, home = (
            pays.target,
            next((p for p in unit.lay.procs if pays.target in (*p.params, *p.vars)), None),
        )
        return pg.PriceInfo(
            var.name,
            proc=unit.index(home),
            slot=unit.lay.vars[var],
            clause=number,
            unit=_unit(pays.amount, m.Read(var)),
        )
    return pg.PriceInfo(
        pays.target.cell.name,
        cell=unit.index(pays.target.cell),
        clause=number,
        unit=_unit(pays.amount, pays.target),
    )


def _unit(*values: m.Expr) -> str | None:
    """Return the unit of a payment, from its price or from its source."""
    found: Sequence[str | None] = [x.type.unit for x in values if isinstance(x.type, m.Int)]
    return next((u for u in found if u is not None and u != FLEX), None)


def _keys(low: ExpressionLowering, pays: m.Pays) -> tuple[v.Value, ...]:
    """Return the keys of the cell from which the price is paid."""
    return () if isinstance(pays.target, m.Var) else tuple([low.val(k) for k in pays.target.keys])


def _own(unit: Unit, option: m.GuardedOption, pays: m.Pays) -> bool:
    """Return True if these keys depend on the parameters of the option."""
    mine = {*option.params, *(w.var for w in option.clauses if isinstance(w, m.With))}
    return not isinstance(pays.target, m.Var) and any(
        mine & unit.an.deps(k).vars for k in pays.target.keys
    )
