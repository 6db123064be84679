"""Takes a text as the game fills it, makes `Span`s: its pieces, with the pieces, places, sides and
things that it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from rulekit.common.i18n.message_format import parts_of
from rulekit.engine.kernel.names import Names

_TAIL = re.compile(
    r"[A-Za-z]|\d+/\d+"
)  # what goes on with the paragraph before it: the letters and fractions of "4.2 E, A, 1/2"


@frozen
class Span:
    """A piece of a text. `sort`: piece, place, side or thing if it names one, else ""; `id`: which
    one."""

    text: str
    sort: str = ""
    id: str = ""

    def to_json(self) -> str | dict[str, Any]:
        """Plain data: a text, or {"text": ..., "piece": id}."""
        return {"text": self.text, self.sort: self.id} if self.sort else self.text


Spans = tuple[Span, ...]


def spans_of(names: Names, text: str) -> Spans:
    """The pieces of a text, in order: together they are the text."""
    return tuple(
        Span(words, sort_of(names, named[0]), named[1]) if named is not None else Span(words)
        for words, named in parts_of(text)
    )


def sort_of(names: Names, kind: int) -> str:
    """What the members of a kind are to a frontend."""
    if kind == names.program.sides:
        return "side"
    if kind in pieces(names):
        return "piece"
    return "place" if kind in places(names) else "thing"


def places(names: Names) -> set[int]:
    """The kinds of places: those that borders join, grids, and those in which pieces stand."""
    kinds = names.program.kinds
    grids = {i for i, kind in enumerate(kinds) if {"row", "col"} <= set(kind.fixed)}
    return (
        {kind.joins for kind in kinds if kind.joins >= 0}
        | grids
        | {names.place_cells[kind].type.kind for kind in pieces(names)}
    )


def pieces(names: Names) -> set[int]:
    """The kinds of pieces: those whose data say where they stand (`place` in pieces.yaml), else all
    that stand somewhere."""
    named = names.program.info.get("place_cells", {})
    return {
        kind for kind in names.place_cells if not named or names.program.kinds[kind].name in named
    }


def trimmed(spans: Iterable[Span], signs: str) -> Spans:
    """Without these signs at both ends."""
    out = list(spans)
    for end, strip in ((0, str.lstrip), (-1, str.rstrip)):
        while out and not strip(out[end].text, signs):
            out.pop(end)
        if out:
            out[end] = Span(strip(out[end].text, signs), out[end].sort, out[end].id)
    return tuple(out)


def paragraphs(ref: Iterable[str]) -> tuple[str, ...]:
    """References, each a paragraph by itself: "8.1, 8.2" are two.

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
