"""Resolves written types to types of the model."""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import guess
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.scope import BAD, CheckState
from rulekit.compiler.syntax import ast as t


def type_of(node: t.TypeNode, world: CheckState) -> m.Type:
    """Return the type of a node: bool, int, ratio, a unit, a range, a kind (with an optional `?`)
    or a set of a kind.
    """
    name = node.name or ""
    if node.form == "range":
        if node.unit is not None and node.unit not in world.model.units:
            world.error(
                "RK301",
                node,
                f"unknown unit '{node.unit}'",
                guess(node.unit, world.model.units) or f"declare it: unit {node.unit}",
            )
        if node.low > node.high:
            world.error(
                "RK406",
                node,
                f"the range {node.low}..{node.high} is empty",
                f"write {node.high}..{node.low}",
            )
        return m.Int(node.unit, node.low, node.high)
    if node.form == "set":
        kind = world.kinds.get(name)
        if kind is None:
            return unknown(node, name, world)
        return m.SetOf(kind)
    if name == "bool":
        return m.Bool()
    if name == "int":
        return m.Int()
    if name == "ratio":
        return m.RatioT()
    if name in world.model.units:
        return m.Int(name)
    if name in world.kinds:
        return m.MemberOf(world.kinds[name], node.optional)
    return unknown(node, name, world)


def unknown(node: t.TypeNode, name: str, world: CheckState) -> m.Type:
    known = [*world.kinds, *world.model.units, "bool", "int", "ratio"]
    world.error("RK301", node, f"unknown kind or unit '{name}'", guess(name, known))
    return BAD


def key_of(type: m.Type, node: t.NodeSyntax, world: CheckState) -> m.Key:
    """Return a parameter of a cell or table as a key: a kind, or a range of numbers."""
    if isinstance(type, m.MemberOf):
        return m.Key(type.kind)
    if isinstance(type, m.Bool):
        return m.Key(None, 0, 1)
    if isinstance(type, m.Int) and type.low is not None and type.high is not None:
        return m.Key(None, type.low, type.high)
    if type is not BAD:
        world.error("RK406", node, "a key is a kind or a range of numbers such as 1..6")
    return m.Key(None, 0, 0)


def bounded(keys: list[m.Key], what: str, node: t.NodeSyntax, world: CheckState) -> list[m.Key]:
    """Return the keys of a family, or report an error if it is too large."""
    count = limits.size(keys)
    if count <= limits.FAMILY and world.values + count <= limits.VALUES:
        world.values += count
        return keys
    most = limits.FAMILY if count > limits.FAMILY else limits.VALUES
    said = (
        f"{what} has {limits.shown(count)} values"
        if count > limits.FAMILY
        else f"with {what} the game has more than {most:,} values"
    )
    world.error(
        "RK407",
        node,
        f"{said}; the limit is {most:,}",
        "use fewer keys, or keys with fewer values",
    )
    return [m.Key(None, 0, 0) for _ in keys]
