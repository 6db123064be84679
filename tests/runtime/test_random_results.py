"""Edge cases of the functions that emitted code calls: scripted results, random members of a
set."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulekit.common.errors import RulesError
from rulekit.runtime.intrinsics import draw, nth, roll, script, scripted
from rulekit.runtime.slots import COUNTER, FIRST_SLOT, SCRIPT, SEED


def slots(*results: int) -> list[int]:
    s = [0] * FIRST_SLOT
    s[SCRIPT], s[SEED] = script(results), 7
    return s


@pytest.mark.parametrize(("number", "faces"), [(1, 6), (2, 6), (3, 4), (1, 20)])
def test_a_scripted_roll_is_one_that_the_dice_can_show(number: int, faces: int) -> None:
    for value in (number, number * faces):
        s = slots(value)
        assert roll(s, number, faces) == value and not scripted(s) and s[COUNTER] == 0, (
            "no die is used up"
        )
    for value in (number - 1, number * faces + 1):
        with pytest.raises(RulesError, match=f"{value} cannot be rolled with {number}d{faces}"):
            roll(slots(value), number, faces)


def test_the_script_is_used_up_in_order_and_dice_come_after_it() -> None:
    s = slots(2, 5)
    assert [roll(s, 1, 6), roll(s, 1, 6)] == [2, 5]
    assert 1 <= roll(s, 1, 6) <= 6 and s[COUNTER] == 1


def test_a_scripted_draw_is_of_what_is_there() -> None:
    assert draw(slots(70), 1 << 70 | 1) == 70
    for member in (1, 69, 71):
        with pytest.raises(RulesError, match="is not there to be drawn"):
            draw(slots(member), 1 << 70 | 1)


@given(st.sets(st.integers(0, 300), min_size=1))
def test_each_member_of_a_set_has_its_number(members: set[int]) -> None:
    mask = sum(1 << member for member in members)
    assert [nth(mask, k) for k in range(len(members))] == sorted(members)


@given(st.sets(st.integers(0, 200), min_size=1), st.integers(0, 1 << 63))
def test_what_is_drawn_is_a_member(members: set[int], seed: int) -> None:
    s = slots()
    s[SEED] = seed
    mask = sum(1 << member for member in members)
    for n in range(4):
        assert draw(s, mask) in members and s[COUNTER] == n + 1
