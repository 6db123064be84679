"""Takes the store and the library, makes the rooms that are open, one for each table, and tells who listens what happens in them.

Everything of the engine runs in threads, one at a time for each room; who listens is told in the event loop, in order."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from attrs import define, field

from rulekit.base.errors import IllegalChoice, RulekitError
from rulekit.play.savefile import parse_save
from rulekit.play.seeds import seed_of
from rulekit.play.words import fault, said
from rulekit.table import wire
from rulekit.table.catalogue import Listed, Wanted
from rulekit.table.library import Library, listed
from rulekit.table.room import Refused, Room, Stale, begin, brought, reopened
from rulekit.table.store import Row, Store, StoreError

Got = TypeVar("Got")


@define(eq=False)
class Listener:
    """A page that looks at a table. `send`: takes a message; `yours`: the seats that it may look from. `lang`: what it reads; `choice`,
    `events`: what it has: so many choices, and lines up to an event."""

    send: Callable[[wire.Told], Coroutine[Any, Any, None]]
    yours: tuple[str, ...]
    seat: str | None = None
    lang: str | None = None
    choice: int = -1
    events: int = 0


@define(eq=False)
class Open:
    """A room with who listens to it. `busy`: held by who works on it; `going`: makes the choices that wait for nobody."""

    room: Room
    listeners: list[Listener] = field(factory=list)
    busy: asyncio.Lock = field(factory=asyncio.Lock)
    going: asyncio.Task[None] | None = None
    waiting: asyncio.Task[None] | None = None


class Hub:
    """The tables of a store. RulekitError for what cannot be; its methods are coroutines of one event loop."""

    def __init__(self, store: Store, library: Library) -> None:
        self.store = store
        self.library = library
        self._open: dict[str, Open] = {}
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """Stops what goes on by itself; everything is kept already."""
        tasks = [task for each in self._open.values() for task in (each.going, each.waiting) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._open.clear()

    # ------------------------------------------------------------------ tables
    async def new(self, wanted: Wanted) -> Listed:
        """Opens a table."""
        return await _aside(self._new, wanted)

    def _new(self, wanted: Wanted) -> Listed:
        game = self.library.game(wanted.game)
        try:
            seed = seed_of(wanted.seed.strip()) if wanted.seed and wanted.seed.strip() else None
        except ValueError as error:
            raise fault(RulekitError, "table.not_wanted", why=str(error)) from None
        state = game.new(wanted.scenario, seed, wanted.rulings, wanted.edition)
        room = begin(self.store, _fresh(), game, state, wanted.seats)
        return self._listed(room.id)

    async def bring(self, text: bytes) -> Listed:
        """Opens a table that goes on from a save."""
        return await _aside(self._bring, text)

    def _bring(self, text: bytes) -> Listed:
        save = parse_save(text)
        game = self.library.game(str(save.header["game"]))
        return self._listed(brought(self.store, _fresh(), game, save, {}).id)

    async def listed(self, lang: str) -> list[Listed]:
        """All tables, the last changed first, in a language as far as their games have it."""
        return await _aside(lambda: [self._told(row, lang) for row in self.store.rows()])

    async def seats(self, id: str) -> dict[str, str]:
        """Who sits where at a table."""
        return (await _aside(self._row, id)).seats

    async def save(self, id: str) -> str:
        """The text of a table's save."""
        return await _aside(self._save, id)

    def _save(self, id: str) -> str:
        row = self._row(id)
        return row.header + "".join(text for _, text in self.store.lines(id))

    async def remove(self, id: str) -> None:
        """Ends a table for good."""
        await _aside(self._row, id)
        opened = self._open.pop(id, None)
        if opened is not None:
            for listener in list(opened.listeners):
                await listener.send(wire.Closed(said(listener.lang or "en", fault(RulekitError, "table.none", id=id))))
        await _aside(self.store.remove, id)

    def _row(self, id: str) -> Row:
        row = self.store.row(id)
        if row is None:
            raise fault(RulekitError, "table.none", id=repr(id))
        return row

    def _listed(self, id: str) -> Listed:
        return self._told(self._row(id))

    def _told(self, row: Row, lang: str = "en") -> Listed:
        return listed(row, self.library, lang)

    # ------------------------------------------------------------------ rooms
    async def _room(self, id: str) -> Open:
        async with self._opening:
            found = self._open.get(id)
            if found is not None and not found.room.lost:
                return found
            row = await _aside(self._row, id)
            room = await _aside(reopened, self.store, row, self.library.game)
            opened = self._open[id] = Open(room, found.listeners if found else [])
            return opened

    async def join(self, id: str, listener: Listener) -> None:
        """A page begins to look at a table."""
        (await self._room(id)).listeners.append(listener)

    async def leave(self, id: str, listener: Listener) -> None:
        """It looks no more. A room that nobody looks at, and where only a person is awaited, is closed: it is in the store."""
        opened = self._open.get(id)
        if opened is None:
            return
        if listener in opened.listeners:
            opened.listeners.remove(listener)
        if not opened.listeners and (opened.going is None or opened.going.done()):
            self._open.pop(id, None)

    async def hear(self, id: str, listener: Listener, request: wire.Request) -> None:
        """Does what a page asks for, and answers it; what came of it is told to all that listen."""
        opened = await self._room(id)
        lang = listener.lang or opened.room.state.names.lang
        try:
            async with opened.busy:
                await self._do(opened, listener, request)
        except StoreError as error:
            await listener.send(wire.Refused(request.re, said(lang, fault(RulekitError, "table.not_kept", why=error))))
            await self._tell(await self._room(id), afresh=True)
        except (Stale, IllegalChoice, Refused, RulekitError) as error:
            await listener.send(wire.Refused(request.re, said(lang, error), isinstance(error, Stale)))
            if isinstance(error, Stale):
                await self._tell_one(opened, listener, afresh=True)
        self._go_on(opened)

    async def _do(self, opened: Open, listener: Listener, request: wire.Request) -> None:
        room = opened.room
        match request:
            case wire.Sit(seat=seat, lang=lang):
                if seat is not None and seat not in listener.yours:
                    raise fault(Refused, "table.not_played", side=repr(seat))
                table = await _aside(room.table, seat, lang, listener.yours, request.re)
                listener.seat, listener.lang = seat, lang
                await listener.send(table)
                await self._tell_one(opened, listener, afresh=True)
            case wire.Take(at=at, keys=keys):
                plan = await _aside(room.take, self._side(listener), at, keys)
                await listener.send(wire.Taken(request.re, plan.to_json()))
                await self._tell(opened)
            case wire.Undo(at=at):
                many = await _aside(room.undo, self._side(listener), at)
                await listener.send(wire.Answer(request.re, many))
                await self._tell(opened, afresh=True)
            case wire.Redo(at=at):
                many = await _aside(room.redo, self._side(listener), at)
                await listener.send(wire.Answer(request.re, many))
                await self._tell(opened)
            case wire.Prefer():
                room.wishes[self._side(listener)] = request
                await listener.send(wire.Answer(request.re, True))
            case _:
                if not isinstance(request, wire.Frame) and request.at != room.choices:
                    raise fault(Stale, "table.stale", n=str(room.choices), at=str(request.at))
                value = await _aside(room.answer, listener.seat, listener.lang, request)
                await listener.send(wire.Answer(request.re, value))

    def _side(self, listener: Listener) -> str:
        if listener.seat is None:
            raise fault(Refused, "table.not_asked")
        return listener.seat

    # ------------------------------------------------------------------ telling
    async def _tell(self, opened: Open, afresh: bool = False) -> None:
        await asyncio.gather(*(self._tell_one(opened, each, afresh) for each in list(opened.listeners)), return_exceptions=True)

    async def _tell_one(self, opened: Open, listener: Listener, afresh: bool = False) -> None:
        """Where play stands, with what is new of the log; `afresh`: with all of it."""
        room = opened.room
        afresh = afresh or listener.choice < 0 or listener.choice > room.choices
        events, since = (0, 0) if afresh else (listener.events, listener.choice)
        state = await _aside(room.told, listener.seat, listener.lang, events, since)
        listener.choice = state.choice
        still = [line["event"] for line in state.lines if line["open"]]
        listener.events = still[0] if still else state.lines[-1]["event"] + 1 if state.lines else events
        await listener.send(state)
        if state.decision is None and not afresh:
            await listener.send(await _aside(room.table, listener.seat, listener.lang, listener.yours))

    # ------------------------------------------------------------------ going on
    def _go_on(self, opened: Open) -> None:
        if opened.going is None or opened.going.done():
            opened.going = asyncio.create_task(self._going(opened))

    async def _going(self, opened: Open) -> None:
        """Makes the choices that wait for nobody, one after the other; then waits for a pass that nobody makes."""
        try:
            while not opened.room.lost:
                async with opened.busy:
                    if not await _aside(opened.room.step):
                        break
                    await self._tell(opened)
        except RulekitError as error:
            for each in opened.listeners:
                await each.send(wire.Closed(said(each.lang or "en", error)))
            return
        pause = opened.room.pause()
        if pause is not None and (opened.waiting is None or opened.waiting.done()):
            opened.waiting = asyncio.create_task(self._pass(opened, opened.room.choices, pause))

    async def _pass(self, opened: Open, at: int, pause: float) -> None:
        await asyncio.sleep(pause)
        async with opened.busy:
            if opened.room.choices == at:
                await _aside(opened.room.pass_alone, at)
                await self._tell(opened)
        opened.waiting = None
        self._go_on(opened)


async def _aside(do: Callable[..., Got], *args: Any) -> Got:
    """Does it in a thread."""
    return await asyncio.get_running_loop().run_in_executor(None, partial(do, *args))


def _fresh() -> str:
    """An id that nobody guesses."""
    return secrets.token_urlsafe(12)
