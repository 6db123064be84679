"""Takes a state at a decision, makes the choice after which a total of the player stands best: a seat that looks a little ahead."""

from __future__ import annotations

import random
from collections.abc import Sequence

from rulekit.play.imagined import imagined
from rulekit.play.state import State
from rulekit.program import runtime
from rulekit.program.code import Code
from rulekit.program.program import PC, SCRIPT, SEED, WINNER, Program

CANDIDATES = 40  # options that are looked at; where there are more, as many of each family as there is room for
SAMPLES = (4, 10)  # times that each of them is played on: at least, at most
PLAYED_ON = 200  # times that all of them together are played on, unless that is fewer than the least for each
AHEAD = 8  # own choices after it
ENEMY = 20  # passes of others in windows, after which it looks no further
WON = 1e6


class GreedyAgent:
    """Plays each option on for a few random choices of its own, and takes the one after which it stood best: its lead (its total less the
    best of the others'), on the average and at its best, half and half. Ties: any of them.

    It plays on until another player decides, or for `AHEAD` choices of its own; in a window another player is taken to pass. All options
    are tried with the same dice. It does not know what will be rolled or drawn, nor what lies in pools that it may not see: see
    `imagined`, which says what is left. The same seed makes the same choices; the effort is bounded by counts, not by a clock."""

    def __init__(self, seed: int, total: str) -> None:
        self._rng = random.Random(seed)
        self._total = total

    def choose(self, state: State) -> int:
        """The option with the best lead ahead."""
        options = state.legal_actions()
        if len(options) == 1:
            return options[0]
        ahead = _Ahead(state, self._total)
        tried = self._candidates(state, options)
        leads: dict[int, list[float]] = {option: [] for option in tried}
        for _ in range(min(SAMPLES[1], max(SAMPLES[0], PLAYED_ON // len(tried)))):
            seed = self._rng.getrandbits(48)
            start = imagined(state, ahead.me, seed)
            for option in tried:
                leads[option].append(ahead.play_on(start, option, seed))
        values = {option: sum(found) / len(found) + max(found) for option, found in leads.items()}
        best = max(values.values())
        return self._rng.choice([option for option in tried if values[option] == best])

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
        self._state = state
        self._sides = range(len(state.names.sides))
        self._index = next(i for i, t in enumerate(self.program.totals) if t.name == total)
        self._passes = {f.base for f in self.program.families if f.what == "pass"}

    def play_on(self, start: Sequence[int], option: int, seed: int) -> float:
        """The lead after an option and some random choices of one's own."""
        slots = list(start)
        code, u = self.code, random.Random(seed).random
        own = others = 0
        try:
            if not runtime.offers(code.layers(slots), option):  # it names a thing that was dealt anew
                slots = self._state._s[:]
                slots[SEED], slots[SCRIPT] = seed, 0
            code.apply(slots, option)
            while slots[PC] > 0:
                layers = code.layers(slots)
                if code.who(slots) == self.me:
                    if own == AHEAD:
                        break
                    own += 1
                    code.apply(slots, runtime.sample(layers, u()))
                    continue
                passing = next((base for base, _ in layers if base in self._passes), None)
                if others == ENEMY or passing is None:
                    break
                others += 1
                code.apply(slots, passing)
            return self._lead(slots)
        except Exception:  # emitted code that meets a position which cannot be: nothing is known of this option
            return -WON

    def _lead(self, slots: list[int]) -> float:
        if slots[PC] == 0:
            return 0.0 if slots[WINNER] < 0 else WON if slots[WINNER] == self.me else -WON
        totals = [float(self.code.total(slots, self._index, [side])) for side in self._sides]
        return totals[self.me] - max((v for i, v in enumerate(totals) if i != self.me), default=0.0)
