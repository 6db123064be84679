"""Runs a server for many people until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import uvicorn
from attrs import frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.game_library import Library
from rulekit.server.online.app import online_app
from rulekit.server.online.connection_limits import bounded_http
from rulekit.server.online.json_logging import Logged, begin_logs
from rulekit.server.online.mail import mailer
from rulekit.server.online.rate_limits import Limits, read_limits
from rulekit.server.online.services import Site
from rulekit.server.online.socket_admission import raise_descriptors
from rulekit.server.run import bound
from rulekit.server.storage import Store, file_address

THREADS = 12  # threads for the requests of a process


@frozen
class ServerSettings:
    """The settings of a server.

    Attributes:
        database: the address of the database.
        public: the address that people use. An empty one means this host and port.
        behind: the proxies that are trusted to report the address of a client.
        smtp: the address of the mail server. See `mail`.
        sender: the sender of letters.
        limits: limits other than the defaults. See `rate_limits.read_limits`.
    """

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    public: str = ""
    behind: str = ""
    upgrade: bool = False
    sign_up: bool = True
    named_seeds: bool = False
    smtp: str = ""
    sender: str = ""
    metrics_token: str = ""
    limits: tuple[str, ...] = ()


def serve(library: Library, setting: ServerSettings, say: Callable[[str], None]) -> None:
    """Serve until stopped. Raise `StoreError` if the database cannot be used, and `RulekitError`
    for an invalid setting.
    """
    letters, (rates, caps) = mailer(setting.smtp, setting.sender), read_limits(setting.limits)
    if setting.public:
        public_address(setting.public)
    with alone(setting.database):
        store = Store(setting.database, setting.upgrade, busy=True)
        listening = bound(setting.port, setting.host, shared=store.many)
        public = public_address(
            setting.public or f"http://{_shown(setting.host)}:{listening.getsockname()[1]}"
        )
        begin_logs()
        raise_descriptors()
        site = Site(
            store,
            library,
            public,
            setting.sign_up,
            setting.named_seeds,
            letters,
            setting.metrics_token,
            limits=Limits(rates, caps=caps),
        )
        say(public)
        try:
            _run(site, listening, setting.behind)
        finally:
            listening.close()
            store.close()


def _run(site: Site, listening: socket.socket, behind: str) -> None:
    config = uvicorn.Config(
        Logged(online_app(site)),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=1 << 16,
        server_header=False,
        timeout_graceful_shutdown=5,
        proxy_headers=bool(behind),
        forwarded_allow_ips=behind or None,
        http=bounded_http(site.limits, bool(behind)),
    )

    # the present objects stay, and a collection over all games would delay the players
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)

    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
        await uvicorn.Server(config).serve([listening])

    asyncio.run(run())


def public_address(text: str) -> str:
    """Return the public address without a final slash. Raise `RulekitError` if it is invalid."""
    parts = urlsplit(text)
    if (
        parts.scheme not in ("http", "https")
        or not parts.netloc
        or parts.path.strip("/")
        or parts.query
        or "@" in parts.netloc
    ):
        raise RulekitError(
            _(
                "--public-url needs an address such as https://table.example.org, not {text}",
                text=repr(text[:100]),
            )
        )
    usual = ":443" if parts.scheme == "https" else ":80"
    return f"{parts.scheme}://{parts.netloc.removesuffix(usual).lower()}"


def _shown(host: str) -> str:
    return "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host


def database(text: str) -> str:
    """Return the address of a database. A bare file name means SQLite."""
    return text if "://" in text else file_address(Path(text))


@contextlib.contextmanager
def alone(address: str) -> Iterator[None]:
    """Hold a lock that allows only one process to serve an SQLite database. It is a lock on a file
    next to the database, and lasts until the process ends.
    """
    if not address.startswith("sqlite:///"):
        yield
        return
    lock = os.open(address.removeprefix("sqlite:///") + ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(lock, "w", encoding="ascii") as held:
        _lock(held)
        yield


def _lock(file: IO[str]) -> None:
    if os.name != "posix":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise RulekitError(
            _(
                "another process already serves this database; SQLite allows one"
                " process, PostgreSQL several"
            )
        ) from None
