"""Facts about a game at a step, and what steps leave of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.set_facts import lasting
from rulekit.compiler.check.lints.side_effects import Changed, read_by, set_by
from rulekit.compiler.model.visitor import nodes, reached, read

Facts = tuple[m.Expr, ...]


def still(facts: Iterable[m.Expr], stmts: m.Block) -> Facts:
    """Return the facts that hold behind steps that may change any state. They are about constants
    and about variables that these steps do not set.
    """
    changed = {var for node in nodes(*stmts) for var in set_by(node)}
    return tuple(
        fact
        for fact in facts
        if lasting(fact) and not any(var in changed or var.shared for var in read(fact))
    )


def equal(param: m.Var, arg: m.Expr) -> Iterator[m.Expr]:
    """Yield the fact that a parameter has the value of its argument. An argument that may be none
    gives no fact.
    """
    if isinstance(arg, m.Const) and arg.value < 0 and isinstance(param.type, m.MemberOf):
        yield m.IsNone(m.Read(param, type=param.type), type=m.Bool())
    elif isinstance(param.type, m.Int) or (
        isinstance(param.type, m.MemberOf) and (isinstance(arg, m.Const) or not param.type.optional)
    ):
        yield m.Compare("=", m.Read(param, type=param.type), arg, type=m.Bool())


def by_data(cond: m.Expr) -> bool:
    """Return True if the condition reads constants.

    It may then always hold only because of the current data, and still be a meaningful rule.
    """
    return any(isinstance(node, (m.ReadFixed, m.CallTable, m.FieldOf)) for node in reached(cond))


def ends(stmts: m.Block) -> bool:
    """Return True if control never continues behind the block."""
    return bool(stmts) and isinstance(stmts[-1], (m.Finish, m.Return, m.Leave))


def blocks_in(stmt: m.Stmt) -> list[m.Block]:
    """Return the blocks in a loop."""
    return [stmt.body] if isinstance(stmt, (m.Each, m.Repeat, m.Together)) else []


def without(facts: Facts, what: m.Var | m.Cell) -> Facts:
    """Return the facts that do not read a variable or state."""
    return tuple(
        fact
        for fact in facts
        if not any(
            (isinstance(node, m.Read) and node.var is what)
            or (isinstance(node, m.ReadCell) and node.cell is what)
            for node in reached(fact)
        )
    )


def is_free(fact: m.Expr, changed: Changed) -> bool:
    """Return True if a fact reads nothing that has changed."""
    asked = read_by([fact])
    return asked is not None and changed.isdisjoint(asked)
