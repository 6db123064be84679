"""Tells the pages that look at a table where play stands. Whoever calls it holds the room, so that
all is told in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from rulekit.server import protocol
from rulekit.server.access import House, foreseen
from rulekit.server.client import Listener, Open
from rulekit.server.room import Room

Got = TypeVar("Got")
Update = tuple[Listener, protocol.State, object]  # what a page is told, and of which moment


class Broadcast:
    """Works out in threads what each page is told, and sends it in the event loop."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def update_all(self, opened: Open, afresh: bool = False) -> None:
        """All pages, where play stands, and what stands beside the game as far as it is new."""
        await self.send_updates(
            opened, await aside(updates, opened.room, list(opened.listeners), afresh)
        )

    async def send_updates(self, opened: Open, told: Sequence[Update]) -> None:
        """The same, as it was worked out."""
        for listener, state, moment in told:
            try:
                await self._send(opened, listener, state, moment)
            except Exception as error:  # the others are told all the same
                foreseen(error)
        if self._house.news(opened.room):
            for each in list(opened.listeners):
                await self.beside(opened, each)
        for message in self._house.ticks(opened.room):
            for each in list(opened.listeners):
                await each.send(message)

    async def update(self, opened: Open, listener: Listener, afresh: bool = False) -> None:
        """A page, where play stands, with what is new of the log; `afresh`: with all of it."""
        await self._send(opened, listener, *await aside(_told, opened.room, listener, afresh))

    async def _send(
        self, opened: Open, listener: Listener, state: protocol.State, moment: object
    ) -> None:
        if listener.choice != state.choice:
            listener.rest()
        listener.choice, listener.moment = state.choice, moment
        still = [line["event"] for line in state.lines if line["open"]]
        listener.events = (
            still[0] if still else state.lines[-1]["event"] + 1 if state.lines else state.begin
        )
        await listener.send(state)
        if listener.over != opened.room.over:
            await self.table(opened, listener)
            await self.beside(opened, listener)

    async def table(self, opened: Open, listener: Listener) -> None:
        """A page, what does not change while a seat looks on, when it did: its seat, or the end of
        the game."""
        listener.over, listener.deal = opened.room.over, opened.room.deal
        await listener.send(
            await aside(opened.room.table, listener.seat, listener.lang, listener.yours)
        )

    async def beside(self, opened: Open, listener: Listener) -> None:
        """A page, what stands beside the game."""
        for message in await aside(self._house.beside, listener.who, opened.room):
            await listener.send(message)


def updates(room: Room, listeners: Sequence[Listener], afresh: bool) -> list[Update]:
    """What pages are told of where play stands, but for those that may not know that something was
    done since they were told. It blocks."""
    out = []
    for each in listeners:
        _, moment = room.stand(each.seat)
        if moment is None or moment != each.moment:
            try:
                out.append((each, *_told(room, each, afresh)))
            except Exception as error:  # the others are told all the same
                foreseen(error)
    return out


def _told(room: Room, listener: Listener, afresh: bool) -> tuple[protocol.State, object]:
    """What a page is told of where play stands, and of which moment that is."""
    now, moment = room.stand(listener.seat)
    afresh = (
        afresh
        or listener.choice < 0
        or listener.choice > now
        or (moment is not None and listener.over != room.over)
    )
    events, since = (0, 0) if afresh else (listener.events, listener.choice)
    return room.told(listener.seat, listener.lang, events, since, listener.yours), moment


async def aside(do: Callable[..., Got], *args: Any) -> Got:
    """Does it in a thread."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(do, *args))
