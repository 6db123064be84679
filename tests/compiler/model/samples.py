"""Sample nodes of each class of the model, with new contents in every field."""

from __future__ import annotations

from itertools import count
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs

from rulekit.compiler import model as m
from rulekit.compiler.model import actions, declarations, entities, expressions, game, statements

MODULES = (entities, declarations, expressions, actions, statements, game)
CLASSES: list[Any] = [
    cls
    for module in MODULES
    for cls in vars(module).values()
    if isinstance(cls, type)
    and issubclass(cls, m.Node)
    and cls.__module__ == module.__name__
    and "__attrs_attrs__" in vars(cls)
]
EXPRESSIONS = [cls for cls in CLASSES if issubclass(cls, m.Expr) and cls in m.EXPRESSIONS]
_number = count()


def sample(cls: Any) -> Any:
    """Return a node of this class with new contents. Lists have two items."""
    types = get_type_hints(cls)
    return cls(**{f.name.lstrip("_"): value(types[f.name]) for f in attrs.fields(cls)})


def value(type: Any) -> Any:
    """Return a new value of this type."""
    kind, given = get_origin(type), get_args(type)
    if kind is Literal:
        return given[0]
    if kind in (list, set):
        return kind([value(given[0]), value(given[0])])
    if kind is tuple:
        return tuple(value(one) for one in given if one is not ...)
    if kind is dict:
        return {"a": value(given[1]), "b": value(given[1])}
    if given:  # a union: its member with the most fields
        return value(next(one for one in given if one is not str))
    return leaf(type)


def leaf(type: Any) -> Any:
    if type is m.Type:
        return m.Int()
    if type is m.Var:
        return m.Var(f"v{next(_number)}", m.Int())
    if type is m.Expr:
        return m.Const(next(_number), type=m.Int())
    if type is m.Stmt:
        return m.Finish(value(m.Expr), 0)
    if type in (m.Kind, m.Fixed, m.Cell, m.Procedure):
        return {
            m.Kind: lambda: m.Kind("k"),
            m.Fixed: lambda: m.Fixed("f", [], m.Int()),
            m.Cell: lambda: m.Cell("c", [], m.Int()),
            m.Procedure: lambda: m.Procedure("p", "procedure"),
        }[type]()
    return (
        sample(type)
        if attrs.has(type)
        else next(_number)
        if type is int
        else None
        if type is Any
        else type()
    )
