"""An observer's knowledge of moves and changes: source, target and identity, then and now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.engine.knowledge.observation import Observer
from tests.engine.knowledge.hidden_games import CHITS, OBSERVERS, by_observer
from tests.small_games import write_game

TILES = """
kind Tile = t1(red) | t2(red) | t3(blue) | t4(blue)
  fixed owner: Side
  identity seen by owner, all when up
  state up: bool
state mark(a: Tile, s: Side): 0..9
state lit: bool
state gloom(s: Side): 0..9 seen by s, all when lit
pool row of Tile
pool line of Tile
pool den(s: Side) of Tile seen by s, all when lit
setup
  mark(t1, red) := 1
  gloom(red) := 1
phase main
  repeat 20 times
    choose by red "what"
      option shift
        put t1 in line
        put t3 in line
      option back
        gather line to row
      option toss
        put t1 in line
        put t1 in row
      option turn
        t1.up := not t1.up
      option show
        t1.up := true
        put t1 in line
      option toss_down
        put t1 in line
        t1.up := false
        put t1 in row
      option light
        lit := not lit
      option hide
        put t1 in den(red)
        put t2 in den(red)
      option sweep
        gather line to den(red)
      option hand_on
        put t1 in den(blue)
      option through
        put t1 in line
        put t1 in den(blue)
      option mark_it
        mark(t1, red) += 1
        mark(t1, red) += 1
      option dim
        gloom(red) += 1
  finish none, drawn
"""


@pytest.fixture(scope="module")
def tiles(tmp_path_factory: pytest.TempPathFactory) -> rulekit.Game:
    return rulekit.load(write_game(tmp_path_factory.mktemp("tiles"), TILES))


def seen(state: rulekit.State, who: str | None) -> list[Any]:
    """Return the thing of each move, and the text of each visible change."""
    events = list(Observer(state, who).events())
    return [
        f"{e.params['what']} {e.params['value']}" if e.name == "changed" else e.params["what"]
        for e in events
        if e.name in ("put", "gathered", "changed")
    ]


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (
            "shift",
            (["t1", "?"], ["?", "t3"], ["?", "?"]),
        ),  # all see both places, but only the owner sees which token moved
        (
            "shift back",
            (["t1", "?", ["t1", "?"]], ["?", "t3", ["t3", "?"]], ["?", "?", ["?", "?"]]),
        ),
        (
            "shift back turn",
            (["t1", "?", ["t1", "?"]], ["?", "t3", ["t1", "t3"]], ["?", "?", ["t1", "?"]]),
        ),  # the token is still there
        (
            "turn shift back turn",
            (["t1", "?", ["t1", "?"]], ["t1", "t3", ["t1", "t3"]], ["t1", "?", ["t1", "?"]]),
        ),  # as at that time
        (
            "turn shift sweep",
            (["t1", "?", ["t1", "?"]], ["t1", "t3", ["t1", "t3"]], ["t1", "?", ["t1", "?"]]),
        ),
        ("show", (["t1"], ["t1"], ["t1"])),
        ("turn toss", (["t1", "t1"], ["t1", "t1"], ["t1", "t1"])),
        ("toss turn", (["t1", "t1"], ["?", "t1"], ["?", "t1"])),
        ("turn toss_down", (["t1", "t1"], ["t1", "?"], ["t1", "?"])),
        ("hide", (["t1", "t2"], ["?", "?"], ["?", "?"])),
        ("turn hide", (["t1", "t2"], ["t1", "?"], ["t1", "?"])),
        (
            "hide turn",
            (["t1", "t2"], ["?", "?"], ["?", "?"]),
        ),  # the identity is open, but not the place
        ("hide turn light", (["t1", "t2"], ["t1", "?"], ["t1", "?"])),
        ("hide turn hand_on", (["t1", "t2", "t1"], ["?", "?", "t1"], ["?", "?", "?"])),
        (
            "hide turn through",
            (["t1", "t2", "t1", "t1"], ["?", "?", "t1", "t1"], ["?", "?", "t1", "t1"]),
        ),  # the token was open on the way
        ("hide through", (["t1", "t2", "t1", "t1"], ["?", "?", "?", "?"], ["?", "?", "?", "?"])),
        ("turn through", (["t1", "t1"], ["t1", "t1"], ["t1", "t1"])),
    ],
)
def test_a_thing_that_moved_is_named_to_who_saw_it_lie_and_might_know_which_it_is(
    tiles: rulekit.Game, keys: str, told: tuple[Any, ...]
) -> None:
    """They saw its source before the choice, or its target afterwards while it is there."""
    state = tiles.new(seed=1)
    for key in keys.split():
        state.apply(key)
    assert {
        who: [one for one in seen(state, who) if " " not in one] for who in OBSERVERS
    } == by_observer(told)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("", (["mark.t1.red 1", "gloom.red 1"], [], [])),
        ("mark_it", (["mark.t1.red 1", "gloom.red 1", "mark.t1.red 2", "mark.t1.red 3"], [], [])),
        (
            "turn mark_it",
            (
                ["mark.t1.red 1", "gloom.red 1", "up.t1 True", "mark.t1.red 2", "mark.t1.red 3"],
                *[["mark.t1.red 1", "up.t1 True", "mark.t1.red 2", "mark.t1.red 3"]] * 2,
            ),
        ),
        (
            "mark_it turn",
            (
                ["mark.t1.red 1", "gloom.red 1", "mark.t1.red 2", "mark.t1.red 3", "up.t1 True"],
                *[["mark.t1.red 3", "up.t1 True"]] * 2,
            ),
        ),
        (
            "dim light",
            (
                ["mark.t1.red 1", "gloom.red 1", "gloom.red 2", "lit True"],
                *[["gloom.red 2", "lit True"]] * 2,
            ),
        ),
        (
            "light light dim",
            (
                ["mark.t1.red 1", "gloom.red 1", "lit True", "lit False", "gloom.red 2"],
                *[["gloom.red 1", "lit True", "lit False"]] * 2,
            ),
        ),
    ],
)
def test_a_change_is_told_to_who_might_know_the_value_while_it_stood_and_whose_it_is(
    tiles: rulekit.Game, keys: str, told: tuple[Any, ...]
) -> None:
    """This includes the set-up. A value that ended before is not shown."""
    state = tiles.new(seed=1)
    for key in keys.split():
        state.apply(key)
    assert {who: seen(state, who) for who in OBSERVERS} == by_observer(told)


def test_a_pool_is_told_by_its_size_and_by_those_of_its_things_that_one_may_know(
    tiles: rulekit.Game,
) -> None:
    """All saw two go there from the row. Only distinguishable ones have a known identity."""
    state, found = tiles.new(seed=1), []
    for key in ("hide", "turn", "light"):
        state.apply(key)
        found.append([state.view(who)["pools"]["den"]["red"] for who in OBSERVERS])
    own, masked, opened = (
        {"size": 2, "members": members} for members in (["t1", "t2"], ["?", "?"], ["t1", "?"])
    )
    assert found == [[own, masked, masked], [own, opened, opened], [own, opened, opened]]
    assert [state.view(who)["pools"]["row"]["members"] for who in OBSERVERS] == [
        ["?", "?"],
        ["t3", "t4"],
        ["?", "?"],
    ]


def test_where_a_thing_came_from_nowhere_only_who_sees_where_it_went_is_told(
    tmp_path: Path,
) -> None:
    """The argument of a phase is named only to observers who have named it."""
    state = rulekit.load(write_game(tmp_path, CHITS)).new(seed=1)
    assert {
        who: [one for one in seen(state, who) if " " not in one] for who in OBSERVERS
    } == by_observer(
        (
            ["c1", "?", "c3", "c5", "c5", "?", "t2"],
            ["?", "c2", "c3", "c5", "c5", "c6", "t2"],
            ["?", "?", "c3", "c5", "c5", "?", "t2"],
        )
    )
    for who in OBSERVERS:
        assert [one for one in seen(state, who) if " " in one] == ["trump c1"], (
            "a value that all see"
        )
        begun = [
            event.params for event in Observer(state, who).events() if event.name == "phase_begun"
        ]
        assert begun == [
            {"phase": "main"},
            {"phase": "look", "c": "?", "many": ["?"] * 6, "s": "red"},
        ], "nobody has named it"
