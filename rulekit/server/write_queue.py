"""Takes what is to be written, writes all that waits in one transaction: one writer for a database
that has room for one at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread

from sqlalchemy import Connection, Engine

Job = Callable[[Connection], None]
MOST = 200  # jobs of a transaction


class Writer:
    """Its thread ends with `close`, when all that waits is written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[tuple[Job, Future[None]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def do(self, job: Job) -> None:
        """Writes it; returns when it is on disk. What the job raises, or the database; then nothing
        of it is written."""
        done: Future[None] = Future()
        self._waiting.put((job, done))
        done.result()

    @property
    def waiting(self) -> int:
        """How many jobs wait for the next transaction."""
        return self._waiting.qsize()

    @property
    def alive(self) -> bool:
        """Does its thread run?"""
        return self._thread.is_alive()

    def close(self) -> None:
        """Ends the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch, more = [first], True
            while more and len(batch) < MOST:
                try:
                    found = self._waiting.get_nowait()
                except Empty:
                    break
                if found is None:
                    self._waiting.put(None)
                    more = False
                else:
                    batch.append(found)
            try:
                self._write(batch)
            except BaseException as error:  # whoever waits hears of it, and the thread goes on
                for _, done in batch:
                    if not done.done():
                        done.set_exception(error)

    def _write(self, batch: list[tuple[Job, Future[None]]]) -> None:
        failed: dict[int, BaseException] = {}
        try:
            with self._engine.begin() as db:
                for at, (job, _) in enumerate(batch):
                    try:
                        with db.begin_nested():
                            job(db)
                    except Exception as error:
                        failed[at] = error
        except Exception as error:  # nothing of the batch is written
            failed = dict.fromkeys(range(len(batch)), error)
        for at, (_, done) in enumerate(batch):
            if at in failed:
                done.set_exception(failed[at])
            else:
                done.set_result(None)
