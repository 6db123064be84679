"""Emit runtime functions: random results, arithmetic, sets and lists.

Each function equals the one with the same name in `rulekit.runtime.intrinsics` or `effects`. `w` is
the number of words of its masks.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.fuel import MUCH
from rulekit.compiler.backends.wasm.memory import SCRATCH, SEEN
from rulekit.compiler.backends.wasm.templates import render
from rulekit.runtime.slots import COUNTER, SEED


def params(name: str, width: int) -> str:
    return " ".join(f"(param ${name}{j} i64)" for j in range(width))


def local_declarations(name: str, width: int) -> str:
    return " ".join(f"(local ${name}{j} i64)" for j in range(width))


def results(width: int) -> str:
    return " ".join(["(result i64)"] * width)


def gets(name: str, width: int) -> str:
    return " ".join(f"(local.get ${name}{j})" for j in range(width))


def added(parts: list[str], op: str = "i64.add") -> str:
    made = parts[0]
    for part in parts[1:]:
        made = f"({op} {made} {part})"
    return made


def counted(name: str, width: int) -> str:
    """Return code for the number of members."""
    return added([f"(i64.popcnt (local.get ${name}{j}))" for j in range(width)])


def united(parts: list[str]) -> str:
    return added(parts, "i64.or")


def some(name: str, width: int) -> str:
    return united([f"(local.get ${name}{j})" for j in range(width)])


def length(name: str, width: int) -> str:
    """Return code for the number of bits up to the last member."""
    made = f"(i64.sub (i64.const 64) (i64.clz (local.get ${name}0)))"
    for j in range(1, width):
        own = f"(i64.sub (i64.const {64 * j + 64}) (i64.clz (local.get ${name}{j})))"
        made = f"(select {own} {made} (i64.ne (local.get ${name}{j}) (i64.const 0)))"
    return made


def fixed(context: EmitContext) -> str:
    """Return the functions of every module."""
    mem = context.mem
    seed, counter = mem.address[SEED], mem.address[COUNTER]
    layer = 8 + 8 * mem.layer_words
    stores = " ".join(
        f"(i64.store offset={8 + 8 * j} (global.get $layer_end) (local.get $m{j}))"
        for j in range(mem.layer_words)
    )
    return render(
        "runtime.fixed",
        fail_steps=fail(context, "steps", place="(local.get $place)"),
        free_rolls=MUCH // 32,
        counter=counter,
        seed=seed,
        layers=mem.layers,
        params_m=params("m", mem.layer_words),
        last_layer=mem.results - layer,
        fail_options=fail(context, "options"),
        stores=stores,
        layer_bytes=layer,
    )


def fail(context: EmitContext, what: str, *args: str, place: str = "(i64.const 0)") -> str:
    """Return code that ends play with an error."""
    given = [*args, *["(i64.const 0)"] * (4 - len(args))]
    return f"(call $fail (i64.const {context.failure(what)}) {' '.join(given)} {place})"


# ------------------------------------------------------------------------------------------------ n
def _tested(context: EmitContext, title: str, op: str, failure: str, more: str = "") -> str:
    return render(
        "arithmetic.tested",
        title=title,
        compute=render(f"arithmetic.{op}"),
        fail=fail(context, failure, place="(local.get $place)"),
        more=more,
    )


def plus(context: EmitContext) -> str:
    return _tested(context, "$plus", "plus", "wide")


def minus(context: EmitContext) -> str:
    return _tested(context, "$minus", "minus", "wide")


def times(context: EmitContext) -> str:
    return _tested(context, "$times", "times", "wide")


def small(context: EmitContext, op: str) -> str:
    """Emit an operation with a result that is stored in the state."""
    most = "(i64.const 0x4000000000000000)"
    tested = render(
        "arithmetic.small", most=most, fail_small=fail(context, "small", place="(local.get $place)")
    )
    return _tested(context, context.title("small", op), op, "small", tested)


def fdiv(context: EmitContext) -> str:
    return render("arithmetic.fdiv", minus=context.need("minus"))


def fmod(context: EmitContext) -> str:
    return render("arithmetic.fmod", fdiv=context.need("fdiv"))


def div(context: EmitContext) -> str:
    return render(
        "arithmetic.div",
        fail_division=fail(context, "division", place="(local.get $place)"),
        fdiv=context.need("fdiv"),
        minus=context.need("minus"),
    )


def below(context: EmitContext) -> str:
    """Emit the mask of the lowest n bits: none for n below 0, all for n above 63."""
    return render("arithmetic.below")


def shift(context: EmitContext) -> str:
    return render("arithmetic.shift", plus=context.need("plus"))


def ratio_column(context: EmitContext, up: int) -> str:
    """Emit the search in a table of ratios (rows of two) at an address."""
    name = context.title("ratio_column", up)
    step = render("arithmetic.ratio_products", times=context.need("times"))
    test, result = (
        ("i64.ge_s", "(return (local.get $i))")
        if up
        else ("i64.le_s", "(local.set $found (local.get $i))")
    )
    last = "(i64.sub (local.get $count) (i64.const 1))" if up else "(local.get $found)"
    return render(
        "arithmetic.ratio_column",
        title=name,
        test=test,
        step=step,
        result=result,
        last=last,
    )


def ratios(context: EmitContext) -> str:
    """Emit the comparison of two ratios: -1, 0 or 1 for less, equal or greater."""
    tidy = "".join("\n" + render("arithmetic.ratio_bounded", n=n, d=d) for n, d in ("ab", "cd"))
    return render("arithmetic.ratios", tidy=tidy, times=context.need("times"))


# ------------------------------------------------------------------------------------------------ s
def union(context: EmitContext, stride: int, width: int, own: int) -> str:
    """Emit the union of the masks (of `own` words, every `stride` bytes) of a set's members."""
    name = context.title("union", stride, width, own)
    body = ""
    for j in range(width):
        take = " ".join(
            f"(local.set $o{k} (i64.or (local.get $o{k}) (i64.load offset={8 * k} (local.get $p))))"
            for k in range(own)
        )
        body += "\n" + render(
            "sets.union_word", index=j, stride=stride, first_bit=64 * j, take=take
        )
    return render(
        "sets.union",
        title=name,
        params_m=params("m", width),
        results=results(own),
        locals_o=local_declarations("o", own),
        body=body,
        gets_o=gets("o", own),
    )


def members_at(context: EmitContext, stride: int, width: int) -> str:
    """Emit the members of a set whose slot has a value."""
    name = context.title("members_at", stride, width)
    body = ""
    for j in range(width):
        body += "\n" + render("sets.members_at_word", index=j, stride=stride, first_bit=64 * j)
    return render(
        "sets.members_at",
        title=name,
        params_m=params("m", width),
        results=results(width),
        locals_o=local_declarations("o", width),
        body=body,
        gets_o=gets("o", width),
    )


def _above(context: EmitContext, width: int) -> str:
    """Return code that assigns to r the members of the source above the last picked one."""
    cut = context.need("below")
    return f"(local.set $L {length('p', width)})" + " ".join(
        f"(local.set $r{j} (i64.and (local.get $s{j}) (i64.xor (i64.const -1) (call {cut} (i64.sub"
        f" (local.get $L) (i64.const {64 * j}))))))"
        for j in range(width)
    )


def group_rest(context: EmitContext, width: int) -> str:
    none = " ".join(["(i64.const 0)"] * width)
    alike = " ".join(
        f"(i64.and (local.get $s{j}) (i64.xor (i64.const -1) (local.get $p{j})))"
        for j in range(width)
    )
    return render(
        "sets.group_rest",
        title=context.title("group_rest", width),
        params_s=params("s", width),
        params_p=params("p", width),
        results=results(width),
        locals_r=local_declarations("r", width),
        count_p=counted("p", width),
        none=none,
        alike=alike,
        above=_above(context, width),
        gets_r=gets("r", width),
    )


def group_mask(context: EmitContext, width: int) -> str:
    none = " ".join(["(i64.const 0)"] * width)
    move = " ".join(render("sets.lowest_free", index=j) for j in range(width))
    return render(
        "sets.group_mask",
        title=context.title("group_mask", width),
        params_s=params("s", width),
        params_p=params("p", width),
        results=results(width),
        locals_r=local_declarations("r", width),
        locals_o=local_declarations("o", width),
        count_p=counted("p", width),
        none=none,
        above=_above(context, width),
        gets_r=gets("r", width),
        count_r=counted("r", width),
        move=move,
        gets_o=gets("o", width),
    )


def _class(name: str, width: int, masks: str) -> str:
    """Return code that assigns to a local the common members of the class at p and some masks."""
    return " ".join(
        f"(local.set ${name}{j} (i64.and (i64.load offset={8 * j} (local.get $p))"
        f" {masks.format(j=j)}))"
        for j in range(width)
    )


def first_class(context: EmitContext, width: int) -> str:
    return render(
        "sets.first_class",
        title=context.title("first_class", width),
        params_m=params("m", width),
        results=results(width),
        locals_o=local_declarations("o", width),
        span=_span(width),
        class_masks=_class("o", width, "(local.get $m{j})"),
        some_o=some("o", width),
        mask_bytes=8 * width,
        gets_o=gets("o", width),
    )


def _span(width: int) -> str:
    """Return code that sets p to the first mask of a list, and end to the address after it."""
    return render("sets.class_span", mask_bytes=8 * width)


def in_classes(context: EmitContext, width: int) -> str:
    more = " ".join(["(i64.const 0)"] * (context.mem.layer_words - width))
    return render(
        "sets.in_classes",
        title=context.title("in_classes", width),
        params_m=params("m", width),
        locals_o=local_declarations("o", width),
        span=_span(width),
        class_masks=_class("o", width, "(local.get $m{j})"),
        some_o=some("o", width),
        gets_o=gets("o", width),
        more=more,
        mask_bytes=8 * width,
    )


def group_classes(context: EmitContext, width: int) -> str:
    none = " ".join(["(i64.const 0)"] * width)
    free = "(i64.and (i64.xor (i64.const -1) (local.get $q{j})) (local.get $k{j}))"
    lowest = ""
    for j in range(width):
        own = (
            f"(i64.or (local.get $o{j}) (i64.and (local.get $f{j}) (i64.sub (i64.const 0)"
            f" (local.get $f{j}))))"
        )
        lowest += (
            f"(if (i64.ne (local.get $f{j}) (i64.const 0)) (then (local.set $o{j} {own}) (br $n)))"
        )
    return render(
        "sets.group_classes",
        title=context.title("group_classes", width),
        params_q=params("q", width),
        params_k=params("k", width),
        results=results(width),
        locals_f=local_declarations("f", width),
        locals_o=local_declarations("o", width),
        count_q=counted("q", width),
        none=none,
        span=_span(width),
        class_picked=_class("f", width, "(local.get $q{j})"),
        some_f=some("f", width),
        mask_bytes=8 * width,
        class_free=_class("f", width, free),
        count_f=counted("f", width),
        lowest=lowest,
        gets_o=gets("o", width),
    )


# ------------------------------------------------------------------------------------------------ s
def take(context: EmitContext) -> str:
    return render(
        "lists.take", scratch_end=context.mem.scratch + SCRATCH, fail_memory=fail(context, "memory")
    )


def later(context: EmitContext) -> str:
    return render("lists.later", take=context.need("take"))


def met(context: EmitContext) -> str:
    """Emit the test whether a search was at a place with an allowance, which is then noted.

    The table holds -1 in free entries.
    """
    return render(
        "lists.met",
        last_entry=SEEN // 16 - 1,
        most_entries=SEEN // 16 - 8,
        fail_memory=fail(context, "memory"),
    )


def sift(context: EmitContext) -> str:
    """Emit the move of an entry to its place among the sorted entries before it."""
    return render("lists.sift")


def order(context: EmitContext) -> str:
    return render("lists.order", sift=context.need("sift"))


def masks(context: EmitContext) -> str:
    """Emit the copy of masks out of entries to a list: the length, then the masks."""
    return render("lists.masks")


def pack(context: EmitContext) -> str:
    """Emit the packing of the last words of entries into a list of 16 bits each."""
    return render("lists.pack")


def there_add(context: EmitContext) -> str:
    """Emit the extension of a list by a value that is not none, once. It returns the end of the
    list.
    """
    return render("lists.there_add")


def packed_after(context: EmitContext, width: int) -> str:
    down = " ".join(
        f"(local.set $m{j} (i64.or (i64.shr_u (local.get $m{j}) (i64.const 16)) "
        + (f"(i64.shl (local.get $m{j + 1}) (i64.const 48))" if j + 1 < width else "(i64.const 0)")
        + "))"
        for j in range(width)
    )
    return render(
        "lists.packed_after",
        title=context.title("packed_after", width),
        params_m=params("m", width),
        results=results(width),
        some_m=some("m", width),
        down=down,
        gets_m=gets("m", width),
    )


PARTS: dict[str, Callable[..., str]] = {
    f.__name__: f
    for f in (
        plus,
        minus,
        times,
        small,
        fdiv,
        fmod,
        div,
        below,
        shift,
        ratio_column,
        ratios,
        union,
        members_at,
        group_rest,
        group_mask,
        first_class,
        in_classes,
        group_classes,
        take,
        later,
        met,
        sift,
        order,
        masks,
        pack,
        there_add,
        packed_after,
    )
}
