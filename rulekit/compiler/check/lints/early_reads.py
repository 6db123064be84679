"""Warn of fields, and of state that lasts as long as a procedure, that are read before they are
written and never afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, reached

Kept = m.Var | m.Cell


def early(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each such read in the rules of the game itself."""
    changes = Changes(world)
    for proc in world.model.procedures:
        if uses.is_own(proc) and not proc.reentrant and id(proc) in uses.reached:
            for kept in _kept(proc, changes, world):
                if kept.name not in uses.named:  # a text may show it later
                    _look(proc, kept, changes, world)


def _kept(proc: m.Procedure, changes: Changes, world: CheckState) -> Iterator[Kept]:
    """Yield the fields of a procedure, and the state that lasts as long as it and is not written
    elsewhere.
    """
    assigned = {
        node.var if isinstance(node, m.SetVar) else node.cell
        for node in nodes(*proc.body)
        if isinstance(node, (m.SetVar, m.SetCell))
    }
    yield from (var for var in proc.vars if var.shared and var in assigned)
    given = {cell for scenario in world.model.scenarios.values() for cell, _, _ in scenario.cells}
    for cell in world.model.cells:
        if (
            cell.resets == [(proc, None)]
            and cell in assigned
            and cell not in given
            and not _written_elsewhere(cell, proc, changes)
        ):
            yield cell


def _written_elsewhere(cell: m.Cell, proc: m.Procedure, changes: Changes) -> bool:
    for other, body in changes.bodies.items():
        for node in nodes(*body) if other is not proc else ():
            if (isinstance(node, m.SetCell) and node.cell is cell) or (
                isinstance(node, m.CallEvent) and cell in node.event.writes
            ):
                return True
    return False


def _look(proc: m.Procedure, kept: Kept, changes: Changes, world: CheckState) -> None:
    """Find the first step that writes the value. Warn if it is a plain assignment with reads before
    it and none after it.
    """
    body = proc.body
    begin = next((at for at, stmt in enumerate(body) if not _is_first(stmt, kept)), len(body))
    at = next((at for at in range(begin, len(body)) if kept in changes.of(body[at])), len(body))
    if at == len(body) or not _writes(body[at], kept) or _reads(body[at], kept):
        return
    before = [stmt for stmt in body[begin:at] if _reads(stmt, kept)]
    if before and not _read_in(body[at + 1 :], kept, changes, world):
        first = before[0]
        why = (
            f"before line {body[at].span.line} assigns it, and nothing reads it afterwards: here "
            "it always has its first value"
        )
        world.sink.warn(
            "RK719",
            first.span,
            f"this reads '{kept.name}' {why}",
            "move this below that line",
            second=body[at].span,
            second_label="assigned here",
        )


def _is_first(stmt: m.Stmt, kept: Kept) -> bool:
    """Return True if this statement gives fields their initial values."""
    return (
        isinstance(stmt, m.SetVar)
        and stmt.var.shared
        and (stmt.span == stmt.var.span or stmt.var is not kept)
    )


def _writes(stmt: m.Stmt, kept: Kept) -> bool:
    return (
        isinstance(stmt, (m.SetVar, m.SetCell))
        and stmt.op == ":="
        and (stmt.var if isinstance(stmt, m.SetVar) else stmt.cell) is kept
    )


def _reads(stmt: object, kept: Kept) -> bool:
    """Return True if this reads the value, also through definitions, totals and tables."""
    return any(
        (isinstance(node, m.Read) and node.var is kept)
        or (isinstance(node, m.ReadCell) and node.cell is kept)
        or (isinstance(node, m.Pays) and node.target is kept)
        for node in reached(stmt)
    )


def _read_in(stmts: Sequence[m.Stmt], kept: Kept, changes: Changes, world: CheckState) -> bool:
    """Return True if these steps read the value, or their calls, the handlers of their events, or
    rules that always apply.
    """
    ran = [node for node in changes.of(list(stmts)) if isinstance(node, m.Procedure)]
    asked: list[object] = [*stmts, *(changes.bodies.get(proc, [proc.body]) for proc in ran)]
    asked += [*world.model.invariants, *world.model.whenevers]
    asked += [option for option in world.model.options if option.proc in ran]
    asked += [
        event
        for event in world.model.events
        if any(isinstance(node, m.CallEvent) and node.event is event for node in nodes(*asked))
    ]
    asked += [movement for movement in world.model.movements if movement.proc in ran]
    return any(_reads(each, kept) for each in asked)
