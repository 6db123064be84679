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


def _fails(o: WasmValueWriter, what: str, args: Sequence[Ins]) -> None:
    given = [*args, *[list(ZERO)] * (4 - len(args))]
    o.out += [
        *constant(o.context.failure(what)),
        *(i for part in given for i in part),
        *o.at_place(),
        "call $fail",
        "unreachable",
    ]


def push(o: WasmValueWriter, x: v.RunValue) -> None:
    """Emit code that leaves one word."""
    out, context, args = o.out, o.context, x.args
    match x.function, args:
        case (("in_range" | "held"), (value, low, high, what)):
            t = _held(o, value)
            lo, hi = _read(o, low), _read(o, high)
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
            _fails(o, x.function, [t, lo, hi, _read(o, what)])
            out += ["end", *t]
        case (("row" | "key"), (value, low, high)):
            t = _held(o, value)
            lo, hi = _read(o, low), _read(o, high)
            out += [*t, *lo, "i64.lt_s", *t, *hi, "i64.gt_s", "i32.or", "if"]
            _fails(o, x.function, [t, lo, hi])
            out += ["end", *t, *lo, "i64.sub"]
        case "small", (v.ArithValue(op, left, right) as made,) if (
            op in _TESTED and not context.bounds.fits(o.facts, made)
        ):
            o.push(left)
            o.push(right)
            out += [*o.at_place(), f"call {context.need('small', _TESTED[op])}"]
        case "small", (value,):
            t = _held(o, value)
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
            _fails(o, "small", [])
            out += ["end", *t]
        case "there", (value, missing):
            t = _held(o, value)
            out += [*t, *_read(o, missing), "i64.eq", "if"]
            _fails(o, "there", [])
            out += ["end", *t]
        case "the", (mask,):
            _push_only_member(o, mask)
        case (("div_up" | "div_down"), (num, den)):
            o.push(num)
            o.push(den)
            out += [
                *constant(int(x.function == "div_up")),
                *o.at_place(),
                f"call {context.need('div')}",
            ]
        case "shift", (member, by, top):
            for given in (member, by, top):
                o.push(given)
            out += [*o.at_place(), f"call {context.need('shift')}"]
        case "could_be", (known_, item, pool, hidden):
            member = item if isinstance(item, v.ConstValue) else o.hold(item)
            some = v.All((hidden, v.Some(pool)))
            o.push(
                v.All(
                    (
                        v.CompareValue(">=", member, v.ConstValue(0)),
                        v.IfValue(v.Has(known_, member), v.Has(pool, member), some, True),
                    )
                )
            )
        case "ratio_column", (v.TableValue(name), v.TextValue(rounding), *pair):
            _push_ratio_column(o, name, pair)
            out += [*o.at_place(), f"call {context.need('ratio_column', int(rounding == 'up'))}"]
        case "compare_ratios", (v.TextValue(op), left, right):
            for part in [*o.words(left, 2), *o.words(right, 2)]:
                out += part
            out += [
                *o.at_place(),
                f"call {context.need('ratios')}",
                "i64.const 0",
                test_of(cast(v.CompareOp, op)),
                "i64.extend_i32_u",
            ]
        case _:
            _unknown(x)


def _push_only_member(o: WasmValueWriter, mask: v.Value) -> None:
    """Emit code that leaves the only member of a set, and fails if there are none or several."""
    parts = o.spill(o.words(mask, o.width(mask)))
    n = o.temp()
    for j, part in enumerate(parts):
        o.out += [*part, "i64.popcnt", *(["i64.add"] if j else [])]
    o.out += [f"local.tee {n}", "i64.const 1", "i64.ne", "if"]
    _fails(o, "the", [[f"local.get {n}"]])
    o.out.append("end")
    o.push(v.Lowest(mask))


def _push_ratio_column(o: WasmValueWriter, table: str, ratio: Sequence[v.Value]) -> None:
    """Emit code that leaves a table of ratios, its length, and the ratio that is looked up."""
    at, shape = o.mem.shape(table, 2)
    o.out += [f"i32.const {at + shape.first}", "i32.const 0", f"i64.load offset={at}"]
    for part in [
        part
        for x in ratio
        for part in (o.words(x.value, 2) if isinstance(x, v.Spread) else o.words(x, 1))
    ]:
        o.out += part


def _unknown(x: v.RunValue) -> NoReturn:
    """Raise the error for a function with arguments that the backend does not support.

    Each function is supported with some arguments: in `push` (one word), in `wide`, or in a list of
    options.
    """
    match x.function:
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
            raise TooWide(f"the function {x.function}")
    assert_never(x.function)


def wide(o: WasmValueWriter, x: v.RunValue, w: int) -> list[Ins]:
    """Return the words of a set or list."""
    out, context, args = o.out, o.context, x.args
    own = words(x.type)
    o.more += SETS
    match x.function, args:
        case "union", (v.ConstValue(int(base)), mask):
            stride = o.mem.strides.get(base)
            if stride is None:
                raise TooWide(f"slot {base} is united with others")
            out.append(f"i32.const {o.mem.address[base]}")
            wm = o.width(mask)
            o.all(mask, wm)
            out.append(f"call {context.need('union', 8 * stride, wm, stride)}")
            return o._results(stride, w)
        case "union_of", (v.TableValue(name), mask):
            at, shape = o.mem.shape(name)
            out.append(f"i32.const {at + shape.first}")
            wm = o.width(mask)
            o.all(mask, wm)
            out.append(f"call {context.need('union', shape.entry, wm, shape.words[0])}")
            return o._results(shape.words[0], w)
        case "members_at", (v.ConstValue(int(base)), group, value):
            wm = o.width(group)
            out.append(f"i32.const {o.mem.address[base]}")
            o.all(group, wm)
            o.push(value)
            out.append(f"call {context.need('members_at', 8 * o.mem.strides[base], wm)}")
            return o._results(wm, w)
        case "at", (v.TableValue(name), i):
            return _entry_or_empty(o, name, i, w)
        case (("group_mask" | "group_rest"), (source, picked, a, b)):
            for x_ in (source, picked):
                o.all(x_, own)
            o.push(a)
            o.push(b)
            out.append(f"call {context.need(x.function, own)}")
            return o._results(own, w)
        case "group_classes", (classes, picked, least, most, *kept):
            o.push(classes)
            out.append("i32.wrap_i64")
            o.all(picked, own)
            o.push(least)
            o.push(most)
            o.all(kept[0] if kept else v.ConstValue(-1), own)
            out.append(f"call {context.need('group_classes', own)}")
            return o._results(own, w)
        case "first_class", (classes, left):
            o.push(classes)
            out.append("i32.wrap_i64")
            o.all(left, own)
            out.append(f"call {context.need('first_class', own)}")
            return o._results(own, w)
        case "packed_after", (code, value):
            wide_ = max(own, o.width(code))
            o.all(code, wide_)
            o.push(value)
            out.append(f"call {context.need('packed_after', wide_)}")
            return o._results(wide_, w)
        case "packed", (v.Tuple(items),):
            return _packed(o, items, w)
        case "packed_there", (v.Tuple(items),):
            return _packed_there(o, items, own, w)
        case "packed", (list_,):
            return o.words(list_, w)
    _unknown(x)


def _entry_or_empty(o: WasmValueWriter, table: str, index: v.Value, w: int) -> list[Ins]:
    """Return the words of an entry of a table of sets, which are 0 beyond its end."""
    at, shape = o.mem.shape(table)
    t = _held(o, index)
    names = [o.temp() for _ in range(shape.words[0])]
    o.out += [*t, "i32.const 0", f"i64.load offset={at}", "i64.lt_u", "if"]
    for j, n in enumerate(names):
        o.out += [
            *t,
            "i32.wrap_i64",
            f"i32.const {shape.entry}",
            "i32.mul",
            f"i64.load offset={at + shape.first + 8 * j}",
            f"local.set {n}",
        ]
    o.out.append("else")
    for n in names:
        o.out += [*ZERO, f"local.set {n}"]
    o.out.append("end")
    return [[f"local.get {n}"] for n in names][:w] + [list(ZERO)] * (w - len(names))


def _packed(o: WasmValueWriter, items: Sequence[v.Value], w: int) -> list[Ins]:
    parts = o.spill([part for x in items for part in o.words(x, 1)])
    made: list[Ins] = []
    for j in range(w):
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
    return o.spill(made)


def _packed_there(o: WasmValueWriter, items: Sequence[v.Value], own: int, w: int) -> list[Ins]:
    parts = o.spill([part for x in items for part in o.words(x, 1)])
    at = o.temp("i32")
    o.out += [
        "global.get $bump",
        f"local.tee {at}",
        "i32.const 0",
        f"i32.const {8 * own}",
        "memory.fill",
        f"local.get {at}",
    ]
    for part in parts:
        t = o.temp("i32")
        o.out += [
            f"local.set {t}",
            f"local.get {at}",
            f"local.get {t}",
            *part,
            f"call {o.context.need('there_add')}",
        ]
    o.out.append("drop")
    return o.spill([[f"local.get {at}", f"i64.load offset={8 * j}"] for j in range(own)])[:w] + [
        list(ZERO)
    ] * (w - own)


def _held(o: WasmValueWriter, x: v.Value) -> Ins:
    """Compute a number now and return the code that reads it."""
    if isinstance(x, v.ConstValue):
        return _read(o, x)
    return _read(o, o.hold(x))


def _read(o: WasmValueWriter, x: v.Value) -> Ins:
    return o._held(x)
