"""Warn of steps that play never reaches, of loops that never start a second round, and of steps
that change nothing.
"""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies
from rulekit.compiler.check.lints.no_op_steps import NOTHING, has_idle_call, is_idle, is_same
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.block_exits import GOES_ON, BlockExits
from rulekit.compiler.model.visitor import nodes

ENDS = {
    m.Finish: "'finish' ends play",
    m.Return: "'return' ends the procedure",
    m.Leave: "'leave' ends the loop",
}


def steps(world: CheckState, uses: ReachableUses) -> None:
    """Warn of the first unreachable step of each block, and of steps that change nothing."""
    ways = BlockExits()
    for proc in world.model.procedures:
        if uses.is_own(proc):
            _blocks(proc.body, ways, world)
    for movement in world.model.movements:
        if uses.is_own(movement.proc):
            for body in (movement.on_entry, movement.stranded):
                _blocks(body, ways, world)
    for node in nodes(*(event.body for event in world.model.events), *bodies(world).values()):
        if isinstance(node, m.Stmt) and uses.is_own(node):
            _nothing(node, world)


def _nothing(node: m.Stmt, world: CheckState) -> None:
    """Warn of a step that changes nothing."""
    if isinstance(node, (m.SetVar, m.SetCell)) and is_same(node):
        why = (
            "a value is assigned to itself"
            if node.op == ":="
            else "nothing is added"
            if node.op == "+="
            else "nothing is subtracted"
        )
        world.sink.warn(
            "RK716",
            node.span,
            f"this has no effect: {why}",
            "correct one of the two sides, or remove it",
        )
    elif isinstance(node, m.Draw) and isinstance(node.count, m.Const) and node.count.value == 0:
        world.sink.warn(
            "RK716",
            node.span,
            "this has no effect: nothing is drawn",
            "correct the number, or remove it",
        )
    elif isinstance(node, m.CallEvent) and node.event.body and not node.event.reveals:
        numbers = [
            pair
            for pair in zip(node.event.params, node.args, strict=True)
            if isinstance(pair[1], m.Const)
        ]
        given: dict[m.Var, m.Expr] = dict(numbers)  # others may be passed only for the log
        if all(is_same(stmt, given) and not is_same(stmt) for stmt in node.event.body):
            world.sink.warn(
                "RK716",
                node.span,
                f"this has no effect: with these values '{node.event.name}' changes nothing",
                "correct the values, or remove it",
            )

    elif (
        isinstance(node, m.CallProc)
        and has_idle_call(node, NOTHING)
        and not all(is_idle(stmt, NOTHING) for stmt in node.proc.body)
    ):
        world.sink.warn(
            "RK716",
            node.span,
            f"this has no effect: with these values '{node.proc.name}' changes nothing",
            "correct the values, or remove it",
        )


def _blocks(body: m.Block, ways: BlockExits, world: CheckState) -> None:
    """Warn of unreachable steps in a block and in the blocks inside it."""
    before: m.Stmt | None = None
    for stmt in body:
        if before is not None:
            word = next(
                (why for cls, why in ENDS.items() if isinstance(before, cls)),
                "play never continues",
            )
            world.sink.warn(
                "RK700",
                stmt.span,
                f"this is never reached: {word} in line {before.span.line}, before it",
                "move it above that line, or give that line a condition ('... when C')",
            )
            return
        if isinstance(stmt, m.Repeat) and isinstance(stmt.limit, m.Const) and not stmt.limit.value:
            world.sink.warn(
                "RK700",
                stmt.span,
                "the steps of this loop are never reached: it has no rounds",
                "correct the number, or remove the loop",
            )
        for inner in _inside(stmt):
            _blocks(inner, ways, world)
        if (isinstance(stmt, m.Repeat) and _is_once(stmt, ways)) or (
            isinstance(stmt, m.Each) and _parts_ways(stmt, ways)
        ):
            last = stmt.body[-1]
            world.sink.warn(
                "RK700",
                last.span,
                "the loop never reaches a second round: play never continues after this",
                "move this to the right place, or remove the loop",
                second=stmt.span,
                second_label="the loop",
            )
        if GOES_ON not in ways.of(stmt):
            before = stmt


def _inside(stmt: m.Stmt) -> list[m.Block]:
    """Return the blocks in a statement."""
    if isinstance(stmt, m.IfStmt):
        return [stmt.then, stmt.other]
    if isinstance(stmt, (m.Each, m.Repeat, m.Together)):
        return [stmt.body]
    return (
        [option.body for option in stmt.options if option.proc is None]
        if isinstance(stmt, m.Choose)
        else []
    )


def _is_once(loop: m.Repeat, ways: BlockExits) -> bool:
    """Return True if a loop that allows several rounds always ends in its first, with its last
    step.
    """
    if not loop.body or (isinstance(loop.limit, m.Const) and loop.limit.value == 1):
        return False
    *before, _ = loop.body
    if GOES_ON not in ways.of_block(loop.body):
        return all(GOES_ON in ways.of(stmt) for stmt in before)
    # If the first step is a pick that finds nothing, the round is skipped and changes nothing.
    first = loop.body[0]
    certain = BlockExits(skips=lambda stmt: stmt is not first and ways.skips(stmt))
    return (
        isinstance(first, (m.Pick, m.PickGroup))
        and all(GOES_ON in certain.of(stmt) for stmt in before)
        and GOES_ON not in certain.of_block(loop.body)
    )


def _parts_ways(loop: m.Each, ways: BlockExits) -> bool:
    """Return True if each branch of the last step of a loop ends the loop.

    A single `leave` or `return` as the last step is intended: the loop finds the first of a set.
    """
    last = loop.body[-1] if loop.body else None
    return isinstance(last, m.IfStmt) and GOES_ON not in ways.of_block(loop.body)
