"""Simplify code that lists options: do not build a list if there is at most one layer."""

from __future__ import annotations

from rulekit.compiler.ir import statements as c
from rulekit.compiler.lowering.unit import layers


def one_layer(code: c.Code) -> c.Code:
    """Return the code with the layer returned directly if it has members."""
    match code:
        case (
            c.NewList(),
            c.Assign(mask) as assign,
            c.IfStatement(cond, (c.Append(_, layer),), ()),
            c.Give(),
        ) if cond == mask:
            return (assign, c.Give(layers(mask, layer)))
    return code
