"""Warn of options that cost something and may then find nothing to do.

The pick behind the price may be from an empty set, or the walk may have no destination. An option
is offered wherever its guards hold. Guards such as `some S`, `x in S` or `S has c`, and conditions
around the pick, prove that a set has members. Definitions are inlined. Parameters and `let`
variables are replaced by the expressions that they stand for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key, opened
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import least
from rulekit.compiler.check.lints.step_facts import Facts
from rulekit.compiler.check.lints.unreached_steps import has_empty_source
from rulekit.compiler.check.lints.value_enumeration import Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, reached, rebuilt, substitute

DEEP = 4  # maximal depth of procedures that are followed
OPENED = 12  # maximal depth of definitions that are inlined
Known = Mapping[m.Var, m.Expr]
HELP = (
    "add a condition to the option ('when some S'), or write ', or none' and the steps for that"
    " case"
)


def prices(world: CheckState, uses: ReachableUses, outcomes: Outcomes) -> None:
    """Warn of each pick of the game itself that may be empty after its option was paid for."""
    looking = StepProofs.of(world, outcomes)
    for option in world.model.options:
        if uses.is_own(option):
            looking.option(option)


@define(eq=False)
class StepProofs:
    """The proofs about the steps of options.

    Attributes:
        around: the conditions and sets in the procedures that contain an option, by its key.
    """

    world: CheckState
    outcomes: Outcomes
    around: dict[str, list[m.Expr]]
    reported: set[int] = field(factory=set)

    @classmethod
    def of(cls, world: CheckState, outcomes: Outcomes) -> StepProofs:
        """Create the analysis for all options of a game."""
        return cls(world, outcomes, _around(world.model))

    @staticmethod
    def guards(option: m.GuardedOption) -> tuple[Facts, dict[m.Var, m.Expr]]:
        """Return the facts that the guards of an option give, and the values of its `with`
        variables.
        """
        known: dict[m.Var, m.Expr] = {}
        facts: Facts = ()
        for clause in option.clauses:
            if isinstance(clause, m.Guarded):
                facts += (clean(clause.cond, known),)
            elif isinstance(clause, m.With):
                known[clause.var] = clean(clause.value, known)
        return facts, known

    def option(self, option: m.GuardedOption) -> None:
        price = next(
            (clause for clause in option.clauses if isinstance(clause, (m.Pays, m.Limit))), None
        )
        facts, known = self.guards(option)
        self.block(
            option.proc.body if option.proc is not None else option.body,
            facts,
            known,
            price is not None,
            option,
            DEEP,
        )

    def block(
        self,
        stmts: Sequence[m.Stmt],
        facts: Facts,
        known: Known,
        paid: bool,
        option: m.GuardedOption,
        deep: int,
    ) -> bool | None:
        """Analyse a block up to its first pick.

        Returns:
            Whether something has been paid or written at the end of the block. None if the analysis
            ends here, because something was done or a player was asked.
        """
        known = dict(known)
        for at, stmt in enumerate(stmts):
            if isinstance(stmt, m.SetVar) and stmt.op == ":=":
                known[stmt.var] = clean(stmt.value, known)
            elif isinstance(stmt, (m.Pick, m.PickGroup, m.Choose)):
                if paid and stmts[at + 1 :]:
                    self.choice(stmt, facts, known, option)
                return None
            elif isinstance(stmt, m.Walk):
                if paid:
                    self.walk(stmt, facts, option)
                return None
            elif isinstance(stmt, m.CallProc) and deep and not stmt.proc.reentrant:
                given = {
                    param: clean(arg, known)
                    for param, arg in zip(stmt.proc.params, stmt.args, strict=True)
                }
                inside = self.block(stmt.proc.body, facts, given, paid, option, deep - 1)
                if inside is None:
                    return None
            elif isinstance(stmt, m.CallSlotSteps) and deep:
                if self.cards(stmt, facts, known, paid, option, deep):
                    return None
            elif isinstance(stmt, m.IfStmt):
                cond = clean(stmt.cond, known)
                ways = [
                    self.block(stmt.then, (*facts, cond), known, paid, option, deep),
                    self.block(stmt.other, (*facts, m.Not(cond)), known, paid, option, deep),
                ]
                if None in ways:
                    return None
                if stmt.then and isinstance(stmt.then[-1], (m.Return, m.Leave, m.Finish)):
                    facts += (m.Not(cond),)
            elif isinstance(stmt, (m.SetCell, m.CallEvent, m.PutMember)):
                paid = True
            else:
                return None
        return paid

    def choice(
        self,
        stmt: m.Pick | m.PickGroup | m.Choose,
        facts: Facts,
        known: Known,
        option: m.GuardedOption,
    ) -> None:
        """Warn of a choice after the price, unless it is proved that it is not empty."""
        if isinstance(stmt, m.Choose):
            if not self.offered(stmt, facts, known):
                self.tell(stmt, option, "no option")
        elif not self.sure(stmt, facts, known):
            self.tell(stmt, option)

    def walk(self, stmt: m.Walk, facts: Facts, option: m.GuardedOption) -> None:
        """Warn of a walk after the price, unless a condition asks for its destinations."""
        if not _asks_for_way(stmt.movement, [*facts, *self.around.get(option.key, [])]):
            self.tell(
                stmt,
                option,
                "nowhere to go",
                "add a condition to the option: 'when some(reach ...)'",
            )

    def cards(
        self,
        call: m.CallSlotSteps,
        facts: Facts,
        known: Known,
        paid: bool,
        option: m.GuardedOption,
        deep: int,
    ) -> bool:
        """Analyse the steps of each possible member. Return True if the analysis ends in those of
        one.
        """
        found = [
            self.block(proc.body, here, given, paid, option, deep - 1)
            for proc, here, given in of_cards(call, facts, known)
        ]
        return None in found

    def sure(self, pick: m.Pick | m.PickGroup, facts: Facts, known: Known) -> bool:
        """Return True if it is proved that there is something to pick."""
        if (
            pick.or_none
            or pick.sure
            or (isinstance(pick, m.PickGroup) and pick.low is not None and _zero(pick.low))
        ):
            return True
        if isinstance(pick, m.Pick) and pick.source is None:
            return True
        assert pick.source is not None
        return self.filled(clean(pick.source, known), facts)

    def filled(self, source: m.Expr, facts: Facts) -> bool:
        """Return True if the set has members, given the facts."""
        if least(source) > 0 or any(
            _within(item, source) for fact in facts for item in _items(fact)
        ):
            return True
        if facts and self.never(facts):
            return True
        if isinstance(source, m.If):
            return self.filled(source.then, (*facts, source.cond)) and self.filled(
                source.other, (*facts, m.Not(source.cond))
            )
        if (
            isinstance(source, m.SetOp)
            and source.op == "+"
            and (self.filled(source.left, facts) or self.filled(source.right, facts))
        ):
            return True
        if isinstance(source, m.MakeSet):
            return any(
                isinstance(item.type, m.MemberOf) and not item.type.optional
                for item in source.items
            )
        if isinstance(source, m.Collect):
            return self.filled(source.source, facts)
        if isinstance(source, m.Filter) and any(
            self.holds(source, read, facts) for read in _members(facts, source.var.type)
        ):
            return True
        wanted = m.Count("some", source, type=m.Bool())
        said = [
            *facts,
            *(m.Or([m.Not(fact), wanted]) for fact in _sayings(facts) if _within(fact, source)),
        ]
        found = self.outcomes.of(wanted, said)
        return found is not None and 0 not in found

    def holds(self, source: m.Filter, member: m.Read, facts: Facts) -> bool:
        """Return True if it is proved that this member is in the set."""
        if not self.filled(source.source, ()):
            return False
        return self.outcomes.of(substitute(source.cond, {source.var: member}), facts) == frozenset(
            {1}
        )

    def offered(self, choose: m.Choose, facts: Facts, known: Known) -> bool:
        """Return True if it is proved that some option is offered."""
        ways: list[m.Expr] = []
        for option in choose.options:
            if (
                all(isinstance(clause, m.Guarded) for clause in option.clauses)
                and not option.params
            ):
                ways.append(
                    m.And(
                        [
                            clean(clause.cond, known)
                            for clause in option.clauses
                            if isinstance(clause, m.Guarded)
                        ]
                    )
                )
            elif not option.clauses and all(
                isinstance(var.type, m.MemberOf) and var.type.kind.size for var in option.params
            ):
                return True
        found = self.outcomes.of(m.Or(ways), facts)
        return any(isinstance(way, m.And) and not way.items for way in ways) or (
            found is not None and 0 not in found
        )

    def never(self, facts: Facts) -> bool:
        """Return True if these facts cannot all hold."""
        found = self.outcomes.of(facts[-1], facts[:-1])
        return found is not None and 1 not in found

    def tell(
        self, pick: m.Stmt, option: m.GuardedOption, what: str = "nothing to pick", help: str = HELP
    ) -> None:
        if id(pick) not in self.reported and not has_empty_source(pick, self.world):
            self.reported.add(id(pick))
            limited = any(isinstance(clause, m.Limit) for clause in option.clauses)
            priced = any(isinstance(clause, m.Pays) for clause in option.clauses)
            spent = "used up" if limited and not priced else "paid for"
            why = f"'{option.name}' may be {spent} without effect: there may be {what} here"
            self.world.sink.warn("RK713", pick.span, why, help)


def of_cards(
    call: m.CallSlotSteps, facts: Facts, known: Known
) -> Iterator[tuple[m.Procedure, Facts, Known]]:
    """Yield the steps of each possible member, with the facts for that member."""
    which = clean(call.member, known)
    for at, proc in enumerate(call.slot.blocks):
        if (
            proc is not None
            and not proc.reentrant
            and not (isinstance(which, m.Const) and which.value != at)
        ):
            member = m.Const(at, type=which.type)
            here = tuple(
                (
                    _of_member(substitute(fact, {which.var: member}), member)
                    if isinstance(which, m.Read)
                    else fact
                )
                for fact in facts
            )
            yield (
                proc,
                here,
                {
                    param: clean(arg, known)
                    for param, arg in zip(proc.params, call.args, strict=True)
                },
            )


def _around(model: m.Model) -> dict[str, list[m.Expr]]:
    """Return the conditions and sets in the procedures that contain options, by the option's
    key.
    """
    found: dict[str, list[m.Expr]] = {}
    for proc in model.procedures:
        inside = list(nodes(proc.body))
        said = [
            node.cond if isinstance(node, m.IfStmt) else node.source
            for node in inside
            if isinstance(node, (m.IfStmt, m.Each))
        ]
        for node in inside:
            for option in node.options if isinstance(node, m.Choose) else []:
                if option.proc is None:
                    found.setdefault(option.key, []).extend(
                        each for each in said if each is not None
                    )
    return found


def _asks_for_way(movement: m.Movement, facts: Sequence[m.Expr]) -> bool:
    """Return True if a guard, or a condition around the option, reads where this movement could
    end. It may prove more than this analysis can follow.
    """
    return any(
        isinstance(node, m.ReachOf) and node.movement is movement for node in reached(*facts)
    )


def _members(facts: Facts, type: m.Type) -> list[m.Read]:
    """Return the variables in these facts that are certainly a member of the kind."""
    found = {
        node.var: node
        for node in nodes(*facts)
        if isinstance(node, m.Read) and node.var.type == type and node.var.name != "it"
    }
    return list(found.values())


def _zero(e: m.Expr) -> bool:
    return isinstance(e, m.Const) and e.value == 0


def clean(e: m.Expr, known: Known) -> m.Expr:
    """Return the expression with variables replaced by their expressions, and with definitions
    inlined.
    """
    e = substitute(e, known) if known else e
    return _opened(e, OPENED)


def _of_member(e: m.Expr, member: m.Const) -> m.Expr:
    """Return the expression with the slots of this member replaced by their rules."""
    if (
        isinstance(e, m.CallSlot)
        and isinstance(e.member, m.Const)
        and e.member.value == member.value
    ):
        said = e.slot.of(member.value)
        if said is not None:
            return clean(substitute(said, dict(zip(e.slot.params, e.args, strict=True))), {})
    return rebuilt(e, lambda part: _of_member(part, member))


def _opened(e: m.Expr, deep: int) -> m.Expr:
    if isinstance(e, m.CallDefine) and deep and (body := opened(e)) is not None:
        return _opened(body, deep - 1)
    return rebuilt(e, lambda part: _opened(part, deep))


# -------------------------------------------------------------------- proofs that a set has members
def _sayings(facts: Sequence[m.Expr]) -> Iterator[m.Expr]:
    """Yield the parts of these facts that state that a set has members."""
    for fact in facts:
        for node in nodes(fact):
            if isinstance(node, m.In) or (isinstance(node, m.Count) and node.op == "some"):
                yield node


def _within(fact: m.Expr, source: m.Expr) -> bool:
    """Return True if this fact proves that the set has members, because it states so for a smaller
    set.
    """
    said = isinstance(fact, m.In) or (isinstance(fact, m.Count) and fact.op == "some")
    return said and smaller(fact.source, source)  # type: ignore[attr-defined]


def smaller(one: m.Expr, other: m.Expr) -> bool:
    """Return True if the form of the sets shows that one is a subset of the other."""
    if key(one) == key(other):
        return True
    if isinstance(other, m.SetOp) and other.op == "+":
        return smaller(one, other.left) or smaller(one, other.right)
    if isinstance(one, m.Filter) and isinstance(other, m.Filter):
        element = m.Read(m.Var("it", one.var.type))
        mine = {key(item) for item in _items(substitute(one.cond, {one.var: element}))}
        theirs = {key(item) for item in _items(substitute(other.cond, {other.var: element}))}
        if theirs <= mine and smaller(one.source, other.source):
            return True
    if isinstance(one, m.Filter):
        return smaller(one.source, other)
    return isinstance(one, m.SetOp) and one.op == "-" and smaller(one.left, other)


def _items(cond: m.Expr) -> list[m.Expr]:
    return (
        [each for item in cond.items for each in _items(item)]
        if isinstance(cond, m.And)
        else [cond]
    )
