"""Warn of loops that run until a condition holds that nothing in them can change."""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import Changes, read_by
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, reached


def loops(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each `repeat until C` of the game itself in which no step writes anything that C
    reads.
    """
    changes = Changes(world)
    # Conditions that are reported already.
    reported = {d.span for d in world.sink.found if d.code == "RK704"}
    for proc, body in changes.bodies.items():
        for node in nodes(*body):
            if (
                isinstance(node, m.Repeat)
                and node.cond is not None
                and uses.is_own(proc)
                and node.cond.span not in reported
            ):
                asked = read_by([node.cond])
                if asked is not None and asked.isdisjoint(changes.of(node.body)):
                    what = ", ".join(
                        dict.fromkeys(
                            f"'{_name(each)}'" for each in reached(node.cond) if _name(each)
                        )
                    )
                    why = (
                        f"none of its steps changes {what}"
                        if what
                        else "its condition reads nothing that changes"
                    )
                    world.sink.warn(
                        "RK717",
                        node.cond.span,
                        f"the loop cannot end: {why}",
                        "let a step of the loop change it, test something else, or write 'repeat "
                        "N times'",
                        second=node.span,
                        second_label="the loop",
                    )


def _name(node: m.Node) -> str:
    """Return the name of the state or variable that is read here, or "" for parameters and elements
    of filters.
    """
    if isinstance(node, m.ReadCell):
        return (
            f"{node.cell.owner.name}.{node.cell.name}"
            if node.cell.owner is not None
            else node.cell.name
        )
    return (
        node.var.name
        if isinstance(node, m.Read)
        and node.var.frame is not None
        and node.var not in node.var.frame.params
        else ""
    )
