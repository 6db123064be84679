"""Run a local server until it is stopped, and open the browser."""

from __future__ import annotations

import os
import socket
import sqlite3
import sys
import webbrowser
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import uvicorn
from platformdirs import user_data_path

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.app import app
from rulekit.server.auth import LocalAuthentication, token_beside
from rulekit.server.game_library import Library
from rulekit.server.hub import Hub
from rulekit.server.storage import OlderError, Store, StoreError, file_address, make_private

HOST = "127.0.0.1"
PORT = 4250


def default_file() -> Path:
    """Return the default database file of a user."""
    return user_data_path("rulekit") / "tables.db"


def own_store(file: Path, carried: Callable[[Path], None]) -> Store:
    """Open a user's own database. One of an older version is copied next to it and then migrated.

    Args:
        carried: called with the path of the copy.

    Raises:
        StoreError: the file cannot be used. It stays unchanged.
    """
    try:
        return Store(file_address(file))
    except OlderError as older:
        copy = _copied(file, older.version)
    store = Store(file_address(file), upgrade=True)
    carried(copy)
    return store


def _copied(file: Path, version: str) -> Path:
    """Copy a database, even if it is in use, to a name that is not taken."""
    names = (
        file.with_name(f"{file.name}.{version}{again}")
        for again in ("", *(f".{n}" for n in range(2, 1000)))
    )
    copy = next(name for name in names if not name.exists())
    part = copy.with_name(f"{copy.name}.part")
    try:
        part.unlink(missing_ok=True)
        make_private(part)
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        part.rename(copy)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            _(
                "the tables are from an older version, and no copy could be made in {file}: {why}",
                file=str(copy),
                why=str(error),
            )
        ) from None
    return copy


def serve_local(
    library: Library,
    file: Path,
    port: int | None,
    opens: bool,
    say: Callable[[str], None],
    carried: Callable[[Path], None],
) -> None:
    """Serve the tables of a file on this machine only, until stopped.

    Args:
        port: 0 picks a free port. None picks the usual one, or a free one if that is taken.
        carried: see `own_store`.

    Raises:
        RulekitError: the port is taken.
        StoreError: the file cannot be used.
    """
    store = own_store(file, carried)
    listening = bound(port) if port is not None else _usual()
    port = listening.getsockname()[1]
    token = token_beside(file)
    hosts = frozenset(f"{name}:{port}" for name in (HOST, "localhost"))
    authentication = LocalAuthentication(app(Hub(store, library)), hosts, token, f"rulekit-{port}")
    address = f"http://{HOST}:{port}/?token={token}" + (
        f"&game={library.given}" if library.given else ""
    )
    say(address)
    if opens and _has_browser():
        webbrowser.open(address)
    config = uvicorn.Config(
        authentication,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=1 << 16,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    try:
        uvicorn.Server(config).run([listening])
    finally:
        listening.close()
        store.close()


def _usual() -> socket.socket:
    """Bind the usual port, so that addresses stay valid, or another one if it is taken."""
    try:
        return bound(PORT)
    except RulekitError:
        return bound(0)


def bound(port: int, host: str = HOST, shared: bool = False) -> socket.socket:
    """Return a listening socket. Raise `RulekitError` if the port is taken.

    Args:
        shared: other processes may listen on the same port.
    """
    out = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared and hasattr(socket, "SO_REUSEPORT"):
        out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        out.bind((host, port))
    except (OSError, OverflowError) as error:
        out.close()
        raise RulekitError(
            _(
                "port {port} is not available: {why}; --port 0 takes a free one",
                port=str(port),
                why=error if isinstance(error, OSError) else str(error),
            )
        ) from None
    out.listen(1024 if shared else 128)
    return out


def _has_browser() -> bool:
    """Return True if there is a display and a graphical browser."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        return webbrowser.get() is not None
    except webbrowser.Error:
        return False
