"""The possible values of conditions and numbers, found by trying all values of the parts that they
read.

Each part that is read becomes a variable with a finite domain: the members of a kind, the numbers
of a range, or true and false. Reads of the same cell with the same keys share a variable. A part
that is not analysed may have any value. A number without known ends gets all values that the
numbers around it can distinguish. The search therefore covers more than play can reach, and a value
that it never finds never occurs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import product
from typing import Any

from attrs import define, field

from rulekit.common.errors import RulesError
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.contained_sets import ContainedSets
from rulekit.compiler.check.lints.expression_memo import ExpressionMemo, constant, reads_data
from rulekit.compiler.check.lints.given_values import GivenValues
from rulekit.compiler.check.lints.membership_facts import (
    apart,
    applied,
    is_there,
    key,
    linked,
    membership,
    of_member,
    opened,
)
from rulekit.compiler.check.lints.permit_facts import PermitFacts, permitted
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.set_facts import Fits, least, most
from rulekit.compiler.check.lints.variable_aliases import lasting_names
from rulekit.compiler.check.lints.variable_domains import FAR, FULL, Domain, domains_of, size
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.typecheck.ranges import certain
from rulekit.compiler.model.visitor import nodes, rebuilt, subexpressions
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.syntax import ast as t

TRIES = 4_000  # maximal number of combinations for one query
MEMBERS = 160  # maximal size of a kind with attributes that are looked up
SMALL = 64  # maximal size of a kind that is the type of such an attribute
DEEP = 5  # maximal depth of definitions that are inlined
INSIDE = (m.And, m.Or, m.Not, m.If, m.OrElse, m.Between, m.IsNone, m.MakeSet, m.InRange, m.The)
CLOSED = (m.Const, *INSIDE, m.Compare, m.In, m.Arith, m.Least, m.Shift, m.ReadFixed)
# A prime above TRIES. Steps of this size try different combinations early.
STEP = 7_919

# the outcomes of a condition that never holds, and of one that always holds
NEVER, ALWAYS = frozenset({0}), frozenset({1})


@define(eq=False)
class Ranges:
    """The ranges of variables that their types do not limit, such as results of dice, loop
    variables and parameters.

    Attributes:
        values: the possible values of states that are only set to literals.
    """

    ends: dict[m.Var, tuple[int, int] | None] = field(factory=dict)
    values: dict[m.Cell, frozenset[int] | None] = field(factory=dict)
    # None also during the computation of an entry
    asked: dict[m.Define | m.Total, tuple[int, int] | None] = field(factory=dict)
    names: dict[m.Var, m.Expr] = field(factory=dict)  # variables that stand for an expression
    # attributes with values that the rules give beside members
    written: set[m.Fixed] = field(factory=set)
    given: GivenValues = field(factory=GivenValues)
    # variables of the step of a movement, with their values for each way over a border
    steps: dict[m.Var, tuple[m.Movement, m.Fixed]] = field(factory=dict)
    # the smallest and the greatest value of counters that end a loop of the main phase
    counters: Mapping[m.Cell, tuple[int, int]] = field(factory=dict)
    # the values that the scenarios give to late-bound attributes
    late: dict[m.Fixed, tuple[int, ...]] = field(factory=dict)
    counts: dict[Any, int] = field(factory=dict)  # upper bounds on the sizes of sets
    leasts: dict[Any, int] = field(factory=dict)  # lower bounds on the sizes of sets
    fits: Fits = field(factory=dict)
    memo: ExpressionMemo = field(factory=ExpressionMemo)

    def add(self, model: m.Model, uses: ReachableUses) -> None:
        """Collect the ranges from all steps of a game."""
        self.names = lasting_names(model)
        self.given = GivenValues.of(model)
        self.late = _late_values(model)
        self.steps = {
            var: (movement, m.Fixed("step", [m.Key(None, 0, len(ways) - 1)], var.type, [*column]))
            for movement in model.movements
            if 0 < len(ways := movement.arcs) <= MEMBERS
            for var, column in zip(
                (movement.border_var, movement.from_var, movement.to_var),
                zip(*ways, strict=True),
                strict=True,
            )
        }
        for node in uses.nodes:
            if isinstance(node, m.SetCell):
                said = _said(node.value) if node.op == ":=" else None
                before = self.values.get(node.cell, frozenset({node.cell.initial}))
                self.values[node.cell] = None if before is None or said is None else before | said
            elif isinstance(node, m.Pays) and isinstance(node.target, m.ReadCell):
                self.values[node.target.cell] = None
        for cell, _, value in (
            each for scenario in model.scenarios.values() for each in scenario.cells
        ):
            before = self.values.get(cell)
            if before is not None:
                self.values[cell] = before | {value}
        for option in model.options:
            for var in option.params:
                self._given(var, var.type)
        for proc in model.procedures:
            for node in nodes(proc.body):
                self._step(node)

    def _step(self, node: m.Node) -> None:
        if isinstance(node, m.SetVar):
            self._add(node.var, certain(node.value) if node.op == ":=" else None)
        elif isinstance(node, m.Roll):
            self._add(node.var, (node.dice, node.dice * node.faces))
        elif isinstance(node, m.Each) and node.numbers is not None:
            low, high = (certain(end) for end in node.numbers)
            self._add(node.var, (low[0], high[1]) if low is not None and high is not None else None)
        elif isinstance(node, m.Pick) and node.source is None:
            self._add(node.var, None)
        elif isinstance(node, m.CallProc) and node.into is not None:
            self._add(node.into, None)

    def _given(self, var: m.Var, type: m.Type) -> None:
        if isinstance(type, m.Int):
            self._add(
                var,
                (type.low, type.high) if type.low is not None and type.high is not None else None,
            )

    def _add(self, var: m.Var, ends: tuple[int, int] | None) -> None:
        before = self.ends.get(var, ends)
        self.ends[var] = (
            None
            if before is None or ends is None
            else (min(before[0], ends[0]), max(before[1], ends[1]))
        )

    def of(self, e: m.Expr) -> tuple[int, int] | None:
        """Return the range of a number, or None if it may have any value."""
        if isinstance(e, m.Read) and not e.var.held:
            return self.ends.get(e.var)
        type = (
            e.cell.type
            if isinstance(e, m.ReadCell)
            else e.fixed.type
            if isinstance(e, m.ReadFixed)
            else None
        )
        if (
            isinstance(e, (m.ReadCell, m.ReadFixed))
            and isinstance(type, m.Int)
            and all(is_there(k) for k in e.keys)
        ):
            return (type.low, type.high) if type.low is not None and type.high is not None else None
        if isinstance(e, (m.CallTotal, m.CallDefine)) and isinstance(e.target.type, m.Int):
            return self.of_asked(e.target)
        if isinstance(e, m.Count) and e.op == "count" and isinstance(e.source.type, m.SetOf):
            return (self.least(e.source), self.most(e.source))
        if isinstance(e, m.Aggregate) and e.op == "sum" and isinstance(e.source.type, m.SetOf):
            return self.most_in_all(e)
        if isinstance(e, m.If):
            return _either(self.of(e.then), self.of(e.other))
        if isinstance(e, m.Arith) and e.op in ("+", "-"):
            a, b = self.of(e.left), self.of(e.right)
            return (
                _sum(a, b if e.op == "+" or b is None else (-b[1], -b[0]))
                if a is not None
                else None
            )
        if isinstance(e, m.Least):
            ends = [found for found in map(self.of, e.args) if found is not None]
            pick = min if e.op == "min" else max
            return (
                (pick(low for low, _ in ends), pick(high for _, high in ends))
                if len(ends) == len(e.args)
                else None
            )
        return certain(e)

    def fixed(self, fixed: m.Fixed) -> Sequence[int]:
        """Return the values of a constant attribute in the data, or those in the scenarios."""
        return self.late.get(fixed, ()) if fixed.late else fixed.values

    def most(self, source: m.Expr) -> int:
        """Return an upper bound on the number of elements of a set."""
        name = self.memo.key(source)
        if name not in self.counts:
            self.counts[name] = most(source, self.fits)
        return self.counts[name]

    def least(self, source: m.Expr) -> int:
        """Return a lower bound on the number of elements of a set."""
        name = self.memo.key(source)
        if name not in self.leasts:
            self.leasts[name] = min(least(source), self.most(source))
        return self.leasts[name]

    def most_in_all(self, e: m.Aggregate) -> tuple[int, int] | None:
        """Return the range of a sum over a set. For a constant attribute, the maximum is the sum
        over all members that fit.
        """
        value = e.value
        if not isinstance(value, m.ReadFixed) or value.fixed.late or len(value.keys) != 1:
            return certain(e)
        element, values = value.keys[0], value.fixed.values
        if not isinstance(element, m.Read) or element.var is not e.var:
            return certain(e)
        if not values or min(values) < 0:
            return certain(e)
        name = key(e)
        if name not in self.counts:
            self.counts[name] = most(e.source, self.fits, values)
        return (0, self.counts[name])

    def of_asked(self, target: m.Define | m.Total) -> tuple[int, int] | None:
        """Return the range of a total, or the range of all cases of a definition."""
        if target not in self.asked:
            self.asked[target] = None
            if isinstance(target, m.Total):
                self.asked[target] = self._of_total(target)
            else:
                self.asked[target] = reduce(_either, [self.of(value) for _, value in target.cases])
        return self.asked[target]

    def _of_total(self, total: m.Total) -> tuple[int, int] | None:
        """Return the range of a total within its bounds."""
        clauses = [clause for clause in total.clauses if clause.amount is not None]
        if any(clause.holder is not None for clause in clauses):
            return None
        return self._bounded(self.unbounded(total), clauses)

    def unbounded(self, total: m.Total) -> tuple[int, int] | None:
        """Return the range of a total without its bounds, with every modifier that lowers it and
        every modifier that raises it.
        """
        return self.together(total.clauses)

    def together(
        self, clauses: Sequence[m.Clause], sure: Sequence[m.Clause] = ()
    ) -> tuple[int, int] | None:
        """Return the same range for some clauses.

        Args:
            sure: the clauses that certainly hold.
        """
        clauses = [clause for clause in clauses if clause.amount is not None]
        if any(clause.holder is not None for clause in clauses):
            return None  # a clause with holders may count several times
        always = [
            clause
            for clause in clauses
            if (clause.cond is None or clause in sure) and not clause.cancels
        ]
        said = [
            self.of(clause.amount)
            for clause in clauses
            if clause.word in ("set", "base") and clause.amount is not None
        ]
        ends: tuple[int, int] | None = said[0] if said else (0, 0)
        surely = any(clause.word in ("set", "base") for clause in always)
        for one in said[1:] if surely else [*said[1:], (0, 0)]:
            ends = _either(ends, one)
        for clause in clauses:
            if clause.word == "modifier" and clause.amount is not None:
                by = self.of(clause.amount)
                ends = _sum(
                    ends, by if clause in always or by is None else (min(by[0], 0), max(by[1], 0))
                )
        return ends

    def _bounded(
        self, ends: tuple[int, int] | None, clauses: list[m.Clause]
    ) -> tuple[int, int] | None:
        """Limit a range by the bounds of a total."""
        low, high = ends if ends is not None else (-FAR, FAR)
        for word in ("least", "most"):
            for clause in clauses:
                bound = (
                    self.of(clause.amount)
                    if clause.word == word and clause.amount is not None
                    else None
                )
                always = clause.cond is None and not clause.cancels
                if clause.word == word and bound is None:
                    return None
                if bound is not None and word == "least":
                    low, high = max(low, bound[0]) if always else low, max(high, bound[1])
                elif bound is not None:
                    low, high = min(low, bound[0]), min(high, bound[1]) if always else high
        # Another lint reports bounds that contradict each other.
        return (low, high) if -FAR < low < high < FAR else None


def _either(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return the range of a value that is one of two numbers."""
    return (min(a[0], b[0]), max(a[1], b[1])) if a is not None and b is not None else None


def _sum(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return the range of the sum of two numbers."""
    return (a[0] + b[0], a[1] + b[1]) if a is not None and b is not None else None


def _said(e: m.Expr) -> frozenset[int] | None:
    """Return the values of an expression if all of them occur in it as literals."""
    if isinstance(e, m.Const):
        return frozenset({e.value})
    if isinstance(e, m.If):
        then, other = _said(e.then), _said(e.other)
        return then | other if then is not None and other is not None else None
    return None


def _late_values(model: m.Model) -> dict[m.Fixed, tuple[int, ...]]:
    """Return the values that the scenarios give to each late-bound attribute. A ruling may have any
    of its alternatives.
    """
    made: dict[m.Fixed, tuple[int, ...]] = {}
    for fixed in model.fixed:
        given = [scenario.late.get(fixed.name) for scenario in model.scenarios.values()]
        if fixed.late and given and None not in given:
            lists = [each if isinstance(each, list) else [each] for each in given]
            made[fixed] = tuple(sorted({value for values in lists for value in values}))
    return made


def written_values(found: Collected, world: CheckState) -> set[m.Fixed]:
    """Return the number and bool attributes that the rules give for each member of a small
    enumeration.

    These are as firm as declarations. Attributes of things with state count as data, wherever they
    are written.
    """
    made: set[m.Fixed] = set()
    for name, parts in found.kinds.items():
        kind = world.kinds[name]
        own = [
            each.name for part, _ in parts for each in part.items if isinstance(each, t.FixedDecl)
        ]
        members = {member.name: len(member.values) for part, _ in parts for member in part.members}
        words = not (kind.cells or kind.slots or kind.joins is not None)
        if not words or not 0 < kind.size <= SMALL or {*kind.members} != {*members}:
            continue
        given = [kind.fixed[attr] for attr in own[: min(members.values())]]
        made |= {each for each in given if isinstance(each.type, (m.Int, m.Bool))}
    return made


def _small(type: m.Type) -> bool:
    return isinstance(type, m.MemberOf) and type.kind.size <= SMALL


def _one_of_few(e: m.Expr) -> bool:
    """Return True if all values of this key can be tried. It is a variable of a small kind, or a
    constant attribute that is a member of one.
    """
    if isinstance(e, m.ReadFixed):
        return is_there(e) and _small(e.type) and all(map(_one_of_few, e.keys))
    return (
        isinstance(e, m.Read)
        and isinstance(e.var.type, m.MemberOf)
        and not e.var.type.optional
        and e.var.type.kind.size <= MEMBERS
    )


@define(eq=False)
class _Parts:
    """The variables that stand for the parts that one query reads."""

    ranges: Ranges
    # True if the values of each constant attribute are tried independently, not member by member
    single: bool
    declared: bool = False  # True if constants may have any value of their types
    wide: bool = True  # True if `x in S` is analysed
    mapped: bool = False  # True if the border and the places of a step are related by the map
    widened: bool = False  # True if `wide` made a difference
    stepped: bool = False  # True if `mapped` made a difference
    vars: dict[Any, m.Var] = field(factory=dict)
    domains: dict[m.Var, Domain | None] = field(factory=dict)  # None: any number
    ends: dict[m.Var, tuple[int, int] | None] = field(factory=dict)
    # sets with the expression for their number of elements
    counts: dict[m.Var, tuple[m.Expr, m.Expr]] = field(factory=dict)
    pools: dict[m.Cell, int] = field(factory=dict)
    known: dict[int, m.Expr] = field(factory=dict)  # closed expressions by id
    # sets with a condition that something is in them
    inside: list[tuple[m.Expr, m.Expr]] = field(factory=list)

    # --------------------------------------------------------------------------------------- leaves
    def part(self, e: m.Expr, domain: Domain | None, known: Any = None) -> m.Expr:
        """Return the variable for a part that is not analysed further."""
        name = self.ranges.memo.key(e) if known is None else known
        if name not in self.vars:
            var = self.vars[name] = m.Var(f"part {len(self.vars)}", e.type)
            self.domains[var] = domain
            if domain is None:
                counted = isinstance(e, (m.Count, m.Aggregate))
                self.ends[var] = certain(e) if counted and self.declared else self.ranges.of(e)
        return m.Read(self.vars[name], type=e.type)

    def leaf(self, e: m.Expr) -> m.Expr:
        """Return the same, with the values of its type as its domain."""
        type = e.type
        if (
            not self.declared
            and isinstance(e, (m.Read, m.FieldOf, m.CallTable))
            and (made := self.of_table(e)) is not None
        ):
            return made
        values_of = () if not isinstance(e, m.ReadFixed) else self.ranges.fixed(e.fixed)
        fixed = (
            isinstance(e, m.ReadFixed)
            and values_of
            and (not self.declared or e.fixed in self.ranges.written)
        )
        if (
            isinstance(e, m.ReadFixed)
            and fixed
            and not (self.single or e.fixed.late)
            and all(map(_one_of_few, e.keys))
        ):
            return evolve(e, keys=[self.of(k) for k in e.keys])
        if isinstance(e, (m.ReadCell, m.ReadFixed)):
            type = e.cell.type if isinstance(e, m.ReadCell) else e.fixed.type
        elif isinstance(e, m.Read):
            type = e.var.type
        values = (
            self.ranges.values.get(e.cell)
            if isinstance(e, m.ReadCell) and not e.cell.hidden
            else None
        )
        if values is not None and not isinstance(type, m.SetOf):
            missing = m.empty(type)
            assert isinstance(e, m.ReadCell)
            return self.part(
                e,
                tuple(
                    sorted(
                        values | (frozenset() if all(is_there(k) for k in e.keys) else {missing})
                    )
                ),
            )
        if isinstance(type, m.Bool):
            single = isinstance(e, m.ReadFixed) and fixed and e.fixed.late and not e.keys
            return self.part(e, tuple(values_of) if single else (0, 1))
        if isinstance(type, m.MemberOf):
            members = range(0 if self.surely(e, type) else -1, type.kind.size)
            if isinstance(e, m.ReadFixed) and fixed:
                members = sorted({*values_of, *(() if all(is_there(k) for k in e.keys) else (-1,))})  # type: ignore[assignment]
            return self.part(e, tuple(members)) if len(members) <= MEMBERS else e
        if isinstance(type, m.Int):
            if isinstance(e, m.ReadFixed) and fixed and len(set(values_of)) <= FULL:
                there = all(is_there(k) for k in e.keys)
                return self.part(e, tuple(sorted({*values_of, *(() if there else (0,))})))
            ends = self.ranges.of(e)
            if isinstance(e, m.ReadCell) and not self.declared:
                ends = self.ranges.counters.get(e.cell, ends)
            return self.part(
                e,
                (
                    tuple(range(ends[0], ends[1] + 1))
                    if ends is not None and ends[1] - ends[0] < FULL
                    else None
                ),
            )
        return e

    def of_table(self, e: m.Expr) -> m.Expr | None:
        """Return a result of a table, or an argument of all calls, with its possible values.
        Results of the same lookup are related.
        """
        given = self.ranges.given
        rows = given.rows(e.record) if isinstance(e, m.FieldOf) else None
        if isinstance(e, m.FieldOf) and rows is not None and isinstance(e.record, m.Read):
            row = self.part(e.record, tuple(range(len(rows))), ("row of", id(e.record.var)))
            places = {
                value: [at for at, each in enumerate(rows) if each[e.index] == value]
                for each in rows
                for value in [each[e.index]]
            }
            values = sorted(places)
            made: m.Expr = m.Const(values[-1], type=e.type)
            for value in values[:-1]:
                here = [
                    m.Compare("=", row, m.Const(at, type=_PLACE), type=m.Bool())
                    for at in places[value]
                ]
                made = m.If(m.Or(list(here)), m.Const(value, type=e.type), made, type=e.type)
            return made
        found = given.values(e)
        return (
            self.part(e, tuple(sorted(found))) if found is not None and len(found) <= FULL else None
        )

    def surely(self, e: m.Expr, type: m.MemberOf) -> bool:
        """Return True if this member is never none."""
        if type.optional:
            return False
        if isinstance(e, (m.ReadCell, m.ReadFixed)):
            return all(is_there(k) for k in e.keys)
        return isinstance(e, m.Read)

    # ---------------------------------------------------------------------------------- inner nodes
    def of(self, e: m.Expr, deep: int = DEEP) -> m.Expr:
        """Return the expression over variables with domains."""
        always = (
            None
            if self.declared and self.ranges.memo.once(reads_data, e)
            else self.ranges.memo.once(constant, e)
        )
        if always is not None:
            return always
        if isinstance(e, m.Read) and deep and e.var in self.ranges.names:
            return self.of(self.ranges.names[e.var], deep - 1)
        if isinstance(e, m.Read) and self.mapped and e.var in self.ranges.steps:
            self.stepped = True
            movement, values = self.ranges.steps[e.var]
            way = tuple(range(len(movement.arcs)))
            step = self.part(m.Read(e.var, type=_PLACE), way, ("step of", id(movement)))
            return m.ReadFixed(values, [step], type=e.type, span=e.span)
        if isinstance(e, INSIDE) and not (
            isinstance(e, m.The) and isinstance(e.source.type, m.SetOf)
        ):
            made = rebuilt(e, lambda part: self.of(part, deep))
            return made if self.closed(made) else self.leaf(e)
        if isinstance(e, m.Compare):
            return self.compared(e, deep)
        if isinstance(e, m.Count):
            return self.counted(e)
        if isinstance(e, m.In):
            return self.member(e, deep)
        if isinstance(e, (m.Arith, m.Least, m.Shift)):
            number: m.Expr = rebuilt(e, lambda part: self.of(part, deep))
            return number if self.closed(number) and not self.open(number) else self.leaf(e)
        if (
            isinstance(e, m.CallDefine)
            and deep
            and (body := self.ranges.memo.once(opened, e)) is not None
        ):
            return self.of(body, deep - 1)
        if (
            isinstance(e, m.CallSlot)
            and deep
            and (lines := self.ranges.memo.once(of_member, e)) is not None
        ):
            return self.of(lines, deep - 1)
        if (
            isinstance(e, m.AppliesTo)
            and deep
            and (holds := self.ranges.memo.once(applied, e)) is not None
        ):
            return self.of(holds, deep - 1)
        if (
            isinstance(e, m.CallPermit)
            and deep
            and self.wide
            and (free := permitted(e)) is not None
        ):
            self.widened = True
            return self.of(free, deep - 1)
        return self.leaf(e)

    def compared(self, e: m.Compare, deep: int) -> m.Expr:
        if isinstance(e.left.type, (m.RatioT, m.SetOf, m.Record)):
            return self.leaf(e)
        left, right = self.of(e.left, deep), self.of(e.right, deep)
        if not (self.closed(left) and self.closed(right)):
            return self.leaf(e)
        sums = [
            side
            for side in (left, right)
            if any(isinstance(node, (m.Arith, m.Least)) for node in nodes(side))
        ]
        # An unlimited number is compared with single numbers only.
        if sums and (self.open(left) or self.open(right)):
            return self.leaf(e)
        return evolve(e, left=left, right=right)

    def counted(self, e: m.Count) -> m.Expr:
        """Return the number of elements of a set. `some`, `no` and `count` share one variable."""
        if not isinstance(e.source.type, m.SetOf):
            return self.leaf(e)
        number = m.Int(None, 0, e.source.type.kind.size)
        count = m.Count("count", e.source, type=number, span=e.span)
        name = ("count of", self.ranges.memo.key(e.source))
        low, high = (
            (0, e.source.type.kind.size)
            if self.declared
            else (self.ranges.least(e.source), self.ranges.most(e.source))
        )
        made = self.part(count, tuple(range(low, high + 1)) if high - low < FULL else None, name)
        assert isinstance(made, m.Read)
        self.counts.setdefault(made.var, (e.source, made))
        return (
            made
            if e.op == "count"
            else m.Compare(
                ">" if e.op == "some" else "=", made, m.Const(0, type=number), span=e.span
            )
        )

    def member(self, e: m.In, deep: int) -> m.Expr:
        made = self.looked_into(e, deep)
        if (
            other := self.ranges.memo.once(_apart_declared if self.declared else _apart, e)
        ) is not None and self.closed(unlike := self.of(other, deep)):
            made = m.And([made, unlike], span=e.span)
        if self.wide and self.closed(made):
            self.inside.append((e.source, made))
        return made

    def looked_into(self, e: m.In, deep: int) -> m.Expr:
        if deep and self.wide and (inside := self.ranges.memo.once(membership, e)) is not None:
            self.widened = True
            return self.of(inside, deep - 1)
        source = (
            self.of(e.source, deep)
            if isinstance(e.source, m.MakeSet)
            else self.ranges.memo.once(constant, e.source)
        )
        item = self.of(e.item, deep)
        if source is not None and self.closed(item) and self.closed(source):
            return evolve(e, item=item, source=source)
        if (
            isinstance(e.source, m.ReadCell)
            and e.source.cell.pool
            and (lies := self.lying(item, e.source, deep)) is not None
        ):
            return lies
        if not self.wide or is_there(e.item) or not self.closed(item):
            return self.leaf(e)
        self.widened = True
        # the value none is in no set
        return m.And([m.Not(m.IsNone(item)), self.leaf(e)], span=e.span)

    def lying(self, item: m.Expr, pool: m.ReadCell, deep: int) -> m.Expr | None:
        """Return the test that a thing is in a pool. A thing is in at most one of the pools that
        the query names.
        """
        keys = [self.of(k, deep) for k in pool.keys]
        if len(keys) > 1 or not self.closed(item) or not all(map(self.listed, keys)):
            return None
        place = m.Var("place", _PLACE)
        at = self.part(m.Read(place), (0,), ("place of", key(item)))
        assert isinstance(at, m.Read)
        first = m.Const(1 + 1000 * self.pools.setdefault(pool.cell, len(self.pools)), type=_PLACE)
        where: m.Expr = m.Arith("+", first, keys[0], type=_PLACE) if keys else first
        numbers = (n for k in keys or [m.Const(0, type=_PLACE)] for n in self.listed(k))
        self.domains[at.var] = tuple(
            sorted({*(self.domains[at.var] or ()), *(first.value + n for n in numbers)})
        )
        return m.Compare("=", at, where, span=pool.span)

    def listed(self, e: m.Expr) -> Sequence[int]:
        """Return the few values that this can have, if it is never none."""
        if isinstance(e, m.ReadFixed):
            there = (
                all(map(is_there, e.keys))
                and isinstance(e.type, m.MemberOf)
                and not e.type.optional
            )
            return e.fixed.values if there else ()
        return (
            (e.value,)
            if isinstance(e, m.Const)
            else (self.domains[e.var] or ())
            if isinstance(e, m.Read) and is_there(e)
            else ()
        )

    def closed(self, e: m.Expr) -> bool:
        """Return True if the expression contains only variables and constants."""
        if id(e) in self.known:
            return True
        sure = isinstance(e, CLOSED) or (isinstance(e, m.Read) and e.var.name.startswith("part "))
        if sure and all(map(self.closed, subexpressions(e))):
            self.known[id(e)] = e
            return True
        return False

    def open(self, e: m.Expr) -> bool:
        """Return True if the expression reads a number that may have any value."""
        return any(
            isinstance(node, m.Read) and self.domains.get(node.var, ()) is None for node in nodes(e)
        )


_PURE = PureEvaluator()
_PLACE = m.Bool()  # a type for the number of a pool, which no arithmetic uses


def _apart(e: m.In) -> m.Expr | None:
    return apart(e, declared=False)


def _apart_declared(e: m.In) -> m.Expr | None:
    return apart(e, declared=True)


# ---------------------------------------------------------------------------------------- questions
@define(eq=False)
class Outcomes:
    """Answers which values an expression can have while some conditions hold."""

    ranges: Ranges
    declared: bool = False  # True if constants may have any value of their types
    answers: dict[Any, frozenset[int] | None] = field(factory=dict)
    sets: ContainedSets = field(factory=ContainedSets)
    permits: PermitFacts = field(factory=PermitFacts)

    def of(self, e: m.Expr, facts: Sequence[m.Expr] = ()) -> frozenset[int] | None:
        """Return the possible values of `e`, given some facts.

        If there are several, at least two of them are returned. The result is empty if the facts
        contradict each other, and None if there are too many combinations to try.
        """
        asked = (self.ranges.memo.key(e), *map(self.ranges.memo.key, facts))
        if asked not in self.answers:
            self.answers[asked] = self._tried(e, facts)
        return self.answers[asked]

    def may_hold(self, cond: m.Expr, facts: Sequence[m.Expr]) -> frozenset[int] | None:
        """Return the same for a condition, but look no further when it may hold."""
        asked = ("may hold", self.ranges.memo.key(cond), *map(self.ranges.memo.key, facts))
        if asked not in self.answers:
            self.answers[asked] = self._tried(cond, facts, until=1)
        return self.answers[asked]

    def _tried(
        self, e: m.Expr, facts: Sequence[m.Expr], until: int | None = None
    ) -> frozenset[int] | None:
        granted = self.permits.split(facts, self.ranges.memo.key)
        widened, stepped = len(granted) > len(facts), False
        for mapped, wide, single in product((True, False), (True, False), (False, True)):
            if not ((wide or widened) and (mapped or stepped)):
                continue
            parts = _Parts(self.ranges, single, self.declared, wide, mapped and not self.declared)
            target = parts.of(e)
            known = [parts.of(fact) for fact in (granted if wide else facts)]
            counts = [*parts.counts.values()]
            known += linked(counts, parts.inside, self.ranges.memo.once)
            near = _touching(target, known)
            widened, stepped = widened or parts.widened, stepped or parts.stepped
            sizes = [*self.sets.related(counts, self.ranges.memo.key, self._follows)]
            wider = [_touching(target, [*known, *sizes])] if sizes else []
            for chosen in (*wider, near, []) if near or sizes else ([],):
                domains = domains_of(parts.domains, parts.ends, [target, *chosen])
                if size(domains) <= TRIES and all(parts.closed(each) for each in (target, *chosen)):
                    return _found(target, chosen, domains, until)
        return None

    def _follows(self, cond: m.Expr, facts: Sequence[m.Expr]) -> bool:
        """Return True if a condition holds wherever some facts do."""
        return self._tried(cond, facts) == ALWAYS


def _touching(target: m.Expr, facts: list[m.Expr]) -> list[m.Expr]:
    """Return the facts that share a variable with the target, directly or through other facts."""
    known, chosen = _vars(target), list[m.Expr]()
    left = [(fact, _vars(fact)) for fact in facts]
    while near := [each for each in left if not each[1].isdisjoint(known)]:
        chosen += [fact for fact, _ in near]
        left = [each for each in left if each[1].isdisjoint(known)]
        known = known.union(*(read for _, read in near))
    return chosen


def _vars(e: m.Expr) -> set[m.Var]:
    return {node.var for node in nodes(e) if isinstance(node, m.Read)}


def _found(
    target: m.Expr, facts: list[m.Expr], domains: Mapping[m.Var, Domain], until: int | None
) -> frozenset[int]:
    found: set[int] = set()
    every = [*product(*domains.values())]
    for at in range(len(every)):
        env: dict[m.Var, Any] = dict(zip(domains, every[at * STEP % len(every)], strict=True))
        try:
            if all(_PURE.eval(fact, env) for fact in facts):
                found.add(int(_PURE.eval(target, env)))
        except RulesError:
            continue
        if len(found) > 1 or until in found:
            break
    return frozenset(found)
