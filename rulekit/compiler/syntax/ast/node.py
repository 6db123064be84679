"""Base classes of all nodes of the syntax tree."""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import field, fields, frozen

from rulekit.common.diagnostics.span import NOWHERE, Span


@frozen(slots=True, kw_only=True)
class NodeSyntax:
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@cache
def _fields(cls: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name != "span")


def fields_of(node: Any) -> tuple[str, ...]:
    """Return the names of the fields of a node, except its span."""
    return _fields(node.__class__)


@frozen(slots=True, kw_only=True)
class Ref:
    """A citation `ref "4.2 a", "Q24"`: the paragraphs that a line comes from."""

    texts: tuple[str, ...] = ()


class ExprSyntax(NodeSyntax):
    """Base of all expressions."""


class Decl(NodeSyntax):
    """Base of everything that begins in column 1, and of the items of a kind."""


class StmtSyntax(NodeSyntax):
    """Base of all statements. A `when`, if present, guards the statement."""


Block = tuple[StmtSyntax, ...]
