"""Takes nothing, makes the statements of the intermediate form: straight code, branches, loops, and
blocks that end where play goes on; then functions.

A statement is what it says and the author's place; two that say the same are equal. `Goto`,
`Decide`, `Return` and `Stop` end a block.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import define, field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.ir.values import Local, Plain, Row, Slot, Value


class Statement(Plain):
    """Base of statements; `Stmt` is the union of all of them."""

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


# ------------------------------------------------------------------------------------------------ l
class Assign(Statement):
    """op: = += -= |= &=."""

    local: Local
    value: Value
    op: str = "="


class Unpack(Statement):
    """Several locals out of one entry of a table of rows."""

    locals: tuple[Local, ...]
    row: Row


class Do(Statement):
    """A value that is worked out for what it may raise or tell."""

    value: Value


# ------------------------------------------------------------------------------------------------ t
class Put(Statement):
    """Writes a slot; op: = |= &= += -=. On the trail in the full variant."""

    slot: Slot
    value: Value
    op: str = "="


class PutFrame(Statement):
    """Assigns a frame variable: a slot, or a local of the function."""

    slot: int
    value: Value


class Log(Statement):
    """A record: its elements. Full only."""

    items: tuple[Value, ...]


class Call(Statement):
    """A function of the module with effects; `into`: a frame variable or a local for its value."""

    function: str
    args: tuple[Value, ...]
    into: int = -1
    local: Local | None = None


class Effect(Statement):
    """A function of the runtime with effects, which takes log and trail. `tables`: the names of
    constants among its first arguments."""

    function: Writes
    args: tuple[Value, ...]
    tables: tuple[str, ...] = ()
    into: int = -1
    frame: int = -1  # the procedure whose frame is saved


class NoLayers(Statement):
    """There is nothing to choose any more."""


# ------------------------------------------------------------------------------------------------ c
class If(Statement):
    cond: Value
    then: Code
    other: Code = ()


class While(Statement):
    """`cond` None: until it is left."""

    cond: Value | None
    body: Code


class ForBits(Statement):
    """The members of the mask that a local holds, from the first; the local is used up. `bit`:
    takes the set of each."""

    mask: Local
    index: Local
    bit: Local | None
    body: Code


class ForRows(Statement):
    """The entries of a constant table; `at`: of the list of rows that stands there."""

    locals: tuple[Local, ...]
    table: str
    at: Value | None
    body: Code


class ForRange(Statement):
    """low <= local < high"""

    local: Local
    low: Value
    high: Value
    body: Code


class ForItems(Statement):
    """The values one by one, or (one value of type Packed) the elements of a list."""

    local: Local
    items: tuple[Value, ...]
    listed: bool
    body: Code


class ForMembers(Statement):
    """The members of a mask, which is worked out once."""

    local: Local
    mask: Value
    body: Code


class Break(Statement):
    pass


class Continue(Statement):
    pass


class Give(Statement):
    """Out of a function, with a value or none."""

    value: Value | None = None


# ------------------------------------------------------------------------------------------------ l
class KeepLeast(Statement):
    """`best` takes `member` if its keys are less than those of the one that it holds (kept in
    `least`), or it holds -1."""

    best: Local
    least: Local
    keys: tuple[Value, ...]
    member: Local


class KeepExtreme(Statement):
    """`best` takes the least or greatest value so far; it began as Nothing. `skip`: -1 does not
    count."""

    op: Literal["min", "max"]
    best: Local
    value: Value
    skip: bool


class GiveExtreme(Statement):
    """Out of a function, with what `KeepExtreme` kept; `none` if there was nothing."""

    best: Local
    none: int


class SortIn(Statement):
    """Adds a member with its keys to a list that `Sorted` puts in order."""

    out: Local
    keys: tuple[Value, ...]
    member: Local


class GroupIn(Statement):
    """Adds a bit to the class of members with the same keys."""

    out: Local
    keys: tuple[Value, ...]
    bit: Local


class Distinct(Statement):
    """Adds a bit to a mask unless another one with the same keys was there before."""

    out: Local
    seen: Local
    keys: tuple[Value, ...]
    bit: Local


class NewList(Statement):
    """form: list (SortIn, layers), groups (GroupIn), keys (what Distinct has seen); of members of a
    kind of so many."""

    out: Local
    form: str
    size: int = 0


class GiveList(Statement):
    """Out of a function: the sorted members of a list, or the classes of groups packed (`sorted`:
    in the order of their keys)."""

    out: Local
    form: str
    sorted: bool = True


# ------------------------------------------------------------------------------------------------ s
class NewSearch(Statement):
    """Begins a search at a place with so much left. `places`, `arcs`: bounds of the keys and of the
    queue."""

    place: Value
    left: Value
    places: int
    arcs: int


class WhileOpen(Statement):
    """While something is left to be looked at: `place` and `left` take the oldest."""

    place: Local
    left: Local
    body: Code


class Improve(Statement):
    """Goes on with the next arc unless more is left than at any time before with these keys; notes
    it."""

    keys: tuple[Value, ...]
    left: Value


class Later(Statement):
    """A place that is looked at later."""

    place: Value
    left: Value


# ------------------------------------------------------------------------------------------------ l
class Append(Statement):
    """Puts a layer, or a record of the traced variant, at the end of a list."""

    out: Local
    item: Value


# ------------------------------------------------------------------------------------------------ e
class Tick(Statement):
    """Counts a round; too many without a decision are an error."""


class Fail(Statement):
    """Ends play with an error: what: too_long (args: the limit), broken (the number of an
    invariant), costs (a step costs less than 0), unfinished."""

    what: str
    args: tuple[Value, ...] = ()


class Over(Statement):
    """The game ends in the midst of a function."""


# ------------------------------------------------------------------------------------------------ b
class Goto(Statement):
    block: Block


class Decide(Statement):
    """Play waits here; `layers`: its options, None: those that its function lists. Ends the
    function."""

    decision: int
    layers: Value | None


class Return(Statement):
    """Back to the caller's block, which stands in the slot `returns`. `frame`: the procedure whose
    saved frame comes back."""

    returns: int
    frame: int = -1


class Stop(Statement):
    """The game is over."""


class Wait(Statement):
    """Play stands at a decision (0: it stood there before) with these options."""

    decision: int
    layers: Value


class Next(Statement):
    """Out of a routine: where play goes on, 0 nowhere."""

    block: int


# ------------------------------------------------------------------------------------------------ a
Simple: TypeAlias = Assign | Unpack | Do | Put | PutFrame | Log | Call | Effect | NoLayers
Loop: TypeAlias = While | ForBits | ForRows | ForRange | ForItems | ForMembers | WhileOpen
Leaving: TypeAlias = Break | Continue | Give
Gathering: TypeAlias = (
    KeepLeast | KeepExtreme | GiveExtreme | SortIn | GroupIn | Distinct | NewList | GiveList
)
Searching: TypeAlias = NewSearch | Improve | Later
Ending: TypeAlias = Goto | Decide | Return | Stop | Wait | Next
Other: TypeAlias = If | Append | Tick | Fail | Over
Stmt: TypeAlias = Simple | Loop | Leaving | Gathering | Searching | Ending | Other


@define(eq=False)
class Block:
    """Straight code that ends in Goto, Decide, Return or Stop. `entry`: must be a function of its
    own. `option`: takes the chosen id."""

    number: int
    proc: m.Procedure | None
    body: list[Stmt] = field(factory=list)
    entry: bool = False
    option: bool = False
    preds: int = 0
    span: Span = NOWHERE


class Function(Plain):
    """A function without effects: the same in all variants. It gets the state before its
    parameters. kind: of a declaration, a helper, the options of a decision, the price of one, what
    a chosen option does, a block. `table`: of functions, one a member, in which it stands.
    """

    name: str
    params: tuple[Local, ...]
    body: Code
    span: Span = field(default=NOWHERE, eq=False)
    kind: Literal["declared", "helper", "options", "price", "choice", "block"] = "declared"
    table: str = ""


class Routine(Function):
    """A function with effects. It gets the state (and log and trail) before its parameters."""
