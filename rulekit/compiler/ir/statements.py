"""The statements of the intermediate form, and the blocks and functions that hold them.

A statement consists of its fields and the author's place. The place does not count in comparisons.
`Goto`, `Decide`, `ReturnStatement` and `StopStatement` end a block.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.ir.functions import FunctionName
from rulekit.compiler.ir.values import Local, Plain, RowValue, SlotValue, Value


class Statement(Plain):
    """Base class of statements. `Stmt` is the union of all of them."""

    span: Span = field(default=NOWHERE, eq=False, kw_only=True)


Code: TypeAlias = "tuple[Stmt, ...]"
Writes: TypeAlias = Literal[  # the functions of the runtime with effects
    "draw_things",
    "fill",
    "fill_at",
    "gather_things",
    "log_revealed",
    "put_all",
    "put_both",
    "put_group",
    "put_thing",
    "roll_dice",
    "save_frame",
]


# ------------------------------------------------------------------------------------------- locals
class Assign(Statement):
    """Assign a local. op: = += -= |= &=."""

    local: Local
    value: Value
    op: str = "="


class Unpack(Statement):
    """Assign several locals from one entry of a table of rows."""

    locals: tuple[Local, ...]
    row: RowValue


class Do(Statement):
    """Evaluate a value for the error that it may raise, or for the listener that it reports to."""

    value: Value


# ---------------------------------------------------------------------------------------- the state
class PutStatement(Statement):
    """Write a slot. op: = |= &= += -=. The full variant puts the old value on the trail."""

    slot: SlotValue
    value: Value
    op: str = "="


class PutFrame(Statement):
    """Assign a frame variable, which is a slot or has become a local of the function."""

    slot: int
    value: Value


class LogStatement(Statement):
    """Append a record with these elements to the log. Only the full variant has it."""

    items: tuple[Value, ...]


class CallStatement(Statement):
    """Call a function of the module with effects. `into` is a frame variable for its result,
    `local` a local for it.
    """

    function: FunctionName
    args: tuple[Value, ...]
    into: int = -1
    local: Local | None = None


class Effect(Statement):
    """Call a function of the runtime with effects, which receives the log and the trail.

    `tables` names the constants among its first arguments.
    """

    function: Writes
    args: tuple[Value, ...]
    tables: tuple[str, ...] = ()
    into: int = -1
    frame: int = -1  # the procedure with the frame to save


class NoLayers(Statement):
    """Clear the options: nothing can be chosen any more."""


# ------------------------------------------------------------------------------------------ control
class IfStatement(Statement):
    cond: Value
    then: Code
    other: Code = ()


class While(Statement):
    """A loop. `cond` None means until it is left from inside."""

    cond: Value | None
    body: Code


class ForBits(Statement):
    """Loop over the members of the mask in a local, lowest first, which empties the local.

    `bit` receives the set that holds only the current member.
    """

    mask: Local
    index: Local
    bit: Local | None
    body: Code


class ForRows(Statement):
    """Loop over the entries of a constant table. With `at`: over the list of rows at this entry."""

    locals: tuple[Local, ...]
    table: str
    at: Value | None
    body: Code


class ForRange(Statement):
    """Loop over low <= local < high."""

    local: Local
    low: Value
    high: Value
    body: Code


class ForItems(Statement):
    """Loop over the values one by one or, if `listed`, over the elements of one value of type
    Packed.
    """

    local: Local
    items: tuple[Value, ...]
    listed: bool
    body: Code


class ForMembers(Statement):
    """Loop over the members of a mask, which is evaluated once."""

    local: Local
    mask: Value
    body: Code


class Break(Statement):
    pass


class Continue(Statement):
    pass


class Give(Statement):
    """Return from a function, with or without a value."""

    value: Value | None = None


# ---------------------------------------------------------------------------- loops with one result
class KeepLeast(Statement):
    """Store `member` in `best` if its keys are smaller than those in `least`, or if `best` is
    -1.
    """

    best: Local
    least: Local
    keys: tuple[Value, ...]
    member: Local


class KeepExtreme(Statement):
    """Keep the least or greatest value so far in `best`, which starts as Nothing. With `skip`, -1
    does not count.
    """

    op: Literal["min", "max"]
    best: Local
    value: Value
    skip: bool


class GiveExtreme(Statement):
    """Return the value that `KeepExtreme` kept from the function, or `none` if there was no
    value.
    """

    best: Local
    none: int


class SortIn(Statement):
    """Add a member with its keys to a list, which `GiveList` sorts."""

    out: Local
    keys: tuple[Value, ...]
    member: Local


class GroupIn(Statement):
    """Add a bit to the class of members with the same keys."""

    out: Local
    keys: tuple[Value, ...]
    bit: Local


class Distinct(Statement):
    """Add a bit to a mask unless an earlier one had the same keys."""

    out: Local
    seen: Local
    keys: tuple[Value, ...]
    bit: Local


class NewList(Statement):
    """Create an empty collection.

    Attributes:
        form: `list` (for SortIn, or for layers), `groups` (for GroupIn) or `keys` (the keys that
            Distinct has seen).
        size: the number of members of the kind.
    """

    out: Local
    form: str
    size: int = 0


class GiveList(Statement):
    """Return the sorted members of a list from the function, or the classes of groups as a packed
    list.

    With `sorted`, the classes are in the order of their keys.
    """

    out: Local
    form: str
    sorted: bool = True


# ----------------------------------------------------------------------------------------- searches
class NewSearch(Statement):
    """Start a search at a place with an amount left.

    Attributes:
        places: an upper bound of the number of keys.
        arcs: an upper bound of the length of the queue.
    """

    place: Value
    left: Value
    places: int
    arcs: int


class WhileOpen(Statement):
    """Loop while the queue is not empty. `place` and `left` receive its oldest entry."""

    place: Local
    left: Local
    body: Code


class Improve(Statement):
    """Continue with the next arc unless more is left than ever before with these keys. Otherwise
    record the amount.
    """

    keys: tuple[Value, ...]
    left: Value


class Later(Statement):
    """Append a place to the queue of the search."""

    place: Value
    left: Value


# -------------------------------------------------------------------------------------------- lists
class Append(Statement):
    """Append a layer, or a record of the traced variant, to a list."""

    out: Local
    item: Value


# ------------------------------------------------------------------------------------------- errors
class Tick(Statement):
    """Count a round. Too many rounds without a decision are an error."""


class Fail(Statement):
    """End play with an error.

    Attributes:
        what: `too_long` (args: the limit), `broken` (the number of an invariant), `costs` (a step
            costs less than 0) or `unfinished`.
    """

    what: str
    args: tuple[Value, ...] = ()


class OverStatement(Statement):
    """End the game inside a function."""


# ------------------------------------------------------------------------------------------- blocks
class Goto(Statement):
    block: Block


class Decide(Statement):
    """Wait for a decision, and end the function.

    `layers` holds its options. None means that the options function of the decision lists them.
    """

    decision: int
    layers: Value | None


class ReturnStatement(Statement):
    """Return to the block of the caller whose number the slot `returns` holds.

    `frame` is the procedure with a saved frame that is restored, or -1.
    """

    returns: int
    frame: int = -1


class StopStatement(Statement):
    """End the block because the game is over."""


class Wait(Statement):
    """Wait at a decision with these options. Decision 0 is the one at which play stood before."""

    decision: int
    layers: Value


class Next(Statement):
    """Leave a routine and continue with a block, or stop if the block is 0."""

    block: int


# ------------------------------------------------------------------------ the unions of all classes
Simple: TypeAlias = (
    Assign
    | Unpack
    | Do
    | PutStatement
    | PutFrame
    | LogStatement
    | CallStatement
    | Effect
    | NoLayers
)
Loop: TypeAlias = While | ForBits | ForRows | ForRange | ForItems | ForMembers | WhileOpen
Leaving: TypeAlias = Break | Continue | Give
Gathering: TypeAlias = (
    KeepLeast | KeepExtreme | GiveExtreme | SortIn | GroupIn | Distinct | NewList | GiveList
)
Searching: TypeAlias = NewSearch | Improve | Later
Ending: TypeAlias = Goto | Decide | ReturnStatement | StopStatement | Wait | Next
Other: TypeAlias = IfStatement | Append | Tick | Fail | OverStatement
Stmt: TypeAlias = Simple | Loop | Leaving | Gathering | Searching | Ending | Other


@define(eq=False)
class Block:
    """Straight code that ends in Goto, Decide, Return or Stop.

    Attributes:
        entry: True if it must be a function of its own.
        option: True if it receives the chosen id.
        preds: the number of jumps to it.
    """

    number: int
    proc: m.Procedure | None
    body: list[Stmt] = field(factory=list)
    entry: bool = False
    option: bool = False
    preds: int = 0
    span: Span = NOWHERE


class Function(Plain):
    """A function without effects, which is the same in all variants. The state is its first
    argument.

    Attributes:
        table: the table in which the functions of all members stand, if it is one of these.
    """

    name: FunctionName
    params: tuple[Local, ...]
    body: Code
    span: Span = field(default=NOWHERE, eq=False)
    table: FunctionName | None = None


class Routine(Function):
    """A function with effects. Its first arguments are the state and, if the variant has them, log
    and trail.
    """
