"""Takes how a game ended otherwise than by its rules, makes what a page is told of it and what a person reads."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.play.words import filled
from rulekit.table.people.messages import Ending


def ending_of(kept: str | None) -> Ending | None:
    """KIND:SIDE, as the database has it; None if the game ended by its rules or goes on."""
    if kept is None:
        return None
    kind, side = kept.split(":", 1)
    return Ending(kind, side)  # type: ignore[arg-type]


def told_ending(kept: str | None, lang: str, label: Callable[[str], str]) -> str | None:
    """The same in words; `label`: what a side is called."""
    ending = ending_of(kept)
    return None if ending is None else filled(lang, f"people.ending_{ending.kind}", side=label(ending.side))
