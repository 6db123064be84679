"""Multi-step moves in one line: names in any order, and all of the line or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.common.errors import IllegalChoice
from rulekit.engine.game.state import State
from rulekit.engine.notation.move_parser import choose, why
from rulekit.engine.testing.runner import Case, Expected, SituationStep, run
from tests.small_games import write_game

ROOT = Path(__file__).resolve().parents[3]
LARGE = ROOT / "games" / "amphipolis"


@pytest.fixture(scope="module")
def game() -> rulekit.Game:
    return rulekit.load(LARGE)


@pytest.fixture
def state(game: rulekit.Game) -> State:
    """A game with reinforcements at Thasos: two fleets, 22 units, two leaders."""
    state = game.new("cleon", 7)
    while state.decision is not None and state.decision.kind == "window":
        state.apply("pass")
    return state


def made(state: State, line: str) -> list[str]:
    before = state.move_number()
    choose(state, line)
    return [option.key for option in state.choices[before:]]


@pytest.mark.parametrize(
    "names",
    ["F1 F2 Cleon Autocles", "cleon autocles F2 F1", "F2, cleon, F1, autocles", "all", "tous"],
)
def test_a_whole_move_names_its_group_in_any_order(state: State, names: str) -> None:
    made(state, f"march {names} to M1")
    assert {state.get(f"zone.athens.{piece}") for piece in ("F1", "F2", "cleon", "autocles")} == {
        "M1"
    }


@pytest.fixture
def channel() -> State:
    """A choice before the group: Athens has activated no zone yet. Demosthenes and troops are at
    Pylos, and one ship is in the channel."""
    state = rulekit.load(ROOT / "games" / "sphacteria").new(seed=7)
    while state.decision is not None and state.decision.kind != "choose":
        state.apply("pass" if state.decision.kind == "window" else "pick 5")
    return state


@pytest.mark.parametrize(
    "line", ["activate P move H1 A1 to O", "activate P H1 A1 to O", "activate P A1 H1 to O"]
)
def test_the_choices_before_a_group_stand_in_its_line(channel: State, line: str) -> None:
    assert made(channel, line) == [
        "activate P",
        "pass",
        "move",
        "add athens.H1",
        "add athens.A1",
        "go",
        "to O",
        "pass",
        "stop",
    ]


def test_a_choice_that_only_one_option_leads_to_may_be_left_out(channel: State) -> None:
    made(channel, "activate P")
    channel.apply("pass")
    assert made(channel, "A1 H1 to O")[:3] == ["move", "add athens.H1", "add athens.A1"]


def test_a_lone_piece_that_walks_leads_into_its_walk(channel: State) -> None:
    made(channel, "activate I")
    channel.apply("pass")
    here = channel.clone()
    assert made(channel, "T1 to C") == ["move", "to C", "pass", "stop"]
    with pytest.raises(rulekit.IllegalChoice):
        choose(here, "H1 to O")


def test_a_line_may_be_nothing_but_choices(channel: State) -> None:
    assert made(channel, "activate P done") == ["activate P", "pass", "done"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "activate P Nobody to O",
            "'Nobody' cannot be chosen now: Athens is asked: Move pieces out of P Pylos",
        ),
        ("activate P to O", "'to O' cannot be chosen now"),
        ("activate P H1 H9 to O", "'H9' cannot be added here"),
        ("activate P Demosthenes to Q", "Demosthenes can only go to I North channel"),
        ("activate P H1 to Q", "Q Sphacteria, north end is not next to P Pylos"),
    ],
)
def test_a_line_of_choices_is_refused_by_its_cause(channel: State, line: str, why: str) -> None:
    before = channel.clone()
    with pytest.raises(IllegalChoice, match=why):
        choose(channel, line)
    assert channel == before


def test_names_are_shared_out_among_the_groups_of_a_move(state: State) -> None:
    assert made(state, "sail_in H3 F1 H1 to M1 to T5") == [
        "sail_in",
        "add athens.F1",
        "go",
        "add athens.H1",
        "add athens.H3",
        "go",
        "to M1",
        "pick T5",
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("march F1 H1 to M1", "'H1' cannot be added here"),
        ("march F1 F2 Nobody to M1", "'Nobody' cannot be added here"),
        ("march F1 to M1 to T21", "T21 Kerdylion is not next to M1"),
        ("march F1 to M1 at once", "'to M1 at once' is not offered here"),
    ],
)
def test_a_line_that_cannot_be_made_whole_is_not_made_at_all(
    state: State, line: str, why: str
) -> None:
    state.apply("operate_in")
    state.undo()
    before, undone = state.clone(), state._redo[:]
    with pytest.raises(IllegalChoice, match=why):
        choose(state, line)
    assert state == before
    assert state.choices == before.choices
    assert state._redo == undone


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("F2 F1", ["add athens.F1", "add athens.F2"]),
        ("2 1", ["add athens.F1", "add athens.F2"]),
        ("F1; F2", ["add athens.F1", "add athens.F2"]),
        ("add F1 cleon", ["add athens.F1", "add athens.cleon"]),
        ("F1 go", ["add athens.F1", "go"]),
        ("F1 to M1", ["add athens.F1", "go", "to M1"]),
        ("all", ["add athens.F1", "add athens.F2", "add athens.autocles", "add athens.cleon"]),
    ],
)
def test_several_are_added_in_one_line(state: State, line: str, keys: list[str]) -> None:
    state.apply("march")
    assert made(state, line)[: len(keys)] == keys


@pytest.mark.parametrize("line", ["F1 H1", "1 7", "F1 F2 go to T21"])
def test_several_are_added_or_none(state: State, line: str) -> None:
    state.apply("march")
    before = state.clone()
    with pytest.raises(IllegalChoice):
        choose(state, line)
    assert state == before


@pytest.mark.docs("situations#do")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("move H1 to T11 to T17", ""),
        ("move H1 to T11 to T17 to T13", "'move H1 to T11 to T17 to T13': "),
        ("move H1 to T11 to T12 to T17", "T12"),
        ("move H1 H7 to T11", "'H7' cannot be added here"),
        ("move H7 to T11", "'H7' cannot be added here"),
    ],
)
def test_a_situation_fails_where_a_step_of_its_line_is_not_offered(
    game: rulekit.Game, line: str, why: str
) -> None:
    case = Case(
        "a march",
        empty=True,
        set={"pa.sparta": 3},
        place={"sparta.H1": {"": "T15"}},
        phase="action_phase",
        player="sparta",
        do=[SituationStep("sparta", f"pick 3; activate T15; {line}", 7)],
        then=[Expected("zone", "sparta.H1", "T17", 9)],
    )
    outcome = run(game, case)
    assert (outcome.why == "") == (why == ""), outcome.why
    assert why in outcome.why
    assert not why or outcome.line == 7


@pytest.fixture
def ships() -> State:
    """Athens & Sparta, where a walk is of one piece."""
    state = rulekit.load(ROOT / "games" / "athens_sparta").new("war", 4242)
    while state.decision is not None and (
        state.decision.procedure != "move_phase" or state.decision.player != "athens"
    ):
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("row AtN3 to H03 to H02 to Pella", "Pella"),
        ("row AtN3 to H03 to Pella", "Pella"),
        ("row AtN3 to H02 to Pella stop", "Pella"),
    ],
)
def test_a_line_of_one_piece_may_name_the_steps_that_are_not_asked(
    ships: State, line: str, at: str
) -> None:
    """From H03 a ship may only go on to H02, and from there to Pella."""
    choose(ships, line)
    assert ships.get(f"at.athens.{line.split()[1]}") == at


@pytest.mark.parametrize(
    "line", ["row AtN3 to H03", "row AtN3 to H03 stop", "row AtN3 to H03 to H02"]
)
def test_a_line_of_one_piece_ends_where_it_says_or_is_refused(ships: State, line: str) -> None:
    before, last = ships.clone(), line.removesuffix(" stop").split()[-1]
    with pytest.raises(
        IllegalChoice, match=f"Athens navy III does not end in {last} but goes on to Pella"
    ):
        choose(ships, line)
    assert ships == before


RAID = """
kind Man = m1 | m2 | m3
  state sent: bool
state seen: 0..9
event warned(n: 0..1)
  seen += n
event gone(p: Man)
  p.sent := true
phase main
  choose by red from orders "what"
    option wait
      warned(0)
  finish none, drawn
menu orders in main
action raid() in orders
  raid_by(red)
procedure raid_by(s: Side)
  open alarm
  pick group g from Man where not sent by s "who goes", 1 to 3
  each p in g
    gone(p)
moment alarm in raid_by asks blue
reaction shout at alarm
  limit 1 per raid_by
  warned(1)
"""


@pytest.mark.parametrize("line", ["raid m1 m2 done", "raid m1 m2", "raid all"])
def test_a_line_that_waits_for_another_player_keeps_its_words(tmp_path: Path, line: str) -> None:
    """The window opens at the first option of the line, before its group is asked for."""
    state = rulekit.load(write_game(tmp_path, RAID)).new()
    left = choose(state, line, through=False)
    assert left == line.removeprefix("raid ")
    assert state.decision is not None and state.decision.kind == "window"
    state.apply("pass")
    assert choose(state, left) == ""
    assert state.result is not None or state.move_number() >= 3


def test_a_question_about_a_line_does_not_say_that_it_was_not_played(tmp_path: Path) -> None:
    state = rulekit.load(write_game(tmp_path, RAID)).new()
    [reason] = why(state, "raid m1 m9 done")
    with pytest.raises(IllegalChoice) as refused:
        choose(state, "raid m1 m9 done")
    remark = "no part of the line was played"
    assert remark in str(refused.value) and remark not in reason
    assert str(refused.value).startswith(reason)
