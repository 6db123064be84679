"""Changes while a table is being opened are not lost."""

import asyncio
import time

import pytest

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import Message
from rulekit.server.access import AccessPolicy, Rights
from rulekit.server.catalogue import Wanted
from rulekit.server.client import Listener
from rulekit.server.hub import Hub
from rulekit.server.protocol import (
    AnswerMessage,
    Closed,
    FrameRequest,
    MoveNow,
    RefusedMessage,
    Sit,
)
from rulekit.server.room import Room
from rulekit.server.storage import Store, Twice, file_address
from tests.server.table_clients import LIBRARY


class Changing(AccessPolicy):
    """An access policy with outdated online data but current rights.

    Args:
        opens: called when the outdated data are read.
    """

    def __init__(self, old=None, new=None, opens=lambda: None):
        self.told, self.opens = [old, new], opens
        self.beside_it = ["new", "old"]

    def rights(self, who, row):
        return (self.told.pop(0) if self.told else None) or Rights(True)

    def opened(self, room):
        room.beside = self.beside_it.pop()
        if room.beside == "old":
            self.opens()


def run(tmp_path, policy, does, new=lambda hub: hub.new(Wanted("skirmish"))):
    """Run a test with a hub and a table.

    Args:
        does: receives the hub, a table, and a connecting page.
        new: creates the table.
    """

    async def all_of_it():
        store = Store(file_address(tmp_path / "tables.db"))
        hub = Hub(store, LIBRARY, policy)
        id = (await new(hub)).id

        async def send(message):
            pass

        try:
            return await does(hub, id, Listener(send))
        finally:
            await hub.close()
            store.close()

    return asyncio.run(all_of_it())


def test_what_changes_while_a_room_is_opened_is_read_again(tmp_path):
    async def joins(hub, id, listener):
        loop, heard = asyncio.get_running_loop(), []
        hub.policy.opens = lambda: heard.append(
            asyncio.run_coroutine_threadsafe(hub.refresh(id), loop)
        )
        await hub.join(id, listener)
        await asyncio.wrap_future(heard[0])
        return hub._open[id].room.beside

    assert run(tmp_path, Changing(), joins) == "new"


def test_a_seat_that_is_taken_while_its_page_comes_is_its_own(tmp_path):
    async def joins(hub, id, listener):
        await hub.join(id, listener)
        return listener.yours

    assert run(tmp_path, Changing(Rights(True), Rights(True, ("red",))), joins) == ("red",)


def test_who_is_sent_away_while_his_page_comes_is_not_listened_to(tmp_path):
    async def joins(hub, id, listener):
        with pytest.raises(RulekitError, match="there is no table"):
            await hub.join(id, listener)
        return hub.listeners(id)

    assert run(tmp_path, Changing(Rights(True), Rights(False)), joins) == []


def test_a_pass_that_another_process_made_first_is_read_from_what_is_kept(tmp_path, monkeypatch):
    def made_elsewhere(room, at):
        room.lost = True
        raise Twice("line 1 stands")

    async def passes(hub, id, listener):
        await hub.join(id, listener)
        opened = hub._open[id]
        before = opened.room
        await hub._pass(opened, before.choices, 0)
        return hub._open[id].room is not before and not hub._open[id].room.lost

    monkeypatch.setattr(Room, "pass_alone", made_elsewhere)
    assert run(tmp_path, Changing(new=Rights(True)), passes)


class Slow(AccessPolicy):
    """Reporting presence takes longer the more people watch."""

    def __init__(self):
        self.said = []

    def present(self, whos, room):
        time.sleep(0.2 * len(whos))
        self.said.append(list(whos))
        return []


def test_who_looks_is_said_in_the_order_in_which_it_changes(tmp_path):
    """After two people leave one after the other, the last report says that nobody is there. The
    same holds if one returns at once."""

    async def leave(hub, id, listener):
        async def send(message):
            pass

        other = Listener(send)
        for each in (listener, other):
            await hub.join(id, each)
            await hub.hear(id, each, Sit())
        for each in (other, listener):
            await hub.leave(id, each)
            await asyncio.sleep(0)
        await asyncio.gather(*hub._tasks)
        gone = list(hub.policy.said)
        await hub.join(id, listener)
        await hub.hear(id, listener, Sit())
        await hub.leave(id, listener)
        await hub.join(id, listener)
        await hub.hear(id, listener, Sit())
        await asyncio.gather(*hub._tasks)
        return len(gone[-1]), len(hub.policy.said[-1])

    assert run(tmp_path, Slow(), leave) == (0, 1)


class Seated(AccessPolicy):
    """A connecting person has a seat, or watches."""

    def __init__(self, *yours):
        self.yours = yours

    def rights(self, who, row):
        return Rights(True, self.yours)


@pytest.mark.parametrize(("seat", "heard"), [("blue", AnswerMessage), (None, RefusedMessage)])
def test_a_player_can_make_a_program_move_now(tmp_path, monkeypatch, seat, heard):
    """The seat chooses at once though it has a minute. A spectator cannot make it. The searching
    seat holds the room meanwhile."""
    stopped = []

    async def moves_now(hub, id, listener):
        told = []

        async def send(message):
            told.append(message)

        listener.send = send
        await hub.join(id, listener)
        await hub.hear(id, listener, Sit())
        opened = hub._open[id]
        while opened.room.thinks is None:
            await asyncio.sleep(0.01)
        assert opened.busy.locked()
        agent = opened.room.thinks
        monkeypatch.setattr(agent, "stop", lambda: stopped.append(agent))
        listener.seat = seat
        await hub.hear(id, listener, MoveNow(re=7))
        answer = next(each for each in told if getattr(each, "re", 0) == 7)
        asked = stopped == [agent]
        monkeypatch.undo()
        opened.room.halted = Message("enough")
        opened.room.move_now()
        while opened.room.choices == 0:
            await asyncio.sleep(0.01)
        return type(answer), asked

    def new(hub):
        return hub.new(Wanted("skirmish", seats={"red": "search:60s"}))

    assert run(tmp_path, Seated("blue"), moves_now, new) == (heard, seat is not None)


@pytest.mark.parametrize("where", ["question", "step"])
def test_an_error_that_nobody_foresaw_is_told_to_the_pages_it_concerns(
    tmp_path, monkeypatch, where
):
    """They do not wait forever for an answer, or for a choice of an automatic seat."""

    def fails(*_):
        raise ZeroDivisionError

    async def asks(hub, id, listener):
        told = []

        async def send(message):
            told.append(message)

        listener.send = send
        await hub.join(id, listener)
        await hub.hear(id, listener, Sit())
        if where == "question":
            monkeypatch.setattr("rulekit.server.query_threads.answer", fails)
            await hub.hear(id, listener, FrameRequest(choice=0, re=7))
            await asyncio.gather(*listener.asked)
        else:
            monkeypatch.setattr(Room, "can_go_on", True)
            monkeypatch.setattr(Room, "step", fails)
            hub._go_on(hub._open[id])
            await hub._open[id].going
        return told[-1]

    last = run(tmp_path, Seated("red"), asks)
    assert (
        isinstance(last, RefusedMessage if where == "question" else Closed)
        and "ZeroDivisionError" in last.why
    )
