"""All results of a table in one variable: their origin makes no difference, and every variant reads
the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.common.diagnostics.diagnostic import Sink
from rulekit.compiler.check.check import check
from rulekit.compiler.compiler import compile_game
from rulekit.compiler.source.folder import read_game
from tests.compiler.reference.agree import agree
from tests.small_games import MANIFEST

RULES = """game small 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Loss ordered = nothing | half | full
table near(die: 1..6) -> att: Loss, def: Loss ref "1"
  1..2 | nothing | full
  3..4 | half | nothing
  5..6 | full | half
table far(die: 1..6) -> att: Loss, def: Loss ref "1"
  1 | full | full
  2..5 | nothing | nothing
  6 | half | full
table by_loss(l: Loss, k: 1..1) -> att: Loss, def: Loss ref "1"
  nothing | 1 | nothing | half
  half | 1 | full | nothing
  full | 1 | nothing | full
state n: 0..6 = 0
state lost: Loss? = none
event saw(x: Loss, y: Loss)
define plain(x: 1..6) = near(x)
define either(x: 1..6) = near(x) if how is one else far(x)
define cases(x: 1..6)
  = near(x) when x > 3
  = far(x) when n > 2
  = by_loss(half, 1)
define through(l: Loss) = by_loss(l, 1)
phase main
  pick n1 from 0 .. 6 by red "n"
  n := n1
  roll d = 1d6 by red for try
"""
RULING = """- {id: how, question: Which table?, ref: ["1"], \
alternatives: {one: Near., two: Far.}, default: one, reason: The text is silent.}
"""
BODIES = {
    "a ruling": "let c = near(d) if how is one else far(d)",
    "a condition": "let c = near(d) if n > 2 else far(d)",
    "one table twice": "let c = near(d) if n > 2 else near(1)",
    "nested": "let c = near(d) if n > 2 else far(d) if how is two else near(1)",
    "constant": "let c = near(1) if how is one else far(1)",
    "a define": "let c = plain(d)",
    "a define with a ruling": "let c = either(d)",
    "a define with a constant": "let c = either(1)",
    "a define with cases": "let c = cases(d)",
    "a copy": "let e = near(d) if n > 2 else far(d)\n  let c = e",
    "a copy of one of two": "let e = near(d)\n  let f = far(d)\n  let c = e if n > 2 else f",
    "assigned": "var c = near(d)\n  saw(c.att, c.def)\n  if n > 2\n    c := far(d)",
    "kept over a decision": (
        'let c = near(d) if n > 2 else far(d)\n  pick k from 1 .. 6 by red "k"\n  n := k'
    ),
    "at once": "saw((near(d) if n > 2 else far(d)).att, either(d).def)\n  let c = cases(d)",
    "missing": "if n > 3\n    lost := half\n  let c = by_loss(lost, 1) if n < 5 else near(d)",
    "a define that is missing": "if n > 3\n    lost := half\n  let c = through(lost)",
}


@pytest.mark.docs("language#5-defines-and-tables")
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_checks_clean_plays_in_all_variants_as_in_the_reference(
    body: str, tmp_path: Path
) -> None:
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "rulings.yaml").write_text(RULING)
    missing = (
        "  if c.att is nothing\n    saw(half, half)\n  if not (c.def is full)\n    saw(nothing,"
        " full)\n"
    )
    seen = missing if "lost" in body else f"{missing}  saw(c.att, c.def)\n"
    (tmp_path / "game.rules").write_text(f"{RULES}  {body}\n{seen}  finish none, done\n")
    sink = Sink()
    source = read_game(tmp_path, sink)
    model = check(source, sink) if source is not None else None
    assert model is not None and not sink.errors, [d.message for d in sink.found]
    compiled = compile_game(model)
    for chosen in ("one", "two"):
        for seed in range(8):
            agree(
                model, compiled.bind("", {"how": chosen}), seed, "", {"how": chosen}, explained=0.5
            )
