"""Upper bounds on the work of a game: the steps to compute a value, and the steps between two
decisions.

A step is a node that is evaluated or a statement that is run. A filter or a loop over a set counts
once for each member of the kind. Other loops count with the number of rounds that a literal gives,
or once if there is none: the machine stops these. All branches of a choice are counted.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import DECISIONS, called
from rulekit.compiler.check.resolve.limits import ROUNDS, STRETCH, WORK
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, nodes, scoped


@define(eq=False)
class Work:
    """Counts steps. The count of a called declaration is remembered.

    Definitions and procedures must be free of cycles.

    Attributes:
        rounds_only: count only the rounds of loops.
        statements_only: count only the statements.
    """

    rounds_only: bool = False
    statements_only: bool = False
    known: dict[int, int] = field(factory=dict)

    def of(self, node: Any) -> int:
        """Return the number of steps of an expression, a statement, or a list of them."""
        if isinstance(node, (list, tuple)):
            return sum(self.of(part) for part in node)
        if (self.rounds_only or self.statements_only) and isinstance(node, m.Expr):
            return 0
        if isinstance(node, m.Over):
            return (
                1
                + self.of(node.source)
                + members(node.source) * self.of([part for part, bound in scoped(node) if bound])
            )
        if isinstance(node, m.Each):
            return (
                1
                + self.of([node.source, node.items, node.numbers, node.ties])
                + rounds(node) * (1 + self.of([node.keys, node.body]))
            )
        if isinstance(node, m.Repeat):
            return (
                1 + self.of(node.limit) + high(node.limit) * (1 + self.of([node.cond, node.body]))
            )
        if isinstance(node, m.Together):
            return (
                1 + self.of([node.source, *node.picks]) + members(node.source) * self.of(node.body)
            )
        if isinstance(node, m.PickGroup):  # its condition is tested for each element, at each step
            asked = [part for part in children(node) if part is not node.keeps]
            return (
                (not self.rounds_only) + self.of(asked) + members(node.source) * self.of(node.keeps)
            )
        if isinstance(node, m.Expr | m.Stmt):
            return (
                (not self.rounds_only)
                + sum(self.of(part) for part in children(node))
                + self.called(node)
            )
        return self.other(node)

    def other(self, node: Any) -> int:
        """Return the number of steps of the clauses of an option. It is 0 for a value that is not a
        node.
        """
        return (
            0
            if node is None or isinstance(node, m.Var | str | int | bool)
            else sum(self.of(part) for part in children(node))
        )

    def called(self, node: m.Expr | m.Stmt) -> int:
        """Return the number of steps of the declarations that the node calls."""
        if isinstance(node, m.CallDefine):
            return self.once(node.target, [[cond, value] for cond, value in node.target.cases])
        if isinstance(node, (m.CallTotal, m.CallPermit)):
            return self.clauses(node.target)
        if isinstance(node, m.AppliesTo):
            return self.clause(node.clause)
        if isinstance(node, m.CallSlot):
            return self.once(node.slot, max([node.slot.default, *node.slot.values], key=self.of))
        if isinstance(node, m.ReachOf):
            move = node.movement
            return self.of(move.allowance) + len(move.arcs) * self.of(
                [move.cost, *(g.cond for g in [*move.may, *move.stop, *move.end])]
            )
        if isinstance(node, m.Ways):
            return len(node.borders.type.kind.arcs) if isinstance(node.borders.type, m.SetOf) else 0
        if isinstance(node, m.CallProc):
            return self.once(node.proc, node.proc.body)
        if isinstance(node, m.Roll) and node.event is not None and node.event.wrapper is not None:
            return self.once(node.event.wrapper, node.event.wrapper.body)
        if isinstance(node, m.Window):
            return sum(self.once(hook.proc, hook.proc.body) for hook in node.hooks)
        if isinstance(node, m.CallSlotSteps):
            return max(
                (self.once(proc, proc.body) for proc in node.slot.blocks if proc is not None),
                default=0,
            )
        if isinstance(node, m.CallEvent):
            return self.once(node.event, node.event.body)
        return 0

    def clauses(self, target: m.Total | m.Permit) -> int:
        if id(target) not in self.known:
            self.known[id(target)] = sum(self.clause(c) for c in target.clauses)
        return self.known[id(target)]

    def clause(self, clause: m.Clause) -> int:
        held = members(clause.holder[1]) if clause.holder is not None else 1
        return (
            1
            + held * self.of([clause.amount, clause.cond])
            + sum(
                (members(c.holder[1]) if c.holder is not None else 1) * self.of(c.cond)
                for c in clause.cancels
            )
        )

    def once(self, target: object, body: Any) -> int:
        if id(target) not in self.known:
            self.known[id(target)] = 0  # a cycle through a window
            self.known[id(target)] = self.of(body)
        return self.known[id(target)]


def members(source: m.Expr) -> int:
    return source.type.kind.size if isinstance(source.type, m.SetOf) else 1


def high(limit: m.Expr) -> int:
    """Return the rounds that a limit allows, or 1 if it is not a literal."""
    return max(0, limit.value) if isinstance(limit, m.Const) else 1


def rounds(node: m.Each) -> int:
    if node.items is not None:
        return len(node.items)
    if node.numbers is not None:
        low, last = node.numbers
        return (
            max(0, last.value - low.value + 1)
            if isinstance(low, m.Const) and isinstance(last, m.Const)
            else 1
        )
    return members(node.source) if node.source is not None else 1


def bounded(world: CheckState) -> None:
    """Report values and loops that take more steps than anybody would wait for."""
    model, work, rounds_of = world.model, Work(), Work(rounds_only=True)
    help = "look at fewer combinations: filter first, or keep a partial result in a state"
    for made in model.defines:
        if work.once(made, [[cond, value] for cond, value in made.cases]) > WORK:
            world.error(
                "RK513",
                made.span,
                f"computing '{made.name}' may take more than {WORK:,} steps",
                help,
            )
            return
    summed: list[m.Total | m.Permit] = [*model.totals, *model.permits]
    for total in summed:
        if work.clauses(total) > WORK:
            world.error(
                "RK513",
                total.span,
                f"computing '{total.name}' may take more than {WORK:,} steps",
                help,
            )
            return
    for node in nodes([proc.body for proc in model.procedures]):
        if isinstance(node, m.Expr):
            continue  # counted as a part of its statement
        if isinstance(node, m.Each | m.Repeat) and not asks(node):
            if rounds_of.of(node) > ROUNDS:
                world.error(
                    "RK513",
                    node.span,
                    f"this loop may have more than {ROUNDS:,} rounds, counting the loops inside it",
                    help,
                )
                return
            if work.of(node) > WORK:
                world.error(
                    "RK513", node.span, f"this loop may take more than {WORK:,} steps", help
                )
                return
        if isinstance(node, m.PickGroup) and node.keeps is not None and work.of(node) > WORK:
            world.error(
                "RK513",
                node.keeps.cond.span,
                f"computing the options of this group may take more than {WORK:,} steps",
                help,
            )
            return
        for part in children(node):
            if isinstance(part, m.Expr) and work.of(part) > WORK:
                world.error(
                    "RK513",
                    part.span,
                    f"computing this value may take more than {WORK:,} steps",
                    help,
                )
                return


def stretched(world: CheckState) -> None:
    """Report procedures without decisions that may run too many statements. Their calls and the
    handlers of their events count too.
    """
    work = Work(statements_only=True)
    for proc in world.model.procedures:
        if proc.asks or any(map(asks, proc.body)):
            continue  # the machine counts the steps between two decisions
        if work.once(proc, proc.body) > STRETCH:
            world.error(
                "RK513",
                proc.span,
                f"'{proc.name}' may run more than {STRETCH:,} statements, counting the procedures "
                "that it calls",
                "call less of it, or put a decision in between, so that players do not wait too "
                "long",
            )
            return


def asks(stmt: m.Stmt) -> bool:
    """Return True if this statement contains a decision or calls a procedure that asks."""
    return any(
        isinstance(node, DECISIONS) or any(proc.asks for proc, _ in called(node))
        for node in nodes(stmt)
    )
