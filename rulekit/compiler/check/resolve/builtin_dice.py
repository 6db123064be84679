"""Declares the kind Purpose and the event die_rolled, for games with rules that depend on dice.

Other games do not get them.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import fields

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.collect import Collected, within
from rulekit.compiler.check.resolve.scope import CheckState, Symbol, is_none
from rulekit.compiler.syntax import ast as t

ROLLED = "die_rolled"
PURPOSE = "Purpose"


def predeclare(found: Collected, world: CheckState) -> None:
    """Declare the event die_rolled if any rule depends on it.

    Its parameters are `purpose: Purpose`, `who: SIDE` and `value: LEAST..MOST`, with the range of
    all rolls in the rules. The second one may be none if the rules contain a roll `by none`.
    """
    first = next(hanging(found, world), None)
    own = world.symbols.get(ROLLED)
    if own is not None and (own.what == "event" or first is not None):
        world.error(
            "RK303",
            own.decl,
            f"'{ROLLED}' is built in: it happens at every roll",
            "remove this; rules for a roll can read its 'purpose', 'who' and 'value'",
        )
        del world.symbols[ROLLED]
    sides = next((name for name, decls in found.kinds.items() if decls[0][0].decides), None)
    if first is None or sides is None:
        return
    kind = m.own_name(PURPOSE, found.kinds)
    made = list(rolls(found, world))
    purposes = tuple(t.MemberSyntax(name) for name in dict.fromkeys(roll.purpose for roll in made))
    found.kinds[kind] = [(t.KindDecl(kind, members=purposes, span=first.span), 0)]
    low = min((roll.dice for roll in made), default=1)
    high = max((roll.dice * roll.faces for roll in made), default=1)
    nobody = any(is_none(roll.who) for roll in made)
    params = (
        t.Param("purpose", t.TypeNode("name", kind)),
        t.Param("who", t.TypeNode("name", sides, nobody)),
        t.Param("value", t.TypeNode("range", low=low, high=high)),
    )
    world.symbols[ROLLED] = Symbol("event", ROLLED, t.EventDecl(ROLLED, params, span=first.span))


def hanging(found: Collected, world: CheckState) -> Iterator[t.NodeSyntax]:
    """Yield the declarations that depend on the event: hooks, reactions, groups of moments, and
    limits and states that are `per` it.
    """
    words = ("after", "before")
    yield from (hook for hook in found.hooks if hook.name == ROLLED and hook.whence in words)
    for symbol in world.symbols.values():
        decl = symbol.decl
        if isinstance(decl, t.OptionDecl) and decl.attach is not None:
            word, target = decl.attach
            if word in words and isinstance(target, t.Name) and target.id == ROLLED:
                yield decl
        elif isinstance(decl, t.MomentDecl):
            yield from (part for part in decl.parts if part.name == ROLLED and part.whence in words)
    if ROLLED not in world.symbols:
        roots = (
            *(part for parts in found.kinds.values() for part, _ in parts),
            *(symbol.decl for symbol in world.symbols.values()),
            *found.hooks,
            *found.whenevers,
            *found.setups,
            *found.blocks,
        )
        yield from (
            part
            for part in within(*roots)
            if isinstance(part, t.LimitClause | t.StateDecl) and part.per == ROLLED
        )


def rolls(found: Collected, world: CheckState) -> Iterator[t.RollStmt]:
    """Yield all rolls, in the order of the declarations."""
    todo: list[object] = [*found.blocks, *found.setups, *found.whenevers, *found.hooks]
    todo = [*reversed(todo), *reversed([symbol.decl for symbol in world.symbols.values()])]
    while todo:
        part = todo.pop()
        if isinstance(part, t.RollStmt):
            yield part
        elif isinstance(part, tuple):
            todo += reversed(part)
        elif isinstance(part, t.StmtSyntax | t.Decl):
            todo += [getattr(part, each.name) for each in reversed(fields(type(part)))]


def texts(model: m.Model) -> None:
    """Use the text of each purpose in the log also as the text of the member of Purpose."""
    kind = model.purpose_kind
    if kind is None:
        return
    for found in model.texts.values():
        for purpose in kind.members:
            if f"purpose.{purpose}" in found:
                found.setdefault(f"member.{kind.name}.{purpose}", found[f"purpose.{purpose}"])
