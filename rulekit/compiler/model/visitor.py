"""Visitors of the model: children, binders and targets of a node, copies with other children, and
the stream of all nodes below some roots.

The role of a field is derived from its type, once for each class. A field that holds expressions,
statements or parts holds children. A field that holds declarations refers to them. The marks in
`node` say which variables a node binds, and which of its fields can read them. All results are in
the order of the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar, cast, get_origin, get_type_hints

import attrs

from rulekit.common.node_fields import mentioned, within
from rulekit.compiler.model.entities import Var
from rulekit.compiler.model.expressions import Read
from rulekit.compiler.model.node import Declaration, Expr, Node, Part, Stmt, ValueDeclaration

E = TypeVar("E", bound=Expr)


@attrs.define(eq=False)
class _Shape:
    """The names of the fields of a class of nodes, by role."""

    names: tuple[str, ...]  # of all fields
    nodes: tuple[str, ...]  # of those with nodes of any sort
    children: tuple[str, ...]
    asked: tuple[str, ...]  # those with declarations whose value is asked for
    binds: tuple[tuple[str, frozenset[str]], ...]  # with the fields in which the variables are read
    seen: tuple[
        tuple[str, tuple[str, ...]], ...
    ]  # fields with children, and the fields whose variables are read in them


_SHAPES: dict[type, _Shape] = {}


def _shape(cls: type) -> _Shape:
    found = _SHAPES.get(cls)
    return found if found is not None else _SHAPES.setdefault(cls, _derived(cls))


def _derived(cls: Any) -> _Shape:
    types = get_type_hints(cls)
    fields = [(f.name, types[f.name], f.metadata) for f in attrs.fields(cls)]
    leaves = {name: _leaves(type) for name, type, _ in fields}
    inside = tuple(
        name
        for name, _, marks in fields
        if not marks.get("refers")
        and any(issubclass(leaf, (Expr, Stmt, Part)) for leaf in leaves[name])
    )
    binds = tuple(
        (name, frozenset(marks["binds"])) for name, _, marks in fields if "binds" in marks
    )
    return _Shape(
        names=tuple(name for name, _, _ in fields),
        nodes=tuple(name for name, _, _ in fields if leaves[name]),
        children=inside,
        asked=tuple(
            name
            for name, _, marks in fields
            if marks.get("refers")
            or (
                any(issubclass(leaf, ValueDeclaration) for leaf in leaves[name])
                and not marks.get("names")
            )
        ),
        binds=binds,
        seen=tuple(
            (name, tuple(var for var, seen_by in binds if name in seen_by)) for name in inside
        ),
    )


def _leaves(type: Any) -> tuple[type, ...]:
    """Return the classes of nodes that a type mentions.

    A set of nodes is only an annotation, because these nodes are children elsewhere. It has no
    leaves.
    """
    return (
        ()
        if get_origin(type) is set
        else tuple(each for each in mentioned(type) if issubclass(each, Node))
    )


def _inside(value: Any, wanted: tuple[type, ...]) -> Iterator[Any]:
    """Yield the nodes of the given classes in the value of a field, in order."""
    if isinstance(value, wanted):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _inside(item, wanted)


_CHILD = (Expr, Stmt, Part)
_TARGET = (Declaration, Part)


# ------------------------------------------------------------------------------------------------ o
def children(node: Node) -> list[Node]:
    """Return the expressions, statements and parts directly inside a node."""
    found: list[Node] = []
    for name in _shape(node.__class__).children:
        held = getattr(node, name)
        if isinstance(held, _CHILD):
            found.append(held)
        elif held:
            found += _inside(held, _CHILD)
    return found


def subexpressions(expression: Expr) -> list[Expr]:
    """Return the direct subexpressions. All children of an expression are expressions."""
    return cast("list[Expr]", children(expression))


def asked(node: Node) -> list[Node]:
    """Return the declarations whose value a node needs, and for `AppliesTo` also the clause."""
    return [
        target
        for name in _shape(node.__class__).asked
        for target in _inside(getattr(node, name), _TARGET)
    ]


def definition_nodes(declaration: Node) -> list[Node]:
    """Return the nodes that the value of a declaration is computed from: its children, without
    statements.
    """
    return [child for child in children(declaration) if not isinstance(child, Stmt)]


def mentions(node: Node) -> list[Node]:
    """Return the declarations that a node itself refers to, in any field, without those of its
    children.
    """
    shape = _shape(node.__class__)
    return [
        target
        for name in shape.nodes
        if name not in shape.children
        for target in _inside(getattr(node, name), (Declaration,))
    ]


def binders(node: Node) -> list[tuple[Var, list[Node]]]:
    """Return the variables that a node binds, each with the children that may read it."""
    return [
        (
            var,
            [
                child
                for name in shape.children
                if name in seen_by
                for child in _inside(getattr(node, name), _CHILD)
            ],
        )
        for shape in [_shape(node.__class__)]
        for field, seen_by in shape.binds
        for var in _inside(getattr(node, field), (Var,))
    ]


def scoped(expression: Expr) -> list[tuple[Expr, tuple[Var, ...]]]:
    """Return the direct subexpressions, each with the variables that are bound for it."""
    shape = _shape(expression.__class__)
    if not shape.binds:
        return [(each, ()) for each in subexpressions(expression)]
    return [
        (each, tuple(getattr(expression, var) for var in bound))
        for name, bound in shape.seen
        for each in _inside(getattr(expression, name), _CHILD)
    ]


def fields(node: Node) -> tuple[str, ...]:
    """Return the names of all fields of a node."""
    return _shape(node.__class__).names


# ------------------------------------------------------------------------------------------------ c
def rebuilt(expression: E, change: Callable[[Expr], Expr]) -> E:
    """Return a copy of an expression with each direct subexpression changed."""
    shape = _shape(expression.__class__)
    return _with(
        expression,
        shape,
        {name: _changed(getattr(expression, name), change) for name in shape.children},
    )


def _with(expression: E, shape: _Shape, changes: Mapping[str, Any]) -> E:
    made = object.__new__(expression.__class__)
    for name in shape.names:
        setattr(made, name, changes[name] if name in changes else getattr(expression, name))
    return made


def _changed(value: Any, change: Callable[[Expr], Expr]) -> Any:
    if isinstance(value, Expr):
        return change(value)
    return [_changed(item, change) for item in value] if isinstance(value, list) else value


def substitute(expression: Expr, by: Mapping[Var, Expr]) -> Expr:
    """Return a copy with variables replaced.

    Variables that are bound inside are created anew, so no variable is captured.
    """
    if isinstance(expression, Read):
        return by.get(expression.var, expression)
    shape = _shape(expression.__class__)
    if not shape.children:
        return expression
    changes: dict[str, Any] = {
        name: Var(var.name, var.type)
        for name, _ in shape.binds
        for var in [getattr(expression, name)]
    }
    inner = (
        {**by, **{getattr(expression, name): Read(var) for name, var in changes.items()}}
        if changes
        else by
    )
    for name, bound in shape.seen:
        known = inner if bound else by
        changes[name] = _changed(getattr(expression, name), partial(substitute, by=known))
    return _with(expression, shape, changes)


# ------------------------------------------------------------------------------------------------ m
def nodes(*roots: Any) -> Iterator[Node]:
    """Yield these nodes and all nodes inside them, each before its descendants. Roots may be in
    lists.
    """
    return within(_inside(roots, (Node,)), children)


def reached(*roots: Any) -> Iterator[Node]:
    """Yield these nodes, all nodes inside them, and the nodes that the values they need are
    computed from. Each declaration is followed once.
    """
    seen = {id(root) for root in _inside(roots, (Declaration,))}
    waiting: list[Any] = [roots]
    for some in waiting:
        for node in nodes(some):
            yield node
            for target in asked(node):
                if id(target) not in seen:
                    seen.add(id(target))
                    waiting.append(definition_nodes(target))


def read(*roots: Any) -> set[Var]:
    """Return every variable that may be read in these nodes or in the values that they need."""
    return {node.var for node in reached(*roots) if isinstance(node, Read)}


def everything(*roots: Any) -> Iterator[tuple[Node, Node | None]]:
    """Yield every node reachable from these through any field, once, with the node from which it is
    first reached.
    """
    seen: set[int] = set()
    todo: list[tuple[Any, Node | None]] = [(roots, None)]
    while todo:
        item, above = todo.pop()
        if isinstance(item, Node):
            if id(item) not in seen:
                seen.add(id(item))
                yield item, above
                todo += [
                    (getattr(item, name), item) for name in reversed(_shape(item.__class__).nodes)
                ]
        elif isinstance(item, (list, tuple, dict)):
            todo += [
                (each, above)
                for each in reversed(item.values() if isinstance(item, dict) else item)
            ]
