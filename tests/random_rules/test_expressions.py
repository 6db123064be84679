"""Random expressions over the whole language: the checker accepts or explains them, and all
variants agree with the reference."""

from __future__ import annotations

import pytest

from tests.counts import cases
from tests.random_rules.batch import TAKES, Batch, definitions

SIZE = 100


@pytest.mark.parametrize("seed", cases(4))
def test_random_expressions_have_the_same_value_or_the_same_error_everywhere(seed: int) -> None:
    """Each value, or the first error, is that of the reference: in full, fast and traced, at random
    states."""
    batch = checked(definitions(seed, SIZE))
    assert batch.play(4) == []


DIFFERED = [  # each of these once had another value in emitted code, or made invalid code
    "bool = z.gate.holder != none",
    "bool = z.gate.holder = none or q.zone.burnt",
    "bool = stronger(2 to 1, u to 4 PF)",
    "bool = t.shift(7, n) = none",
    "int = unused(1 / n down, q, b)",
    "set Side = (Side where b) where 12 / n down > 2",
    "int = sum(1 / n down of Side where b)",
    "int = count_of(s, n)",
    "int = s.bonus(n)",
    "bool = q.zone != none and fire(n, q.zone.ground) = 1",
    "bool = no(Side where b and lone(z) is foot) and b",
    "bool = 1 / n down in 2 .. 1 / n up",
    "set Grade = Grade where (true if b else no g) or it = low",
    "set Grade = Grade where (it = low if z.burnt else true if b else no g)",
    "bool = lone(chosen ?? z).weak = (the(g)).weak",
    "int = loss(n, the(Arm where b)).def",
    "bool = the(g) in (Piece where 1 / n down = 1)",
    "bool = the(g) not in units(s, the(Zone where b))",
    "set Zone = values(near(chosen) of Piece)",
]


def test_what_once_differed_is_the_same() -> None:
    """The value or the error is that of the reference."""
    batch = Batch(
        1, len(DIFFERED), [f"define e{i}{TAKES}: {text}\n" for i, text in enumerate(DIFFERED)]
    )
    batch.check()
    assert not batch.refused and batch.play(12) == []


def checked(batch: Batch) -> Batch:
    """Check a batch. Hardly anything may be refused, because only accepted declarations are
    tested."""
    batch.check()
    assert len(batch.refused) <= SIZE / 20, batch.refused[:3]
    return batch
