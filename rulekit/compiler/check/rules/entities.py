"""Creates kinds with their members, cells and constants, from the declarations and the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.data import binding
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.collect import Collected
from rulekit.compiler.check.resolve.scope import (
    AttributeSubject,
    Bad,
    CheckState,
    Scope,
    Symbol,
    how_to_give,
    own_kinds,
)
from rulekit.compiler.check.typecheck.dispatch import fits, fitting, is_bad, typed
from rulekit.compiler.check.typecheck.ranges import clamped, promised
from rulekit.compiler.check.typecheck.types import bounded, key_of, type_of
from rulekit.compiler.syntax import ast as t
from rulekit.compiler.syntax.keywords import DECLARATIONS

MAX_GRID_SIZE = 64  # rows, columns, or cells of a line


def kinds(found: Collected, world: CheckState) -> None:
    """Create the kinds and their members, from the rules, the data and generators, and the built-in
    kinds Moment and Scope.
    """
    model = world.model
    model.moments, model.scopes = (
        m.Kind(m.own_name(name, found.kinds), own=True) for name in ("Moment", "Scope")
    )
    model.kinds |= {own.name: own for own in (model.moments, model.scopes)}
    for name, decls in found.kinds.items():
        declared(name, [part for part, _ in decls], world)
    model.rulings += binding.bind_rulings(world.source, model.kinds, world.sink)
    for ruling in model.rulings:
        model.fixed.append(ruling.fixed)
    for listed in found.members:
        kind = model.kinds.get(listed.kind)
        if kind is None:
            world.error(
                "RK301",
                listed,
                f"unknown kind '{listed.kind}'",
                among(listed.kind, own_kinds(model.kinds), f"declare it: kind {listed.kind}"),
            )
            continue
        for member in listed.members:
            world.add_member(kind, member.name, member)
    for name, decls in found.kinds.items():
        joined(model.kinds[name], decls[0][0], world)
        generate(model.kinds[name], decls[0][0], world)
    binding.bind_members(model.kinds, world.source, world.sink)
    for block in found.blocks:
        member_block(block, world)
    for name, decls in found.kinds.items():
        for needed, decl in [(needed, part) for part, _ in decls for needed in part.needs]:
            if world.member(model.kinds[name], needed) is None:
                world.error(
                    "RK310",
                    decl,
                    f"the library needs {name} to have a member '{needed}'",
                    f"add it to 'members {name} = ...' or to the data",
                )
        if model.kinds[name].decides and not model.kinds[name].members:
            world.error(
                "RK310", decls[0][0], f"{name} decides but has no members", how_to_give(name)
            )
    for kind in model.kinds.values():
        if kind.size > limits.MEMBERS:
            world.too_many(kind, kind.span)
            del kind.members[limits.MEMBERS :]
            world.member_names.pop(kind, None)


def declared(name: str, parts: list[t.KindDecl], world: CheckState) -> None:
    """Create a kind with the members next to its declaration and its extensions."""
    model, decl = world.model, parts[0]
    kind = m.Kind(name, ordered=decl.ordered, decides=decl.decides, span=decl.span)
    model.kinds[name] = kind
    for part in parts:
        for member in part.members:
            world.add_member(kind, member.name, member)
    if decl.decides and model.sides is not None:
        world.error("RK509", decl, f"only one kind decides, and {model.sides.name} already does")
    elif decl.decides:
        model.sides = kind


def joined(kind: m.Kind, decl: t.KindDecl, world: CheckState) -> None:
    """Resolve `joins`: the kind of places that a kind of borders joins."""
    if decl.joins is None:
        return
    place = world.kinds.get(decl.joins)
    if place is None:
        world.error(
            "RK301",
            decl,
            f"unknown kind '{decl.joins}'",
            among(decl.joins, own_kinds(world.kinds), f"declare it: kind {decl.joins}"),
        )
    else:
        kind.joins = place
        world.borders[place] = kind


def member_block(block: t.MemberBlock, world: CheckState) -> None:
    """Add a member that is declared by its block of rules."""
    kind = world.kinds.get(block.kind)
    if kind is None:
        small = block.kind.lower()
        help = (
            f"a declaration begins with a small letter: '{small}'" if small in DECLARATIONS else ""
        )
        world.error(
            "RK301",
            block,
            f"unknown kind or word '{block.kind}'",
            help or guess(block.kind, [*world.kinds, *DECLARATIONS]),
        )
        return
    if world.member(kind, block.name) is None:
        kind.members.append(block.name)
        world.member_names[kind][block.name] = kind.size - 1
    if block.label:
        kind.labels[block.name] = block.label


def generate(kind: m.Kind, decl: t.KindDecl, world: CheckState) -> None:
    if decl.grid is not None:
        if not (1 <= decl.grid.rows <= MAX_GRID_SIZE and 1 <= decl.grid.columns <= MAX_GRID_SIZE):
            world.error(
                "RK406",
                decl.grid,
                f"a grid has 1 to {MAX_GRID_SIZE} rows and columns",
                "use a smaller grid",
            )
            return
        world.grids[kind] = (decl.grid.rows, decl.grid.columns)
        made = binding.grid(kind, decl.grid.rows, decl.grid.columns)
    elif decl.lines is not None:
        if not 1 <= decl.lines.length <= MAX_GRID_SIZE:
            world.error(
                "RK406", decl.lines, f"a line has 1 to {MAX_GRID_SIZE} cells", "use shorter lines"
            )
            return
        cells = world.kinds.get(decl.lines.kind)
        if cells is None or cells not in world.grids:
            world.error(
                "RK301",
                decl.lines,
                f"'{decl.lines.kind}' is not a grid that is declared above",
                among(
                    decl.lines.kind,
                    [k.name for k in world.grids],
                    f"declare it above this: kind {decl.lines.kind} = grid 3 by 3",
                ),
            )
            return
        made = binding.lines(kind, decl.lines.length, cells)
    else:
        return
    for fixed in made:
        fixed.owner = kind
        kind.fixed[fixed.name] = fixed
        world.model.fixed.append(fixed)


def attributes(found: Collected, world: CheckState) -> None:
    """Declare families of constants and states: first those of kinds, then global ones."""
    model = world.model
    for name, decls in found.kinds.items():
        kind = model.kinds[name]
        for part, _ in decls:
            for item in part.items:
                key = m.Key(kind)
                item_name = getattr(item, "name", "")
                if item_name and (
                    item_name in kind.fixed or item_name in kind.cells or item_name in kind.slots
                ):
                    world.error(
                        "RK303",
                        item,
                        f"{name} has '{item_name}' twice",
                        "remove this one, or give it another name",
                    )
                elif isinstance(item, t.FixedDecl):
                    kind.fixed[item.name] = fixed_family(item, [key], kind, world)
                elif isinstance(item, t.StateDecl):
                    kind.cells[item.name] = cell_family(item, [key], kind, world)
                elif isinstance(item, t.SlotDecl):
                    slot(item, kind, world)
    for symbol in world.symbols.values():
        decl = symbol.decl
        if isinstance(decl, t.FixedDecl):
            symbol.params = params(decl.params, world)
            symbol.obj = fixed_family(decl, [], None, world)
        elif isinstance(decl, t.StateDecl):
            symbol.params = params(decl.params, world)
            symbol.obj = cell_family(decl, [], None, world)
        elif isinstance(decl, t.PoolDecl):
            symbol.what = "cell"
            symbol.params = params(decl.params, world)
            held = world.kinds.get(decl.kind)
            if held is None:
                world.error(
                    "RK301",
                    decl,
                    f"unknown kind '{decl.kind}'",
                    among(decl.kind, own_kinds(world.kinds), f"declare it: kind {decl.kind}"),
                )
                continue
            keys = bounded(
                [key_of(v.type, decl, world) for v in symbol.params],
                f"the pool '{decl.name}'",
                decl,
                world,
            )
            cell = m.Cell(decl.name, keys, m.SetOf(held), pool=True, ref=decl.ref, span=decl.span)
            if not keys and not any(c.pool and c.type == cell.type for c in model.cells):
                cell.initial = held.all  # in one place: a thing lies in at most one
            model.cells.append(cell)
            symbol.obj = cell
    for ruling in model.rulings:
        world.symbols.setdefault(ruling.name, symbol_of_ruling(ruling))


def symbol_of_ruling(ruling: m.Ruling) -> Symbol:
    return Symbol("fixed", ruling.name, t.Drop((ruling.name,)), ruling.fixed)


def params(
    nodes: tuple[t.Param, ...], world: CheckState, frame: m.Procedure | None = None
) -> list[m.Var]:
    return [
        m.Var(p.name, type_of(p.type, world), frame, span=p.span, held=True, clamp=p.type.clamp)
        for p in nodes
    ]


def fixed_family(
    node: t.FixedDecl, keys: list[m.Key], owner: m.Kind | None, world: CheckState
) -> m.Fixed:
    keys = bounded(
        keys + [key_of(type_of(p.type, world), p, world) for p in node.params],
        f"'{node.name}'",
        node,
        world,
    )
    made = m.Fixed(
        node.name, keys, type_of(node.type, world), owner=owner, ref=node.ref, span=node.span
    )
    world.model.fixed.append(made)
    return made


def cell_family(
    node: t.StateDecl, keys: list[m.Key], owner: m.Kind | None, world: CheckState
) -> m.Cell:
    keys = bounded(
        keys + [key_of(type_of(p.type, world), p, world) for p in node.params],
        f"'{node.name}'",
        node,
        world,
    )
    type = type_of(node.type, world)
    initial = 0 if isinstance(type, m.MemberOf) and not type.optional else m.first_value(type)
    made = m.Cell(
        node.name,
        keys,
        type,
        initial,
        clamp=node.type.clamp,
        owner=owner,
        ref=node.ref,
        span=node.span,
    )
    world.model.cells.append(made)
    return made


def slot(node: t.SlotDecl, kind: m.Kind, world: CheckState) -> None:
    made = m.Slot(
        node.name,
        kind,
        params(node.params, world),
        type_of(node.type, world) if node.type is not None else None,
        span=node.span,
    )
    if node.default is not None and made.type is not None:
        scope = Scope(world, {v.name: v for v in made.params})
        value = fitting(node.default, scope, made.type)
        clamp = node.type is not None and node.type.clamp
        made.default = (
            clamped(value, made.type)
            if clamp
            else promised(value, made.type, node.name, node.default, scope)
        )
    made.values = [None] * kind.size
    made.blocks = [None] * kind.size
    kind.slots[node.name] = made
    world.model.slots.append(made)


# ------------------------------------------------------------------------------------------------ v
def constant(node: t.ExprSyntax, type: m.Type, scope: Scope, what: str) -> int | None:
    """Return the value of a constant expression, or None after an error. It must lie in the range
    of its type.
    """
    made = fitting(node, scope, type, what)
    if is_bad(made):
        return None
    value = scope.world.constant_value(made, {}, node, what)
    return value if value is None or within(value, type, node, what, scope.world) else None


def within(value: int, type: m.Type, node: t.NodeSyntax, what: str, world: CheckState) -> bool:
    """Return True if a value lies in the declared range of its type. Otherwise report it."""
    if (
        not isinstance(type, m.Int)
        or type.low is None
        or type.high is None
        or value == m.NO_LIMIT
        or type.low <= value <= type.high
    ):
        return True
    world.error(
        "RK406",
        node,
        f"{value} is outside {type.low}..{type.high} ({what})",
        "give a value of the range, or declare a wider one",
    )
    return False


# ------------------------------------------------------------------------------------------------ v
# and the data
@define(eq=False)
class Written:
    """Values of constants in the rules, next to members and after the names of blocks.

    Attributes:
        values: for each place a value, or None.
        spans: the place of each member.
    """

    values: dict[m.Fixed, list[int | None]] = field(factory=dict)
    spans: dict[tuple[m.Kind, int], Span] = field(factory=dict)

    def put(self, fixed: m.Fixed, ordinal: int, value: int | None) -> None:
        """Store the value of one member. None stands for a value with an error that was already
        reported.
        """
        draft = self.values.setdefault(fixed, [None] * limits.size(fixed.keys))
        draft[ordinal] = m.first_value(fixed.type) if value is None else value


def member_values(found: Collected, world: CheckState) -> Written:
    """Return the values in parentheses after members, and after the names of member blocks."""
    written = Written()
    for name, decls in found.kinds.items():
        kind = world.kinds[name]
        own = [i.name for part, _ in decls for i in part.items if isinstance(i, t.FixedDecl)]
        members = [mem for part, _ in decls for mem in part.members]
        members += [mem for d in found.members if d.kind == name for mem in d.members]
        width = max((len(mem.values) for mem in members), default=0)
        if width > len(own):
            world.error(
                "RK306",
                members[0],
                f"{name} has {len(own)} fixed attributes, but its members have {width} values",
                "the values in parentheses are those of the fixed attributes, in order of"
                " declaration",
            )
        for member in members:
            at = world.member(kind, member.name)
            if at is None:
                continue
            written.spans[kind, at] = member.span
            for attr, node in zip(own, member.values, strict=False):
                fixed = kind.fixed[attr]
                written.put(fixed, at, constant(node, fixed.type, Scope(world), f"{name}.{attr}"))
    _block_values(found, written, world)
    return written


def _block_values(found: Collected, written: Written, world: CheckState) -> None:
    """Read values such as those of `Face E05 "Archers", window any_time`."""
    for block in found.blocks:
        kind = world.kinds.get(block.kind)
        at = world.member(kind, block.name) if kind is not None else None
        if kind is None or at is None:
            continue
        written.spans.setdefault((kind, at), block.span)
        for attr, node in block.values:
            fixed = kind.fixed.get(attr)
            if fixed is None:
                world.error(
                    "RK311",
                    node,
                    f"{kind.name} has no fixed attribute '{attr}'",
                    among(attr, kind.fixed, f"declare it in 'kind {kind.name}': fixed {attr}: ..."),
                )
                continue
            written.put(fixed, at, constant(node, fixed.type, Scope(world), f"{kind.name}.{attr}"))


def fixed_data(found: Collected, world: CheckState, given: Written) -> None:
    """Fill the values of constants from the data, or else from the expression of the
    declaration.
    """
    written = [
        (item, world.kinds[name].fixed.get(item.name))
        for name, decls in found.kinds.items()
        for part, _ in decls
        for item in part.items
        if isinstance(item, t.FixedDecl)
    ]
    written += [
        (symbol.decl, symbol.obj)
        for symbol in world.symbols.values()
        if isinstance(symbol.decl, t.FixedDecl)
    ]
    optional = [
        fixed
        for item, fixed in written
        if fixed is not None and item.type.optional and isinstance(fixed.type, m.Int)
    ]
    computed = [fixed for item, fixed in written if fixed is not None and item.value is not None]
    drafts = binding.bind_fixed(
        world.kinds,
        world.model.fixed,
        world.source,
        world.sink,
        optional,
        computed,
        given.values,
        given.spans,
    )
    computed_values(found, world, drafts)


def computed_values(
    found: Collected, world: CheckState, given: Mapping[m.Fixed, Sequence[int | None]]
) -> None:
    """Compute each `fixed x = expression` that the data leave incomplete, in the order of
    declaration.

    Args:
        given: the values in the data.
    """
    for name, decls in found.kinds.items():
        kind = world.kinds[name]
        for part, _ in decls:
            for item in part.items:
                if (
                    isinstance(item, t.FixedDecl)
                    and item.value is not None
                    and not kind.fixed[item.name].values
                ):
                    compute(
                        kind.fixed[item.name],
                        item,
                        kind,
                        given.get(kind.fixed[item.name], ()),
                        world,
                    )
    for symbol in world.symbols.values():
        decl, fixed = symbol.decl, symbol.obj
        if (
            isinstance(decl, t.FixedDecl)
            and decl.value is not None
            and isinstance(fixed, m.Fixed)
            and not fixed.values
        ):
            compute(fixed, decl, None, given.get(fixed, ()), world)
    for symbol in world.symbols.values():
        if isinstance(symbol.obj, m.Fixed) and not symbol.obj.values:
            symbol.obj.late = True


def compute(
    fixed: m.Fixed,
    node: t.FixedDecl,
    kind: m.Kind | None,
    given: Sequence[int | None],
    world: CheckState,
) -> None:
    """Compute the values of an expression, except those that the data give."""
    assert node.value is not None
    names = params(node.params, world)
    scope = Scope(world, {v.name: v for v in names})
    free = list(names)
    if kind is not None:
        own = m.Var("it", m.MemberOf(kind))
        scope.element = AttributeSubject(kind, m.Read(own))
        free = [own, *names]
    made = typed(node.value, scope, fixed.type)
    if (
        is_bad(made)
        or isinstance(fixed.type, Bad)
        or not fits(made, fixed.type, node.value, scope, node.name)
    ):
        fixed.values = [m.empty(fixed.type)] * limits.size(fixed.keys)
        return
    values: list[int] = []
    for place, point in enumerate(limits.points(fixed.keys)):
        given_value = given[place] if given else None
        if given_value is not None:
            values.append(given_value)
            continue
        what = f"the value of '{node.name}'"
        value = world.constant_value(made, dict(zip(free, point, strict=True)), node.value, what)
        if value is None or not within(value, fixed.type, node.value, what, world):
            values = [m.empty(fixed.type)] * limits.size(fixed.keys)
            break
        values.append(value)
    fixed.values = values
