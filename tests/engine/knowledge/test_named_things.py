"""Names in options and events, by observer: known things, things chosen by number, things that were
or are public."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulekit
from rulekit.engine.knowledge.observation import Observer
from tests.engine.knowledge.hidden_games import BLOCKS, OBSERVERS, by_observer
from tests.presentation.priced_games import changed_skirmish
from tests.small_games import write_game

NAMING = (
    BLOCKS
    + """
state leader: Block?
state purse(s: Side): 0..9 = 2 seen by s
event met(a: Block?, b: Block, s: Side)
  b.spot := hill
event massed(g: set Block)
  each b in g
    b.spot := ford
event unveiled(b: Block, other: Block) reveals b
  b.open := true
setup
  r2.open := true
  met(none, r1, red)
phase talk(n: 0..9, b: Block, s: Side, g: set Block)
  r2.spot := hill when n > 8
phase main
  repeat 20 times
    day(red)
  finish none, drawn
phase day(active: Side)
  choose by active "what"
    option meet(a: Block, b: Block) "meet {a} with {b}"
      when a != b and a in {r1, b1} and b in {r2, b2}
      met(a, b, blue)
    option alone(b: Block)
      met(none, b, red)
    option mass(b: Block)
      massed({r1, r2, b})
    option chat(b: Block)
      talk(3, b, active, {b, r2})
    option lead(b: Block)
      leader := b
    option unveil(b: Block)
      unveiled(b, r1)
    option turn
      b1.open := not b1.open
    option lift(b: Block)
      met(none, b, red)
      b.open := true
    option pay_own
      when purse(red) > 3 "too poor"
    option pay_active
      when purse(active) > 3 "too poor"
    option pay_other
      when purse(blue) > 3 "too poor"
  choose by blue "then"
    option bide(b: Block)
      met(b, r1, blue)
    option wait
"""
)


@pytest.fixture
def naming(tmp_path: Path) -> rulekit.State:
    return rulekit.load(write_game(tmp_path, NAMING)).new(seed=1)


def test_an_option_that_names_something_unknown_bears_its_number_and_what_is_known(
    naming: rulekit.State,
) -> None:
    """This is so for each unknown argument. Known ones are named, and the first option is number
    1."""
    asked = naming.view("red")["decision"]["options"]
    assert [(o["key"], o["label"], o["params"]) for o in asked[:4]] == [
        ("meet r1 r2", "meet r1 with r2", {"a": "r1", "b": "r2"}),
        ("#2", "meet r1 ?", {"a": "r1", "b": "?"}),
        ("#3", "meet ? r2", {"a": "?", "b": "r2"}),
        ("#4", "meet ? ?", {"a": "?", "b": "?"}),
    ]
    assert [o["key"] for o in asked if o["key"][:1] == "#" or o["key"].split()[0] == "alone"] == [
        "#2",
        "#3",
        "#4",
        "alone r1",
        "alone r2",
        *(f"#{n}" for n in (7, 8, 11, 12, 15, 16, 19, 20, 23, 24, 28, 29)),
    ]
    assert [o.key for o in rulekit.Seat(naming, "red").decision().options] == [
        o["key"] for o in asked
    ]
    assert {who: "options" in naming.view(who)["decision"] for who in OBSERVERS} == by_observer(
        (True, False, False)
    )


@pytest.mark.parametrize(
    ("key", "cause"),
    [
        ("meet r1 r1", "when"),
        ("meet b2 r2", "unknown"),
        ("meet r2 b2", "unknown"),
        ("meet r1 b2", "unknown"),
        ("meet b1 r2", "unknown"),
        ("meet r1 r2", None),
        ("pay_own", "when"),
        ("pay_active", "when"),
        ("pay_other", "secret"),
    ],
)
def test_a_refusal_tells_nothing_of_what_is_not_known(
    naming: rulekit.State, key: str, cause: str | None
) -> None:
    """This covers the first or last argument, offered or not, and another player's purse. The
    player's own, by name or as the active one, is explained."""
    assert [reason.cause for reason in rulekit.Seat(naming, "red").why(key)] == (
        [cause] if cause else []
    )
    assert bool(naming.why(key)) is (cause is not None)


ASKING = """
state purse(s: Side): 0..9 = 2 seen by s
moment bell asks red, blue
reaction ring at bell
  when purse(me) > 3 "too poor"
  when purse(me.enemy) > 3 "he is too poor"
  limit 1 per game by me
reaction rob at bell
  when purse(me.enemy) > 3 "he is too poor"
  limit 1 per game by me
reaction sing at bell
  limit 1 per game by me
phase main
  open bell
  finish none, drawn
"""


def test_who_is_asked_is_told_what_his_own_secrets_forbid(tmp_path: Path) -> None:
    """This holds up to the first condition that reads another player's secret."""
    state = rulekit.load(write_game(tmp_path, ASKING)).new(seed=1)
    for who in ("red", "blue"):
        assert [
            reason.cause for key in ("ring", "rob") for reason in rulekit.Seat(state, who).why(key)
        ] == ["when", "secret"]
        state.apply("pass")


def chosen(state: rulekit.State, key: str) -> None:
    """Make the choice with this key of the rules, like a player with only its number."""
    state.apply(next(o.id for o in state.decision.options if o.key == key))


def told(state: rulekit.State, who: str | None, name: str, begin: int = 0) -> list[list[Any]]:
    """Return the parameters of the events with this name, from a number on."""
    return [
        list(event.params.values())
        for event in Observer(state, who).events(begin)
        if event.name == name
    ]


@pytest.mark.parametrize(
    ("key", "event", "seen"),
    [
        ("meet r1 r2", "met", (["r1", "r2", "blue"], ["?", "r2", "blue"], ["?", "r2", "blue"])),
        ("meet r1 b2", "met", (["r1", "?", "blue"], ["?", "b2", "blue"], ["?", "?", "blue"])),
        ("meet b1 r2", "met", (["?", "r2", "blue"], ["b1", "r2", "blue"], ["?", "r2", "blue"])),
        ("alone r1", "met", ([None, "r1", "red"], [None, "?", "red"], [None, "?", "red"])),
        ("lift b2", "met", ([None, "?", "red"], [None, "b2", "red"], [None, "?", "red"])),
        ("mass b1", "massed", ([["r1", "r2", "?"]], [["r2", "b1", "?"]], [["r2", "?", "?"]])),
        ("mass r2", "massed", ([["r1", "r2"]], [["r2", "?"]], [["r2", "?"]])),
        (
            "chat r1",
            "phase_begun",
            (
                ["talk", 3, "r1", "red", ["r1", "r2"]],
                ["talk", 3, "?", "red", ["r2", "?"]],
                ["talk", 3, "?", "red", ["r2", "?"]],
            ),
        ),
        ("lead r1", "changed", (["leader", "r1"], ["leader", "?"], ["leader", "?"])),
        ("lead b1", "changed", (["leader", "?"], ["leader", "b1"], ["leader", "?"])),
        ("unveil b2", "unveiled", (["b2", "r1"], ["b2", "r1"], ["b2", "r1"])),
    ],
)
def test_a_thing_is_named_to_who_knows_it_and_to_all_if_it_is_revealed(
    naming: rulekit.State, key: str, event: str, seen: tuple[Any, ...]
) -> None:
    """It is named to those who knew it before and after the choice of any player. An empty
    place is shown to all. A number stays a number, whatever is named later."""
    begin = len(naming.events)
    chosen(naming, key)
    for later in ("bide r1", "alone r1", "bide r2", "meet r1 r2"):
        assert {who: told(naming, who, event, begin)[0] for who in OBSERVERS} == by_observer(seen)
        chosen(naming, later)
    assert {who: told(naming, who, "met")[0] for who in OBSERVERS} == by_observer(
        ([None, "r1", "red"], [None, "?", "red"], [None, "?", "red"])
    ), "the set-up"
    own = {
        who: [params for params in told(naming, who, "met", begin) if params[2] == "blue"][-2:]
        for who in OBSERVERS
    }
    strangers = [["r2", "?", "blue"], ["?", "r2", "blue"]]
    assert own == by_observer(([["r2", "r1", "blue"], ["r1", "r2", "blue"]], strangers, strangers))


def test_what_was_named_stays_named_and_what_was_a_number_stays_one(naming: rulekit.State) -> None:
    """A block is chosen by its number, then shown and chosen by its name, then hidden again."""
    begin, found = len(naming.events), list[list[str]]()
    for key in ("alone b1", "wait", "turn", "wait", "alone b1", "wait", "turn", "wait"):
        chosen(naming, key)
        found.append([b for _, b, _ in told(naming, "red", "met", begin)])
    assert found == [["?"]] * 4 + [["?", "b1"]] * 4


def test_a_number_that_is_a_key_is_no_member(tmp_path: Path) -> None:
    """A word for several members means none of them where a number is expected."""
    pieces = (
        "kind Piece\n  fixed owner: Side\n  fixed type: Type\n  fixed strength: 1..9 PF\n  state"
        " zone: Zone?\n  state marched: bool per day\n"
    )
    game = changed_skirmish(
        tmp_path / "game",
        {pieces: "", "\nstate points": f"\n{pieces}state level(k: 1..3): 0..9\nstate points"},
    )
    state = game.new(seed=1)
    assert state.table.program.kinds[-1].name == "Piece"
    for path, told in (
        ("level.F1", "'F1' is no key of 'level'; write it like level.1"),
        ("marched.F1", "'F1' may be red.F1 or blue.F1"),
    ):
        with pytest.raises(rulekit.RulekitError) as refused:
            state.get(path)
        assert str(refused.value).startswith(told)
