"""The state and variables that steps may change, also through their calls, the handlers of their
events, and options that others may choose meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies, called, watched
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, reached

SEEN = (m.CallEvent, m.SetCell, m.PutMember, m.Draw, m.Gather)  # steps that may trigger `whenever`
Followed = m.Procedure | m.EventDeclaration
Changed = frozenset[m.Node]  # cells, variables, and procedures that run


@define(eq=False)
class Changes:
    """The possible changes in one model."""

    world: CheckState
    bodies: dict[m.Procedure, list[object]] = field(init=False)
    pools: dict[m.Kind, list[m.Cell]] = field(factory=dict)
    # what a body itself changes, and the bodies that run because of it
    direct: dict[Followed, tuple[set[m.Node], list[Followed]]] = field(factory=dict)
    # what steps change, with these steps, by their ids
    found: dict[tuple[int, ...], tuple[tuple[object, ...], Changed]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.bodies = bodies(self.world)
        for cell in self.world.model.cells:
            if cell.pool and isinstance(cell.type, m.SetOf):
                self.pools.setdefault(cell.type.kind, []).append(cell)

    def of(self, *steps: object) -> Changed:
        """Return everything that these steps may change."""
        asked = tuple(map(id, steps))
        if asked not in self.found:
            self.found[asked] = (steps, self._changed(*steps))
        return self.found[asked][1]

    def _changed(self, *steps: object) -> Changed:
        known: set[m.Node] = set()
        changed, waiting = self._direct(steps)
        found = {*changed}
        waiting = [*waiting]
        while waiting:
            each = waiting.pop()
            if each in known:
                continue
            known.add(each)
            if each not in self.direct:
                body = self.bodies.get(each) if isinstance(each, m.Procedure) else None
                self.direct[each] = self._direct(body if body is not None else [each.body])
            if isinstance(each, m.Procedure):
                found.update([each, *each.params, *self.ending(each)])
            changed, more = self.direct[each]
            found |= changed
            waiting += more
        return frozenset(found)

    def _direct(self, steps: Iterable[object]) -> tuple[set[m.Node], list[Followed]]:
        """Return what these steps themselves change, and the bodies that run because of them."""
        changed: set[m.Node] = set()
        more: dict[Followed, None] = {}
        for node in nodes(*steps):
            changed.update(self._by(node))
            more.update(dict.fromkeys(self._more(node)))
        return changed, [*more]

    def _more(self, node: m.Node) -> list[Followed]:
        """Return the procedures and events that run because of a node."""
        more: list[Followed] = [proc for proc, _ in called(node)]
        if isinstance(node, SEEN):
            written = {*watched(node), *self._by(node)}
            more += [
                rule.proc
                for rule in self.world.model.whenevers
                if not written.isdisjoint(rule.reads)
            ]
        if isinstance(node, m.CallEvent):
            more.append(node.event)
        return more

    def followed(self, *steps: object) -> Iterator[m.Node]:
        """Yield all nodes of these steps and of their consequences, and the procedures that run."""
        known: set[m.Node] = set()
        waiting: list[object] = [*steps]
        while waiting:
            for node in nodes(waiting.pop()):
                yield node
                for each in self._more(node):
                    if each not in known:
                        known.add(each)
                        if isinstance(each, m.Procedure):
                            yield each
                            waiting.append(self.bodies.get(each, [each.body]))
                        elif isinstance(each, m.EventDeclaration):
                            waiting.append(each.body)

    def otherwise(self, cell: m.Cell, followed: Iterable[m.Node]) -> bool:
        """Return True if one of these nodes changes the cell in another way than by an
        assignment.
        """
        return any(
            cell in (self.ending(node) if isinstance(node, m.Procedure) else self._by(node))
            for node in followed
            if not isinstance(node, m.SetCell)
        )

    def ending(self, proc: m.Procedure) -> Iterator[m.Cell]:
        """Return the state that is reset when this procedure ends."""
        return (cell for cell in self.world.model.cells if any(by is proc for by, _ in cell.resets))

    def _by(self, node: m.Node) -> Iterator[m.Node]:
        """Yield the state and variables that one statement, or a price, changes by itself."""
        if isinstance(node, m.SetCell):
            yield node.cell
        elif isinstance(node, m.PutMember):
            yield from (
                self.pools.get(m.kind_of(node.what.type), ())
                if isinstance(node.what.type, m.MemberOf)
                else ()
            )
            yield node.target.cell
        elif isinstance(node, (m.Draw, m.Gather)):
            yield from (node.source.cell, node.target.cell)
        elif isinstance(node, m.Pays):
            yield node.target if isinstance(node.target, m.Var) else node.target.cell
        else:
            yield from set_by(node)


def set_by(node: m.Node) -> Iterator[m.Var]:
    """Yield the variables of a procedure that a statement assigns."""
    if isinstance(node, (m.SetVar, m.Roll, m.Pick, m.PickGroup, m.Each, m.Together)):
        yield node.var
    elif isinstance(node, m.CallProc) and node.into is not None:
        yield node.into
    elif isinstance(node, m.Walk):
        yield from node.movement.proc.vars
    elif isinstance(node, m.GuardedOption):
        yield from [
            *node.params,
            *(clause.var for clause in node.clauses if isinstance(clause, m.With)),
        ]
        yield from (
            clause.target
            for clause in node.clauses
            if isinstance(clause, m.Pays) and isinstance(clause.target, m.Var)
        )


def read_by(conds: Iterable[m.Expr]) -> set[m.Node] | None:
    """Return the cells, variables and running procedures that conditions read, or None if they read
    anything else that may change.
    """
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
