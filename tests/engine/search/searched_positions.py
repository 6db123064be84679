"""Positions that the tests of the search begin in."""

from __future__ import annotations

from pathlib import Path

import rulekit
from rulekit.engine.game.state import State

ROOT = Path(__file__).resolve().parents[3]

EXAMPLES = ROOT / "examples"


def three_in_a_row() -> State:
    """Return a game with three discs in a row for each side, at yellow's decision."""
    state = rulekit.load(EXAMPLES / "connect_four").new(seed=1)
    for column in (1, 7, 2, 7, 3, 7):
        state.apply(f"drop {column}")
    return state


ROUNDS = """\
game rounds 1

kind Side decides = a(b) | b(a)
  fixed enemy: Side
kind Way = left | right
state gold(s: Side): 0..99
state luck(s: Side): 0..99

total vp(s: Side): 0..99
  base gold(s)
total worth(s: Side): 0..99
  base luck(s)
total both: 0..99
  base luck(a)

event took(s: Side, w: Way)
  gold(s) += 1 when w is right
  luck(s) += 1 when w is left

phase main
  repeat 3 times
    each s in Side
      round(s)
  finish none, drawn
phase round(me: Side)
  choose by me "left or right"
    option turn(w: Way)
      took(me, w)
"""


def rounds_game(folder: Path, manifest: str) -> State:
    """Return a game that is always drawn. On the left is luck, on the right gold, which is the
    victory total."""
    (folder / "game.yaml").write_text(
        f"rulekit: game\nname: rounds\ntitle: Rounds\nversion: '1'\nlanguage: 1\n{manifest}",
        encoding="utf-8",
    )
    (folder / "game.rules").write_text(ROUNDS, encoding="utf-8")
    return rulekit.load(folder).new(seed=1)


def position_before_the_end() -> State:
    state = rulekit.load(EXAMPLES / "tic_tac_toe").new(seed=1)
    while len(state.legal_actions()) > 1:
        state.apply_action(state.legal_actions()[0 if state.move_number() != 6 else 1])
    return state
