"""Statements of the syntax tree."""

from __future__ import annotations

from attrs import frozen

from rulekit.compiler.syntax.ast.actions import OptionDecl
from rulekit.compiler.syntax.ast.declarations import Guard, TypeNode
from rulekit.compiler.syntax.ast.node import Block, ExprSyntax, StmtSyntax


@frozen(slots=True)
class FieldStmt(StmtSyntax):
    name: str
    type: TypeNode
    value: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class VarStmt(StmtSyntax):
    name: str
    type: TypeNode | None
    value: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class LetStmt(StmtSyntax):
    name: str
    value: ExprSyntax
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class AssignStmt(StmtSyntax):
    target: ExprSyntax
    op: str  # := += -=
    value: ExprSyntax
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class CallStmt(StmtSyntax):
    call: ExprSyntax
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class IfSyntax(StmtSyntax):
    """A conditional.

    Attributes:
        arms: (condition, block) of `if` and each `else if`.
        other: the block of `else`.
    """

    arms: tuple[tuple[ExprSyntax, Block], ...]
    other: Block = ()
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class EachStmt(StmtSyntax):
    var: str
    source: ExprSyntax
    keys: tuple[ExprSyntax, ...]
    ties: ExprSyntax | None
    live: bool
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class TogetherStmt(StmtSyntax):
    each: EachStmt


@frozen(slots=True)
class RepeatStmt(StmtSyntax):
    """A loop. Its `form` is until (cond, at most limit), most (limit) or times (limit)."""

    form: str
    cond: ExprSyntax | None
    limit: ExprSyntax
    body: Block
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ChooseStmt(StmtSyntax):
    who: ExprSyntax
    menu: str | None
    prompt: str | None
    options: tuple[OptionDecl, ...]
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PickStmt(StmtSyntax):
    var: str
    source: ExprSyntax
    who: ExprSyntax
    alike: tuple[ExprSyntax, ...] = ()
    prompt: str | None = None
    or_none: bool = False
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class PickGroupStmt(StmtSyntax):
    var: str
    source: ExprSyntax
    who: ExprSyntax
    alike: tuple[ExprSyntax, ...] = ()
    prompt: str | None = None
    low: ExprSyntax | None = None
    high: ExprSyntax | None = None
    or_none: bool = False
    ref: tuple[str, ...] = ()
    keeps: Guard | None = None


@frozen(slots=True)
class RollStmt(StmtSyntax):
    var: str
    dice: int
    faces: int
    who: ExprSyntax
    purpose: str
    ref: tuple[str, ...] = ()
    when: ExprSyntax | None = None


@frozen(slots=True)
class DrawStmt(StmtSyntax):
    count: ExprSyntax
    source: ExprSyntax
    target: ExprSyntax
    ref: tuple[str, ...] = ()
    when: ExprSyntax | None = None


@frozen(slots=True)
class PutStmt(StmtSyntax):
    what: ExprSyntax
    target: ExprSyntax
    ref: tuple[str, ...] = ()
    when: ExprSyntax | None = None


@frozen(slots=True)
class GatherStmt(StmtSyntax):
    source: ExprSyntax
    target: ExprSyntax
    ref: tuple[str, ...] = ()
    when: ExprSyntax | None = None


@frozen(slots=True)
class OpenStmt(StmtSyntax):
    """The opening of a moment: `open odds_known`, `let stopped = open answering(f, me)`."""

    moment: ExprSyntax  # Name or Call
    var: str | None = None
    ref: tuple[str, ...] = ()
    when: ExprSyntax | None = None


@frozen(slots=True)
class AnswerStmt(StmtSyntax):
    """An answer such as `answer true`. In `answer stop`, `answer redo` and `answer halt` the value
    is a Name.
    """

    value: ExprSyntax
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class LeaveStmt(StmtSyntax):
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class ReturnStmt(StmtSyntax):
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class FinishStmt(StmtSyntax):
    """The end of the game: `finish WHO, LEVEL`. `who` is the Word none for a draw."""

    who: ExprSyntax
    level: str
    when: ExprSyntax | None = None
    ref: tuple[str, ...] = ()


@frozen(slots=True)
class WalkStmt(StmtSyntax):
    movement: str
    args: tuple[ExprSyntax, ...]
    start: ExprSyntax
    who: ExprSyntax
    ref: tuple[str, ...] = ()
    when: ExprSyntax | None = None
