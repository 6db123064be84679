"""Emit tests. A test leaves an i32 that is 0 if it does not hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from rulekit.compiler.backends.wasm.memory import TooWide
from rulekit.compiler.backends.wasm.values import WasmValueWriter, constant
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import nodes

_SURE = (
    v.ConstValue,
    v.Local,
    v.SlotValue,
    v.FrameValue,
    v.Bits,
    v.Complement,
    v.CompareValue,
    v.BetweenValue,
    v.Some,
    v.NotValue,
    v.All,
    v.Any,
    v.Has,
    v.BothThere,
    v.AnyOf,
    v.Size,
)
_MAX_EAGER_NODES = 16  # values


def test_of(op: v.CompareOp) -> str:
    """Return the instruction for a comparison of two numbers."""
    match op:
        case "==":
            return "i64.eq"
        case "!=":
            return "i64.ne"
        case "<":
            return "i64.lt_s"
        case "<=":
            return "i64.le_s"
        case ">":
            return "i64.gt_s"
        case ">=":
            return "i64.ge_s"
    assert_never(op)


def _little(value: v.Value) -> bool:
    """Return True if a test is short and reads only locals and slots.

    Such a test can neither fail nor take long.
    """
    return len(every := list(nodes(value))) <= _MAX_EAGER_NODES and all(
        isinstance(each, _SURE) for each in every
    )


def _there(nullable: Sequence[v.Value]) -> list[v.Value]:
    """Return tests that no value is missing."""
    return [v.CompareValue(">=", missing, v.ConstValue(0)) for missing in nullable]


class ConditionWriter(WasmValueWriter):
    """Emits tests."""

    def cond(self, operand: v.Value) -> None:  # noqa: C901 - one match over the values
        """Emit code that leaves an i32 that is 0 if the test does not hold."""
        o = self.out
        match operand := v.form(operand):
            case v.ConstValue(value):
                o.append(f"i32.const {int(bool(value))}")
            case v.Has(mask, member):
                self._has(mask, member)
            case v.HasOrNone(mask, member):
                held = self.fresh()
                self.push(member)
                o += [f"local.tee {self.name(held)}", "i64.const 0", "i64.ge_s", "if (result i32)"]
                self._has(mask, held)
                o += ["else i32.const 0 end"]
            case v.CompareValue(op, left, right, nullable):
                self._all(
                    [*_there(nullable), v.CompareValue(op, left, right)],
                    partial(self._compare, op, left, right),
                )
            case v.BothThere(op, left, right):
                a, b = self.temp(), self.temp()
                self.push(left)
                o.append(f"local.set {a}")
                self.push(right)
                o += [
                    f"local.tee {b}",
                    f"local.get {a}",
                    "i64.eq" if op == "==" else "i64.ne",
                    f"local.get {a}",
                    "i64.const 0",
                    "i64.ge_s",
                    "i32.and",
                    f"local.get {b}",
                    "i64.const 0",
                    "i64.ge_s",
                    "i32.and",
                ]
            case v.BetweenValue(low, value, high, nullable):
                self._all(
                    [*_there(nullable), v.BetweenValue(low, value, high)],
                    partial(self._between, low, value, high),
                )
            case v.AnyOf(value, among):
                t = self.temp()
                self.push(value)
                o.append(f"local.set {t}")
                for i, n in enumerate(among):
                    o += [f"local.get {t}", *constant(n), "i64.eq", *(["i32.or"] if i else [])]
            case v.Some(value):
                self.cond(value)
            case v.NotValue(value):
                self.cond(value)
                o.append("i32.eqz")
            case v.All(items):
                self._all(items, partial(self.cond, items[-1]))
            case v.Any(items):
                self._chain(
                    items,
                    partial(self.cond, items[-1]),
                    "i32.or",
                    "if (result i32) i32.const 1 else",
                    "end",
                )
            case v.IfValue(cond, then, other):
                self.cond(cond)
                o.append("if (result i32)")
                self.cond(then)
                o.append("else")
                self.cond(other)
                o.append("end")
            case v.Layer() | v.Layers():
                raise TooWide("options as a test")
            case (
                v.Local()
                | v.FrameValue()
                | v.SlotValue()
                | v.Chosen()
                | v.RowValue()
                | v.TableValue()
                | v.ArithValue()
                | v.Negative()
                | v.Extreme()
                | v.Pair()
                | v.PartValue()
                | v.Bits()
                | v.Complement()
                | v.Bit()
                | v.BitOrNone()
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
                | v.OrElseValue()
                | v.Bind()
                | v.Last()
                | v.CallValue()
                | v.CallOf()
                | v.RunValue()
                | v.Reported()
                | v.TextValue()
                | v.Nothing()
                | v.Tuple()
                | v.Listing()
                | v.Spread()
            ):
                w = self.width(operand)
                if w == 1:
                    self.push(operand)
                else:
                    for j, part in enumerate(self.words(operand, w)):
                        o += [*part, *(["i64.or"] if j else [])]
                if isinstance(v.typed(operand), v.Masks):
                    o += ["i32.wrap_i64", "i64.load"]
                o += ["i64.const 0", "i64.ne"]
            case _:
                assert_never(operand)

    def _all(self, tests: Sequence[v.Value], last: Callable[[], None]) -> None:
        self._chain(tests, last, "i32.and", "if (result i32)", "else i32.const 0 end")

    def _chain(
        self, tests: Sequence[v.Value], last: Callable[[], None], both: str, begin: str, end: str
    ) -> None:
        """Emit tests one after the other until one decides.

        Cheap tests are always evaluated, because that costs less than an unpredictable branch.

        Args:
            last: emits the last test.
        """
        opened = 0
        for n, test in enumerate(tests):
            quick = bool(n) and _little(test)
            if n and not quick:
                self.out.append(begin)
                opened += 1
            if n == len(tests) - 1:
                last()
            else:
                self.cond(test)
            if quick:
                self.out.append(both)
        self.out += [end] * opened

    def _compare(self, op: v.CompareOp, left: v.Value, right: v.Value) -> None:
        if isinstance(left, v.Tuple) and isinstance(right, v.Tuple):
            self._tuples(op, left.items, right.items)
            return
        w = max(self.width(left), self.width(right))
        if w == 1 or not any(
            isinstance(v.typed(x), v.Mask) for x in (left, right)
        ):  # a local may be as wide as a mask of its name
            self.push(left)
            self.push(right)
            self.out.append(test_of(op))
            return
        if op not in ("==", "!="):
            raise TooWide(f"wide masks compared by {op}")
        a = self.spill(self.words(left, w))
        b = self.words(right, w)
        for j in range(w):
            self.out += [*a[j], *b[j], "i64.xor", *(["i64.or"] if j else [])]
        self.out += ["i64.const 0", "i64.eq" if op == "==" else "i64.ne"]

    def _tuples(self, op: str, left: Sequence[v.Value], right: Sequence[v.Value]) -> None:
        """Emit the test that all pairs are equal, or that they are not. All values are computed."""
        if op not in ("==", "!="):
            raise TooWide(f"tuples compared by {op}")
        self.out.append("i32.const 1")
        for one, other in zip(left, right, strict=True):
            self._compare("==", one, other)
            self.out.append("i32.and")
        if op == "!=":
            self.out.append("i32.eqz")

    def _between(self, low: v.Value, value: v.Value, high: v.Value) -> None:
        t = self.temp()
        a = self.temp()
        self.push(low)
        self.out.append(f"local.set {a}")
        self.push(value)
        self.out += [f"local.tee {t}", f"local.get {a}", "i64.ge_s", f"local.get {t}"]
        self.push(high)
        self.out += ["i64.le_s", "i32.and"]

    def _has(self, mask: v.Value, member: v.Value) -> None:
        """Emit the test that a member, which is at least 0, is in a mask."""
        o, w = self.out, self.width(mask)
        if isinstance(member, v.ConstValue):
            assert isinstance(member.value, int)
            j, bit = divmod(member.value, 64)
            parts = self.words(mask, max(w, j + 1))
            o += [
                *parts[j],
                *([f"i64.const {bit}", "i64.shr_u"] if bit else []),
                "i64.const 1",
                "i64.and",
                "i32.wrap_i64",
            ]
            return
        parts = self.words(mask, w)
        type = v.typed(mask)
        if w == 1 and isinstance(type, v.Mask) and not isinstance(mask, v.ConstValue):
            o += parts[0]
            self.push(member)
        else:
            if not isinstance(mask, (v.ConstValue, v.Local)):
                parts = self.spill(parts)
            t = self.temp()
            self.push(member)
            o.append(f"local.set {t}")
            self._pick(parts, [f"local.get {t}", "i64.const 6", "i64.shr_u"])
            o.append(f"local.get {t}")
        o += ["i64.shr_u", "i64.const 1", "i64.and", "i32.wrap_i64"]
