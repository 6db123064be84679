"""Sets with more members than a word has bits, in the native module: slot by slot as in Python."""

import pytest

from rulekit.compiler.compiler import build
from rulekit.runtime.random_playouts import playouts
from tests.compiler.checked_rules import written
from tests.compiler.lowering.test_indexes import RULES as KEPT

pytest.importorskip(
    "wasmtime", reason="playing natively needs wasmtime: pip install rulekit[native]"
)

from rulekit.engine.testing.native_crosscheck import Verifier
from rulekit.runtime.wasm import WasmInstance
from tests.compiler.reference.reference_games import model_of

SEIZED = f"""game seized 1
kind Side decides = red(blue) | blue(red)
  fixed enemy: Side
kind Hex = {" | ".join(f"h{i}" for i in range(150))}
  state owner: Side?
setup
  each h in Hex
    h.owner := red
phase main
  repeat 9 times
    choose by red
      option seize(h: Hex)
        when h.owner = red and h in {{h3, h80, h149}}
        h.owner := blue
        each n in {{h1, h2, h70}}
          n.owner := none
      option free
        h3.owner := red
  finish red, many when count(Hex where owner = red) > 100
  finish blue, few
"""


DRAWN = f"""game drawn 1
kind Side decides = red | blue
kind Chit = {" | ".join(f"c{i}" for i in range(130))}
pool cup of Chit
pool bag of Chit
pool heap of Chit
setup
  each c in {{c0, c5, c63, c64, c65, c127, c128}}
    put c in bag
phase main
  repeat 40 times
    choose by red
      option many
        draw 3 from cup to heap
      option few
        draw 1 from bag to heap
        gather heap to bag when count(bag) < 3
  finish none, drawn
"""


@pytest.mark.parametrize(
    "rules",
    [KEPT, SEIZED, DRAWN],
    ids=["indexes by what is fixed", "one place taken from many", "draws"],
)
def test_wide_sets(rules: str) -> None:
    program = build(written(rules), native=True)
    machine = WasmInstance(program)
    assert [Verifier(machine).game(seed, 300)[1] for seed in range(4)] == [""] * 4
    assert machine.playouts(100, 5) == playouts(program, 100, 5)


def test_a_map_of_240_places() -> None:
    program = build(model_of("benchmarks/blocks240"), native=True)
    machine = WasmInstance(program)
    count, unlike = Verifier(machine).game(7, 300)
    assert count > 200 and unlike == ""
    assert machine.playouts(100, 1) == playouts(program, 100, 1)
