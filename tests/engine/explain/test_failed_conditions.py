"""Why something cannot be picked: the first condition that it fails, with the values in it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.small_games import write_game

FACTS = """
kind Zone = east | west
kind Block = b1(3, east) | b2(4, east) | b3(1, east) | b4(3, west) | b5(5, east)
  fixed size: 1..9
  fixed home: Zone
  state strength: 0..9 = 2
  state zone: Zone? = east
state level: 0..9 = 1
define sound(b: Block) = b.strength > level and b.size > 2
define near(z: Zone): set Block = Block where at(it, z)
define at(b: Block, z: Zone): bool = b.zone = z
event moved(b: Block, z: Zone, n: 0..9)
  b.zone := z
  b.strength := n
setup
  SET
phase main
  pick b from SOURCE by red "which"
  moved(b, west, 0)
  finish none, drawn
"""


AND = (
    "Block where at(it, east) and sound(it) and home = east and (count(Block other where other.zone"
    " = west) < 2 or it in {b2, b5})"
)


@pytest.mark.parametrize(
    ("source", "new_value", "facts"),
    [
        (AND, "b1.zone := east", {"b3": "(strength: 2, size: 1)", "b4": "(home: west)"}),
        (AND, "b3.zone := west", {"b3": "(zone: west)", "b4": "(home: west)"}),
        (AND, "b4.strength := 1", {"b4": "(strength: 1, size: 3)"}),
        (
            AND,
            "each b in {b3, b4}\n    b.zone := west",
            {"b1": ""},
        ),  # attributes of other pieces are no facts of this one
        ("Block where size > 2", "b1.zone := east", {"b3": "(size: 1)"}),
        ("Block where not at(it, west)", "b1.zone := west", {"b1": "(zone: west)"}),
        ("near(east)", "b1.zone := west", {"b1": "(zone: west)"}),
        ("near(east) if level = 1 else Block", "b1.zone := west", {"b1": "(zone: west)"}),
        ("near(west) if level > 1 else near(east)", "b1.zone := west", {"b1": "(zone: west)"}),
        ("near(east) - {b1}", "b2.zone := west", {"b1": "", "b2": "(zone: west)"}),
        ("near(east) + {b1}", "each b in {b1, b2}\n    b.zone := west", {"b2": "(zone: west)"}),
    ],
)
def test_why_something_may_not_be_picked_tells_what_is_asked_of_it(
    tmp_path: Path, source: str, new_value: str, facts: dict[str, str]
) -> None:
    state = rulekit.load(
        write_game(tmp_path, FACTS.replace("SOURCE", source).replace("SET", new_value))
    ).new(seed=1)
    assert state.decision is not None
    told = {b: [why.partition(" here")[2].strip() for why in state.why(f"pick {b}")] for b in facts}
    assert told == {b: [fact] for b, fact in facts.items()}


MARCH = """
unit PM
kind Zone
kind Way joins Zone
  fixed steep: bool
kind Piece = walker
  state zone: Zone?
event entered(p: Piece, z: Zone)
  p.zone := z
movement go(p: Piece)
  over Way w from x to z
  allowance 2 PM
  cost 3 PM if w.steep else 1 PM
  may enter z != c "it is shut"
  on entry
    entered(p, z)
phase main
  choose by red "what"
    option march(z: Zone)
      when some(reach go(walker) from z)
      walk go(walker) from z by red
    option stay
      finish none, drawn
  finish none, drawn
"""
WAYS = """places: {kind: Zone, source: {assumed: x}, members: \
{a: {at: [0, 0]}, b: {at: [1, 0]}, c: {at: [2, 0]}, d: {at: [3, 0]}}}
borders:
  kind: Way
  source: {assumed: x}
  members: [{between: [a, b], steep: true}, {between: [b, c], steep: false}, \
{between: [c, d], steep: false}]
"""


def test_why_a_walk_cannot_begin_tells_what_each_way_out_costs_or_who_bars_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "map.yaml").write_text(WAYS)
    state = rulekit.load(write_game(tmp_path, MARCH)).new(seed=1)
    assert state.decision is not None and [o.key for o in state.decision.options] == [
        "march c",
        "stay",
    ]
    assert {
        z: [why.partition(" refused: ")[2] for why in state.why(f"march {z}")] for z in "abd"
    } == {
        "a": ["b: costs 3 PM, 2 PM left"],
        "b": ["a: costs 3 PM, 2 PM left; c: it is shut"],
        "d": ["c: it is shut"],
    }
