"""The computations behind an event: each total once, reported by the outermost, and of a search
only those that the event names."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.explain.derivation import Derivation
from rulekit.engine.explain.event_reasons import behind, concerning
from rulekit.engine.knowledge.observation import Observer
from tests.small_games import write_game

WORKED = """
total outer(n: 1..3): int
  base odds(n)
  modifier more +middle(n)
table odds(n: 1..3) -> 0..9
  1 | 1
  2 | 4
  3 | 9
total inner(n: 0..9): int
  base n
  modifier one +1
total middle(n: 0..9): int
  base inner(n)
  modifier two +2
state told: 0..99
event fought(n: 0..99)
  told := n
event waited
  told := 0
phase main
  pick n from 1 .. 3 by red "how many"
  waited
  fought(outer(n))
  pick m from 1 .. 3 by red "how many"
  fought(inner(m))
  finish none, drawn
"""


def names(state: rulekit.State, number: int) -> list[tuple[str, dict[str, object]]]:
    return [(each.name, each.arguments) for each in behind(state, number)]


def test_a_total_inside_of_another_is_not_told_by_itself(tmp_path: Path) -> None:
    """The table look-up for it is reported too, though it has the same place in its list and the
    same argument."""
    state = rulekit.load(write_game(tmp_path, WORKED)).new(seed=1)
    state.apply("pick 2")
    number = len(state.events) - 1
    assert state.events[number].to_json() == ["fought", {"n": 9}]
    found = behind(state, number)
    assert sorted((each.name, each.value) for each in found) == [("odds", "4"), ("outer", 9)]
    [outer] = [each for each in found if each.name == "outer"]
    assert "two" in outer.text(full=True) and "one" in outer.text(full=True)


def test_each_event_has_what_was_computed_for_it(tmp_path: Path) -> None:
    """Computations for a later event are not included. The beginning has none."""
    state = rulekit.load(write_game(tmp_path, WORKED)).new(seed=1)
    begun = len(state.events)
    state.apply("pick 2")
    state.apply("pick 3")
    fought = [number for number, event in enumerate(state.events) if event.name == "fought"]
    assert [sorted(name for name, _ in names(state, number)) for number in fought] == [
        ["odds", "outer"],
        ["inner"],
    ]
    assert behind(state, begun - 1) == []
    assert state.move_number() == 2


SEARCH = """
kind Tent = t1(1) | t2(2) | t3(3) | t4(4) | t5(5)
  fixed size: 1..5
  state taken: bool
total worth(t: Tent): int
  base t.size
  modifier taken +9 when t.taken
event took(t: Tent)
  t.taken := true
phase main
  choose by red "which"
    option take(t: Tent)
      took(first(Tent by -worth(it), it = t5))
      took(t)
  finish none, drawn
"""


def test_of_a_search_only_what_the_event_names_is_told(tmp_path: Path) -> None:
    """Five were compared and the greatest was taken. Only the derivation of that one is
    reported."""
    state = rulekit.load(write_game(tmp_path, SEARCH)).new(seed=1)
    state.apply("take t2")
    took = [number for number, event in enumerate(state.events) if event.name == "took"]
    assert [state.events[number].params["t"] for number in took] == ["t5", "t2"]
    assert [(each.name, each.arguments) for each in behind(state, took[0])] == [
        ("worth", {"t": "t5"})
    ]


ABOUT = """
kind Card = c1 | c2 | c3
kind Block = b1(red) | b2(red) | b3(blue)
  fixed owner: Side
  identity seen by owner, all when open
  state open: bool
pool hand(s: Side) of Card seen by s
pool table of Card
state told: 0..99
state step: 1..2
total worth(c: Card): int
  base 3
total crowd(g: set Card): int
  base count(g)
total might(b: Block): int
  base 2
total force(g: set Block): int
  base count(g)
table odds(m: 1..2, n: 1..2) -> 0..9
  1 | 1 | 4
  2 | 1 | 5
  1 | 2 | 6
  2 | 2 | 7
table sizes(c: Card, n: 1..2) -> 0..9
  c1 | 1 | 4
  c2 | 1 | 5
  c3 | 1 | 6
  c1 | 2 | 7
  c2 | 2 | 7
  c3 | 2 | 7
event fought(n: 0..99)
  told := n
setup
  put c1 in hand(red)
  put c2 in hand(red)
  put c3 in table
phase main
  repeat 9 times
    choose by red "what"
      option a_card
        fought(worth(c1))
      option an_open_card
        fought(worth(c3))
      option cards
        fought(crowd(hand(red) + table))
      option open_cards
        fought(crowd(table))
      option a_block
        fought(might(b1))
      option blocks
        fought(force({b1, b2}))
      option a_size
        each c in hand(red)
          fought(sizes(c, step))
      option a_block_by_size
        fought(might(b1) + odds(2, step))
      option turn
        b1.open := not b1.open
      option an_open_size
        each c in table
          fought(sizes(c, step))
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("key", "name", "about", "value", "known"),
    [
        ("a_card", "worth", {"c": "c1"}, 3, False),
        ("an_open_card", "worth", {"c": "c3"}, 3, True),
        ("cards", "crowd", {"g": ["c1", "c2", "c3"]}, 3, False),
        ("open_cards", "crowd", {"g": ["c3"]}, 1, True),
        ("a_block", "might", {"b": "b1"}, 2, False),
        ("blocks", "force", {"g": ["b1", "b2"]}, 2, False),
        ("a_size", "sizes", {"c": "c2", "n": 1}, "5", False),
        ("an_open_size", "sizes", {"c": "c3", "n": 1}, "6", True),
    ],
)
def test_what_was_computed_about_a_thing_is_told_to_who_may_know_which_it_is_and_where_it_lies(
    tmp_path: Path, key: str, name: str, about: dict[str, object], value: object, known: bool
) -> None:
    """Others see only the name of a total, and nothing of a table. A player who names a card in a
    request for its value sees it."""
    state = rulekit.load(write_game(tmp_path, ABOUT)).new(seed=1)
    state.apply(key)
    for who in ("red", "blue", None):
        found = [
            (each.name, each.arguments, each.value, each.hidden)
            for each in behind(state, len(state.events) - 1, who)
        ]
        hidden = [] if name == "sizes" else [(name, {}, None, True)]
        assert found == ([(name, about, value, False)] if known or who == "red" else hidden)
        assert (
            Observer(state, who).value_of("worth", "c1")
            == state.explain("worth", "c1", observer=who).value
            == 3
        )


def test_behind_an_event_is_told_what_one_might_know_then(tmp_path: Path) -> None:
    """A block that was hidden and is now shown has no derivation, and one that was shown has all of
    it. Look-ups about hidden things are left out."""
    state = rulekit.load(write_game(tmp_path, ABOUT)).new(seed=1)
    numbers = []
    for key in ("a_block_by_size", "turn", "a_block_by_size", "turn"):
        state.apply(key)
        numbers.append(len(state.events) - 1)
        found = [
            sorted((each.name, each.hidden) for each in behind(state, number, "blue"))
            for number in numbers
        ]
        assert found[0] == [("might", True)]
        assert found[2:3] in ([], [[("might", False), ("odds", False)]])
    assert sorted((each.name, each.hidden) for each in behind(state, numbers[0], "red")) == [
        ("might", False),
        ("odds", False),
    ]


def test_what_is_hidden_from_an_observer_stands_beside_what_they_may_know() -> None:
    """A hidden entry has no arguments. In a search among many things it reveals nothing, and named
    ones remain."""
    seen = [Derivation("total", "rating", {"b": name}, 1) for name in ("r1", "r2", "r3")]
    hidden = Derivation("total", "rating", {}, None, hidden=True)
    assert concerning([hidden, *seen[:2]], set()) == [hidden, *seen[:2]]
    assert concerning([hidden, *seen], {"r2"}) == [hidden, seen[1]]


HELD = """
kind Card = ambush | storm
pool pile of Card seen by none
pool hand(s: Side) of Card seen by s
state spent: 0..9
total reserve(c: Card): int
  base 3
event paid(n: 0..9)
  spent += n
moment before_end asks blue, red
reaction play(c: Card) at before_end
  when c in hand(me)
  when reserve(c) > 2
  paid(1)
phase main
  choose by red "what"
    option go
      paid(1)
      open before_end
  finish none, drawn
"""


def test_what_somebody_may_play_in_secret_is_no_reason_of_an_event(tmp_path: Path) -> None:
    """Blue decides in any case, but their options depend on their hand. A reported total of their
    card would reveal it."""
    game = rulekit.load(write_game(tmp_path, HELD))
    told = []
    for card in ("ambush", "storm"):
        state = game.new(seed=1)
        state.set("hand.blue", [card])
        state.apply("go")
        assert state.decision is not None and [o.key for o in state.decision.options] == [
            f"play {card}",
            "pass",
        ]
        number = next(n for n, event in enumerate(state.events) if event.name == "paid")
        told.append([behind(state, number, who) for who in ("red", None)])
    assert told[0] == told[1]


PLANNED = """
kind Spot = camp | ford
state plan(s: Side): Spot? seen by s
state cost(s: Side): 0..9 seen by s
total limit(p: Spot): int
  base 3
phase main
  pick p from Spot by red "where"
  plan(red) := p
  cost(red) := limit(p)
  choose by red "what"
    option go
  finish none, drawn
"""


def test_of_an_event_that_one_does_not_see_no_reason_is_told(tmp_path: Path) -> None:
    """Red plans in secret. The place for which a total was computed would reveal the plan, though
    the place itself is not secret."""
    game = rulekit.load(write_game(tmp_path, PLANNED))
    for spot in ("camp", "ford"):
        state = game.new(seed=1)
        state.apply(f"pick {spot}")
        numbers = [n for n, event in enumerate(state.events) if event.name == "changed"]
        assert numbers
        for number in numbers:
            assert [behind(state, number, who) for who in ("blue", None)] == [[], []]
        assert any(behind(state, number, "red") for number in numbers)
