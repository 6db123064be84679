"""Takes nothing, makes what happens in a checked model: procedures, events, options, movements, invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulekit.base.span import NOWHERE, Span

if TYPE_CHECKING:
    from rulekit.model.expressions import Expr, ReadCell
    from rulekit.model.statements import Block
    from rulekit.model.things import Cell, Fixed, Kind, Var

@define(eq=False, repr=False)
class Procedure:
    """word: procedure, phase, action, reaction, standing, moment (opens its window), event (the wrapper of an event),
    hook, whenever, slot (a card's
    steps), movement, main, setup.
    `params` first; `vars`: all other frame variables of its body. `context`: the procedure that must be running when
    this one is called (its
    variables may be read). `asks`: may suspend for a decision. `reentrant`: may be called while it is running: then its
    frame (params and vars) is saved at the call and brought back at the return; at most 4 deep, else a RulesError.
    When it ends, the cells that reset with it take their defaults
    (`Cell.resets`), which is one record `scope_ended`; but not when an event ends that was made inside a window of
    another one of its name."""

    name: str
    word: str
    params: list[Var] = field(factory=list)
    vars: list[Var] = field(factory=list)
    context: Procedure | None = None
    body: Block = field(factory=list)
    asks: bool = False
    reentrant: bool = False
    result: Var | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Event:
    """`body`: SetCell, Each, IfStmt only (variables of the body have frame None). `writes`: the cells that it may
    write. `wrapper`: if there are
    hooks or reactions on it, the procedure (same parameters) that calls have been redirected to by check; its body
    does hooks before, CallEvent,
    hooks and window after. `built_in`: die_rolled, which has a record of the machine's own."""

    name: str
    index: int
    params: list[Var]
    body: Block = field(factory=list)
    writes: list[Cell] = field(factory=list)
    reveals: list[Expr] = field(factory=list)
    wrapper: Procedure | None = None
    built_in: bool = False
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Whenever:
    """After an event that wrote one of `reads`: while `source` has members not yet done in this event, run `body`
    (which asks nothing) for the first of them. Its variables have frame `proc` (a procedure made for it)."""

    name: str
    var: Var
    source: Expr
    proc: Procedure  # one parameter: var
    reads: list[Cell] = field(factory=list)
    ref: tuple[str, ...] = ()


@define(eq=False, repr=False)
class Hook:
    """`proc`: a procedure without parameters that runs at this point if `cond` holds."""

    name: str
    cond: Expr | None
    proc: Procedure
    ref: tuple[str, ...] = ()


@define(eq=False, repr=False)
class Guarded:
    """One `when` line."""

    cond: Expr
    reason: str
    key: str  # text key
    ref: tuple[str, ...] = ()


@define(eq=False, repr=False)
class Pays:
    amount: Expr
    target: Var | ReadCell
    ref: tuple[str, ...] = ()


@define(eq=False, repr=False)
class Limit:
    """At most `count` times: `counter` (a hidden cell, read with `keys`) must be below it, and is counted up when the
    option is taken.
    `unless`: a condition under which it does not bind. `counts`: the condition under which it counts up (None:
    always)."""

    count: int
    counter: Cell
    keys: list[Expr]
    unless: Expr | None = None
    counts: Expr | None = None
    ref: tuple[str, ...] = ()
    name: str = ""


@define(eq=False, repr=False)
class With:
    """`with t = e`: bound before the guards that follow; an option whose e is -1 is not there. In the body it is read
    as a variable too."""

    var: Var
    value: Expr


@define(eq=False, repr=False)
class Option:
    """A guarded offer. `params`: variables with a finite domain (their type's kind, or `ranges`), enumerated
    lexicographically, in data order.
    `clauses`: Guarded, With, Pays, Limit in written order; all must pass. Inline options: `proc` is None and `body`
    runs in the frame of the procedure that holds the Choose (params and `with` variables belong to its frame). Others:
    `proc` has the parameters [me, *params, *with variables] and is called; the guards read the same Var objects, bound
    by enumeration.
    `domains`: per parameter an expression for a set that it is restricted to (e.g. the faces whose window is this
    moment), or None.
    `possible`: the condition that the option is *publicly possible* for `me` (params already quantified by `Count some`
    or dropped), only for options in windows; None: always.
    `asked`: only these players may take a reaction: `for WHO`, or whom its moment asks (None: everybody asked)."""

    name: str
    word: str
    params: list[Var]
    clauses: list[Guarded | With | Pays | Limit] = field(factory=list)
    proc: Procedure | None = None
    body: Block = field(factory=list)
    me: Var | None = None
    domains: list[Expr | None] = field(factory=list)
    ranges: list[tuple[int, int] | None] = field(factory=list)  # per parameter of type Int: its range
    possible: Expr | None = None
    asked: list[Expr] | None = None
    label: str = ""
    key: str = ""  # text key
    secret: bool = False  # its parameters are hidden from others (a card out of a hand) until an event reveals them
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Movement:
    """A bounded walk through the graph of `border`. `proc` (word "movement") has the parameters of the movement, and as
    variables start, at, fuel (numbers), been (set), gone (bool); and border_var, from_var, to_var. `group`: the first
    parameter whose type is a set, or None.

    Let `steps(at, fuel, been)` be the borders (in data order) from `at` to a place z not in `been`, with cost <= fuel,
    all `may` true, and from where the walk can still end legally: `end` holds at z, or not `stop` at z and some further
    step can (look-ahead: `may`, `stop`, `end`, `cost` are read with the state as it is now, b/a/z bound to the step;
    places in `been` are not entered in the look-ahead either, or it
    could count on going back and lead the group to a place that it cannot leave).
    For `stop` and `end`, b, a, z are those of the step by which z was reached.

    walk: 1. at := start; been := {start}; fuel := allowance (none: NO_LIMIT). 2. options: the steps ("to z"; when
    two borders lead to the same
    place, each is an option), and "stop" if at least one step was made and `end` holds. Nothing legal: no step made:
    the walk is over (nothing happens);
    else `stranded` runs (b, a, z bound) and it is over. Exactly one option: taken without asking - except the very
    first, if it is a step and the walk
    is optional (never: walks are not optional). 3. a step: fuel -= cost; at := z; been += z; `on_entry` runs (it may
    suspend). If `halt` was answered, or the
    group is not empty and no member of it is at z any more (group members are dropped that are no longer there:
    `place_cell` of the member != z): over;
    halted where `end` fails: `stranded`. 4. `stop` asked again: if it holds the walk is over. Else 2.
    """

    name: str
    proc: Procedure
    border: Kind
    start: Var
    at: Var
    fuel: Var
    been: Var
    border_var: Var
    from_var: Var
    to_var: Var
    halted: Var
    group: Var | None
    place_cell: Cell | None  # where a member of the group stands; None: no group check
    arcs: list[tuple[int, int, int]]  # (border, from, to), both directions, in data order of the borders
    allowance: Expr | None
    cost: Expr | None
    may: list[Guarded]
    stop: list[Guarded]
    end: list[Guarded]
    on_entry: Block
    stranded: Block
    ref: tuple[str, ...] = ()


@define(eq=False, repr=False)
class Invariant:
    """Checked after every choice if it stands in no procedure (`everywhere`), else where its Check statement stands."""

    name: str
    cond: Expr
    everywhere: bool
    ref: tuple[str, ...] = ()


@define(eq=False, repr=False)
class Ruling:
    """`fixed` is late, its type an enum kind of the alternatives."""

    name: str
    fixed: Fixed
    alternatives: list[str]
    default: str
    data: dict[str, Any] = field(factory=dict)
