"""The conditions that a step surely makes true, and those that hold on after it.

After `sunk(q)` with its step `q.zone := none`, the zone is none until something else may have
written it.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import is_there
from rulekit.compiler.check.lints.side_effects import Changed, Changes, read_by, set_by
from rulekit.compiler.check.lints.step_facts import Facts, is_free, still
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, substitute

# the expressions of which a value that a step writes may consist
VALUES = (m.Const, m.Read, m.ReadFixed, m.ReadCell, m.The, m.InRange)


@define(eq=False)
class SureEffects:
    """The effects of steps in one game.

    Attributes:
        known: by step, event or procedure, everything that it may change.
        made: the facts of events, by id.
    """

    world: CheckState
    changes: Changes = field(init=False)
    known: dict[object, Changed] = field(factory=dict)
    made: dict[int, m.Expr] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.changes = Changes(self.world)

    def changed(self, stmt: m.Node) -> Changed:
        """Return everything that a step may change."""
        of: m.Node = (
            stmt.event
            if isinstance(stmt, m.CallEvent)
            else stmt.proc
            if isinstance(stmt, m.CallProc)
            else stmt
        )
        if of not in self.known:
            self.known[of] = self.changes.of(stmt)
        own = frozenset(set_by(stmt))
        return self.known[of] | own if own else self.known[of]

    def kept(self, facts: Facts, stmts: Sequence[m.Stmt]) -> Facts:
        """Return the facts that still hold behind some steps."""
        sure = {id(fact) for fact in still(facts, [*stmts])}
        if len(sure) == len(facts):
            return facts
        changed = frozenset[m.Node]().union(*map(self.changed, stmts))
        return tuple(fact for fact in facts if id(fact) in sure or is_free(fact, changed))

    def of(self, stmt: m.Stmt) -> Facts:
        """Return the facts behind a step that come from its event."""
        if isinstance(stmt, m.CallEvent):
            return self.behind(stmt.event, stmt.args)
        event = wrapped(stmt)
        if event is None or not isinstance(stmt, m.CallProc):
            return ()
        return self.kept(self.behind(event, stmt.args), stmt.proc.body[1:])

    def behind(self, event: m.EventDeclaration, args: Sequence[m.Expr]) -> Facts:
        """Return the facts directly after an event with these arguments."""
        given = dict(zip(event.params, args, strict=True))
        return self._written(event.body, self._rules(event.writes), given)

    def _rules(self, cells: Sequence[m.Cell]) -> Changed:
        """Return the changes of the `whenever` rules that run after writes of these cells."""
        rules = [
            rule.proc
            for rule in self.world.model.whenevers
            if not set(cells).isdisjoint(rule.reads)
        ]
        found = frozenset[m.Node]()
        for proc in rules:
            if proc not in self.known:
                self.known[proc] = self.changes.of(m.CallProc(proc, []))
            found |= self.known[proc]
        return found

    def _written(self, body: Sequence[m.Stmt], rules: Changed, given: dict[m.Var, m.Expr]) -> Facts:
        facts: Facts = ()
        for stmt in body:
            changed = frozenset(_cells(stmt))
            facts = tuple(fact for fact in facts if is_free(fact, changed))
            if isinstance(stmt, m.SetCell) and stmt.op == ":=":
                # The arguments have their values from before all writes.
                asked = read_by(given.values()) if given else set()
                if asked is not None and (_cells(*body) | rules).isdisjoint(asked):
                    facts += assigned(stmt, given)
        facts = tuple(fact for fact in facts if is_free(fact, rules))
        self.made.update({id(fact): fact for fact in facts})
        return facts


def _cells(*body: m.Stmt) -> set[m.Node]:
    return {node.cell for node in nodes(*body) if isinstance(node, m.SetCell)}


def wrapped(stmt: m.Stmt) -> m.EventDeclaration | None:
    """Return the event that a call of a procedure surely makes happen."""
    proc = stmt.proc if isinstance(stmt, m.CallProc) and stmt.proc.word == "event" else None
    first = proc.body[0] if proc is not None and proc.body else None
    return first.event if isinstance(first, m.CallEvent) else None


def assigned(write: m.SetVar | m.SetCell, given: dict[m.Var, m.Expr]) -> Facts:
    """Return the fact that a cell or variable has the value that is assigned to it.

    Args:
        given: the arguments of the event in which the step stands.
    """
    kept = write.cell if isinstance(write, m.SetCell) else write.var
    type, span = kept.type, write.span
    keys = [substitute(k, given) for k in write.keys] if isinstance(write, m.SetCell) else []
    value = substitute(write.value, given)
    plain = all(isinstance(node, VALUES) for node in nodes(value, *keys))
    asked = read_by([value, *keys]) if plain and all(map(is_there, keys)) else None
    if asked is None or kept in asked or isinstance(type, m.SetOf) or not _is_kept(value, kept):
        return ()
    there = (
        m.ReadCell(kept, keys, type=type, span=span)
        if isinstance(kept, m.Cell)
        else m.Read(kept, type=type, span=span)
    )
    if isinstance(value, m.Const) and isinstance(type, m.Bool):
        return (there,) if value.value else (m.Not(there, span=span),)
    if isinstance(value, m.Const) and isinstance(type, m.MemberOf) and value.value < 0:
        return (m.IsNone(there, span=span),)
    if isinstance(type, m.MemberOf) and not is_there(value):
        return ()
    return (m.Compare("=", there, value, type=m.Bool(), span=span),)


def _is_kept(value: m.Expr, kept: m.Var | m.Cell) -> bool:
    """Return True if this is no number that is changed to fit the range."""
    if not isinstance(kept.type, m.Int):
        return isinstance(kept.type, (m.Bool, m.MemberOf))
    low, high = kept.type.low, kept.type.high
    if isinstance(value, m.Const):
        return (low is None or value.value >= low) and (high is None or value.value <= high)
    return not kept.clamp
