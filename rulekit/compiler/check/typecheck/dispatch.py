"""Types expressions: turns a syntax tree and its scope into a typed expression of the model.

Errors go to the sink. Other modules register a handler for each class of expression here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import BAD, BOOL, FLEX, Bad, Scope, show
from rulekit.compiler.check.typecheck.type_advice import instead, instead_of_set, quoted
from rulekit.compiler.syntax import ast as t

HANDLERS: dict[
    type[t.ExprSyntax], Callable[..., m.Expr]
] = {}  # what the modules give that `check` imports
E = TypeVar("E", bound=t.ExprSyntax)
Typing: TypeAlias = "Callable[[E, Scope, m.Type | None], m.Expr]"


def typing_of(cls: type[E]) -> Callable[[Typing[E]], Typing[E]]:
    """Register the function that types the expressions of a class."""

    def marked(function: Typing[E]) -> Typing[E]:
        HANDLERS[cls] = function
        return function

    return marked


def bad(node: t.NodeSyntax) -> m.Expr:
    return m.Const(0, type=BAD, span=node.span)


def is_bad(*exprs: m.Expr) -> bool:
    return any(isinstance(e.type, Bad) for e in exprs)


def typed(node: t.ExprSyntax, scope: Scope, want: m.Type | None = None) -> m.Expr:
    """Return the expression with its type.

    Args:
        want: the expected type. It helps to resolve members and `none`, and is not enforced.
    """
    made = HANDLERS[type(node)](node, scope, want)
    if isinstance(made.type, m.MemberOf) and made.type.optional and node in scope.known:
        made.type = m.MemberOf(made.type.kind)
    return made


def fitting(node: t.ExprSyntax, scope: Scope, want: m.Type, what: str = "") -> m.Expr:
    """Return the expression, which must have the type `want`."""
    made = typed(node, scope, want)
    return made if fits(made, want, node, scope, what) else bad(node)


def condition(node: t.ExprSyntax, scope: Scope) -> m.Expr:
    return fitting(node, scope, BOOL)


def fits(made: m.Expr, want: m.Type, node: t.NodeSyntax, scope: Scope, what: str = "") -> bool:
    have = made.type
    if isinstance(have, Bad) or isinstance(want, Bad):
        return True
    world = scope.world
    if isinstance(want, m.Int) and isinstance(have, m.Int):
        if units_agree(have, want):
            return True
        world.error(
            "RK402",
            node,
            f"puts {show(have)} into {show(want)}" + (f" ({what})" if what else ""),
            f"if that is intended, write '{quoted(node, scope, 'x')} as {want.unit or 'int'}'",
        )
        return False
    if isinstance(want, m.MemberOf) and isinstance(have, m.MemberOf) and have.kind is want.kind:
        if have.optional and not want.optional:
            world.error(
                "RK403",
                node,
                f"'{quoted(node, scope)}' may be none here",
                "test it first ('when x != none'), fill it ('x ?? y'), or assert it ('the x')",
            )
            return False
        return True
    if type(have) is type(want) and (
        have == want if isinstance(want, m.Record) else not isinstance(want, (m.MemberOf, m.SetOf))
    ):
        return True
    if isinstance(want, m.SetOf) and isinstance(have, m.SetOf) and want.kind is have.kind:
        return True
    world.error(
        "RK401",
        node,
        f"expected {show(want)}" + (f" ({what})" if what else "") + f", found {show(have)}",
        instead(have, want, node, scope),
    )
    return False


def units_agree(left: m.Int, right: m.Int) -> bool:
    return left.unit == right.unit or FLEX in (left.unit, right.unit)


def as_set(node: t.ExprSyntax, scope: Scope, want: m.Type | None = None, help: str = "") -> m.Expr:
    made = typed(node, scope, want)
    if is_bad(made) or isinstance(made.type, m.SetOf):
        return made
    scope.world.error(
        "RK401",
        node,
        f"expected a set, found {show(made.type)}",
        help or instead_of_set(made.type, node, scope),
    )
    return bad(node)
