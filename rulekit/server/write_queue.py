"""A queue with one writer thread for databases that allow only one writer. All waiting jobs are
written in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread

from sqlalchemy import Connection, Engine

Job = Callable[[Connection], None]
MAX_TRANSACTION_JOBS = 200  # jobs of a transaction


class Writer:
    """The writer thread. `close` ends it after all waiting jobs are written."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[tuple[Job, Future[None]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def do(self, job: Job) -> None:
        """Run a job and return when it is on disk. If the job or the database raises an error,
        nothing of the job is written.
        """
        done: Future[None] = Future()
        self._waiting.put((job, done))
        done.result()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for the next transaction."""
        return self._waiting.qsize()

    @property
    def alive(self) -> bool:
        """True if the thread is running."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Write all waiting jobs and end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            batch, more = [first], True
            while more and len(batch) < MAX_TRANSACTION_JOBS:
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
