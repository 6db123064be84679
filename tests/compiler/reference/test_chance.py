"""Random results of the reference equal those of emitted code."""

from __future__ import annotations

import random

import pytest

from rulekit.common.errors import RulesError
from rulekit.compiler.reference.chance import ReferenceChance
from rulekit.runtime import intrinsics, slots


@pytest.mark.parametrize("seed", [0, 7, 2**40 + 1])
def test_same_stream(seed: int) -> None:
    chance = ReferenceChance(seed, [5])
    state = [0] * slots.FIRST_SLOT
    state[slots.SEED], state[slots.SCRIPT] = seed, intrinsics.script([5])
    pick = random.Random(seed)
    for _ in range(200):
        if pick.random() < 0.5:
            dice = pick.randint(1, 3)
            assert chance.roll(dice, 6) == intrinsics.roll(state, dice, 6)
        else:
            things = sorted(pick.sample(range(40), pick.randint(1, 20)))
            if not chance.script:
                assert chance.draw(things) == intrinsics.draw(state, sum(1 << x for x in things))


def test_a_draw_that_is_not_there() -> None:
    with pytest.raises(RulesError, match="not there"):
        ReferenceChance(0, [3]).draw([1, 2])
