"""Run queries of pages in bounded thread pools, so that play is not delayed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from rulekit.common.i18n.messages import _
from rulekit.server import protocol
from rulekit.server.access import AccessPolicy, foreseen
from rulekit.server.background_analysis import Study
from rulekit.server.bounded_threads import BoundedThreads, Limited
from rulekit.server.client import Listener
from rulekit.server.position_queries import answer
from rulekit.server.refusals import RequestRefused
from rulekit.server.room import Room

Got = TypeVar("Got")
ASKED = 30  # questions of a page that wait for an answer
QUICK, QUICK_EACH = 200, 8  # quick ones that are worked on or wait: in all, of one person
COSTLY, COSTLY_EACH = 24, 2  # those that play on: hint, odds, preview
OPENINGS = 4  # tables that are opened at a time
STUDIES, STUDIES_EACH = 16, 2  # those that are thought about for seconds: analyse, review


class Questions:
    """The threads for queries, for programs that play, and for opening tables."""

    def __init__(self, policy: AccessPolicy) -> None:
        self._policy = policy
        half = max(1, (os.cpu_count() or 2) // 2)  # play has the other half
        self._quick = BoundedThreads("ask", half, QUICK, QUICK_EACH)
        self._costly = BoundedThreads("weigh", half, COSTLY, COSTLY_EACH)
        self._studies = BoundedThreads("study", half, STUDIES, STUDIES_EACH)
        self._seats = ThreadPoolExecutor(half, "seat")
        self._rooms = ThreadPoolExecutor(OPENINGS, "room")

    def close(self) -> None:
        """Accept no more queries and cancel waiting ones."""
        for each in (self._quick, self._costly, self._studies):
            each.close()
        for pool in (self._seats, self._rooms):
            pool.shutdown(wait=False, cancel_futures=True)

    async def ended(self) -> None:
        """Wait, after `close`, for tables that are being opened: they hold a database
        connection.
        """
        await asyncio.get_running_loop().run_in_executor(None, self._rooms.shutdown)

    async def step(self, do: Callable[[], Got]) -> Got:
        """Run the choice of a program, which may think for seconds."""
        return await asyncio.get_running_loop().run_in_executor(self._seats, do)

    async def opening(self, do: Callable[[], Got]) -> Got:
        """Run the opening of a table. Replaying its choices may take seconds."""
        return await asyncio.get_running_loop().run_in_executor(self._rooms, do)

    def ask(self, room: Room, listener: Listener, request: protocol.Request) -> None:
        """Start answering a query on a copy of the state. Raise `RequestRefused` if the page has
        too many queries waiting.
        """
        if len(listener.asked) >= ASKED:
            raise RequestRefused(_("too many requests are waiting"))
        state, lang = room.state.clone(), listener.lang or room.state.names.lang
        asked = partial(answer, state, room.over, listener.seat, listener.lang, request)
        if isinstance(request, protocol.Analyse | protocol.ReviewRequest):
            listener.rest()
            listener.study = study = Study(state, listener.seat, listener.lang, room.over)
            known = room.judged.setdefault(listener.lang, {})
            answered = self._answered(
                listener, request, lang, self._studies, partial(study.answer, request, known)
            )
        elif isinstance(request, protocol.HintRequest | protocol.Chances | protocol.PreviewRequest):
            answered = self._answered(listener, request, lang, self._costly, asked)
        else:
            answered = self._in_turn(listener, request, lang, asked)
        task = asyncio.create_task(answered)
        listener.asked.add(task)
        task.add_done_callback(listener.asked.discard)

    async def _in_turn(
        self, listener: Listener, request: protocol.Request, lang: str, work: Callable[[], Any]
    ) -> None:
        """Answer the quick queries of a page one at a time."""
        async with listener.one:
            await self._answered(listener, request, lang, self._quick, work)

    async def _answered(
        self,
        listener: Listener,
        request: protocol.Request,
        lang: str,
        pool: BoundedThreads,
        work: Callable[[], Any],
    ) -> None:
        try:
            found = await pool.do(listener.key if listener.key is not None else id(listener), work)
            await listener.send(protocol.AnswerMessage(request.re, found))
        except Exception as error:
            await listener.send(
                protocol.RefusedMessage(
                    request.re,
                    self._policy.error_message(lang, foreseen(error)),
                    busy=isinstance(error, Limited),
                )
            )
