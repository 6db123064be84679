"""Takes a seed, or a script of rolls, makes random numbers: the same as the emitted code's."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.base.errors import RulesError


class Chance:
    """Each random result is a function of the seed and a counter."""

    def __init__(self, seed: int, script: Sequence[int] | None = None) -> None:
        self.seed = seed
        self.counter = 0
        self.script = None if script is None else list(script)

    def below(self, size: int) -> int:
        """A number from 0 to size - 1."""
        self.counter += 1
        return mix(self.seed, self.counter) % size

    def roll(self, dice: int, faces: int) -> int:
        """The sum of some dice; from the script if there is one, one entry per roll."""
        if self.script is not None:
            if not self.script:
                raise RulesError("the script of dice is used up")
            self.counter += 1
            return self.script.pop(0)
        return sum(self.below(faces) + 1 for _ in range(dice))


def mix(seed: int, counter: int) -> int:
    """SplitMix64 of the seed at a counter."""
    x = (seed + counter * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return x ^ x >> 31
