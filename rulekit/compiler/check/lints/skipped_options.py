"""Warn of options that cost something, are limited or use something up, and whose steps may all be
skipped.

The analysis looks for a path through the steps on which nothing happens: no `if` is taken, each
loop runs over an empty set, and each draw is from an empty pool. It warns unless the guards, or the
conditions around the option, exclude this combination.
"""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile

from attrs import evolve, field, frozen

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import cells_read
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import parts
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.step_facts import Facts
from rulekit.compiler.check.lints.unreached_steps import has_empty_source
from rulekit.compiler.check.lints.value_enumeration import Outcomes
from rulekit.compiler.check.lints.wasted_costs import (
    DEEP,
    Known,
    StepProofs,
    clean,
    of_cards,
)
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, read, substitute

MAX_OPTION_PATHS = 16  # maximal number of paths through the steps of one option
HELP = "add a 'when' condition to the option, or a step for this case"


def skipped(world: CheckState, uses: ReachableUses, outcomes: Outcomes) -> None:
    """Warn of each such option of the game itself."""
    looking, filled = StepProofs.of(world, outcomes), _Refilled(world)
    for option in world.model.options:
        if uses.is_own(option):
            _Skipped(looking, option, filled).tell()


@frozen
class _Way:
    """A path on which nothing happened.

    Attributes:
        at: the first step that was skipped on it.
        over: True if it has reached a `return`.
        left: True if it has reached a `leave`.
        used: True if something was used up.
    """

    facts: Facts
    known: Known
    at: m.Stmt | None = None
    over: bool = False
    left: bool = False
    used: bool = False


@frozen
class _Skipped:
    """The steps of one option.

    Attributes:
        spent: the state that its price changes, or that it uses up.
    """

    looking: StepProofs
    option: m.GuardedOption
    refilled: _Refilled
    spent: set[object] = field(factory=set)

    def tell(self) -> None:
        """Warn of the first skipped step of each path."""
        option = self.option
        prices = [
            clause
            for word in (m.Pays, m.Limit)
            for clause in option.clauses
            if isinstance(clause, word)
        ]
        paid = prices[0] if prices else None
        body = option.proc.body if option.proc is not None else option.body
        before = takewhile(
            lambda stmt: not any(isinstance(node, m.Return) for node in nodes(stmt)), body
        )
        if any(map(_acts, before)) or (
            paid is None and not any(isinstance(node, m.PutMember) for node in nodes(*body))
        ):
            return
        facts, known = self.looking.guards(option)
        facts += tuple(
            clean(m.In(m.Read(var), source), known)
            for var, source in zip(option.params, option.domains, strict=False)
            if source is not None
        )
        facts += tuple(
            clean(each, known)
            for each in self.looking.around.get(option.key, ())
            if isinstance(each.type, m.Bool)
        )
        for clause in option.clauses:
            if isinstance(clause, m.Pays):
                self.spent.add(
                    clause.target if isinstance(clause.target, m.Var) else clause.target.cell
                )
        known_at: set[m.Stmt] = set()
        for way in self.block(body, [_Way(facts, known)], option.proc, DEEP):
            if (
                way.at is not None
                and (paid is not None or way.used)
                and way.at not in known_at
                and self.possible(way.facts)
                and not has_empty_source(way.at, self.looking.world)
            ):
                known_at.add(way.at)
                spent = "paid for" if isinstance(paid, m.Pays) else "used up"
                span, label = (
                    (paid.span, "its price") if paid is not None else (option.span, "the option")
                )
                why, help = "all of its steps may be skipped", HELP
                if isinstance(way.at, (m.Draw, m.Gather)):
                    pool = way.at.source.cell.name
                    why, help = (
                        f"'{pool}' may be empty here",
                        (
                            f"add a condition to the option ('when some {pool}'), or fill the pool "
                            "before this"
                        ),
                    )
                message = f"'{option.name}' may be {spent} without effect: {why}"
                self.looking.world.sink.warn(
                    "RK713", way.at.span, message, help, second=span, second_label=label
                )

    def block(
        self, stmts: m.Block, ways: list[_Way], frame: m.Procedure | None, deep: int
    ) -> list[_Way]:
        """Return the paths through some steps."""
        for stmt in stmts:
            ways = [
                after
                for way in ways
                for after in ([way] if way.over or way.left else self.step(stmt, way, frame, deep))
            ]
            if len(ways) > MAX_OPTION_PATHS:
                return []
        return ways

    def step(self, stmt: m.Stmt, way: _Way, frame: m.Procedure | None, deep: int) -> list[_Way]:
        """Return the paths through a step. There is none if the step does something, or if that is
        unknown.
        """
        if isinstance(stmt, m.SetVar) and stmt.var.once:
            return [evolve(way, known={**way.known, stmt.var: clean(stmt.value, way.known)})]
        if (
            isinstance(stmt, m.SetVar)
            and frame is not None
            and stmt.var.frame is frame
            and stmt.var not in read(*way.facts)
        ):
            return [
                evolve(
                    way,
                    known={var: value for var, value in way.known.items() if var is not stmt.var},
                )
            ]
        if isinstance(stmt, m.Return):
            return [evolve(way, over=True)]
        if isinstance(stmt, m.IfStmt):
            return [] if _keeps_in_range(stmt) else self.branches(stmt, way, frame, deep)
        if isinstance(stmt, m.Leave):
            return [evolve(way, left=True)]
        if isinstance(stmt, m.Each) and stmt.numbers is not None:
            low, high = stmt.numbers
            return self.around(m.Compare("<", high, low, type=m.Bool()), stmt, way)
        if isinstance(stmt, (m.Each, m.Together)):
            return self.loop(stmt, way, frame, deep)
        if isinstance(stmt, (m.Draw, m.Gather)):
            return self.pool(stmt, way)
        if isinstance(stmt, m.Repeat):
            return self.rounds(stmt, way, frame, deep)
        if isinstance(stmt, m.PutMember) and self.held(clean(stmt.what, way.known), way.facts):
            self.spent.add(stmt.target.cell)
            return [evolve(way, used=True)]
        if (
            isinstance(stmt, m.CallEvent)
            and deep
            and stmt.event.body
            and all(isinstance(inner, m.Each) for inner in stmt.event.body)
        ):
            return self.inside(stmt.event.body, stmt, stmt.event.params, stmt.args, way, None, deep)
        if isinstance(stmt, m.CallProc) and deep and not stmt.proc.reentrant and stmt.proc.body:
            return self.inside(
                stmt.proc.body, stmt, stmt.proc.params, stmt.args, way, stmt.proc, deep
            )
        if isinstance(stmt, m.CallSlotSteps) and deep:
            return [
                evolve(after, known=way.known, over=False, at=way.at or after.at)
                for proc, here, given in of_cards(stmt, way.facts, way.known)
                for after in self.block(
                    proc.body, [evolve(way, facts=here, known=given, at=None)], proc, deep - 1
                )
            ]
        return []

    def inside(
        self,
        body: m.Block,
        call: m.Stmt,
        params: list[m.Var],
        args: list[m.Expr],
        way: _Way,
        frame: m.Procedure | None,
        deep: int,
    ) -> list[_Way]:
        """Return the paths through a called procedure or event."""
        given = {param: clean(arg, way.known) for param, arg in zip(params, args, strict=True)}
        return [
            evolve(after, known=way.known, over=False, at=way.at or call)
            for after in self.block(body, [evolve(way, known=given)], frame, deep - 1)
        ]

    def branches(
        self, stmt: m.IfStmt, way: _Way, frame: m.Procedure | None, deep: int
    ) -> list[_Way]:
        cond = clean(stmt.cond, way.known)
        found: list[_Way] = []
        for body, fact in ((stmt.then, cond), (stmt.other, m.Not(cond))):
            if not self.spends(cond) and not self.sure(
                m.Not(cond) if fact is cond else cond, way.facts
            ):
                found += self.block(
                    body, [evolve(way, facts=(*way.facts, fact), at=way.at or stmt)], frame, deep
                )
        return found

    def rounds(self, stmt: m.Repeat, way: _Way, frame: m.Procedure | None, deep: int) -> list[_Way]:
        """Return the paths through a `repeat`: the one with no rounds, and those on which a round
        does nothing.
        """
        if stmt.form == "until" and stmt.cond is not None:
            return self.around(stmt.cond, stmt, way)
        none = m.Compare("<=", stmt.limit, m.Const(0, type=m.Int()), type=m.Bool())
        return [
            *self.around(none, stmt, way),
            *(evolve(after, left=False) for after in self.block(stmt.body, [way], frame, deep)),
        ]

    def around(self, cond: m.Expr, stmt: m.Stmt, way: _Way) -> list[_Way]:
        """Return the path around a loop that has no rounds if a condition holds."""
        fact = clean(cond, way.known)
        if self.spends(fact) or self.sure(m.Not(fact), way.facts):
            return []
        return [evolve(way, facts=(*way.facts, fact), at=way.at or stmt)]

    def loop(
        self, stmt: m.Each | m.Together, way: _Way, frame: m.Procedure | None, deep: int
    ) -> list[_Way]:
        """Return the path around a loop that runs over an empty set.

        If the body is a single `if`, its condition counts as a condition of the set.
        """
        if stmt.source is None:
            return []
        source, body = clean(stmt.source, way.known), stmt.body
        while (
            isinstance(stmt, m.Each)
            and len(body) == 1
            and isinstance(body[0], m.IfStmt)
            and not body[0].other
        ):
            var = m.Var(stmt.var.name, stmt.var.type)
            cond = substitute(clean(body[0].cond, way.known), {stmt.var: m.Read(var)})
            source, body = m.Filter(source, var, cond, type=source.type), body[0].then
        if self.spends(source) or self.looking.filled(source, way.facts):
            return []
        asks = isinstance(stmt, m.Together)
        if not asks and any(
            not isinstance(after.at, (m.Draw, m.Gather))
            for after in self.block(body, [way], frame, deep)
        ):
            return []
        return [
            evolve(way, facts=(*way.facts, m.Count("no", source, type=m.Bool())), at=way.at or stmt)
        ]

    def pool(self, stmt: m.Draw | m.Gather, way: _Way) -> list[_Way]:
        """Return the path past a draw from an empty pool.

        There is none if earlier steps of the option, or rules that refill the pool, may have put
        something there.
        """
        source = clean(stmt.source, way.known)
        if (
            stmt.source.cell in self.spent
            or self.refilled.has(stmt.source.cell)
            or self.looking.filled(source, way.facts)
        ):
            return []
        if isinstance(stmt, m.Gather):
            self.spent.add(stmt.target.cell)
        return [
            evolve(way, facts=(*way.facts, m.Count("no", source, type=m.Bool())), at=way.at or stmt)
        ]

    # ---------------------------------------------------------------------------------------- facts
    def held(self, what: m.Expr, facts: Facts) -> bool:
        """Return True if this is a parameter of the option, or a thing in a pool according to its
        guards.
        """
        if isinstance(what, m.Read) and what.var in self.option.params:
            return True
        return any(
            isinstance(part, m.In)
            and isinstance(part.source, m.ReadCell)
            and part.source.cell.pool
            and key(part.item) == key(what)
            for fact in facts
            for part in parts(fact)
        )

    def spends(self, e: m.Expr) -> bool:
        """Return True if the expression reads state that was paid or used up."""
        return not self.spent.isdisjoint(cells_read(e)) or not self.spent.isdisjoint(read(e))

    def sure(self, cond: m.Expr, facts: Facts) -> bool:
        """Return True if the condition is proved to hold."""
        said = {key(part) for fact in facts for part in parts(fact)}
        if all(
            key(part) in said
            or (
                isinstance(part, m.Count)
                and part.op == "some"
                and self.looking.filled(part.source, facts)
            )
            for part in parts(cond)
        ):
            return True
        if isinstance(cond, m.Not) and isinstance(cond.value, m.Count) and cond.value.op == "no":
            return self.looking.filled(cond.value.source, facts)
        found = self.looking.outcomes.of(cond, facts)
        return found is not None and 0 not in found

    def possible(self, facts: Facts) -> bool:
        """Return True if all of these facts may hold together."""
        for at, fact in enumerate(facts):
            found = self.looking.outcomes.of(fact, [*facts[:at], *facts[at + 1 :]])
            if found is not None and 1 not in found:
                return False
        return True


@frozen
class _Refilled:
    """The pools that some rule refills after a test of their contents, for example an empty
    deck.
    """

    world: CheckState

    @cached_property
    def cells(self) -> set[m.Cell]:
        """These pools of the game, computed on first use."""
        changes, found = Changes(self.world), set[m.Cell]()
        rules: list[tuple[m.Expr, object]] = [
            (rule.source, rule.proc.body) for rule in self.world.model.whenevers
        ]
        for node in nodes(*changes.bodies.values()):
            if isinstance(node, m.IfStmt):
                rules += [(node.cond, node.then), (node.cond, node.other)]
            elif isinstance(node, m.Repeat) and node.cond is not None:
                rules.append((node.cond, node.body))
        for cond, steps in rules:
            if pools := {cell for cell in cells_read(cond) if cell.pool}:
                found |= {
                    step.target.cell
                    for step in changes.followed(steps)
                    if isinstance(step, (m.PutMember, m.Gather, m.Draw))
                } & pools
        return found

    def has(self, pool: m.Cell) -> bool:
        """Return True if the pool is one of them."""
        return pool in self.cells


def _acts(stmt: m.Stmt) -> bool:
    """Return True if the form of the step alone shows that it does something."""
    if isinstance(stmt, m.CallEvent):
        return (
            not all(isinstance(inner, m.Each) for inner in stmt.event.body) or not stmt.event.body
        )
    return not isinstance(
        stmt,
        (
            m.SetVar,
            m.Return,
            m.IfStmt,
            m.Each,
            m.Together,
            m.PutMember,
            m.Draw,
            m.Gather,
            m.Repeat,
            m.CallProc,
            m.CallSlotSteps,
        ),
    )


def _keeps_in_range(stmt: m.IfStmt) -> bool:
    """Return True if the step only tests that a number may still grow or fall, as in `n += 1 when n
    < 9`.
    """
    inner = stmt.then[0] if len(stmt.then) == 1 and not stmt.other else None
    return (
        isinstance(inner, m.SetCell)
        and inner.op != ":="
        and set(cells_read(stmt.cond)) == {inner.cell}
    )
