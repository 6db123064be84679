"""The median of a set's values is the middle one, or the lower of two. It is 0 for an empty set.
The reference, the code variants and the native module agree."""

from __future__ import annotations

from statistics import median_low

import pytest

from rulekit.compiler.compiler import build
from rulekit.runtime import cells
from tests.compiler.checked_rules import written
from tests.compiler.reference.agree import agree

RULES = """game middle 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Unit = u0 | u1 | u2 | u3 | u4
  state weight: 0..9
  state there: bool
state found: int
define those: set Unit = Unit where there
define middle(most: int): int = median(min(weight, most) of those)
event changed(u: Unit, n: 0..9)
  u.weight := n
  u.there := not u.there
  found := middle(7)
phase main
  repeat 12 times
    choose by red "which"
      option change(u: Unit, n: 0..9)
        when n >= middle(9) - 3
        changed(u, n)
  finish red, won when middle(8) > 3
  finish none, drawn
"""


@pytest.mark.docs("language#4-expressions")
def test_all_give_the_value_in_the_middle() -> None:
    model = written(RULES)
    program = build(model, native=True)
    for seed in range(6):
        assert agree(model, program, seed) > 0
    code = program.code("fast")
    by_name = {cell.name: cell for cell in program.cells}
    for weights in ((), (4,), (3, 8), (8, 3), (5, 5, 1), (2, 9, 0, 6), (1, 7, 3, 7, 0)):
        s = code.blank()
        for i, weight in enumerate(weights):
            cells.write(program, s, by_name["weight"], (i,), weight)
            cells.write(program, s, by_name["there"], (i,), 1)
        names = [d.name for d in program.defines]
        assert code.define(s, names.index("middle"), (9,)) == (
            median_low(weights) if weights else 0
        )


def test_the_native_module_too() -> None:
    pytest.importorskip(
        "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
    )
    from rulekit.runtime.random_playouts import playouts
    from rulekit.runtime.wasm import WasmInstance

    program = build(written(RULES), native=True)
    assert WasmInstance(program).playouts(200, 5) == playouts(program, 200, 5)
