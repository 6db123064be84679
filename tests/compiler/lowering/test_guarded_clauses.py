"""A clause of a total whose amount is defined only if its condition holds."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

from rulekit.compiler.compiler import build
from tests.compiler.checked_games import ROOT
from tests.compiler.reference.agree import agree
from tests.small_games import checked_model

RULES = """total worth_of(p: Piece): VP
  base p.zone.worth when p.zone != none
  modifier owned +1 when p.zone != none and p.zone.holder = p.owner
  at least max(worth of (Zone where holder = p.owner)) when some (Zone where holder = p.owner)
modifier combat_die.worth sum(worth_of(it) of Piece) as int when sum(worth_of(it) of Piece) > 3
"""


def test_it_is_worked_out_where_the_condition_holds(tmp_path: Path) -> None:
    folder = copytree(ROOT / "examples" / "skirmish", tmp_path / "skirmish")
    (folder / "game.rules").write_text((folder / "game.rules").read_text() + RULES)
    model = checked_model(folder)
    compiled = build(model, "")
    for seed in range(4):
        agree(model, compiled, seed, explained=0.3)
