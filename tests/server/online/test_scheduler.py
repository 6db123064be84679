"""Duties: flags, each separately, and the beat. Clocks stop while no server can store a choice, and
only then."""

import asyncio
import time

import pytest
from sqlalchemy import select, text, update

from rulekit.server.database_schema import HOSTED, PULSE
from rulekit.server.online import scheduler
from rulekit.server.online.process_uptime import Alive
from rulekit.server.online.supervisor import Duty
from rulekit.server.storage import StoreError


class Clock:
    """Seconds that never decrease."""

    def __init__(self):
        self.at = 0.0

    def __call__(self):
        return self.at


@pytest.fixture
def beating(everywhere):
    """A game with clocks on a server with controlled time. `later(wall, lived)` beats again after
    some seconds, some of which the process was alive."""
    anna, bert = everywhere.new("Anna"), everywhere.new("Bert")
    id = everywhere.game(anna, bert, clock="move:600", late="loses")
    site, clock = everywhere.site, Clock()
    everywhere.client.portal.call(site.supervisor.end)
    site.alive, now = Alive(clock), [time.time() + 10_000.0]

    def later(wall, lived=0.0):
        now[0] += wall
        clock.at += lived
        scheduler.beat(site, now[0])

    def falls(new_value=None):
        with site.store.begin() as db:
            if new_value is not None:
                db.execute(update(HOSTED).values(falls=new_value, since=new_value - 600))
            return db.execute(select(HOSTED.c.falls).where(HOSTED.c.table_id == id)).scalar_one()

    later(0)
    falls(now[0] + 500)
    yield site, later, falls, now
    site.alive = Alive()


def test_a_server_that_was_away_gives_its_time_back(beating):
    site, later, falls, _ = beating
    before = falls()
    site.alive = Alive()  # a process that has just started
    later(100)
    assert falls() == pytest.approx(before + 100, abs=1)
    later(2)
    assert falls() == pytest.approx(before + 100, abs=1), "once"


def test_a_process_that_was_there_and_busy_gives_nothing_back(beating):
    _, later, falls, _ = beating
    before = falls()
    later(100, lived=100)
    assert falls() == before
    later(200, lived=195)
    assert falls() == before


def test_a_machine_that_slept_gives_back_what_it_slept(beating):
    _, later, falls, _ = beating
    before = falls()
    later(3600, lived=10)
    assert falls() == pytest.approx(before + 3590, abs=1)


def test_time_in_which_the_database_refused_beats_is_given_back(beating, monkeypatch):
    site, later, falls, _ = beating
    before, begin = falls(), site.store.begin

    def away():
        raise StoreError("away")

    monkeypatch.setattr(site.store, "begin", away)
    with pytest.raises(StoreError):
        later(100, lived=100)
    monkeypatch.setattr(site.store, "begin", begin)
    later(50, lived=50)
    assert falls() == pytest.approx(before + 150, abs=1)


def test_a_flag_that_had_fallen_before_stays_fallen(beating):
    site, later, falls, now = beating
    fallen = now[0] - 5
    falls(fallen)
    site.alive = Alive()
    later(100)
    assert falls() == fallen


# ---------------------------------------------------------------------- flags
def test_a_game_that_cannot_be_ended_keeps_no_other_from_ending(online, anna, bert, monkeypatch):
    ids = [online.game(anna, bert, clock="move:60", late="loses") for _ in range(3)]
    with online.site.store.begin() as db:
        db.execute(update(HOSTED).values(since=1.0, falls=61.0))
        db.execute(update(HOSTED).where(HOSTED.c.table_id == ids[1]).values(falls=60.0, left="{"))
    scheduler.fall(online.site, time.time())
    with online.site.store.reading() as db:
        ended = dict(db.execute(select(HOSTED.c.table_id, HOSTED.c.ended)).all())
    assert ended[ids[0]] and ended[ids[2]] and ended[ids[1]] is None


def test_flags_fall_and_beats_are_kept_while_no_notice_can_be_sent(online, anna, bert):
    """Each duty has its own thread and task, so an endless sender does not delay the others."""

    async def never():
        await asyncio.Event().wait()

    def at(what):
        with online.site.store.reading() as db:
            return db.execute(what).scalar()

    online.client.portal.call(_begin, online.site, never)
    id = online.game(anna, bert, clock="move:60", late="loses")
    with online.site.store.begin() as db:
        db.execute(update(HOSTED).values(since=1.0, falls=61.0))
    first = at(select(PULSE.c.beat))
    while (
        at(select(HOSTED.c.ended).where(HOSTED.c.table_id == id)) is None
        or at(select(PULSE.c.beat)) == first
    ):
        time.sleep(0)


async def _begin(site, do):
    site.supervisor.begin([Duty("hanging", do, 1.0)])


# ---------------------------------------------------------------------- health
def test_health_tells_of_a_duty_that_does_not_come_round(online):
    healthy = online.somebody().get("/healthz")
    assert (healthy.status_code, healthy.text) == (200, "fine\n")
    clock = Clock()
    online.site.supervisor._now = lambda: time.monotonic() + clock.at
    clock.at = 100.0
    answer = online.somebody().get("/healthz")
    assert answer.status_code == 503 and answer.text.startswith("stalled: ")


def test_health_tells_of_the_writer_and_of_the_bus(online, monkeypatch):
    monkeypatch.setattr(type(online.site.store), "writes", property(lambda _: False))
    monkeypatch.setattr(type(online.site.bus), "deaf", property(lambda _: 61.0))
    answer = online.somebody().get("/healthz")
    assert answer.status_code == 503 and answer.text == "stalled: writer, bus\n"


def test_every_duty_comes_round_on_each_database(everywhere):
    ages = everywhere.site.supervisor.ages
    names = {"beat", "flags", "hook", *(["presence"] if everywhere.site.store.many else [])}
    assert set(ages()) == names and everywhere.site.stalled() == []
    with everywhere.site.store.reading() as db:
        assert db.execute(text("SELECT count(*) FROM pulse")).scalar() in (0, 1)


# ---------------------------------------------------------------------- the bus
def test_one_table_that_cannot_be_told_again_keeps_no_other_from_it(
    online, anna, bert, monkeypatch
):
    """After a lost connection to other processes, a notification concerns all tables."""
    ids = [online.game(anna, bert) for _ in range(3)]
    told = []

    async def refresh(id):
        told.append(id)
        if id == ids[0]:
            raise ZeroDivisionError

    monkeypatch.setattr(online.site.hub, "_open", dict.fromkeys(ids))
    monkeypatch.setattr(online.site.hub, "refresh", refresh)
    online.client.portal.call(online.site.hears, "*", "")
    monkeypatch.undo()
    assert told == ids
