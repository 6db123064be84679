"""Takes a state at a decision, makes the choice after which a total of the player stands best: a seat that looks a little ahead."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rulekit.play.imagined import imagined
from rulekit.play.state import State
from rulekit.program import runtime
from rulekit.program.code import Code
from rulekit.program.program import Program
from rulekit.program.slots import PC, SCRIPT, SEED, WINNER

CANDIDATES = 40  # options that are looked at; where there are more, as many of each family as there is room for
PLAYED_ON = 200  # times that all of them together are played on
LEAST = 4  # times that each is played on before the worse half of them is dropped, then again for those left
MOST = 16  # times for each option, on the average
AHEAD = 14  # own choices after it, those that gather a group not counted
MOST_AHEAD = 40  # those counted too
WHOLE = 0.75  # so many of the lines take all that may come along into each group
ENEMY = 20  # passes of others in windows, after which it looks no further
FINAL = 4  # the last of them
AGAIN = 5  # times that the best line of each of the last is played with other dice
RANDOM = 0.05  # weight of the mean of the random lines beside that of the best
WON = 1e6

_Line = tuple[float, list[int]]  # the lead that was reached, and one's own choices on the way


class GreedyAgent:
    """Plays each option on for some random choices of its own and drops, round by round, the half that promises less: by its lead (its
    total less the best of the others'), on the average and at its best. The best line of each option that is left is played again with
    other dice, so that luck does not count as skill; and the line that the last choice began is tried again, so that a find is kept.
    The greatest mean lead of the best lines is taken, with a little of that of the random ones. Ties: any of them.

    It plays on until another player decides, or for `AHEAD` choices of its own; in most lines whole groups go together; in a window
    another player is taken to pass. All options are tried with the same dice. It does not know what will be rolled or drawn, nor what
    lies in pools that it may not see: see `imagined`, which says what is left. The same seed makes the same choices; the effort is
    bounded by counts, not by a clock."""

    def __init__(self, seed: int, total: str) -> None:
        self._rng = random.Random(seed)
        self._total = total
        self._plan: list[int] = []  # the rest of the line that the last choice began
        self.failed = 0  # lines that ended in an error of the rules, and counted as lost

    def choose(self, state: State) -> int:
        """The option with the best lead ahead."""
        options = state.legal_actions()
        if len(options) == 1:
            self._plan = self._plan[1:] if self._plan[:1] == options else []
            return options[0]
        ahead = _Ahead(state, self._total)
        left = self._candidates(state, options)
        found: dict[int, list[_Line]] = {option: [] for option in left}
        rest = min(PLAYED_ON, MOST * len(left))
        while rest >= len(left) and len(left) > 1:
            for _ in range(max(1, min(LEAST, rest // len(left)))):
                rest -= len(left)
                seed = self._rng.getrandbits(48)
                start = imagined(state, ahead.me, seed)
                for option in left:
                    found[option].append(ahead.play_on(start, option, seed))
            left = sorted(left, key=lambda option: -_promise(found[option]))[:max(FINAL, (len(left) + 1) // 2)]
            if len(left) <= FINAL and rest < FINAL * LEAST:
                break
        lines = [(option, max(found[option])[1]) for option in left]
        if self._plan and self._plan[0] in found:
            lines.append((self._plan[0], self._plan[1:]))
        values = [_mean(found[option]) * RANDOM for option, _ in lines]
        for _ in range(AGAIN):
            seed = self._rng.getrandbits(48)
            start = imagined(state, ahead.me, seed)
            for at, (option, line) in enumerate(lines):
                values[at] += ahead.play_on(start, option, seed, line)[0] * (1 - RANDOM) / AGAIN
        top = max(values)
        choice, line = self._rng.choice([each for at, each in enumerate(lines) if values[at] == top])
        self._plan = line
        self.failed += ahead.failed
        return choice

    def _candidates(self, state: State, options: Sequence[int]) -> list[int]:
        """The options that are looked at, in their order: all, or of each family some, any of them."""
        if len(options) <= CANDIDATES:
            return list(options)
        families: dict[int, list[int]] = {}
        for option in options:
            families.setdefault(state.table.book.family(option).base, []).append(option)
        for each in families.values():
            self._rng.shuffle(each)
        chosen: set[int] = set()
        while len(chosen) < CANDIDATES:
            for each in families.values():
                if each and len(chosen) < CANDIDATES:
                    chosen.add(each.pop())
        return [option for option in options if option in chosen]


class _Ahead:
    """What comes after the options of one decision, for the player who is asked."""

    def __init__(self, state: State, total: str) -> None:
        self.program: Program = state.table.program
        self.code: Code = self.program.code("fast")
        self.me = state.current_player()
        self.failed = 0
        self._state = state
        self._sides = range(len(state.names.sides))
        self._index = next(i for i, t in enumerate(self.program.totals) if t.name == total)
        self._adds = {f.base for f in self.program.families if f.what == "add"}
        self._passes = {f.base for f in self.program.families if f.what == "pass"}

    def play_on(self, start: Sequence[int], option: int, seed: int, line: Sequence[int] = ()) -> _Line:
        """The lead after an option and some choices of one's own, and these: those of a line as long as they are offered, else random."""
        slots = list(start)
        code, u = self.code, random.Random(seed).random
        own: list[int] = []
        others = added = 0
        whole = u() < WHOLE
        try:
            if not runtime.offers(code.layers(slots), option):  # it names a thing that was dealt anew
                slots = self._state.slots[:]
                slots[SEED], slots[SCRIPT] = seed, 0
            code.apply(slots, option)
            while slots[PC] > 0:
                layers = code.layers(slots)
                if code.who(slots) == self.me:
                    if len(own) - added == AHEAD or len(own) == MOST_AHEAD:
                        break
                    adds = [layer for layer in layers if layer[0] in self._adds]
                    if adds:
                        added += 1
                    follow = len(own) < len(line) and runtime.offers(layers, line[len(own)])
                    own.append(line[len(own)] if follow else runtime.sample(adds if adds and whole else layers, u()))
                    code.apply(slots, own[-1])
                    continue
                passing = next((base for base, _ in layers if base in self._passes), None)
                if others == ENEMY or passing is None:
                    break
                others += 1
                code.apply(slots, passing)
            return self._lead(slots), own
        except Exception:  # emitted code that meets a position which cannot be: nothing is known of this option
            self.failed += 1
            return -WON, own

    def _lead(self, slots: list[int]) -> float:
        if slots[PC] == 0:
            return 0.0 if slots[WINNER] < 0 else WON if slots[WINNER] == self.me else -WON
        totals = [float(self.code.total(slots, self._index, [side])) for side in self._sides]
        return totals[self.me] - max((v for i, v in enumerate(totals) if i != self.me), default=0.0)


def _mean(found: list[_Line]) -> float:
    return sum(lead for lead, _ in found) / len(found)


def _promise(found: list[_Line]) -> float:
    """The average and the best."""
    return _mean(found) + max(lead for lead, _ in found)
