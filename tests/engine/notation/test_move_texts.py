"""Multi-step moves in short games: the names that count in a walk, and the part of the past in a
refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.errors import IllegalChoice
from rulekit.engine.notation.move_parser import choose
from tests.presentation.priced_games import SCOUTED, SCOUTS, SKIRMISH
from tests.small_games import write_game


@pytest.mark.parametrize("name", ["d", "e", "h", "1", "blue.F1"])
def test_in_a_walk_of_one_piece_no_part_of_its_name_stands_for_it(name: str) -> None:
    state = rulekit.load(SKIRMISH).new(seed=1)
    before = state.clone()
    with pytest.raises(IllegalChoice):
        choose(state, f"march red.H1 {name} to wood")
    assert state == before
    assert choose(state, "march red.H1 to wood") == ""


def test_where_there_is_no_reason_none_is_told() -> None:
    """A march of one is not a group, so a second name has no place in it."""
    state = rulekit.load(SKIRMISH).new(seed=1)
    with pytest.raises(IllegalChoice) as refused:
        choose(state, "march F1 H1 to ford")
    assert str(refused.value) == "'H1' cannot be added here; no part of the line was played"


NAMED = """
kind Chit = storm | spy | spring | calm | u1 | u12
state gone: 0..9
phase main
  pick group g from Chit by red "which", 1 to 3
  gone := count(g)
  choose by red "and then"
    option depart
      finish red, win
"""


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("cal sto", ["add storm", "add calm"]),
        ("spr spy", ["add spy", "add spring"]),
        ("sp calm", None),
        ("calm u", None),
        ("calm u1", ["add calm", "add u1"]),
        ("u12 cal", ["add calm", "add u12"]),
        ("calm u2", None),
    ],
)
def test_a_name_in_a_line_may_be_cut_short_where_it_is_clear(
    tmp_path: Path, line: str, keys: list[str] | None
) -> None:
    state = rulekit.load(write_game(tmp_path, NAMED)).new(seed=1)
    if keys is None:
        with pytest.raises(IllegalChoice, match="cannot be added here"):
            choose(state, line)
    else:
        choose(state, line)
        assert [option.key for option in state.choices] == keys


ARMED = NAMED.replace(
    "phase main\n",
    """phase main
  choose by red "what"
    option arms "to arms"
    option home "home"
      finish blue, win
""",
)


def test_the_words_of_an_option_may_begin_with_to(tmp_path: Path) -> None:
    """It is then a choice before the group, and not a destination."""
    state = rulekit.load(write_game(tmp_path, ARMED)).new(seed=1)
    choose(state, "to arms spy")
    assert [option.key for option in state.choices] == ["arms", "add spy"]


SENT = """
kind Zone
kind Way joins Zone
kind Scout = s1(red) | s2(red)
  fixed owner: Side
  state zone: Zone?
event sent(g: set Scout)
  each p in g
    p.zone := middle
setup
  each p in Scout
    p.zone := south
phase main
  repeat 2 times
    pick group g from Scout by red "who goes", 1 to 1
    sent(g)
    choose by red "and then"
      option depart
        finish red, win
      option stay
  finish none, drawn
"""


def test_a_refusal_speaks_of_what_the_line_did_and_of_nothing_before(tmp_path: Path) -> None:
    """A piece carried somewhere in this line can go nowhere else. One that was there already was
    carried by another line."""
    (tmp_path / "map.yaml").write_text(SCOUTED)
    state = rulekit.load(write_game(tmp_path, SENT)).new(seed=1)
    with pytest.raises(IllegalChoice, match="can only go to middle"):
        choose(state, "add s1 to north")
    for key in ("add s1", "stay"):
        state.apply(key)
    with pytest.raises(IllegalChoice) as refused:
        choose(state, "add s1 to north")
    assert "can only go" not in str(refused.value)


TWO_GROUPS = """
kind Chit = a1 | a2 | b1 | b2
  state gone: bool
phase main
  choose by red "what"
    option send
      pick group g from {a1, a2} by red "the first", 2 to 2
      pick group h from {b1, b2} by red "then", 0 to 1
      each p in h
        p.gone := true
      choose by red "and then"
        option depart
          finish red, win
    option home
  finish none, drawn
"""


def test_who_came_into_a_group_by_himself_leaves_the_next_group_open(tmp_path: Path) -> None:
    """A group without a choice is not asked for, so naming its members does not contradict the next
    one."""
    state = rulekit.load(write_game(tmp_path, TWO_GROUPS)).new(seed=1)
    choose(state, "send a1 a2")
    assert [option.key for option in state.decision.options] == ["add b1", "add b2", "go"]


def test_a_walk_that_is_over_is_told_why_it_does_not_go_on_to_the_first_place_of_the_map(
    tmp_path: Path,
) -> None:
    """The place is next to the end of the walk, so distance is not the reason."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace("north: {", "east: {at: [0, 1]}, north: {")
        + "    - {between: [south, east]}\n"
    )
    rules = SCOUTS.replace("allowance 2", "allowance 1").replace(" seen by owner", "")
    state = rulekit.load(write_game(tmp_path, rules)).new(seed=1)
    with pytest.raises(IllegalChoice) as refused:
        choose(state, "to middle to south")
    assert str(refused.value).startswith("'to south' is refused: ")
