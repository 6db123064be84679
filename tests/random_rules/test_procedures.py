"""Random procedures: loops, conditions, events, dice, pools and decisions, run in the reference and
in all variants step by step."""

from __future__ import annotations

import pytest

from tests.counts import cases
from tests.random_rules.batch import TAKES, Batch, procedures

SIZE = 20


@pytest.mark.parametrize("seed", cases(3))
def test_random_procedures_go_the_same_way_everywhere(seed: int) -> None:
    """At each decision the question, all cells and the events are those of the reference, and so is
    the first error."""
    batch = procedures(seed, SIZE)
    batch.check()
    assert len(batch.made) >= SIZE * 2 / 5
    assert batch.play(3) == []


DIFFERED = {  # each of these once ran differently in emitted code
    "what nobody reads is looked up all the same": (
        """
  let x1 = square(quarter(n))
  told(1)
"""
    ),
    "nothing to ask ends the block of the option alone": (
        """
  choose by s "what"
    option first_one "this"
      pick x1 from Zone where it = z and false by s "which"
      told(1)
  told(2)
"""
    ),
    "who rolls is worked out where nothing is recorded, too": (
        """
  roll x1 = d6 by lone(z).owner for luck
  told(x1)
"""
    ),
    "the value before it is looked whether there is such a key": (
        """
  count_of(s, n) := 1 / (n - 4) down
"""
    ),
    "a value is worked out whether there is such a cell or not": (
        """
  lone(z).weak := 1 / n down = 1
"""
    ),
    "a guard that may fail waits for those before it": (
        """
  choose by s "what"
    option first_one(x1: Zone) "this"
      when x1.burnt
      when 1 / n down = 1
      told(1)
"""
    ),
    "a pool is looked for although there is nothing to draw": (
        """
  draw 0 from cup to hand(lone(z).owner)
"""
    ),
}


def test_what_once_differed_goes_the_same_way() -> None:
    """The course, or the error, is that of the reference."""
    batch = Batch(
        1,
        len(DIFFERED),
        [f"procedure r{i}{TAKES}{text}" for i, text in enumerate(DIFFERED.values())],
    )
    batch.check()
    assert not batch.refused
    assert batch.play(20) == []


def test_a_step_that_costs_less_than_nothing_is_an_error() -> None:
    """A walk in a circle would never end."""
    movement = (
        "movement drift(s: Side)\n  over Path b from a to z\n  allowance 3 PM\n  cost 1 PM - 2 PM\n"
        "  may end when z = camp\n"
    )
    batch = Batch(1, 2, [movement, f"define e0{TAKES}: set Zone = reach drift(s) from z\n"])
    batch.check()
    assert len(batch.made) == 2, batch.refused
    assert batch.play(5) == []
