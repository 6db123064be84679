"""Warn of limits above the number of times that their option can be taken.

The analysis counts how often an option can be taken during one run of a procedure. Each `choose`
that offers it counts with the rounds of the loops around it, through the called procedures. If a
price is paid from a field, the field's maximum bounds the number of payments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import networkx as nx
from attrs import define

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import called
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.value_enumeration import Ranges
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.ranges import certain
from rulekit.compiler.model.visitor import nodes

UNLIMITED_COUNT = 1_000_000  # stands for an unknown or unlimited number


def chances(
    world: CheckState,
    uses: ReachableUses,
    graph: nx.DiGraph[m.Procedure],
    offering: Mapping[str, set[m.Procedure]],
    ranges: Ranges,
) -> None:
    """Warn of each limit of the game itself that is above the maximum in its scope."""
    together: dict[m.Cell, list[tuple[m.GuardedOption, m.Limit]]] = {}
    for option in world.model.options:
        for clause in option.clauses:
            if isinstance(clause, m.Limit):
                together.setdefault(clause.counter, []).append((option, clause))
    counting = _Counting(world, graph, offering)
    for counter, counted in together.items():
        if not any(uses.is_own(clause) and clause.count > 1 for _, clause in counted):
            continue  # a limit of 1 may always be written, for clarity
        scope = counter.resets[0][0] if counter.resets else world.model.main
        if scope is None or scope.reentrant or len(counter.resets) > 1:
            continue
        most = counting.most(scope, [option for option, _ in counted])
        paid = [_paid(option, scope, world, ranges) for option, _ in counted]
        most = min(most, sum(paid))
        for option, clause in counted:
            if uses.is_own(clause) and 0 < most < clause.count:
                times = "once" if most == 1 else f"{most} times"
                world.sink.warn(
                    "RK706",
                    clause.span,
                    f"this limit has no effect: '{option.name}' can be taken {times} at most in "
                    f"'{scope.name}'",
                    "correct the number, or remove the limit",
                )


@define(eq=False)
class _Counting:
    """Counts how often options can be taken.

    Attributes:
        graph: edges from each procedure to those that may run because of its steps.
        offering: the procedures that offer an option, by its key.
    """

    world: CheckState
    graph: nx.DiGraph[m.Procedure]
    offering: Mapping[str, set[m.Procedure]]

    def most(self, scope: m.Procedure, options: list[m.GuardedOption]) -> int:
        """Return the maximal number during one run of the procedure."""
        keys = {option.key for option in options}
        places = set[m.Procedure]().union(*(self.offering.get(key, ()) for key in keys))
        reaching = places.union(
            *(nx.ancestors(self.graph, proc) for proc in places if proc in self.graph)
        )
        if scope is self.world.model.main and self.world.model.setup in reaching:
            return UNLIMITED_COUNT

        @cache
        def of(proc: m.Procedure) -> int:
            if proc not in reaching:
                return 0
            return block(proc.body) if not proc.reentrant else UNLIMITED_COUNT

        def block(stmts: Iterable[m.Stmt]) -> int:
            return min(UNLIMITED_COUNT, sum(map(step, stmts)))

        def step(stmt: m.Stmt) -> int:
            if isinstance(stmt, m.IfStmt):
                return max(block(stmt.then), block(stmt.other))
            if isinstance(stmt, (m.Each, m.Repeat)):
                inside = block(stmt.body)
                return min(UNLIMITED_COUNT, inside * _rounds(stmt)) if inside else 0
            if isinstance(stmt, m.CallProc):
                return of(stmt.proc)
            if isinstance(stmt, m.Choose) and not any(each.key in keys for each in stmt.standing):
                ways = [
                    (each.key in keys)
                    + (of(each.proc) if each.proc is not None else block(each.body))
                    for each in stmt.options
                ]
                others = any(each.proc in reaching for each in stmt.standing)
                return UNLIMITED_COUNT if others else max(ways, default=0)
            return (
                UNLIMITED_COUNT
                if any(each.key in keys for node in nodes(stmt) for each in offered(node))
                or any(proc in reaching for node in nodes(stmt) for proc, _ in called(node))
                else 0
            )

        return of(scope)


def offered(node: m.Node) -> list[m.GuardedOption]:
    """Return the options that a step offers to players, including reactions."""
    if isinstance(node, m.Choose):
        return [*node.options, *node.standing]
    return node.options if isinstance(node, m.Window) else []


def _rounds(stmt: m.Each | m.Repeat) -> int:
    """Return the maximal number of rounds of a loop."""
    if isinstance(stmt, m.Repeat):
        ends = certain(stmt.limit)
        return max(ends[1], 0) if ends is not None else UNLIMITED_COUNT
    if stmt.items is not None:
        return len(stmt.items)
    if stmt.numbers is not None:
        low, high = (certain(end) for end in stmt.numbers)
        return (
            max(high[1] - low[0] + 1, 0)
            if low is not None and high is not None
            else UNLIMITED_COUNT
        )
    return (
        stmt.source.type.kind.size
        if stmt.source is not None and isinstance(stmt.source.type, m.SetOf)
        else UNLIMITED_COUNT
    )


def _paid(option: m.GuardedOption, scope: m.Procedure, world: CheckState, ranges: Ranges) -> int:
    """Return the number of times that the price of an option can be paid from a field of the scope,
    if the field is assigned only once.
    """
    found = UNLIMITED_COUNT
    for clause in option.clauses:
        if (
            not isinstance(clause, m.Pays)
            or not isinstance(clause.target, m.Var)
            or clause.target.frame is not scope
        ):
            continue
        var, price = clause.target, ranges.of(clause.amount)
        steps = [
            node
            for proc in world.model.procedures
            for node in nodes(proc.body)
            if isinstance(node, m.SetVar) and node.var is var
        ]
        once = {id(stmt) for stmt in scope.body}
        if (
            price is None
            or price[0] < 1
            or len(steps) != 1
            or id(steps[0]) not in once
            or steps[0].op != ":="
        ):
            continue
        ends = [
            end[1]
            for end in (ranges.of(steps[0].value), certain(m.Read(var, type=var.type)))
            if end is not None
        ]
        found = min([found, *(max(end, 0) // price[0] for end in ends)])
    return found
