"""Takes positions that a player may suppose, grows a tree of what may come of them: information-set
Monte Carlo tree search.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012), with
open-loop nodes: a node is a way of choices, not a position; each visit begins in another supposed
position with other dice, and of a node's children those count that are offered then. New children
come only as the square root of the visits grows (progressive widening). Below the tree, choices are
random, drawn to those that did well before (move-average sampling). A visit ends when the game
does, or when the stretch of play ends that the game names; how much each side's lead has grown by
then is what the visit was worth.

The native module grows the same tree, number by number (`compiler/backends/wasm/search.py`):
integers and the five operations on doubles that IEEE 754 rounds alike everywhere, no logarithm."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Protocol

from attrs import frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.catalog import fault
from rulekit.engine.kernel.scoring import manifest_of, victory_name
from rulekit.engine.search.line_memory import Kept, Lines
from rulekit.runtime import intrinsics
from rulekit.runtime.code import Code
from rulekit.runtime.intrinsics import Layers, mix
from rulekit.runtime.program import Program
from rulekit.runtime.search_constants import (
    ADD,
    BETTER,
    EXPLORE,
    LEAVE,
    LINE,
    LONGEST,
    NODES,
    NUMBER,
    PASS,
    SECOND,
    SHARE,
    TRAITS,
    TRIED,
    UTMOST,
    WHOLE,
    WIDTH,
    sorts,
)
from rulekit.runtime.slots import COUNTER, LAYERS, PC, SCRIPT, SEED, WINNER


@frozen
class Aims:
    """What a side plays for. `total`: the index of the total whose lead counts, -1: none does;
    `scale`: the growth of it that is worth half a win; `stretch`: the number of the decision before
    which a visit may end, 0: it goes on to the end of the game.
    """

    total: int
    scale: float
    stretch: int
    sides: int


def aims(program: Program) -> Aims:
    """What game.yaml says under `search`: `total` (else that of `greedy`, else the victory total),
    `scale`, `stretch` (a phase). RulekitError for a total or a phase that is named there, and is
    none that can be meant."""
    manifest = manifest_of(program)
    told = manifest.get("search") or {}
    name = str(told.get("total") or manifest.get("greedy") or victory_name(program))
    total = next(
        (
            i
            for i, t in enumerate(program.totals)
            if t.name == name
            and t.context < 0
            and [type.kind for _, type in t.params] == [program.sides]
        ),
        -1,
    )
    stretch = next(
        (
            n
            for n, d in enumerate(program.decisions)
            if n and program.procs[d.proc].name == told.get("stretch")
        ),
        0,
    )
    if "total" in told and total < 0:
        raise fault(RulekitError, "no_search_total", name=repr(name), game=program.name)
    if "stretch" in told and not stretch:
        raise fault(
            RulekitError, "no_search_stretch", name=repr(told["stretch"]), game=program.name
        )
    return Aims(
        total, float(told.get("scale", 8)), stretch, len(program.kinds[program.sides].members)
    )


@frozen
class Branch:
    """A choice that was tried: its option and who made it; how often; what it was worth to him on
    the average (-1 .. 1), and by how much his lead grew (0 where the game has no total)."""

    option: int
    side: int
    visits: int
    worth: float
    growth: float
    at: int


class Grower(Protocol):
    """A tree, grown in Python or in the native module. `failed`: its visits that ended in an error
    of the rules."""

    failed: int

    def grow(self, visits: int, only: int = 0) -> None:
        """So many visits more, in the positions in turn. `only`: the option that all of them begin
        with (0: any), where it is offered."""

    def suppose(self, positions: Sequence[Sequence[int]], later: bool = False) -> None:
        """From now on in these positions. `later`: play has come to them from the last ones, and
        the tree is kept. What it knows is by how much leads grow from where it was planted: so what
        they have grown by since then, on the average, counts as grown.
        """

    def branches(self, at: int = 0) -> list[Branch]:
        """What was tried at a node (0: the first), in the order of coming."""

    def kept(self) -> Kept | None:
        """The best line of own choices, if there is one."""

    def descend(self, at: int, own: bool = True) -> None:
        """A node becomes the first; the rest is forgotten. `own`: is it a choice of who was asked
        at the first?"""


class Base:
    """From which leads visits count. `grown`: by how much those of each side have grown since the
    tree was planted."""

    def __init__(self, sides: int) -> None:
        self.grown, self._means = [0.0] * sides, [0.0] * sides

    def of(self, found: Sequence[Sequence[float]], later: bool) -> list[list[float]]:
        """For the leads in each position supposed, from which its visits count."""
        means = [sum(side) / len(found) for side in zip(*found, strict=True)]
        if later:
            self.grown = [
                grown + now - before
                for grown, now, before in zip(self.grown, means, self._means, strict=True)
            ]
        self._means = means
        return [
            [lead - grown for lead, grown in zip(each, self.grown, strict=True)] for each in found
        ]


def principal(tree: Grower, branch: Branch) -> tuple[int, ...]:
    """The choices of a side, from a branch on, that were visited most, as long as there are enough
    visits to tell."""
    line, at = [branch.option], branch.at
    while len(line) < LINE:
        most = max(tree.branches(at), key=lambda each: each.visits, default=None)
        if most is None or most.visits < TRIED:
            break
        line += [most.option] if most.side == branch.side else []
        at = most.at
    return tuple(line)


class Tree:
    """The tree in Python. Of each node: key (option and side), worth, visits, how often it was
    offered, first child, next sibling, growth of the lead."""

    def __init__(self, program: Program, seed: int, given: Aims | None = None) -> None:
        self.program, self.code = program, program.code("fast")
        self.aims = given if given is not None else aims(program)
        self._sorts, self._seed = sorts(program.families, program.options), seed & intrinsics._M64
        self._traits = [0.0] * TRAITS, [1] * TRAITS
        self._visits = self.failed = self._only = 0
        self._positions: list[list[int]] = []
        self._leads: list[list[float]] = []
        self._base = Base(self.aims.sides)
        self._clear()
        self._lines = Lines()

    def _clear(self) -> None:
        self._key, self._worth, self._count, self._offered = [0], [0.0], [0], [0]
        self._first, self._next, self._growth = [0], [0], [0.0]

    # -------------------------------------------------------------------------------- what is asked
    def suppose(self, positions: Sequence[Sequence[int]], later: bool = False) -> None:
        """From now on in these positions."""
        self._positions = [list(each) for each in positions]
        self._leads = self._base.of([self._lead(each) for each in self._positions], later)

    def branches(self, at: int = 0) -> list[Branch]:
        """What was tried at a node, in the order of coming."""
        found, sides, child = [], self.aims.sides, self._first[at]
        while child:
            count = self._count[child]
            found.append(
                Branch(
                    self._key[child] // sides,
                    self._key[child] % sides,
                    count,
                    self._worth[child] / max(count, 1),
                    self._growth[child] / max(count, 1),
                    child,
                )
            )
            child = self._next[child]
        return found[::-1]

    def kept(self) -> Kept | None:
        """The best line of own choices, if there is one."""
        return self._lines.kept

    def descend(self, at: int, own: bool = True) -> None:
        """A node becomes the first."""
        if own:
            self._lines.descend(self._key[at] // self.aims.sides)
        self._worth[0], self._growth[0] = self._worth[at], self._growth[at]
        for column in (self._key, self._count, self._offered, self._first, self._next):
            column[0] = column[at]

    def grow(self, visits: int, only: int = 0) -> None:
        """So many visits more. One that ends in an error of the rules counts for nothing: the
        position cannot be."""
        self._only = only
        for _ in range(visits):
            try:
                self._visit()
            except (RulekitError, ArithmeticError, LookupError, ValueError):
                self.failed += 1
            self._visits += 1

    # -------------------------------------------------------------------------------- a visit
    def _visit(self) -> None:
        here = self._visits % len(self._positions)
        s, code, sides = self._positions[here][:], self.code, self.aims.sides
        seed = mix(self._seed, self._visits)
        s[SEED], s[COUNTER], s[SCRIPT], s[LAYERS] = seed, 0, 0, None  # type: ignore[call-overload]
        self._chance, self._drawn = mix(seed, intrinsics.CHOICES), 0
        self._whole = self._random() % SHARE < WHOLE
        me, lines = code.who(s), self._lines if self.aims.stretch and not self._only else None
        if lines:
            lines.begin(self._visits, self._random())
        path, made, node, inside, stretches = [0], list[tuple[int, int]](), 0, True, 0
        worth, growth = [0.0] * sides, [0.0] * sides
        for step in range(LONGEST):
            if s[PC] <= 0:
                break
            if step and s[PC] == self.aims.stretch:
                stretches += 1
                self._add(worth, growth, s, here, SECOND if stretches == 2 else 1 - SECOND)
                if stretches == 2:
                    break
            layers, who = code.layers(s), code.who(s)
            total = intrinsics.count(layers)
            if total == 1:
                code.apply(s, layers[0][0] + layers[0][1].bit_length() - 1)
                continue
            own = lines if who == me and not stretches else None
            wanted = own.next(layers) if own else self._only if node == 0 else 0
            if inside:
                option, node, inside = self._choose(node, layers, total, who, wanted)
                path.append(node)
            else:
                option = wanted or self._policy(layers, total, who)
            if own:
                own.made(option)
            made.append(((option * sides + who) % TRAITS, who))
            code.apply(s, option)
        if stretches < 2:
            self._add(worth, growth, s, here, SECOND if stretches else 1.0)
        self._back(path, made, worth, growth)
        if lines:
            lines.end(self._visits, worth[me])

    def _back(
        self,
        path: Sequence[int],
        made: Sequence[tuple[int, int]],
        worth: Sequence[float],
        growth: Sequence[float],
    ) -> None:
        self._count[0] += 1
        for node in path[1:]:
            side = self._key[node] % self.aims.sides
            self._count[node] += 1
            self._worth[node] += worth[side]
            self._growth[node] += growth[side]
        sums, counts = self._traits
        for trait, who in made:
            sums[trait] += worth[who]
            counts[trait] += 1

    def _choose(
        self, node: int, layers: Layers, total: int, who: int, wanted: int
    ) -> tuple[int, int, bool]:
        """The option, its node, and whether it was there before: what is wanted (0: nothing) where
        it is offered, else the most promising child that is offered, or a new one."""
        sides, best, most, known = self.aims.sides, 0, -10.0, 0
        if wanted and intrinsics.offers(layers, wanted):
            child = self._child(node, wanted * sides + who)
            if child:
                self._offered[child] += 1
                return wanted, child, True
            if len(self._key) < NODES:
                return wanted, self._new(node, wanted * sides + who), False
        child = self._first[node]
        while child:
            option, side = divmod(self._key[child], sides)
            if side == who and intrinsics.offers(layers, option):
                known += 1
                self._offered[child] += 1
                count = self._count[child]
                value = (
                    self._worth[child] / count
                    + EXPLORE * sqrt(self._offered[child].bit_length() / count)
                    if count
                    else 9.0
                )
                if value > most:
                    best, most = child, value
            child = self._next[child]
        if (
            known < total
            and known < ceil(WIDTH * sqrt(self._count[node] + 1))
            and (len(self._key) < NODES or not best)
        ):
            option = self._policy(layers, total, who)
            child = self._child(node, option * sides + who)
            if not child:
                return option, self._new(node, option * sides + who), False
            if not best:
                best = child
        return self._key[best] // sides, best, True

    def _child(self, parent: int, key: int) -> int:
        child = self._first[parent]
        while child and self._key[child] != key:
            child = self._next[child]
        return child

    def _new(self, parent: int, key: int) -> int:
        made = len(self._key)
        self._worth.append(0.0)
        self._growth.append(0.0)
        for column, value in (
            (self._key, key),
            (self._count, 0),
            (self._offered, 1),
            (self._first, 0),
            (self._next, self._first[parent]),
        ):
            column.append(value)
        self._first[parent] = made
        return made

    # -------------------------------------------------------------------------------- below the tre
    def _random(self) -> int:
        self._drawn += 1
        return mix(self._chance, self._drawn - 1)

    def _policy(self, layers: Layers, total: int, who: int) -> int:
        """An option at random, as those who know little choose."""
        bits, of = self._random(), self._sorts
        part = bits % SHARE
        adds = [layer for layer in layers if of[layer[0]] == ADD]
        if adds and self._whole:
            return intrinsics.drawn(adds, bits)
        for base, mask in layers:
            if of[base] == LEAVE and part < PASS:
                return base
            if of[base] == NUMBER and part < UTMOST:
                return base + mask.bit_length() - 1
        option = intrinsics.drawn(layers, bits)
        bits = self._random()
        if bits % SHARE < BETTER:
            other, sides, (sums, counts) = (
                intrinsics.drawn(layers, bits),
                self.aims.sides,
                self._traits,
            )
            a, b = (option * sides + who) % TRAITS, (other * sides + who) % TRAITS
            if sums[b] / counts[b] > sums[a] / counts[a]:
                return other
        return option

    # -------------------------------------------------------------------------------- what it was w
    def _lead(self, s: list[int]) -> list[float]:
        return leads(self.code, self.aims, s)

    def _add(
        self, worth: list[float], growth: list[float], s: list[int], here: int, weight: float
    ) -> None:
        """What the position is worth to each side."""
        grown = [
            lead - before for lead, before in zip(self._lead(s), self._leads[here], strict=True)
        ]
        for side, each in enumerate(grown):
            growth[side] += weight * each
        if s[PC] <= 0:
            for side in range(self.aims.sides):
                worth[side] += 0.0 if s[WINNER] < 0 else weight if s[WINNER] == side else -weight
            return
        for side, each in enumerate(grown):
            worth[side] += weight * (each / (self.aims.scale + abs(each)))


def leads(code: Code, aims: Aims, slots: list[int]) -> list[float]:
    """By how much each side is ahead of the best other one, in a position or when the game is over;
    0 where there is no total."""
    if aims.total < 0:
        return [0.0] * aims.sides
    totals = [code.total(slots, aims.total, [side]) for side in range(aims.sides)]
    return [
        float(own - max((x for i, x in enumerate(totals) if i != side), default=0))
        for side, own in enumerate(totals)
    ]
