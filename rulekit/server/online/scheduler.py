"""Periodic duties, which do not wait for each other: the beat of the server, flags that fall,
notifications, presence.
"""

from __future__ import annotations

import time
from functools import partial

from attrs import define
from sqlalchemy import insert, select, update

from rulekit.common.errors import RulekitError
from rulekit.server.broadcast import aside
from rulekit.server.database_schema import HOSTED, PULSE
from rulekit.server.online import mail, notifications, table_actions, web_hooks
from rulekit.server.online.presence import EVERY as EVERY_PRESENCE
from rulekit.server.online.services import Site
from rulekit.server.online.supervisor import Duty, OwnThread, failed
from rulekit.server.storage import StoreError

EVERY = 2.0  # seconds
# seconds in which no process could store a choice, after which the clocks count as stopped
DOWN = 30.0


@define(eq=False)
class Scheduler:
    """The running duties of a site, with their outboxes and threads."""

    site: Site
    outboxes: list[notifications.Outbox]
    threads: list[OwnThread]

    async def end(self) -> None:
        """Stop all duties."""
        await self.site.supervisor.end()
        for each in self.outboxes:
            await each.close()
        for thread in self.threads:
            thread.close()


def begin(site: Site) -> Scheduler:
    """Begin all duties of a site."""
    beats, flags = OwnThread("beat"), OwnThread("flags")
    posts = [
        notifications.Outbox(
            site.store, "hook", notifications.by_hook(site.hooks, site.public), web_hooks.SLOTS
        )
    ]
    if site.mailer is not None:
        posts.append(
            notifications.Outbox(
                site.store, "mail", notifications.by_mail(site.mailer, site.public), mail.SLOTS
            )
        )
    duties = [
        Duty("beat", lambda: beats.run(beat, site), EVERY),
        Duty("flags", lambda: flags.run(fall, site), EVERY),
        *(Duty(each.channel, each.begin_due, EVERY) for each in posts),
    ]
    if site.store.many:
        duties.append(Duty("presence", partial(present, site), EVERY_PRESENCE))
    site.supervisor.begin(duties)
    return Scheduler(site, posts, [beats, flags])


# ---------------------------------------------------------------------- clocks
def beat(site: Site, now: float | None = None) -> None:
    """Store a sign of life. If no process could store choices for a while, move all running clocks
    forward by that time, once.

    A process that was running but busy does not stop the clocks.
    """
    now, alive = time.time() if now is None else now, site.alive
    try:
        with site.store.begin() as db:
            last = db.execute(select(PULSE.c.beat).where(PULSE.c.id == 1)).scalar()
            if last is None:
                db.execute(insert(PULSE).values(id=1, beat=now))
            else:
                done = db.execute(
                    update(PULSE)
                    .where(PULSE.c.id == 1, PULSE.c.beat == last)
                    .values(beat=max(last, now))
                )
                lost = now - last - alive.seconds
                if done.rowcount == 1 and lost > DOWN:  # a flag that fell before that stays fallen
                    db.execute(
                        update(HOSTED)
                        .where(HOSTED.c.running.is_not(None), HOSTED.c.falls > last)
                        .values(since=HOSTED.c.since + lost, falls=HOSTED.c.falls + lost)
                    )
    except StoreError:
        alive.lost()
        raise
    alive.beaten()


def fall(site: Site, now: float | None = None) -> None:
    """End the games whose flag has fallen, if their owner chose that the side without time
    loses.
    """
    now = time.time() if now is None else now
    with site.store.reading() as db:
        fallen = list(
            db.execute(
                select(HOSTED.c.table_id)
                .where(HOSTED.c.falls <= now, HOSTED.c.late == "loses", HOSTED.c.ended.is_(None))
                .order_by(HOSTED.c.falls)
            ).scalars()
        )
    for id in fallen:
        try:
            _fallen(site, id, now)
        except StoreError:
            raise
        except RulekitError:  # it was removed or has ended in the meantime
            continue
        except Exception as error:
            failed("flags", f"table {id}", error)


def _fallen(site: Site, id: str, now: float) -> None:
    with site.bus.changing(id) as db:
        found = table_actions.held(db, id)
        falls = found.clocks.falls
        if found.plays and falls is not None and falls <= now and found.clocks.running:
            table_actions.end(db, found, "time", found.clocks.running)


# ---------------------------------------------------------------------- presence
async def present(site: Site) -> None:
    """Announce the people who watch from this process, and update the pages of tables where people
    of another process have expired.
    """
    for id in await aside(site.presence.due):
        try:
            await site.hub.tell_present(id)
        except StoreError:
            raise
        except Exception as error:
            failed("presence", f"table {id}", error)
