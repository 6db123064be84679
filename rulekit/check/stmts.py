"""Takes blocks of statements and their scope, makes statements of the model with resolved variables, calls and decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulekit.base.diagnostic import guess
from rulekit.check import limits
from rulekit.check import model as m
from rulekit.check.calls import arguments, attribute, need_context
from rulekit.check.exprs import as_set, condition, element_scope, fits, fitting, is_bad, typed
from rulekit.check.scope import BAD, BOOL, FLEX, Bad, Element, Scope, Symbol, context_chain, facts, show
from rulekit.check.types import type_of
from rulekit.syntax import tree as t

PLAIN = (t.AssignStmt, t.EachStmt, t.IfStmt)  # what the body of an event may hold


def block(nodes: Sequence[t.Stmt], scope: Scope) -> m.Block:
    """Statements in order; what is learned by an early exit holds for those after it."""
    made: m.Block = []
    world = scope.world
    for node in nodes:
        world.statements += 1
        if world.statements > limits.STATEMENTS:
            world.error("RK407", node, f"the procedures of the game have more than {limits.STATEMENTS:,} statements",
                        "say the same in less: use data and loops")
            raise limits.Enough
        if scope.event and not isinstance(node, PLAIN):
            world.error("RK503", node, "an event only writes: no choice, die, call or other event in it",
                              "move this to the procedure that makes the event happen")
            continue
        found = HANDLERS[type(node)](node, scope)
        for stmt in found:
            stmt.span = node.span
            stmt.ref = getattr(node, "ref", ())
        made += guarded(node, found, scope)
        if isinstance(node, (t.LeaveStmt, t.ReturnStmt)) and node.when is not None:
            scope.known = scope.known | facts(node.when, False)
    return made


def guarded(node: t.Stmt, found: m.Block, scope: Scope) -> m.Block:
    when = getattr(node, "when", None)
    if when is None or isinstance(node, t.TakeStmt):
        return found
    return [m.IfStmt(condition(when, scope), found, [], span=node.span)]


def under_guard(node: t.Stmt, scope: Scope) -> Scope:
    """A statement with a guard knows what the guard says."""
    when = getattr(node, "when", None)
    return scope.knowing(facts(when, True)) if when is not None else scope


def decider(node: t.Expr, scope: Scope) -> m.Expr:
    sides = scope.world.model.sides
    if sides is None:
        scope.world.error("RK509", node, "nobody decides in this game", "one kind must say 'decides'")
        return m.Const(0, type=BAD)
    return fitting(node, scope, m.MemberOf(sides), "who decides")


# ------------------------------------------------------------------------------------------------ variables and writes
def field_stmt(node: t.FieldStmt, scope: Scope) -> m.Block:
    world = scope.world
    type = type_of(node.type, world)
    value = fitting(node.value, scope, type) if node.value is not None else m.Const(m.empty(type), type=type)
    known = world.visible.get(scope.proc, {}).get(node.name) if scope.proc is not None else None
    if known is not None and known.span == node.span:
        scope.locals[node.name] = known
        return [m.SetVar(known, ":=", value)]
    var = scope.bind(node.name, type, node.span)
    return [m.SetVar(var, ":=", value)]


def var_stmt(node: t.VarStmt, scope: Scope) -> m.Block:
    type = type_of(node.type, scope.world) if node.type is not None else None
    value = fitting(node.value, scope, type) if type is not None else typed(node.value, scope)
    if type is None:
        type = value.type
        if isinstance(type, m.Int):
            type = m.Int(type.unit)
    return [m.SetVar(scope.bind(node.name, type, node.span), ":=", value)]


def let_stmt(node: t.LetStmt, scope: Scope) -> m.Block:
    value = typed(node.value, scope)
    return [m.SetVar(scope.bind(node.name, value.type, node.span), ":=", value)]


def assign(node: t.AssignStmt, scope: Scope) -> m.Block:
    world = scope.world
    scope = under_guard(node, scope)
    target = typed(node.target, scope.inner(known=frozenset()))
    if is_bad(target):
        typed(node.value, scope)
        return []
    declared = target.cell.type if isinstance(target, m.ReadCell) else target.type
    value = fitting(node.value, scope, declared, "the value assigned")
    if node.op != ":=" and not isinstance(declared, (m.Int, m.SetOf)):
        world.error("RK401", node, f"'{node.op}' needs a number or a set, found {show(declared)}")
        return []
    if isinstance(target, m.ReadCell):
        if target.cell.pool:
            world.error("RK505", node, f"'{target.cell.name}' is a pool: things are moved by 'put', 'draw' and 'gather'")
            return []
        for key in target.keys:
            if isinstance(key.type, m.MemberOf) and key.type.optional:
                fits_key(node, key, scope)
        return [m.SetCell(target.cell, target.keys, node.op, value)]
    if isinstance(target, m.Read) and target.var.frame is not None and not scope.event:
        if isinstance(value.type, m.Int) and isinstance(declared, m.Int) and declared.unit == FLEX and value.type.unit != FLEX:
            target.var.type = m.Int(value.type.unit)
        return [m.SetVar(target.var, node.op, value)]
    world.error("RK505", node, "this cannot be assigned: it is not state",
                "state is declared with 'state', 'field' or 'var'; what is 'fixed' or defined never changes")
    return []


def fits_key(node: t.AssignStmt, key: m.Expr, scope: Scope) -> None:
    base = node.target.base if isinstance(node.target, t.Attr) else node.target
    if base in scope.known:
        return
    from rulekit.check.exprs import written

    scope.world.error("RK403", base, f"'{written(base)}' may be none here", "test it first ('when x != none'), or assert it ('the x')")


def call_stmt(node: t.CallStmt, scope: Scope) -> m.Block:
    world = scope.world
    scope = under_guard(node, scope)
    func = node.call.func if isinstance(node.call, t.Call) else node.call
    nodes = node.call.args if isinstance(node.call, t.Call) else ()
    if isinstance(func, t.Attr):
        base = typed(func.base, scope)
        if isinstance(base.type, m.MemberOf) and func.name in base.type.kind.slots:
            slot = base.type.kind.slots[func.name]
            if slot.type is None:
                args = arguments(Symbol("procedure", slot.name, t.Drop(()), slot, slot.params), nodes, node, scope)
                return [m.CallSlotSteps(slot, base, args)]
        if not is_bad(base):
            world.error("RK505", node, "this does nothing: a statement calls a procedure, a phase, an event or a slot of steps")
        return []
    if not isinstance(func, t.Name):
        world.error("RK505", node, "this does nothing: a statement calls a procedure, a phase or an event")
        return []
    symbol = world.symbols.get(func.id)
    callable_ = [s.name for s in world.symbols.values() if s.what in ("procedure", "event")]
    if symbol is None:
        world.error("RK301", func, f"unknown name '{func.id}'", guess(func.id, callable_))
        return []
    if symbol.what == "moment":
        world.error("RK505", node, f"'{func.id}' is a moment", f"write 'open {func.id}'")
        return []
    if symbol.what not in ("procedure", "event"):
        world.error("RK505", node, f"'{func.id}' does nothing: it is a {symbol.what}", "a statement calls a procedure, a phase or an event")
        return []
    args = arguments(symbol, nodes, node, scope)
    if not need_context(symbol, node, scope):
        return []
    if symbol.what == "event":
        event: m.Event = symbol.obj
        return [m.CallProc(event.wrapper, args) if event.wrapper is not None else m.CallEvent(event, args)]
    return [m.CallProc(symbol.obj, args)]


# ------------------------------------------------------------------------------------------------ control
def if_stmt(node: t.IfStmt, scope: Scope) -> m.Block:
    result: m.Block = []
    into = result
    known = scope
    if len(node.arms) > limits.BRANCHES:
        scope.world.error("RK407", node, f"this 'if' has {len(node.arms):,} branches; at most {limits.BRANCHES} can stand in one",
                          "use a table, or a 'define' with cases")
        return []
    for cond, body in node.arms:
        test = condition(cond, known)
        made = m.IfStmt(test, block(body, branch(known, facts(cond, True))), [], span=cond.span)
        into.append(made)
        into = made.other
        known = known.knowing(facts(cond, False))
    into += block(node.other, branch(known, frozenset()))
    return result


def branch(scope: Scope, known: frozenset[t.Expr]) -> Scope:
    return scope.inner(known=scope.known | known)


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
        kind_type = m.Int(first.unit, first.low, last.high) if isinstance(first, m.Int) and isinstance(last, m.Int) else BAD
    else:
        source = as_set(node.source, scope)
        kind_type = m.MemberOf(source.type.kind) if isinstance(source.type, m.SetOf) else BAD
    inside = scope.inner(known=frozenset(k for k in scope.known if k != t.Name(node.var)), loops=scope.loops + 1)
    key_var, keys = None, []
    if (node.keys or node.ties) and source is not None and isinstance(source.type, m.SetOf):
        key_var, key_scope = element_scope(source, node.var, scope)
        keys = [typed(k, key_scope) for k in node.keys]
    var = inside.bind(node.var, kind_type, node.span)
    ties = None
    if node.ties is not None:
        tie_scope = element_scope(source, node.var, scope)[1] if source is not None and isinstance(source.type, m.SetOf) else scope.inner()
        if key_var is not None and isinstance(key_var.type, m.MemberOf):
            tie_scope.locals[node.var] = key_var
            tie_scope.element = Element(key_var.type.kind, m.Read(key_var, type=key_var.type))
        ties = decider(node.ties, tie_scope)
    if (node.keys or node.live or node.ties) and source is None and not isinstance(kind_type, Bad):
        world.error("RK505", node, "'by', 'ties' and 'live' need a set to loop over")
    return [m.Each(var, source, keys, key_var, ties, node.live, block(node.body, inside), items, numbers)]


def bounded_rounds(rounds: int, node: t.Stmt, scope: Scope) -> None:
    if rounds > limits.LOOP:
        scope.world.error("RK407", node,
                          f"this loop may have {limits.shown(rounds)} rounds; at most {limits.LOOP:,} can be run",
                          "use a smaller number")


def together(node: t.TogetherStmt, scope: Scope) -> m.Block:
    world = scope.world
    source = as_set(node.each.source, scope)
    if is_bad(source) or not isinstance(source.type, m.SetOf):
        return []
    inside = scope.inner(loops=0)
    var = inside.bind(node.each.var, m.MemberOf(source.type.kind), node.each.span)
    made = block(node.each.body, inside)
    if not made or not isinstance(made[0], m.Pick):
        world.error("RK505", node, "'together' begins with one 'pick' and then says what follows from it",
                    "no other decision may stand in it")
        return []
    pick = made[0]
    if not isinstance(pick.var.type, m.MemberOf):
        world.error("RK505", node, "'together' needs a pick of members, not of numbers")
        return []
    owner = m.Var("owner", m.MemberOf(source.type.kind))
    seen = [m.Seen(m.Read(owner, type=owner.type), None, [owner])] if source.type.kind is world.model.sides else [m.Seen("none")]
    answers = m.Cell(f"answer {len(world.model.cells)}", [m.Key(source.type.kind)],
                     m.MemberOf(pick.var.type.kind, True), -1, hidden=True, seen=seen)
    world.model.cells.append(answers)
    return [m.Together(var, source, pick, answers, made[1:])]


def repeat(node: t.RepeatStmt, scope: Scope) -> m.Block:
    cond = condition(node.cond, scope) if node.cond is not None else None
    limit = fitting(node.limit, scope, m.Int(FLEX))
    bounded_rounds(limit.value if isinstance(limit, m.Const) else 0, node, scope)
    inside = scope.inner(loops=scope.loops + 1, known=frozenset())
    return [m.Repeat(node.form, cond, limit, block(node.body, inside))]


def leave(node: t.LeaveStmt, scope: Scope) -> m.Block:
    if not scope.loops:
        scope.world.error("RK505", node, "'leave' stands in no loop", "'return' ends the procedure")
        return []
    return [m.Leave()]


def return_(node: t.ReturnStmt, scope: Scope) -> m.Block:
    return [m.Return()]


def finish(node: t.FinishStmt, scope: Scope) -> m.Block:
    model = scope.world.model
    sides = model.sides
    who = fitting(node.who, under_guard(node, scope), m.MemberOf(sides, True)) if sides else m.Const(-1, type=BAD)
    if node.level not in model.levels:
        model.levels.append(node.level)
    return [m.Finish(who, model.levels.index(node.level))]


# ------------------------------------------------------------------------------------------------ decisions
def choose(node: t.ChooseStmt, scope: Scope) -> m.Block:
    from rulekit.check.options import inline_option

    world = scope.world
    who = decider(node.who, scope)
    inside = scope.inner()
    me = inside.bind("me", who.type)
    options = [inline_option(o, inside, me) for o in node.options]
    proc = scope.proc
    made = m.Choose(who, me, options, [], f"prompt.{proc.name if proc else ''}.{node.menu or 'choose'}", node.prompt or "")
    if node.menu is not None:
        symbol = world.symbols.get(node.menu)
        if symbol is None or symbol.what != "menu":
            menus = [s.name for s in world.symbols.values() if s.what == "menu"]
            world.error("RK301", node, f"'{node.menu}' is not a menu", guess(node.menu, menus))
        elif need_context(symbol, node, scope):
            made.options += symbol.obj
            world.menus_used.add(node.menu)
    made.standing += [o for chain, o in world.standing if chain is None or chain in scope.contexts]
    return [made]


def prompt(node: t.PickStmt | t.PickGroupStmt, scope: Scope) -> str:
    return f"prompt.{scope.proc.name.rsplit(' ', 1)[-1] if scope.proc else ''}.{node.var}"


def key_scope(nodes: Sequence[t.Expr], source: m.Expr, scope: Scope) -> tuple[m.Var | None, list[m.Expr]]:
    if not nodes or not isinstance(source.type, m.SetOf):
        return None, []
    var, inside = element_scope(source, None, scope)
    return var, [typed(k, inside) for k in nodes]


def pick(node: t.PickStmt, scope: Scope) -> m.Block:
    who = decider(node.who, scope)
    numbers: tuple[m.Expr, m.Expr] | None = None
    source: m.Expr | None = None
    node_source = node.source
    if isinstance(node_source, t.Where) and isinstance(node_source.source, t.Range):
        return pick_number(node, node_source.source, node_source.cond, who, scope)
    if isinstance(node_source, t.Range):
        return pick_number(node, node_source, None, who, scope)
    source = as_set(node_source, scope)
    if is_bad(source) or not isinstance(source.type, m.SetOf):
        scope.bind(node.var, BAD, node.span)
        return []
    key_var, alike = key_scope(node.alike, source, scope)
    var = scope.bind(node.var, m.MemberOf(source.type.kind, node.or_none), node.span)
    scope.known = scope.known - {t.Name(node.var)}
    return [m.Pick(var, source, who, prompt(node, scope), node.prompt or "", node.or_none, alike, key_var, numbers)]


def pick_number(node: t.PickStmt, range_: t.Range, cond: t.Expr | None, who: m.Expr, scope: Scope) -> m.Block:
    low, high = typed(range_.low, scope), typed(range_.high, scope)
    fits(high, low.type, range_.high, scope)
    kind_type: m.Type = BAD
    if isinstance(low.type, m.Int) and isinstance(high.type, m.Int):
        unit = high.type.unit if low.type.unit == FLEX else low.type.unit
        kind_type = m.Int(unit, low.type.low, high.type.high)
        if low.type.low is None or high.type.high is None:
            scope.world.error("RK406", node, "the ends of this range have no known bounds, so its options cannot be numbered",
                              "pick from a range whose ends are literals or cells with a declared range")
        elif high.type.high - low.type.low >= limits.CHOICES:
            count = limits.shown(high.type.high - low.type.low + 1)
            scope.world.error("RK407", node,
                              f"this range has {count} numbers; at most {limits.CHOICES:,} can be offered",
                              "use smaller numbers")
    if cond is not None:
        scope.world.error("RK505", cond, "a range of numbers cannot be filtered here",
                          "use a choose with an option that has a number as parameter")
    var = scope.bind(node.var, kind_type, node.span)
    return [m.Pick(var, None, who, prompt(node, scope), node.prompt or "", node.or_none, [], None, (low, high))]


def pick_group(node: t.PickGroupStmt, scope: Scope) -> m.Block:
    who = decider(node.who, scope)
    source = as_set(node.source, scope)
    if is_bad(source) or not isinstance(source.type, m.SetOf):
        scope.bind(node.var, BAD, node.span)
        return []
    key_var, alike = key_scope(node.alike, source, scope)
    low = fitting(node.low, scope, m.Int(FLEX)) if node.low is not None else None
    high = fitting(node.high, scope, m.Int(FLEX)) if node.high is not None else None
    var = scope.bind(node.var, source.type, node.span)
    return [m.PickGroup(var, source, who, prompt(node, scope), node.prompt or "", low, high, node.or_none, alike, key_var)]


def walk(node: t.WalkStmt, scope: Scope) -> m.Block:
    world = scope.world
    symbol = world.symbols.get(node.movement)
    if symbol is None or symbol.what != "movement":
        world.error("RK301", node, f"'{node.movement}' is not a movement",
                    guess(node.movement, [s.name for s in world.symbols.values() if s.what == "movement"]))
        return []
    args = arguments(symbol, node.args, node, scope)
    movement: m.Movement = symbol.obj
    if not need_context(symbol, node, scope):
        return []
    return [m.Walk(movement, args, fitting(node.start, scope, movement.start.type, "where the walk begins"), decider(node.who, scope))]


# ------------------------------------------------------------------------------------------------ chance, pools, moments
def roll(node: t.RollStmt, scope: Scope) -> m.Block:
    model = scope.world.model
    who = decider(node.who, scope)
    if node.purpose not in model.purposes:
        model.purposes.append(node.purpose)
    if not (1 <= node.dice <= 20 and 2 <= node.faces <= 1000):
        scope.world.error("RK406", node, "a roll has 1 to 20 dice of 2 to 1000 faces")
    var = scope.bind(node.var, m.Int(FLEX, node.dice, node.dice * node.faces), node.span)
    return [m.Roll(var, node.dice, node.faces, who, node.purpose)]


def pool(node: t.Expr, scope: Scope) -> m.ReadCell | None:
    made = typed(node, scope)
    if isinstance(made, m.ReadCell) and made.cell.pool:
        return made
    if not is_bad(made):
        scope.world.error("RK401", node, "expected a pool",
                          guess(getattr(node, "id", ""), [c.name for c in scope.world.model.cells if c.pool]))
    return None


def same_pool(node: t.Node, a: m.ReadCell, b: m.ReadCell, scope: Scope) -> bool:
    if a.cell.type == b.cell.type:
        return True
    scope.world.error("RK401", node, f"'{a.cell.name}' and '{b.cell.name}' hold different kinds of things")
    return False


def draw(node: t.DrawStmt, scope: Scope) -> m.Block:
    count = fitting(node.count, scope, m.Int(FLEX))
    source, target = pool(node.source, scope), pool(node.target, scope)
    if source is None or target is None or not same_pool(node, source, target, scope):
        return []
    return [m.Draw(count, source, target)]


def put(node: t.PutStmt, scope: Scope) -> m.Block:
    target = put_target(node.target, scope)
    if target is None or not isinstance(target.type, m.SetOf):
        return []
    what = fitting(node.what, scope, m.MemberOf(target.type.kind))
    return [m.Put(what, target)] if isinstance(target, m.ReadCell) else [put_if(target, what)]


def put_target(node: t.Expr, scope: Scope) -> m.Expr | None:
    """A pool, or `a if c else b` of two pools."""
    if isinstance(node, t.IfElse):
        cond = condition(node.cond, scope)
        then, other = put_target(node.then, scope), put_target(node.other, scope)
        return m.If(cond, then, other, type=then.type) if then is not None and other is not None else None
    return pool(node, scope)


def put_if(target: m.Expr, what: m.Expr) -> m.Stmt:
    if isinstance(target, m.If):
        return m.IfStmt(target.cond, [put_if(target.then, what)], [put_if(target.other, what)])
    assert isinstance(target, m.ReadCell)
    return m.Put(what, target)


def gather(node: t.GatherStmt, scope: Scope) -> m.Block:
    source, target = pool(node.source, scope), pool(node.target, scope)
    if source is None or target is None or not same_pool(node, source, target, scope):
        return []
    return [m.Gather(source, target)]


def open_stmt(node: t.OpenStmt, scope: Scope) -> m.Block:
    world = scope.world
    func = node.moment.func if isinstance(node.moment, t.Call) else node.moment
    nodes = node.moment.args if isinstance(node.moment, t.Call) else ()
    id = func.id if isinstance(func, t.Name) else ""
    symbol = world.symbols.get(id)
    if symbol is None or symbol.what != "moment" or symbol.obj is None:
        moments = [s.name for s in world.symbols.values() if s.what == "moment"]
        world.error("RK301", node, f"'{id}' is not a moment that can be opened", guess(id, moments))
        if node.var:
            scope.bind(node.var, BAD)
        return []
    args = arguments(symbol, nodes, node, scope)
    proc: m.Procedure = symbol.obj
    ok = need_context(symbol, node, scope)
    into = None
    if node.var is not None:
        if proc.result is None:
            world.error("RK401", node, f"the moment '{id}' gives no answer", f"declare it 'moment {id}(...) -> bool default false'")
        into = scope.bind(node.var, proc.result.type if proc.result else BAD, node.span)
    return [m.CallProc(proc, args, into)] if ok else []


def answer(node: t.AnswerStmt, scope: Scope) -> m.Block:
    word = node.value.id if isinstance(node.value, t.Name) and node.value.id in ("stop", "redo", "halt") else ""
    if word in ("redo", "halt"):
        return [m.Answer(word)]
    if word == "stop":
        if scope.stop is None:
            scope.world.error("RK505", node, "'answer stop' stands only in hooks and reactions before an event")
            return []
        return [m.SetVar(scope.stop, ":=", m.Const(1, type=BOOL))]
    if scope.answer is None:
        scope.world.error("RK505", node, "no moment that takes an answer is open here")
        return []
    return [m.SetVar(scope.answer, ":=", fitting(node.value, under_guard(node, scope), scope.answer.type))]


def take(node: t.TakeStmt, scope: Scope) -> m.Block:
    scope.world.error("RK505", node, "'take' stands only in a policy")
    return []


HANDLERS: dict[type[t.Stmt], Callable[..., m.Block]] = {
    t.FieldStmt: field_stmt, t.VarStmt: var_stmt, t.LetStmt: let_stmt, t.AssignStmt: assign, t.CallStmt: call_stmt, t.IfStmt: if_stmt,
    t.EachStmt: each, t.TogetherStmt: together, t.RepeatStmt: repeat, t.ChooseStmt: choose, t.PickStmt: pick, t.PickGroupStmt: pick_group,
    t.RollStmt: roll, t.DrawStmt: draw, t.PutStmt: put, t.GatherStmt: gather, t.OpenStmt: open_stmt, t.AnswerStmt: answer,
    t.LeaveStmt: leave, t.ReturnStmt: return_, t.FinishStmt: finish, t.WalkStmt: walk, t.TakeStmt: take,
}

__all__ = ["attribute", "block", "context_chain", "decider"]
