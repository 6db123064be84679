"""Events, options, invariants and rulings of the checked model."""

from __future__ import annotations

from typing import Any

from attrs import field

from rulekit.compiler.model.declarations import Guarded
from rulekit.compiler.model.entities import Cell, Fixed, Procedure, Var
from rulekit.compiler.model.expressions import ReadCell
from rulekit.compiler.model.node import Block, Declaration, Expr, Part, binds


class EventDeclaration(Declaration):
    """A fact that rules can cause. Its body writes the state.

    Attributes:
        body: contains only SetCell, Each and IfStmt. Variables of the body have frame None.
        writes: the cells that the event may write.
        wrapper: present if the event has hooks or reactions. It has the same parameters, and
            `check` has redirected all calls to it. Its body runs the hooks before, CallEvent, the
            hooks after, and the window.
        built_in: True for die_rolled. The machine makes the record of this event itself.
    """

    name: str
    params: list[Var] = field(metadata=binds("body", "reveals"))
    body: Block = field(factory=list)
    writes: list[Cell] = field(factory=list)
    reveals: list[Expr] = field(factory=list)
    wrapper: Procedure | None = None
    built_in: bool = False


class Whenever(Declaration):
    """A rule that runs after an event that wrote one of the cells in `reads`.

    While `source` has members that are not yet done in this event, `body` runs for the first of
    them. The body contains no decision. Its variables have the frame `proc`, a procedure created
    for it.
    """

    name: str
    var: Var = field(metadata=binds())
    source: Expr
    proc: Procedure  # one parameter: var
    reads: list[Cell] = field(factory=list)


class Hook(Part):
    """A procedure without parameters, `proc`, that runs at a certain point if `cond` holds."""

    name: str
    cond: Expr | None
    proc: Procedure


class Pays(Part):
    amount: Expr
    target: Var | ReadCell


class Limit(Part):
    """A limit on how often an option can be taken.

    Attributes:
        count: the maximum number of times.
        counter: a hidden cell, read with `keys`. It must be below `count`, and is incremented when
            the option is taken.
        unless: a condition under which the limit does not apply.
        counts: the condition under which the counter is incremented (None: always).
    """

    count: int
    counter: Cell
    keys: list[Expr]
    unless: Expr | None = None
    counts: Expr | None = None
    name: str = ""


class With(Part):
    """The clause `with t = e` of an option.

    The variable is bound before the guards that follow, and the body can read it too. The option is
    not offered if `e` is -1.
    """

    var: Var = field(metadata=binds())
    value: Expr


class GuardedOption(Part):
    """A guarded option.

    An inline option has no `proc`. Its `body` runs in the frame of the procedure that contains the
    Choose, and params and `with` variables belong to that frame. For any other option, `proc` is
    called with the parameters [me, *params, *with variables]. The guards read the same Var objects,
    which the enumeration binds.

    Attributes:
        params: variables with a finite domain, which is the kind or range of their type. They are
            enumerated lexicographically, in data order.
        clauses: Guarded, With, Pays and Limit in the order as written. All must pass.
        domains: for each parameter an expression for a set that it is restricted to, or None. An
            example is the set of faces that have the current moment as their window.
        possible: the condition that the option is *publicly possible* for `me`, with params already
            quantified by `Count some` or dropped. Only options in windows have it (None: always).
        asked: the only players who may take a reaction, because of `for` or because its moment asks
            only them (None: all players asked).
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
    """A condition that must always hold.

    It is checked after every choice if it is declared outside procedures (`everywhere`), otherwise
    at its Check statement.
    """

    name: str
    cond: Expr
    everywhere: bool


class Ruling(Declaration):
    """An answer to a question that the rule book leaves open.

    Its value is `fixed`, a late-bound constant whose type is an enum kind of the alternatives.
    """

    name: str
    fixed: Fixed
    alternatives: list[str]
    default: str
    data: dict[str, Any] = field(factory=dict)
