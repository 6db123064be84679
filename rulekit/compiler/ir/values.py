"""Takes nothing, makes the values of the intermediate form, a closed set of classes, and their
types. Values compare by what they say.

What stands where a test is wanted may be of any type: 0 is false.

The order in which the parts of a value are worked out is that of its fields. `All`, `Any`, `If`,
`OrElse` and a `Compare` with holes leave out what does not decide; nothing else does. What may end
play with an error says so in its docstring.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never, cast, dataclass_transform

from attrs import field, frozen


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Plain:
    """Base of all of the form: it is what its fields say, and compares by them."""

    def __init_subclass__(cls) -> None:
        frozen(cls, slots=False, cache_hash=True)


class Flag(Plain):
    """A truth value."""


class Number(Plain):
    """A number of the rules, an ordinal, or -1: 64 bits hold it."""


class Mask(Plain):
    """A set over a kind of so many members, or what else is one bit each."""

    size: int


class Packed(Plain):
    """A list of ordinals or small numbers in one number, 16 bits each; at most so many."""

    most: int


class Masks(Plain):
    """A list of masks over a kind of so many members in one number: the width (16 bits), then at
    most that many masks."""

    size: int


class Ratio(Plain):
    """A pair of numbers."""


class Record(Plain):
    """What the traced variant makes: tuples, lists and words."""


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
Type: TypeAlias = Flag | Number | Mask | Packed | Masks | Ratio | Record
FLAG, NUMBER, RATIO, RECORD = Flag(), Number(), Ratio(), Record()


class Value(Plain):
    """Base of the classes of values; `Form` is the union of all of them."""


# ------------------------------------------------------------------------------------------------ l
class Const(Value):
    """What is known: a number or mask, or the pair of a ratio."""

    value: int | tuple[int, ...]


class Local(Value):
    """A local or parameter of the function."""

    name: str
    type: Type = NUMBER


class Frame(Value):
    """A variable of a procedure's frame, by its slot; the pass `registers` finds those that can be
    locals."""

    slot: int
    type: Type = NUMBER


class Slot(Value):
    """A slot of the state: `base` + `at`."""

    base: int
    at: Value | None = None
    type: Type = NUMBER


class Chosen(Value):
    """A constant that is known once a scenario and rulings are chosen."""

    name: str
    type: Type = NUMBER


class Row(Value):
    """An entry of a constant table; its last one is read with -1."""

    table: str
    at: Value
    type: Type = NUMBER


class Table(Value):
    """A constant table, as an argument."""

    name: str


# ------------------------------------------------------------------------------------------------ n
class Arith(Value):
    """// rounds down, the divisor is not 0."""

    op: ArithOp
    left: Value
    right: Value


class Negative(Value):
    value: Value


class Extreme(Value):
    op: Literal["min", "max"]
    items: tuple[Value, ...]


# ------------------------------------------------------------------------------------------------ m
class Bits(Value):
    """op: & | of masks of one kind."""

    op: str
    left: Value
    right: Value


class Complement(Value):
    """All others; may have bits beyond the kind's members."""

    mask: Value


class Bit(Value):
    """The set of one member, which is there."""

    member: Value
    type: Type = NUMBER


class BitOrNone(Value):
    """The set of one member; empty of none."""

    member: Value
    type: Type = NUMBER


class Has(Value):
    """Is a member, which is there, in a mask? 0 or 1."""

    mask: Value
    member: Value


class HasOrNone(Value):
    """Is a member in a mask? None is in no mask."""

    mask: Value
    member: Value


class Size(Value):
    """How many members."""

    mask: Value


class Lowest(Value):
    """The first member of a mask; -1 of an empty one."""

    mask: Value


class Highest(Value):
    """The last member of a mask, plus `more`; -1 + `more` of an empty one."""

    mask: Value
    more: int = 0


class LowestBit(Value):
    """The set of the first member."""

    mask: Value


class More(Value):
    """Are there more members than one? The mask without its first."""

    mask: Value


class Below(Value):
    """The members below `count`: a mask of that many bits."""

    count: Value


class From(Value):
    """The set of all bits from a member on, without end."""

    member: Value
    after: int = 0


class Shifted(Value):
    """A mask with its members moved up by `by` places (down if negative)."""

    mask: Value
    by: int


# ------------------------------------------------------------------------------------------------ l
class Head(Value):
    """The first of a packed list."""

    list: Value


class Tail(Value):
    """A packed list without its first."""

    list: Value


class Element(Value):
    """The code of the element with this number of a packed list: 0 beyond its end, else two more
    than the element."""

    list: Value
    number: Value


class Pair(Value):
    """A ratio."""

    num: Value
    den: Value


class Part(Value):
    """One of several results of a table's row of rows: `table[at][number]`."""

    row: Value
    number: int


# ------------------------------------------------------------------------------------------------ t
class Compare(Value):
    """`holes`: what must not be -1, or it is false; looked at first, in order."""

    op: CompareOp
    left: Value
    right: Value
    holes: tuple[Value, ...] = ()


class BothThere(Value):
    """op == or != of two members that may be none: false if either is."""

    op: str
    left: Value
    right: Value


class Between(Value):
    """low <= value <= high; `holes` as of Compare."""

    low: Value
    value: Value
    high: Value
    holes: tuple[Value, ...] = ()


class AnyOf(Value):
    """Is a local one of these numbers?"""

    value: Value
    among: tuple[int, ...]


class Some(Value):
    """Is a mask not empty, a number not 0?"""

    value: Value


class Not(Value):
    value: Value


class All(Value):
    items: tuple[Value, ...]


class Any(Value):
    items: tuple[Value, ...]


class If(Value):
    """One value or the other; the other one is not worked out."""

    cond: Value
    then: Value
    other: Value
    flag: bool = False  # are both truth values?


class OrElse(Value):
    """A value, or another one if it is `hole` (-1, or the number that is none)."""

    value: Value
    other: Value
    hole: int = -1


class Bind(Value):
    """A value that a local takes as well."""

    local: Local
    value: Value


class Last(Value):
    """All are worked out, in order; the last one is the value."""

    items: tuple[Value, ...]


# ------------------------------------------------------------------------------------------------ c
class Call(Value):
    """A function of the same module without effects; it gets the state before its arguments."""

    function: str
    args: tuple[Value, ...]
    type: Type = NUMBER


class CallOf(Value):
    """A function of a table of functions, one a member."""

    table: str
    at: Value
    args: tuple[Value, ...]
    type: Type = NUMBER


class Run(Value):
    """A function of the runtime without effects."""

    function: Pure
    args: tuple[Value, ...]
    type: Type = NUMBER


class Told(Value):
    """A value that the traced variant tells a listener, with what it was worked out from; elsewhere
    the value alone."""

    word: str
    index: int
    value: Value
    given: tuple[Value, ...]


# ------------------------------------------------------------------------------------------------ o
class Layer(Value):
    """The options with the ids `base` + the members of a mask."""

    base: Value
    mask: Value


class Layers(Value):
    """Layers, or lists of them, one behind the other."""

    items: tuple[Value, ...]


# ------------------------------------------------------------------------------------------------ w
class Text(Value):
    """A word in a record of the traced variant."""

    text: str


class Nothing(Value):
    """None, in a record of the traced variant."""


class Tuple(Value):
    """A record, or keys to order by."""

    items: tuple[Value, ...]


class Listing(Value):
    """A list of records, of which some are lists to be spliced in (`Spread`)."""

    items: tuple[Value, ...]


class Spread(Value):
    """The items of a list, in a `Listing` or `Tuple`; with `var` and `mask`: those of the list of
    each member."""

    value: Value
    var: Local | None = None
    mask: Value | None = None


# ------------------------------------------------------------------------------------------------ a
Leaf: TypeAlias = Const | Local | Frame | Slot | Chosen | Row | Table
Numeric: TypeAlias = Arith | Negative | Extreme | Pair | Part
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
    | Element
)
Test: TypeAlias = Compare | BothThere | Between | AnyOf | Some | Not | All | Any
Branch: TypeAlias = If | OrElse | Bind | Last
Called: TypeAlias = Call | CallOf | Run | Told
Made: TypeAlias = Layer | Layers | Text | Nothing | Tuple | Listing | Spread
Form: TypeAlias = Leaf | Numeric | Masked | Test | Branch | Called | Made


def form(x: Value) -> Form:
    """The value as one of the closed set, for a `match` that has a case for each. Values are held
    by their base: a type checker that meets the union of all forms in each field compares each with
    each."""
    return cast(Form, x)


def typed(x: Value) -> Type:
    """The type of a value. A constant is taken for a number: it is of the type that is wanted where
    it stands."""
    match x := form(x):
        case (
            Local(_, type)
            | Frame(_, type)
            | Slot(_, _, type)
            | Chosen(_, type)
            | Row(_, _, type)
            | Bit(_, type)
            | BitOrNone(_, type)
            | Call(_, _, type)
            | CallOf(_, _, _, type)
            | Run(_, _, type)
        ):
            return type
        case Const(value):
            return NUMBER if isinstance(value, int) else RATIO
        case Bits(_, one, other) | If(_, one, other) | OrElse(one, other):
            return wider(typed(one), typed(other))
        case (
            Complement(part)
            | LowestBit(part)
            | More(part)
            | Shifted(part)
            | Tail(part)
            | Bind(_, part)
            | Told(_, _, part)
        ):
            return typed(part)
        case Last(items):
            return typed(items[-1])
        case (
            Arith()
            | Negative()
            | Extreme()
            | Part()
            | Size()
            | Lowest()
            | Highest()
            | Head()
            | Element()
            | Below()
            | From()
        ):
            return NUMBER
        case (
            Has()
            | HasOrNone()
            | Compare()
            | BothThere()
            | Between()
            | AnyOf()
            | Some()
            | Not()
            | All()
            | Any()
        ):
            return FLAG
        case Pair():
            return RATIO
        case Table() | Layer() | Layers() | Text() | Nothing() | Tuple() | Listing() | Spread():
            return RECORD
    assert_never(x)


def wider(a: Type, b: Type) -> Type:
    """The type of what is one or the other."""
    if isinstance(a, Mask) and isinstance(b, Mask):
        return a if a.size >= b.size else b
    return a if b in (NUMBER, FLAG) else b
