"""Information-set Monte Carlo tree search.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012), with
open-loop nodes. A node is a sequence of choices, not a position. Each iteration begins in another
determinization with other dice, and considers only children that are offered there. The number of
children grows with the square root of the iterations (progressive widening). Below the tree,
choices are random, biased to those that did well before (move-average sampling).

An iteration ends at the end of the game, or at the search horizon that the game names. At the end
of the game its value is 1, 0 or -1. At the horizon, its value rises with the gain of each side's
lead since the root.

The native module grows the same tree, number by number (`compiler/backends/wasm/search.py`). The
arithmetic is limited to integers and the five operations on doubles that IEEE 754 rounds alike
everywhere, without logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Protocol

from attrs import frozen

from rulekit.common.errors import RulekitError
from rulekit.common.i18n.messages import _
from rulekit.engine.kernel.scoring import manifest_of, victory_name
from rulekit.engine.search.line_memory import LineMemory, RememberedLine
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

SEARCH_HORIZONS = 2  # at which a position is valued in each iteration


@frozen
class Aims:
    """The objective of the search.

    Attributes:
        total: the index of the total whose lead counts, or -1.
        scale: the lead gain that is worth half a win.
        horizon: the number of the decision at the search horizon, or 0 for the end of the game.
        sides: the number of sides.
    """

    total: int
    scale: float
    horizon: int
    sides: int


def aims(program: Program) -> Aims:
    """Read the objective from `search` in game.yaml: `total`, `scale` and `horizon` (a phase).

    The default of `total` is that of `greedy`, or else the victory total.

    Raises:
        RulekitError: the total or phase that is named there does not exist or cannot be used.
    """
    manifest = manifest_of(program)
    settings = manifest.get("search") or {}
    name = str(settings.get("total") or manifest.get("greedy") or victory_name(program))
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
    horizon = next(
        (
            n
            for n, d in enumerate(program.decisions)
            if n and program.procs[d.proc].name == settings.get("stretch")
        ),
        0,
    )
    if "total" in settings and total < 0:
        raise RulekitError(
            _(
                "game.yaml says that a searching seat plays for {name}; {game} has"
                " no such total of one player",
                name=repr(name),
                game=program.name,
            )
        )
    if "stretch" in settings and not horizon:
        raise RulekitError(
            _(
                "game.yaml says that a searching seat compares at the beginning of"
                " {name}; {game} has no such phase in which somebody is asked",
                name=repr(settings["stretch"]),
                game=program.name,
            )
        )
    return Aims(
        total, float(settings.get("scale", 8)), horizon, len(program.kinds[program.sides].members)
    )


@frozen
class TreeBranch:
    """A choice that was tried in the tree.

    Attributes:
        option: the id of the option.
        side: the side that made the choice.
        visits: the number of iterations.
        value: the average value to that side, -1 .. 1.
        lead_gain: the average gain of its lead, or 0 if the game has no total.
        at: the node of the choice.
    """

    option: int
    side: int
    visits: int
    value: float
    lead_gain: float
    at: int


class Grower(Protocol):
    """A search tree, in Python or in the native module.

    Attributes:
        failed: the number of iterations that ended in an error of the rules.
    """

    failed: int

    def iterate(self, visits: int, only: int = 0) -> None:
        """Run more iterations, in the determinizations in turn.

        Args:
            only: the option that all of them begin with if it is offered, or 0 for any.
        """

    def set_root_states(self, positions: Sequence[Sequence[int]], later: bool = False) -> None:
        """Set the determinizations of the next iterations.

        Args:
            later: True if play has advanced since the last ones and the tree is kept. The tree
                counts lead gains from the position where it was planted, so the average gain since
                then is added.
        """

    def branches(self, at: int = 0) -> list[TreeBranch]:
        """Return the choices tried at a node (0 is the root), in order of creation."""

    def kept(self) -> RememberedLine | None:
        """Return the best variation of own choices, or None."""

    def advance_root(self, at: int, own: bool = True) -> None:
        """Make a node the root and forget the rest.

        Args:
            own: True if it is a choice of the player who decides at the root.
        """


class Base:
    """The leads from which gains are counted.

    Attributes:
        grown: each side's lead gain since the tree was planted.
    """

    def __init__(self, sides: int) -> None:
        self.grown, self._means = [0.0] * sides, [0.0] * sides

    def of(self, found: Sequence[Sequence[float]], later: bool) -> list[list[float]]:
        """Return, for the leads in each determinization, the leads from which gains are counted."""
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


def principal(tree: Grower, branch: TreeBranch) -> tuple[int, ...]:
    """Return the principal variation of a side from a branch on.

    It ends where there are not enough iterations.
    """
    line, at = [branch.option], branch.at
    while len(line) < LINE:
        most = max(tree.branches(at), key=lambda each: each.visits, default=None)
        if most is None or most.visits < TRIED:
            break
        line += [most.option] if most.side == branch.side else []
        at = most.at
    return tuple(line)


class Tree:
    """The search tree in Python.

    A node has a key (option and side), its value, number of iterations, number of times offered,
    first child, next sibling and lead gain.
    """

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
        self._lines = LineMemory()

    def _clear(self) -> None:
        self._key, self._values, self._count, self._offered = [0], [0.0], [0], [0]
        self._first, self._next, self._lead_gain = [0], [0], [0.0]

    # ------------------------------------------------------------------------------------- the tree
    def set_root_states(self, positions: Sequence[Sequence[int]], later: bool = False) -> None:
        """Set the determinizations of the next iterations."""
        self._positions = [list(each) for each in positions]
        self._leads = self._base.of([self._lead(each) for each in self._positions], later)

    def branches(self, at: int = 0) -> list[TreeBranch]:
        """Return the choices tried at a node, in order of creation."""
        found, sides, child = [], self.aims.sides, self._first[at]
        while child:
            count = self._count[child]
            found.append(
                TreeBranch(
                    self._key[child] // sides,
                    self._key[child] % sides,
                    count,
                    self._values[child] / max(count, 1),
                    self._lead_gain[child] / max(count, 1),
                    child,
                )
            )
            child = self._next[child]
        return found[::-1]

    def kept(self) -> RememberedLine | None:
        """Return the best variation of own choices, or None."""
        return self._lines.kept

    def advance_root(self, at: int, own: bool = True) -> None:
        """Make a node the root."""
        if own:
            self._lines.advance_root(self._key[at] // self.aims.sides)
        self._values[0], self._lead_gain[0] = self._values[at], self._lead_gain[at]
        for column in (self._key, self._count, self._offered, self._first, self._next):
            column[0] = column[at]

    def iterate(self, visits: int, only: int = 0) -> None:
        """Run more iterations.

        One that ends in an error of the rules does not count, because its determinization is
        impossible.
        """
        self._only = only
        for __ in range(visits):
            try:
                self._visit()
            except (RulekitError, ArithmeticError, LookupError, ValueError):
                self.failed += 1
            self._visits += 1

    # --------------------------------------------------------------------------------- an iteration
    def _visit(self) -> None:
        here = self._visits % len(self._positions)
        s, code, sides = self._positions[here][:], self.code, self.aims.sides
        seed = mix(self._seed, self._visits)
        s[SEED], s[COUNTER], s[SCRIPT], s[LAYERS] = seed, 0, 0, None  # type: ignore[call-overload]
        self._chance, self._drawn = mix(seed, intrinsics.CHOICES), 0
        self._whole = self._random() % SHARE < WHOLE
        me, lines = code.who(s), self._lines if self.aims.horizon and not self._only else None
        if lines:
            lines.begin(self._visits, self._random())
        path, made, node, inside, horizons = [0], list[tuple[int, int]](), 0, True, 0
        values, lead_gain = [0.0] * sides, [0.0] * sides
        for step in range(LONGEST):
            if s[PC] <= 0:
                break
            if step and s[PC] == self.aims.horizon:
                horizons += 1
                self._add(
                    values,
                    lead_gain,
                    s,
                    here,
                    SECOND if horizons == SEARCH_HORIZONS else 1 - SECOND,
                )
                if horizons == SEARCH_HORIZONS:
                    break
            layers, who = code.layers(s), code.who(s)
            total = intrinsics.count(layers)
            if total == 1:
                first, mask = layers[0]
                code.apply(s, first + mask.bit_length() - 1)
                continue
            own = lines if who == me and not horizons else None
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
        if horizons < SEARCH_HORIZONS:
            self._add(values, lead_gain, s, here, SECOND if horizons else 1.0)
        self._back(path, made, values, lead_gain)
        if lines:
            lines.end(self._visits, values[me])

    def _back(
        self,
        path: Sequence[int],
        made: Sequence[tuple[int, int]],
        values: Sequence[float],
        lead_gain: Sequence[float],
    ) -> None:
        self._count[0] += 1
        for node in path[1:]:
            side = self._key[node] % self.aims.sides
            self._count[node] += 1
            self._values[node] += values[side]
            self._lead_gain[node] += lead_gain[side]
        sums, counts = self._traits
        for trait, who in made:
            sums[trait] += values[who]
            counts[trait] += 1

    def _choose(
        self, node: int, layers: Layers, total: int, who: int, wanted: int
    ) -> tuple[int, int, bool]:
        """Return the option, its node, and whether the node existed before.

        This is the `wanted` option (if not 0) if it is offered. Otherwise it is the most promising
        child that is offered, or a new one.
        """
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
                    self._values[child] / count
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
        self._values.append(0.0)
        self._lead_gain.append(0.0)
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

    # ---------------------------------------------------------------------- playouts below the tree
    def _random(self) -> int:
        self._drawn += 1
        return mix(self._chance, self._drawn - 1)

    def _policy(self, layers: Layers, total: int, who: int) -> int:
        """Return an option at random, in the way that unskilled players choose."""
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

    # --------------------------------------------------------------------------------------- values
    def _lead(self, slots: list[int]) -> list[float]:
        return leads(self.code, self.aims, slots)

    def _add(
        self,
        values: list[float],
        lead_gain: list[float],
        slots: list[int],
        here: int,
        weight: float,
    ) -> None:
        """Add the value of the position to each side's sum."""
        grown = [
            lead - before for lead, before in zip(self._lead(slots), self._leads[here], strict=True)
        ]
        for side, each in enumerate(grown):
            lead_gain[side] += weight * each
        if slots[PC] <= 0:
            for side in range(self.aims.sides):
                values[side] += (
                    0.0 if slots[WINNER] < 0 else weight if slots[WINNER] == side else -weight
                )
            return
        for side, each in enumerate(grown):
            values[side] += weight * (each / (self.aims.scale + abs(each)))


def leads(code: Code, aims: Aims, slots: list[int]) -> list[float]:
    """Return the lead of each side over the best other one, or 0 without a total."""
    if aims.total < 0:
        return [0.0] * aims.sides
    totals = [code.total(slots, aims.total, [side]) for side in range(aims.sides)]
    return [
        float(own - max((x for i, x in enumerate(totals) if i != side), default=0))
        for side, own in enumerate(totals)
    ]
