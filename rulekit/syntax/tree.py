"""Takes nothing, makes the node classes of the syntax tree: a rules file as written, each node with its span.

`parse` makes these, `format` prints them back, `check` gives them a meaning. No node knows a type or a meaning.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from attrs import field, fields, frozen

from rulekit.base.span import NOWHERE, Span


@frozen(slots=True, kw_only=True)
class Node:
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@cache
def _fields(cls: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(cls) if each.name != "span")


def fields_of(node: Any) -> tuple[str, ...]:
    """The names of what a node holds beside its span."""
    return _fields(node.__class__)


@frozen(slots=True, kw_only=True)
class Ref:
    """`ref "4.2 a", "Q24"`: the paragraphs that a line comes from."""

    texts: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------ expressions
class Expr(Node):
    """Base of all expressions."""


@frozen(slots=True)
class Name(Expr):
    id: str


@frozen(slots=True)
class Number(Expr):
    value: int
    unit: str | None = None


@frozen(slots=True)
class Word(Expr):
    """One of `it`, `here`, `none`, `true`, `false`."""

    word: str


@frozen(slots=True)
class Attr(Expr):
    base: Expr
    name: str


@frozen(slots=True)
class Call(Expr):
    func: Expr  # Name or Attr
    args: tuple[Expr, ...]


@frozen(slots=True)
class Ratio(Expr):
    """`a to b`, only as an argument or as the key of a table row."""

    num: Expr
    den: Expr


@frozen(slots=True)
class Unary(Expr):
    op: str  # "-", "not"
    operand: Expr


@frozen(slots=True)
class Binary(Expr):
    """`rounding` stands with / only."""

    op: Literal["+", "-", "*", "/", "??", "=", "!=", "<", "<=", ">", ">=",
                "in", "not in", "is", "is not", "has", "only", "all", "and", "or"]
    left: Expr
    right: Expr
    rounding: Literal["up", "down"] | None = None


@frozen(slots=True)
class Applies(Expr):
    """`crt_column.wall applies`"""

    target: Expr


@frozen(slots=True)
class IfElse(Expr):
    then: Expr
    cond: Expr
    other: Expr


@frozen(slots=True)
class Where(Expr):
    """`source where cond`, or `source name where cond` with the element named."""

    source: Expr
    var: str | None
    cond: Expr


@frozen(slots=True)
class Range(Expr):
    low: Expr
    high: Expr


@frozen(slots=True)
class Quant(Expr):
    word: Literal["some", "no", "count", "the"]
    operand: Expr


@frozen(slots=True)
class Aggregate(Expr):
    """`sum(pf of force)`."""

    word: Literal["sum", "min", "max", "values"]
    value: Expr
    source: Expr


@frozen(slots=True)
class MinMax(Expr):
    word: Literal["min", "max"]
    args: tuple[Expr, ...]


@frozen(slots=True)
class First(Expr):
    """`first(Side by -vp(it), it = red)`"""

    source: Expr
    keys: tuple[Expr, ...]


@frozen(slots=True)
class Reach(Expr):
    """`reach march(g, s) from x`: the set of places where that movement could end."""

    movement: str
    args: tuple[Expr, ...]
    start: Expr


@frozen(slots=True)
class SetLiteral(Expr):
    items: tuple[Expr, ...]


@frozen(slots=True)
class ListLiteral(Expr):
    items: tuple[Expr, ...]


@frozen(slots=True)
class Cast(Expr):
    """`x as PF`, `x as int`"""

    operand: Expr
    unit: str


# ------------------------------------------------------------------------------------------------ types, headers
@frozen(slots=True)
class TypeNode(Node):
    """form: `name` (bool, int, ratio, a kind or a unit; optional with `?`), `set`, `range` (low..high [unit] [clamp])."""

    form: str
    name: str | None = None
    optional: bool = False
    low: int = 0
    high: int = 0
    unit: str | None = None
    clamp: bool = False


@frozen(slots=True)
class Param(Node):
    name: str
    type: TypeNode


@frozen(slots=True)
class Guard(Node):
    """`when cond ["reason"] [ref ..]`"""

    cond: Expr
    reason: str | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class Viewer(Node):
    """`seen by owner`, `all when shown`"""

    who: Expr
    when: Expr | None = None


class Decl(Node):
    """Base of everything that stands in column 1; also of the items of a kind."""


@frozen(slots=True)
class Header(Decl):
    """`game skirmish 1`, `library ancients 1`"""

    what: str
    name: str
    version: int


@frozen(slots=True)
class Use(Decl):
    name: str
    version: int


@frozen(slots=True)
class UnitDecl(Decl):
    names: tuple[str, ...]


@frozen(slots=True)
class Member(Node):
    name: str
    values: tuple[Expr, ...] = ()


@frozen(slots=True)
class Grid(Node):
    rows: int
    columns: int


@frozen(slots=True)
class Lines(Node):
    length: int
    kind: str


@frozen(slots=True)
class FixedDecl(Decl):
    """`fixed terrain: Terrain`, `fixed goal(s: Side): set Cell = ...`; in a kind the first key is the kind itself."""

    name: str
    params: tuple[Param, ...]
    type: TypeNode
    value: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class StateDecl(Decl):
    name: str
    params: tuple[Param, ...]
    type: TypeNode
    initial: Expr | None = None
    per: str | None = None
    seen: tuple[Viewer, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class SlotDecl(Decl):
    """`slot guard(me: Side): bool = true` (a value) or `slot effect(me: Side)` (steps)."""

    name: str
    params: tuple[Param, ...]
    type: TypeNode | None = None
    default: Expr | None = None


@frozen(slots=True)
class RulesWhile(Decl):
    """`rules while played as me`"""

    cond: Expr
    var: str


@frozen(slots=True)
class IdentityDecl(Decl):
    seen: tuple[Viewer, ...]


@frozen(slots=True)
class KindDecl(Decl):
    """`members` is () if they come from data. `extends` for `extend kind`."""

    name: str
    ordered: bool = False
    decides: bool = False
    joins: str | None = None
    needs: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()
    grid: Grid | None = None
    lines: Lines | None = None
    items: tuple[Decl, ...] = ()
    extends: bool = False
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MembersDecl(Decl):
    kind: str
    members: tuple[Member, ...]


@frozen(slots=True)
class PoolDecl(Decl):
    name: str
    params: tuple[Param, ...]
    kind: str
    seen: tuple[Viewer, ...] = ()
    ref: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------ pure declarations
@frozen(slots=True)
class Case(Node):
    value: Expr
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class DefineDecl(Decl):
    """One value, or cases of which the first that holds counts. `owner` for `define Piece.type = ...`."""

    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    type: TypeNode | None = None
    cases: tuple[Case, ...] = ()
    owner: str | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class NeedsDecl(Decl):
    """`needs define tie_rank(s: Side): int`, `needs total ...`, `needs procedure ...`: a hole that the user of the library fills.

    what: define, total, permit, procedure, phase.
    """

    what: str
    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    type: TypeNode | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class Replace(Decl):
    """`replace define|total|permit|procedure|phase|table|action|reaction|standing|movement ...`"""

    decl: Decl


@frozen(slots=True)
class Drop(Decl):
    """`drop crt_die.phalanx`, `drop some_action`"""

    path: tuple[str, ...]


@frozen(slots=True)
class Clause(Decl):
    """A clause of a total or permit, in its block or standing by itself.

    word: base, set, modifier, cancel, least, most, bar. `path` is () for base, least, most; (name,) inside the block of its
    total; (total, name) elsewhere. `amount` is None for cancel and bar.
    """

    word: str
    path: tuple[str, ...] = ()
    amount: Expr | None = None
    when: Expr | None = None
    reason: str | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class TotalDecl(Decl):
    name: str
    params: tuple[Param, ...]
    context: str | None
    type: TypeNode
    clauses: tuple[Clause, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PermitDecl(Decl):
    name: str
    params: tuple[Param, ...]
    context: str | None
    clauses: tuple[Clause, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class TableDecl(Decl):
    """`outputs`: (name or None, type). `source`: path of a CSV, or None with `rows` inline (each a tuple of cells)."""

    name: str
    params: tuple[Param, ...]
    outputs: tuple[tuple[str | None, TypeNode], ...]
    rounding: str | None = None
    clamp: bool = False
    source: str | None = None
    rows: tuple[tuple[Expr, ...], ...] = ()
    ref: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------ statements
class Stmt(Node):
    """Base of all statements. `when` (where there is one) guards the statement."""


Block = tuple[Stmt, ...]


@frozen(slots=True)
class FieldStmt(Stmt):
    name: str
    type: TypeNode
    value: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class VarStmt(Stmt):
    name: str
    type: TypeNode | None
    value: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class LetStmt(Stmt):
    name: str
    value: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class AssignStmt(Stmt):
    target: Expr
    op: str  # := += -=
    value: Expr
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class CallStmt(Stmt):
    call: Expr
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class IfStmt(Stmt):
    """`arms`: (condition, block) of if and each else if; `other`: the else block."""

    arms: tuple[tuple[Expr, Block], ...]
    other: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class EachStmt(Stmt):
    var: str
    source: Expr
    keys: tuple[Expr, ...]
    ties: Expr | None
    live: bool
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class TogetherStmt(Stmt):
    each: EachStmt


@frozen(slots=True)
class RepeatStmt(Stmt):
    """form: until (cond, at most limit), most (limit), times (limit)."""

    form: str
    cond: Expr | None
    limit: Expr
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ChooseStmt(Stmt):
    who: Expr
    menu: str | None
    prompt: str | None
    options: tuple[OptionDecl, ...]
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PickStmt(Stmt):
    var: str
    source: Expr
    who: Expr
    alike: tuple[Expr, ...] = ()
    prompt: str | None = None
    or_none: bool = False
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PickGroupStmt(Stmt):
    var: str
    source: Expr
    who: Expr
    alike: tuple[Expr, ...] = ()
    prompt: str | None = None
    low: Expr | None = None
    high: Expr | None = None
    or_none: bool = False
    ref: tuple[str, ...] = ()
    keeps: Guard | None = None


@frozen(slots=True)
class RollStmt(Stmt):
    var: str
    dice: int
    faces: int
    who: Expr
    purpose: str
    ref: tuple[str, ...] = ()
    when: Expr | None = None


@frozen(slots=True)
class DrawStmt(Stmt):
    count: Expr
    source: Expr
    target: Expr
    ref: tuple[str, ...] = ()
    when: Expr | None = None


@frozen(slots=True)
class PutStmt(Stmt):
    what: Expr
    target: Expr
    ref: tuple[str, ...] = ()
    when: Expr | None = None


@frozen(slots=True)
class GatherStmt(Stmt):
    source: Expr
    target: Expr
    ref: tuple[str, ...] = ()
    when: Expr | None = None


@frozen(slots=True)
class OpenStmt(Stmt):
    """`open odds_known`, `let stopped = open answering(f, me)`"""

    moment: Expr  # Name or Call
    var: str | None = None
    ref: tuple[str, ...] = ()
    when: Expr | None = None


@frozen(slots=True)
class AnswerStmt(Stmt):
    """`answer true`; `answer stop`, `answer redo`, `answer halt` as Name nodes."""

    value: Expr
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class LeaveStmt(Stmt):
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ReturnStmt(Stmt):
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class FinishStmt(Stmt):
    """`finish WHO, LEVEL`; `who` is Word none for a draw."""

    who: Expr
    level: str
    when: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class WalkStmt(Stmt):
    movement: str
    args: tuple[Expr, ...]
    start: Expr
    who: Expr
    ref: tuple[str, ...] = ()
    when: Expr | None = None


# ------------------------------------------------------------------------------------------------ things that happen
@frozen(slots=True)
class EventDecl(Decl):
    name: str
    params: tuple[Param, ...]
    reveals: tuple[Expr, ...] = ()
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MomentRef(Node):
    whence: str | None  # after, before, `start of`, `end of`, or None for a plain moment
    name: str


@frozen(slots=True)
class MomentDecl(Decl):
    """A plain moment, or with `parts` a group of moments."""

    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    type: TypeNode | None = None
    default: Expr | None = None
    asks: tuple[Expr, ...] = ()
    parts: tuple[MomentRef, ...] = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MenuDecl(Decl):
    name: str
    context: str
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ForClause(Node):
    who: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class AtClause(Node):
    moment: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PaysClause(Node):
    amount: Expr
    source: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class LimitClause(Node):
    count: int
    name: str | None
    per: str
    by: tuple[Expr, ...] = ()
    unless: Expr | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class WithClause(Node):
    name: str
    value: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class OptionDecl(Decl):
    """`action` (in a menu), `reaction` (after/before an event, at a moment), `standing` (in a context), `option` (in a choose).

    attach: ("in", menu) | ("after"|"before", event) | ("at", moment expression) | ("standing", context or None) | None.
    clauses: Guard, ForClause, AtClause, PaysClause, LimitClause, WithClause in written order.
    """

    word: str
    name: str
    params: tuple[Param, ...] = ()
    attach: tuple[str, Expr | None] | None = None
    label: str | None = None
    clauses: tuple[Node, ...] = ()
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class HookDecl(Decl):
    """`on after marched when c` + block. whence: after, before, at, `start of`, `end of`."""

    whence: str
    name: str
    when: Expr | None
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class WheneverDecl(Decl):
    var: str
    source: Expr
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ProcDecl(Decl):
    """word: procedure or phase."""

    word: str
    name: str
    params: tuple[Param, ...] = ()
    context: str | None = None
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MovementDecl(Decl):
    """`over Border b from a to z` etc. Each of `may`, `stop`, `end` may stand several times; all must hold (may, end), any (stop).

    may: (cond, reason, ref), `may enter COND ["reason"]`; stop: `must stop when COND`; end: `may end when COND`.
    """

    name: str
    params: tuple[Param, ...]
    context: str | None
    border: str
    border_var: str
    from_var: str
    to_var: str
    allowance: Expr | None = None
    cost: Expr | None = None
    may: tuple[Guard, ...] = ()
    stop: tuple[Guard, ...] = ()
    end: tuple[Guard, ...] = ()
    on_entry: Block = ()
    stranded: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class InvariantDecl(Decl):
    """`invariant name [after|end of PLACE]: cond`"""

    name: str
    whence: str | None
    place: str | None
    cond: Expr
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class SetupDecl(Decl):
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class MemberBlock(Decl):
    """`Face E05 "Archers", window any_time` + clauses + statements. `values`: (fixed attribute, value)."""

    kind: str
    name: str
    label: str | None = None
    values: tuple[tuple[str, Expr], ...] = ()
    clauses: tuple[Node, ...] = ()  # Clause, Guard, LimitClause
    body: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class File(Node):
    """A rules file: its declarations in written order (those that could be parsed)."""

    path: str
    decls: tuple[Decl, ...]
