"""Takes nothing, makes the walks of the checked model, with the `when` lines that guard their steps."""

from __future__ import annotations

from attrs import field

from rulekit.model.node import Asked, Block, Expr, Part, binds
from rulekit.model.things import Cell, Kind, Procedure, Var

_STEP = binds("cost", "may", "stop", "end", "on_entry", "stranded")
_BEGUN = binds("allowance", "cost", "may", "stop", "end", "on_entry", "stranded")


class Guarded(Part):
    """One `when` line."""

    cond: Expr
    reason: str
    key: str  # text key
    ref: tuple[str, ...] = ()


class Movement(Asked):
    """A bounded walk through the graph of `border`. `proc` (word "movement") has the parameters of the movement, and as
    variables start, at, fuel (numbers), been (set), gone (bool); and border_var, from_var, to_var. `group`: the first
    parameter whose type is a set, or None.

    Let `steps(at, fuel, been)` be the borders (in data order) from `at` to a place z not in `been`, with cost <= fuel,
    all `may` true, and from where the walk can still end legally: `end` holds at z, or not `stop` at z and some further
    step can (look-ahead: `may`, `stop`, `end`, `cost` are read with the state as it is now, b/a/z bound to the step;
    places in `been` are not entered in the look-ahead either, or it
    could count on going back and lead the group to a place that it cannot leave).
    For `stop` and `end`, b, a, z are those of the step by which z was reached.

    walk: 1. at := start; been := {start}; fuel := allowance (none: NO_LIMIT). 2. options: the steps ("to z"; when
    two borders lead to the same
    place, each is an option), and "stop" if at least one step was made and `end` holds. Nothing legal: no step made:
    the walk is over (nothing happens);
    else `stranded` runs (b, a, z bound) and it is over. Exactly one option: taken without asking - except the very
    first, if it is a step and the walk
    is optional (never: walks are not optional). 3. a step: fuel -= cost; at := z; been += z; `on_entry` runs (it may
    suspend). If `halt` was answered, or the
    group is not empty and no member of it is at z any more (group members are dropped that are no longer there:
    `place_cell` of the member != z): over;
    halted where `end` fails: `stranded`. 4. `stop` asked again: if it holds the walk is over. Else 2.
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
    arcs: list[tuple[int, int, int]]  # (border, from, to), both directions, in data order of the borders
    allowance: Expr | None
    cost: Expr | None
    may: list[Guarded]
    stop: list[Guarded]
    end: list[Guarded]
    on_entry: Block
    stranded: Block
    ref: tuple[str, ...] = ()
