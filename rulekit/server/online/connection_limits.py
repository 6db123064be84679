"""Limits of the number of open connections, and a deadline for the first request on each."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from rulekit.common.i18n.messages import _
from rulekit.server.online.rate_limits import Limits, network
from rulekit.server.online.socket_admission import SPARE, descriptors

SECONDS = 20.0  # deadline for a complete request
REFUSED, SOON = (
    1000,
    3.0,
    # connections beyond the limit that are answered with an error, and the seconds for which each
    # may wait for it; further ones are closed at once
)


class Connections:
    """Counts open connections. A WebSocket of a table leaves the count.

    Attributes:
        each: the limit for one address. None behind a proxy, which has limits of its own.
    """

    def __init__(self, each: int | None) -> None:
        self.each = each
        self.open: Counter[str] = Counter()
        self.refused = 0

    def enter(self, address: str) -> bool:
        """Count a connection. Return False if there are too many."""
        most = max(16, descriptors() // SPARE)
        if self.open.total() >= most or (
            self.each is not None and self.open[address] >= min(self.each, most // 2)
        ):
            return False
        self.open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Stop counting a connection."""
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]


def too_many(most: int) -> bytes:
    """Return the HTTP answer to a connection beyond the limit."""
    message = _(
        "too many connections are open (at most {n} for each address); try again in a moment",
        n=most,
    )
    text = f"rulekit: {message}\n".encode()
    head = (
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain;"
        f" charset=utf-8\r\ncontent-length: {len(text)}\r\n"
    )
    return head.encode() + b"retry-after: 2\r\nconnection: close\r\n\r\n" + text


_BASE: Any = AutoHTTPProtocol


class BoundedConnection(_BASE):  # type: ignore[misc]
    """A counted connection of uvicorn.

    Attributes:
        site: the open connections of the site.
        refusal: the answer to a connection beyond the limit.
    """

    site: Connections
    refusal: bytes
    address: str | None = None
    refused = False  # beyond the limit: it gets an error when it sends a request
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        peer = transport.get_extra_info("peername")
        address = network(str(peer[0])) if isinstance(peer, tuple) else ""
        super().connection_made(transport)
        if self.site.enter(address):
            self.address = address
        elif self.site.refused < min(REFUSED, descriptors() // SPARE // 4):
            self.site.refused += 1
            self.refused = True
        else:
            transport.abort()
            return
        self.wait(SOON if self.refused else SECONDS)

    def data_received(self, data: bytes) -> None:
        if self.refused:
            self.transport.write(self.refusal)
            self.transport.close()
            return
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it has become a WebSocket of a table
            self.left()
        elif self.cycle is None or self.cycle.response_complete:
            self.wait(SECONDS)
        else:
            self.wait_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        self.left()
        if self.refused:
            self.refused = False
            self.site.refused -= 1
        super().connection_lost(exc)

    def wait(self, seconds: float) -> None:
        """Set the deadline of a request, unless one is set."""
        if self.deadline is None:
            self.deadline = asyncio.get_running_loop().call_later(seconds, self.transport.abort)

    def wait_no_more(self) -> None:
        """Cancel the deadline: the request has arrived."""
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def left(self) -> None:
        """Cancel the deadline and stop counting the connection."""
        self.wait_no_more()
        if self.address is not None:
            self.site.leave(self.address)
            self.address = None


def bounded_http(limits: Limits, behind: bool) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol with a limit of connections and a deadline for requests."""

    class SiteConnection(BoundedConnection):
        site = Connections(None if behind else limits.most("connections"))
        refusal = too_many(limits.most("connections"))

    return SiteConnection
