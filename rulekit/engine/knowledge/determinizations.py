"""Takes a state at a decision, makes positions as the player who is asked may suppose them: what he
may not know is dealt anew."""

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

WORLDS = 12  # positions at a time
TRIES = 4  # for each of them


def imagined(
    state: Position,
    shown: Mapping[int, int],
    rng: random.Random,
    until: float = inf,
    ended: Callable[[], bool] = lambda: False,
) -> list[list[int]]:
    """The slots of `WORLDS` positions, one at least, as far as the clock allows. `shown`: the
    options as `Offered.ids` tells them; he is asked the same in each position. None holds the seed
    of the dice to come: who plays on from there takes another. `until`: a time of
    `time.perf_counter`; `ended`: is it to be ended soon?"""
    viewer = Observer(state, state.current_player())
    if not state.table.has_secrets:
        return deals(viewer)
    found, lawful = list[list[int]](), Lawful(Blind.of(viewer))
    for _ in range(WORLDS * TRIES):
        slots = lawful.sampled(rng)
        if _fits(state, slots, shown):
            found.append(slots)
        if len(found) == WORLDS or (found and (ended() or time.perf_counter() > until)):
            break
    return found or deals(viewer)[:1]


def _fits(state: Position, slots: list[int], shown: Mapping[int, int]) -> bool:
    """Is the same player asked the same there?"""
    try:
        other = Position(state.table, slots)
        return (
            slots[PC] > 0
            and other.current_player() == state.current_player()
            and sorted(other.legal_actions()) == list(shown)
        )
    except RulekitError:
        return False
