"""Takes nothing, makes the exceptions of the public surface. Any other exception that escapes is a
defect of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.common.diagnostics.diagnostic import Diagnostic


class RulekitError(Exception):
    """Base of all errors that rulekit raises on purpose. Of what is raised where no language is
    known `key` and `params` say which words it has in each (`common/i18n/catalog.py`); the message
    is English then."""

    key: str = ""
    params: Mapping[str, str | Exception] = {}


class GameError(RulekitError):
    """A game cannot be loaded; `diagnostics` says all that is wrong with it, `texts` are the files
    that were read, by their shown paths."""

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
    """A choice that the decision does not offer; the message says why not, with the paragraph."""


class SaveError(RulekitError):
    """A saved game or a state in JSON that cannot be read, or that belongs to other rules."""


class RulesError(RulekitError):
    """The rules of a game went wrong while it was played: a bound broken, a loop past its limit,
    the step budget spent. A defect of the game's author, not of the player; names the rule and its
    place. `circle`: the places of rules that set each other off, in order, from that place on."""

    def __init__(self, message: str, where: str = "", circle: Sequence[str] = ()) -> None:
        self.message, self.where, self.circle = message, where, tuple(circle)
        told = (
            f"{message}:"
            f" {' -> '.join([*(place.rpartition(':')[0] for place in circle), 'and again'])}"
            if circle
            else message
        )
        super().__init__(f"{where}: {told}" if where else told)


class ScriptError(RulesError):
    """A scripted result cannot be rolled, or is not there to be drawn. `left`: how many scripted
    results come after it. `drawn`: a draw took it."""

    def __init__(self, message: str, left: int, drawn: bool, where: str = "") -> None:
        super().__init__(message, where)
        self.left, self.drawn = left, drawn
