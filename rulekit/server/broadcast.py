"""Send the current state to the pages of a table. The caller holds the room, so that updates arrive
in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from rulekit.server import protocol
from rulekit.server.access import AccessPolicy, foreseen
from rulekit.server.client import Listener, OpenRoom
from rulekit.server.room import Room

Got = TypeVar("Got")
Update = tuple[Listener, protocol.StateMessage, object]  # what a page is told, and of which moment


class Broadcast:
    """Computes the message for each page in threads, and sends it from the event loop."""

    def __init__(self, policy: AccessPolicy) -> None:
        self._policy = policy

    async def update_all(self, opened: OpenRoom, afresh: bool = False) -> None:
        """Send all pages the current state, and the online data if it has changed."""
        await self.send_updates(
            opened, await aside(updates, opened.room, list(opened.listeners), afresh)
        )

    async def send_updates(self, opened: OpenRoom, computed: Sequence[Update]) -> None:
        """Send updates that are already computed."""
        for listener, state, moment in computed:
            try:
                await self._send(opened, listener, state, moment)
            except Exception as error:  # the others are told all the same
                foreseen(error)
        if self._policy.news(opened.room):
            for each in list(opened.listeners):
                await self.beside(opened, each)
        for message in self._policy.ticks(opened.room):
            for each in list(opened.listeners):
                await each.send(message)

    async def update(self, opened: OpenRoom, listener: Listener, afresh: bool = False) -> None:
        """Send one page the current state with the new part of the log, or with the whole log if
        `afresh`.
        """
        await self._send(
            opened, listener, *await aside(_state_message, opened.room, listener, afresh)
        )

    async def _send(
        self, opened: OpenRoom, listener: Listener, state: protocol.StateMessage, moment: object
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

    async def table(self, opened: OpenRoom, listener: Listener) -> None:
        """Send a page the unchanging data again, because its seat changed or the game ended."""
        listener.over, listener.table_token = opened.room.over, opened.room.table_token
        await listener.send(
            await aside(opened.room.table, listener.seat, listener.lang, listener.yours)
        )

    async def beside(self, opened: OpenRoom, listener: Listener) -> None:
        """Send a page the online data of its table."""
        for message in await aside(self._policy.beside, listener.who, opened.room):
            await listener.send(message)


def updates(room: Room, listeners: Sequence[Listener], afresh: bool) -> list[Update]:
    """Compute the updates of pages. Leave out pages that may not know that something happened. It
    blocks.
    """
    out = []
    for each in listeners:
        _, moment = room.stand(each.seat)
        if moment is None or moment != each.moment:
            try:
                out.append((each, *_state_message(room, each, afresh)))
            except Exception as error:  # the others are told all the same
                foreseen(error)
    return out


def _state_message(
    room: Room, listener: Listener, afresh: bool
) -> tuple[protocol.StateMessage, object]:
    """Return the state for a page, and the token of this state."""
    now, moment = room.stand(listener.seat)
    afresh = (
        afresh
        or listener.choice < 0
        or listener.choice > now
        or (moment is not None and listener.over != room.over)
    )
    events, since = (0, 0) if afresh else (listener.events, listener.choice)
    return room.state_message(listener.seat, listener.lang, events, since, listener.yours), moment


async def aside(do: Callable[..., Got], *args: Any) -> Got:
    """Run a function in a thread."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(do, *args))
