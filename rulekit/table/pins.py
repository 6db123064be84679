"""Takes a game, makes bytes that it can be played from without its files; and a game of such bytes: what a table is pinned to.

The bytes hold the compiled game with its emitted source, no code of one version of Python. Another version of rulekit may not know them."""

from __future__ import annotations

import io
import pickle
import zlib
from hashlib import sha256
from typing import Any

import attrs
from attrs import frozen

from rulekit.base.errors import RulekitError
from rulekit.play.game import Game, GameInfo
from rulekit.play.words import fault
from rulekit.program.compiled import Compiled
from rulekit.program.program import FORMAT

_HOME = ("rulekit.program.program", "rulekit.program.compiled", "rulekit.play.game")
MOST = 64 << 20  # bytes of a game that was unpacked


@frozen
class Pin:
    """`digest`: of the files of the game, and of what made the bytes; equal digests play alike, with the same texts."""

    digest: str
    game: str
    body: bytes = attrs.field(repr=False)


def pin(game: Game) -> Pin | None:
    """What a game is kept as, with the text of all its variants; None if it was not compiled here as a whole."""
    if game.compiled is None:
        return None
    compiled = game.compiled()
    program = compiled.program
    whole = attrs.evolve(program.bare(), source=dict(program.source), lines=dict(program.lines))
    bare = attrs.evolve(compiled, program=whole)
    body = zlib.compress(pickle.dumps((FORMAT, game.info, bare), protocol=5))
    digest = sha256(f"{FORMAT} {game.info.digest} {game.identity().look}".encode()).hexdigest()
    return Pin(digest, game.name, body)


class _Reader(pickle.Unpickler):
    """Makes the classes of a compiled game, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """One of these classes. UnpicklingError for anything else."""
        found = super().find_class(module, name) if module in _HOME else None
        if not (isinstance(found, type) and attrs.has(found) and found.__module__ == module):
            raise pickle.UnpicklingError
        return found


def unpinned(body: bytes) -> Game:
    """The game of such bytes. RulekitError if this version does not know them."""
    try:
        unpacked = zlib.decompressobj()
        raw = unpacked.decompress(body, MOST)
        form, info, compiled = _Reader(io.BytesIO(raw)).load()
        if form != FORMAT or not isinstance(info, GameInfo) or not isinstance(compiled, Compiled):
            raise pickle.UnpicklingError
    except Exception:  # whatever bytes of another version make pickle raise
        raise fault(RulekitError, "table.pin_lost") from None
    known: Compiled = compiled
    return Game(info, known.bind, compiled=lambda: known)
