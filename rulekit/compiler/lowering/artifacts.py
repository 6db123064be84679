"""Takes nothing, makes `Build`: all that was made of a model, and `Parts`: what its code is printed
from."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering.control_flow import Flow
from rulekit.compiler.lowering.unit import Unit


@define(eq=False)
class Parts:
    """What the variants are printed from. `local`, `dead`: frame variables that are locals, that
    nobody reads. `saved`: the table of each procedure whose frame is saved. `blocks`: those that
    are routines. `told`: functions that play itself does not call: prices, and what these need; the
    WebAssembly module has none of them."""

    routines: list[c.Routine]
    functions: list[c.Function]
    told: list[c.Function]
    local: Collection[int]
    dead: Collection[int]
    saved: Mapping[int, str]
    blocks: list[int]


@define(eq=False)
class Build:
    """All that was made of a model: for `show`, and to emit the variants."""

    model: m.Model
    unit: Unit
    flow: Flow
    plain: list[c.Routine] = field(factory=list)  # routines that ask nothing
    specials: dict[str, c.Block] = field(factory=dict)
    invariants: list[tuple[int, v.Value]] = field(factory=list)  # those that hold everywhere
    ways: dict[str, int] = field(
        factory=dict
    )  # scenario -> which of the ways to set them is its own
