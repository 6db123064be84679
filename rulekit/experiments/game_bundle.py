"""Game bundles: everything that another process or machine needs to play a game.

The receiver needs neither the game folder nor the cache, and compiles nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define

from rulekit.engine.game.game import Game, GameInfo
from rulekit.runtime.code import code_object, frozen, thawed
from rulekit.runtime.compiled import Compiled
from rulekit.runtime.variants import Variants
from rulekit.runtime.wasm_format import Native, NoNative


@define(frozen=True)
class GameBundle:
    """A game bundle.

    Attributes:
        code: the code of each bundled variant.
        lines: the source lines of each bundled variant.
        native: the native module, the reason why there is none, or None if it is not compiled.
    """

    info: GameInfo
    compiled: Compiled
    code: dict[str, bytes]
    lines: dict[str, list[str]]
    lang: str
    native: Native | NoNative | None = None

    @property
    def digest(self) -> str:
        """The digest of the files of the game, including overlays. It identifies the game."""
        return self.info.digest

    def game(self) -> Game:
        """Return the game, ready to play."""
        made = self.compiled.with_code(
            {}, self.lines, Variants(lambda variant: thawed(self.code[variant]), self.code)
        )
        return Game(self.info, made.bind, self.lang, lambda: made, lambda make: self.native)


def pack(game: Game, variants: Iterable[str]) -> GameBundle:
    """Bundle a game with the code of the given variants."""
    assert game.compiled is not None, "a game that was loaded gives all of itself"
    compiled, names = game.compiled(), sorted(variants)
    code = {variant: frozen(code_object(compiled.program, variant)) for variant in names}
    lines = {variant: compiled.program.lines[variant] for variant in names}
    return GameBundle(game.info, compiled.bare(), code, lines, game.lang, game.native(make=False))
