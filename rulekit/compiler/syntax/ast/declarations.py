"""Declarations of the syntax tree for things that exist: types, kinds, state, definitions, totals,
tables.
"""

from __future__ import annotations

from attrs import frozen

from rulekit.compiler.syntax.ast.node import Decl, ExprSyntax, NodeSyntax


@frozen(slots=True)
class TypeNode(NodeSyntax):
    """A type.

    Attributes:
        form: `name` (bool, int, ratio, a kind or a unit, optional with `?`), `set`, or `range`
            (low..high [unit] [clamp]).
    """

    form: str
    name: str | None = None
    optional: bool = False
    low: int = 0
    high: int = 0
    unit: str | None = None
    clamp: bool = False


@frozen(slots=True)
class Param(NodeSyntax):
    name: str
    type: TypeNode


@frozen(slots=True)
class Guard(NodeSyntax):
    """A guard: `when cond ["reason"] [ref ..]`."""

    cond: ExprSyntax
    reason: str | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ObserverSyntax(NodeSyntax):
    """One clause of `seen by`: `owner`, or `all when shown`."""

    who: ExprSyntax
    when: ExprSyntax | None = None


@frozen(slots=True)
class Header(Decl):
    """The first line of a game or library: `game skirmish 1`, `library ancients 1`."""

    what: str
    name: str
    version: int


@frozen(slots=True)
class UseSyntax(Decl):
    name: str
    version: int


@frozen(slots=True)
class UnitDecl(Decl):
    names: tuple[str, ...]


@frozen(slots=True)
class MemberSyntax(NodeSyntax):
    name: str
    values: tuple[ExprSyntax, ...] = ()


@frozen(slots=True)
class Grid(NodeSyntax):
    rows: int
    columns: int


@frozen(slots=True)
class LinesSyntax(NodeSyntax):
    length: int
    kind: str


@frozen(slots=True)
class FixedDecl(Decl):
    """A constant: `fixed terrain: Terrain`, `fixed goal(s: Side): set Cell = ...`. Inside a kind,
    its first key is the kind itself.
    """

    name: str
    params: tuple[Param, ...]
    type: TypeNode
    value: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class StateDecl(Decl):
    name: str
    params: tuple[Param, ...]
    type: TypeNode
    initial: ExprSyntax | None = None
    per: str | None = None
    seen: tuple[ObserverSyntax, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class SlotDecl(Decl):
    """A slot: `slot guard(me: Side): bool = true` (a value) or `slot effect(me: Side)` (steps)."""

    name: str
    params: tuple[Param, ...]
    type: TypeNode | None = None
    default: ExprSyntax | None = None


@frozen(slots=True)
class RulesWhile(Decl):
    """The line `rules while played as me`."""

    cond: ExprSyntax
    var: str


@frozen(slots=True)
class IdentityDecl(Decl):
    seen: tuple[ObserverSyntax, ...]


@frozen(slots=True)
class KindDecl(Decl):
    """A kind. `members` is () if they come from data, and `extends` is True for `extend kind`."""

    name: str
    ordered: bool = False
    decides: bool = False
    joins: str | None = None
    needs: tuple[str, ...] = ()
    members: tuple[MemberSyntax, ...] = ()
    grid: Grid | None = None
    lines: LinesSyntax | None = None
    items: tuple[Decl, ...] = ()
    extends: bool = False
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MembersDecl(Decl):
    kind: str
    members: tuple[MemberSyntax, ...]


@frozen(slots=True)
class PoolDecl(Decl):
    name: str
    params: tuple[Param, ...]
    kind: str
    seen: tuple[ObserverSyntax, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class CaseSyntax(NodeSyntax):
    value: ExprSyntax
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class DefineDecl(Decl):
    """A definition: one value, or cases of which the first that holds counts.

    Attributes:
        owner: the kind, for `define Piece.type = ...`.
    """

    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    type: TypeNode | None = None
    cases: tuple[CaseSyntax, ...] = ()
    owner: str | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class NeedsDecl(Decl):
    """A declaration that the user of a library must supply: `needs define tie_rank(s: Side): int`,
    `needs total ...`, `needs procedure ...`.

    Attributes:
        what: define, total, permit, procedure or phase.
    """

    what: str
    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    type: TypeNode | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class Replace(Decl):
    """A replacement: `replace
    define|total|permit|procedure|phase|table|action|reaction|standing|movement ...`.
    """

    decl: Decl


@frozen(slots=True)
class Drop(Decl):
    """A removal: `drop crt_die.phalanx`, `drop some_action`."""

    path: tuple[str, ...]


@frozen(slots=True)
class ClauseSyntax(Decl):
    """A clause of a total or permit, in its block or by itself.

    Attributes:
        word: base, set, modifier, cancel, least, most or bar.
        path: () for base, least and most, (name,) inside the block of its total, (total, name)
            elsewhere.
        amount: None for cancel and bar.
    """

    word: str
    path: tuple[str, ...] = ()
    amount: ExprSyntax | None = None
    when: ExprSyntax | None = None
    reason: str | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class TotalDecl(Decl):
    name: str
    params: tuple[Param, ...]
    context: str | None
    type: TypeNode
    clauses: tuple[ClauseSyntax, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PermitDecl(Decl):
    name: str
    params: tuple[Param, ...]
    context: str | None
    clauses: tuple[ClauseSyntax, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class TableDecl(Decl):
    """A table.

    Attributes:
        outputs: (name or None, type).
        source: the path of a CSV file, or None if the `rows` are inline.
        rows: each row is a tuple of cells.
    """

    name: str
    params: tuple[Param, ...]
    outputs: tuple[tuple[str | None, TypeNode], ...]
    rounding: str | None = None
    clamp: bool = False
    source: str | None = None
    rows: tuple[tuple[ExprSyntax, ...], ...] = ()
    ref: tuple[str, ...] = ()
