"""The services that all requests of a site share."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress

from attrs import define, field

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.server.bounded_threads import BoundedThreads
from rulekit.server.game_library import Library
from rulekit.server.hub import Hub
from rulekit.server.online import chat
from rulekit.server.online.access import OnlineAccessPolicy
from rulekit.server.online.accounts import Passwords, Person, sessions_of
from rulekit.server.online.event_bus import MOVE_NOW, PLAYED, Bus
from rulekit.server.online.notifications import Posts, Sends
from rulekit.server.online.presence import MARK, Presence
from rulekit.server.online.process_uptime import Alive
from rulekit.server.online.protocol import ChatMessage
from rulekit.server.online.rate_limits import Limits
from rulekit.server.online.seating import Hosted, load
from rulekit.server.online.supervisor import STALLED, Supervisor, failed
from rulekit.server.online.web_hooks import Hooks
from rulekit.server.storage import Store

HASHING, HASHING_EACH = 60, 12  # waiting passwords, in all and from one address
LONG, LONG_EACH = (
    20,
    3,
)  # waiting new tables and upgrades, in all and of one person
OF_PERSON = "@"  # in place of a table's id: the sessions of a person have changed


@define(eq=False)
class Site:
    """A site: its settings and its shared services.

    Attributes:
        public: the public address without a final slash.
        sign_up: everybody may create an account.
        named_seeds: somebody who opens a table against other people may choose its seed. They then
            know the dice.
        mailer: sends letters, if there is one.
        hooks: posts to web hooks.
        metrics_token: the token that allows reading the metrics. If it is empty, nobody may.
    """

    store: Store
    library: Library
    public: str
    sign_up: bool = True
    named_seeds: bool = False
    mailer: Sends | None = None
    metrics_token: str = ""
    passwords: Passwords = field(factory=Passwords)
    limits: Limits = field(factory=Limits)
    hooks: Posts = field(factory=Hooks)
    supervisor: Supervisor = field(factory=Supervisor)
    alive: Alive = field(factory=Alive)
    hashing: BoundedThreads = field(init=False)
    long: BoundedThreads = field(init=False)
    bus: Bus = field(init=False)
    hub: Hub = field(init=False)
    presence: Presence = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.bus = Bus(self.store)
        self.hashing = BoundedThreads(
            "password", max(1, (os.cpu_count() or 2) // 2), HASHING, HASHING_EACH, _after_others
        )
        self.long = BoundedThreads("long", 1, LONG, LONG_EACH)
        policy = OnlineAccessPolicy(self.store, self.bus, self.limits)
        self.hub, self.presence = Hub(self.store, self.library, policy), policy.presence

    def stalled(self) -> list[str]:
        """Return the essential parts that have died or no longer make progress."""
        return [
            *self.supervisor.stalled(),
            *(["writer"] if not self.store.writes else []),
            *(["bus"] if self.bus.deaf > STALLED else []),
        ]

    async def hears(self, id: str, what: str) -> None:
        """Handle a notification from the bus.

        It reports a change of a table, its choices, a chat message, the people who watch in another
        process, a request to move now, a change of all tables (`*`), or a change of a person's
        sessions.
        """
        if id == OF_PERSON:
            await self._signed_off(what)
        elif id == "*":
            for each in self.hub.opened:
                try:
                    await self.hub.refresh(each)
                except Exception as error:  # the other tables are refreshed all the same
                    failed("bus", f"table {each}", error)
        elif what.startswith(PLAYED):
            await self.hub.follow(id, what.removeprefix(PLAYED))
        elif what == MOVE_NOW:
            self.hub.move_now(id)
        elif what.startswith(MARK):
            for each in self.presence.heard(what):
                await self.hub.tell_present(each)
        elif what:
            await self._said(id, int(what))
        else:
            await self.hub.refresh(id)

    async def _signed_off(self, person: str) -> None:
        """Disconnect the pages of a person whose session has ended."""

        def left() -> set[str]:
            with self.store.reading() as db:
                return sessions_of(db, person)

        sessions = await asyncio.get_running_loop().run_in_executor(None, left)
        for id in self.hub.opened:
            for each in self.hub.listeners(id):
                if (
                    isinstance(each.who, Person)
                    and each.who.id == person
                    and each.who.session not in sessions
                ):
                    await self.hub.send_away(id, each, RulekitError(_("sign in first")))

    async def _said(self, id: str, number: int) -> None:
        """Send a chat message to the pages that may read it."""
        listeners = self.hub.listeners(id)
        if not listeners:
            return
        found, text = await asyncio.get_running_loop().run_in_executor(None, self._text, id, number)
        for each in listeners:
            if text is not None and found is not None and chat.hears(found, each.who, text.room):  # type: ignore[arg-type]
                await each.send(text)

    def _text(self, id: str, number: int) -> tuple[Hosted | None, ChatMessage | None]:
        with self.store.reading() as db:
            try:
                return load(db, id), chat.said_at(db, number)
            except RulekitError:
                return None, None


def _after_others() -> None:
    """Lower the priority of this thread and of those that it starts, where each thread has its own
    priority.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
