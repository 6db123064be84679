"""Find the greatest value that a counter has in the rounds of the loop that ends by it.

The loop `repeat until day > last_day` stands in the main phase, and all writes of `day` stand in
it. Up to the first step that writes `day`, it is at most `last_day` of the longest scenario.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import opened
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.starting_positions import Counters, ScenarioStart
from rulekit.compiler.check.resolve.scope import CheckState

Facts = tuple[m.Expr, ...]


@define(eq=False)
class CounterEnds:
    """The bounds of counters at the nodes of a game.

    Attributes:
        known: the facts at a node, by its id.
    """

    world: CheckState
    uses: ReachableUses
    known: dict[int, Facts] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        main = self.world.model.main
        loops = [s for s in main.body if isinstance(s, m.Repeat)] if main is not None else []
        changes = Changes(self.world) if loops else None
        counters = Counters(self.world, self.uses) if loops else None
        for loop in loops:
            if changes is not None and counters is not None and loop.cond is not None:
                for cell, fact in self._bounds(loop.cond, counters):
                    self._loop(loop, cell, fact, changes)

    def at(self, node: m.Node) -> Facts:
        """Return the facts that hold whenever a node is evaluated."""
        return self.known.get(id(node), ())

    def _bounds(self, cond: m.Expr, counters: Counters) -> Iterator[tuple[m.Cell, m.Expr]]:
        """Yield the counters in the end of a loop, each with what holds in all rounds of all
        scenarios.
        """
        if isinstance(cond, m.Or):
            for item in cond.items:
                yield from self._bounds(item, counters)
        elif isinstance(cond, m.CallDefine) and (body := opened(cond)) is not None:
            yield from self._bounds(body, counters)
        elif (
            isinstance(cond, m.Compare)
            and cond.op in (">", ">=")
            and isinstance(cond.left, m.ReadCell)
            and not cond.left.keys
            and not (cond.left.cell.resets or cond.left.cell.hidden)
            and isinstance(cond.left.type, m.Int)
        ):
            ends = [
                ScenarioStart(scenario, counters, self.world, self.uses, None, set()).value(
                    cond.right
                )
                for scenario in self.world.model.scenarios.values()
            ]
            found = [end for end in ends if end is not None]
            if found and len(found) == len(ends):
                last = m.Const(max(found) - (cond.op == ">="), type=cond.left.type)
                yield cond.left.cell, m.Compare("<=", cond.left, last, type=m.Bool())

    def _loop(self, loop: m.Repeat, cell: m.Cell, fact: m.Expr, changes: Changes) -> None:
        """Note a fact at all nodes that are evaluated only before the counter is written."""
        model = self.world.model
        behind = [stmt for stmt in (model.main.body if model.main else []) if stmt is not loop]
        if cell in changes.of(*behind):
            return
        written = [at for at, stmt in enumerate(loop.body) if cell in changes.of(stmt)]
        first = written[0] if written else len(loop.body)
        others: list[object] = [
            *behind,
            *loop.body[first:],
            *(r.proc.body for r in model.whenevers),
        ]
        others += model.setup.body if model.setup is not None else []
        elsewhere = {id(node) for node in changes.followed(*others)}
        for node in changes.followed(*loop.body[:first]):
            if id(node) not in elsewhere:
                self.known[id(node)] = (*self.at(node), fact)
