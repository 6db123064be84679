"""Types names, words, numbers and attributes."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.common.diagnostics.diagnostic import among, guess
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import (
    BOOL,
    FLEX,
    AttributeSubject,
    Bad,
    CheckState,
    Scope,
    attributes,
    how_to_give,
    show,
)
from rulekit.compiler.check.typecheck.calls import attribute, call, read_symbol
from rulekit.compiler.check.typecheck.dispatch import bad, is_bad, typed, typing_of
from rulekit.compiler.check.typecheck.totals import applies_to
from rulekit.compiler.check.typecheck.type_advice import instead, of_another, of_others
from rulekit.compiler.check.typecheck.word_tests import adjective, member
from rulekit.compiler.syntax import ast as t

_MAX_SHOWN_ATTRIBUTES = 8  # attributes that a message names


@typing_of(t.Name)
def name(node: t.Name, scope: Scope, want: m.Type | None) -> m.Expr:
    """Type a name: a local, a member of the expected kind, an attribute of the element, a variable
    of a running procedure, or a global name.
    """
    world, id, element = scope.world, node.id, scope.element
    local = scope.locals.get(id)
    if local is not None:
        if element and isinstance(want, m.Bool) and not isinstance(local.type, m.Bool):
            found = adjective(element, node, scope)
            if found is not None:
                return found
        if (
            element
            and id in set(attributes(element.kind))
            and not (isinstance(element.expr, m.Read) and element.expr.var is local)
        ):
            world.error(
                "RK304",
                node,
                f"'{id}' is a local name here and also an attribute of {element.kind.name}",
                f"rename the local, or write 'it.{id}' for the attribute",
            )
            return bad(node)
        return m.Read(local, span=node.span)
    wanted = member(want.kind, node, scope) if isinstance(want, m.MemberOf) else None
    if wanted is not None:
        return wanted
    if element:
        found = adjective(element, node, scope) if isinstance(want, m.Bool) else None
        if id in set(attributes(element.kind)) or one_argument(id, element.kind, scope):
            return (
                found
                if found is not None and is_bad(found)
                else attribute(element.expr, id, node, scope)
            )
        if found is not None:
            return found
    var = scope.context_var(id)
    if var is not None:
        return m.Read(var, span=node.span)
    return global_name(node, scope, want)


def global_name(node: t.Name, scope: Scope, want: m.Type | None) -> m.Expr:
    """Type a declaration, a kind or a member that only one kind has, or report the error in the
    name.
    """
    world, id, element = scope.world, node.id, scope.element
    symbol = world.symbols.get(id)
    if symbol is not None:
        return read_symbol(symbol, [], node, scope)
    if means_kind(id, world):
        kind = world.kinds[id]
        return m.Const(kind.all, type=m.SetOf(kind), span=node.span)
    homes = world.kinds_with(id)
    if bracketed(node, homes, scope, want):
        return bad(node)
    if len(homes) == 1:
        kind = homes[0]
        if isinstance(want, m.Bool) and element:
            world.error(
                "RK404",
                node,
                f"'{id}' does not apply to a {element.kind.name}",
                f"it is a {kind.name}; " + of_another(id, kind, element.kind, scope),
            )
            return bad(node)
        return m.Const(world.member(kind, id) or 0, type=m.MemberOf(kind), span=node.span)
    if len(homes) > 1:
        choices = " or ".join(f"{k.name}.{id}" for k in homes[:3])
        world.error("RK302", node, f"'{id}' is a member of several kinds", f"write {choices}")
        return bad(node)
    if id == scope.choosing and element:
        world.error(
            "RK301",
            node,
            f"'{id}' has no value yet in the filter of its own set",
            _of_candidates(id, element, scope),
        )
        return bad(node)
    hidden = [proc.name for proc, names in world.visible.items() if id in names]
    if hidden:
        more = ", …" if hidden[2:] else ""
        several = " and ".join(hidden[:2]) + more
        help = scope.how_to_know(id, hidden[0]) if len(hidden) == 1 else "pass it as a parameter"
        world.error("RK305", node, f"'{id}' has a value only in {several}", help)
        return bad(node)
    if other := of_others(id, scope):
        world.error("RK301", node, f"unknown name '{id}'", other)
        return bad(node)
    if (
        isinstance(want, m.Bool)
        and element
        and want is BOOL
        and not guess(id, world.known_names(scope))
    ):
        open = (
            ""
            if element.kind.members
            else f"{element.kind.name} has no members; {how_to_give(element.kind.name)}"
        )
        named = [*attributes(element.kind)]
        more = ", ..." if len(named) > _MAX_SHOWN_ATTRIBUTES else ""
        attributes_text = (
            f"its attributes are {', '.join(named[:_MAX_SHOWN_ATTRIBUTES])}{more}" if named else ""
        )
        world.error(
            "RK404",
            node,
            f"'{id}' does not apply to a {element.kind.name}",
            open or attributes_text,
        )
        return bad(node)
    world.unknown(node, id, scope, want)
    return bad(node)


def _of_candidates(id: str, element: AttributeSubject, scope: Scope) -> str:
    """Return a help text on how to refer to the current element in the filter of a set."""
    type = scope.candidate.type if scope.candidate is not None else None
    if not isinstance(type, m.MemberOf):
        return (
            "give the elements of the filtered set a name of their own, and use it: 'KIND x where"
            " ... x ...'"
        )
    inner = not isinstance(element.expr, m.Read) or element.expr.var is not scope.candidate
    named = f"{type.kind.name} {id} where ..."
    return (
        f"'it' is the {element.kind.name} of the inner set; name the element of the outer one:"
        f" {named}"
        if inner
        else (f"the element of the filter is 'it'; or give it a name: {named}")
    )


def bracketed(node: t.Name, homes: list[m.Kind], scope: Scope, want: m.Type | None) -> bool:
    """Return True, after reporting missing brackets, if the name tests elements of the preceding
    `has`, `only` or `all`.
    """
    kind = scope.tested
    if kind is None or scope.element is not None:
        return False
    words = isinstance(want, m.Bool) and any(
        isinstance(one.type, m.MemberOf) and one.type.kind in homes for one in kind.fixed.values()
    )
    if not words and node.id not in set(attributes(kind)):
        return False
    scope.world.error(
        "RK305",
        node,
        f"'{node.id}' is an attribute of {kind.name}, but the test after 'has', 'only' or 'all'"
        " ends at 'and' or 'or'",
        "put the whole test in brackets: S has (a or b)",
    )
    return True


def means_kind(id: str, world: CheckState) -> bool:
    """Return True if this is the name of a kind. A member of the game's kinds takes precedence over
    a kind of the language.
    """
    kind = world.kinds.get(id)
    return kind is not None and not (
        kind.own and any(not home.own for home in world.kinds_with(id))
    )


def one_argument(id: str, kind: m.Kind, scope: Scope) -> bool:
    """Return True if a define, total, cell or similar declaration of this name has the kind as its
    only parameter.
    """
    symbol = scope.world.symbols.get(id)
    return (
        symbol is not None
        and symbol.what in ("define", "total", "permit", "table", "cell", "fixed")
        and len(symbol.params) == 1
        and isinstance(symbol.params[0].type, m.MemberOf)
        and symbol.params[0].type.kind is kind
    )


@typing_of(t.WordSyntax)
def word(node: t.WordSyntax, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.word in ("true", "false"):
        return m.Const(int(node.word == "true"), type=BOOL, span=node.span)
    if node.word == "none":
        if isinstance(want, m.MemberOf):
            return m.Const(-1, type=m.MemberOf(want.kind, True), span=node.span)
        if isinstance(want, m.Int):
            return m.Const(m.NO_LIMIT, type=m.Int(FLEX), span=node.span)
        if not isinstance(want, Bad):
            scope.world.error(
                "RK401",
                node,
                "'none' has no meaning here",
                "'none' belongs after '=', '!=' and ':=', where a member may be missing ('Side?')"
                " or a number has no limit",
            )
        return bad(node)
    if node.word == "it":
        if scope.element is None:
            scope.world.error(
                "RK301",
                node,
                "'it' only has a meaning inside a filter",
                "'it' is the element of a set: 'KIND where ... it ...'; elsewhere write a name",
            )
            return bad(node)
        return evolve(scope.element.expr)
    moments = scope.world.model.moments
    assert moments is not None
    return m.Here(type=m.MemberOf(moments, True), span=node.span)


@typing_of(t.NumberSyntax)
def number(node: t.NumberSyntax, scope: Scope, want: m.Type | None) -> m.Expr:
    if node.unit and node.unit not in scope.world.model.units:
        scope.world.error(
            "RK301",
            node,
            f"unknown unit '{node.unit}'",
            guess(node.unit, scope.world.model.units) or f"declare it: unit {node.unit}",
        )
        return bad(node)
    return m.Const(
        node.value, type=m.Int(node.unit or FLEX, node.value, node.value), span=node.span
    )


@typing_of(t.Attr)
def attr(node: t.Attr, scope: Scope, want: m.Type | None) -> m.Expr:
    world = scope.world
    if isinstance(node.base, t.Name):
        id = node.base.id
        if (
            id not in scope.locals
            and scope.context_var(id) is None
            and means_kind(id, world)
            and id not in world.symbols
        ):
            kind = world.kinds[id]
            ordinal = world.member(kind, node.name)
            if ordinal is not None:
                return m.Const(ordinal, type=m.MemberOf(kind), span=node.span)
            if node.name not in set(attributes(kind)):
                world.error(
                    "RK301",
                    node,
                    f"{kind.name} has no member '{node.name}'",
                    among(node.name, kind.members),
                )
                return bad(node)
        frame = world.frames.get(id)
        if frame is not None and id not in scope.locals and scope.context_var(id) is None:
            var = world.visible.get(frame, {}).get(node.name)
            if var is not None:
                return m.Read(var, span=node.span)
            if id not in world.symbols or world.symbols[id].what not in (
                "define",
                "total",
                "cell",
                "fixed",
            ):
                world.error(
                    "RK301",
                    node,
                    f"'{id}' has no parameter or field '{node.name}'",
                    among(
                        node.name,
                        world.visible.get(frame, {}),
                        f"declare it in '{id}': field {node.name}: ...",
                    ),
                )
                return bad(node)
    base = typed(node.base, scope)
    if is_bad(base):
        return bad(node)
    return attribute(base, node.name, node, scope)


@typing_of(t.Applies)
def applies(node: t.Applies, scope: Scope, want: m.Type | None) -> m.Expr:
    return applies_to(node, scope)


@typing_of(t.Cast)
def cast(node: t.Cast, scope: Scope, want: m.Type | None) -> m.Expr:
    value = typed(node.operand, scope)
    if is_bad(value):
        return bad(node)
    unit = None if node.unit == "int" else node.unit
    if unit is not None and unit not in scope.world.model.units:
        scope.world.error(
            "RK301",
            node,
            f"unknown unit '{unit}'",
            guess(unit, scope.world.model.units) or f"declare it: unit {unit}",
        )
        return bad(node)
    if not isinstance(value.type, m.Int):
        scope.world.error(
            "RK401",
            node,
            f"'as' changes the unit of a number, found {show(value.type)}",
            instead(value.type, m.Int(FLEX), node.operand, scope),
        )
        return bad(node)
    return evolve(value, type=m.Int(unit, value.type.low, value.type.high))


@typing_of(t.CallSyntax)
def calling(node: t.CallSyntax, scope: Scope, want: m.Type | None) -> m.Expr:
    return call(node, scope)


def misplaced(what: str, help: str) -> Callable[[t.ExprSyntax, Scope, m.Type | None], m.Expr]:
    def report(node: t.ExprSyntax, scope: Scope, want: m.Type | None) -> m.Expr:
        scope.world.error("RK401", node, f"{what} is not allowed here", help)
        return bad(node)

    return report


for _cls, _what, _help in (
    (
        t.Range,
        "a range",
        "a range belongs after 'in' or 'from' ('n in 1..3', 'each n in 1..3'), or is a type",
    ),
    (
        t.RatioSyntax,
        "a ratio",
        "a ratio is an argument of a table, define or total with a parameter of the type 'ratio'",
    ),
    (
        t.ListLiteral,
        "a list",
        "a list belongs after 'each NAME in'; a set is written in braces: {a, b}",
    ),
):
    typing_of(_cls)(misplaced(_what, _help))
