"""Warn of tracks without a box for a value that their state has in play.

This is the value at the start, unless play surely moves the marker onto the track. Or it is a
number that a step writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data.drawing import numbers, track_end
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.starting_positions import Counters, ScenarioStart, shown_tracks
from rulekit.compiler.check.resolve.scope import CheckState

NO_BOX = "RK723"


def boxes(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each such track in the drawing of the game itself."""
    tracks = [
        (cell, top)
        for cell, top in shown_tracks(world)
        if ("from" in top or "to" in top) and top["cell"].span.file in uses.own
    ]
    if not tracks:
        return
    tracking = _Tracking(world, uses)
    for cell, top in tracks:
        tracking.track(cell, top)


@define(eq=False)
class _Tracking:
    world: CheckState
    uses: ReachableUses
    counters: Counters = field(init=False)
    moved: set[m.Cell] = field(init=False)  # state that play surely writes
    prepared: frozenset[m.Node] = field(init=False)  # state that the setup may write

    def __attrs_post_init__(self) -> None:
        self.counters = Counters(self.world, self.uses)
        model = self.world.model
        self.moved = set(_surely(model.main.body)) if model.main is not None else set()
        begun = {id(stmt) for stmt in self.counters.setup.values()}
        steps = model.setup.body if model.setup is not None else []
        self.prepared = Changes(self.world).of(*(stmt for stmt in steps if id(stmt) not in begun))

    def track(self, cell: m.Cell, top: Mapping[str, Any]) -> None:
        """Warn of the first value without a box."""
        assert isinstance(cell.type, m.Int)
        given = numbers(self.world.model)
        for name, scenario in self.world.model.scenarios.items():
            ends = {end: track_end(top[end], given[name]) for end in ("from", "to") if end in top}
            low, high = ends.get("from", cell.type.low), ends.get("to", cell.type.high)
            start = ScenarioStart(scenario, self.counters, self.world, self.uses, None, set())
            for value, what, second, label in (*self.begun(cell, start), *self.written(cell)):
                below = low is not None and value < low
                if not below and (high is None or value <= high):
                    continue
                self.world.sink.warn(
                    NO_BOX,
                    top["from" if below else "to"].span,
                    f"the track of '{cell.name}' has no box for {value}: {what} {value}",
                    f"let the track {'begin' if below else 'end'} with {value}, or correct the"
                    " rules",
                    second=second,
                    second_label=label,
                )
                return

    def begun(
        self, cell: m.Cell, start: ScenarioStart
    ) -> Iterator[tuple[int, str, Span | None, str]]:
        """Yield the values at the start that play may never leave. RK722 reports other values."""
        if cell in self.moved or cell in self.prepared:
            return
        for _, value in start.begins(cell):
            if value is not None and (value == 0 or self.counters.way(cell) > 0):
                yield value, f"'{cell.name}' begins with", cell.span, "the state"

    def written(self, cell: m.Cell) -> Iterator[tuple[int, str, Span | None, str]]:
        """Yield the numbers that steps write."""
        for node in self.uses.nodes:
            if isinstance(node, m.SetCell) and node.cell is cell and node.op == ":=":
                for value in _numbers(node.value):
                    yield value, "a step sets", node.span, "this step"


def _numbers(e: m.Expr) -> Iterator[int]:
    if isinstance(e, m.Const):
        yield e.value
    elif isinstance(e, m.If):
        yield from _numbers(e.then)
        yield from _numbers(e.other)


def _surely(steps: m.Block) -> Iterator[m.Cell]:
    """Yield the state that these steps write if none of them ends play."""
    for stmt in steps:
        if isinstance(stmt, m.SetCell):
            yield stmt.cell
        elif isinstance(stmt, m.CallEvent):
            yield from _surely(stmt.event.body)
        elif isinstance(stmt, m.CallProc):
            yield from _surely(stmt.proc.body)
        elif isinstance(stmt, m.Repeat) or (isinstance(stmt, m.Each) and _is_whole(stmt)):
            yield from _surely(stmt.body)


def _is_whole(loop: m.Each) -> bool:
    """Return True if a loop runs over numbers, over members that it lists, or over all of them."""
    return loop.source is None or isinstance(loop.source, m.Const)
