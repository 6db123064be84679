"""The pages connected to a table, and an open room with its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from attrs import define, field
from msgspec import Struct

from rulekit.server.background_analysis import Study
from rulekit.server.room import Room


@define(eq=False)
class Listener:
    """A page that watches a table.

    Attributes:
        send: sends a message to the page.
        who: the person, as authentication found them.
        key: the identity for rate limits (None: the page itself).
        yours: the seats that the page may take.
        over: True if the page was sent the seed.
        seat: the seat that the page has taken, None for a spectator.
        lang: the language of the page.
        choice: the number of choices that the page has received, -1 before the first state.
        events: the event up to which the page has received log lines.
        moment: the room's token for the state that was sent last.
        table_token: the token of the game that was sent last (`Room.table_token`).
        asked: the running queries of the page.
        one: lets one query run at a time. The longer `study` does not use it.
        study: the running analysis, if any.
    """

    send: Callable[[Struct], Coroutine[Any, Any, None]]
    who: object = None
    key: Hashable = None
    yours: tuple[str, ...] = ()
    over: bool = False
    seat: str | None = None
    lang: str | None = None
    choice: int = -1
    events: int = 0
    moment: object = None
    table_token: object = None
    asked: set[asyncio.Task[None]] = field(factory=set)
    one: asyncio.Lock = field(factory=asyncio.Lock)
    study: Study | None = None

    def rest(self) -> None:
        """Stop the analysis that runs for this page."""
        if self.study is not None:
            self.study.end()


@define(eq=False)
class OpenRoom:
    """A room with its connected pages.

    Attributes:
        busy: the lock for all work on the room.
        going: the task that makes choices of programs and forced choices.
        waiting: the task that waits before an automatic pass.
        others: the timer after which this process takes over from the leader.
    """

    room: Room
    listeners: list[Listener] = field(factory=list)
    busy: asyncio.Lock = field(factory=asyncio.Lock)
    going: asyncio.Task[None] | None = None
    waiting: asyncio.Task[None] | None = None
    others: asyncio.TimerHandle | None = None
