"""Print values of the intermediate form as Python expressions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import assert_never

from rulekit.compiler.backends.function_names import text_of
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import simple

_MAX_DECIMAL = 0xFFFF  # greater numbers are masks, and written in hexadecimal
# How tightly an operator binds; an operand that binds less stands in parentheses.
TERNARY, OR, AND, NOT, COMPARE, UNION, MEET, SHIFT, SUM, PRODUCT, SIGN, ATOM = range(1, 13)
_BITS = {"|": UNION, "&": MEET}
_ARITH = {"+": SUM, "-": SUM, "*": PRODUCT, "//": PRODUCT, "%": PRODUCT}


class PythonValueWriter:
    """Prints the values of one function.

    Attributes:
        frames: the frame variables that are locals.
        traced: True if computed values are reported to listeners.
    """

    def __init__(self, frames: Collection[int] = (), traced: bool = False) -> None:
        self.frames = frames
        self.traced = traced
        self.temps = 0

    def temp(self) -> str:
        self.temps += 1
        return f"u{self.temps}"

    def text(self, value: v.Value) -> str:
        """Return the text of a value where nothing binds tighter."""
        return self.parsed(value)[0]

    def at(self, value: v.Value, level: int) -> str:
        """Return the text of a value as an operand of an operator of this precedence."""
        text, own = self.parsed(value)
        return text if own >= level else f"({text})"

    def many(self, items: Sequence[v.Value]) -> str:
        return ", ".join(map(self.text, items))

    def parsed(self, value: v.Value) -> tuple[str, int]:
        """Return the text of a value and the precedence of its operator."""
        value = v.form(value)
        if isinstance(value, v.Called):
            return self._call(value), ATOM
        if isinstance(value, v.Made):
            return self._made(value), ATOM
        if isinstance(value, v.Masked):
            return self._mask(value)
        if isinstance(value, v.Test):
            return self._test(value)
        return self._calculated(value)

    def _calculated(self, operand: v.Leaf | v.Numeric | v.Branch) -> tuple[str, int]:
        match operand:
            case v.ConstValue(value):
                return _constant(value)
            case v.Local(name) | v.Chosen(name) | v.TableValue(name):
                return name, ATOM
            case v.FrameValue(slot):
                return (f"v{slot}" if slot in self.frames else f"s[{slot}]"), ATOM
            case v.SlotValue():
                return f"s[{self.slot(operand)}]", ATOM
            case v.RowValue(table, at):
                return f"{table}[{self.text(at)}]", ATOM
            case v.ArithValue(op, left, right):
                return self._binary(left, op, right, _ARITH[op])
            case v.Negative(value):
                return f"-{self.at(value, SIGN)}", SIGN
            case v.Extreme(op, items):
                return f"{op}({self.many(items)})", ATOM
            case v.Pair(num, den):
                return f"({self.text(num)}, {self.text(den)})", ATOM
            case v.PartValue(row, number):
                return f"{self.at(row, ATOM)}[{number}]", ATOM
            case v.IfValue(cond, then, other):
                return (
                    f"{self.at(then, OR)} if {self.at(cond, OR)} else {self.at(other, TERNARY)}",
                    TERNARY,
                )
            case v.OrElseValue(value, other, missing):
                return self._or_else(value, other, missing), TERNARY
            case v.Bind(local, value):
                return f"({local.name} := {self.text(value)})", ATOM
            case v.Last(items):
                return f"({self.many(items)})[-1]", ATOM
        assert_never(operand)

    def slot(self, value: v.SlotValue) -> str:
        """Return the number of a slot, as text."""
        if value.at is None:
            return str(value.base)
        if value.base <= 0:
            return self.at(value.at, SUM) + (f" - {-value.base}" if value.base else "")
        return self._sum([str(value.base)], value.at)

    def _sum(self, terms: list[str], value: v.Value) -> str:
        """Return a sum to which the terms of another sum are appended."""
        if isinstance(value, v.ArithValue) and value.op == "+":
            return f"{self._sum(terms, value.left)} + {self.at(value.right, PRODUCT)}"
        return " + ".join([*terms, self.at(value, PRODUCT)])

    def _binary(self, left: v.Value, op: str, right: v.Value, level: int) -> tuple[str, int]:
        return f"{self.at(left, level)} {op} {self.at(right, level + 1)}", level

    # -------------------------------------------------------------------------------- masks and lis
    def _mask(self, value: v.Masked) -> tuple[str, int]:  # noqa: C901 - one match over the operations on masks
        match value:
            case v.Bits(op, left, right):
                return self._binary(left, op, right, _BITS[op])
            case v.Complement(mask):
                return f"~{self.at(mask, SIGN)}", SIGN
            case v.Bit(member):
                return f"1 << {self.at(member, SUM)}", SHIFT
            case v.BitOrNone(member):
                return f"B[{self.text(member)}]", ATOM
            case v.Has(mask, v.ConstValue(0)):
                return f"{self.at(mask, MEET)} & 1", MEET
            case v.Has(mask, member):
                return f"{self.at(mask, SHIFT)} >> {self.at(member, SUM)} & 1", MEET
            case v.HasOrNone(mask, member):
                return f"{self.at(mask, MEET)} & B[{self.text(member)}]", MEET
            case v.Size(mask):
                return f"{self.at(mask, ATOM)}.bit_count()", ATOM
            case v.Lowest(mask):
                first, again = self._twice(mask)
                return f"({first} & -{again}).bit_length() - 1", SUM
            case v.Highest(mask, more):
                text = f"{self.at(mask, ATOM)}.bit_length()"
                return (
                    (f"{text} - {1 - more}", SUM)
                    if more < 1
                    else (f"{text} + {more - 1}", SUM)
                    if more > 1
                    else (text, ATOM)
                )
            case v.LowestBit(mask):
                first, again = self._twice(mask)
                return f"{first} & -{again}", MEET
            case v.More(mask):
                first, again = self._twice(mask)
                return f"{first} & ({again} - 1)", MEET
            case v.Below(count):
                return f"(1 << {self.at(count, SUM)}) - 1", SUM
            case v.From(member, after):
                return f"-({1 << after} << {self.at(member, SUM)})", SIGN
            case v.Shifted(mask, by):
                return f"{self.at(mask, SHIFT)} {'<<' if by > 0 else '>>'} {abs(by)}", SHIFT
            case v.Head(list):
                return f"({self.at(list, MEET)} & 65535) - 2", SUM
            case v.Tail(list):
                return f"{self.at(list, SHIFT)} >> 16", SHIFT
            case v.ElementValue(list, number):
                return f"{self.at(list, SHIFT)} >> 16*{self.at(number, SIGN)} & 65535", MEET
        assert_never(value)

    def _twice(self, value: v.Value) -> tuple[str, str]:
        """Return the text that computes a value, and the text that reads it again."""
        if simple(value):
            return self.at(value, ATOM), self.at(value, ATOM)
        t = self.temp()
        return f"({t} := {self.text(value)})", t

    # -------------------------------------------------------------------------------- tests
    def _test(self, operand: v.Test) -> tuple[str, int]:
        match operand:
            case v.CompareValue(op, left, right, nullable):
                return self._there(nullable, f"{self.at(left, UNION)} {op} {self.at(right, UNION)}")
            case v.BothThere("==", left, right):
                return f"{self.at(left, UNION)} == {self.at(right, UNION)} >= 0", COMPARE
            case v.BothThere(_, left, right):
                return f"-1 != {self.at(left, UNION)} != {self.at(right, UNION)} != -1", COMPARE
            case v.BetweenValue(low, value, high, nullable):
                return self._there(
                    nullable,
                    f"{self.at(low, UNION)} <= {self.at(value, UNION)} <= {self.at(high, UNION)}",
                )
            case v.AnyOf(value, among):
                return f"{self.at(value, UNION)} in {among}", COMPARE
            case v.Some(value):
                return self.parsed(value)
            case v.NotValue(value):
                return f"not {self.at(value, COMPARE)}", NOT
            case v.All(items):
                return " and ".join(self.at(i, NOT) for i in items), AND
            case v.Any(items):
                return " or ".join(self.at(i, AND + 1) for i in items), OR
        assert_never(operand)

    def _there(self, nullable: Sequence[v.Value], text: str) -> tuple[str, int]:
        tests = [f"{self.at(h, UNION)} >= 0" for h in nullable]
        return " and ".join([*tests, text]), AND if tests else COMPARE

    def _or_else(self, value: v.Value, other: v.Value, missing: int) -> str:
        first, again = self._twice(value)
        test = f"{first} >= 0" if missing == -1 else f"{first} != {missing}"
        return f"{again} if {test} else {self.at(other, TERNARY)}"

    # -------------------------------------------------------------------------------- calls and rec
    def _call(self, operand: v.Called) -> str:
        match operand:
            case v.CallValue(function, args):
                return f"{text_of(function)}({', '.join(['s', *map(self.text, args)])})"
            case v.CallOf(table, at, args):
                return (
                    f"{text_of(table)}[{self.text(at)}]({', '.join(['s', *map(self.text, args)])})"
                )
            case v.RunValue(function, args, _):
                return (
                    f"{function}"
                    f"({', '.join([*(['s'] * (function in STATEFUL)), *map(self.text, args)])})"
                )
            case v.Reported(word, index, value, given):
                if not self.traced:
                    return self.at(value, ATOM)
                return f"{word}(s, {index}, {self.text(value)}, lambda: {self._tuple(given)})"
        assert_never(operand)

    def _tuple(self, items: Sequence[v.Value]) -> str:
        return f"({self.many(items)}{',' if len(items) == 1 else ''})"

    def _made(self, operand: v.Made) -> str:
        match operand:
            case v.Layer(base, mask):
                return f"({self.text(base)}, {self.text(mask)})"
            case v.Layers((v.RunValue() as only,)):
                return self.text(only)
            case v.Layers(items):
                return (
                    "["
                    + ", ".join(
                        f"*{self.text(i)}" if isinstance(i, v.RunValue) else self.text(i)
                        for i in items
                    )
                    + "]"
                )
            case v.TextValue(text):
                return repr(text)
            case v.Nothing():
                return "None"
            case v.Tuple(items):
                return self._tuple(items)
            case v.Listing(items):
                return f"[{self.many(items)}]"
            case v.Spread(value, var, mask):
                if var is None or mask is None:
                    return f"*{self.at(value, ATOM)}"
                return (
                    f"*[t for {var.name} in members({self.text(mask)}) for t in {self.text(value)}]"
                )
        assert_never(operand)


STATEFUL = frozenset(("union", "members_at"))


def _constant(value: int | tuple[int, ...]) -> tuple[str, int]:
    if isinstance(value, tuple):
        return repr(value), ATOM
    return (hex(value) if value > _MAX_DECIMAL else str(value)), ATOM if value >= 0 else SIGN


# x
