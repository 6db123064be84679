"""The mutable game position: state vector, event log and undo stack.

A position holds run-time values regardless of who may know them, and is meant for the engine's own
modules. `rulekit.engine.knowledge` decides what a player may see of it. `State` adds names and
texts for people.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, Self, SupportsIndex

from attrs import frozen

from rulekit.common.errors import IllegalChoice, RulekitError, RulesError
from rulekit.common.i18n.languages import HOME
from rulekit.common.i18n.messages import Message, _, ngettext
from rulekit.engine.kernel.bound_program import BoundProgram
from rulekit.engine.kernel.decision import Option, Speaker, id_of
from rulekit.engine.kernel.events import Log
from rulekit.engine.kernel.names import Names
from rulekit.engine.kernel.table_names import look_up
from rulekit.engine.kernel.undo_barrier import UNDO_STOPS, barrier
from rulekit.runtime import cells, intrinsics
from rulekit.runtime.code import Code, as_rules_error
from rulekit.runtime.program import CellInfo, DecisionInfo, Program, TableInfo, TypeInfo, VarInfo
from rulekit.runtime.records import Record
from rulekit.runtime.seeds import check_seed
from rulekit.runtime.slots import BARE_END, COUNTER, LAYERS, LEVEL, PC, SCRIPT, SEED, WINNER

_MAX_SCRIPTED = 0xFFFE  # of a result: one more must fit 16 bits
STATE_FORMAT = "rulekit-state"
TERMINAL_PLAYER = -4  # OpenSpiel's number for the player when the game is over
NOBODY = -1
ALL = "all"  # stands for an observer who may know everything


new_tuple = tuple.__new__  # makes a named tuple without a call of Python code, for each choice


class Mark(NamedTuple):
    """The start of a choice."""

    log: int  # the number of records before it
    trail: int  # the length of the trail before it
    option: int
    chooser: int  # the ordinal of the player, or -1 for nobody
    forced: bool  # True if no other option was offered


@frozen
class Result:
    """The result of a game.

    Attributes:
        winner: the side that won, or None if nobody did.
        level: the level of the result.
    """

    winner: str | None
    level: str

    def to_json(self) -> dict[str, Any]:
        """Return the value as plain data."""
        return {"winner": self.winner, "level": self.level}


class Position:
    """A game at a decision: the state vector, the event records and the values that undo them.

    Two positions are equal if they have the same rules, state, seed and count of random results.
    Their histories may differ.
    """

    __slots__ = (
        "_anew",
        "_code",
        "_log",
        "_marks",
        "_observed",
        "_program",
        "_redo",
        "_s",
        "_table",
        "_trail",
    )

    def __init__(self, table: BoundProgram, slots: list[int]) -> None:
        self._table = table
        self._program: Program = table.program
        self._code: Code = table.code
        self._s = slots
        self._log: list[Record] = []
        self._trail: list[int] = []
        self._marks: list[Mark] = []
        self._redo: list[tuple[int, int]] = []  # undone options, each with the seed of its choice
        self._anew: int | None = None  # the seed of future choices, if it has changed
        self._observed: dict[int, Any] = {}

    @property
    def names(self) -> Names:
        """Names and texts of the game."""
        return self._table.names

    @property
    def table(self) -> BoundProgram:
        """The compiled game that this state belongs to."""
        return self._table

    # -------------------------------------------------------------------------------------- reading
    @property
    def code(self) -> Code:
        """The compiled code that plays this state."""
        return self._code

    @property
    def slots(self) -> list[int]:
        """The state vector as compiled code reads it.

        Do not modify the list. Copy it to change values.
        """
        return self._s

    @property
    def pc(self) -> int:
        """The number of the current decision.

        It is 0 when the game is over and negative if there is none.
        """
        return self._s[PC]

    @property
    def asking(self) -> DecisionInfo:
        """The current decision as the program describes it."""
        return self._program.decisions[self._s[PC]]

    def raw(self, cell: CellInfo, keys: Sequence[int] = ()) -> int:
        """Return the run-time value of a cell."""
        return cells.read(self._s, cell, keys)

    def held(self, var: VarInfo) -> int:
        """Return the value of a variable of a running procedure."""
        return self._s[var.slot]

    @property
    def log(self) -> list[Record]:
        """The records of all events, oldest first. Do not modify the list."""
        return self._log

    @property
    def trail(self) -> list[int]:
        """The undo stack: slots and their previous values in turn, oldest first.

        Do not modify the list.
        """
        return self._trail

    @property
    def marks(self) -> list[Mark]:
        """The start of each choice, oldest first. Do not modify the list."""
        return self._marks

    @property
    def observed(self) -> dict[int, Any]:
        """For each observer, the cached history of the choices that they could observe.

        See `rulekit.engine.knowledge.observable_history`.
        """
        return self._observed

    def mark(self, action: int, forced: bool = False) -> None:
        """Record that a choice begins here."""
        begun = (len(self._log), len(self._trail), action, self._code.who(self._s), forced)
        self._marks.append(new_tuple(Mark, begun))

    def keep_in(self, trail: list[int]) -> None:
        """Use `trail` as the undo stack from now on."""
        self._trail = trail

    def play_by(self, code: Code) -> None:
        """Play with this code from now on: the same variant with instrumentation."""
        self._code = code

    def unwatch(self) -> None:
        """Replace the slots by a plain list, so that reads are no longer recorded."""
        self._s = list(self._s)

    def running(self, proc: int) -> bool:
        """Return True if this procedure is running."""
        slot = self._program.procs[proc].returns
        return slot >= 0 and self._s[slot] != 0

    # ---------------------------------------------------------------------- changes outside of play
    def set_up(self) -> None:
        """Run the set-up up to the first decision. This cannot be undone."""
        try:
            self._code.begin(self._s, self._log, self._trail)
        except Exception as error:
            raise as_rules_error(self._program, error) from error
        self._trail.clear()

    def put(self, cell: CellInfo, keys: Sequence[int], value: int) -> None:
        """Write the run-time value of a cell."""
        cells.write(self._program, self._s, cell, keys, value)

    def poke(self, slot: int, value: int) -> None:
        """Write a slot of a variable or of the machine, and discard the cached options."""
        self._s[slot] = value
        self._s[LAYERS] = None  # type: ignore[call-overload]

    def begin(self, procedure: int, arguments: Sequence[int], alone: bool) -> None:
        """Run a procedure from its beginning. This cannot be undone.

        If `alone` is true it runs by itself. Otherwise its callers run around it.
        """
        act = self._code.run if alone else self._code.enter
        try:
            act(self._s, procedure, arguments, self._log, self._trail)
        except Exception as error:
            raise as_rules_error(self._program, error) from error
        self._trail.clear()

    def forget(self) -> None:
        """Drop the history: earlier choices cannot be undone, earlier events are not reported."""
        self._log.clear()
        self._trail.clear()
        self._marks.clear()
        self._redo.clear()
        self.settle()

    def settle(self) -> None:
        """Make the seed set by `renew` the seed of the position, for a state without history."""
        if self._anew is not None:
            self._s[SEED], self._anew = self._anew, None

    def script(self, results: Sequence[int]) -> None:
        """Set the next results (sums of rolls, ordinals of draws). The seed gives later ones."""
        self._s[SCRIPT] = scripted(results)

    def script_left(self) -> int:
        """Return the number of scripted results that have not been used."""
        return intrinsics.scripted(self._s)

    @property
    def bare_end(self) -> bool:
        """True if a procedure that was run by itself has ended."""
        return self._s[PC] == BARE_END

    def hold_to_invariants(self) -> None:
        """Raise RulesError if an invariant of the game does not hold."""
        failed = self._code.invariants(self._s)
        if failed:
            raise RulesError(
                f"the invariant {self._program.invariants[failed[0]].name!r} does not hold"
            )

    # --------------------------------------------------------------------------------- the decision
    def prompt_for(self, speaker: Speaker) -> str:
        """Return the prompt of the current decision, with values as `speaker` renders them."""
        return (
            self._table.book.prompt(self._program.decisions[self._s[PC]], self._s, speaker)
            if self._s[PC] > 0
            else ""
        )

    @property
    def result(self) -> Result | None:
        """The result of the game, or None while it is played."""
        if self._s[PC] != 0:
            return None
        return Result(
            self.names.id(self._program.sides, self._s[WINNER]),
            self._program.levels[self._s[LEVEL]],
        )

    @property
    def events(self) -> Log:
        """All events since the state was created, oldest first.

        This is the whole game unless the state was read from JSON.
        """
        return Log(self._table.events, self._log)

    def is_terminal(self) -> bool:
        """Return True if the game is over."""
        return self._s[PC] <= 0

    def legal_actions(self) -> list[int]:
        """Return the ids of the options. An id means the same in every state of this game."""
        if self._s[PC] <= 0:
            return []
        try:
            return intrinsics.ids(self._code.layers(self._s))
        except RulesError:
            raise
        except Exception as error:
            raise as_rules_error(self._program, error) from error

    def current_player(self) -> int:
        """Return the ordinal of the player who decides.

        It is -4 when the game is over, and -1 if nobody decides.
        """
        return self._code.who(self._s) if self._s[PC] > 0 else TERMINAL_PLAYER

    def returns(self) -> list[float]:
        """Return each player's score: 1 for the winner, 0 for all in a draw or while playing.

        The losers share -1 equally.
        """
        count = len(self.names.sides)
        winner = self._s[WINNER] if self._s[PC] == 0 else NOBODY
        if winner < 0:
            return [0.0] * count
        return [1.0 if i == winner else -1.0 / max(1, count - 1) for i in range(count)]

    def num_players(self) -> int:
        """Return the number of players."""
        return len(self.names.sides)

    def num_distinct_actions(self) -> int:
        """Return one more than the highest option id: ids are 1 .. n - 1."""
        return self._program.options + 1

    def action_to_string(self, action: int) -> str:
        """Return the key of an option by its id."""
        return self._table.book.option(action).key

    # -------------------------------------------------------------------------------------- history
    def history(self) -> list[int]:
        """Return the ids of the choices since the state was created, oldest first."""
        return [mark.option for mark in self._marks]

    @property
    def choices(self) -> list[Option]:
        """The choices since the state was created, oldest first."""
        return [self._table.book.option(mark.option) for mark in self._marks]

    def move_number(self) -> int:
        """Return the number of choices since the state was created."""
        return len(self._marks)

    def choice_of_event(self, number: int) -> int:
        """Return the number of the choice (from 1) that caused an event, or 0 for the set-up."""
        return bisect_right(self._marks, number, key=lambda mark: mark.log)

    def chooser(self, choice: int) -> int:
        """Return the ordinal of the player who made a choice (from 1), or -1 if nobody did."""
        return self._marks[choice - 1].chooser

    def was_forced(self, choice: int) -> bool:
        """Return True if a choice (from 1) was the only option offered."""
        return self._marks[choice - 1].forced

    def was_pass(self, choice: int) -> bool:
        """Return True if a choice (from 1) was a pass."""
        return self._table.book.family(self._marks[choice - 1].option).what == "pass"

    def events_of(self, choice: int) -> tuple[int, int]:
        """Return the range of event numbers of a choice (from 1): first, and one past the last."""
        return self._marks[choice - 1].log, (
            self._marks[choice].log if choice < len(self._marks) else len(self._log)
        )

    def records(self, begin: int, end: int) -> list[Record]:
        """Return the records of the events from `begin` up to but not including `end`."""
        return self._log[begin:end]

    def last_of(self, player: int) -> int:
        """Return the index in the marks of this player's last choice.

        The index is -1 if they made none, or if another player has since made a choice other than a
        pass.
        """
        for at in range(len(self._marks) - 1, -1, -1):
            mark = self._marks[at]
            if mark.chooser == player:
                return at
            if self._table.book.family(mark.option).what != "pass":
                break
        return -1

    # --------------------------------------------------------------------------------------- values
    def get(self, path: str) -> Any:
        """Return the value of a cell by its dotted name."""
        cell, keys = self.names.cell(path)
        return self.names.value(cell.type, self.raw(cell, keys))

    def value_of(self, name: str, *args: Any) -> Any:
        """Return the value of a total, permit, definition or table.

        The arguments are ids and numbers.
        """
        what, index, info = self.names.declared(name)
        if isinstance(info, TableInfo):
            return look_up(self.names, info, args)
        raw = self.arguments(name, args)
        try:
            value = getattr(self._code, what)(self._s, index, raw)
        except (RulesError, ArithmeticError) as error:
            raise as_rules_error(self._program, error) from error
        return bool(value) if what == "permit" else self.names.value(info.type, value)

    def arguments(self, name: str, args: Sequence[Any]) -> list[int]:
        """Return the arguments of a total, permit, definition or table as run-time values."""
        info = self.names.declared(name)[2]
        if len(args) != len(info.params):
            example = " ".join([name, *(self._example(type) for _, type in info.params)])
            raise RulekitError(
                self.names.say(
                    _(
                        "{name} takes {count}, not {given}; for example: {example}",
                        name=repr(name),
                        count=_argument_count([name for name, _ in info.params]),
                        given=len(args),
                        example=example,
                    )
                )
            )
        if info.context >= 0 and not self.running(info.context):
            proc = self._program.procs[info.context].name
            where = (
                proc if self.names.lang == HOME else self.names.text(f"phase.{proc}", f"`{proc}`")
            )
            raise RulekitError(
                self.names.say(
                    _(
                        "{name} only has a meaning in {where}, which is not running",
                        name=repr(name),
                        where=where,
                    )
                )
            )
        return [
            self.names.parse(type, arg) for (_, type), arg in zip(info.params, args, strict=True)
        ]

    def _example(self, type: TypeInfo) -> str:
        """Return an example value of a type, as a user would type it."""
        if type.form in ("member", "set"):
            return (
                self.names.shorts[type.kind][0]
                if self._program.kinds[type.kind].members
                else "none"
            )
        return "yes" if type.form == "bool" else "1"

    @property
    def randoms(self) -> int:
        """The number of random results drawn from the seed so far."""
        return self._s[COUNTER]

    # -------------------------------------------------------------------------------------- choices
    def push(self, action: int) -> Log:
        """Take an option by its id, in place, and return the new events.

        Nothing changes if the choice or an invariant fails.

        Raises:
            IllegalChoice: the option is not offered.
            RulesError: the rules fail.
        """
        if self._s[PC] <= 0 or not intrinsics.offers(self._code.layers(self._s), action):
            raise IllegalChoice(self.refusal_of(action))
        before = len(self._log)
        self._push(action, self.hold_to_invariants, self._anew)
        self._redo.clear()
        return Log(self._table.events, self._log, before, len(self._log))

    def apply_action(self, action: SupportsIndex) -> None:
        """Take an option by its id without building names or events, for agents and searches."""
        if type(action) is not int:
            action = id_of(self.names, action)
        if self._s[PC] <= 0 or not intrinsics.offers(self._code.layers(self._s), action):
            raise IllegalChoice(self.refusal_of(action))
        self._push(action, seed=self._anew)
        self._redo.clear()

    def _push(
        self, action: int, after: Callable[[], None] | None = None, seed: int | None = None
    ) -> None:
        """Make a choice and run the check `after` it.

        If either fails or is interrupted, the state is restored.

        Args:
            seed: the seed of its random results, if it differs from the present one.
        """
        log, trail = self._log, self._trail
        self.mark(action, intrinsics.is_single(self._code.layers(self._s)))
        if seed is not None and seed != self._s[SEED]:
            trail += (SEED, self._s[SEED])
            self._s[SEED] = seed
        try:
            self._code.apply(self._s, action, log, trail)
            if after is not None:
                after()
        except Exception as error:
            self._back()
            raise as_rules_error(self._program, error) from error
        except BaseException:  # such as KeyboardInterrupt
            self._back()
            raise

    def _back(self) -> int:
        mark = self._marks.pop()
        intrinsics.undo(self._s, self._trail, mark.trail)
        del self._log[mark.log :]
        return mark.option

    def refusal_of(self, action: int) -> str:
        """Return a text that says that an option cannot be chosen here. `State` adds the rule."""
        return self.names.say(_("{text} is not offered here", text=repr(action)))

    def undo(self) -> int:
        """Undo the last choice, whichever player made it, and return its id.

        The cost is proportional to the changes of that choice.
        """
        if not self._marks:
            raise IllegalChoice(self.names.say(_("there is nothing to take back")))
        seed = self._s[SEED]
        action = self._back()
        self._redo.append((action, seed))
        return action

    def redo(self) -> Log:
        """Repeat the choice that was undone last. The same events happen."""
        if not self._redo:
            raise IllegalChoice(self.names.say(_("there is nothing to redo")))
        before = len(self._log)
        action, seed = self._redo[-1]
        self._push(action, seed=seed)
        self._redo.pop()
        return Log(self._table.events, self._log, before, len(self._log))

    def undo_refusal(self, player: int | str) -> str:
        """Return '' if this player may undo their last choice, else the reason why not."""
        if not self._marks:
            return self.names.say(UNDO_STOPS["nothing_to_undo"])
        own = self.last_of(self.names.side(player))
        if own < 0:
            return self.names.say(UNDO_STOPS["others_choice"])
        why = barrier(self._program, self._log, self._marks[own].log)
        return self.names.say(UNDO_STOPS[why]) if why else ""

    def undo_own(self, player: int | str) -> int:
        """Undo a player's own last choice and any passes of others after it. Return its id.

        Undo does not go past a die, a draw, a reveal or another player's choice that is not a pass.
        """
        why = self.undo_refusal(player)
        if why:
            raise IllegalChoice(self.names.say(_("this cannot be undone: {why}", why=why)))
        own = self.last_of(self.names.side(player))
        while len(self._marks) > own + 1:
            self.undo()
        return self.undo()

    # --------------------------------------------------------------------------------------- copies
    def in_language(self, lang: str) -> Self:
        """Return a view of the same state in another language. Changes to one affect both.

        Raises RulekitError if the game has no texts in that language.
        """
        if lang == self.names.lang:
            return self
        other = type(self)(self._table.in_language(lang), self._s)
        other._log, other._trail, other._marks, other._redo = (
            self._log,
            self._trail,
            self._marks,
            self._redo,
        )
        other._observed, other._anew = self._observed, self._anew
        return other

    def clone(self, history: bool = True) -> Self:
        """Return an equal and independent copy.

        Without `history` the copy has no events and cannot undo earlier choices.
        """
        other = type(self)(self._table, self._s[:])
        other._anew = self._anew
        if not history:
            other.settle()
        else:
            other._log, other._trail = self._log[:], self._trail[:]
            other._marks, other._redo = self._marks[:], self._redo[:]
            other._observed = dict(self._observed)
        return other

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a State cannot be pickled: keep `state.to_json()` and read it with"
            " `game.state_from_json(text)`"
        )

    def reseeded(self, seed: int) -> Self:
        """Return a copy without history that has other future random results.

        Use it to look ahead without knowledge of the real ones.
        """
        other = self.clone(history=False)
        other.reseed(seed)
        return other

    def reseed(self, seed: int) -> None:
        """Change the future random results in place, but keep the history.

        Undone choices cannot be redone.
        """
        self._s[SEED], self._anew = check_seed(seed), None
        self._s[SCRIPT] = 0
        self._redo.clear()

    def renew(self, seed: int) -> None:
        """Use this seed for the random results of all choices from now on.

        It also applies to choices that are undone and then made again. Choices that stand keep
        their results. Choices that are undone already cannot be redone.
        """
        self._anew = check_seed(seed)
        self._redo.clear()

    def _value(self) -> list[Any]:
        slots: list[Any] = [
            *map(int, self._s[:LAYERS]),
            None,
            *map(int, self._s[LAYERS + 1 :]),
        ]  # a slot can hold a bool, the result of a comparison
        slots[SEED] = slots[SEED] if self._anew is None else self._anew
        return slots

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._program.rules == other._program.rules and self._value() == other._value()

    def __hash__(self) -> int:
        return hash((self._program.rules, tuple(self._value())))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._program.name}, {self.result or 'at a decision'}>"

    def to_json(self) -> str:
        """Return the whole position as JSON for `Game.state_from_json`.

        It contains the seed and all secrets, so do not show it to players.
        """
        program = self._program
        return json.dumps(
            {
                "format": STATE_FORMAT,
                "game": program.name,
                "rules": program.rules,
                "scenario": program.scenario,
                "rulings": {r.name: r.chosen for r in program.rulings},
                "state": self._value(),
            },
            separators=(",", ":"),
        )


def scripted(results: Sequence[int]) -> int:
    """Return the value of SCRIPT for given results.

    Raises:
        RulekitError: no die or draw can have such a result.
    """
    if any(not 0 <= r <= _MAX_SCRIPTED for r in results):
        raise RulekitError(f"a scripted result must lie between 0 and {_MAX_SCRIPTED}")
    return intrinsics.script(results)


def _argument_count(names: Sequence[str]) -> Message:
    """Return the number of arguments, and their names."""
    if not names:
        return _("no argument")
    wanted = ", ".join(names)
    return ngettext(
        "{n} argument ({wanted})", "{n} arguments ({wanted})", len(names), wanted=wanted
    )
