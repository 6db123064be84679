"""Bounds of numbers, so that arithmetic is tested only where it may overflow a word.

A bound is a number of bits: a value with the bound n lies in -2**n .. 2**n. `ANY` stands for all
values of a word. A bound is computed on demand, from the assignments and calls of all functions. A
value that depends on itself has the bound `ANY`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from rulekit.compiler import model as m
from rulekit.compiler.backends.wasm.facts import FunctionFacts, tables, takers
from rulekit.compiler.backends.wasm.fuel import MAX_WORK
from rulekit.compiler.backends.wasm.memory import Memory
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.layout import Layout

ANY = 63
STATE = 62  # a number of the rules without bounds: `small` lets no other into the state
ORDINAL = 16  # members, numbers of options, elements of lists
OPTION = 32
ROUNDS = MAX_WORK.bit_length()  # no run of the module adds more often


# the statements of which `_local` and `_loops` ask what they give a local
_ASKED = (
    c.Assign,
    c.CallStatement,
    c.Unpack,
    c.ForBits,
    c.ForMembers,
    c.ForRows,
    c.ForRange,
    c.ForItems,
    c.WhileOpen,
    c.KeepLeast,
    c.KeepExtreme,
)


def of_type(type: m.Type, unknown: int) -> int:
    """Return the bound that the declared type of a number implies."""
    if isinstance(type, m.Int):
        if type.low is None or type.high is None:
            return unknown
        return max(type.low.bit_length(), type.high.bit_length(), m.NO_LIMIT.bit_length())
    return ORDINAL if isinstance(type, (m.MemberOf, m.Bool)) else unknown


def of_slots(lay: Layout) -> dict[int, int]:
    """Return the bounds of the cells and variables that have one."""
    found = {}
    for cell, place in lay.places.items():
        if place.base >= 0 and place.form != "mask":
            count = 1
            for size in place.row:
                count *= size
            found.update(
                dict.fromkeys(range(place.base, place.base + count), of_type(cell.type, STATE))
            )
    found.update({slot: of_type(var.type, ANY) for var, slot in lay.vars.items()})
    return found


class FunctionBounds:
    """Computes the bounds of values. The module itself calls functions with ordinals and options
    only.
    """

    def __init__(
        self, functions: Mapping[FunctionName, FunctionFacts], mem: Memory, slots: Mapping[int, int]
    ) -> None:
        self.functions, self.mem, self.slots = functions, mem, slots
        self._known: dict[tuple[FunctionName, object], int] = {}
        self._calls: dict[FunctionName, list[tuple[FunctionFacts, Sequence[v.Value]]]] = {}
        self._tables: dict[str, int] = {}
        self._others = {
            name: {
                local.name
                for n in facts.every
                if isinstance(n, c.Statement) and not isinstance(n, _ASKED)
                for local in takers(n)
            }
            for name, facts in functions.items()
        }
        families = tables(facts.made for facts in functions.values())
        for facts in functions.values():
            called = [([n.function], n.args) for n in facts.of(v.CallValue)] + [
                ([n.function], n.args) for n in facts.of(c.CallStatement)
            ]
            for names, args in called + [(families[n.table], n.args) for n in facts.of(v.CallOf)]:
                for name in names:
                    self._calls.setdefault(name, []).append((facts, args))

    def of(self, facts: FunctionFacts, operand: v.Value) -> int:  # noqa: C901 - one match over the values
        """Return the bound of a value in a function."""
        match operand := v.form(operand):
            case v.ConstValue(value):
                return min(ANY, value.bit_length()) if isinstance(value, int) else ANY
            case v.Local(name):
                return self._once(facts, name, lambda: self._local(facts, name))
            case v.FrameValue(slot):
                return self.slots.get(slot, ANY)
            case v.SlotValue(base, at):
                return STATE if base == 0 and at is not None else self.slots.get(base, STATE)
            case v.RowValue(table) | v.PartValue(v.RowValue(table), _):
                return self._table(table)
            case v.Chosen(name):
                return max(map(_bits, self.mem.lates[name].values))
            case v.ArithValue(op, left, right):
                return min(ANY, self.arith(op, self.of(facts, left), self.of(facts, right)))
            case v.Negative(value):
                return self.of(facts, value)
            case v.Extreme(_, items):
                return max(self.of(facts, y) for y in items)
            case v.IfValue(_, then, other) | v.OrElseValue(then, other, _):
                return max(self.of(facts, then), self.of(facts, other))
            case v.Bind(_, value) | v.Reported(_, _, value, _):
                return self.of(facts, value)
            case v.Last(items):
                return self.of(facts, items[-1])
            case v.CallValue(function):
                return self._once(
                    self.functions[function], None, lambda: self._result(self.functions[function])
                )
            case v.RunValue():
                return self._run(facts, operand)
            case (
                v.Size()
                | v.Lowest()
                | v.Highest()
                | v.Head()
                | v.ElementValue()
                | v.Has()
                | v.HasOrNone()
                | v.CompareValue()
                | v.BothThere()
                | v.BetweenValue()
                | v.AnyOf()
                | v.Some()
                | v.NotValue()
                | v.All()
                | v.Any()
            ):
                return ORDINAL
            case (
                v.TableValue()
                | v.Pair()
                | v.PartValue()
                | v.Bits()
                | v.Complement()
                | v.Bit()
                | v.BitOrNone()
                | v.LowestBit()
                | v.More()
                | v.Below()
                | v.From()
                | v.Shifted()
                | v.Tail()
                | v.CallOf()
                | v.Layer()
                | v.Layers()
                | v.TextValue()
                | v.Nothing()
                | v.Tuple()
                | v.Listing()
                | v.Spread()
            ):
                return ANY
        assert_never(operand)

    def _run(self, facts: FunctionFacts, value: v.RunValue) -> int:
        """Return the bound of the result of a runtime function."""
        match value.function:
            case "in_range" | "held" | "row" | "key":
                return (
                    max(
                        self.of(facts, value.args[1]),
                        self.of(facts, value.args[2]),
                        m.NO_LIMIT.bit_length(),
                    )
                    + 1
                )
            case "small":
                return STATE
            case "there" | "div_up" | "div_down":
                return self.of(facts, value.args[0])
            case "the" | "shift" | "ratio_column":
                return ORDINAL
            case (
                "at"
                | "compare_ratios"
                | "could_be"
                | "first_class"
                | "group_classes"
                | "group_mask"
                | "group_rest"
                | "in_classes"
                | "members_at"
                | "packed"
                | "packed_after"
                | "packed_there"
                | "union"
                | "union_of"
            ):
                return ANY
        assert_never(value.function)

    def arith(self, op: v.ArithOp, left: int, right: int) -> int:
        """Return the bound of a result, which may be greater than `ANY`."""
        match op:
            case "+" | "-":
                return max(left, right) + 1
            case "*":
                return left + right
            case "//":
                return left
            case "%":
                return right
        assert_never(op)

    def fits(self, facts: FunctionFacts, value: v.ArithValue) -> bool:
        """Return True if the result fits a word for all possible operands.

        The subtraction of 1 from a set, to get the members below its first one, always fits.
        """
        if value.op in ("//", "%") or (value.op == "-" and value.right == v.ConstValue(1)):
            return True
        return self.arith(value.op, self.of(facts, value.left), self.of(facts, value.right)) < ANY

    def _once(self, facts: FunctionFacts, name: object, made: Any) -> int:
        key = (facts.made.name, name)
        if key not in self._known:
            self._known[key] = ANY  # what hangs on itself
            self._known[key] = made()
        return self._known[key]

    def _result(self, facts: FunctionFacts) -> int:
        found = [self.of(facts, n.value) for n in facts.of(c.Give) if n.value is not None]
        found += [max(self.of(facts, n.best), n.none.bit_length()) for n in facts.of(c.GiveExtreme)]
        return max(found, default=ANY)

    def _table(self, name: str) -> int:
        if name not in self._tables:
            late = self.mem.lates.get(name)
            self._tables[name] = max(
                map(_bits, late.values if late is not None else (self.mem.values[name],))
            )
        return self._tables[name]

    def _local(self, facts: FunctionFacts, name: str) -> int:
        found = [*self._params(facts, name), *self._loops(facts, name)]
        for n in facts.of(c.Assign):
            if n.local.name == name and not isinstance(n.value, v.Nothing):
                plus = n.op in ("+=", "-=")
                found.append(min(ANY, self.of(facts, n.value) + (ROUNDS if plus else 0)))
        found += [self.of(facts, n.value) for n in facts.of(v.Bind) if n.local.name == name]
        found += [self.of(facts, n.value) for n in facts.of(c.KeepExtreme) if n.best.name == name]
        for call in facts.of(c.CallStatement):
            if call.local is not None and call.local.name == name:
                found.append(ANY)
        if name in self._others[facts.made.name]:
            found.append(ANY)
        return max(found, default=ANY)

    def _params(self, facts: FunctionFacts, name: str) -> Iterable[int]:
        """Yield the bounds of the arguments, if the local is a parameter."""
        for at, p in enumerate(facts.made.params):
            if p.name == name:
                if facts.made.name.kind is FunctionKind.RESUMPTION:
                    yield OPTION
                calls = self._calls.get(facts.made.name)
                yield (
                    max(self.of(g, args[at]) for g, args in calls) if calls is not None else ORDINAL
                )

    def _loops(self, facts: FunctionFacts, name: str) -> Iterable[int]:
        """Yield the bounds of the values that loops assign."""
        if (
            any(n.index.name == name for n in facts.of(c.ForBits))
            or any(n.local.name == name for n in facts.of(c.ForMembers))
            or any(n.place.name == name for n in facts.of(c.WhileOpen))
            or any(n.best.name == name for n in facts.of(c.KeepLeast))
        ):
            yield ORDINAL
        for rows in facts.of(c.ForRows):
            if any(local.name == name for local in rows.locals):
                yield self._table(rows.table)
        for row in facts.of(c.Unpack):
            if any(local.name == name for local in row.locals):
                yield self._table(row.row.table)
        for n in facts.of(c.ForRange):
            if n.local.name == name:
                yield max(self.of(facts, n.low), self.of(facts, n.high))
        for each in facts.of(c.ForItems):
            if each.local.name == name:
                yield ORDINAL if each.listed else max(self.of(facts, y) for y in each.items)
        if any(n.left.name == name for n in facts.of(c.WhileOpen)):  # it only gets less
            yield from (self.of(facts, n.left) for n in facts.of(c.NewSearch))


def _bits(value: Any) -> int:
    if isinstance(value, int):
        return min(ANY, value.bit_length())
    return max(map(_bits, value), default=0)
