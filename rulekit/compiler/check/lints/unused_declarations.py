"""Warn of declarations that play never reaches, because nothing calls, reads, opens or looks them
up.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.resolve.collect import within
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import children, mentions, nodes
from rulekit.compiler.syntax import ast as t

DOES = {
    "define": "is never used",
    "total": "is never used",
    "permit": "is never used",
    "table": "is never looked up",
    "event": "never happens",
    "moment": "is never opened",
    "procedure": "is never called",
    "phase": "never runs",
    "movement": "is never used by a 'walk'",
    "fixed": "is never read",
    "slot": "is never used",
}
MENDS = {
    "event": "write its name as a statement where it happens, or remove it",
    "moment": "write 'open {name}' at its place in the sequence of play, or remove it",
    "phase": "write its name at its place in the sequence of play, or remove it",
    "procedure": "call it as a statement where it belongs, or remove it",
}


def unused(files: list[tuple[t.File, int]], world: CheckState, uses: ReachableUses) -> None:
    """Warn of each declaration of the game itself that nothing uses."""
    model = world.model
    for word, name, declaration in _candidates(world):
        if uses.is_own(declaration) and not uses.has(declaration):
            by = _users(declaration, model)
            only = f", except in {by}, which is never used either" if by else ""
            world.sink.warn(
                "RK701",
                declaration.span,
                f"the {word} '{name}' {DOES[word]}{only}",
                MENDS.get(word, "use it where it belongs, or remove it").format(name=name),
            )
    _rulings(world, uses)
    _kinds(files, world, uses)


def _candidates(world: CheckState) -> Iterator[tuple[str, str, m.Declaration]]:
    """Yield for each declaration its word in the language, its name, and its node."""
    model = world.model
    rulings = {ruling.fixed for ruling in model.rulings}
    yield from (("define", one.name, one) for one in model.defines)
    yield from (("total", one.name, one) for one in model.totals)
    yield from (("permit", one.name, one) for one in model.permits)
    yield from (("table", one.name, one) for one in model.tables)
    yield from (("event", one.name, one) for one in model.events if not one.built_in)
    yield from (
        (one.word, one.name, one)
        for one in model.procedures
        if one.word in ("procedure", "phase", "moment")
    )
    yield from (("movement", one.name, one) for one in model.movements)
    yield from (
        ("fixed", f"{one.owner.name}.{one.name}" if one.owner is not None else one.name, one)
        for one in model.fixed
        if not one.synthetic
        and one not in rulings
        and not (one.owner is not None and one.owner.own)
    )
    yield from (("slot", one.name, one) for one in model.slots)


def _users(declaration: m.Declaration, model: m.Model) -> str:
    """Return the quoted name of an unused declaration that names this one, or ""."""
    everywhere: list[m.Declaration] = [
        *model.procedures,
        *model.defines,
        *model.totals,
        *model.permits,
        *model.movements,
        *model.events,
    ]
    for other in everywhere:
        inside = (node for node in nodes(*children(other)) if not isinstance(node, m.Running))
        itself = other is declaration or other is getattr(declaration, "wrapper", None)
        if not itself and any(declaration in mentions(node) for node in inside):
            return f"'{getattr(other, 'name', '')}'"
    return ""


def _rulings(world: CheckState, uses: ReachableUses) -> None:
    """Warn of rulings with alternatives that no rule distinguishes."""
    for ruling in world.model.rulings:
        if id(ruling.fixed) not in uses.reached and ruling.name not in uses.named:
            world.sink.warn(
                "RK701",
                ruling.fixed.span,
                f"no rule tests which alternative of the ruling '{ruling.name}' is chosen",
                f"test it where the rules differ ('when {ruling.name} is {ruling.default}'), or "
                "remove its alternatives",
            )


def _kinds(files: list[tuple[t.File, int]], world: CheckState, uses: ReachableUses) -> None:
    """Warn of kinds that no member, attribute or key uses."""
    declarations = [decl for file, _ in files for decl in file.decls]
    where: dict[str, set[int]] = {}  # by word: the declarations that contain it
    for decl in declarations:
        for word in within(decl):
            if isinstance(word, str):
                where.setdefault(word, set()).add(id(decl))
    for kind in [decl for decl in declarations if isinstance(decl, t.KindDecl)]:
        if (
            kind.decides
            or kind.extends
            or kind.joins is not None
            or kind.span.file not in uses.own
            or kind.name in uses.named
        ):
            continue
        words = {word for word, at in where.items() if at - {id(kind)}}
        members = {
            member
            for member in world.kinds[kind.name].members
            if len(world.kinds_with(member)) == 1
        }
        if kind.name not in words and not words & members:
            world.sink.warn(
                "RK701",
                kind.span,
                f"the kind '{kind.name}' is never used as a type",
                "use it as the type of an attribute, a state or a parameter, or remove it",
            )
