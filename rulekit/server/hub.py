"""The open rooms of a server, one for each table, and the pages connected to them.

All engine work runs in threads, one at a time for each room. Pages are informed from the event
loop, in order.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from weakref import WeakValueDictionary

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.saves.save_format import parse_save
from rulekit.presentation.plan import Plan
from rulekit.runtime.seeds import seed_of
from rulekit.server import protocol
from rulekit.server.access import AccessPolicy, foreseen
from rulekit.server.bounded_threads import Limited
from rulekit.server.broadcast import Broadcast, Update, aside, updates
from rulekit.server.catalogue import ListedTable, Wanted
from rulekit.server.client import Listener, OpenRoom
from rulekit.server.game_library import Library, listed
from rulekit.server.query_threads import Questions
from rulekit.server.refusals import RequestRefused, Stale
from rulekit.server.room import Room, begin, brought
from rulekit.server.room_loader import reopened
from rulekit.server.storage import Also, NoTable, Store, StoreError, TableRow, Twice


class Hub:
    """The tables of a store.

    Its methods are coroutines of one event loop. They raise `RulekitError` for requests that cannot
    be fulfilled.
    """

    def __init__(self, store: Store, library: Library, policy: AccessPolicy | None = None) -> None:
        self.store = store
        self.library = library
        self.policy = policy or AccessPolicy()
        self.broadcast = Broadcast(self.policy)
        self._open: dict[str, OpenRoom] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.questions = Questions(self.policy)
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._present_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def close(self) -> None:
        """Cancel all background tasks. Everything is already stored."""
        for listener in (listener for each in self._open.values() for listener in each.listeners):
            listener.rest()
        self.questions.close()
        tasks = [
            *self._tasks,
            *(
                task
                for each in self._open.values()
                for task in (each.going, each.waiting)
                if task is not None
            ),
        ]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.questions.ended()
        self._open.clear()

    @property
    def opened(self) -> list[str]:
        """The ids of the tables that are open in this process."""
        return list(self._open)

    def has_open(self, id: str) -> bool:
        """Return True if a table is open or opening in this process. It may be called from any
        thread.
        """
        return id in self._opening or id in self._open

    @property
    def sockets(self) -> int:
        """The number of pages connected to this process."""
        return sum(len(each.listeners) for each in self._open.values())

    def listeners(self, id: str) -> list[Listener]:
        """Return the pages of this process that watch a table."""
        found = self._open.get(id)
        return list(found.listeners) if found else []

    # ------------------------------------------------------------------ tables
    async def new(self, wanted: Wanted) -> ListedTable:
        """Open a new table."""
        return await aside(self._new, wanted)

    def _new(self, wanted: Wanted) -> ListedTable:
        game, state = self.begun(wanted)
        return self._listed(
            begin(
                self.store,
                fresh(),
                game,
                state,
                wanted.seats,
                None,
                self.library.pin(game),
                wanted.hints,
            ).id
        )

    def begun(self, wanted: Wanted) -> tuple[Game, State]:
        """Return the game of a request, and its initial state."""
        game = self.library.game(wanted.game)
        try:
            seed = seed_of(wanted.seed.strip()) if wanted.seed and wanted.seed.strip() else None
        except ValueError as error:
            raise RulekitError(
                _("the data for a new table are not valid: {why}", why=str(error))
            ) from None
        return game, game.new(wanted.scenario, seed, wanted.rulings, wanted.edition)

    async def bring(self, text: bytes) -> ListedTable:
        """Open a table that continues a save."""
        return await aside(self._bring, text)

    def _bring(self, text: bytes) -> ListedTable:
        save = parse_save(text)
        game = self.library.game(str(save.header["game"]))
        return self._listed(
            brought(self.store, fresh(), game, save, {}, None, self.library.pin(game)).id
        )

    async def listed(self, lang: str) -> list[ListedTable]:
        """Return all tables, latest change first, in a language if their games have it."""
        return await aside(lambda: [self._listed_row(row, lang) for row in self.store.rows()])

    async def save(self, id: str) -> str:
        """Return the text of a table's save."""
        return await aside(self._save, id)

    def _save(self, id: str) -> str:
        row = self._row(id)
        return row.header + "".join(text for _, text in self.store.lines(id))

    async def remove(self, id: str) -> None:
        """Delete a table."""
        await aside(self._row, id)
        opened = self._open.pop(id, None)
        if opened is not None:
            await self._close(opened, NoTable(_("there is no table {id}", id=id)))
        await aside(self.store.remove, id)

    async def send_away(self, id: str, listener: Listener, why: RulekitError) -> None:
        """Disconnect a page that may no longer watch."""
        listener.yours, listener.seat = (), None
        await listener.send(protocol.Closed(self.policy.error_message(listener.lang or "en", why)))
        await self.leave(id, listener)

    async def _close(self, opened: OpenRoom, why: RulekitError) -> None:
        """Disconnect all pages."""
        for listener in list(opened.listeners):
            await listener.send(
                protocol.Closed(self.policy.error_message(listener.lang or "en", why))
            )

    def _is_other(self, room: Room) -> bool:
        """Return True if the stored table has other rules or another deal than this room."""
        return (
            room.head is not None and self._row(room.id).header != room.head
        ) or self.store.pinned(room.id) != room.pin

    def _row(self, id: str) -> TableRow:
        row = self.store.row(id)
        if row is None:
            raise NoTable(_("there is no table {id}", id=repr(id)))
        return row

    def _listed(self, id: str) -> ListedTable:
        return self._listed_row(self._row(id))

    def _listed_row(self, row: TableRow, lang: str = "en") -> ListedTable:
        return listed(row, self.library, lang)

    # ------------------------------------------------------------------ rooms
    async def _room(self, id: str) -> OpenRoom:
        found = self._open.get(id)
        if found is not None and not found.room.lost:
            return found
        lock = self._opening.setdefault(id, asyncio.Lock())
        async with lock:
            found = self._open.get(id)
            if found is not None and not found.room.lost:
                return found
            row = await aside(self._row, id)
            room = await self.questions.opening(
                partial(reopened, self.store, row, self.library, self.policy)
            )
            opened = self._open[id] = OpenRoom(room, found.listeners if found else [])
            return opened

    async def join(self, id: str, listener: Listener) -> None:
        """Connect a page to a table. Raise `RulekitError` if there is no such table, or the page
        may not watch it.
        """
        if not await self._may_look(id, listener):
            raise NoTable(_("there is no table {id}", id=repr(id)))
        (await self._room(id)).listeners.append(listener)
        try:  # again: what changed before it was among those who are told
            if not await self._may_look(id, listener):
                raise NoTable(_("there is no table {id}", id=repr(id)))
        except RulekitError:
            await self.leave(id, listener)
            raise

    async def _may_look(self, id: str, listener: Listener) -> bool:
        """Update the rights of a page. Return True if it may watch."""
        rights = await aside(lambda: self.policy.rights(listener.who, self._row(id)))
        listener.yours = rights.yours
        if listener.seat not in rights.yours:
            listener.seat = None
        return rights.looks

    @asynccontextmanager
    async def _holding(self, id: str) -> AsyncIterator[OpenRoom | None]:
        """Lock the room of a table and yield it, or yield None if the table is not open here.

        A room that is being opened is waited for, as it may have been read before the latest
        change.
        """
        while True:
            if (opening := self._opening.get(id)) is not None:
                async with opening:
                    pass
            opened = self._open.get(id)
            if opened is None:
                yield None
                return
            async with opened.busy:
                if self._open.get(id) is opened:  # and not another instead of it
                    yield opened
                    return

    async def follow(self, id: str, notification: str = "") -> None:
        """Another process stored choices of a table, and nothing else changed.

        Args:
            notification: its text.
        """
        with suppress(RulekitError):  # the database is away, or the table is gone
            async with self._holding(id) as opened:
                if opened is None:
                    return
                new = (
                    None
                    if opened.room.lost
                    else await aside(_followed, opened.room, notification, list(opened.listeners))
                )
                if not opened.room.lost:
                    if new is not None:
                        await self.broadcast.send_updates(opened, new)
                    self._go_on(opened)
                    return
        await self.refresh(id)

    async def refresh(self, id: str) -> None:
        """Something was stored for a table by another process, or next to its journal. Read it and
        inform the pages.
        """
        opened: OpenRoom | None = None
        try:
            async with self._holding(id) as opened:
                if opened is None:
                    return
                room = opened.room
                back = False if room.lost else bool(await aside(room.follow))
                room.lost |= await aside(self._is_other, room)
                await aside(self.policy.opened, room)
            if id not in self._open:  # all have gone meanwhile
                return
            afresh = back or room.lost
            opened = await self._room(id)
            async with opened.busy:
                for listener in list(opened.listeners):
                    await self._again(id, opened, listener, afresh)
        except (
            StoreError
        ):  # the database is away: what it holds is read again before the next choice
            if opened is not None:
                opened.room.lost = True
            return
        except RulekitError as error:
            if opened is not None:
                self._open.pop(id, None)
                await self._close(opened, error)
            return
        self._go_on(opened)

    async def _again(self, id: str, opened: OpenRoom, listener: Listener, afresh: bool) -> None:
        """Send a page everything that may have changed for it. Disconnect it if it may no longer
        watch.
        """
        before = listener.yours, listener.seat
        if not await self._may_look(id, listener):
            opened.listeners.remove(listener)
            listener.rest()
            await listener.send(
                protocol.Closed(
                    self.policy.error_message(
                        listener.lang or "en", NoTable(_("there is no table {id}", id=id))
                    )
                )
            )
            return
        if listener.choice < 0:  # it did not sit down yet
            return
        other = listener.table_token != opened.room.table_token
        if other or before != (listener.yours, listener.seat):
            await self.broadcast.table(opened, listener)
        afresh |= other or before[1] != listener.seat
        now, moment = await aside(opened.room.stand, listener.seat)
        anew = afresh and (moment is None or moment != listener.moment)
        if other or anew or listener.choice != now or listener.over != opened.room.over:
            await self.broadcast.update(opened, listener, afresh)
        await self.broadcast.beside(opened, listener)

    def move_now(self, id: str) -> None:
        """A page in another process asks the program that thinks here to choose now."""
        if id in self._open:
            self._open[id].room.move_now()

    async def leave(self, id: str, listener: Listener) -> None:
        """Disconnect a page. A room without pages that waits only for people is closed, as
        everything is stored.
        """
        listener.rest()
        opened = self._open.get(id)
        if opened is None:
            return
        if listener in opened.listeners:
            opened.listeners.remove(listener)
            task = asyncio.create_task(
                self._tell_present(opened)
            )  # who leaves does not wait for it
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._shut(opened)

    def _shut(self, opened: OpenRoom) -> None:
        if (
            not opened.listeners
            and (opened.going is None or opened.going.done())
            and self._open.get(opened.room.id) is opened
        ):
            del self._open[opened.room.id]
            if opened.others is not None:
                opened.others.cancel()

    async def hear(self, id: str, listener: Listener, request: protocol.Request) -> None:
        """Carry out a page's request and answer it. All connected pages are informed of the
        result.
        """
        try:
            opened = await self._room(id)
            if listener not in opened.listeners:  # it was sent away
                raise NoTable(_("there is no table {id}", id=repr(id)))
        except RulekitError as error:
            await listener.send(
                protocol.RefusedMessage(
                    request.re, self.policy.error_message(listener.lang or "en", error)
                )
            )
            return
        lang = listener.lang or opened.room.state.names.lang
        failed: RulekitError | None = None
        async with (
            nullcontext() if isinstance(request, protocol.MoveNow) else opened.busy
        ):  # who thinks holds the room
            try:
                await self._do(opened, listener, request)
            except StoreError as error:
                failed, why = (
                    error,
                    self.policy.error_message(
                        lang,
                        RulekitError(
                            _("this could not be stored, so it did not happen: {why}", why=error)
                        ),
                    ),
                )
                await listener.send(
                    protocol.RefusedMessage(request.re, why, isinstance(error, Twice))
                )
            except RulekitError as error:
                await listener.send(
                    protocol.RefusedMessage(
                        request.re,
                        self.policy.error_message(lang, error),
                        isinstance(error, Stale),
                        isinstance(error, Limited),
                    )
                )
                if isinstance(error, Stale):
                    await self.broadcast.update(opened, listener, afresh=True)
        if opened.room.lost:
            with suppress(
                RulekitError
            ):  # the database is still away: they are told when it is back
                opened = await self._tell_again(id, failed)
        self._go_on(opened)

    async def _tell_again(self, id: str, why: RulekitError | None = None) -> OpenRoom:
        """Load a lost room again, inform all pages, and return it.

        Args:
            why: after `Twice`, another process is the leader.
        """
        opened = await self._room(id)
        async with opened.busy:
            opened.room.is_leader &= not isinstance(why, Twice)
            await self.broadcast.update_all(opened, afresh=True)
        return opened

    async def _do(self, opened: OpenRoom, listener: Listener, request: protocol.Request) -> None:
        room = opened.room
        match request:
            case protocol.Sit(seat=seat, lang=lang):
                if seat is not None and seat not in listener.yours:
                    raise RequestRefused(_("you do not play {side}", side=repr(seat)))
                table = await aside(room.table, seat, lang, listener.yours, request.re)
                listener.seat, listener.lang, listener.over, listener.table_token = (
                    seat,
                    lang,
                    room.over,
                    room.table_token,
                )
                listener.rest()
                await listener.send(table)
                await self.broadcast.update(opened, listener, afresh=True)
                await self.broadcast.beside(opened, listener)
                await self._tell_present(opened)
            case protocol.Take(at=at, keys=keys):
                plan, new = await aside(
                    _taken, room, list(opened.listeners), self._side(listener), at, keys
                )
                await listener.send(protocol.Taken(request.re, plan.to_json()))
                await self.broadcast.send_updates(opened, new)
            case protocol.UndoRequest(at=at):
                many = await aside(room.undo, room.undoer(self._side(listener), listener.yours), at)
                await listener.send(protocol.AnswerMessage(request.re, many))
                await self.broadcast.update_all(opened, afresh=True)
            case protocol.Redo(at=at):
                many = await aside(room.redo, room.redoer(self._side(listener), listener.yours), at)
                await listener.send(protocol.AnswerMessage(request.re, many))
                await self.broadcast.update_all(opened)
            case protocol.PassUntilPhaseEnds(at=at, only=only):
                await aside(room.pass_until_phase_ends, self._side(listener), at, only)
                await listener.send(protocol.AnswerMessage(request.re, True))
                await self.broadcast.update_all(opened)
            case protocol.StopPassing():
                await aside(room.stop_passing, self._side(listener))
                await listener.send(protocol.AnswerMessage(request.re, True))
                await self.broadcast.update_all(opened)
            case protocol.Prefer():
                room.wishes[self._side(listener)] = request
                await listener.send(protocol.AnswerMessage(request.re, True))
            case protocol.MoveNow():
                self._side(listener)
                room.move_now()
                if not room.is_leader:
                    await aside(self.policy.announce_move_now, room)
                await listener.send(protocol.AnswerMessage(request.re, True))
            case protocol.StopRequest():
                listener.rest()
                await listener.send(protocol.AnswerMessage(request.re, True))
            case _:
                await self._ask(room, listener, request)

    async def _ask(self, room: Room, listener: Listener, request: protocol.Query) -> None:
        """Answer a question about the game in the background, or refuse it."""
        if room.veiled:
            raise RequestRefused(room.halted or "")
        if not isinstance(request, protocol.FrameRequest):
            await aside(room.ask_present, listener.seat, request.at)
        if isinstance(request, protocol.HintRequest | protocol.Analyse) and not self.policy.hints(
            room
        ):
            raise RequestRefused(_("this table gives no hints"))
        if isinstance(request, protocol.ReviewRequest) and not room.over:
            raise RequestRefused(_("the course of a game is available only after its end"))
        self.questions.ask(room, listener, request)

    def _side(self, listener: Listener) -> str:
        if listener.seat is None:
            raise RequestRefused(_("it is another player's decision"))
        return listener.seat

    async def take_back(self, id: str, to: int, side: str, also: Also | None = None) -> None:
        """Undo all choices after a number in a side's count, as the players have agreed.

        On `StoreError`, or an error of `also`, nothing is undone.

        Args:
            also: writes more data in the same transaction.
        """
        opened = await self._room(id)
        try:
            async with opened.busy:
                await aside(opened.room.take_back, to, side, also)
                await self.broadcast.update_all(opened, afresh=True)
        finally:
            if opened.room.lost:
                with suppress(RulekitError):
                    opened = await self._tell_again(id)
        self._go_on(opened)
        self._shut(opened)

    # ------------------------------------------------------------------ who is there
    async def tell_present(self, id: str) -> None:
        """Inform the pages of this process who is watching a table."""
        opened = self._open.get(id)
        if opened is not None:
            await self._tell_present(opened)

    async def _tell_present(self, opened: OpenRoom) -> None:
        """Do so one call after the other, so that an old list cannot arrive after a new one."""
        id = opened.room.id
        lock = self._present_locks.setdefault(id, asyncio.Lock())
        async with lock:
            listeners = self._open.get(id, opened).listeners
            for message in await aside(
                self.policy.present, [each.who for each in listeners], opened.room
            ):
                for each in list(listeners):
                    await each.send(message)

    # ------------------------------------------------------------------ going on
    def _go_on(self, opened: OpenRoom) -> None:
        """Start automatic choices. A process that is not the leader first leaves them to the leader
        for a while.
        """
        if opened.others is None and (patience := opened.room.takeover_seconds):
            opened.others = asyncio.get_running_loop().call_later(
                patience, self._take_over, opened, opened.room.written
            )
        if opened.going is None or opened.going.done():
            opened.going = asyncio.create_task(self._going(opened))

    def _take_over(self, opened: OpenRoom, written: int) -> None:
        """Become the leader if the other process has stored nothing in the meantime."""
        opened.others = None
        if self._open.get(opened.room.id) is opened:
            opened.room.is_leader |= opened.room.written == written
            self._go_on(opened)

    async def _going(self, opened: OpenRoom) -> None:
        """Make automatic choices one after the other, then schedule an automatic pass if one is
        due.
        """
        try:
            while not opened.room.lost:
                async with opened.busy:
                    room = opened.room
                    steps = self.questions.step if room.plays_alone else aside
                    if not room.is_leader or not room.can_go_on or not await steps(room.step):
                        break
                    await self.broadcast.update_all(opened)
        except Twice as error:  # another process made it
            opened = await self._tell_again(opened.room.id, error)
            self._go_on(opened)
            return
        except Exception as error:
            await self._close(opened, foreseen(error))
            return
        if not opened.listeners:
            opened.going = None
            self._shut(opened)
            return
        pause = opened.room.pause()
        if pause is not None and (opened.waiting is None or opened.waiting.done()):
            opened.waiting = asyncio.create_task(self._pass(opened, opened.room.choices, pause))

    async def _pass(self, opened: OpenRoom, at: int, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            async with opened.busy:
                if opened.room.choices == at:
                    await aside(opened.room.pass_alone, at)
                    await self.broadcast.update_all(opened)
        except (
            RulekitError
        ) as error:  # another process or a player was first, or the database is away
            with suppress(RulekitError):
                opened = await self._tell_again(opened.room.id, error)
        opened.waiting = None
        self._go_on(opened)


def _taken(
    room: Room, listeners: Sequence[Listener], side: str, at: int, keys: Sequence[str]
) -> tuple[Plan, list[Update]]:
    """Carry out a plan and compute the updates of all pages, in one call so that only one thread is
    needed.
    """
    return room.take(side, at, keys), updates(room, listeners, False)


def _followed(room: Room, notification: str, listeners: Sequence[Listener]) -> list[Update] | None:
    """Compute the updates of pages for choices that another process stored, or None if there is
    nothing new.
    """
    back = room.follow(notification)
    return None if back is None or room.lost else updates(room, listeners, back)


def fresh() -> str:
    """Return a random id that cannot be guessed."""
    return secrets.token_urlsafe(12)
