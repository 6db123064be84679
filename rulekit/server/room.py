"""A running game in memory: choices and undo, states as each seat sees them, and the programs that
play.

Every choice is stored before any page hears of it. Only one thread uses a room at a time, which its
hub ensures. If the store refuses a write, the room is out of step (`lost`) and is loaded again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from attrs import define, evolve, field
from sqlalchemy import Connection

from rulekit.common.errors import IllegalChoice, RulekitError
from rulekit.common.i18n.messages import Message, _
from rulekit.engine.game.game import Game
from rulekit.engine.game.state import State
from rulekit.engine.knowledge.observable_history import ObservableHistory
from rulekit.engine.saves.recorder import Recorder
from rulekit.engine.saves.resume import resume
from rulekit.engine.saves.save_format import Save
from rulekit.engine.search.agent_registry import (
    HUMAN,
    Agent,
    make_agent,
    make_agents,
    seat_name,
    seat_plan,
)
from rulekit.engine.search.search_agent import SearchAgent
from rulekit.presentation.hint import ADVISER
from rulekit.presentation.plan import Plan
from rulekit.presentation.seat import Seat
from rulekit.runtime.seeds import draw_entropy, seed_text
from rulekit.runtime.slots import NOT_BEGUN, PC
from rulekit.server import protocol
from rulekit.server.access import AccessPolicy, StoredChoices
from rulekit.server.auto_pass import AutoPass, load_auto_pass, pass_of, store_auto_pass
from rulekit.server.background_analysis import Known
from rulekit.server.refusals import RequestRefused, Stale
from rulekit.server.rule_pins import Pin
from rulekit.server.storage import Also, Store, TableSummary, lines_of

PAUSE = (1.5, 4.0)  # seconds that a pass takes that nobody makes
TAKEOVER_SECONDS, TAKEOVER_SECONDS_THINKING = (
    3.0,
    30.0,
)  # after which a follower goes on instead of the leader, if that has not


@define
class Room:
    """A table with a running game.

    Attributes:
        gestures: for each choice in force, the gesture that it belongs to.
        written: the number of save records in the store.
        lost: True if memory and store may differ.
        is_leader: True unless another process stored the last choice. Only the leader makes choices
            of programs and forced choices.
        pin: the digest of its rules.
        halted: the reason why nobody may choose, or None.
        ended: True if the game ended otherwise than by its rules.
        beside: the online data that the access policy keeps for this table.
        head: the first line of its save, as stored.
        veiled: True before play begins. Everybody then watches an empty position.
        wishes: the preferences of seats.
        auto_pass: the sides that pass until the phase ends.
        stored_auto_pass: the stored part of `auto_pass`.
        undone: the undone gestures, as side and number of choices.
        judged: the finished review of the game, by language.
        agents: for each side, the program that plays it, or None.
        thinks: the program that is thinking.
    """

    id: str
    recorder: Recorder
    seats: dict[str, str]
    store: Store
    gestures: list[int]
    gesture: int
    written: int  # how many records of the save are in the store
    policy: AccessPolicy = field(factory=AccessPolicy)
    lost: bool = False
    is_leader: bool = True
    pin: str | None = None  # the digest of its rules
    halted: Message | None = None
    ended: bool = False
    beside: Any = None
    head: str | None = None
    veiled: bool = False
    wishes: dict[str, protocol.Prefer] = field(factory=dict)
    auto_pass: dict[str, AutoPass] = field(factory=dict)
    stored_auto_pass: dict[str, AutoPass] = field(factory=dict)
    undone: list[tuple[str, int]] = field(
        factory=list
    )  # what was taken back: by whom, and how many choices
    judged: dict[str | None, Known] = field(
        factory=dict
    )  # the review of the game, when it is over, in each language
    agents: list[Agent | None] = field(init=False)
    thinks: Agent | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._seat_agents()

    def _seat_agents(self) -> None:
        """Create the programs that play. Their random numbers derive from the same seed as the
        dice.
        """
        save = self.recorder.save
        self.agents = make_agents(self.seats, self.state, save.seed_by(save.dice))

    @property
    def state(self) -> State:
        """The current state. Only the room changes it."""
        return self.recorder.state

    @property
    def humans(self) -> list[str]:
        """The sides that people play."""
        return [side for side, who in self.seats.items() if who == HUMAN]

    @property
    def choices(self) -> int:
        """The number of choices in force."""
        return self.state.move_number()

    @property
    def over(self) -> bool:
        """True if the game is over, by its rules or otherwise."""
        return self.ended or self.state.is_terminal()

    @property
    def renewed(self) -> int | None:
        """The number of choices in force at the last reseeding of the dice, or None."""
        save = self.recorder.save
        return sum(record.dice != save.dice for record in save.choices) if save.dice else None

    @property
    def table_token(self) -> object:
        """A token for the game as a whole. While it stays equal, what pages were sent in
        `TableData` stays valid.
        """
        return self.head, self.veiled

    def count(self, seat: str | None) -> ObservableHistory:
        """Return the history of choices that a seat can observe."""
        return self._seat(seat, None).history

    def counted(self, choice: int, side: str, seat: str | None) -> int:
        """Convert a choice number of a side to the number under which another seat knows it."""
        return self.count(seat).observed_number(self.count(side).choice(choice))

    def stand(self, seat: str | None) -> tuple[int, object]:
        """Return the number of choices that a seat has observed, and a token.

        The token stays equal as long as nothing happens that the seat may observe. It is None if
        the seat observes every choice.
        """
        count = self.count(seat)
        hides = self.state.table.hides_choices
        token = (
            seat,
            self.state.history()[: count.sees],
            seat in self.auto_pass,
            self.over,
            self.recorder.save.dice,
        )
        return count.now, token if hides else None

    # ------------------------------------------------------------------ acts
    def take(self, side: str, at: int, keys: Sequence[str]) -> Plan:
        """Make the choices of a plan, as one gesture.

        Raises:
            Stale: the number of choices is out of date.
            Refused: the side is not asked.
            IllegalChoice: not even the first choice is legal.
        """
        self._ask_now(side, at)
        asked = self.state.decision
        if asked is None or asked.player != side:
            raise RequestRefused(_("it is another player's decision"))
        with self._kept(self.gesture + 1):
            plan = Seat(self.state, side).plan(keys)
        if not plan.taken and plan.stopped_by in ("key", "error"):
            raise IllegalChoice(plan.why)
        return plan

    def undo(self, side: str, at: int) -> int:
        """Undo the last gesture of a side, as far as allowed. Return the number of choices undone.

        Raises:
            IllegalChoice: nothing can be undone. The error gives the reason.
        """
        self._ask_now(side, at)
        before, own = self.choices, self._last_of(side)
        why = self.state.undo_refusal(side)
        if why or own < 0:
            raise IllegalChoice(
                self.state.names.say(
                    _(
                        "this cannot be undone: {why}",
                        why=why or self.state.names.say(_("there is nothing to take back")),
                    )
                )
            )
        self.policy.may_undo(self, side)
        gesture = self.gestures[own]
        self.auto_pass.pop(side, None)  # else it would be passed again
        with self._kept(self.gesture + 1, undoing=True):
            while (
                not self.state.undo_refusal(side)
                and self._last_of(side) >= 0
                and self.gestures[self._last_of(side)] == gesture
            ):
                self.state.undo_own(side)
                del self.gestures[self.choices :]
        self.undone.append((side, before - self.choices))
        return before - self.choices

    def redo(self, side: str, at: int) -> int:
        """Redo the gesture that a side undid last. Return the number of choices made.

        Raises:
            IllegalChoice: the side undid nothing, or something was chosen since.
        """
        self._ask_now(side, at)
        if not self.undone or self.undone[-1][0] != side:
            raise IllegalChoice(self.state.names.say(_("there is nothing to redo")))
        many = self.undone[-1][1]
        with self._kept(self.gesture + 1, undoing=True):
            for __ in range(many):
                self.state.redo()
        self.undone.pop()
        return many

    def undoer(self, seat: str, yours: Sequence[str]) -> str:
        """Return the side whose gesture a page undoes.

        Normally it is the page's seat. In a game without secrets it may be another seat of the same
        page, since the page switches to the player to move after each choice.
        """
        if self.state.table.has_secrets or not self.state.undo_refusal(seat) or not self.choices:
            return seat
        last = self.state.names.sides[max(0, self.state.chooser(self.choices))]
        return last if last in yours and self.seats.get(last) == HUMAN else seat

    def redoer(self, seat: str, yours: Sequence[str]) -> str:
        """Return the side whose gesture a page redoes, by the same rule."""
        last = self.undone[-1][0] if self.undone else seat
        return last if last in yours and not self.state.table.has_secrets else seat

    @property
    def plays_alone(self) -> bool:
        """True if the player to move is a program."""
        return (
            self.state.decision is not None and self.agents[self.state.current_player()] is not None
        )

    @property
    def can_go_on(self) -> bool:
        """True if a program has to choose, or if a forced choice can be made."""
        asked = self.state.decision
        if asked is None or self.halted:
            return False
        return self.plays_alone or (len(asked.options) == 1 and self._may_be_taken(asked.player))

    def step(self) -> bool:
        """Make one choice of a program, or a forced choice. Return False if a person has to choose
        or the game is over.
        """
        asked = self.state.decision
        if asked is None or not self.can_go_on:
            return False
        agent = self.agents[self.state.current_player()]
        if agent is None:
            with self._kept(self.gesture):
                self.state.apply(asked.options[0])
            return True
        with self._kept(self.gesture + 1):
            self.thinks = agent
            try:
                option = agent.choose(self.state)
            finally:
                self.thinks = None
            self.state.apply(option)
        return True

    def move_now(self) -> None:
        """Tell the program that is thinking in another thread, if any, to choose now."""
        agent = self.thinks
        if isinstance(agent, SearchAgent):
            agent.stop()

    def pass_until_phase_ends(self, side: str, at: int, only: bool) -> None:
        """Pass the window for a side, as a gesture, and keep passing as `AutoPass` describes.

        Raises:
            Stale: the number of choices is out of date.
            Refused: the side cannot pass now.
        """
        self._ask_now(side, at)
        asked = self.state.decision
        if asked is None or asked.player != side or not pass_of(self.state):
            raise RequestRefused(_("it is another player's decision"))
        self.auto_pass[side] = AutoPass.now(self.state, side, only)
        self._pass()

    def stop_passing(self, side: str) -> None:
        """Stop passing for a side: it is asked again."""
        if self.auto_pass.pop(side, None) is not None:
            with self.store.begin() as db:
                self._store_auto_pass(db)
                self.policy.notify(db, self)

    def _store_auto_pass(self, db: Connection) -> None:
        if self.auto_pass != self.stored_auto_pass:
            store_auto_pass(db, self.id, self.auto_pass)
            self.stored_auto_pass = dict(self.auto_pass)

    def read_auto_pass(self) -> None:
        """Load the stored auto-pass of sides and drop what has expired."""
        with self.store.reading() as db:
            self.stored_auto_pass = load_auto_pass(db, self.id)
        self.auto_pass = dict(self.stored_auto_pass)
        self._heed()

    def _pass(self) -> None:
        with self._kept(self.gesture + 1):
            self.state.apply(pass_of(self.state))

    def pause(self) -> float | None:
        """Return the seconds until `pass_alone` passes for the person to move, or None if they have
        to choose.

        If a quick pass could give away a secret, the delay is random and as long as a person would
        take, whatever the options are.
        """
        asked = self.state.decision
        if (
            asked is None
            or self.halted
            or not pass_of(self.state)
            or self.seats[asked.player] != HUMAN
        ):
            return None
        if asked.player in self.auto_pass:
            return (0.0 if self._reveals_nothing else random.uniform(*PAUSE)) + (
                0.0 if self.is_leader else TAKEOVER_SECONDS
            )
        wish = self.wishes.get(asked.player)
        return (
            random.uniform(*PAUSE)
            if wish is not None and wish.pass_alone and len(asked.options) == 1
            else None
        )

    def pass_alone(self, at: int) -> None:
        """Make the pass announced by `pause`, unless something has happened since."""
        if at == self.choices and self.pause() is not None:
            self._pass()

    @property
    def _reveals_nothing(self) -> bool:
        """True if not asking a person gives nothing away. Between several people with secrets it
        would.
        """
        return len(self.humans) == 1 or not self.state.table.has_secrets

    def _may_be_taken(self, side: str) -> bool:
        """Return True if a forced choice of a side may be made without asking."""
        wish = self.wishes.get(side)
        return self._reveals_nothing and (wish is None or not wish.ask_forced)

    def _ask_now(self, side: str, at: int) -> None:
        if self.seats.get(side) != HUMAN:
            raise RequestRefused(_("you do not play {side}", side=repr(side)))
        if self.halted:
            raise RequestRefused(self.halted)
        self.ask_present(side, at)

    def ask_present(self, seat: str | None, at: int) -> None:
        """Raise `Stale` unless `at` is the number of choices that the seat has observed."""
        if at != (now := self.count(seat).now):
            raise Stale(
                _("the game is at choice {n} now, not at choice {at}", n=str(now), at=str(at))
            )

    def _last_of(self, side: str) -> int:
        return self.state.last_of(self.state.names.side(side))

    # ------------------------------------------------------------------ keeping
    @contextmanager
    def _kept(
        self, gesture: int, undoing: bool = False, dice: str = "", also: Also | None = None
    ) -> Iterator[None]:
        """Record and store everything that happens to the state inside the block.

        Args:
            dice: the entropy of new dice for undone choices, if any.
            also: writes more data in the same transaction.
        """
        try:
            with self.recorder.following(dice):
                yield
        finally:
            if len(self.recorder.save.records) > self.written:
                self.gesture = gesture
                if not undoing:
                    self.undone.clear()
                self.judged = {}  # who still looks for them fills the old ones
            del self.gestures[self.choices :]
            self.gestures.extend([self.gesture] * (self.choices - len(self.gestures)))
            self._heed()
            self.keep(also)

    def _heed(self) -> None:
        """Drop the auto-pass of sides that face another kind of decision, or whose phase has
        ended.
        """
        for side, wish in list(self.auto_pass.items()):
            if not wish.holds(self.state):
                del self.auto_pass[side]

    def keep(self, also: Also | None = None) -> None:
        """Store the records made since the last call.

        On an error (`StoreError`, or an error of `also`) nothing is stored and the room is lost.
        """
        save = self.recorder.save
        begin = self.written
        lines = [(self.gesture, text) for text, _ in save.lines(begin, _standing(save, begin))]
        if not lines:
            return

        def beside(db: Connection) -> None:
            if also is not None:
                also(db)
            kept = StoredChoices(len(save.records), self.auto_pass != self.stored_auto_pass)
            self._store_auto_pass(db)
            self.policy.writes(db, self)
            self.policy.notify(db, self, kept)

        try:
            self.store.append(self.id, begin, lines, standing(self.state), beside, self.head)
        except RulekitError:
            self.lost = True
            raise
        self.written, self.is_leader = len(save.records), True

    def take_back(self, to: int, side: str, also: Also | None = None) -> int:
        """Undo all choices after number `to` in a side's count, as agreed by both sides. Return the
        number of choices undone.

        The players know the results of the undone dice and draws, so the dice are reseeded.

        Args:
            also: writes more data in the same transaction.
        """
        before, to = self.choices, self.count(side).choice(to)
        with self._kept(self.gesture + 1, dice=draw_entropy(), also=also):
            while self.choices > to:
                self.state.undo()
        self._seat_agents()
        return before - self.choices

    @property
    def takeover_seconds(self) -> float:
        """The seconds that this process leaves the leader for automatic choices."""
        return (
            0.0
            if self.is_leader
            else TAKEOVER_SECONDS_THINKING
            if self.plays_alone
            else TAKEOVER_SECONDS
        )

    def follow(self, notification: str = "") -> bool | None:
        """Replay the choices that other processes have stored. Return True if something was undone,
        or None if there was nothing new.

        If they cannot be replayed, the room is lost.

        Args:
            notification: the text from another process. If it covers the last choices, less has to
                be read from the store.
        """
        heard = self.policy.heard(notification)
        if heard is not None and heard.upto <= self.written:
            return None
        with self.store.reading() as db:
            kept = lines_of(db, self.id, self.written)
            if heard is None or heard.upto != self.written + len(kept):
                heard = StoredChoices(0, True, self.policy.now_beside(db, self) if kept else None)
            if heard.auto_pass:
                self.stored_auto_pass = load_auto_pass(db, self.id)
        if kept:
            self.policy.followed(self, heard.beside)
        back = self._do_again(kept)
        self.auto_pass = dict(self.stored_auto_pass)
        self._heed()
        return back if kept else None

    def _do_again(self, kept: Sequence[tuple[int, str]]) -> bool:
        """Replay journal lines. Return True if something was undone."""
        back = False
        try:
            for gesture, text in kept:
                back = self._again(text) or back
                self.gesture = gesture
                del self.gestures[self.choices :]
                self.gestures.extend([gesture] * (self.choices - len(self.gestures)))
        except RulekitError:
            self.lost = True
        return back

    def _again(self, text: str) -> bool:
        """Replay one journal line."""
        journal_line, save = msgspec.json.decode(text), self.recorder.save
        if journal_line.get("undo"):
            self.state.undo()
            if (dice := journal_line.get("dice", "")) != save.dice:
                self.recorder.undone(dice)
                self._seat_agents()
            else:
                self.recorder.undone()
        else:
            options = asked.options if (asked := self.state.decision) else ()
            with self.recorder.following():
                self.state.apply(
                    next(
                        (each.id for each in options if each.key == journal_line["choice"]),
                        journal_line["choice"],
                    )
                )
            save.records[-1] = evolve(
                save.records[-1], offered=journal_line.get("offered", "")
            )  # of a plan it is not on record
        self.written += 1
        self.is_leader = False
        self.undone.clear()
        self.judged = {}
        if save.records[-1].line(self.choices) != text:
            self.lost = True
        return bool(journal_line.get("undo"))

    # ------------------------------------------------------------------ what a seat is told
    def table(
        self, seat: str | None, lang: str | None, yours: Sequence[str], re: int = 0
    ) -> protocol.TableData:
        """Return the data that does not change while a page watches from a seat."""
        header, over = self.recorder.save.header, self.over
        asks = self._seat(seat, lang)
        sheet, names = asks.sheet().to_json(), asks.observer.names
        called = {side: seat_name(names, who) for side, who in self.seats.items() if who != HUMAN}
        return protocol.TableData(
            self.id,
            sheet,
            self.seats,
            list(yours),
            seat,
            self.state.table.has_secrets,
            self.recorder.save.commitment,
            seed_text(self.recorder.save.seed) if over else None,
            header.get("salt") if over else None,
            re,
            self.policy.hints(self),
            called,
        )

    def state_message(
        self,
        seat: str | None,
        lang: str | None,
        events: int = 0,
        since: int = 0,
        yours: Sequence[str] = (),
    ) -> protocol.StateMessage:
        """Return the current state for a seat, with the log from event `events` and the deciders
        after choice `since`.

        Args:
            yours: the seats of the page.
        """
        looks = self._seat(seat, lang)
        count = looks.history
        asked, lines, position = looks.decision(), looks.log(events), looks.position().to_json()
        names = self.state.names
        if seat is not None and not self.veiled and (other := self.undoer(seat, yours)) != seat:
            position["undo"] = self._seat(other, lang).position().to_json()["undo"]
        return protocol.StateMessage(
            count.now,
            position,
            asked.to_json() if asked else None,
            events,
            [line.to_json() for line in lines],
            since,
            [
                names.sides[who] if who >= 0 else ""
                for who in map(count.chooser, range(since + 1, count.now + 1))
            ],
            seat in self.auto_pass,
            None
            if self.veiled or (renewed := self.renewed) is None
            else count.observed_number(renewed),
        )

    def _seat(self, seat: str | None, lang: str | None) -> Seat:
        if self.veiled:
            return Seat(self._blank, None, lang)
        return Seat(self.state, seat, lang, self.over)

    @property
    def _blank(self) -> State:
        """The state before anything has run: nothing is dealt and nobody is asked."""
        table = self.state.table
        slots = table.code.blank(0, 0)
        slots[PC] = NOT_BEGUN
        return State(table, slots)


def _standing(save: Save, begin: int) -> int:
    return sum(-1 if record.undo else record.choice is not None for record in save.records[:begin])


def standing(state: State) -> TableSummary:
    """Return the summary of a state for the list of tables."""
    asked, result = state.decision, state.result
    return TableSummary(
        state.move_number(),
        asked.player if asked else None,
        f"{result.winner or ''}:{result.level}" if result else None,
    )


def begin(
    store: Store,
    id: str,
    game: Game,
    state: State,
    seats: Mapping[str, str],
    also: Also | None = None,
    pin: Pin | None = None,
    hints: bool = False,
) -> Room:
    """Create a new table and store it.

    Args:
        also: writes more data in the same transaction.
        pin: the rules that the table is pinned to.
        hints: allow hints, which the save records.

    Raises:
        RulekitError: a seat does not exist, or no program can give hints.
    """
    plan = seat_plan(seats, state.names, HUMAN)
    recorder = Recorder(game, state, plan)
    if hints:
        make_agent(ADVISER, state)
        recorder.save.header["hints"] = ADVISER
    return _opened(store, id, game, recorder, plan, [], also, pin)


def brought(
    store: Store,
    id: str,
    game: Game,
    save: Save,
    seats: Mapping[str, str],
    also: Also | None = None,
    pin: Pin | None = None,
) -> Room:
    """Create a table that continues a save.

    Raises:
        SaveError: the rules here give other results than the save. The error tells the difference.
    """
    done = resume(game, save, dict(seats))
    save = done.recorder.save
    return _opened(store, id, game, done.recorder, done.seats, [1] * len(save.choices), also, pin)


def _opened(
    store: Store,
    id: str,
    game: Game,
    recorder: Recorder,
    seats: dict[str, str],
    gestures: list[int],
    also: Also | None,
    pin: Pin | None,
) -> Room:
    save = recorder.save
    text, lines = save.head, [(1, line) for line, _ in save.lines()]
    room = Room(
        id, recorder, seats, store, gestures, 1, len(save.records), head=text
    )  # refuses seats before anything is kept
    store.open(id, game.name, text, seats, lines, standing(recorder.state), also, pin)
    return room
