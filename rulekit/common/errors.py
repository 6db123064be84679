"""The public exceptions. Any other exception that escapes is a defect of rulekit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.i18n.messages import Message


class RulekitError(Exception):
    """Base of all errors that rulekit raises on purpose.

    Attributes:
        display_text: the text, or a message that is rendered in the language of its reader
            (`common/i18n/reasons.py`). `str` of the error is English then.
    """

    def __init__(self, display_text: str | Message = "") -> None:
        self.display_text = display_text
        super().__init__(str(display_text))


class GameError(RulekitError):
    """A game cannot be loaded.

    Attributes:
        diagnostics: all findings.
        texts: the files that were read, by their displayed paths.
    """

    def __init__(
        self, diagnostics: Sequence[Diagnostic], texts: Mapping[str, str] | None = None
    ) -> None:
        self.diagnostics = list(diagnostics)
        self.texts = dict(texts or {})
        first = next((d for d in self.diagnostics if d.level == "error"), None)
        more = len(self.diagnostics) - 1
        text = (
            f"{first.span}: {first.message} [{first.code}]"
            if first
            else "the game cannot be loaded"
        )
        super().__init__(text + (f" (and {more} more)" if more > 0 else ""))


class IllegalChoice(RulekitError):
    """A choice that the decision does not offer. The message gives the reason and the paragraph."""


class SaveError(RulekitError):
    """A saved game or a state in JSON that is unreadable or belongs to other rules."""


class RulesError(RulekitError):
    """The rules of a game failed while it was played: a bound was broken, a loop exceeded its
    limit, or the step budget is spent.

    This is a defect of the game, not of the player. The message names the rule and its place.

    Attributes:
        circle: the places of rules that trigger each other, in order, starting there.
    """

    def __init__(self, message: str, where: str = "", circle: Sequence[str] = ()) -> None:
        self.message, self.where, self.circle = message, where, tuple(circle)
        text = (
            f"{message}:"
            f" {' -> '.join([*(place.rpartition(':')[0] for place in circle), 'and again'])}"
            if circle
            else message
        )
        super().__init__(f"{where}: {text}" if where else text)


class ScriptError(RulesError):
    """A scripted result cannot be rolled or drawn.

    Attributes:
        left: the number of scripted results after it.
        drawn: True if a draw used it.
    """

    def __init__(self, message: str, left: int, drawn: bool, where: str = "") -> None:
        super().__init__(message, where)
        self.left, self.drawn = left, drawn
