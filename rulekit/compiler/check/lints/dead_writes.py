"""Warn of values that are overwritten before anything can read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, reached, substitute

Kept: TypeAlias = m.Var | m.Cell
Store: TypeAlias = m.SetVar | m.SetCell
MOVES = (m.PutMember, m.Draw, m.Gather)
# After these steps play continues, and they read only state that they name.
PLAIN = (
    *MOVES,
    m.SetVar,
    m.SetCell,
    m.CallEvent,
    m.IfStmt,
)


def overwritten(world: CheckState, uses: ReachableUses) -> None:
    """Warn of each such step of the game itself."""
    looking = _Looking(world)
    for proc in world.model.procedures:
        if uses.is_own(proc) and id(proc) in uses.reached:
            looking.block(proc.body, [])
    for movement in world.model.movements:
        if uses.is_own(movement.proc):
            looking.block(movement.on_entry, [])
            looking.block(movement.stranded, [])
    within = _Looking(world, event=True)
    for event in world.model.events:
        if uses.is_own(event):
            within.block(event.body, [])


@define(eq=False)
class _Looking:
    """The analysis of the steps of a game.

    Attributes:
        event: True for the body of an event. Rules that watch state run only after all of it.
        watched: the state that is read after each step.
        known: the state and variables that each step reads, by its id.
    """

    world: CheckState
    event: bool = False
    watched: set[m.Node] = field(init=False)
    known: dict[int, frozenset[m.Node]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        model = self.world.model
        asked: list[object] = [*model.invariants]
        for rule in model.whenevers:
            asked += [rule.source, rule.proc.body]
        self.watched = (
            set()
            if self.event
            else {node.cell for node in reached(*asked) if isinstance(node, m.ReadCell)}
        )

    def block(self, body: Sequence[m.Stmt], after: Sequence[m.Stmt]) -> None:
        """Analyse a block.

        Args:
            after: the steps with which play continues behind it.
        """
        for at, stmt in enumerate(body):
            rest = [*body[at + 1 :], *after]
            if isinstance(stmt, (m.Return, m.Leave, m.Finish)):
                return
            if isinstance(stmt, (m.SetVar, m.SetCell)):
                self.look(stmt, rest)
            elif isinstance(stmt, m.IfStmt):
                self.block(stmt.then, rest)
                self.block(stmt.other, rest)
            else:
                for inner in _inside(stmt):
                    self.block(inner, [])

    def look(self, store: Store, rest: Sequence[m.Stmt]) -> None:
        kept, keys = _kept(store), _keys(store)
        if (
            (isinstance(store, m.SetVar) and store.var.once)
            or kept in self.watched
            or _is_field(store)
        ):
            return
        asked = self.reads(*keys)
        if kept in asked:
            return
        by = self.overwriting(kept, key(keys), asked, rest, not _is_declared(store))
        if by is not None:
            why = (
                f"line {by.span.line} gives '{kept.name}' a new value before anything reads"
                " this one"
            )
            self.world.sink.warn(
                "RK716",
                store.span,
                f"this has no effect: {why}",
                "remove it, move it below that line, or let that line add to it ('+=')",
                second=by.span,
                second_label="overwritten here",
            )

    def overwriting(
        self,
        kept: Kept,
        keys: Any,
        asked: frozenset[m.Node],
        rest: Sequence[m.Stmt],
        branches: bool,
    ) -> m.Stmt | None:
        """Return the step that certainly assigns a new value before any other step can read the old
        one.

        Args:
            asked: the state and variables on which the keys depend.
            branches: accept an `if` that does it in both branches.
        """
        for stmt in rest:
            if isinstance(stmt, m.IfStmt) and branches and kept not in self.reads(stmt.cond):
                ways = [
                    self.overwriting(kept, keys, asked, way, True)
                    for way in (stmt.then, stmt.other)
                ]
                if None not in ways:
                    return ways[0]
            inside = [node for node in nodes(stmt) if isinstance(node, m.Stmt)]
            if kept in self.reads(stmt) or not all(isinstance(each, PLAIN) for each in inside):
                return None
            if any(
                _kept(each) is kept and each.op == ":=" and key(_keys(each)) == keys
                for each in _stores(stmt)
            ):
                return stmt
            if any(isinstance(each, m.PutMember) for each in inside) and any(
                isinstance(each, m.Cell) and each.pool for each in self.watched
            ):
                return None  # the thing leaves a pool that is not named
            written = {each for step in inside for each in _written(step)}
            if not written.isdisjoint(asked) or not written.isdisjoint(self.watched):
                return None
        return None

    def reads(self, *parts: m.Node) -> frozenset[m.Node]:
        """Return the state and variables that these parts read, also through definitions, totals,
        tables and the body of an event.
        """
        found: set[m.Node] = set()
        for part in parts:
            if id(part) not in self.known:
                bodies = [node.event.body for node in nodes(part) if isinstance(node, m.CallEvent)]
                self.known[id(part)] = frozenset(_asked(part, *bodies))
            found |= self.known[id(part)]
        return frozenset(found)


def _asked(*parts: object) -> Iterator[m.Node]:
    yield from (
        _kept(node)
        for node in nodes(*parts)
        if isinstance(node, (m.SetVar, m.SetCell)) and node.op != ":="
    )
    for node in reached(*parts):
        if isinstance(node, m.ReadCell):
            yield node.cell
        elif isinstance(node, m.Read):
            yield node.var


def _kept(store: Store) -> Kept:
    return store.var if isinstance(store, m.SetVar) else store.cell


def _keys(store: Store) -> list[m.Expr]:
    return store.keys if isinstance(store, m.SetCell) else []


def _is_declared(store: Store) -> bool:
    """Return True if this is the initial value in the declaration of a variable."""
    return isinstance(store, m.SetVar) and store.span == store.var.span


def _is_field(store: Store) -> bool:
    """Return True if this is the initial value of a field, which every field has."""
    return isinstance(store, m.SetVar) and store.var.shared and store.span == store.var.span


def _stores(stmt: m.Stmt) -> Iterator[Store]:
    """Yield the assignments that a step makes in every case. For an event these are the assignments
    of its body, with its arguments.
    """
    if isinstance(stmt, (m.SetVar, m.SetCell)):
        yield stmt
    elif isinstance(stmt, m.CallEvent):
        given = dict(zip(stmt.event.params, stmt.args, strict=True))
        for node in stmt.event.body:
            if isinstance(node, m.SetCell):
                yield m.SetCell(
                    node.cell,
                    [substitute(each, given) for each in node.keys],
                    node.op,
                    node.value,
                    span=stmt.span,
                )


def _written(step: m.Stmt) -> list[Kept]:
    """Return the state and variables that a single step may write, without the steps inside it."""
    if isinstance(step, (m.SetVar, m.SetCell)):
        return [_kept(step)]
    if isinstance(step, m.CallEvent):
        return list(step.event.writes)
    return (
        [read.cell for read in nodes(step) if isinstance(read, m.ReadCell)]
        if isinstance(step, MOVES)
        else []
    )


def _inside(stmt: m.Stmt) -> list[m.Block]:
    """Return the blocks in a statement that run in order, or not at all."""
    if isinstance(stmt, (m.Each, m.Repeat, m.Together)):
        return [stmt.body]
    return (
        [option.body for option in stmt.options if option.proc is None]
        if isinstance(stmt, m.Choose)
        else []
    )
