"""Remove a redundant prefix from a variation of a player's own choices.

A prefix is redundant if one choice leads as far as several, and the rest then reaches the same
position. The search sees no difference between the shorter and the longer way, so chance would
decide.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from rulekit.common.errors import RulekitError
from rulekit.runtime import intrinsics
from rulekit.runtime.program import Program
from rulekit.runtime.search_constants import LEAVE, sorts
from rulekit.runtime.slots import LAYERS, PC, SCRIPT

_MIN_PASSED = 3  # positions of a variation with a choice that may be redundant
UNASKED = 100  # the largest number of others' and forced choices in a row
MAX_TRIED_CHOICES = 200  # the largest number of choices tried, by any player: some milliseconds


def shortened(
    program: Program, slots: Sequence[int], until: float, line: Sequence[int]
) -> tuple[int, ...]:
    """Return the variation with a redundant prefix replaced by one choice, if there is one.

    The shortest replacement is used. Other players pass whenever they can. Positions after a choice
    that they cannot decline are not compared. The effort is limited to `MAX_TRIED_CHOICES` choices.

    Args:
        until: a time of `time.perf_counter` at which the comparison stops.
    """
    here, code = [*slots], program.code("fast")
    here[SCRIPT], here[LAYERS] = 0, None  # type: ignore[call-overload]
    way = _Way(program, code.who(here), until)
    passed = [here, *way.follow(here, line)]
    best = tuple(line)
    if len(passed) < _MIN_PASSED:
        return best
    for option in intrinsics.ids(code.layers(here)):
        if option == line[0] or not (first := way.follow(here, (option,))):
            continue
        for begun in range(len(passed) - 1, len(line) + 1 - len(best), -1):
            if way.meets(first[0], passed[begun:], line[begun:]):
                best = (option, *line[begun:])
                break
    return best


class _Way:
    """Follows choices of a player in copies of a position."""

    def __init__(self, program: Program, who: int, until: float) -> None:
        self._code, self._sorts, self._who = (
            program.code("fast"),
            sorts(program.families, program.options),
            who,
        )
        self._left, self._until = MAX_TRIED_CHOICES, until
        # by slot of a procedure: the slot that tells whether the procedure runs, or -1
        self._running = running = {LAYERS: -1}
        for proc in program.procs:
            running.update((var.slot, proc.returns) for var in proc.vars)
        running.update(
            (note.slot, program.procs[note.proc].returns)
            for note in program.machine
            if note.proc >= 0
        )

    def follow(self, slots: Sequence[int], line: Sequence[int]) -> list[list[int]]:
        """Return the position after each choice of a variation, as far as it is offered."""
        found: list[list[int]] = []
        for option in line:
            there = self._after(found[-1] if found else slots, option)
            if there is None:
                break
            found.append(there)
        return found

    def meets(self, slots: list[int], passed: Sequence[list[int]], line: Sequence[int]) -> bool:
        """Return True if the variation leads from here to a position that it passed before.

        Args:
            passed: the position at its beginning, and the one after each choice.
        """
        if self._same(slots, passed[0]):
            return True
        for option, there in zip(line, passed[1:], strict=False):
            after = self._after(slots, option)
            if after is None:
                return False
            if self._same(after, there):
                return True
            slots = after
        return False

    def _after(self, slots: Sequence[int], option: int) -> list[int] | None:
        """Return the slots at the next decision of the player, or at the end of the game.

        None means that the option is not offered, or that others have a choice that they cannot
        decline.
        """
        slots, code = [*slots], self._code
        try:
            if (
                slots[PC] <= 0
                or code.who(slots) != self._who
                or not intrinsics.offers(code.layers(slots), option)
            ):
                return None
            for _ in range(UNASKED):
                self._left -= 1
                if self._left < 0 or time.perf_counter() > self._until:
                    return None
                code.apply(slots, option)
                option = self._unasked(slots) if slots[PC] > 0 else 0
                if not option:
                    return slots
        except (RulekitError, ArithmeticError, LookupError, ValueError):
            pass
        return None

    def _unasked(self, slots: list[int]) -> int:
        """Return a choice that needs no question: the only option, or another player's pass.

        Else 0.
        """
        layers = self._code.layers(slots)
        if intrinsics.count(layers) == 1:
            first, mask = layers[0]
            return first + mask.bit_length() - 1
        return (
            0
            if self._code.who(slots) == self._who
            else next((base for base, _ in layers if self._sorts[base] == LEAVE), 0)
        )

    def _same(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Return True if two positions are equal, without the locals of ended procedures."""
        for at, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                runs = self._running.get(at)
                if runs is None or (runs >= 0 and one[runs]):
                    return False
        return True
