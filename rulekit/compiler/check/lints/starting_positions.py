"""Warn of scenarios that begin beyond an end.

This is a loop that runs until a counter reaches a number, while the counter has already passed it
and only moves away. Or it is a track on which the marker of a state has no place. Or the values of
the scenario leave out every round of play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data.drawing import numbers, track_end
from rulekit.compiler.check.lints.membership_facts import key, opened
from rulekit.compiler.check.lints.no_op_steps import plain
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.unplayed_scenarios import unplayed
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.ranges import certain
from rulekit.compiler.model.visitor import nodes, reached
from rulekit.compiler.source.game_source import ScenarioData
from rulekit.compiler.source.map_and_pieces import entries, items, text

BEYOND = "RK722"
COMPARED = ("=", "<", ">", "<=", ">=")
DEEP = 5


def starts(world: CheckState, uses: ReachableUses, changes: Changes) -> None:
    """Warn of each such scenario of the game itself."""
    counters = Counters(world, uses)
    loops = [node for node in uses.nodes if isinstance(node, m.Repeat) and node.cond is not None]
    data = {scenario.name: scenario for scenario in world.source.scenarios}
    reported: set[Any] = set()
    for name, scenario in world.model.scenarios.items():
        start = ScenarioStart(scenario, counters, world, uses, data.get(name), reported)
        beyond = [start.loop(loop) for loop in loops]
        if not any(beyond):
            start.rounds(unplayed(world.model, changes, scenario))
        start.tracks()


@define(eq=False)
class Counters:
    """The direction in which each number moves in play."""

    world: CheckState
    uses: ReachableUses
    setup: dict[m.Cell, m.SetCell] = field(factory=dict)  # unconditional writes of the setup
    # 1: it grows, -1: it falls, 0: any change
    ways: dict[m.Cell, set[int]] = field(factory=dict)
    # by the id of a loop: the cells that conditions around it read
    asked: dict[int, set[m.Cell]] = field(factory=dict)
    loops: dict[m.Cell, int] = field(factory=dict)  # the number of loops that end by each cell

    def __attrs_post_init__(self) -> None:
        setup = self.world.model.setup
        for stmt in setup.body if setup is not None else ():
            if isinstance(stmt, m.SetCell) and not stmt.keys and stmt.op == ":=":
                self.setup[stmt.cell] = stmt
        begun = {id(stmt) for stmt in self.setup.values()}
        for node in self.uses.nodes:
            if isinstance(node, m.SetCell) and id(node) not in begun:
                self.ways.setdefault(node.cell, set()).add(_way(node))
            elif isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
                self.ways.setdefault(node.target.cell, set()).add(-_sign(node.amount))
            elif isinstance(node, m.IfStmt):
                cells = {read.cell for read in reached(node.cond) if isinstance(read, m.ReadCell)}
                for inner in nodes(node.then, node.other):
                    for loop in (
                        nodes(inner.proc.body) if isinstance(inner, m.CallProc) else (inner,)
                    ):
                        self.asked.setdefault(id(loop), set()).update(
                            cells if isinstance(loop, m.Repeat) else ()
                        )
            elif isinstance(node, m.Repeat) and node.cond is not None:
                for cell in {
                    read.cell for read in reached(node.cond) if isinstance(read, m.ReadCell)
                }:
                    self.loops[cell] = self.loops.get(cell, 0) + 1

    def way(self, cell: m.Cell) -> int:
        """Return 1 if the number only grows, -1 if it only falls, else 0."""
        ways = self.ways.get(cell, set())
        return next(iter(ways)) if len(ways) == 1 and not cell.resets else 0

    def stays(self, cell: m.Cell) -> bool:
        """Return True if nothing changes the cell after the setup."""
        return not self.ways.get(cell) and not cell.resets and not cell.pool


def _way(node: m.SetCell) -> int:
    """Return the direction in which a step moves a number."""
    if node.op != ":=":
        return _sign(node.value) * (1 if node.op == "+=" else -1)
    value = plain(node.value)
    if not isinstance(value, m.Arith) or value.op not in ("+", "-"):
        return 0
    here = (node.cell, key(node.keys))
    sides = [(value.left, value.right), *([(value.right, value.left)] if value.op == "+" else [])]
    more = next(
        (
            by
            for read, by in sides
            if isinstance(read, m.ReadCell) and (read.cell, key(read.keys)) == here
        ),
        None,
    )
    return _sign(more) * (1 if value.op == "+" else -1) if more is not None else 0


def _sign(e: m.Expr) -> int:
    """Return 1 if this is never less than 0, -1 if it is never more, and 0 if it may be both."""
    ends = certain(e)
    return 0 if ends is None else 1 if ends[0] >= 0 else -1 if ends[1] <= 0 else 0


@define(eq=False)
class ScenarioStart:
    """The beginning of a scenario.

    Attributes:
        reported: the findings already reported, for this scenario or for all.
    """

    scenario: Any
    counters: Counters
    world: CheckState
    uses: ReachableUses
    data: ScenarioData | None
    reported: set[Any]
    cells: dict[tuple[m.Cell, tuple[int, ...]], int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cells = {(cell, tuple(keys)): value for cell, keys, value in self.scenario.cells}

    # --------------------------------------------------------------------------------------- values
    def value(self, e: m.Expr, deep: int = DEEP) -> int | None:
        """Return a number that is the same throughout this scenario, or None."""
        e = plain(e)
        if isinstance(e, m.Const):
            return e.value
        if isinstance(e, m.ReadFixed) and not e.keys:
            found = (
                self.scenario.late.get(e.fixed.name)
                if e.fixed.late
                else e.fixed.values[0]
                if e.fixed.values
                else None
            )
            return found if isinstance(found, int) else None
        if isinstance(e, m.ReadCell) and not e.keys and deep and self.counters.stays(e.cell):
            return self.begin(e.cell, deep - 1)
        if isinstance(e, m.Arith) and e.op in ("+", "-"):
            left, right = self.value(e.left, deep), self.value(e.right, deep)
            return (
                None
                if left is None or right is None
                else left + right
                if e.op == "+"
                else left - right
            )
        body = opened(e) if isinstance(e, m.CallDefine) and deep else None
        return self.value(body, deep - 1) if body is not None else None

    def begin(self, cell: m.Cell, deep: int = DEEP) -> int | None:
        """Return the value of a state after the setup."""
        if cell in self.counters.setup:
            return self.value(self.counters.setup[cell].value, deep)
        return self.cells.get((cell, ()), cell.initial)

    def begins(self, cell: m.Cell) -> Iterator[tuple[tuple[int, ...], int | None]]:
        """Yield the value of a state after the setup for each combination of its keys."""
        for keys in product(
            *(
                range(each.size) if each.kind else range(each.low, each.high + 1)
                for each in cell.keys
            )
        ):
            yield (
                keys,
                self.begin(cell) if not keys else self.cells.get((cell, keys), cell.initial),
            )

    # ---------------------------------------------------------------------------------------- loops
    def loop(self, loop: m.Repeat) -> bool:
        """Warn of a loop with a counter that begins beyond the number that ends it."""
        beyond = False
        for read, limit, exact in compared(loop.cond) if loop.cond is not None else ():
            way, end = self.counters.way(read.cell), self.value(limit)
            if (
                not way
                or end is None
                or read.cell in self.counters.asked.get(id(loop), ())
                or not (exact or self.last(read.cell, limit))
            ):
                continue
            begin = self.begin(read.cell)
            if begin is None or (begin - end) * way <= 0:
                continue
            moves = "only grows" if way > 0 else "only falls"
            what = (
                f"the loop that ends with {end} is already past its end: '{read.cell.name}' "
                f"begins with {begin} and {moves}"
            )
            first = self.counters.setup.get(read.cell)
            names = [
                read.cell.name,
                *(_names(first.value) if first is not None else ()),
                *_names(limit),
            ]
            beyond = True
            self.tell(read.cell, names, what, loop.cond.span if loop.cond is not None else NOWHERE)
        return beyond

    def rounds(self, found: tuple[m.Expr, m.Expr] | None) -> None:
        """Warn of a scenario in which nobody plays, because of a condition in the rules."""
        if found is None:
            return
        cause, part = found
        names = sorted(dict.fromkeys(_names(part)), key=lambda name: not self.is_special(name))
        self.tell(
            cause,
            names,
            "play is over before the first round",
            cause.span,
            "correct the value, or the rule that reads it",
            "because of this",
        )

    def is_special(self, name: str) -> bool:
        """Return True if no other scenario has the value that this one has under a name."""
        mine = self.named(self.scenario, name)
        others = (one for one in self.world.model.scenarios.values() if one is not self.scenario)
        return all(self.named(other, name) != mine for other in others)

    @staticmethod
    def named(scenario: Any, name: str) -> tuple[Any, ...]:
        """Return the values of a constant or state in a scenario."""
        cells = [(keys, value) for cell, keys, value in scenario.cells if cell.name == name]
        return scenario.late.get(name), cells

    def last(self, cell: m.Cell, limit: m.Expr) -> bool:
        """Return True if this is the end of the whole game, not of a part that a later scenario has
        already passed.
        """
        return self.counters.loops.get(cell, 0) <= 1 or any(True for _ in _names(limit))

    # --------------------------------------------------------------------------------------- tracks
    def tracks(self) -> None:
        """Warn of tracks on which a state does not stand at the start."""
        given = numbers(self.world.model).get(self.scenario.name, {})
        for cell, top in shown_tracks(self.world):
            self.track(cell, top, given)

    def track(self, cell: m.Cell, top: Mapping[str, Any], given: Mapping[str, int]) -> None:
        assert isinstance(cell.type, m.Int)
        ends = {end: track_end(top[end], given) for end in ("from", "to") if end in top}
        low, high = ends.get("from", cell.type.low), ends.get("to", cell.type.high)
        for keys, value in self.begins(cell):
            if not value:  # 0 may mean that it is not there yet
                continue
            below = low is not None and value < low and self.counters.way(cell) <= 0
            above = high is not None and value > high
            if below or above:
                where = (
                    f"below {low}, the beginning of its track"
                    if below
                    else f"above {high}, the end of its track"
                )
                end = text(top.get("from" if below else "to")) or ""
                member = ".".join(
                    [
                        cell.name,
                        *(
                            each.kind.members[at]
                            for each, at in zip(cell.keys, keys, strict=True)
                            if each.kind
                        ),
                    ]
                )
                self.tell(
                    cell,
                    [member, cell.name, end],
                    f"'{cell.name}' begins with {value}, {where}",
                    track_place(top),
                )
                return

    # ------------------------------------------------------------------------------------- findings
    def tell(
        self,
        subject: m.Cell | m.Expr,
        others: list[str],
        what: str,
        second: Span,
        help: str = "correct one of the two numbers",
        label: str = "its end",
    ) -> None:
        """Report the finding at the value that the scenario sets. If there is none, report it once,
        at the declaration of the state or at the condition.
        """
        place = next(self.places(others), None)
        span = place if place is not None else subject.span
        known = (subject, self.scenario.name if place is not None else "")
        if span.file in self.uses.own and known not in self.reported:
            self.reported.add(known)
            where = f"in the scenario '{self.scenario.name}', " if self.data is not None else ""
            self.world.sink.warn(
                BEYOND,
                span,
                where + what,
                help,
                second=second if second != span else None,
                second_label=label if second != span else "",
            )

    def places(self, others: list[str]) -> Iterator[Span]:
        """Yield the places where the scenario sets one of these names."""
        said = self.data.set if self.data is not None else {}
        for name in others:
            for path, datum in said.items():
                if name in (path, path.partition(".")[0]):
                    yield datum.key_span if datum.key_span is not NOWHERE else datum.span


def shown_tracks(world: CheckState) -> Iterator[tuple[m.Cell, Mapping[str, Any]]]:
    """Yield the tracks of numbers that all players see, each with its state and entries."""
    shown = {
        cell.name: cell
        for cell in world.model.cells
        if not cell.hidden and not cell.pool and cell.owner is None
    }
    for track in items(entries(world.source.drawing).get("tracks")):
        top = entries(track)
        cell = shown.get(text(top.get("cell")) or "")
        if cell is not None and isinstance(cell.type, m.Int):
            yield cell, top


def track_place(top: Mapping[str, Any]) -> Span:
    """Return the place of a track in the drawing."""
    span: Span = top["cell"].span
    return span


def _names(limit: m.Expr) -> Iterator[str]:
    """Return the names of the constants and states in an expression."""
    return (
        node.fixed.name if isinstance(node, m.ReadFixed) else node.cell.name
        for node in reached(limit)
        if isinstance(node, (m.ReadFixed, m.ReadCell))
    )


def compared(cond: m.Expr, deep: int = DEEP) -> Iterator[tuple[m.ReadCell, m.Expr, bool]]:
    """Yield the states and the numbers with which the parts of a condition compare them. True means
    that the condition requires this exact number.
    """
    if isinstance(cond, (m.And, m.Or)):
        for item in cond.items:
            yield from compared(item, deep)
    elif isinstance(cond, m.CallDefine) and deep and (body := opened(cond)) is not None:
        yield from compared(body, deep - 1)
    elif isinstance(cond, m.Compare) and cond.op in COMPARED and isinstance(cond.left.type, m.Int):
        for read, limit in ((cond.left, cond.right), (cond.right, cond.left)):
            read = plain(read)
            if isinstance(read, m.ReadCell) and not read.keys:
                yield read, limit, cond.op == "="
