"""Takes a position as a viewer may suppose it before it is dealt, makes ones by lot that agree with
the rules' invariants."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence

from rulekit.engine.knowledge.information_set import Blind, Unseen
from rulekit.engine.knowledge.world_enumeration import Watched, by_slot


class Lawful:
    """Positions by lot, as `Blind.sampled` makes them, in which no more of the invariants that hold
    everywhere are broken than must be. What a value could not be in one of them is not tried in the
    next ones, as long as another is left. Nothing of it hangs on what is so in truth."""

    def __init__(self, blind: Blind) -> None:
        self.blind, self._code = blind, blind.viewer.state.code
        self._holds = any(info.everywhere for info in blind.viewer.program.invariants)
        self._free = [value for value in blind.values if value.values]
        self._bound: list[
            tuple[Unseen, list[int]]
        ] = []  # those that invariants read, and what each may be by all that was found

    def sampled(self, rng: random.Random) -> list[int]:
        """One position."""
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
        """Are there more values that invariants read, now that they look at this position?"""
        read = _read(slots, self._free, self._code.invariants)
        self._bound += [
            (value, list(value.values or ())) for n, value in enumerate(self._free) if n in read
        ]
        self._free = [value for n, value in enumerate(self._free) if n not in read]
        return bool(read)

    def _begun(self, slots: list[int]) -> tuple[list[int], int]:
        """From all values alike: the first that breaks the fewest invariants, and how many these
        are."""
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
        """Each of some values becomes any of those that it may be, where no more is broken then:
        all at once, else by halves."""
        if len(bound) < 2:
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
        """One value; what it cannot be here is left out from now on, as long as another is left."""
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
    """Which of the values are read when something is worked out."""
    watched = Watched.of(slots, by_slot(values))
    work(watched)
    return watched.found
