"""Load the room of a table from the database, with the rules that the table is pinned to."""

from __future__ import annotations

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.saves.recorder import Recorder, replay
from rulekit.engine.saves.save_format import parse_save
from rulekit.server.access import AccessPolicy
from rulekit.server.game_library import Library
from rulekit.server.pin_migration import moved_from_old_pin
from rulekit.server.room import Room
from rulekit.server.rule_pins import OldPin
from rulekit.server.storage import Store, TableRow


def rules_of(store: Store, row: TableRow, library: Library) -> tuple[TableRow, Game, str | None]:
    """Return a table, its game with the pinned rules, and their digest."""
    try:
        digest = store.pinned(row.id)
        return (
            row,
            library.pinned(digest, store.program) if digest else library.game(row.game),
            digest,
        )
    except OldPin:
        return rules_of(store, moved_from_old_pin(store, row, library), library)


def reopened(store: Store, row: TableRow, library: Library, policy: AccessPolicy) -> Room:
    """Load the room of a stored table. Raise `RulekitError` if the rules here give other results
    than the journal.
    """
    row, game, digest = rules_of(store, row, library)
    row, kept = store.journal(row.id)
    save = parse_save(row.header + "".join(text for _, text in kept), f"table {row.id}")
    done = replay(game, save)
    if done.first_difference:
        raise RulekitError(
            _(
                "the rules of the game have changed since it began: {why}",
                why=str(done.first_difference["cause"]),
            )
        )
    recorder = Recorder(game, done.state, row.seats, save)
    standing: list[int] = []
    for record, (gesture, __) in zip(save.records, kept, strict=True):
        if record.undo:
            standing.pop()
        elif record.choice is not None:
            standing.append(gesture)
    room = Room(
        row.id,
        recorder,
        row.seats,
        store,
        standing,
        max((gesture for gesture, _ in kept), default=1),
        len(save.records),
        policy,
    )
    room.pin, room.head = digest, row.header
    room.read_auto_pass()
    policy.opened(room)
    return room
