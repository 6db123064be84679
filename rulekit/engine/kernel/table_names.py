"""Look up a table of the game by the names of its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.names import Names
from rulekit.runtime import intrinsics
from rulekit.runtime.program import TableInfo


def look_up(names: Names, info: TableInfo, args: Sequence[Any]) -> Any:
    """Return the results by name, or the only result of a table that has just one.

    A ratio is written `3 to 2` or `3:2`.
    """
    if len(args) != len(info.params):
        wanted = ", ".join(name for name, _ in info.params)
        raise RulekitError(
            f"{info.name!r} takes {len(info.params)} arguments ({wanted}), not {len(args)}"
        )
    row = 0
    for (low, size, clamp), (name, type), word in zip(info.keys, info.params, args, strict=True):
        if type.form == "ratio":
            step = intrinsics.ratio_column(info.ratios, info.rounding, *names.parse(type, word))
        else:
            step = names.parse(type, word) - low
            if clamp:
                step = min(max(step, 0), size - 1)
            if not 0 <= step < size:
                raise RulekitError(f"{info.name!r} has no row for {name} {word}")
        row = row * size + step
    found = {
        name: names.value(type, column[row])
        for (name, type), column in zip(info.outputs, info.columns, strict=True)
    }
    return found if len(found) > 1 else next(iter(found.values()))
