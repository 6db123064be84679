"""Warn of limits that never bind, because their scope never runs where the option is offered, or
because the option cannot be taken so often. Warn of options whose limit is 0.
"""

from __future__ import annotations

from typing import Any

import networkx as nx

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies, called, watched
from rulekit.compiler.check.lints.limit_counts import chances, offered
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import SEEN
from rulekit.compiler.check.lints.value_enumeration import Ranges
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes


def scopes(world: CheckState, uses: ReachableUses, ranges: Ranges) -> None:
    """Warn of each `limit N per SCOPE` of the game itself with a scope that cannot be running where
    its option is offered.
    """
    graph = running(world)
    offering: dict[str, set[m.Procedure]] = {}
    for proc, body in bodies(world).items():
        for node in nodes(*body):
            for option in offered(node):
                offering.setdefault(option.key, set()).add(proc)
    for option in world.model.options:
        for clause in option.clauses:
            if not isinstance(clause, m.Limit) or not uses.is_own(clause):
                continue
            if clause.count == 0 and clause.unless is None:
                world.sink.warn(
                    "RK715",
                    clause.span,
                    f"'{option.name}' is never offered: its limit is 0",
                    "correct the number, or remove the option",
                )
            elif clause.counter.resets:
                places = {
                    proc for proc in offering.get(option.key, set()) if id(proc) in uses.reached
                }
                _limit(clause, option, places, graph, world)
    chances(world, uses, graph, offering, ranges)


def running(world: CheckState) -> nx.DiGraph[m.Procedure]:
    """Return a graph with edges from each procedure to those that may run because of its steps."""
    graph: nx.DiGraph[m.Procedure] = nx.DiGraph()
    for proc, body in bodies(world).items():
        graph.add_node(proc)
        for node in nodes(*body):
            graph.add_edges_from((proc, other) for other, _ in called(node))
            if isinstance(node, SEEN):
                written = {*watched(node)}
                graph.add_edges_from(
                    (proc, rule.proc)
                    for rule in world.model.whenevers
                    if not isinstance(node, (m.CallEvent, m.SetCell))
                    or not written.isdisjoint(rule.reads)
                )
    return graph


def _limit(
    clause: m.Limit,
    option: m.GuardedOption,
    places: set[m.Procedure],
    graph: nx.DiGraph[Any],
    world: CheckState,
) -> None:
    scope = clause.counter.resets[0][0]
    within = {scope, *nx.descendants(graph, scope)} if scope in graph else {scope}
    if places and not places & within:
        around = ", ".join(sorted({f"'{proc.name}'" for proc in places}))
        where = f"where '{option.name}' is offered (in {around})"
        world.sink.warn(
            "RK706",
            clause.span,
            f"this limit has no effect: '{scope.name}' never runs {where}",
            f"count in a procedure that runs there: limit {clause.count} per "
            f"{min(places, key=lambda proc: proc.name).name}, or per game",
        )
