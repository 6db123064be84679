"""Types attributes and calls (`x.f`, `f(x)`, `x.within(1, Border)`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rulekit.common.diagnostics.diagnostic import Sink, among, guess
from rulekit.common.diagnostics.span import Span
from rulekit.common.errors import RulesError
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.data import binding
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.scope import BAD, BOOL, Bad, Scope, Symbol, attributes, show
from rulekit.compiler.check.typecheck.dispatch import as_set, bad, fits, fitting, typed
from rulekit.compiler.check.typecheck.ranges import clamped, promised
from rulekit.compiler.check.typecheck.type_advice import about_it, instead, matches, quoted, written
from rulekit.compiler.semantics.values import NotConstant
from rulekit.compiler.syntax import ast as t

_ARGUMENTS_OF_WAY = (
    2,
    3,
)  # distance, nearest, within: a place or number, the borders, the places passed
_ARGUMENTS_OF_SHIFT = 2  # rows and columns
WAYS: dict[str, Literal["distance", "nearest", "within"]] = {
    "distance": "distance",
    "nearest": "nearest",
    "within": "within",
}
_FORMS = {
    "distance": "write x.distance(y, BORDERS)",
    "nearest": "write x.nearest(PLACES, BORDERS)",
    "within": "write x.within(STEPS, BORDERS)",
    "shift": "write x.shift(ROWS, COLUMNS)",
}
ACTS = ("procedure", "phase", "event", "moment", "option", "movement", "menu")


def may_be_missing(base: m.Expr) -> bool:
    return isinstance(base.type, m.MemberOf) and base.type.optional


def refuse_missing(
    base: m.Expr, result: m.Type, node: t.NodeSyntax, scope: Scope, missing_allowed: bool
) -> bool:
    """Report a number that is read through a value which may be none. Return True in this case."""
    if missing_allowed or not may_be_missing(base) or not isinstance(result, m.Int):
        return False
    inner = node.base if isinstance(node, t.Attr) else node
    scope.world.error(
        "RK403",
        node,
        f"'{quoted(inner, scope)}' may be none here, so this may have no number",
        "test it first ('when x != none'), fill it ('... ?? 0'), or assert it ('the x')",
    )
    return True


def through(type: m.Type, base: m.Expr) -> m.Type:
    """Return the type of a value that is read through `base`."""
    if may_be_missing(base) and isinstance(type, m.MemberOf):
        return m.MemberOf(type.kind, True)
    return type


def attribute(
    base: m.Expr, name: str, node: t.NodeSyntax, scope: Scope, missing_allowed: bool = False
) -> m.Expr:
    """Type `base.name`."""
    world = scope.world
    kind_type = base.type
    if isinstance(kind_type, m.Record):
        names = [n for n, _ in kind_type.fields]
        if name in names:
            i = names.index(name)
            return m.FieldOf(base, i, type=kind_type.fields[i][1], span=node.span)
        world.error("RK311", node, f"the table has no result '{name}'", among(name, names))
        return bad(node)
    if not isinstance(kind_type, m.MemberOf):
        if isinstance(kind_type, m.SetOf):
            world.error(
                "RK311",
                node,
                f"'{name}' is an attribute of a single {kind_type.kind.name}, not of a set",
                f"write 'values({name} of ...)', 'sum({name} of ...)' or a filter",
            )
        elif not isinstance(kind_type, Bad):
            world.error(
                "RK311",
                node,
                f"{show(kind_type)} has no attribute '{name}'",
                f"only a member of a kind has attributes; remove '.{name}', or write the member"
                " before it",
            )
        return bad(node)
    kind = kind_type.kind
    made = own_attribute(base, kind, name, node, scope, missing_allowed)
    if made is None:
        options = list(attributes(kind)) + [
            s.name
            for s in world.symbols.values()
            if s.params
            and isinstance(s.params[0].type, m.MemberOf)
            and s.params[0].type.kind is kind
        ]
        world.error(
            "RK311",
            node,
            f"a {kind.name} has no attribute '{name}'",
            about_it(node, scope) or among(name, options),
        )
        return bad(node)
    return made


def own_attribute(
    base: m.Expr, kind: m.Kind, name: str, node: t.NodeSyntax, scope: Scope, missing_allowed: bool
) -> m.Expr | None:
    """Type an attribute of a kind, or return None if it has none of this name.

    It may be a define, a constant, a state, a slot without parameters, `neighbours`, or a
    declaration with one parameter.
    """
    world = scope.world
    if name in kind.defines:
        define = kind.defines[name]
        world.settle(define, node)
        if refuse_missing(base, define.type, node, scope, missing_allowed):
            return bad(node)
        return m.CallDefine(define, [base], type=through(define.type, base), span=node.span)
    family = kind.fixed.get(name) or kind.cells.get(name)
    if family is not None:
        if len(family.keys) > 1:
            return wrong_count(name, node, scope, len(family.keys) - 1, 0)
        if refuse_missing(base, family.type, node, scope, missing_allowed):
            return bad(node)
        type = through(family.type, base)
        if isinstance(family, m.Fixed):
            return m.ReadFixed(family, [base], type=type, span=node.span)
        return m.ReadCell(family, [base], type=type, span=node.span)
    slot = kind.slots.get(name)
    if slot is not None and slot.type is not None and not slot.params:
        return m.CallSlot(slot, base, [], type=slot.type, span=node.span)
    if name == "neighbours" and kind in world.borders:
        fixed = synthetic(("neighbours", kind), scope)
        return m.ReadFixed(fixed, [base], type=fixed.type, span=node.span)
    symbol = world.symbols.get(name)
    if symbol is None or not symbol.params or symbol.what in ACTS:
        return None
    first = symbol.params[0].type
    if isinstance(first, (m.MemberOf, m.SetOf)) and first.kind is kind:
        return read_symbol(symbol, [base], node, scope, [node])
    return None


def synthetic(key: tuple[object, ...], scope: Scope) -> m.Fixed:
    """Return a table that is derived from the graph or the grid (neighbours, distance, within,
    shift). Each is created once.
    """
    world = scope.world
    if key not in world.synthetic:
        _, kind, *more = key
        assert isinstance(kind, m.Kind)
        border = more[0] if more else None
        if key[0] == "neighbours":
            made = binding.neighbours(kind, world.borders[kind])
        elif isinstance(border, m.Kind) and key[0] == "within":
            made = binding.within(kind, border, int(str(key[3])), int(str(key[4])))
        elif isinstance(border, m.Kind):
            made = binding.distances(kind, border, int(str(key[3])))
        else:
            made = binding.shift(kind, *world.grids[kind])
        world.synthetic[key] = made
        world.model.fixed.append(made)
    return world.synthetic[key]


def wrong_count(name: str, node: t.NodeSyntax, scope: Scope, wants: int, found: int) -> m.Expr:
    symbol = scope.world.symbols.get(name)
    params = (
        [param.name for param in getattr(symbol.decl, "params", ())] if symbol is not None else []
    )
    help = (
        f"write {name}({', '.join(params)}) with values"
        if len(params) == wants and params
        else _FORMS.get(name, "")
    )
    help = help or (f"remove the brackets after '{name}'" if not wants else "")
    scope.world.error(
        "RK306",
        node,
        f"'{name}' takes {wants} argument{'' if wants == 1 else 's'}, found {found}",
        help,
    )
    return bad(node)


def arguments(
    symbol: Symbol,
    nodes: Sequence[t.ExprSyntax],
    node: t.NodeSyntax,
    scope: Scope,
    given: Sequence[m.Expr] = (),
) -> list[m.Expr]:
    """Type the arguments of a call.

    Args:
        given: arguments that are already typed (the subject of `x.f(...)`).
    """
    params = symbol.params
    if len(nodes) + len(given) != len(params):
        wrong_count(symbol.name, node, scope, len(params) - len(given), len(nodes))
        return [m.Const(0, type=BAD) for _ in params]
    acts = symbol.what in ACTS and symbol.what != "movement"
    made: list[m.Expr] = []
    for i, param in enumerate(params):
        want = param.type
        if not acts and isinstance(want, m.MemberOf):
            want = m.MemberOf(want.kind, True)  # pure calls pass none on
        if i < len(given):
            fits(given[i], want, node, scope, f"'{param.name}' of {symbol.name}")
            made.append(given[i])
        elif isinstance(nodes[i - len(given)], t.RatioSyntax) and isinstance(want, m.RatioT):
            pair = nodes[i - len(given)]
            assert isinstance(pair, t.RatioSyntax)
            num = typed(pair.num, scope)
            den = fitting(pair.den, scope, num.type)
            made.append(m.RatioOf(num, den, type=m.RatioT(), span=pair.span))
        else:
            given_here = nodes[i - len(given)]
            value, what = typed(given_here, scope, want), f"'{param.name}' of {symbol.name}"
            misfit = not given and not isinstance(value.type, Bad) and not matches(value.type, want)
            if misfit and (help := in_order(symbol, nodes, scope)):
                scope.world.error(
                    "RK401",
                    given_here,
                    f"expected {show(param.type)} ({what}), found {show(value.type)}",
                    help,
                )
                return [m.Const(0, type=BAD) for _ in params]
            value = value if fits(value, want, given_here, scope, what) else bad(given_here)
            if param.held and symbol.what not in (
                "table",
                "cell",
                "fixed",
            ):  # these say by themselves for what they have no value
                named = f"{param.name} of {symbol.name}"
                value = (
                    clamped(value, want)
                    if param.clamp
                    else promised(value, want, named, given_here, scope)
                )
            made.append(value)
    return made


def in_order(symbol: Symbol, nodes: Sequence[t.ExprSyntax], scope: Scope) -> str:
    """Return a help text if all arguments fit in another order, otherwise ""."""
    quiet = scope.inner(world=evolve(scope.world, sink=Sink()))
    places: list[int] = []
    for param in symbol.params:
        free = (
            i
            for i, each in enumerate(nodes)
            if i not in places and matches(typed(each, quiet, param.type).type, param.type)
        )
        if (place := next(free, None)) is None:
            return ""
        places.append(place)
    called = f"{symbol.name}({', '.join(quoted(nodes[i], scope, '...') for i in places)})"
    return f"the arguments seem to be in another order: write '{called}'"


def need_context(symbol: Symbol, node: t.NodeSyntax, scope: Scope) -> bool:
    """Return True if a declaration can be used here, because its context is running. Otherwise
    report it.
    """
    if symbol.context is None or symbol.context in scope.contexts:
        return True
    help = f"use it where {symbol.context.name} is running, " + (
        "and pass the result to the event"
        if scope.event
        else f"or declare this 'in {symbol.context.name}'"
    )
    if scope.member:
        help = (
            "the block of a member cannot depend on a running procedure; call something that does"
            " not"
        )
    scope.world.error(
        "RK305", node, f"'{symbol.name}' has a value only in {symbol.context.name}", help
    )
    return False


def read_symbol(
    symbol: Symbol,
    args: list[m.Expr],
    node: t.NodeSyntax,
    scope: Scope,
    nodes: Sequence[t.NodeSyntax] = (),
) -> m.Expr:
    """Apply a pure declaration to typed arguments."""
    obj = symbol.obj
    if symbol.what in ACTS:
        scope.world.error(
            "RK504",
            node,
            f"'{symbol.name}' performs actions, so it cannot be part of a condition or value",
            "call it as a statement of a procedure",
        )
        return bad(node)
    if obj is None or not need_context(symbol, node, scope):
        return bad(node)
    if len(args) != len(symbol.params):
        return wrong_count(symbol.name, node, scope, len(symbol.params), len(args))
    if symbol.what == "define":
        scope.world.settle(obj, node)
    result = obj.type if symbol.what not in ("permit", "table") else BOOL
    if isinstance(result, Bad):
        return bad(node)
    if isinstance(result, m.Int) and symbol.what not in ("table",):
        for arg, param in zip(args, symbol.params, strict=True):
            if (
                isinstance(param.type, m.MemberOf)
                and not param.type.optional
                and refuse_missing(arg, result, node, scope, False)
            ):
                return bad(node)
    return _application(symbol, args, result, node.span)


def _application(symbol: Symbol, args: list[m.Expr], result: m.Type, span: Span) -> m.Expr:
    """Return the expression that applies a pure declaration to arguments that fit it."""
    obj = symbol.obj
    if symbol.what == "define":
        made = result
        if isinstance(result, m.MemberOf) and any(
            may_be_missing(a) and isinstance(p.type, m.MemberOf) and not p.type.optional
            for a, p in zip(args, symbol.params, strict=True)
        ):
            made = m.MemberOf(result.kind, True)
        return m.CallDefine(obj, args, type=made, span=span)
    if symbol.what == "total":
        return m.CallTotal(obj, args, type=result, span=span)
    if symbol.what == "permit":
        return m.CallPermit(obj, args, span=span)
    if symbol.what == "table":
        outputs = obj.outputs
        if len(outputs) == 1:
            return m.CallTable(obj, args, 0, type=outputs[0][1], span=span)
        return m.CallTable(
            obj, args, None, type=m.Record(tuple((n, ty) for n, ty in outputs)), span=span
        )
    if symbol.what == "fixed":
        return m.ReadFixed(obj, args, type=result, span=span)
    return m.ReadCell(obj, args, type=result, span=span)


def call(node: t.CallSyntax, scope: Scope) -> m.Expr:
    """Type `f(args)` and `x.f(args)` as a value."""
    world, func = scope.world, node.func
    if isinstance(func, t.Name):
        return call_name(func, node, scope)
    if not isinstance(func, t.Attr):
        world.error(
            "RK401",
            node,
            "this cannot be called",
            "only a name can be called: 'name(...)'; write an operator between two values, as in"
            " 'a * (b)'",
        )
        return bad(node)
    base = typed(func.base, scope)
    if isinstance(base.type, Bad):
        return bad(node)
    made = (
        call_member(base, base.type.kind, func.name, node, scope)
        if isinstance(base.type, m.MemberOf)
        else None
    )
    if made is not None:
        return made
    found = world.symbols.get(func.name)
    if found is not None and found.what not in ACTS:
        return read_symbol(found, arguments(found, node.args, node, scope, [base]), node, scope)
    known = [
        *(base.type.kind.slots if isinstance(base.type, m.MemberOf) else ()),
        *(s.name for s in world.symbols.values()),
    ]
    world.error(
        "RK311",
        node,
        f"{show(base.type)} has no '{func.name}(...)'",
        guess(func.name, [*known, *WAYS, "shift", "inside"]),
    )
    return bad(node)


def call_name(func: t.Name, node: t.CallSyntax, scope: Scope) -> m.Expr:
    """Type `f(args)`: a declaration, or an attribute of its only argument."""
    world = scope.world
    symbol = world.symbols.get(func.id)
    if symbol is not None:
        args = arguments(symbol, node.args, node, scope) if symbol.what not in ACTS else []
        return read_symbol(symbol, args, node, scope)
    of_kinds = [a for k in world.kinds.values() for a in attributes(k)]
    if len(node.args) == 1 and func.id in of_kinds:
        base = typed(node.args[0], scope)
        if isinstance(base.type, Bad):
            return base
        if isinstance(base.type, m.MemberOf) and func.id in set(attributes(base.type.kind)):
            return attribute(base, func.id, node, scope)
    names = [s.name for s in world.symbols.values()] + of_kinds
    world.error("RK301", func, f"unknown name '{func.id}'", guess(func.id, names))
    return bad(node)


def call_member(
    base: m.Expr, kind: m.Kind, name: str, node: t.CallSyntax, scope: Scope
) -> m.Expr | None:
    """Type `x.f(args)` if f belongs to the kind of x: a slot, a family, or a function of every
    graph or grid.
    """
    if name in kind.slots:
        slot = kind.slots[name]
        if slot.type is None:
            scope.world.error(
                "RK504",
                node,
                f"'{name}' performs actions, so it cannot be part of a condition or value",
                f"write '{written(node.func)}(...)' on a line of its own in a procedure, event or"
                " option",
            )
            return bad(node)
        symbol = Symbol("slot", name, t.Drop(()), slot, slot.params)
        return m.CallSlot(
            slot, base, arguments(symbol, node.args, node, scope), type=slot.type, span=node.span
        )
    own = name in set(attributes(kind)) or (name in scope.world.symbols and name != "within")
    if name in WAYS and kind in scope.world.borders and not own:
        return ways(base, WAYS[name], node, scope)
    if name == "shift" and kind in scope.world.grids:
        return shift(base, node, scope)
    if name == "inside":
        return inside(base, node, scope)
    family = kind.cells.get(name) or kind.fixed.get(name)
    if family is None:
        return None
    params = [
        m.Var(f"key {i}", m.MemberOf(k.kind) if k.kind else m.Int(None, k.low, k.high))
        for i, k in enumerate(family.keys)
    ]
    symbol = Symbol(
        "cell" if isinstance(family, m.Cell) else "fixed", name, t.Drop(()), family, params
    )
    return read_symbol(symbol, arguments(symbol, node.args, node, scope, [base]), node, scope)


def ways(
    base: m.Expr, op: Literal["distance", "nearest", "within"], node: t.CallSyntax, scope: Scope
) -> m.Expr:
    """Type `x.distance(y, Border where ...)`, `x.nearest(S, ...)` and `x.within(2, ...)`.

    A third argument is the set of places that may be passed through. If the result depends only on
    constants, it is read from a table.
    """
    assert isinstance(base.type, m.MemberOf)
    kind = base.type.kind
    if len(node.args) not in _ARGUMENTS_OF_WAY:
        return wrong_count(op, node, scope, 2, len(node.args))
    wanted = {"distance": m.MemberOf(kind, True), "nearest": m.SetOf(kind), "within": m.Int("*")}[
        op
    ]
    by = (
        as_set(node.args[0], scope, wanted)
        if op == "nearest"
        else fitting(node.args[0], scope, wanted)
    )
    borders = as_set(node.args[1], scope)
    through = (
        as_set(node.args[2], scope, m.SetOf(kind))
        if len(node.args) == max(_ARGUMENTS_OF_WAY)
        else m.Const(kind.all, type=m.SetOf(kind))
    )
    if any(isinstance(part.type, Bad) for part in (by, borders, through)):
        return bad(node)
    for part, given in ((by, node.args[0]), (through, node.args[-1])):
        if isinstance(part.type, m.SetOf) and part.type.kind is not kind:
            scope.world.error(
                "RK401",
                given,
                f"'{op}' needs places of {kind.name}, found {show(part.type)}",
                instead(part.type, m.SetOf(kind), given, scope),
            )
            return bad(node)
    if not isinstance(borders.type, m.SetOf) or borders.type.kind.joins is not kind:
        scope.world.error(
            "RK401",
            node.args[1],
            f"'{op}' needs borders that join {kind.name}, found {show(borders.type)}",
            f"write {scope.world.borders[kind].name}, or '{scope.world.borders[kind].name} where"
            " ...'",
        )
        return bad(node)
    asked = ((base, node.func), (by, node.args[0])) if op == "distance" else ()
    if any(refuse_missing(part, m.Int(None), given, scope, False) for part, given in asked):
        return bad(node)
    type = m.Int(None, 0) if op == "distance" else m.SetOf(kind)
    return _kept(op, base, by, borders, through, node, scope) or m.Ways(
        op, base, by, borders, through, type=type, span=node.span
    )


def _kept(
    op: str,
    base: m.Expr,
    by: m.Expr,
    borders: m.Expr,
    through: m.Expr,
    node: t.CallSyntax,
    scope: Scope,
) -> m.Expr | None:
    """Return a look-up of the distances, or of the places around each one, in a table.

    It is None if they change during the game, or if the table would be too large.
    """
    assert isinstance(base.type, m.MemberOf) and isinstance(borders.type, m.SetOf)
    kind, border, mask = base.type.kind, borders.type.kind, _known(borders, scope)
    if mask is None or _known(through, scope) != kind.all:
        return None
    if op == "distance" and kind.size * kind.size <= limits.SEARCH:
        fixed = synthetic(("distance", kind, border, mask), scope)
        return m.ReadFixed(fixed, [base, by], type=fixed.type, span=node.span)
    steps = _known(by, scope) if op == "within" else None
    if steps is not None and kind.size * min(steps, kind.size) <= limits.SEARCH:
        fixed = synthetic(("within", kind, border, steps, mask), scope)
        return m.ReadFixed(fixed, [base], type=fixed.type, span=node.span)
    return None


def _known(made: m.Expr, scope: Scope) -> int | None:
    """Return the value of an expression if it depends only on constants, otherwise None.

    Errors in it are reported where it is used.
    """
    try:
        return int(scope.world.fixed_values.eval(made, {}))
    except (NotConstant, RulesError, limits.Unbounded, RecursionError):
        return None


def shift(base: m.Expr, node: t.CallSyntax, scope: Scope) -> m.Expr:
    """Type `c.shift(rows, columns)`: the cell at this distance on the grid, or none beyond the
    edge.
    """
    assert isinstance(base.type, m.MemberOf)
    if len(node.args) != _ARGUMENTS_OF_SHIFT:
        return wrong_count("shift", node, scope, _ARGUMENTS_OF_SHIFT, len(node.args))
    rows, columns = scope.world.grids[base.type.kind]
    values = rows * columns * (2 * rows + 1) * (2 * columns + 1)
    if values > limits.FAMILY:
        scope.world.error(
            "RK407",
            node,
            f"'shift' on a grid of {rows} by {columns} has {limits.shown(values)} values; "
            f"at most {limits.FAMILY:,} can be kept",
            "use a smaller grid, such as 20 by 20",
        )
        return bad(node)
    fixed = synthetic(("shift", base.type.kind), scope)
    args = [
        held(fitting(a, scope, m.Int("*")), top)
        for a, top in zip(node.args, (rows, columns), strict=True)
    ]
    return m.ReadFixed(fixed, [base, *args], type=fixed.type, span=node.span)


def held(steps: m.Expr, top: int) -> m.Expr:
    """Return a number of steps on a grid, clamped to the size of the grid, which leads beyond the
    edge from every cell.
    """
    if isinstance(steps, m.Const):
        return evolve(steps, value=min(max(steps.value, -top), top))
    ends = [m.Const(end, type=steps.type) for end in (-top, top)]
    low = m.Least("max", [steps, ends[0]], type=steps.type, span=steps.span)
    return m.Least("min", [low, ends[1]], type=steps.type, span=steps.span)


def inside(base: m.Expr, node: t.CallSyntax, scope: Scope) -> m.Expr:
    """Type `x.inside(y)`: true if y is the place x or a place that contains x (by the attribute
    `parent`).
    """
    assert isinstance(base.type, m.MemberOf)
    kind = base.type.kind
    parent = kind.fixed.get("parent")
    if parent is None or len(node.args) != 1:
        scope.world.error(
            "RK311",
            node,
            f"'inside' needs a fixed attribute 'parent' of {kind.name}, and one argument",
            f"declare 'fixed parent: {kind.name}?' in 'kind {kind.name}', and write x.inside(y)",
        )
        return bad(node)
    key = ("inside", kind)
    if key not in scope.world.synthetic:
        values = []
        for i in range(kind.size):
            mask, at = 0, i
            while at >= 0 and not mask >> at & 1:
                mask |= 1 << at
                at = parent.values[at]
            values.append(mask)
        made = m.Fixed("inside", [m.Key(kind)], m.SetOf(kind), values, synthetic=True)
        scope.world.synthetic[key] = made
        scope.world.model.fixed.append(made)
    fixed = scope.world.synthetic[key]
    item = fitting(node.args[0], scope, m.MemberOf(kind, True))
    return m.In(item, m.ReadFixed(fixed, [base], type=fixed.type), span=node.span)
