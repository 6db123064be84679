"""The drawing of a game (drawing.yaml) with defaults filled in, and its entries for a border."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulekit.engine.kernel.names import Names
from rulekit.runtime.program import KindInfo

ENDS_OF_BORDER = 2
# colours of sides without one, by their order
COLOURS = (
    "#1f5a93",
    "#a52f27",
    "#2f6f3a",
    "#6b3f8f",
    "#9a6a00",
    "#2b7a78",
)
# colours of sides that are named after one. White text is readable on each
NAMED = {
    "blue": "#1f5a93",
    "red": "#a52f27",
    "green": "#2f6f3a",
    "purple": "#6b3f8f",
    "violet": "#6b3f8f",
    "yellow": "#9a6a00",
    "gold": "#9a6a00",
    "teal": "#2b7a78",
    "orange": "#b0510d",
    "brown": "#6b4526",
    "pink": "#a83f73",
    "grey": "#5c6068",
    "gray": "#5c6068",
    "black": "#2b2c30",
    "white": "#807a6b",
}


def drawing_of(names: Names) -> dict[str, Any]:
    """Return the content of drawing.yaml, with a colour for each side."""
    look = dict(names.program.info.get("drawing") or {})
    given = look.get("sides", {})
    look["sides"] = {
        side: {"colour": colour, **given.get(side, {})}
        for side, colour in colours(names.sides).items()
    }
    return look


def colours(sides: Sequence[str]) -> dict[str, str]:
    """Return the default colour of each side: the one in its name, else the next free one."""
    hues = {
        side: [word for word in re.split(r"[^a-z]+", side.lower()) if word in NAMED]
        for side in sides
    }
    called = {side: NAMED[words[0]] for side, words in hues.items() if len(words) == 1}
    free = [colour for colour in COLOURS if colour not in called.values()] or list(COLOURS)
    others = [side for side in sides if side not in called]
    return {
        side: called[side] if side in called else free[others.index(side) % len(free)]
        for side in sides
    }


def holds(names: Names, kind: KindInfo, member: int, when: dict[str, Any]) -> bool:
    """Return True if the constant attributes of a member have these values."""
    for name, value in when.items():
        type, values = kind.fixed[name]
        if values[member] != names.parse(type, value):
            return False
    return True


def entries_for(names: Names, kind: KindInfo, member: int, borders: Any) -> list[dict[str, Any]]:
    """Return the entries of `borders` for a border, in order.

    They are the first matching entry with a style, and every matching entry with a mark.
    """
    out, lined = [], False
    for entry in borders or ():
        if not holds(names, kind, member, entry["when"]):
            continue
        line = "style" in entry and not lined
        lined = lined or line
        if line or "mark" in entry:
            out.append(entry if line else {k: v for k, v in entry.items() if k != "style"})
    return out


def owners(names: Names, kind: int) -> dict[str, str | None]:
    """Return the side of each member of a kind, or nothing if they have none."""
    info, name = names.program.kinds[kind], owner_of(names, kind)
    return (
        {}
        if not name
        else {
            id: names.id(names.program.sides, side)
            for id, side in zip(info.members, info.values_of(name), strict=True)
        }
    )


def owner_of(names: Names, kind: int) -> str:
    """Return the attribute that names the side of a member, or ''.

    It is the one that the drawing names for counters. Otherwise, for pieces, it is the first one
    that is a side.
    """
    info = names.program.kinds[kind]
    given = (names.program.info.get("drawing") or {}).get("counter", {}).get("owner", "")
    sides = [
        name
        for name, (type, _) in info.fixed.items()
        if type.form == "member" and type.kind == names.program.sides
    ]
    return given if given in sides else sides[0] if sides and kind in names.place_cells else ""


def joined(names: Names, graph: int) -> list[tuple[int, list[int]]]:
    """Return each border of a kind with the two places that it joins."""
    kind = names.program.kinds[graph]
    place = names.program.kinds[kind.joins]
    ends = [
        v
        for _, (type, v) in sorted(kind.fixed.items())
        if type.form == "member" and type.kind == kind.joins
    ]
    both = [
        v
        for _, (type, v) in sorted(kind.fixed.items())
        if type.form == "set" and type.kind == kind.joins
    ]
    out = []
    known = {p: at for at, p in enumerate(place.members)}
    for i, member in enumerate(kind.members):
        pair = [known.get(p, -1) for p in member.split("-", 1)]
        if min(pair) < 0:  # a second border between the same places: A-B.id
            pair = [known.get(p, -1) for p in member.rpartition(".")[0].split("-", 1)]
        if min(pair) < 0 and both:
            pair = [b for b in range(len(place.members)) if both[0][i] >> b & 1]
        elif min(pair) < 0 and len(ends) >= ENDS_OF_BORDER:
            pair = [ends[0][i], ends[1][i]]
        if len(pair) == ENDS_OF_BORDER and min(pair) >= 0:
            out.append((i, pair))
    return out
