"""Takes nothing, makes the types and things of the checked model: kinds with their members, what is
fixed of them, cells that change, variables; and what these know: the definitions and slots of a
kind, the procedures whose frames hold variables.
"""

from __future__ import annotations

from collections.abc import Container

from attrs import field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler.model.node import Asked, Block, Declaration, Expr, Node, Part, Type, binds


class Kind(Declaration):
    """A finite sort. `members[i]` is the id of the member with ordinal i. `numbers`: the value in
    parentheses of each member of an ordered kind given in source (else the ordinals). `joins`: for
    a kind of borders, the kind of place they join."""

    name: str
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
    own: bool = False  # of the language: moments, scopes, the alternatives of a ruling

    @property
    def size(self) -> int:
        return len(self.members)

    @property
    def all(self) -> int:
        return (1 << len(self.members)) - 1


class Key(Part):
    """One key of a cell or fixed value: a kind, or a range low..high (then `kind` is None)."""

    kind: Kind | None
    low: int = 0
    high: int = 0

    @property
    def size(self) -> int:
        return self.kind.size if self.kind else self.high - self.low + 1


class Seen(Part):
    """One clause of `seen by`: `who` is "all", "none", or an expression for a member of the
    deciding kind; `when` a condition. Both may read `vars` (one per key of the cell; the element
    itself for an identity)."""

    who: Expr | str
    when: Expr | None = None
    vars: list[Var] = field(factory=list, metadata=binds("who", "when"))


class Fixed(Declaration):
    """Constant data. `values`: row-major over the keys (first key slowest), run-time values.
    `late`: set when a game is made (a ruling, a value of the scenario), so constant within one
    program: `compile` gets it by name. `synthetic`: made by check (neighbours, within, shift,
    covers); such a fixed may have an Int range key."""

    name: str
    keys: list[Key]
    type: Type
    values: list[int] = field(factory=list)
    late: bool = False
    synthetic: bool = False
    owner: Kind | None = None


class Cell(Declaration):
    """A family of mutable values. `initial`: the default. `resets`: when the activation of a
    procedure ends, the cell (for the first-key ordinals in the mask, None: all) takes its default.
    `pool`: a set of things that lie here; a thing lies in at most one pool of its kind. `clamp`:
    saturates at the range of its type; else leaving the range is a RulesError. `hidden`: made by
    check (limit counters, answers of a `together`), shown to nobody."""

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


class Var(Node):
    """A named value: parameter, field, local, element of a filter. `frame`: the procedure whose
    frame holds it; None for the parameters of defines, totals, permits, tables, events and slots
    with a value, and for the elements of filters, which live only inside one evaluation."""

    name: str
    type: Type
    frame: Procedure | None = None
    span: Span = NOWHERE
    shared: bool = False  # a field: what the procedure calls may read it, and players are shown it
    held: bool = False  # is all that it is given held to the range of its type?
    clamp: bool = False  # or pulled to its ends?
    once: bool = False  # a `let`: it has one value


class Procedure(Declaration):
    """word: procedure, phase, action, reaction, standing, moment (opens its window), event (the
    wrapper of an event), hook, whenever, slot (a card's steps), movement, main, setup. `params`
    first; `vars`: all other frame variables of its body. `context`: the procedure that must be
    running when this one is called (its variables may be read). `asks`: may suspend for a decision.
    `reentrant`: may be called while it is running: then its frame (params and vars) is saved at the
    call and brought back at the return; at most 4 deep, else a RulesError. When it ends, the cells
    that reset with it take their defaults (`Cell.resets`), which is one record `scope_ended`; but
    not when an event ends that was made inside a window of another one of its name.
    """

    name: str
    word: str
    params: list[Var] = field(factory=list, metadata=binds("body"))
    vars: list[Var] = field(factory=list, metadata=binds("body"))
    context: Procedure | None = None
    body: Block = field(factory=list)
    asks: bool = False
    reentrant: bool = False
    result: Var | None = None


class Define(Asked):
    """A pure value: the first case whose condition holds (the last has none)."""

    name: str
    params: list[Var] = field(metadata=binds("cases"))
    type: Type
    cases: list[tuple[Expr | None, Expr]] = field(factory=list)  # (condition, value)
    context: Procedure | None = None


class Slot(Asked):
    """Of a kind: `values[i]` (an expression, or None: `default`) or, for a slot of steps,
    `blocks[i]` (a procedure or None) of member i. Parameters: `params` are the declared ones; each
    member's expression reads those very Vars; a member's block is a procedure with the same
    parameters in the same order."""

    name: str
    kind: Kind
    params: list[Var] = field(metadata=binds("default", "values"))
    type: Type | None  # None: steps
    default: Expr | None = None
    values: list[Expr | None] = field(factory=list)
    blocks: list[Procedure | None] = field(factory=list)

    def of(self, member: int) -> Expr | None:
        """What is worked out for a member; nothing for none."""
        return (
            (self.values[member] if member < len(self.values) else None) or self.default
            if member >= 0
            else None
        )


NO_LIMIT = (
    1 << 20
)  # an optional number (`PM?`) that is none: no limit. Numbers of games stay far below.


class Bool(Type):
    pass


class Condition(Expr):
    """Base of expressions that are true or false."""

    type: Type = field(kw_only=True, default=Bool())


class Int(Type):
    """A number with its unit (None: a pure number). low/high: the declared or inferred range, None
    if unknown."""

    unit: str | None = None
    low: int | None = None
    high: int | None = None

    def within(self, low: int | None, high: int | None) -> bool:
        """Is its range known, and inside of another one (None: without end)?"""
        return (
            self.low is not None
            and self.high is not None
            and (low is None or self.low >= low)
            and (high is None or self.high <= high)
        )


class RatioT(Type):
    pass


class MemberOf(Type):
    kind: Kind
    optional: bool = False


class SetOf(Type):
    kind: Kind


class Record(Type):
    """Several named results of a table."""

    fields: tuple[tuple[str, Type], ...]


def kind_of(type: Type | None) -> Kind:
    """The kind of a member or of a set."""
    assert isinstance(type, (MemberOf, SetOf))
    return type.kind


def own_name(name: str, kinds: Container[str]) -> str:
    """What a kind of the language is called. A kind of the game that bears its name keeps it; then
    it has one that nobody can write."""
    return f"{name} of the language" if name in kinds else name


def empty(type: Type) -> int:
    """The value that stands for 'nothing there' of a type. (Of a record: the row that is none;
    `pure.void` gives its results.)"""
    return -1 if isinstance(type, (MemberOf, Record)) else 0


def first_value(type: Type) -> int:
    """What is there before anything is written: empty, or the number of a range that is nearest to
    0."""
    if isinstance(type, Int):
        return max(type.low or 0, min(0, 0 if type.high is None else type.high))
    return empty(type)
