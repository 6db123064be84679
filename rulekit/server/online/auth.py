"""Authentication of requests in the server for many people. See docs/serve.md, "Passwords,
sessions, requests".
"""

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
from rulekit.server.online.end_texts import error_message
from rulekit.server.online.rate_limits import Limits, TooOften, network
from rulekit.server.storage import Store, StoreError

LONGEST_TOKEN = 100
OPEN = (
    "/page/",
    "/healthz",
    "/metrics",
)  # files and monitoring, which need no authentication


class OnlineAuthentication:
    """ASGI middleware that finds the person behind each request (`who_asks`). Requests that change
    something are accepted only from the server's own pages.

    Attributes:
        public: the public address of the server.
    """

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
        """Return the answer to a request with a wrong host or origin, or None if it is allowed."""
        headers = Headers(scope=asks.scope)
        if asks.scope["path"] in (
            "/healthz",
            "/metrics",
        ):  # may be requested by other host names: they use no cookies
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
        """Find the person of a request. Return the answer if they ask too often or the database
        fails, else None.
        """
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
            return _no(503, error_message("en", error))
        return None

    def _person(self, token: str) -> Person | None:
        with self.store.reading() as db:
            return who_has(db, token)


def who_asks(asks: HTTPConnection) -> Person | None:
    """Return the person of a request as the middleware found it, or None if nobody is signed in."""
    found: Person | None = asks.scope.get("state", {}).get("person")
    return found


def address(asks: HTTPConnection) -> str:
    """Return the network address of a request, for limits. uvicorn sets it as a trusted proxy
    reports it.
    """
    return network(asks.client.host) if asks.client else ""


def counts_as(asks: HTTPConnection) -> str:
    """Return the key of a request for limits: the person's id, or the address if nobody is signed
    in.
    """
    who = who_asks(asks)
    return who.id if who else address(asks)


def cookie_name(public: str) -> str:
    """Return the name of the session cookie. With TLS it is one that no other host can set."""
    parts = urlsplit(public)
    return "__Host-rulekit" if parts.scheme == "https" else f"rulekit-{parts.port or 80}"


def _no(status: int, why: str) -> Response:
    return PlainTextResponse(f"rulekit: {why}\n", status)
