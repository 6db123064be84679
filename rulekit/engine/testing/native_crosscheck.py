"""Play random games in the native module and in Python, and compare options and slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from rulekit.common.errors import RulesError
from rulekit.runtime.code import as_rules_error
from rulekit.runtime.intrinsics import CHOICES, branch, drawn, mix
from rulekit.runtime.slots import LAYERS, PC
from rulekit.runtime.wasm.instance import WasmInstance
from rulekit.runtime.wasm_format import WasmCell, value_of


class Verifier:
    """Compares games of one program."""

    def __init__(self, machine: WasmInstance) -> None:
        self._machine, self._program = machine, machine.program
        self._code = machine.program.code("fast")
        cells = list(enumerate(machine.native.cells))
        plain = [
            (i, c)
            for i, c in cells
            if c.words == 1 and i != LAYERS and c.form in ("number", "mask", "packed")
        ]
        self._signed = _Column([(i, c) for i, c in plain if c.form == "number"])
        self._masks = _Column([(i, c) for i, c in plain if c.form != "number"])
        known = {i for i, _ in plain}
        self._others: list[tuple[int, WasmCell]] = [
            (i, c) for i, c in cells if i not in known and i != LAYERS
        ]

    def game(self, seed: int, most: int = 1_000_000) -> tuple[int, str]:
        """Play a random game with this seed to the end, or to the largest number of choices.

        Returns:
            The number of choices made, and the first difference, or ''.
        """
        machine, code = self._machine, self._code
        player, count = branch(seed, CHOICES), 0
        state = code.blank(seed)
        difference = self._both(partial(code.begin, state), partial(machine.begin, seed))
        while difference is None:
            layers = [(base, mask) for base, mask in code.layers(state)]
            if machine.layers() != layers:
                return count, f"the options are {layers} in Python, {machine.layers()} natively"
            if unequal := self._slots(state):
                return count, unequal
            if state[PC] <= 0 or count == most:
                return count, ""
            option = drawn(layers, mix(player, count))
            difference = self._both(
                partial(code.apply, state, option), partial(machine.apply, option)
            )
            count += 1
        return count, difference

    def _both(self, python: Callable[[], object], native: Callable[[], object]) -> str | None:
        """Do the same in both engines.

        Returns:
            None if neither raised an error, '' if both raised the same one, else the difference.
        """
        messages = [self._error(python), self._error(native)]
        if messages == ["", ""]:
            return None
        return (
            ""
            if messages[0] == messages[1]
            else f"Python says {messages[0]!r}, the native module {messages[1]!r}"
        )

    def _error(self, work: Callable[[], object]) -> str:
        try:
            work()
        except RulesError as error:
            return _said(error)
        except Exception as error:  # inside emitted code, such as too deep a recursion
            return _said(as_rules_error(self._program, error))
        return ""

    def _slots(self, state: Sequence[Any]) -> str:
        """Return the first slots that differ, in words, or ''."""
        image = self._machine.image()
        words = memoryview(image)
        if (
            self._signed.same(words.cast("q"), state)
            and self._masks.same(words.cast("Q"), state)
            and all(_value(cell, image) == state[i] for i, cell in self._others)
        ):
            return ""
        found = self._machine.slots()
        unlike = [
            (i, mine, theirs)
            for i, (mine, theirs) in enumerate(zip(state, found, strict=True))
            if i != LAYERS and mine != theirs
        ]
        return "; ".join(
            f"slot {i} is {mine} in Python, {theirs} natively" for i, mine, theirs in unlike[:5]
        )


class _Column:
    """Slots of one word each, compared in one operation."""

    def __init__(self, cells: Sequence[tuple[int, WasmCell]]) -> None:
        pairs = [(i, c.address // 8) for i, c in cells]
        # at least two, because an itemgetter of one returns no tuple. Slot 0 is always equal
        pairs = [pairs[0], *pairs] if pairs else [(0, 0)] * 2
        self._slots, self._words = (
            itemgetter(*(i for i, _ in pairs)),
            itemgetter(*(at for _, at in pairs)),
        )

    def same(self, words: memoryview, state: Sequence[Any]) -> bool:
        return bool(self._slots(state) == self._words(words))


def _value(cell: WasmCell, image: bytes) -> Any:
    return value_of(cell, image[cell.address : cell.address + 8 * cell.words])


def _said(error: RulesError) -> str:
    """Return an error without its places, which the native module may not know."""
    return error.message
