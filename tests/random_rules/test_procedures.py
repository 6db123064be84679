"""Random procedures: loops, conditions, events, dice, pools, decisions, run in the reference and in all variants step by step."""

from __future__ import annotations

import pytest

from tests.counts import cases
from tests.random_rules.batch import procedures

SIZE = 20


@pytest.mark.parametrize("seed", cases(3))
def test_random_procedures_go_the_same_way_everywhere(seed: int) -> None:
    """At each decision who is asked what, all cells and events are those of the reference; so is the first error."""
    batch = procedures(seed, SIZE)
    batch.check()
    assert len(batch.made) >= SIZE * 2 / 3
    assert batch.play(3) == []
