"""A value that holds in only one determinization is not shown. If a value has too many
possibilities to try, nothing that depends on it is shown."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from attrs import evolve

import rulekit
from rulekit import Seat
from rulekit.engine.kernel.undo_barrier import barrier, stop
from rulekit.presentation.odds import Change, OddsResult, _in_all
from rulekit.runtime.slots import (
    CHANGED,
    DIE_ROLLED,
    DRAWN,
    FINISHED,
    REVEALED,
    ROLL_CANCELLED,
    SCOPE_ENDED,
)
from tests.small_games import write_game

RULES = """
state men(s: Side): 0..3 = 1 seen by s
state horses(s: Side): 0..99 = 7 seen by s
state score(s: Side): 0..200
total vp(s: Side): int
  base score(s)
event paid(s: Side)
  score(s) += 5
event counted(s: Side)
  score(s) += men(s.enemy)
event looked(s: Side)
  score(s) += horses(s.enemy)
event guessed(s: Side)
  score(s) += horses(s.enemy) if men(s.enemy) = 1 else 5
phase main
  choose by red "what"
    option fee
      paid(red)
      paid(blue)
    option count_men
      paid(blue)
      counted(red)
    option count_horses
      looked(red)
    option guess
      guessed(red)
  finish none, drawn
"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> rulekit.State:
    return rulekit.load(write_game(tmp_path_factory.mktemp("unsure"), RULES)).new(seed=1)


def test_points_that_are_so_in_one_deal_only_are_not_told(state: rulekit.State) -> None:
    """In this plan blue's points are certain, and red's depend on the number of blue's men."""
    (sure,) = Seat(state, "red").preview(["fee"]).results
    assert sure.points == {"red": 5, "blue": 5} and not sure.hidden
    way = Seat(state, "red").preview(["count_men"])
    assert not way.hidden
    (result,) = way.results
    assert (result.points, result.hidden, result.end) == ({"blue": 5}, True, "hidden")


@pytest.mark.parametrize("key", ["count_horses", "guess"])
def test_a_preview_of_what_was_not_tried_is_hidden(state: rulekit.State, key: str) -> None:
    """There may be more horses than are tried. If only some positions read them, the others are not
    shown either."""
    way = Seat(state, "red").preview([key])
    assert way.hidden and way.results == ()
    (told,) = Seat(state, "red").odds(key).ways
    assert told.hidden or all(result.hidden and not result.points for result in told.results)


def test_what_is_so_in_all_of_them_is_told() -> None:
    """This is decided for each change and each side's points. The rest is hidden."""
    moved, weak, lost = (
        Change("zone", "p1", "camp", "ford"),
        Change("weak", "p1", False, True),
        Change("zone", "p2", "camp", None),
    )
    one = OddsResult(
        Fraction(1), (), "decision", changes=(moved, weak), points={"red": 1, "blue": 2}
    )
    other = OddsResult(
        Fraction(1), (), "decision", changes=(moved, lost), points={"red": 1, "blue": 3}
    )
    agreed = _in_all([one, other])
    assert (agreed.changes, agreed.points, agreed.hidden, agreed.end) == (
        (moved,),
        {"red": 1},
        True,
        "hidden",
    )
    assert _in_all([one, one]) == one
    crowded = [evolve(each, further=lost) for each, lost in ((one, 3), (other, 1))]
    assert _in_all(crowded).further == 1 and _in_all(crowded[::-1]).further == 1, (
        "so many are lost whichever it is"
    )
    assert _in_all([one, one, other]) == _in_all([other, one, one])


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ((DIE_ROLLED, 0, 0, 3), "die_was_rolled"),
        ((ROLL_CANCELLED, 0, 0, 3), "die_was_rolled"),
        ((DRAWN, 0, 0, 0, 0, 1), "was_drawn"),
        ((REVEALED, 0, 1), "was_revealed"),
        ((CHANGED, 0, 0, 1), ""),
        ((SCOPE_ENDED, 0), ""),
        ((FINISHED, 0, 0), ""),
    ],
)
def test_what_was_rolled_drawn_or_revealed_cannot_be_taken_back(
    state: rulekit.State, record: tuple[int, ...], why: str
) -> None:
    """Each of these records suffices, whatever event it belongs to."""
    program = state.table.program
    assert barrier(program, [(CHANGED, 0, 0, 1), record], 0) == why
    assert stop(program, [record, (CHANGED, 0, 0, 1)], 0) == ((0, why) if why else (-1, ""))
    assert barrier(program, [record], 1) == ""


LATER = """
state men(s: Side): 0..3 = 1 seen by s
event hit(s: Side)
event reinforced(s: Side)
  men(s) += 1
menu blows in main
phase main
  choose by red "what"
    option go
    option wait
      reinforced(blue)
  choose by red from blows "then"
  finish none, drawn
action strike in blows "Strike"
  when men(blue) >= 2 "too few"
  hit(red)
action stay in blows "Stay"
"""


def test_what_will_be_offered_by_a_secret_is_not_foreseen(tmp_path: Path) -> None:
    """Red's option to strike depends on blue's men (check warns of such rules). Until red decides,
    nothing reveals it."""
    told = []
    for men in (1, 2):
        state = rulekit.load(write_game(tmp_path, LATER)).new(seed=1)
        state.set("men.blue", men)
        seat = Seat(state, "red")
        told.append(
            (
                seat.preview(["go", "strike"]),
                seat.preview(["go", "stay"]),
                seat.forecast(["go", "strike"]),
            )
        )
    assert told[0] == told[1]
