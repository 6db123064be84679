"""Types a word in the place of a condition as a test of the element (`H` for `type = H`). An
ambiguous word is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import AttributeSubject, CheckState, Scope, attributes
from rulekit.compiler.check.typecheck.calls import attribute
from rulekit.compiler.check.typecheck.dispatch import bad
from rulekit.compiler.syntax import ast as t

Meaning = tuple[
    str, m.Kind
]  # an attribute ("" for the element itself), and the kind of which the word is a member


def adjective(element: AttributeSubject, node: t.Name, scope: Scope) -> m.Expr | None:
    """Return the test that a word expresses, or None if it expresses none.

    A member of an enumeration tests the attribute with the name of the enumeration. A member of the
    element's own kind tests the element itself.
    """
    id, found = node.id, meanings(element, node.id, scope.world)
    others = list(conditions(element, id, scope)) if found and not element.kind.own else []
    if len(found) + len(others) > 1:
        _tell(found, others, element, node, scope)
        return bad(node)
    if not found:
        return None
    attr, kind = found[0]
    value = attribute(element.expr, attr, node, scope) if attr else element.expr
    member = m.Const(scope.world.member(kind, id) or 0, type=m.MemberOf(kind), span=node.span)
    return m.Compare("=", value, member, span=node.span)


def meanings(element: AttributeSubject, id: str, world: CheckState) -> list[Meaning]:
    """Return all possible tests of a word.

    A kind with members from the data counts only if no enumeration has the word.
    """
    kind, names = element.kind, set(attributes(element.kind))
    own: list[Meaning] = [("", kind)] if world.member(kind, id) is not None else []
    if kind.own and own:
        return own
    found: list[Meaning] = []
    for home in world.kinds_with(id):
        attr = home.name[0].lower() + home.name[1:]
        attr = attr if attr in names else attr.lower()
        type = _type(kind, attr, world)
        if isinstance(type, m.MemberOf) and type.kind is home:
            found.append((attr, home))
    given = {data.kind for data in world.source.kinds}
    return own + ([one for one in found if one[1].name not in given] or found)


def conditions(element: AttributeSubject, id: str, scope: Scope) -> Iterator[tuple[str, Span]]:
    """Yield other conditions of this name, on the element or at this place, with the place of their
    declaration.
    """
    kind, world = element.kind, scope.world
    var, symbol = scope.context_var(id), world.symbols.get(id)
    own = kind.defines.get(id) or kind.fixed.get(id) or kind.cells.get(id)
    if (
        own is None
        and symbol is not None
        and [one.type for one in symbol.params] == [m.MemberOf(kind)]
    ):
        own = symbol.obj
    if isinstance(own, m.Define) and own not in world.settling:
        world.settle(own)
    if isinstance(own, (m.Define, m.Fixed, m.Cell)) and isinstance(own.type, m.Bool):
        yield f"the attribute '{id}' of the rules", own.span
    if var is not None and isinstance(var.type, m.Bool):
        yield f"the value '{id}' of a running procedure", var.span


def member(kind: m.Kind, node: t.Name, scope: Scope) -> m.Expr | None:
    """Return the member of a kind that a name means where one is expected.

    It is an error if a value of that kind has the same name.
    """
    id, element = node.id, scope.element
    ordinal = scope.world.member(kind, id)
    if ordinal is None:
        return None
    own = element.kind.fixed.get(id) or element.kind.cells.get(id) if element is not None else None
    other: m.Fixed | m.Cell | m.Var | None = own or scope.context_var(id)
    if (
        other is not None
        and not kind.own
        and isinstance(other.type, m.MemberOf)
        and other.type.kind is kind
    ):
        what = (
            f"the attribute '{id}'"
            if own is not None
            else f"the value '{id}' of a running procedure"
        )
        scope.world.sink.error(
            "RK302",
            node.span,
            f"'{id}' may mean the {kind.name} '{kind.members[ordinal]}' or {what}",
            f"write '{kind.name}.{id}' for the first, or give one of them another name",
            second=other.span if other.span is not NOWHERE else None,
            second_label="the other is declared here" if other.span is not NOWHERE else "",
        )
        return bad(node)
    return m.Const(ordinal, type=m.MemberOf(kind), span=node.span)


def _type(kind: m.Kind, name: str, world: CheckState) -> m.Type | None:
    """Return the type of an attribute."""
    define = kind.defines.get(name)
    if define is not None:
        world.settle(define)
        return define.type
    family = kind.fixed.get(name) or kind.cells.get(name)
    return family.type if family is not None else None


def _tell(
    found: list[Meaning],
    others: list[tuple[str, Span]],
    element: AttributeSubject,
    node: t.Name,
    scope: Scope,
) -> None:
    """Report the possible meanings of a word, and the places of their declarations."""
    id, said, ways, places = node.id, [], [], []
    for attr, kind in found:
        full = kind.members[scope.world.member(kind, id) or 0]
        said.append(f"its {attr} is {id}" if attr else f"it is '{full}'")
        ways.append(f"{attr} = {id}" if attr else f"it = {full}")
        places.append(_declared(kind, full, scope.world))
    for what, span in others:
        said.append(what)
        places.append(span)
    second = next((place for place in places if place is not NOWHERE), None)
    more = [
        f"{place.file}:{place.line}"
        for place in places
        if place is not NOWHERE and place is not second
    ]
    scope.world.sink.error(
        "RK302",
        node.span,
        f"'{id}' may mean several things of a {element.kind.name}: {' or '.join(said)}",
        "write " + " or ".join(f"'{way}'" for way in ways) + ", or give one of them another name",
        second=second,
        second_label=(
            ("one is declared here" + (f", another in {', '.join(more)}" if more else ""))
            if second
            else ""
        ),
    )


def _declared(kind: m.Kind, id: str, world: CheckState) -> Span:
    """Return the place where a member is declared: in the data, or with its kind in the rules."""
    given = (
        one.span
        for data in world.source.kinds
        if data.kind == kind.name
        for one in data.members
        if one.id == id
    )
    return next(given, kind.span)
