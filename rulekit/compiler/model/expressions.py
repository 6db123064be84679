"""Takes nothing, makes the expressions of the checked model."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Generic, Literal, ParamSpec, TypeAlias, TypeVar

from attrs import Factory, field

from rulekit.compiler.model.declarations import Clause, Movement, Permit, Table, Total
from rulekit.compiler.model.entities import Cell, Condition, Define, Fixed, Procedure, Slot, Var
from rulekit.compiler.model.node import NAMES, REFERS, Expr, Type, binds

CompareOp = Literal["=", "!=", "<", "<=", ">", ">="]
ArithOp = Literal["+", "-", "*", "up", "down"]


class Const(Expr):
    value: int


class RatioOf(Expr):
    num: Expr
    den: Expr


class Read(Expr):
    """The value of a variable."""

    var: Var
    type: Type = field(kw_only=True, default=Factory(lambda read: read.var.type, takes_self=True))


class Here(Expr):
    """The innermost open moment (a member of the kind Moment), none if no window or hook is
    open."""


class ReadFixed(Expr):
    fixed: Fixed
    keys: list[Expr]


class ReadCell(Expr):
    cell: Cell
    keys: list[Expr]


class CallDefine(Expr):
    target: Define
    args: list[Expr]


class CallTotal(Expr):
    target: Total
    args: list[Expr]


class CallPermit(Condition):
    target: Permit
    args: list[Expr]


class CallTable(Expr):
    """`output`: which of the table's results (None: a whole record; then only let and .name read
    it)."""

    table: Table
    args: list[Expr]
    output: int | None = None


class FieldOf(Expr):
    """A result of a record, e.g. `cell.att` after `let cell = crt(...)`."""

    record: Expr
    index: int


class CallSlot(Expr):
    """A value slot of a member (`f.guard(me)`): the member's own `when` lines, or the slot's
    default."""

    slot: Slot
    member: Expr
    args: list[Expr]


class AppliesTo(Condition):
    """Does this clause of a total or permit hold (its condition, its holder if it has one, and no
    cancel)?"""

    target: Total | Permit = field(metadata=NAMES)
    clause: Clause = field(metadata=REFERS)
    args: list[Expr]


class Filter(Expr):
    """The members of `source` (a set) for which `cond` holds with `var` bound to them."""

    source: Expr
    var: Var = field(metadata=binds("cond"))
    cond: Expr


class MakeSet(Expr):
    """{a, b, c}: items are members (one that is -1 adds nothing) or sets (united)."""

    items: list[Expr]


class Collect(Expr):
    """values(e of S): the set of the members that e takes over S."""

    source: Expr
    var: Var = field(metadata=binds("value"))
    value: Expr


class Count(Expr):
    """op: some (bool), no (bool), count (Int)."""

    op: Literal["some", "no", "count"]
    source: Expr


class The(Expr):
    """The only member of a set (exactly one: else RulesError), or an optional that must be
    there."""

    source: Expr


class Aggregate(Expr):
    """op: sum, min, max, median of a number over a set. Of the empty set: 0; min and max: -1 for
    none of an optional member. Of an even number of values the median is the lower of the two in
    the middle. A `min` skips elements whose value is "no limit" (an optional number, see NoLimit);
    if all are, the result is NoLimit."""

    op: Literal["sum", "min", "max", "median"]
    source: Expr
    var: Var = field(metadata=binds("value"))
    value: Expr


class Least(Expr):
    """op: min, max of two or more numbers (or ordered members)."""

    op: Literal["min", "max"]
    args: list[Expr]


class FirstBy(Expr):
    """The member of `source` with the least keys, compared in turn; equal keys: data order. -1 if
    the set is empty. A bool key: true comes first."""

    source: Expr
    var: Var = field(metadata=binds("keys"))
    keys: list[Expr]


class Arith(Expr):
    """op: + - * up down (the last two: division rounded up or down, toward plus or minus infinity;
    by zero a RulesError) on numbers."""

    op: ArithOp
    left: Expr
    right: Expr


class InRange(Expr):
    """A number that is held to the range of its type, where that is not certain beforehand: outside
    of it a RulesError that names `what`. (No limit, the number that is none, passes.)"""

    value: Expr
    what: str


class SetOp(Expr):
    """op: + (union), - (difference)."""

    op: Literal["+", "-"]
    left: Expr
    right: Expr


class Shift(Expr):
    """A member of an ordered kind moved by a number of places, stopping at the ends."""

    member: Expr
    by: Expr


class Compare(Condition):
    """op: = != < <= > >=, on numbers, members, sets and bools. With a member: false where either
    side is -1."""

    op: CompareOp
    left: Expr
    right: Expr


class IsNone(Condition):
    value: Expr


class In(Condition):
    """A member in a set."""

    item: Expr
    source: Expr


class Between(Condition):
    """low <= value <= high"""

    value: Expr
    low: Expr
    high: Expr


class Not(Condition):
    value: Expr


class And(Condition):
    items: list[Expr]


class Or(Condition):
    items: list[Expr]


class If(Expr):
    """`fills`: it is `x ?? y` of a number: y if there is no x, else x; the condition is marked
    where the `??` stands."""

    cond: Expr
    then: Expr
    other: Expr
    fills: bool = field(kw_only=True, default=False)


class OrElse(Expr):
    """`x ?? y`: x, or y if x is -1."""

    value: Expr
    other: Expr


class Running(Condition):
    """Is this procedure running (on the stack of calls)?"""

    proc: Procedure


class CouldBeIn(Condition):
    """What everybody may think: is the member's place publicly known to be this pool, or unknown
    and this hidden pool not empty? Of each pooled thing the machine keeps whether its place is
    publicly known: after a put to or from a place that everybody sees, or a `put` of a thing that
    was publicly known (or revealed by an event in the same choice); no longer known once anything
    is drawn at random from the pool where it lies."""

    item: Expr
    pool: ReadCell


class ReachOf(Expr):
    movement: Movement
    args: list[Expr]
    start: Expr


class Ways(Expr):
    """From a place over borders of a set (all of one kind, that joins these places), each in its
    direction. On the way only places of `through` are left again; the start always is. op:
    distance: the least number of steps to the place `by`, NO_LIMIT if no way leads there; nearest:
    the members of the set `by` to which the fewest steps lead; within: the places to which at most
    `by` steps lead, the start included. From none: NO_LIMIT, no place."""

    op: Literal["distance", "nearest", "within"]
    start: Expr
    by: Expr
    borders: Expr
    through: Expr


Over: TypeAlias = (
    Filter | Collect | Aggregate | FirstBy
)  # they bind a variable to each member of a set in turn
EXPRESSIONS = [
    cls
    for cls in list(globals().values())
    if isinstance(cls, type) and issubclass(cls, Expr) and cls not in (Expr, Condition)
]
G = ParamSpec("G")
T = TypeVar("T")


def method_for(cls: type, word: str = "on") -> str:
    """The name of the method that is called for a class of nodes: `on_` (or another word) and the
    name of the class."""
    return word + _dashed(cls.__name__)


@cache
def _dashed(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


class ExprVisitor(Generic[G, T]):
    """What is to be said of each expression: one method for each class of them. A subclass that
    leaves one out cannot be made, unless it is not `whole`: then `methods` are those there are."""

    methods: ClassVar[dict[type, Callable[..., Any]]]

    def __init_subclass__(cls, whole: bool = True) -> None:
        super().__init_subclass__()
        cls.methods = {
            each: getattr(cls, method_for(each))
            for each in EXPRESSIONS
            if whole or hasattr(cls, method_for(each))
        }

    def visit(self, node: Expr, *given: G.args, **named: G.kwargs) -> T:
        """What is to be said of an expression."""
        answer: T = self.methods[node.__class__](self, node, *given, **named)
        return answer
