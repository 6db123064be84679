"""Authentication for a local server. See docs/table.md, "Authentication"."""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'"
    " data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-cache"),
]
TOKEN = "token"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")


class LocalAuthentication:
    """Middleware that admits only requests with the token of this server's address, made by its own
    pages.

    Args:
        hosts: the accepted values of the Host header, with port.
        token: the token.
        name: the name of the cookie that holds it.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str, name: str) -> None:
        self.app = app
        self.hosts = hosts
        self.token = token
        self.cookie = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(HTTPConnection(scope))
        if refusal is None:
            await self.app(scope, receive, dressed(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": "not let in"})
        else:
            await refusal(scope, receive, dressed(send))

    def _refusal(self, asks: HTTPConnection) -> Response | None:
        """Return a refusal, or None if the request is admitted."""
        headers = Headers(scope=asks.scope)
        host = headers.get("host", "")
        if host not in self.hosts:
            return _refused(
                f"this table is not called {host[:80]!r}; it is at {sorted(self.hosts)[0]}"
            )
        origin = headers.get("origin")
        reads = asks.scope["type"] == "http" and asks.scope["method"] in ("GET", "HEAD")
        if (origin is not None or not reads) and origin != f"http://{host}":
            return _refused("only the table's own pages may ask for this")
        if _same(asks.cookies.get(self.cookie, ""), self.token):
            return None
        if reads and _same(asks.query_params.get(TOKEN, ""), self.token):
            return self._welcome(asks)
        return _refused("open the address that `rulekit table` printed, with its token")

    def _welcome(self, asks: HTTPConnection) -> Response:
        """Set the cookie and redirect to the same page without the token in its address."""
        left = urlencode([(k, v) for k, v in parse_qsl(asks.url.query) if k != TOKEN])
        path = asks.url.path if not asks.url.path.startswith("//") else "/"
        answer = RedirectResponse(path + (f"?{left}" if left else ""), 303)
        answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        return answer


def token_beside(file: Path) -> str:
    """Return the token for a database file. It is stored next to it, readable by its owner only, so
    that open pages keep working after a restart.

    Raises:
        OSError: the token file cannot be read or written.
    """
    kept = file.with_name(file.name + ".token")
    with suppress(FileNotFoundError):
        found = kept.read_text(encoding="ascii", errors="replace").strip()
        if _TOKEN.fullmatch(found):
            return found
        kept.unlink()
    token = secrets.token_urlsafe(24)
    with open(
        os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
    ) as out:
        out.write(token + "\n")
    return token


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _refused(why: str) -> Response:
    return PlainTextResponse(f"rulekit: {why}\n", 403)


def dressed(send: Send, more: Sequence[tuple[str, str]] = ()) -> Send:
    """Add the security headers, and more, to every response."""

    async def sends(message: dict[str, object]) -> None:
        if message["type"] == "http.response.start":
            given = list(message.get("headers", []))  # type: ignore[call-overload]
            has = {name.lower() for name, _ in given}
            message["headers"] = given + [
                (k.encode(), v.encode()) for k, v in (*HEADERS, *more) if k.encode() not in has
            ]
        await send(message)

    return sends  # type: ignore[return-value]
