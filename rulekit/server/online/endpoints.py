"""Endpoints and their routes: authentication, limits, decoding of the body, JSON answers, and
errors with a status.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

import msgspec
from attrs import field, frozen
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.languages import LANGUAGES
from rulekit.common.i18n.messages import _
from rulekit.server.app import json_answer, read_body
from rulekit.server.bounded_threads import Busy
from rulekit.server.online import idempotency
from rulekit.server.online.accounts import Person, WrongPassword
from rulekit.server.online.auth import address, cookie_name, counts_as, who_asks
from rulekit.server.online.clock_updates import NotStored
from rulekit.server.online.end_texts import error_message
from rulekit.server.online.idempotency import IdempotencyKey, Reused
from rulekit.server.online.mail_confirmation import NotSent
from rulekit.server.online.protocol import Trouble
from rulekit.server.online.rate_limits import TooOften
from rulekit.server.online.seating import NotAllowed, NotSignedIn, NotThere
from rulekit.server.online.services import Site
from rulekit.server.storage import NoTable, StoreError

LONGEST = 1 << 16  # default limit of bytes of a body
STATUS: dict[type[RulekitError], int] = {
    NotSignedIn: 401,
    WrongPassword: 401,
    Reused: 422,
    NotAllowed: 403,
    NotStored: 403,
    NotThere: 404,
    TooOften: 429,
    Busy: 503,
    NotSent: 503,
    StoreError: 503,
}


@frozen
class Ask:
    """A request to an endpoint.

    Attributes:
        who: the person, or None if nobody is signed in.
        body: the decoded body, of the type `Endpoint.takes`.
        key: the idempotency key of a request that must take effect only once.
    """

    site: Site
    who: Person | None
    path: dict[str, str]
    query: Mapping[str, str]
    body: Any
    lang: str
    address: str
    token: str
    key: IdempotencyKey | None = None

    def made(self, db: Connection, came: object = "") -> None:
        """Store the result of a request that creates something, in its transaction. A repeated
        request with the same key then creates nothing.
        """
        if self.key is not None:
            idempotency.keep(db, self.key, str(came))

    @property
    def person(self) -> Person:
        """Return the person. Use it only at endpoints that need a session."""
        assert self.who is not None
        return self.who


@frozen
class EndpointAnswer:
    """An answer with more than a value.

    Attributes:
        token: the token of a new session. An empty one ends the session.
    """

    value: Any = None
    status: int = 200
    token: str | None = None
    text: str | None = None
    media: str = "application/json"
    name: str | None = None


@frozen
class Endpoint:
    """An endpoint of the API.

    The first paragraph of the docstring of `do` is the summary in the OpenAPI description. The
    other paragraphs are the description there.

    Attributes:
        who: the people who may use it: anyone, signed (with a session) or admin.
        takes: the type of the body.
        gives: the type of the answer.
        once: the name of the rate limit that a request spends.
        again: builds the answer to a repeated request from the stored result of the first one.
        longest: the maximum number of bytes of a body.
        long: True if it may take seconds, so that only a few run at a time.
        query: the query parameters, with their types.
        may_refuse: the statuses of its errors.
    """

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    do: Callable[[Ask], Any] | Callable[[Ask], Awaitable[Any]]
    who: Literal["anyone", "signed", "admin"] = "signed"
    takes: Any = None
    gives: Any = None
    status: int = 200
    once: str | None = None
    again: Callable[[Ask, str], Any] | None = None
    longest: int = LONGEST
    long: bool = False
    query: Mapping[str, type] = field(factory=dict)
    may_refuse: tuple[int, ...] = field(default=(400, 401, 403, 404, 429, 503))

    def route(self, site: Site) -> Route:
        """Return the route for Starlette."""
        decoder = msgspec.json.Decoder(self.takes) if self.takes is not None else None

        async def asked(request: Request) -> Response:
            try:
                return await self._answer(site, request, decoder)
            except RulekitError as error:
                return refusal(error, lang_of(request))

        return Route(self.path, asked, methods=[self.method], name=f"{self.method} {self.path}")

    async def _answer(self, site: Site, request: Request, decoder: Any) -> Response:
        who = who_asks(request)
        if self.who != "anyone" and who is None:
            raise NotSignedIn(_("sign in first"))
        if self.who == "admin" and not (who and who.admin):
            raise NotAllowed(_("only an admin may do this"))
        if self.once is not None:
            site.limits.spend(self.once, counts_as(request))
        _ask_plain(request)
        body, raw = None, b""
        if decoder is not None:
            try:
                raw = await read_body(request, self.longest)
                if b"\\u0000" in raw:  # PostgreSQL cannot store it
                    raise RulekitError(_("this is not a valid message: {why}", why="\\u0000"))
                body = decoder.decode(raw)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
                raise RulekitError(
                    _("this is not a valid message: {why}", why=str(error))
                ) from None
        path = {name: str(value) for name, value in request.path_params.items()}
        key = self._key(request, who, raw)
        ask = Ask(
            site,
            who,
            path,
            request.query_params,
            body,
            lang_of(request),
            address(request),
            request.cookies.get(cookie_name(site.public), ""),
            key,
        )
        value = await (self._do(ask) if key is None else self._once(ask))
        return self._written(
            site, value if isinstance(value, EndpointAnswer) else EndpointAnswer(value, self.status)
        )

    def _key(self, request: Request, who: Person | None, raw: bytes) -> IdempotencyKey | None:
        """Return the idempotency key of a request that creates something, or None. It includes the
        person only at endpoints that need a session.
        """
        text = request.headers.get(idempotency.HEADER)
        if text is None or self.again is None:
            return None
        return idempotency.key_of(
            text,
            "" if self.who == "anyone" or who is None else who.id,
            f"{self.method} {request.url.path}",
            raw,
        )

    async def _do(self, ask: Ask) -> Any:
        if inspect.iscoroutinefunction(self.do):
            return await self.do(ask)
        if self.long:
            return await ask.site.long.do(ask.who.id if ask.who else ask.address, self.do, ask)
        return await asyncio.get_running_loop().run_in_executor(None, self.do, ask)

    async def _once(self, ask: Ask) -> Any:
        """Run the endpoint, or return the answer of the first request with the same key.

        A request that ran at the same moment, or fails because the work is done already, also gets
        the first answer.
        """

        def before() -> Any:
            assert ask.key is not None and self.again is not None
            with ask.site.store.reading() as db:
                came = idempotency.known(db, ask.key)
            return None if came is None else [self.again(ask, came)]

        run = asyncio.get_running_loop().run_in_executor
        if (found := await run(None, before)) is not None:
            return found[0]
        try:
            return await self._do(ask)
        except RulekitError:
            if (found := await run(None, before)) is None:
                raise
            return found[0]

    def _written(self, site: Site, answer: EndpointAnswer) -> Response:
        if answer.text is not None:
            out = Response(answer.text, answer.status, media_type=answer.media)
            if answer.name:
                out.headers["content-disposition"] = f'attachment; filename="{answer.name}"'
        elif self.gives is None:
            out = Response(status_code=204)
        else:
            out = json_answer(answer.value, answer.status)
        if answer.token is not None:
            _cookie(out, site, answer.token)
        return out


def _ask_plain(request: Request) -> None:
    """Raise `NotThere` if a path parameter cannot be an id."""
    for value in request.path_params.values():
        if (isinstance(value, int) and value >= 1 << 31) or "\0" in str(value):
            raise NotThere(_("there is nothing at this address"))


def _cookie(out: Response, site: Site, token: str) -> None:
    name, safe = cookie_name(site.public), site.public.startswith("https:")
    if token:
        out.set_cookie(
            name, token, max_age=60 * 86400, httponly=True, secure=safe, samesite="lax", path="/"
        )
    else:
        out.delete_cookie(name, httponly=True, secure=safe, samesite="lax", path="/")


def lang_of(request: Request) -> str:
    """Return the requested language, else that of the person, else English."""
    who = who_asks(request)
    lang = request.query_params.get("lang") or (who.lang if who else "")
    return lang if lang in LANGUAGES else LANGUAGES[0]


def refusal(error: RulekitError, lang: str) -> Response:
    """Return the answer to an error that a person can correct, with its reason."""
    status = next((code for sort, code in STATUS.items() if isinstance(error, sort)), 400)
    if isinstance(error, NoTable):
        status = 404
    return json_answer(Trouble(error_message(lang, error)), status)
