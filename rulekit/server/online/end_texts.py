"""Takes how a game ended otherwise than by its rules, or an error, makes what a page is told of it
and what a person reads."""

from __future__ import annotations

import logging
from collections.abc import Callable

from rulekit.common.errors import GameError, RulekitError, RulesError
from rulekit.common.files import FileRefused
from rulekit.common.i18n.catalog import filled, said, word
from rulekit.server.online.schemas import Ending


def ending_of(kept: str | None) -> Ending | None:
    """KIND:SIDE, as the database has it; None if the game ended by its rules or goes on."""
    if kept is None:
        return None
    kind, side = kept.split(":", 1)
    return Ending(kind, side)  # type: ignore[arg-type]


def told_ending(kept: str | None, lang: str, label: Callable[[str], str]) -> str | None:
    """The same in words; `label`: what a side is called."""
    ending = ending_of(kept)
    return (
        None
        if ending is None
        else filled(lang, f"people.ending_{ending.kind}", side=label(ending.side))
    )


def told_error(lang: str, error: Exception) -> str:
    """What a visitor reads of an error. What names files of the server goes to its log instead."""
    if isinstance(error, GameError | RulesError | FileRefused):
        logging.getLogger("rulekit.games").error("%s: %s", type(error).__name__, error)
        return word(lang, "people.broken")
    if isinstance(error, RulekitError) and error.key:
        return filled(
            lang,
            error.key,
            **{
                name: told_error(lang, each) if isinstance(each, Exception) else each
                for name, each in error.params.items()
            },
        )
    return said(lang, error)
