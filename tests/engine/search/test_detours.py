"""Redundant prefixes of a variation are removed if they make no difference."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

import rulekit
from rulekit.engine.search.detours import shortened
from tests.small_games import MANIFEST, SIDES

MAP = """places:
  kind: Zone
  source: {assumed: "an example"}
  members: {south: {at: [0, 0]}, west: {at: [1, 0]}, middle: {at: [1, 1]}, north: {at: [2, 2]}}
borders:
  kind: Way
  source: {assumed: "an example"}
  members:
    - {between: [south, west]}
    - {between: [west, middle]}
    - {between: [south, middle]}
    - {between: [middle, north]}
"""
WALK = """
kind Zone
kind Way joins Zone
kind Scout = r1(red)
  fixed owner: Side
  state zone: Zone?
state tolls: 0..9
event entered(p: Scout, z: Zone)
  p.zone := z
event paid
  tolls += 1
movement walk_of(p: Scout)
  over Way w from a to z
  allowance 4
  cost 1
  on entry
    entered(p, z)
    TOLL
setup
  entered(r1, south)
phase main
  march
  choose by red "what then"
    option rest
    option sing
  finish none, drawn
procedure march
  walk walk_of(r1) from south by red
"""
TOLL = ("    TOLL\n", "    paid when z = west\n")
SHOUT = (
    "setup\n",
    (
        "reaction shout after entered\n  for blue\n  when z = middle\n  limit 9 per game\n "
        " paid\nsetup\n"
    ),
)  # the reaction may be passed
ORDER = (
    "    TOLL\n",
    """    if z = middle
      choose by blue "what blue says"
        option left
        option right
          paid
""",
)


def short(folder: Path, keys: str, *changed: tuple[str, str], until: float = inf) -> list[str]:
    """Return the keys of a variation (`west` for `to west`) without its redundant prefix."""
    rules = WALK
    for old, new in (*changed, ("    TOLL\n", "")):
        rules = rules.replace(old, new)
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + rules)
    (folder / "map.yaml").write_text(MAP)
    state = rulekit.load(folder).new(seed=1)
    there, line = state.clone(), list[int]()
    for word in keys.split():
        while there.decision.player != "red":
            there.apply_action(
                next(o.id for o in there.decision.options if o.key in ("pass", "left"))
            )
        option = next(o for o in there.decision.options if o.key in (word, f"to {word}"))
        line.append(option.id)
        there.apply_action(option.id)
    book = state.table.book
    return [
        book.option(id).key.removeprefix("to ")
        for id in shortened(state.table.program, state.slots, until, line)
    ]


@pytest.mark.parametrize(
    ("line", "left", "changed"),
    [
        ("west middle north rest", "middle north rest", []),
        ("west middle stop", "middle stop", []),
        ("middle north rest", "middle north rest", []),
        ("west middle", "west middle", []),  # fewer steps are left than by the shorter path
        ("west middle stop sing", "west middle stop sing", [TOLL]),
        ("west middle stop sing", "middle stop sing", [SHOUT]),
        ("west middle stop sing", "west middle stop sing", [ORDER]),  # blue cannot decline
    ],
)
def test_one_choice_takes_the_place_of_several(
    tmp_path: Path, line: str, left: str, changed: list[tuple[str, str]]
) -> None:
    assert short(tmp_path, line, *changed) == left.split()


def test_nothing_is_tried_when_the_time_is_over(tmp_path: Path) -> None:
    assert short(tmp_path, "west middle stop rest", until=0.0) == ["west", "middle", "stop", "rest"]
