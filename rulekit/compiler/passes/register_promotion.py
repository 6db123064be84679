"""Find the frame variables that can be locals, and those that are never read."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionName
from rulekit.compiler.ir.visitor import ends, inside, nodes, parts
from rulekit.compiler.passes.use_sets import UseSets


def registers(
    routines: Sequence[tuple[c.Routine, UseSets]], exposed: Collection[int]
) -> tuple[set[int], set[int]]:
    """Return two sets of frame variables: those that can be locals, and the dead ones.

    A variable can be a local if only one routine uses it, and writes it before it reads it. A dead
    variable is assigned but never read.

    Args:
        exposed: the slots that are read elsewhere.
    """
    dead = {slot for _, used in routines for slot in used.written} - {
        slot for _, used in routines for slot in used.read
    }.union(exposed)
    where: dict[int, list[c.Routine]] = {}
    for routine, used in routines:
        for slot in sorted(used.frames):
            where.setdefault(slot, []).append(routine)
    alone = {
        slot: found[0]
        for slot, found in where.items()
        if len(found) == 1 and slot not in exposed and slot not in dead
    }
    early: dict[FunctionName, set[int]] = {}
    for routine in {r.name: r for r in alone.values()}.values():
        early[routine.name] = set()
        _walk(routine.body, set(), early[routine.name])
    return {slot for slot, routine in alone.items() if slot not in early[routine.name]}, dead


def _walk(body: c.Code, written: set[int], early: set[int]) -> None:
    """Collect the variables that may be read before they are written into `early`.

    `written` receives the variables that are certainly written when control reaches the end of the
    code.
    """
    for i in body:
        held = inside(i)
        for part in parts(i):
            if not isinstance(part, c.Stmt):
                early.update(
                    n.slot
                    for n in nodes(part)
                    if isinstance(n, v.FrameValue) and n.slot not in written
                )
        if isinstance(i, c.PutFrame):
            written.add(i.slot)
        elif isinstance(i, (c.CallStatement, c.Effect)) and i.into >= 0:
            written.add(i.into)
        elif isinstance(i, c.IfStatement) and ends(i.then):
            _walk(i.then, set(written), early)
            _walk(i.other, written, early)
        else:
            for code in held:
                _walk(code, set(written), early)
