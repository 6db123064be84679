"""Texts for people about games that ended outside of their rules, and about errors."""

from __future__ import annotations

import logging
from collections.abc import Callable

from rulekit.common.errors import GameError, RulekitError, RulesError
from rulekit.common.files import FileRefused
from rulekit.common.i18n.catalog import filled, said, word
from rulekit.server.online.schemas import Ending


def ending_of(kept: str | None) -> Ending | None:
    """Parse KIND:SIDE, the stored form. Return None if the game is running or ended by its
    rules."""
    if kept is None:
        return None
    kind, side = kept.split(":", 1)
    return Ending(kind, side)  # type: ignore[arg-type]


def told_ending(kept: str | None, lang: str, label: Callable[[str], str]) -> str | None:
    """Return the text for a stored end, or None. `label` gives the name of a side."""
    ending = ending_of(kept)
    return (
        None
        if ending is None
        else filled(lang, f"people.ending_{ending.kind}", side=label(ending.side))
    )


def told_error(lang: str, error: Exception) -> str:
    """Return the text of an error for a visitor. An error that names files of the server is logged
    instead."""
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
