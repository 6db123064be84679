"""The single writer of a database acknowledges only data on the disk, and refuses the rest."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from rulekit.server.database_schema import LINES
from rulekit.server.storage import Store, StoreError, TableSummary, file_address
from rulekit.server.write_queue import Writer

BEGUN = TableSummary(0, "red", None)


@pytest.fixture
def store(tmp_path):
    made = Store(file_address(tmp_path / "tables.db"), busy=True)
    made.open("a", "skirmish", "head\n", {}, [(1, "zero\n")], BEGUN)
    yield made
    made.close()


@pytest.fixture
def writer(store):
    made = Writer(store.engine)
    yield made
    made.close()


def line(n, table="a"):
    return lambda db: db.execute(insert(LINES).values(table_id=table, n=n, gesture=1, text="x\n"))


def fails_at_the_end(db):
    """Write a line of a missing table, which the database detects at the commit."""
    db.execute(text("PRAGMA defer_foreign_keys=ON"))
    line(0, "nowhere")(db)


def test_when_the_commit_fails_nothing_of_the_batch_is_acknowledged(store, writer):
    """All waiting jobs are one transaction, so a correct job in it is not on the disk either."""
    free, begun = threading.Event(), threading.Event()

    def holds_up(db):
        begun.set()
        free.wait(300)

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(writer.do, holds_up)
        begun.wait(300)
        batch = [pool.submit(writer.do, job) for job in (line(1), fails_at_the_end)]
        while writer.waiting < 2:
            pass
        free.set()
        first.result(300)
        for each in batch:
            with pytest.raises(IntegrityError):
                each.result(300)
    assert store.lines("a") == [(1, "zero\n")] and store.lines("nowhere") == []
    writer.do(line(1))
    assert store.lines("a") == [(1, "zero\n"), (1, "x\n")], "it goes on after that"


def test_a_choice_whose_commit_fails_is_refused(store):
    with pytest.raises(StoreError):
        store.append("a", 1, [(2, "one\n")], BEGUN, fails_at_the_end)
    assert store.lines("a") == [(1, "zero\n")]
    store.append("a", 1, [(2, "one\n")], BEGUN)
    assert store.lines("a") == [(1, "zero\n"), (2, "one\n")]


def test_a_job_that_fails_takes_no_other_with_it(store, writer):
    with pytest.raises(IntegrityError):
        writer.do(line(0))
    writer.do(line(1))
    assert len(store.lines("a")) == 2


def test_of_a_job_that_fails_half_way_nothing_is_written_and_the_others_of_the_batch_are(
    store, writer
):
    free, begun = threading.Event(), threading.Event()

    def holds_up(db):
        begun.set()
        free.wait(300)

    def writes_and_fails(db):
        line(5)(db)
        raise ValueError("half way")

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(writer.do, holds_up)
        begun.wait(300)
        half, whole = pool.submit(writer.do, writes_and_fails), pool.submit(writer.do, line(1))
        while writer.waiting < 2:
            pass
        free.set()
        first.result(300)
        with pytest.raises(ValueError, match="half way"):
            half.result(300)
        whole.result(300)
    assert store.lines("a") == [(1, "zero\n"), (1, "x\n")]


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_whatever_a_job_raises_is_told_and_the_thread_goes_on(store, writer, error):
    """Nobody waits forever for a dead thread."""

    def fails(db):
        raise error

    with pytest.raises(error):
        writer.do(fails)
    assert writer.alive
    writer.do(line(1))
    assert len(store.lines("a")) == 2
    writer.close()
    assert not writer.alive
