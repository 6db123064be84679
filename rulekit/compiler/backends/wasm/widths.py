"""The number of words of the locals and the result of a function."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import assert_never

from attrs import define, field

from rulekit.compiler.backends.wasm.facts import FunctionFacts, is_layers
from rulekit.compiler.backends.wasm.memory import words
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionName


@define(eq=False)
class Widths:
    """The number of words of the values of one function.

    Attributes:
        results: of the results of functions.
        local: the frame variables that are locals.
        widest: of the widest set.
        locals: of locals, by name.
        endless: of sets of an unknown kind that are extended by ones.
    """

    results: Mapping[FunctionName, int]
    local: Collection[int]
    widest: int
    locals: dict[str, int] = field(factory=dict)
    endless: set[str] = field(factory=set)

    def of_local(self, value: v.Local | v.FrameValue) -> int:
        """Return the number of words of a local."""
        return self.locals.get(value.name if isinstance(value, v.Local) else f"v{value.slot}", 1)

    def of(self, operand: v.Value) -> int:
        """Return the number of words of a value."""
        match operand := v.form(operand):
            case v.ConstValue(value):
                return (
                    2
                    if isinstance(value, tuple)
                    else max(1, (value.bit_length() + 63) // 64)
                    if value >= 0
                    else 1
                )
            case v.Local():
                return self.of_local(operand)
            case v.FrameValue(slot) if slot in self.local:
                return self.of_local(operand)
            case (
                v.FrameValue(_, type)
                | v.SlotValue(_, _, type)
                | v.Chosen(_, type)
                | v.RowValue(_, _, type)
            ):
                return words(type)
            case v.Bits(_, left, right):
                return max(self.of(left), self.of(right))
            case (
                v.Complement(mask)
                | v.LowestBit(mask)
                | v.More(mask)
                | v.Shifted(mask, _)
                | v.Tail(mask)
            ):
                return self.of(mask)
            case v.IfValue(_, then, other) | v.OrElseValue(then, other, _):
                return max(self.of(then), self.of(other))
            case v.Bind(_, value) | v.Reported(_, _, value, _):
                return self.of(value)
            case v.Last(items):
                return self.of(items[-1])
            case v.CallValue(function):
                return self.results.get(function, words(v.typed(operand)))
            case (
                v.TableValue()
                | v.ArithValue()
                | v.Negative()
                | v.Extreme()
                | v.Pair()
                | v.PartValue()
                | v.Bit()
                | v.BitOrNone()
                | v.Has()
                | v.HasOrNone()
                | v.Size()
                | v.Lowest()
                | v.Highest()
                | v.Below()
                | v.From()
                | v.Head()
                | v.ElementValue()
                | v.CompareValue()
                | v.BothThere()
                | v.BetweenValue()
                | v.AnyOf()
                | v.Some()
                | v.NotValue()
                | v.All()
                | v.Any()
                | v.CallOf()
                | v.RunValue()
                | v.Layer()
                | v.Layers()
                | v.TextValue()
                | v.Nothing()
                | v.Tuple()
                | v.Listing()
                | v.Spread()
            ):
                return words(v.typed(operand))
        assert_never(operand)

    def without_end(self, operand: v.Value) -> bool:
        """Return True if a value may be a set that is extended by ones. A number may be negative,
        too.
        """
        match operand := v.form(operand):
            case v.ConstValue(value):
                return isinstance(value, int) and value < 0
            case v.Local(name):
                return name in self.endless
            case v.FrameValue(slot):
                return f"v{slot}" in self.endless
            case v.From():
                return True
            case v.Complement(mask):
                return not self.without_end(mask)
            case v.Bits(op, left, right):
                a, b = self.without_end(left), self.without_end(right)
                return a and b if op == "&" else a or b
            case v.IfValue(_, then, other) | v.OrElseValue(then, other, _):
                return any(
                    self.without_end(y) for y in (then, other) if not isinstance(y, v.ConstValue)
                )
            case v.Bind(_, value) | v.Reported(_, _, value, _):
                return self.without_end(value)
            case v.Last(items):
                return self.without_end(items[-1])
            case (
                v.SlotValue()
                | v.Chosen()
                | v.RowValue()
                | v.TableValue()
                | v.ArithValue()
                | v.Negative()
                | v.Extreme()
                | v.Pair()
                | v.PartValue()
                | v.Bit()
                | v.BitOrNone()
                | v.Has()
                | v.HasOrNone()
                | v.Size()
                | v.Lowest()
                | v.Highest()
                | v.LowestBit()
                | v.More()
                | v.Below()
                | v.Shifted()
                | v.Head()
                | v.Tail()
                | v.ElementValue()
                | v.CompareValue()
                | v.BothThere()
                | v.BetweenValue()
                | v.AnyOf()
                | v.Some()
                | v.NotValue()
                | v.All()
                | v.Any()
                | v.CallValue()
                | v.CallOf()
                | v.RunValue()
                | v.Layer()
                | v.Layers()
                | v.TextValue()
                | v.Nothing()
                | v.Tuple()
                | v.Listing()
                | v.Spread()
            ):
                return False
        assert_never(operand)

    def assigned(self, value: v.Value) -> int:
        """Return the number of words of a variable to which a value is assigned.

        The kind of the complement of a constant set is unknown.
        """
        if (
            isinstance(value, v.ConstValue)
            or isinstance(v.typed(value), v.Mask)
            or not self.without_end(value)
        ):
            return self.of(value)
        return self.widest

    def result(self, facts: FunctionFacts) -> int:
        """Return the number of words of the result of the function."""
        found = [0]
        found += [self.assigned(n.value) for n in facts.of(c.Give) if n.value is not None]
        found += [1 for _ in facts.of(c.GiveExtreme)]
        for n in facts.of(c.GiveList):
            size = next(x.size for x in facts.of(c.NewList) if x.out == n.out)
            found.append(words(v.Packed(size)) if n.form == "list" else 1)
        return max(found)


def widths(
    facts: FunctionFacts,
    types: list[v.Type],
    results: Mapping[FunctionName, int],
    local: Collection[int],
    widest: int,
) -> Widths:
    """Return the number of words of each local, by its type and its assignments.

    Args:
        types: the types of the slots.
    """
    made = Widths(results, local, widest, {p.name: words(p.type) for p in facts.made.params})
    wide, params = made.locals, {p.name for p in facts.made.params}
    for n in facts.of(v.Local):
        _widen(wide, n.name, words(n.type))
    for var in facts.of(v.FrameValue):
        if var.slot in local:
            _widen(wide, f"v{var.slot}", max(words(var.type), words(types[var.slot])))
    for slot in [n.into for n in facts.of(c.CallStatement)] + [n.into for n in facts.of(c.Effect)]:
        if slot in local:
            _widen(wide, f"v{slot}", words(types[slot]))
    assigned: list[tuple[str, v.Value]] = []
    for put in facts.of(c.PutFrame):
        if put.slot in local:
            _widen(wide, f"v{put.slot}", words(types[put.slot]))
            assigned.append((f"v{put.slot}", put.value))
    assigned += [
        (n.local.name, n.value)
        for n in facts.of(c.Assign)
        if not is_layers(n.value) and not isinstance(n.value, v.Nothing)
    ]
    assigned += [(n.local.name, n.value) for n in facts.of(v.Bind)]
    assigned += [(n.bit.name, n.mask) for n in facts.of(c.ForBits) if n.bit is not None]
    for name, value in assigned * 2:
        if name not in params:
            _widen(wide, name, made.assigned(value))
            if (
                not isinstance(value, v.ConstValue)
                and not isinstance(v.typed(value), v.Mask)
                and made.without_end(value)
            ):
                made.endless.add(name)
    return made


def _widen(wide: dict[str, int], name: str, by: int) -> None:
    if wide.get(name, 1) <= by:
        wide[name] = by
