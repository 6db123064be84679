"""Takes what visits of a search were worth, keeps the best line of a player's own choices to the
end of his stretch of play.

A tree learns each of a turn's many small choices by itself, and the average of what random play
makes of the rest often says that doing nothing is best. A whole line that did well is worth more:
it is played again in all supposed positions with other dice, and kept if it is the best then; new
lines are tried that begin as it does. After Cazenave, "Nested Monte-Carlo Search" (2009), where the
best sequence is memorized, and Justesen, Mahlmann, Risi and Togelius, "Playing Multi-Action
Adversarial Games: Online Evolutionary Planning versus Tree Search" (2017), where whole turns are
varied.

The native module keeps the same lines (`compiler/backends/wasm/line_memory.py`)."""

from __future__ import annotations

from attrs import frozen

from rulekit.runtime import intrinsics
from rulekit.runtime.intrinsics import Layers
from rulekit.runtime.search_constants import LINE, NONE, TRIED, TRYING, TURNS, VARYING


@frozen
class Kept:
    """The best line: its choices, how often it was played, and what it was worth then on the
    average (-1 .. 1)."""

    line: tuple[int, ...]
    visits: int
    worth: float


class Lines:
    """Lines of own choices; one that is the only one is none. By turns of `TRIED` visits: in two
    turns of four the visits go as the tree does; in the third they follow a line that did best in a
    single visit, and in the fourth they begin as the best of all does, as far as chance says. A
    line becomes the best of all when it was played as often as that and did better; it is given up
    as soon as it did no better. The best is itself played again, the more turns the more lines it
    has outlived, so that what it owes to luck wears off: after Hutter, Hoos, Leyton-Brown and
    Stuetzle, "ParamILS" (2009), section 3.2."""

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
    def kept(self) -> Kept | None:
        """The best line, if there is one."""
        return Kept(tuple(self.best), self._plays, self._won / self._plays) if self.best else None

    def begin(self, visit: int, bits: int) -> None:
        """A visit. `bits`: 64 of chance."""
        self._turn = visit // TRIED % TURNS
        if self._turn == TRYING and visit % TRIED == 0:
            self._enter()
        self._at, self._now, self._follow = 0, [], []
        if self._turn == TRYING:
            self._follow = self.best if self._again else self._tried
        elif self._turn == VARYING:
            self._follow = self.best[: (bits >> 32) * (len(self.best) + 1) >> 32]

    def _enter(self) -> None:
        """A turn of trying: the line that was tried goes on, the best is played again, or the next
        one is tried."""
        if self._tried and 0 < self._count < self._plays and self._ahead():
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

    def _ahead(self) -> bool:
        """Did the line that is tried do better than the best?"""
        return not self._plays or self._sum / self._count > self._won / self._plays

    def next(self, layers: Layers) -> int:
        """The choice that comes next in the line that is followed. 0: there is none, or it is not
        offered."""
        if self._at < len(self._follow) and intrinsics.offers(layers, self._follow[self._at]):
            self._at += 1
            return self._follow[self._at - 1]
        return 0

    def made(self, option: int) -> None:
        """An own choice of the visit."""
        if len(self._now) < LINE:
            self._now.append(option)

    def end(self, visit: int, worth: float) -> None:
        """What the visit was worth to the player."""
        if self._turn != TRYING:
            if worth > self._most:
                self._found, self._most = self._now, worth
            return
        if self._again:
            self._won, self._plays = self._won + worth, self._plays + 1
            return
        self._sum, self._count = self._sum + worth, self._count + 1
        if (
            visit % TRIED == TRIED - 1
            and self._tried
            and self._count >= self._plays
            and self._ahead()
        ):
            self.best, self._won, self._plays = self._tried, self._sum, self._count
            self._tried = []

    def descend(self, option: int) -> None:
        """The player made this choice: what begins otherwise is no line any more."""
        self._tried = self._tried[1:] if self._tried[:1] == [option] else []
        if self.best[:1] == [option]:
            self.best = self.best[1:]
        else:
            self.best = []
        if not self.best:
            self._won, self._plays, self._outlived = 0.0, 0, 0
        self._found, self._most = [], NONE
