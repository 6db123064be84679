"""The access policy of tables: rights of people, and the data stored and sent next to a game.

`AccessPolicy` is the policy of a local server. All seats of people belong to the owner, and nothing
more is stored. `online/access.py` has the policy of an online server.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from attrs import frozen
from msgspec import Struct
from sqlalchemy import Connection

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import Message, _
from rulekit.common.i18n.reasons import error_text
from rulekit.engine.game.state import State
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.search.agent_registry import HUMAN
from rulekit.server.storage import TableRow


class PlayedRoom(Protocol):
    """The part of a room (`rulekit.server.room`) that an access policy uses. The policy sets
    `beside`, `halted`, `ended` and `veiled`.
    """

    id: str
    recorder: Recorder
    beside: Any
    halted: Message | None
    ended: bool
    veiled: bool

    @property
    def state(self) -> State:
        """The current state."""

    @property
    def humans(self) -> list[str]:
        """The sides that people play."""

    @property
    def choices(self) -> int:
        """The number of choices in force."""

    def counted(self, choice: int, side: str, seat: str | None) -> int:
        """Convert a choice number of a side to the number under which another seat knows it."""


class StoredChoices(Struct):
    """A notification to other processes about stored choices.

    It does not contain the choices, since a receiver of notifications may not be allowed to read
    the journal.

    Attributes:
        upto: the place after their last journal line.
        auto_pass: True if the sides that pass have changed.
        beside: the online data after them, in the form of the access policy.
    """

    upto: int
    auto_pass: bool
    beside: Any = None


@frozen
class Rights:
    """The rights of a person at a table.

    Attributes:
        looks: may see it.
        yours: the seats that they play.
    """

    looks: bool
    yours: tuple[str, ...] = ()


class AccessPolicy:
    """The access policy of a local server. Its methods block and may be called from any thread."""

    def rights(self, who: object, row: TableRow) -> Rights:
        """Return the rights of a person at a table."""
        return Rights(True, tuple(side for side, sits in row.seats.items() if sits == HUMAN))

    def opened(self, room: PlayedRoom) -> None:
        """Set the online data of a room, and whether play is running."""

    def writes(self, db: Connection, room: PlayedRoom) -> None:
        """Store more data in the transaction of choices. Raise `StoreError` if the choices may not
        be stored.
        """

    def notify(self, db: Connection, room: PlayedRoom, kept: StoredChoices | None = None) -> None:
        """Notify other processes, after this transaction, of stored choices, or (None) of another
        change.
        """

    def heard(self, notification: str) -> StoredChoices | None:
        """Parse the notification of another process. Return None if the database has to be read
        instead.
        """
        return None

    def now_beside(self, db: Connection, room: PlayedRoom) -> Any:
        """Return the online data for `StoredChoices`."""

    def followed(self, room: PlayedRoom, beside: Any) -> None:
        """Update the online data of a room after choices of another process. Raise `RulekitError`
        if the table is gone.
        """

    def announce_move_now(self, room: PlayedRoom) -> None:
        """Ask other processes to make the program at this table choose now. Raise `StoreError` on
        failure.
        """

    def error_message(self, lang: str, error: Exception) -> str:
        """Return the text of an error for a page."""
        return error_text(lang, error)

    def admits(self, table: str, who: object, address: str) -> AbstractContextManager[None]:
        """Count a socket as open within the block. Raise `RulekitError` if it is one too many."""
        return nullcontext()

    def hears(self, key: Hashable, request: object) -> None:
        """Raise `RulekitError` if a page sends requests too quickly."""

    def may_undo(self, room: PlayedRoom, side: str) -> None:
        """Raise `RulekitError` if a side has undone too often."""

    def hints(self, room: PlayedRoom) -> bool:
        """Return True if players may ask for hints. This is set when the table is opened."""
        return "hints" in room.recorder.save.header

    def beside(self, who: object, room: PlayedRoom) -> Sequence[Struct]:
        """Return messages with online data, for a page that sits down and after a change."""
        return ()

    def present(self, whos: Sequence[object], room: PlayedRoom) -> Sequence[Struct]:
        """Return messages for all pages after somebody has come or gone.

        Args:
            whos: the people who are watching now.
        """
        return ()

    def news(self, room: PlayedRoom) -> bool:
        """Return True, once, if the latest stored choices changed the online data."""
        return False

    def ticks(self, room: PlayedRoom) -> Sequence[Struct]:
        """Return messages for all pages after each choice."""
        return ()


def foreseen(error: Exception) -> RulekitError:
    """Return an error in the form for pages. Log an unexpected one: it ends a request of one table
    or page only.
    """
    if isinstance(error, RulekitError):
        return error
    logging.getLogger("rulekit.hub").error("a task of a table failed", exc_info=error)
    return RulekitError(
        _(
            "an error of rulekit itself ({error}); the log of the server has more",
            error=type(error).__name__,
        )
    )
