"""Takes a game and the file of a save, makes a recorder that goes on from it."""

from __future__ import annotations

from pathlib import Path

from rulekit.base.errors import RulekitError
from rulekit.play.game import Game
from rulekit.play.saves import Recorder, read_save, replay


def resume(game: Game, path: Path, seats: dict[str, str]) -> Recorder:
    """A recorder that goes on from a saved game."""
    save = read_save(path)
    done = replay(game, save)
    if done.first_difference:
        raise RulekitError(f"{path}: the save does not fit the rules: {done.first_difference['cause']}")
    recorder = Recorder(game, done.state, seats)
    recorder.save.records = list(save.records)
    return recorder
