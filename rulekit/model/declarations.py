"""Takes nothing, makes the pure declarations of the checked model: definitions, totals, permits, tables, slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from rulekit.base.span import NOWHERE, Span

if TYPE_CHECKING:
    from rulekit.model.expressions import Expr
    from rulekit.model.happenings import Procedure
    from rulekit.model.things import Key, Kind, Var
    from rulekit.model.types import Type

@define(eq=False, repr=False)
class Define:
    """A pure value: the first case whose condition holds (the last has none)."""

    name: str
    params: list[Var]
    type: Type
    cases: list[tuple[Expr | None, Expr]] = field(factory=list)  # (condition, value)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Clause:
    """word: base, set, modifier, least, most, bar. `holder`: (var, set): a card's clause holds once for each member of
    the set, with `var` bound to it (modifier: each adds; others: if any). `cancels`: the conditions under which it does
    not count, each with its own holder. Clauses stand in the order in which they apply (for `set`: the first that holds
    wins)."""

    word: str
    name: str
    amount: Expr | None = None
    cond: Expr | None = None
    holder: tuple[Var, Expr] | None = None
    cancels: list[Cancel] = field(factory=list)
    reason: str = ""
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Cancel:
    cond: Expr | None
    holder: tuple[Var, Expr] | None = None
    ref: tuple[str, ...] = ()
    by: str = ""  # the card or declaration that it stands in
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Total:
    """value = first `set` that applies, else the first `base` that applies, else 0; + every `modifier` that applies;
    then at least (the greatest `least` that applies), then at most (the least `most`)."""

    name: str
    params: list[Var]
    type: Type
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Permit:
    """True unless a `bar` clause applies."""

    name: str
    params: list[Var]
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Table:
    """Dense lookup. `keys[i]`: the domain of argument i; `clamps[i]`: a number beyond the ends is pulled to the end
    (else RulesError).
    `outputs`: names and types of results; `data[j]`: row-major values of result j.
    A ratio table has one key of type RatioT: `ratios` are its columns as (num, den), ascending; `rounding` down: the
    greatest column that is <= the ratio, up: the least that is >= it; ends clamp. x to 0 is the top, 0 to x the bottom
    (0 to 0 too)."""

    name: str
    params: list[Var]
    keys: list[Key | None]  # None: a ratio
    clamps: list[bool]
    outputs: list[tuple[str, Type]]
    data: list[list[int]]
    ratios: list[tuple[int, int]] = field(factory=list)
    rounding: str = "down"
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


@define(eq=False, repr=False)
class Slot:
    """Of a kind: `values[i]` (an expression, or None: `default`) or, for a slot of steps, `blocks[i]` (a procedure or
    None) of member i.
    Parameters: `params` are the declared ones; each member's expression reads those very Vars; a member's block is a
    procedure with the same parameters in the same order."""

    name: str
    kind: Kind
    params: list[Var]
    type: Type | None  # None: steps
    default: Expr | None = None
    values: list[Expr | None] = field(factory=list)
    blocks: list[Procedure | None] = field(factory=list)
