"""Warn of conditions that never or always hold, of cases that are never reached, and of clauses
that add nothing.

A condition is evaluated together with the facts known at its place: the guards before it, the
branches that were not taken, and all facts that no write has changed since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from attrs import define, field

from rulekit.common.diagnostics.span import Span
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_facts import Asked, Place, never_called
from rulekit.compiler.check.lints.condition_reasons import reason, sufficient
from rulekit.compiler.check.lints.contradicted_windows import opened
from rulekit.compiler.check.lints.counter_ends import CounterEnds
from rulekit.compiler.check.lints.entry_facts import entries, unpaid
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.check.lints.no_op_steps import is_same
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import said
from rulekit.compiler.check.lints.step_facts import (
    Facts,
    blocks_in,
    by_data,
    ends,
    still,
    without,
)
from rulekit.compiler.check.lints.sure_effects import SureEffects, assigned
from rulekit.compiler.check.lints.unreached_bounds import bounds
from rulekit.compiler.check.lints.unreached_steps import report_unreached
from rulekit.compiler.check.lints.value_enumeration import ALWAYS, NEVER, Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, nodes, reached, read


def conditions(
    world: CheckState, uses: ReachableUses, outcomes: Outcomes, ends: CounterEnds
) -> None:
    """Warn of each condition in the files of the game itself that always has the same answer."""
    watched = frozenset(cell for rule in world.model.whenevers for cell in rule.reads)
    declared = Outcomes(outcomes.ranges, declared=True)
    looking = _Looking(world, uses, outcomes, declared, ends, watched)
    looking.all()
    never_called(world, uses, outcomes, looking.places, ends.changes, looking.asked)
    bounds(world, uses, declared)
    opened(world, uses, outcomes, looking.places, ends.changes)


@define(eq=False)
class _Looking:
    world: CheckState
    uses: ReachableUses
    outcomes: Outcomes
    declared: Outcomes  # outcomes that hold for any data
    ends: CounterEnds
    watched: frozenset[m.Cell] = frozenset()  # cells that some `whenever` reads
    reported: set[int] = field(factory=set)
    # conditions that were reported because a fact before them decides them
    again: set[int] = field(factory=set)
    # by id: facts that a branch was not taken
    left: dict[int, m.Expr] = field(factory=dict)
    # by the id of a step: the facts there
    places: dict[int, Facts] = field(factory=dict)
    place: Place | None = None  # what is being tested
    stmt: m.Stmt | None = None  # the step that is being tested
    asked: list[Asked] = field(factory=list)  # conditions that callers may decide
    # steps that conditions exclude, each with the step before it
    unreached: list[tuple[m.Stmt | None, m.Stmt]] = field(factory=list)
    effects: SureEffects = field(init=False)
    # by procedure: the facts where its steps begin
    entry: Mapping[m.Procedure, Facts] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.effects = SureEffects(self.world)

    def all(self) -> None:
        model = self.world.model
        self.entry = entries(model, self.effects)
        for define_ in model.defines:
            if self.mine(define_):
                self.cases(define_.cases, f"of '{define_.name}'")
                for _, value in define_.cases if isinstance(define_.type, m.Bool) else ():
                    if not isinstance(value, m.Const):
                        self.test(value, (), "")
        for total in model.totals:
            self.total(total)
        for permit in model.permits:
            self.bars(permit)
        for option in model.options:
            self.option(option)
        guards = {
            option.proc: self.guarding(option)
            for option in model.options
            if option.proc is not None
        }
        for proc in model.procedures:
            if id(proc) in self.uses.reached:
                self.place = proc
                self.block(proc.body, guards.get(proc, self.entry.get(proc, ())))
        self.place = self.stmt = None
        for movement in model.movements:
            self.in_turn([guard.cond for guard in movement.may], "")
            self.in_turn([guard.cond for guard in movement.end], "")
            self.stops([guard.cond for guard in movement.stop])
            self.block(movement.on_entry, ())
            self.block(movement.stranded, ())
        for slot in model.slots:
            for at, when in enumerate(slot.values if isinstance(slot.type, m.Bool) else ()):
                self.place, self.stmt = (slot, at), None
                self.in_turn(
                    when.items if isinstance(when, m.And) else [when] if when is not None else []
                )
        self.place = None
        for node in nodes(*(proc.body for proc in model.procedures)):
            if isinstance(node, m.Hook):
                before = self.entry.get(node.proc, ())[:-1]
                self.test(node.cond, before, "the hook never runs", again=True)
        self.filters()
        report_unreached(self.unreached, self.world)

    def in_turn(self, conds: Sequence[m.Expr], then: str = "the card can never be used") -> None:
        """Test lines that must all hold, such as the `when` lines of a card. For each line, those
        above it are known to hold.
        """
        facts: Facts = ()
        for cond in conds:
            if not self.test(cond, facts, then, again=True):
                return
            facts += (cond,)

    def stops(self, conds: Sequence[m.Expr]) -> None:
        """Test lines of which one must hold."""
        before: Facts = ()
        for cond in conds:
            if (
                self.test(cond, (), "")
                and before
                and cond.span.file in self.uses.own
                and self.hidden(cond, before)
            ):
                self.world.sink.warn(
                    "RK705",
                    cond.span,
                    "this line makes no difference: an earlier line always applies first",
                    "correct the condition, or remove it",
                )
            before += (m.Not(cond),)

    def mine(self, one: m.Cited) -> bool:
        return self.uses.is_own(one)

    def began(self, option: m.GuardedOption) -> Facts:
        """Return the facts that the event before an option gives."""
        return self.entry.get(option.proc, ()) if option.proc is not None else ()

    def guarding(self, option: m.GuardedOption) -> Facts:
        """Return the facts at the beginning of the steps of an option, from its guards and from
        the event before it. Facts about state that was paid are left out.
        """
        facts: Facts = tuple(
            clause.cond for clause in option.clauses if isinstance(clause, m.Guarded)
        )
        return unpaid((*self.began(option), *facts), option)

    # -------------------------------------------------------------------------------- one condition
    def test(self, cond: m.Expr | None, facts: Facts, then: str, again: bool = False) -> bool:
        """Warn of a condition, or of a part of it, that always has the same answer.

        Args:
            then: the consequence if the condition never holds.
            again: warn even if the condition always holds only because of the facts before it.

        Returns:
            Whether the condition may hold.
        """
        if (
            cond is None
            or not cond.span.line
            or cond.span.file not in self.uses.own
            or id(cond) in self.reported
        ):
            return True
        self.reported.add(id(cond))
        if self.reported_elsewhere(cond):
            return True
        # The last of several branches may repeat the condition that is left.
        firm = tuple(fact for fact in facts if id(fact) not in self.left) if again else ()
        facts = (*facts, *self.ends.at(cond))
        found = self.outcomes.of(cond, facts)
        if self.place is not None and found is not None and len(found) > 1:
            self.asked.append(Asked(cond, self.place, self.stmt, facts, then))
        if found is None or not found:
            return self.parts(cond, firm)
        if found == NEVER:
            self.tell(
                cond,
                "this is never true" + (f": {then}" if then else ""),
                "correct the condition, or remove it and what depends on it",
                *reason(cond, facts, self.outcomes, self.declared),
            )
            return False
        if found == ALWAYS and self.always(cond):
            self.tell(cond, "this is always true", "correct the condition, or remove it")
            return True
        if found == ALWAYS and firm and self.surely(cond, firm):
            self.tell_again(cond, firm, "this is always true here, because of an earlier condition")
            return True
        self.inside(cond, facts)
        return self.parts(cond, firm)

    def inside(self, cond: m.Expr, facts: Facts) -> None:
        """Warn of filters inside a condition that nothing passes, given some facts."""
        for node in nodes(cond) if facts else ():
            if (
                not isinstance(node, m.Filter)
                or id(node.cond) in self.reported
                or not node.cond.span.line
            ):
                continue
            if self.outcomes.of(node.cond, facts) == NEVER != self.outcomes.of(node.cond):
                self.reported.add(id(node.cond))
                self.tell(
                    node.cond,
                    "this is never true here: nothing passes the filter",
                    "correct the condition, or remove the expression that reads it",
                )

    def parts(self, cond: m.Expr, facts: Facts) -> bool:
        """Test the parts of a condition joined by `and` or `or`. For each part, those before it do
        not decide the result.
        """
        if not isinstance(cond, (m.And, m.Or)):
            return True
        same = isinstance(cond, m.And)
        for item in cond.items:
            if not item.span.line or self.reported_elsewhere(item):
                continue
            if self.outcomes.of(item) == (ALWAYS if same else NEVER):
                if not same or self.always(item):
                    self.tell(
                        item,
                        "this part is always true" if same else "this part is never true",
                        "correct it, or remove it",
                    )
                continue
            if self.surely(item if same else m.Not(item), facts):
                self.tell_again(
                    item,
                    facts,
                    f"this part is {'always' if same else 'never'} true here, because of an "
                    "earlier condition",
                )
                continue
            self.parts(item, ())
            facts += (item if same else m.Not(item),)
        return True

    def tell_again(self, cond: m.Expr, facts: Facts, message: str) -> None:
        """Report a condition that is decided by a fact before it, with the place of a fact that is
        sufficient alone.
        """
        self.again.add(id(cond))
        place = sufficient(cond, facts, self.outcomes)
        self.reported |= {id(node.cond) for node in nodes(cond) if isinstance(node, m.Filter)}
        self.world.sink.warn(
            "RK704",
            cond.span,
            message,
            "correct the condition, or remove it",
            second=place,
            second_label="because of this" if place is not None else "",
        )

    def always(self, cond: m.Expr) -> bool:
        """Return True if the condition always holds by itself, whatever the data and the ends of
        loops are.
        """
        ranges = self.outcomes.ranges
        data = by_data(cond) or any(
            (isinstance(node, m.Read) and ranges.given.values(node) is not None)
            or (isinstance(node, m.ReadCell) and node.cell in ranges.counters)
            for node in reached(cond)
        )
        return self.outcomes.of(cond) == ALWAYS and (not data or self.declared.of(cond) == ALWAYS)

    def reported_elsewhere(self, e: m.Expr) -> bool:
        """Return True if the expression calls a definition that always has the same answer, or asks
        for lines of cards that never hold. The finding is then reported there.
        """
        calls = [
            evolve(node, args=[m.Read(param, type=param.type) for param in node.target.params])
            for node in nodes(e)
            if isinstance(node, (m.CallDefine, m.CallPermit)) and isinstance(node.type, m.Bool)
        ]
        return any(self.outcomes.of(call) in (NEVER, ALWAYS) for call in calls) or any(
            self.outcomes.of(line) == NEVER
            for node in nodes(e)
            if isinstance(node, m.CallSlot) and self.outcomes.of(node) == NEVER
            for line in node.slot.values
            if line is not None
        )

    def tell(
        self,
        e: m.Expr | m.Pays,
        message: str,
        help: str,
        second: Span | None = None,
        second_label: str = "",
    ) -> None:
        # The reason is reported only once.
        self.reported |= {id(node.cond) for node in nodes(e) if isinstance(node, m.Filter)}
        self.world.sink.warn(
            "RK704", e.span, message, help, second=second, second_label=second_label
        )

    def never(self, cond: m.Expr | None, facts: Sequence[m.Expr]) -> bool:
        """Return True if a condition certainly never holds here. Without a condition: if this place
        is certainly never reached.
        """
        asked = cond if cond is not None else m.Const(1, type=m.Bool())
        found = self.outcomes.of(asked, facts)
        return found is not None and 1 not in found

    def excluded(self, facts: Facts) -> bool:
        """Return True if these facts contradict each other, although the last one can hold by
        itself.
        """
        return (
            bool(facts)
            and self.outcomes.of(facts[-1]) not in (None, NEVER)
            and self.never(facts[-1], facts[:-1])
        )

    # --------------------------------------------------------------------------------- declarations
    def cases(self, cases: Sequence[tuple[m.Expr | None, m.Expr]], of: str) -> None:
        """Test the cases of a definition. The first case that holds counts."""
        before: Facts = ()
        for cond, value in cases:
            may = self.test(cond, (), "the case is never used")
            if may and before and self.hidden(cond, before):
                self.world.sink.warn(
                    "RK705",
                    cond.span if cond is not None else value.span,
                    f"this case {of} is never used: {self.first(before)}",
                    (
                        "move it up, or remove it"
                        if cond is not None
                        else "remove it, and remove the condition of the last case above it"
                    ),
                )
                if self.covered(before):
                    return  # the same holds for all that are left
            if cond is not None:
                before += (m.Not(cond),)

    def hidden(self, cond: m.Expr | None, before: Facts) -> bool:
        """Return True if one of the conditions above holds wherever this one does. This is not the
        cause if the condition never holds by itself.
        """
        if cond is not None and self.outcomes.of(cond) == NEVER:
            return False
        # A case above has no condition.
        if any(isinstance(fact, m.Const) for fact in before) or self.covered(before):
            return True
        if cond is not None and any(
            isinstance(fact, m.Not) and key(fact.value) == key(cond) for fact in before
        ):
            return True
        return cond is not None and self.never(cond, before)

    def covered(self, before: Facts) -> bool:
        """Return True if the conditions that these facts negate together hold in every case, for
        any data.
        """
        return any(
            isinstance(fact, m.Not) and self.surely(fact.value, before[:at])
            for at, fact in enumerate(before)
            if at
        )

    def first(self, before: Facts) -> str:
        """Return the reason why a case behind others never counts."""
        return (
            "the cases above cover everything"
            if self.covered(before)
            else "an earlier case always applies first"
        )

    def total(self, total: m.Total) -> None:
        for word in ("set", "base"):
            before: Facts = ()
            for clause in total.of(word):
                if before and self.mine(clause) and self.hidden(clause.cond, before):
                    why = f"an earlier '{word}' always applies first"
                    self.world.sink.warn(
                        "RK705",
                        clause.span,
                        f"'{total.name}.{clause.name}' is never used: {why}",
                        "move it up, or remove it",
                    )
                if clause.cond is not None and not clause.cancels and clause.holder is None:
                    before += (m.Not(clause.cond),)
                    if word == "set" and self.covered(before) and not self.covered(before[:-1]):
                        self.no_base(total)
                elif clause.cond is None and not clause.cancels and clause.holder is None:
                    before += (m.Const(0, type=m.Bool()),)
                    if word == "set":
                        self.no_base(total)
        for clause in total.clauses:
            if not self.test(
                clause.cond, (), f"'{total.name}.{clause.name}' is never used", again=True
            ) or not self.mine(clause):
                continue
            if clause.word == "modifier" and clause.amount is not None:
                facts = (clause.cond,) if clause.cond is not None else ()
                if self.outcomes.of(clause.amount, facts) == NEVER:
                    self.world.sink.warn(
                        "RK705",
                        clause.span,
                        f"the modifier '{total.name}.{clause.name}' always adds 0",
                        "correct the number, or remove the clause",
                    )
        self.bounds(total)
        self.cancels(total)
        self.same_twice(total)

    def no_base(self, total: m.Total) -> None:
        """Warn of each `base` of a total, because a `set` always replaces it."""
        for clause in filter(self.mine, total.of("base")):
            self.world.sink.warn(
                "RK705",
                clause.span,
                f"'{total.name}.{clause.name}' is never used: a 'set' always replaces it",
                "give the 'set' a condition ('... when C'), or remove one of the two clauses",
            )

    def bounds(self, total: m.Total) -> None:
        """Warn of an `at least` that is not below an `at most`."""
        for low, high in product(total.of("least"), total.of("most")):
            plain = not (low.cancels or high.cancels or low.holder or high.holder)
            # The lower bound never counts without the upper one.
            within = high.cond is None or (
                low.cond is not None and self.hidden(low.cond, (m.Not(high.cond),))
            )
            if (
                plain
                and within
                and low.amount is not None
                and high.amount is not None
                and (self.mine(low) or self.mine(high))
            ):
                facts = tuple(clause.cond for clause in (low, high) if clause.cond is not None)
                if (
                    self.outcomes.of(
                        m.Compare("<=" if facts else "<", low.amount, high.amount, type=m.Bool()),
                        facts,
                    )
                    == NEVER
                ):
                    self.world.sink.warn(
                        "RK705",
                        (low if self.mine(low) else high).span,
                        f"no other clause of '{total.name}' matters: this 'at least' is not below "
                        "its 'at most'",
                        "correct one of the two numbers",
                        second=high.span,
                        second_label="'at most'",
                    )

    def cancels(self, total: m.Total | m.Permit) -> None:
        """Test each `cancel`, given that its clause holds."""
        for clause in total.clauses:
            left: Facts = (clause.cond,) if clause.cond is not None else ()
            for cancel in clause.cancels:
                name = f"'{total.name}.{clause.name}'"
                if (
                    cancel.holder is not None
                    or clause.holder is not None
                    or cancel.cond is None
                    or not self.mine(cancel)
                ):
                    continue
                may = self.test(cancel.cond, (), f"{name} is never cancelled")
                if may and clause.cond is not None and self.excluded((clause.cond, cancel.cond)):
                    self.world.sink.warn(
                        "RK705",
                        cancel.span,
                        f"this never cancels anything: {name} does not apply in this case",
                        "correct the condition, or remove the 'cancel'",
                        second=clause.span,
                        second_label="the clause that it cancels",
                    )
                elif (
                    may
                    and left
                    and self.surely(cancel.cond, left)
                    and self.outcomes.of(cancel.cond) != ALWAYS
                ):
                    self.world.sink.warn(
                        "RK705",
                        cancel.span,
                        f"{name} is never used: whenever it applies, it is cancelled",
                        "correct one of the conditions, or remove the clause",
                        second=clause.span,
                        second_label="the clause that it cancels",
                    )
                    break
                left += (m.Not(cancel.cond),)

    def bars(self, permit: m.Permit) -> None:
        before: Facts = ()
        for clause in permit.clauses:
            may = self.test(clause.cond, (), f"'{permit.name}.{clause.name}' never bars anything")
            # `same_twice` reports this.
            same = any(
                isinstance(fact, m.Not) and key(fact.value) == key(clause.cond) for fact in before
            )
            if (
                may
                and before
                and not same
                and self.mine(clause)
                and self.hidden(clause.cond, before)
            ):
                self.world.sink.warn(
                    "RK705",
                    clause.span,
                    f"'{permit.name}.{clause.name}' never bars anything: an earlier bar always "
                    "applies first",
                    "move it up, or remove it",
                )
            if clause.cond is not None and not clause.cancels and clause.holder is None:
                before += (m.Not(clause.cond),)
                if self.mine(clause) and self.covered(before) and not self.covered(before[:-1]):
                    self.tell(
                        clause.cond,
                        f"'{permit.name}' refuses everything: where this bar does not apply, "
                        "another one does",
                        "correct one of the conditions",
                    )
        self.cancels(permit)
        self.same_twice(permit)

    def same_twice(self, total: m.Total | m.Permit) -> None:
        """Warn of two clauses that say the same under two names."""
        known: dict[object, m.Clause] = {}
        for clause in total.clauses:
            said = (clause.word, key(clause.cond), key(clause.amount), id(clause.holder))
            first = known.setdefault(said, clause)
            if first is not clause and self.mine(clause) and clause.word in ("modifier", "bar"):
                self.world.sink.warn(
                    "RK705",
                    clause.span,
                    f"'{total.name}.{clause.name}' is the same as '{total.name}.{first.name}'",
                    "correct one of the two clauses, or remove it",
                )

    def option(self, option: m.GuardedOption) -> None:
        facts: Facts = tuple(
            fact
            for var, source in zip(option.params, option.domains, strict=False)
            if source is not None
            for fact in said(source, m.Read(var))
        )
        facts = (*self.began(option), *facts)
        for clause in option.clauses:
            if isinstance(clause, m.Guarded):
                if not self.test(
                    clause.cond, facts, f"'{option.name}' is never offered", again=True
                ):
                    return
                facts += (clause.cond,)
            elif isinstance(clause, m.Limit):
                self.test(clause.unless, facts, "the limit always applies")
            elif isinstance(clause, m.Pays) and self.mine(clause):
                budget = (
                    m.Read(clause.target, type=clause.target.type)
                    if isinstance(clause.target, m.Var)
                    else clause.target
                )
                if (
                    self.outcomes.of(m.Compare(">=", budget, clause.amount, type=m.Bool()), facts)
                    == NEVER
                ):
                    self.tell(
                        clause,
                        f"this price can never be paid, so '{option.name}' is never offered",
                        "correct the price, or the value that it is taken from",
                    )
                    return

    # ---------------------------------------------------------------------------------------- steps
    def block(self, stmts: m.Block, facts: Facts, otherwise: bool = False) -> Facts:
        """Test the conditions in the steps of a block, and return the facts that hold behind it.

        Args:
            facts: the facts at its beginning.
            otherwise: True if the block runs where none of the conditions before it holds.
        """
        if not otherwise and self.excluded(facts):
            facts = ()  # the finding is at the condition of the block
        for at, stmt in enumerate(stmts):
            if self.excluded(facts):
                if stmt.span.line and self.mine(stmt):
                    self.unreached.append((stmts[at - 1] if at else None, stmt))
                return ()
            facts = self.step(stmt, facts)
        return facts

    def step(self, stmt: m.Stmt, facts: Facts) -> Facts:
        """Test the conditions of a step, and return the facts that hold behind it."""
        self.places[id(stmt)] = facts
        self.stmt = stmt
        self.written_again(stmt, facts)
        if isinstance(stmt, m.IfStmt):
            self.test(stmt.cond, facts, "the steps under it never run", again=True)
            self.block(stmt.then, (*facts, stmt.cond))
            other = (*facts, m.Not(stmt.cond))
            self.left[id(other[-1])] = other[-1]
            chained = stmt.other[0] if len(stmt.other) == 1 else None
            if (
                isinstance(chained, m.IfStmt)
                and chained.cond.span.file in self.uses.own
                and self.hidden(chained.cond, (m.Not(stmt.cond),))
            ):
                self.world.sink.warn(
                    "RK705",
                    chained.cond.span,
                    "this branch is never taken: an earlier one always applies first",
                    "move it up, or remove it",
                )
                self.reported.add(id(chained.cond))
            behind = self.block(
                stmt.other, other if id(stmt.cond) not in self.again else (), otherwise=True
            )
            return (
                behind if ends(stmt.then) else self.effects.kept(facts, [*stmt.then, *stmt.other])
            )
        for inner in blocks_in(stmt):
            self.block(inner, (*self.effects.kept(facts, [stmt]), *self.within(stmt)))
        for option in stmt.options if isinstance(stmt, m.Choose) else ():
            if option.proc is None:
                kept = self.effects.kept(facts, [stmt])
                self.block(option.body, (*kept, *self.guarding(option)))
        self.stmt = stmt
        if isinstance(stmt, m.Repeat):
            self.test(stmt.cond, (), "only the bound ends the loop")
        if isinstance(stmt, m.Pick) and stmt.source is not None:
            it = m.Read(stmt.var)
            new = [] if stmt.var in read(stmt.source) else [*said(stmt.source, it)]
            return (
                *without(facts, stmt.var),
                *(m.Or([m.IsNone(it), fact]) if stmt.or_none else fact for fact in new),
            )
        return (*self.effects.kept(facts, [stmt]), *self.effects.of(stmt))

    def written_again(self, stmt: m.Stmt, facts: Facts) -> None:
        """Warn of a step that writes again what an event before it has just written."""
        made = assigned(stmt, {}) if isinstance(stmt, m.SetCell) and stmt.op == ":=" else ()
        for fact in made if facts and self.mine(stmt) else ():
            alone = [f for f in facts if id(f) in self.effects.made and key(f) == key(fact)]
            if alone and not is_same(stmt):
                self.world.sink.warn(
                    "RK716",
                    stmt.span,
                    "this has no effect: the value is already there",
                    "correct the value, or remove it",
                    second=alone[-1].span if alone[-1].span.line else None,
                    second_label="because of this",
                )

    def within(self, stmt: m.Stmt) -> Facts:
        """Return the facts about each element of a loop that hold in every round, whatever earlier
        rounds did.
        """
        if not isinstance(stmt, (m.Each, m.Together)) or stmt.source is None:
            return ()
        return still(said(stmt.source, m.Read(stmt.var)), stmt.body)

    # ---------------------------------------------------------------------------------- expressions
    def filters(self) -> None:
        """Test the conditions of filters and of `a if c else b`, wherever they occur."""
        model = self.world.model
        parts: list[m.Node] = [
            *model.defines,
            *model.totals,
            *model.permits,
            *model.slots,
            *model.procedures,
            *model.movements,
        ]
        roots = [child for part in parts for child in children(part)]
        for node in nodes(*roots, *model.options, *model.whenevers):
            if isinstance(node, m.Filter):
                self.filter(node)
            elif isinstance(node, m.If) and node.fills:
                self.filled(node.cond, self.outcomes.of(node.cond))
            elif isinstance(node, m.If):
                self.test(node.cond, (), "the value before 'if' is never used", again=True)
                self.instead(node)

    def instead(self, first: m.If) -> None:
        """Warn of values in a chain of `a if c else b if d else e` that are never reached because
        of the conditions before them.
        """
        before: Facts = (m.Not(first.cond),)
        other = first.other
        while first.cond.span.file in self.uses.own and other.span.line:
            asked = other.cond if isinstance(other, m.If) else None
            alone = isinstance(other, m.If) and not other.fills
            if alone and asked is not None and self.outcomes.of(asked) == NEVER:
                self.test(asked, (), "the value before 'if' is never used")
            hidden = self.hidden(asked, before)
            if isinstance(other, m.If) and other.fills:
                never = hidden or self.outcomes.of(other.cond) == NEVER
                self.filled(other.cond, NEVER if never else None)
                return
            if hidden:
                value = other.then if isinstance(other, m.If) else other
                self.world.sink.warn(
                    "RK705",
                    value.span,
                    "this value is never used: an earlier condition always applies first",
                    "correct the conditions, or remove it",
                )
                return
            if not isinstance(other, m.If) or id(other.cond) in self.reported:
                return
            self.reported.add(id(other.cond))
            before, other = (*before, m.Not(other.cond)), other.other

    def filled(self, none_test: m.Expr, found: frozenset[int] | None) -> None:
        """Warn of a `??` whose left side is always or never none.

        Args:
            none_test: the test that the left side is none. Its span is that of the `??`.
        """
        if (
            not none_test.span.line
            or none_test.span.file not in self.uses.own
            or id(none_test) in self.reported
            or self.reported_elsewhere(none_test)
        ):
            return
        self.reported.add(id(none_test))
        if found == NEVER:
            self.tell(
                none_test,
                "this is never needed: the value before '??' is never none",
                "remove '??' and the value after it",
            )
        elif found == ALWAYS and self.always(none_test):
            self.tell(
                none_test,
                "the value before '??' is always none",
                "remove '??' and the value before it",
            )

    def filter(self, node: m.Filter) -> None:
        """Test the condition of a filter, given the facts about all elements of its source."""
        facts = tuple(said(node.source, m.Read(node.var)))
        new = (
            id(node.cond) not in self.reported
            and node.cond.span.line
            and node.cond.span.file in self.uses.own
        )
        if (
            new
            and facts
            and self.outcomes.of(node.cond) != ALWAYS
            and self.surely(node.cond, facts)
        ):
            self.reported.add(id(node.cond))
            self.tell(
                node.cond,
                "this is always true of the members of the set",
                "correct the condition, or remove it",
            )
            return
        self.test(node.cond, facts, "nothing passes the filter", again=True)

    def surely(self, cond: m.Expr, facts: Facts) -> bool:
        """Return True if the condition holds wherever these facts do, for any data."""
        return self.outcomes.of(cond, facts) == ALWAYS and self.declared.of(cond, facts) == ALWAYS
