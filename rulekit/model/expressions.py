"""Takes nothing, makes the expressions of the checked model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

from attrs import define, field

from rulekit.model.declarations import Clause, Permit, Table, Total
from rulekit.model.movements import Movement
from rulekit.model.node import NAMES, REFERS, Expr, G, T, Visitor, binds
from rulekit.model.things import Cell, Define, Fixed, Procedure, Slot, Var

CompareOp = Literal["=", "!=", "<", "<=", ">", ">="]
ArithOp = Literal["+", "-", "*", "up", "down"]


@define(eq=False, repr=False)
class Const(Expr):
    value: int


@define(eq=False, repr=False)
class RatioOf(Expr):
    num: Expr
    den: Expr


@define(eq=False, repr=False)
class Read(Expr):
    """The value of a variable."""

    var: Var


@define(eq=False, repr=False)
class Here(Expr):
    """The innermost open moment (a member of the kind Moment), none if no window or hook is open."""


@define(eq=False, repr=False)
class ReadFixed(Expr):
    fixed: Fixed
    keys: list[Expr]


@define(eq=False, repr=False)
class ReadCell(Expr):
    cell: Cell
    keys: list[Expr]


@define(eq=False, repr=False)
class CallDefine(Expr):
    define: Define
    args: list[Expr]


@define(eq=False, repr=False)
class CallTotal(Expr):
    total: Total
    args: list[Expr]


@define(eq=False, repr=False)
class CallPermit(Expr):
    permit: Permit
    args: list[Expr]


@define(eq=False, repr=False)
class CallTable(Expr):
    """`output`: which of the table's results (None: a whole record; then only let and .name read it)."""

    table: Table
    args: list[Expr]
    output: int | None = None


@define(eq=False, repr=False)
class FieldOf(Expr):
    """A result of a record, e.g. `cell.att` after `let cell = crt(...)`."""

    record: Expr
    index: int


@define(eq=False, repr=False)
class CallSlot(Expr):
    """A value slot of a member (`f.guard(me)`): the member's own `when` lines, or the slot's default."""

    slot: Slot
    member: Expr
    args: list[Expr]


@define(eq=False, repr=False)
class AppliesTo(Expr):
    """Does this clause of a total or permit hold (its condition, its holder if it has one, and no cancel)?"""

    target: Total | Permit = field(metadata=NAMES)
    clause: Clause = field(metadata=REFERS)
    args: list[Expr]


class Over(Expr):
    """Base of those that bind a variable to each member of a set in turn."""

    __slots__ = ()
    source: Expr
    var: Var


@define(eq=False, repr=False)
class Filter(Over):
    """The members of `source` (a set) for which `cond` holds with `var` bound to them."""

    source: Expr
    var: Var = field(metadata=binds("cond"))
    cond: Expr


@define(eq=False, repr=False)
class MakeSet(Expr):
    """{a, b, c}: items are members (one that is -1 adds nothing) or sets (united)."""

    items: list[Expr]


@define(eq=False, repr=False)
class Collect(Over):
    """values(e of S): the set of the members that e takes over S."""

    source: Expr
    var: Var = field(metadata=binds("value"))
    value: Expr


@define(eq=False, repr=False)
class Count(Expr):
    """op: some (bool), no (bool), count (Int)."""

    op: Literal["some", "no", "count"]
    source: Expr


@define(eq=False, repr=False)
class The(Expr):
    """The only member of a set (exactly one: else RulesError), or an optional that must be there."""

    source: Expr


@define(eq=False, repr=False)
class Aggregate(Over):
    """op: sum, min, max, median of a number over a set. Of the empty set: 0; min and max: -1 for none of an optional
    member. Of an even number of values the median is the lower of the two in the middle.
    A `min` skips elements whose value is "no limit" (an optional number, see NoLimit); if all are, the result is
    NoLimit."""

    op: Literal["sum", "min", "max", "median"]
    source: Expr
    var: Var = field(metadata=binds("value"))
    value: Expr


@define(eq=False, repr=False)
class Least(Expr):
    """op: min, max of two or more numbers (or ordered members)."""

    op: Literal["min", "max"]
    args: list[Expr]


@define(eq=False, repr=False)
class FirstBy(Over):
    """The member of `source` with the least keys, compared in turn; equal keys: data order. -1 if the set is empty.
    A bool key: true comes first."""

    source: Expr
    var: Var = field(metadata=binds("keys"))
    keys: list[Expr]


@define(eq=False, repr=False)
class Arith(Expr):
    """op: + - * up down (the last two: division rounded up or down, toward plus or minus infinity; by zero a
    RulesError) on numbers."""

    op: ArithOp
    left: Expr
    right: Expr


@define(eq=False, repr=False)
class InRange(Expr):
    """A number that is held to the range of its type, where that is not certain beforehand: outside of it a RulesError
    that names `what`. (No limit, the number that is none, passes.)"""

    value: Expr
    what: str


@define(eq=False, repr=False)
class SetOp(Expr):
    """op: + (union), - (difference)."""

    op: Literal["+", "-"]
    left: Expr
    right: Expr


@define(eq=False, repr=False)
class Shift(Expr):
    """A member of an ordered kind moved by a number of places, stopping at the ends."""

    member: Expr
    by: Expr


@define(eq=False, repr=False)
class Compare(Expr):
    """op: = != < <= > >=, on numbers, members, sets and bools. With a member: false where either side is -1."""

    op: CompareOp
    left: Expr
    right: Expr


@define(eq=False, repr=False)
class IsNone(Expr):
    value: Expr


@define(eq=False, repr=False)
class In(Expr):
    """A member in a set."""

    item: Expr
    source: Expr


@define(eq=False, repr=False)
class Between(Expr):
    """low <= value <= high"""

    value: Expr
    low: Expr
    high: Expr


@define(eq=False, repr=False)
class Not(Expr):
    value: Expr


@define(eq=False, repr=False)
class And(Expr):
    items: list[Expr]


@define(eq=False, repr=False)
class Or(Expr):
    items: list[Expr]


@define(eq=False, repr=False)
class If(Expr):
    cond: Expr
    then: Expr
    other: Expr


@define(eq=False, repr=False)
class OrElse(Expr):
    """`x ?? y`: x, or y if x is -1."""

    value: Expr
    other: Expr


@define(eq=False, repr=False)
class Running(Expr):
    """Is this procedure running (on the stack of calls)?"""

    proc: Procedure


@define(eq=False, repr=False)
class CouldBeIn(Expr):
    """What everybody may think: is the member's place publicly known to be this pool, or unknown and this hidden pool
    not empty? Of each pooled thing the machine keeps whether its place is publicly known: after a put to or from a
    place that everybody sees, or a `put` of a
    thing that was publicly known (or revealed by an event in the same choice); no longer known once anything is
    drawn at random from the pool where it lies."""

    item: Expr
    pool: ReadCell


@define(eq=False, repr=False)
class ReachOf(Expr):
    movement: Movement
    args: list[Expr]
    start: Expr


class ExprVisitor(Visitor[G, T], ABC):
    """What is to be said of each expression: one method for each class of them. A subclass that leaves one out cannot be
    made, and mypy says so."""

    @abstractmethod
    def on_const(self, e: Const, given: G, /) -> T: ...

    @abstractmethod
    def on_ratio_of(self, e: RatioOf, given: G, /) -> T: ...

    @abstractmethod
    def on_read(self, e: Read, given: G, /) -> T: ...

    @abstractmethod
    def on_here(self, e: Here, given: G, /) -> T: ...

    @abstractmethod
    def on_read_fixed(self, e: ReadFixed, given: G, /) -> T: ...

    @abstractmethod
    def on_read_cell(self, e: ReadCell, given: G, /) -> T: ...

    @abstractmethod
    def on_call_define(self, e: CallDefine, given: G, /) -> T: ...

    @abstractmethod
    def on_call_total(self, e: CallTotal, given: G, /) -> T: ...

    @abstractmethod
    def on_call_permit(self, e: CallPermit, given: G, /) -> T: ...

    @abstractmethod
    def on_call_table(self, e: CallTable, given: G, /) -> T: ...

    @abstractmethod
    def on_field_of(self, e: FieldOf, given: G, /) -> T: ...

    @abstractmethod
    def on_call_slot(self, e: CallSlot, given: G, /) -> T: ...

    @abstractmethod
    def on_applies_to(self, e: AppliesTo, given: G, /) -> T: ...

    @abstractmethod
    def on_filter(self, e: Filter, given: G, /) -> T: ...

    @abstractmethod
    def on_make_set(self, e: MakeSet, given: G, /) -> T: ...

    @abstractmethod
    def on_collect(self, e: Collect, given: G, /) -> T: ...

    @abstractmethod
    def on_count(self, e: Count, given: G, /) -> T: ...

    @abstractmethod
    def on_the(self, e: The, given: G, /) -> T: ...

    @abstractmethod
    def on_aggregate(self, e: Aggregate, given: G, /) -> T: ...

    @abstractmethod
    def on_least(self, e: Least, given: G, /) -> T: ...

    @abstractmethod
    def on_first_by(self, e: FirstBy, given: G, /) -> T: ...

    @abstractmethod
    def on_arith(self, e: Arith, given: G, /) -> T: ...

    @abstractmethod
    def on_in_range(self, e: InRange, given: G, /) -> T: ...

    @abstractmethod
    def on_set_op(self, e: SetOp, given: G, /) -> T: ...

    @abstractmethod
    def on_shift(self, e: Shift, given: G, /) -> T: ...

    @abstractmethod
    def on_compare(self, e: Compare, given: G, /) -> T: ...

    @abstractmethod
    def on_is_none(self, e: IsNone, given: G, /) -> T: ...

    @abstractmethod
    def on_in(self, e: In, given: G, /) -> T: ...

    @abstractmethod
    def on_between(self, e: Between, given: G, /) -> T: ...

    @abstractmethod
    def on_not(self, e: Not, given: G, /) -> T: ...

    @abstractmethod
    def on_and(self, e: And, given: G, /) -> T: ...

    @abstractmethod
    def on_or(self, e: Or, given: G, /) -> T: ...

    @abstractmethod
    def on_if(self, e: If, given: G, /) -> T: ...

    @abstractmethod
    def on_or_else(self, e: OrElse, given: G, /) -> T: ...

    @abstractmethod
    def on_running(self, e: Running, given: G, /) -> T: ...

    @abstractmethod
    def on_could_be_in(self, e: CouldBeIn, given: G, /) -> T: ...

    @abstractmethod
    def on_reach_of(self, e: ReachOf, given: G, /) -> T: ...
