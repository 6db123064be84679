"""The store: complete journals, each line once, or nothing."""

import sqlite3

import pytest

from rulekit.server.storage import Store, StoreError, TableSummary, file_address

BEGUN, MOVED = TableSummary(0, "red", None), TableSummary(1, "blue", None)


@pytest.fixture
def store(address):
    made = Store(address)
    yield made
    made.close()


def test_a_table_comes_back_as_it_was_kept(store):
    store.open(
        "a", "skirmish", "head\n", {"red": "human", "blue": "random"}, [(1, "zero\n")], BEGUN
    )
    store.append("a", 1, [(2, "one\n"), (2, "two\n")], MOVED)
    row = store.row("a")
    assert (row.header, row.seats, row.choices, row.decides, row.result) == (
        "head\n",
        {"red": "human", "blue": "random"},
        1,
        "blue",
        None,
    )
    assert (
        store.lines("a") == [(1, "zero\n"), (2, "one\n"), (2, "two\n")]
        and row.changed >= row.created
    )
    assert store.row("b") is None and store.lines("b") == []


def test_a_line_is_written_once_and_then_nothing_of_its_batch(store):
    store.open("a", "skirmish", "head\n", {}, [(1, "zero\n")], BEGUN)
    store.append("a", 1, [(2, "one\n")], MOVED)
    with pytest.raises(StoreError, match="another process"):
        store.append(
            "a", 1, [(3, "other\n"), (3, "and more\n")], TableSummary(2, None, "red:decisive")
        )
    with pytest.raises(StoreError):
        store.append("a", 0, [(3, "other\n")], BEGUN)
    assert store.lines("a") == [(1, "zero\n"), (2, "one\n")] and store.row("a").choices == 1


def test_the_last_changed_stands_first_and_what_is_removed_is_gone(store):
    for id in "abc":
        store.open(id, "skirmish", "head\n", {}, [(1, "zero\n")], BEGUN)
    store.append("a", 1, [(2, "one\n")], MOVED)
    assert [row.id for row in store.rows()] == ["a", "c", "b"]
    store.remove("c")
    assert (
        [row.id for row in store.rows()] == ["a", "b"]
        and store.lines("c") == []
        and store.count() == 2
    )


def test_what_was_appended_is_there_for_the_next_process(store, address):
    store.open("a", "skirmish", "head\n", {}, [(1, "zero\n")], BEGUN)
    other = Store(address)
    assert other.lines("a") == [(1, "zero\n")]
    other.close()


def test_what_cannot_be_written_is_said_and_leaves_nothing(tmp_path):
    store = Store(file_address(tmp_path / "deep" / "tables.db"))
    store.open("a", "skirmish", "head\n", {}, [(1, "zero\n")], BEGUN)
    with sqlite3.connect(tmp_path / "deep" / "tables.db") as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON lines BEGIN SELECT RAISE(ABORT, 'database or disk"
            " is full'); END"
        )
    with pytest.raises(StoreError):
        store.append("a", 1, [(2, "one\n")], MOVED)
    assert store.lines("a") == [(1, "zero\n")] and store.row("a").choices == 0
    store.close()


@pytest.mark.parametrize("address", ["nonsense", "what://x", "sqlite:////nowhere/at/all/x.db"])
def test_an_address_that_is_none_is_said(address):
    with pytest.raises(StoreError):
        Store(address)


def test_a_file_that_is_no_database_is_said_and_left_alone(tmp_path):
    (tmp_path / "x.db").write_text(
        "a letter to a friend, long enough to be no database at all " * 20
    )
    with pytest.raises(StoreError, match="not a database"):
        Store(file_address(tmp_path / "x.db"))
    assert (tmp_path / "x.db").read_text().startswith("a letter")
