"""Takes a game, makes a `Parcel`: all of it that playing needs, to be sent to another process or
machine; and back.

Who gets one needs neither the folder of the game nor the cache, and compiles nothing."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define

from rulekit.engine.game.game import Game, GameInfo
from rulekit.runtime.code import code_object, frozen, thawed
from rulekit.runtime.compiled import Compiled
from rulekit.runtime.variants import Variants
from rulekit.runtime.wasm_format import Native, NoNative


@define(frozen=True)
class Parcel:
    """`code`, `lines`: of the variants that are played. `digest`: of the files that the game was
    made of, with the overlays."""

    info: GameInfo
    compiled: Compiled
    code: dict[str, bytes]
    lines: dict[str, list[str]]
    lang: str
    native: Native | NoNative | None = None

    @property
    def digest(self) -> str:
        """Which game it is."""
        return self.info.digest

    def game(self) -> Game:
        """The game, ready to play."""
        made = self.compiled.with_code(
            {}, self.lines, Variants(lambda variant: thawed(self.code[variant]), self.code)
        )
        return Game(self.info, made.bind, self.lang, lambda: made, lambda make: self.native)


def packed(game: Game, variants: Iterable[str]) -> Parcel:
    """A game as a parcel, with the code of these variants."""
    assert game.compiled is not None, "a game that was loaded gives all of itself"
    compiled, names = game.compiled(), sorted(variants)
    code = {variant: frozen(code_object(compiled.program, variant)) for variant in names}
    lines = {variant: compiled.program.lines[variant] for variant in names}
    return Parcel(game.info, compiled.bare(), code, lines, game.lang, game.native(make=False))
