"""Takes a whole model, makes for any steps what they may change: state and variables, also by what they call, by what hangs on their
events, and by what others may do meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from rulekit import model as m
from rulekit.check.lints.flow import bodies, called, watched
from rulekit.check.names.scope import World
from rulekit.model.visitor import nodes, reached

Changed = frozenset[m.Node]  # cells, variables, and procedures that run


@define(eq=False)
class Changes:
    """What may change in one model."""

    world: World
    bodies: dict[m.Procedure, list[object]] = field(init=False)
    pools: dict[m.Kind, list[m.Cell]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.bodies = bodies(self.world)
        for cell in self.world.model.cells:
            if cell.pool and isinstance(cell.type, m.SetOf):
                self.pools.setdefault(cell.type.kind, []).append(cell)

    def of(self, *steps: object) -> Changed:
        """All that these steps may change."""
        found: set[m.Node] = set()
        waiting: list[object] = [*steps]
        while waiting:
            for node in nodes(waiting.pop()):
                found.update(self._by(node))
                more: list[m.Procedure] = [proc for proc, _ in called(node)]
                more += [rule.proc for rule in self.world.model.whenevers if not set(rule.reads).isdisjoint(watched(node))]
                if isinstance(node, m.CallEvent):
                    waiting.append(node.event.body)
                for proc in more:
                    if proc not in found:
                        found.update([proc, *proc.params, *self.ending(proc)])
                        waiting.append(self.bodies.get(proc, [proc.body]))
        return frozenset(found)

    def ending(self, proc: m.Procedure) -> Iterator[m.Cell]:
        """The state that takes its first value when this ends."""
        return (cell for cell in self.world.model.cells if any(by is proc for by, _ in cell.resets))

    def _by(self, node: m.Node) -> Iterator[m.Node]:
        """What one statement, or a price, changes by itself."""
        if isinstance(node, m.SetCell):
            yield node.cell
        elif isinstance(node, m.Put):
            yield from self.pools.get(m.kind_of(node.what.type), ()) if isinstance(node.what.type, m.MemberOf) else ()
            yield node.target.cell
        elif isinstance(node, (m.Draw, m.Gather)):
            yield from (node.source.cell, node.target.cell)
        elif isinstance(node, m.Pays):
            yield node.target if isinstance(node.target, m.Var) else node.target.cell
        else:
            yield from set_by(node)


def set_by(node: m.Node) -> Iterator[m.Var]:
    """The variables of a procedure that a statement gives a value."""
    if isinstance(node, (m.SetVar, m.Roll, m.Pick, m.PickGroup, m.Each, m.Together)):
        yield node.var
    elif isinstance(node, m.CallProc) and node.into is not None:
        yield node.into
    elif isinstance(node, m.Walk):
        yield from node.movement.proc.vars
    elif isinstance(node, m.Option):
        yield from [*node.params, *(clause.var for clause in node.clauses if isinstance(clause, m.With))]
        yield from (clause.target for clause in node.clauses if isinstance(clause, m.Pays) and isinstance(clause.target, m.Var))


def read_by(conds: Iterable[m.Expr]) -> set[m.Node] | None:
    """The cells, variables and running procedures that these ask for; None: they ask for what is not followed here."""
    found: set[m.Node] = set()
    for node in reached(*conds):
        if isinstance(node, (m.Here, m.CouldBeIn)):
            return None
        if isinstance(node, m.ReadCell):
            found.add(node.cell)
        elif isinstance(node, m.Read):
            found.add(node.var)
        elif isinstance(node, m.Running):
            found.add(node.proc)
    return found
