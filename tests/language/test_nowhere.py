"""Conditions on the place of a thing: a thing without a place meets none, and the place of another
thing proves nothing about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.small_games import assert_agreement, write_game

RULES = """
kind Zone = z1 | z2 | z3
  state lord: Side?
  state claimant: Side?
kind Piece = p1 | p2 | p3 | p4
  state zone: Zone?
  state aim: Zone?
state n: 0..9
define at(z: Zone): set Piece = Piece where zone = z
define lands(s: Side): set Zone = Zone where lord = s or claimant = s
phase main
  p1.zone := z1
  p2.zone := z2
  z1.lord := red
  z2.lord := blue
  z1.claimant := red
  z2.claimant := red
  choose by red "which"
    option take(p: Piece)
      when WHERE
      n := count(Piece where not (zone = none)) + count(lands(red))
    option stop
      n := 9
  finish none, drawn
"""


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("p.zone.lord != red", ["take p2"]),
        ("p.zone.lord != p.zone.claimant", ["take p2"]),
        ("p.zone.lord = red", ["take p1"]),
        ("not (p.zone.lord = red)", ["take p2", "take p3", "take p4"]),
    ],
)
def test_what_is_nowhere_is_in_no_place_with_another_lord(
    tmp_path: Path, where: str, found: list[str]
) -> None:
    """Places that have something, or lack it, form a set. A thing without a place is in none of
    them."""
    folder = write_game(tmp_path, RULES.replace("WHERE", where))
    asked = rulekit.load(folder).new().decision
    assert asked is not None and [o.key for o in asked.options] == [*found, "stop"]
    assert_agreement(folder, 4)


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("p.aim != none and the p.aim = z1", ["take p1"]),
        ("p.aim != none and the p.zone = z1", ["take p1"]),
        ("p.zone != none and the p.zone = z1", ["take p1"]),
        ("p.zone != none and the p.aim = z1", None),
        ("p1.aim != none and the p3.zone = z1", None),
    ],
)
def test_that_one_thing_is_there_does_not_prove_that_another_is(
    tmp_path: Path, where: str, found: list[str] | None
) -> None:
    """`None` means that play ends with the error of a missing value."""
    game = rulekit.load(
        write_game(
            tmp_path, RULES.replace("WHERE", where).replace("  z1.lord := red", "  p1.aim := z1")
        )
    )
    if found is None:
        with pytest.raises(rulekit.RulesError, match="the"):
            game.new()
    else:
        asked = game.new().decision
        assert asked is not None and [o.key for o in asked.options] == [*found, "stop"]
