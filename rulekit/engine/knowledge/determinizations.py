"""Sample determinizations of the current player's information set."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from math import inf

from rulekit.common.errors import RulekitError
from rulekit.engine.kernel.position import Position
from rulekit.engine.knowledge.determinization import Lawful
from rulekit.engine.knowledge.information_set import Blind, deals
from rulekit.engine.knowledge.observation import Observer
from rulekit.runtime.slots import PC

WORLDS = 12  # the number of determinizations in one sample
TRIES = 4  # attempts for each of them


def determinize(
    state: Position,
    shown: Mapping[int, int],
    rng: random.Random,
    until: float = inf,
    ended: Callable[[], bool] = lambda: False,
) -> list[list[int]]:
    """Sample up to `WORLDS` determinizations, at least one, until the time is over.

    Each offers the same options to the same player. None holds the seed of future dice, so reseed
    before you play on.

    Args:
        shown: the options as returned by `MaskedOptions.ids`.
        until: a time of `time.perf_counter`.
        ended: returns True if the search must end soon.
    """
    observer = Observer(state, state.current_player())
    if not state.table.has_secrets:
        return deals(observer)
    found, lawful = list[list[int]](), Lawful(Blind.of(observer))
    for _ in range(WORLDS * TRIES):
        slots = lawful.sampled(rng)
        if _fits(state, slots, shown):
            found.append(slots)
        if len(found) == WORLDS or (found and (ended() or time.perf_counter() > until)):
            break
    return found or deals(observer)[:1]


def _fits(state: Position, slots: list[int], shown: Mapping[int, int]) -> bool:
    """Return True if the same player has the same options in these slots."""
    try:
        other = Position(state.table, slots)
        return (
            slots[PC] > 0
            and other.current_player() == state.current_player()
            and sorted(other.legal_actions()) == list(shown)
        )
    except RulekitError:
        return False
