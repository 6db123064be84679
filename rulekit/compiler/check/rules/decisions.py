"""Checks decisions, dice, pools and moments: turns syntax trees into statements of the model."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve import limits
from rulekit.compiler.check.resolve.builtin_dice import ROLLED
from rulekit.compiler.check.resolve.scope import BAD, BOOL, FLEX, Scope, is_none
from rulekit.compiler.check.rules.blocks import checking_of, under_guard
from rulekit.compiler.check.rules.options import asked_in, inline_option
from rulekit.compiler.check.typecheck.calls import arguments, need_context
from rulekit.compiler.check.typecheck.dispatch import (
    as_set,
    condition,
    fits,
    fitting,
    is_bad,
    typed,
)
from rulekit.compiler.check.typecheck.optional_values import is_sure
from rulekit.compiler.check.typecheck.ranges import answered
from rulekit.compiler.check.typecheck.sets import element_scope, sort_key
from rulekit.compiler.syntax import ast as t

MAX_DICE = 20  # of a roll
MIN_FACES, MAX_FACES = 2, 1000  # of a die


def decider(node: t.ExprSyntax, scope: Scope) -> m.Expr:
    sides = scope.world.model.sides
    if sides is None:
        scope.world.error(
            "RK509",
            node,
            "this game has no kind that 'decides'",
            "one kind must have the word 'decides': kind Side decides = white | black",
        )
        return m.Const(0, type=BAD)
    return fitting(node, scope, m.MemberOf(sides), "the player who decides")


@checking_of(t.ChooseStmt)
def choose(node: t.ChooseStmt, scope: Scope) -> m.Block:
    world = scope.world
    who = decider(node.who, scope)
    inside = scope.inner()
    me = inside.bind("me", who.type)
    options = [inline_option(o, inside, me) for o in node.options]
    made = m.Choose(
        who,
        me,
        options,
        [],
        f"prompt.{asked_in(scope)}.{node.menu or 'choose'}",
        node.prompt or "",
        visible(scope),
    )
    if node.menu is not None:
        symbol = world.symbols.get(node.menu)
        if symbol is None or symbol.what != "menu":
            menus = [s.name for s in world.symbols.values() if s.what == "menu"]
            world.error(
                "RK301",
                node,
                f"'{node.menu}' is not a menu",
                guess(node.menu, menus) or f"declare it: menu {node.menu} in PHASE",
            )
        elif need_context(symbol, node, scope):
            made.options += symbol.obj
            world.menus_used.add(node.menu)
    made.standing += [o for chain, o in world.standing if chain is None or chain in scope.contexts]
    return [made]


def visible(scope: Scope) -> dict[str, m.Var]:
    """Return the variables of the procedure that can be named here."""
    return {name: var for name, var in scope.locals.items() if var.frame is not None}


def prompt(node: t.PickStmt | t.PickGroupStmt, scope: Scope) -> str:
    return f"prompt.{asked_in(scope)}.{node.var}"


def key_scope(
    nodes: Sequence[t.ExprSyntax], source: m.Expr, scope: Scope
) -> tuple[m.Var | None, list[m.Expr]]:
    if not nodes or not isinstance(source.type, m.SetOf):
        return None, []
    var, inside = element_scope(source, None, scope)
    return var, [sort_key(k, inside) for k in nodes]


@checking_of(t.PickStmt)
def pick(node: t.PickStmt, scope: Scope) -> m.Block:
    who = decider(node.who, scope)
    numbers: tuple[m.Expr, m.Expr] | None = None
    source: m.Expr | None = None
    node_source = node.source
    if isinstance(node_source, t.Where) and isinstance(node_source.source, t.Range):
        return pick_number(node, node_source.source, node_source.cond, who, scope)
    if isinstance(node_source, t.Range):
        return pick_number(node, node_source, None, who, scope)
    source = as_set(node_source, scope.inner(choosing=node.var, chosen=node_source))
    if is_bad(source) or not isinstance(source.type, m.SetOf):
        scope.bind(node.var, BAD, node.span)
        return []
    key_var, alike = key_scope(node.alike, source, scope)
    seen = visible(scope)
    var = scope.bind(node.var, m.MemberOf(source.type.kind, node.or_none), node.span)
    sure = is_sure(source, node_source, scope)
    scope.known = scope.known - {t.Name(node.var)} | (
        frozenset() if node.or_none else frozenset({node_source})
    )
    return [
        m.Pick(
            var,
            source,
            who,
            prompt(node, scope),
            node.prompt or "",
            node.or_none,
            alike,
            key_var,
            numbers,
            seen,
            sure,
        )
    ]


def pick_number(
    node: t.PickStmt, range_: t.Range, cond: t.ExprSyntax | None, who: m.Expr, scope: Scope
) -> m.Block:
    low, high = typed(range_.low, scope), typed(range_.high, scope)
    fits(high, low.type, range_.high, scope)
    kind_type: m.Type = BAD
    if isinstance(low.type, m.Int) and isinstance(high.type, m.Int):
        unit = high.type.unit if low.type.unit == FLEX else low.type.unit
        kind_type = m.Int(unit, low.type.low, high.type.high)
        if low.type.low is None or high.type.high is None:
            scope.world.error(
                "RK406",
                node,
                "the ends of this range have no known bounds, so its options cannot be numbered",
                "write numbers for its ends, or states with a declared range: state n: 0..9",
            )
        elif high.type.high - low.type.low >= limits.CHOICES:
            count = limits.shown(high.type.high - low.type.low + 1)
            scope.world.error(
                "RK407",
                node,
                f"this range has {count} numbers; at most {limits.CHOICES:,} can be offered",
                "use smaller numbers",
            )
    if node.or_none and isinstance(kind_type, m.Int) and (kind_type.low or 0) < 0:
        scope.world.error(
            "RK505",
            node,
            "', or none' counts as -1, but this range may go below 0",
            "pick from a range that begins at 0 or above",
        )
    if cond is not None:
        scope.world.error(
            "RK505",
            cond,
            "a range of numbers cannot be filtered here",
            "write a 'choose' with 'option NAME(n: 1..9)' and the condition after 'when'",
        )
    seen = visible(scope)
    var = scope.bind(node.var, kind_type, node.span)
    sure = isinstance(low, m.Const) and isinstance(high, m.Const) and low.value <= high.value
    return [
        m.Pick(
            var,
            None,
            who,
            prompt(node, scope),
            node.prompt or "",
            node.or_none,
            [],
            None,
            (low, high),
            seen,
            sure,
        )
    ]


@checking_of(t.PickGroupStmt)
def pick_group(node: t.PickGroupStmt, scope: Scope) -> m.Block:
    who = decider(node.who, scope)
    source = as_set(node.source, scope)
    if is_bad(source) or not isinstance(source.type, m.SetOf):
        scope.bind(node.var, BAD, node.span)
        return []
    key_var, alike = key_scope(node.alike, source, scope)
    low = fitting(node.low, scope, m.Int(FLEX)) if node.low is not None else None
    high = fitting(node.high, scope, m.Int(FLEX)) if node.high is not None else None
    seen = visible(scope)
    var = scope.bind(node.var, source.type, node.span)
    made = m.PickGroup(
        var,
        source,
        who,
        prompt(node, scope),
        node.prompt or "",
        low,
        high,
        node.or_none,
        alike,
        key_var,
        visible=seen,
        sure=node.keeps is None and is_sure(source, node.source, scope),
    )
    if not node.or_none:
        scope.known = (
            scope.known
            | {node.source}
            | (frozenset({t.Name(node.var)}) if low is None else frozenset())
        )
    if node.keeps is not None:  # it reads the variable: the group with one element more
        made.keeps = m.Guarded(
            condition(node.keeps.cond, scope),
            node.keeps.reason or "",
            made.prompt.replace("prompt", "why", 1),
            ref=node.ref,
        )
    return [made]


@checking_of(t.WalkStmt)
def walk(node: t.WalkStmt, scope: Scope) -> m.Block:
    world = scope.world
    symbol = world.symbols.get(node.movement)
    if symbol is None or symbol.what != "movement":
        world.error(
            "RK301",
            node,
            f"'{node.movement}' is not a movement",
            guess(node.movement, [s.name for s in world.symbols.values() if s.what == "movement"])
            or f"declare it: movement {node.movement}(...)",
        )
        return []
    args = arguments(symbol, node.args, node, scope)
    movement: m.Movement = symbol.obj
    if not need_context(symbol, node, scope):
        return []
    return [
        m.Walk(
            movement,
            args,
            fitting(node.start, scope, movement.start.type, "where the walk begins"),
            decider(node.who, scope),
        )
    ]


@checking_of(t.RollStmt)
def roll(node: t.RollStmt, scope: Scope) -> m.Block:
    model = scope.world.model
    nobody = model.sides is not None and is_none(node.who)
    who = (
        fitting(node.who, scope, m.MemberOf(model.sides, True))
        if nobody and model.sides is not None
        else decider(node.who, scope)
    )
    if node.purpose not in model.purposes:
        model.purposes.append(node.purpose)
    if not (1 <= node.dice <= MAX_DICE and MIN_FACES <= node.faces <= MAX_FACES):
        scope.world.error(
            "RK406",
            node,
            f"a roll has 1 to {MAX_DICE} dice of {MIN_FACES} to {MAX_FACES} faces",
            f"use fewer dice, or dice with {MIN_FACES} to {MAX_FACES} faces",
        )
    var = scope.bind(node.var, m.Int(FLEX, node.dice, node.dice * node.faces), node.span)
    return [m.Roll(var, node.dice, node.faces, who, node.purpose, model.rolled)]


def pool(node: t.ExprSyntax, scope: Scope) -> m.ReadCell | None:
    made = typed(node, scope)
    if isinstance(made, m.ReadCell) and made.cell.pool:
        return made
    if not is_bad(made):
        pools = [c.name for c in scope.world.model.cells if c.pool]
        help = (
            f"write a pool: {', '.join(pools[:5])}" if pools else "declare one: pool NAME of KIND"
        )
        scope.world.error(
            "RK401", node, "expected a pool", guess(getattr(node, "id", ""), pools) or help
        )
    return None


def same_pool(node: t.NodeSyntax, a: m.ReadCell, b: m.ReadCell, scope: Scope) -> bool:
    if a.cell.type == b.cell.type:
        return True
    scope.world.error(
        "RK401",
        node,
        f"'{a.cell.name}' and '{b.cell.name}' hold different kinds of things",
        "things can only move between pools of the same kind: 'pool NAME of KIND'",
    )
    return False


@checking_of(t.DrawStmt)
def draw(node: t.DrawStmt, scope: Scope) -> m.Block:
    count = fitting(node.count, scope, m.Int(FLEX))
    source, target = pool(node.source, scope), pool(node.target, scope)
    if source is None or target is None or not same_pool(node, source, target, scope):
        return []
    return [m.Draw(count, source, target)]


@checking_of(t.PutStmt)
def put(node: t.PutStmt, scope: Scope) -> m.Block:
    target = put_target(node.target, scope)
    if target is None or not isinstance(target.type, m.SetOf):
        return []
    what = fitting(node.what, scope, m.MemberOf(target.type.kind))
    return [m.PutMember(what, target)] if isinstance(target, m.ReadCell) else [put_if(target, what)]


def put_target(node: t.ExprSyntax, scope: Scope) -> m.Expr | None:
    """Return a pool, or `a if c else b` of two pools."""
    if isinstance(node, t.IfElse):
        cond = condition(node.cond, scope)
        then, other = put_target(node.then, scope), put_target(node.other, scope)
        return (
            m.If(cond, then, other, type=then.type, span=node.span)
            if then is not None and other is not None
            else None
        )
    return pool(node, scope)


def put_if(target: m.Expr, what: m.Expr) -> m.Stmt:
    if isinstance(target, m.If):
        return m.IfStmt(target.cond, [put_if(target.then, what)], [put_if(target.other, what)])
    assert isinstance(target, m.ReadCell)
    return m.PutMember(what, target)


@checking_of(t.GatherStmt)
def gather(node: t.GatherStmt, scope: Scope) -> m.Block:
    source, target = pool(node.source, scope), pool(node.target, scope)
    if source is None or target is None or not same_pool(node, source, target, scope):
        return []
    return [m.Gather(source, target)]


@checking_of(t.OpenStmt)
def open_stmt(node: t.OpenStmt, scope: Scope) -> m.Block:
    world = scope.world
    func = node.moment.func if isinstance(node.moment, t.CallSyntax) else node.moment
    nodes = node.moment.args if isinstance(node.moment, t.CallSyntax) else ()
    id = func.id if isinstance(func, t.Name) else ""
    symbol = world.symbols.get(id)
    if symbol is None or symbol.what != "moment" or symbol.obj is None:
        moments = [s.name for s in world.symbols.values() if s.what == "moment"]
        world.error(
            "RK301",
            node,
            f"'{id}' is not a moment that can be opened",
            among(id, moments, f"declare it: moment {id}"),
        )
        if node.var:
            scope.bind(node.var, BAD)
        return []
    args = arguments(symbol, nodes, node, scope)
    proc: m.Procedure = symbol.obj
    ok = need_context(symbol, node, scope)
    into = None
    if node.var is not None:
        if proc.result is None:
            world.error(
                "RK401",
                node,
                f"the moment '{id}' has no answer",
                f"declare it 'moment {id}(...) -> bool default false'",
            )
        into = scope.bind(node.var, proc.result.type if proc.result else BAD, node.span)
    return [m.CallProc(proc, args, into)] if ok else []


@checking_of(t.AnswerStmt)
def answer(node: t.AnswerStmt, scope: Scope) -> m.Block:
    word = (
        node.value.id
        if isinstance(node.value, t.Name) and node.value.id in ("stop", "redo", "halt")
        else ""
    )
    if word == "redo" and not scope.redo:
        scope.world.error(
            "RK505",
            node,
            f"'answer redo' is only allowed in hooks and reactions after '{ROLLED}'",
            f"write 'reaction NAME after {ROLLED}' or 'on after {ROLLED}'",
        )
        return []
    if word in ("redo", "halt"):
        return [m.Answer(word)]
    if word == "stop":
        if scope.stop is None:
            scope.world.error(
                "RK505",
                node,
                "'answer stop' is only allowed in hooks and reactions before an event",
                "write 'reaction NAME before EVENT' or 'on before EVENT'",
            )
            return []
        if scope.stop.frame is scope.world.frames.get(ROLLED):
            scope.world.error(
                "RK505",
                node,
                "a finished roll cannot be stopped",
                f"'answer redo' in a reaction after '{ROLLED}' rolls again",
            )
            return []
        return [m.SetVar(scope.stop, ":=", m.Const(1, type=BOOL))]
    if scope.answer is None:
        scope.world.error(
            "RK505",
            node,
            "no moment that takes an answer is open here",
            "declare 'moment NAME -> bool default false', and write the reaction or hook 'at NAME'",
        )
        return []
    value = fitting(node.value, under_guard(node, scope), scope.answer.type)
    return [m.SetVar(scope.answer, ":=", answered(value, scope.answer, node.value, scope))]
