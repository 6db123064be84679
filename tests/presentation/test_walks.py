"""Walks, groups and places in short games: the end of a path, single possibilities, and
interruptions."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit import Seat
from rulekit.engine.kernel.group_order import in_order, is_in
from rulekit.engine.knowledge.information_set import deals
from rulekit.engine.knowledge.observation import Observer
from rulekit.engine.lookahead.player_lookahead import PlayerLookahead
from rulekit.presentation.walk import Walking
from rulekit.runtime.slots import PC
from tests.presentation.priced_games import SCOUTED, SCOUTS, SKIRMISH, WAITS, new_game

TWICE = (
    SCOUTS.replace("allowance 2", "allowance 1")
    .replace(" seen by owner", "")
    .replace("entered(b1, north)", "b1.zone := none")
    .replace(
        "  walk walk_of(r1) from south by red\n",
        "  repeat 2 times\n    walk walk_of(r1) from (the r1.zone) by red\n",
    )
)


def begun(state: rulekit.State) -> PlayerLookahead:
    """Return a copy at the decision, in a determinization of red's."""
    observer = Observer(state, "red")
    return PlayerLookahead.within(observer, deals(observer)[0])


def test_a_walk_that_is_over_does_not_go_on_in_the_next(tmp_path: Path) -> None:
    """The same walk begins again at once. Its places do not belong to the first one."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace("north: {at: [2, 0]}", "north: {at: [2, 0]}, east: {at: [2, 1]}")
        + "    - {between: [north, east]}\n    - {between: [south, east]}\n"
    )
    state = new_game(tmp_path, TWICE)
    assert [reach.place for reach in Seat(state, "red").forecast().places] == ["middle", "east"]
    lookahead = begun(state)
    walking = Walking.at(lookahead)
    walking.step(walking.steps()[0])
    assert (
        walking.over
        and walking.lookahead.slots[PC] == walking.course.number
        and walking.steps() == []
    )


def test_the_end_of_a_walk_is_no_step() -> None:
    state = rulekit.load(SKIRMISH).new(seed=1)
    for key in ("march red.H1", "to wood"):
        state.apply(key)
    assert state.decision is not None and "stop" in [
        option.key for option in state.decision.options
    ]
    walking = Walking.at(begun(state))
    assert walking.stop == "stop"
    assert [walking.lookahead.key(id) for id in walking.steps()] == [
        o.key for o in state.decision.options if o.key != "stop"
    ]


def test_keys_behind_the_end_of_a_walk_are_not_taken(tmp_path: Path) -> None:
    """The given steps are made. A key after the last one is reported as refused."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace("north: {at: [2, 0]}", "north: {at: [2, 0]}, east: {at: [2, 1]}")
        + "    - {between: [south, east]}\n"
    )
    red = Seat(new_game(tmp_path, TWICE), "red")
    found = red.forecast(["to middle"])
    assert ([(r.place, r.keys) for r in found.places], found.stopped_by) == (
        [("middle", ("to middle",))],
        None,
    )
    found = red.forecast(["to middle", "to north"])
    assert (found.keys, found.places, found.stopped_by, found.refused) == (
        (),
        (),
        "key",
        "to north",
    )


ASKED = """  choose by red "what"
    option go
      walk walk_of(r1) from south by red
    option tell
      pick n from 1 .. 3 by red "how many"
"""


def test_a_walk_that_goes_on_after_ones_own_window_is_told_whole(tmp_path: Path) -> None:
    """Its first step is the only one and automatic. The window after it is passed with a key, and
    so is the next step."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace(
            "north: {at: [2, 0]}", "north: {at: [2, 0]}, east: {at: [3, 0]}, west: {at: [3, 1]}"
        )
        + "    - {between: [north, east]}\n    - {between: [north, west]}\n"
    )
    rules = SCOUTS.replace("  walk walk_of(r1) from south by red\n", ASKED)
    for old, new in WAITS.items():
        rules = rules.replace(old, new)
    red = Seat(new_game(tmp_path, rules), "red")
    found = red.forecast(["go"])
    assert {
        r.place: (r.keys, r.way, [p.amount for p in r.cost], r.may_stop)
        for r in found.places
        if r.may_stop
    } == {
        z: (("go", "pass", f"to {z}"), ("middle", "north", z), [3], True) for z in ("east", "west")
    }
    found = red.forecast(["nowhere"])
    assert (found.stopped_by, found.refused, found.leads) == ("key", "nowhere", ())
    found = red.forecast(["tell"])
    assert (found.keys, found.places, found.stopped_by) == (("tell",), (), "choice")


def test_what_may_come_between_is_told_from_the_step_on_after_which_it_comes_first(
    tmp_path: Path,
) -> None:
    """Both players have a window in the middle. The player's own is passed with a key, but only the
    keys up to the step are certain. It remains the first interruption, though a die follows in the
    north."""
    (tmp_path / "map.yaml").write_text(
        SCOUTED.replace(
            "north: {at: [2, 0]}", "north: {at: [2, 0]}, east: {at: [2, 1]}, west: {at: [3, 1]}"
        )
        + "    - {between: [middle, east]}\n    - {between: [south, west]}\n"
    )
    rules = SCOUTS
    shout = (
        "reaction shout after entered\n  for blue\n  when z = middle\n  limit 1 per game by me\n "
        " told += 1\nmovement walk_of"
    )
    changes = {
        "allowance 2": "allowance 4\n  may end when z != middle",
        "    entered(p, z)\nsetup": (
            "    entered(p, z)\n    if z = north\n      roll d = d6 by red for luck\n      told :="
            " d\nsetup"
        ),
    }
    for old, new in (WAITS | changes).items():
        rules = rules.replace(old, new)
    found = (
        Seat(new_game(tmp_path, rules.replace("movement walk_of", shout)), "red").forecast().places
    )
    assert {
        r.place: (r.keys, r.stopped_by, r.sure, r.may_stop) for r in found if r.place != "middle"
    } == {
        "west": (("to west",), None, 1, True),
        "east": (("to middle", "pass", "to east"), "window", 1, True),
        "north": (("to middle", "pass", "to north"), "window", 1, None),
    }


PLACED = """
kind Zone
kind Way joins Zone
kind Scout = z1(red) | a1(red) | m1(red)
  fixed owner: Side
  state zone: Zone?
  state sent: bool
event sent_to(g: set Scout, z: Zone)
  each p in g
    p.zone := z
event waited
  a1.sent := true
moment rest asks blue
reaction shout at rest
  limit 1 per game by me
  waited
phase main
  choose by red "begin"
    option begin
      open rest
      choose by red "how"
        option far
          pick z from Zone by red "where to"
          sent_to({z1}, z)
  choose by red "again"
    option place
      pick z from Zone by red "where to"
      sent_to({z1}, z)
    option stay
      finish red, win
  finish red, win
"""


def test_places_that_are_asked_about_are_told_with_what_comes_between(tmp_path: Path) -> None:
    """Blue may shout after the first key, so only that is certain. Without an interruption all keys
    are."""
    (tmp_path / "map.yaml").write_text(SCOUTED)
    state = new_game(tmp_path, PLACED)
    begun = Seat(state, "red").forecast(["begin", "far"])
    assert [(reach.place, reach.keys, reach.stopped_by, reach.sure) for reach in begun.places] == [
        (place, ("begin", "far", f"pick {place}"), "window", 1)
        for place in ("south", "middle", "north")
    ]
    for key in ("begin", "pass", "far"):
        state.apply(key)
    asked = Seat(state, "red").forecast([])
    assert [(reach.place, reach.keys, reach.stopped_by, reach.sure) for reach in asked.places] == [
        (place, (f"pick {place}",), None, 1) for place in ("south", "middle", "north")
    ]


def test_things_come_in_the_order_of_the_data(tmp_path: Path) -> None:
    """That is not the order of their names. Other keys stay where they were."""
    (tmp_path / "map.yaml").write_text(SCOUTED)
    state = new_game(tmp_path, PLACED)
    assert in_order(state.names, ["begin", "add m1", "add a1", "add z1", "go"]) == [
        "begin",
        "add z1",
        "add a1",
        "add m1",
        "go",
    ]


GROUPED = """
kind Scout = z1(red) | a1(red) | m1(red)
  fixed owner: Side
  state sent: bool
event went(g: set Scout)
  each p in g
    p.sent := true
phase main
  pick group g from Scout by red "who goes", 1 to 3 while z1 in g and (count(g) = 1 or a1 in g)
  went(g)
  choose by red "and then"
    option depart
      finish red, win
"""


def test_what_came_into_a_group_by_itself_is_no_failure_of_a_plan(tmp_path: Path) -> None:
    """The group must begin with the first, which is in it automatically."""
    state = new_game(tmp_path, GROUPED)
    slots, info = state.slots[:], state.table.program.decisions[state.slots[PC]]
    for group, found in ((0b001, "z1"), (0b010, "a1"), (0b100, "m1"), (0b000, "")):
        slots[info.group_slot] = group
        assert [
            name for name in ("z1", "a1", "m1") if is_in(state.table.book, slots, f"add {name}")
        ] == ([found] if found else [])
    lookahead = Seat(state, "red").forecast(["add z1", "add a1", "go"])
    assert (lookahead.keys[:1], lookahead.stopped_by, lookahead.refused) == (
        ("add a1",),
        "choice",
        None,
    )
    done = Seat(state, "red").plan(["add z1", "add a1", "go", "depart"])
    assert done.stopped_by is None and done.rest == ()


SHOWN = """pool hand(s: Side) of Card seen by s
pool cup of Card
pool spent of Card
setup
  put ace in hand(red)
  put king in cup
"""


def test_a_forecast_ends_where_something_is_shown(tmp_path: Path) -> None:
    """On the way to the north something known only to red is revealed, and on the way to the south
    something public."""
    (tmp_path / "map.yaml").write_text(SCOUTED)
    rules = (
        SCOUTS.replace(" seen by owner", "")
        .replace("from south by", "from middle by")
        .replace("entered(r1, south)", "entered(r1, middle)")
    )
    rules = (
        rules.replace("allowance 2", "allowance 1")
        .replace("\nkind Zone\n", "\nkind Card = ace | king\nkind Zone\n")
        .replace("setup\n", SHOWN)
    )
    rules = rules.replace(
        "    entered(p, z)\n",
        "    entered(p, z)\n    put ace in spent when z = north\n    put king in spent when z ="
        " south\n",
        1,
    )
    found = Seat(new_game(tmp_path, rules), "red").forecast().places
    assert {r.place: (r.stopped_by, r.may_stop) for r in found} == {
        "north": ("reveal", None),
        "south": (None, True),
    }
