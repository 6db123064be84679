"""The messages to a seat are the same bytes, in the same order and with the same delays, for two
games that the seat cannot distinguish.

The second game is the first one with two things swapped that the seat never could distinguish:
every draw gives the other thing, and every choice names the other thing. It is a separate game,
played from its beginning through a separate hub.
"""

import asyncio
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, field

import rulekit
from rulekit.common.errors import RulekitError
from rulekit.engine.search.search_agent import Effort
from rulekit.presentation.seat import Seat
from rulekit.runtime.slots import DIE_ROLLED, DRAWN
from rulekit.server import protocol
from rulekit.server.client import Listener
from rulekit.server.game_library import Library
from rulekit.server.hub import Hub, OpenRoom
from rulekit.server.room import Room, begin
from rulekit.server.storage import Store, file_address
from tests.counts import cases
from tests.engine.knowledge.twins import Swap, swaps

ROOT = Path(__file__).parents[2]
Told = tuple[bool, bytes]


@define
class Sent:
    """A message from a page.

    Attributes:
        side: the seat of the page.
        rolled: the records of dice and draws that it caused.
    """

    side: str | None
    message: dict
    rolled: list[tuple[int, ...]] = field(factory=list)

    @property
    def results(self) -> list[int]:
        return [record[-1] for record in self.rolled]

    def other(self, swap: Swap) -> "Sent":
        """Return the same message in the game with the swap."""
        members = swap.program.kinds[swap.kind].members
        names = {members[one]: members[other] for one, other in swap.new.items()}
        keys = [
            re.sub(r"[\w.]+", lambda word: names.get(word[0], word[0]), key)
            for key in self.message.get("keys", ())
        ]
        message = {**self.message, "keys": keys} if self.message["type"] == "take" else self.message
        return Sent(
            self.side,
            message,
            [swap.record(record) if record[0] == DRAWN else record for record in self.rolled],
        )


class Patient(Hub):
    """A hub without timers: a delayed pass is made when the test says so, however slow the machine
    is."""

    async def _pass(self, opened: OpenRoom, at: int, pause: float) -> None:
        if not pause:
            await super()._pass(opened, at, pause)


class Sitting:
    """A table in a hub, with a page at every seat and one of a spectator.

    Attributes:
        told: the messages to each page, with the number of actions before.
    """

    def __init__(self, file: Path, folder: Path, scenario: str | None, seed: int, dice=()):
        self.game = rulekit.load(folder)
        self.store = Store(file_address(file))
        self.hub = Patient(self.store, Library([folder]))
        state = self.game.new(scenario, seed, dice=dice)
        room = begin(self.store, "the table", self.game, state, {})
        room.recorder.save.header["hints"] = "greedy"
        self.open = self.hub._open[room.id] = OpenRoom(room)
        self.told: dict[str | None, list[tuple[int, bytes]]] = {}
        self.pages: dict[str | None, Listener] = {}
        self.numbers: dict[str | None, int] = {}
        self.acts = 0  # number of actions of persons, real or simulated

    @property
    def room(self) -> Room:
        return self.open.room

    @property
    def state(self) -> rulekit.State:
        return self.room.state

    async def sit(self, lang: str, wish: bool) -> None:
        """Let all take their seats. With `wish`, they want auto-pass."""
        for side in (None, *self.room.seats):
            told = self.told[side] = []

            async def send(message, told=told):
                told.append((self.acts, protocol.written(message)))

            self.pages[side] = page = Listener(send)
            await self.hub.join("the table", page)
            page.yours = (side,) if side else ()
            await self.hub.hear("the table", page, protocol.Sit(side, lang))
            if side and wish:
                await self.hub.hear("the table", page, protocol.Prefer(pass_alone=True))
        await self.rest()

    async def rest(self) -> None:
        """Wait until everything is answered and no automatic action remains."""
        await asyncio.gather(*(task for page in self.pages.values() for task in page.asked))
        while self.open.going is not None and not self.open.going.done():
            await self.open.going

    async def hear(self, sent: Sent) -> list[tuple[int, ...]]:
        """Handle a message of a page until it is answered, or make the automatic pass. Return the
        records of dice and draws that it caused."""
        page, before = self.pages[sent.side], len(self.state.log)
        self.acts += 1
        self.state.script(sent.results)
        if sent.message["type"] == "take" and self.room.pause() is not None:
            await self.hub._pass(self.open, self.room.choices, 0)
        else:
            self.numbers[sent.side] = number = self.numbers.get(sent.side, 0) + 1
            now = (
                {"at": self.room.count(sent.side).now} if "at" in sent.message else {}
            )  # numbered as the seat sees it
            await self.hub.hear(
                "the table", page, protocol.read(json.dumps({**sent.message, **now, "re": number}))
            )
        await self.rest()
        self.state.script([])
        return rolled(self.state, before)


def rolled(state: rulekit.State, begin: int) -> list[tuple[int, ...]]:
    """Return the records of dice and draws from a number on."""
    return [record for record in state.log[begin:] if record[0] in (DRAWN, DIE_ROLLED)]


def asks(state: rulekit.State, side: str | None, rng: random.Random, names: list[str]) -> dict:
    """Return a random question of a page, about visible and hidden things."""
    at, asked = state.move_number(), state.decision
    own = (
        [option.key for option in asked.options]
        if asked is not None and asked.player == side
        else [""]
    )
    total = rng.choice(state.table.program.totals)
    args = [
        rng.choice(state.table.program.kinds[type.kind].members) if type.form == "member" else 1
        for _, type in total.params
    ]
    return rng.choice(
        [
            {"type": "forecast", "at": at, "keys": [rng.choice(own)]},
            {"type": "preview", "at": at, "keys": [rng.choice(own)]},
            {"type": "odds", "at": at},
            {"type": "hint", "at": at},
            {"type": "analyse", "at": at, "seconds": 1},
            {"type": "why", "at": at, "key": rng.choice(own)},
            {
                "type": "why_not",
                "at": at,
                "thing": rng.choice(names),
                "keys": rng.choice([[], [rng.choice(own)]]),
            },
            {"type": "explain", "at": at, "name": total.name, "args": args},
            {"type": "frame", "choice": rng.randrange(Seat(state, side).history.now + 1)},
        ]
    )


async def played(
    sitting: Sitting, rng: random.Random, moves: int, lang: str, wish: bool
) -> list[Sent]:
    """Play at random for a while, with questions and undos. Return the messages, and automatic
    choices as messages."""
    await sitting.sit(lang, wish)
    state, script = sitting.state, alone(sitting.state, 0)
    names = [id for kind in state.table.program.kinds for id in kind.members]

    async def send(side, message):
        begin = state.move_number() + (message["type"] == "take")
        script.append(Sent(side, message))
        script[-1].rolled = await sitting.hear(script[-1])
        script.extend(alone(state, begin))

    for _ in range(moves):
        if state.decision is None:
            break
        asked, side = state.decision, state.decision.player
        calm = (
            [option for option in asked.options if option.key == "pass"]
            if rng.random() < 0.4
            else []
        )
        await send(
            side,
            {
                "type": "take",
                "at": state.move_number(),
                "keys": [rng.choice(calm or asked.options).key],
            },
        )
        if rng.random() < 0.1 and not state.undo_refusal(side):
            await send(side, {"type": "undo", "at": state.move_number()})
        who = rng.choice([None, *sitting.room.seats])
        await send(who, asks(state, who, rng, names))
    return script


def alone(state: rulekit.State, begin: int) -> list[Sent]:
    """Return the choices after a number as messages of their players."""
    sides = list(state.names.sides)
    return [
        Sent(
            sides[state.chooser(at + 1)],
            {"type": "take", "at": at, "keys": [state.choices[at].key]},
        )
        for at in range(begin, state.move_number())
    ]


async def again(sitting: Sitting, script: list[Sent], lang: str, wish: bool) -> None:
    """Play the messages again, except automatic choices."""
    await sitting.sit(lang, wish)
    for sent in script:
        if sent.message["type"] != "take" or sent.message["at"] >= sitting.state.move_number():
            await sitting.hear(sent)


@contextmanager
def sitting(file: Path, *args):
    """A table with a store that is closed afterwards."""
    made = Sitting(file, *args)
    yield made
    made.store.close()


def compared(
    folder: Path, scenario: str | None, seed: int, moves: int, into: Path
) -> Iterator[tuple[str, list[Told], list[Told]]]:
    """Play a game, and for each observer one that they cannot distinguish from it. Yield the
    observer with the swap, and the messages in both games."""
    rng, lang, wish = random.Random(seed), ("en", "fr")[seed % 2], seed % 3 == 0
    into.mkdir(parents=True)
    with sitting(into / "first.db", folder, scenario, seed) as first:
        start = Sent(None, {"type": ""}, rolled(first.state, 0))
        script = asyncio.run(played(first, rng, moves, lang, wish))
        for observer, side in enumerate([None, *first.room.seats], -1):
            apart = list(swaps(first.state, observer))
            for kind in sorted({swap.kind for swap in apart}):
                pairs = [swap for swap in apart if swap.kind == kind]
                rng.shuffle(pairs)
                pairs.sort(
                    key=lambda swap: swap.slots(first.state.slots)[2:] == first.state.slots[2:]
                )  # first those that are apart
                for swap in pairs[:4]:
                    sent, dice = [each.other(swap) for each in script], start.other(swap).results
                    if playable(first.game.new(scenario, seed, dice=dice), sent):
                        break
                else:
                    continue
                members = swap.program.kinds[kind].members
                with sitting(into / f"{side} {kind}.db", folder, scenario, seed, dice) as second:
                    asyncio.run(again(second, sent, lang, wish))
                    yield (
                        f"{side}: {members[swap.one]}, {members[swap.other]}",
                        timed(first.told[side]),
                        timed(second.told[side]),
                    )


def timed(told: list[tuple[int, bytes]]) -> list[Told]:
    """Return the messages to an observer, each with whether it came together with the one
    before."""
    return [
        (at > 0 and acts == told[at - 1][0], message) for at, (acts, message) in enumerate(told)
    ]


def playable(state: rulekit.State, script: list[Sent]) -> bool:
    """Return True if the same actions are possible after the swap. They may depend on the identity
    of a thing."""
    for sent in script:
        state.script(sent.results)
        try:
            if sent.message["type"] == "take":
                if state.decision is None or state.decision.player != sent.side:
                    return False
                state.apply(sent.message["keys"][0])
            elif sent.message["type"] == "undo":
                state.undo_own(sent.side)
        except RulekitError:
            return False
        if state.script_left():
            return False
    return True


@pytest.fixture(autouse=True)
def alike(monkeypatch):
    """Both games commit to the same seed, and long analyses count iterations."""
    monkeypatch.setattr("rulekit.engine.saves.recorder.draw_salt", lambda: "0" * 32)
    monkeypatch.setattr(
        "rulekit.server.background_analysis.effort", lambda seconds: Effort(0.0, 30)
    )
    monkeypatch.setattr("rulekit.server.background_analysis.GAMES", 3)


@pytest.mark.parametrize(
    "folder, scenario, more",
    [  # `more` choices for each seed; in the small game, long play tells everything apart
        ("tests/fixtures/secrets", None, 0),
        ("games/sphacteria", None, 8),
        ("games/amphipolis", "cleon", 8),
        ("games/athens_sparta", "war", 8),
    ],
)
@pytest.mark.parametrize("seed", cases(1))
def test_a_seat_is_sent_the_same(folder, scenario, more, seed, tmp_path):
    looked = 0
    for what, one, other in compared(
        ROOT / folder, scenario, seed, 16 + more * seed, tmp_path / "games"
    ):
        looked += 1
        assert [a == b for a, b in zip(one, other, strict=True)].count(False) == 0, what
    assert looked


@pytest.mark.parametrize(
    "folder, where, fault",
    [
        # Totals answer everybody. All get what one seat sees. Between persons, an only option is
        # taken at once.
        (
            "tests/fixtures/secrets",
            "rulekit.engine.knowledge.visibility.Visibility.may_know",
            lambda *_: True,
        ),
        (
            "tests/fixtures/secrets",
            "rulekit.server.room.Room._seat",
            lambda self, seat, lang: Seat(self.state, "red", lang),
        ),
        ("games/sphacteria", "rulekit.server.room.Room._may_be_taken", lambda *_: True),
    ],
)
def test_what_tells_a_secret_is_noticed(folder, where, fault, tmp_path, monkeypatch):
    monkeypatch.setattr(where, fault)
    assert any(
        one != other
        for seed in cases(6)
        for _, one, other in compared(ROOT / folder, None, seed, 12, tmp_path / str(seed))
    )
