"""Remember the best variation of a player's own choices up to the search horizon.

A tree learns each of a turn's many small choices separately. With random play of the rest, doing
nothing often has the best average. A whole variation that did well is better evidence. It is played
again in all determinizations with other dice, and kept if it is the best then. New variations are
tried that begin in the same way.

After Cazenave, "Nested Monte-Carlo Search" (2009), where the best sequence is memorized. Whole
turns are varied as in Justesen, Mahlmann, Risi and Togelius, "Playing Multi-Action Adversarial
Games: Online Evolutionary Planning versus Tree Search" (2017).

The native module keeps the same variations (`compiler/backends/wasm/line_memory.py`).
"""

from __future__ import annotations

from attrs import frozen

from rulekit.runtime import intrinsics
from rulekit.runtime.intrinsics import Layers
from rulekit.runtime.search_constants import LINE, NONE, TRIED, TRYING, TURNS, VARYING


@frozen
class RememberedLine:
    """The best variation.

    Attributes:
        line: its choices.
        visits: the number of times that it was played.
        value: its average value, -1 .. 1.
    """

    line: tuple[int, ...]
    visits: int
    value: float


class LineMemory:
    """The memory of variations of own choices. Forced choices are not part of them.

    Iterations come in turns of `TRIED`. In two turns of four they follow the tree. In the third
    they follow the variation with the best single iteration. In the fourth they begin like the best
    of all, for a random length.

    A variation becomes the best of all when it was played as often as that one and did better. It
    is given up as soon as it did no better. The best is itself played again, the more often the
    more variations it has outlived, so that the influence of luck wears off. This is after Hutter,
    Hoos, Leyton-Brown and Stuetzle, "ParamILS" (2009), section 3.2.
    """

    def __init__(self) -> None:
        self.best: list[int] = []
        self._now, self._found, self._tried, self._follow = (
            list[int](),
            list[int](),
            list[int](),
            list[int](),
        )
        self._most, self._sum, self._count, self._won, self._plays = NONE, 0.0, 0, 0.0, 0
        self._at = self._turn = self._outlived = 0
        self._again = False

    @property
    def kept(self) -> RememberedLine | None:
        """The best variation, or None."""
        return (
            RememberedLine(tuple(self.best), self._plays, self._won / self._plays)
            if self.best
            else None
        )

    def begin(self, visit: int, bits: int) -> None:
        """Begin an iteration.

        Args:
            bits: 64 random bits.
        """
        self._turn = visit // TRIED % TURNS
        if self._turn == TRYING and visit % TRIED == 0:
            self._enter()
        self._at, self._now, self._follow = 0, [], []
        if self._turn == TRYING:
            self._follow = self.best if self._again else self._tried
        elif self._turn == VARYING:
            self._follow = self.best[: (bits >> 32) * (len(self.best) + 1) >> 32]

    def _enter(self) -> None:
        """Begin a turn of trying: go on with a variation, repeat the best, or try the next."""
        if self._tried and 0 < self._count < self._plays and self._is_ahead():
            self._again = False
            return
        runs = self._plays // TRIED
        self._again = runs > 0 and runs * runs < self._outlived
        if not self._again:
            self._outlived += 1
            self._tried, self._found, self._sum, self._count, self._most = (
                self._found,
                [],
                0.0,
                0,
                NONE,
            )

    def _is_ahead(self) -> bool:
        """Return True if the tried variation did better than the best."""
        return not self._plays or self._sum / self._count > self._won / self._plays

    def next(self, layers: Layers) -> int:
        """Return the next choice of the followed variation, or 0 if it is not offered."""
        if self._at < len(self._follow) and intrinsics.offers(layers, self._follow[self._at]):
            self._at += 1
            return self._follow[self._at - 1]
        return 0

    def made(self, option: int) -> None:
        """Record an own choice of the iteration."""
        if len(self._now) < LINE:
            self._now.append(option)

    def end(self, visit: int, value: float) -> None:
        """Record the value of the iteration to the player."""
        if self._turn != TRYING:
            if value > self._most:
                self._found, self._most = self._now, value
            return
        if self._again:
            self._won, self._plays = self._won + value, self._plays + 1
            return
        self._sum, self._count = self._sum + value, self._count + 1
        if (
            visit % TRIED == TRIED - 1
            and self._tried
            and self._count >= self._plays
            and self._is_ahead()
        ):
            self.best, self._won, self._plays = self._tried, self._sum, self._count
            self._tried = []

    def advance_root(self, option: int) -> None:
        """Keep the rest of the variations that begin with this choice, and forget the others."""
        self._tried = self._tried[1:] if self._tried[:1] == [option] else []
        if self.best[:1] == [option]:
            self.best = self.best[1:]
        else:
            self.best = []
        if not self.best:
            self._won, self._plays, self._outlived = 0.0, 0, 0
        self._found, self._most = [], NONE
