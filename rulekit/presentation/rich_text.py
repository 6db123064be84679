"""Split a text of the game into spans that name pieces, places, sides and things."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from rulekit.common.i18n.message_format import parts_of
from rulekit.engine.kernel.names import Names

# a part that continues the paragraph before it: the letters and fractions of "4.2 E, A, 1/2"
_TAIL = re.compile(r"[A-Za-z]|\d+/\d+")


@frozen
class TextSpan:
    """A part of a text.

    Attributes:
        sort: piece, place, side or thing if it names one, else "".
        id: the id of the thing that it names.
    """

    text: str
    sort: str = ""
    id: str = ""

    def to_json(self) -> str | dict[str, Any]:
        """Return plain data: a text, or {"text": ..., "piece": id}."""
        return {"text": self.text, self.sort: self.id} if self.sort else self.text


Spans = tuple[TextSpan, ...]


def spans_of(names: Names, text: str) -> Spans:
    """Return the parts of a text, in order. Together they are the text."""
    return tuple(
        TextSpan(words, sort_of(names, named[0]), named[1])
        if named is not None
        else TextSpan(words)
        for words, named in parts_of(text)
    )


def sort_of(names: Names, kind: int) -> str:
    """Return the category of a kind's members for a frontend."""
    if kind == names.program.sides:
        return "side"
    if kind in pieces(names):
        return "piece"
    return "place" if kind in places(names) else "thing"


def places(names: Names) -> set[int]:
    """Return the kinds of places: those that borders join, grids, and those where pieces stand."""
    kinds = names.program.kinds
    grids = {i for i, kind in enumerate(kinds) if {"row", "col"} <= set(kind.fixed)}
    return (
        {kind.joins for kind in kinds if kind.joins >= 0}
        | grids
        | {names.place_cells[kind].type.kind for kind in pieces(names)}
    )


def pieces(names: Names) -> set[int]:
    """Return the kinds of pieces.

    They are the kinds whose data name their place (`place` in pieces.yaml). Without any, all kinds
    that have a place count.
    """
    named = names.program.info.get("place_cells", {})
    return {
        kind for kind in names.place_cells if not named or names.program.kinds[kind].name in named
    }


def trimmed(spans: Iterable[TextSpan], signs: str) -> Spans:
    """Remove these characters from both ends."""
    out = list(spans)
    for end, strip in ((0, str.lstrip), (-1, str.rstrip)):
        while out and not strip(out[end].text, signs):
            out.pop(end)
        if out:
            out[end] = TextSpan(strip(out[end].text, signs), out[end].sort, out[end].id)
    return tuple(out)


def paragraphs(ref: Iterable[str]) -> tuple[str, ...]:
    """Return references as single paragraphs: "8.1, 8.2" are two.

    >>> paragraphs(("4.2 E, A, 1/2, R", "8.1, Q54"))
    ('4.2 E, A, 1/2, R', '8.1', 'Q54')
    """
    out: list[str] = []
    for text in ref:
        for at, part in enumerate(text.split(", ")):
            if at and _TAIL.fullmatch(part):
                out[-1] += f", {part}"
            else:
                out.append(part)
    return tuple(dict.fromkeys(out))
