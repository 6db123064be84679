"""Takes a site, makes the ASGI application of the table for many people, behind its door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from rulekit.table.app import PAGE, Api, json_answer, missing
from rulekit.table.hub import aside
from rulekit.table.people.api import ENDPOINTS
from rulekit.table.people.door import PeoplesDoor, who_asks
from rulekit.table.people.openapi import described
from rulekit.table.people.site import Site
from rulekit.table.people.watch import watch
from rulekit.table.store import StoreError

PAGES = ("/", "/table/{id}", "/join/{token}", "/account", "/admin")


def peoples_app(site: Site) -> PeoplesDoor:
    """The application; `site` begins to hear what changes when it starts."""
    api = Api(site.hub, who_asks)
    description = described(ENDPOINTS)

    async def told(_: Request) -> Response:
        return json_answer(description)

    async def healthy(_: Request) -> Response:
        try:
            await aside(site.store.count)
        except StoreError:
            return PlainTextResponse("no database\n", 503)
        return PlainTextResponse("fine\n")

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        site.bus.begin(site.hears)
        watching = asyncio.create_task(watch(site))
        yield
        watching.cancel()
        site.bus.end()
        await site.hub.close()

    app = Starlette(lifespan=lifespan, exception_handlers={404: missing, 405: missing}, routes=[
        *(Route(path, api.page) for path in PAGES),
        Route("/healthz", healthy),
        Route("/api/openapi.json", told),
        *(endpoint.route(site) for endpoint in ENDPOINTS),
        WebSocketRoute("/api/tables/{id}/wire", api.wire),
        Mount("/page", StaticFiles(directory=PAGE)),
    ])
    return PeoplesDoor(app, site.store, site.public, site.limits)
