"""Move a table from pinned rules in an unsupported format to the current rules, if its choices
replay.
"""

from __future__ import annotations

import logging
from contextlib import suppress

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Recorder, Replay, Save, replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.game_library import Library
from rulekit.server.storage import NoTable, Store, TableRow, Twice


def stored_save(store: Store, row: TableRow) -> Save:
    """Return the stored save of a table."""
    return parse_save(
        row.header + "".join(text for _, text in store.lines(row.id)), f"table {row.id}"
    )


def replayed(game: Game, save: Save) -> Replay:
    """Replay a save under the current rules."""
    return replay(game, save)


def header_under(game: Game, done: Replay, row: TableRow, save: Save) -> str:
    """Return the first line of the save, rewritten for the rules of the replay."""
    return Recorder(game, done.state, row.seats, save).save.text().split("\n", 1)[0] + "\n"


def moved_from_old_pin(store: Store, row: TableRow, library: Library) -> TableRow:
    """Pin a table to the current rules and return it. Raise `RulekitError` if its choices do not
    replay.
    """
    game = library.game(row.game)
    pin, save = library.pin(game), stored_save(store, row)
    done = replayed(game, save)
    if done.first_difference is not None or done.renaming.pairs or pin is None:
        raise RulekitError(
            _(
                "the stored rules of this game are in an old format, and the game would"
                " be different under today's rules; finish it with the version of the"
                " program that began it"
            )
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
        raise NoTable(_("there is no table {id}", id=repr(row.id)))
    return found
