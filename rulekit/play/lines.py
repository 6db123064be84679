"""Takes what visits of a search were worth, keeps the best line of a player's own choices to the end of his stretch of play.

A tree learns each of a turn's many small choices by itself, and the average of what random play makes of the rest often says
that doing nothing is best. A whole line that did well is worth more: it is played again in all supposed positions with other
dice, and kept if it is the best then; new lines are tried that begin as it does. After Cazenave, "Nested Monte-Carlo Search"
(2009), where the best sequence is memorized, and Justesen, Mahlmann, Risi and Togelius, "Playing Multi-Action Adversarial
Games: Online Evolutionary Planning versus Tree Search" (2017), where whole turns are varied.

The native module keeps the same lines (`compile/emit/wasm/lines.py`)."""

from __future__ import annotations

from rulekit.program import runtime
from rulekit.program.runtime import Layers
from rulekit.program.search import LINE, NONE, TRIED, TRYING, TURNS, VARYING


class Lines:
    """Lines of own choices; one that is the only one is none. By turns of `TRIED` visits: in two turns of four the visits go as
    the tree does; in the third they follow the best line that was found since the last one was tried, and it becomes the best of
    all if it did better than that did when it was tried; in the fourth they begin as the best does, as far as chance says."""

    def __init__(self) -> None:
        self.best: list[int] = []
        self._now, self._found, self._tried, self._follow = list[int](), list[int](), list[int](), list[int]()
        self._mean, self._sum, self._most = NONE, 0.0, NONE
        self._at, self._turn = 0, 0

    def begin(self, visit: int, bits: int) -> None:
        """A visit. `bits`: 64 of chance."""
        self._turn = visit // TRIED % TURNS
        if self._turn == TRYING and visit % TRIED == 0:
            self._tried, self._found, self._sum, self._most = self._found, [], 0.0, NONE
        self._at, self._now, self._follow = 0, [], []
        if self._turn == TRYING:
            self._follow = self._tried
        elif self._turn == VARYING:
            self._follow = self.best[:(bits >> 32) * (len(self.best) + 1) >> 32]

    def next(self, layers: Layers) -> int:
        """The choice that comes next in the line that is followed. 0: there is none, or it is not offered."""
        if self._at < len(self._follow) and runtime.offers(layers, self._follow[self._at]):
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
        self._sum += worth
        if visit % TRIED == TRIED - 1 and self._tried and self._sum / TRIED > self._mean:
            self.best, self._mean = self._tried, self._sum / TRIED

    def descend(self, option: int) -> None:
        """The player made this choice: what begins otherwise is no line any more."""
        if self.best[:1] == [option]:
            self.best = self.best[1:]
        else:
            self.best, self._mean = [], NONE
        self._found, self._most = [], NONE
