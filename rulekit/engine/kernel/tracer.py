"""Takes a state, makes it tell which totals and permits it computes: it is played by code whose
functions are watched.

For tests and coverage; play itself runs the code as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.engine.kernel.instrumented_code import WatchedCode
from rulekit.engine.kernel.position import Position
from rulekit.runtime.code import Code


class Tracer:
    """Hears of the totals and permits that are computed while a state is played."""

    def __init__(self, state: Position) -> None:
        program = state.table.program
        self._last: dict[tuple[str, int], Any] = {}
        self._for: dict[tuple[str, int, tuple[Any, ...]], Any] = {}
        self._program = program
        self._state = state
        self._busy = False
        self._done: set[tuple[Any, ...]] = set()
        self._applied: dict[
            tuple[str, int, tuple[Any, ...], int], tuple[str, int, int]
        ] = {}  # once for the same arguments
        self._nothing: set[tuple[str, int, tuple[Any, ...], int]] = (
            set()
        )  # modifiers of them that were 0
        self.answered: set[tuple[str, int, int]] = (
            set()
        )  # what applied in what was asked for: total or permit, index, clause
        self.kept: list[
            tuple[int, Any]
        ] = []  # after `keep`: number of events before it, and the trace of a total
        self._keeping = False
        self.offering = 0
        self._unseen: dict[tuple[str, int], set[int]] | None = None
        watched = state.table.watched
        if watched is None:
            watched = state.table.watched = WatchedCode(program)
        watched.tracers[id(state.slots)] = self
        self.code: Code = watched.code
        state.play_by(self.code)

    def computed(
        self, s: list[int], what: str, index: int, args: tuple[Any, ...], value: Any
    ) -> None:
        """A total or permit was computed."""
        if self._busy:
            return
        if what == "define":
            self.worked(what, index, lambda: args, value)
            return
        self._last[what, index] = value
        self._for[what, index, args] = value
        if self._keeping and not self.offering and what == "total":
            self.kept.append((len(self._state.log), self._explain(s, what, index, args)))
        if self._unseen is not None and self._unseen.get((what, index)):
            self._look(s, what, index, args, value)

    def worked(
        self, what: str, index: int, args: Callable[[], tuple[Any, ...]], value: int
    ) -> None:
        """Something was looked up in a table, shifted, or chosen by a ruling."""
        if self._keeping and not self.offering and not self._busy:
            self._busy = True
            try:
                self.kept.append((len(self._state.log), (what, index, args(), value, [])))
            finally:
                self._busy = False

    def _explain(self, s: list[int], what: str, index: int, args: tuple[Any, ...]) -> Any:
        self._busy = True
        try:
            return self.code.explain(s, what, index, args)
        finally:
            self._busy = False

    def keep(self) -> None:
        """From now on the derivation of every total is kept, but for those that say what is
        offered: what somebody may do next is no reason of what happened, and may hang on what he
        holds in secret."""
        self._keeping = True

    # ---------------------------------------------------------------- which clauses applied
    def found(self, what: str, index: int, args: tuple[Any, ...] | None) -> tuple[Any] | None:
        """The value computed last (for these arguments, if given), in a tuple; None if it was not
        computed."""
        if args:
            return (self._for[what, index, args],) if (what, index, args) in self._for else None
        return (self._last[what, index],) if (what, index) in self._last else None

    def start(self, clauses: bool = True) -> None:
        """From now on clauses are counted; forgets those of the step before."""
        if self._unseen is None and clauses:
            self._unseen = {
                (what, i): {c for c, clause in enumerate(info.clauses) if clause.name}
                for what, infos in (
                    ("total", self._program.totals),
                    ("permit", self._program.permits),
                )
                for i, info in enumerate(infos)
            }
        self._done.clear()
        self._applied.clear()
        self._nothing.clear()

    def asked(self, what: str, index: int, args: tuple[Any, ...]) -> None:
        """A situation asked for a total or permit by itself: what applied in it is kept apart from
        what applied in play."""
        if self._unseen is not None and what in ("total", "permit"):
            lines = self._explain(self._state.slots, what, index, args)[4]
            self.answered |= {(what, index, line[0]) for line in lines if line[1] == "applied"}

    def _look(self, s: list[int], what: str, index: int, args: tuple[Any, ...], value: Any) -> None:
        key = (
            what,
            index,
            args,
            value,
            len(self._state.log),
        )  # nothing that is written lies between two of the same
        if key in self._done:
            return
        self._done.add(key)
        clauses = (self._program.totals if what == "total" else self._program.permits)[
            index
        ].clauses
        for clause, status, amount, *_ in self._explain(s, what, index, args)[4]:
            if status == "applied":
                self._applied[what, index, args, clause] = (what, index, clause)
                if clauses[clause].word == "modifier" and amount == 0:
                    self._nothing.add((what, index, args, clause))
                else:
                    self._nothing.discard((what, index, args, clause))

    def applied(self) -> Iterator[tuple[str, int, int]]:
        """The clauses that applied since `start`: (total or permit, index, clause)."""
        return iter(self._applied.values())

    def counted(self) -> Iterator[tuple[str, int, int]]:
        """The same without modifiers of 0: they changed nothing."""
        return (found for key, found in self._applied.items() if key not in self._nothing)
