"""Checks variables, assignments, calls and loops: turns syntax trees into statements of the
model.
"""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import guess
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.scope import (
    BAD,
    FLEX,
    AttributeSubject,
    Bad,
    CheckState,
    Scope,
    Symbol,
    attributes,
    mentioned,
    show,
)
from rulekit.compiler.check.rules.blocks import block, checking_of, under_guard
from rulekit.compiler.check.rules.decisions import decider
from rulekit.compiler.check.typecheck.calls import WAYS, arguments, need_context
from rulekit.compiler.check.typecheck.dispatch import (
    as_set,
    condition,
    fits,
    fitting,
    is_bad,
    typed,
)
from rulekit.compiler.check.typecheck.narrowing import facts
from rulekit.compiler.check.typecheck.operators import bounds
from rulekit.compiler.check.typecheck.ranges import clamped, promised
from rulekit.compiler.check.typecheck.sets import element_scope, sort_key
from rulekit.compiler.check.typecheck.type_advice import quoted, through
from rulekit.compiler.check.typecheck.types import type_of
from rulekit.compiler.syntax import ast as t


@checking_of(t.FieldStmt)
def field_stmt(node: t.FieldStmt, scope: Scope) -> m.Block:
    world = scope.world
    type = type_of(node.type, world)
    value = (
        fitting(node.value, scope, type)
        if node.value is not None
        else m.Const(m.first_value(type), type=type)
    )
    value = kept(value, node.type, type, node.name, node, scope)
    known = world.visible.get(scope.proc, {}).get(node.name) if scope.proc is not None else None
    if known is not None and known.span == node.span:
        scope.locals[node.name] = known
        return [m.SetVar(known, ":=", value)]
    var = scope.bind(node.name, type, node.span)
    var.held = True
    return [m.SetVar(var, ":=", value)]


def kept(
    value: m.Expr,
    written: t.TypeNode | None,
    type: m.Type,
    what: str,
    node: t.NodeSyntax,
    scope: Scope,
) -> m.Expr:
    """Return a value for a variable, checked against its declared range or clamped to it."""
    if written is not None and written.clamp:
        return clamped(value, type)
    return promised(value, type, what, node, scope)


@checking_of(t.VarStmt)
def var_stmt(node: t.VarStmt, scope: Scope) -> m.Block:
    type = type_of(node.type, scope.world) if node.type is not None else None
    value = fitting(node.value, scope, type) if type is not None else typed(node.value, scope)
    if type is None:
        type = value.type
        if isinstance(type, m.Int):
            type = m.Int(type.unit)
    value = kept(value, node.type, type, node.name, node, scope)
    var = scope.bind(node.name, type, node.span)
    var.held, var.clamp = True, node.type is not None and node.type.clamp
    return [m.SetVar(var, ":=", value)]


@checking_of(t.LetStmt)
def let_stmt(node: t.LetStmt, scope: Scope) -> m.Block:
    value = typed(node.value, scope)
    var = scope.bind(node.name, value.type, node.span)
    var.once = True
    return [m.SetVar(var, ":=", value)]


@checking_of(t.AssignStmt)
def assign(node: t.AssignStmt, scope: Scope) -> m.Block:
    world, outside = scope.world, scope
    scope = under_guard(node, scope)
    target = typed(node.target, scope.forgetting(node.target))
    if is_bad(target):
        typed(node.value, scope, target.type)
        return []
    declared = target.cell.type if isinstance(target, m.ReadCell) else target.type
    if node.op != ":=" and not isinstance(declared, (m.Int, m.SetOf, Bad)):
        world.error(
            "RK401",
            node,
            f"'{node.op}' needs a number or a set, found {show(declared)}",
            _changed(declared, node, scope),
        )
        return []
    value = fitting(node.value, scope, declared, "the value assigned")
    if isinstance(target, m.ReadCell):
        if target.cell.pool:
            world.error(
                "RK505",
                node,
                f"'{target.cell.name}' is a pool: only 'put', 'draw' and 'gather' move things",
                f"write 'put THING in {target.cell.name}'",
            )
            return []
        for i, key in enumerate(target.keys):
            if isinstance(key.type, m.MemberOf) and key.type.optional:
                fits_key(node, i, scope)
        if isinstance(value.type, m.MemberOf) and value.type.optional:  # it may be none now
            outside.known = frozenset(
                fact for fact in outside.known if target.cell.name not in mentioned(fact)
            )
        return [m.SetCell(target.cell, target.keys, node.op, value)]
    if isinstance(target, m.Read) and target.var.once:
        name = target.var.name
        world.error(
            "RK505",
            node,
            f"'{name}' is declared by 'let', so its value cannot change",
            f"declare it with 'var {name} = ...'",
        )
        return []
    if isinstance(target, m.Read) and target.var.frame is not None and not scope.event:
        if (
            isinstance(value.type, m.Int)
            and isinstance(declared, m.Int)
            and declared.unit == FLEX
            and value.type.unit != FLEX
        ):
            target.var.type = m.Int(value.type.unit)
        return [assigned(target, node.op, value, node, scope)]
    world.error(
        "RK505",
        node,
        "this cannot be assigned: it is not a state, field or variable",
        "only 'state', 'field' and 'var' can change; 'fixed' and 'define' cannot",
    )
    return []


def _changed(declared: m.Type, node: t.AssignStmt, scope: Scope) -> str:
    """Return a help text for `x += y` if x is neither a number nor a set."""
    target, value = quoted(node.target, scope, "x"), quoted(node.value, scope, "y")
    if isinstance(declared, m.MemberOf) and declared.kind.ordered:
        return (
            f"a member of an ordered kind moves by an assignment: '{target} := {target}"
            f" {node.op[0]} {value}'"
        )
    return (
        through(declared, m.Int(FLEX), node.target, scope)
        or f"write '{target} := ...' with its new value"
    )


def assigned(target: m.Read, op: str, value: m.Expr, node: t.AssignStmt, scope: Scope) -> m.Stmt:
    """Return an assignment to a variable that keeps its range."""
    var = target.var
    if (
        not isinstance(var.type, m.Int)
        or var.type.low is None
        or var.type.high is None
        or not var.held
    ):
        return m.SetVar(var, op, value)
    low, high = (
        bounds(op[0], var.type, value.type)
        if op != ":=" and isinstance(value.type, m.Int)
        else (None, None)
    )
    new = (
        value
        if op == ":="
        else m.Arith(
            "+" if op == "+=" else "-",
            target,
            value,
            type=m.Int(var.type.unit, low, high),
            span=node.span,
        )
    )
    held = clamped(new, var.type) if var.clamp else promised(new, var.type, var.name, node, scope)
    return m.SetVar(var, ":=", held) if held is not new or op == ":=" else m.SetVar(var, op, value)


def fits_key(node: t.AssignStmt, number: int, scope: Scope) -> None:
    target, args = node.target, node.target.args if isinstance(node.target, t.CallSyntax) else ()
    named = target.func if isinstance(target, t.CallSyntax) else target
    args = (named.base, *args) if isinstance(named, t.Attr) else args
    base = args[number] if number < len(args) else target
    scope.world.error(
        "RK403",
        base,
        f"'{quoted(base, scope)}' may be none here",
        "test it first ('when x != none'), or assert it ('the x')",
    )


def _is_lacking(base: m.Expr, func: t.Attr, scope: Scope) -> bool:
    """Return True, after reporting it, if a member has nothing of this name."""
    if not isinstance(base.type, m.MemberOf):
        return False
    kind, known = base.type.kind, [s.name for s in scope.world.symbols.values()]
    if func.name in {
        *attributes(kind),
        *kind.slots,
        *known,
        *WAYS,
        "shift",
        "inside",
        "neighbours",
    }:
        return False
    acts = [name for name, slot in kind.slots.items() if slot.type is None]
    scope.world.error(
        "RK311",
        func,
        f"{show(base.type)} has no '{func.name}'",
        guess(func.name, [*acts, *known])
        or f"declare it in 'kind {kind.name}': slot {func.name}(...)",
    )
    return True


@checking_of(t.CallStmt)
def call_stmt(node: t.CallStmt, scope: Scope) -> m.Block:
    world = scope.world
    scope = under_guard(node, scope)
    func = node.call.func if isinstance(node.call, t.CallSyntax) else node.call
    nodes = node.call.args if isinstance(node.call, t.CallSyntax) else ()
    if isinstance(func, t.Attr):
        base = typed(func.base, scope)
        if isinstance(base.type, m.MemberOf) and func.name in base.type.kind.slots:
            slot = base.type.kind.slots[func.name]
            if slot.type is None:
                args = arguments(
                    Symbol("procedure", slot.name, t.Drop(()), slot, slot.params),
                    nodes,
                    node,
                    scope,
                )
                return [m.CallSlotSteps(slot, base, args)]
        if not is_bad(base) and not _is_lacking(base, func, scope):
            world.error(
                "RK505",
                node,
                "this has no effect: a statement calls a procedure, a phase, an event or a slot"
                " with steps",
                "remove it, or call a procedure, phase, event or slot",
            )
        return []
    if not isinstance(func, t.Name):
        world.error(
            "RK505",
            node,
            "this has no effect: a statement calls a procedure, a phase or an event",
            "remove it, or call a procedure, phase, event or slot",
        )
        return []
    symbol = world.symbols.get(func.id)
    callable_ = [s.name for s in world.symbols.values() if s.what in ("procedure", "event")]
    if symbol is None:
        world.error(
            "RK301",
            func,
            f"unknown name '{func.id}'",
            guess(func.id, callable_) or f"declare it: procedure {func.id}, or event {func.id}",
        )
        return []
    if symbol.what == "moment":
        world.error("RK505", node, f"'{func.id}' is a moment", f"write 'open {func.id}'")
        return []
    if symbol.what not in ("procedure", "event"):
        world.error(
            "RK505",
            node,
            f"'{func.id}' has no effect here: it is a {symbol.what}",
            "a statement calls a procedure, a phase or an event",
        )
        return []
    args = arguments(symbol, nodes, node, scope)
    if not need_context(symbol, node, scope):
        return []
    if symbol.what == "event":
        event: m.EventDeclaration = symbol.obj
        if event.built_in:
            world.error(
                "RK505",
                node,
                f"'{event.name}' happens only when dice are rolled",
                "write 'roll d = d6 by WHO for PURPOSE'",
            )
            return []
        return [
            (
                m.CallProc(event.wrapper, args)
                if event.wrapper is not None
                else m.CallEvent(event, args)
            )
        ]
    return [m.CallProc(symbol.obj, args)]


@checking_of(t.IfSyntax)
def if_stmt(node: t.IfSyntax, scope: Scope) -> m.Block:
    result: m.Block = []
    into = result
    known = scope
    if len(node.arms) > limits.BRANCHES:
        scope.world.error(
            "RK407",
            node,
            f"this 'if' has {len(node.arms):,} branches; one 'if' can have at most"
            f" {limits.BRANCHES}",
            "use a table, or a 'define' with cases",
        )
        return []
    for cond, body in node.arms:
        test = condition(cond, known)
        made = m.IfStmt(
            test, block(body, branch(known, facts(cond, True, scope))), [], span=cond.span
        )
        into.append(made)
        into = made.other
        known = known.with_facts(facts(cond, False, scope))
    into += block(node.other, branch(known, frozenset()))
    return result


def branch(scope: Scope, known: frozenset[t.ExprSyntax]) -> Scope:
    return scope.inner(known=scope.known | known)


@checking_of(t.EachStmt)
def each(node: t.EachStmt, scope: Scope) -> m.Block:
    world = scope.world
    source: m.Expr | None = None
    items: list[m.Expr] | None = None
    numbers: tuple[m.Expr, m.Expr] | None = None
    if isinstance(node.source, t.ListLiteral):
        items = [typed(i, scope) for i in node.source.items]
        kind_type = items[0].type if items else BAD
        for made, part in zip(items[1:], node.source.items[1:], strict=True):
            fits(made, kind_type, part, scope)
    elif isinstance(node.source, t.Range):
        low, high = typed(node.source.low, scope), typed(node.source.high, scope)
        fits(high, low.type, node.source.high, scope)
        numbers = (low, high)
        if isinstance(low, m.Const) and isinstance(high, m.Const):
            bounded_rounds(high.value - low.value + 1, node, scope)
        first, last = low.type, high.type
        kind_type = (
            m.Int(first.unit, first.low, last.high)
            if isinstance(first, m.Int) and isinstance(last, m.Int)
            else BAD
        )
    else:
        source = as_set(node.source, scope.inner(choosing=node.var, chosen=node.source))
        kind_type = m.MemberOf(source.type.kind) if isinstance(source.type, m.SetOf) else BAD
    inside = scope.inner(
        known=frozenset(k for k in scope.known if k != t.Name(node.var)) | {node.source},
        loops=scope.loops + 1,
    )
    key_var, keys = None, []
    if (node.keys or node.ties) and source is not None and isinstance(source.type, m.SetOf):
        key_var, key_scope = element_scope(source, node.var, scope)
        keys = [sort_key(k, key_scope) for k in node.keys]
    var = inside.bind(node.var, kind_type, node.span)
    ties = None
    if node.ties is not None:
        tie_scope = (
            element_scope(source, node.var, scope)[1]
            if source is not None and isinstance(source.type, m.SetOf)
            else scope.inner()
        )
        if key_var is not None and isinstance(key_var.type, m.MemberOf):
            tie_scope.locals[node.var] = key_var
            tie_scope.element = AttributeSubject(key_var.type.kind, m.Read(key_var))
        ties = decider(node.ties, tie_scope)
    if (node.keys or node.live or node.ties) and source is None and not isinstance(kind_type, Bad):
        world.error(
            "RK505",
            node,
            "'by', 'ties' and 'live' need a set to loop over",
            "loop over a set, or remove them",
        )
    return [
        m.Each(
            var, source, keys, key_var, ties, node.live, block(node.body, inside), items, numbers
        )
    ]


def bounded_rounds(rounds: int, node: t.StmtSyntax, scope: Scope) -> None:
    if rounds > limits.LOOP:
        scope.world.error(
            "RK407",
            node,
            f"this loop may have {limits.shown(rounds)} rounds; the limit is {limits.LOOP:,}",
            "use a smaller number",
        )


@checking_of(t.TogetherStmt)
def together(node: t.TogetherStmt, scope: Scope) -> m.Block:
    world = scope.world
    source = as_set(node.each.source, scope)
    if is_bad(source) or not isinstance(source.type, m.SetOf):
        return []
    inside = scope.inner(loops=0)
    var = inside.bind(node.each.var, m.MemberOf(source.type.kind), node.each.span)
    made = block(node.each.body, inside)
    picks: list[m.Pick | m.PickGroup] = []
    for stmt in made:
        if not isinstance(stmt, (m.Pick, m.PickGroup)):
            break
        picks.append(stmt)
    if not picks:
        world.error(
            "RK505",
            node,
            "'together' must begin with one or more 'pick' lines",
            "write 'pick NAME from SET by WHO' as the first line of its block",
        )
        return []
    owner = m.Var("owner", m.MemberOf(source.type.kind))
    seen = (
        [m.Seen(m.Read(owner), None, [owner])]
        if source.type.kind is world.model.sides
        else [m.Seen("none")]
    )
    answers = [answer_cell(pick, source.type.kind, seen, world) for pick in picks]
    return [m.Together(var, source, picks, answers, made[len(picks) :])]


def answer_cell(
    pick: m.Pick | m.PickGroup, kind: m.Kind, seen: list[m.Seen], world: CheckState
) -> m.Cell:
    """Create the cell that stores the answers to a pick until all have answered."""
    type = pick.var.type
    if isinstance(type, m.MemberOf):
        type = m.MemberOf(type.kind, True)
    elif isinstance(type, m.Int):
        type = m.Int(type.unit, min(type.low or 0, -1 if pick.or_none else 0), type.high)
    cell = m.Cell(
        f"answer {len(world.model.cells)}",
        [m.Key(kind)],
        type,
        m.empty(type),
        hidden=True,
        seen=seen,
    )
    world.model.cells.append(cell)
    return cell


@checking_of(t.RepeatStmt)
def repeat(node: t.RepeatStmt, scope: Scope) -> m.Block:
    cond = condition(node.cond, scope) if node.cond is not None else None
    limit = fitting(node.limit, scope, m.Int(FLEX))
    bounded_rounds(limit.value if isinstance(limit, m.Const) else 0, node, scope)
    inside = scope.inner(loops=scope.loops + 1, known=frozenset())
    return [m.Repeat(node.form, cond, limit, block(node.body, inside))]


@checking_of(t.LeaveStmt)
def leave(node: t.LeaveStmt, scope: Scope) -> m.Block:
    if not scope.loops:
        scope.world.error(
            "RK505",
            node,
            "'leave' is not inside a loop",
            "move it into the block of 'each' or 'repeat', or write 'return', which ends the"
            " procedure",
        )
        return []
    return [m.Leave()]


@checking_of(t.ReturnStmt)
def return_(node: t.ReturnStmt, scope: Scope) -> m.Block:
    return [m.Return()]


@checking_of(t.FinishStmt)
def finish(node: t.FinishStmt, scope: Scope) -> m.Block:
    model = scope.world.model
    sides = model.sides
    who = (
        fitting(node.who, under_guard(node, scope), m.MemberOf(sides, True))
        if sides
        else m.Const(-1, type=BAD)
    )
    if node.level not in model.levels:
        model.levels.append(node.level)
    return [m.Finish(who, model.levels.index(node.level))]
