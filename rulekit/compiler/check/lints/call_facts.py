"""The conditions that hold wherever a procedure or the lines of a card are used.

Each call is followed separately. The conditions around it are known in the called part, also in
words of its parameters, as far as nothing has been written since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import called
from rulekit.compiler.check.lints.contradicted_windows import steps_before
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import said
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.step_facts import Facts, equal, is_free, still
from rulekit.compiler.check.lints.value_enumeration import NEVER, Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, nodes, reached, substitute

DEEP = 3  # maximal depth of calls that are followed
WAYS = 12  # maximal number of ways to one place that are distinguished
CLOSE = 6  # maximal number of facts that decide one condition
# a procedure, or the lines of one card
Place = m.Procedure | tuple[m.Slot, int]


@define(frozen=True, eq=False)
class CallSite:
    """One call.

    Attributes:
        within: the procedure in which it stands, and the step.
        facts: the conditions around it.
        member: for a card, the number of the card.
    """

    call: m.Node
    params: list[m.Var]
    within: Place | None = None
    stmt: m.Stmt | None = None
    facts: Facts = ()
    member: int | None = None


@define(frozen=True, eq=False)
class Asked:
    """A condition that may hold as far as its own procedure shows.

    Attributes:
        facts: the conditions around it in this procedure.
        then: the consequence if it never holds.
    """

    cond: m.Expr
    place: Place
    stmt: m.Stmt | None
    facts: Facts
    then: str


@define(eq=False)
class CallFacts:
    """The calls of a game.

    Attributes:
        known: by the id of a step, the facts there because of the steps before it.
    """

    world: CheckState
    uses: ReachableUses
    known: Mapping[int, Facts]
    changes: Changes
    sites: dict[Place, list[CallSite]] = field(factory=dict)
    otherwise: set[Place] = field(factory=set)  # what is also used in other ways
    ways_to: dict[tuple[Place, int], list[Facts]] = field(factory=dict)
    read: dict[int, tuple[m.Expr, set[m.Node]]] = field(factory=dict)
    met: set[int] = field(factory=set)
    twice: set[int] = field(factory=set)  # nodes in two places have no facts

    def __attrs_post_init__(self) -> None:
        model = self.world.model
        for proc, body in self.changes.bodies.items():
            if id(proc) in self.uses.reached or proc.word == "movement":
                for block in body:
                    self._steps(proc, block)  # type: ignore[arg-type]
        for option in model.options:
            self._option(option)
        for slot in model.slots:
            if slot.name in self.uses.named:
                self.otherwise.update((slot, at) for at in range(slot.kind.size))
        for node in self.uses.nodes:
            if isinstance(node, m.CallSlot) and id(node) not in self.met:
                self._expr(node, (), None, None)

    # ------------------------------------------------------------------------------------ all calls
    def _steps(self, proc: m.Procedure, block: m.Block) -> None:
        for stmt in block:
            if id(stmt) in self.met:
                self.twice.update(id(node) for node in nodes(stmt))
                continue
            self.met.add(id(stmt))
            facts = self.known.get(id(stmt), ())
            if isinstance(stmt, (m.CallProc, m.CallSlotSteps)):
                self._called(stmt, proc, facts)
            else:
                self.otherwise.update(other for other, _ in called(stmt))
            again = isinstance(stmt, (m.Each, m.Repeat, m.Choose, m.Together))
            for child in children(stmt):
                if isinstance(child, m.Stmt):
                    self._steps(proc, [child])
                elif isinstance(child, m.GuardedOption):
                    self._option(child)
                    self._steps(proc, child.body)
                else:
                    self._expr(child, still(facts, [stmt]) if again else facts, proc, stmt)

    def _called(self, stmt: m.CallProc | m.CallSlotSteps, proc: m.Procedure, facts: Facts) -> None:
        if isinstance(stmt, m.CallProc):
            self._add(stmt.proc, CallSite(stmt, stmt.proc.params, proc, stmt, facts))
            return
        for at, block in enumerate(stmt.slot.blocks):
            if block is not None:
                self._add(block, CallSite(stmt, block.params, proc, stmt, facts, at))

    def _option(self, option: m.GuardedOption) -> None:
        if id(option) in self.met:
            return
        self.met.add(id(option))
        facts: Facts = tuple(
            fact
            for var, source in zip(option.params, option.domains, strict=False)
            if source is not None
            for fact in said(source, m.Read(var))
        )
        for clause in option.clauses:
            for child in children(clause):
                self._expr(child, facts, None, None)
            if isinstance(clause, m.Guarded):
                facts = (*facts, clause.cond)
            elif isinstance(clause, m.Pays):
                return

    def _expr(self, e: m.Node, facts: Facts, within: Place | None, stmt: m.Stmt | None) -> None:
        """Note the calls in an expression, with the parts of it that hold at each."""
        if id(e) in self.met and not isinstance(e, (m.Read, m.Const)):
            self.twice.update(id(node) for node in nodes(e))
            return
        self.met.add(id(e))
        if isinstance(e, m.CallSlot):
            for at in range(e.slot.kind.size):
                self._add((e.slot, at), CallSite(e, e.slot.params, within, stmt, facts, at))
        for child, more in self._inside(e):
            self._expr(child, (*facts, *more), within, stmt)

    def _inside(self, e: m.Node) -> Iterator[tuple[m.Node, Facts]]:
        """Yield the parts of an expression, each with the facts that the others give there."""
        if isinstance(e, (m.And, m.Or)):
            above: Facts = ()
            for item in e.items:
                yield item, above
                above += (item if isinstance(e, m.And) else m.Not(item),)
        elif isinstance(e, m.If):
            yield e.cond, ()
            yield e.then, (e.cond,)
            yield e.other, (m.Not(e.cond),)
        elif isinstance(e, m.Filter):
            yield e.source, ()
            yield e.cond, tuple(said(e.source, m.Read(e.var)))
        else:
            yield from ((child, ()) for child in children(e))

    def _add(self, place: Place, site: CallSite) -> None:
        self.sites.setdefault(place, []).append(site)

    # --------------------------------------------------------------------------------------- facts
    def ways(self, place: Place, deep: int = DEEP) -> list[Facts]:
        """Return the facts of the callers for each way to the begin of a place, or nothing if a way
        to it is unknown.
        """
        if (place, deep) not in self.ways_to:
            self.ways_to[place, deep] = self._ways(place, deep)
        return self.ways_to[place, deep]

    def _ways(self, place: Place, deep: int) -> list[Facts]:
        sites = self.sites.get(place, [])
        if not deep or not sites or len(sites) > WAYS or place in self.otherwise:
            return []
        made: list[Facts] = []
        for site in sites:
            if id(site.call) in self.twice:
                return []
            outer = self.ways(site.within, deep - 1) if site.within is not None else []
            for way in outer or [()]:
                left = self.left(way, site.within, site.stmt)
                made.append(_handed((*left, *site.facts), site))
        return made if len(made) <= WAYS else []

    def left(self, facts: Facts, place: Place | None, stmt: m.Stmt | None) -> Facts:
        """Return the facts at the begin of a place that still hold at a step."""
        if not facts or not isinstance(place, m.Procedure):
            return facts
        first = steps_before(self.changes.bodies.get(place, [place.body]), stmt) if stmt else None
        if first is None:
            return ()
        # The end of a loop is tested again after each round.
        first += [stmt] if isinstance(stmt, m.Repeat) else []
        return tuple(fact for fact in facts if not first or is_free(fact, self.changes.of(*first)))

    def near(self, cond: m.Expr, facts: Facts) -> Facts:
        """Return the facts about the values that a condition reads, directly or by way of another
        fact.
        """
        about = self.reads(cond)
        first = [fact for fact in facts if self.reads(fact) & about]
        more = {what for fact in first for what in self.reads(fact)} - about
        other = [fact for fact in facts if self.reads(fact) & more and fact not in first]
        return (*first, *other)[:CLOSE]

    def reads(self, e: m.Expr) -> set[m.Node]:
        """Return the variables and states that a condition reads."""
        if id(e) not in self.read:
            self.read[id(e)] = (
                e,
                {
                    node.var if isinstance(node, m.Read) else node.cell
                    for node in reached(e)
                    if isinstance(node, (m.Read, m.ReadCell))
                },
            )
        return self.read[id(e)][1]

    def never(self, cond: m.Expr, asked: Asked, outcomes: Outcomes) -> m.Expr | bool:
        """Return a condition at a call that excludes this one, or True if none of them alone does.

        The result is False if the condition may hold for one of the ways.
        """
        found, reason = set[frozenset[int] | None](), None
        here = self.near(cond, asked.facts)
        for way in self.ways(asked.place):
            near = self.left(self.near(cond, way), asked.place, asked.stmt)
            answer = outcomes.may_hold(cond, (*near, *here)) if near else None
            if answer is None or 1 in answer:
                return False
            found.add(answer)
            alone = (f for f in near if f.span.line and outcomes.of(cond, (f,)) == NEVER)
            reason = reason or next(alone, None)
        return NEVER in found and (reason or True)


def _handed(facts: Facts, site: CallSite) -> Facts:
    """Return the facts at a call, and the same facts in words of the called part."""
    args: list[m.Expr] = site.call.args  # type: ignore[attr-defined]
    pairs = [*zip(site.params, args, strict=True)]
    names = {
        arg.var: m.Read(param, type=param.type) for param, arg in pairs if isinstance(arg, m.Read)
    }
    renamed = [
        substitute(fact, names)
        for fact in facts
        if any(isinstance(node, m.Read) and node.var in names for node in nodes(fact))
    ]
    same = [
        fact for param, arg in pairs if not isinstance(arg, m.Read) for fact in equal(param, arg)
    ]
    if site.member is not None and isinstance(site.call, (m.CallSlot, m.CallSlotSteps)):
        member = site.call.member
        same.append(m.Compare("=", member, m.Const(site.member, type=member.type), type=m.Bool()))
    return (*facts, *renamed, *same)


def never_called(
    world: CheckState,
    uses: ReachableUses,
    outcomes: Outcomes,
    known: Mapping[int, Facts],
    changes: Changes,
    asked: Sequence[Asked],
) -> None:
    """Warn of conditions that no caller makes true."""
    calls = CallFacts(world, uses, known, changes)
    known_spans = {d.span for d in world.sink.found if d.code == "RK704"}
    for each in asked:
        if any(node.span in known_spans for node in nodes(each.cond) if isinstance(node, m.Expr)):
            continue
        items = each.cond.items if isinstance(each.cond, m.Or) else []
        for cond in (each.cond, *items):
            reason = calls.never(cond, each, outcomes) if cond.span.line else False
            if not reason:
                continue
            whole = cond is each.cond
            second = reason.span if isinstance(reason, m.Expr) else None
            world.sink.warn(
                "RK704",
                cond.span,
                f"{'this' if whole else 'this part'} is never true at any call of "
                f"'{_name(each.place)}'" + (f": {each.then}" if each.then and whole else ""),
                "correct the condition or the calls, or remove it and what depends on it",
                second=second,
                second_label="this holds at the call" if second is not None else "",
            )
            break


def _name(place: Place) -> str:
    if isinstance(place, tuple):
        slot, at = place
        return f"{slot.kind.members[at]}.{slot.name}"
    return str(getattr(place, "name", ""))
