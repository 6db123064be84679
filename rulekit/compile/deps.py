"""Takes nothing, makes `Deps`: what the value of an expression depends on."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from rulekit import model as m
from rulekit.compile.late import Axis


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
    if not all:
        return NOTHING
    if len(all) == 1:
        return all[0]
    return Deps(frozenset().union(*(d.vars for d in all)), any(d.state for d in all), any(d.raises for d in all),
                frozenset().union(*(d.late for d in all)))
