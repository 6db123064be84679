"""Warn of looks in drawing.yaml that players cannot distinguish, such as two sides of one colour,
or two terrains or signs drawn alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.compiler.source.game_source import Datum
from rulekit.compiler.source.map_and_pieces import entries, items, text

ALIKE = "RK676"
MAX_INVISIBLE_DIFFERENCE = 8  # an invisible difference of red, green or blue, out of 255
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z")
_SAME = {"water": False, "shore": False}  # the defaults


def alike(top: Mapping[str, Datum]) -> Iterator[Diagnostic]:
    """Yield the findings.

    Args:
        top: the sections of the drawing.
    """
    sides = entries(top.get("sides"))
    yield from _pairs(
        sides,
        ("colour",),
        "the sides",
        "the log, the clock and the seats show a side by its colour alone: give one of them "
        "another colour",
    )
    yield from _pairs(
        entries(top.get("owners")),
        ("colour", "emblem"),
        "the owners",
        "give one of them another colour or emblem",
    )
    yield from _pairs(
        entries(top.get("terrain")),
        ("fill", "texture", "water", "shore", "closed"),
        "the terrains",
        "give one of them another fill or texture",
    )
    signs = {
        text(said["name"]) or "": one
        for one in items(top.get("signs"))
        if "name" in (said := entries(one))
    }
    parts = ("shape", "size", "owner", "number", "walls", "wash", "islet", "mark")
    yield from _pairs(
        signs,
        parts,
        "the signs",
        "the legend shows both: give one of them another mark or shape",
        at="name",
    )


def _pairs(
    looks: Mapping[str, Datum], parts: Sequence[str], what: str, help: str, at: str = ""
) -> Iterator[Diagnostic]:
    """Yield a finding for each look that is drawn like an earlier one.

    Args:
        parts: the visible parts of a look.
        at: the part at which a finding is reported, by default the first.
    """
    seen: list[tuple[str, Datum]] = []
    for name, look in looks.items():
        said = entries(look)
        first = next((one for one in seen if _same(entries(one[1]), said, parts)), None)
        place = said.get(at or parts[0])
        if first is not None:
            other = entries(first[1]).get(at or parts[0], first[1])
            yield Diagnostic(
                ALIKE,
                f"{what} '{first[0]}' and '{name}' look alike",
                (place or look).span,
                help,
                level="warning",
                second=other.span,
                second_label="the first is here",
            )
        seen.append((name, look))


def _same(one: Mapping[str, Datum], other: Mapping[str, Datum], parts: Sequence[str]) -> bool:
    values = [
        [look[part].plain() if part in look else _SAME.get(part) for look in (one, other)]
        for part in parts
    ]
    return any(first is not None for first, _ in values) and all(
        _near(first, second) for first, second in values
    )


def _near(one: object, other: object) -> bool:
    """Return True if the values are equal, or are colours that nobody can distinguish."""
    if (
        isinstance(one, str)
        and isinstance(other, str)
        and _COLOUR.match(one)
        and _COLOUR.match(other)
    ):
        return all(
            abs(int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) <= MAX_INVISIBLE_DIFFERENCE
            for at in (1, 3, 5)
        )
    return one == other
