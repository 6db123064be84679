"""Checks the properties of states: the first value, the lifetime, and the players who may see
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.diagnostics.diagnostic import among
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import (
    BAD,
    AttributeSubject,
    CheckState,
    Scope,
    how_to_give,
)
from rulekit.compiler.check.rules.entities import constant
from rulekit.compiler.check.typecheck.dispatch import condition, fitting
from rulekit.compiler.syntax import ast as t


def states(found: Collected, world: CheckState) -> None:
    """Check all states and pools, and the identities of kinds."""
    for item, cell, kind in declared(found, world):
        if isinstance(item, t.StateDecl):
            first_value(item, cell, world)
            lifetime(item, cell, world)
        if item.seen:
            names = [param.name for param in item.params]
            cell.seen = seen(
                item.seen, cell.keys, names if kind is None else ["it", *names], kind, world
            )
    for name, decls in found.kinds.items():
        kind = world.kinds[name]
        for own in [
            own for part, _ in decls for own in part.items if isinstance(own, t.IdentityDecl)
        ]:
            kind.identity = seen(own.seen, [m.Key(kind)], ["it"], kind, world)


def declared(
    found: Collected, world: CheckState
) -> Iterator[tuple[t.StateDecl | t.PoolDecl, m.Cell, m.Kind | None]]:
    """Yield the declarations of state, each with its cell and the kind that contains it."""
    for name, decls in found.kinds.items():
        kind = world.kinds[name]
        for item in [
            item for part, _ in decls for item in part.items if isinstance(item, t.StateDecl)
        ]:
            if item.name in kind.cells:
                yield item, kind.cells[item.name], kind
    for symbol in world.symbols.values():
        if isinstance(symbol.decl, (t.StateDecl, t.PoolDecl)) and symbol.obj is not None:
            yield symbol.decl, symbol.obj, None


def first_value(node: t.StateDecl, cell: m.Cell, world: CheckState) -> None:
    """Check the value in `state x: T = value`."""
    kind = cell.type.kind if isinstance(cell.type, m.MemberOf) and not cell.type.optional else None
    if kind is not None and not kind.size and all(key.size for key in cell.keys):
        world.error(
            "RK310",
            node,
            f"'{node.name}' must have a member of {kind.name}, which has no members",
            f"{how_to_give(kind.name)}, or allow none: {kind.name}?",
        )
    elif node.initial is not None and cell.type is not BAD:
        value = constant(node.initial, cell.type, Scope(world), f"the first value of '{node.name}'")
        if value is not None:
            cell.initial = value


def lifetime(node: t.StateDecl, cell: m.Cell, world: CheckState) -> None:
    """Check `per SCOPE`: the cell takes its default when the scope ends."""
    if node.per is None or node.per == "game":
        return
    frame = world.frames.get(node.per)
    if frame is not None:
        cell.resets.append((frame, None))
        return
    scope_kind = world.model.scopes
    fixed = cell.owner.fixed.get(node.per) if cell.owner is not None else None
    if fixed is None or not isinstance(fixed.type, m.MemberOf) or fixed.type.kind is not scope_kind:
        world.error(
            "RK301",
            node,
            f"'{node.per}' is not a phase, procedure, action or event, nor an attribute of type"
            " Scope",
            among(
                node.per,
                [*world.frames, "game"],
                "write the name of a phase or procedure, or 'per game'",
            ),
        )
        return
    masks: dict[int, int] = {}
    for i, value in enumerate(fixed.values):
        masks[value] = masks.get(value, 0) | 1 << i
    cell.resets += [
        (world.frames[scope_kind.members[ordinal]], masks[ordinal])
        for ordinal in sorted(masks)
        if ordinal >= 0
    ]


def seen(
    nodes: tuple[t.ObserverSyntax, ...],
    keys: list[m.Key],
    names: list[str],
    owner: m.Kind | None,
    world: CheckState,
) -> list[m.Seen]:
    """Check `seen by`, which limits the knowledge of a cell, a pool or the identity of a thing."""
    sides, made = world.model.sides, []
    for node in nodes:
        free = [
            m.Var(n, m.MemberOf(k.kind) if k.kind else m.Int(None, k.low, k.high))
            for n, k in zip(names, keys, strict=True)
        ]
        scope = Scope(world, {v.name: v for v in free if v.name != "it"})
        if owner is not None:
            scope.element = AttributeSubject(owner, m.Read(free[0], type=free[0].type))
        who: m.Expr | str
        if isinstance(node.who, t.Name) and node.who.id in ("all", "none"):
            who = node.who.id
        elif isinstance(node.who, t.WordSyntax) and node.who.word == "none":
            who = "none"
        else:
            who = fitting(node.who, scope, m.MemberOf(sides, True)) if sides else "none"
        made.append(
            m.Seen(who, condition(node.when, scope) if node.when is not None else None, free)
        )
    return made
