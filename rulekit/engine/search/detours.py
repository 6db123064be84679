"""Takes a line of a player's own choices and a position, leaves out a detour at its beginning:
where one choice leads as far as several, and the rest then to the same position. A search sees no
difference between a way and a longer one, so chance would decide.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from rulekit.common.errors import RulekitError
from rulekit.runtime import intrinsics
from rulekit.runtime.program import Program
from rulekit.runtime.search_constants import LEAVE, sorts
from rulekit.runtime.slots import LAYERS, PC, SCRIPT

UNASKED = 100  # choices of others, or of the player where he has one only, in a row
MOST = 200  # choices that are tried, of whom ever: some milliseconds


def shortened(
    program: Program, slots: Sequence[int], until: float, line: Sequence[int]
) -> tuple[int, ...]:
    """The line, or the shortest that does at first in one choice what it does in several. Others
    pass where they may; what comes behind a choice that they cannot decline is not compared. Only
    so much is tried (`MOST`), and nothing more at a time (`until`, of `time.perf_counter`)."""
    here, code = [*slots], program.code("fast")
    here[SCRIPT], here[LAYERS] = 0, None  # type: ignore[call-overload]
    way = _Way(program, code.who(here), until)
    passed = [here, *way.follow(here, line)]
    best = tuple(line)
    if len(passed) < 3:
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
    """What follows from choices of a player, in copies of a position."""

    def __init__(self, program: Program, who: int, until: float) -> None:
        self._code, self._sorts, self._who = (
            program.code("fast"),
            sorts(program.families, program.options),
            who,
        )
        self._left, self._until = MOST, until
        self._running = running = {
            LAYERS: -1
        }  # slot of a procedure's own -> the slot that says whether it runs, -1: none does
        for proc in program.procs:
            running.update((var.slot, proc.returns) for var in proc.vars)
        running.update(
            (note.slot, program.procs[note.proc].returns)
            for note in program.machine
            if note.proc >= 0
        )

    def follow(self, s: Sequence[int], line: Sequence[int]) -> list[list[int]]:
        """The position behind each choice of a line, as far as it is offered."""
        found: list[list[int]] = []
        for option in line:
            there = self._after(found[-1] if found else s, option)
            if there is None:
                break
            found.append(there)
        return found

    def meets(self, s: list[int], passed: Sequence[list[int]], line: Sequence[int]) -> bool:
        """Does the line lead from here to where it led before? `passed`: where it began then, and
        the position behind each choice."""
        if self._same(s, passed[0]):
            return True
        for option, there in zip(line, passed[1:], strict=False):
            after = self._after(s, option)
            if after is None:
                return False
            if self._same(after, there):
                return True
            s = after
        return False

    def _after(self, s: Sequence[int], option: int) -> list[int] | None:
        """Where the player, or nobody, is asked next. None: the option is not offered, or others
        are asked what they cannot decline."""
        s, code = [*s], self._code
        try:
            if (
                s[PC] <= 0
                or code.who(s) != self._who
                or not intrinsics.offers(code.layers(s), option)
            ):
                return None
            for _ in range(UNASKED):
                self._left -= 1
                if self._left < 0 or time.perf_counter() > self._until:
                    return None
                code.apply(s, option)
                option = self._unasked(s) if s[PC] > 0 else 0
                if not option:
                    return s
        except (RulekitError, ArithmeticError, LookupError, ValueError):
            pass
        return None

    def _unasked(self, s: list[int]) -> int:
        """What is chosen without asking the player: what alone is offered, or another's pass. 0:
        somebody is asked."""
        layers = self._code.layers(s)
        if intrinsics.count(layers) == 1:
            return layers[0][0] + layers[0][1].bit_length() - 1
        return (
            0
            if self._code.who(s) == self._who
            else next((base for base, _ in layers if self._sorts[base] == LEAVE), 0)
        )

    def _same(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Are they one position? What a procedure that has ended kept for itself is none of it."""
        for at, (a, b) in enumerate(zip(one, other, strict=True)):
            if a != b:
                runs = self._running.get(at)
                if runs is None or (runs >= 0 and one[runs]):
                    return False
        return True
