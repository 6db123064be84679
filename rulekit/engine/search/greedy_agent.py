"""Takes a state at a decision, makes the choice after which a total of the player stands best: a
seat that looks a little ahead."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from attrs import define, field

from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.determinizations import imagined
from rulekit.engine.knowledge.masked_options import Offered
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

# options that are looked at; where there are more, as many of each family as there is room for
CANDIDATES = 40
# times that each is played on before the worse half of them is dropped, then again for those left
LEAST = 3
FINAL = 3  # the last of them
# times that the best lines of the last are played with other dice, then again those of them that
# are best now
AGAIN = 3
CLEAR = 6  # times, after which the best of them may be taken before the effort is spent
# if it is so many variances of the mean (three standard errors) better than the best of another
# option
SURE = 9.0
EXPLORING = 250  # choices that are made in lines at random
EFFORT = 700  # choices that are made in all
AHEAD = 14  # own choices after an option, those that gather a group not counted
MOST_AHEAD = 40  # those counted too
WINDOWS = 20  # passes of others, after which it looks no further
OTHERS = 8  # other choices of others
LONGEST = 200  # choices, with those that are the only ones
RANDOM = 0.05  # weight of the mean of the random lines beside that of the best
PRICE = 0.001  # of the scale of a lead, for each choice of a line
WON = 1e6


@define(eq=False)
class _Line:
    """An option and one's own choices after it; the lead when it was found, those when it was
    played again."""

    option: int
    own: list[int]
    lead: float
    leads: list[float] = field(factory=list)


class GreedyAgent:
    """Plays each option on for some random choices of its own and drops, round by round, the half
    that promises less: by its lead (its total less the best of the others'), on the average and at
    its best. The best two lines of each option that is left are played again with other dice, so
    that luck does not count as skill, the better half of them more often; and the line that the
    last choice began is tried again, so that a find is kept. The line with the greatest mean lead
    is taken, with a little of that of the random ones and less a small price for each of its
    choices.

    It plays on to where the game says that leads are compared (the `stretch` of `search` in
    game.yaml), without such a place until another player decides, or for `AHEAD` choices of its
    own; in most lines whole groups go together, and what did well is chosen more often; in a window
    another player is taken to pass, elsewhere he does anything. All options are tried with the same
    dice. It looks at positions that the player may suppose, with other dice, never at the true one.
    The same seed makes the same choices; the effort is bounded by counts, not by a clock."""

    def __init__(self, seed: int, total: str) -> None:
        self._rng = random.Random(seed)
        self._total = total
        self._ahead: _Ahead | None = None
        self._plan: list[int] = []  # the rest of the line that the last choice began
        self.failed = (
            0  # lines that ended in an error of the rules, and count as if they changed nothing
        )

    def choose(self, state: Position) -> int:
        """The option with the best lead ahead."""
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if self._ahead is None or self._ahead.program is not state.table.program:
            self._ahead = _Ahead(state.table.program, self._total)
        ahead = self._ahead
        shown = Offered(ahead.program).ids(state)
        ahead.begin(state, shown, self._rng)
        found = self._explored(ahead, self._candidates(state, list(shown)))
        best = self._compared(ahead, found)
        self._plan = best.own
        self.failed += ahead.failed
        return shown[best.option]

    def _explored(self, ahead: _Ahead, left: list[int]) -> dict[int, list[_Line]]:
        """Random lines of the options, of those that promise most more."""
        found: dict[int, list[_Line]] = {option: [] for option in left}
        while ahead.made < EXPLORING:
            for _ in range(LEAST):
                seed = self._rng.getrandbits(48)
                start = ahead.start(seed)
                for option in left:
                    found[option].append(ahead.play_on(start, option, seed))
                if ahead.made >= EXPLORING:
                    break
            left = sorted(left, key=lambda option: -_promise(found[option]))[
                : max(FINAL, (len(left) + 1) // 2)
            ]
        return found

    def _compared(self, ahead: _Ahead, found: dict[int, list[_Line]]) -> _Line:
        """The best of the lines that were found."""
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
                - len(line.own) * ahead.price
            )

        worlds: list[tuple[int, list[int]]] = []
        rest = len(lines)
        while True:
            for line in lines[:rest]:
                for _ in range(AGAIN):
                    if len(line.leads) == len(worlds):
                        seed = self._rng.getrandbits(48)
                        worlds.append((seed, ahead.start(seed)))
                    seed, start = worlds[len(line.leads)]
                    line.leads.append(ahead.play_on(start, line.option, seed, line.own).lead)
            lines.sort(key=value, reverse=True)
            other = next((line for line in lines if line.option != lines[0].option), lines[0])
            alike = all(line.leads == lines[0].leads for line in lines)
            if (
                alike
                or other is lines[0]
                or ahead.made >= EFFORT
                or _is_clear(lines[0].leads, other.leads)
            ):
                return lines[0]
            rest = max(2, (rest + 1) // 2)
            if other not in lines[:rest]:  # what is compared in the end are two options
                lines.remove(other)
                lines.insert(rest - 1, other)

    def _candidates(self, state: Position, options: Sequence[int]) -> list[int]:
        """The options that are looked at, in their order: all, or of each family some, any of
        them."""
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

    def __init__(self, program: Program, total: str) -> None:
        self.program = program
        self.code: Code = program.code("fast")
        given = aims(program)
        self.price = given.scale * PRICE
        self._stretch, self._sides = given.stretch, range(given.sides)
        self._index = next(i for i, t in enumerate(program.totals) if t.name == total)
        self._sorts = sorts(program.families, program.options)

    def begin(self, state: Position, shown: Mapping[int, int], rng: random.Random) -> None:
        """From now on after this decision. `shown`: its options as the player may know them."""
        self.me = state.current_player()
        self._worlds = imagined(
            state, shown, random.Random(rng.getrandbits(48)) if state.table.has_secrets else rng
        )
        self._now = _mean([self._lead(slots) for slots in self._worlds])
        self.failed = self.made = 0
        self._did: dict[
            int, tuple[float, int]
        ] = {}  # of own choices: the sum of the leads to which they came, and how often

    def start(self, seed: int) -> list[int]:
        """One of the positions that he may suppose, with other dice."""
        slots = self._worlds[seed % len(self._worlds)][:]
        slots[SEED], slots[SCRIPT] = random.Random(seed).getrandbits(48), 0
        slots[LAYERS] = None  # type: ignore[call-overload]
        return slots

    def play_on(
        self, start: Sequence[int], option: int, seed: int, line: Sequence[int] = ()
    ) -> _Line:
        """The lead after an option and some choices of one's own, and these: those of a line as
        long as they are offered, else random."""
        slots, own = list(start), list[int]()
        try:
            self._apply(slots, option)
            self._go_on(slots, random.Random(seed), line, own)
            lead = self._lead(slots)
        except (
            Exception
        ):  # emitted code that meets a position which cannot be: nothing is known of this option
            self.failed += 1
            return _Line(option, own, self._now)
        for choice in own:
            total, count = self._did.get(choice, (0.0, 0))
            self._did[choice] = total + lead, count + 1
        return _Line(option, own, lead)

    def _go_on(
        self, slots: list[int], rng: random.Random, line: Sequence[int], own: list[int]
    ) -> None:
        """Plays on, as far as it looks; one's own choices are written down."""
        code, u = self.code, rng.random
        gathered = passes = others = 0
        whole = u() * SHARE < WHOLE
        for _ in range(LONGEST):
            if slots[PC] <= 0 or slots[PC] == self._stretch:
                return
            layers, mine = code.layers(slots), code.who(slots) == self.me
            passing = (
                0 if mine else next((base for base, _ in layers if self._sorts[base] == LEAVE), 0)
            )
            if not (mine or passing or self._stretch):
                return
            if intrinsics.is_single(layers):
                choice = layers[0][0] + layers[0][1].bit_length() - 1
            elif mine:
                if len(own) - gathered == AHEAD or len(own) == MOST_AHEAD:
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
        """An own choice at random: often to pass, or the highest number; else mostly the better one
        of two, as they did before."""
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
    """The average and the best."""
    leads = [line.lead for line in found]
    return _mean(leads) + max(leads)


def _is_clear(leads: Sequence[float], others: Sequence[float]) -> bool:
    """Is one line better than another, dice for dice, by more than chance?"""
    apart = [a - b for a, b in zip(leads, others, strict=False)]
    n, mean = len(apart), _mean(apart)
    return (
        n >= CLEAR
        and mean > 0
        and mean * mean * n * (n - 1) > SURE * sum((each - mean) ** 2 for each in apart)
    )
