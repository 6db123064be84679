"""Warn of state that lasts as long as a procedure and is read where the procedure never runs: it
always has its initial value there.
"""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies
from rulekit.compiler.check.lints.limit_scopes import running
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import asked, definition_nodes, nodes

ANYWHERE = m.Procedure("", "")  # stands for expressions outside of procedures
LASTING = ("procedure", "phase", "main", "action", "reaction", "standing", "movement", "moment")


def first_values(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each such read in the rules of the game itself."""
    graph, begin = (
        running(world),
        [proc for proc in (world.model.main, world.model.setup) if proc is not None],
    )
    given = {cell for scenario in world.model.scenarios.values() for cell, _, _ in scenario.cells}
    ends = {
        cell: cell.resets[0][0]
        for cell in world.model.cells
        if len(cell.resets) == 1
        and cell.resets[0][1] is None
        and not cell.hidden
        and not cell.pool
        and cell in uses.writes
        and cell not in given
        and cell.resets[0][0].word in LASTING
    }
    if not ends:
        return
    played = _from(begin, graph)
    writers = _writers(world)
    for (cell, span), places in _readings(ends, world).items():
        scope, found = (
            ends[cell],
            places & {proc for proc in places if proc is ANYWHERE or id(proc) in uses.reached},
        )
        within = _from([scope], graph)
        elsewhere = (
            _from(begin, nx.restricted_view(graph, [scope], [])) if scope in graph else played
        )
        if (
            scope in played
            and found
            and found <= played - within
            and not writers.get(cell, set()) & elsewhere
            and span.file in uses.own
        ):
            names = ", ".join(sorted({f"'{proc.name}'" for proc in found}))
            world.sink.warn(
                "RK706",
                span,
                f"'{cell.name}' always has its first value here, because '{scope.name}' never "
                f"runs at this point (in {names})",
                f"read it where '{scope.name}' runs, or let it last longer: 'per game', or 'per' "
                "a procedure that runs in both places",
            )


def _from(begin: list[m.Procedure], graph: nx.Graph[m.Procedure]) -> set[m.Procedure]:
    """Return these procedures and all that they may call."""
    found: set[m.Procedure] = set(begin)
    for proc in begin:
        if proc in graph:
            found |= nx.descendants(graph, proc)
    return found


def _writers(world: CheckState) -> dict[m.Cell, set[m.Procedure]]:
    """Return the procedures that write each state."""
    found: dict[m.Cell, set[m.Procedure]] = {}
    for proc, body in bodies(world).items():
        for node in nodes(*body):
            cells = (
                node.event.writes
                if isinstance(node, m.CallEvent)
                else [node.cell]
                if isinstance(node, m.SetCell)
                else []
            )
            if isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
                cells = [node.target.cell]
            for cell in cells:
                found.setdefault(cell, set()).add(proc)
    return found


def _readings(
    wanted: dict[m.Cell, m.Procedure], world: CheckState
) -> dict[tuple[m.Cell, Span], set[m.Procedure]]:
    """Return each place in the rules that reads one of these cells, with the procedures for which
    it may be evaluated.
    """
    users: nx.DiGraph[m.Node] = nx.DiGraph()  # edges from users to used declarations
    direct: dict[tuple[m.Cell, Span], set[m.Node]] = {}
    for user, parts in _users(world):
        users.add_node(user)
        for node in nodes(parts):
            users.add_edges_from((user, target) for target in _asked(node))
            if isinstance(node, m.ReadCell) and node.cell in wanted and node.span.line:
                direct.setdefault((node.cell, node.span), set()).add(user)
    return {
        place: {
            proc
            for user in found
            for proc in (user, *nx.ancestors(users, user))
            if isinstance(proc, m.Procedure)
        }
        for place, found in direct.items()
    }


def _users(world: CheckState) -> Iterator[tuple[m.Node, object]]:
    """Yield each declaration that reads state, with the parts in which it does so."""
    model = world.model
    yield from bodies(world).items()
    for declaration in (
        *model.defines,
        *model.totals,
        *model.permits,
        *model.slots,
        *model.movements,
    ):
        yield declaration, definition_nodes(declaration)
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    yield from ((clause, definition_nodes(clause)) for total in summed for clause in total.clauses)
    yield from ((event, event.body) for event in model.events)
    yield ANYWHERE, [*model.invariants, *(rule.source for rule in model.whenevers)]
    yield ANYWHERE, [seen for cell in model.cells for seen in cell.seen]


def _asked(node: m.Node) -> list[m.Node]:
    """Return the declarations whose value or steps a node uses."""
    more: list[m.Node] = (
        [node.event]
        if isinstance(node, m.CallEvent)
        else [node.movement]
        if isinstance(node, m.Walk)
        else []
    )
    return [*asked(node), *more]
