"""Takes a machine, makes `Batch`: many positions of its game side by side in its memory, begun,
listed and played on in one call each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from rulekit.common.i18n.catalog import fault
from rulekit.runtime.slots import PC
from rulekit.runtime.wasm.instance import NotNative, WasmInstance, small_seed
from rulekit.runtime.wasm_format import DEPTH

PAGE = 1 << 16
LISTS = 1 << 20  # bytes of the options that are listed at a time
_LIST, _BEGIN, _APPLY = range(3)


class Batch:
    """So many positions, by number. They lie in the memory of the machine: it can be used for other
    things between two calls, but has one batch at a time. NotNative if there is no room for
    them."""

    def __init__(self, machine: WasmInstance, size: int) -> None:
        self.machine, self.size = machine, size
        native = machine.native
        room = native.results - native.layers  # of the options of a position
        self._states = native.pages * PAGE + DEPTH * (
            native.size + room
        )  # behind what `perft` needs
        self._given = self._states + size * native.size
        self._lists = self._given + 8 * size
        self._end = self._lists + LISTS + room
        self._layers: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        if not machine.grown(self._end):
            raise fault(NotNative, "native.room", n=str(size))

    def begin(self, seeds: Sequence[int]) -> None:
        """A game for each position, with these seeds, to its first decision."""
        self._call(_BEGIN, array("Q", [small_seed(seed) for seed in seeds]))

    def apply(self, options: Sequence[int]) -> None:
        """Takes an option in each position (0: none), which is not tested to be offered; those that
        are over stay as they are. RulesError if the rules go wrong in one: those before it have
        been played on, it and those behind it have not.
        """
        self._call(_APPLY, array("q", options))

    def options(self) -> list[list[tuple[int, int]]]:
        """The options of each position, as `WasmInstance.layers` gives them; none where the game is
        over."""
        return self._layers

    def put(self, number: int, slots: Sequence[Any]) -> None:
        """A position is this state, which stands at a decision or is over."""
        self.machine.write(
            self._states + number * self.machine.native.size, self.machine.native.image(slots)
        )
        self._one(number)

    def slots(self, number: int) -> list[Any]:
        """A position as `rulekit.runtime.program` describes it; the slot of the options is None."""
        size = self.machine.native.size
        return self.machine.native.slots(
            bytes(self.machine.read(self._states + number * size, size))
        )

    def images(self) -> memoryview:
        """All positions, `Native.size` bytes each, one behind the other: a copy. `Native.cells`
        says where each slot lies."""
        return memoryview(self.machine.read(self._states, self.size * self.machine.native.size))

    def over(self, number: int) -> bool:
        """Is the game over?"""
        return bool(self.slots(number)[PC] <= 0)

    def perft(self, number: int, depth: int) -> list[int]:
        """The positions of the decision tree under a position at the depths 1 .. depth."""
        self.machine.put(self.slots(number))
        return self.machine.counted(depth)

    # -------------------------------------------------------------------------------- calls
    def _one(self, number: int) -> None:
        self._many(_LIST, number, 1)

    def _call(self, how: int, given: array[int]) -> None:
        if len(given) != self.size:
            raise ValueError(f"{len(given)} given for {self.size} positions")
        self.machine.write(self._given, given.tobytes())
        self._many(how, 0, self.size)

    def _many(self, how: int, first: int, count: int) -> None:
        """Does the same in positions one behind the other; the options of each are kept as far as
        there is room, then it goes on."""
        at, size, end = first, self.machine.native.size, first + count
        while at < end:
            try:
                self.machine.many(
                    self._states + at * size,
                    self._given + 8 * at,
                    end - at,
                    self._lists,
                    self._end,
                    how,
                )
            finally:
                at = self._heard(at)

    def _heard(self, first: int) -> int:
        """Reads what was listed; gives the first position that was not."""
        done, where = self.machine.done(), 0
        data = bytes(self.machine.read(self._lists, self._end - self._lists)) if done else b""
        for number in range(first, first + done):
            length = int.from_bytes(data[where : where + 8], "little")
            self._layers[number] = self.machine.native.layers_of(
                data[where + 8 : where + 8 + length]
            )
            where += 8 + length
        return first + done
