"""Why something is not among what may be picked: the first condition that it does not meet, with what that asks of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulekit
from tests.play.test_small_rules import written

FACTS = """
kind Zone = east | west
kind Block = b1(3, east) | b2(4, east) | b3(1, east) | b4(3, west) | b5(5, east)
  fixed size: 1..9
  fixed home: Zone
  state strength: 0..9 = 2
  state zone: Zone? = east
state level: 0..9 = 1
define sound(b: Block) = b.strength > level and b.size > 2
define at(b: Block, z: Zone): bool = b.zone = z
event moved(b: Block, z: Zone, n: 0..9)
  b.zone := z
  b.strength := n
setup
  SET
phase main
  pick b from Block where CONDITION by red "which"
  moved(b, west, 0)
  finish none, drawn
"""


AND = "at(it, east) and sound(it) and home = east and (count(Block other where other.zone = west) < 2 or it in {b2, b5})"


@pytest.mark.parametrize(("condition", "set", "facts"), [
    (AND, "b1.zone := east", {"b3": "(strength: 2, size: 1)", "b4": "(home: west)"}),
    (AND, "b3.zone := west", {"b3": "(zone: west)", "b4": "(home: west)"}),
    (AND, "b4.strength := 1", {"b4": "(strength: 1, size: 3)"}),
    (AND, "each b in {b3, b4}\n    b.zone := west", {"b1": ""}),  # what others are like is no fact of it
    ("size > 2", "b1.zone := east", {"b3": "(size: 1)"}), ("not at(it, west)", "b1.zone := west", {"b1": "(zone: west)"}),
])
def test_why_something_may_not_be_picked_tells_what_is_asked_of_it(tmp_path: Path, condition: str, set: str, facts: dict[str, str]) -> None:
    state = rulekit.load(written(tmp_path, FACTS.replace("CONDITION", condition).replace("SET", set))).new(seed=1)
    assert state.decision is not None
    told = {b: [why.partition(" here")[2].strip() for why in state.why(f"pick {b}")] for b in facts}
    assert told == {b: [fact] for b, fact in facts.items()}
