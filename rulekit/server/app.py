"""The ASGI application of a local server: pages, the HTTP API and WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.languages import LANGUAGES
from rulekit.common.i18n.messages import _
from rulekit.common.i18n.reasons import error_text
from rulekit.engine.saves.save_format import MAX_SAVE_BYTES
from rulekit.server import protocol
from rulekit.server.bounded_threads import Limited
from rulekit.server.catalogue import Wanted
from rulekit.server.client import Listener
from rulekit.server.hub import Hub
from rulekit.server.storage import NoTable, StoreError

PAGE = Path(__file__).parent / "static"
_WANTED = msgspec.json.Decoder(Wanted)
KEYS = 200  # requests with a key whose answers are known
MOST_WANTED = 1 << 16  # bytes of what opens a table
# the code of a socket that is closed because it is one too many, or asks too much: the message
# before says so
LIMITED = 4429
SECONDS = 60.0  # in which a body has to come whole
MOST_REFUSED = (
    200  # messages in a row that are refused before they are heard: then the page is sent away
)
# messages that a page may be behind before it is sent away: it comes again and gets the present
# state
BEHIND = 200


class Api:
    """The request handlers for one hub.

    Args:
        who: returns the person behind a request.
        key: returns their identity for rate limits.
        address: returns the network address of a request.
    """

    def __init__(
        self,
        hub: Hub,
        who: Callable[[HTTPConnection], object] = lambda __: None,
        key: Callable[[HTTPConnection], Hashable] = lambda __: None,
        address: Callable[[HTTPConnection], str] = lambda __: "",
    ) -> None:
        self.hub = hub
        self.who = who
        self.key = key
        self.address = address
        self._made: dict[
            str, asyncio.Future[Response]
        ] = {}  # by the keys of the last requests that made a table

    async def page(self, __: Request) -> Response:
        """Return the HTML page. All pages are the same file, which reads its own address."""
        return FileResponse(PAGE / "index.html")

    async def games(self, request: Request) -> Response:
        """Return the playable games."""
        lang = _lang(request)
        loop = asyncio.get_running_loop()
        return json_answer(await loop.run_in_executor(None, self.hub.library.playable, lang))

    async def tables(self, request: Request) -> Response:
        """Return the tables."""
        return json_answer(await self.hub.listed(_lang(request)))

    async def open(self, request: Request) -> Response:
        """Open a table."""
        return await self.once(request, self._open)

    async def _open(self, request: Request) -> Response:
        try:
            wanted = _WANTED.decode(await read_body(request, MOST_WANTED))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise RulekitError(
                _("the data for a new table are not valid: {why}", why=str(error))
            ) from None
        return json_answer(await self.hub.new(wanted), 201)

    async def once(
        self, request: Request, make: Callable[[Request], Coroutine[Any, Any, Response]]
    ) -> Response:
        """Answer a request, once for each `Idempotency-Key`. A repeated request gets the first
        answer, so it makes no second table.
        """
        key = request.headers.get("idempotency-key")
        if key is None:
            return await make(request)
        first = self._made.get(key)
        if first is None:
            first = self._made[key] = asyncio.ensure_future(make(request))
            while len(self._made) > KEYS:
                self._made.pop(next(iter(self._made)))
        try:
            return await asyncio.shield(first)
        except RulekitError:
            self._made.pop(key, None)
            raise

    async def bring(self, request: Request) -> Response:
        """Open a table that continues a save."""
        return await self.once(request, self._bring)

    async def _bring(self, request: Request) -> Response:
        return json_answer(await self.hub.bring(await read_body(request, MAX_SAVE_BYTES)), 201)

    async def save(self, request: Request) -> Response:
        """Return the save of a table as a file."""
        id = request.path_params["id"]
        text = await self.hub.save(id)
        return Response(
            text,
            media_type="application/x-ndjson",
            headers={"content-disposition": f'attachment; filename="{id}.save"'},
        )

    async def remove(self, request: Request) -> Response:
        """Delete a table."""
        await self.hub.remove(request.path_params["id"])
        return Response(status_code=204)

    async def wire(self, socket: WebSocket) -> None:
        """Serve the WebSocket of a page. Its requests are handled one after the other. Messages to
        the page are queued in order, and the server never waits for them to be sent.
        """
        id = socket.path_params["id"]
        await socket.accept()
        lang = _lang(socket)
        out: asyncio.Queue[bytes | int] = asyncio.Queue()
        sender = asyncio.create_task(_send(socket, out))

        async def send(message: msgspec.Struct) -> None:
            if out.qsize() < BEHIND:
                out.put_nowait(protocol.written(message))
            elif not sender.done():
                sender.cancel()

        listener = Listener(send, self.who(socket), self.key(socket))
        try:
            with self.hub.policy.admits(id, listener.who, self.address(socket)):
                await self._looked(socket, id, listener)
        except RulekitError as error:
            await send(protocol.Closed(self.hub.policy.error_message(lang, error)))
            out.put_nowait(LIMITED if isinstance(error, Limited) else 1000)
            await sender
        finally:
            sender.cancel()

    async def _looked(self, socket: WebSocket, id: str, listener: Listener) -> None:
        """Handle requests until the page disconnects. Raise `RulekitError` if it may not watch, or
        keeps sending requests that are refused.
        """
        await self.hub.join(id, listener)
        refused = 0
        try:
            while True:
                text = await _received(socket)
                refused = 0 if await self._heard(id, listener, text) else refused + 1
                if refused >= MOST_REFUSED:
                    raise Limited(_("this page sends too many requests and was disconnected"))
        except WebSocketDisconnect:
            pass
        finally:
            await self.hub.leave(id, listener)

    async def _heard(self, id: str, listener: Listener, text: str | bytes) -> bool:
        """Return True if a message was handled, False if it was malformed or over a limit."""
        number = 0
        try:
            request = protocol.read(text)
            number = request.re
            self.hub.policy.hears(listener.key, request)
        except RulekitError as error:
            await listener.send(
                protocol.RefusedMessage(
                    number,
                    self.hub.policy.error_message(listener.lang or "en", error),
                    busy=isinstance(error, Limited),
                )
            )
            return False
        await self.hub.hear(id, listener, request)
        return True


def app(hub: Hub) -> Starlette:
    """Return the application. `LocalAuthentication` checks access to it."""
    api = Api(hub)

    @asynccontextmanager
    async def lifespan(__: Starlette) -> AsyncIterator[None]:
        yield
        await hub.close()

    return Starlette(
        lifespan=lifespan,
        exception_handlers={RulekitError: _refused, 404: nowhere, 405: missing},
        routes=[
            Route("/", api.page),
            Route("/table/{id}", api.page),
            Route("/api/games", api.games),
            Route("/api/tables", api.tables),
            Route("/api/tables", api.open, methods=["POST"]),
            Route("/api/tables/save", api.bring, methods=["POST"]),
            Route("/api/tables/{id}/save", api.save),
            Route("/api/tables/{id}", api.remove, methods=["DELETE"]),
            WebSocketRoute("/api/tables/{id}/wire", api.wire),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
    )


async def _send(socket: WebSocket, out: asyncio.Queue[bytes | int]) -> None:
    """Send queued messages. A number closes the socket with that code."""
    try:
        while not isinstance(text := await out.get(), int):
            await socket.send_text(text.decode())
        await socket.close(text)
    except asyncio.CancelledError:
        raise
    except Exception:  # the page has gone
        return


async def _received(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    return text if text is not None else bytes(message["bytes"])


async def read_body(request: Request, most: int) -> bytes:
    """Return the body of a request. Raise `RulekitError` if it is too long or too slow."""
    out = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            async for chunk in request.stream():
                out += chunk
                if len(out) > most:
                    raise RulekitError(_("the message is longer than {n} bytes", n=str(most)))
    except TimeoutError:
        raise RulekitError(
            _("the request did not arrive within {n} seconds", n=f"{SECONDS:g}")
        ) from None
    return bytes(out)


def _lang(request: HTTPConnection) -> str:
    lang = request.query_params.get("lang", LANGUAGES[0])
    return lang if lang in LANGUAGES else LANGUAGES[0]


def json_answer(value: Any, status: int = 200) -> Response:
    """Return plain data as a JSON response."""
    return Response(protocol.json_of(value), status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    """Return an error with its reason, in the language of the request."""
    status = 404 if isinstance(error, NoTable) else 503 if isinstance(error, StoreError) else 400
    return json_answer({"error": error_text(_lang(request), error)}, status)


async def nowhere(request: Request, error: Exception) -> Response:
    """Return a 404 response: the HTML page for a browser, JSON for others."""
    reads = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if reads and not request.url.path.startswith(("/api/", "/page/")):
        return FileResponse(PAGE / "index.html", 404)
    return await missing(request, error)


async def missing(request: Request, error: Exception) -> Response:
    """Return a JSON error for an unknown address or method."""
    return json_answer(
        {"error": f"there is nothing at {request.url.path[:200]}"},
        getattr(error, "status_code", 404),
    )
