"""A process after choices of another one: it reads the line, makes the choice, and leaves automatic
choices to the other."""

import threading
import time
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import event, select

import rulekit
from rulekit.engine.saves.save_format import parse_save
from rulekit.server import hub as hubs
from rulekit.server import room as rooms
from rulekit.server import storage as stores
from rulekit.server.room import Room
from rulekit.server.storage import Store, StoreError, remove, row_of
from tests.server.online.test_processes import at
from tests.server.table_clients import LIBRARY


@contextmanager
def asked(online):
    """The queries of a server about its tables, without those of its duties (which have their own
    threads) and of presence."""
    found = []

    def note(db, cursor, statement, parameters, *_):
        if threading.current_thread().name.startswith("asyncio") and " @{" not in str(parameters):
            found.append(" ".join(statement.split()[: 2 if statement.startswith("UPDATE") else 4]))

    engine = online.site.store.engine
    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
def counted(monkeypatch):
    """The followed lines, the created rooms and the automatic choices, each with the store of its
    server."""
    found = {"lines": [], "rooms": [], "steps": []}
    again, step, reopened = Room._again, Room.step, hubs.reopened
    monkeypatch.setattr(
        Room, "_again", lambda room, text: found["lines"].append(room.store) or again(room, text)
    )
    monkeypatch.setattr(Room, "step", lambda room: found["steps"].append(room.store) or step(room))
    monkeypatch.setattr(
        hubs,
        "reopened",
        lambda store, *more: found["rooms"].append(store) or reopened(store, *more),
    )
    return found


@contextmanager
def sitting(two, **wanted):
    """A game between two people, each at a different server, with their pages."""
    one, other = two
    anna, bert = one.new("Anna"), other.new("Bert")
    sides = {"skirmish": ("red", "blue"), "tic_tac_toe": ("x", "o")}[wanted.get("game", "skirmish")]
    id = anna.opens(mine=sides[:1], **wanted)
    assert bert.post(f"/api/invitations/{anna.invites(id, sides[1])}").status_code == 200
    with anna.looks(id, sides[0]) as first:
        first.visitor = anna
        first.until_told("table_status", begun=True)
        with bert.looks(id, sides[1]) as second:
            for page in (first, second):
                while set(page.until_told("present")["sides"]) != set(sides):
                    pass
            while any(
                each.site.bus._tasks for each in two
            ):  # earlier messages are still being processed
                time.sleep(0.01)
            yield id, first, second


def test_who_follows_a_choice_reads_its_line_and_makes_it_and_no_more(two, counted):
    one, other = two
    with sitting(two, clock="fischer:600+5") as (id, red, blue):
        for keys in (["march red.H1"], ["to ford", "stop"]):
            for found in counted.values():
                found.clear()
            with asked(one) as kept, asked(other) as followed:
                red.take(*keys)
                blue.until(lambda: blue.choice == red.choice)
                blue.until_told("clock")
            assert followed == ["SELECT lines.gesture, lines.text FROM"]
            assert kept == [
                "INSERT INTO lines (table_id,",
                "UPDATE tables",
                'SELECT hosted."left", hosted.running, hosted.since',
                "UPDATE hosted",
                "SELECT pg_notify(%(channel)s, %(payload)s)",
            ]
            assert counted["lines"] == [other.site.store] * len(keys) and not counted["rooms"]
            beside = [each.site.hub._open[id].room.beside for each in two]
            assert beside[0].clocks == beside[1].clocks and beside[0].changed == beside[1].changed


DRAWN = (
    0,
    1,
    2,
    4,
    3,
    5,
    7,
    6,
)  # cells of a drawn game; the ninth is the only one left


def draws(x, o):
    cells = x.keys
    for number, cell in enumerate(DRAWN):
        page = (x, o)[number % 2]
        page.until(lambda page=page, number=number: page.choice == number)
        page.take(cells[cell])


def over(x, o):
    """Check that both see the end of the game with the same position."""
    for page in (x, o):
        page.until_told("table_status", ended=True)
        page.until(lambda page=page: page.table["seed"] is not None)
        assert page.choice == 9
    assert x.state["position"]["result"] == o.state["position"]["result"] is not None
    assert x.state["position"]["state"] == o.state["position"]["state"]


def replays(online, id):
    row, lines = online.site.store.journal(id)
    save = parse_save(row.header + "".join(text for _, text in lines))
    return rulekit.replay(LIBRARY.game(row.game), save).ok and len(save.choices)


def test_what_waits_for_nobody_is_made_by_the_process_that_kept_the_last_choice(
    two, counted, monkeypatch
):
    monkeypatch.setattr(rooms, "TAKEOVER_SECONDS", 60.0)
    one, other = two
    with sitting(two, game="tic_tac_toe") as (id, x, o):
        counted["rooms"].clear()
        draws(x, o)
        over(x, o)
    assert counted["steps"] == [other.site.store], "where the eighth choice was made"
    assert (
        counted["lines"].count(one.site.store) == 5
        and counted["lines"].count(other.site.store) == 4
    )
    assert not counted["rooms"] and replays(one, id) == 9


def test_if_that_process_does_not_another_does(two, counted, monkeypatch):
    monkeypatch.setattr(rooms, "TAKEOVER_SECONDS", 0.1)
    one, other = two
    with sitting(two, game="tic_tac_toe") as (id, x, o):
        counted["rooms"].clear()
        other.site.hub._go_on = lambda opened: None  # as if this process were gone
        draws(x, o)
        over(x, o)
    assert counted["steps"] == [one.site.store] and not counted["rooms"] and replays(one, id) == 9


def test_of_two_that_make_the_same_one_is_kept_and_both_go_on(two, monkeypatch):
    """Both processes lead, as after a seat was taken."""
    monkeypatch.setattr(Room, "takeover_seconds", 0.0)
    monkeypatch.setattr(
        Room, "is_leader", property(lambda room: True, lambda room, leads: None), raising=False
    )
    with sitting(two, game="tic_tac_toe") as (id, x, o):
        draws(x, o)
        over(x, o)
    assert replays(two[0], id) == 9


def test_of_tables_that_nobody_looks_at_from_there_a_process_need_not_hear(
    two, counted, monkeypatch
):
    _, other = two
    heard, follow = [], other.site.hub.follow
    monkeypatch.setattr(
        other.site.hub, "follow", lambda id, told: heard.append(id) or follow(id, told)
    )
    with sitting(two) as (id, red, blue):
        anna = red.visitor
        alone = anna.opens(mine=["red", "blue"])
        with anna.looks(alone, "red") as page:
            page.take("rest")
        red.take("rest")
        blue.until(lambda: blue.choice == red.choice)
        with at(other, anna).looks(alone, "blue") as page:
            assert page.choice == 1
    assert heard == [id]


def until(page, holds):
    """Read until the online data satisfy a condition."""
    while not holds(found := page.until_told("table_status")):
        pass
    return found


def test_what_follows_of_a_choice_beside_the_game_is_told_by_the_other_process_too(
    two,
):
    with sitting(two) as (id, red, blue):
        red.take("march red.H1", "to ford", "stop")
        until(
            blue, lambda found: "takeback" in found["may"]
        )  # may be requested after the first choice
        anna = red.visitor
        assert (
            anna.post(
                f"/api/tables/{id}/offers", {"side": "red", "kind": "takeback", "choice": 0}
            ).status_code
            == 204
        )
        for page in (red, blue):
            until(page, lambda found: found["offers"])
        red.take("rest")
        for page in (red, blue):
            until(page, lambda found: not found["offers"])  # the next choice ends the offer


def test_move_now_reaches_the_process_that_thinks(two, counted, monkeypatch):
    stopped, move_now = [], Room.move_now
    monkeypatch.setattr(Room, "move_now", lambda room: stopped.append(room.store) or move_now(room))
    one, other = two
    anna = one.new("Anna")
    id = anna.opens(seats={"blue": "random"})
    with anna.looks(id, "red") as here, at(other, anna).looks(id, "red") as there:
        here.take("rest")
        there.until(lambda: there.choice >= 1)
        assert there.answer("move_now")["type"] == "answer"
        while one.site.store not in stopped:
            time.sleep(0.01)
    assert stopped[0] is other.site.store


def test_a_connection_that_was_broken_while_it_rested_is_not_used(postgres, monkeypatch):
    store = Store(postgres.fresh())

    def broken():
        assert store.rows() == []
        with psycopg.connect(postgres.address(), autocommit=True) as db:
            db.execute(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s",
                [store.engine.url.database],
            )

    try:
        broken()
        with pytest.raises(StoreError):  # the connection was used just now, so it is not tested
            store.rows()
        assert store.rows() == []
        monkeypatch.setattr(stores, "UNTRIED_SECONDS", 0.0)
        broken()
        assert store.rows() == []
        broken()
        with store.begin() as db:
            remove(db, "none")
    finally:
        store.close()


def test_who_reads_leaves_no_transaction_open(postgres):
    """It would cost two more round trips to the server."""
    store = Store(postgres.fresh())
    try:
        with store.reading() as db, psycopg.connect(postgres.address(), autocommit=True) as other:
            row_of(db, "none")
            states = other.execute(
                "select state from pg_stat_activity where datname = %s", [store.engine.url.database]
            ).fetchall()
        assert states == [("idle",)]
        with store.begin() as db:
            assert (
                db.execute(select(1)).scalar() == 1
                and db.connection.driver_connection.autocommit is False
            )
    finally:
        store.close()


def test_a_connection_that_is_in_use_when_the_store_is_closed_is_closed_after_it(postgres):
    store = Store(postgres.fresh())
    with store.reading() as db:
        raw = db.connection.driver_connection
        store.close()
        assert not raw.closed
    assert raw.closed
