"""Deal the game of a table when all seats are taken, with a new seed."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.game_library import Library
from rulekit.server.room import standing
from rulekit.server.room_loader import rules_of
from rulekit.server.storage import Store, TableRow, TableSummary


@frozen
class Deal:
    """The start of a game: the first line of its save, the lines of the set-up, and the summary for
    the list of tables.
    """

    header: str
    lines: Sequence[str]
    standing: TableSummary


def dealt(store: Store, row: TableRow, library: Library) -> Deal:
    """Return a new deal for a table, with a seed of which nobody has seen anything."""
    row, game, _ = rules_of(store, row, library)
    head = parse_save(row.header).header
    state = game.new(head["scenario"] or None, None, head["rulings"])
    save = Recorder(game, state, row.seats).save
    save.header |= {key: head[key] for key in ("hints",) if key in head}
    return Deal(save.head, [line for line, _ in save.lines()], standing(state))
