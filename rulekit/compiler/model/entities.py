"""Types and basic entities of the checked model: kinds and their members, constant attributes,
cells, variables, procedures, defines and slots.

These classes refer to each other, which is why they share one module.
"""

from __future__ import annotations

from collections.abc import Container

from attrs import field

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler.model.node import (
    Block,
    Declaration,
    Expr,
    Node,
    Part,
    Type,
    ValueDeclaration,
    binds,
)


class Kind(Declaration):
    """A finite sort of things.

    Attributes:
        members: the id of each member, by ordinal.
        joins: for a kind of borders, the kind of places that they join.
    """

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
    """One key of a cell or constant: a kind, or a range low..high (then `kind` is None)."""

    kind: Kind | None
    low: int = 0
    high: int = 0

    @property
    def size(self) -> int:
        return self.kind.size if self.kind else self.high - self.low + 1


class Seen(Part):
    """One clause of `seen by`.

    Attributes:
        who: "all", "none", or an expression for a member of the deciding kind.
        when: a condition.
        vars: the variables that both may read, one for each key of the cell. For an identity it is
            the element itself.
    """

    who: Expr | str
    when: Expr | None = None
    vars: list[Var] = field(factory=list, metadata=binds("who", "when"))


class Fixed(Declaration):
    """A value that does not change in play.

    Attributes:
        values: run-time values in row-major order over the keys (first key slowest).
        late: True if the value is set when a game is made, by a ruling or a scenario. It is
            constant within one program, and emitted code reads it by name.
        synthetic: True if `check` created it (neighbours, within, shift, covers). Its key may be an
            Int range.
    """

    name: str
    keys: list[Key]
    type: Type
    values: list[int] = field(factory=list)
    late: bool = False
    synthetic: bool = False
    owner: Kind | None = None


class Cell(Declaration):
    """A family of mutable values.

    Attributes:
        initial: the default.
        resets: pairs of a procedure and a mask of ordinals of the first key (None: all). When an
            activation of the procedure ends, these values of the cell take the default.
        pool: True for a set of things that lie here. A thing lies in at most one pool of its kind.
        clamp: True if the value saturates at the range of its type. Otherwise leaving the range
            raises RulesError.
        hidden: True if `check` created it (counters of limits, answers of a `together`). It is
            shown to nobody.
    """

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
    """A named value: a parameter, field, local or element of a filter.

    Attributes:
        frame: the procedure whose frame holds the variable. It is None for the parameters of
            defines, totals, permits, tables, events and value slots, and for the elements of
            filters. These live only inside one evaluation.
    """

    name: str
    type: Type
    frame: Procedure | None = None
    span: Span = NOWHERE
    shared: bool = False  # a field: what the procedure calls may read it, and players are shown it
    held: bool = False  # is all that it is given held to the range of its type?
    clamp: bool = False  # or pulled to its ends?
    once: bool = False  # a `let`: it has one value


class Procedure(Declaration):
    """A sequence of statements that can be called.

    `word` is one of procedure, phase, action, reaction, standing, moment (opens its window), event
    (the wrapper of an event), hook, whenever, slot (a card's steps), movement, main and setup.

    When it ends, the cells that reset with it take their defaults (`Cell.resets`), in one record
    `scope_ended`. This does not happen at the end of an event that occurred inside a window of
    another event of the same name.

    Attributes:
        vars: all frame variables of the body except `params`.
        context: the procedure that must be running when this one is called. The body may read its
            variables.
        asks: True if it may suspend for a decision.
        reentrant: True if it may be called while it is running. Its frame (params and vars) is then
            saved at the call and restored at the return. More than 4 nested calls raise RulesError.
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


class Define(ValueDeclaration):
    """A pure value: that of the first case whose condition holds. The last case has no
    condition.
    """

    name: str
    params: list[Var] = field(metadata=binds("cases"))
    type: Type
    cases: list[tuple[Expr | None, Expr]] = field(factory=list)  # (condition, value)
    context: Procedure | None = None


class Slot(ValueDeclaration):
    """A value or a block of steps that each member of a kind may define for itself.

    Attributes:
        params: the declared parameters. The expression of each member reads these same Vars. The
            block of a member is a procedure with the same parameters in the same order.
        values: for a value slot, the expression of each member (None: `default`).
        blocks: for a slot of steps, the procedure of each member, or None.
    """

    name: str
    kind: Kind
    params: list[Var] = field(metadata=binds("default", "values"))
    type: Type | None  # None: steps
    default: Expr | None = None
    values: list[Expr | None] = field(factory=list)
    blocks: list[Procedure | None] = field(factory=list)

    def of(self, member: int) -> Expr | None:
        """Return the expression for a member, or None for the member `none`."""
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
    """A number with its unit (None: a pure number).

    Attributes:
        low, high: the declared or inferred range (None: unknown).
    """

    unit: str | None = None
    low: int | None = None
    high: int | None = None

    def within(self, low: int | None, high: int | None) -> bool:
        """Return True if the range is known and lies inside another one (None: unbounded)."""
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
    """Return the kind of a member or set type."""
    assert isinstance(type, (MemberOf, SetOf))
    return type.kind


def own_name(name: str, kinds: Container[str]) -> str:
    """Return the name of a kind that the language itself defines.

    If the game has a kind of that name, the game's kind keeps it. The kind of the language then
    gets a name that nobody can write.
    """
    return f"{name} of the language" if name in kinds else name


def empty(type: Type) -> int:
    """Return the value of a type that stands for a missing value.

    For a record this is the row -1; `pure.void` returns the results of such a row.
    """
    return -1 if isinstance(type, (MemberOf, Record)) else 0


def first_value(type: Type) -> int:
    """Return the value before anything is written: the empty value, or the number of a range that
    is nearest to 0.
    """
    if isinstance(type, Int):
        return max(type.low or 0, min(0, 0 if type.high is None else type.high))
    return empty(type)
