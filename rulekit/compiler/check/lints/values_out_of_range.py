"""Warn of values of fixed data that certainly leave the declared range of their place.

A value is tried for all members and numbers that it depends on. It is reported in two cases. Either
none of them gives a value within the range. Or one of them does not, and the steps surely come to
it: by a loop over all members of a kind, or by an argument of a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from attrs import define, evolve, field

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies
from rulekit.compiler.check.lints.fixed_evaluation import (
    UNKNOWN,
    FixedEvaluator,
    OutsideRange,
    datum_span,
)
from rulekit.compiler.check.lints.guards_around import Guards
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.value_enumeration import Outcomes
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.block_exits import GOES_ON, BlockExits, may_skip
from rulekit.compiler.model.visitor import binders, children, nodes, reached, substitute
from rulekit.compiler.semantics.values import Env, bits

TRIES = 1_000  # maximal number of combinations of members and numbers for one value
DEEP = 4  # the number of calls that are followed to the callers, and of names that are opened
# the expressions that evaluate all of their parts
WHOLE = (
    *(m.InRange, m.Arith, m.Least, m.Compare, m.Not, m.The, m.MakeSet, m.ReadCell, m.ReadFixed),
    *(m.CallDefine, m.CallTotal, m.CallTable, m.Shift, m.RatioOf, m.FieldOf),
)
CHANGING = (m.ReadCell, m.Here, m.Running, m.CallSlot)

Owner = m.Procedure | m.EventDeclaration
Loop = tuple[m.Var, str, tuple[m.Expr, ...]]  # a variable, and where its values come from


@define(frozen=True, eq=False)
class _Place:
    """The place of a step.

    Attributes:
        loops: the loops around the step that surely run it in each of their rounds.
        sure: True if the step runs whenever its procedure does.
        facts: the conditions of the loops and options around it.
    """

    owner: Owner
    stmt: m.Stmt
    loops: tuple[Loop, ...] = ()
    sure: bool = True
    facts: tuple[m.Expr, ...] = ()


@define(frozen=True, eq=False)
class _Miss:
    """A value outside of its range, with the member or number for which it is."""

    value: int
    place: m.InRange
    seen: tuple[m.Fixed, int] | None
    env: Env
    call: m.Stmt | None = None
    scenario: str | None = None
    always: bool = False


def out_of_range(world: CheckState, uses: ReachableUses, outcomes: Outcomes) -> None:
    """Warn of each value that certainly leaves its range."""
    _Finder(world, uses, outcomes).all()


@define(eq=False)
class _Finder:
    world: CheckState
    uses: ReachableUses
    outcomes: Outcomes
    exits: BlockExits = field(factory=BlockExits)
    guards: Guards = field(init=False)
    calls: dict[int, list[tuple[_Place, list[m.Expr]]]] = field(factory=dict)
    # the conditions of options and hooks by their procedures
    entered: dict[m.Procedure, list[m.Expr]] = field(factory=dict)
    begun: dict[tuple[int, str], bool] = field(factory=dict)  # by procedure and scenario

    def __attrs_post_init__(self) -> None:
        self.guards = Guards.of(self.world)
        for option in self.world.model.options:
            if option.proc is not None:
                self.entered[option.proc] = [*_guards(option)]
        for node in self.uses.nodes:
            if isinstance(node, m.Hook) and node.cond is not None:
                self.entered[node.proc] = [node.cond]

    def all(self) -> None:
        places = [*self._places()]
        for place in places:
            stmt = place.stmt
            if isinstance(stmt, (m.CallProc, m.CallEvent)):
                of = stmt.proc if isinstance(stmt, m.CallProc) else stmt.event
                self.calls.setdefault(id(of), []).append((place, stmt.args))
        for place in places:
            if self.uses.is_own(place.stmt):
                for value in _values(place.stmt):
                    self._try(value, place)

    # -------------------------------------------------------------------------------------- places
    def _places(self) -> Iterator[_Place]:
        every: list[tuple[Owner, list[Any]]] = [
            *bodies(self.world).items(),
            *((event, [event.body]) for event in self.world.model.events),
        ]
        for owner, blocks in every:
            if self.uses.has(owner):
                for block in blocks:
                    yield from self._block(block, _Place(owner, m.Return(), sure=len(blocks) == 1))

    def _block(self, block: m.Block, around: _Place) -> Iterator[_Place]:
        for stmt in block:
            yield (here := evolve(around, stmt=stmt))
            for inner, place in self._inside(here):
                yield from self._block(inner, place)
            if may_skip(stmt) or self.exits.of(stmt) != {GOES_ON}:
                around = evolve(around, loops=(), sure=False)

    def _inside(self, at: _Place) -> Iterator[tuple[m.Block, _Place]]:
        """Yield the blocks in a step, each with its place."""
        stmt, apart = at.stmt, evolve(at, loops=(), sure=False)
        if isinstance(stmt, m.Each):
            some = _some(stmt.source) if stmt.source is not None else ()
            whole = self.exits.of_block(stmt.body) == {GOES_ON}
            place = evolve(at, loops=(*at.loops, _loop(stmt))) if whole else apart
            yield stmt.body, evolve(place, facts=(*at.facts, *some))
        elif isinstance(stmt, m.Repeat):
            yield stmt.body, at if _runs(stmt) else apart
        elif isinstance(stmt, m.IfStmt):
            yield from ((stmt.then, apart), (stmt.other, apart))
        elif isinstance(stmt, m.Together):
            yield stmt.body, apart
        for option in stmt.options if isinstance(stmt, m.Choose) else ():
            if option.proc is None:
                yield option.body, evolve(apart, facts=(*at.facts, *_guards(option)))

    def _begins(self, owner: Owner, by: FixedEvaluator) -> bool:
        """Return False if the data exclude all ways to a procedure."""
        name = (id(owner), by.name)
        if name not in self.begun:
            self.begun[name] = True  # a procedure that calls itself
            calls = self.calls.get(id(owner), ())
            ways = not calls or any(
                self._possible({}, place, by) and self._begins(place.owner, by)
                for place, _ in calls
            )
            self.begun[name] = ways and self._possible({}, _Place(owner, m.Return()), by)
        return self.begun[name]

    # -------------------------------------------------------------------------------------- values
    def _try(self, value: m.Expr, place: _Place) -> None:
        if not _is_fixed(value):
            return
        miss = self._missed(value, place, DEEP)
        # A value that is passed on, or assigned before, is reported there.
        own = {(node.span, node.what) for node in reached(value) if isinstance(node, m.InRange)}
        if miss is None or (miss.place.span, miss.place.what) not in own:
            return
        assert isinstance(miss.place.type, m.Int)
        low, high = miss.place.type.low, miss.place.type.high
        named = {*place.owner.params, *(var for var, _, _ in place.loops)}
        known = [
            f"{var.name} is {_word(var.type, miss.env[var])}"
            for var in sorted(_free(value), key=lambda var: var.name)
            if var in miss.env and var in named and not miss.always
        ]
        where = f", where {' and '.join(known)}" if known else ""
        scenario = f", in the scenario '{miss.scenario}'" if miss.scenario is not None else ""
        number = f"{miss.value} is outside" if not miss.always else "this is never within"
        second, label = self._origin(miss)
        self.world.sink.warn(
            "RK724",
            value.span if value.span.line else place.stmt.span,
            f"{number} {low}..{high} ({miss.place.what}){where}{scenario}",
            "declare a wider range, correct the data, or limit the value with 'min' or 'max'",
            second=second,
            second_label=label,
        )

    def _origin(self, miss: _Miss) -> tuple[Span | None, str]:
        """Return the place from which a value comes, with a label."""
        if miss.seen is not None:
            return datum_span(*miss.seen, self.world, miss.scenario), "the value comes from here"
        return (miss.call.span, "passed on here") if miss.call is not None else (None, "")

    def _missed(self, value: m.Expr, place: _Place, deep: int) -> _Miss | None:
        """Return a value that certainly leaves its range at a place, or None."""
        value = self._opened(value)
        late = any(isinstance(node, m.ReadFixed) and node.fixed.late for node in reached(value))
        for name, scenario in self.world.model.scenarios.items():
            by = FixedEvaluator(scenario.late, name)
            if not self._begins(place.owner, by):
                continue
            found = self._never(value, place, by) or self._at_one(value, place, by)
            if found is not None:
                return evolve(found, scenario=name if late else None)
            if not late:
                break
        return self._from_callers(value, place, deep) if place.sure and deep else None

    def _opened(self, value: m.Expr) -> m.Expr:
        names = self.outcomes.ranges.names
        for _ in range(DEEP):
            known = {var: names[var] for var in _free(value) if var in names}
            if not known:
                break
            value = substitute(value, known)
        return value

    def _never(self, value: m.Expr, place: _Place, by: FixedEvaluator) -> _Miss | None:
        """Return the first of the values if none of them lies in the range."""
        first: _Miss | None = None
        variables = _free(value)
        for env in self._environments(variables, by):
            if not self._possible(env, place, by):
                continue
            found = _tried(value, env, by)
            if found is None:
                return None
            first = first or found
        return evolve(first, always=len(variables) > 0) if first is not None else None

    def _environments(self, variables: Sequence[m.Var], by: FixedEvaluator) -> Iterator[Env]:
        domains = [self._domain(var) for var in variables]
        size = 1
        for domain in domains:
            size *= len(domain) if domain is not None else TRIES + 1
        if size <= TRIES:
            for values in product(*(domain or () for domain in domains)):
                yield dict(zip(variables, values, strict=True))

    def _domain(self, var: m.Var) -> Sequence[int] | None:
        """Return all values that a variable can have, or None if they are unknown."""
        given = self.outcomes.ranges.given.values(m.Read(var, type=var.type))
        if given is not None:
            return sorted(given)
        if isinstance(var.type, m.MemberOf):
            return range(-1 if var.type.optional else 0, var.type.kind.size)
        if isinstance(var.type, m.Bool):
            return (0, 1)
        if not isinstance(var.type, m.Int):
            return None
        ends = self.outcomes.ranges.of(m.Read(var, type=var.type))
        if ends is None and var.held and var.type.low is not None and var.type.high is not None:
            ends = (var.type.low, var.type.high)
        return range(ends[0], ends[1] + 1) if ends is not None else None

    def _possible(self, env: Env, place: _Place, by: FixedEvaluator) -> bool:
        """Return False if the conditions around a step exclude these values."""
        facts = [*self.guards.at(place.stmt), *place.facts]
        if isinstance(place.owner, m.Procedure):
            facts += self.entered.get(place.owner, [])
        return all(by.known(fact, env) in (None, True, 1) for fact in facts)

    def _at_one(self, value: m.Expr, place: _Place, by: FixedEvaluator) -> _Miss | None:
        """Return a value outside of its range that a loop around the step surely comes to."""
        wanted = _free(value)
        if not wanted or not set(wanted) <= {var for var, _, _ in place.loops}:
            return None
        return next(
            (miss for env in _rounds(place.loops, by) if (miss := _tried(value, env, by))), None
        )

    def _from_callers(self, value: m.Expr, place: _Place, deep: int) -> _Miss | None:
        """Return the same for the arguments of the calls of a procedure or event."""
        params = place.owner.params
        if not params or any(self.guards.changed[var] for var in params):
            return None
        for at, args in self.calls.get(id(place.owner), ()):
            given = dict(zip(params, args, strict=True))
            loops = tuple(
                (var, word, tuple(substitute(each, given) for each in sources))
                for var, word, sources in place.loops
            )
            inside = substitute(value, given)
            if any(isinstance(node, CHANGING) for node in nodes(inside)):
                continue
            miss = self._missed(inside, evolve(at, loops=(*at.loops, *loops)), deep - 1)
            if miss is not None:
                by = FixedEvaluator()
                known = {var: by.known(self._opened(arg), miss.env) for var, arg in given.items()}
                env = {**miss.env, **{var: each for var, each in known.items() if each is not None}}
                return evolve(miss, env=env, always=False, call=miss.call or at.stmt)
        return None


# ---------------------------------------------------------------------------------- forms of steps
def _values(stmt: m.Stmt) -> Iterator[m.Expr]:
    """Yield the values with a range that a step surely computes."""
    for part in children(stmt):
        if isinstance(part, m.Expr):
            yield from _within(part)
    if isinstance(stmt, m.SetCell) and isinstance(stmt.cell.type, m.Int) and not stmt.cell.clamp:
        value = stmt.value
        if stmt.op != ":=":
            before = m.Var(stmt.cell.name, stmt.cell.type, held=True)
            there = m.Read(before, type=before.type)
            op = "+" if stmt.op == "+=" else "-"
            value = m.Arith(op, there, value, type=m.Int(), span=stmt.value.span)  # type: ignore[arg-type]
        yield m.InRange(value, stmt.cell.name, type=stmt.cell.type, span=stmt.value.span)


def _within(e: m.Expr) -> Iterator[m.Expr]:
    if isinstance(e, m.InRange) or (isinstance(e, m.CallDefine) and _has_range(e.target)):
        yield e
    elif isinstance(e, WHOLE):
        for part in children(e):
            if isinstance(part, m.Expr):
                yield from _within(part)


def _has_range(target: m.Define) -> bool:
    return any(isinstance(value, m.InRange) for _, value in target.cases)


def _guards(option: m.GuardedOption) -> Iterator[m.Expr]:
    yield from (clause.cond for clause in option.clauses if isinstance(clause, m.Guarded))


def _some(source: m.Expr) -> tuple[m.Expr, ...]:
    """Return the condition that a set has members."""
    is_set = isinstance(source.type, m.SetOf)
    return (m.Count("some", source, type=m.Bool(), span=source.span),) if is_set else ()


def _runs(loop: m.Repeat) -> bool:
    """Return True if a loop surely begins a first round."""
    return loop.cond is None and isinstance(loop.limit, m.Const) and loop.limit.value > 0


def _loop(stmt: m.Each) -> Loop:
    if stmt.items is not None:
        return (stmt.var, "items", tuple(stmt.items))
    if stmt.numbers is not None:
        return (stmt.var, "numbers", stmt.numbers)
    return (stmt.var, "members", (stmt.source,) if stmt.source is not None else ())


def _rounds(loops: tuple[Loop, ...], by: FixedEvaluator, env: Env | None = None) -> Iterator[Env]:
    """Yield the values of the variables of loops that surely run. Loops over state have none."""
    env = env or {}
    if not loops:
        yield env
        return
    (var, word, sources), *inner = loops
    known = [by.known(source, env) for source in sources]
    if None in known or not known:
        return
    values = (
        known
        if word == "items"
        else (range(known[0], known[1] + 1) if word == "numbers" else [*bits(known[0])])
    )
    for value in values[:TRIES]:
        yield from _rounds(tuple(inner), by, {**env, var: value})


# ------------------------------------------------------------------------------------------ values
def _is_fixed(value: m.Expr) -> bool:
    """Return True if a value reads no state."""
    return not any(isinstance(node, CHANGING) for node in nodes(value)) and not any(
        isinstance(node, CHANGING) for node in reached(value)
    )


def _free(e: m.Expr) -> list[m.Var]:
    """Return the variables that an expression reads from outside of it."""
    bound = {id(var) for node in nodes(e) for var in _bound(node)}
    every = [node.var for node in nodes(e) if isinstance(node, m.Read)]
    return [*dict.fromkeys(var for var in every if id(var) not in bound)]


def _bound(node: m.Node) -> list[m.Var]:
    return [var for var, _ in binders(node)]


def _tried(value: m.Expr, env: Env, by: FixedEvaluator) -> _Miss | None:
    """Return the value outside of its range that these variables give, or None."""
    by.seen = None
    try:
        by.eval(value, env)
    except OutsideRange as found:
        return _Miss(found.value, found.place, by.seen, env)
    except UNKNOWN:
        pass
    return None


def _word(type: m.Type, value: int) -> str:
    if isinstance(type, m.MemberOf):
        return type.kind.members[value] if value >= 0 else "none"
    return str(value)
