"""Takes an expression of the syntax tree and its scope, makes a typed expression of the model; errors go to the sink."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from rulekit.base.diagnostic import guess
from rulekit.check import model as m
from rulekit.check.calls import attribute, call, read_symbol
from rulekit.check.limits import NUMBER as LARGEST
from rulekit.check.scope import BAD, BOOL, FLEX, Bad, Element, Scope, attributes, facts, is_none, show
from rulekit.syntax import tree as t

NUMBER = m.Int()


def bad(node: t.Node) -> m.Expr:
    return m.Const(0, type=BAD, span=node.span)


def is_bad(*exprs: m.Expr) -> bool:
    return any(isinstance(e.type, Bad) for e in exprs)


def typed(node: t.Expr, scope: Scope, want: m.Type | None = None) -> m.Expr:
    """The expression with its type. `want`: what the place expects; it helps to resolve members and `none`, and is not enforced."""
    made = HANDLERS[type(node)](node, scope, want)
    if isinstance(made.type, m.MemberOf) and made.type.optional and node in scope.known:
        made.type = m.MemberOf(made.type.kind)
    return made


def fitting(node: t.Expr, scope: Scope, want: m.Type, what: str = "") -> m.Expr:
    """The expression, which must have the type `want`."""
    made = typed(node, scope, want)
    return made if fits(made, want, node, scope, what) else bad(node)


def condition(node: t.Expr, scope: Scope) -> m.Expr:
    return fitting(node, scope, BOOL)


def fits(made: m.Expr, want: m.Type, node: t.Node, scope: Scope, what: str = "") -> bool:
    have = made.type
    if isinstance(have, Bad) or isinstance(want, Bad):
        return True
    world = scope.world
    if isinstance(want, m.Int) and isinstance(have, m.Int):
        if units_agree(have, want):
            return True
        world.error("RK402", node, f"puts {show(have)} into {show(want)}" + (f" ({what})" if what else ""),
                    f"say 'as {want.unit}'" if want.unit else "say 'as int'")
        return False
    if isinstance(want, m.MemberOf) and isinstance(have, m.MemberOf) and have.kind is want.kind:
        if have.optional and not want.optional:
            world.error("RK403", node, f"'{written(node)}' may be none here",
                        "test it first ('when x != none'), fill it ('x ?? y'), or assert it ('the x')")
            return False
        return True
    if type(have) is type(want) and not isinstance(want, (m.MemberOf, m.SetOf)):
        return True
    if isinstance(want, m.SetOf) and isinstance(have, m.SetOf) and want.kind is have.kind:
        return True
    world.error("RK401", node, f"expected {show(want)}" + (f" ({what})" if what else "") + f", found {show(have)}")
    return False


def written(node: t.Node) -> str:
    """A short expression as its author wrote it."""
    if isinstance(node, t.Name):
        return node.id
    if isinstance(node, t.Attr):
        return f"{written(node.base)}.{node.name}"
    if isinstance(node, t.Call):
        return f"{written(node.func)}({', '.join(written(a) for a in node.args)})"
    if isinstance(node, t.Word):
        return node.word
    if isinstance(node, t.Number):
        return f"{node.value}{' ' + node.unit if node.unit else ''}"
    return "this"


def units_agree(a: m.Int, b: m.Int) -> bool:
    return a.unit == b.unit or FLEX in (a.unit, b.unit)


# ------------------------------------------------------------------------------------------------ names and words
def name(node: t.Name, scope: Scope, want: m.Type | None) -> m.Expr:
    world, id, element = scope.world, node.id, scope.element
    local = scope.locals.get(id)
    if local is not None:
        if element and isinstance(want, m.Bool) and not isinstance(local.type, m.Bool):
            found = adjective(element, id, node, scope)
            if found is not None:
                return found
        if element and id in set(attributes(element.kind)) and not (isinstance(element.expr, m.Read) and element.expr.var is local):
            world.error("RK304", node, f"'{id}' is a local name here and also an attribute of {element.kind.name}",
                        f"rename the local, or write 'it.{id}' for the attribute")
            return bad(node)
        return m.Read(local, type=local.type, span=node.span)
    if isinstance(want, (m.MemberOf, m.SetOf)):
        ordinal = world.member(want.kind, id)
        if ordinal is not None and isinstance(want, m.MemberOf):
            return m.Const(ordinal, type=m.MemberOf(want.kind), span=node.span)
    if element:
        if id in set(attributes(element.kind)) or one_argument(id, element.kind, scope):
            return attribute(element.expr, id, node, scope)
        found = adjective(element, id, node, scope) if isinstance(want, m.Bool) else None
        if found is not None:
            return found
    var = scope.context_var(id)
    if var is not None:
        return m.Read(var, type=var.type, span=node.span)
    symbol = world.symbols.get(id)
    if symbol is not None:
        return read_symbol(symbol, [], node, scope)
    if id in world.kinds:
        kind = world.kinds[id]
        return m.Const(kind.all, type=m.SetOf(kind), span=node.span)
    homes = world.kinds_with(id)
    if len(homes) == 1:
        kind = homes[0]
        if isinstance(want, m.Bool) and element:
            world.error("RK404", node, f"'{id}' says nothing of a {element.kind.name}",
                        f"it is a {kind.name}; {element.kind.name} has no attribute '{kind.name.lower()}'")
            return bad(node)
        return m.Const(world.member(kind, id) or 0, type=m.MemberOf(kind), span=node.span)
    if len(homes) > 1:
        choices = " or ".join(f"{k.name}.{id}" for k in homes[:3])
        world.error("RK302", node, f"'{id}' may mean a member of several kinds", f"write {choices}")
        return bad(node)
    hidden = next((p for p, names in world.visible.items() if id in names), None)
    if hidden is not None:
        world.error("RK305", node, f"'{id}' only has a meaning in {hidden.name}",
                    f"declare this 'in {hidden.name}', or pass it as a parameter")
        return bad(node)
    if isinstance(want, m.Bool) and element and want is BOOL and not guess(id, world.known_names(scope)):
        world.error("RK404", node, f"'{id}' says nothing of a {element.kind.name}")
        return bad(node)
    world.unknown(node, id, scope)
    return bad(node)


def one_argument(id: str, kind: m.Kind, scope: Scope) -> bool:
    """Is there a define, total, cell ... of this name with the element's kind as its only parameter?"""
    symbol = scope.world.symbols.get(id)
    return (symbol is not None and symbol.what in ("define", "total", "permit", "table", "cell", "fixed") and len(symbol.params) == 1
            and isinstance(symbol.params[0].type, m.MemberOf) and symbol.params[0].type.kind is kind)


def adjective(element: Element, id: str, node: t.Node, scope: Scope) -> m.Expr | None:
    """`H` for `type = H`: a member of an enumeration is a test of the attribute that bears the enumeration's name."""
    world = scope.world
    own = world.member(element.kind, id)
    if own is not None:
        return m.Compare("=", element.expr, m.Const(own, type=m.MemberOf(element.kind)), type=BOOL, span=node.span)
    for kind in world.kinds_with(id):
        attr = kind.name[0].lower() + kind.name[1:]
        names = set(attributes(element.kind))
        attr = attr if attr in names else attr.lower()
        if attr not in names:
            continue
        value = attribute(element.expr, attr, node, scope)
        if isinstance(value.type, m.MemberOf) and value.type.kind is kind:
            ordinal = m.Const(world.member(kind, id) or 0, type=m.MemberOf(kind), span=node.span)
            return m.Compare("=", value, ordinal, type=BOOL, span=node.span)
    return None


def word(node: t.Word, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.word in ("true", "false"):
        return m.Const(int(node.word == "true"), type=BOOL, span=node.span)
    if node.word == "none":
        if isinstance(want, m.MemberOf):
            return m.Const(-1, type=m.MemberOf(want.kind, True), span=node.span)
        if isinstance(want, m.Int):
            return m.Const(m.NO_LIMIT, type=m.Int(FLEX), span=node.span)
        scope.world.error("RK401", node, "'none' has no meaning here", "it stands for a missing member or 'no limit'")
        return bad(node)
    if node.word == "it":
        if scope.element is None:
            scope.world.error("RK301", node, "'it' only has a meaning inside a filter")
            return bad(node)
        return evolve(scope.element.expr)
    moments = scope.world.model.moments
    assert moments is not None
    return m.Here(type=m.MemberOf(moments, True), span=node.span)


def number(node: t.Number, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.unit and node.unit not in scope.world.model.units:
        scope.world.error("RK301", node, f"unknown unit '{node.unit}'", guess(node.unit, scope.world.model.units))
        return bad(node)
    return m.Const(node.value, type=m.Int(node.unit or FLEX, node.value, node.value), span=node.span)


# ------------------------------------------------------------------------------------------------ operators
def unary(node: t.Unary, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.op == "not":
        return m.Not(condition(node.operand, scope), type=BOOL, span=node.span)
    value = typed(node.operand, scope, want)
    if is_bad(value):
        return bad(node)
    if isinstance(value.type, m.Bool):  # the order of keys: `not c` reads better, but -c is understood
        return m.Not(value, type=BOOL, span=node.span)
    if not isinstance(value.type, m.Int):
        scope.world.error("RK401", node, f"expected a number after '-', found {show(value.type)}")
        return bad(node)
    low, high = value.type.low, value.type.high
    kind = m.Int(value.type.unit, None if high is None else -high, None if low is None else -low)
    if isinstance(value, m.Const):
        return m.Const(-value.value, type=kind, span=node.span)
    return m.Arith("-", m.Const(0, type=value.type), value, type=kind, span=node.span)


def binary(node: t.Binary, scope: Scope, want: m.Type | None) -> m.Expr:
    op = node.op
    if op in ("and", "or"):
        left = condition(node.left, scope)
        right = condition(node.right, scope.knowing(facts(node.left, op == "and")))
        items = []
        for part in (left, right):
            items += part.items if isinstance(part, m.And if op == "and" else m.Or) else [part]
        return m.And(items, type=BOOL, span=node.span) if op == "and" else m.Or(items, type=BOOL, span=node.span)
    if op in ("+", "-", "*", "/"):
        return arithmetic(node, scope, want)
    if op == "??":
        return or_else(node, scope, want)
    if op in ("in", "not in"):
        made = member_in(node, scope)
        if op == "not in" and isinstance(made, (m.In, m.Between, m.Or)):
            outside = m.Not(made, type=BOOL, span=node.span)
            item = made.item if isinstance(made, m.In) else None
            if item is not None and isinstance(item.type, m.MemberOf) and item.type.optional:
                return m.And([m.Not(m.IsNone(item, type=BOOL), type=BOOL), outside], type=BOOL, span=node.span)
            return outside
        return made
    if op in ("is", "is not", "has", "only", "all"):
        return test(node, scope)
    return comparison(node, scope)


def comparison(node: t.Binary, scope: Scope) -> m.Expr:
    world, op = scope.world, node.op
    if is_none(node.right) and op in ("=", "!="):
        value = typed(node.left, scope.inner(known=frozenset()))
        if is_bad(value):
            return bad(node)
        if isinstance(value.type, m.Int):
            made: m.Expr = m.Compare("=", value, m.Const(m.NO_LIMIT, type=value.type), type=BOOL, span=node.span)
        elif isinstance(value.type, m.MemberOf):
            made = m.IsNone(value, type=BOOL, span=node.span)
        else:
            world.error("RK401", node, f"{show(value.type)} is never none")
            return bad(node)
        return made if op == "=" else m.Not(made, type=BOOL, span=node.span)
    left = typed(node.left, scope)
    right = typed(node.right, scope, left.type)
    if is_bad(left, right):
        return bad(node)
    a, b = left.type, right.type
    if isinstance(a, m.Int) and isinstance(b, m.Int):
        if not units_agree(a, b):
            world.error("RK402", node, f"compares int {a.unit or ''} with int {b.unit or ''}".replace("  ", " ").rstrip(),
                        "only numbers of one unit can be compared; 'as' changes a unit")
            return bad(node)
    elif isinstance(a, m.MemberOf) and isinstance(b, m.MemberOf) and a.kind is b.kind:
        if op not in ("=", "!=") and not a.kind.ordered:
            world.error("RK401", node, f"'{op}' needs an order, and {a.kind.name} is not 'ordered'")
            return bad(node)
    elif type(a) is not type(b) or op not in ("=", "!=") or (isinstance(a, m.SetOf) and isinstance(b, m.SetOf) and a.kind is not b.kind) \
            or isinstance(a, m.MemberOf):
        world.error("RK401", node, f"compares {show(a)} with {show(b)}")
        return bad(node)
    return m.Compare(op, left, right, type=BOOL, span=node.span)


def arithmetic(node: t.Binary, scope: Scope, want: m.Type | None) -> m.Expr:
    world, op = scope.world, node.op
    left = typed(node.left, scope, want if op in "+-" else None)
    right = typed(node.right, scope, left.type if op in "+-" and not isinstance(left.type, m.MemberOf) else None)
    if is_bad(left, right):
        return bad(node)
    a, b = left.type, right.type
    if isinstance(a, m.SetOf) and isinstance(b, m.SetOf) and a.kind is b.kind and op in "+-":
        return m.SetOp(op, left, right, type=a, span=node.span)
    if isinstance(a, m.MemberOf) and a.kind.ordered and isinstance(b, m.Int) and op in "+-":
        by = right if op == "+" else m.Arith("-", m.Const(0, type=b), right, type=b)
        return m.Shift(left, by, type=m.MemberOf(a.kind), span=node.span)
    if not (isinstance(a, m.Int) and isinstance(b, m.Int)):
        world.error("RK401", node, f"'{op}' needs two numbers (or two sets of one kind), found {show(a)} and {show(b)}")
        return bad(node)
    if op in "+-":
        if not units_agree(a, b):
            verb = "adds" if op == "+" else "subtracts"
            world.error("RK402", node, f"{verb} int {a.unit or ''} and int {b.unit or ''}".replace("  ", " ").rstrip(),
                        "only numbers of one unit can be added; 'as' changes a unit")
            return bad(node)
        unit = b.unit if a.unit == FLEX else a.unit
        low, high = bounds(op, a, b)
        return m.Arith(op, left, right, type=m.Int(unit, low, high), span=node.span)
    if op == "*":
        if a.unit not in (None, FLEX) and b.unit not in (None, FLEX):
            world.error("RK402", node, f"multiplies int {a.unit} by int {b.unit}", "one of the two must be a pure number")
            return bad(node)
        unit = a.unit if a.unit not in (None, FLEX) else b.unit if b.unit not in (None, FLEX) else a.unit if a.unit == b.unit else None
        low, high = bounds(op, a, b)
        return m.Arith("*", left, right, type=m.Int(unit, low, high), span=node.span)
    unit = a.unit if a.unit != b.unit else None if a.unit != FLEX else FLEX
    return m.Arith(node.rounding or "down", left, right, type=m.Int(unit), span=node.span)


def bounds(op: str, a: m.Int, b: m.Int) -> tuple[int | None, int | None]:
    """Interval arithmetic; None where an end is not known."""
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return None, None
    ends = {"+": (a.low + b.low, a.high + b.high), "-": (a.low - b.high, a.high - b.low)}.get(op)
    if ends is None:
        products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        ends = min(products), max(products)
    return ends if -LARGEST < ends[0] and ends[1] < LARGEST else (None, None)


def or_else(node: t.Binary, scope: Scope, want: m.Type | None) -> m.Expr:
    left = typed(node.left, scope.inner(element=scope.element, known=frozenset()), want) if not isinstance(node.left, t.Attr) else \
        hole_allowed(node.left, scope, want)
    right = typed(node.right, scope, left.type)
    if is_bad(left, right):
        return bad(node)
    if isinstance(left.type, m.MemberOf) and isinstance(right.type, m.MemberOf):
        return m.OrElse(left, right, type=m.MemberOf(left.type.kind, right.type.optional), span=node.span)
    if isinstance(left, (m.ReadFixed, m.ReadCell, m.CallDefine, m.CallTotal)) and isinstance(left.type, m.Int) and fits(right,
                                                                                                                        left.type,
                                                                                                                        node,
                                                                                                                        scope):
        base = (left.keys if isinstance(left, (m.ReadFixed, m.ReadCell)) else left.args)[0]
        hole: m.Expr = m.IsNone(base, type=BOOL)
        if not isinstance(base.type, m.MemberOf) or not base.type.optional:
            hole = m.Compare("=", left, m.Const(m.NO_LIMIT, type=left.type), type=BOOL)
        return m.If(hole, right, left, type=left.type, span=node.span)
    scope.world.error("RK401", node, f"'??' fills what may be none; {show(left.type)} never is")
    return bad(node)


def hole_allowed(node: t.Attr, scope: Scope, want: m.Type | None) -> m.Expr:
    """An attribute that may be read through none because `??` fills it."""
    base = typed(node.base, scope)
    return bad(node) if is_bad(base) else attribute(base, node.name, node, scope, holes=True)


def member_in(node: t.Binary, scope: Scope) -> m.Expr:
    item = typed(node.left, scope)
    if is_bad(item):
        return bad(node)
    if isinstance(item.type, m.Int):
        if isinstance(node.right, t.Range):
            low, high = fitting(node.right.low, scope, item.type), fitting(node.right.high, scope, item.type)
            return m.Between(item, low, high, type=BOOL, span=node.span)
        if isinstance(node.right, t.SetLiteral):
            tests: list[m.Expr] = [m.Compare("=", item, fitting(x, scope, item.type), type=BOOL) for x in node.right.items]
            return m.Or(tests, type=BOOL, span=node.span)
    if not isinstance(item.type, m.MemberOf):
        scope.world.error("RK401", node.left, f"expected a member before 'in', found {show(item.type)}")
        return bad(node)
    moments = scope.world.model.moments
    if item.type.kind is moments:
        return covers(item, fitting(node.right, scope, m.MemberOf(moments, True)), node, scope)
    source = fitting(node.right, scope, m.SetOf(item.type.kind))
    return m.In(item, source, type=BOOL, span=node.span)


def covers(item: m.Expr, group: m.Expr, node: t.Node, scope: Scope) -> m.Expr:
    """Is the moment `item` one of the moments that `group` stands for?"""
    world = scope.world
    fixed = world.synthetic["covers"]
    return m.In(item, m.ReadFixed(fixed, [group], type=fixed.type), type=BOOL, span=node.span)


def test(node: t.Binary, scope: Scope) -> m.Expr:
    """x is c, S has c, S only c, S all c."""
    subject = typed(node.left, scope)
    if is_bad(subject):
        return bad(node)
    if node.op in ("is", "is not"):
        if not isinstance(subject.type, m.MemberOf):
            scope.world.error("RK401", node.left, f"expected a member before 'is', found {show(subject.type)}")
            return bad(node)
        moments = scope.world.model.moments
        if subject.type.kind is moments:
            made = covers(subject, fitting(node.right, scope, m.MemberOf(moments)), node, scope)
        else:
            inside = scope.inner(element=Element(subject.type.kind, subject))
            if isinstance(subject.type, m.MemberOf) and subject.type.optional:
                inside = inside.knowing(frozenset({t.Word("it")}))
                inside.element = Element(subject.type.kind, evolve(subject, type=m.MemberOf(subject.type.kind)))
            made = condition(node.right, inside)
            if subject.type.optional:
                made = m.And([m.Not(m.IsNone(subject, type=BOOL), type=BOOL), made], type=BOOL, span=node.span)
        return m.Not(made, type=BOOL, span=node.span) if node.op == "is not" else made
    if not isinstance(subject.type, m.SetOf):
        scope.world.error("RK401", node.left, f"expected a set before '{node.op}', found {show(subject.type)}")
        return bad(node)
    var = m.Var("it", m.MemberOf(subject.type.kind))
    inside = scope.inner(element=Element(subject.type.kind, m.Read(var, type=var.type)))
    cond = condition(node.right, inside)
    if node.op == "has":
        return m.Count("some", m.Filter(subject, var, cond, type=subject.type), type=BOOL, span=node.span)
    none = m.Count("no", m.Filter(subject, var, m.Not(cond, type=BOOL), type=subject.type), type=BOOL, span=node.span)
    if node.op == "all":
        return none
    return m.And([m.Count("some", subject, type=BOOL), none], type=BOOL, span=node.span)


def if_else(node: t.IfElse, scope: Scope, want: m.Type | None) -> m.Expr:
    cond = condition(node.cond, scope)
    late = want is None and isinstance(node.then, (t.Name, t.Word))  # a bare member: the other branch says of which kind
    if late:
        other = typed(node.other, scope.knowing(facts(node.cond, False)))
        then = typed(node.then, scope.knowing(facts(node.cond, True)), other.type)
    else:
        then = typed(node.then, scope.knowing(facts(node.cond, True)), want)
        other = typed(node.other, scope.knowing(facts(node.cond, False)), want if want is not None else then.type)
    if is_bad(cond, then, other):
        return bad(node)
    a, b = then.type, other.type
    if isinstance(a, m.Int) and isinstance(b, m.Int) and units_agree(a, b):
        made: m.Type = a if b.unit == FLEX else b
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        made = m.Int(made.unit if isinstance(made, m.Int) else None, low, high)
    elif isinstance(a, m.MemberOf) and isinstance(b, m.MemberOf) and a.kind is b.kind:
        made = m.MemberOf(a.kind, a.optional or b.optional)
    elif type(a) is type(b) and not isinstance(a, (m.Int, m.MemberOf)) and (not isinstance(a, m.SetOf) or a == b):
        made = a
    else:
        scope.world.error("RK401", node, f"the two branches differ: {show(a)} and {show(b)}")
        return bad(node)
    return m.If(cond, then, other, type=made, span=node.span)


# ------------------------------------------------------------------------------------------------ sets
def as_set(node: t.Expr, scope: Scope, want: m.Type | None = None) -> m.Expr:
    made = typed(node, scope, want)
    if is_bad(made) or isinstance(made.type, m.SetOf):
        return made
    scope.world.error("RK401", node, f"expected a set, found {show(made.type)}")
    return bad(node)


def element_scope(source: m.Expr, var_name: str | None, scope: Scope) -> tuple[m.Var, Scope]:
    assert isinstance(source.type, m.SetOf)
    var = m.Var(var_name or "it", m.MemberOf(source.type.kind))
    inside = scope.inner(element=Element(source.type.kind, m.Read(var, type=var.type)),
                         known=frozenset(k for k in scope.known if not mentions_element(k, scope)))
    if var_name:
        inside.locals[var_name] = var
    return var, inside


def mentions_element(node: t.Expr, scope: Scope) -> bool:
    """Facts about the outer element say nothing of the inner one."""
    while isinstance(node, t.Attr):
        node = node.base
    if isinstance(node, t.Word):
        return node.word == "it"
    if not isinstance(node, t.Name) or scope.element is None or node.id in scope.locals:
        return False
    return node.id in set(attributes(scope.element.kind))


def where(node: t.Where, scope: Scope, want: m.Type | None) -> m.Expr:
    source = as_set(node.source, scope, want)
    if is_bad(source):
        return bad(node)
    var, inside = element_scope(source, node.var, scope)
    return m.Filter(source, var, condition(node.cond, inside), type=source.type, span=node.span)


def quant(node: t.Quant, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.word == "the":
        value = typed(node.operand, scope, want)
        if is_bad(value):
            return bad(node)
        if isinstance(value.type, (m.SetOf, m.MemberOf)):
            return m.The(value, type=m.MemberOf(value.type.kind), span=node.span)
        scope.world.error("RK401", node, f"'the' needs a set or something that may be none, found {show(value.type)}")
        return bad(node)
    source = as_set(node.operand, scope)
    if is_bad(source):
        return bad(node)
    assert isinstance(source.type, m.SetOf)
    if node.word == "count":
        return m.Count("count", source, type=m.Int(None, 0, source.type.kind.size), span=node.span)
    return m.Count(node.word, source, type=BOOL, span=node.span)


def aggregate(node: t.Aggregate, scope: Scope, want: m.Type | None) -> m.Expr:
    source = as_set(node.source, scope)
    if is_bad(source):
        return bad(node)
    var, inside = element_scope(source, None, scope)
    value = typed(node.value, inside)
    if is_bad(value):
        return bad(node)
    if node.word == "values":
        if not isinstance(value.type, (m.MemberOf, m.SetOf)):
            scope.world.error("RK401", node.value, f"'values' collects members or sets, found {show(value.type)}")
            return bad(node)
        return m.Collect(source, var, value, type=m.SetOf(value.type.kind), span=node.span)
    if not isinstance(value.type, m.Int):
        scope.world.error("RK401", node.value, f"'{node.word}' needs a number of each element, found {show(value.type)}")
        return bad(node)
    made = m.Int(value.type.unit) if node.word == "sum" else m.Int(value.type.unit, value.type.low, value.type.high)
    bounded = value.type.low is not None and value.type.low >= 0 and value.type.high is not None
    if node.word == "sum" and bounded and value.type.high is not None and isinstance(source.type, m.SetOf):
        made = m.Int(value.type.unit, 0, value.type.high * source.type.kind.size)
    return m.Aggregate(node.word, source, var, value, type=made, span=node.span)


def min_max(node: t.MinMax, scope: Scope, want: m.Type | None) -> m.Expr:
    first = typed(node.args[0], scope, want)
    rest = [fitting(a, scope, first.type) for a in node.args[1:]]
    if is_bad(first, *rest):
        return bad(node)
    unit = next((e.type.unit for e in [first, *rest] if isinstance(e.type, m.Int) and e.type.unit != FLEX), FLEX)
    made = m.Int(unit) if isinstance(first.type, m.Int) else first.type
    return m.Least(node.word, [first, *rest], type=made, span=node.span)


def first(node: t.First, scope: Scope, want: m.Type | None) -> m.Expr:
    source = as_set(node.source, scope)
    if is_bad(source):
        return bad(node)
    var, inside = element_scope(source, None, scope)
    keys = [typed(k, inside) for k in node.keys]
    assert isinstance(source.type, m.SetOf)
    sure = isinstance(source, m.Const) and source.value != 0
    return m.FirstBy(source, var, keys, type=m.MemberOf(source.type.kind, not sure), span=node.span)


def set_literal(node: t.SetLiteral, scope: Scope, want: m.Type | None) -> m.Expr:
    inner = m.MemberOf(want.kind, True) if isinstance(want, m.SetOf) else None
    items: list[m.Expr] = []
    for part in node.items:
        made = typed(part, scope, inner)
        if inner is None and isinstance(made.type, (m.MemberOf, m.SetOf)):
            inner = m.MemberOf(made.type.kind, True)
        items.append(made)
    if is_bad(*items) or (inner is None and not items):
        if not items:
            scope.world.error("RK401", node, "an empty set says nothing of its kind here")
        return bad(node)
    for made, part in zip(items, node.items, strict=True):
        if not isinstance(made.type, (m.MemberOf, m.SetOf)) or inner is None or made.type.kind is not inner.kind:
            scope.world.error("RK401", part, f"a set of {inner.kind.name if inner else 'members'} cannot hold {show(made.type)}")
            return bad(node)
    assert inner is not None
    return m.MakeSet(items, type=m.SetOf(inner.kind), span=node.span)


def reach(node: t.Reach, scope: Scope, want: m.Type | None) -> m.Expr:
    from rulekit.check.calls import arguments

    symbol = scope.world.symbols.get(node.movement)
    if symbol is None or symbol.what != "movement":
        scope.world.error("RK301", node, f"'{node.movement}' is not a movement",
                          guess(node.movement, [s.name for s in scope.world.symbols.values() if s.what == "movement"]))
        return bad(node)
    args = arguments(symbol, node.args, node, scope)
    movement: m.Movement = symbol.obj
    start = fitting(node.start, scope, movement.start.type)
    assert isinstance(movement.start.type, m.MemberOf)
    return m.ReachOf(movement, args, start, type=m.SetOf(movement.start.type.kind), span=node.span)


# ------------------------------------------------------------------------------------------------ the rest
def attr(node: t.Attr, scope: Scope, want: m.Type | None) -> m.Expr:
    world = scope.world
    if isinstance(node.base, t.Name):
        id = node.base.id
        if id not in scope.locals and scope.context_var(id) is None and id in world.kinds and id not in world.symbols:
            kind = world.kinds[id]
            ordinal = world.member(kind, node.name)
            if ordinal is not None:
                return m.Const(ordinal, type=m.MemberOf(kind), span=node.span)
            if node.name not in set(attributes(kind)):
                world.error("RK301", node, f"{kind.name} has no member '{node.name}'", guess(node.name, kind.members))
                return bad(node)
        frame = world.frames.get(id)
        if frame is not None and id not in scope.locals and scope.context_var(id) is None:
            var = world.visible.get(frame, {}).get(node.name)
            if var is not None:
                return m.Read(var, type=var.type, span=node.span)
            if id not in world.symbols or world.symbols[id].what not in ("define", "total", "cell", "fixed"):
                world.error("RK301", node, f"'{id}' has no parameter or field '{node.name}'",
                            guess(node.name, world.visible.get(frame, {})))
                return bad(node)
    base = typed(node.base, scope)
    if is_bad(base):
        return bad(node)
    return attribute(base, node.name, node, scope)


def applies(node: t.Applies, scope: Scope, want: m.Type | None) -> m.Expr:
    from rulekit.check.totals import applies_to

    return applies_to(node, scope)


def cast(node: t.Cast, scope: Scope, want: m.Type | None) -> m.Expr:
    value = typed(node.operand, scope)
    if is_bad(value):
        return bad(node)
    unit = None if node.unit == "int" else node.unit
    if unit is not None and unit not in scope.world.model.units:
        scope.world.error("RK301", node, f"unknown unit '{unit}'", guess(unit, scope.world.model.units))
        return bad(node)
    if not isinstance(value.type, m.Int):
        scope.world.error("RK401", node, f"'as' changes the unit of a number, found {show(value.type)}")
        return bad(node)
    return evolve(value, type=m.Int(unit, value.type.low, value.type.high))


def calling(node: t.Call, scope: Scope, want: m.Type | None) -> m.Expr:
    return call(node, scope)


def misplaced(what: str) -> Callable[[t.Expr, Scope, m.Type | None], m.Expr]:
    def report(node: t.Expr, scope: Scope, want: m.Type | None) -> m.Expr:
        scope.world.error("RK401", node, f"{what} cannot stand here")
        return bad(node)
    return report


HANDLERS: dict[type[t.Expr], Callable[..., m.Expr]] = {
    t.Name: name, t.Word: word, t.Number: number, t.Unary: unary, t.Binary: binary, t.IfElse: if_else, t.Where: where, t.Quant: quant,
    t.Aggregate: aggregate, t.MinMax: min_max, t.First: first, t.SetLiteral: set_literal, t.Reach: reach, t.Attr: attr, t.Call: calling,
    t.Applies: applies, t.Cast: cast, t.Range: misplaced("a range"), t.Ratio: misplaced("a ratio"), t.ListLiteral: misplaced("a list"),
}
