"""Takes nothing, makes what all nodes of the checked model have in common: their bases, and the marks on their fields.

What a field of a node holds is told by its type, and `visitor` reads it there: an expression, a statement or a part
stands inside of the node; a declaration is only referred to. The marks say what a type cannot: `binds`, `REFERS`, `NAMES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from attrs import define, field

from rulekit.base.span import NOWHERE, Span


class Type:
    """Base of types. Types compare by value, and are no nodes."""


@define(eq=False, repr=False)
class Node:
    """Base of all that a model is made of."""


@define(eq=False, repr=False)
class Expr(Node):
    """Base of expressions. Every expression has a `type` and the span of its source."""

    type: Type = field(kw_only=True)
    span: Span = field(kw_only=True, default=NOWHERE, repr=False)


@define(eq=False, repr=False)
class Stmt(Node):
    """Base of statements."""

    span: Span = field(kw_only=True, default=NOWHERE, repr=False)
    ref: tuple[str, ...] = field(kw_only=True, default=())


Block = list[Stmt]


@define(eq=False, repr=False)
class Part(Node):
    """Base of what is neither expression nor statement and stands inside of one node: a clause, a guard, an option."""


@define(eq=False, repr=False)
class Declaration(Node):
    """Base of what has a name, and is referred to from elsewhere."""


@define(eq=False, repr=False)
class Asked(Declaration):
    """Base of declarations with a value of their own, worked out from the expressions inside whenever it is asked."""


REFERS = {"refers": True}  # a part that stands elsewhere, and is only referred to
NAMES = {"names": True}  # a declaration that is named, but not asked for its value


def binds(*seen_by: str) -> dict[str, Any]:
    """The mark of a field with variables that the node binds. `seen_by`: the fields in which they are read."""
    return {"binds": seen_by}


# ------------------------------------------------------------------------------------------------ one method for each class
G = TypeVar("G")
T = TypeVar("T")


class _Methods(dict[type, Callable[..., Any]]):
    """The methods of a visitor by class of node, looked up when the first node of a class comes."""

    def __init__(self, visitor: type) -> None:
        self.visitor = visitor

    def __missing__(self, cls: type) -> Callable[..., Any]:
        self[cls] = getattr(self.visitor, method_for(cls))
        return self[cls]


def method_for(cls: type) -> str:
    """The name of the method of a visitor that is called for a class of nodes: `on_` and the name of the class."""
    return "on" + re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), cls.__name__)


class Visitor(Generic[G, T]):
    """Base of what has something to say of each class of some nodes, by one method for each."""

    methods: ClassVar[dict[type, Callable[..., Any]]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.methods = _Methods(cls)

    def visit(self, node: Node, given: G) -> T:
        """What is to be said of a node."""
        answer: T = self.methods[node.__class__](self, node, given)
        return answer
