"""The budget of a choice: steps, rounds and records between two decisions, counted anew for
each."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import rulekit
from tests.small_games import write_game

RULES = """
state x: int
event hit
  x += 1
procedure plain(n: 0..99)
  repeat n times
    x := 1
procedure recorded
  hit
  hit
  hit
  hit
procedure asking(n: 0..99)
  repeat n times
    pick s from Side by red when x > 900
    x := 2
procedure counted(n: 0..99)
  repeat n times
    pick s from Side by red when x > 900
    recorded
phase main
  repeat 9 times
    pick n from 0 .. 99 by red "how many"
    WORK
  finish none, drawn
""".replace(
    "    pick s from Side by red when x > 900\n", "    if x > 900\n      pick s from Side by red\n"
)


@pytest.mark.docs("language#16-what-the-language-does-not-have")
@pytest.mark.parametrize(
    ("work", "fits", "line"), [("plain(n)", 58, 9), ("asking(n)", 10, 17), ("counted(n)", 8, 22)]
)
@pytest.mark.parametrize("variant", ["full", "fast"])
def test_a_choice_that_exceeds_its_budget_ends_with_an_error_that_names_the_rule(
    work: str, fits: int, line: int, variant: str, tmp_path: Path
) -> None:
    """This covers rounds of a loop, steps that might decide, and records of events. Work within the
    budget can be repeated."""
    state = rulekit.load(write_game(tmp_path, RULES.replace("WORK", work))).new(seed=1)
    assert state.table.program.max_steps == 600_000
    program = attrs.evolve(
        state.table.program, max_steps=60, code={}, objects=state.table.program._objects
    )
    code, kept = program.code(variant), ([], []) if variant == "full" else ()
    state.play_by(program.code("full"))
    for _ in range(7):
        state.apply(f"pick {fits}")
    before = state.clone()
    with pytest.raises(rulekit.RulesError, match="too many steps without a decision") as raised:
        state.apply("pick 99")
    assert f"game.rules:{line}:" in str(raised.value)
    assert state == before
    with pytest.raises(rulekit.RulesError, match="too many steps without a decision"):
        code.apply(before.slots[:], before.legal_actions()[-1], *kept)
