"""Choices that players make for hidden cells: where they are revealed, and where they are not
secret (RK740 to RK742)."""

from __future__ import annotations

import pytest

from tests.compiler.checked_rules import findings

RULES = """game chosen 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = hill | ford
kind Spy = one(red) | two(blue)
  identity seen by owner
  fixed owner: Side
  state post: Zone? seen by owner
state bid(s: Side): 0..9 seen by s
state money(s: Side): 0..99 = 50
state last: 0..9
event posted(p: Spy, z: Zone)
  p.post := z
event unmasked(p: Spy, z: Zone) reveals p
  p.post := z
event bid_made(s: Side, n: 0..9)
  bid(s) := n
event bid_told(s: Side, n: 0..9)
  bid(s) := n
  last := n
event bids_shown(r: int, b: int)
event sounded
procedure asks(s: Side)
  choose by s "what now"
    option go
    option wait
phase main
LINES
  finish none, drawn
"""
PICK = "pick n from 0..9 by red"
KEPT = "bid(red) := n"


def told(*lines: str, more: str = "") -> list[str]:
    """Return the codes of findings about secrets."""
    model, found = findings(
        RULES.replace("phase main", more + "phase main").replace(
            "LINES", "\n".join(f"  {line}" for line in lines)
        )
    )
    assert model is not None, found
    return [line[:5] for line in found if line[:4] in ("RK50", "RK51", "RK74")]


@pytest.mark.docs("language#13-hidden-information")
@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (["bid_made(red, n)"], ["RK740"]),
        ([KEPT], []),
        ([KEPT, "bids_shown(bid(red), bid(blue))"], []),
        ([KEPT, "bids_shown(n, bid(blue))"], ["RK740"]),
    ],
    ids=str,
)
def test_a_parameter_tells_what_is_chosen_and_a_cell_as_it_stands_is_meant(
    lines: list[str], codes: list[str]
) -> None:
    assert told(PICK, *lines) == codes


def test_of_what_nobody_chooses_check_says_nothing() -> None:
    """Players still see '?'."""
    assert told("bid_made(red, 3)") == []


@pytest.mark.parametrize(("event", "codes"), [("posted", ["RK740"]), ("unmasked", [])])
def test_what_is_written_for_a_thing_that_the_event_reveals_is_no_secret(
    event: str, codes: list[str]
) -> None:
    assert told("pick z from Zone by red", f"{event}(one, z)") == codes


def test_what_the_event_also_writes_where_all_see_it_is_told_there_and_not_of_the_event() -> None:
    assert told(PICK, "bid_told(red, n)") == ["RK741"]


@pytest.mark.parametrize(
    "lines",
    [
        ["last := n"],
        ["money(red) -= n"],
        ["asks(red if n > 4 else blue)"],
        ["roll d = d6 by (red if n > 4 else blue) for luck"],
        ["finish (red if n > 4 else blue), win when last > 3"],
    ],
    ids=str,
)
def test_what_all_see_is_no_secret(lines: list[str]) -> None:
    assert set(told(PICK, *lines, KEPT)) == {"RK741"}
    assert told(PICK, *lines) == []  # the choice depends on nothing secret


@pytest.mark.parametrize(
    "lines",
    [
        ["repeat n times", "  asks(blue)"],
        ["sounded when n > 4"],
        ["if n > 4", "  last := 1"],
        ["roll d = d6 by red for luck when n > 4"],
    ],
    ids=str,
)
def test_what_follows_from_it_is_public(lines: list[str]) -> None:
    assert told(PICK, *lines, KEPT) == ["RK742"]
    assert told(PICK, *lines) == []


@pytest.mark.docs("language#10-decisions")
@pytest.mark.parametrize(
    ("then", "codes"),
    [
        ("pick y from Zone where not (it = z) by red", ["RK742"]),
        ("pick y from Zone where not (it = z) by red, or none", []),
        ("pick y from Town where not (it = z.town) by red", []),
        ("pick y from Town where not (it = z.town) and not shut by red", ["RK742"]),
    ],
    ids=str,
)
def test_a_second_pick_tells_nothing_of_the_first_where_there_is_always_more_than_one(
    then: str, codes: list[str]
) -> None:
    more = (
        "kind Town = akra | bosa | cuma\n  fixed port: bool = true\n  state shut: bool\nfixed"
        " town(z: Zone): Town = akra\n"
    )
    assert told("pick z from Zone by red", then, "one.post := z", more=more) == codes
