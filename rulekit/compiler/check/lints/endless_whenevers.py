"""Warn of each `whenever` that triggers itself without end.

Its steps cause an event after which the rule is evaluated again, and nothing that follows can make
its condition false. The condition is split at its `and`s. A part stays true if nothing that follows
writes the state that it reads, if it holds with each value that is written, or if all writes move
the state in the direction that keeps it true (`glory(s) > 3`, and they only add).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import watched
from rulekit.compiler.check.lints.membership_facts import is_there, key, opened
from rulekit.compiler.check.lints.no_op_steps import is_same, plain
from rulekit.compiler.check.lints.one_way_writes import direction, ends_of, grows_with
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import parts, said
from rulekit.compiler.check.lints.side_effects import Changes, read_by
from rulekit.compiler.check.lints.value_enumeration import ALWAYS, NEVER, Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.ranges import clamped
from rulekit.compiler.model.visitor import nodes, reached, rebuilt, substitute

DEEP = 4  # maximal depth of procedures and definitions that are followed
# Steps after which a block may not continue.
STOPS = (
    m.Return,
    m.Leave,
    m.Finish,
    m.Pick,
    m.PickGroup,
    m.Choose,
    m.Walk,
    m.Together,
)
# The expressions of which a value may consist.
MADE = (
    m.Const,
    m.Arith,
    m.Least,
    m.If,
    m.Compare,
    m.InRange,
    m.And,
    m.Or,
    m.Not,
    m.IsNone,
    m.ReadFixed,
    m.Shift,
)
Known = Mapping[m.Var, m.Expr]


def endless(world: CheckState, uses: ReachableUses, outcomes: Outcomes) -> None:
    """Warn of each such rule of the game itself."""
    changes = Changes(world)
    reported = {d.span for d in world.sink.found if d.code == "RK704"}
    known: set[m.Whenever] = set()  # rules of cycles that are reported already
    for rule in world.model.whenevers:
        elsewhere = not reported.isdisjoint(
            node.span for node in nodes(rule.source) if isinstance(node, m.Expr)
        )
        if uses.is_own(rule.proc) and rule not in known and not elsewhere:
            looked = _Endless(rule, changes, outcomes, _parts(rule))
            step = looked.step()
            if step is not None:
                known |= looked.through
                world.sink.warn(
                    "RK720",
                    rule.proc.span,
                    "this rule triggers itself without end: nothing makes its condition false",
                    "let its steps remove the member from its set, or let the condition test "
                    "something that the steps change",
                    second=step.span,
                    second_label=looked.label(),
                )


def _parts(rule: m.Whenever) -> tuple[m.Expr, ...] | None:
    """Return conditions on an element that together hold exactly if it is in the watched set, or
    None if they are not known.
    """
    element = m.Read(rule.var, type=rule.var.type)
    found = tuple(each for part in said(rule.source, element) for each in parts(_open(part, DEEP)))
    return None if any(isinstance(node, m.Collect) for node in reached(rule.source)) else found


def _open(e: m.Expr, deep: int) -> m.Expr:
    """Return the expression with definitions inlined."""
    if isinstance(e, m.CallDefine) and deep and (body := opened(e)) is not None:
        return _open(body, deep - 1)
    return rebuilt(e, lambda part: _open(part, deep))


@define(eq=False)
class _Endless:
    """The analysis of one rule.

    Attributes:
        followed: all nodes that follow from its steps.
        changed: the state and variables that these change.
        through: the other rules through which it triggers itself.
        another: an element for which the rule runs, and which may be the same one.
        moved: the state of the condition that all writes move in one direction.
    """

    rule: m.Whenever
    changes: Changes
    outcomes: Outcomes
    parts: tuple[m.Expr, ...] | None
    through: set[m.Whenever] = field(factory=set)
    another: m.Var = field(init=False)
    moved: dict[m.Cell, int] = field(factory=dict)
    followed: list[m.Node] = field(init=False)
    changed: frozenset[m.Node] = field(init=False)
    given: Known = field(init=False)  # parameters with only one value in everything that follows

    def __attrs_post_init__(self) -> None:
        self.followed, self.changed = (
            [*self.changes.followed(self.rule.proc.body)],
            self.changes.of(self.rule.proc.body),
        )
        own, self.another = self.rule.proc.params[0], m.Var("another", self.rule.var.type)
        by: Known = {own: m.Read(self.another, type=own.type)}
        found = _given(self.followed, own)
        self.given = {**{param: substitute(arg, by) for param, arg in found.items()}, **by}

    @property
    def element(self) -> m.Expr:
        """The element for which the condition holds."""
        return m.Read(self.rule.var, type=self.rule.var.type)

    def step(self) -> m.Stmt | None:
        """Return the step that triggers the rule again, if nothing stops it."""
        if (
            not self.parts
            or any(isinstance(node, m.Finish) for node in self.followed)
            or not all(map(self.stays, self.parts))
        ):
            return None
        return next(
            self.sure(self.rule.proc.body, {self.rule.proc.params[0]: self.element}, DEEP), None
        )

    # ------------------------------------------------------------------------ the steps of the rule
    def sure(self, block: m.Block, known: Known, deep: int) -> Iterator[m.Stmt]:
        """Yield the steps that certainly run while the condition holds, and that cause an event
        after which the rule is evaluated again.
        """
        for stmt in block:
            if self.happens(stmt) and not set(self.rule.reads).isdisjoint(watched(stmt)):
                yield stmt
            yield from self.inside(stmt, known, deep)
            if any(isinstance(node, STOPS) for node in nodes(stmt)):
                return

    def inside(self, stmt: m.Stmt, known: Known, deep: int) -> Iterator[m.Stmt]:
        """Yield such steps inside a step."""
        if isinstance(stmt, m.IfStmt):
            found = self.outcomes.of(substitute(stmt.cond, known), self.parts or ())
            ways = [next(self.sure(body, known, deep), None) for body in (stmt.then, stmt.other)]
            way = (
                ways[0]
                if found == ALWAYS
                else ways[1]
                if found == NEVER
                else ways[0]
                if None not in ways
                else None
            )
            yield from () if way is None else (way,)
        elif isinstance(stmt, (m.Each, m.Repeat)) and self.goes_round(stmt, known):
            yield from self.sure(stmt.body, known, deep)
        elif isinstance(stmt, m.CallProc) and deep:
            given = {
                param: substitute(arg, known)
                for param, arg in zip(stmt.proc.params, stmt.args, strict=True)
            }
            if next(self.sure(stmt.proc.body, given, deep - 1), None) is not None:
                yield stmt

        elif isinstance(stmt, (m.CallEvent, m.SetCell)) and deep and self.happens(stmt):
            for other in self.set_off(stmt, known):
                if (
                    next(
                        self.sure(other.proc.body, {other.proc.params[0]: self.element}, deep - 1),
                        None,
                    )
                    is not None
                ):
                    self.through.add(other)
                    yield stmt

    @staticmethod
    def happens(stmt: m.Stmt) -> bool:
        """Return True unless this is an assignment with a key that may be none, which would do
        nothing.
        """
        return not isinstance(stmt, m.SetCell) or all(map(is_there, stmt.keys))

    def set_off(self, stmt: m.CallEvent | m.SetCell, known: Known) -> Iterator[m.Whenever]:
        """Yield the other rules that a step certainly triggers for the same element."""
        for other in self.changes.world.model.whenevers:
            if (
                other is not self.rule
                and not set(other.reads).isdisjoint(watched(stmt))
                and self.comes_up(other, stmt, known)
            ):
                yield other

    def comes_up(self, other: m.Whenever, stmt: m.CallEvent | m.SetCell, known: Known) -> bool:
        """Return True if the condition of another rule certainly holds for the same element behind
        a step, and stays true.
        """
        if m.kind_of(other.var.type) is not m.kind_of(self.rule.var.type):
            return False
        asked = [substitute(part, {other.var: self.element}) for part in _parts(other) or ()]
        given, steps = known, list[m.Stmt]([stmt])
        if isinstance(stmt, m.CallEvent):
            given = {
                param: substitute(arg, known)
                for param, arg in zip(stmt.event.params, stmt.args, strict=True)
            }
            steps = stmt.event.body
        written = [each for each in steps if isinstance(each, m.SetCell)]
        for part in asked:
            made = part
            for each in written:
                if each.op == ":=" and isinstance(each.value, m.Const):
                    made = _with(
                        made,
                        m.ReadCell(
                            each.cell,
                            [substitute(k, given) for k in each.keys],
                            type=each.cell.type,
                        ),
                        each.value,
                    )
            if not self.stays(part) or self.outcomes.of(made, self.parts or ()) != ALWAYS:
                return False
        return bool(asked)

    def goes_round(self, loop: m.Each | m.Repeat, known: Known) -> bool:
        """Return True if a loop certainly has a first round, because of its number or because the
        element is in its set.
        """
        if isinstance(loop, m.Repeat):
            return loop.form == "times" and isinstance(loop.limit, m.Const) and loop.limit.value > 0
        if loop.source is None:
            return bool(loop.items)
        if not isinstance(loop.source.type, m.SetOf) or loop.source.type.kind is not m.kind_of(
            self.rule.var.type
        ):
            return False
        asked = m.In(self.element, substitute(loop.source, known), type=m.Bool())
        return self.outcomes.of(asked, self.parts or ()) == ALWAYS

    # --------------------------------------------------------------------- the parts that stay true
    def stays(self, part: m.Expr) -> bool:
        """Return True if this part of the condition stays true for each element for which it
        holds.
        """
        asked = read_by([part])
        if asked is None:
            return False
        return all(
            isinstance(each, m.Cell) and self.holds_after(part, each)
            for each in (asked & self.changed) - {self.rule.var}
        )

    def holds_after(self, part: m.Expr, cell: m.Cell) -> bool:
        """Return True if the part holds with each value that is written to a cell. It must read the
        cell without a key, or with the element as its key.
        """
        if self.keeps(part, cell):
            return True
        reads = [
            node for node in reached(part) if isinstance(node, m.ReadCell) and node.cell is cell
        ]
        here = [node for node in nodes(part) if isinstance(node, m.ReadCell) and node.cell is cell]
        own = all(
            isinstance(k, m.Read) and k.var is self.rule.var for node in reads for k in node.keys
        )
        if len(reads) != len(here) or not own or self.changes.otherwise(cell, self.followed):
            return False
        writes = [
            node for node in self.followed if isinstance(node, m.SetCell) and node.cell is cell
        ]
        return all(self.holds_with(part, here[0], write) for write in writes)

    def keeps(self, part: m.Expr, cell: m.Cell) -> bool:
        """Return True if all writes of a cell move it in the direction that keeps the part true."""
        sign = grows_with(part, cell)
        writes = [
            node
            for node in self.followed
            if isinstance(node, m.SetCell) and node.cell is cell and not is_same(node, self.given)
        ]
        ranges = self.outcomes.ranges.of
        for write in writes if sign else ():
            value = plain(substitute(write.value, self.given))
            old = m.ReadCell(cell, [substitute(k, self.given) for k in write.keys], type=cell.type)
            moved = evolve(write, keys=old.keys)
            if direction(moved, value, lambda e: ends_of(e, ranges)) != sign:
                return False
        if not sign or self.changes.otherwise(cell, self.followed):
            return False
        if writes:
            self.moved[cell] = sign
        return True

    def label(self) -> str:
        """Return the text for the step that triggers the rule again."""
        moved = [f"'{cell.name}'" for cell in self.moved if not isinstance(cell.type, m.Bool)]
        if not moved:
            return "this triggers it again"
        ways = {self.moved[cell] for cell in self.moved if not isinstance(cell.type, m.Bool)}
        how = "raises" if ways == {1} else "lowers" if ways == {-1} else "raises or lowers"
        return f"this triggers it again, and only {how} {' and '.join(moved)}"

    def holds_with(self, part: m.Expr, read: m.ReadCell, write: m.SetCell) -> bool:
        """Return True if the part still holds after this write, provided that it held before."""
        if is_same(write, self.given):
            return True
        keys = [substitute(k, self.given) for k in write.keys]
        before = m.ReadCell(write.cell, keys, type=write.cell.type)
        value = _with(plain(substitute(write.value, self.given)), before, read)
        another = m.Read(self.another, type=self.rule.var.type)
        value = substitute(value, self.written_to(write, read))
        if isinstance(read.cell.type, m.SetOf) or not self.is_made_of(value, read):
            return False
        if write.op != ":=":
            value = m.Arith("+" if write.op == "+=" else "-", read, value, type=read.type)
        if read.cell.clamp:
            value = clamped(value, read.cell.type)
        facts = tuple(each for each in self.parts or () if each is not part)
        if any(isinstance(node, m.Read) and node.var is self.another for node in nodes(value)):
            facts += tuple(substitute(each, {self.rule.var: another}) for each in self.parts or ())
        return (
            self.outcomes.of(
                _with(part, read, value), () if isinstance(value, m.Const) else (part, *facts)
            )
            == ALWAYS
        )

    def written_to(self, write: m.SetCell, read: m.ReadCell) -> Known:
        """Return the variables that stand for the element, if the write is to the element's own
        cell.
        """
        keys = [substitute(k, self.given) for k in write.keys]
        return {
            k.var: self.element
            for k, own in zip(keys, read.keys, strict=True)
            if isinstance(k, m.Read) and isinstance(own, m.Read) and own.var is self.rule.var
        }

    def is_made_of(self, value: m.Expr, read: m.ReadCell) -> bool:
        """Return True if the value depends only on this state, on literals, and on facts about the
        element that do not change.
        """
        rest = _with(value, read, m.Const(0, type=read.type))
        keys = {
            id(k)
            for node in nodes(rest)
            if isinstance(node, (m.ReadFixed, m.ReadCell))
            for k in node.keys
            if self.is_element(k)
        }
        keys |= {id(node) for node in nodes(rest) if self.is_element(node)}
        return all(
            isinstance(node, MADE)
            or id(node) in keys
            or (isinstance(node, m.ReadCell) and node.cell not in self.changed)
            for node in nodes(rest)
        )

    def is_element(self, e: m.Node) -> bool:
        own = (self.rule.var, self.another)
        return isinstance(e, m.Const) or (isinstance(e, m.Read) and e.var in own)


def _given(followed: list[m.Node], own: m.Var) -> Known:
    """Return the parameters of events and procedures that receive the same argument from all calls.

    Such an argument is a number, a member, the element of the rule (`own`), or a constant attribute
    of it.
    """
    found: dict[m.Var, m.Expr | None] = {}
    for _ in range(DEEP):  # callees may pass on their arguments
        known = {param: arg for param, arg in found.items() if arg is not None}
        found = {}
        for node in followed:
            if isinstance(node, (m.CallEvent, m.CallProc)):
                params = node.event.params if isinstance(node, m.CallEvent) else node.proc.params
                for param, arg in zip(params, node.args, strict=True):
                    value = plain(substitute(arg, known))
                    before = found.get(param, value)
                    alike = _lasts(value, own) and before is not None and key(before) == key(value)
                    found[param] = value if alike else None
    return {param: arg for param, arg in found.items() if arg is not None}


def _lasts(e: m.Expr, own: m.Var) -> bool:
    """Return True if the expression contains only literals, the element of the rule and constant
    attributes of it.
    """
    return all(
        isinstance(node, (m.Const, m.ReadFixed, m.Arith, m.Shift))
        or (isinstance(node, m.Read) and node.var is own)
        for node in nodes(e)
    )


def _with(part: m.Expr, read: m.ReadCell, value: m.Expr) -> m.Expr:
    """Return the condition with a value in place of the state that is read."""
    return (
        value
        if isinstance(part, m.ReadCell) and key(part) == key(read)
        else rebuilt(part, lambda each: _with(each, read, value))
    )
