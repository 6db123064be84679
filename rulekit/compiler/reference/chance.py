"""Takes a seed and perhaps a script of results, makes random results: the same ones as emitted
code."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.errors import RulesError
from rulekit.runtime.intrinsics import mix


class Chance:
    """Each result is a function of the seed and a counter; those in the script come first."""

    def __init__(self, seed: int, script: Sequence[int] | None = None) -> None:
        self.seed = seed
        self.counter = 0
        self.script = list(script or [])

    def _next(self) -> int:
        self.counter += 1
        return mix(self.seed, self.counter - 1)

    def roll(self, dice: int, faces: int) -> int:
        """The sum of some dice; one entry of the script is one roll."""
        if self.script:
            value = self.script.pop(0)
            if not dice <= value <= dice * faces:
                raise RulesError(f"the result {value} cannot be rolled with {dice}d{faces}")
            return value
        return sum(self._next() % faces + 1 for _ in range(dice))

    def draw(self, things: Sequence[int]) -> int:
        """One of some things."""
        if not self.script:
            return things[self._next() % len(things)]
        thing = self.script.pop(0)
        if thing not in things:
            raise RulesError("the result of a draw is not there to be drawn")
        return thing
