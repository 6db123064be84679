"""Checks actions, reactions, standing and inline options, with their guards and limits."""

from __future__ import annotations

import math

from rulekit.common.diagnostics.diagnostic import among
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.scope import BOOL, FLEX, Bad, Scope
from rulekit.compiler.check.rules.blocks import block
from rulekit.compiler.check.typecheck.dispatch import condition, fitting, is_bad, typed
from rulekit.compiler.check.typecheck.narrowing import facts
from rulekit.compiler.check.typecheck.types import bounded, key_of, type_of
from rulekit.compiler.model.visitor import nodes, reached, substitute
from rulekit.compiler.syntax import ast as t


def parameters(params: tuple[t.Param, ...], scope: Scope, option: m.GuardedOption) -> None:
    """Check the parameters of an option, each of which must have a finite domain."""
    world = scope.world
    for node in params:
        type = type_of(node.type, world)
        ok = isinstance(type, (m.MemberOf, Bad)) or (
            isinstance(type, m.Int) and type.low is not None and type.high is not None
        )
        if not ok:
            world.error(
                "RK406",
                node,
                f"the parameter '{node.name}' of an option needs a finite range of values",
                f"give it a kind or a range of numbers: {node.name}: 0..9",
            )
        if isinstance(type, m.MemberOf) and type.optional:
            type = m.MemberOf(type.kind)
        var = scope.bind(node.name, type, node.span)
        option.params.append(var)
        option.domains.append(None)
    count = math.prod(domain(var) for var in option.params)
    if count > limits.CHOICES:
        world.error(
            "RK407",
            params[0],
            f"'{option.name}' has {limits.shown(count)} combinations of its parameters; the limit"
            f" is {limits.CHOICES:,}",
            "ask for one value after the other: several picks, or several options",
        )


def domain(var: m.Var) -> int:
    """Return the number of values of a parameter."""
    if isinstance(var.type, m.MemberOf):
        return var.type.kind.size
    return (var.type.high or 0) - (var.type.low or 0) + 1 if isinstance(var.type, m.Int) else 1


def clauses(lines: tuple[t.NodeSyntax, ...], scope: Scope, option: m.GuardedOption) -> None:
    """Check the `when`, `with`, `pays` and `limit` lines of an option, in the order as written.

    The facts that a guard implies are known after it.
    """
    number = 0
    for node in lines:
        if isinstance(node, t.Guard):
            number += 1
            cond = condition(node.cond, scope)
            option.clauses.append(
                m.Guarded(cond, node.reason or "", f"why.{option.name}.{number}", ref=node.ref)
            )
            scope.known = scope.known | facts(node.cond, True, scope)
        elif isinstance(node, t.WithClause):
            value = typed(node.value, scope)
            type = m.MemberOf(value.type.kind) if isinstance(value.type, m.MemberOf) else value.type
            option.clauses.append(m.With(scope.bind(node.name, type, node.span), value))
        elif isinstance(node, t.PaysClause):
            pays(node, scope, option)
        elif isinstance(node, t.LimitClause):
            option.clauses.append(limit(node, scope, option.name))


def pays(node: t.PaysClause, scope: Scope, option: m.GuardedOption) -> None:
    target = typed(node.source, scope)
    amount = fitting(node.amount, scope, target.type, "the price")
    if is_bad(target, amount):
        return
    if isinstance(target, m.Read) and target.var.frame is not None:
        option.clauses.append(m.Pays(amount, target.var, ref=node.ref, span=node.span))
    elif isinstance(target, m.ReadCell) and isinstance(target.type, m.Int):
        option.clauses.append(m.Pays(amount, target, ref=node.ref, span=node.span))
    else:
        scope.world.error(
            "RK505",
            node,
            "a price is paid from a state or field that is a number",
            "write the state that pays it: pays 1 from points(me)",
        )


def limit(node: t.LimitClause, scope: Scope, option_name: str) -> m.Limit:
    """Create a limit with its counter cell, which limits of the same name and scope share."""
    world = scope.world
    keys = [typed(k, scope) for k in node.by]
    name = node.name or option_name
    place = None if node.per == "game" else world.frames.get(node.per)
    if place is None and node.per != "game":
        world.error(
            "RK301",
            node,
            f"'{node.per}' is not a phase, procedure, option or event",
            among(
                node.per,
                [*world.frames, "game"],
                "write the name of a phase or procedure, or 'per game'",
            ),
        )
    counter = world.limits.get((name, node.per))
    if counter is None:
        counter = m.Cell(
            f"limit {name} {node.per}",
            bounded(
                [key_of(k.type, node, world) for k in keys], f"the limit '{name}'", node, world
            ),
            m.Int(None, 0, 1 << 20),
            hidden=True,
        )
        if place is not None:
            counter.resets.append((place, None))
        world.limits[(name, node.per)] = counter
        world.model.cells.append(counter)
    elif len(counter.keys) != len(keys):
        world.error(
            "RK306",
            node,
            f"the limit '{name}' is counted by {len(counter.keys)} keys elsewhere, but here by"
            f" {len(keys)}",
            "use the same keys in both, or give this limit a name of its own",
        )
    unless = condition(node.unless, scope) if node.unless is not None else None
    counts: m.Expr | None = None
    if place is not None and place not in scope.contexts:  # void while its scope does not run
        counts = m.Running(place, span=node.span)
        idle: m.Expr = m.Not(counts, span=node.span)
        unless = idle if unless is None else m.Or([idle, unless], span=unless.span)
    return m.Limit(node.count, counter, keys, unless, counts, name, ref=node.ref, span=node.span)


def asked_in(scope: Scope) -> str:
    """Return the part of a text key for the place of a decision: the name of its procedure, or of
    the member whose rules contain it.
    """
    return scope.proc.name.rsplit(" ", 1)[-1] if scope.proc else ""


def inline_option(node: t.OptionDecl, scope: Scope, me: m.Var) -> m.GuardedOption:
    """Check an option written inside a `choose`. It runs in the frame of its procedure."""
    inside = scope.inner()
    option = m.GuardedOption(
        node.name,
        "option",
        [],
        me=me,
        label=node.label or "",
        key=f"option.{asked_in(scope)}.{node.name}",
        ref=node.ref,
        span=node.span,
    )
    parameters(node.params, inside, option)
    clauses(node.clauses, inside, option)
    option.body = block(node.body, inside)
    scope.world.model.options.append(option)
    return option


# ------------------------------------------------------------------------------------------------ p
def private_cell(cell: m.Cell) -> bool:
    return bool(cell.seen) and not any(s.who == "all" and s.when is None for s in cell.seen)


def reads_private(*roots: object) -> bool:
    """Return True if these expressions read something that some players may not know."""
    return any(isinstance(part, m.ReadCell) and private_cell(part.cell) for part in reached(*roots))


def public_reading(cond: m.Expr) -> m.Expr | None:
    """Return the part of a condition that everybody can test.

    `x in hand` becomes `x could be in hand`. Other private parts become true (None).
    """
    if isinstance(cond, m.And):
        kept = [p for p in (public_reading(i) for i in cond.items) if p is not None]
        return m.And(kept, span=cond.span) if kept else None
    if (
        isinstance(cond, m.In)
        and isinstance(cond.source, m.ReadCell)
        and cond.source.cell.pool
        and private_cell(cond.source.cell)
    ):
        if reads_private(cond.item, cond.source.keys):
            return None
        return m.CouldBeIn(cond.item, cond.source, span=cond.span)
    if (
        isinstance(cond, m.CallDefine)
        and len(cond.target.cases) == 1
        and isinstance(cond.type, m.Bool)
        and reads_private(cond)
    ):
        return None
    return None if reads_private(cond) else cond


def possible(option: m.GuardedOption) -> m.Expr | None:
    """Return the condition that an option of a window is publicly possible for `me`, with its
    parameters quantified.
    """
    conds: list[m.Expr] = []
    for clause in option.clauses:
        if isinstance(clause, m.Guarded):
            part = public_reading(clause.cond)
            if part is not None:
                conds += part.items if isinstance(part, m.And) else [part]
        elif isinstance(clause, m.Limit) and not reads_private(clause.keys):
            below: m.Expr = m.Compare(
                "<",
                m.ReadCell(clause.counter, clause.keys, type=clause.counter.type),
                m.Const(clause.count, type=m.Int(FLEX)),
            )
            conds.append(below if clause.unless is None else m.Or([below, clause.unless]))
        elif isinstance(clause, m.With):
            break  # what follows reads the bound name
    return quantify(option, conds)


def quantify(option: m.GuardedOption, conds: list[m.Expr]) -> m.Expr | None:
    def mentions(expr: m.Expr, var: m.Var) -> bool:
        return any(isinstance(n, m.Read) and n.var is var for n in nodes(expr))

    for var, domain in zip(reversed(option.params), reversed(option.domains), strict=True):
        own = [c for c in conds if mentions(c, var)]
        rest = [c for c in conds if not mentions(c, var)]
        if not isinstance(var.type, m.MemberOf):
            conds = rest  # a number: not tested
            continue
        kind = var.type.kind
        source = domain if domain is not None else m.Const(kind.all, type=m.SetOf(kind))
        if own:
            element = m.Var(var.name, var.type)
            tested = [substitute(c, {var: m.Read(element)}) for c in own]
            cond = tested[0] if len(tested) == 1 else m.And(tested)
            source = m.Filter(source, element, cond, type=m.SetOf(kind))
        conds = [*rest, m.Count("some", source, type=BOOL)]
    if not conds:
        return None
    return conds[0] if len(conds) == 1 else m.And(conds)
