"""Declarations of the syntax tree for things that happen: events, moments, options, procedures,
movements, cards.
"""

from __future__ import annotations

from attrs import frozen

from rulekit.compiler.syntax.ast.declarations import Guard, Param, TypeNode
from rulekit.compiler.syntax.ast.node import Block, Decl, ExprSyntax, NodeSyntax


@frozen(slots=True)
class EventDecl(Decl):
    name: str
    params: tuple[Param, ...]
    reveals: tuple[ExprSyntax, ...] = ()
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MomentRef(NodeSyntax):
    whence: str | None  # after, before, `start of`, `end of`, or None for a plain moment
    name: str


@frozen(slots=True)
class MomentDecl(Decl):
    """A plain moment, or with `parts` a group of moments."""

    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    type: TypeNode | None = None
    default: ExprSyntax | None = None
    asks: tuple[ExprSyntax, ...] = ()
    parts: tuple[MomentRef, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MenuDecl(Decl):
    name: str
    context: str
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ForClause(NodeSyntax):
    who: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class AtClause(NodeSyntax):
    moment: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PaysClause(NodeSyntax):
    amount: ExprSyntax
    source: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class LimitClause(NodeSyntax):
    count: int
    name: str | None
    per: str
    by: tuple[ExprSyntax, ...] = ()
    unless: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class WithClause(NodeSyntax):
    name: str
    value: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class OptionDecl(Decl):
    """An option: `action` (in a menu), `reaction` (after or before an event, or at a moment),
    `standing` (in a context) or `option` (in a choose).

    Attributes:
        attach: ("in", menu), ("after", event), ("before", event), ("at", moment expression),
            ("standing", context or None) or None.
        clauses: Guard, ForClause, AtClause, PaysClause, LimitClause and WithClause in the order as
            written.
    """

    word: str
    name: str
    params: tuple[Param, ...] = ()
    attach: tuple[str, ExprSyntax | None] | None = None
    label: str | None = None
    clauses: tuple[NodeSyntax, ...] = ()
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class HookDecl(Decl):
    """A hook: `on after marched when c` and a block. `whence` is after, before, at, `start of` or
    `end of`.
    """

    whence: str
    name: str
    when: ExprSyntax | None
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class WheneverDecl(Decl):
    var: str
    source: ExprSyntax
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ProcDecl(Decl):
    """A procedure or a phase, as `word` says."""

    word: str
    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MovementDecl(Decl):
    """A movement: `over Border b from a to z`, and the clauses below it.

    Each of `may`, `stop` and `end` can occur several times. All `may` and `end` conditions must
    hold, and one `stop` condition is enough.

    Attributes:
        may: `may enter COND ["reason"]`.
        stop: `must stop when COND`.
        end: `may end when COND`.
    """

    name: str
    params: tuple[Param, ...]
    context: str | None
    border: str
    border_var: str
    from_var: str
    to_var: str
    allowance: ExprSyntax | None = None
    cost: ExprSyntax | None = None
    may: tuple[Guard, ...] = ()
    stop: tuple[Guard, ...] = ()
    end: tuple[Guard, ...] = ()
    on_entry: Block = ()
    stranded: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class InvariantDecl(Decl):
    """An invariant: `invariant name [after|end of PLACE]: cond`."""

    name: str
    whence: str | None
    place: str | None
    cond: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class SetupDecl(Decl):
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MemberBlock(Decl):
    """The rules of one member: `Face E05 "Archers", window any_time`, clauses and statements.

    Attributes:
        values: (constant attribute, value).
    """

    kind: str
    name: str
    label: str | None = None
    values: tuple[tuple[str, ExprSyntax], ...] = ()
    clauses: tuple[NodeSyntax, ...] = ()  # Clause, Guard, LimitClause
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class File(NodeSyntax):
    """A rules file: the declarations that could be parsed, in the order as written."""

    path: str
    decls: tuple[Decl, ...]
