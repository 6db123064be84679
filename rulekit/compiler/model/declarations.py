"""Totals, permits, tables and movements of the checked model, with the `when` lines that guard the
steps of a movement.
"""

from __future__ import annotations

from attrs import field

from rulekit.common.diagnostics.span import Span
from rulekit.compiler.model.entities import Cell, Key, Kind, Procedure, Var
from rulekit.compiler.model.node import (
    Block,
    Declaration,
    Expr,
    Part,
    Type,
    ValueDeclaration,
    binds,
)


class Clause(Part):
    """One clause of a total or permit.

    A list of clauses is in the order in which they apply. Of the `set` clauses, the first that
    holds wins.

    Attributes:
        word: base, set, modifier, least, most or bar.
        holder: (var, set). The clause of a card holds once for each member of the set, with `var`
            bound to it. Each instance of a modifier is added. For other words, one instance is
            enough.
        cancels: the conditions that cancel the clause, each with its own holder.
    """

    word: str
    name: str
    amount: Expr | None = None
    cond: Expr | None = None
    holder: tuple[Var, Expr] | None = field(default=None, metadata=binds("cond", "amount"))
    cancels: list[Cancel] = field(factory=list)
    reason: str = ""


class Cancel(Part):
    cond: Expr | None
    holder: tuple[Var, Expr] | None = field(default=None, metadata=binds("cond"))
    by: str = ""  # the card or declaration that it stands in


class Total(ValueDeclaration):
    """A number computed from a base and modifiers.

    The value is the first `set` that applies, otherwise the first `base` that applies, otherwise 0.
    Every `modifier` that applies is added. The result is then raised to the greatest `least` that
    applies, and lowered to the smallest `most` that applies.
    """

    name: str
    params: list[Var] = field(metadata=binds("clauses"))
    type: Type
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None

    def of(self, *words: str) -> list[Clause]:
        """Return the clauses with these words, grouped by word in the order given."""
        return [clause for word in words for clause in self.clauses if clause.word == word]


class Permit(ValueDeclaration):
    """A condition that is true unless a `bar` clause applies."""

    name: str
    params: list[Var] = field(metadata=binds("clauses"))
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None


class Table(Declaration):
    """A dense look-up table.

    A ratio table has one key of type RatioT. x to 0 selects its highest column, and 0 to x (also 0
    to 0) its lowest.

    Attributes:
        keys: the domain of each argument (None: a ratio).
        clamps: for each argument, whether a number beyond the ends is clamped to the end. Otherwise
            such a number raises RulesError.
        outputs: names and types of the results.
        data: for each result its values in row-major order.
        ratios: the columns of a ratio table as (num, den), ascending.
        rounding: "down" selects the greatest column that is <= the ratio, "up" the smallest that is
            >= it. Ratios beyond the ends are clamped.
    """

    name: str
    params: list[Var] = field(metadata=binds())
    keys: list[Key | None]  # None: a ratio
    clamps: list[bool]
    outputs: list[tuple[str, Type]]
    data: list[list[int]]
    ratios: list[tuple[int, int]] = field(factory=list)
    rounding: str = "down"
    # for each row as written: which places of each key it covers, and where it stands
    rows: list[tuple[list[list[int]], Span]] = field(factory=list)


_STEP = binds("cost", "may", "stop", "end", "on_entry", "stranded")
_BEGUN = binds("allowance", "cost", "may", "stop", "end", "on_entry", "stranded")


class Guarded(Part):
    """One `when` line: a condition, and the reason shown when it fails."""

    cond: Expr
    reason: str
    key: str  # text key


class Movement(ValueDeclaration):
    """A bounded walk through the graph of the kind `border`.

    `proc` (word "movement") has the parameters of the movement, and the variables start, at, fuel
    (numbers), been (set), halted (bool), border_var, from_var and to_var. `group` is the first
    parameter whose type is a set, or None.

    `steps(at, fuel, been)` are the borders (in data order) from `at` to a place z for which all of
    this holds: z is not in `been`, the cost is <= fuel, all `may` are true, and the walk can still
    end legally from z. It can end legally if `end` holds at z, or if `stop` does not hold at z and
    some further step can. This look-ahead reads `may`, `stop`, `end` and `cost` with the current
    state, and with b, a and z bound to the step. It does not enter places in `been` either.
    Otherwise it could count on going back, and lead the group to a place that it cannot leave. For
    `stop` and `end`, b, a and z are those of the step that reached z.

    A walk runs as follows:

    1. at := start, been := {start}, fuel := allowance (none: NO_LIMIT).
    2. The options are the steps ("to z"), and "stop" if at least one step was made and `end` holds.
       If two borders lead to the same place, each is an option. If nothing is legal, the walk ends.
       If a step was made before, `stranded` runs first, with b, a and z bound. If exactly one
       option is legal, it is taken without asking. (The exception would be a first step of an
       optional walk, but walks are never optional.)
    3. A step sets fuel -= cost, at := z, been += z. Then `on_entry` runs, which may suspend. Group
       members that are no longer at z (their `place_cell` differs from z) are dropped. The walk
       ends if `halt` was answered, or if the group was not empty and now is. If it was halted where
       `end` fails, `stranded` runs.
    4. If `stop` holds now, the walk ends. Otherwise it continues with 2.
    """

    name: str
    proc: Procedure
    border: Kind
    start: Var = field(metadata=_BEGUN)
    at: Var = field(metadata=_STEP)
    fuel: Var = field(metadata=_STEP)
    been: Var = field(metadata=_STEP)
    border_var: Var = field(metadata=_STEP)
    from_var: Var = field(metadata=_STEP)
    to_var: Var = field(metadata=_STEP)
    halted: Var = field(metadata=binds("on_entry", "stranded"))
    group: Var | None
    place_cell: Cell | None  # where a member of the group stands; None: no group check
    arcs: list[
        tuple[int, int, int]
    ]  # (border, from, to), both directions, in data order of the borders
    allowance: Expr | None
    cost: Expr | None
    may: list[Guarded]
    stop: list[Guarded]
    end: list[Guarded]
    on_entry: Block
    stranded: Block
