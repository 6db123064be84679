"""Random expressions over the whole language: the checker takes them or says why not, and all variants give what the reference gives."""

from __future__ import annotations

import pytest

from tests.counts import cases
from tests.random_rules.batch import Batch, definitions

SIZE = 100


@pytest.mark.parametrize("seed", cases(4))
def test_random_expressions_have_the_same_value_or_the_same_error_everywhere(seed: int) -> None:
    """Each value, and the first error where there is none, is that of the reference: in full, fast and traced, at random states."""
    batch = checked(definitions(seed, SIZE))
    assert batch.play(4) == []


def checked(batch: Batch) -> Batch:
    """Hardly anything is refused: what a test does not run it does not test."""
    batch.check()
    assert len(batch.refused) <= SIZE / 20, batch.refused[:3]
    return batch
