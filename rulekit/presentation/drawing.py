"""Takes the names of a program and its drawing (drawing.yaml), makes what of it holds for a border,
with what is left out filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rulekit.engine.kernel.names import Names
from rulekit.runtime.program import KindInfo

COLOURS = (
    "#1f5a93",
    "#a52f27",
    "#2f6f3a",
    "#6b3f8f",
    "#9a6a00",
    "#2b7a78",
)  # of sides that have none, by their order
# Of sides that are called by a colour; white text can be read on each.
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
    """What drawing.yaml says; each side has a colour."""
    look = dict(names.program.info.get("drawing") or {})
    given = look.get("sides", {})
    look["sides"] = {
        side: {"colour": colour, **given.get(side, {})}
        for side, colour in colours(names.sides).items()
    }
    return look


def colours(sides: Sequence[str]) -> dict[str, str]:
    """The colour of each side where the drawing gives none: that by which it is called, else the
    next that is free."""
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
    """Have the fixed attributes of a member these values?"""
    for name, value in when.items():
        type, values = kind.fixed[name]
        if values[member] != names.parse(type, value):
            return False
    return True


def entries_for(names: Names, kind: KindInfo, member: int, borders: Any) -> list[dict[str, Any]]:
    """The entries of `borders` that show on a border: the first that fits and has a style, and each
    that fits and has a mark; in order."""
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
    """The side of each member of a kind; empty if they have none."""
    info, name = names.program.kinds[kind], owner_of(names, kind)
    return (
        {}
        if not name
        else {
            id: names.id(names.program.sides, side)
            for id, side in zip(info.members, info.fixed[name][1], strict=True)
        }
    )


def owner_of(names: Names, kind: int) -> str:
    """The attribute that names the side: of all kinds as the drawing says of counters, else of
    pieces the first that is a side; or ''."""
    info = names.program.kinds[kind]
    given = (names.program.info.get("drawing") or {}).get("counter", {}).get("owner", "")
    sides = [
        name
        for name, (type, _) in info.fixed.items()
        if type.form == "member" and type.kind == names.program.sides
    ]
    return given if given in sides else sides[0] if sides and kind in names.place_cells else ""


def joined(names: Names, graph: int) -> list[tuple[int, list[int]]]:
    """Each border of a kind with the two places that it joins."""
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
        if min(pair) < 0:  # a second border of the same two, A-B.id
            pair = [known.get(p, -1) for p in member.rpartition(".")[0].split("-", 1)]
        if min(pair) < 0 and both:
            pair = [b for b in range(len(place.members)) if both[0][i] >> b & 1]
        elif min(pair) < 0 and len(ends) >= 2:
            pair = [ends[0][i], ends[1][i]]
        if len(pair) == 2 and min(pair) >= 0:
            out.append((i, pair))
    return out
