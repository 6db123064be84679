"""Many positions of a game next to each other in the memory of one machine.

One call begins all of them, lists their options, or plays a choice in each.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from rulekit.common.i18n.messages import ngettext
from rulekit.runtime.slots import PC
from rulekit.runtime.wasm.instance import NotNative, WasmInstance, small_seed
from rulekit.runtime.wasm_format import DEPTH

PAGE = 1 << 16
LISTS = 1 << 20  # the size in bytes of the options listed at a time
_LIST, _BEGIN, _APPLY = range(3)


class Batch:
    """A number of positions in the memory of a machine, addressed by number.

    The machine can do other things between two calls, but has one batch at a time.

    Raises:
        NotNative: there is not enough memory.
    """

    def __init__(self, machine: WasmInstance, size: int) -> None:
        self.machine, self.size = machine, size
        native = machine.native
        room = native.results - native.layers  # the size of the options of a position
        # after the memory that `perft` needs
        self._states = native.pages * PAGE + DEPTH * (native.size + room)
        self._given = self._states + size * native.size
        self._lists = self._given + 8 * size
        self._end = self._lists + LISTS + room
        self._layers: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        if not machine.grown(self._end):
            raise NotNative(
                ngettext(
                    "the native module has no room for {n} position",
                    "the native module has no room for {n} positions",
                    size,
                )
            )

    def begin(self, seeds: Sequence[int]) -> None:
        """Begin a game with one of these seeds in each position, up to its first decision."""
        self._call(_BEGIN, array("Q", [small_seed(seed) for seed in seeds]))

    def apply(self, options: Sequence[int]) -> None:
        """Take an option in each position, or none for 0.

        The options must be offered, which is not checked.

        Positions whose game is over do not change.

        Raises:
            RulesError: the rules fail in one position. Positions before it have been played on.
                This one and those after it have not.
        """
        self._call(_APPLY, array("q", options))

    def options(self) -> list[list[tuple[int, int]]]:
        """Return the options of each position, as `WasmInstance.layers` does.

        None if the game is over.
        """
        return self._layers

    def put(self, number: int, slots: Sequence[Any]) -> None:
        """Set a position to this state, which is at a decision or over."""
        self.machine.write(
            self._states + number * self.machine.native.size, self.machine.native.image(slots)
        )
        self._one(number)

    def slots(self, number: int) -> list[Any]:
        """Return a position as `rulekit.runtime.program` describes it.

        The slot of the options is None.
        """
        size = self.machine.native.size
        return self.machine.native.slots(
            bytes(self.machine.read(self._states + number * size, size))
        )

    def images(self) -> memoryview:
        """Return a copy of all positions, `Native.size` bytes each.

        `Native.cells` has the address of each slot.
        """
        return memoryview(self.machine.read(self._states, self.size * self.machine.native.size))

    def over(self, number: int) -> bool:
        """Return True if the game is over."""
        return bool(self.slots(number)[PC] <= 0)

    def perft(self, number: int, depth: int) -> list[int]:
        """Return the number of positions at the depths 1 .. depth below a position."""
        self.machine.put(self.slots(number))
        return self.machine.counted(depth)

    # ---------------------------------------------------------------------------------------- calls
    def _one(self, number: int) -> None:
        self._many(_LIST, number, 1)

    def _call(self, how: int, given: array[int]) -> None:
        if len(given) != self.size:
            raise ValueError(f"{len(given)} given for {self.size} positions")
        self.machine.write(self._given, given.tobytes())
        self._many(how, 0, self.size)

    def _many(self, how: int, first: int, count: int) -> None:
        """Do the same in consecutive positions.

        If their options do not fit in memory, continue in parts.
        """
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
        """Read the options that were listed. Return the first position without any."""
        done, where = self.machine.done(), 0
        data = bytes(self.machine.read(self._lists, self._end - self._lists)) if done else b""
        for number in range(first, first + done):
            length = int.from_bytes(data[where : where + 8], "little")
            self._layers[number] = self.machine.native.layers_of(
                data[where + 8 : where + 8 + length]
            )
            where += 8 + length
        return first + done
