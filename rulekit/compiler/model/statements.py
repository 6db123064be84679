"""Statements of the checked model."""

from __future__ import annotations

from attrs import field

from rulekit.compiler.model.actions import EventDeclaration, GuardedOption, Hook, Invariant
from rulekit.compiler.model.declarations import Guarded, Movement
from rulekit.compiler.model.entities import Cell, Procedure, Slot, Var
from rulekit.compiler.model.expressions import ReadCell
from rulekit.compiler.model.node import Block, Expr, Stmt, binds


class SetVar(Stmt):
    """Assign a frame variable. The `op` is :=, += or -= (on a set, += is union and -= is
    difference).
    """

    var: Var
    op: str
    value: Expr


class SetCell(Stmt):
    """Assign a cell.

    In the body of an event it belongs to the record of the event. Elsewhere it is the anonymous
    event `changed`.
    """

    cell: Cell
    keys: list[Expr]
    op: str
    value: Expr


class CallProc(Stmt):
    """Call a procedure. The variable `into` receives the `result` of the procedure when it
    returns.
    """

    proc: Procedure
    args: list[Expr]
    into: Var | None = None


class CallSlotSteps(Stmt):
    slot: Slot
    member: Expr
    args: list[Expr]


class CallEvent(Stmt):
    """Make an event happen: its record, its body, then the `whenever` rules.

    Hooks and windows around the event are in `EventDeclaration.wrapper`.
    """

    event: EventDeclaration
    args: list[Expr]


class IfStmt(Stmt):
    cond: Expr
    then: Block
    other: Block


class Each(Stmt):
    """Run a block for each member of `source`.

    A plain loop evaluates the set once at the beginning. It runs in data order, or ascending by
    `keys` (as FirstBy).

    Attributes:
        live: True to evaluate the source anew before each round, without the members that are done.
            The next member is the first by the keys.
        ties: the player who picks the next member if several have equal keys. This is a decision,
            like Pick.
        items: instead of `source`, a list of expressions to run in that order (`each s in
            [attacker, defender]`). They are evaluated when the loop begins.
        numbers: instead of `source`, (low, high) for `each n in 1 .. 9`.
    """

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
    """Let each member of `source` answer the picks, one after the other, without seeing the answers
    of the others.

    When all have answered, `body` runs for each in data order, with `var` and the variables of the
    picks bound. If a pick has no option for a member, that member is left out of both parts, and
    their later picks are not asked.

    Attributes:
        answers: for each pick a hidden cell, keyed by the kind of the member, that stores its
            answers in the meantime.
    """

    var: Var = field(metadata=binds("picks", "body"))
    source: Expr
    picks: list[Pick | PickGroup]
    answers: list[Cell]
    body: Block


class Repeat(Stmt):
    """Repeat a block.

    Attributes:
        form: "until" tests the condition before each round, and `limit` rounds that do not fulfil
            it raise RulesError. "most" runs at most `limit` rounds, and "times" exactly `limit`
            rounds.
    """

    form: str
    cond: Expr | None
    limit: Expr
    body: Block


class Leave(Stmt):
    """Leave the innermost loop of the procedure."""


class Return(Stmt):
    pass


class Finish(Stmt):
    """End the game.

    Attributes:
        level: an index in Model.levels.
        who: a member of the deciding kind, or -1.
    """

    who: Expr
    level: int


class Roll(Stmt):
    """Assign the sum of `dice` dice to `var`.

    The roll is recorded as the event die_rolled, with the purpose, the player who rolls (-1:
    nobody) and the value.

    If rules depend on this event, it is in `event`, and its wrapper is called with these three
    arguments instead. If `redo` is answered in the wrapper, the record roll_cancelled is made and
    the dice are rolled again. Cells scoped to the wrapper keep their values across all these rolls.
    If this roll is made inside the wrapper of another roll, they keep them until that one ends.
    """

    var: Var
    dice: int
    faces: int
    who: Expr
    purpose: str
    event: EventDeclaration | None = None


class Draw(Stmt):
    """Move min(count, size) random members from one pool to another."""

    count: Expr
    source: ReadCell
    target: ReadCell


class PutMember(Stmt):
    """Put a member into a pool, out of the pool that it is in."""

    what: Expr
    target: ReadCell


class Gather(Stmt):
    """Put all members of one pool into another."""

    source: ReadCell
    target: ReadCell


class Window(Stmt):
    """Open a moment, in which players may react.

    The `hooks` run first, in order. Then each player in `asks` (each once) decides in turn among
    `options` and pass. Only options whose `asked` is None or contains the player count. A player is
    skipped without a decision if no option is publicly possible for them. After a play, the asking
    starts again with the first player. The window closes when all have passed in a row. A moment
    that is already open is skipped completely, including its hooks.

    Windows occur only in procedures of word "moment" (with the fields of the moment as params) and
    "event" (wrappers).

    Attributes:
        moment: the ordinal in the kind Moment. `Here` has this value while the window is open, and
            its former value afterwards.
        me: the variable bound to the player who is asked.
        redo: True to close without further asking as soon as `redo` is answered.
    """

    moment: int
    asks: list[Expr]
    options: list[GuardedOption]
    me: Var = field(metadata=binds("options"))
    hooks: list[Hook]
    redo: bool = False


class Answer(Stmt):
    """Answer the machine.

    The answers of moments, and `answer stop`, are a plain SetVar on a variable in the frame of the
    moment or event wrapper.

    Attributes:
        what: "halt" ends the innermost walk after this step, and "redo" rolls the die again.
    """

    what: str


class Choose(Stmt):
    """A decision among options.

    It is asked whenever at least one option is legal. If none is legal, the rest of the block is
    skipped and nothing happens.

    Attributes:
        options: the inline options, then those of the menu.
        standing: the standing options of running contexts. After one of them is taken, the decision
            is asked again.
        visible: by name, the variables that the placeholders of its text can use.
    """

    who: Expr
    me: Var | None = field(metadata=binds("options", "standing"))
    options: list[GuardedOption]
    standing: list[GuardedOption]
    prompt: str  # text key
    text: str = ""
    visible: dict[str, Var] = field(factory=dict)


class Pick(Stmt):
    """Pick one member of a set, or a number in low..high (`numbers`).

    A single possibility is taken without asking unless `or_none` is set. If there is none, `var`
    becomes -1 with `or_none`; otherwise the rest of the block is skipped.

    Attributes:
        alike: keys that are evaluated with `key_var` bound. Of elements with equal keys only the
            first is offered.
        visible: as in `Choose`.
        sure: True if preceding rules guarantee that there is a possibility.
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
    """Pick a subset, element by element in ascending order ("add p"), then "go".

    The size is low..high (None: 1 and the size of the source), at most the size of the source. An
    element is offered only if enough elements remain above it to reach `low`. The group is stored
    only in the frame, so undo inside it is free.

    If nothing is left to add, "go" is taken without asking, so a group that cannot grow is
    complete. If the source is empty, or no element may be added first although `high` is not 0, the
    rest of the block is skipped. With `or_none`, `var` becomes the empty set instead, and in all
    other cases "go" is offered from the start.

    Attributes:
        alike: keys that divide the elements into classes. Only the lowest unpicked element of a
            class is offered. Classes are in the order of their lowest members, and those below the
            class of the last picked element are closed.
        keeps: a condition that must hold after each element, with `var` bound to the group. An
            element that would break it counts at this step as if it were not in the source. It is
            not offered, and `low` is limited to the number of picked and remaining elements. The
            next step evaluates it anew, but elements (classes) below the last picked one stay
            closed.
        visible: as in `Choose`.
    """

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
    """Walk by a movement, see Movement."""

    movement: Movement
    args: list[Expr]
    start: Expr
    who: Expr


class Check(Stmt):
    """Check that an invariant holds at this point."""

    invariant: Invariant
