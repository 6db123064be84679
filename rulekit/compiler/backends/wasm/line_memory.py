"""Emit the functions that remember lines of own choices.

They equal `rulekit.engine.search.line_memory.LineMemory`. The file `wat/line_memory.wat` explains
them. The export `descend(option)` keeps the rest of each line after a choice. The exports `line`
(its address), `line_length`, `line_won` (the sum of its values) and `line_plays` describe the best
line.
"""

from __future__ import annotations

from rulekit.compiler.backends.wasm.memory import Memory
from rulekit.compiler.backends.wasm.templates import render
from rulekit.runtime.search_constants import LINE, NONE, TRIED, TRYING, TURNS, VARYING

BYTES = 4  # of an option


def lines(mem: Memory) -> str:
    """Return the functions. Four lines lie one behind the other: the line of the iteration, the
    best line, the line on trial, and the best line found since.
    """
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
