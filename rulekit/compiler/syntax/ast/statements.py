"""Statements of the syntax tree."""

from __future__ import annotations

from attrs import frozen

from rulekit.compiler.syntax.ast.actions import OptionDecl
from rulekit.compiler.syntax.ast.declarations import Guard, TypeNode
from rulekit.compiler.syntax.ast.node import Block, Expr, Stmt


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
    """A conditional.

    Attributes:
        arms: (condition, block) of `if` and each `else if`.
        other: the block of `else`.
    """

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
    """A loop. Its `form` is until (cond, at most limit), most (limit) or times (limit)."""

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
    """The opening of a moment: `open odds_known`, `let stopped = open answering(f, me)`."""

    moment: Expr  # Name or Call
    var: str | None = None
    ref: tuple[str, ...] = ()
    when: Expr | None = None


@frozen(slots=True)
class AnswerStmt(Stmt):
    """An answer such as `answer true`. In `answer stop`, `answer redo` and `answer halt` the value
    is a Name."""

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
    """The end of the game: `finish WHO, LEVEL`. `who` is the Word none for a draw."""

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
