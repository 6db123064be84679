"""Takes what the door says of who looks at a table, makes `Listener`: a page that is told what
happens there; and a room with its pages."""

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
    """A page that looks at a table. `send`: takes a message; `who`: what the door says of who
    looks; `key`: as whom he counts for limits (None: as this page); `yours`: the seats that he may
    look from. `lang`: what it reads; `choice`, `events`: what it has: so many choices, and lines up
    to an event; `moment`: what the room says of the moment that it was told of last; `over`: was it
    told the seed? `deal`: the game that it was told of (`Room.deal`); `asked`: what it asks for
    while play goes on; `one`: one of these is worked on at a time, but for the `study`, that takes
    longer.
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
    deal: object = None
    asked: set[asyncio.Task[None]] = field(factory=set)
    one: asyncio.Lock = field(factory=asyncio.Lock)
    study: Study | None = None

    def rest(self) -> None:
        """Ends what is thought about for it."""
        if self.study is not None:
            self.study.end()


@define(eq=False)
class Open:
    """A room with who listens to it. `busy`: held by who works on it; `going`: makes the choices
    that wait for nobody; `others`: rings when another process had time enough to do so."""

    room: Room
    listeners: list[Listener] = field(factory=list)
    busy: asyncio.Lock = field(factory=asyncio.Lock)
    going: asyncio.Task[None] | None = None
    waiting: asyncio.Task[None] | None = None
    others: asyncio.TimerHandle | None = None
