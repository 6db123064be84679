"""Expressions of the checked model."""

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
    """The innermost open moment (a member of the kind Moment), or none if no window or hook is
    open.
    """


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
    """A look-up in a table.

    Attributes:
        output: the index of one result of the table. None stands for a whole record, which only
            `let` and `.name` can read.
    """

    table: Table
    args: list[Expr]
    output: int | None = None


class FieldOf(Expr):
    """A result of a record, e.g. `cell.att` after `let cell = crt(...)`."""

    record: Expr
    index: int


class CallSlot(Expr):
    """The value slot of a member (`f.guard(me)`): the member's own `when` lines, or the slot's
    default.
    """

    slot: Slot
    member: Expr
    args: list[Expr]


class AppliesTo(Condition):
    """True if a clause of a total or permit applies: its condition holds (for some member of its
    holder, if it has one), and nothing cancels it.
    """

    target: Total | Permit = field(metadata=NAMES)
    clause: Clause = field(metadata=REFERS)
    args: list[Expr]


class Filter(Expr):
    """The members of `source` (a set) for which `cond` holds with `var` bound to them."""

    source: Expr
    var: Var = field(metadata=binds("cond"))
    cond: Expr


class MakeSet(Expr):
    """The set {a, b, c}. Items are members (-1 adds nothing) or sets, which are united."""

    items: list[Expr]


class Collect(Expr):
    """The set `values(e of S)` of the values of e for all members of S."""

    source: Expr
    var: Var = field(metadata=binds("value"))
    value: Expr


class Count(Expr):
    """The size of a set, or a test of its size. The `op` is some (bool), no (bool) or count
    (Int).
    """

    op: Literal["some", "no", "count"]
    source: Expr


class The(Expr):
    """The only member of a set, or the value of an optional that must be present. Any other number
    of members, or none, raises RulesError.
    """

    source: Expr


class Aggregate(Expr):
    """A number aggregated over a set. The `op` is sum, min, max or median.

    Over the empty set the value is 0; for min and max of an optional member it is -1. The median of
    an even number of values is the lower of the two in the middle. A `min` skips elements whose
    value is "no limit" (the missing value of an optional number). If there are no others, the
    result is NO_LIMIT.
    """

    op: Literal["sum", "min", "max", "median"]
    source: Expr
    var: Var = field(metadata=binds("value"))
    value: Expr


class Least(Expr):
    """The `min` or `max` (`op`) of two or more numbers or ordered members."""

    op: Literal["min", "max"]
    args: list[Expr]


class FirstBy(Expr):
    """The member of `source` with the smallest keys, or -1 if the set is empty.

    Keys are compared in turn, and equal keys are ordered by data order. For a bool key, true sorts
    first.
    """

    source: Expr
    var: Var = field(metadata=binds("keys"))
    keys: list[Expr]


class Arith(Expr):
    """Arithmetic on numbers. The `op` is +, -, *, up or down.

    The last two are division rounded up or down, toward plus or minus infinity. Division by zero
    raises RulesError.
    """

    op: ArithOp
    left: Expr
    right: Expr


class InRange(Expr):
    """A number that must lie in the range of its type, where this is not certain at compile time.

    Outside the range it raises RulesError, which names `what`. "No limit", the missing value of a
    number, passes.
    """

    value: Expr
    what: str


class SetOp(Expr):
    """The union (`op` +) or difference (-) of two sets."""

    op: Literal["+", "-"]
    left: Expr
    right: Expr


class Shift(Expr):
    """A member of an ordered kind moved by a number of places, stopping at the ends."""

    member: Expr
    by: Expr


class Compare(Condition):
    """A comparison of numbers, members, sets or bools. The `op` is =, !=, <, <=, > or >=.

    A comparison of members is false if either side is -1.
    """

    op: CompareOp
    left: Expr
    right: Expr


class IsNone(Condition):
    value: Expr


class In(Condition):
    """True if a member is in a set."""

    item: Expr
    source: Expr


class Between(Condition):
    """True if low <= value <= high."""

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
    """A conditional value.

    Attributes:
        fills: True if this is `x ?? y` for a number: y if x is missing, otherwise x. The span of
            the condition is then that of the `??`.
    """

    cond: Expr
    then: Expr
    other: Expr
    fills: bool = field(kw_only=True, default=False)


class OrElse(Expr):
    """The value `x ?? y`: x, or y if x is -1."""

    value: Expr
    other: Expr


class Running(Condition):
    """True if this procedure is running (on the call stack)."""

    proc: Procedure


class CouldBeIn(Condition):
    """True if, by public knowledge, a thing could lie in this pool.

    This holds if its place is publicly known to be this pool, or if its place is not publicly known
    and this hidden pool is not empty. The machine stores for each pooled thing whether its place is
    publicly known. It becomes known when the thing is put to or from a place that everybody sees,
    when a thing that was publicly known is put elsewhere, or when an event in the same choice
    reveals it. It is no longer known once anything is drawn at random from the pool where it lies.
    """

    item: Expr
    pool: ReadCell


class ReachOf(Expr):
    movement: Movement
    args: list[Expr]
    start: Expr


class Ways(Expr):
    """A search over the borders of a set from a starting place.

    The borders are all of one kind, which joins these places, and are followed in their direction.
    A place on the way can be left again only if it is in `through`; the start always can. If the
    start is none, the distance is NO_LIMIT and the other results are empty.

    Attributes:
        op: "distance" is the least number of steps to the place `by` (NO_LIMIT if it is
            unreachable). "nearest" is the members of the set `by` that the fewest steps reach.
            "within" is the places that at most `by` steps reach, including the start.
    """

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
    """Return the name of the visitor method for a class of nodes: `on_` (or another prefix) and the
    name of the class.
    """
    return word + _dashed(cls.__name__)


@cache
def _dashed(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


class ExprVisitor(Generic[G, T]):
    """A visitor of expressions with one method for each class.

    Defining a subclass that lacks a method raises AttributeError, unless it is declared with
    `whole=False`. Then `methods` contains the existing ones.
    """

    methods: ClassVar[dict[type, Callable[..., Any]]]

    def __init_subclass__(cls, whole: bool = True) -> None:
        super().__init_subclass__()
        cls.methods = {
            each: getattr(cls, method_for(each))
            for each in EXPRESSIONS
            if whole or hasattr(cls, method_for(each))
        }

    def visit(self, node: Expr, *given: G.args, **named: G.kwargs) -> T:
        """Call the method for the class of an expression and return its result."""
        answer: T = self.methods[node.__class__](self, node, *given, **named)
        return answer
