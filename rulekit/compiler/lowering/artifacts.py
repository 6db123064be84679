"""The results of a compilation: `Build` from the lowering, and `VariantParts`, from which the code
is printed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering.control_flow import Flow
from rulekit.compiler.lowering.unit import Unit


@define(eq=False)
class VariantParts:
    """The input of the printers.

    Attributes:
        local: frame variables that are locals.
        dead: frame variables that are never read.
        saved: the name of the table of each procedure with a saved frame.
        blocks: the numbers of the blocks that are routines.
        display_only: functions that play itself does not call: prices, and their helpers. The
            WebAssembly module has none of them.
    """

    routines: list[c.Routine]
    functions: list[c.Function]
    display_only: list[c.Function]
    local: Collection[int]
    dead: Collection[int]
    saved: Mapping[int, str]
    blocks: list[int]


@define(eq=False)
class Build:
    """Everything that the lowering produces from a model, for `show` and for the printers of the
    variants.
    """

    model: m.Model
    unit: Unit
    flow: Flow
    plain: list[c.Routine] = field(factory=list)  # routines that ask nothing
    specials: dict[str, c.Block] = field(factory=dict)
    invariants: list[tuple[int, v.Value]] = field(factory=list)  # those that hold everywhere
    # scenario -> the index of its set of late-bound values
    ways: dict[str, int] = field(factory=dict)
