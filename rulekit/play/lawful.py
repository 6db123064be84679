"""Takes a position as a viewer may suppose it before it is dealt, makes one by lot that agrees with the rules' invariants."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence

from rulekit.play.supposed import Blind, Unseen
from rulekit.play.worlds import Watched, by_slot


def sampled(blind: Blind, rng: random.Random) -> list[int]:
    """One position by lot, as `Blind.sampled` makes it, in which no more of the invariants that hold everywhere are broken than must be:
    from all values alike, of which the first that breaks the fewest is taken, one value after the other becomes any of those that it may
    be and that break no more. Nothing of it hangs on what is so in truth."""
    code = blind.viewer.state.code
    if not any(info.everywhere for info in blind.viewer.program.invariants):
        return blind.sampled(rng)
    slots = blind.dealt([rng.sample(sorted(things), len(things)) for things in blind.alike])
    tried = [value for value in blind.values if value.values]
    fewest = len(code.invariants(slots))
    for level in range(max((len(value.values or ()) for value in tried), default=0)):
        if not fewest:
            break
        there = slots[:]
        for value in tried:
            assert value.values
            value.put(there, value.values[min(level, len(value.values) - 1)])
        if (broken := len(code.invariants(there))) < fewest:
            slots, fewest = there, broken
    read = _read(slots, tried, code.invariants)
    for number, value in enumerate(tried):
        assert value.values
        if number not in read:
            value.put(slots, rng.choice(value.values))
            continue
        before = [slots[at] for at in value.slots]
        for one in rng.sample(value.values, len(value.values)):
            value.put(slots, one)
            if len(code.invariants(slots)) <= fewest:
                break
        else:
            for at, old in zip(value.slots, before, strict=True):
                slots[at] = old
    return slots


def _read(slots: list[int], values: Sequence[Unseen], work: Callable[[list[int]], object]) -> Collection[int]:
    """Which of the values are read when something is worked out."""
    watched = Watched.of(slots, by_slot(values))
    work(watched)
    return watched.found
