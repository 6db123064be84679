"""Takes the memory of a module, makes the functions that keep lines of own choices, as
`rulekit.engine.search.line_memory.Lines` does.

`$line_begin(visit, chance)`, `$line_next` (an option that is offered, or 0), `$line_made(option)`,
`$line_end(visit, worth)`, `$line_plant` (a new tree: there is no line), and the export
`descend(option)`. `$line_off`: none is kept in this visit. Of the best line the exports `line`
(where it lies), `line_length`, `line_won` (the sum of what it was worth) and `line_plays`.
"""

from __future__ import annotations

from rulekit.compiler.backends.wasm.memory import Memory
from rulekit.compiler.backends.wasm.templates import render
from rulekit.runtime.search_constants import LINE, NONE, TRIED, TRYING, TURNS, VARYING

BYTES = 4  # of an option


def lines(mem: Memory) -> str:
    """Four lines lie one behind the other: that of the visit, the best, the one that is tried, the
    best that was found meanwhile."""
    now = mem.take(4 * BYTES * LINE)
    best, tried, found = (now + BYTES * LINE * n for n in (1, 2, 3))
    return render(
        "line_memory.functions",
        best=best,
        none=NONE,
        option_bytes=BYTES,
        tried_count=TRIED,
        tried=tried,
        found=found,
        cycle=TRIED * TURNS,
        trying_begins=TRIED * TRYING,
        trying=TRYING,
        varying=VARYING,
        max_length=LINE,
        now=now,
        last_tried=TRIED - 1,
    )
