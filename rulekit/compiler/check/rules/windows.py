"""Builds menus, windows and the wrappers of events from actions, reactions, hooks and moments."""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.builtin_dice import ROLLED
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import (
    BAD,
    BOOL,
    Bad,
    CheckState,
    Scope,
    Symbol,
    context_chain,
)
from rulekit.compiler.check.rules.blocks import block
from rulekit.compiler.check.rules.bodies import frame_scope
from rulekit.compiler.check.rules.options import clauses, parameters, possible
from rulekit.compiler.check.rules.signatures import Attached, Places
from rulekit.compiler.check.typecheck.dispatch import condition, fitting, typed
from rulekit.compiler.check.typecheck.ranges import answered
from rulekit.compiler.syntax import ast as t


def options(places: Places, world: CheckState) -> list[tuple[Symbol, m.GuardedOption]]:
    """Create the options declared at the top level, with their parameters, and attach them where
    they are offered.

    Guards and bodies follow later.
    """
    made: list[tuple[Symbol, m.GuardedOption]] = []
    for symbol in world.symbols.values():
        decl = symbol.decl
        if isinstance(decl, t.OptionDecl):
            option = declared_option(symbol, decl, world)
            attach(symbol, decl, option, places, world)
            made.append((symbol, option))
    return made


def declared_option(symbol: Symbol, decl: t.OptionDecl, world: CheckState) -> m.GuardedOption:
    """Create an option with its parameters only. The guards are typed when all signatures are
    known.
    """
    proc = world.frames[symbol.name]
    world.model.procedures.append(proc)
    option = m.GuardedOption(
        decl.name,
        decl.word,
        [],
        proc=proc,
        label=decl.label or "",
        key=f"option.{decl.name}",
        ref=decl.ref,
        span=decl.span,
    )
    sides = world.model.sides
    option.me = m.Var("me", m.MemberOf(sides) if sides else BAD, proc)
    scope = Scope(world, {"me": option.me}, contexts=around(decl, proc, world), proc=proc)
    parameters(decl.params, scope, option)
    proc.vars.clear()
    proc.params = [option.me, *option.params]
    world.visible[proc] = {v.name: v for v in proc.params}
    symbol.obj = option
    world.model.options.append(option)
    return option


def attach(
    symbol: Symbol, decl: t.OptionDecl, option: m.GuardedOption, places: Places, world: CheckState
) -> None:
    word, target = decl.attach or ("", None)
    at = next((c.moment for c in decl.clauses if isinstance(c, t.AtClause)), None)
    if at is not None:
        word, target = "at", at
    name = target.id if isinstance(target, t.Name) else ""
    if word == "in":
        menu = world.symbols.get(name)
        if menu is None or menu.what != "menu":
            menus = [s.name for s in world.symbols.values() if s.what == "menu"]
            world.error(
                "RK301",
                decl,
                f"'{name}' is not a menu",
                guess(name, menus)
                or (
                    f"the menus are {', '.join(menus)}"
                    if menus
                    else "declare one: menu NAME in PHASE"
                ),
            )
        else:
            menu.obj.append(option)
    elif word in ("after", "before"):
        if f"{word} {name}" in world.moment_parts:
            places.place(f"{word} {name}").options.append((symbol, {}, None, ""))
    elif word == "standing":
        world.standing.append((world.frames.get(name) if name else None, option))
    elif word == "at" and name and name in world.moment_parts:
        for part in world.moment_parts[name]:
            places.place(part).options.append(
                (symbol, {}, running(name, places, world), asking(name, part, places, world))
            )
    elif word == "at" and target is not None:
        by_member(symbol, option, target, places, world)
    else:
        world.error(
            "RK505",
            decl,
            f"'{decl.name}' is offered nowhere",
            "write 'in MENU', 'after EVENT', 'before EVENT', 'at MOMENT' or 'standing'",
        )


def place_of(decl: t.OptionDecl) -> str:
    """Return the moment of a reaction, such as `odds_known` or `after entered`. It is empty if the
    data determine it.
    """
    word, target = decl.attach or ("", None)
    target = next((c.moment for c in decl.clauses if isinstance(c, t.AtClause)), target)
    name = target.id if isinstance(target, t.Name) else ""
    return f"{word} {name}" if word in ("after", "before") else name


def after_rolls(decl: t.OptionDecl, world: CheckState) -> bool:
    """Return True if an option is offered only after rolls of dice."""
    return world.moment_parts.get(place_of(decl)) == [f"after {ROLLED}"]


def around(
    decl: t.OptionDecl, proc: m.Procedure | None, world: CheckState
) -> tuple[m.Procedure, ...]:
    """Return the procedures that are running around an option.

    If it is offered only after rolls, they include the event of the roll, even if its group has a
    context.
    """
    chain = context_chain(proc)
    rolled = world.frames.get(ROLLED)
    return (
        (*chain, rolled)
        if rolled is not None and rolled not in chain and after_rolls(decl, world)
        else chain
    )


def running(name: str, places: Places, world: CheckState) -> m.Procedure | None:
    """Return the context of a group of moments. The group is open only while that is running."""
    decl = places.groups.get(name)
    return world.frames.get(decl.context) if decl is not None and decl.context else None


def asking(name: str, part: str, places: Places, world: CheckState) -> str:
    """Return the group of moments whose `asks` applies at a moment, or ''.

    A single moment with its own `asks` takes precedence over its group.
    """
    symbol = world.symbols.get(part)
    own = symbol is not None and isinstance(symbol.decl, t.MomentDecl) and symbol.decl.asks
    return name if name in places.groups and places.groups[name].asks and not own else ""


def by_member(
    symbol: Symbol, option: m.GuardedOption, target: t.ExprSyntax, places: Places, world: CheckState
) -> None:
    """Attach an option with `at f.window` to each moment, for those members that name it."""
    moments = world.model.moments
    assert moments is not None and option.proc is not None
    scope = Scope(
        world, {v.name: v for v in option.proc.params}, contexts=context_chain(option.proc.context)
    )
    made = fitting(target, scope, m.MemberOf(moments, True))
    element = made.keys[0] if isinstance(made, m.ReadFixed) and len(made.keys) == 1 else None
    if (
        not isinstance(made, m.ReadFixed)
        or not isinstance(element, m.Read)
        or element.var not in option.params
    ):
        if not isinstance(made.type, Bad):
            world.error(
                "RK505",
                target,
                "'at' needs a moment, or a parameter's fixed attribute that names a moment",
                "write 'at MOMENT' with its name, or 'at x.window' of a parameter x whose kind has"
                " 'fixed window: Moment'",
            )
        return
    index = option.params.index(element.var)
    kind = made.fixed.keys[0].kind
    assert kind is not None
    masks: dict[tuple[str, m.Procedure | None, str], int] = {}
    for i, value in enumerate(made.fixed.values):
        name = moments.members[value] if value >= 0 else ""
        for part in world.moment_parts.get(name, []):
            key = (part, running(name, places, world), asking(name, part, places, world))
            masks[key] = masks.get(key, 0) | 1 << i
    for (part, proc, group), mask in masks.items():
        places.place(part).options.append(
            (symbol, {index: m.Const(mask, type=m.SetOf(kind))}, proc, group)
        )


def guards(made: list[tuple[Symbol, m.GuardedOption]], world: CheckState) -> None:
    """Check the clauses of declared options."""
    for symbol, option in made:
        decl, proc = symbol.decl, option.proc
        assert isinstance(decl, t.OptionDecl) and proc is not None
        scope = Scope(
            world, {v.name: v for v in proc.params}, contexts=around(decl, proc, world), proc=proc
        )
        clauses(decl.clauses, scope, option)
        withs = [c.var for c in option.clauses if isinstance(c, m.With)]
        proc.vars.clear()
        proc.params += withs
        world.visible[proc].update({v.name: v for v in withs})
        asked = next((c.who for c in decl.clauses if isinstance(c, t.ForClause)), None)
        if asked is not None and world.model.sides is not None:
            context = Scope(world, contexts=around(decl, proc.context, world))
            option.asked = [fitting(asked, context, m.MemberOf(world.model.sides, True))]


def option_bodies(made: list[tuple[Symbol, m.GuardedOption]], world: CheckState) -> None:
    for symbol, option in made:
        decl, proc = symbol.decl, option.proc
        assert isinstance(decl, t.OptionDecl) and proc is not None
        scope = frame_scope(proc, world)
        scope.contexts = around(decl, proc, world)
        scope.redo = after_rolls(decl, world)
        outer = proc.context
        if outer is not None and outer.word == "moment":
            scope.answer = outer.result
        if outer is not None and outer.word == "event":
            scope.stop = next((v for v in outer.vars if v.name == "stop"), None)
        proc.body = block(decl.body, scope)


# ------------------------------------------------------------------------------------------------ w
def assemble(found: Collected, places: Places, world: CheckState) -> None:
    """Build the bodies of moments and event wrappers: hooks, then the window."""
    for hook in found.hooks:
        name = hook.name if hook.whence == "at" else f"{hook.whence} {hook.name}"
        if name not in world.moment_parts:
            if hook.whence == "at" or hook.whence not in ("after", "before"):
                world.error(
                    "RK301",
                    hook,
                    f"'{name}' is not a moment or event",
                    among(
                        hook.name,
                        world.moment_parts,
                        f"declare it: event {hook.name}, or moment {hook.name}",
                    ),
                )
            continue
        for part in world.moment_parts[name]:
            places.place(part).hooks.append(hook)
    for frame in world.frames.values():
        if frame.word == "moment":
            moment_body(frame, places, world)
        elif frame.word == "event":
            wrapper_body(frame, places, world)


def moment_body(frame: m.Procedure, places: Places, world: CheckState) -> None:
    decl = world.symbols[frame.name].decl
    assert isinstance(decl, t.MomentDecl)
    place = places.place(frame.name)
    if decl.asks:
        place.asks = list(decl.asks)
    if frame.result is not None:
        default = (
            answered(
                fitting(decl.default, Scope(world), frame.result.type),
                frame.result,
                decl.default,
                Scope(world),
            )
            if decl.default is not None
            else m.Const(0, type=frame.result.type)
        )
        frame.body.append(m.SetVar(frame.result, ":=", default))
    frame.body += window(frame.name, frame, place, places, world, None)


def wrapper_body(frame: m.Procedure, places: Places, world: CheckState) -> None:
    event: m.EventDeclaration = world.symbols[frame.name].obj
    args: list[m.Expr] = [m.Read(v) for v in frame.params]
    world.model.procedures.append(frame)
    inner: m.Block = [m.CallEvent(event, args, span=event.span)]
    before, after = places.at.get(f"before {frame.name}"), places.at.get(f"after {frame.name}")
    if after is not None:
        inner += window(f"after {frame.name}", frame, after, places, world, None)
    if before is None:
        frame.body = inner
        return
    stop = m.Var("stop", BOOL, frame)
    frame.vars.append(stop)
    frame.body = [
        m.SetVar(stop, ":=", m.Const(0, type=BOOL)),
        *window(f"before {frame.name}", frame, before, places, world, stop),
        m.IfStmt(m.Not(m.Read(stop, type=BOOL)), inner, []),
    ]


def window(
    name: str,
    frame: m.Procedure,
    place: Attached,
    places: Places,
    world: CheckState,
    stop: m.Var | None,
) -> m.Block:
    """Return one window statement, or nothing if no option or hook is attached."""
    moments, sides = world.model.moments, world.model.sides
    assert moments is not None
    if (not place.options and not place.hooks) or sides is None:
        return []
    me = m.Var("me", m.MemberOf(sides), frame)
    frame.vars.append(me)
    hooks = [hook_of(h, frame, stop, world) for h in place.hooks]
    offered: list[m.GuardedOption] = []
    for symbol, domains, must_run, _ in place.options:
        base: m.GuardedOption = symbol.obj
        option = evolve(
            base,
            domains=[domains.get(i) for i in range(len(base.params))],
            clauses=list(base.clauses),
        )
        if must_run is not None and must_run not in context_chain(frame):
            option.clauses.insert(
                0, m.Guarded(m.Running(must_run), "", f"why.{option.name}.running")
            )
        option.possible = possible(option)
        offered.append(option)
    asks = asked(offered, name, frame, place, places, world)
    return [
        m.Window(
            moments.members.index(name),
            asks,
            offered,
            me,
            hooks,
            name == f"after {ROLLED}",
            span=frame.span,
        )
    ]


def asked(
    offered: list[m.GuardedOption],
    name: str,
    frame: m.Procedure,
    place: Attached,
    places: Places,
    world: CheckState,
) -> list[m.Expr]:
    """Return the players asked in a window, in order.

    They come from `for`, from groups of moments, or from the moment itself. For an option, `for`
    replaces the others. Without any of these, all players are asked. Each option records which of
    them it is for.
    """
    sides = world.model.sides
    assert sides is not None
    groups = [
        group for group in places.groups if name in world.moment_parts[group] and not place.asks
    ]
    said = {
        group: [
            called(node, frame, running(group, places, world), world)
            for node in places.groups[group].asks
        ]
        for group in groups
    }
    said[""] = [called(node, frame, None, world) for node in place.asks] or [
        m.Const(i, type=m.MemberOf(sides)) for i in range(sides.size)
    ]
    by = [group for _, _, _, group in place.options]
    counts = {group for option, group in zip(offered, by, strict=True) if option.asked is None}
    named = [option.asked for option in offered if option.asked is not None] + [
        who for group, who in said.items() if group in counts
    ]
    for option, group in zip(offered, by, strict=True):
        if option.asked is None and len(named) > 1:
            option.asked = said[group]
    return [who for each in named for who in each]


def called(
    node: t.ExprSyntax, frame: m.Procedure, must_run: m.Procedure | None, world: CheckState
) -> m.Expr:
    """Return a player that `asks` names, or none while the context of its group is not running."""
    sides, chain = world.model.sides, context_chain(frame)
    assert sides is not None
    scope = Scope(
        world, {v.name: v for v in frame.params}, contexts=chain + context_chain(must_run)
    )
    who = fitting(node, scope, m.MemberOf(sides, True), "who is asked")
    if must_run is None or must_run in chain:
        return who
    return m.If(
        m.Running(must_run),
        who,
        m.Const(-1, type=m.MemberOf(sides, True)),
        type=m.MemberOf(sides, True),
        span=who.span,
    )


def hook_of(node: t.HookDecl, frame: m.Procedure, stop: m.Var | None, world: CheckState) -> m.Hook:
    proc = m.Procedure(
        f"on {node.whence} {node.name}", "hook", context=frame, ref=node.ref, span=node.span
    )
    world.model.procedures.append(proc)
    cond = (
        condition(node.when, Scope(world, contexts=context_chain(frame)))
        if node.when is not None
        else None
    )
    scope = frame_scope(proc, world)
    scope.stop = stop
    scope.answer = frame.result
    scope.redo = (node.whence, node.name) == ("after", ROLLED)
    proc.body = block(node.body, scope)
    return m.Hook(proc.name, cond, proc, ref=node.ref)


def whenevers(found: Collected, world: CheckState) -> None:
    """Check the rules that watch the state."""
    for node in found.whenevers:
        source = typed(node.source, Scope(world, choosing=node.var, chosen=node.source))
        if not isinstance(source.type, m.SetOf):
            if not isinstance(source.type, Bad):
                world.error(
                    "RK401",
                    node,
                    "'whenever' needs a set: whenever x in SET where ...",
                    "write a kind after 'in', then the condition: 'whenever x in KIND where ...'",
                )
            continue
        proc = m.Procedure(f"whenever {node.var}", "whenever", ref=node.ref, span=node.span)
        var = m.Var(node.var, m.MemberOf(source.type.kind), proc)
        proc.params = [var]
        world.model.procedures.append(proc)
        scope = frame_scope(proc, world)
        proc.body = block(node.body, scope)
        world.model.whenevers.append(m.Whenever(proc.name, var, source, proc, ref=node.ref))


def invariants(found: Collected, world: CheckState) -> None:
    for node in found.invariants:
        frame = world.frames.get(node.place) if node.place else None
        if node.place and frame is None:
            world.error(
                "RK301",
                node,
                f"'{node.place}' is not a phase or procedure",
                among(node.place, world.frames, f"declare it: phase {node.place}"),
            )
            continue
        cond = condition(node.cond, Scope(world, contexts=context_chain(frame)))
        made = m.Invariant(node.name, cond, frame is None, ref=node.ref, span=node.span)
        world.model.invariants.append(made)
        if frame is not None:
            frame.body.append(m.Check(made, span=node.span))
