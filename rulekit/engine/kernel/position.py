"""Takes the machine, makes `UnderWay`: a game under way as it is read, by names: what is offered, what has happened, what is worth what.

What a viewer may know, and why something is not offered, is worked out from it; choices are made by `State`, which stands above."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rulekit.common.errors import RulekitError, RulesError
from rulekit.engine.kernel.decision import Option, Speaker
from rulekit.engine.kernel.events import Log, Record
from rulekit.engine.kernel.machine import Machine
from rulekit.engine.kernel.names import SOURCE_LANGUAGE
from rulekit.engine.kernel.table_names import look_up
from rulekit.runtime import intrinsics
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.program import TableInfo, TypeInfo
from rulekit.runtime.slots import COUNTER, LEVEL, PC, WINNER

TERMINAL_PLAYER = -4  # what OpenSpiel calls the player who moves when the game is over
NOBODY = -1


@frozen
class Result:
    """How a game ended: who won (None: nobody) and by which level."""

    winner: str | None
    level: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"winner": self.winner, "level": self.level}


class UnderWay(Machine):
    """A game at a decision, to be read."""

    __slots__ = ()

    # ------------------------------------------------------------------ where play stands
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
            return intrinsics.ids(self._code.layers(self._s))
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

    # ------------------------------------------------------------------ what has happened
    def history(self) -> list[int]:
        """The ids of the choices made since the state was made, oldest first."""
        return [mark[2] for mark in self._marks]

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

    def last_of(self, player: int) -> int:
        """Where in the marks this player's last choice stands; -1 if he has none, or if after it another did more than pass."""
        for at in range(len(self._marks) - 1, -1, -1):
            _, _, action, who, _ = self._marks[at]
            if who == player:
                return at
            if self._table.book.family(action).what != "pass":
                break
        return -1

    # ------------------------------------------------------------------ values
    def get(self, path: str) -> Any:
        """The value of a cell by its dotted name."""
        cell, keys = self.names.cell(path)
        return self.names.value(cell.type, self.raw(cell, keys))

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

    @property
    def randoms(self) -> int:
        """How many random results the seed has given."""
        return self._s[COUNTER]
