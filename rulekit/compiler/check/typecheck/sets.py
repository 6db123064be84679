"""Types expressions over sets: filters, quantifiers, sums and set literals."""

from __future__ import annotations

from rulekit.common.diagnostics.diagnostic import among
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import (
    BOOL,
    FLEX,
    AttributeSubject,
    Scope,
    attributes,
    bare,
    show,
)
from rulekit.compiler.check.typecheck.calls import arguments
from rulekit.compiler.check.typecheck.dispatch import (
    as_set,
    bad,
    condition,
    fitting,
    is_bad,
    typed,
    typing_of,
)
from rulekit.compiler.check.typecheck.optional_values import aggregated
from rulekit.compiler.check.typecheck.type_advice import instead, quoted, through, written
from rulekit.compiler.check.typecheck.word_tests import meanings
from rulekit.compiler.syntax import ast as t

_COMPARING = ("=", "!=", "<", "<=", ">", ">=")


def element_scope(source: m.Expr, var_name: str | None, scope: Scope) -> tuple[m.Var, Scope]:
    assert isinstance(source.type, m.SetOf)
    var = m.Var(var_name or "it", m.MemberOf(source.type.kind), span=source.span)
    inside = scope.inner(
        element=AttributeSubject(source.type.kind, m.Read(var)),
        known=frozenset(
            k for k in scope.known if not mentions_element(k, scope) and var_name not in bare(k)
        ),
    )
    if var_name:
        scope.hides(var)
        inside.locals[var_name] = var
    return var, inside


def mentions_element(node: t.ExprSyntax, scope: Scope) -> bool:
    """Return True if `node` refers to the element of the enclosing filter, so that facts about it
    do not hold inside a nested one.
    """
    while isinstance(node, t.Attr):
        node = node.base
    if isinstance(node, t.WordSyntax):
        return node.word == "it"
    if not isinstance(node, t.Name) or scope.element is None or node.id in scope.locals:
        return False
    return node.id in set(attributes(scope.element.kind))


@typing_of(t.Where)
def where(node: t.Where, scope: Scope, want: m.Type | None) -> m.Expr:
    source = as_set(node.source, scope, want, bracketed(node))
    if is_bad(source):
        return bad(node)
    var, inside = element_scope(source, node.var, scope)
    if node is scope.chosen:
        inside.candidate = var
    if not any(
        name in set(attributes(var.type.kind))
        for name in bare(node.source)
        if isinstance(var.type, m.MemberOf)
    ):
        inside = inside.with_facts(frozenset({node.source}))  # it has the element
    return m.Filter(source, var, condition(node.cond, inside), type=source.type, span=node.span)


def bracketed(node: t.Where) -> str:
    """Return a help text for `count S where c < 3`, which filters the counted number, or "" for
    other filters.
    """
    if not isinstance(node.source, t.Quant):
        return ""
    word, cond, rest = node.source.word, node.cond, ""
    if isinstance(cond, t.Binary) and (
        cond.op in ("and", "or") or (word == "count" and cond.op in _COMPARING)
    ):
        rest = f" {cond.op} {_shown(cond.right) if word == 'count' else '...'}"
        cond = cond.left
    var = f" {node.var}" if node.var else ""
    mended = f"{word}({_shown(node.source.operand)}{var} where {_shown(cond)}){rest}"
    return f"put the set in brackets to show where it ends: '{mended}'"


def _shown(node: t.ExprSyntax) -> str:
    """Return a short expression as written, or `...` for a longer one."""
    words = written(node)
    return "..." if "this" in words else words


@typing_of(t.Quant)
def quant(node: t.Quant, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.word == "the":
        value = typed(node.operand, scope, want)
        if is_bad(value):
            return bad(node)
        if isinstance(value.type, (m.SetOf, m.MemberOf)):
            return m.The(value, type=m.MemberOf(value.type.kind), span=node.span)
        scope.world.error(
            "RK401",
            node,
            f"'the' needs a set or something that may be none, found {show(value.type)}",
            "remove 'the': the value after it is never none",
        )
        return bad(node)
    source = as_set(node.operand, scope)
    if is_bad(source):
        return bad(node)
    assert isinstance(source.type, m.SetOf)
    if node.word == "count":
        return m.Count("count", source, type=m.Int(None, 0, source.type.kind.size), span=node.span)
    return m.Count(node.word, source, type=BOOL, span=node.span)


@typing_of(t.AggregateSyntax)
def aggregate(node: t.AggregateSyntax, scope: Scope, want: m.Type | None) -> m.Expr:
    source = as_set(node.source, scope)
    if is_bad(source):
        return bad(node)
    var, inside = element_scope(source, None, scope)
    value = typed(node.value, inside)
    if is_bad(value):
        return bad(node)
    if node.word == "values":
        if not isinstance(value.type, (m.MemberOf, m.SetOf)):
            scope.world.error(
                "RK401",
                node.value,
                f"'values' collects members or sets, found {show(value.type)}",
                "write 'sum', 'min' or 'max' for numbers, or 'count(S where ...)' for a condition",
            )
            return bad(node)
        return m.Collect(source, var, value, type=m.SetOf(value.type.kind), span=node.span)
    if not isinstance(value.type, m.Int):
        scope.world.error(
            "RK401",
            node.value,
            f"'{node.word}' needs a number of each element, found {show(value.type)}",
            _number_of(node, value, inside),
        )
        return bad(node)
    aggregated(node, source, scope)
    made = (
        m.Int(value.type.unit)
        if node.word == "sum"
        else m.Int(value.type.unit, value.type.low, value.type.high)
    )
    bounded = value.type.low is not None and value.type.low >= 0 and value.type.high is not None
    if (
        node.word == "sum"
        and bounded
        and value.type.high is not None
        and isinstance(source.type, m.SetOf)
    ):
        made = m.Int(value.type.unit, 0, value.type.high * source.type.kind.size)
    return m.Aggregate(node.word, source, var, value, type=made, span=node.span)


def _number_of(node: t.AggregateSyntax, value: m.Expr, inside: Scope) -> str:
    """Return a help text for a sum over values that are not numbers."""
    if isinstance(value.type, m.Bool):
        return (
            f"write 'count({quoted(node.source, inside, 'S')} where"
            f" {quoted(node.value, inside, '...')})' for their number"
        )
    return through(value.type, m.Int(FLEX), node.value, inside) or instead(
        value.type, m.Int(FLEX), node.value, inside
    )


@typing_of(t.MinMax)
def min_max(node: t.MinMax, scope: Scope, want: m.Type | None) -> m.Expr:
    first = typed(node.args[0], scope, want)
    rest = [fitting(a, scope, first.type) for a in node.args[1:]]
    if is_bad(first, *rest):
        return bad(node)
    unit = next(
        (e.type.unit for e in [first, *rest] if isinstance(e.type, m.Int) and e.type.unit != FLEX),
        FLEX,
    )
    made = m.Int(unit) if isinstance(first.type, m.Int) else first.type
    return m.Least(node.word, [first, *rest], type=made, span=node.span)


@typing_of(t.First)
def first(node: t.First, scope: Scope, want: m.Type | None) -> m.Expr:
    source = as_set(node.source, scope)
    if is_bad(source):
        return bad(node)
    var, inside = element_scope(source, None, scope)
    keys = [sort_key(k, inside) for k in node.keys]
    assert isinstance(source.type, m.SetOf)
    sure = isinstance(source, m.Const) and source.value != 0
    return m.FirstBy(source, var, keys, type=m.MemberOf(source.type.kind, not sure), span=node.span)


def sort_key(node: t.ExprSyntax, scope: Scope) -> m.Expr:
    """Type a key that orders or distinguishes elements. It must not be a word that is the same for
    all of them.
    """
    key = typed(node, scope)
    if (
        isinstance(key, m.Const)
        and isinstance(key.type, m.MemberOf)
        and isinstance(node, (t.Name, t.Attr))
        and scope.element is not None
    ):
        word, kind = written(node), scope.element.kind
        tests = isinstance(node, t.Name) and bool(meanings(scope.element, node.id, scope.world))
        scope.world.error(
            "RK404",
            node,
            f"'{word}' has the same value for every {kind.name}",
            (
                f"write 'it is {word}' to order those first for which it is true"
                if tests
                else f"name an attribute of {kind.name}"
            ),
        )
    return key


@typing_of(t.SetLiteral)
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
            scope.world.error(
                "RK401",
                node,
                "the kind of this empty set is unknown",
                "write its kind where its name is declared, 'define x: set K = {}', or write 'K"
                " where false'",
            )
        return bad(node)
    for made, part in zip(items, node.items, strict=True):
        if (
            not isinstance(made.type, (m.MemberOf, m.SetOf))
            or inner is None
            or made.type.kind is not inner.kind
        ):
            scope.world.error(
                "RK401",
                part,
                f"a set of {inner.kind.name if inner else 'members'} cannot hold {show(made.type)}",
                instead(made.type, inner if inner else made.type, part, scope),
            )
            return bad(node)
    assert inner is not None
    return m.MakeSet(items, type=m.SetOf(inner.kind), span=node.span)


@typing_of(t.ReachSyntax)
def reach(node: t.ReachSyntax, scope: Scope, want: m.Type | None) -> m.Expr:
    symbol = scope.world.symbols.get(node.movement)
    if symbol is None or symbol.what != "movement":
        scope.world.error(
            "RK301",
            node,
            f"'{node.movement}' is not a movement",
            among(
                node.movement,
                [s.name for s in scope.world.symbols.values() if s.what == "movement"],
                f"declare it: movement {node.movement}(...)",
            ),
        )
        return bad(node)
    args = arguments(symbol, node.args, node, scope)
    movement: m.Movement = symbol.obj
    start = fitting(node.start, scope, movement.start.type)
    assert isinstance(movement.start.type, m.MemberOf)
    return m.ReachOf(movement, args, start, type=m.SetOf(movement.start.type.kind), span=node.span)
