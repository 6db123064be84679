"""Takes choices, makes events: `State` is a game at one of its decisions, a plain value that plays in place."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import frozen

from rulekit.base.errors import IllegalChoice, RulekitError, RulesError
from rulekit.play import refusal
from rulekit.play.decision import Decision, Option, Speaker, matching, no_such, number_of, refuse_long
from rulekit.play.derivation import Derivation, derive
from rulekit.play.events import Event, Log, Record
from rulekit.play.machine import Machine
from rulekit.play.names import NO_LIMIT, SOURCE_LANGUAGE
from rulekit.play.seeds import check_seed
from rulekit.play.tables import look_up
from rulekit.play.undo import barrier
from rulekit.program import runtime
from rulekit.program.code import as_rules_error
from rulekit.program.program import TableInfo, TypeInfo
from rulekit.program.slots import COUNTER, LAYERS, LEVEL, PC, SCRIPT, SEED, WINNER

if TYPE_CHECKING:
    from rulekit.play.view import Viewer

STATE_FORMAT = "rulekit-state"
TERMINAL_PLAYER = -4  # what OpenSpiel calls the player who moves when the game is over
NOBODY = -1
ALL = "all"  # as a viewer: who may know everything


@frozen
class Result:
    """How a game ended: who won (None: nobody) and by which level."""

    winner: str | None
    level: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"winner": self.winner, "level": self.level}


class State(Machine):
    """A game at a decision. Made by `Game.new`, `Game.state_from_json` or `clone`.

    Two states are equal if the same game stands at the same position with the same seed and count of dice, however it came there."""

    __slots__ = ()

    # ------------------------------------------------------------------ what play stands at
    @property
    def decision(self) -> Decision | None:
        """Who is asked what; None when the game is over."""
        if self._s[PC] <= 0:
            return None
        from rulekit.play.view import Viewer

        who = self._code.who(self._s)
        info = self._program.decisions[self._s[PC]]
        return self._table.book.decision(info, who, self.legal_actions(), self._s, Viewer(self, who if who >= 0 else None))

    def prompt_for(self, speaker: Speaker) -> str:
        """What is asked, with the values of what goes on as `speaker` says them."""
        return self._table.book.prompt(self._program.decisions[self._s[PC]], self._s, speaker) if self._s[PC] > 0 else ""

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it is played."""
        if self._s[PC] != 0:
            return None
        return Result(self.names.id(self._program.sides, self._s[WINNER]), self._program.levels[self._s[LEVEL]])

    @property
    def events(self) -> Log:
        """All events since the state was made, oldest first (the whole game, unless it was read from JSON)."""
        return Log(self._table.events, self._log)

    def is_terminal(self) -> bool:
        """Is the game over?"""
        return self._s[PC] <= 0

    def legal_actions(self) -> list[int]:
        """The ids of the options: whole numbers that mean the same in every state of this game."""
        if self._s[PC] <= 0:
            return []
        try:
            return runtime.ids(self._code.layers(self._s))
        except RulesError:
            raise
        except Exception as error:
            raise as_rules_error(self._program, error) from error

    def current_player(self) -> int:
        """The ordinal of the player who decides; -4 when the game is over, -1 if nobody does."""
        return self._code.who(self._s) if self._s[PC] > 0 else TERMINAL_PLAYER

    def returns(self) -> list[float]:
        """For each player 1 for a win, -1 for a loss (shared by the losers), 0 while the game is played or drawn."""
        count = len(self.names.sides)
        winner = self._s[WINNER] if self._s[PC] == 0 else NOBODY
        if winner < 0:
            return [0.0] * count
        return [1.0 if i == winner else -1.0 / max(1, count - 1) for i in range(count)]

    def num_players(self) -> int:
        """How many players the game has."""
        return len(self.names.sides)

    def num_distinct_actions(self) -> int:
        """One more than the highest id of an option: ids are 1 .. n - 1."""
        return self._program.options + 1

    def action_to_string(self, action: int) -> str:
        """The key of an option by its id."""
        return self._table.book.option(action).key

    def history(self) -> list[int]:
        """The ids of the choices made since the state was made, oldest first."""
        return [mark[2] for mark in self._marks]

    # ------------------------------------------------------------------ choices
    def apply(self, choice: Option | str | int) -> Log:
        """Takes an option (or its key, or its id), in place; returns the new events. Refuses what is not offered. If it fails, nothing has
        changed."""
        before = len(self._log)
        self._push(self.find(choice).id, self.hold_to_invariants)
        self._redo.clear()
        return Log(self._table.events, self._log, before, len(self._log))

    def apply_action(self, action: int) -> None:
        """Takes an option by its id, without building names or events for anybody; for agents and searches."""
        if self._s[PC] <= 0 or not runtime.offers(self._code.layers(self._s), action):
            raise IllegalChoice(self._refusal(action))
        self._push(action)
        self._redo.clear()

    def _push(self, action: int, after: Callable[[], None] | None = None) -> None:
        """Makes a choice, and what is looked at after it; back again if one of the two fails or is broken off."""
        log, trail = self._log, self._trail
        self.mark(action, runtime.is_single(self._code.layers(self._s)))
        try:
            self._code.apply(self._s, action, log, trail)
            if after is not None:
                after()
        except Exception as error:
            self._back()
            raise as_rules_error(self._program, error) from error
        except BaseException:  # the user's hand on the keyboard
            self._back()
            raise

    def _back(self) -> int:
        log, trail, action, _, _ = self._marks.pop()
        runtime.undo(self._s, self._trail, trail)
        del self._log[log:]
        return action

    def find(self, choice: Option | str | int) -> Option:
        """The offered option that is meant; IllegalChoice with the reason if there is none. `#3` is the third."""
        legal = self.legal_actions()
        if isinstance(choice, Option):
            choice = choice.id
        if isinstance(choice, int):
            if choice not in legal:
                raise IllegalChoice(self._refusal(choice))
            return self._table.book.option(choice)
        refuse_long(self.names, choice)
        options = self._table.book.options(legal)
        number = number_of(choice[1:]) if choice[:1] == "#" else None
        if number is not None and 1 <= number <= len(options):
            return options[number - 1]
        found = matching(choice, options, self.names)
        if len(found) == 1:
            return found[0]
        raise IllegalChoice(no_such(self.names, choice, options) if found or not legal else self._named_refusal(choice, options))

    def _named_refusal(self, text: str, options: Sequence[Option]) -> str:
        whys = refusal.by_name(self, text)
        return self.names.semicolon.join(whys[:3]) if whys else no_such(self.names, text, options)

    def _refusal(self, action: int) -> str:
        if self._s[PC] <= 0:
            return self.names.word("end_of_moves")
        return refusal.explain(self, action)

    def undo(self) -> int:
        """Takes back the last choice, whoever made it; returns its id. What the step cost, this costs."""
        if not self._marks:
            raise IllegalChoice(self.names.word("nothing_to_undo"))
        action = self._back()
        self._redo.append(action)
        return action

    def redo(self) -> Log:
        """Makes again the choice that was taken back last; the same events happen."""
        if not self._redo:
            raise IllegalChoice(self.names.word("nothing_undone"))
        before = len(self._log)
        self._push(self._redo[-1])
        self._redo.pop()
        return Log(self._table.events, self._log, before, len(self._log))

    def may_take_back(self, player: int | str) -> str:
        """'' if this player may take back his last choice, else the reason why not."""
        if not self._marks:
            return self.names.word("nothing_to_undo")
        own = self.last_of(self.names.side(player))
        if own < 0:
            return self.names.word("others_choice")
        return self.names.word(barrier(self._program, self._log, self._marks[own][0]))

    def last_of(self, player: int) -> int:
        """Where in the marks this player's last choice stands; -1 if he has none, or if after it another did more than pass."""
        for at in range(len(self._marks) - 1, -1, -1):
            _, _, action, who, _ = self._marks[at]
            if who == player:
                return at
            if self._table.book.family(action).what != "pass":
                break
        return -1

    def take_back(self, player: int | str) -> int:
        """Takes back a player's own last choice, and others' passes after it; returns its id. Not past a die, a draw, a reveal or a choice
        of another player that is no pass."""
        why = self.may_take_back(player)
        if why:
            raise IllegalChoice(self.names.word("no_undo", why=why))
        own = self.last_of(self.names.side(player))
        while len(self._marks) > own + 1:
            self.undo()
        return self.undo()

    @property
    def choices(self) -> list[Option]:
        """The choices made since the state was made, oldest first."""
        return [self._table.book.option(mark[2]) for mark in self._marks]

    def choices_count(self) -> int:
        """How many choices were made since the state was made."""
        return len(self._marks)

    def choice_of_event(self, number: int) -> int:
        """The number of the choice (from 1) that caused an event; 0: the set-up."""
        return bisect_right(self._marks, number, key=lambda mark: mark[0])

    def chooser(self, choice: int) -> int:
        """The ordinal of the player who made a choice (from 1); -1 if nobody did."""
        return self._marks[choice - 1][3]

    def was_forced(self, choice: int) -> bool:
        """Was a choice (from 1) the only one that was offered?"""
        return self._marks[choice - 1][4]

    def was_pass(self, choice: int) -> bool:
        """Was a choice (from 1) a pass?"""
        return self._table.book.family(self._marks[choice - 1][2]).what == "pass"

    def events_of(self, choice: int) -> tuple[int, int]:
        """The numbers of the events of a choice (from 1): of the first, and after the last."""
        return self._marks[choice - 1][0], self._marks[choice][0] if choice < len(self._marks) else len(self._log)

    def records(self, begin: int, end: int) -> list[Record]:
        """The records of events."""
        return self._log[begin:end]

    # ------------------------------------------------------------------ copies
    def in_language(self, lang: str) -> State:
        """The same state, no copy, that speaks another language: what happens to one happens to both. RulekitError if the game has no
        such texts."""
        if lang == self.names.lang:
            return self
        other = State(self._table.in_language(lang), self._s)
        other._log, other._trail, other._marks, other._redo = self._log, self._trail, self._marks, self._redo
        return other

    def clone(self, history: bool = True) -> State:
        """An equal and independent copy. Without `history` it has no events, and cannot undo what was before."""
        other = State(self._table, self._s[:])
        if history:
            other._log, other._trail = self._log[:], self._trail[:]
            other._marks, other._redo = self._marks[:], self._redo[:]
        return other

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a State cannot be pickled: keep `state.to_json()` and read it with `game.state_from_json(text)`")

    def reseeded(self, seed: int) -> State:
        """A copy without history whose dice and draws to come are others: to look ahead without knowing what will be rolled."""
        other = self.clone(history=False)
        other.reseed(seed)
        return other

    def reseed(self, seed: int) -> None:
        """The same in place, with its history; what was taken back cannot be made again."""
        self._s[SEED] = check_seed(seed)
        self._s[SCRIPT] = 0
        self._redo.clear()

    @property
    def randoms(self) -> int:
        """How many random results the seed has given."""
        return self._s[COUNTER]

    def _value(self) -> list[Any]:
        slots: list[Any] = self._s[:]
        slots[LAYERS] = None
        return slots

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._program.rules == other._program.rules and self._value() == other._value()

    def __hash__(self) -> int:
        return hash((self._program.rules, tuple(self._value())))

    def __repr__(self) -> str:
        return f"<State of {self._program.name}, {self.decision or self.result}>"

    def to_json(self) -> str:
        """The whole position, for nobody's eyes but the engine's: it holds the seed and all secrets. See `Game.state_from_json`."""
        program = self._program
        return json.dumps({
            "format": STATE_FORMAT, "game": program.name, "rules": program.rules, "scenario": program.scenario,
            "rulings": {r.name: r.chosen for r in program.rulings}, "state": self._value()}, separators=(",", ":"))

    # ------------------------------------------------------------------ queries
    def get(self, path: str) -> Any:
        """The value of a cell by its dotted name."""
        cell, keys = self.names.cell(path)
        return self.names.value(cell.type, self.raw(cell, keys))

    def view(self, player: int | str | None) -> dict[str, Any]:
        """All that this player may know (None: a spectator), as plain data."""
        from rulekit.play.view import view

        return view(self, player)

    def value_of(self, name: str, *args: Any) -> Any:
        """The value of a total, permit, define or table for arguments given as ids and numbers."""
        what, index, info = self.names.declared(name)
        if isinstance(info, TableInfo):
            return look_up(self.names, info, args)
        raw = self.arguments(name, args)
        try:
            value = getattr(self._code, what)(self._s, index, raw)
        except (RulesError, ArithmeticError) as error:
            raise as_rules_error(self._program, error) from error
        return bool(value) if what == "permit" else self.names.value(info.type, value)

    def explain(self, name: str, *args: Any, viewer: int | str | None = ALL) -> Derivation:
        """How a total or permit comes about here. `viewer`: a player, or None for a spectator: what he may not know is masked."""
        what, index, _ = self.names.declared(name)
        if what not in ("total", "permit"):
            raise RulekitError(self.names.word("no_derivation_of", name=repr(name)))
        raw = self.arguments(name, args)
        try:
            return derive(self.names, self._code.explain(self._s, what, index, raw), self._as_seen_by(viewer), asked=True)
        except RulesError:
            raise
        except (ArithmeticError, LookupError, ValueError) as error:
            raise as_rules_error(self._program, error) from error

    def _as_seen_by(self, viewer: int | str | None) -> Viewer | None:
        from rulekit.play.view import Viewer

        return None if viewer == ALL else Viewer(self, viewer)

    def arguments(self, name: str, args: Sequence[Any]) -> list[int]:
        """The arguments of a total, permit, define or table as run-time values."""
        _, _, info = self.names.declared(name)
        if len(args) != len(info.params):
            example = " ".join([name, *(self._example(type) for _, type in info.params)])
            raise RulekitError(self.names.word("arguments", name=repr(name), n=str(len(info.params)), given=str(len(args)),
                                               wanted=", ".join(n for n, _ in info.params) or self.names.word("none"), example=example))
        if info.context >= 0 and not self.running(info.context):
            proc = self._program.procs[info.context].name
            where = proc if self.names.lang == SOURCE_LANGUAGE else self.names.text(f"phase.{proc}", f"`{proc}`")
            raise RulekitError(self.names.word("no_context", name=repr(name), where=where))
        return [self.names.parse(type, arg) for (_, type), arg in zip(info.params, args, strict=True)]

    def _example(self, type: TypeInfo) -> str:
        """A value of a type as it is typed."""
        if type.form in ("member", "set"):
            return self.names.shorts[type.kind][0] if self._program.kinds[type.kind].members else "none"
        return "yes" if type.form == "bool" else "1"

    def why(self, choice: str | int) -> list[str]:
        """Why an option is not offered here: the rule, its paragraph and what failed, for each that may be meant. Empty: it is offered.
        It tells no more than the player who is asked may know: of a text that names a thing unknown to him, not whether it is offered."""
        if isinstance(choice, int):
            return [] if choice in self.legal_actions() else [self._refusal(choice)]
        if self._s[PC] <= 0:
            return [self.names.word("end_of_moves")]
        refuse_long(self.names, choice)
        options = refusal.nameable(self, self._table.book.options(self.legal_actions()))
        if len(matching(choice, options, self.names)) == 1:
            return []
        return refusal.by_name(self, choice) or [no_such(self.names, choice, options)]

    # ------------------------------------------------------------------ for situations: outside of play
    def set(self, path: str, value: Any) -> None:
        """Writes a cell outside of the rules (situations, editors). The history is dropped: it would not lead here any more."""
        cell, keys = self.names.cell(path)
        type, parsed = cell.type, self.names.parse(cell.type, value)
        if type.form == "member" and parsed < 0 and not type.optional:
            raise RulekitError(f"{path} is never none")
        if type.form == "int" and not (type.optional and parsed == NO_LIMIT):
            low, high = parsed if type.low is None else type.low, parsed if type.high is None else type.high
            if not low <= parsed <= high:
                raise RulekitError(f"{path} lies between {low} and {high}")
        self.put(cell, keys, parsed)
        self.forget()



__all__ = ["NO_LIMIT", "Event", "Result", "State"]
