"""RK507, RK518, RK519: an event with a secret cell as argument reveals it, also if hooks and
reactions follow the event."""

from __future__ import annotations

import pytest

from tests.compiler.checked_rules import findings

RULES = """game bids 1
kind Side decides = x | y
state bid(s: Side): 0..3 seen by s
state shown(s: Side): 0..3
state even: 0..9
event bids_shown(a: 0..3, b: 0..3)
  shown(x) := a
  shown(y) := b
HANGS
phase main
  together each s in Side
    pick n from 0..3 by s "your bid"
    bid(s) := n
  bids_shown(bid(x), bid(y))
THEN
  finish x, win when shown(x) > shown(y) + even
  finish y, win
"""
COUNTS = "\n  even += 1"
AFTER = "on after bids_shown"
BEFORE = "on before bids_shown"
REACTION = 'reaction gloat after bids_shown "gloat"\n  limit 1 per game\n  when '
TELLING = {"RK507", "RK518", "RK519", "RK740", "RK741", "RK742"}


def told(hangs: str = "", then: str = "", event: str = "bids_shown(bid(x), bid(y))") -> set[str]:
    rules = RULES.replace("HANGS\n", f"{hangs}\n" if hangs else "").replace(
        "THEN\n", f"{then}\n" if then else ""
    )
    model, lines = findings(rules.replace("bids_shown(bid(x), bid(y))", event, 1))
    codes = {line[:5] for line in lines}
    assert codes <= TELLING and (model is not None or "RK507" in codes), lines
    return codes


@pytest.mark.parametrize(
    "hangs",
    [
        AFTER + COUNTS,
        AFTER + " when a = b" + COUNTS,
        AFTER + " when shown(x) = shown(y)" + COUNTS,
        AFTER + " when bid(x) = bid(y)" + COUNTS,
        AFTER + "\n  even := a\n  even += 1 when b > 2",
        REACTION + "a > b" + COUNTS,
        REACTION + "bid(x) > b" + COUNTS,
        BEFORE + COUNTS,
        BEFORE + COUNTS + "\n" + AFTER + " when a = b" + COUNTS,
        BEFORE + COUNTS + "\n" + REACTION + "a > b" + COUNTS,
        BEFORE + "\n  answer stop when even > 3\n" + AFTER + " when a = b" + COUNTS,
    ],
)
def test_a_value_that_the_event_names_is_no_secret_after_it(hangs: str) -> None:
    assert told(hangs) == set()


@pytest.mark.parametrize("hangs", [AFTER + COUNTS, BEFORE + COUNTS])
def test_it_is_none_where_the_rule_goes_on(hangs: str) -> None:
    assert told(hangs, "  even += 1 when bid(x) > 1") == set()


@pytest.mark.parametrize(
    ("hangs", "code"),
    [
        (BEFORE + " when a = b" + COUNTS, "RK507"),
        (BEFORE + "\n  even := a", "RK518"),
        (REACTION.replace("after", "before") + "a > b" + COUNTS, "RK519"),
    ],
)
def test_it_is_one_before_the_event(hangs: str, code: str) -> None:
    assert told(hangs) == {code}


@pytest.mark.parametrize(
    "hangs",
    [
        BEFORE + "\n  answer stop when even > 3",  # the event may be stopped
        AFTER + "\n  bid(x) := 2",  # the value differs from the reported one
        BEFORE + "\n  bid(x) := 2",
    ],
)
def test_it_is_one_where_the_event_may_not_have_told_it(hangs: str) -> None:
    assert told(hangs, "  even += 1 when bid(x) > 1") == {"RK507"}


@pytest.mark.parametrize(
    "event", ["bids_shown(max(bid(x), 1), bid(y))", "bids_shown(bid(x) if even = 0 else 0, bid(y))"]
)
def test_a_value_made_of_it_is_none_that_stands(event: str) -> None:
    assert "RK507" in told(AFTER + " when a > 1" + COUNTS, event=event)


def test_each_call_names_it() -> None:
    other = "  bid(x) := 1\n  bids_shown(min(bid(x), bid(y)), 2)"
    assert "RK507" in told(AFTER + " when a > 1" + COUNTS, other)
    assert "RK507" in told(BEFORE + COUNTS + "\n" + AFTER + " when a > 1" + COUNTS, other)
