"""The conditions around each step: of the `if` and the option in which it stands, and of the steps
before it that end the block.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies
from rulekit.compiler.check.lints.side_effects import set_by
from rulekit.compiler.check.lints.step_facts import Facts
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.block_exits import GOES_ON, BlockExits
from rulekit.compiler.model.visitor import nodes, read


@define(eq=False)
class Guards:
    """The conditions that were tested before a node is evaluated. Each held when it was tested.

    Attributes:
        known: the conditions by the id of a node.
        changed: the variables that steps assign.
        params: the parameters of procedures and events.
        exits: the possible exits of blocks.
    """

    known: dict[int, Facts] = field(factory=dict)
    changed: Counter[m.Var] = field(factory=Counter)
    params: set[m.Var] = field(factory=set)
    exits: BlockExits = field(factory=BlockExits)

    @classmethod
    def of(cls, world: CheckState) -> Guards:
        """Collect the conditions in all steps of a game."""
        made = cls()
        known = bodies(world)
        events = world.model.events
        made.params = {var for proc in known for var in proc.params}
        made.params |= {var for event in events for var in event.params}
        every: list[list[object]] = [*known.values()]
        every += [[event.body] for event in events]
        for body in every:
            made.changed.update(var for node in nodes(*body) for var in set_by(node))
        for body in every:
            own: dict[int, Facts] = {}
            for block in body:
                if isinstance(block, list):
                    made._block(block, (), own)
            for at, facts in own.items():
                # A node in two bodies has no facts.
                made.known[at] = () if at in made.known else facts
        return made

    def at(self, node: m.Node) -> Facts:
        """Return the conditions around a node."""
        return self.known.get(id(node), ())

    def stays(self, var: m.Var) -> bool:
        """Return True if this is a parameter that no step changes."""
        return var in self.params and not self.changed[var]

    def _block(self, stmts: m.Block, facts: Facts, own: dict[int, Facts]) -> None:
        for stmt in stmts:
            for node in nodes(stmt):
                own[id(node)] = facts
            if isinstance(stmt, m.IfStmt):
                other = m.Not(stmt.cond, type=m.Bool())
                self._block(stmt.then, (*facts, stmt.cond), own)
                self._block(stmt.other, (*facts, other), own)
                if GOES_ON not in self.exits.of_block(stmt.then):
                    facts = self._kept((*facts, other), stmt.other)
                else:
                    facts = self._kept(facts, [stmt])
                continue
            facts = self._kept(facts, [stmt])
            if isinstance(stmt, (m.Each, m.Repeat, m.Together)):
                self._block(stmt.body, facts, own)
            for option in stmt.options if isinstance(stmt, m.Choose) else ():
                self._block(option.body, facts, own)

    def _kept(self, facts: Facts, stmts: m.Block) -> Facts:
        """Return the facts about variables that neither these steps nor others meanwhile assign."""
        changed = {var for node in nodes(*stmts) for var in set_by(node)}
        return tuple(
            fact for fact in facts if not any(var in changed or var.shared for var in read(fact))
        )
