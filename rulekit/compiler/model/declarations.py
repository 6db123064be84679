"""Takes nothing, makes the pure declarations of the checked model beside definitions: totals,
permits, tables, walks with the `when` lines that guard their steps."""

from __future__ import annotations

from attrs import field

from rulekit.common.diagnostics.span import Span
from rulekit.compiler.model.entities import Cell, Key, Kind, Procedure, Var
from rulekit.compiler.model.node import Asked, Block, Declaration, Expr, Part, Type, binds


class Clause(Part):
    """word: base, set, modifier, least, most, bar. `holder`: (var, set): a card's clause holds once
    for each member of the set, with `var` bound to it (modifier: each adds; others: if any).
    `cancels`: the conditions under which it does not count, each with its own holder. Clauses stand
    in the order in which they apply (for `set`: the first that holds wins)."""

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


class Total(Asked):
    """value = first `set` that applies, else the first `base` that applies, else 0; + every
    `modifier` that applies; then at least (the greatest `least` that applies), then at most (the
    least `most`)."""

    name: str
    params: list[Var] = field(metadata=binds("clauses"))
    type: Type
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None

    def of(self, *words: str) -> list[Clause]:
        """Its clauses with these words, word for word."""
        return [clause for word in words for clause in self.clauses if clause.word == word]


class Permit(Asked):
    """True unless a `bar` clause applies."""

    name: str
    params: list[Var] = field(metadata=binds("clauses"))
    clauses: list[Clause] = field(factory=list)
    context: Procedure | None = None


class Table(Declaration):
    """Dense lookup. `keys[i]`: the domain of argument i; `clamps[i]`: a number beyond the ends is
    pulled to the end (else RulesError). `outputs`: names and types of results; `data[j]`: row-major
    values of result j. A ratio table has one key of type RatioT: `ratios` are its columns as (num,
    den), ascending; `rounding` down: the greatest column that is <= the ratio, up: the least that
    is >= it; ends clamp. x to 0 is the top, 0 to x the bottom (0 to 0 too)."""

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
    """One `when` line."""

    cond: Expr
    reason: str
    key: str  # text key


class Movement(Asked):
    """A bounded walk through the graph of `border`. `proc` (word "movement") has the parameters of
    the movement, and as variables start, at, fuel (numbers), been (set), gone (bool); and
    border_var, from_var, to_var. `group`: the first parameter whose type is a set, or None.

    Let `steps(at, fuel, been)` be the borders (in data order) from `at` to a place z not in `been`,
    with cost <= fuel, all `may` true, and from where the walk can still end legally: `end` holds at
    z, or not `stop` at z and some further step can (look-ahead: `may`, `stop`, `end`, `cost` are
    read with the state as it is now, b/a/z bound to the step; places in `been` are not entered in
    the look-ahead either, or it could count on going back and lead the group to a place that it
    cannot leave). For `stop` and `end`, b, a, z are those of the step by which z was reached.

    walk: 1. at := start; been := {start}; fuel := allowance (none: NO_LIMIT). 2. options: the steps
    ("to z"; when two borders lead to the same place, each is an option), and "stop" if at least one
    step was made and `end` holds. Nothing legal: no step made: the walk is over (nothing happens);
    else `stranded` runs (b, a, z bound) and it is over. Exactly one option: taken without asking -
    except the very first, if it is a step and the walk is optional (never: walks are not optional).
    3. a step: fuel -= cost; at := z; been += z; `on_entry` runs (it may suspend). If `halt` was
    answered, or the group is not empty and no member of it is at z any more (group members are
    dropped that are no longer there: `place_cell` of the member != z): over; halted where `end`
    fails: `stranded`. 4. `stop` asked again: if it holds the walk is over. Else 2.
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
