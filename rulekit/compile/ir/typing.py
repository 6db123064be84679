"""Takes a value of the intermediate form, makes its type."""

from __future__ import annotations

from typing import assert_never

from rulekit.compile.ir import values as v
from rulekit.compile.ir.types import FLAG, NUMBER, RATIO, RECORD, Mask, Type


def typed(x: v.Value) -> Type:
    """The type of a value. A constant is taken for a number: it is of the type that is wanted where it stands."""
    match x := v.form(x):
        case v.Local(_, type) | v.Frame(_, type) | v.Slot(_, _, type) | v.Chosen(_, type) | v.Row(_, _, type) | v.Bit(_, type) \
                | v.BitOrNone(_, type) | v.Call(_, _, type) | v.CallOf(_, _, _, type) | v.Run(_, _, type):
            return type
        case v.Const(value):
            return NUMBER if isinstance(value, int) else RATIO
        case v.Bits(_, left, right):
            return wider(typed(left), typed(right))
        case v.Complement(mask) | v.LowestBit(mask) | v.More(mask) | v.Shifted(mask, _):
            return typed(mask)
        case v.Below() | v.From():
            return NUMBER
        case v.Arith() | v.Negative() | v.Extreme() | v.Part() | v.Size() | v.Lowest() | v.Highest() | v.Head() | v.Element():
            return NUMBER
        case v.Has() | v.HasOrNone() | v.Compare() | v.BothThere() | v.Between() | v.AnyOf() | v.Some() | v.Not() | v.All() | v.Any():
            return FLAG
        case v.Tail(list):
            return typed(list)
        case v.Pair():
            return RATIO
        case v.If(_, then, other):
            return wider(typed(then), typed(other))
        case v.OrElse(value, other, _):
            return wider(typed(value), typed(other))
        case v.Bind(_, value) | v.Told(_, _, value, _):
            return typed(value)
        case v.Last(items):
            return typed(items[-1])
        case v.Table() | v.Layer() | v.Layers() | v.Text() | v.Nothing() | v.Tuple() | v.Listing() | v.Spread():
            return RECORD
    assert_never(x)


def wider(a: Type, b: Type) -> Type:
    """The type of what is one or the other."""
    if isinstance(a, Mask) and isinstance(b, Mask):
        return a if a.size >= b.size else b
    return a if b in (NUMBER, FLAG) else b
