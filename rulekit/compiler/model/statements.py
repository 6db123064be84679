"""Takes nothing, makes the statements of the checked model."""

from __future__ import annotations

from attrs import field

from rulekit.compiler.model.actions import Event, Hook, Invariant, Option
from rulekit.compiler.model.declarations import Guarded, Movement
from rulekit.compiler.model.entities import Cell, Procedure, Slot, Var
from rulekit.compiler.model.expressions import ReadCell
from rulekit.compiler.model.node import Block, Expr, Stmt, binds


class SetVar(Stmt):
    """Assign a frame variable. Op is := += -= (+ and - on a set: union, difference)."""

    var: Var
    op: str
    value: Expr


class SetCell(Stmt):
    """Assign a cell. In an event's body it belongs to the event's record; elsewhere it is the
    anonymous event `changed`."""

    cell: Cell
    keys: list[Expr]
    op: str
    value: Expr


class CallProc(Stmt):
    """`into`: takes the callee's `result` variable when it returns."""

    proc: Procedure
    args: list[Expr]
    into: Var | None = None


class CallSlotSteps(Stmt):
    slot: Slot
    member: Expr
    args: list[Expr]


class CallEvent(Stmt):
    """Make the event happen: record, body, whenevers. (Hooks and windows around it: see
    Event.wrapper.)"""

    event: Event
    args: list[Expr]


class IfStmt(Stmt):
    cond: Expr
    then: Block
    other: Block


class Each(Stmt):
    """For each member of `source`. Plain: the set is fixed when the loop begins, data order, or
    ascending by `keys` (as FirstBy). live: before each round the source is computed anew, less
    those done; the first by the keys is next. `ties`: if several have equal keys that player picks
    which is next (a decision, like Pick). `items`: instead of a set, a fixed list of expressions,
    run in that order (`each s in [attacker, defender]`), evaluated when the loop begins; then
    `source` is None. `numbers`: (low, high) instead, for `each n in 1 .. 9`."""

    var: Var = field(metadata=binds("body"))
    source: Expr | None
    keys: list[Expr]
    key_var: Var | None = field(metadata=binds("keys"))
    ties: Expr | None
    live: bool
    body: Block
    items: list[Expr] | None = None
    numbers: tuple[Expr, Expr] | None = None


class Together(Stmt):
    """Each member of `source` answers the picks, one after the other, without seeing the others'
    answers; when all have answered, `body` runs for each in data order with var and the variables
    of the picks bound. `answers`: for each pick a hidden cell keyed by the member's kind that keeps
    its answers meanwhile. A member of whom a pick has no option is skipped in both; his later picks
    are not asked."""

    var: Var = field(metadata=binds("picks", "body"))
    source: Expr
    picks: list[Pick | PickGroup]
    answers: list[Cell]
    body: Block


class Repeat(Stmt):
    """form: until (test before each round; `limit` rounds without it holding is a RulesError), most
    (at most `limit` rounds), times."""

    form: str
    cond: Expr | None
    limit: Expr
    body: Block


class Leave(Stmt):
    """Out of the innermost loop (of the procedure)."""


class Return(Stmt):
    pass


class Finish(Stmt):
    """Ends the game. `level`: index in Model.levels. `who`: a member of the deciding kind, or
    -1."""

    who: Expr
    level: int


class Roll(Stmt):
    """var := sum of `dice` dice. Records the event die_rolled(purpose, who, value); `who` is -1 if
    nobody rolls.

    `event`: that event if something hangs on it. Then its wrapper is called with (purpose, who,
    value) instead; if meanwhile `redo` was answered, the record roll_cancelled is made and the dice
    are rolled again. The cells that last as long as the wrapper last as long as all these rolls
    together, unless this roll is made inside another one's wrapper: then they last on."""

    var: Var
    dice: int
    faces: int
    who: Expr
    purpose: str
    event: Event | None = None


class Draw(Stmt):
    """Moves min(count, size) random members from one pool to another."""

    count: Expr
    source: ReadCell
    target: ReadCell


class Put(Stmt):
    """A member to a pool, out of whatever pool it is in."""

    what: Expr
    target: ReadCell


class Gather(Stmt):
    source: ReadCell
    target: ReadCell


class Window(Stmt):
    """Opens a moment: each of `asks` (each player once) in turn decides among `options` (those
    whose `asked` is None or equals him) and pass; a player for whom no option is publicly possible
    is skipped silently; after a play the asking starts again with the first; it closes when all
    have passed in a row. `hooks` run first, in order. A moment already open is skipped whole, hooks
    included. `me` is bound to the player asked. `moment`: ordinal in the kind Moment; Here has this
    value meanwhile (and the former one after it). `redo`: it closes without further asking as soon
    as `redo` is answered. Windows stand only in procedures of word "moment" (whose params are the
    moment's fields) and "event" (wrappers).
    """

    moment: int
    asks: list[Expr]
    options: list[Option]
    me: Var = field(metadata=binds("options"))
    hooks: list[Hook]
    redo: bool = False


class Answer(Stmt):
    """what: "halt" (the innermost walk is over after this step), "redo" (the die is rolled again).
    Answers of moments and `answer stop` are plain SetVar on a variable of the moment's or event
    wrapper's frame."""

    what: str


class Choose(Stmt):
    """A decision among options; always asked if at least one is legal; none legal: the rest of the
    block is skipped (nothing happens). `options`: the inline ones, then the menu's; the standing
    ones of running contexts are in `standing`: after one of these was taken the decision is asked
    again. `visible`: the variables that are called by name where it stands, for the gaps of its
    text."""

    who: Expr
    me: Var | None = field(metadata=binds("options", "standing"))
    options: list[Option]
    standing: list[Option]
    prompt: str  # text key
    text: str = ""
    visible: dict[str, Var] = field(factory=dict)


class Pick(Stmt):
    """One of a set (or of low..high: `numbers`). Exactly one possibility and not or_none: taken
    without asking. None: var := -1 with or_none, else the rest of the block is skipped. `alike`: of
    elements equal in these keys (key_var bound) only the first is offered. `visible`: as of
    `Choose`. `sure`: the rules say before it that there is one.
    """

    var: Var
    source: Expr | None
    who: Expr
    prompt: str
    text: str = ""
    or_none: bool = False
    alike: list[Expr] = field(factory=list)
    key_var: Var | None = field(default=None, metadata=binds("alike"))
    numbers: tuple[Expr, Expr] | None = None
    visible: dict[str, Var] = field(factory=dict)
    sure: bool = False


class PickGroup(Stmt):
    """A subset, element by element in ascending order ("add p"), then "go". low..high elements
    (None: 1..all), cut to the size of the source. An element is offered only if enough remain above
    it to reach low. Elements equal in the keys `alike` are one class: only the lowest unpicked of a
    class is offered, classes in the order of their lowest members, a class below the last picked
    one's is closed. `keeps`: what must hold, with var bound to the group, after each element. At
    each step an element with which it would not hold counts as if it were not in the source: it is
    not offered, and low is cut to what is picked and those that remain. It is asked anew at the
    next step, but elements below the last one picked (classes) stay closed. Nothing left to add: go
    is taken, so a group that can no longer grow goes as it is. An empty source, or one from which
    nothing may be added first although high is not 0: the rest of the block is skipped (or_none:
    var := empty set; otherwise with or_none "go" at once is offered). Needs no rule state but the
    frame: undo inside it is free. `visible`: as of `Choose`."""

    var: Var = field(metadata=binds("keeps"))
    source: Expr
    who: Expr
    prompt: str
    text: str = ""
    low: Expr | None = None
    high: Expr | None = None
    or_none: bool = False
    alike: list[Expr] = field(factory=list)
    key_var: Var | None = field(default=None, metadata=binds("alike"))
    keeps: Guarded | None = None
    visible: dict[str, Var] = field(factory=dict)
    sure: bool = False  # the rules say before it that there is somebody


class Walk(Stmt):
    """A walk by a movement, see Movement."""

    movement: Movement
    args: list[Expr]
    start: Expr
    who: Expr


class Check(Stmt):
    """An invariant that must hold here."""

    invariant: Invariant
