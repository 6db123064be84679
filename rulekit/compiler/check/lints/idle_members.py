"""Warn of members of kinds that play no part in the game: cards without rules of their own where
most others have some, and unused words.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.semantics.values import bits


def members(world: CheckState, found: Collected, uses: ReachableUses) -> None:
    """Warn of each such member that the game itself declares."""
    places = dict(_places(world, found))
    _without_block(world, found, places, uses)
    used = _used(world, uses)
    asked = _asked(uses)
    for kind, parts in [(world.kinds[name], parts) for name, parts in found.kinds.items()]:
        written = {member.name for part, _ in parts for member in part.members}
        written |= {
            member.name
            for listed in found.members
            if listed.kind == kind.name
            for member in listed.members
        }
        if not written or not _is_word(kind, world.model):
            continue
        if not any(of is kind for of, _ in used):
            continue  # another lint reports kinds that nothing uses
        for ordinal, name in enumerate(kind.members):
            span = places.get((kind, name))
            if (
                name in written
                and span is not None
                and span.file in uses.own
                and (kind, ordinal) not in used
                and name not in uses.named
            ):
                _tell(world, kind, name, span, asked.get((kind, ordinal)))


def _is_word(kind: m.Kind, model: m.Model) -> bool:
    """Return True if the members of a kind are only values of other things."""
    if kind.decides or kind.slots or kind.cells or kind.joins is not None:
        return False
    if any(other.joins is kind for other in model.kinds.values()):
        return False
    given = [fixed.type for fixed in model.fixed if not fixed.synthetic]
    given += [type for table in model.tables for _, type in table.outputs]
    return not kind.fixed or any(isinstance(t, m.MemberOf) and t.kind is kind for t in given)


def _tell(world: CheckState, kind: m.Kind, name: str, span: Span, asked: m.Expr | None) -> None:
    """Warn of a member that nothing ever is.

    Args:
        asked: a condition that compares something with the member.
    """
    if asked is None:
        what = f"'{name}' of {kind.name} is never used, neither in the rules nor in the data"
    elif any(d.code == "RK704" and _near(d.span, asked.span) for d in world.sink.found):
        return  # that this is never true is reported there
    else:
        what = f"nothing has the value '{name}' of {kind.name}: neither rules nor data give it"
    world.sink.warn(
        "RK711",
        span,
        what,
        "remove it, or use it where it belongs",
        second=asked.span if asked is not None else None,
        second_label="this tests it" if asked is not None else "",
    )


def _near(one: Span, other: Span) -> bool:
    return (one.file, one.line) == (other.file, other.line)


def _places(world: CheckState, found: Collected) -> Iterator[tuple[tuple[m.Kind, str], Span]]:
    """Yield the places of members in the rules and in the data."""
    for name, parts in found.kinds.items():
        yield from (
            ((world.kinds[name], member.name), member.span)
            for part, _ in parts
            for member in part.members
        )
    for listed in found.members:
        if listed.kind in world.kinds:
            yield from (
                ((world.kinds[listed.kind], member.name), member.span) for member in listed.members
            )
    for data in world.source.kinds:
        if data.kind in world.kinds:
            yield from (
                ((world.kinds[data.kind], member.id), member.span) for member in data.members
            )


# -------------------------------------------------------------------------------------------- cards
def _without_block(
    world: CheckState, found: Collected, places: dict[tuple[m.Kind, str], Span], uses: ReachableUses
) -> None:
    """Warn of members without rules of their own, in a kind of which most members have some, unless
    another rule names them.
    """
    named = {
        (node.type.kind, node.value)
        for node in uses.nodes
        if isinstance(node, m.Const) and isinstance(node.type, m.MemberOf)
    }
    for kind in world.kinds.values():
        own = [block for block in found.blocks if block.kind == kind.name]
        blocks = {world.member(kind, block.name) for block in own}
        if not any(block.span.file in uses.own for block in own) or 2 * len(blocks) <= kind.size:
            continue
        for ordinal, name in enumerate(kind.members):
            span = places.get((kind, name))
            if ordinal not in blocks and span is not None and (kind, ordinal) not in named:
                world.sink.warn(
                    "RK709",
                    span,
                    f"{kind.name} '{name}' has no rules of its own, unlike most others, so it "
                    "does nothing",
                    f'write its block in the rules: {kind.name} {name} "..."',
                )


# -------------------------------------------------------------------------------------------- words
def _used(world: CheckState, uses: ReachableUses) -> set[tuple[m.Kind, int]]:
    """Return the members that rules give to something or iterate over, and those that occur in the
    data.
    """
    model = world.model
    found: set[tuple[m.Kind, int]] = set()
    compared = {id(const) for _, const in _compared(uses)}
    for node in uses.nodes:
        if isinstance(node, m.Const):
            found |= set(_of(node.type, node.value)) if id(node) not in compared else set()
        elif isinstance(node, m.Shift):
            found |= set(_whole(node.type))
        elif isinstance(node, m.GuardedOption):
            found |= {each for var in node.params for each in _whole(var.type)}
    for option in model.options:
        found |= {each for var in option.params for each in _whole(var.type)}
    for fixed in model.fixed:
        found |= {each for value in fixed.values for each in _of(fixed.type, value)}
    for cell in model.cells:
        found |= set(_of(cell.type, cell.initial))
    for table in model.tables:
        results = zip(table.outputs, table.data, strict=True)
        found |= {
            each for (_, type), column in results for value in column for each in _of(type, value)
        }
        found |= {
            (key.kind, i)
            for key in table.keys
            if key is not None and key.kind is not None
            for i in range(key.kind.size)
        }
    for scenario in model.scenarios.values():
        found |= {each for cell, _, value in scenario.cells for each in _of(cell.type, value)}
    found |= {each for fixed in model.fixed if fixed.late for each in _whole(fixed.type)}
    return found


def _asked(uses: ReachableUses) -> dict[tuple[m.Kind, int], m.Expr]:
    """Return the first condition that compares something with each member."""
    found: dict[tuple[m.Kind, int], m.Expr] = {}
    for cond, const in _compared(uses):
        for each in _of(const.type, const.value) if cond.span.line else ():
            found.setdefault(each, cond)
    return found


def _compared(uses: ReachableUses) -> Iterator[tuple[m.Expr, m.Const]]:
    """Yield the conditions that compare a value with a member, and the member."""
    for node in uses.nodes:
        if isinstance(node, m.Compare) and node.op in ("=", "!="):
            others = [node.left, node.right]
        elif isinstance(node, m.In) and not isinstance(node.item, m.Const):
            others = node.source.items if isinstance(node.source, m.MakeSet) else [node.source]
        else:
            continue
        yield from ((node, each) for each in others if isinstance(each, m.Const))


def _of(type: m.Type, value: int) -> Iterator[tuple[m.Kind, int]]:
    """Yield the members that a value is or contains."""
    if isinstance(type, m.MemberOf):
        yield (type.kind, value)
    elif isinstance(type, m.SetOf):
        yield from ((type.kind, member) for member in bits(value))


def _whole(type: m.Type) -> Iterator[tuple[m.Kind, int]]:
    if isinstance(type, m.MemberOf):
        yield from ((type.kind, member) for member in range(type.kind.size))
