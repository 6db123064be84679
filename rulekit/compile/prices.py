"""Takes options and walks that are paid for, makes what each is paid from, and functions that tell the price of one option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit import model as m
from rulekit.check.names.scope import FLEX
from rulekit.compile.control import Flow
from rulekit.compile.expr import Expressions
from rulekit.compile.unit import Function, Unit, name
from rulekit.program import program as pg


def priced(flow: Flow) -> None:
    """Notes at the families of options what they are paid from."""
    for index, option in flow.spans.items():
        flow.families[index].prices = [_purse(flow.unit, number, c) for number, c in enumerate(option.clauses) if isinstance(c, m.Pays)]
    for index, mv in _walks(flow):
        if mv.cost is not None and mv.allowance is not None:
            flow.families[index].prices = [pg.PriceInfo(mv.name, proc=flow.unit.index(mv.proc), slot=flow.unit.lay.vars[mv.fuel],
                                                        unit=_unit(mv.cost, mv.allowance))]


def prices(flow: Flow) -> Iterator[Function]:
    """U: what one option of a family costs, for each of its prices (amount, keys of the cell). L: the keys alone, if they do not hang on
    its parameters."""
    unit = flow.unit
    for index, option in sorted(flow.spans.items()):
        pays = [c for c in option.clauses if isinstance(c, m.Pays)]
        if not pays:
            continue
        names = [f"p{i}" for i in range(len(option.params))]
        low = Expressions(unit, {p: name(n) for p, n in zip(option.params, names, strict=True)})
        if option.me is not None:
            low.env[option.me] = name("w")
        body = []
        for number, c in enumerate(option.clauses):
            if isinstance(c, m.With):
                body.append(f"w{number} = {low.val(c.value).text}")
                low.env[c.var] = name(f"w{number}")
        found = "".join(f"({low.val(c.amount).text}, {_keys(low, c)}), " for c in pays)
        yield Function(f"U{index}", ["s", "w", *names], [*body, f"return ({found})"], option.span)
        keys = "".join("None, " if _own(unit, option, c) else f"({_keys(low, c)}), " for c in pays)
        yield Function(f"L{index}", ["s", "w"], [f"return ({keys})"], option.span)
    for index, mv in _walks(flow):
        if mv.cost is not None and mv.allowance is not None:
            low = Expressions(unit, {mv.border_var: name("b"), mv.from_var: name("a"), mv.to_var: name("z")})
            yield Function(f"U{index}", ["s", "w", "p0"], [f"b, a, z = {unit.table(mv.arcs)}[p0]", f"return (({low.val(mv.cost).text},),)"],
                           mv.proc.span)


def _walks(flow: Flow) -> Iterator[tuple[int, m.Movement]]:
    """The family of the steps of each movement."""
    walks = {mv.proc: mv for mv in flow.unit.model.movements}
    for d in flow.decisions:
        if d.kind == "walk" and d.proc in walks:
            yield d.offers[0].family, walks[d.proc]


def _purse(unit: Unit, number: int, c: m.Pays) -> pg.PriceInfo:
    """What one clause `pays` draws on."""
    if isinstance(c.target, m.Var):
        var, home = c.target, next((p for p in unit.lay.procs if c.target in (*p.params, *p.vars)), None)
        return pg.PriceInfo(var.name, proc=unit.index(home) if home is not None else -1, slot=unit.lay.vars[var], clause=number,
                            unit=_unit(c.amount, m.Read(var, type=var.type)))
    return pg.PriceInfo(c.target.cell.name, cell=unit.index(c.target.cell), clause=number, unit=_unit(c.amount, c.target))


def _unit(*values: m.Expr) -> str | None:
    """The unit of what is paid: of the price or of what it is paid from."""
    found: Sequence[str | None] = [v.type.unit for v in values if isinstance(v.type, m.Int)]
    return next((u for u in found if u is not None and u != FLEX), None)


def _keys(low: Expressions, c: m.Pays) -> str:
    """The keys of the cell that is drawn on, with commas."""
    return "" if isinstance(c.target, m.Var) else "".join(f"{low.val(k).text}, " for k in c.target.keys)


def _own(unit: Unit, option: m.Option, c: m.Pays) -> bool:
    """Do these keys hang on the option's parameters?"""
    mine = {*option.params, *(w.var for w in option.clauses if isinstance(w, m.With))}
    return not isinstance(c.target, m.Var) and any(mine & unit.an.deps(k).vars for k in c.target.keys)
