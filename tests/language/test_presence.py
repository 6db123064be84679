"""Values that rules find for each member of a kind among fixed things. If a value is always
present, no check is emitted. If it may be missing, reading it is still an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rulekit.common.errors import RulesError
from rulekit.compiler.compiler import build
from rulekit.runtime import cells
from rulekit.runtime.program import Program
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree

RULES = """game found 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Zone = z0 | z1
kind Arm = u0(red, 1) | u1(blue, RANK) | u2(red, 2)
  fixed owner: Side
  fixed rank: 1..2
state force(z: Zone, u: Arm): 0..9
state found: int
define guard(s: Side): Arm = the first(Arm where owner = s and rank = 1 by rank)
define strength(s: Side, z: Zone): int = force(z, guard(s))
event placed(z: Zone, u: Arm)
  force(z, u) := 5
event asked(s: Side, z: Zone)
  found := strength(s, z) + 1
phase main
  repeat 12 times
    choose by red "what"
      option place(z: Zone, u: Arm)
        when force(z, u) = 0
        placed(z, u)
      option ask(s: Side, z: Zone)
        asked(s, z)
  finish none, drawn
"""


def strength(rank: int) -> tuple[Program, Callable[[int], int]]:
    """Return the strength of each side in z0, where u1 has strength five."""
    program = build(written(RULES.replace("RANK", str(rank))))
    code = program.code("fast")
    state = code.blank()
    cells.write(
        program, state, next(cell for cell in program.cells if cell.name == "force"), (0, 1), 5
    )
    define = [d.name for d in program.defines].index("strength")
    return program, lambda side: code.define(state, define, (side, 0))


def test_nobody_asks_again_whether_it_is_there() -> None:
    program, of = strength(1)
    assert all(agree(written(RULES.replace("RANK", "1")), program, seed) > 0 for seed in range(6))
    assert ">= 0 else" not in program.source["fast"] and "there(" not in program.source["fast"]
    assert (of(0), of(1)) == (0, 5)


def test_where_it_may_be_missing_it_is_an_error_to_read_it() -> None:
    program, of = strength(2)
    assert "there(" in program.source["fast"]
    assert of(0) == 0
    with pytest.raises(RulesError):
        of(1)
