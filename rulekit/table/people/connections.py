"""Takes the connections of a server before they ask for anything, lets in so many and no more, and waits so long for a request."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from rulekit.table.people.admission import SPARE, descriptors
from rulekit.table.people.limits import Limits, network

SECONDS = 20.0  # in which a request has to come whole


class Connections:
    """Those that are no socket of a table (yet). `each`: from one address; None: a proxy has the limits of its own."""

    def __init__(self, each: int | None) -> None:
        self.each = each
        self.open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """One more; False if there are too many."""
        if self.open.total() >= max(16, descriptors() // SPARE) or (self.each is not None and self.open[address] >= self.each):
            return False
        self.open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """One less."""
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]


def bounded_http(limits: Limits, behind: bool) -> type[asyncio.Protocol]:
    """The protocol of uvicorn, with `Connections` counted and requests that do not come cut."""
    base: Any = AutoHTTPProtocol
    connections = Connections(None if behind else limits.most("connections"))

    class Bounded(base):  # type: ignore[misc]
        """A connection."""

        address: str | None = None
        deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            peer = transport.get_extra_info("peername")
            address = network(str(peer[0])) if isinstance(peer, tuple) else ""
            super().connection_made(transport)
            if not connections.enter(address):
                transport.abort()
                return
            self.address = address
            self.wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.transport.get_protocol() is not self:  # it is a socket of a table now
                self.left()
            elif self.cycle is None or self.cycle.response_complete:
                self.wait()
            else:
                self.wait_no_more()

        def connection_lost(self, exc: Exception | None) -> None:
            self.left()
            super().connection_lost(exc)

        def wait(self) -> None:
            """So long, from the first byte on."""
            if self.deadline is None:
                self.deadline = asyncio.get_running_loop().call_later(SECONDS, self.transport.abort)

        def wait_no_more(self) -> None:
            """The request is there."""
            if self.deadline is not None:
                self.deadline.cancel()
                self.deadline = None

        def left(self) -> None:
            """It counts no more."""
            self.wait_no_more()
            if self.address is not None:
                connections.leave(self.address)
                self.address = None

    return Bounded
