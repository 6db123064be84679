"""A compiled game that is ready to play, in one variant of its code and one language."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.languages import HOME, LANGUAGES
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import near
from rulekit.engine.kernel.decision import OptionBook
from rulekit.engine.kernel.events import EventBook
from rulekit.engine.kernel.instrumented_code import ChanceCode, WatchedCode
from rulekit.engine.kernel.names import Names
from rulekit.runtime.code import Code
from rulekit.runtime.program import Program
from rulekit.runtime.wasm_format import Native, NoNative


class BoundProgram:
    """One program in one variant and language, ready to play. All its states share it.

    Attributes:
        native: returns the game's WebAssembly module or the reason why it has none. It returns None
            if the game's source is not available.
    """

    def __init__(
        self,
        program: Program,
        lang: str,
        variant: str,
        native: Callable[[], Native | NoNative | None] = lambda: None,
    ) -> None:
        self.program, self.native = program, native
        self.variant = variant
        self.code: Code = program.code(variant)
        self.names = Names(program, lang)
        self.book = OptionBook(self.names)
        self.events = EventBook(self.names)
        self.watched: WatchedCode | None = None  # created when a tracer needs it
        self.chances: ChanceCode | None = None  # created when odds are computed
        self._spoken: dict[str, BoundProgram] = {lang: self}
        # True if the game has information that not everybody may know
        self.has_secrets = any(not c.everyone for c in program.cells) or any(
            k.hidden_identity for k in program.kinds
        )
        # True if a choice can go unobserved by other players. Everybody observes moves between
        # pools.
        self.hides_choices = any(not c.everyone and not c.pool for c in program.cells) or any(
            k.hidden_identity for k in program.kinds
        )

    def in_language(self, lang: str) -> BoundProgram:
        """Return the same program with the texts of another language.

        Each language is built once.
        """
        if lang not in self._spoken:
            known = languages(self.program)
            if lang not in known:
                raise unknown(self.names.lang, self.program.name, "no_texts", lang, known)
            self._spoken[lang] = BoundProgram(self.program, lang, self.variant, self.native)
            self._spoken[lang]._spoken = self._spoken
        return self._spoken[lang]


_UNKNOWN = {
    "no_texts": _("{game} has no texts in {name}; there are {known}"),
    "no_scenario": _("{game} has no scenario {name}; it has {known}"),
    "no_edition": _("{game} has no edition {name}; it has {known}"),
    "no_ruling": _("{game} has no ruling {name}; it has {known}"),
    "no_alternative": _("the ruling {ruling} has no alternative {name}; it has {known}"),
}


def languages(program: Program) -> list[str]:
    """Return the languages in which a game can be played."""
    return sorted({HOME, *LANGUAGES, *program.texts})


def unknown(
    lang: str, game: str, key: str, name: str, known: Iterable[str], ruling: str = ""
) -> RulekitError:
    """Return the error for a name that the game does not have.

    The error lists the nearest name and all known names.
    """
    known, close = list(known), near(name, known)
    text = _UNKNOWN[key].text(
        lang, game=game, name=repr(name), known=", ".join(known) or _("none"), ruling=ruling
    )
    return RulekitError(f"{text}; {close.text(lang)}" if close else text)
