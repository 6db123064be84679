"""Warn of moments and choices at which nobody can do anything, and of guards that never hold where
they are evaluated.

The known facts are the conditions around the place, and around the calls of its procedure, as far
as nothing has been written since. Each call is followed separately: a variable may have another
name in the called procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import called
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import said
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.step_facts import Facts, equal, is_free
from rulekit.compiler.check.lints.value_enumeration import NEVER, Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, substitute

DEEP = 3  # maximal depth of calls that are followed
WAYS = 12  # maximal number of ways to one step that are distinguished
# a call of the procedure of a step, and the facts at the step for this call
Way = tuple[m.CallProc | None, Facts]
Barred = tuple[m.Guarded, Facts]


def opened(
    world: CheckState,
    uses: ReachableUses,
    outcomes: Outcomes,
    known: Mapping[int, Facts],
    changes: Changes,
) -> None:
    """Warn of each such place in the files of the game itself.

    Args:
        known: by the id of a step, the facts that hold there because of the steps before it in its
            procedure.
    """
    _Opened(world, uses, outcomes, known, changes).all()


@define(eq=False)
class _Opened:
    world: CheckState
    uses: ReachableUses
    outcomes: Outcomes
    known: Mapping[int, Facts]
    changes: Changes
    calls: dict[m.Procedure, list[tuple[m.Procedure, m.CallProc]]] = field(factory=dict)
    # procedures that are also reached in other ways
    otherwise: set[m.Procedure] = field(factory=set)
    # by option: its bar for each way to the place where it is offered
    barred: dict[str, list[tuple[Barred | None, m.GuardedOption]]] = field(factory=dict)
    reported: set[int] = field(factory=set)  # ids of guards

    def __attrs_post_init__(self) -> None:
        self.otherwise = {rule.proc for rule in self.world.model.whenevers}

    def all(self) -> None:
        reached = {
            proc: body
            for proc, body in self.changes.bodies.items()
            if id(proc) in self.uses.reached or proc.word == "movement"
        }
        places: list[tuple[m.Procedure, m.Window | m.Choose]] = []
        for proc, body in reached.items():
            for node in nodes(*body):
                if isinstance(node, m.CallProc):
                    self.calls.setdefault(node.proc, []).append((proc, node))
                else:
                    self.otherwise |= {other for other, _ in called(node)}
                if isinstance(node, (m.Window, m.Choose)):
                    places.append((proc, node))
        for proc, place in places:
            self.place(proc, place)
        self.guards()

    # ---------------------------------------------------------------------------------- known facts
    def ways(self, proc: m.Procedure, stmt: m.Stmt, deep: int = DEEP) -> list[Way]:
        """Return the ways to reach a step of a procedure."""
        here: list[Way] = [(None, self.known.get(id(stmt), ()))]
        calls = self.calls.get(proc, [])
        if not deep or not calls or len(calls) > WAYS or proc in self.otherwise:
            return here
        found: list[Way] = []
        before: frozenset[m.Node] | None = None
        for caller, call in calls:
            for _, facts in self.ways(caller, call, deep - 1):
                handed = _handed(facts, call)
                if handed and before is None:
                    before = self.changes.of(*(steps_before(self.changes.bodies[proc], stmt) or ()))
                found.append(
                    (
                        call,
                        (
                            *here[0][1],
                            *(fact for fact in handed if is_free(fact, before or frozenset())),
                        ),
                    )
                )
        return found if len(found) <= WAYS else here

    def never(self, cond: m.Expr, facts: Sequence[m.Expr]) -> bool:
        return self.outcomes.of(cond, facts) == NEVER

    # ------------------------------------------------------------------------------------ one place
    def place(self, proc: m.Procedure, place: m.Window | m.Choose) -> None:
        """Record the guards that bar the options of a place, for each way to reach it. Report the
        place if all options are barred.
        """
        options = [*place.options, *(place.standing if isinstance(place, m.Choose) else ())]
        hooks = place.hooks if isinstance(place, m.Window) else []
        again = isinstance(place, m.Window) or bool(place.standing)
        ways = self.ways(proc, place)
        every: list[tuple[m.CallProc | None, list[Barred | None]]] = []
        for call, facts in ways:
            for hook in hooks:
                facts = self.after(facts, [hook.proc])
            bars = [self.barring(option, self.who(option, place), facts) for option in options]
            every.append((call, bars))
            for option, bar in zip(options, bars, strict=True):
                others = [
                    other.proc if other.proc is not None else other.body
                    for other in options
                    if other is not option
                ]
                # The player is asked again after the actions of others.
                if bar is not None and again and None in bars:
                    bar = self.barring(option, self.who(option, place), self.after(facts, others))
                self.barred.setdefault(option.key or str(id(option)), []).append((bar, option))
        idle = all(
            hook.cond is not None and all(self.never(hook.cond, facts) for _, facts in ways)
            for hook in hooks
        )
        self.hooks(hooks, [facts for _, facts in ways])
        if options and idle and proc.word != "event":
            self.empty(proc, place, every)

    def after(self, facts: Facts, steps: Sequence[m.Procedure | m.Block]) -> Facts:
        """Return the facts that still hold after some procedures or steps may have run."""
        if not facts or not steps:
            return facts
        changed = self.changes.of(
            *(each.body if isinstance(each, m.Procedure) else each for each in steps)
        )
        return tuple(fact for fact in facts if is_free(fact, changed))

    @staticmethod
    def who(option: m.GuardedOption, place: m.Window | m.Choose) -> list[m.Expr]:
        """Return the players who may choose an option at a place."""
        if isinstance(place, m.Choose):
            return [place.who]
        return option.asked if option.asked is not None else place.asks

    def barring(self, option: m.GuardedOption, who: list[m.Expr], facts: Facts) -> Barred | None:
        """Return the guard of an option that never holds because of the facts at this place, or
        None. A guard that never holds anyway does not count.
        """
        clause = self.first(option, who, facts) if facts else None
        return (
            (clause, facts) if clause is not None and self.first(option, who, ()) is None else None
        )

    def first(self, option: m.GuardedOption, who: list[m.Expr], facts: Facts) -> m.Guarded | None:
        """Return the first guard that excludes every player from the option."""
        given = [
            *facts,
            *(
                fact
                for var, source in zip(option.params, option.domains, strict=False)
                if source is not None
                for fact in said(source, m.Read(var))
            ),
        ]
        for clause in option.clauses:
            if isinstance(clause, m.Guarded):
                if self.never(clause.cond, given):
                    return clause
                me = option.me
                if (
                    me is not None
                    and who
                    and all(
                        self.never(
                            substitute(clause.cond, {me: one}),
                            [substitute(fact, {me: one}) for fact in given],
                        )
                        for one in who
                    )
                ):
                    return clause
                given.append(clause.cond)
        return None

    # ------------------------------------------------------------------------------------- findings
    def empty(
        self,
        proc: m.Procedure,
        place: m.Window | m.Choose,
        every: list[tuple[m.CallProc | None, list[Barred | None]]],
    ) -> None:
        """Report a choice at which all options are barred, or each step that opens such a
        moment.
        """
        sites: dict[int, tuple[m.Stmt, list[list[Barred | None]]]] = {}
        for call, bars in every:
            site: m.Stmt | None = call if isinstance(place, m.Window) else place
            if site is not None:
                sites.setdefault(id(site), (site, []))[1].append(bars)
        for at, found in sites.values():
            first = found[0][0]
            if (
                first is None
                or not all(bar is not None for bars in found for bar in bars)
                or at.span.file not in self.uses.own
            ):
                continue
            self.reported |= {id(bar[0]) for bars in found for bar in bars if bar is not None}
            code, what = (
                (
                    "RK707",
                    f"nobody can react at the moment '{proc.name}' where it is opened here",
                )
                if isinstance(place, m.Window)
                else ("RK715", "this choice has no possible option")
            )
            self.world.sink.warn(
                code,
                at.span,
                f"{what}: an earlier condition rules out {_all(found[0], place)}",
                "correct one of the two conditions, or remove this",
                second=first[0].cond.span,
                second_label="this is false at this point",
            )

    def guards(self) -> None:
        """Report the guards of options that are barred wherever they are offered."""
        known = {d.span for d in self.world.sink.found if d.code in ("RK704", "RK705")}
        for ways in self.barred.values():
            bar, option = ways[0]
            if bar is None or not all(each is not None for each, _ in ways):
                continue
            clause, facts = bar
            if (
                id(clause) not in self.reported
                and clause.cond.span.file in self.uses.own
                and clause.cond.span not in known
            ):
                self.tell(
                    clause.cond,
                    facts,
                    f"this is never true where '{option.name}' is offered, so it is never offered",
                )

    def hooks(self, hooks: Sequence[m.Hook], ways: list[Facts]) -> None:
        """Report hooks with a condition that never holds when their moment is opened or their event
        happens.
        """
        for at, hook in enumerate(hooks):
            if (
                hook.cond is None
                or hook.cond.span.file not in self.uses.own
                or self.outcomes.of(hook.cond) == NEVER
            ):
                continue
            there = [self.after(facts, [other.proc for other in hooks[:at]]) for facts in ways]
            if (
                all(facts and self.never(hook.cond, facts) for facts in there)
                and id(hook.cond) not in self.reported
            ):
                self.reported.add(id(hook.cond))
                self.tell(
                    hook.cond,
                    there[0],
                    "this is never true when the hook is reached, so the hook never runs",
                )

    def tell(self, cond: m.Expr, facts: Facts, message: str) -> None:
        """Report a condition, with the first fact that excludes it by itself."""
        if any(d.code == "RK704" and d.span == cond.span for d in self.world.sink.found):
            return
        alone = next((fact for fact in facts if fact.span.line and self.never(cond, (fact,))), None)
        self.world.sink.warn(
            "RK704",
            cond.span,
            message,
            "correct one of the two conditions, or remove this and what depends on it",
            second=alone.span if alone is not None else None,
            second_label="this condition contradicts it",
        )


def _all(bars: Sequence[object], place: m.Stmt) -> str:
    what = "reaction or hook" if isinstance(place, m.Window) else "option"
    return f"its only {what}" if len(bars) == 1 else f"every {what}"


def _handed(facts: Facts, call: m.CallProc) -> Facts:
    """Return the facts at a call, and the same facts expressed by the parameters of the called
    procedure.
    """
    params = {
        arg.var: m.Read(param, type=param.type)
        for param, arg in zip(call.proc.params, call.args, strict=True)
        if isinstance(arg, m.Read)
    }
    renamed = [
        substitute(fact, params)
        for fact in facts
        if any(isinstance(node, m.Read) and node.var in params for node in nodes(fact))
    ]
    same = [
        fact
        for param, arg in zip(call.proc.params, call.args, strict=True)
        if isinstance(arg, (m.Const, m.ReadCell, m.ReadFixed))
        for fact in equal(param, arg)
    ]
    return (*facts, *renamed, *same)


def steps_before(blocks: Sequence[object], stmt: m.Stmt) -> list[m.Stmt] | None:
    """Return the steps in these blocks that may run before a step is reached, or None if none of
    the blocks contains the step.
    """
    for block in blocks:
        for at, each in enumerate(block if isinstance(block, list) else []):
            if each is stmt:
                return [*block[:at]]  # type: ignore[index]
            found = steps_before([*_inside(each)], stmt)
            if found is not None:
                # An earlier round of the loop, or a payment, may come first.
                again = [] if isinstance(each, m.IfStmt) else [each]
                return [*block[:at], *again, *found]  # type: ignore[index]
    return None


def _inside(stmt: m.Stmt) -> Iterator[m.Block]:
    """Yield the blocks in a step."""
    if isinstance(stmt, m.IfStmt):
        yield from (stmt.then, stmt.other)
    elif isinstance(stmt, (m.Each, m.Repeat, m.Together)):
        yield stmt.body
    elif isinstance(stmt, m.Choose):
        yield from (
            option.body for option in (*stmt.options, *stmt.standing) if option.proc is None
        )
