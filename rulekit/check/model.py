"""Takes nothing, makes the classes of the checked model: a game with every name resolved and every expression typed.

`check` makes it from syntax trees and data; the reference evaluator runs it as it is; `compile` lowers it. Sugar is
gone:
what is left is a small core. All classes compare by identity.

Values at run time, everywhere in rulekit: a bool is 0 or 1 (or a Python bool); a number is an int; a member of a kind
is its ordinal in data order, `none` is -1; a set over a kind is an int used as a bit mask (bit i = member i); a ratio
is a pair of ints.

Reading with a hole. Where a key or argument may be -1: an attribute, cell, table or define read through it gives the
"empty" value of its type (`empty(type)`: -1, 0, false, empty set); comparisons are false where either side is -1 (both
`=` and `!=`; the test for `none` itself is `IsNone`); a member -1 is in no set.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulekit.base.span import NOWHERE, Span


# ------------------------------------------------------------------------------------------------ types
class Type:
    """Base of types. Types compare by value."""


@define(frozen=True, repr=False)
class Bool(Type):
    pass


@define(frozen=True, repr=False)
class Int(Type):
    """A number with its unit (None: a pure number). low/high: the declared or inferred range, None if unknown."""

    unit: str | None = None
    low: int | None = None
    high: int | None = None


@define(frozen=True, repr=False)
class RatioT(Type):
    pass


@define(frozen=True, repr=False)
class MemberOf(Type):
    kind: Kind
    optional: bool = False


@define(frozen=True, repr=False)
class SetOf(Type):
    kind: Kind


@define(frozen=True, repr=False)
class Record(Type):
    """Several named results of a table."""

    fields: tuple[tuple[str, Type], ...]


def empty(type: Type) -> int:
    """The value that stands for 'nothing there' of a type. (Of a record: the row that is none; `pure.void` gives its results.)"""
    return -1 if isinstance(type, (MemberOf, Record)) else 0


def first_value(type: Type) -> int:
    """What is there before anything is written: empty, or the number of a range that is nearest to 0."""
    if isinstance(type, Int):
        return max(type.low or 0, min(0, 0 if type.high is None else type.high))
    return empty(type)


# ------------------------------------------------------------------------------------------------ things and cells
@define(eq=False, repr=False)
class Kind:
    """A finite sort. `members[i]` is the id of the member with ordinal i. `numbers`: the value in parentheses of each
    member of an ordered kind given in source (else the ordinals). `joins`: for a kind of borders, the kind of place
    they join."""

    name: str
    index: int = 0
    members: list[str] = field(factory=list)
    labels: dict[str, str] = field(factory=dict)  # member id -> text in the source language
    ordered: bool = False
    decides: bool = False
    joins: Kind | None = None
    # of a kind of borders: (border, from, to), both ways, in data order
    arcs: list[tuple[int, int, int]] = field(factory=list)
    fixed: dict[str, Fixed] = field(factory=dict)  # attributes by name
    cells: dict[str, Cell] = field(factory=dict)
    defines: dict[str, Define] = field(factory=dict)
    slots: dict[str, Slot] = field(factory=dict)
    identity: list[Seen] | None = None  # who may know which member it is; None: everybody
    span: Span = NOWHERE

    @property
    def size(self) -> int:
        return len(self.members)

    @property
    def all(self) -> int:
        return (1 << len(self.members)) - 1


@define(eq=False, repr=False)
class Key:
    """One key of a cell or fixed value: a kind, or a range low..high (then `kind` is None)."""

    kind: Kind | None
    low: int = 0
    high: int = 0

    @property
    def size(self) -> int:
        return self.kind.size if self.kind else self.high - self.low + 1


@define(eq=False, repr=False)
class Seen:
    """One clause of `seen by`: `who` is "all", "none", or an expression for a member of the deciding kind; `when` a
    condition.
    Both may read `vars` (one per key of the cell; the element itself for an identity)."""

    who: Expr | str
    when: Expr | None = None
    vars: list[Var] = field(factory=list)


@define(eq=False, repr=False)
class Fixed:
    """Constant data. `values`: row-major over the keys (first key slowest), run-time values. `late`: set when a game is
    made (a ruling, a value of the scenario), so constant within one program: `compile` gets it by name. `synthetic`:
    made by check (neighbours, within, shift, covers); such a fixed may have an Int range key."""

    name: str
    keys: list[Key]
    type: Type
    values: list[int] = field(factory=list)
    late: bool = False
    synthetic: bool = False
    owner: Kind | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Cell:
    """A family of mutable values. `initial`: the default. `resets`: when the activation of a procedure ends, the cell
    (for the first-key ordinals in the mask, None: all) takes its default. `pool`: a set of things that lie here; a
    thing lies in at most one pool of its kind. `clamp`: saturates at the range of its type; else leaving the range is a
    RulesError.
    `hidden`: made by check (limit counters, answers of a `together`), shown to nobody."""

    name: str
    keys: list[Key]
    type: Type
    initial: int = 0
    resets: list[tuple[Procedure, int | None]] = field(factory=list)
    clamp: bool = False
    pool: bool = False
    hidden: bool = False
    seen: list[Seen] = field(factory=list)  # empty: everybody
    owner: Kind | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Var:
    """A named value: parameter, field, local, element of a filter. `frame`: the procedure whose frame holds it; None
    for the parameters of defines, totals, permits, tables, events and slots with a value, and for the elements of
    filters, which live only inside one evaluation."""

    name: str
    type: Type
    frame: Procedure | None = None
    span: Span = NOWHERE
    shared: bool = False  # a field: what the procedure calls may read it, and players are shown it
    held: bool = False  # is all that it is given held to the range of its type?
    clamp: bool = False  # or pulled to its ends?
    once: bool = False  # a `let`: it has one value


# ------------------------------------------------------------------------------------------------ expressions
@define(eq=False, repr=False)
class Expr:
    """Base. Every expression has a `type` and the span of its source."""

    type: Type = field(kw_only=True)
    span: Span = field(kw_only=True, default=NOWHERE, repr=False)


@define(eq=False, repr=False)
class Const(Expr):
    value: int


@define(eq=False, repr=False)
class RatioOf(Expr):
    num: Expr
    den: Expr


@define(eq=False, repr=False)
class Read(Expr):
    """The value of a variable."""

    var: Var


@define(eq=False, repr=False)
class Here(Expr):
    """The innermost open moment (a member of the kind Moment), none if no window or hook is open."""


@define(eq=False, repr=False)
class ReadFixed(Expr):
    fixed: Fixed
    keys: list[Expr]


@define(eq=False, repr=False)
class ReadCell(Expr):
    cell: Cell
    keys: list[Expr]


@define(eq=False, repr=False)
class CallDefine(Expr):
    define: Define
    args: list[Expr]


@define(eq=False, repr=False)
class CallTotal(Expr):
    total: Total
    args: list[Expr]


@define(eq=False, repr=False)
class CallPermit(Expr):
    permit: Permit
    args: list[Expr]


@define(eq=False, repr=False)
class CallTable(Expr):
    """`output`: which of the table's results (None: a whole record; then only let and .name read it)."""

    table: Table
    args: list[Expr]
    output: int | None = None


@define(eq=False, repr=False)
class FieldOf(Expr):
    """A result of a record, e.g. `cell.att` after `let cell = crt(...)`."""

    record: Expr
    index: int


@define(eq=False, repr=False)
class CallSlot(Expr):
    """A value slot of a member (`f.guard(me)`): the member's own `when` lines, or the slot's default."""

    slot: Slot
    member: Expr
    args: list[Expr]


@define(eq=False, repr=False)
class AppliesTo(Expr):
    """Does this clause of a total or permit hold (its condition, its holder if it has one, and no cancel)?"""

    target: Total | Permit
    clause: Clause
    args: list[Expr]


@define(eq=False, repr=False)
class Filter(Expr):
    """The members of `source` (a set) for which `cond` holds with `var` bound to them."""

    source: Expr
    var: Var
    cond: Expr


@define(eq=False, repr=False)
class MakeSet(Expr):
    """{a, b, c}: items are members (one that is -1 adds nothing) or sets (united)."""

    items: list[Expr]


@define(eq=False, repr=False)
class Collect(Expr):
    """values(e of S): the set of the members that e takes over S."""

    source: Expr
    var: Var
    value: Expr


@define(eq=False, repr=False)
class Count(Expr):
    """op: some (bool), no (bool), count (Int)."""

    op: str
    source: Expr


@define(eq=False, repr=False)
class The(Expr):
    """The only member of a set (exactly one: else RulesError), or an optional that must be there."""

    source: Expr


@define(eq=False, repr=False)
class Aggregate(Expr):
    """op: sum, min, max of a number over a set. Of the empty set: sum 0; min and max: 0, and -1 for none of an optional
    member.
    A `min` skips elements whose value is "no limit" (an optional number, see NoLimit); if all are, the result is
    NoLimit."""

    op: str
    source: Expr
    var: Var
    value: Expr


@define(eq=False, repr=False)
class Least(Expr):
    """op: min, max of two or more numbers (or ordered members)."""

    op: str
    args: list[Expr]


@define(eq=False, repr=False)
class FirstBy(Expr):
    """The member of `source` with the least keys, compared in turn; equal keys: data order. -1 if the set is empty.
    A bool key: true comes first."""

    source: Expr
    var: Var
    keys: list[Expr]


@define(eq=False, repr=False)
class Arith(Expr):
    """op: + - * up down (the last two: division rounded up or down, toward plus or minus infinity; by zero a
    RulesError) on numbers."""

    op: str
    left: Expr
    right: Expr


@define(eq=False, repr=False)
class InRange(Expr):
    """A number that is held to the range of its type, where that is not certain beforehand: outside of it a RulesError
    that names `what`. (No limit, the number that is none, passes.)"""

    value: Expr
    what: str


@define(eq=False, repr=False)
class SetOp(Expr):
    """op: + (union), - (difference), & (intersection)."""

    op: str
    left: Expr
    right: Expr


@define(eq=False, repr=False)
class Shift(Expr):
    """A member of an ordered kind moved by a number of places, stopping at the ends."""

    member: Expr
    by: Expr


@define(eq=False, repr=False)
class Compare(Expr):
    """op: = != < <= > >=, on numbers, members, sets and bools. With a member: false where either side is -1."""

    op: str
    left: Expr
    right: Expr


@define(eq=False, repr=False)
class IsNone(Expr):
    value: Expr


@define(eq=False, repr=False)
class In(Expr):
    """A member in a set."""

    item: Expr
    source: Expr


@define(eq=False, repr=False)
class Between(Expr):
    """low <= value <= high"""

    value: Expr
    low: Expr
    high: Expr


@define(eq=False, repr=False)
class Not(Expr):
    value: Expr


@define(eq=False, repr=False)
class And(Expr):
    items: list[Expr]


@define(eq=False, repr=False)
class Or(Expr):
    items: list[Expr]


@define(eq=False, repr=False)
class If(Expr):
    cond: Expr
    then: Expr
    other: Expr


@define(eq=False, repr=False)
class OrElse(Expr):
    """`x ?? y`: x, or y if x is -1."""

    value: Expr
    other: Expr


@define(eq=False, repr=False)
class Running(Expr):
    """Is this procedure running (on the stack of calls)?"""

    proc: Procedure


@define(eq=False, repr=False)
class CouldBeIn(Expr):
    """What everybody may think: is the member's place publicly known to be this pool, or unknown and this hidden pool
    not empty? Of each pooled thing the machine keeps whether its place is publicly known: after a put to or from a
    place that everybody sees, or a `put` of a
    thing that was publicly known (or revealed by an event in the same choice); no longer known once anything is
    drawn at random from the pool where it lies."""

    item: Expr
    pool: ReadCell


@define(eq=False, repr=False)
class ReachOf(Expr):
    movement: Movement
    args: list[Expr]
    start: Expr


NO_LIMIT = 1 << 20  # an optional number (`PM?`) that is none: no limit. Numbers of games stay far below.


# ------------------------------------------------------------------------------------------------ pure declarations
@define(eq=False, repr=False)
class Define:
    """A pure value: the first case whose condition holds (the last has none)."""

    name: str
    params: list[Var]
    type: Type
    cases: list[tuple[Expr | None, Expr]] = field(factory=list)  # (condition, value)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Clause:
    """word: base, set, modifier, least, most, bar. `holder`: (var, set): a card's clause holds once for each member of
    the set, with `var` bound to it (modifier: each adds; others: if any). `cancels`: the conditions under which it does
    not count, each with its own holder. Clauses stand in the order in which they apply (for `set`: the first that holds
    wins)."""

    word: str
    name: str
    amount: Expr | None = None
    cond: Expr | None = None
    holder: tuple[Var, Expr] | None = None
    cancels: list[Cancel] = field(factory=list)
    reason: str = ""
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Cancel:
    cond: Expr | None
    holder: tuple[Var, Expr] | None = None
    ref: tuple[str, ...] = ()
    by: str = ""  # the card or declaration that it stands in
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Total:
    """value = first `set` that applies, else the first `base` that applies, else 0; + every `modifier` that applies;
    then at least (the greatest `least` that applies), then at most (the least `most`)."""

    name: str
    params: list[Var]
    type: Type
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Permit:
    """True unless a `bar` clause applies."""

    name: str
    params: list[Var]
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Table:
    """Dense lookup. `keys[i]`: the domain of argument i; `clamps[i]`: a number beyond the ends is pulled to the end
    (else RulesError).
    `outputs`: names and types of results; `data[j]`: row-major values of result j.
    A ratio table has one key of type RatioT: `ratios` are its columns as (num, den), ascending; `rounding` down: the
    greatest column that is <= the ratio, up: the least that is >= it; ends clamp. x to 0 is the top, 0 to x the bottom
    (0 to 0 too)."""

    name: str
    params: list[Var]
    keys: list[Key | None]  # None: a ratio
    clamps: list[bool]
    outputs: list[tuple[str, Type]]
    data: list[list[int]]
    ratios: list[tuple[int, int]] = field(factory=list)
    rounding: str = "down"
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Slot:
    """Of a kind: `values[i]` (an expression, or None: `default`) or, for a slot of steps, `blocks[i]` (a procedure or
    None) of member i.
    Parameters: `params` are the declared ones; each member's expression reads those very Vars; a member's block is a
    procedure with the same parameters in the same order."""

    name: str
    kind: Kind
    params: list[Var]
    type: Type | None  # None: steps
    default: Expr | None = None
    values: list[Expr | None] = field(factory=list)
    blocks: list[Procedure | None] = field(factory=list)


# ------------------------------------------------------------------------------------------------ statements
@define(eq=False, repr=False)
class Stmt:
    span: Span = field(kw_only=True, default=NOWHERE, repr=False)
    ref: tuple[str, ...] = field(kw_only=True, default=())


Block = list[Stmt]


@define(eq=False, repr=False)
class SetVar(Stmt):
    """Assign a frame variable. Op is := += -= (+ and - on a set: union, difference)."""

    var: Var
    op: str
    value: Expr


@define(eq=False, repr=False)
class SetCell(Stmt):
    """Assign a cell. In an event's body it belongs to the event's record; elsewhere it is the anonymous event
    `changed`."""

    cell: Cell
    keys: list[Expr]
    op: str
    value: Expr


@define(eq=False, repr=False)
class CallProc(Stmt):
    """`into`: takes the callee's `result` variable when it returns."""

    proc: Procedure
    args: list[Expr]
    into: Var | None = None


@define(eq=False, repr=False)
class CallSlotSteps(Stmt):
    slot: Slot
    member: Expr
    args: list[Expr]


@define(eq=False, repr=False)
class CallEvent(Stmt):
    """Make the event happen: record, body, whenevers. (Hooks and windows around it: see Event.wrapper.)"""

    event: Event
    args: list[Expr]


@define(eq=False, repr=False)
class IfStmt(Stmt):
    cond: Expr
    then: Block
    other: Block


@define(eq=False, repr=False)
class Each(Stmt):
    """For each member of `source`. Plain: the set is fixed when the loop begins, data order, or ascending by `keys` (as
    FirstBy).
    live: before each round the source is computed anew, less those done; the first by the keys is next. `ties`: if
    several have equal keys that player picks which is next (a decision, like Pick). `items`: instead of a set, a fixed
    list of expressions, run in that order (`each s in [attacker, defender]`), evaluated when the loop begins; then
    `source` is None.
    `numbers`: (low, high) instead, for `each n in 1 .. 9`."""

    var: Var
    source: Expr | None
    keys: list[Expr]
    key_var: Var | None
    ties: Expr | None
    live: bool
    body: Block
    items: list[Expr] | None = None
    numbers: tuple[Expr, Expr] | None = None


@define(eq=False, repr=False)
class Together(Stmt):
    """Each member of `source` answers `pick` without seeing the others' answers; when all have answered, `body` runs
    for each in data order with var and pick.var bound. `answers`: a hidden cell keyed by the member's kind that keeps
    them meanwhile.
    A member whose pick has no option is skipped in both."""

    var: Var
    source: Expr
    pick: Pick
    answers: Cell
    body: Block


@define(eq=False, repr=False)
class Repeat(Stmt):
    """form: until (test before each round; `limit` rounds without it holding is a RulesError), most (at most `limit`
    rounds), times."""

    form: str
    cond: Expr | None
    limit: Expr
    body: Block


@define(eq=False, repr=False)
class Leave(Stmt):
    """Out of the innermost loop (of the procedure)."""


@define(eq=False, repr=False)
class Return(Stmt):
    pass


@define(eq=False, repr=False)
class Finish(Stmt):
    """Ends the game. `level`: index in Model.levels. `who`: a member of the deciding kind, or -1."""

    who: Expr
    level: int


@define(eq=False, repr=False)
class Roll(Stmt):
    """var := sum of `dice` dice. Records the event die_rolled(purpose, who, value).

    `event`: that event if something hangs on it. Then its wrapper is called with (purpose, who, value) instead; if
    meanwhile `redo` was answered, the record roll_cancelled is made and the dice are rolled again. The cells that last as
    long as the wrapper last as long as all these rolls together, unless this roll is made inside another one's wrapper:
    then they last on."""

    var: Var
    dice: int
    faces: int
    who: Expr
    purpose: str
    event: Event | None = None


@define(eq=False, repr=False)
class Draw(Stmt):
    """Moves min(count, size) random members from one pool to another."""

    count: Expr
    source: ReadCell
    target: ReadCell


@define(eq=False, repr=False)
class Put(Stmt):
    """A member to a pool, out of whatever pool it is in."""

    what: Expr
    target: ReadCell


@define(eq=False, repr=False)
class Gather(Stmt):
    source: ReadCell
    target: ReadCell


@define(eq=False, repr=False)
class Window(Stmt):
    """Opens a moment: each of `asks` (each player once) in turn decides among `options` (those whose `asked` is None or equals him) and
    pass; a player for whom no option is publicly possible is skipped silently; after a play the asking starts again
    with the first; it closes when all have passed in a row. `hooks` run first, in order. A moment already open is
    skipped whole, hooks included.
    `me` is bound to the player asked. `moment`: ordinal in the kind Moment; Here has this value meanwhile (and the
    former one after it).
    `redo`: it closes without further asking as soon as `redo` is answered.
    Windows stand only in procedures of word "moment" (whose params are the moment's fields) and "event" (wrappers)."""

    moment: int
    asks: list[Expr]
    options: list[Option]
    me: Var
    hooks: list[Hook]
    redo: bool = False


@define(eq=False, repr=False)
class Answer(Stmt):
    """what: "halt" (the innermost walk is over after this step), "redo" (the die is rolled again). Answers of moments
    and `answer stop` are plain SetVar on a variable of the moment's or event wrapper's frame."""

    what: str


@define(eq=False, repr=False)
class Choose(Stmt):
    """A decision among options; always asked if at least one is legal; none legal: the rest of the block is skipped
    (nothing happens).
    `options`: the inline ones, then the menu's; the standing ones of running contexts are in `standing`: after one of
    these was taken the decision is asked again.
    `visible`: the variables that are called by name where it stands, for the gaps of its text."""

    who: Expr
    me: Var | None
    options: list[Option]
    standing: list[Option]
    prompt: str  # text key
    text: str = ""
    visible: dict[str, Var] = field(factory=dict)


@define(eq=False, repr=False)
class Pick(Stmt):
    """One of a set (or of low..high: `numbers`). Exactly one possibility and not or_none: taken without asking. None:
    var := -1 with or_none, else the rest of the block is skipped. `alike`: of elements equal in these keys (key_var
    bound) only the first is offered. `visible`: as of `Choose`. `sure`: the rules say before it that there is one."""

    var: Var
    source: Expr | None
    who: Expr
    prompt: str
    text: str = ""
    or_none: bool = False
    alike: list[Expr] = field(factory=list)
    key_var: Var | None = None
    numbers: tuple[Expr, Expr] | None = None
    visible: dict[str, Var] = field(factory=dict)
    sure: bool = False


@define(eq=False, repr=False)
class PickGroup(Stmt):
    """A subset, element by element in ascending order ("add p"), then "go". low..high elements (None: 1..all), cut to
    the size of the source. An element is offered only if enough remain above it to reach low. Elements equal in the
    keys `alike` are one class: only the lowest
    unpicked of a class is offered, classes in the order of their lowest members, a class below the last picked one's is
    closed.
    `keeps`: what must hold, with var bound to the group, after each element. At each step an element with which it
    would not hold counts as if it were not in the source: it is not offered, and low is cut to what is picked and those
    that remain. It is asked anew at the next step, but elements below the last one picked (classes) stay closed.
    Nothing left to add: go is taken, so a group that can no longer grow goes as it is. An empty source, or one from
    which nothing may be added first although high is not 0: the rest of the block is skipped (or_none: var := empty
    set; otherwise with or_none "go" at once is offered).
    Needs no rule state but the frame: undo inside it is free. `visible`: as of `Choose`."""

    var: Var
    source: Expr
    who: Expr
    prompt: str
    text: str = ""
    low: Expr | None = None
    high: Expr | None = None
    or_none: bool = False
    alike: list[Expr] = field(factory=list)
    key_var: Var | None = None
    keeps: Guarded | None = None
    visible: dict[str, Var] = field(factory=dict)
    sure: bool = False  # the rules say before it that there is somebody


@define(eq=False, repr=False)
class Walk(Stmt):
    """A walk by a movement, see Movement."""

    movement: Movement
    args: list[Expr]
    start: Expr
    who: Expr


@define(eq=False, repr=False)
class Check(Stmt):
    """An invariant that must hold here."""

    invariant: Invariant


# ------------------------------------------------------------------------------------------------ things that happen
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


@define(eq=False, repr=False)
class Model:
    """A checked game."""

    name: str
    version: int
    kinds: dict[str, Kind] = field(factory=dict)
    units: list[str] = field(factory=list)
    fixed: list[Fixed] = field(factory=list)  # all, attributes included
    cells: list[Cell] = field(factory=list)  # all, attributes, pools and hidden ones included
    defines: list[Define] = field(factory=list)
    totals: list[Total] = field(factory=list)
    permits: list[Permit] = field(factory=list)
    tables: list[Table] = field(factory=list)
    slots: list[Slot] = field(factory=list)
    events: list[Event] = field(factory=list)
    procedures: list[Procedure] = field(factory=list)
    movements: list[Movement] = field(factory=list)
    options: list[Option] = field(factory=list)
    whenevers: list[Whenever] = field(factory=list)
    invariants: list[Invariant] = field(factory=list)
    rulings: list[Ruling] = field(factory=list)
    sides: Kind | None = None  # the kind that decides
    moments: Kind | None = None  # the kind Moment: members are the names of the moments
    main: Procedure | None = None
    setup: Procedure | None = None
    levels: list[str] = field(factory=list)
    purposes: list[str] = field(factory=list)  # of dice
    scenarios: dict[str, Any] = field(factory=dict)  # name -> Scenario (see rulekit.check.data)
    texts: dict[str, dict[str, str]] = field(factory=dict)  # language -> key -> text
    cited: set[str] = field(factory=set)  # the paragraphs that the rules cite, with those around them
    wanted_texts: dict[str, str] = field(factory=dict)  # key -> text beside the declaration, or empty: all that a language should say
    info: dict[str, Any] = field(factory=dict)  # manifest, geometry, provenance: for frontends
    told: set[Var] = field(factory=set)  # variables that the drawing shows to all

    def pools_of(self, pool: Cell) -> list[Cell]:
        """All pools of the things that lie in one: what is put into it leaves any of them."""
        kind = pool.type.kind if isinstance(pool.type, SetOf) else None
        return [c for c in self.cells if c.pool and isinstance(c.type, SetOf) and c.type.kind is kind]

    @property
    def rolled(self) -> Event | None:
        """The event die_rolled if something hangs on it."""
        return next((event for event in self.events if event.built_in), None)

    @property
    def purpose_kind(self) -> Kind | None:
        """The kind of what dice are rolled for, if something hangs on dice: its members are `purposes`."""
        type = self.rolled.params[0].type if self.rolled is not None else None
        return type.kind if isinstance(type, MemberOf) else None
