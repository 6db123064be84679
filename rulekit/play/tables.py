"""Takes a table of the game and words for its keys, makes the results that stand there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulekit.base.errors import RulekitError
from rulekit.play.names import Names
from rulekit.program import runtime
from rulekit.program.program import TableInfo

RATIO = re.compile(r"(\d+):(\d+)")


def is_ratio(word: object) -> bool:
    """Is this written as a ratio, like 3:2?"""
    return RATIO.fullmatch(str(word)) is not None


def look_up(names: Names, info: TableInfo, args: Sequence[Any]) -> Any:
    """The results by name; of a table with one result, that one. A ratio is written `3:2`."""
    if len(args) != len(info.params):
        wanted = ", ".join(name for name, _ in info.params)
        raise RulekitError(f"{info.name!r} takes {len(info.params)} arguments ({wanted}), not {len(args)}")
    row = 0
    for (low, size, clamp), (name, type), word in zip(info.keys, info.params, args, strict=True):
        if type.form == "ratio":
            pair = RATIO.fullmatch(str(word))
            if pair is None:
                raise RulekitError(f"{word!r} is not a ratio such as 3:2")
            step = runtime.ratio_column(info.ratios, info.rounding, int(pair[1]), int(pair[2]))
        else:
            step = names.parse(type, word) - low
            if clamp:
                step = min(max(step, 0), size - 1)
            if not 0 <= step < size:
                raise RulekitError(f"{info.name!r} has no row for {name} {word}")
        row = row * size + step
    found = {name: names.value(type, column[row]) for (name, type), column in zip(info.outputs, info.columns, strict=True)}
    return found if len(found) > 1 else next(iter(found.values()))
