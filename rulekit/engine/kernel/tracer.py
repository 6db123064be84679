"""Record the totals and permits that are computed while a state is played.

Used by tests and coverage. A traced state runs instrumented code. Normal play does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.engine.kernel.instrumented_code import WatchedCode
from rulekit.engine.kernel.position import Position
from rulekit.runtime.code import Code
from rulekit.runtime.records import Trace


class Tracer:
    """Records the totals and permits that are computed while a state is played."""

    def __init__(self, state: Position) -> None:
        program = state.table.program
        self._last: dict[tuple[str, int], Any] = {}
        self._for: dict[tuple[str, int, tuple[Any, ...]], Any] = {}
        self._program = program
        self._state = state
        self._busy = False
        self._done: set[tuple[Any, ...]] = set()
        # clauses that applied, once for the same arguments
        self._applied: dict[tuple[str, int, tuple[Any, ...], int], tuple[str, int, int]] = {}
        # those of them that are modifiers of 0
        self._nothing: set[tuple[str, int, tuple[Any, ...], int]] = set()
        # clauses that applied in evaluations by a situation: total or permit, index, clause
        self.answered: set[tuple[str, int, int]] = set()
        # after `keep`: the number of events before a computation, and its trace
        self.kept: list[tuple[int, Trace]] = []
        self._recording = False
        self.offering = 0
        self._unseen: dict[tuple[str, int], set[int]] | None = None
        watched = state.table.watched
        if watched is None:
            watched = state.table.watched = WatchedCode(program)
        watched.tracers[id(state.slots)] = self
        self.code: Code = watched.code
        state.play_by(self.code)

    def computed(
        self, slots: list[int], what: str, index: int, args: tuple[Any, ...], value: Any
    ) -> None:
        """Record that a total, permit or definition was computed."""
        if self._busy:
            return
        if what == "define":
            self.worked(what, index, lambda: args, value)
            return
        self._last[what, index] = value
        self._for[what, index, args] = value
        if self._recording and not self.offering and what == "total":
            self.kept.append((len(self._state.log), self._explain(slots, what, index, args)))
        if self._unseen is not None and self._unseen.get((what, index)):
            self._look(slots, what, index, args, value)

    def worked(
        self, what: str, index: int, args: Callable[[], tuple[Any, ...]], value: int
    ) -> None:
        """Record a table look-up, a column shift, or a definition that rulings decide."""
        if self._recording and not self.offering and not self._busy:
            self._busy = True
            try:
                self.kept.append((len(self._state.log), Trace(what, index, args(), value, [])))
            finally:
                self._busy = False

    def _explain(self, slots: list[int], what: str, index: int, args: tuple[Any, ...]) -> Trace:
        self._busy = True
        try:
            return Trace.of(self.code.explain(slots, what, index, args))
        finally:
            self._busy = False

    def keep(self) -> None:
        """Keep the derivation of every total from now on, except while options are computed.

        A later option is no reason for a past event, and it may depend on a secret of its player.
        """
        self._recording = True

    # ------------------------------------------------------------------------------ applied clauses
    def found(self, what: str, index: int, args: tuple[Any, ...] | None) -> tuple[Any] | None:
        """Return the value computed last in a tuple, or None if it was not computed.

        With `args`, only a computation with these arguments counts.
        """
        if args:
            return (self._for[what, index, args],) if (what, index, args) in self._for else None
        return (self._last[what, index],) if (what, index) in self._last else None

    def start(self, clauses: bool = True) -> None:
        """Begin a step: forget the clauses of the step before and count clauses from now on.

        Args:
            clauses: if False, counting is not switched on.
        """
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
        """Record the clauses that apply in a total or permit that a situation itself evaluates.

        They are kept apart from the clauses that apply in play.
        """
        if self._unseen is not None and what in ("total", "permit"):
            lines = self._explain(self._state.slots, what, index, args).lines
            applied = (line.clause for line in lines if line.status == "applied")
            self.answered |= {(what, index, clause) for clause in applied}

    def _look(
        self, slots: list[int], what: str, index: int, args: tuple[Any, ...], value: Any
    ) -> None:
        # two computations with the same key have no write between them
        key = (what, index, args, value, len(self._state.log))
        if key in self._done:
            return
        self._done.add(key)
        clauses = (self._program.totals if what == "total" else self._program.permits)[
            index
        ].clauses
        for line in self._explain(slots, what, index, args).lines:
            if line.status == "applied":
                clause = line.clause
                self._applied[what, index, args, clause] = (what, index, clause)
                if clauses[clause].word == "modifier" and line.amount == 0:
                    self._nothing.add((what, index, args, clause))
                else:
                    self._nothing.discard((what, index, args, clause))

    def applied(self) -> Iterator[tuple[str, int, int]]:
        """Iterate over the clauses that applied since `start`: (total or permit, index, clause)."""
        return iter(self._applied.values())

    def counted(self) -> Iterator[tuple[str, int, int]]:
        """Iterate over the same clauses without modifiers of 0, which changed nothing."""
        return (found for key, found in self._applied.items() if key not in self._nothing)
