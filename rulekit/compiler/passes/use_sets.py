"""The frame variables that code reads and assigns, and the functions that it calls.

The passes `registers` and `prune` use this.
"""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionName
from rulekit.compiler.ir.visitor import nodes


@frozen
class UseSets:
    """The variables and functions that some code uses.

    Attributes:
        read: frame variables that are read, or are assigned by code that cannot be left out.
        written: frame variables that are assigned plain values.
        called: functions without effects.
    """

    read: frozenset[int]
    written: frozenset[int]
    called: frozenset[FunctionName]

    @property
    def frames(self) -> frozenset[int]:
        """All frame variables that occur in the code."""
        return self.read | self.written


def uses(body: c.Code) -> UseSets:
    """Return the variables and functions that this code uses."""
    read: set[int] = set()
    written: set[int] = set()
    called: set[FunctionName] = set()
    n: v.Form | c.Stmt
    for n in nodes(*body):
        match n:
            case v.FrameValue():
                read.add(n.slot)
            case v.CallValue():
                called.add(n.function)
            case c.PutFrame():
                (written if _plain(n.value) else read).add(n.slot)
            case c.CallStatement() | c.Effect():
                read.update({n.into} - {-1})
            case (
                v.ConstValue()
                | v.Local()
                | v.SlotValue()
                | v.Chosen()
                | v.RowValue()
                | v.TableValue()
                | v.CallOf()
                | v.RunValue()
                | v.Reported()
                | c.Assign()
                | c.Unpack()
                | c.Do()
                | c.PutStatement()
                | c.LogStatement()
                | c.NoLayers()
                | c.IfStatement()
                | c.Append()
                | c.Tick()
                | c.Fail()
                | c.OverStatement()
            ):
                pass
            case _:
                if not isinstance(
                    n,
                    v.Numeric
                    | v.Masked
                    | v.Test
                    | v.Branch
                    | v.Made
                    | c.Loop
                    | c.Leaving
                    | c.Gathering
                    | c.Searching
                    | c.Ending,
                ):
                    assert_never(n)
    return UseSets(frozenset(read), frozenset(written), frozenset(called))


def _plain(value: v.Value) -> bool:
    """Return True if the value takes only a few steps to compute, and none of them can end play."""
    match value := v.form(value):
        case v.ArithValue(_, left, right) | v.Bits(_, left, right):
            return _plain(left) and _plain(right) and not isinstance(right, (v.ArithValue, v.Bits))
        case (
            v.Complement(part)
            | v.Bit(part)
            | v.BitOrNone(part)
            | v.Negative(part)
            | v.NotValue(part)
            | v.PartValue(part)
        ):
            return _read(part)
        case v.Has(left, right) | v.HasOrNone(left, right) | v.CompareValue(_, left, right, ()):
            return _read(left) and _read(right)
        case (
            v.ConstValue()
            | v.Local()
            | v.FrameValue()
            | v.SlotValue()
            | v.Chosen()
            | v.TableValue()
        ):
            return _read(value)
        case (
            v.RowValue()
            | v.Extreme()
            | v.Pair()
            | v.Size()
            | v.Lowest()
            | v.Highest()
            | v.LowestBit()
            | v.More()
            | v.Below()
            | v.From()
            | v.Shifted()
            | v.Head()
            | v.Tail()
            | v.ElementValue()
            | v.CompareValue()
            | v.BothThere()
            | v.BetweenValue()
            | v.AnyOf()
            | v.Some()
            | v.All()
            | v.Any()
            | v.IfValue()
            | v.OrElseValue()
            | v.Bind()
            | v.Last()
            | v.CallValue()
            | v.CallOf()
            | v.RunValue()
            | v.Reported()
            | v.Layer()
            | v.Layers()
            | v.TextValue()
            | v.Nothing()
            | v.Tuple()
            | v.Listing()
            | v.Spread()
        ):
            return False
    assert_never(value)


def _read(value: v.Value) -> bool:
    """Return True if the value can be read without computation.

    A lookup in a table does not count, because an entry may be missing and the lookup may end play.
    """
    if isinstance(value, v.SlotValue):
        return value.at is None or _plain(value.at)
    return isinstance(value, v.ConstValue | v.Local | v.FrameValue | v.Chosen | v.TableValue)
