"""Forecasts: the best of several paths to a place, by rank, the choices and costs before a group,
and groups that move without a walk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import rulekit
from rulekit import Seat
from tests.presentation.priced_games import SIDES
from tests.small_games import MANIFEST

RULES = """
kind Zone
kind Way joins Zone
  fixed price: 1..9
  fixed narrow: bool
kind Scout = r1(red) | r2(red) | b1(blue) | n1(none)
  fixed owner: Side?
  state zone: Zone?
state purse(s: Side): 0..9 PA = 9
state told: 0..9
state woods: Zone?
state bay: Zone?
state swamp: Zone?
state gate: Zone?
state lake: Zone?
event entered(p: Scout, z: Zone)
  p.zone := z
event sent(p: Scout, z: Zone)
  p.zone := z
reaction wait after entered
  for red
  when z = lake
  limit 9 per game
  told += 1
reaction shout after entered
  for blue
  when z = woods or z = bay
  limit 9 per game
  told += 1
movement walk_of(g: set Scout)
  over Way w from a to z
  allowance 6 PA
  cost w.price * 1 PA
  may end when not w.narrow
  on entry
    each p in g
      entered(p, z)
    if z = swamp
      sent(r2, south)
    if z = gate
      choose by red "at the gate"
        option open_it
          told += 1
        option leave_it
          told += 2
setup
  entered(r1, south)
  entered(r2, south)
procedure marched
  pick group g from Scout where owner = red and zone = south by red "who goes"
  walk walk_of(g) from south by red
procedure carried(there: Zone)
  pick group g from Scout where owner = red and zone = south by red "who is carried"
  each p in g
    sent(p, there)
menu orders in main
action march in orders
  pays 2 PA from purse(red)
  marched
action rush in orders
  when told = 1
  pays 3 PA from purse(red)
  marched
action think in orders
  when told = 1 or told = 2
  choose by red "how"
    option slowly
      pays 1 PA from purse(red)
      marched
    option never
      told += 1
action carry in orders
  when told = 3
  pays 4 PA from purse(red)
  carried(goal)
action stay in orders
  when told = 3
  carried(south)
action fly in orders
  when told = 3
  pays 1 PA from purse(red)
  pick there from Zone by red
  sent(r1, there)
action follow in orders
  when told = 4
  pick group g from Scout where owner = red by red "who leads", 1 to 1
  walk walk_of(Scout where owner = red) from south by red
phase main
  repeat 9 times
    choose by red from orders "an order"
      option rest
        finish blue, win
  finish red, win
"""
MAP = """places:
  kind: Zone
  source: {assumed: a test}
  members: {south: {}, east: {}, west: {}, goal: {}, far: {}, deep: {}}
borders:
  kind: Way
  source: {assumed: a test}
  each: {price: 1, narrow: false}
  members:
    - {between: [south, deep], price: 5}
    - {between: [south, east]}
    - {between: [south, west]}
    - {between: [east, goal], price: EAST, narrow: THIN}
    - {between: [west, goal], price: WEST, narrow: SLIM}
    - {between: [goal, far]}
    - {between: [goal, deep], price: 2}
"""


VALUES = {"EAST": "1", "WEST": "1", "THIN": "false", "SLIM": "false"}
Made = Callable[..., rulekit.State]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Returns a state in which red marches from the south to the goal by the east or by the west.
    Names in capitals are values of the map, others are states."""

    @cache
    def loaded(text: str) -> rulekit.Game:
        folder = tmp_path_factory.mktemp("reaches")
        (folder / "map.yaml").write_text(text)
        (folder / "game.yaml").write_text(MANIFEST)
        (folder / "game.rules").write_text(SIDES + RULES)
        return rulekit.load(folder)

    def made(**given: str) -> rulekit.State:
        text = MAP
        for name, value in (VALUES | given).items():
            text = text.replace(name, value) if name in VALUES else text
        state = loaded(text).new(seed=1)
        for path in given.keys() - VALUES.keys():
            state.set(
                path.replace("__", "."), int(given[path]) if given[path].isdigit() else given[path]
            )
        return state

    return made


@pytest.mark.parametrize(
    ("given", "way", "cost", "fight", "between", "stop"),
    [
        ({"zone__b1": "east"}, "west", 2, None, None, "stop"),
        ({"zone__b1": "west"}, "east", 2, None, None, "stop"),
        ({"zone__b1": "east", "WEST": "2"}, "east", 2, ("south", "east"), None, "stop"),
        ({"woods": "east"}, "west", 2, None, None, "stop"),
        ({"woods": "west"}, "east", 2, None, None, "stop"),
        ({"woods": "east", "WEST": "2"}, "east", 2, None, "window", "stop"),
        ({"woods": "east", "zone__b1": "west"}, "east", 2, None, "window", "stop"),
        ({"woods": "west", "zone__b1": "east"}, "west", 2, None, "window", "stop"),
        ({"lake": "east"}, "west", 2, None, None, "stop"),
        ({"lake": "west"}, "east", 2, None, None, "stop"),
        ({"lake": "east", "woods": "west"}, "east", 2, None, None, "stop"),
        ({"zone__n1": "east"}, "east", 2, None, None, "stop"),
        ({"EAST": "2"}, "west", 2, None, None, "stop"),
        ({"THIN": "true", "WEST": "3"}, "west", 4, None, None, "stop"),
        ({"THIN": "true", "zone__b1": "west"}, "west", 2, ("south", "west"), None, "stop"),
        ({"THIN": "true", "SLIM": "true", "WEST": "3"}, "east", 2, None, None, ""),
    ],
)
def test_of_several_ways_to_a_place_the_best_is_told(
    game: Made,
    given: dict[str, str],
    way: str,
    cost: int,
    fight: object,
    between: str | None,
    stop: str,
) -> None:
    """The order is: a path that may stay there, the cheapest, one without a fight, one without an
    interruption, one with the fewest keys."""
    found = Seat(game(**given), "red").forecast(["march", "add r1"])
    goal = next(reach for reach in found.places if reach.place == "goal")
    assert (goal.way, goal.cost[-1].amount, goal.fight, goal.stopped_by, goal.stop) == (
        (way, "goal"),
        cost,
        fight,
        between,
        stop,
    )
    assert goal.may_stop is bool(stop)
    assert goal.sure == (4 if between else len(goal.keys))


def test_of_two_windows_on_the_way_the_first_counts(game: Made) -> None:
    """Only the keys up to the step to it are certain."""
    found = Seat(game(woods="east", bay="goal", WEST="6"), "red").forecast(["march", "add r1"])
    told = {reach.place: (reach.stopped_by, reach.sure, len(reach.keys)) for reach in found.places}
    assert (told["east"], told["goal"], told["far"]) == (
        ("window", 4, 4),
        ("window", 4, 5),
        ("window", 4, 6),
    )


def test_who_stays_behind_on_the_way_is_not_where_the_walk_ends(game: Made) -> None:
    """At its end all must be in one place, otherwise none is shown."""
    for swamp, told in (("", True), ("goal", False)):
        found = Seat(game(WEST="6", **({"swamp": swamp} if swamp else {})), "red").forecast(
            ["march", "add r1", "add r2"]
        )
        assert {"east", "goal"} <= {reach.place for reach in found.places}
        assert ("far" in {reach.place for reach in found.places}) is told
        assert "south" not in {reach.place for reach in found.places}


def test_where_something_is_asked_on_the_way_nobody_knows_whether_it_stays(game: Made) -> None:
    """The walk is shown up to there, and continued by another path."""
    found = Seat(game(gate="goal"), "red").forecast(["march", "add r1"])
    told = {reach.place: (reach.stopped_by, reach.may_stop, reach.sure) for reach in found.places}
    assert told == {
        "east": (None, True, 4),
        "west": (None, True, 4),
        "goal": ("choice", None, 5),
        "deep": (None, True, 4),
    }


def test_places_stand_by_rising_cost(game: Made) -> None:
    """This includes places where the walk may not end."""
    found = Seat(game(THIN="true", SLIM="true", WEST="3", EAST="2"), "red").forecast(
        ["march", "add r2"]
    )
    told = [(reach.place, reach.cost[-1].amount, reach.may_stop) for reach in found.places]
    assert told == [
        ("east", 1, True),
        ("west", 1, True),
        ("goal", 3, False),
        ("far", 4, True),
        ("deep", 5, True),
    ]
    assert found.left is not None and (found.left.amount, [p.amount for p in found.cost]) == (
        6,
        [2],
    )


@pytest.mark.parametrize(
    ("steps", "left"), [([], 6), (["to east"], 5), (["to east", "to goal"], 4)]
)
def test_what_is_left_is_told_after_the_steps_that_are_given(
    game: Made, steps: list[str], left: int
) -> None:
    found = Seat(game(), "red").forecast(["march", "add r1", "add r2", *steps])
    assert found.left is not None and found.left.amount == left


def test_what_leads_to_a_walk_is_paid_before_it(game: Made) -> None:
    """The option comes first, with the source of its cost, then the steps. Each place has all
    costs."""
    found = Seat(game(), "red").forecast(["add r1"])
    assert found.keys == ("march", "add r1", "go") and [(p.amount, p.of) for p in found.cost] == [
        (2, "purse.red")
    ]
    assert [[(p.amount, p.of) for p in reach.cost] for reach in found.places] == [
        [(2, "purse.red"), (n, "walk_of")] for n in (1, 1, 2, 3, 4)
    ]


@pytest.mark.parametrize(
    ("told", "keys", "leads"),
    [
        (0, ("march", "add r1", "go"), ()),
        (1, (), (("march",), ("rush",), ("think", "slowly"), ("think", "never", "march"))),
        (2, ("march", "add r1", "go"), ()),
    ],
)
def test_the_way_with_the_fewest_choices_leads_to_a_group(
    game: Made, told: int, keys: tuple[str, ...], leads: object
) -> None:
    """A longer one does not matter. If two are equally short all are listed, including longer
    ones."""
    found = Seat(game(told=str(told)), "red").forecast(["add r1"])
    assert (found.keys, found.leads, found.stopped_by, bool(found.places)) == (
        keys,
        leads,
        "several" if leads else None,
        not leads,
    )
    assert {key for way in found.leads for key in way} == set(found.steps), (
        "what each key means is told"
    )
    assert all(step.label for step in found.steps.values())


def test_who_is_named_beside_a_group_is_not_taken_for_one_who_walks_after_it(game: Made) -> None:
    """One leads and both walk. Two cannot lead."""
    seat = Seat(game(told="4"), "red")
    assert (
        seat.forecast(["follow", "add r1"]).places
        and seat.forecast(["follow", "add r1"]).refused is None
    )
    assert seat.forecast(["follow", "add r1", "add r2"]).refused == "add r2"


def test_two_choices_lead_to_a_group_where_no_one_does(game: Made) -> None:
    """Both are among the keys, with their costs."""
    state = game(told="2")
    state.set("purse.red", 1)
    found = Seat(state, "red").forecast(["add r1"])
    assert found.keys == ("think", "slowly", "add r1", "go") and [p.amount for p in found.cost] == [
        1
    ]


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        (["carry", "add r1", "go"], [("goal", ("carry", "add r1", "go"), [4])]),
        (["carry", "add r1", "add r2"], [("goal", ("carry", "add r1", "add r2"), [4])]),
        (["stay", "add r1", "go"], []),
    ],
)
def test_a_group_that_goes_without_a_walk_is_told_where_it_comes_to(
    game: Made, keys: list[str], places: object
) -> None:
    """The choices before it and their costs are included. There is no place if it stays where it
    is."""
    found = Seat(game(told="3"), "red").forecast(keys)
    assert [
        (reach.place, reach.keys, [p.amount for p in reach.cost]) for reach in found.places
    ] == places
    assert all(
        (reach.way, reach.may_stop, reach.stop, reach.sure) == ((reach.place,), True, "", len(keys))
        for reach in found.places
    )
    assert [p.amount for p in found.cost] == ([4] if places else [])


def test_places_that_are_asked_about_have_what_leads_to_them_and_its_cost(game: Made) -> None:
    found = Seat(game(told="3"), "red").forecast(["fly"])
    told = [
        (reach.place, reach.keys[:1], [p.amount for p in reach.cost], reach.sure)
        for reach in found.places
    ]
    assert told == [
        (place, ("fly",), [1], 2) for place in ("south", "east", "west", "goal", "far", "deep")
    ]


@pytest.mark.parametrize(
    ("keys", "stopped_by", "refused"),
    [
        (["rest", "add r1"], "end", None),
        (["march"], "group", None),
        (["march", "add b1"], "key", "add b1"),
        (["march", "add r1", "go", "to goal"], "key", "to goal"),
        (["march", "add r1", "to east", "stop"], "key", "stop"),
        (["marhc"], "key", "marhc"),
        ([], "choice", None),
    ],
)
def test_what_is_needed_is_told_where_there_is_no_place(
    game: Made, keys: list[str], stopped_by: str | None, refused: str | None
) -> None:
    """It is a thing for the group, or the key that is not offered."""
    found = Seat(game(), "red").forecast(keys)
    assert (found.stopped_by, found.refused) == (stopped_by, refused), found


def test_what_is_in_the_group_already_is_asked_for_once(game: Made) -> None:
    """A thing named twice is not a refused key."""
    found = Seat(game(), "red").forecast(["march", "add r1", "add r1"])
    assert (found.keys, found.stopped_by, found.places != ()) == (
        ("march", "add r1", "go"),
        None,
        True,
    )


def test_who_is_not_asked_is_told_what_stands_there(game: Made) -> None:
    """It is a window or a choice of another player."""
    state = game(woods="east")
    assert Seat(state, "blue").forecast([]).stopped_by == "choice"
    for key in ("march", "add r1", "go", "to east"):
        state.apply(key)
    assert state.decision is not None and (state.decision.player, state.decision.kind) == (
        "blue",
        "window",
    )
    assert Seat(state, "red").forecast([]).stopped_by == "window"


LINES = """
kind Zone
kind Way joins Zone
kind Scout = r1(red) | r2(red)
  fixed owner: Side
  state zone: Zone?
state told: 0..9
moment bell asks blue
reaction shout at bell
  limit 9 per game
  told += 1
moment drum asks red
reaction tap at drum
  limit 9 per game
  told += 1
event sent(p: Scout, z: Zone)
  p.zone := z
procedure group_of
  pick group g from Scout where owner = red by red "who"
  each p in g
    sent(p, south)
procedure scattered
  pick group g from Scout where owner = red by red "who"
  each p in g
    sent(p, south if p = r1 else north)
procedure rolled
  pick group g from Scout where owner = red by red "who"
  each p in g
    sent(p, south)
  roll d = d6 by red for luck
  told := d
phase main
  choose by red "first"
    option scatter
      scattered
    option roll_it
      open bell
      rolled
    option roll_only
      rolled
    option deep_down
      choose by red "second"
        option second
          choose by red "third"
            option third
              group_of
    option deeper
      open bell
      choose by red "second"
        option one
          open bell
          choose by red "third"
            option two
              told += 1
    option ring
      open bell
      group_of
    option ring_twice
      open bell
      choose by red "again"
        option again
          open bell
          group_of
    option drum_it
      open drum
      choose by red "then"
        option go_on
          group_of
    option pass_by
      told += 1
  finish red, win
"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> rulekit.State:
    folder = tmp_path_factory.mktemp("lines")
    (folder / "map.yaml").write_text(
        "places: {kind: Zone, source: {assumed: x}, members: {south: {}, north: {}}}\n"
        "borders: {kind: Way, source: {assumed: x}, members: [{between: [south, north]}]}\n"
    )
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + LINES)
    return rulekit.load(folder).new(seed=1)


@pytest.mark.parametrize(
    ("keys", "taken", "stopped_by", "refused"),
    [
        (["ring"], ("ring",), "group", None),
        (["drum_it"], ("drum_it",), "choice", None),
        (["drum_it", "go_on"], ("drum_it", "pass", "go_on"), "group", None),
        (["deep_down", "third"], ("deep_down",), "key", "third"),
    ],
)
def test_windows_are_passed_before_another_key_and_before_a_group(
    lines: rulekit.State,
    keys: list[str],
    taken: tuple[str, ...],
    stopped_by: str,
    refused: str | None,
) -> None:
    """The player's own are passed with a key. After the last key, without a further wish, none is
    passed."""
    found = Seat(lines, "red").forecast(keys)
    assert (found.keys, found.stopped_by, found.refused) == (taken, stopped_by, refused)


def test_three_choices_may_lead_to_a_group(lines: rulekit.State) -> None:
    """They are used if all other paths are longer or absent."""
    found = Seat(lines, "red").forecast(["deep_down", "add r1", "go"])
    assert found.keys == ("deep_down", "second", "third", "add r1", "go") and [
        reach.place for reach in found.places
    ] == ["south"]


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        (["scatter", "add r1", "add r2"], []),
        (["scatter", "add r2", "go"], [("north", True, None, 2)]),
        (["roll_only", "add r1", "go"], [("south", None, "die", 3)]),
        (["roll_it", "add r1", "go"], [("south", None, "window", 1)]),
    ],
)
def test_where_a_group_comes_to_is_told_where_it_is_one_place(
    lines: rulekit.State, keys: list[str], places: object
) -> None:
    """Its stay there is unknown before a die. The first interruption is shown."""
    assert [
        (r.place, r.may_stop, r.stopped_by, r.sure)
        for r in Seat(lines, "red").forecast(keys).places
    ] == places


def test_what_comes_between_first_is_told(lines: rulekit.State) -> None:
    """Blue may shout after the group's first key. A move without a walk is certain up to that."""
    for keys in (("ring", "add r1", "add r2"), ("ring_twice", "again", "add r1", "add r2")):
        (south,) = Seat(lines, "red").forecast(keys).places
        assert (south.keys, south.stopped_by, south.sure) == (keys, "window", 1)
