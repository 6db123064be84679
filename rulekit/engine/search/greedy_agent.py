"""An agent that looks a little ahead and maximizes its lead in a total."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from attrs import define, field

from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.determinizations import determinize
from rulekit.engine.knowledge.masked_options import MaskedOptions
from rulekit.engine.search.mcts import aims
from rulekit.runtime import intrinsics
from rulekit.runtime.code import Code
from rulekit.runtime.intrinsics import Layers
from rulekit.runtime.program import Program
from rulekit.runtime.search_constants import (
    ADD,
    BETTER,
    LEAVE,
    NUMBER,
    PASS,
    SHARE,
    UTMOST,
    WHOLE,
    sorts,
)
from rulekit.runtime.slots import LAYERS, PC, SCRIPT, SEED, WINNER

# the largest number of options examined. Of more options, each family gets an equal share
CANDIDATES = 40
# playouts of each option before the worse half is dropped. The same number follows in each round
LEAST = 3
FINAL = 3  # the number of options in the last round
# how often the best variations of the last options are played with new dice in each round
AGAIN = 3
CLEAR = 6  # after this number, the best may be taken before the effort is spent
# if it is better than the best of another option by this number of variances of the mean (three
# standard errors)
SURE = 9.0
EXPLORING = 250  # the number of choices made in random variations
EFFORT = 700  # the number of choices made in all
MAX_OWN_CHOICES = 14  # own choices after an option, without those that gather a group
MAX_OWN_CHOICES_WITH_GROUPS = 40  # own choices with those that gather a group
WINDOWS = 20  # passes of others after which a variation ends
OTHERS = 8  # other choices of others after which it ends
LONGEST = 200  # the largest number of choices, forced ones included
RANDOM = 0.05  # the weight of the mean of the random variations against that of the best
PRICE = 0.001  # the price of each choice of a variation, as a share of the scale of a lead
WON = 1e6


@define(eq=False)
class _Line:
    """A variation: an option and the player's own choices after it.

    Attributes:
        lead: the lead when it was found.
        leads: the leads when it was played again.
    """

    option: int
    own: list[int]
    lead: float
    leads: list[float] = field(factory=list)


class GreedyAgent:
    """Plays random variations of each option and keeps the one with the best mean lead.

    The lead is the agent's total less the best of the others' totals. Round by round the agent
    drops the less promising half of the options, by average and best lead. The best two variations
    of each remaining option are played again with new dice, so that luck does not count as skill.
    The better half is played more often. The variation that the last choice began is tried again.
    The result is the variation with the greatest mean lead. The mean of the option's random
    variations has a small weight, and each choice a small price.

    A variation ends at the search horizon of the game (`stretch` of `search` in game.yaml). Without
    one it ends when another player decides, or after `MAX_OWN_CHOICES` own choices. In most
    variations whole groups move together, and successful choices are repeated more often. Other
    players pass in windows and choose at random elsewhere. All options are tried with the same
    dice.

    The agent searches determinizations with other dice, never the true position. The same seed
    gives the same choices, because the effort is counted and not timed.
    """

    def __init__(self, seed: int, total: str) -> None:
        self._rng = random.Random(seed)
        self._total = total
        self._lookahead: _Lookahead | None = None
        self._plan: list[int] = []  # the rest of the variation that the last choice began
        # the number of variations that ended in an error of the rules. They count as no change
        self.failed = 0

    def choose(self, state: Position) -> int:
        """Return the option with the best lead ahead."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if self._lookahead is None or self._lookahead.program is not state.table.program:
            self._lookahead = _Lookahead(state.table.program, self._total)
        lookahead = self._lookahead
        shown = MaskedOptions(lookahead.program).ids(state)
        lookahead.begin(state, shown, self._rng)
        found = self._explored(lookahead, self._candidates(state, list(shown)))
        best = self._compared(lookahead, found)
        self._plan = best.own
        self.failed += lookahead.failed
        return shown[best.option]

    def _explored(self, lookahead: _Lookahead, left: list[int]) -> dict[int, list[_Line]]:
        """Play random variations of the options, more of the promising ones."""
        found: dict[int, list[_Line]] = {option: [] for option in left}
        while lookahead.made < EXPLORING:
            for _ in range(LEAST):
                seed = self._rng.getrandbits(48)
                start = lookahead.start(seed)
                for option in left:
                    found[option].append(lookahead.play_on(start, option, seed))
                if lookahead.made >= EXPLORING:
                    break
            left = sorted(left, key=lambda option: -_promise(found[option]))[
                : max(FINAL, (len(left) + 1) // 2)
            ]
        return found

    def _compared(self, lookahead: _Lookahead, found: dict[int, list[_Line]]) -> _Line:
        """Return the best of the variations."""
        means = {
            option: sum(line.lead for line in lines) / len(lines) for option, lines in found.items()
        }
        lines: list[_Line] = []
        for option in sorted(found, key=lambda option: -_promise(found[option]))[:FINAL]:
            best, *others = sorted(found[option], key=lambda line: (-line.lead, len(line.own)))
            lines += [best, *[line for line in others if line.own != best.own][:1]]
        if self._plan and self._plan[0] in found:
            lines.append(_Line(self._plan[0], self._plan[1:], 0.0))
        self._rng.shuffle(lines)

        def value(line: _Line) -> float:
            return (
                _mean(line.leads) * (1 - RANDOM)
                + means[line.option] * RANDOM
                - len(line.own) * lookahead.price
            )

        worlds: list[tuple[int, list[int]]] = []
        rest = len(lines)
        while True:
            for line in lines[:rest]:
                for _ in range(AGAIN):
                    if len(line.leads) == len(worlds):
                        seed = self._rng.getrandbits(48)
                        worlds.append((seed, lookahead.start(seed)))
                    seed, start = worlds[len(line.leads)]
                    line.leads.append(lookahead.play_on(start, line.option, seed, line.own).lead)
            lines.sort(key=value, reverse=True)
            other = next((line for line in lines if line.option != lines[0].option), lines[0])
            alike = all(line.leads == lines[0].leads for line in lines)
            if (
                alike
                or other is lines[0]
                or lookahead.made >= EFFORT
                or _is_clear(lines[0].leads, other.leads)
            ):
                return lines[0]
            rest = max(2, (rest + 1) // 2)
            if other not in lines[:rest]:  # the last comparison is between two options
                lines.remove(other)
                lines.insert(rest - 1, other)

    def _candidates(self, state: Position, options: Sequence[int]) -> list[int]:
        """Return the options to examine, in order: all, or some of each family at random."""
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


class _Lookahead:
    """Plays on after the options of one decision, for the current player."""

    def __init__(self, program: Program, total: str) -> None:
        self.program = program
        self.code: Code = program.code("fast")
        given = aims(program)
        self.price = given.scale * PRICE
        self._horizon, self._sides = given.horizon, range(given.sides)
        self._index = next(i for i, t in enumerate(program.totals) if t.name == total)
        self._sorts = sorts(program.families, program.options)

    def begin(self, state: Position, shown: Mapping[int, int], rng: random.Random) -> None:
        """Prepare for a new decision.

        Args:
            shown: its options as the player may know them.
        """
        self.me = state.current_player()
        self._worlds = determinize(
            state, shown, random.Random(rng.getrandbits(48)) if state.table.has_secrets else rng
        )
        self._now = _mean([self._lead(slots) for slots in self._worlds])
        self.failed = self.made = 0
        # for each own choice: the sum of the leads that followed, and their number
        self._did: dict[int, tuple[float, int]] = {}

    def start(self, seed: int) -> list[int]:
        """Return one of the determinizations with new dice."""
        slots = self._worlds[seed % len(self._worlds)][:]
        slots[SEED], slots[SCRIPT] = random.Random(seed).getrandbits(48), 0
        slots[LAYERS] = None  # type: ignore[call-overload]
        return slots

    def play_on(
        self, start: Sequence[int], option: int, seed: int, line: Sequence[int] = ()
    ) -> _Line:
        """Return the variation after an option, with the lead at its end.

        Args:
            line: the own choices to follow as long as they are offered. After that, choices are
                random.
        """
        slots, own = list(start), list[int]()
        try:
            self._apply(slots, option)
            self._go_on(slots, random.Random(seed), line, own)
            lead = self._lead(slots)
        except Exception:  # emitted code in an impossible determinization: it proves nothing
            self.failed += 1
            return _Line(option, own, self._now)
        for choice in own:
            total, count = self._did.get(choice, (0.0, 0))
            self._did[choice] = total + lead, count + 1
        return _Line(option, own, lead)

    def _go_on(
        self, slots: list[int], rng: random.Random, line: Sequence[int], own: list[int]
    ) -> None:
        """Play on to the end of the variation and add own choices to `own`."""
        code, u = self.code, rng.random
        gathered = passes = others = 0
        whole = u() * SHARE < WHOLE
        for _ in range(LONGEST):
            if slots[PC] <= 0 or slots[PC] == self._horizon:
                return
            layers, mine = code.layers(slots), code.who(slots) == self.me
            passing = (
                0 if mine else next((base for base, _ in layers if self._sorts[base] == LEAVE), 0)
            )
            if not (mine or passing or self._horizon):
                return
            if intrinsics.is_single(layers):
                first, mask = layers[0]
                choice = first + mask.bit_length() - 1
            elif mine:
                if (
                    len(own) - gathered == MAX_OWN_CHOICES
                    or len(own) == MAX_OWN_CHOICES_WITH_GROUPS
                ):
                    return
                adds = [layer for layer in layers if self._sorts[layer[0]] == ADD]
                gathered += bool(adds)
                if len(own) < len(line) and intrinsics.offers(layers, line[len(own)]):
                    choice = line[len(own)]
                else:
                    choice = (
                        intrinsics.sample(adds, u()) if adds and whole else self._drawn(layers, rng)
                    )
                own.append(choice)
            else:
                if (passes == WINDOWS) if passing else (others == OTHERS):
                    return
                passes, others = passes + bool(passing), others + (not passing)
                choice = passing or intrinsics.sample(layers, u())
            self._apply(slots, choice)

    def _apply(self, slots: list[int], choice: int) -> None:
        self.made += 1
        self.code.apply(slots, choice)

    def _drawn(self, layers: Layers, rng: random.Random) -> int:
        """Return an own choice at random.

        It is often a pass or the highest number. Otherwise it is mostly the more successful of two
        options.
        """
        u, did = rng.random, self._did
        part = u() * SHARE
        for base, mask in layers:
            if self._sorts[base] == LEAVE and part < PASS:
                return base
            if self._sorts[base] == NUMBER and part < UTMOST:
                return base + mask.bit_length() - 1
        one, two = intrinsics.sample(layers, u()), intrinsics.sample(layers, u())
        if (
            u() * SHARE < BETTER
            and one in did
            and two in did
            and did[two][0] / did[two][1] > did[one][0] / did[one][1]
        ):
            return two
        return one

    def _lead(self, slots: list[int]) -> float:
        if slots[PC] == 0:
            return 0.0 if slots[WINNER] < 0 else WON if slots[WINNER] == self.me else -WON
        totals = [float(self.code.total(slots, self._index, [side])) for side in self._sides]
        return totals[self.me] - max((v for i, v in enumerate(totals) if i != self.me), default=0.0)


def _mean(leads: Sequence[float]) -> float:
    return sum(leads) / len(leads)


def _promise(found: Sequence[_Line]) -> float:
    """Return the sum of the average and the best lead."""
    leads = [line.lead for line in found]
    return _mean(leads) + max(leads)


def _is_clear(leads: Sequence[float], others: Sequence[float]) -> bool:
    """Return True if one variation is better than another, dice for dice, by more than chance."""
    apart = [a - b for a, b in zip(leads, others, strict=False)]
    n, mean = len(apart), _mean(apart)
    return (
        n >= CLEAR
        and mean > 0
        and mean * mean * n * (n - 1) > SURE * sum((each - mean) ** 2 for each in apart)
    )
