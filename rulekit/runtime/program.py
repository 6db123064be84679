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
from typing import Any, NamedTuple

from attrs import define, evolve, field

from rulekit.runtime.code import Code, load
from rulekit.runtime.wasm_format import Native, NoNative

FORMAT = 6  # the format of Program, raised whenever older caches become unreadable


@define(frozen=True)
class TypeInfo:
    """The type of a value.

    Attributes:
        form: bool, int, member, set, ratio or record.
        kind: the index in Program.kinds, or -1.
        optional: True if the value can be missing.
        unit: the name of the unit of a number.
        low, high: the bounds of a number, or None.
    """

    form: str
    kind: int = -1
    optional: bool = False
    unit: str | None = None
    low: int | None = None
    high: int | None = None


@define(frozen=True)
class KeyInfo:
    """A key of a cell.

    It is an ordinal of a kind. If the kind is -1, it is one of the numbers low .. low + size - 1.
    """

    kind: int
    low: int
    size: int


@define
class KindInfo:
    """A kind and its members.

    Attributes:
        members: the ids, by ordinal.
        labels: the labels, by id.
        decides: True if its members take decisions.
        joins: the kind of the places that its members connect as borders, or -1.
        hidden_identity: True if players may not know which member they see.
        pooled: True if its members lie in pools.
        own: True for a kind of the language: moments, scopes, or the alternatives of a ruling.
        known_slot: the slot with the mask of the members whose place is publicly known, or -1.
        veiled: True if its members lie in a pool that not all players may see.
        fixed: the constant attributes with one key, for frontends: type and values by ordinal.
    """

    name: str
    members: list[str]
    labels: dict[str, str]
    decides: bool = False
    ordered: bool = False
    joins: int = -1
    hidden_identity: bool = False
    pooled: bool = False
    own: bool = False
    known_slot: int = -1
    veiled: bool = False
    fixed: dict[str, tuple[TypeInfo, list[int]]] = field(factory=dict)

    def type_of(self, name: str) -> TypeInfo:
        """Return the type of a constant attribute."""
        type, _ = self.fixed[name]
        return type

    def values_of(self, name: str) -> list[int]:
        """Return the values of a constant attribute, by ordinal."""
        _, values = self.fixed[name]
        return values


@define
class ImageInfo:
    """An index of a cell by a constant attribute of its value: one mask of keys for each.

    For example, the pieces in each hex, where the cell is a piece's spot and the attribute a spot's
    hex.

    Attributes:
        base: the slot of the first mask. The last mask has all other keys: those without a value,
            and those whose value lacks the attribute.
        filled: the slot with one bit for each mask that is not empty.
        row: the number of the mask for each value of the cell, and at the end for a missing value.
        size: the number of masks.
    """

    base: int
    filled: int
    row: tuple[int, ...]
    size: int


@define
class CellInfo:
    """A cell and its place in the state.

    The forms are:

    - plain: the value stands in slot base + place.
    - mask: a bool, stored as the bit of the last key in slot base + place of the other keys.
    - index: a cell with one key. Each value has a mask of keys, in slot index + value.
    - both: plain and index.

    With an index, slot index + number of values holds the mask of the keys without a value.

    Attributes:
        name: the name. An attribute is named without its kind.
        owner: the kind of an attribute, which is also its first key, or -1.
        values: the number of values of an index.
        everyone: True if everybody may know it. Otherwise the function `seen` tells who may.
        images: its indexes by constant attributes.
        ends: the procedures at whose end its values end.
    """

    name: str
    owner: int
    keys: list[KeyInfo]
    type: TypeInfo
    initial: int
    form: str
    base: int = -1
    index: int = -1
    values: int | None = None
    hidden: bool = False
    pool: bool = False
    everyone: bool = True
    ref: tuple[str, ...] = ()
    images: tuple[ImageInfo, ...] = ()
    ends: tuple[int, ...] = ()


@define
class VarInfo:
    """A variable of a procedure.

    In its secrets, a key ("param", n) is parameter n of the same procedure.

    Attributes:
        slot: its slot, or -1 if it lives only inside a block and cannot be read from outside.
        shared: True for a field, False for a variable that only the procedure itself uses.
        secrets: the secrets that it reveals when it is shown. It is masked for players who may not
            know them.
        private: the secrets that its value depends on, whether it is shown or not.
    """

    name: str
    type: TypeInfo
    slot: int = -1
    shared: bool = False
    secrets: list[SecretInfo] = field(factory=list)
    private: list[SecretInfo] = field(factory=list)


@define(frozen=True)
class SlotInfo:
    """A slot that is neither a cell nor a variable of a procedure.

    The forms are:

    - number, flag: an int or a bool.
    - member: an ordinal below `size`, or -1.
    - set: a set of `size` members.
    - list: packed ordinals below `size`, or numbers if `size` is 0.
    - masks: packed sets.
    - walk: 0, or the slot that halts a walk.

    Attributes:
        proc: the procedure that owns it, or -1.
    """

    slot: int
    form: str
    size: int = 0
    proc: int = -1


@define
class ProcInfo:
    """A procedure and its place in the state.

    Attributes:
        word: its sort, such as procedure, phase, action, reaction, movement or event.
        params: the number of parameters.
        vars: its variables, parameters first.
        returns: the slot of the return block, or -1 if the procedure never suspends. The slot is
            not 0 while the procedure runs.
        entry: its first block, or -1.
        asks: True if it may suspend for a decision.
        context: the procedure that must be running when this one is called, or -1.
        chain: its callers up to the main procedure, innermost first, each as (procedure, its block
            to return to). None if they are not unique.
        sites: all blocks that it may return to.
        frame: if it may call itself, the slots saved on each call, the return block first.
        depth: the slot that counts its nested calls.
        save: the first slot of its save areas.
        place: its place in the author's files.
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
        """The number of callers that are running, or infinity if they are not unique."""
        return inf if self.chain is None else len(self.chain)


@define
class ParamInfo:
    """A parameter of an option: a member of a kind or, if the kind is -1, a number from `low`."""

    name: str
    kind: int
    low: int
    size: int


# A secret, as (cell, -1, keys) for the value of a cell, or (-1, kind, keys) for the identity of a
# thing. A key is one of these:
#   ("param", n): parameter n of the declaration
#   ("member", ordinal): a certain member
#   ("slot", slot): the value of this slot, a variable of a running procedure
#   ("asked", 0): the player who decides
#   ("any", 0): not known before play, so any
SecretInfo = tuple[int, int, tuple[tuple[str, int], ...]]


@define
class ClauseInfo:
    """A clause of an option, a movement, a total or a permit.

    Attributes:
        word: when, with, pays or limit for options and movements. For totals and permits: base,
            set, modifier, least, most or bar.
        reason: the text for people, if the condition fails or the bar holds.
        key: the key of this text.
        cancels: the conditions that cancel this clause, each as (the card or declaration that
            states it, its paragraphs).
        presence: the secrets that decide whether the clause counts or holds.
        amount: the secrets that its amount depends on.
        rulings: the rulings that its condition and its amount depend on.
    """

    word: str
    name: str
    reason: str = ""
    key: str = ""
    ref: tuple[str, ...] = ()
    cancels: list[tuple[str, tuple[str, ...]]] = field(factory=list)
    presence: list[SecretInfo] = field(factory=list)
    amount: list[SecretInfo] = field(factory=list)
    rulings: list[int] = field(factory=list)


@define(frozen=True)
class PriceInfo:
    """The source from which an option of a family is paid: a cell, a variable or an allowance.

    A source that is not a cell is a slot. It holds a variable, or the rest of the allowance of a
    walk.

    Attributes:
        name: the name of the cell, the variable or the movement.
        cell: the cell, or -1.
        proc: the procedure of the slot, or -1.
        slot: the slot, or -1.
        clause: the index of the clause that sets the price, or -1 for the step of a walk.
        unit: the unit of the amount.
    """

    name: str
    cell: int = -1
    proc: int = -1
    slot: int = -1
    clause: int = -1
    unit: str | None = None


class Arc(NamedTuple):
    """A step of a walk."""

    border: int
    start: int
    target: int


@define
class FamilyInfo:
    """Options that differ only in their parameters.

    The id of an option is base + the mixed radix number of its parameters, the first one slowest.

    Attributes:
        what: option, pick, add, go, to, stop, pass or tie.
        key, label: the text for people, by key and in the language of the rules.
        clauses: the conditions of the option.
        arcs: for "to", the (border, from, to) of each parameter value.
        secrets: the secrets that decide which arguments its parameters can have, and the price of a
            step.
        prices: the sources that pay for it.
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
        """The number of options."""
        size = 1
        for p in self.params:
            size *= p.size
        return size

    def arc(self, option: int) -> Arc:
        """Return the step of an option of a walk."""
        return Arc._make(self.arcs[option - self.base])


@define
class DecisionInfo:
    """A point where the machine waits for a player.

    Index 0 of Program.decisions is an empty placeholder, because 0 in PC is the end of the game.

    Attributes:
        kind: choose, pick, group, walk, window or tie.
        prompt, text: the question, by key and in the language of the rules.
        moment: the moment that opens a window, or -1.
        group_slot: for a group, the slot with the mask of the members picked so far.
        class_slot: for a group in which some members are alike, the slot with the masks of each
            class (`effects.pack_masks`).
        visible: by name, the index of the variable of `proc` that has this name at the decision.
            None means that each variable has its own name.
    """

    kind: str
    proc: int
    prompt: str
    text: str
    families: list[int]
    ref: tuple[str, ...] = ()
    moment: int = -1
    group_slot: int = -1
    visible: dict[str, int] | None = None
    class_slot: int = -1


@define
class EventInfo:
    """An event and its parameters.

    Attributes:
        hidden: for each parameter, True if it is a thing whose identity or place can be hidden.
        reveals: True if the event makes things publicly known.
        secrets: for each parameter, the secrets that it reveals.
        writes: the places that the event writes and that not all players may see, in the form of
            secrets.
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
        type: the type of its value.
        context: the procedure that must be running, or -1.
        secrets: for a define, the secrets that its value depends on.
        rulings: for a define, the rulings that choose among its cases.
        given: the secrets that its arguments can reveal.
    """

    name: str
    params: list[tuple[str, TypeInfo]]
    type: TypeInfo
    context: int = -1
    clauses: list[ClauseInfo] = field(factory=list)
    ref: tuple[str, ...] = ()
    secrets: list[SecretInfo] = field(factory=list)
    rulings: list[int] = field(factory=list)
    given: list[SecretInfo] = field(factory=list)


@define
class TableInfo(TotalInfo):
    """A table with its data.

    Attributes:
        keys: each key as (lowest value, number of values, clamped). For a ratio it is (0, columns,
            True).
        ratios: the columns of a ratio, ascending.
        rounding: "down" selects the greatest column that is <= the ratio, "up" the smallest that is
            >=.
        outputs: the results, by name.
        columns: the values of each result, in row-major order of the keys.
    """

    keys: list[tuple[int, int, bool]] = field(factory=list)
    ratios: list[tuple[int, int]] = field(factory=list)
    rounding: str = "down"
    outputs: list[tuple[str, TypeInfo]] = field(factory=list)
    columns: list[list[int]] = field(factory=list)


@define
class InvariantInfo:
    """A condition that must hold. With `everywhere`, it is tested after each choice."""

    name: str
    everywhere: bool
    ref: tuple[str, ...] = ()


@define
class RulingInfo:
    """A ruling, its alternatives and the one that is chosen."""

    name: str
    alternatives: list[str]
    chosen: str
    data: dict[str, Any] = field(factory=dict)


@define
class Program:
    """A compiled game, for one scenario and one choice of rulings.

    Attributes:
        rules: a digest of the compiled rules. Equal digests play alike.
        sides: the kind that decides, or -1.
        moments: the kind of the moments, or -1.
        families: the families of options, by rising base.
        movements: for each movement, the conditions to enter a place and then those to end there.
        turning: True if permission to know something depends on state that changes in play.
        promises: the values other than cells that are held to a range.
        blocks: the procedure of each block, by number of the block.
        slots: the number of slots of a state.
        machine: the slots that are neither a cell nor a variable. A slot in no list is never
            written.
        halts: the slots that halt a walk.
        flags: the slots that say that a moment is open.
        options: the number of options. Their ids are 1 .. options.
        scenarios: the scenarios as (name, title).
        texts: texts for people, by language and key.
        info: data for frontends and seats.
        source: the Python text, by variant.
        lines: by variant, the author's place of each line of the text, or "".
        initial: the slots of a blank state.
        constants: the values of the names in emitted code that the scenario and the rulings set.
        chosen: the choice on each axis. Axis 0 is the scenario, axis 1 + i is ruling i.
        native: the WebAssembly module of the game, if it was built.
    """

    name: str
    version: int
    rules: str
    scenario: str
    rulings: list[RulingInfo] = field(factory=list)
    kinds: list[KindInfo] = field(factory=list)
    sides: int = -1
    moments: int = -1
    cells: list[CellInfo] = field(factory=list)
    procs: list[ProcInfo] = field(factory=list)
    families: list[FamilyInfo] = field(factory=list)
    decisions: list[DecisionInfo] = field(factory=list)
    events: list[EventInfo] = field(factory=list)
    totals: list[TotalInfo] = field(factory=list)
    permits: list[TotalInfo] = field(factory=list)
    defines: list[TotalInfo] = field(factory=list)
    movements: list[list[ClauseInfo]] = field(factory=list)
    tables: list[TableInfo] = field(factory=list)
    invariants: list[InvariantInfo] = field(factory=list)
    levels: list[str] = field(factory=list)
    purposes: list[str] = field(factory=list)
    turning: bool = False
    promises: list[str] = field(factory=list)
    blocks: list[int] = field(factory=list)
    slots: int = 0
    machine: list[SlotInfo] = field(factory=list)
    halts: list[int] = field(factory=list)
    flags: list[int] = field(factory=list)
    options: int = 0
    max_steps: int = 600_000
    scenarios: list[tuple[str, str]] = field(factory=list)
    texts: dict[str, dict[str, str]] = field(factory=dict)
    info: dict[str, Any] = field(factory=dict)
    source: Mapping[str, str] = field(factory=dict)
    lines: Mapping[str, list[str]] = field(factory=dict)
    initial: list[int] = field(factory=list)
    constants: dict[str, Any] = field(factory=dict)
    chosen: list[int] = field(factory=list)
    native: Native | NoNative | None = field(default=None, repr=False)
    _code: dict[str, Code] = field(factory=dict, repr=False, eq=False)
    # by variant: the code object, which all programs of the game share
    _objects: Any = field(factory=dict, repr=False, eq=False)

    @property
    def side_ids(self) -> Sequence[str]:
        """The ids of the sides, in order. A game without sides has none."""
        return self.kinds[self.sides].members if self.sides >= 0 else []

    def bare(self) -> Program:
        """Return a copy without its code and the native module, for storage."""
        return evolve(self, source={}, lines={}, code={}, objects={}, native=None)

    def code(self, variant: str = "full") -> Code:
        """Return the emitted module of a variant. It is compiled once."""
        if variant not in self._code:
            self._code[variant] = load(self, variant)
        return self._code[variant]
