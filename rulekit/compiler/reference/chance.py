"""Random results of the reference interpreter. They equal those of emitted code with the same
seed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.errors import RulesError
from rulekit.runtime.intrinsics import mix


class ReferenceChance:
    """A source of random results. Each is a function of the seed and a counter, after those of an
    optional script are used up.
    """

    def __init__(self, seed: int, script: Sequence[int] | None = None) -> None:
        self.seed = seed
        self.counter = 0
        self.script = list(script or [])

    def _next(self) -> int:
        self.counter += 1
        return mix(self.seed, self.counter - 1)

    def roll(self, dice: int, faces: int) -> int:
        """Return the sum of some dice. One entry of the script is the result of one roll."""
        if self.script:
            value = self.script.pop(0)
            if not dice <= value <= dice * faces:
                raise RulesError(f"the result {value} cannot be rolled with {dice}d{faces}")
            return value
        return sum(self._next() % faces + 1 for _ in range(dice))

    def draw(self, things: Sequence[int]) -> int:
        """Return one of some things."""
        if not self.script:
            return things[self._next() % len(things)]
        thing = self.script.pop(0)
        if thing not in things:
            raise RulesError("the result of a draw is not there to be drawn")
        return thing
