"""Emit calls of runtime functions without effects. Functions that may fail are tested here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, assert_never, cast

from rulekit.compiler import model as m
from rulekit.compiler.backends.wasm.conditions import test_of
from rulekit.compiler.backends.wasm.fuel import SETS
from rulekit.compiler.backends.wasm.memory import TooWide, words
from rulekit.compiler.backends.wasm.values import ZERO, Ins, WasmValueWriter, constant
from rulekit.compiler.ir import values as v

_TESTED = {"+": "plus", "-": "minus", "*": "times"}


def _fails(writer: WasmValueWriter, what: str, args: Sequence[Ins]) -> None:
    given = [*args, *[list(ZERO)] * (4 - len(args))]
    writer.out += [
        *constant(writer.context.failure(what)),
        *(i for part in given for i in part),
        *writer.at_place(),
        "call $fail",
        "unreachable",
    ]


def push(writer: WasmValueWriter, operand: v.RunValue) -> None:
    """Emit code that leaves one word."""
    out, context, args = writer.out, writer.context, operand.args
    match operand.function, args:
        case (("in_range" | "held"), (value, low, high, what)):
            t = _held(writer, value)
            lo, hi = _read(writer, low), _read(writer, high)
            out += [
                *t,
                *lo,
                "i64.lt_s",
                *t,
                *hi,
                "i64.gt_s",
                "i32.or",
                *t,
                *constant(m.NO_LIMIT),
                "i64.ne",
                "i32.and",
                "if",
            ]
            _fails(writer, operand.function, [t, lo, hi, _read(writer, what)])
            out += ["end", *t]
        case (("row" | "key"), (value, low, high)):
            t = _held(writer, value)
            lo, hi = _read(writer, low), _read(writer, high)
            out += [*t, *lo, "i64.lt_s", *t, *hi, "i64.gt_s", "i32.or", "if"]
            _fails(writer, operand.function, [t, lo, hi])
            out += ["end", *t, *lo, "i64.sub"]
        case "small", (v.ArithValue(op, left, right) as made,) if (
            op in _TESTED and not context.bounds.fits(writer.facts, made)
        ):
            writer.push(left)
            writer.push(right)
            out += [*writer.at_place(), f"call {context.need('small', _TESTED[op])}"]
        case "small", (value,):
            t = _held(writer, value)
            out += [
                *t,
                *constant(-(1 << 62)),
                "i64.le_s",
                *t,
                *constant(1 << 62),
                "i64.ge_s",
                "i32.or",
                "if",
            ]
            _fails(writer, "small", [])
            out += ["end", *t]
        case "there", (value, missing):
            t = _held(writer, value)
            out += [*t, *_read(writer, missing), "i64.eq", "if"]
            _fails(writer, "there", [])
            out += ["end", *t]
        case "the", (mask,):
            _push_only_member(writer, mask)
        case (("div_up" | "div_down"), (num, den)):
            writer.push(num)
            writer.push(den)
            out += [
                *constant(int(operand.function == "div_up")),
                *writer.at_place(),
                f"call {context.need('div')}",
            ]
        case "shift", (member, by, top):
            for given in (member, by, top):
                writer.push(given)
            out += [*writer.at_place(), f"call {context.need('shift')}"]
        case "could_be", (known_, item, pool, hidden):
            member = item if isinstance(item, v.ConstValue) else writer.hold(item)
            some = v.All((hidden, v.Some(pool)))
            writer.push(
                v.All(
                    (
                        v.CompareValue(">=", member, v.ConstValue(0)),
                        v.IfValue(v.Has(known_, member), v.Has(pool, member), some, True),
                    )
                )
            )
        case "ratio_column", (v.TableValue(name), v.TextValue(rounding), *pair):
            _push_ratio_column(writer, name, pair)
            out += [
                *writer.at_place(),
                f"call {context.need('ratio_column', int(rounding == 'up'))}",
            ]
        case "compare_ratios", (v.TextValue(op), left, right):
            for part in [*writer.words(left, 2), *writer.words(right, 2)]:
                out += part
            out += [
                *writer.at_place(),
                f"call {context.need('ratios')}",
                "i64.const 0",
                test_of(cast(v.CompareOp, op)),
                "i64.extend_i32_u",
            ]
        case _:
            _unknown(operand)


def _push_only_member(writer: WasmValueWriter, mask: v.Value) -> None:
    """Emit code that leaves the only member of a set, and fails if there are none or several."""
    parts = writer.spill(writer.words(mask, writer.width(mask)))
    n = writer.temp()
    for j, part in enumerate(parts):
        writer.out += [*part, "i64.popcnt", *(["i64.add"] if j else [])]
    writer.out += [f"local.tee {n}", "i64.const 1", "i64.ne", "if"]
    _fails(writer, "the", [[f"local.get {n}"]])
    writer.out.append("end")
    writer.push(v.Lowest(mask))


def _push_ratio_column(writer: WasmValueWriter, table: str, ratio: Sequence[v.Value]) -> None:
    """Emit code that leaves a table of ratios, its length, and the ratio that is looked up."""
    at, shape = writer.mem.shape(table, 2)
    writer.out += [f"i32.const {at + shape.first}", "i32.const 0", f"i64.load offset={at}"]
    for part in [
        part
        for x in ratio
        for part in (writer.words(x.value, 2) if isinstance(x, v.Spread) else writer.words(x, 1))
    ]:
        writer.out += part


def _unknown(value: v.RunValue) -> NoReturn:
    """Raise the error for a function with arguments that the backend does not support.

    Each function is supported with some arguments: in `push` (one word), in `wide`, or in a list of
    options.
    """
    match value.function:
        case (
            "in_range"
            | "held"
            | "row"
            | "key"
            | "small"
            | "there"
            | "the"
            | "div_up"
            | "div_down"
            | "shift"
            | "could_be"
            | "ratio_column"
            | "compare_ratios"
            | "union"
            | "union_of"
            | "members_at"
            | "at"
            | "group_mask"
            | "group_rest"
            | "group_classes"
            | "first_class"
            | "packed_after"
            | "packed"
            | "packed_there"
            | "in_classes"
        ):
            raise TooWide(f"the function {value.function}")
    assert_never(value.function)


def wide(writer: WasmValueWriter, operand: v.RunValue, width: int) -> list[Ins]:
    """Return the words of a set or list."""
    out, context, args = writer.out, writer.context, operand.args
    own = words(operand.type)
    writer.more += SETS
    match operand.function, args:
        case "union", (v.ConstValue(int(base)), mask):
            stride = writer.mem.strides.get(base)
            if stride is None:
                raise TooWide(f"slot {base} is united with others")
            out.append(f"i32.const {writer.mem.address[base]}")
            wm = writer.width(mask)
            writer.all(mask, wm)
            out.append(f"call {context.need('union', 8 * stride, wm, stride)}")
            return writer._results(stride, width)
        case "union_of", (v.TableValue(name), mask):
            at, shape = writer.mem.shape(name)
            out.append(f"i32.const {at + shape.first}")
            wm = writer.width(mask)
            writer.all(mask, wm)
            out.append(f"call {context.need('union', shape.entry, wm, shape.words[0])}")
            return writer._results(shape.words[0], width)
        case "members_at", (v.ConstValue(int(base)), group, value):
            wm = writer.width(group)
            out.append(f"i32.const {writer.mem.address[base]}")
            writer.all(group, wm)
            writer.push(value)
            out.append(f"call {context.need('members_at', 8 * writer.mem.strides[base], wm)}")
            return writer._results(wm, width)
        case "at", (v.TableValue(name), i):
            return _entry_or_empty(writer, name, i, width)
        case (("group_mask" | "group_rest"), (source, picked, a, b)):
            for x_ in (source, picked):
                writer.all(x_, own)
            writer.push(a)
            writer.push(b)
            out.append(f"call {context.need(operand.function, own)}")
            return writer._results(own, width)
        case "group_classes", (classes, picked, least, most, *kept):
            writer.push(classes)
            out.append("i32.wrap_i64")
            writer.all(picked, own)
            writer.push(least)
            writer.push(most)
            writer.all(kept[0] if kept else v.ConstValue(-1), own)
            out.append(f"call {context.need('group_classes', own)}")
            return writer._results(own, width)
        case "first_class", (classes, left):
            writer.push(classes)
            out.append("i32.wrap_i64")
            writer.all(left, own)
            out.append(f"call {context.need('first_class', own)}")
            return writer._results(own, width)
        case "packed_after", (code, value):
            wide_ = max(own, writer.width(code))
            writer.all(code, wide_)
            writer.push(value)
            out.append(f"call {context.need('packed_after', wide_)}")
            return writer._results(wide_, width)
        case "packed", (v.Tuple(items),):
            return _packed(writer, items, width)
        case "packed_there", (v.Tuple(items),):
            return _packed_there(writer, items, own, width)
        case "packed", (list_,):
            return writer.words(list_, width)
    _unknown(operand)


def _entry_or_empty(writer: WasmValueWriter, table: str, index: v.Value, width: int) -> list[Ins]:
    """Return the words of an entry of a table of sets, which are 0 beyond its end."""
    at, shape = writer.mem.shape(table)
    t = _held(writer, index)
    names = [writer.temp() for _ in range(shape.words[0])]
    writer.out += [*t, "i32.const 0", f"i64.load offset={at}", "i64.lt_u", "if"]
    for j, n in enumerate(names):
        writer.out += [
            *t,
            "i32.wrap_i64",
            f"i32.const {shape.entry}",
            "i32.mul",
            f"i64.load offset={at + shape.first + 8 * j}",
            f"local.set {n}",
        ]
    writer.out.append("else")
    for n in names:
        writer.out += [*ZERO, f"local.set {n}"]
    writer.out.append("end")
    return [[f"local.get {n}"] for n in names][:width] + [list(ZERO)] * (width - len(names))


def _packed(writer: WasmValueWriter, items: Sequence[v.Value], width: int) -> list[Ins]:
    parts = writer.spill([part for x in items for part in writer.words(x, 1)])
    made: list[Ins] = []
    for j in range(width):
        code: Ins = []
        for n, part in enumerate(parts[4 * j : 4 * j + 4]):
            code += [
                *part,
                "i64.const 2",
                "i64.add",
                f"i64.const {16 * n}",
                "i64.shl",
                *(["i64.or"] if n else []),
            ]
        made.append(code or list(ZERO))
    return writer.spill(made)


def _packed_there(
    writer: WasmValueWriter, items: Sequence[v.Value], own: int, width: int
) -> list[Ins]:
    parts = writer.spill([part for x in items for part in writer.words(x, 1)])
    at = writer.temp("i32")
    writer.out += [
        "global.get $bump",
        f"local.tee {at}",
        "i32.const 0",
        f"i32.const {8 * own}",
        "memory.fill",
        f"local.get {at}",
    ]
    for part in parts:
        t = writer.temp("i32")
        writer.out += [
            f"local.set {t}",
            f"local.get {at}",
            f"local.get {t}",
            *part,
            f"call {writer.context.need('there_add')}",
        ]
    writer.out.append("drop")
    return writer.spill([[f"local.get {at}", f"i64.load offset={8 * j}"] for j in range(own)])[
        :width
    ] + [list(ZERO)] * (width - own)


def _held(writer: WasmValueWriter, value: v.Value) -> Ins:
    """Compute a number now and return the code that reads it."""
    if isinstance(value, v.ConstValue):
        return _read(writer, value)
    return _read(writer, writer.hold(value))


def _read(writer: WasmValueWriter, value: v.Value) -> Ins:
    return writer._held(value)
