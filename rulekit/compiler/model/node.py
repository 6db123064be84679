"""Base classes of all nodes of the checked model, and the marks on their fields.

The type of a field decides its role, and `visitor` reads it there. Expressions, statements and
parts are children of the node. A declaration is only referred to. The marks `binds`, `REFERS` and
`NAMES` express what a type cannot.
"""

from __future__ import annotations

from typing import Any, dataclass_transform

from attrs import define, field, frozen

from rulekit.common.diagnostics.span import NOWHERE, Span


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Type:
    """Base of types. Types compare by value and are not nodes."""

    def __init_subclass__(cls) -> None:
        frozen(cls, slots=False, repr=False)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Node:
    """Base of everything in a model. Nodes compare by identity."""

    def __init_subclass__(cls) -> None:
        define(cls, slots=False, eq=False, repr=False)


class Expr(Node):
    """Base of expressions. Every expression has a `type` and the span of its source."""

    type: Type = field(kw_only=True)
    span: Span = field(kw_only=True, default=NOWHERE)


class Cited(Node):
    """Base of nodes that can cite the rule book.

    Attributes:
        ref: the cited paragraphs.
        span: the place in the author's files.
    """

    ref: tuple[str, ...] = field(kw_only=True, default=())
    span: Span = field(kw_only=True, default=NOWHERE)


class Stmt(Cited):
    """Base of statements."""


Block = list[Stmt]


class Part(Cited):
    """Base of nodes inside another node that are neither expressions nor statements, such as
    clauses, guards and options.
    """


class Declaration(Cited):
    """Base of nodes that have a name and are referred to from elsewhere."""


class ValueDeclaration(Declaration):
    """Base of declarations that have a value, which is computed from their expressions at
    each use.
    """


REFERS = {"refers": True}  # a part that stands elsewhere, and is only referred to
NAMES = {"names": True}  # a declaration that is named, but not asked for its value


def binds(*seen_by: str) -> dict[str, Any]:
    """Return the mark of a field whose variables the node binds.

    Args:
        seen_by: the fields that may read the variables.
    """
    return {"binds": seen_by}
