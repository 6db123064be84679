"""Takes a checked model, finds branches on hidden information that lead to something public: what happens would tell
the secret."""

from __future__ import annotations

from attrs import define

from rulekit.base.span import Span
from rulekit.check import model as m
from rulekit.check.scope import World
from rulekit.check.walker import nodes, reached

# procedures that are a player's own choice: he may use what he alone knows
OWN = ("action", "reaction", "standing", "slot")


@define(eq=False)
class Branch:
    """A condition, and what is done or not done by it."""

    cond: m.Expr
    blocks: list[m.Block]


def analyse(world: World) -> None:
    """Reports every branch outside of a player's own choice that tells what not all may know."""
    for proc in world.model.procedures:
        if proc.word in OWN:
            continue
        own = {id(node) for choose in nodes(proc.body) if isinstance(choose, m.Choose)
               for option in choose.options for node in nodes(option.body)}
        for node in nodes(proc.body):
            branch = branch_of(node)
            if branch is not None and id(node) not in own:
                report(branch, world)


def branch_of(node: object) -> Branch | None:
    if isinstance(node, m.IfStmt):
        return Branch(node.cond, [node.then, node.other])
    if isinstance(node, m.Repeat) and node.cond is not None:
        return Branch(node.cond, [node.body])
    return None


def report(branch: Branch, world: World) -> None:
    secret = next((cell for cell in read(branch.cond) if is_secret(cell)), None)
    place = public(branch.blocks) if secret is not None else None
    if secret is None or place is None:
        return
    message = f"this depends on '{secret.name}', which not all may see, and what follows is public"
    world.sink.error("RK507", branch.cond.span, message,
                     "let who knows it decide by an option, or make it public first: an event that 'reveals' it",
                     second=place, second_label="everybody sees this")


def read(cond: m.Expr) -> list[m.Cell]:
    """The cells that a condition reads. How many things lie in a pool is no secret: everybody sees them come and go."""
    found = list(reached(cond))
    counted = {id(node.source) for node in found if isinstance(node, m.Count)}
    return [node.cell for node in found if isinstance(node, m.ReadCell)
            and not (node.cell.pool and id(node) in counted)]


def is_secret(cell: m.Cell) -> bool:
    """Is there somebody who may never know it? (What all may see under a condition is looked at when that holds.)"""
    return bool(cell.seen) and not cell.hidden and not any(seen.who == "all" for seen in cell.seen)


def public(blocks: list[m.Block]) -> Span | None:
    """The first thing done there that others notice; None if there is none, or if an event there reveals what it is
    about."""
    found: Span | None = None
    for node in nodes(*blocks):
        if isinstance(node, m.CallEvent) and node.event.reveals:
            return None
        if found is None and isinstance(node, m.Stmt) and noticed(node):
            found = node.span
    return found


def noticed(stmt: m.Stmt) -> bool:
    """Do others notice this? Not a local variable, nor a write to what not all may see, nor a move between hidden
    pools."""
    if isinstance(stmt, m.SetVar | m.IfStmt | m.Each | m.Repeat | m.Leave | m.Return):
        return False
    if isinstance(stmt, m.SetCell):
        return not is_secret(stmt.cell) and not stmt.cell.hidden
    if isinstance(stmt, m.Put):
        return not is_secret(stmt.target.cell)
    if isinstance(stmt, m.Draw | m.Gather):
        return not (is_secret(stmt.source.cell) and is_secret(stmt.target.cell))
    return True
