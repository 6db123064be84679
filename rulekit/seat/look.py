"""Takes the names of a program and its drawing (drawing.yaml), makes what of it holds for a border, with what is left out filled in."""

from __future__ import annotations

from typing import Any

from rulekit.play.names import Names
from rulekit.program.program import KindInfo

COLOURS = ("#1f5a93", "#a52f27", "#2f6f3a", "#6b3f8f", "#9a6a00", "#2b7a78")  # of sides that have none, by their order


def drawing_of(names: Names) -> dict[str, Any]:
    """What drawing.yaml says; each side has a colour."""
    look = dict(names.program.info.get("drawing") or {})
    given = look.get("sides", {})
    look["sides"] = {side: {"colour": COLOURS[i % len(COLOURS)], **given.get(side, {})} for i, side in enumerate(names.sides)}
    return look


def holds(names: Names, kind: KindInfo, member: int, when: dict[str, Any]) -> bool:
    """Have the fixed attributes of a member these values?"""
    for name, value in when.items():
        type, values = kind.fixed[name]
        if values[member] != names.parse(type, value):
            return False
    return True


def entries_for(names: Names, kind: KindInfo, member: int, borders: Any) -> list[dict[str, Any]]:
    """The entries of `borders` that show on a border: the first that fits and has a style, and each that fits and has a mark; in order."""
    out, lined = [], False
    for entry in borders or ():
        if not holds(names, kind, member, entry["when"]):
            continue
        line = "style" in entry and not lined
        lined = lined or line
        if line or "mark" in entry:
            out.append(entry if line else {k: v for k, v in entry.items() if k != "style"})
    return out
