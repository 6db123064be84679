"""Takes what changed at a table, tells the hub of this process and those of the others: by NOTIFY
where the database is PostgreSQL."""

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
PLAYED, HURRIED = (
    "+",
    "!",
)  # of a table: begins what is told of choices that were kept; who thinks is to choose at once
BYTES = 7500  # of what is told: PostgreSQL takes 8000 of a NOTIFY
_TELL = text("SELECT pg_notify(:channel, :told)")
Hears = Callable[[str, str], Coroutine[Any, Any, None]]


class Bus:
    """`within` tells the other processes when a transaction is written; `here` this one. What is
    told: a table's id, and of what (a text of the chat by its number, `PLAYED`, `HURRIED`, else
    everything)."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.own = secrets.token_hex(4)  # what this process is called
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hears: Hears | None = None
        self._has_open: Callable[[str], bool] = lambda _: True
        self._stop = threading.Event()
        self._listener: threading.Thread | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._deaf: float | None = None  # since when, in seconds that only rise

    def begin(self, hears: Hears, has_open: Callable[[str], bool]) -> None:
        """From now on this process hears, in the event loop that runs now. `has_open`: may be asked
        from any thread whether a table is open here; of the choices at others it need not hear."""
        self._loop, self._hears, self._has_open = asyncio.get_running_loop(), hears, has_open
        if self._store.many:
            self._deaf = time.monotonic()
            self._listener = threading.Thread(target=self._listen, name="bus", daemon=True)
            self._listener.start()

    def end(self) -> None:
        """It hears no more."""
        self._stop.set()
        self._loop = None
        if self._listener is not None:
            self._listener.join(2.0)

    @property
    def deaf(self) -> float:
        """For how many seconds the other processes have not been heard."""
        return 0.0 if self._deaf is None else time.monotonic() - self._deaf

    @contextmanager
    def changing(self, id: str, what: str = "") -> Iterator[Connection]:
        """A transaction that changes something of a table: all processes hear of it when it is
        written."""
        with self._store.begin() as db:
            yield db
            self.within(db, id, what)
        self.here(id, what)

    def within(self, db: Connection, id: str, what: str = "") -> None:
        """The other processes hear of it when this transaction is written."""
        if self._store.many:
            db.execute(_TELL, {"channel": CHANNEL, "told": f"{self.own} {id} {what}"})

    def say(self, id: str, what: str) -> None:
        """The other processes hear of something that is not kept. It blocks. StoreError."""
        if self._store.many:
            with self._store.begin() as db:
                self.within(db, id, what)

    def here(self, id: str, what: str = "") -> None:
        """This process hears of it."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # it is just ending
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
        """Until the end: what other processes tell. While nobody listened everything may have
        changed: `*`."""
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
            except Exception as error:  # the database is away: it is tried again until it is back
                self._deaf = time.monotonic() if self._deaf is None else self._deaf
                logging.getLogger("rulekit.bus").warning(
                    "the other processes are not heard: %s", type(error).__name__
                )
                self._stop.wait(1.0)
