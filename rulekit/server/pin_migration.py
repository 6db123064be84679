"""Takes a table that is pinned to rules in a form that is not read any more, moves it to the rules
of now, if its choices replay."""

from __future__ import annotations

import logging
from contextlib import suppress

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Recorder, Replay, Save, replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.game_library import Library
from rulekit.server.storage import Row, Store, Twice


def kept_save(store: Store, row: Row) -> Save:
    """The save of a table, as it is kept."""
    return parse_save(
        row.header + "".join(text for _, text in store.lines(row.id)), f"table {row.id}"
    )


def replayed(game: Game, save: Save) -> Replay:
    """A save played again under the rules of now."""
    return replay(game, save)


def header_under(game: Game, done: Replay, row: Row, save: Save) -> str:
    """The first line of the save under the rules under which it was replayed."""
    return Recorder(game, done.state, row.seats, save).save.text().split("\n", 1)[0] + "\n"


def moved_from_old_pin(store: Store, row: Row, library: Library) -> Row:
    """The table, pinned to the rules of now. RulekitError if its choices do not replay under
    them."""
    game = library.game(row.game)
    pin, save = library.pin(game), kept_save(store, row)
    done = replayed(game, save)
    if done.first_difference is not None or done.renaming.pairs or pin is None:
        raise fault(
            RulekitError, "table.pin_old"
        )  # not what differs: it may be what who looks may not know
    with suppress(Twice):  # another process was first
        store.move(row, header_under(game, done, row, save), pin)
        logging.getLogger("rulekit.tables").warning(
            "table %s goes on by the rules of now: those that it was pinned to are in a form "
            "that is not read any more; its choices replay",
            row.id,
        )
    found = store.row(row.id)
    if found is None:
        raise fault(RulekitError, "table.none", id=repr(row.id))
    return found
