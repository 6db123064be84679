"""A second copy of a program's code that reports to a listener or uses given rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol
from weakref import WeakValueDictionary

from rulekit.runtime.code import Code, load
from rulekit.runtime.program import Program
from rulekit.runtime.slots import BUILT_IN, DIE_ROLLED
from rulekit.runtime.variants import TRACED


class Hears(Protocol):
    """Receives a callback for each total, definition and table look-up of instrumented code.

    Attributes:
        offering: the nesting depth of functions that compute options.
    """

    offering: int

    def computed(
        self, slots: list[int], what: str, index: int, args: tuple[Any, ...], value: Any
    ) -> None:
        """Receive the value of a total, permit or definition."""

    def worked(
        self, what: str, index: int, args: Callable[[], tuple[Any, ...]], value: int
    ) -> None:
        """Receive a table look-up, a column shift, or a definition that rulings decide."""


class WatchedCode:
    """The code of a program that reports each total and permit to the tracer of its state."""

    def __init__(self, program: Program) -> None:
        self.tracers: WeakValueDictionary[int, Hears] = WeakValueDictionary()
        self.code: Code = load(program, TRACED)
        ruled = [i for i, info in enumerate(program.defines) if info.rulings]
        for letter, what, indices in (
            ("T", "total", range(len(program.totals))),
            ("P", "permit", range(len(program.permits))),
            ("D", "define", ruled),
        ):
            for i in indices:
                if (name := f"{letter}{i}") in self.code.space:
                    self.code.space[name] = self._watch(self.code.space[name], what, i)
        for decision in range(len(program.decisions)):
            if (name := f"O{decision}") in self.code.space:  # the options of the decision
                self.code.space[name] = self._offer(self.code.space[name])
        self.code.space["looked"] = self._hear("table")
        self.code.space["shifted"] = self._hear("shift")

    def _offer(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def offered(slots: list[int], *args: Any) -> Any:
            tracer = self.tracers.get(id(slots))
            if tracer is None:
                return function(slots, *args)
            tracer.offering += 1
            try:
                return function(slots, *args)
            finally:
                tracer.offering -= 1

        return offered

    def _hear(self, what: str) -> Callable[..., Any]:
        def heard(
            slots: list[int], index: int, value: int, args: Callable[[], tuple[Any, ...]]
        ) -> int:
            tracer = self.tracers.get(id(slots))
            if tracer is not None:
                tracer.worked(what, index, args, value)
            return value

        return heard

    def _watch(self, function: Callable[..., Any], what: str, index: int) -> Callable[..., Any]:
        def watched(slots: list[int], *args: Any) -> Any:
            value = function(slots, *args)
            tracer = self.tracers.get(id(slots))
            if tracer is not None:
                tracer.computed(slots, what, index, args, value)
            return value

        return watched


class RollWanted(Exception):
    """Raised when a roll needs a result and none is given."""

    def __init__(self, number: int, faces: int) -> None:
        super().__init__()
        self.number, self.faces = number, faces


class DrawWanted(Exception):
    """Raised when something is drawn."""


class ChanceCode:
    """The code of a program with given results of rolls, which records table look-ups.

    A roll without a result left in `results` raises `RollWanted`. A draw raises `DrawWanted`.
    """

    def __init__(self, program: Program) -> None:
        self.code: Code = load(program, TRACED)
        self.results: list[int] = []
        self.reads: list[tuple[int, tuple[Any, ...], int]] = []
        self.log: list[Any] = []
        self.at: list[int] = []
        # the procedure that runs while the consequences of a roll take place, or -1
        self.after_roll = next(
            (
                i
                for i, p in enumerate(program.procs)
                if p.name == BUILT_IN[DIE_ROLLED] and p.word == "event"
            ),
            -1,
        )
        self.code.space.update(roll_dice=self._roll, draw_things=self._draw, looked=self._looked)

    def _roll(self, slots: list[int], log: Any, trail: Any, number: int, faces: int) -> int:
        if not self.results:
            raise RollWanted(number, faces)
        return self.results.pop(0)

    def _draw(
        self,
        slots: list[int],
        log: Any,
        trail: Any,
        pools: Any,
        known: int,
        count: int,
        source: int,
        target: int,
    ) -> None:
        if count > 0 and slots[source]:
            raise DrawWanted

    def _looked(
        self, slots: list[int], table: int, row: int, args: Callable[[], tuple[Any, ...]]
    ) -> int:
        self.reads.append((table, args(), row))
        self.at.append(len(self.log))
        return row
