"""Takes a game, makes a `Parcel`: all of it that playing needs, to be sent to another process or machine; and back.

Who gets one needs neither the folder of the game nor the cache, and compiles nothing."""

from __future__ import annotations

from attrs import frozen

from rulekit.play.cache import parted, rejoined
from rulekit.play.game import Game, GameInfo
from rulekit.program.compiled import Compiled
from rulekit.program.native import Native, NoNative


@frozen
class Parcel:
    """`digest`: of the files that the game was made of, with the overlays."""

    info: GameInfo
    compiled: Compiled
    code: dict[str, bytes]
    lang: str
    native: Native | NoNative | None = None

    @property
    def digest(self) -> str:
        """Which game it is."""
        return self.info.digest

    def game(self) -> Game:
        """The game, ready to play."""
        made = rejoined(self.compiled, self.code)
        return Game(self.info, made.bind, self.lang, lambda: made, lambda make: self.native)


def packed(game: Game) -> Parcel:
    """A game as a parcel."""
    assert game.compiled is not None, "a game that was loaded gives all of itself"
    compiled, code = parted(game.compiled())
    return Parcel(game.info, compiled, code, game.lang, game.native(make=False))
