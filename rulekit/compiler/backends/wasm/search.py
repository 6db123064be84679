"""Emit the functions that grow a tree of choices.

They equal `rulekit.engine.search.mcts.Tree`, number by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulekit.compiler.backends.wasm.intrinsics import added
from rulekit.compiler.backends.wasm.line_memory import lines
from rulekit.compiler.backends.wasm.memory import Memory
from rulekit.compiler.backends.wasm.templates import render
from rulekit.runtime.intrinsics import CHOICES
from rulekit.runtime.program import FamilyInfo
from rulekit.runtime.search_constants import (
    ADD,
    BETTER,
    EXPLORE,
    LEAVE,
    LONGEST,
    NODES,
    NUMBER,
    PASS,
    SECOND,
    SHARE,
    TRAITS,
    UTMOST,
    WHOLE,
    WIDTH,
    sorts,
)
from rulekit.runtime.slots import COUNTER, PC, SCRIPT, SEED, WINNER

NODE = 40  # bytes


def search(
    mem: Memory, asked: Mapping[int, int], families: Iterable[FamilyInfo], options: int, sides: int
) -> str:
    """Return the functions of the search.

    The host places the root positions, the statistics of options and the nodes behind everything
    else.

    Args:
        asked: for each decision, the slot with the player who decides.
    """
    last = max(asked, default=0)
    who = mem.take(4 * (last + 1))
    mem.data.append(
        (
            who,
            b"".join(mem.address[asked.get(n, PC)].to_bytes(4, "little") for n in range(last + 1)),
        )
    )
    sort = mem.take(options + 1)
    mem.data.append((sort, sorts(families, options)))
    path = mem.take(4 * LONGEST + 4)
    made = mem.take(8 * LONGEST)
    worth = mem.take(24 * max(sides, 1))  # worth, leads now, growth of the leads
    tree = _functions(mem, who, sort, path, made, worth, max(sides, 1))
    return "\n".join([tree, lines(mem)])


def _functions(
    mem: Memory, asked: int, sort: int, path: int, made: int, worth: int, sides: int
) -> str:
    a, layer = mem.address, 8 + 8 * mem.layer_words
    pc = f"(i64.load offset={a[PC]} (i32.const 0))"
    who = f"(i64.load (i32.load offset={asked} (i32.shl (i32.wrap_i64 {pc}) (i32.const 2))))"
    frame = mem.state + 8 * sides
    words = range(mem.layer_words)
    counts = added([f"(i64.popcnt (i64.load offset={8 + 8 * j} (local.get $p)))" for j in words])
    picks = "".join(
        "\n" + render("search.pick_word", offset=8 + 8 * j, first_bit=64 * j) for j in words
    )
    top = "".join(
        "\n" + render("search.highest_word", offset=8 + 8 * j, last_bit=64 * j + 63)
        for j in reversed(words)
    )
    each = f"(local.set $p (i32.add (local.get $p) (i32.const {layer})))"
    loop = (
        f"(local.set $p (i32.const {mem.layers})) (block $b (loop $l (br_if $b (i32.ge_u (local.get"
        " $p) (global.get $layer_end)))"
    )
    is_sort = f"(i32.load8_u offset={sort} (i32.wrap_i64 (i64.load (local.get $p))))"
    skip = (
        "(if (i32.ge_s (local.get $only) (i32.const 0)) (then (br_if $s (i32.ne (local.get $only)"
        f" {is_sort}))))"
    )
    totals = " ".join(
        f"(local.set $t{i} (call_indirect $functions (type $resume) (i64.const {i}) (global.get"
        " $aim)))"
        for i in range(sides)
    )
    leads = " ".join(_lead(i, sides) for i in range(sides))
    zeros = " ".join(
        f"(f64.store offset={8 * i} (local.get $at) (f64.const 0))" for i in range(sides)
    )
    ended = " ".join(render("search.ended", worth_at=worth + 8 * i, side=i) for i in range(sides))
    grown = " ".join(
        render(
            "search.grown",
            lead_at=worth + 8 * (sides + i),
            lead_before=mem.state + 8 * i,
            growth_at=worth + 8 * (2 * sides + i),
        )
        for i in range(sides)
    )
    valued = " ".join(
        render("search.valued", lead_at=worth + 8 * (sides + i), worth_at=worth + 8 * i)
        for i in range(sides)
    )
    reset = " ".join(
        f"(f64.store offset={worth + 8 * i} (i32.const 0) (f64.const 0))"
        for i in (*range(sides), *range(2 * sides, 3 * sides))
    )
    return render(
        "search.functions",
        share_mask=SHARE - 1,
        loop=loop,
        skip=skip,
        counts=counts,
        each=each,
        picks=picks,
        top=top,
        layer_bits=64 * mem.layer_words,
        sides=sides,
        trait_mask=TRAITS - 1,
        node_bytes=NODE,
        add_sort=ADD,
        is_sort=is_sort,
        leave_sort=LEAVE,
        pass_share=PASS,
        number_sort=NUMBER,
        utmost_share=UTMOST,
        better_share=BETTER,
        max_nodes=NODES,
        explore=EXPLORE.hex(),
        width=WIDTH.hex(),
        locals_t=" ".join(f"(local $t{i} i64)" for i in range(sides)),
        zeros=zeros,
        scratch=mem.scratch,
        totals=totals,
        leads=leads,
        leads_at=worth + 8 * sides,
        grown=grown,
        pc=pc,
        winner=a[WINNER],
        ended=ended,
        valued=valued,
        state_bytes=mem.state,
        frame_bytes=frame,
        seed=a[SEED],
        counter=a[COUNTER],
        script=a[SCRIPT],
        choices_stream=CHOICES,
        whole_share=WHOLE,
        reset=reset,
        path=path,
        made=made,
        who=who,
        second=SECOND.hex(),
        first=(1 - SECOND).hex(),
        max_steps=LONGEST,
        worth_at=worth,
        growth_at=worth + 16 * sides,
    )


def _lead(side: int, sides: int) -> str:
    others = [f"(local.get $t{i})" for i in range(sides) if i != side] or ["(i64.const 0)"]
    best = others[0]
    for other in others[1:]:
        best = f"(call $greater {best} {other})"
    return (
        f"(f64.store offset={8 * side} (local.get $at) (f64.convert_i64_s (i64.sub (local.get"
        f" $t{side}) {best})))"
    )
