"""Texts for people about games that ended outside of their rules, and about errors."""

from __future__ import annotations

import logging
from collections.abc import Callable

from rulekit.common.errors import GameError, RulesError
from rulekit.common.files import FileRefused
from rulekit.common.i18n.messages import Message, Param, _
from rulekit.common.i18n.reasons import reason
from rulekit.server.online.protocol import Ending

_ENDINGS = {
    "resigned": _("{side} resigned"),
    "time": _("{side} ran out of time"),
    "claimed": _("{side} left the game, and the win was claimed"),
}


def ending_of(kept: str | None) -> Ending | None:
    """Parse KIND:SIDE, the stored form. Return None if the game is running or ended by its
    rules.
    """
    if kept is None:
        return None
    kind, side = kept.split(":", 1)
    return Ending(kind, side)  # type: ignore[arg-type]


def ending_text(kept: str | None, lang: str, label: Callable[[str], str]) -> str | None:
    """Return the text for a stored end, or None. `label` gives the name of a side."""
    ending = ending_of(kept)
    return None if ending is None else _ENDINGS[ending.kind].text(lang, side=label(ending.side))


def error_message(lang: str, error: Exception) -> str:
    """Return the text of an error for a visitor. An error that names files of the server is logged
    instead.
    """
    if isinstance(error, GameError | RulesError | FileRefused):
        logging.getLogger("rulekit.games").error("%s: %s", type(error).__name__, error)
        return _("the rules of this game have an error; the log of the server shows where").text(
            lang
        )
    return _message(lang, reason(error))


def _message(lang: str, param: Param) -> str:
    if isinstance(param, Exception):
        return error_message(lang, param)
    if isinstance(param, Message):
        return param.text(
            lang, **{name: _message(lang, each) for name, each in param.params.items()}
        )
    return str(param)
