"""Takes code that lists options, makes code that builds no list up where one layer is all there may
be."""

from __future__ import annotations

from rulekit.compiler.ir import statements as c
from rulekit.compiler.lowering.unit import layers


def one_layer(code: c.Code) -> c.Code:
    """The layer is given at once, if it has members."""
    match code:
        case (
            c.NewList(),
            c.Assign(mask) as assign,
            c.If(cond, (c.Append(_, layer),), ()),
            c.Give(),
        ) if cond == mask:
            return (assign, c.Give(layers(mask, layer)))
    return code
