"""Takes a call of a phase and the loops around it, makes the block with which play can be begun in that phase: as if its caller ran.

The caller's variables get the values that the phase has been given for them, and each loop around stands in the round of its variable,
so that after the phase play goes on with those that come next. What the caller had worked out before is not known."""

from __future__ import annotations

from attrs import frozen

from rulekit import model as m
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.ir.typing import typed
from rulekit.compile.lower.blocks import Blocks
from rulekit.compile.lower.unit import ONE


@frozen
class Round:
    """A loop that is open: its statement, and the slots of the machine that count its rounds."""

    loop: m.Each | m.Repeat
    slots: tuple[v.Slot, ...]


def seat(low: Blocks, call: m.CallProc, rounds: list[Round]) -> c.Block:
    """The block that does so; it leads nowhere."""
    block = low.new()
    block.entry = True
    outer, low.out = low.out, block.body
    for param, given in zip(call.proc.params, call.args, strict=True):
        arg = given.value if isinstance(given, m.InRange) else given
        if isinstance(arg, m.Read) and arg.var in low.unit.lay.vars:
            low.set_var(arg.var, low.read(param))
    for each in rounds:
        _stand(low, each)
    low.add(c.Stop())
    low.out = outer
    return block


def _stand(low: Blocks, each: Round) -> None:
    """The loop stands in the round of its variable; one that counts, in its first."""
    loop, slots = each.loop, each.slots
    if isinstance(loop, m.Repeat):
        low.put(slots[0], "=", ONE)
        if len(slots) > 1:
            low.put(slots[1], "=", low.val(loop.limit))
        return
    now, rest = low.read(loop.var), slots[0]
    if loop.numbers is not None:
        low.put(rest, "=", v.Arith("+", now, ONE))
        low.put(slots[1], "=", low.val(loop.numbers[1]))
    elif loop.live:
        low.put(rest, "=", v.Bit(now, rest.type))
    elif loop.ties is not None and loop.source is not None:
        low.put(rest, "=", low.val(loop.source))
        low.put(slots[1], "=", low.classes_of(loop, rest))
        low.put(rest, "&=", v.Complement(v.Bit(now, rest.type)))
    elif loop.items is not None or loop.keys:
        source = low.packed_source(loop)
        low.put(rest, "=", v.Run("packed_after", (source, now), typed(source)))
    elif loop.source is not None:
        low.put(rest, "=", v.Bits("&", low.val(loop.source), v.From(now, 1)))
