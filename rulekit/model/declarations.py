"""Takes nothing, makes the pure declarations of the checked model beside definitions: totals, permits, tables."""

from __future__ import annotations

from attrs import field

from rulekit.base.span import NOWHERE, Span
from rulekit.model.node import Asked, Declaration, Expr, Part, Type, binds
from rulekit.model.things import Key, Procedure, Var


class Clause(Part):
    """word: base, set, modifier, least, most, bar. `holder`: (var, set): a card's clause holds once for each member of
    the set, with `var` bound to it (modifier: each adds; others: if any). `cancels`: the conditions under which it does
    not count, each with its own holder. Clauses stand in the order in which they apply (for `set`: the first that holds
    wins)."""

    word: str
    name: str
    amount: Expr | None = None
    cond: Expr | None = None
    holder: tuple[Var, Expr] | None = field(default=None, metadata=binds("cond", "amount"))
    cancels: list[Cancel] = field(factory=list)
    reason: str = ""
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


class Cancel(Part):
    cond: Expr | None
    holder: tuple[Var, Expr] | None = field(default=None, metadata=binds("cond"))
    ref: tuple[str, ...] = ()
    by: str = ""  # the card or declaration that it stands in
    span: Span = NOWHERE


class Total(Asked):
    """value = first `set` that applies, else the first `base` that applies, else 0; + every `modifier` that applies;
    then at least (the greatest `least` that applies), then at most (the least `most`)."""

    name: str
    params: list[Var] = field(metadata=binds("clauses"))
    type: Type
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


class Permit(Asked):
    """True unless a `bar` clause applies."""

    name: str
    params: list[Var] = field(metadata=binds("clauses"))
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE


class Table(Declaration):
    """Dense lookup. `keys[i]`: the domain of argument i; `clamps[i]`: a number beyond the ends is pulled to the end
    (else RulesError).
    `outputs`: names and types of results; `data[j]`: row-major values of result j.
    A ratio table has one key of type RatioT: `ratios` are its columns as (num, den), ascending; `rounding` down: the
    greatest column that is <= the ratio, up: the least that is >= it; ends clamp. x to 0 is the top, 0 to x the bottom
    (0 to 0 too)."""

    name: str
    params: list[Var] = field(metadata=binds())
    keys: list[Key | None]  # None: a ratio
    clamps: list[bool]
    outputs: list[tuple[str, Type]]
    data: list[list[int]]
    ratios: list[tuple[int, int]] = field(factory=list)
    rounding: str = "down"
    ref: tuple[str, ...] = ()
    span: Span = NOWHERE
