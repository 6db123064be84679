"""Takes nothing, makes `Program`: a compiled game as plain data - tables for people, layout of the
state, emitted Python source.

The state of a game is one flat list `s` of ints. The first slots are those of the machine
(`rulekit.runtime.slots`), then come cells, frames and save areas, as the infos here say. Read and
write cells with `rulekit.runtime.cells`, not by hand.

The emitted module (`Program.code("fast")`, `Program.code("full")`, see `rulekit.runtime.code.Code`)
has

    blank(seed=0, script=0) -> s       a new state; nothing has run
    begin(s [, log, trail])            runs setup and the rules up to the first decision
    apply(s, id [, log, trail])        takes an option; runs up to the next decision. It must be
                                       offered, which is not tested
    layers(s) -> [(base id, mask)]     the options in order: bit i of mask is option base + i; no
                                       mask is empty; kept in s[LAYERS]
    who(s) -> int                      the member of the deciding kind who decides; -1: nobody
    run(s, proc, args [, log, trail])  starts a bare procedure (index) with arguments; when it
                                       ends s[PC] == BARE_END
    enter(s, proc, args [, log, trail])  starts a procedure as if its one chain of callers were
                                       running (frames of the callers keep what their slots hold:
                                       set them before); play goes on after it
    invariants(s) -> [index]           the `everywhere` invariants that fail
    total(s, i, args), permit(s, i, args), define(s, i, args)      values of declarations by index
    explain(s, what, i, args)          traced: what is "total" or "permit"; gives a `Trace`
                                       (nested tuples, below)
    why(s, family, args) -> (index of the first failing clause, its Trace list) or (-1, ())
    cost(s, family, args) -> ((amount, key ...), ...)  what an option costs, for each
                                       of the family's prices; the keys of its cell
    purses(s, family) -> (keys, ...)   the keys alone; None where they depend on the option's
                                       parameters
    seen(s, cell, keys) -> mask        who may know the value (mask over the deciding kind); all
                                       ones: everybody
    identity(s, kind, member) -> mask  who may know which member it is

It is run with the names in `constants` set: what the scenario and the rulings choose. All programs
of a game share its code.

`log` and `trail` are lists and belong to "full" only. A log record is a tuple (event id, argument
...): ids below FIRST_EVENT are the built-in ones. The trail holds slot, old value, slot, old value
...; `rulekit.runtime.intrinsics.undo` takes back to a length. The game is over when s[PC] == 0;
then s[WINNER] (a member or -1) and s[LEVEL] hold the result.

A Trace is (what, index, args, value, lines); a line is (clause index, status, amount, holder,
cancel index, parts) with status "applied", "condition", "cancelled", "overridden" or "idle" (a
bound that is kept anyway), amount None where there is none, parts a list of Traces. In the traced
variant `looked` and `shifted` hear of each look-up in a table and each shift of an ordered member.
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
    """form: bool, int, member, set, ratio, record. `kind`: index in Program.kinds, or -1."""

    form: str
    kind: int = -1
    optional: bool = False
    unit: str | None = None
    low: int | None = None
    high: int | None = None


@define(frozen=True)
class KeyInfo:
    """A key of a cell: ordinals of a kind, or (kind -1) the numbers low .. low + size - 1."""

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
    """An index of a cell by what is fixed for its values. `row`: for each value, and at the end for
    none, the number of its mask of keys; the first mask stands in the slot `base`, the last one is
    that of those for which nothing is fixed. Slot `filled`: a bit for each mask that is not
    empty."""

    base: int
    filled: int
    row: tuple[int, ...]
    size: int  # how many masks


@define
class CellInfo:
    """`name`: an attribute is named without its kind; `owner` is that kind (or -1), and the first
    key.

    form: plain (slot base + place), mask (a bool: bit of the last key, in slot base + place of the
    other keys), index (one mask per value, slot index + value; of one key), both (plain and index).
    With an index, slot index + number of values is the mask of those with none. A cell with
    `everyone` may be known by everybody; else ask `seen`."""

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
    """slot -1: lives only inside a block, cannot be read from outside. `secrets`: those that it
    tells where players are shown it; `private`: those behind what it holds. A key ("param", which)
    is a parameter of the same procedure.
    """

    name: str
    type: TypeInfo
    slot: int = -1
    shared: bool = False  # a field, not a variable for the procedure's own use
    secrets: list[SecretInfo] = field(factory=list)
    private: list[SecretInfo] = field(factory=list)


@define(frozen=True)
class SlotInfo:
    """A slot that is neither a cell nor a variable of a procedure. form: number, flag, member (an
    ordinal below `size`, or -1), set (of `size` members), list (packed ordinals below `size`; of
    size 0: numbers), masks (packed sets), walk (0, or the slot that halts a walk). `proc`: the
    procedure whose it is, or -1."""

    slot: int
    form: str
    size: int = 0
    proc: int = -1


@define
class ProcInfo:
    """`returns`: the slot of the return block, not 0 while it runs (-1: it never suspends). `vars`:
    parameters first. `entry`: block number, or -1. `chain`: callers up to the main procedure,
    innermost first, as (procedure, its block to return to), if unique. `sites`: all blocks that it
    may return to. `frame`: if it may run within itself, the slots that are saved then, the return
    block first; `depth`: the slot that says how often; `save`: the first slot of the save areas."""

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
        """How many procedures are going on around it: without end where there is no one way to
        it."""
        return inf if self.chain is None else len(self.chain)


@define
class ParamInfo:
    """A parameter of an option: members of a kind, or numbers from `low`."""

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
    """word: when, with, pays, limit for options; base, set, modifier, least, most, bar for totals
    and permits. `cancels`: (what stands in, ref). `presence`, `amount`: the secrets that tell
    whether it counts (or holds), and how much.
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
    """What options of a family are paid from: a cell; or a slot of the procedure `proc` (-1: of
    none): a variable, or what is left of the allowance of a walk. `name`: of the cell, the variable
    or the movement. `clause`: the one that says so; -1: the step of a walk.
    """

    name: str
    cell: int = -1
    proc: int = -1
    slot: int = -1
    clause: int = -1
    unit: str | None = None


@define
class FamilyInfo:
    """Options that differ only in parameters. Option id = base + mixed radix of the parameters, the
    first slowest. what: option, pick, add, go, to, stop, pass, tie. `arcs`: for "to", (border,
    from, to) of each parameter value. `secrets`: those behind the sets that its things are taken
    from, and behind the price of a step."""

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
    """kind: choose, pick, group, walk, window, tie. Index 0 of Program.decisions is unused (0 in PC
    is the end)."""

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
    """`hidden`: per parameter, is it a thing whose identity or place may be hidden? `reveals`: the
    event makes things known. `secrets`: per parameter, those that it tells; `writes`: the places of
    secrets that the event writes."""

    name: str
    params: list[tuple[str, TypeInfo]]
    hidden: list[bool] = field(factory=list)
    reveals: bool = False
    ref: tuple[str, ...] = ()
    secrets: list[list[SecretInfo]] = field(factory=list)
    writes: list[SecretInfo] = field(factory=list)


@define
class TotalInfo:
    """A total, permit, define or table, for queries by name. `secrets`: of a define, those that its
    value reads; `given`: those that what rules give it may tell."""

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
    """A table with its data: for each key (lowest value, how many, clamped), of a ratio (0,
    columns, True) with `ratios` as its columns; the results by name, and the row-major values of
    each."""

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
        """The ids of the sides, in order; empty for a game without sides."""
        return self.kinds[self.sides].members if self.sides >= 0 else []

    def bare(self) -> Program:
        """The same without its code, neither as text nor running, and without the native module: to
        be written down."""
        return evolve(self, source={}, lines={}, code={}, objects={}, native=None)

    def code(self, variant: str = "full") -> Code:
        """The emitted module of a variant, compiled once."""
        if variant not in self._code:
            self._code[variant] = load(self, variant)
        return self._code[variant]
