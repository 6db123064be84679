"""What the seats of small games are told, answer by answer, as it was looked at and written down."""

from __future__ import annotations

import pytest

from tests.seat.recorded import GOLDEN, PLAYS, lines


@pytest.mark.parametrize("name", PLAYS)
def test_a_seat_is_told_what_is_written_down(name: str) -> None:
    """Each answer is the one in the file; `python -m tests.seat.golden` writes them anew."""
    written = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    found = list(lines(name))
    for number, (is_, was) in enumerate(zip(found, written, strict=False), 1):
        assert is_ == was, f"line {number}"
    assert len(found) == len(written)
