"""Takes nothing, makes what all nodes of the checked model have in common: their bases, and the
marks on their fields.

What a field of a node holds is told by its type, and `visitor` reads it there: an expression, a
statement or a part stands inside of the node; a declaration is only referred to. The marks say what
a type cannot: `binds`, `REFERS`, `NAMES`.
"""

from __future__ import annotations

from typing import Any, dataclass_transform

from attrs import define, field, frozen

from rulekit.common.diagnostics.span import NOWHERE, Span


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Type:
    """Base of types. Types compare by value, and are no nodes."""

    def __init_subclass__(cls) -> None:
        frozen(cls, slots=False, repr=False)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Node:
    """Base of all that a model is made of. Nodes compare by identity."""

    def __init_subclass__(cls) -> None:
        define(cls, slots=False, eq=False, repr=False)


class Expr(Node):
    """Base of expressions. Every expression has a `type` and the span of its source."""

    type: Type = field(kw_only=True)
    span: Span = field(kw_only=True, default=NOWHERE)


class Cited(Node):
    """Base of what may stand in the rule book: its paragraphs, and its place in the author's
    files."""

    ref: tuple[str, ...] = field(kw_only=True, default=())
    span: Span = field(kw_only=True, default=NOWHERE)


class Stmt(Cited):
    """Base of statements."""


Block = list[Stmt]


class Part(Cited):
    """Base of what is neither expression nor statement and stands inside of one node: a clause, a
    guard, an option."""


class Declaration(Cited):
    """Base of what has a name, and is referred to from elsewhere."""


class Asked(Declaration):
    """Base of declarations with a value of their own, worked out from the expressions inside
    whenever it is asked."""


REFERS = {"refers": True}  # a part that stands elsewhere, and is only referred to
NAMES = {"names": True}  # a declaration that is named, but not asked for its value


def binds(*seen_by: str) -> dict[str, Any]:
    """The mark of a field with variables that the node binds. `seen_by`: the fields in which they
    are read."""
    return {"binds": seen_by}
