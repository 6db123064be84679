"""The ASGI application of the server for many people, with authentication."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from rulekit.server.app import PAGE, Api, json_answer, missing
from rulekit.server.broadcast import aside
from rulekit.server.online import scheduler
from rulekit.server.online.accounts import look_at_names
from rulekit.server.online.admin import ADMIN
from rulekit.server.online.api import ENDPOINTS
from rulekit.server.online.auth import OnlineAuthentication, address, counts_as, who_asks
from rulekit.server.online.metrics import metrics_text
from rulekit.server.online.openapi import described
from rulekit.server.online.services import Site
from rulekit.server.storage import StoreError

PAGES = ("/", "/table/{id}", "/join/{token}", "/confirm/{token}", "/account", "/admin")


def online_app(site: Site) -> OnlineAuthentication:
    """Return the application. When it starts, `site` begins to receive changes."""
    api = Api(site.hub, who_asks, counts_as, address)
    description = described([*ENDPOINTS, *ADMIN])

    async def page(_: Request) -> Response:
        """Return the browser client for servers with accounts."""
        return FileResponse(PAGE / "online.html")

    async def openapi(_: Request) -> Response:
        return json_answer(description)

    async def healthy(_: Request) -> Response:
        try:
            await aside(site.store.count)
        except StoreError:
            return PlainTextResponse("no database\n", 503)
        stalled = site.stalled()
        return (
            PlainTextResponse(f"stalled: {', '.join(stalled)}\n", 503)
            if stalled
            else PlainTextResponse("fine\n")
        )

    async def measured(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if not site.metrics_token or not hmac.compare_digest(
            given.encode(), f"Bearer {site.metrics_token}".encode()
        ):
            return PlainTextResponse("nothing here\n", 404)
        text = metrics_text(len(site.hub.opened), site.hub.sockets, site.supervisor.ages())
        return Response(text, media_type="text/plain; version=0.0.4")

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await aside(_look_at_names, site)
        site.bus.begin(site.hears, site.hub.has_open)
        watching = scheduler.begin(site)
        yield
        await watching.end()
        site.bus.end()
        await site.hub.close()
        site.hashing.close()
        site.long.close()

    app = Starlette(
        lifespan=lifespan,
        exception_handlers={404: missing, 405: missing},
        routes=[
            *(Route(path, page) for path in PAGES),
            Route("/healthz", healthy),
            Route("/metrics", measured),
            Route("/api/openapi.json", openapi),
            *(endpoint.route(site) for endpoint in (*ENDPOINTS, *ADMIN)),
            WebSocketRoute("/api/tables/{id}/wire", api.wire),
            Mount("/page", StaticFiles(directory=PAGE)),
        ],
    )
    return OnlineAuthentication(app, site.store, site.public, site.limits)


def _look_at_names(site: Site) -> None:
    with site.store.begin() as db:
        look_at_names(db)
