"""What was computed for an event: each total once, told by the outermost; of a search only what the event names."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit.play.hindsight import behind
from tests.play.test_small_rules import written

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
    """The table that was looked up for it is told too, though it stands at the same place of its list and has the same argument."""
    state = rulekit.load(written(tmp_path, WORKED)).new(seed=1)
    state.apply("pick 2")
    number = len(state.events) - 1
    assert state.events[number].to_json() == ["fought", {"n": 9}]
    found = behind(state, number)
    assert sorted((each.name, each.value) for each in found) == [("odds", "4"), ("outer", 9)]
    [outer] = [each for each in found if each.name == "outer"]
    assert "two" in outer.text(full=True) and "one" in outer.text(full=True)


def test_each_event_has_what_was_computed_for_it(tmp_path: Path) -> None:
    """Not what a later one was computed from; of the beginning there is nothing."""
    state = rulekit.load(written(tmp_path, WORKED)).new(seed=1)
    begun = len(state.events)
    state.apply("pick 2")
    state.apply("pick 3")
    fought = [number for number, event in enumerate(state.events) if event.name == "fought"]
    assert [sorted(name for name, _ in names(state, number)) for number in fought] == [["odds", "outer"], ["inner"]]
    assert behind(state, begun - 1) == []
    assert state.choices_count() == 2


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
    """Five were weighed, the greatest was taken: only why it is that great."""
    state = rulekit.load(written(tmp_path, SEARCH)).new(seed=1)
    state.apply("take t2")
    took = [number for number, event in enumerate(state.events) if event.name == "took"]
    assert [state.events[number].params["t"] for number in took] == ["t5", "t2"]
    assert [(each.name, each.arguments) for each in behind(state, took[0])] == [("worth", {"t": "t5"})]
