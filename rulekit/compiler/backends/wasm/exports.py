"""Emit the functions that the host calls: begin, apply, options, playouts, perft."""

from __future__ import annotations

from rulekit.compiler.backends.wasm.context import EmitContext
from rulekit.compiler.backends.wasm.fuel import CHOICE
from rulekit.compiler.backends.wasm.intrinsics import fail
from rulekit.compiler.backends.wasm.memory import LAYERS, MARKS, ROOM
from rulekit.compiler.backends.wasm.templates import render
from rulekit.runtime.intrinsics import CHOICES
from rulekit.runtime.slots import COUNTER, LEVEL, PC, SEED, WINNER
from rulekit.runtime.wasm_format import DEPTH, RESULT


def play(context: EmitContext, begin: int, resume: int, options: int, sides: int) -> str:
    """Return the functions that play.

    Args:
        begin: the block that begins a game.
        resume: the index of the first routine for a chosen option in the table of functions.
        options: the index of the first function that lists options there.
        sides: the number of sides.
    """
    mem = context.mem
    a, layer = mem.address, 8 + 8 * mem.layer_words
    pc = f"(i64.load offset={a[PC]} (i32.const 0))"
    counts = "(i64.popcnt (i64.load offset=8 (local.get $p)))"
    for j in range(1, mem.layer_words):
        counts = f"(i64.add {counts} (i64.popcnt (i64.load offset={8 + 8 * j} (local.get $p))))"
    picks = down = ""
    for j in range(mem.layer_words):
        word = f"(i64.load offset={8 + 8 * j} (local.get $p))"
        picks += "\n" + render("play.pick_word", word=word, first_bit=64 * j)
        down += "\n" + render(
            "play.down_word", word=word, index=j, first_bit=64 * j, pc=pc, state_bytes=mem.state
        )
    frame = mem.state + LAYERS
    turn, row = "(i64.load (global.get $turn))", 8 + 8 * sides
    scores = " ".join(
        f"(i64.store offset={8 + 8 * i} (local.get $p) "
        f"(call_indirect $functions (type $resume) (i64.const {i}) (global.get $score)))"
        for i in range(sides)
    )
    full = "(global.set $fuel (global.get $max_fuel))"
    each = f"(local.set $p (i32.add (local.get $p) (i32.const {layer})))"
    return render(
        "play.functions",
        scratch=mem.scratch,
        fail_steps=fail(context, "steps"),
        choice_fuel=CHOICE,
        full=full,
        entry_bytes=LAYERS + 8,
        state_bytes=mem.state,
        pc=pc,
        layers=mem.layers,
        options=options,
        origin=mem.origin,
        seed=a[SEED],
        begin=begin,
        resume=resume,
        counts=counts,
        each=each,
        picks=picks,
        fail_choices=fail(context, "choices"),
        last_mark=mem.marks + MARKS - row,
        scores=scores,
        row_bytes=row,
        max_games=ROOM,
        fail_memory=fail(context, "memory"),
        results=mem.results,
        marks=mem.marks,
        result_bytes=RESULT,
        choices_stream=CHOICES,
        turn=turn,
        winner=a[WINNER],
        level=a[LEVEL],
        counter=a[COUNTER],
        frame_bytes=frame,
        counts_at=mem.counts,
        down=down,
        max_depth=DEPTH,
        counts_bytes=8 * DEPTH,
    )
