"""Takes nothing, makes `Deps`: what the value of an expression depends on."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from rulekit import model as m
from rulekit.compile.analysis.late import Axis


@define(frozen=True)
class Deps:
    """`vars`: free variables. `state`: reads something that changes (besides frame variables). `raises`: may raise a RulesError.
    `late`: what must be chosen before its late values are known."""

    vars: frozenset[m.Var]
    state: bool
    raises: bool
    late: frozenset[Axis] = frozenset()


NOTHING = Deps(frozenset(), False, False)


def join(all: Sequence[Deps]) -> Deps:
    some = [d for d in all if d is not NOTHING]
    if len(some) < 2:
        return some[0] if some else NOTHING
    return Deps(frozenset().union(*[d.vars for d in some]), any(d.state for d in some), any(d.raises for d in some),
                frozenset().union(*[d.late for d in some]))
