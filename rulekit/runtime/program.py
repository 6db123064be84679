"""A compiled game as plain data: its tables, the layout of its state and its emitted Python source.

The state of a game is one flat list `s` of ints. The first slots belong to the machine
(`rulekit.runtime.slots`). Cells, frames and save areas follow, as the `...Info` classes describe.
Read and write cells with `rulekit.runtime.cells`, not by hand.

The emitted module (`Program.code("fast")`, `Program.code("full")`, see
`rulekit.runtime.code.Code`) has these functions:

    blank(seed=0, script=0) -> s
        Return a new state in which nothing has run.
    begin(s [, log, trail])
        Run setup and the rules up to the first decision.
    apply(s, id [, log, trail])
        Take an option and run up to the next decision. The option must be offered.
        This is not checked.
    layers(s) -> [(base id, mask)]
        Return the options in order: bit i of a mask is option base + i.
        No mask is empty. The result is kept in s[LAYERS].
    who(s) -> int
        Return the member of the deciding kind that decides, or -1 for nobody.
    run(s, proc, args [, log, trail])
        Start a bare procedure (by index) with arguments. At its end s[PC] == BARE_END.
    enter(s, proc, args [, log, trail])
        Start a procedure as if its one chain of callers were running. Play continues after it.
        The frames of the callers keep the values in their slots, so set them before.
    invariants(s) -> [index]
        Return the `everywhere` invariants that fail.
    total(s, i, args), permit(s, i, args), define(s, i, args)
        Return the value of a declaration, by index.
    explain(s, what, i, args)
        Return a `Trace` (nested tuples, below). `what` is "total" or "permit". Traced only.
    why(s, family, args) -> (index, Trace list)
        Return the index of the first failing clause and its traces, or (-1, ()).
    cost(s, family, args) -> ((amount, key ...), ...)
        Return the cost of an option: for each price of the family, the amount and the keys
        of its cell.
    purses(s, family) -> (keys, ...)
        Return the keys alone, with None where they depend on the parameters of the option.
    seen(s, cell, keys) -> mask
        Return the observers of a value, as a mask over the deciding kind.
        All bits are set if everybody may know it.
    identity(s, kind, member) -> mask
        Return the observers of the identity of a member.

The module runs with the names in `constants` set to the values that the scenario and the rulings
choose. All programs of a game share its code.

`log` and `trail` are lists and belong to "full" only. A log record is a tuple (event id, argument
...), in which ids below FIRST_EVENT are the built-in ones. The trail holds slot, old value, slot,
old value and so on. `rulekit.runtime.intrinsics.undo` restores the state back to a given length.
The game is over when s[PC] == 0. Then s[WINNER] (a member or -1) and s[LEVEL] hold the result.

A Trace is (what, index, args, value, lines). A line is (clause index, status, amount, holder,
cancel index, parts). Its status is "applied", "condition", "cancelled", "overridden" or "idle" (a
bound that has no effect). The amount is None if there is none, and parts is a list of Traces. The
traced variant also calls `looked` for each look-up in a table, and `shifted` for each shift of an
ordered member.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from attrs import define, evolve, field

from rulekit.runtime.code import Code, load
from rulekit.runtime.wasm_format import Native, NoNative

FORMAT = 6  # of Program; raised when an older cache cannot be read


@define(frozen=True)
class TypeInfo:
    """The type of a value.

    Attributes:
        form: bool, int, member, set, ratio or record.
        kind: Index in Program.kinds, or -1.
    """

    form: str
    kind: int = -1
    optional: bool = False
    unit: str | None = None
    low: int | None = None
    high: int | None = None


@define(frozen=True)
class KeyInfo:
    """A key of a cell: ordinals of a kind or, if the kind is -1, the numbers low .. low + size -
    1.
    """

    kind: int
    low: int
    size: int


@define
class KindInfo:
    name: str
    members: list[str]
    labels: dict[str, str]
    decides: bool = False
    ordered: bool = False
    joins: int = -1
    hidden_identity: bool = False
    pooled: bool = False
    own: bool = False  # of the language: moments, scopes, the alternatives of a ruling
    known_slot: int = -1  # mask of the members whose place is publicly known
    veiled: bool = False  # do its members lie in pools that not all may look into?
    fixed: dict[str, tuple[TypeInfo, list[int]]] = field(
        factory=dict
    )  # attributes with one key, for frontends


@define
class ImageInfo:
    """An index of a cell by a constant attribute of its values.

    Attributes:
        row: For each value, and last for none, the number of its mask of keys.
        base: The slot of the first mask. The last mask belongs to values without the attribute.
        filled: The slot with one bit for each mask that is not empty.
    """

    base: int
    filled: int
    row: tuple[int, ...]
    size: int  # how many masks


@define
class CellInfo:
    """A cell and its place in the state.

    An attribute is named without its kind. That kind is `owner` (or -1) and also the first key. A
    cell with `everyone` may be known by everybody. For any other cell, ask `seen`.

    Forms:
        plain: Its value stands in slot base + place.
        mask: A bool, stored as the bit of the last key in slot base + place of the other keys.
        index: One key only. Each value has a mask of keys, in slot index + value.
        both: Plain and index.

    With an index, slot index + number of values holds the mask of the keys without a value.
    """

    name: str
    owner: int
    keys: list[KeyInfo]
    type: TypeInfo
    initial: int
    form: str
    base: int = -1
    index: int = -1
    values: int | None = None  # of an index: how many values
    hidden: bool = False
    pool: bool = False
    everyone: bool = True
    ref: tuple[str, ...] = ()
    images: tuple[ImageInfo, ...] = ()
    ends: tuple[int, ...] = ()  # the procedures with which its values end


@define
class VarInfo:
    """A variable of a procedure.

    Attributes:
        slot: Its slot, or -1 if it lives only inside a block and cannot be read from outside.
        secrets: The secrets that it reveals when it is shown to players.
        private: The secrets that its value depends on.

    A key ("param", which) is a parameter of the same procedure.
    """

    name: str
    type: TypeInfo
    slot: int = -1
    shared: bool = False  # a field, not a variable for the procedure's own use
    secrets: list[SecretInfo] = field(factory=list)
    private: list[SecretInfo] = field(factory=list)


@define(frozen=True)
class SlotInfo:
    """A slot that is neither a cell nor a variable of a procedure.

    `proc` is the procedure that owns it, or -1.

    Forms:
        number, flag: An int or a bool.
        member: An ordinal below `size`, or -1.
        set: A set of `size` members.
        list: Packed ordinals below `size`, or numbers if `size` is 0.
        masks: Packed sets.
        walk: 0, or the slot that halts a walk.
    """

    slot: int
    form: str
    size: int = 0
    proc: int = -1


@define
class ProcInfo:
    """A procedure and its place in the state.

    Attributes:
        returns: The slot of the return block, or -1 if the procedure never suspends.
            The slot is not 0 while the procedure runs.
        vars: Its variables, parameters first.
        entry: Its first block, or -1.
        chain: Its callers up to the main procedure, innermost first, if they are unique.
            Each is (procedure, its block to return to).
        sites: All blocks that it may return to.
        frame: If it may call itself, the slots saved on each call, the return block first.
        depth: The slot that counts its nested calls.
        save: The first slot of its save areas.
    """

    name: str
    word: str
    params: int
    vars: list[VarInfo]
    returns: int = -1
    entry: int = -1
    asks: bool = False
    context: int = -1
    chain: list[tuple[int, int]] | None = None
    sites: list[int] = field(factory=list)
    frame: list[int] = field(factory=list)
    depth: int = -1
    save: int = -1
    ref: tuple[str, ...] = ()
    place: str = ""

    @property
    def callers(self) -> float:
        """Return the number of callers that are running, or infinity if they are not unique."""
        return inf if self.chain is None else len(self.chain)


@define
class ParamInfo:
    """A parameter of an option: a member of a kind, or a number from `low`."""

    name: str
    kind: int
    low: int
    size: int


# a secret that is read: the cell, or -1 and the kind of hidden things; the keys: ("param", which),
# ("member", ordinal), ("slot", where a procedure has it), ("asked", 0: the player who is asked),
# ("any", 0)
SecretInfo = tuple[int, int, tuple[tuple[str, int], ...]]


@define
class ClauseInfo:
    """A clause of an option, a total or a permit.

    Attributes:
        word: when, with, pays or limit for options.
            For totals and permits: base, set, modifier, least, most or bar.
        cancels: The conditions that cancel this clause.
            Each is (the card or declaration that states it, its paragraphs).
        presence: The secrets that reveal if it counts (or holds).
        amount: The secrets that reveal its amount.
    """

    word: str
    name: str
    reason: str = ""
    key: str = ""
    ref: tuple[str, ...] = ()
    cancels: list[tuple[str, tuple[str, ...]]] = field(factory=list)
    presence: list[SecretInfo] = field(factory=list)
    amount: list[SecretInfo] = field(factory=list)
    rulings: list[int] = field(factory=list)  # those that its condition and its amount ask


@define(frozen=True)
class PriceInfo:
    """The source that pays for the options of a family: a cell, a variable or an allowance.

    A price that is not a cell is a slot of the procedure `proc` (-1: of none). It holds a variable,
    or the rest of the allowance of a walk.

    Attributes:
        name: The name of the cell, the variable or the movement.
        clause: The clause that sets the price, or -1 for the step of a walk.
    """

    name: str
    cell: int = -1
    proc: int = -1
    slot: int = -1
    clause: int = -1
    unit: str | None = None


@define
class FamilyInfo:
    """Options that differ only in their parameters.

    The id of an option is base + the mixed radix number of its parameters, the first one slowest.

    Attributes:
        what: option, pick, add, go, to, stop, pass or tie.
        arcs: For "to", the (border, from, to) of each parameter value.
        secrets: The secrets behind the sets of its parameters and behind the price of a step.
    """

    name: str
    what: str
    base: int
    params: list[ParamInfo]
    key: str = ""
    label: str = ""
    ref: tuple[str, ...] = ()
    secret: bool = False
    word: str = ""
    clauses: list[ClauseInfo] = field(factory=list)
    arcs: list[tuple[int, int, int]] = field(factory=list)
    secrets: list[SecretInfo] = field(factory=list)
    prices: list[PriceInfo] = field(factory=list)

    @property
    def size(self) -> int:
        size = 1
        for p in self.params:
            size *= p.size
        return size


@define
class DecisionInfo:
    """A point where the machine waits for a player.

    Its kind is choose, pick, group, walk, window or tie. Index 0 of Program.decisions is unused,
    because 0 in PC is the end.
    """

    kind: str
    proc: int
    prompt: str
    text: str
    families: list[int]
    ref: tuple[str, ...] = ()
    moment: int = -1
    group_slot: int = -1  # kind group: the slot with the mask of those picked so far
    visible: dict[str, int] | None = (
        # name -> which variable of `proc` is called so where it is asked; None: each by its own
        None
    )
    # of a group where some are alike: the slot with the masks of those that are
    # (`effects.pack_masks`)
    class_slot: int = -1


@define
class EventInfo:
    """An event and its parameters.

    Attributes:
        hidden: For each parameter, True if its identity or place may be hidden.
        reveals: True if the event makes things known.
        secrets: For each parameter, the secrets that it reveals.
        writes: The places of secrets that the event writes.
    """

    name: str
    params: list[tuple[str, TypeInfo]]
    hidden: list[bool] = field(factory=list)
    reveals: bool = False
    ref: tuple[str, ...] = ()
    secrets: list[list[SecretInfo]] = field(factory=list)
    writes: list[SecretInfo] = field(factory=list)


@define
class TotalInfo:
    """A total, permit, define or table, for queries by name.

    Attributes:
        secrets: For a define, the secrets that its value reads.
        given: The secrets that may be revealed by the values that rules pass to it.
    """

    name: str
    params: list[tuple[str, TypeInfo]]
    type: TypeInfo
    context: int = -1
    clauses: list[ClauseInfo] = field(factory=list)
    ref: tuple[str, ...] = ()
    secrets: list[SecretInfo] = field(factory=list)
    rulings: list[int] = field(factory=list)  # of a define: those that choose among its cases
    given: list[SecretInfo] = field(factory=list)


@define
class TableInfo(TotalInfo):
    """A table with its data.

    Each key is (lowest value, number of values, clamped). For a ratio it is (0, columns, True), and
    `ratios` holds its columns. The results stand by name, each with its values in row-major order.
    """

    keys: list[tuple[int, int, bool]] = field(factory=list)
    ratios: list[tuple[int, int]] = field(factory=list)
    rounding: str = "down"
    outputs: list[tuple[str, TypeInfo]] = field(factory=list)
    columns: list[list[int]] = field(factory=list)


@define
class InvariantInfo:
    name: str
    everywhere: bool
    ref: tuple[str, ...] = ()


@define
class RulingInfo:
    name: str
    alternatives: list[str]
    chosen: str
    data: dict[str, Any] = field(factory=dict)


@define
class Program:
    name: str
    version: int
    rules: str  # digest of the rules as compiled: equal digests play alike
    scenario: str
    rulings: list[RulingInfo] = field(factory=list)
    kinds: list[KindInfo] = field(factory=list)
    sides: int = -1  # the deciding kind
    moments: int = -1
    cells: list[CellInfo] = field(factory=list)
    procs: list[ProcInfo] = field(factory=list)
    families: list[FamilyInfo] = field(factory=list)  # by rising base
    decisions: list[DecisionInfo] = field(factory=list)
    events: list[EventInfo] = field(factory=list)
    totals: list[TotalInfo] = field(factory=list)
    permits: list[TotalInfo] = field(factory=list)
    defines: list[TotalInfo] = field(factory=list)
    movements: list[list[ClauseInfo]] = field(
        factory=list
    )  # of each what must hold to enter a place, then to end there
    tables: list[TableInfo] = field(factory=list)
    invariants: list[InvariantInfo] = field(factory=list)
    levels: list[str] = field(factory=list)
    purposes: list[str] = field(factory=list)
    turning: bool = False  # does who may know something hang on what changes in play?
    promises: list[str] = field(factory=list)  # what is held to a range, besides cells
    blocks: list[int] = field(factory=list)  # block number -> procedure it belongs to
    slots: int = 0
    machine: list[SlotInfo] = field(
        factory=list
    )  # slots that are neither cell nor variable; one that is named nowhere is never written
    halts: list[int] = field(factory=list)  # the slots that halt a walk
    flags: list[int] = field(factory=list)  # the slots that say that a moment is open
    options: int = 0  # ids are 1 .. options
    max_steps: int = 600_000
    scenarios: list[tuple[str, str]] = field(factory=list)  # (name, title)
    texts: dict[str, dict[str, str]] = field(factory=dict)
    info: dict[str, Any] = field(factory=dict)
    source: Mapping[str, str] = field(factory=dict)  # variant -> Python text
    lines: Mapping[str, list[str]] = field(
        factory=dict
    )  # variant -> per line of the text the author's place, or ""
    initial: list[int] = field(factory=list)  # the slots of a blank state
    constants: dict[str, Any] = field(
        factory=dict
    )  # names in the emitted code that the scenario and the rulings set
    chosen: list[int] = field(
        factory=list
    )  # which way each axis takes that the scenario and the rulings choose on
    native: Native | NoNative | None = field(
        default=None, repr=False
    )  # the WebAssembly module of the game, if it was made
    _code: dict[str, Code] = field(factory=dict, repr=False, eq=False)
    _objects: Any = field(
        factory=dict, repr=False, eq=False
    )  # variant -> its code object, for all programs of the game

    @property
    def side_ids(self) -> Sequence[str]:
        """Return the ids of the sides, in order. A game without sides has none."""
        return self.kinds[self.sides].members if self.sides >= 0 else []

    def bare(self) -> Program:
        """Return a copy to be stored: without its code, as text or running, and without the native
        module.
        """
        return evolve(self, source={}, lines={}, code={}, objects={}, native=None)

    def code(self, variant: str = "full") -> Code:
        """Return the emitted module of a variant. It is compiled once."""
        if variant not in self._code:
            self._code[variant] = load(self, variant)
        return self._code[variant]
