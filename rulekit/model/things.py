"""Takes nothing, makes the things of the checked model: kinds with their members, what is fixed of them, cells that change, variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulekit.base.span import NOWHERE, Span

if TYPE_CHECKING:
    from rulekit.model.declarations import Define, Slot
    from rulekit.model.expressions import Expr
    from rulekit.model.happenings import Procedure
    from rulekit.model.types import Type

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
