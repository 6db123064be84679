"""Log output as one JSON object a line, with times, names and numbers, but without data that people
sent.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulekit.server.online.metrics import seen

_requests = logging.getLogger("rulekit.requests")


class JsonFormatter(logging.Formatter):
    """Formats a log record as a line of JSON. An exception is logged with its type and stack,
    without its text.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        out = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
            **getattr(record, "more", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            out["error"] = type(error).__name__
            out["where"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(error.__traceback__)[-8:]
            ]
        return json.dumps(out, ensure_ascii=False)


def begin_logs(level: str = "INFO") -> None:
    """Send all log records to standard error as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("httpx2", "httpcore2", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)


class Logged:
    """ASGI middleware that logs and counts each answered request. It uses the route, because the
    address may hold an invitation.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def sends(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sends)
        finally:
            seconds, route = (
                time.perf_counter() - begun,
                getattr(scope.get("route"), "path", "") or "other",
            )
            seen(scope["method"], route, status, seconds)
            person = (scope.get("state") or {}).get("person")
            more = {
                "method": scope["method"],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
                **({"person": person.id} if person else {}),
            }
            _requests.info("request", extra={"more": more})
