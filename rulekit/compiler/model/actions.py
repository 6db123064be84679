"""Takes nothing, makes what happens in a checked model beside procedures: events, options,
invariants, rulings."""

from __future__ import annotations

from typing import Any

from attrs import field

from rulekit.compiler.model.declarations import Guarded
from rulekit.compiler.model.entities import Cell, Fixed, Procedure, Var
from rulekit.compiler.model.expressions import ReadCell
from rulekit.compiler.model.node import Block, Declaration, Expr, Part, binds


class Event(Declaration):
    """`body`: SetCell, Each, IfStmt only (variables of the body have frame None). `writes`: the
    cells that it may write. `wrapper`: if there are hooks or reactions on it, the procedure (same
    parameters) that calls have been redirected to by check; its body does hooks before, CallEvent,
    hooks and window after. `built_in`: die_rolled, which has a record of the machine's own."""

    name: str
    params: list[Var] = field(metadata=binds("body", "reveals"))
    body: Block = field(factory=list)
    writes: list[Cell] = field(factory=list)
    reveals: list[Expr] = field(factory=list)
    wrapper: Procedure | None = None
    built_in: bool = False


class Whenever(Declaration):
    """After an event that wrote one of `reads`: while `source` has members not yet done in this
    event, run `body` (which asks nothing) for the first of them. Its variables have frame `proc` (a
    procedure made for it).
    """

    name: str
    var: Var = field(metadata=binds())
    source: Expr
    proc: Procedure  # one parameter: var
    reads: list[Cell] = field(factory=list)


class Hook(Part):
    """`proc`: a procedure without parameters that runs at this point if `cond` holds."""

    name: str
    cond: Expr | None
    proc: Procedure


class Pays(Part):
    amount: Expr
    target: Var | ReadCell


class Limit(Part):
    """At most `count` times: `counter` (a hidden cell, read with `keys`) must be below it, and is
    counted up when the option is taken. `unless`: a condition under which it does not bind.
    `counts`: the condition under which it counts up (None: always)."""

    count: int
    counter: Cell
    keys: list[Expr]
    unless: Expr | None = None
    counts: Expr | None = None
    name: str = ""


class With(Part):
    """`with t = e`: bound before the guards that follow; an option whose e is -1 is not there. In
    the body it is read as a variable too."""

    var: Var = field(metadata=binds())
    value: Expr


class Option(Part):
    """A guarded offer. `params`: variables with a finite domain (their type's kind or range),
    enumerated lexicographically, in data order. `clauses`: Guarded, With, Pays, Limit in written
    order; all must pass. Inline options: `proc` is None and `body` runs in the frame of the
    procedure that holds the Choose (params and `with` variables belong to its frame). Others:
    `proc` has the parameters [me, *params, *with variables] and is called; the guards read the same
    Var objects, bound by enumeration. `domains`: per parameter an expression for a set that it is
    restricted to (e.g. the faces whose window is this moment), or None. `possible`: the condition
    that the option is *publicly possible* for `me` (params already quantified by `Count some` or
    dropped), only for options in windows; None: always. `asked`: only these players may take a
    reaction: `for WHO`, or whom its moment asks (None: everybody asked).
    """

    name: str
    word: str
    params: list[Var] = field(metadata=binds("clauses", "body"))
    clauses: list[Guarded | With | Pays | Limit] = field(factory=list)
    proc: Procedure | None = None
    body: Block = field(factory=list)
    me: Var | None = field(
        default=None, metadata=binds("clauses", "body", "domains", "possible", "asked")
    )
    domains: list[Expr | None] = field(factory=list)
    possible: Expr | None = None
    asked: list[Expr] | None = None
    label: str = ""
    key: str = ""  # text key
    # its parameters are hidden from others (a card out of a hand) until an event reveals them
    secret: bool = False


class Invariant(Declaration):
    """Checked after every choice if it stands in no procedure (`everywhere`), else where its Check
    statement stands."""

    name: str
    cond: Expr
    everywhere: bool


class Ruling(Declaration):
    """`fixed` is late, its type an enum kind of the alternatives."""

    name: str
    fixed: Fixed
    alternatives: list[str]
    default: str
    data: dict[str, Any] = field(factory=dict)
