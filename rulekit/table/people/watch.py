"""Takes a site, does what falls due: flags fall, notices go out, and a beat says that a server is alive, so that clocks run only then."""

from __future__ import annotations

import asyncio
import logging
import time

from sqlalchemy import insert, select, update

from rulekit.base.errors import RulekitError
from rulekit.table.hub import aside
from rulekit.table.people import notices, play
from rulekit.table.people.presence import EVERY as EVERY_PRESENCE
from rulekit.table.people.site import Site
from rulekit.table.schema import HOSTED, PULSE

EVERY = 2.0  # seconds
DOWN = 30.0  # seconds without a beat after which clocks are held to have stood still


async def watch(site: Site) -> None:
    """Goes on until it is cancelled. A database that is away is no reason to end."""
    said = 0.0
    while True:
        try:
            await aside(due, site)
            if site.store.many and time.monotonic() - said > EVERY_PRESENCE:
                said = time.monotonic()
                for id in site.presence.due():
                    await site.hub.tell_present(id)
        except RulekitError as error:
            logging.getLogger("rulekit.watch").warning("what is due waits: %s", error)
        await asyncio.sleep(EVERY)


def due(site: Site, now: float | None = None) -> None:
    """Does once what is due."""
    now = time.time() if now is None else now
    beat(site, now)
    fall(site, now)
    notices.send(site.store, site.public, site.mailer, now)


def beat(site: Site, now: float) -> None:
    """Says that a server is alive. If none was for a while, all clocks go on from where they stood: they are moved by as much, once."""
    with site.store.begin() as db:
        last = db.execute(select(PULSE.c.beat).where(PULSE.c.id == 1)).scalar()
        if last is None:
            db.execute(insert(PULSE).values(id=1, beat=now))
            return
        done = db.execute(update(PULSE).where(PULSE.c.id == 1, PULSE.c.beat == last).values(beat=max(last, now)))
        gap = now - last
        if done.rowcount == 1 and gap > DOWN:
            db.execute(update(HOSTED).where(HOSTED.c.running.is_not(None)).values(since=HOSTED.c.since + gap, falls=HOSTED.c.falls + gap))


def fall(site: Site, now: float) -> None:
    """Games are lost whose owner said that who has no time left loses."""
    with site.store.reading() as db:
        fallen = list(db.execute(select(HOSTED.c.table_id).where(HOSTED.c.falls <= now, HOSTED.c.late == "loses", HOSTED.c.ended.is_(None))
                                 .limit(100)).scalars())
    for id in fallen:
        with site.bus.changing(id) as db:
            found = play.held(db, id)
            falls = found.clocks.falls
            if found.plays and falls is not None and falls <= now and found.clocks.running:
                play.end(db, found, "time", found.clocks.running)
