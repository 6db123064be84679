"""The values of the intermediate form, a closed set of classes, and their types. Values compare by
their fields.

A test accepts a value of any type: 0 is false.

The parts of a value are evaluated in the order of its fields. Only `All`, `Any`, `IfValue`,
`OrElseValue` and comparisons with missing values skip the parts that no longer decide the result.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never, cast, dataclass_transform

from attrs import field, frozen

from rulekit.compiler.ir.functions import FunctionName


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Plain:
    """Base class of the whole form: immutable, and compared by its fields."""

    def __init_subclass__(cls) -> None:
        frozen(cls, slots=False, cache_hash=True)


class Flag(Plain):
    """A truth value."""


class NumberType(Plain):
    """A number of the rules, an ordinal, or -1. It fits into 64 bits."""


class Mask(Plain):
    """A set over a kind of `size` members, or any other row of `size` bits."""

    size: int


class Packed(Plain):
    """A list of at most `most` ordinals or small numbers in one number, 16 bits for each."""

    most: int


class Masks(Plain):
    """A list of masks over a kind of `size` members in one number: the width (16 bits), then at
    most `size` masks.
    """

    size: int


class RatioType(Plain):
    """A pair of numbers."""


class RecordType(Plain):
    """A tuple, list or word of the traced variant."""


ArithOp: TypeAlias = Literal["+", "-", "*", "//", "%"]
CompareOp: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
Pure: TypeAlias = Literal[  # the functions of the runtime without effects
    "at",
    "compare_ratios",
    "could_be",
    "div_down",
    "div_up",
    "first_class",
    "group_classes",
    "group_mask",
    "group_rest",
    "held",
    "in_classes",
    "in_range",
    "key",
    "members_at",
    "packed",
    "packed_after",
    "packed_there",
    "ratio_column",
    "row",
    "shift",
    "small",
    "the",
    "there",
    "union",
    "union_of",
]
Type: TypeAlias = Flag | NumberType | Mask | Packed | Masks | RatioType | RecordType
FLAG, NUMBER, RATIO, RECORD = Flag(), NumberType(), RatioType(), RecordType()


class Value(Plain):
    """Base class of values. `Form` is the union of all of them."""


# ------------------------------------------------------------------------------------------- leaves
class ConstValue(Value):
    """A known value: a number or mask, or the pair of a ratio."""

    value: int | tuple[int, ...]


class Local(Value):
    """A local or parameter of the function."""

    name: str
    type: Type = NUMBER


class FrameValue(Value):
    """A variable in the frame of a procedure, by its slot. The pass `registers` finds those that
    can be locals.
    """

    slot: int
    type: Type = NUMBER


class SlotValue(Value):
    """The slot `base` + `at` of the state."""

    base: int
    at: Value | None = None
    type: Type = NUMBER


class Chosen(Value):
    """A constant that is known as soon as a scenario and rulings are chosen."""

    name: str
    type: Type = NUMBER


class RowValue(Value):
    """An entry of a constant table. Index -1 reads the last entry."""

    table: str
    at: Value
    type: Type = NUMBER


class TableValue(Value):
    """A constant table, as an argument."""

    name: str


# ------------------------------------------------------------------------------------------ numbers
class ArithValue(Value):
    """An operator on two numbers. // rounds down, and its divisor is not 0."""

    op: ArithOp
    left: Value
    right: Value


class Negative(Value):
    value: Value


class Extreme(Value):
    op: Literal["min", "max"]
    items: tuple[Value, ...]


# -------------------------------------------------------------------------------------------- masks
class Bits(Value):
    """An operator on masks of one kind. op: & |."""

    op: str
    left: Value
    right: Value


class Complement(Value):
    """The members that are not in a mask. There may be bits beyond the members of the kind."""

    mask: Value


class Bit(Value):
    """The set of one member, which must not be none."""

    member: Value
    type: Type = NUMBER


class BitOrNone(Value):
    """The set of one member, or the empty set if it is none."""

    member: Value
    type: Type = NUMBER


class Has(Value):
    """Whether a mask has a member, which must not be none: 0 or 1."""

    mask: Value
    member: Value


class HasOrNone(Value):
    """Whether a mask has a member. No mask has the member none."""

    mask: Value
    member: Value


class Size(Value):
    """The number of members of a mask."""

    mask: Value


class Lowest(Value):
    """The first member of a mask, or -1 if it is empty."""

    mask: Value


class Highest(Value):
    """The last member of a mask plus `more`. An empty mask gives -1 + `more`."""

    mask: Value
    more: int = 0


class LowestBit(Value):
    """The set of the first member of a mask."""

    mask: Value


class More(Value):
    """A mask without its first member. As a test: whether there is more than one member."""

    mask: Value


class Below(Value):
    """A mask of the members below `count`, which are that number of bits."""

    count: Value


class From(Value):
    """The set of all bits from a member plus `after` on, without end."""

    member: Value
    after: int = 0


class Shifted(Value):
    """A mask with its members moved up by `by` places (down if negative)."""

    mask: Value
    by: int


# ------------------------------------------------------------------------------ lists in one number
class Head(Value):
    """The first element of a packed list."""

    list: Value


class Tail(Value):
    """A packed list without its first element."""

    list: Value


class ElementValue(Value):
    """The code of the element with this number in a packed list: its value plus 2, or 0 beyond the
    end.
    """

    list: Value
    number: Value


class Pair(Value):
    """A ratio as a value."""

    num: Value
    den: Value


class PartValue(Value):
    """One of several results of a row in a table of rows: `table[at][number]`."""

    row: Value
    number: int


# -------------------------------------------------------------------------------------------- tests
class CompareValue(Value):
    """A comparison. It is false if one of `nullable` is -1; these are tested first, in order."""

    op: CompareOp
    left: Value
    right: Value
    nullable: tuple[Value, ...] = ()


class BothThere(Value):
    """Two members, which may be none, compared with == or !=. False if either is none."""

    op: str
    left: Value
    right: Value


class BetweenValue(Value):
    """low <= value <= high, with `nullable` as in Compare."""

    low: Value
    value: Value
    high: Value
    nullable: tuple[Value, ...] = ()


class AnyOf(Value):
    """Whether a local is one of these numbers."""

    value: Value
    among: tuple[int, ...]


class Some(Value):
    """Whether a mask is not empty, or a number not 0."""

    value: Value


class NotValue(Value):
    value: Value


class All(Value):
    items: tuple[Value, ...]


class Any(Value):
    items: tuple[Value, ...]


class IfValue(Value):
    """One of two values. The other one is not evaluated."""

    cond: Value
    then: Value
    other: Value
    flag: bool = False  # True if both are truth values


class OrElseValue(Value):
    """A value, or another one if the first is `missing`, which is -1 or the number for none."""

    value: Value
    other: Value
    missing: int = -1


class Bind(Value):
    """A value that is also assigned to a local."""

    local: Local
    value: Value


class Last(Value):
    """The value of the last item. All items are evaluated, in order."""

    items: tuple[Value, ...]


# -------------------------------------------------------------------------------------------- calls
class CallValue(Value):
    """Call a function of the same module without effects. The state comes before its arguments."""

    function: FunctionName
    args: tuple[Value, ...]
    type: Type = NUMBER


class CallOf(Value):
    """Call a function from a table with one function for each member."""

    table: FunctionName
    at: Value
    args: tuple[Value, ...]
    type: Type = NUMBER


class RunValue(Value):
    """Call a function of the runtime without effects. Some of them end play with an error, for
    example `row`.
    """

    function: Pure
    args: tuple[Value, ...]
    type: Type = NUMBER


class Reported(Value):
    """A value that the traced variant reports to a listener together with the values that it
    depends on. In other variants only the value.
    """

    word: str
    index: int
    value: Value
    given: tuple[Value, ...]


# ------------------------------------------------------------------------------------------ options
class Layer(Value):
    """The options with the ids `base` + member, for each member of a mask."""

    base: Value
    mask: Value


class Layers(Value):
    """A concatenation of layers and of lists of layers."""

    items: tuple[Value, ...]


# -------------------------------------------------------------------------- the contents of records
class TextValue(Value):
    """A word in a record of the traced variant."""

    text: str


class Nothing(Value):
    """None in a record of the traced variant."""


class Tuple(Value):
    """A record, or the keys of a sort order."""

    items: tuple[Value, ...]


class Listing(Value):
    """A list of records. Items that are a `Spread` are spliced in."""

    items: tuple[Value, ...]


class Spread(Value):
    """The items of a list, spliced into a `Listing` or `Tuple`. With `var` and `mask`, the lists of
    all members are spliced in.
    """

    value: Value
    var: Local | None = None
    mask: Value | None = None


# ------------------------------------------------------------------------ the unions of all classes
Leaf: TypeAlias = ConstValue | Local | FrameValue | SlotValue | Chosen | RowValue | TableValue
Numeric: TypeAlias = ArithValue | Negative | Extreme | Pair | PartValue
Masked: TypeAlias = (
    Bits
    | Complement
    | Bit
    | BitOrNone
    | Has
    | HasOrNone
    | Size
    | Lowest
    | Highest
    | LowestBit
    | More
    | Below
    | From
    | Shifted
    | Head
    | Tail
    | ElementValue
)
Test: TypeAlias = CompareValue | BothThere | BetweenValue | AnyOf | Some | NotValue | All | Any
Branch: TypeAlias = IfValue | OrElseValue | Bind | Last
Called: TypeAlias = CallValue | CallOf | RunValue | Reported
Made: TypeAlias = Layer | Layers | TextValue | Nothing | Tuple | Listing | Spread
Form: TypeAlias = Leaf | Numeric | Masked | Test | Branch | Called | Made


def form(value: Value) -> Form:
    """Return the value as a member of the closed set, so that a `match` must have a case for each.

    Fields have the base class as their type. With the union of all forms in each field, a type
    checker compares every form with every other.
    """
    return cast(Form, value)


def typed(operand: Value) -> Type:
    """Return the type of a value.

    A constant counts as a number. Its actual type depends on where it is used.
    """
    match operand := form(operand):
        case (
            Local(_, type)
            | FrameValue(_, type)
            | SlotValue(_, _, type)
            | Chosen(_, type)
            | RowValue(_, _, type)
            | Bit(_, type)
            | BitOrNone(_, type)
            | CallValue(_, _, type)
            | CallOf(_, _, _, type)
            | RunValue(_, _, type)
        ):
            return type
        case ConstValue(value):
            return NUMBER if isinstance(value, int) else RATIO
        case Bits(_, one, other) | IfValue(_, one, other) | OrElseValue(one, other):
            return wider(typed(one), typed(other))
        case (
            Complement(part)
            | LowestBit(part)
            | More(part)
            | Shifted(part)
            | Tail(part)
            | Bind(_, part)
            | Reported(_, _, part)
        ):
            return typed(part)
        case Last(items):
            return typed(items[-1])
        case (
            ArithValue()
            | Negative()
            | Extreme()
            | PartValue()
            | Size()
            | Lowest()
            | Highest()
            | Head()
            | ElementValue()
            | Below()
            | From()
        ):
            return NUMBER
        case (
            Has()
            | HasOrNone()
            | CompareValue()
            | BothThere()
            | BetweenValue()
            | AnyOf()
            | Some()
            | NotValue()
            | All()
            | Any()
        ):
            return FLAG
        case Pair():
            return RATIO
        case (
            TableValue()
            | Layer()
            | Layers()
            | TextValue()
            | Nothing()
            | Tuple()
            | Listing()
            | Spread()
        ):
            return RECORD
    assert_never(operand)


def wider(left: Type, right: Type) -> Type:
    """Return the type of a value that has one of two types."""
    if isinstance(left, Mask) and isinstance(right, Mask):
        return left if left.size >= right.size else right
    return left if right in (NUMBER, FLAG) else right
