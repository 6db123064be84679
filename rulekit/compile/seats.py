"""Takes a call of a phase and the loops around it, makes the block with which play can be begun in that phase: as if its caller ran.

The caller's variables get the values that the phase has been given for them, and each loop around stands in the round of its variable,
so that after the phase play goes on with those that come next. What the caller had worked out before is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from rulekit import model as m
from rulekit.compile import ir

if TYPE_CHECKING:
    from rulekit.compile.control import Lower


@frozen
class Round:
    """A loop that is open: its statement, and the slots of the machine that count its rounds."""

    loop: m.Each | m.Repeat
    slots: tuple[str, ...]


def seat(low: Lower, call: m.CallProc, rounds: list[Round]) -> ir.Block:
    """The block that does so; it leads nowhere."""
    block = low.new()
    block.entry = True
    outer, low.out = low.out, block.body
    for param, given in zip(call.proc.params, call.args, strict=True):
        arg = given.value if isinstance(given, m.InRange) else given
        if isinstance(arg, m.Read) and arg.var in low.unit.lay.vars:
            low.set_var(arg.var, low.read(param).text)
    for each in rounds:
        _stand(low, each)
    low.add(ir.Stop())
    low.out = outer
    return block


def _stand(low: Lower, each: Round) -> None:
    """The loop stands in the round of its variable; one that counts, in its first."""
    loop, slots = each.loop, each.slots
    if isinstance(loop, m.Repeat):
        low.put(slots[0], "=", "1")
        if len(slots) > 1:
            low.put(slots[1], "=", low.val(loop.limit).text)
        return
    now = low.read(loop.var).text
    if loop.numbers is not None:
        low.put(slots[0], "=", f"{now} + 1")
        low.put(slots[1], "=", low.val(loop.numbers[1]).text)
    elif loop.live:
        low.put(slots[0], "=", f"1 << {now}")
    elif loop.ties is not None and loop.source is not None:
        low.put(slots[0], "=", low.val(loop.source).text)
        low.put(slots[1], "=", low.classes_of(loop, slots[0]))
        low.put(slots[0], "&=", f"~(1 << {now})")
    elif loop.items is not None or loop.keys:
        low.put(slots[0], "=", f"packed_after({low.packed_source(loop)}, {now})")
    elif loop.source is not None:
        low.put(slots[0], "=", f"{low.val(loop.source).p} & -(2 << {now})")
