"""Games of two sides whose options have prices, and the skirmish with other rules."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import rulekit
from tests.small_games import MANIFEST

SKIRMISH = Path(__file__).resolve().parents[2] / "examples" / "skirmish"


SIDES = "game small 1\nunit PA\nkind Side decides = red(blue) | blue(red)\n  fixed enemy: Side\n"


def new_game(folder: Path, rules: str) -> rulekit.State:
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "game.rules").write_text(SIDES + rules)
    return rulekit.load(folder).new(seed=1)


def changed_skirmish(folder: Path, changes: dict[str, str]) -> rulekit.Game:
    """Return the skirmish with other rules."""
    copytree(SKIRMISH, folder)
    rules = folder / "game.rules"
    text = rules.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    rules.write_text(text, encoding="utf-8")
    return rulekit.load(folder)


SCOUTS = """
kind Zone
kind Way joins Zone
kind Scout = r1(red) | b1(blue)
  fixed owner: Side
  state zone: Zone? seen by owner
event entered(p: Scout, z: Zone)
  p.zone := z
movement walk_of(p: Scout)
  over Way w from a to z
  allowance 2
  cost 1
  on entry
    entered(p, z)
setup
  entered(r1, south)
  entered(b1, north)
phase main
  walk walk_of(r1) from south by red
  choose by red "end"
    option end
      finish red, win
"""

SCOUTED = """places:
  kind: Zone
  source: {assumed: "an example"}
  members: {south: {at: [0, 0]}, middle: {at: [1, 0]}, north: {at: [2, 0]}}
borders:
  kind: Way
  source: {assumed: "an example"}
  members:
    - {between: [south, middle]}
    - {between: [middle, north]}
"""

WAITS = {
    " seen by owner": "",
    "allowance 2": "allowance 4\n  may end when z = east or z = west",
    "movement walk_of": (
        "state told: 0..9\nreaction wait after entered\n  for red\n  when z = middle\n  limit 1 per"
        " game by me\n  told += 1\nmovement walk_of"
    ),
}
