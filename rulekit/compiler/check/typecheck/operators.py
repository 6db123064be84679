"""Types operators: arithmetic, comparisons, tests, `and`, `if ... else`."""

from __future__ import annotations

from typing import cast

from rulekit.common.diagnostics.span import Span
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.limits import NUMBER as LARGEST
from rulekit.compiler.check.resolve.scope import (
    BOOL,
    FLEX,
    AttributeSubject,
    Bad,
    Scope,
    is_none,
    show,
)
from rulekit.compiler.check.typecheck import optional_values
from rulekit.compiler.check.typecheck.calls import attribute
from rulekit.compiler.check.typecheck.dispatch import (
    bad,
    condition,
    fits,
    fitting,
    is_bad,
    typed,
    typing_of,
    units_agree,
)
from rulekit.compiler.check.typecheck.narrowing import facts
from rulekit.compiler.check.typecheck.type_advice import (
    calculated,
    compared,
    in_unit,
    instead,
    instead_of_set,
    ordered,
    quoted,
    written,
)
from rulekit.compiler.model.visitor import fields, nodes
from rulekit.compiler.syntax import ast as t


@typing_of(t.Unary)
def unary(node: t.Unary, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.op == "not":
        return m.Not(condition(node.operand, scope), span=node.span)
    value = typed(node.operand, scope, want)
    if is_bad(value):
        return bad(node)
    if isinstance(
        value.type, m.Bool
    ):  # the order of keys: `not c` reads better, but -c is understood
        return m.Not(value, span=node.span)
    if not isinstance(value.type, m.Int):
        scope.world.error(
            "RK401",
            node,
            f"expected a number after '-', found {show(value.type)}",
            instead(value.type, m.Int(FLEX), node.operand, scope),
        )
        return bad(node)
    low, high = value.type.low, value.type.high
    kind = m.Int(value.type.unit, None if high is None else -high, None if low is None else -low)
    if isinstance(value, m.Const):
        return m.Const(-value.value, type=kind, span=node.span)
    return m.Arith("-", m.Const(0, type=value.type), value, type=kind, span=node.span)


@typing_of(t.Binary)
def binary(node: t.Binary, scope: Scope, want: m.Type | None) -> m.Expr:
    op = node.op
    if op in ("and", "or"):
        left = condition(node.left, scope)
        tested = _tested(left, node.left)
        right = condition(
            node.right,
            evolve(
                scope.with_facts(facts(node.left, op == "and", scope)),
                locals=scope.locals,
                tested=tested,
            ),
        )
        items = []
        for part in (left, right):
            items += part.items if isinstance(part, m.And if op == "and" else m.Or) else [part]
        return m.And(items, span=node.span) if op == "and" else m.Or(items, span=node.span)
    if op in ("+", "-", "*", "/"):
        return arithmetic(node, scope, want)
    if op == "??":
        return or_else(node, scope, want)
    if op in ("in", "not in"):
        made = member_in(node, scope)
        if op == "not in" and isinstance(made, (m.In, m.Between, m.Or)):
            outside = m.Not(made, span=node.span)
            item = made.item if isinstance(made, m.In) else None
            if item is not None and isinstance(item.type, m.MemberOf) and item.type.optional:
                optional_values.outside(node, scope)
                return m.And([m.Not(m.IsNone(item)), outside], span=node.span)
            return outside
        return made
    if op in ("is", "is not", "has", "only", "all"):
        return test(node, scope)
    return comparison(node, scope)


def _tested(made: m.Expr, node: t.ExprSyntax) -> m.Kind | None:
    """Return the kind of the elements that `has`, `only` or `all` test at the end of the left side
    of an `and` or `or`.
    """
    while isinstance(made, (m.And, m.Or)):
        made = made.items[-1]
    while isinstance(node, t.Binary) and node.op in ("and", "or"):
        node = node.right
    tests = isinstance(node, t.Binary) and node.op in ("has", "only", "all")
    type = (
        made.source.var.type
        if tests and isinstance(made, m.Count) and isinstance(made.source, m.Filter)
        else None
    )
    return type.kind if isinstance(type, m.MemberOf) else None


def comparison(node: t.Binary, scope: Scope) -> m.Expr:
    world, op = scope.world, node.op
    if is_none(node.right) and op in ("=", "!="):
        value = typed(node.left, scope.forgetting(node.left))
        if is_bad(value):
            return bad(node)
        if isinstance(value.type, m.Int):
            made: m.Expr = m.Compare(
                "=", value, m.Const(m.NO_LIMIT, type=value.type), span=node.span
            )
        elif isinstance(value.type, m.MemberOf):
            made = m.IsNone(value, span=node.span)
        else:
            world.error(
                "RK401", node, f"{show(value.type)} is never none", _without_none(value.type, op)
            )
            return bad(node)
        return made if op == "=" else m.Not(made, span=node.span)
    left = typed(node.left, scope)
    right = typed(node.right, scope, left.type)
    if is_bad(left, right):
        return bad(node)
    a, b = left.type, right.type
    if isinstance(a, m.Int) and isinstance(b, m.Int):
        if not units_agree(a, b):
            world.error(
                "RK402", node, f"compares {show(a)} with {show(b)}", in_unit(a, b, node, scope)
            )
            return bad(node)
    elif isinstance(a, m.MemberOf) and isinstance(b, m.MemberOf) and a.kind is b.kind:
        if op not in ("=", "!=") and not a.kind.ordered:
            world.error(
                "RK401",
                node,
                f"'{op}' needs an order, and {a.kind.name} is not 'ordered'",
                ordered(a, node, scope),
            )
            return bad(node)
    elif (
        type(a) is not type(b)
        or op not in ("=", "!=")
        or (isinstance(a, m.SetOf) and isinstance(b, m.SetOf) and a.kind is not b.kind)
        or isinstance(a, (m.MemberOf, m.Record))
    ):
        world.error(
            "RK401", node, f"compares {show(a)} with {show(b)}", compared(a, b, node, scope)
        )
        return bad(node)
    if (
        not isinstance(left, m.Const)
        and same(left, right)
        and not any(isinstance(getattr(x, "type", None), Bad) for x in nodes(left))
    ):
        world.error(
            "RK409",
            node,
            "compares a value with itself",
            "inside 'where', a bare name is the element's attribute; give the outer one another"
            " name, or pass it as a parameter",
        )
        return bad(node)
    optional_values.compared(node, left, right, scope)
    return m.Compare(cast("m.CompareOp", op), left, right, span=node.span)


def same(left: object, right: object) -> bool:
    """Return True if two expressions have the same structure, ignoring their places in the file."""
    if isinstance(left, m.Expr):
        return type(left) is type(right) and all(
            same(getattr(left, name), getattr(right, name))
            for name in fields(left)
            if name != "span"
        )
    if isinstance(left, (list, tuple)):
        return (
            isinstance(right, (list, tuple))
            and len(left) == len(right)
            and all(same(x, y) for x, y in zip(left, right, strict=True))
        )
    return left is right or (isinstance(left, int | str | m.Type) and left == right)


def arithmetic(node: t.Binary, scope: Scope, want: m.Type | None) -> m.Expr:
    world, op = scope.world, node.op
    left = typed(node.left, scope, want if op in "+-" else None)
    right = typed(
        node.right,
        scope,
        left.type if op in "+-" and not isinstance(left.type, m.MemberOf) else None,
    )
    if is_bad(left, right):
        return bad(node)
    a, b = left.type, right.type
    if (
        isinstance(a, m.SetOf)
        and isinstance(b, m.SetOf)
        and a.kind is b.kind
        and (op == "+" or op == "-")
    ):
        return m.SetOp(op, left, right, type=a, span=node.span)
    if isinstance(a, m.MemberOf) and a.kind.ordered and isinstance(b, m.Int) and op in "+-":
        by = (
            right if op == "+" else m.Arith("-", m.Const(0, type=b), right, type=b, span=right.span)
        )
        return m.Shift(left, by, type=m.MemberOf(a.kind), span=node.span)
    if not (isinstance(a, m.Int) and isinstance(b, m.Int)):
        world.error(
            "RK401",
            node,
            f"'{op}' needs two numbers (or two sets of one kind), found {show(a)} and {show(b)}",
            calculated(a, b, node, scope),
        )
        return bad(node)
    if op == "+" or op == "-":
        if not units_agree(a, b):
            verb = "adds" if op == "+" else "subtracts"
            world.error(
                "RK402", node, f"{verb} {show(a)} and {show(b)}", in_unit(a, b, node, scope)
            )
            return bad(node)
        unit = b.unit if a.unit == FLEX else a.unit
        low, high = bounds(op, a, b)
        return m.Arith(op, left, right, type=m.Int(unit, low, high), span=node.span)
    if op == "*":
        if a.unit not in (None, FLEX) and b.unit not in (None, FLEX):
            world.error(
                "RK402",
                node,
                f"multiplies {show(a)} by {show(b)}",
                f"one of the two numbers must have no unit: '{quoted(node.right, scope, 'x')} as"
                " int'",
            )
            return bad(node)
        pure = a.unit if a.unit == b.unit else None
        unit = next((unit for unit in (a.unit, b.unit) if unit not in (None, FLEX)), pure)
        low, high = bounds(op, a, b)
        return m.Arith("*", left, right, type=m.Int(unit, low, high), span=node.span)
    unit = a.unit if a.unit != b.unit else None if a.unit != FLEX else FLEX
    return m.Arith(node.rounding or "down", left, right, type=m.Int(unit), span=node.span)


def bounds(op: str, left: m.Int, right: m.Int) -> tuple[int | None, int | None]:
    """Return the range of a result by interval arithmetic. An end is None if it is not known."""
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return None, None
    ends = {
        "+": (left.low + right.low, left.high + right.high),
        "-": (left.low - right.high, left.high - right.low),
    }.get(op)
    if ends is None:
        products = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
        ends = min(products), max(products)
    return ends if ends[0] > -LARGEST and ends[1] < LARGEST else (None, None)


def or_else(node: t.Binary, scope: Scope, want: m.Type | None) -> m.Expr:
    left = (
        typed(node.left, scope.forgetting(node.left), want)
        if not isinstance(node.left, t.Attr)
        else read_with_fallback(node.left, scope, want)
    )
    right = typed(node.right, scope, left.type)
    if is_bad(left, right):
        return bad(node)
    if isinstance(left.type, m.MemberOf) and isinstance(right.type, m.MemberOf):
        return m.OrElse(
            left, right, type=m.MemberOf(left.type.kind, right.type.optional), span=node.span
        )
    if isinstance(
        left, (m.ReadFixed, m.ReadCell, m.CallDefine, m.CallTotal, m.Ways)
    ) and isinstance(left.type, m.Int):
        if not fits(right, left.type, node, scope):
            return bad(node)
        if isinstance(left, m.Ways):
            return m.OrElse(left, right, type=either(left.type, right.type), span=node.span)
        at = _sign(node)
        none_test: m.Expr = m.Compare("=", left, m.Const(m.NO_LIMIT, type=left.type), span=at)
        for base in (left.keys if isinstance(left, (m.ReadFixed, m.ReadCell)) else left.args)[:1]:
            if isinstance(base.type, m.MemberOf) and base.type.optional:
                none_test = m.IsNone(base, span=at)
        return m.If(
            none_test, right, left, type=either(left.type, right.type), span=node.span, fills=True
        )
    scope.world.error(
        "RK401",
        node,
        f"'??' replaces a missing value, but {show(left.type)} is never none",
        "remove '??' and the value after it",
    )
    return bad(node)


def _sign(node: t.Binary) -> Span:
    """Return the span of the `??` and the operand after it, or only of that operand if it is on
    another line.
    """
    left, right = node.left.span, node.right.span
    if left.end_line != right.line:
        return right
    return Span(
        right.file,
        right.line,
        left.end_column + (right.column - left.end_column - 2) // 2,
        right.end_line,
        right.end_column,
    )


def either(left: m.Type, right: m.Type) -> m.Type:
    """Return the type of a number that is one or the other, with the wider range."""
    if (
        not isinstance(left, m.Int)
        or not isinstance(right, m.Int)
        or None in (left.low, left.high, right.low, right.high)
    ):
        return m.Int(left.unit) if isinstance(left, m.Int) else left
    return m.Int(
        left.unit, min(left.low or 0, right.low or 0), max(left.high or 0, right.high or 0)
    )


def read_with_fallback(node: t.Attr, scope: Scope, want: m.Type | None) -> m.Expr:
    """Type an attribute that may be read through none, because `??` supplies a value."""
    base = typed(node.base, scope)
    return (
        bad(node) if is_bad(base) else attribute(base, node.name, node, scope, missing_allowed=True)
    )


def member_in(node: t.Binary, scope: Scope) -> m.Expr:
    item = typed(node.left, scope)
    if is_bad(item):
        return bad(node)
    if isinstance(item.type, m.Int):
        if isinstance(node.right, t.Range):
            low, high = (
                fitting(node.right.low, scope, item.type),
                fitting(node.right.high, scope, item.type),
            )
            return m.Between(item, low, high, span=node.span)
        if isinstance(node.right, t.SetLiteral):
            tests: list[m.Expr] = [
                m.Compare("=", item, fitting(x, scope, item.type), span=x.span)
                for x in node.right.items
            ]
            return m.Or(tests, span=node.span)
    if not isinstance(item.type, m.MemberOf):
        scope.world.error(
            "RK401",
            node.left,
            f"expected a member before 'in', found {show(item.type)}",
            _before_in(item.type, node),
        )
        return bad(node)
    moments = scope.world.model.moments
    if item.type.kind is moments:
        return covers(item, fitting(node.right, scope, m.MemberOf(moments, True)), node, scope)
    source = fitting(node.right, scope, m.SetOf(item.type.kind))
    return m.In(item, source, span=node.span)


def covers(item: m.Expr, group: m.Expr, node: t.NodeSyntax, scope: Scope) -> m.Expr:
    """Return the test that the moment `item` is one of the moments of `group`."""
    world = scope.world
    fixed = world.synthetic["covers"]
    return m.In(item, m.ReadFixed(fixed, [group], type=fixed.type), span=node.span)


def test(node: t.Binary, scope: Scope) -> m.Expr:
    """Type `x is c`, `S has c`, `S only c` and `S all c`."""
    subject = typed(node.left, scope)
    if is_bad(subject):
        return bad(node)
    if node.op in ("is", "is not"):
        if not isinstance(subject.type, m.MemberOf):
            scope.world.error(
                "RK401",
                node.left,
                f"expected a member before 'is', found {show(subject.type)}",
                _before_is(subject.type),
            )
            return bad(node)
        moments = scope.world.model.moments
        if subject.type.kind is moments:
            made = covers(subject, fitting(node.right, scope, m.MemberOf(moments)), node, scope)
        else:
            inside = scope.inner(element=AttributeSubject(subject.type.kind, subject))
            if isinstance(subject.type, m.MemberOf) and subject.type.optional:
                inside = inside.with_facts(frozenset({t.WordSyntax("it")}))
                inside.element = AttributeSubject(
                    subject.type.kind, evolve(subject, type=m.MemberOf(subject.type.kind))
                )
            made = typed(node.right, inside, BOOL)
            if isinstance(made.type, m.MemberOf):
                return value_after_is(node, subject, made.type, scope)
            if not fits(made, BOOL, node.right, inside):
                return bad(node)
            if subject.type.optional:
                made = m.And([m.Not(m.IsNone(subject)), made], span=node.span)
        return m.Not(made, span=node.span) if node.op == "is not" else made
    if not isinstance(subject.type, m.SetOf):
        scope.world.error(
            "RK401",
            node.left,
            f"expected a set before '{node.op}', found {show(subject.type)}",
            _before_has(subject.type, node, scope),
        )
        return bad(node)
    var = m.Var("it", m.MemberOf(subject.type.kind))
    inside = scope.inner(element=AttributeSubject(subject.type.kind, m.Read(var)))
    cond = condition(node.right, inside)
    if node.op == "has":
        return m.Count(
            "some", m.Filter(subject, var, cond, type=subject.type), type=BOOL, span=node.span
        )
    none = m.Count(
        "no", m.Filter(subject, var, m.Not(cond), type=subject.type), type=BOOL, span=node.span
    )
    if node.op == "all":
        return none
    return m.And([m.Count("some", subject, type=BOOL), none], span=node.span)


def _without_none(type: m.Type, op: str) -> str:
    """Return a help text for `x = none` if x is never none."""
    if isinstance(type, m.SetOf):
        return (
            f"for a set write '{'no' if op == '=' else 'some'}(S)': it may be empty, but is never"
            " none"
        )
    return (
        "remove the test, or test something that may be none: a member of a type with '?', such as"
        " 'Side?'"
    )


def _before_in(type: m.Type, node: t.Binary) -> str:
    if isinstance(type, m.SetOf):
        left, right = written(node.left), written(node.right)
        return (
            "write 'no(A - B)' to test whether the set B contains all of the set A"
            if "this" in left + right
            else (f"write 'no({left} - {right})' to test whether it contains all of them")
        )
    if isinstance(type, m.Int):
        return "numbers are tested with a range or with braces: 'n in 1..3', 'n in {1, 3}'"
    return "put the test with 'in' in its own brackets: '(x in S) = ...'"


def _before_is(type: m.Type) -> str:
    if isinstance(type, m.SetOf):
        return (
            "for a set write 'S has ...' if it must be true of one of them, or 'S all ...' if of"
            " all"
        )
    return (
        "compare numbers with '=' or '<'"
        if isinstance(type, m.Int)
        else "a condition needs no comparison: 'x', or 'not x'"
    )


def _before_has(type: m.Type, node: t.Binary, scope: Scope) -> str:
    return (
        f"for one thing write '{written(node.left)} is ...'"
        if isinstance(type, m.MemberOf) and written(node.left) != "this"
        else (instead_of_set(type, node.left, scope))
    )


def value_after_is(node: t.Binary, subject: m.Expr, found: m.MemberOf, scope: Scope) -> m.Expr:
    """Report `x is y` if y is a value, not a word that can be tested."""
    left, right, sign = (
        written(node.left),
        written(node.right),
        "!=" if node.op == "is not" else "=",
    )
    same = isinstance(subject.type, m.MemberOf) and subject.type.kind is found.kind
    scope.world.error(
        "RK312",
        node.right,
        f"'{node.op}' needs a word to test, but '{right}' is a value ({show(found)})",
        (
            f"write '{left} {sign} {right}'"
            if same
            else (
                f"'{left}' is {show(subject.type)}: the two cannot be equal; name an attribute of"
                " one of them"
            )
        ),
    )
    return bad(node)


@typing_of(t.IfElse)
def if_else(node: t.IfElse, scope: Scope, want: m.Type | None) -> m.Expr:
    cond = condition(node.cond, scope)
    # a bare member: the other branch says of which kind
    late = want is None and isinstance(node.then, (t.Name, t.WordSyntax))
    if late:
        other = typed(node.other, scope.with_facts(facts(node.cond, False, scope)))
        then = typed(node.then, scope.with_facts(facts(node.cond, True, scope)), other.type)
    else:
        then = typed(node.then, scope.with_facts(facts(node.cond, True, scope)), want)
        other = typed(
            node.other,
            scope.with_facts(facts(node.cond, False, scope)),
            want if want is not None else then.type,
        )
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
    elif (
        type(a) is type(b)
        and not isinstance(a, (m.Int, m.MemberOf))
        and (not isinstance(a, (m.SetOf, m.Record)) or a == b)
    ):
        made = a
    else:
        numbers = isinstance(a, m.Int) and isinstance(b, m.Int)
        scope.world.error(
            "RK402" if numbers else "RK401",
            node,
            f"the two branches differ: {show(a)} and {show(b)}",
            (
                "both must be numbers of the same unit; 'as' changes a unit"
                if numbers
                else instead(b, a, node.other, scope)
            ),
        )
        return bad(node)
    return m.If(cond, then, other, type=made, span=node.span)
