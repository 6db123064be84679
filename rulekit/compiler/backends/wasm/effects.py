"""Emit effects, which are calls of functions that write many slots, and these functions.

Each function equals the one with the same name in `rulekit.runtime.effects`, in the fast variant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, assert_never

from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.fuel import SETS
from rulekit.compiler.backends.wasm.intrinsics import counted, fail, local_declarations, params
from rulekit.compiler.backends.wasm.memory import TooWide, kept
from rulekit.compiler.backends.wasm.set_loops import SetLoopWriter
from rulekit.compiler.backends.wasm.templates import render
from rulekit.compiler.backends.wasm.values import Ins
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v


def known(args: Sequence[v.Value], count: int) -> list[int]:
    """Return the first arguments, which must be constants."""
    found = [a.value for a in args[:count] if isinstance(a, v.ConstValue)]
    if len(found) < count or not all(isinstance(x, int) for x in found):
        raise TooWide("an effect with an unknown place")
    return [x for x in found if isinstance(x, int)]


def write(code: SetLoopWriter, statement: c.Effect) -> None:
    """Emit an effect."""
    context, o = code.context, code.out
    match statement.function, statement.args:
        case "put_both", (*_, key, value):
            base, index, values = known(statement.args, 3)
            code.push(key)
            code.push(value)
            o.append(f"call {context.need('put_both', base, index, values)}")
        case "put_group", (*_, group, value):
            base, index, values = known(statement.args, 3)
            code.all(group, kept(context.mem.types[index]))
            code.push(value)
            o.append(f"call {context.need('put_group', base, index, values)}")
        case "put_all", (base_, group, value):
            (base,) = known((base_,), 1)
            w, own = code.width(group), kept(context.mem.types[base])
            code.all(group, w)
            code.all(value, own)
            o.append(f"call {context.need('put_all', base, w)}")
        case "fill", (*_, value):
            base, count = known(statement.args, 2)
            own = kept(context.mem.types[base])
            code.all(value, own)
            o.append(f"call {context.need('fill', base, count)}")
        case "fill_at", (value,):
            slots = context.mem.values[statement.tables[0]]
            code.all(value, max(kept(context.mem.types[slot]) for slot in slots))
            o.append(f"call {context.need('fill_at', statement.tables[0])}")
        case "roll_dice", (number, faces):
            code.push(number)
            code.push(faces)
            o.append("call $roll")
        case (("draw_things" | "put_thing" | "gather_things"), (_, *rest)):
            (slot,) = known(statement.args, 1)
            for x in rest:
                code.push(x)
            o.append(f"call {context.need(statement.function, statement.tables[0], slot)}")
        case "log_revealed", _:
            pass
        case "save_frame", _:
            o += code.at_place()
            o.append(f"call {frames(context, statement.frame, True)}")
        case _:
            _unknown(statement)
    code.more += SETS


def _unknown(statement: c.Effect) -> NoReturn:
    """Raise the error for an effect with arguments that the backend does not support."""
    match statement.function:
        case (
            "draw_things"
            | "fill"
            | "fill_at"
            | "gather_things"
            | "log_revealed"
            | "put_all"
            | "put_both"
            | "put_group"
            | "put_thing"
            | "roll_dice"
            | "save_frame"
        ):
            raise TooWide(f"the effect {statement.function}")
    assert_never(statement.function)


# ------------------------------------------------------------------------------------------------ f
def _bit(address: str, clear: bool) -> str:
    """Return code that sets or clears bit k of the mask at an address (a local)."""
    at = (
        f"(i32.add (local.get {address}) (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $k)"
        " (i64.const 6))) (i32.const 3)))"
    )
    bit = "(i64.shl (i64.const 1) (local.get $k))"
    change = (
        f"(i64.and (i64.load {at}) (i64.xor (i64.const -1) {bit}))"
        if clear
        else f"(i64.or (i64.load {at}) {bit})"
    )
    return f"(i64.store {at} {change})"


def _indexed(context: EmitContext, base: int, local: str, none: int = -1) -> str:
    """Return the address of slot base + a number.

    Args:
        none: replaces the number -1.
    """
    number = f"(local.get {local})"
    if none >= 0:
        number = f"(select {number} (i64.const {none}) (i64.ge_s {number} (i64.const 0)))"
    stride = 8 * kept(context.mem.types[base])
    return (
        f"(i32.add (i32.const {context.mem.address[base]}) (i32.mul (i32.wrap_i64 {number})"
        f" (i32.const {stride})))"
    )


def put_both(context: EmitContext, base: int, index: int, values: int) -> str:
    return render(
        "effects.put_both",
        title=context.title("put_both", base, index, values),
        value_slot=_indexed(context, base, "$k"),
        old_mask=_indexed(context, index, "$o", values),
        clear_bit=_bit("$a", True),
        new_mask=_indexed(context, index, "$v", values),
        set_bit=_bit("$a", False),
    )


def put_group(context: EmitContext, base: int, index: int, values: int) -> str:
    w, address = kept(context.mem.types[index]), context.mem.address[index]
    mine = " ".join(
        f"(local.set $g{j} (i64.and (local.get $g{j}) (i64.xor (i64.const -1) (i64.load"
        f" offset={8 * j} (local.get $t)))))"
        for j in range(w)
    )
    none = " ".join(f"(i64.eqz (local.get $g{j}))" + (" i32.and" if j else "") for j in range(w))
    clear = " ".join(
        f"(i64.store offset={8 * j} (local.get $a) (i64.and (i64.load offset={8 * j} (local.get"
        f" $a)) (i64.xor (i64.const -1) (local.get $g{j}))))"
        for j in range(w)
    )
    give = " ".join(
        f"(i64.store offset={8 * j} (local.get $t) (i64.or (i64.load offset={8 * j} (local.get $t))"
        f" (local.get $g{j})))"
        for j in range(w)
    )
    group = " ".join(f"(local.get $g{j})" for j in range(w))
    every = f"(call {context.need('put_all', base, w)} {group} (local.get $v))" if base >= 0 else ""
    return render(
        "effects.put_group",
        title=context.title("put_group", base, index, values),
        params_g=params("g", w),
        new_mask=_indexed(context, index, "$v", values),
        mine=mine,
        none=none,
        address=address,
        clear=clear,
        mask_bytes=8 * w,
        end=address + 8 * w * (values + 1),
        give=give,
        every=every,
    )


def put_all(context: EmitContext, base: int, width: int) -> str:
    own = kept(context.mem.types[base])
    body = ""
    for j in range(width):
        stores = " ".join(
            f"(i64.store offset={8 * n} (local.get $a) (local.get $v{n}))" for n in range(own)
        )
        body += "\n" + render(
            "effects.put_all_word",
            index=j,
            address=context.mem.address[base] + 64 * j * 8 * own,
            value_bytes=8 * own,
            stores=stores,
        )
    return render(
        "effects.put_all",
        title=context.title("put_all", base, width),
        params_g=params("g", width),
        params_v=params("v", own),
        body=body,
    )


def fill(context: EmitContext, base: int, count: int) -> str:
    own, address = kept(context.mem.types[base]), context.mem.address[base]
    stores = " ".join(
        f"(i64.store offset={8 * n} (local.get $a) (local.get $v{n}))" for n in range(own)
    )
    return render(
        "effects.fill",
        title=context.title("fill", base, count),
        params_v=params("v", own),
        address=address,
        stores=stores,
        value_bytes=8 * own,
        end=address + 8 * own * count,
    )


def fill_at(context: EmitContext, table: str) -> str:
    slots = context.mem.values[table]
    widest = max(kept(context.mem.types[slot]) for slot in slots)
    stores = "\n".join(
        f"(i64.store offset={context.mem.address[slot] + 8 * j} (i32.const 0) (local.get $v{j}))"
        for slot in slots
        for j in range(kept(context.mem.types[slot]))
    )
    return render(
        "effects.fill_at",
        title=context.title("fill_at", table),
        params_v=params("v", widest),
        stores=stores,
    )


# ------------------------------------------------------------------------------------------------ p
def _pools(context: EmitContext, table: str) -> tuple[list[tuple[int, int, int]], int]:
    """Return (first slot, number of slots, is open) for each pool of a kind, and the number of
    words of their masks.
    """
    pools: list[tuple[int, int, int, int]] = context.mem.values[table]
    widths = {kept(context.mem.types[base]) for base, *_ in pools}
    if len(widths) > 1:
        raise TooWide("pools of several widths")
    return [(base, count, public) for base, count, public, _ in pools], widths.pop()


def _slot(context: EmitContext, local: str) -> str:
    """Return the code for the address of a slot, from its number."""
    return (
        f"(i32.load offset={context.mem.addresses} (i32.shl (i32.wrap_i64 (local.get {local}))"
        " (i32.const 2)))"
    )


def move(context: EmitContext, table: str, slot: int) -> str:
    """Emit a function that moves a thing k to the pool with the slot t.

    Args:
        slot: the slot of the things whose place everybody knows.
    """
    pools, w = _pools(context, table)
    public = [
        f"(i32.and (i64.ge_s (local.get $t) (i64.const {base})) (i64.lt_s (local.get $t) (i64.const"
        f" {base + count})))"
        for base, count, open in pools
        if open
    ]
    seen = public[0] if public else "(i32.const 0)"
    for test in public[1:]:
        seen = f"(i32.or {seen} {test})"
    body = ""
    for base, count, open in pools:
        first = context.mem.address[base]
        body += "\n" + render(
            "effects.leave_pool",
            first=first,
            pool_bytes=8 * w * count,
            base=base,
            see="(local.set $seen (i32.const 1))" if open else "",
            mask_bytes=8 * w,
        )
    return render(
        "effects.move",
        title=context.title("move", table, slot),
        seen=seen,
        body=body,
        target_slot=_slot(context, "$t"),
        set_bit=_bit("$a", False),
        known=context.mem.address[slot],
    )


def put_thing(context: EmitContext, table: str, slot: int) -> str:
    return render(
        "effects.put_thing",
        title=context.title("put_thing", table, slot),
        move=context.need("move", table, slot),
    )


def gather_things(context: EmitContext, table: str, slot: int) -> str:
    _, w = _pools(context, table)
    body = " ".join(
        f"(local.set $m{j} (i64.load offset={8 * j} {_slot(context, '$f')}))" for j in range(w)
    )
    for j in range(w):
        body += "\n" + render(
            "effects.gather_word", index=j, move=context.need("move", table, slot), first_bit=64 * j
        )
    return render(
        "effects.gather_things",
        title=context.title("gather_things", table, slot),
        locals_m=local_declarations("m", w),
        body=body,
    )


def draw_things(context: EmitContext, table: str, slot: int) -> str:
    _, w = _pools(context, table)
    reads = " ".join(
        f"(local.set $m{j} (i64.load offset={8 * j} {_slot(context, '$f')}))" for j in range(w)
    )
    at = context.mem.address[slot]
    forget = " ".join(
        f"(i64.store offset={at + 8 * j} (i32.const 0) (i64.and (i64.load offset={at + 8 * j}"
        f" (i32.const 0)) (i64.xor (i64.const -1) (local.get $m{j}))))"
        for j in range(w)
    )
    pick = ""
    for j in range(w):
        pick += "\n" + render("effects.draw_word", index=j, first_bit=64 * j)
    return render(
        "effects.draw_things",
        title=context.title("draw_things", table, slot),
        locals_m=local_declarations("m", w),
        reads=reads,
        count_m=counted("m", w),
        forget=forget,
        pick=pick,
        move=context.need("move", table, slot),
    )


# ------------------------------------------------------------------------------------------------ f
def frames(context: EmitContext, proc: int, save: bool) -> str:
    """Return the name of the function that saves or restores the frame of a procedure."""
    title = f"${'save' if save else 'load'}_{proc}"
    if title not in context.needed:
        context.needed[title] = (
            _frames(context, title, context.mem.values[context.parts.saved[proc]], save) + ")"
        )
    return title


def _frames(context: EmitContext, title: str, table: Any, save: bool) -> str:
    """Emit the function that copies the slots of a procedure to its save area, or back."""
    slots, depth, area = table
    mem = context.mem
    widths = [kept(mem.types[slot]) for slot in slots]
    size, at = 8 * sum(widths), f"offset={mem.address[depth]}"
    o: Ins = [
        f"(func {title} {'(param $place i64)' if save else ''} (local $a i32) (local $l i64)",
        f"(local.set $l (i64.load {at} (i32.const 0)))",
    ]
    if save:
        o.append(
            "(if (i64.ge_s (local.get $l) (i64.const 3)) (then"
            f" {fail(context, 'deep', place='(local.get $place)')}))"
        )
    else:
        o += [
            "(local.set $l (i64.sub (local.get $l) (i64.const 1)))",
            "(if (i64.lt_s (local.get $l) (i64.const 0)) (then return))",
        ]
    o.append(
        f"(local.set $a (i32.add (i32.const {mem.address[area]}) (i32.mul (i32.wrap_i64 (local.get"
        f" $l)) (i32.const {size}))))"
    )
    there = 0
    for slot, wide in zip(slots, widths, strict=True):
        for j in range(wide):
            own = f"offset={mem.address[slot] + 8 * j} (i32.const 0)"
            away = f"offset={there} (local.get $a)"
            o += (
                [f"(i64.store {away} (i64.load {own}))"]
                if save
                else [f"(i64.store {own} (i64.load {away}))", f"(i64.store {away} (i64.const 0))"]
            )
            there += 8
    change = "(i64.add (local.get $l) (i64.const 1))" if save else "(local.get $l)"
    return "\n".join([*o, f"(i64.store {at} (i32.const 0) {change})"])


PARTS: dict[str, Callable[..., str]] = {
    f.__name__: f
    for f in (
        put_both,
        put_group,
        put_all,
        fill,
        fill_at,
        move,
        put_thing,
        gather_things,
        draw_things,
    )
}
