"""The call graph of a game: procedures that suspend, writes and reads of state, and forbidden
recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import networkx as nx

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.limits import DEPTH
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import asked, definition_nodes, nodes, reached

DECISIONS = (m.Choose, m.Pick, m.PickGroup, m.Walk, m.Together)


def analyse(world: CheckState) -> None:
    """Fill in the facts for later stages: `Procedure.asks` and `reentrant`, `Event.writes`,
    `Whenever.reads`.
    """
    model = world.model
    for event in model.events:
        event.writes = list(
            dict.fromkeys(n.cell for n in nodes(event.body) if isinstance(n, m.SetCell))
        )
    for whenever in model.whenevers:
        whenever.reads = list(dict.fromkeys(cells_read(whenever.source)))
    definitions(world)
    calls(world)
    for whenever in model.whenevers:
        if whenever.proc.asks:
            world.error(
                "RK508",
                whenever.proc.span,
                "a 'whenever' rule cannot contain a decision, because it runs by itself",
                "open a moment at that place in the rules instead",
            )
    consuming(world)


def cells_read(*roots: object) -> Iterator[m.Cell]:
    """Yield all cells that an expression may read, also through defines, totals, permits and
    slots.
    """
    return (node.cell for node in reached(*roots) if isinstance(node, m.ReadCell))


def definitions(world: CheckState) -> None:
    """Report cycles of defines, totals, permits and slots, and chains of definitions that are too
    deep.
    """
    model = world.model
    graph: nx.DiGraph[object] = nx.DiGraph()
    declared: list[m.Node] = [
        *model.defines,
        *model.totals,
        *model.permits,
        *model.slots,
        *model.movements,
    ]
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    owned = {clause: f"{total.name}.{clause.name}" for total in summed for clause in total.clauses}
    for total in summed:
        declared += total.clauses
        for clause in total.clauses:
            graph.add_edge(total, clause)
    for target in declared:
        graph.add_node(target)
        if isinstance(target, (m.Total, m.Permit)):
            continue
        for node in nodes(definition_nodes(target)):
            for other in asked(node):
                graph.add_edge(
                    target,
                    other,
                    span=graph.edges.get((target, other), {}).get("span") or _place(node),
                )
    for circle in nx.strongly_connected_components(graph):
        first = next(iter(sorted(circle, key=lambda d: getattr(d, "name", ""))))
        if len(circle) > 1 or graph.has_edge(first, first):
            way = round_about(graph, circle, first)
            names = " -> ".join(owned.get(d, getattr(d, "name", "")) for d in way)
            circular(
                "RK501",
                graph,
                way,
                f"these definitions form a cycle: {names}",
                "remove one of the references, or keep the value in a state",
                world,
            )
    deep = too_deep(graph, lambda d: not isinstance(d, m.Clause))
    if deep is not None:
        world.error(
            "RK511",
            getattr(deep, "span", NOWHERE),
            f"'{getattr(deep, 'name', '')}' needs more than {DEPTH} definitions inside each other",
            "write some of them directly where they are used, or use a table",
        )


def round_about(graph: nx.DiGraph[Any], circle: set[Any], first: Any) -> list[Any]:
    """Return a shortest cycle through `first` inside a strongly connected component."""
    if graph.has_edge(first, first):
        return [first, first]
    inside = graph.subgraph(circle)
    ways = (nx.shortest_path(inside, after, first) for after in inside.successors(first))
    return [first, *min(ways, key=len)]


def circular(
    code: str, graph: nx.DiGraph[Any], way: list[Any], message: str, help: str, world: CheckState
) -> None:
    """Report a cycle.

    The finding is at the place that leads back to the beginning of the cycle, or at the last one
    with a place.
    """
    places = [graph.edges[edge].get("span") for edge in pairwise(way)]
    begin = getattr(way[0], "span", NOWHERE)
    world.sink.error(
        code,
        next((span for span in reversed(places) if span is not None), begin),
        message,
        help,
        second=begin,
        second_label="the cycle begins here",
    )


def _place(node: m.Node) -> Span | None:
    """Return the place of a node in a file, if it has one."""
    span: Span = getattr(node, "span", NOWHERE)
    return span if span.line else None


def too_deep(graph: nx.DiGraph[Any], counts: Callable[[Any], bool]) -> Any:
    """Return a declaration from which a chain of more than DEPTH others begins, or None. A cycle
    counts as one declaration.
    """
    whole = nx.condensation(graph)
    depth: dict[int, int] = {}
    for part in reversed(list(nx.topological_sort(whole))):
        members = whole.nodes[part]["members"]
        depth[part] = max((depth[after] for after in whole.successors(part)), default=0) + any(
            counts(d) for d in members
        )
        if depth[part] > DEPTH:
            return next(iter(members))
    return None


# -------------------------------------------------------------------------------------------- calls
def called(node: object) -> Iterator[tuple[m.Procedure, bool]]:
    """Yield the procedures that a statement may call, with True for a call through a window."""
    if isinstance(node, m.CallProc):
        yield node.proc, False
    elif isinstance(node, m.Roll):
        if node.event is not None and node.event.wrapper is not None:
            yield node.event.wrapper, False
    elif isinstance(node, m.CallSlotSteps):
        for proc in node.slot.blocks:
            if proc is not None:
                yield proc, False
    elif isinstance(node, m.Walk):
        yield node.movement.proc, False
    elif isinstance(node, m.Window):
        for option in node.options:
            if option.proc is not None:
                yield option.proc, True
        for hook in node.hooks:
            yield hook.proc, True
    elif isinstance(node, m.Choose):
        for option in [*node.options, *node.standing]:
            if option.proc is not None:
                yield option.proc, False


def watched(node: object) -> list[m.Cell]:
    """Return the cells that a statement writes and whose changes trigger `whenever` rules."""
    return (
        node.event.writes
        if isinstance(node, m.CallEvent)
        else [node.cell]
        if isinstance(node, m.SetCell)
        else []
    )


def bodies(world: CheckState) -> dict[m.Procedure, list[object]]:
    """Return every procedure with its statements. For a movement these are `on entry` and
    `stranded`.
    """
    made: dict[m.Procedure, list[object]] = {p: [p.body] for p in world.model.procedures}
    for movement in world.model.movements:
        made[movement.proc] = [movement.on_entry, movement.stranded]
    for proc in (world.model.main, world.model.setup):
        if proc is not None:
            made[proc] = [proc.body]
    return made


def calls(world: CheckState) -> None:
    """Find the procedures that ask and the reentrant ones, and report recursion outside of
    windows.
    """
    graph, plain = _call_graphs(world)
    report_recursion(plain, world)
    _mark_reentrant(graph, world)
    deep = too_deep(plain, lambda p: True)
    if deep is not None:
        world.error(
            "RK511",
            deep.span,
            f"'{deep.name}' calls procedures more than {DEPTH} levels deep",
            "join some of them into one procedure",
        )
    for caller in leading_to(_asking(world), graph):
        if isinstance(caller, m.Procedure):
            caller.asks = True


def _call_graphs(world: CheckState) -> tuple[nx.DiGraph[Any], nx.DiGraph[m.Procedure]]:
    """Return the graph of all calls and writes, and the graph of the calls outside of windows.

    The nodes of the first are procedures, and cells between a write and the rules that watch it.
    """
    graph: nx.DiGraph[Any] = nx.DiGraph()
    plain: nx.DiGraph[m.Procedure] = nx.DiGraph()
    for proc, body in bodies(world).items():
        graph.add_node(proc)
        plain.add_node(proc)
        for node in nodes(*body):
            for other, through_window in called(node):
                graph.add_edge(proc, other)
                if not through_window:
                    span = plain.edges.get((proc, other), {}).get("span") or _place(node)
                    plain.add_edge(proc, other, span=span)
            for cell in watched(node):
                graph.add_edge(proc, cell)
    return graph, plain


def _mark_reentrant(graph: nx.DiGraph[Any], world: CheckState) -> None:
    """Mark the procedures that can run inside themselves.

    The effect of a `whenever` rule may trigger it again. Edges from the cells that it reads are
    added to the graph.
    """
    for rule in world.model.whenevers:
        for cell in rule.reads:
            graph.add_edge(cell, rule.proc)
    for circle in nx.strongly_connected_components(graph):
        if len(circle) > 1:
            for proc in circle:
                if isinstance(proc, m.Procedure):
                    proc.reentrant = True


def _asking(world: CheckState) -> list[m.Procedure]:
    """Return the movements, and the procedures that contain a decision themselves."""
    return [
        proc
        for proc, body in bodies(world).items()
        if proc.word == "movement" or any(decides(node) for node in nodes(*body))
    ]


def report_recursion(plain: nx.DiGraph[m.Procedure], world: CheckState) -> None:
    """Report each circle of procedures that call each other outside of windows."""
    for circle in nx.strongly_connected_components(plain):
        first = min(circle, key=lambda p: (p.span.file, p.span.line))
        if len(circle) > 1 or plain.has_edge(first, first):
            way = round_about(plain, circle, first)
            names = " -> ".join(p.name for p in way)
            circular(
                "RK502",
                plain,
                way,
                f"'{first.name}' calls itself"
                + (f" by way of others: {names}" if len(circle) > 1 else ""),
                "procedures may not call themselves; use a bounded 'repeat'",
                world,
            )


def decides(node: object) -> bool:
    """Return True if this statement asks a player."""
    return (
        isinstance(node, DECISIONS)
        or (isinstance(node, m.Each) and node.ties is not None)
        or (isinstance(node, m.Window) and bool(node.options))
    )


def asked_in(world: CheckState) -> set[str]:
    """Return the names of the procedures that contain a decision themselves, not only through
    calls.
    """
    return {
        proc.name
        for proc, body in bodies(world).items()
        if any(decides(node) for node in nodes(*body))
    }


def leading_to(ends: list[m.Procedure], graph: nx.DiGraph[Any]) -> set[Any]:
    """Return these procedures and all nodes that lead to one of them."""
    found: set[Any] = set()
    waiting: list[Any] = list(ends)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph.predecessors(node)
    return found


def consuming(world: CheckState) -> None:
    """Report options in windows that nothing uses up, so that they could be played forever."""
    reported: set[str] = set()
    for proc in [p for p in world.model.procedures if p.word in ("moment", "event")]:
        for node in nodes(proc.body):
            if not isinstance(node, m.Window):
                continue
            for option in node.options:
                bounded = any(isinstance(c, (m.Limit, m.Pays)) for c in option.clauses)
                guards = [c.cond for c in option.clauses if isinstance(c, m.Guarded)]
                if (
                    not bounded
                    and not any(True for _ in cells_read(guards))
                    and option.name not in reported
                ):
                    reported.add(option.name)
                    world.error(
                        "RK506",
                        option.span,
                        f"'{option.name}' could be played forever: it has no limit and no price",
                        "add a 'limit', a price ('pays'), or a 'when' condition that its own steps"
                        " make false",
                    )
