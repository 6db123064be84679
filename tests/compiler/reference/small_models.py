"""Small models built by hand, so that the reference interpreter is tested without parser and
checker."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.compiler import model as m

INT = m.Int()
SIDES = m.Kind("Side", members=["a", "b"], decides=True)
ITEMS = m.Kind("Item", members=["i0", "i1", "i2", "i3"], ordered=True)
ITEM = m.MemberOf(ITEMS)
ITEM_SET = m.SetOf(ITEMS)


def num(value: int) -> m.Const:
    return m.Const(value, type=INT)


def side(ordinal: int) -> m.Const:
    return m.Const(ordinal, type=m.MemberOf(SIDES))


def item(ordinal: int) -> m.Const:
    return m.Const(ordinal, type=ITEM)


def items(mask: int = 0b1111) -> m.Const:
    return m.Const(mask, type=ITEM_SET)


def read(var: m.Var) -> m.Read:
    return m.Read(var)


def cell(one: m.Cell, *keys: m.Expr) -> m.ReadCell:
    return m.ReadCell(one, list(keys), type=one.type)


def main(*variables: m.Var, word: str = "main") -> m.Procedure:
    proc = m.Procedure("main", word, vars=list(variables))
    for var in variables:
        var.frame = proc
    return proc


def noted(event_args: Sequence[m.Expr], event: m.EventDeclaration) -> m.CallEvent:
    return m.CallEvent(event, list(event_args))


def note() -> m.EventDeclaration:
    """Return an event that changes nothing, as a mark in the log."""
    return m.EventDeclaration("note", params=[m.Var("n", INT)])


def game(
    proc: m.Procedure,
    cells: Sequence[m.Cell] = (),
    events: Sequence[m.EventDeclaration] = (),
    **rest: object,
) -> m.Model:
    model = m.Model(
        "test",
        1,
        kinds={"Side": SIDES, "Item": ITEMS},
        sides=SIDES,
        main=proc,
        cells=list(cells),
        events=list(events),
        levels=["win", "drawn"],
        purposes=["fire"],
    )
    for name, value in rest.items():
        setattr(model, name, value)
    return model
