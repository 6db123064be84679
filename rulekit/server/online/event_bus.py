"""Notifications of changes at tables, within this process and between processes. With PostgreSQL
they travel by NOTIFY.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, text

from rulekit.server.online.supervisor import failed
from rulekit.server.storage import Store

CHANNEL = "rulekit"
PLAYED, MOVE_NOW = (
    "+",
    "!",
)  # prefix for stored choices; request to move now
BYTES = 7500  # of a message: the limit of NOTIFY is 8000
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
Hears = Callable[[str, str], Coroutine[Any, Any, None]]


class Bus:
    """Sends and receives changes. `within` notifies the other processes when a transaction commits,
    and `here` notifies this one.

    A message is the id of a table and its subject: the number of a chat message, `PLAYED`,
    `MOVE_NOW`, or nothing if anything may have changed.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.own = secrets.token_hex(4)  # the name of this process
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hears: Hears | None = None
        self._has_open: Callable[[str], bool] = lambda _: True
        self._stop = threading.Event()
        self._listener: threading.Thread | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._deaf: float | None = None  # since this monotonic time

    def begin(self, hears: Hears, has_open: Callable[[str], bool]) -> None:
        """Begin to receive changes in the running event loop.

        Args:
            hears: receives the id of a table and the subject.
            has_open: returns True if a table is open in this process. It is called from any thread.
                Choices at other tables are skipped.
        """
        self._loop, self._hears, self._has_open = asyncio.get_running_loop(), hears, has_open
        if self._store.many:
            self._deaf = time.monotonic()
            self._listener = threading.Thread(target=self._listen, name="bus", daemon=True)
            self._listener.start()

    def end(self) -> None:
        """Stop receiving changes."""
        self._stop.set()
        self._loop = None
        if self._listener is not None:
            self._listener.join(2.0)

    @property
    def deaf(self) -> float:
        """Return the number of seconds since the connection to other processes was lost, 0 if it
        works.
        """
        return 0.0 if self._deaf is None else time.monotonic() - self._deaf

    @contextmanager
    def changing(self, id: str, what: str = "") -> Iterator[Connection]:
        """Open a transaction that changes a table. All processes are notified when it commits."""
        with self._store.begin() as db:
            yield db
            self.within(db, id, what)
        self.here(id, what)

    def within(self, db: Connection, id: str, what: str = "") -> None:
        """Notify the other processes when this transaction commits."""
        if self._store.many:
            db.execute(_NOTIFY, {"channel": CHANNEL, "payload": f"{self.own} {id} {what}"})

    def say(self, id: str, what: str) -> None:
        """Notify the other processes of something that is not stored. It blocks. Raise `StoreError`
        on failure.
        """
        if self._store.many:
            with self._store.begin() as db:
                self.within(db, id, what)

    def here(self, id: str, what: str = "") -> None:
        """Notify this process."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closing
                loop.call_soon_threadsafe(self._heard, id, what)

    def _heard(self, id: str, what: str) -> None:
        if self._hears is not None and self._loop is not None:
            task = self._loop.create_task(self._hear(self._hears, id, what))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _hear(self, hears: Hears, id: str, what: str) -> None:
        try:
            await hears(id, what)
        except Exception as error:
            failed("bus", "what was heard", error)

    def _listen(self) -> None:
        """Receive notifications of other processes until `end`. After each new connection
        everything may have changed, so it sends `*`.
        """
        while not self._stop.is_set():
            try:
                with self._store.engine.connect() as db:
                    raw: Any = db.connection.driver_connection
                    raw.autocommit = True
                    raw.execute(f"LISTEN {CHANNEL}")
                    self._deaf = None
                    self.here("*")
                    while not self._stop.is_set():
                        for each in raw.notifies(timeout=0.3, stop_after=1):
                            own, id, what = each.payload.split(" ", 2)
                            if own != self.own and (
                                not what.startswith(PLAYED) or self._has_open(id)
                            ):
                                self.here(id, what)
                    raw.autocommit = False
                    db.detach()
            except Exception as error:  # the database is unreachable: try again until it is back
                self._deaf = time.monotonic() if self._deaf is None else self._deaf
                logging.getLogger("rulekit.bus").warning(
                    "the other processes are not heard: %s", type(error).__name__
                )
                self._stop.wait(1.0)
