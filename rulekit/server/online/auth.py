"""Takes requests, says who asks: the door of the table for many people. See docs/serve.md,
"Passwords, sessions, requests"."""

from __future__ import annotations

import asyncio
from functools import partial
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rulekit.server.auth import dressed
from rulekit.server.online.accounts import Person, who_has
from rulekit.server.online.end_texts import told_error
from rulekit.server.online.rate_limits import Limits, TooOften, network
from rulekit.server.storage import Store, StoreError

LONGEST_TOKEN = 100
OPEN = (
    "/page/",
    "/healthz",
    "/metrics",
)  # files, and what machines ask for: nobody is asked who he is


class PeoplesDoor:
    """Lets everybody in, and says who he is (`who_asks`); what changes something only from the
    server's own pages. `public`: the address that the server is known by."""

    def __init__(self, app: ASGIApp, store: Store, public: str, limits: Limits) -> None:
        self.app = app
        self.store = store
        self.limits = limits
        parts = urlsplit(public)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.host = parts.netloc
        self.safe = parts.scheme == "https"
        self.cookie = cookie_name(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asks = HTTPConnection(scope)
        refusal = self._refusal(asks)
        if refusal is None and not scope["path"].startswith(OPEN):
            refusal = await self._asked(asks)
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": 4403, "reason": "not let in"})
            else:
                await self.app(scope, receive, send)
            return
        more = [("strict-transport-security", "max-age=31536000")] if self.safe else []
        await (refusal or self.app)(scope, receive, dressed(send, more))

    def _refusal(self, asks: HTTPConnection) -> Response | None:
        """None for who may come in."""
        headers = Headers(scope=asks.scope)
        if asks.scope["path"] in (
            "/healthz",
            "/metrics",
        ):  # asked by other names of the server; they set no cookie and read none
            return None
        host = headers.get("host", "")
        if host != self.host:
            return _no(421, f"this table is not called {host[:80]!r}; it is at {self.origin}")
        origin = headers.get("origin")
        reads = asks.scope["type"] == "http" and asks.scope["method"] in ("GET", "HEAD")
        if (origin is not None or not reads) and origin != self.origin:
            return _no(403, "only the table's own pages may ask for this")
        return None

    async def _asked(self, asks: HTTPConnection) -> Response | None:
        """Finds out who asks, unless he asks too often."""
        asks.scope.setdefault("state", {})["person"] = None
        try:
            self.limits.spend("ask", address(asks))
            token = asks.cookies.get(self.cookie, "")
            if 0 < len(token) <= LONGEST_TOKEN:
                asks.scope["state"]["person"] = await asyncio.get_running_loop().run_in_executor(
                    None, partial(self._person, token)
                )
        except TooOften as error:
            return _no(429, str(error))
        except StoreError as error:
            return _no(503, told_error("en", error))
        return None

    def _person(self, token: str) -> Person | None:
        with self.store.reading() as db:
            return who_has(db, token)


def who_asks(asks: HTTPConnection) -> Person | None:
    """Who it is, as the door found out; None: nobody that is known."""
    found: Person | None = asks.scope.get("state", {}).get("person")
    return found


def address(asks: HTTPConnection) -> str:
    """Where somebody asks from, as it counts for limits (uvicorn puts there what a trusted proxy
    says)."""
    return network(asks.client.host) if asks.client else ""


def counts_as(asks: HTTPConnection) -> str:
    """As whom somebody counts for limits: who is not known as his address."""
    who = who_asks(asks)
    return who.id if who else address(asks)


def cookie_name(public: str) -> str:
    """What the cookie of a session is called: behind TLS one that no other host can set."""
    parts = urlsplit(public)
    return "__Host-rulekit" if parts.scheme == "https" else f"rulekit-{parts.port or 80}"


def _no(status: int, why: str) -> Response:
    return PlainTextResponse(f"rulekit: {why}\n", status)
