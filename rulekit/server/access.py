"""Takes who asks and a table, says what he may, and what else is kept and told there: the house
that tables stand in.

This one is the house of a local table: its owner has all seats of persons, and nothing else is
kept. `people/house.py` is the other.
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
from rulekit.common.i18n.catalog import fault, said
from rulekit.engine.game.state import State
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.search.registry import HUMAN
from rulekit.server.storage import Row


class Played(Protocol):
    """What a house knows of a table where play goes on: its room (`rulekit.server.room`). `beside`,
    `halted`, `ended` and `veiled` are the house's to say."""

    id: str
    recorder: Recorder
    beside: Any
    halted: str
    ended: bool
    veiled: bool

    @property
    def state(self) -> State:
        """The game as it stands."""

    @property
    def humans(self) -> list[str]:
        """The sides that persons play."""

    @property
    def choices(self) -> int:
        """How many choices stand."""

    def counted(self, choice: int, side: str, seat: str | None) -> int:
        """The number by which a seat knows the choice that a side knows by this one."""


class ChoicesKept(Struct):
    """What a process tells the others of choices that it kept: the place after the last of their
    lines in the journal, whether other sides than before pass until a phase ends, and, as the house
    says it, what stands beside the game now. What they are it does not tell: who hears it may not
    be who may read the journal."""

    upto: int
    passing: bool
    beside: Any = None


@frozen
class Rights:
    """What somebody may at a table. `looks`: see it at all; `yours`: the seats that he looks and
    chooses from."""

    looks: bool
    yours: tuple[str, ...] = ()


class House:
    """Its methods block; they may be called from any thread. `who`: what the door says of who
    asks."""

    def rights(self, who: object, row: Row) -> Rights:
        """What somebody may at a table."""
        return Rights(True, tuple(side for side, sits in row.seats.items() if sits == HUMAN))

    def opened(self, room: Played) -> None:
        """Says to a room what stands beside its journal: whether play goes on there."""

    def writes(self, db: Connection, room: Played) -> None:
        """What is kept together with choices, in the same transaction. StoreError if they may not
        be kept."""

    def tells(self, db: Connection, room: Played, kept: ChoicesKept | None = None) -> None:
        """The other processes hear, when this transaction is written, which choices of a room were
        kept; None: something besides them."""

    def heard(self, told: str) -> ChoicesKept | None:
        """What another process told of choices; None: the database is to be asked."""
        return None

    def now_beside(self, db: Connection, room: Played) -> Any:
        """What stands beside a game, as `ChoicesKept` has it."""

    def followed(self, room: Played, beside: Any) -> None:
        """Says to a room what stands beside its journal after choices that another process kept.
        RulekitError if the table is gone."""

    def hurries(self, room: Played) -> None:
        """The other processes hear that a seat that thinks at this table is to choose at once.
        StoreError."""

    def told(self, lang: str, error: Exception) -> str:
        """What an error says to who looks at a table."""
        return said(lang, error)

    def admits(self, table: str, who: object, address: str) -> AbstractContextManager[None]:
        """A socket of a page is open as long as this lasts. RulekitError if it may not be."""
        return nullcontext()

    def hears(self, key: Hashable, request: object) -> None:
        """RulekitError if a page may not ask for this now, because it asks too quickly."""

    def may_undo(self, room: Played, side: str) -> None:
        """RulekitError if a side may take back no more, because it did so often."""

    def hints(self, room: Played) -> bool:
        """May a player ask what a seat that plays by itself would do? Who opened the table says
        it."""
        return "hints" in room.recorder.save.header

    def beside(self, who: object, room: Played) -> Sequence[Struct]:
        """What a page is told besides the state, when it sits down and when something of it
        changed."""
        return ()

    def present(self, whos: Sequence[object], room: Played) -> Sequence[Struct]:
        """What all are told when somebody has come or gone. `whos`: who looks at the table now."""
        return ()

    def news(self, room: Played) -> bool:
        """Have the choices that were just kept changed what stands beside the game? It is asked
        once."""
        return False

    def ticks(self, room: Played) -> Sequence[Struct]:
        """What all are told after each choice."""
        return ()


def foreseen(error: Exception) -> RulekitError:
    """An error as pages are told of it. One that nobody foresaw is logged: it ends what one table
    or one page asked for, and no more."""
    if isinstance(error, RulekitError):
        return error
    logging.getLogger("rulekit.hub").error("a task of a table failed", exc_info=error)
    return fault(RulekitError, "table.defect", error=type(error).__name__)
