"""The later disclosure of a masked parameter or assignment to an observer: while the value exists,
and not after."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from rulekit.engine.knowledge.observation import Observer
from tests.engine.knowledge.planted_leaks import game

RULES = """
state shown(s: Side): bool
state card(s: Side): 0..9 seen by s, all when shown(s)
state mark(s: Side): 0..9 per day seen by s, all when shown(s)
event card_laid(s: Side, n: 0..9)
  card(s) := n
event card_taken(s: Side)
  card(s) := 0
event mark_made(s: Side, n: 0..9)
  mark(s) := n
event turned(s: Side)
  shown(s) := true
event hidden_again(s: Side)
  shown(s) := false
phase day(s: Side)
  mark_day(s)
phase laid(s: Side, n: 0..9)
  card(s) := n
procedure mark_day(s: Side)
  repeat at most 30
    choose by s "do"
      option lay(n: 0..9)
        card_laid(s, n)
      option put_down(n: 0..9)
        card(s) := n
      option begin(n: 0..9)
        laid(s, n)
      option note(n: 0..9)
        mark_made(s, n)
      option take
        card_taken(s)
      option turn
        turned(s)
      option cover
        hidden_again(s)
      option end
        leave
phase main
  day(x)
  day(x)
"""


def after(tmp_path: Path, *keys: str) -> list[tuple[str, object]]:
    """Return y's view of the values after these choices of x."""
    state = game(RULES, tmp_path).new(seed=1)
    for key in keys:
        state.apply(key)
    own = [
        params.get("n", params.get("value"))
        for _, params in state.view("x")["events"]
        if "n" in params
    ]
    assert "?" not in own  # the player who chose it knows it
    told = [(e.name, e.params.get("n", e.params.get("value"))) for e in rulekit_events(state)]
    return [(name, value) for name, value in told if value is not None]


def rulekit_events(state: rulekit.State) -> list[rulekit.Event]:
    return list(Observer(state, "y").events())


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (["lay 3"], [("card_laid", "?")]),
        (["lay 3", "turn"], [("card_laid", 3)]),
        (["turn", "lay 3"], [("card_laid", 3)]),
        (["lay 3", "turn", "cover"], [("card_laid", 3)]),  # a report is not taken back
        (["lay 3", "lay 4", "turn"], [("card_laid", "?"), ("card_laid", 4)]),
        (
            ["lay 3", "lay 3", "turn"],
            [("card_laid", "?"), ("card_laid", 3)],
        ),  # the report does not tell that both are the same card
        (["lay 3", "take", "turn"], [("card_laid", "?")]),
        (["lay 3", "put_down 3", "turn"], [("card_laid", "?"), ("changed", 3)]),
        (["begin 3"], [("phase_begun", "?")]),
        (["begin 3", "turn"], [("phase_begun", 3), ("changed", 3)]),
        (["begin 3", "take", "turn"], [("phase_begun", "?")]),
        (["turn", "begin 3"], [("phase_begun", 3), ("changed", 3)]),
        (["put_down 3", "turn"], [("changed", 3)]),
        (
            ["put_down 3", "take", "turn"],
            [],
        ),  # the event `take` replaced the value before it became open
        (["put_down 3", "lay 3", "turn"], [("card_laid", 3)]),
        (["note 3", "turn"], [("mark_made", 3)]),
        (
            ["note 3", "end", "turn"],
            [("mark_made", "?")],
        ),  # the state of the day has ended with the day
    ],
    ids=lambda each: ", ".join(each) if each and isinstance(each[0], str) else "",
)
def test_a_value_is_told_while_it_stands(
    keys: list[str], told: list[tuple[str, object]], tmp_path: Path
) -> None:
    found = [
        (name, value)
        for name, value in after(tmp_path, *keys)
        if name != "changed" or (isinstance(value, int) and not isinstance(value, bool))
    ]
    assert found == told


def test_an_event_is_masked_whoever_gives_it_the_value(tmp_path: Path) -> None:
    state = game(RULES.replace("phase main\n", "phase main\n  card_laid(x, 3)\n"), tmp_path).new(
        seed=1
    )
    assert {
        each: [e.params["n"] for e in Observer(state, each).events() if e.name == "card_laid"]
        for each in ("x", "y")
    } == {"x": [3], "y": ["?"]}


def test_a_mask_stands_in_the_log_and_in_what_goes_on(tmp_path: Path) -> None:
    """In sentences an unknown number has the same sign as an unknown thing."""
    state = game(RULES, tmp_path).new(seed=1)
    state.apply("lay 7")
    from rulekit.presentation.seat import Seat

    assert [line.text for line in Seat(state, "y").log() if "card" in line.text] == [
        "card laid: s x, n ?"
    ]
    assert [line.text for line in Seat(state, "x").log() if "card" in line.text] == [
        "card laid: s x, n 7"
    ]
