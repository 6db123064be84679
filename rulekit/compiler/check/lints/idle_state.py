"""Warn of state that nothing reads, or that nothing ever changes."""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.scope import CheckState


def idle(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each state of the game itself that makes no difference to play."""
    for cell in world.model.cells:
        if cell.hidden or not cell.span.line or not uses.is_own(cell):
            continue
        read, written = cell in uses.reads, cell in uses.writes
        word, name = (
            "pool" if cell.pool else "state",
            (f"{cell.owner.name}.{cell.name}" if cell.owner is not None else cell.name),
        )
        if not read and not written:
            world.sink.warn(
                "RK703",
                cell.span,
                f"no rule reads or changes the {word} '{name}'",
                "remove it, or use it where it belongs",
            )
        elif not read and not cell.pool:
            world.sink.warn(
                "RK703",
                cell.span,
                f"the {word} '{name}' is written but never read",
                "read it in a rule, or show it in drawing.yaml; otherwise remove it and the steps "
                "that write it",
            )
        elif not written and not (cell.pool and cell.initial):
            world.sink.warn(
                "RK703",
                cell.span,
                f"no rule changes the {word} '{name}': {_always(cell)}",
                "change it in an event or a scenario; if it always stays the same, declare it "
                "'fixed'",
            )
        elif cell.pool and not cell.initial and cell not in uses.filled:
            world.sink.warn(
                "RK703",
                cell.span,
                f"the pool '{name}' is never filled, so drawing or gathering from it does nothing",
                "put, draw or gather into it, or fill it in the data or a scenario; otherwise "
                "remove it and the steps that take from it",
            )


def _always(cell: m.Cell) -> str:
    return "it is never filled" if cell.pool else "it keeps its first value"
