"""Creates the objects for declarations (procedures, events, moments, totals and so on), without
their bodies.
"""

from __future__ import annotations

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.compiler import model as m
from rulekit.compiler.check.data import binding
from rulekit.compiler.check.resolve.builtin_dice import ROLLED
from rulekit.compiler.check.resolve.collect import Collected, within
from rulekit.compiler.check.resolve.limits import CONTEXTS, MEMBERS, TABLE, shown, size
from rulekit.compiler.check.resolve.scope import BAD, BOOL, CheckState, Scope, Symbol, own_kinds
from rulekit.compiler.check.rules.bodies import define_work
from rulekit.compiler.check.rules.entities import constant, params
from rulekit.compiler.check.typecheck.types import key_of, type_of
from rulekit.compiler.syntax import ast as t

NAMED = ("procedure", "option", "moment", "movement")


@define(eq=False)
class Attached:
    """The options and hooks at a moment or an event. An option has the domain of the parameter that
    selects the moment.
    """

    # (option, domains by parameter, must be running, the group of moments whose `asks` counts for
    # it: '' for none)
    options: list[tuple[Symbol, dict[int, m.Expr], m.Procedure | None, str]] = field(factory=list)
    hooks: list[t.HookDecl] = field(factory=list)
    asks: list[t.ExprSyntax] = field(factory=list)  # that of the moment itself


@define(eq=False)
class Places:
    """Everything attached, by the canonical name of the moment: `odds_known`, `after entered`,
    `before entered`.
    """

    at: dict[str, Attached] = field(factory=dict)
    groups: dict[str, t.MomentDecl] = field(factory=dict)

    def place(self, name: str) -> Attached:
        return self.at.setdefault(name, Attached())


def frames(found: Collected, world: CheckState) -> None:
    """Create a procedure object for everything that has a frame, so that contexts and lifetimes can
    name it.
    """
    for symbol in world.symbols.values():
        decl = symbol.decl
        if symbol.what in NAMED and not (isinstance(decl, t.MomentDecl) and decl.parts):
            word = decl.word if isinstance(decl, (t.ProcDecl, t.OptionDecl)) else symbol.what
            world.frames[symbol.name] = m.Procedure(
                symbol.name, word, ref=getattr(decl, "ref", ()), span=decl.span
            )
    for event in sorted(hooked_events(found, world)):
        world.frames[event] = m.Procedure(event, "event", span=world.symbols[event].span)
    for symbol in world.symbols.values():
        frame = world.frames.get(symbol.name)
        decl = symbol.decl
        name: str | None = None
        if isinstance(decl, (t.ProcDecl, t.MovementDecl, t.MomentDecl)):
            name = decl.context
        elif isinstance(decl, t.OptionDecl) and decl.attach is not None:
            name = option_context(decl, world)
        if frame is not None and name is not None:
            frame.context = context_of(name, decl, world)
    for frame in world.frames.values():
        nested(frame, world)


def nested(frame: m.Procedure, world: CheckState) -> None:
    """Check that the contexts of a procedure are not cyclic and not too deep."""
    chain = [frame]
    while chain[-1].context is not None:
        outer = chain[-1].context
        if outer in chain:
            names = " in ".join(p.name for p in [*chain[chain.index(outer) :], outer])
            world.error(
                "RK501",
                outer.span,
                f"these procedures are inside each other: {names}",
                "'in' names the procedure that runs around this one: remove it from one of them",
            )
        elif len(chain) >= CONTEXTS:
            world.error(
                "RK511",
                frame.span,
                f"'{frame.name}' is inside {CONTEXTS} procedures, one within another",
                "pass their values as parameters",
            )
        else:
            chain.append(outer)
            continue
        chain[-1].context = None


def option_context(decl: t.OptionDecl, world: CheckState) -> str | None:
    """Return the name of the procedure that is running when this option is offered."""
    assert decl.attach is not None
    word, target = decl.attach
    target_name = target.id if isinstance(target, t.Name) else None
    if (
        word == "in"
        and target_name in world.symbols
        and isinstance(world.symbols[target_name].decl, t.MenuDecl)
    ):
        return world.symbols[target_name].decl.context  # type: ignore[attr-defined, no-any-return]
    if word == "at" and target_name is not None and target_name in world.symbols:
        moment = world.symbols[target_name].decl
        if isinstance(moment, t.MomentDecl):
            return moment.context if moment.parts else target_name
    return target_name if word in ("after", "before", "standing") else None


def context_of(name: str, node: t.NodeSyntax, world: CheckState) -> m.Procedure | None:
    frame = world.frames.get(name)
    if frame is None:
        world.error(
            "RK301",
            node,
            f"there is no procedure, phase, action or event '{name}' for 'in'",
            among(name, world.frames, f"declare it: phase {name}, or remove 'in {name}'"),
        )
    return frame


def hooked_events(found: Collected, world: CheckState) -> set[str]:
    """Return the events that have hooks or reactions, or that are the scope of a state or limit."""
    names: list[tuple[str, t.NodeSyntax]] = [
        (h.name, h) for h in found.hooks if h.whence in ("after", "before")
    ]
    for symbol in world.symbols.values():
        decl = symbol.decl
        attach = decl.attach if isinstance(decl, t.OptionDecl) else None
        if (
            attach is not None
            and attach[0] in ("after", "before")
            and isinstance(attach[1], t.Name)
        ):
            names.append((attach[1].id, decl))
        if isinstance(decl, t.MomentDecl):
            names += [(p.name, p) for p in decl.parts if p.whence in ("after", "before")]
    known = {s.name for s in world.symbols.values() if s.what == "event"}
    for name, node in names:
        if name not in known:
            world.error(
                "RK301",
                node,
                f"'{name}' is not an event",
                among(name, known, f"declare it: event {name}"),
            )
    return {name for name in (*[n for n, _ in names], *lasting(found, world)) if name in known}


def lasting(found: Collected, world: CheckState) -> list[str]:
    """Return the scopes of states and limits: NAME in `per NAME`."""
    roots = (
        *(part for decls in found.kinds.values() for part, _ in decls),
        *(symbol.decl for symbol in world.symbols.values()),
        *found.hooks,
        *found.whenevers,
        *found.setups,
        *found.blocks,
    )
    return [
        node.per
        for node in within(*roots)
        if isinstance(node, (t.StateDecl, t.LimitClause)) and node.per is not None
    ]


def moments(found: Collected, world: CheckState) -> Places:
    """Fill the kinds Moment and Scope with members, and determine the moments of each group."""
    places = Places()
    moment_kind, scope_kind = world.model.moments, world.model.scopes
    assert moment_kind is not None and scope_kind is not None
    for symbol in world.symbols.values():
        if isinstance(symbol.decl, t.MomentDecl):
            moment_kind.members.append(symbol.name)
            if symbol.decl.parts:
                places.groups[symbol.name] = symbol.decl
            else:
                world.moment_parts[symbol.name] = [symbol.name]
    for name, frame in world.frames.items():
        scope_kind.members.append(name)
        if frame.word == "event":
            for whence in ("before", "after"):
                moment_kind.members.append(f"{whence} {name}")
                world.moment_parts[f"{whence} {name}"] = [f"{whence} {name}"]
    for name in places.groups:
        flatten(name, places, world, [])
    for kind in (moment_kind, scope_kind):
        if kind.size > MEMBERS:
            world.too_many(kind, next(iter(world.symbols.values())).span)
            return places
    ordinals = {name: i for i, name in enumerate(moment_kind.members)}
    scope_ordinals = {name: i for i, name in enumerate(scope_kind.members)}
    covers = m.Fixed("covers", [m.Key(moment_kind)], m.SetOf(moment_kind), synthetic=True)
    scopes = m.Fixed(
        "scope",
        [m.Key(moment_kind)],
        m.MemberOf(scope_kind, True),
        owner=moment_kind,
        synthetic=True,
    )
    for i, name in enumerate(moment_kind.members):
        mask = 1 << i
        for part in world.moment_parts.get(name, []):
            mask |= 1 << ordinals[part]
        covers.values.append(mask)
        running = moment_scope(name, places, world)
        scopes.values.append(scope_ordinals[running.name] if running is not None else -1)
    world.synthetic["covers"] = covers
    moment_kind.fixed["scope"] = scopes
    world.model.fixed += [covers, scopes]
    return places


def flatten(name: str, places: Places, world: CheckState, seen: list[str]) -> list[str]:
    """Return the plain moments of a group, with nested groups expanded."""
    if name in world.moment_parts:
        return world.moment_parts[name]
    if name in seen:
        world.error("RK501", places.groups[name], f"the group of moments '{name}' contains itself")
        return []
    made: list[str] = []
    for part in places.groups[name].parts:
        canonical = f"{part.whence} {part.name}" if part.whence else part.name
        if canonical in places.groups:
            made += flatten(canonical, places, world, [*seen, name])
        elif canonical in world.moment_parts:
            made.append(canonical)
        elif not part.whence:
            world.error(
                "RK301",
                part,
                f"'{part.name}' is not a moment",
                among(part.name, world.moment_parts, f"declare it: moment {part.name}"),
            )
        elif part.whence not in ("after", "before"):
            world.error(
                "RK505",
                part,
                f"'{part.whence}' is not a moment of language 1",
                "declare a moment and 'open' it there",
            )
    world.moment_parts[name] = list(dict.fromkeys(made))
    return world.moment_parts[name]


def moment_scope(name: str, places: Places, world: CheckState) -> m.Procedure | None:
    if name in places.groups:
        context = places.groups[name].context
        return world.frames.get(context) if context else None
    frame = world.frames.get(name.split(" ")[-1])
    return frame.context if frame is not None and " " not in name else frame


# ------------------------------------------------------------------------------------------------ s
def signatures(found: Collected, world: CheckState) -> None:
    """Create the parameters, types and contexts of all declarations. Defines get their bodies
    later.
    """
    model = world.model
    for symbol in list(world.symbols.values()):
        decl = symbol.decl
        if isinstance(decl, (t.DefineDecl, t.TotalDecl, t.PermitDecl)):
            symbol.params = params(decl.params, world)
            symbol.context = context_of(decl.context, decl, world) if decl.context else None
            if isinstance(decl, t.DefineDecl):
                symbol.obj = m.Define(
                    decl.name,
                    symbol.params,
                    type_of(decl.type, world) if decl.type else BAD,
                    [],
                    symbol.context,
                    ref=decl.ref,
                    span=decl.span,
                )
                model.defines.append(symbol.obj)
            elif isinstance(decl, t.TotalDecl):
                symbol.obj = m.Total(
                    decl.name,
                    symbol.params,
                    type_of(decl.type, world),
                    [],
                    symbol.context,
                    ref=decl.ref,
                    span=decl.span,
                )
                model.totals.append(symbol.obj)
            else:
                symbol.obj = m.Permit(
                    decl.name, symbol.params, [], symbol.context, ref=decl.ref, span=decl.span
                )
                model.permits.append(symbol.obj)
        elif isinstance(decl, t.TableDecl):
            table(symbol, decl, world)
        elif isinstance(decl, t.EventDecl):
            symbol.params = params(decl.params, world)
            event = m.EventDeclaration(
                decl.name, symbol.params, built_in=decl.name == ROLLED, ref=decl.ref, span=decl.span
            )
            model.events.append(event)
            if model.purpose_kind is not None and event.built_in:
                model.purposes += model.purpose_kind.members
            symbol.obj = event
            frame = world.frames.get(decl.name)
            if frame is not None:
                frame.params = params(decl.params, world, frame)
                frame.ref = decl.ref
                event.wrapper = frame
                world.visible[frame] = {v.name: v for v in frame.params}
        elif isinstance(decl, t.MenuDecl):
            symbol.context = context_of(decl.context, decl, world)
            symbol.obj = []
        elif symbol.what in NAMED and symbol.name in world.frames:
            procedure(symbol, world)


def procedure(symbol: Symbol, world: CheckState) -> None:
    decl, frame = symbol.decl, world.frames[symbol.name]
    if isinstance(decl, t.OptionDecl):
        return  # options make their own parameters
    assert isinstance(decl, (t.ProcDecl, t.MomentDecl, t.MovementDecl))
    frame.params = params(decl.params, world, frame)
    symbol.params = frame.params
    symbol.context = frame.context
    world.visible[frame] = {v.name: v for v in frame.params}
    if isinstance(decl, t.ProcDecl):
        for node in declared_fields(decl.body):
            if node.name in world.visible[frame]:
                world.error(
                    "RK303", node, f"'{node.name}' is already a parameter or field of {decl.name}"
                )
            made = m.Var(
                node.name,
                type_of(node.type, world),
                frame,
                span=node.span,
                shared=True,
                held=True,
                clamp=node.type.clamp,
            )
            frame.vars.append(made)
            world.visible[frame][node.name] = made
    if not isinstance(decl, t.MovementDecl):
        symbol.obj = frame
    if isinstance(decl, t.MomentDecl) and decl.type is not None:
        frame.result = m.Var("answer", type_of(decl.type, world), frame, clamp=decl.type.clamp)
        frame.vars.append(frame.result)
    if isinstance(decl, t.MovementDecl):
        symbol.obj = movement(decl, frame, world)
        world.model.movements.append(symbol.obj)
    else:
        world.model.procedures.append(frame)


def declared_fields(body: t.Block) -> list[t.FieldStmt]:
    """Return the fields of a procedure, in all its blocks."""
    found: list[t.FieldStmt] = []
    for stmt in body:
        if isinstance(stmt, t.FieldStmt):
            found.append(stmt)
        elif isinstance(stmt, t.IfSyntax):
            for _, inner in stmt.arms:
                found += declared_fields(inner)
            found += declared_fields(stmt.other)
        elif isinstance(stmt, (t.EachStmt, t.RepeatStmt)):
            found += declared_fields(stmt.body)
    return found


def movement(decl: t.MovementDecl, frame: m.Procedure, world: CheckState) -> m.Movement:
    border = world.kinds.get(decl.border)
    if border is None or border.joins is None:
        world.error(
            "RK301",
            decl,
            f"'{decl.border}' is not a kind that joins places",
            guess(decl.border, [k.name for k in world.borders.values()])
            or "write 'kind X joins Y'",
        )
        border = border or m.Kind(decl.border)
    place = m.MemberOf(border.joins or border)

    def var(name: str, type: m.Type) -> m.Var:
        made = m.Var(name, type, frame)
        frame.vars.append(made)
        return made

    group = next((v for v in frame.params if isinstance(v.type, m.SetOf)), None)
    place_cell = None
    if group is not None and isinstance(group.type, m.SetOf):
        named = next(
            (
                k.place_cell
                for k in world.source.kinds
                if k.kind == group.type.kind.name and k.place_cell
            ),
            None,
        )
        cells = group.type.kind.cells
        placing = (
            c
            for c in cells.values()
            if isinstance(c.type, m.MemberOf) and c.type.kind is place.kind
        )
        place_cell = cells.get(named) if named else next(placing, None)
    made = m.Movement(
        decl.name,
        frame,
        border,
        var("start", place),
        var("at", place),
        var("fuel", m.Int()),
        var("been", m.SetOf(place.kind)),
        var(decl.border_var, m.MemberOf(border)),
        var(decl.from_var, place),
        var(decl.to_var, place),
        var("halted", BOOL),
        group,
        place_cell,
        binding.arcs(border, world.source) if border.joins is not None else [],
        None,
        None,
        [],
        [],
        [],
        [],
        [],
        ref=decl.ref,
        span=decl.span,
    )
    world.visible[frame].update(
        {
            "start": made.start,
            decl.border_var: made.border_var,
            decl.from_var: made.from_var,
            decl.to_var: made.to_var,
        }
    )
    return made


def table(symbol: Symbol, decl: t.TableDecl, world: CheckState) -> None:
    symbol.params = params(decl.params, world)
    keys = [
        None if isinstance(v.type, m.RatioT) else key_of(v.type, p, world)
        for v, p in zip(symbol.params, decl.params, strict=True)
    ]
    lines = size([key for key in keys if key is not None])
    if lines > TABLE:
        world.error(
            "RK407",
            decl,
            f"the table '{decl.name}' has {shown(lines)} lines; the limit is {TABLE:,}",
            "use keys with fewer values",
        )
        return
    clamps = [p.type.clamp or decl.clamp for p in decl.params]
    outputs = [(name or "", type_of(node, world)) for name, node in decl.outputs]
    csv = None
    if decl.source is not None:
        csv = world.source.tables.get(decl.source)
        if csv is None:
            hint = guess(decl.source, world.source.tables) or "put it into the folder of the game"
            world.error(
                "RK650", decl, f"there is no file '{decl.source}' for the table '{decl.name}'", hint
            )
            return
    made = binding.bind_table(
        decl,
        symbol.params,
        keys,
        clamps,
        outputs,
        csv,
        world.sink,
        lambda node, type: constant(node, type, Scope(world), f"a cell of the table '{decl.name}'"),
    )
    if made is not None:
        symbol.obj = made
        world.model.tables.append(made)


def definitions(found: Collected, world: CheckState) -> None:
    """Register the cases of attribute defines and plain defines, which are typed when first
    needed.
    """
    for name, decls in found.kinds.items():
        kind = world.kinds[name]
        for part, _ in decls:
            for item in part.items:
                if isinstance(item, t.DefineDecl):
                    attribute_define(kind, item, world)
    for (owner, _), (decl, _) in found.attribute_defines.items():
        kind_o = world.kinds.get(owner)
        if kind_o is None:
            world.error(
                "RK301",
                decl,
                f"unknown kind '{owner}'",
                among(owner, own_kinds(world.kinds), f"declare it: kind {owner}"),
            )
        else:
            attribute_define(kind_o, decl, world)
    for symbol in world.symbols.values():
        if isinstance(symbol.decl, t.DefineDecl) and isinstance(symbol.obj, m.Define):
            world.pending[symbol.obj] = define_work(symbol.obj, symbol.decl, None, world)


def attribute_define(kind: m.Kind, decl: t.DefineDecl, world: CheckState) -> None:
    if decl.params:
        of = [f"x: {kind.name}", *(f"{param.name}: ..." for param in decl.params)]
        world.error(
            "RK313",
            decl,
            f"'{decl.name}' is an attribute of {kind.name}, and attributes cannot have parameters",
            f"declare it outside the kind: define {decl.name}({', '.join(of)})",
        )
        return
    own = m.Var("it", m.MemberOf(kind))
    made = m.Define(
        f"{kind.name}.{decl.name}",
        [own],
        type_of(decl.type, world) if decl.type else BAD,
        [],
        None,
        ref=decl.ref,
        span=decl.span,
    )
    replaced = kind.defines.get(decl.name)
    if replaced is not None:
        world.model.defines.remove(replaced)
        world.pending.pop(replaced, None)
    kind.defines[decl.name] = made
    world.model.defines.append(made)
    world.pending[made] = define_work(made, decl, kind, world)
