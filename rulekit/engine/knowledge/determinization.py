"""Sample determinizations of a position that agree with the rules' invariants."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence

from rulekit.engine.knowledge.information_set import Blind, Unseen
from rulekit.engine.knowledge.world_enumeration import Watched, by_slot


class Lawful:
    """Samples determinizations like `Blind.sampled`, with as few broken invariants as possible.

    Only invariants that hold everywhere count. A value that proved impossible in one
    determinization is not tried in the next ones, as long as another is left. The result does not
    depend on the true values.
    """

    def __init__(self, blind: Blind) -> None:
        self.blind, self._code = blind, blind.observer.state.code
        self._holds = any(info.everywhere for info in blind.observer.program.invariants)
        self._free = [value for value in blind.values if value.values]
        # the values that invariants read, each with the values that have not proved impossible
        self._bound: list[tuple[Unseen, list[int]]] = []

    def sampled(self, rng: random.Random) -> list[int]:
        """Return the slots of one determinization."""
        if not self._holds:
            return self.blind.sampled(rng)
        slots, fewest = self._begun(
            self.blind.dealt(
                [rng.sample(sorted(things), len(things)) for things in self.blind.alike]
            )
        )
        while True:
            there = slots[:]
            for value in self._free:
                assert value.values
                value.put(there, value.values[int(rng.random() * len(value.values))])
            if len(self._code.invariants(there)) <= fewest or not (
                self._bind(slots) or self._bind(there)
            ):
                break
        self._settle(there, self._bound, fewest, rng)
        return there

    def _bind(self, slots: list[int]) -> bool:
        """Find more values that the invariants read in this position.

        Return True if there are any.
        """
        read = _read(slots, self._free, self._code.invariants)
        self._bound += [
            (value, list(value.values or ())) for n, value in enumerate(self._free) if n in read
        ]
        self._free = [value for n, value in enumerate(self._free) if n not in read]
        return bool(read)

    def _begun(self, slots: list[int]) -> tuple[list[int], int]:
        """Find the starting position with the fewest broken invariants, and their number.

        Each candidate gives all bound values the same index in their lists of possible values. The
        first of the best candidates wins.
        """
        read = [value for value, _ in self._bound] or self._free
        fewest = len(self._code.invariants(slots))
        for level in range(max((len(value.values or ()) for value in read), default=0)):
            if not fewest:
                break
            there = slots[:]
            for value in read:
                assert value.values
                value.put(there, value.values[min(level, len(value.values) - 1)])
            if (broken := len(self._code.invariants(there))) < fewest:
                slots, fewest = there, broken
        return slots, fewest

    def _settle(
        self,
        slots: list[int],
        bound: Sequence[tuple[Unseen, list[int]]],
        fewest: int,
        rng: random.Random,
    ) -> None:
        """Choose each value at random where this breaks no more invariants.

        All values are tried at once, and if that fails, each half by itself.
        """
        if len(bound) <= 1:
            for value, left in bound:
                self._settle_one(slots, value, left, fewest, rng)
            return
        before = [(at, slots[at]) for value, _ in bound for at in value.slots]
        for value, left in bound:
            value.put(slots, rng.choice(left))
        if len(self._code.invariants(slots)) > fewest:
            for at, old in before:
                slots[at] = old
            self._settle(slots, bound[: len(bound) // 2], fewest, rng)
            self._settle(slots, bound[len(bound) // 2 :], fewest, rng)

    def _settle_one(
        self, slots: list[int], value: Unseen, left: list[int], fewest: int, rng: random.Random
    ) -> None:
        """Choose one value at random.

        A value that is impossible here is dropped, if another is left.
        """
        before = [slots[at] for at in value.slots]
        for one in [
            *rng.sample(left, len(left)),
            *(each for each in value.values or () if each not in left),
        ]:
            value.put(slots, one)
            if len(self._code.invariants(slots)) <= fewest:
                return
            if one in left and len(left) > 1:
                left.remove(one)
        for at, old in zip(value.slots, before, strict=True):
            slots[at] = old


def _read(
    slots: list[int], values: Sequence[Unseen], work: Callable[[list[int]], object]
) -> Collection[int]:
    """Return the numbers of the values that a computation reads."""
    watched = Watched.of(slots, by_slot(values))
    work(watched)
    return watched.found
