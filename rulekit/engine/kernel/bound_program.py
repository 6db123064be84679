"""Takes a program, a variant of its code and a language, makes `Table`: the compiled game ready to
play, shared by all its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import LANGUAGES, filled, hint, word
from rulekit.engine.kernel.decision import OptionBook
from rulekit.engine.kernel.events import EventBook
from rulekit.engine.kernel.instrumented_code import ChanceCode, WatchedCode
from rulekit.engine.kernel.names import SOURCE_LANGUAGE, Names
from rulekit.runtime.code import Code
from rulekit.runtime.program import Program
from rulekit.runtime.wasm_format import Native, NoNative


class Table:
    """One program in one variant and language, ready to play: shared by all its states. `native`:
    gives the game's WebAssembly module, or why it has none; None where its source is not at
    hand."""

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
        self.watched: WatchedCode | None = None  # made when a tracer needs it
        self.chances: ChanceCode | None = None  # made when odds are asked for
        self._spoken: dict[str, Table] = {lang: self}
        self.has_secrets = any(
            not c.everyone for c in program.cells
        ) or any(  # is there what not everybody may know?
            k.hidden_identity for k in program.kinds
        )
        self.hides_choices = any(
            not c.everyone and not c.pool for c in program.cells
        ) or any(  # can others not notice that one has chosen?
            k.hidden_identity for k in program.kinds
        )  # (of what moves between pools everybody is told)

    def in_language(self, lang: str) -> Table:
        """The same program with the texts of another language; each is made once."""
        if lang not in self._spoken:
            known = languages(self.program)
            if lang not in known:
                raise unknown(self.names.lang, self.program.name, "no_texts", lang, known)
            self._spoken[lang] = Table(self.program, lang, self.variant, self.native)
            self._spoken[lang]._spoken = self._spoken
        return self._spoken[lang]


def languages(program: Program) -> list[str]:
    """The languages in which a game can be played."""
    return sorted({SOURCE_LANGUAGE, *LANGUAGES, *program.texts})


def unknown(
    lang: str, game: str, key: str, name: str, known: Iterable[str], ruling: str = ""
) -> RulekitError:
    """The error for a name that a game does not have: the nearest that it has, and all of them."""
    near = hint(lang, name, known)
    text = filled(
        lang,
        key,
        game=game,
        name=repr(name),
        known=", ".join(known) or word(lang, "none"),
        ruling=ruling,
    )
    return RulekitError(f"{text}; {near}" if near else text)
