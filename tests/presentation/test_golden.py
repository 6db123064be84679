"""The observations of the seats of small games, answer by answer, as reviewed and recorded."""

from __future__ import annotations

import pytest

from rulekit import Seat
from tests.presentation.recorded_seats import GOLDEN, PLAYS, lines
from tests.presentation.seat_positions import decisions, game


@pytest.mark.parametrize("name", PLAYS)
def test_a_seat_is_told_what_is_written_down(name: str) -> None:
    """Each answer is the one in the file. `python -m tests.presentation.golden` writes the files
    again."""
    written = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    found = list(lines(name))
    for number, (is_, was) in enumerate(zip(found, written, strict=False), 1):
        assert is_ == was, f"line {number}"
    assert len(found) == len(written)


@pytest.mark.parametrize("name", ["skirmish", "secrets", "cards"])
def test_a_state_that_was_read_is_told_of_as_the_one_that_was_written(name: str) -> None:
    """No answer depends on earlier requests or computations."""
    compared = 0
    for number, (state, _) in enumerate(decisions(name, range(1), 40)):
        if number % 5 == 0:
            text, who = state.to_json(), state.current_player()
            for ask in (Seat.forecast, Seat.odds):
                again = game(name).state_from_json(text)
                assert ask(Seat(again, who)).to_json() == ask(Seat(state, who)).to_json()
            assert state.decision is not None
            for option in state.decision.options[:3]:
                again = game(name).state_from_json(text)
                assert Seat(again, who).forecast([option.key]) == Seat(state, who).forecast(
                    [option.key]
                )
                compared += 1
    assert compared
