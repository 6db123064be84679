"""Takes the compiled code and its slots, makes `Machine`: a game at a decision as the code has it, and how it is read and written.

Its values are those of run time, whoever may know them: for the engine's own modules. Nobody else reads what it keeps them in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.common.errors import RulekitError, RulesError
from rulekit.engine.kernel.bound_program import Table
from rulekit.engine.kernel.events import Record
from rulekit.engine.kernel.names import Names
from rulekit.runtime import cells, intrinsics
from rulekit.runtime.code import Code, as_rules_error
from rulekit.runtime.program import CellInfo, DecisionInfo, Program, VarInfo
from rulekit.runtime.slots import BARE_END, LAYERS, PC, SCRIPT, SEED

# of a choice: the lengths of log and trail before it, the option, who chose, and whether it was the only one
Mark = tuple[int, int, int, int, bool]


class Machine:
    """The slots of a game, the records of its events, and what undoes them."""

    __slots__ = ("_anew", "_code", "_log", "_marks", "_noticed", "_program", "_redo", "_s", "_table", "_trail")

    def __init__(self, table: Table, slots: list[int]) -> None:
        self._table = table
        self._program: Program = table.program
        self._code: Code = table.code
        self._s = slots
        self._log: list[Record] = []
        self._trail: list[int] = []
        self._marks: list[Mark] = []
        self._redo: list[tuple[int, int]] = []  # the option, and the seed by which it was chosen
        self._anew: int | None = None  # the seed of the choices to come, where it is not that of the last one
        self._noticed: dict[int, Any] = {}

    @property
    def names(self) -> Names:
        """Names and texts of the game."""
        return self._table.names

    @property
    def table(self) -> Table:
        """The compiled game that this is a state of."""
        return self._table

    # ------------------------------------------------------------------ what it reads
    @property
    def code(self) -> Code:
        """The compiled code that this state is played by."""
        return self._code

    @property
    def slots(self) -> list[int]:
        """The slots of the machine, as the compiled code takes them: to be read in place; who supposes something takes a copy."""
        return self._s

    @property
    def pc(self) -> int:
        """The number of the decision at which play stands; 0: the game is over, below 0: none."""
        return self._s[PC]

    @property
    def asking(self) -> DecisionInfo:
        """The decision at which play stands."""
        return self._program.decisions[self._s[PC]]

    def raw(self, cell: CellInfo, keys: Sequence[int] = ()) -> int:
        """The value of a cell."""
        return cells.read(self._s, cell, keys)

    def held(self, var: VarInfo) -> int:
        """The value of a variable of a procedure that is going on."""
        return self._s[var.slot]

    @property
    def log(self) -> list[Record]:
        """The records of all events, oldest first: to be read."""
        return self._log

    @property
    def trail(self) -> list[int]:
        """What is written back to undo: a slot and its value before, in turn, oldest first; to be read."""
        return self._trail

    @property
    def marks(self) -> list[Mark]:
        """Where each choice begins, oldest first: to be read."""
        return self._marks

    @property
    def noticed(self) -> dict[int, Any]:
        """By viewer, what is kept of what he has noticed of the choices (`rulekit.engine.knowledge.observable_history`)."""
        return self._noticed

    def mark(self, action: int, forced: bool = False) -> None:
        """Here a choice begins."""
        self._marks.append((len(self._log), len(self._trail), action, self._code.who(self._s), forced))

    def keep_in(self, trail: list[int]) -> None:
        """What is written back to undo is kept in this list from here on."""
        self._trail = trail

    def play_by(self, code: Code) -> None:
        """From here on this code plays it: the same variant, with a recorder."""
        self._code = code

    def unwatch(self) -> None:
        """The slots become a plain list: who watched what play read of them sees no further reads."""
        self._s = list(self._s)

    def running(self, proc: int) -> bool:
        """Is this procedure going on?"""
        slot = self._program.procs[proc].returns
        return slot >= 0 and self._s[slot] != 0

    # ------------------------------------------------------------------ outside of play: beginnings and situations
    def set_up(self) -> None:
        """Runs the set-up, to the first decision. It cannot be taken back."""
        try:
            self._code.begin(self._s, self._log, self._trail)
        except Exception as error:
            raise as_rules_error(self._program, error) from error
        self._trail.clear()

    def put(self, cell: CellInfo, keys: Sequence[int], value: int) -> None:
        """Writes the run-time value of a cell."""
        cells.write(self._program, self._s, cell, keys, value)

    def poke(self, slot: int, value: int) -> None:
        """Writes a slot: of a variable, or of the machine. What is offered is asked anew."""
        self._s[slot] = value
        self._s[LAYERS] = None  # type: ignore[call-overload]

    def begin(self, procedure: int, arguments: Sequence[int], alone: bool) -> None:
        """Runs a procedure from its beginning: by itself, or with what it is called by going on. It cannot be taken back."""
        act = self._code.run if alone else self._code.enter
        try:
            act(self._s, procedure, arguments, self._log, self._trail)
        except Exception as error:
            raise as_rules_error(self._program, error) from error
        self._trail.clear()

    def forget(self) -> None:
        """Drops the history: what was before cannot be taken back, and is not told."""
        self._log.clear()
        self._trail.clear()
        self._marks.clear()
        self._redo.clear()
        self.settle()

    def settle(self) -> None:
        """The seed of the choices to come is that of the position: for a state without history."""
        if self._anew is not None:
            self._s[SEED], self._anew = self._anew, None

    def script(self, results: Sequence[int]) -> None:
        """The next rolls (sums) and draws (ordinals) are these, then the seed's again."""
        self._s[SCRIPT] = scripted(results)

    def script_left(self) -> int:
        """How many scripted results were not used."""
        return intrinsics.scripted(self._s)

    @property
    def bare_end(self) -> bool:
        """Has a procedure that was run by itself ended?"""
        return self._s[PC] == BARE_END

    def hold_to_invariants(self) -> None:
        """RulesError if an invariant of the game does not hold."""
        failed = self._code.invariants(self._s)
        if failed:
            raise RulesError(f"the invariant {self._program.invariants[failed[0]].name!r} does not hold")


def scripted(results: Sequence[int]) -> int:
    """The value of SCRIPT for results that are given. RulekitError for one that no die or draw could have."""
    if any(not 0 <= r < 0xFFFF for r in results):
        raise RulekitError("a scripted result must lie between 0 and 65534")
    return intrinsics.script(results)
