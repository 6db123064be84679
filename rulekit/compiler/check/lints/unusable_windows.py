"""Warn of moments at which nobody can do anything, of empty menus, and of options that are offered
to nobody.
"""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.value_enumeration import Outcomes
from rulekit.compiler.check.resolve.collect import Collected, within
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.model.visitor import nodes, substitute
from rulekit.compiler.syntax import ast as t


def openings(
    files: list[tuple[t.File, int]], world: CheckState, found: Collected, uses: ReachableUses
) -> None:
    """Warn of moments of the game itself that are opened although they have no reaction or hook,
    and of groups of moments without any.
    """
    for symbol in world.symbols.values():
        decl = symbol.decl
        if not isinstance(decl, t.MomentDecl) or decl.span.file not in uses.own:
            continue
        frame = world.frames.get(symbol.name)
        if decl.parts:
            if not _is_named(symbol.name, files, found, world):
                world.sink.warn(
                    "RK707",
                    decl.span,
                    f"no reaction or hook uses the moments of '{symbol.name}'",
                    f"write a reaction or a hook 'at {symbol.name}', or remove the group",
                )
        elif (
            frame is not None
            and id(frame) in uses.reached
            and not any(isinstance(node, m.Window) for node in nodes(frame.body))
        ):
            world.sink.warn(
                "RK707",
                decl.span,
                f"nobody can react at the moment '{symbol.name}': no reaction or hook uses it",
                f"write a reaction 'at {symbol.name}', or remove the moment and the steps that "
                "open it",
            )


def _is_named(
    name: str, files: list[tuple[t.File, int]], found: Collected, world: CheckState
) -> bool:
    """Return True if a rule or a datum names this group."""
    moments = world.model.moments
    assert moments is not None
    ordinal = moments.members.index(name) if name in moments.members else -1
    if any(
        isinstance(one.type, m.MemberOf) and one.type.kind is moments and ordinal in one.values
        for one in world.model.fixed
    ):
        return True
    return any(
        isinstance(part, str) and part == name
        for file, _ in files
        for decl in file.decls
        if not (isinstance(decl, t.MomentDecl) and decl.name == name)
        for part in within(decl)
    )


def offers(world: CheckState, uses: ReachableUses, outcomes: Outcomes) -> None:
    """Warn of empty menus, of standing options beside which nobody is asked, and of reactions that
    none of the asked players can choose.
    """
    for symbol in world.symbols.values():
        if (
            symbol.what == "menu"
            and symbol.name in world.menus_used
            and not symbol.obj
            and symbol.span.file in uses.own
        ):
            world.sink.warn(
                "RK715",
                symbol.span,
                f"the menu '{symbol.name}' has no actions",
                f"write an action 'in {symbol.name}', or remove the menu and the steps that offer "
                "it",
            )
    beside = {
        option.key for node in uses.nodes if isinstance(node, m.Choose) for option in node.standing
    }
    for context, option in world.standing:
        if option.key not in beside and uses.is_own(option):
            where = f" in '{context.name}'" if context is not None else ""
            world.sink.warn(
                "RK715",
                option.span,
                f"'{option.name}' is never offered: there is no 'choose'{where}",
                "declare it in a phase or procedure with a 'choose', or remove it",
            )
    _reactions(world, uses, outcomes)


def _reactions(world: CheckState, uses: ReachableUses, outcomes: Outcomes) -> None:
    """Warn of reactions whose guards exclude everybody who is asked, wherever they are offered."""
    barred: dict[str, list[m.Guarded | None]] = {}
    for node in uses.nodes:
        for option in node.options if isinstance(node, m.Window) else []:
            asked = option.asked if option.asked is not None else node.asks  # type: ignore[attr-defined]
            barred.setdefault(option.key, []).append(_barring(option, asked, outcomes))
    for found in barred.values():
        first = found[0]
        if first is not None and all(found) and first.cond.span.file in uses.own:
            world.sink.warn(
                "RK715",
                first.cond.span,
                "this is never true for any player who decides here",
                "correct the condition, or the players who decide ('asks', 'for')",
            )


def _barring(option: m.GuardedOption, asked: list[m.Expr], outcomes: Outcomes) -> m.Guarded | None:
    """Return the guard that excludes an option for all players who are asked, although it may hold
    by itself.
    """
    assert option.me is not None
    facts: list[m.Expr] = []
    for clause in option.clauses:
        if isinstance(clause, m.Guarded):
            here = [
                outcomes.of(
                    substitute(clause.cond, {option.me: who}),
                    [substitute(fact, {option.me: who}) for fact in facts],
                )
                for who in asked
            ]
            if asked and all(found is not None and 1 not in found for found in here):
                alone = outcomes.of(clause.cond, facts)
                return clause if alone is None or 1 in alone else None
            facts.append(clause.cond)
    return None
