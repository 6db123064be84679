"""Takes a whole model, warns of moments at which nobody can do anything."""

from __future__ import annotations

from rulekit import model as m
from rulekit.check.lints.uses import Uses
from rulekit.check.names.collect import Collected, within
from rulekit.check.names.scope import World
from rulekit.model.visitor import nodes
from rulekit.syntax import tree as t


def openings(files: list[tuple[t.File, int]], world: World, found: Collected, uses: Uses) -> None:
    """Warns of moments of the game itself that are opened and at which nothing stands, and of groups of moments with nothing at them."""
    for symbol in world.symbols.values():
        decl = symbol.decl
        if not isinstance(decl, t.MomentDecl) or decl.span.file not in uses.own:
            continue
        frame = world.frames.get(symbol.name)
        if decl.parts:
            if not _is_named(symbol.name, files, found, world):
                world.sink.warn("RK707", decl.span, f"nothing stands at the moments of '{symbol.name}'",
                                f"write a reaction or a hook 'at {symbol.name}', or remove the group")
        elif frame is not None and id(frame) in uses.reached and not any(isinstance(node, m.Window) for node in nodes(frame.body)):
            world.sink.warn("RK707", decl.span, f"nobody can do anything at the moment '{symbol.name}': nothing stands at it",
                            f"write a reaction 'at {symbol.name}', or remove the moment and what opens it")


def _is_named(name: str, files: list[tuple[t.File, int]], found: Collected, world: World) -> bool:
    """Does a rule or a datum name this group?"""
    moments = world.model.moments
    assert moments is not None
    ordinal = moments.members.index(name) if name in moments.members else -1
    if any(isinstance(one.type, m.MemberOf) and one.type.kind is moments and ordinal in one.values for one in world.model.fixed):
        return True
    return any(isinstance(part, str) and part == name for file, _ in files for decl in file.decls
               if not (isinstance(decl, t.MomentDecl) and decl.name == name) for part in within(decl))
