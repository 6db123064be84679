"""Emit values: a number, flag or list of masks is one word on the stack, a set one or more words.

`push` leaves one word. `words` returns the code for each word, the lowest first. It emits the code
that must run only once before. A narrow value is extended by words of 0, and a wide value loses its
upper words. A negative constant, a complement and `From` are extended by ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal, assert_never

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler.backends.function_names import text_of
from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.facts import FunctionFacts
from rulekit.compiler.backends.wasm.intervals import ANY
from rulekit.compiler.backends.wasm.memory import TooWide, words
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionName

_MAX_REPEATED_INSTRUCTIONS = 12  # of operands that are computed again, not held in a local
Ins = list[str]
ZERO = ["i64.const 0"]
_BITS = {"&": "i64.and", "|": "i64.or"}
_ARITH = {"+": "i64.add", "-": "i64.sub", "*": "i64.mul"}
_TESTED = {"+": "plus", "-": "minus", "*": "times"}
_WORD = (1 << 64) - 1
SINGLE = frozenset(
    (
        "ratio_column",
        "the",
        "there",
        "div_up",
        "div_down",
        "row",
        "key",
        "shift",
        "could_be",
        "compare_ratios",
        "in_range",
        "held",
        "small",
    )
)  # functions of the runtime that give one word


def signed(value: int) -> int:
    """Return a word as WebAssembly text."""
    value &= _WORD
    return value - (1 << 64) if value >> 63 else value


def constant(value: int) -> Ins:
    return [f"i64.const {signed(value)}"]


class WasmValueWriter(ABC):
    """Emits the values of one function."""

    def __init__(self, context: EmitContext, facts: FunctionFacts) -> None:
        self.context = context
        self.facts = facts
        self.widths = context.widths[facts.made.name]
        self.mem = context.mem
        self.out: Ins = []
        self.locals: dict[str, str] = {}
        self.span: Span = NOWHERE
        self.count = 0
        self.more = 0  # work beyond one instruction each

    # -------------------------------------------------------------------------------- locals
    def fresh(self, type: str = "i64") -> v.Local:
        """Return a new local."""
        self.count += 1
        local = v.Local(f".{self.count}")
        self.locals[self.name(local)] = type
        return local

    def temp(self, type: str = "i64") -> str:
        return self.name(self.fresh(type))

    def name(self, value: v.Local | v.FrameValue, word: int = 0) -> str:
        base = f"${value.name}" if isinstance(value, v.Local) else f"$v{value.slot}"
        return f"{base}.{word}" if word else base

    def stored(self, parts: Sequence[Ins]) -> list[str]:
        """Compute words now and return the locals that hold them."""
        held = []
        for part in parts:
            t = self.temp()
            self.out += [*part, f"local.set {t}"]
            held.append(t)
        return held

    def spill(self, parts: Sequence[Ins]) -> list[Ins]:
        """Compute words now and return the code that reads them."""
        return [[f"local.get {t}"] for t in self.stored(parts)]

    def hold(self, value: v.Value) -> v.Local:
        """Compute a number now and return the local that holds it."""
        local = self.fresh()
        self.push(value)
        self.out.append(f"local.set {self.name(local)}")
        return local

    def width_of(self, value: v.Local | v.FrameValue) -> int:
        return self.widths.of_local(value)

    def width(self, value: v.Value) -> int:
        """Return the number of words of a value."""
        return self.widths.of(value)

    @abstractmethod
    def cond(self, value: v.Value) -> None:
        """Emit code that leaves an i32 that is 0 if the test does not hold."""

    @abstractmethod
    def run(self, value: v.RunValue) -> None:
        """Emit code that leaves one word, the result of a runtime function."""

    @abstractmethod
    def run_words(self, value: v.RunValue, width: int) -> list[Ins]:
        """Return the words of the result of a runtime function."""

    def work(self) -> int:
        """Return the maximal number of instructions that the emitted code executes."""
        return len(self.out) + self.more

    def called(self, function: FunctionName) -> None:
        """Emit a call of a function of the game."""
        self.out.append(f"call ${text_of(function)}")
        self.more += self.context.work.get(function, 0)

    def at_place(self) -> Ins:
        """Return code for the number of the author's place."""
        return [f"i64.const {self.context.place(self.span)}"]

    # -------------------------------------------------------------------------------- one word
    def push(self, operand: v.Value) -> None:  # noqa: C901 - one match over the values
        """Emit code that leaves the lowest word."""
        o = self.out
        match operand := v.form(operand):
            case v.ConstValue(value) if isinstance(value, int):
                o += constant(value)
            case v.ArithValue():
                self._arith(operand)
            case v.Negative(value):
                o += ZERO
                self.push(value)
                self.arith("-", self.context.bounds.of(self.facts, value) < ANY)
            case v.Extreme(op, items):
                self._extreme(op, items)
            case v.PartValue(row, number):
                self.push(row)
                o += ["i32.wrap_i64", f"i64.load offset={8 * number}"]
            case v.Size(mask):
                for j, part in enumerate(self.words(mask, self.width(mask))):
                    o += [*part, "i64.popcnt", *(["i64.add"] if j else [])]
            case v.Lowest(mask):
                self._lowest(mask)
            case v.Highest(mask, more):
                self._highest(mask, more)
            case v.Head(list):
                self.push(list)
                o += ["i64.const 65535", "i64.and", "i64.const 2", "i64.sub"]
            case v.ElementValue(list, number):
                self._element(list, number)
            case (
                v.Has()
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
                self.cond(operand)
                o.append("i64.extend_i32_u")
            case v.IfValue(cond, then, other):
                self.cond(cond)
                o.append("if (result i64)")
                self.push(then)
                o.append("else")
                self.push(other)
                o.append("end")
            case v.OrElseValue(value, other, missing):
                t = self.temp()
                self.push(value)
                o += [
                    f"local.tee {t}",
                    *constant(0 if missing == -1 else missing),
                    "i64.ge_s" if missing == -1 else "i64.ne",
                    f"if (result i64) local.get {t} else",
                ]
                self.push(other)
                o.append("end")
            case v.Bind(local, value) if self.width_of(local) == 1:
                self.push(value)
                o.append(f"local.tee {self.name(local)}")
            case v.RunValue(function) if function in SINGLE:
                self.run(operand)
            case (
                v.ConstValue()
                | v.Local()
                | v.FrameValue()
                | v.SlotValue()
                | v.Chosen()
                | v.RowValue()
                | v.TableValue()
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
                | v.Pair()
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
                o += self.words(operand, 1)[0]
            case _:
                assert_never(operand)

    def _arith(self, value: v.ArithValue) -> None:
        self.push(value.left)
        match value.op:
            case "+" | "-" | "*":
                self.push(value.right)
                self.arith(value.op, self.context.bounds.fits(self.facts, value))
            case "//" if isinstance(value.right, v.ConstValue) and value.right.value in (
                2,
                4,
                8,
                16,
                32,
                64,
            ):
                assert isinstance(value.right.value, int)
                self.out += [f"i64.const {value.right.value.bit_length() - 1}", "i64.shr_s"]
            case "//" | "%":
                self.push(value.right)
                self.out.append(f"call {self.context.need('fdiv' if value.op == '//' else 'fmod')}")
            case _:
                assert_never(value.op)

    def arith(self, op: Literal["+", "-", "*"], fits: bool) -> None:
        """Emit an addition, subtraction or multiplication.

        Args:
            fits: True if the result is known to fit a word. Otherwise overflow is tested.
        """
        self.out += (
            [_ARITH[op]] if fits else [*self.at_place(), f"call {self.context.need(_TESTED[op])}"]
        )

    def _extreme(self, op: str, items: Sequence[v.Value]) -> None:
        self.push(items[0])
        for x in items[1:]:
            a, b = self.temp(), self.temp()
            self.out.append(f"local.set {a}")
            self.push(x)
            self.out += [
                f"local.set {b}",
                f"local.get {a}",
                f"local.get {b}",
                f"local.get {a}",
                f"local.get {b}",
                "i64.gt_s" if op == "max" else "i64.lt_s",
                "select",
            ]

    def _lowest(self, mask: v.Value) -> None:
        parts = self.spill(self.words(mask, self.width(mask)))
        self.out += ["i64.const -1"]
        for j, part in reversed(list(enumerate(parts))):
            t = self.temp()
            more = [f"i64.const {64 * j}", "i64.add"] if j else []
            self.out += [
                f"local.set {t}",
                *part,
                "i64.ctz",
                *more,
                f"local.get {t}",
                *part,
                "i64.const 0",
                "i64.ne",
                "select",
            ]

    def _highest(self, mask: v.Value, more: int) -> None:
        parts = self.words(mask, self.width(mask))
        if len(parts) == 1:
            self.out += [f"i64.const {63 + more}", *parts[0], "i64.clz", "i64.sub"]
            return
        parts = self.spill(parts)
        self.out += [f"i64.const {63 + more}", *parts[0], "i64.clz", "i64.sub"]
        for j, part in enumerate(parts[1:], 1):
            t = self.temp()
            self.out += [
                f"local.set {t}",
                f"i64.const {63 + more + 64 * j}",
                *part,
                "i64.clz",
                "i64.sub",
                f"local.get {t}",
                *part,
                "i64.const 0",
                "i64.ne",
                "select",
            ]

    def _element(self, numbers: v.Value, number: v.Value) -> None:
        w = self.width(numbers)
        parts = self.words(numbers, w)
        if isinstance(number, v.ConstValue):
            assert isinstance(number.value, int)
            if not 0 <= number.value < 4 * w:
                self.out += ZERO
                return
            self.out += [
                *parts[number.value // 4],
                f"i64.const {number.value % 4 * 16}",
                "i64.shr_u",
                "i64.const 65535",
                "i64.and",
            ]
            return
        n = self.temp()
        self.push(number)
        self.out.append(f"local.set {n}")
        self._pick(parts, [f"local.get {n}", "i64.const 2", "i64.shr_u"])
        self.out += [
            f"local.get {n}",
            "i64.const 4",
            "i64.shl",
            "i64.shr_u",
            "i64.const 65535",
            "i64.and",
        ]

    def _pick(self, parts: Sequence[Ins], number: Ins) -> None:
        """Emit code that leaves the word with this number, or 0 if there are fewer."""
        self.out += ZERO
        for j, part in enumerate(parts):
            t = self.temp()
            self.out += [
                f"local.set {t}",
                *part,
                f"local.get {t}",
                *number,
                f"i64.const {j}",
                "i64.eq",
                "select",
            ]

    # -------------------------------------------------------------------------------- words
    def words(self, operand: v.Value, width: int) -> list[Ins]:  # noqa: C901 - one match over the values
        """Return the code of each word, which may be run more than once."""
        match operand := v.form(operand):
            case v.ConstValue(value):
                if isinstance(value, tuple):
                    return _fit([constant(i) for i in value], width)
                return [constant(value >> 64 * j) for j in range(width)]
            case v.Local():
                return _fit(
                    [[f"local.get {self.name(operand, j)}"] for j in range(self.width_of(operand))],
                    width,
                )
            case v.FrameValue(slot, type):
                if slot in self.context.local:
                    return _fit(
                        [
                            [f"local.get {self.name(operand, j)}"]
                            for j in range(self.width_of(operand))
                        ],
                        width,
                    )
                return self.slot(v.SlotValue(slot, None, type), width)
            case v.SlotValue():
                return self.slot(operand, width)
            case v.Chosen(name):
                at, own = self.mem.chosen(name)
                return _fit(
                    [["i32.const 0", f"i64.load offset={at + 8 * j}"] for j in range(own)], width
                )
            case v.RowValue():
                return self.row(operand, width)
            case v.TableValue():
                raise TooWide("a table as a value")
            case v.Bits(op, left, right):
                a, b = self.words(left, width), self.words(right, width)
                return (
                    [[*a[j], *b[j], _BITS[op]] for j in range(width)]
                    if width == 1 or _short(a, b)
                    else self.spill([[*a[j], *b[j], _BITS[op]] for j in range(width)])
                )
            case v.Complement(mask):
                return [[*part, "i64.const -1", "i64.xor"] for part in self.words(mask, width)]
            case v.Bit(member) | v.BitOrNone(member):
                return self._bit(operand, member, width)
            case v.LowestBit(mask):
                parts = self.spill(self.words(mask, width))
                return self._upward(
                    parts, [[*p, "i64.const 0", *p, "i64.sub", "i64.and"] for p in parts], None
                )
            case v.More(mask):
                parts = self.spill(self.words(mask, width))
                return self._upward(
                    parts, [[*p, *p, "i64.const 1", "i64.sub", "i64.and"] for p in parts], parts
                )
            case v.Below(count):
                t = self._held(count)
                below = self.context.need("below")
                return [[*t, *constant(64 * j), "i64.sub", f"call {below}"] for j in range(width)]
            case v.From(member, after):
                t = self._held(member)
                below = self.context.need("below")
                return [
                    [
                        *t,
                        *constant(after - 64 * j),
                        "i64.add",
                        f"call {below}",
                        "i64.const -1",
                        "i64.xor",
                    ]
                    for j in range(width)
                ]
            case v.Shifted(mask, by):
                return self._shifted(self.words(mask, max(width, self.width(mask))), by)[:width]
            case v.Tail(list):
                return _fit(
                    self._shifted(self.words(list, max(width, self.width(list))), -16), width
                )
            case v.Pair(num, den):
                return _fit([self._held(num), self._held(den)], width)
            case v.IfValue(cond, then, other):
                return self._if(cond, then, other, width)
            case v.OrElseValue(value, other, missing) if width > 1:
                return self._if(
                    v.CompareValue("!=", value, v.ConstValue(missing)), value, other, width
                )
            case v.Bind(local, value):
                own = self.width_of(local)
                parts = self.words(value, max(own, width))
                self.set(local, parts)
                return _fit(self.words(local, own), width)
            case v.Last(items):
                for item in items[:-1]:
                    self.push(item)
                    self.out.append("drop")
                return self.words(items[-1], width)
            case v.CallValue(function, args):
                for given, wide in zip(args, self.context.params[function], strict=True):
                    self.all(given, wide)
                self.called(function)
                return self._results(self.context.results.get(function, 1), width)
            case v.CallOf(table, at, args, type):
                return self._call_of(table, at, args, width)
            case v.Reported(_, _, value, _):
                return self.words(value, width)
            case v.RunValue(function):
                return (
                    _fit([self._held(operand)], width)
                    if function in SINGLE
                    else self.run_words(operand, width)
                )
            case v.ArithValue("-", mask, v.ConstValue(1)) if (
                width > 1
            ):  # of a mask: all below its first member in its place
                parts = self.spill(self.words(mask, width))
                return self.spill(
                    [
                        (
                            [*p, "i64.const 1", "i64.sub"]
                            if not j
                            else [
                                *p,
                                *parts[0],
                                *(i for q in parts[1:j] for i in (*q, "i64.or")),
                                "i64.eqz",
                                "i64.extend_i32_u",
                                "i64.sub",
                            ]
                        )
                        for j, p in enumerate(parts)
                    ]
                )
            case (
                v.ArithValue()
                | v.Negative()
                | v.Extreme()
                | v.PartValue()
                | v.Size()
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
                | v.OrElseValue()
            ):
                return _fit([self._held(operand)], width)
            case (
                v.Layer()
                | v.Layers()
                | v.TextValue()
                | v.Nothing()
                | v.Tuple()
                | v.Listing()
                | v.Spread()
            ):
                raise TooWide(f"{operand.__class__.__name__} as a value")
        assert_never(operand)

    def all(self, value: v.Value, width: int) -> None:
        """Emit code that leaves `width` words, the lowest first."""
        if width == 1:
            self.push(value)
            return
        for part in self.words(value, width):
            self.out += part

    def set(self, local: v.Local | v.FrameValue, parts: Sequence[Ins]) -> None:
        """Emit an assignment to a local."""
        own = self.width_of(local)
        for part in parts[:own]:
            self.out += part
        for _ in range(own - len(parts)):
            self.out += ZERO
        for j in reversed(range(own)):
            self.out.append(f"local.set {self.name(local, j)}")

    def _held(self, value: v.Value) -> Ins:
        """Compute a number now, unless it is only read, and return the code that reads it."""
        if isinstance(value, v.ConstValue):
            assert isinstance(value.value, int)
            return constant(value.value)
        if isinstance(value, v.Local):
            return [f"local.get {self.name(value)}"]
        t = self.temp()
        self.push(value)
        self.out.append(f"local.set {t}")
        return [f"local.get {t}"]

    def _results(self, own: int, width: int) -> list[Ins]:
        """Store the results of a call and return the code of their words."""
        if own == width == 1:
            t = self.temp()
            self.out.append(f"local.set {t}")
            return [[f"local.get {t}"]]
        names = [self.temp() for _ in range(own)]
        self.out += [f"local.set {t}" for t in reversed(names)]
        return _fit([[f"local.get {t}"] for t in names], width)

    def _call_of(
        self, table: FunctionName, at: v.Value, args: Sequence[v.Value], width: int
    ) -> list[Ins]:
        params, own, first = self.context.family(table)
        for a, wide in zip(args, params, strict=True):
            self.all(a, wide)
        self.push(at)
        self.more += max(
            (
                work
                for name in self.context.tables[table]
                if (work := self.context.work.get(name)) is not None
            ),
            default=0,
        )
        self.out += [
            "i32.wrap_i64",
            f"i32.const {first}",
            "i32.add",
            (
                f"call_indirect $functions {' '.join(['(param i64)'] * sum(params))}"
                f" {' '.join(['(result i64)'] * own)}"
            ),
        ]
        return self._results(own, width)

    def _if(self, cond: v.Value, then: v.Value, other: v.Value, width: int) -> list[Ins]:
        names = [self.temp() for _ in range(width)]
        self.cond(cond)
        self.out.append("if")
        for branch, ends in ((then, "else"), (other, "end")):  # the two may be one and the same
            for part in self.words(branch, width):
                self.out += part
            self.out += [f"local.set {t}" for t in reversed(names)]
            self.out.append(ends)
        return [[f"local.get {t}"] for t in names]

    def _bit(self, value: v.Bit | v.BitOrNone, member: v.Value, width: int) -> list[Ins]:
        if isinstance(member, v.ConstValue):
            assert isinstance(member.value, int)
            return [
                constant((1 << member.value if member.value >= 0 else 0) >> 64 * j)
                for j in range(width)
            ]
        t = self._held(member)
        if (
            width == 1
            and isinstance(value, v.Bit)
            and words(value.type) == 1
            and value.type != v.NUMBER
        ):
            return [["i64.const 1", *t, "i64.shl"]]
        return [
            [
                "i64.const 1",
                *t,
                "i64.shl",
                "i64.const 0",
                *t,
                "i64.const 6",
                "i64.shr_s",
                f"i64.const {j}",
                "i64.eq",
                "select",
            ]
            for j in range(width)
        ]

    def _upward(self, parts: list[Ins], first: list[Ins], others: list[Ins] | None) -> list[Ins]:
        """Return the change of the lowest word that is not 0, and `others` for the words above it
        (else 0).
        """
        if len(parts) == 1:
            return first
        made = [first[0]]
        for j in range(1, len(parts)):
            below = [*parts[0], *(i for p in parts[1:j] for i in (*p, "i64.or")), "i64.eqz"]
            made.append([*first[j], *(others[j] if others is not None else ZERO), *below, "select"])
        return self.spill(made)

    def _shifted(self, parts: list[Ins], by: int) -> list[Ins]:
        parts = self.spill(parts)
        skip, bits = divmod(abs(by), 64)
        up, made = by > 0, []
        for j in range(len(parts)):
            near, far = (j - skip, j - skip - 1) if up else (j + skip, j + skip + 1)
            code = (
                [*parts[near], f"i64.const {bits}", "i64.shl" if up else "i64.shr_u"]
                if 0 <= near < len(parts)
                else list(ZERO)
            )
            if bits and 0 <= far < len(parts):
                code += [
                    *parts[far],
                    f"i64.const {64 - bits}",
                    "i64.shr_u" if up else "i64.shl",
                    "i64.or",
                ]
            made.append(code)
        return made

    # -------------------------------------------------------------------------------- memory
    def place(self, value: v.SlotValue) -> tuple[Ins, int]:
        """Return code that pushes the base address (i32) of a slot, and the offset."""
        if value.at is None:
            return ["i32.const 0"], self.mem.address[value.base]
        t = self.temp("i32")
        if value.base == 0:  # a slot by its number
            self.push(value.at)
            self.out += [
                "i32.wrap_i64",
                "i32.const 2",
                "i32.shl",
                f"i32.load offset={self.mem.addresses}",
                f"local.set {t}",
            ]
            return [f"local.get {t}"], 0
        if value.base not in self.mem.strides:
            raise TooWide(f"slot {value.base} is read with a number added")
        self.push(value.at)
        self.out += [
            "i32.wrap_i64",
            f"i32.const {8 * self.mem.strides[value.base]}",
            "i32.mul",
            f"i32.const {self.mem.address[value.base]}",
            "i32.add",
            f"local.set {t}",
        ]
        return [f"local.get {t}"], 0

    def slot(self, value: v.SlotValue, width: int) -> list[Ins]:
        address, more = self.place(value)
        if isinstance(self.context.type_of(value), v.Masks):
            return [[*address, f"i32.const {more}", "i32.add", "i64.extend_i32_u"]]
        return _fit(
            [
                [*address, f"i64.load offset={more + 8 * j}"]
                for j in range(self.context.slot_words(value))
            ],
            width,
        )

    def row(self, value: v.RowValue, width: int) -> list[Ins]:
        """Return the words of an entry of a table, or the address of a row."""
        if value.type == v.RECORD:
            columns = self.context.columns(value.table)
            if not columns:  # nobody asks for an entry: there is none
                self.push(value.at)
                return self._results(1, width)
            at, shape = self.mem.shape(value.table, columns)
            if any(wide > 1 for wide in shape.words):
                raise TooWide("wide columns of a row")
            self.push(value.at)
            self.out += [
                f"i64.const {shape.entry}",
                "i64.mul",
                f"i64.const {at + shape.first}",
                "i64.add",
            ]
            return self._results(1, width)
        at, shape = self.mem.shape(value.table)
        if isinstance(value.at, v.ConstValue):
            assert isinstance(value.at.value, int)
            address, more = ["i32.const 0"], at + shape.first + shape.entry * value.at.value
        else:
            t = self.temp("i32")
            self.push(value.at)
            self.out += [
                "i32.wrap_i64",
                f"i32.const {shape.entry}",
                "i32.mul",
                f"i32.const {at + shape.first}",
                "i32.add",
                f"local.set {t}",
            ]
            address, more = [f"local.get {t}"], 0
        return _fit(
            [[*address, f"i64.load offset={more + 8 * j}"] for j in range(shape.words[0])], width
        )


def _fit(parts: list[Ins], width: int) -> list[Ins]:
    return [*parts[:width], *([list(ZERO)] * (width - len(parts)))]


def _short(left: list[Ins], right: list[Ins]) -> bool:
    return len(left[0]) + len(right[0]) <= _MAX_REPEATED_INSTRUCTIONS


# x
