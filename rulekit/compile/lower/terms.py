"""Takes a condition and a variable, makes the one value of that variable by which the condition depends on it."""

from __future__ import annotations

from rulekit import model as m
from rulekit.compile.analysis.guards import same
from rulekit.compile.lower.loops import domain
from rulekit.compile.lower.lowering import Lowering
from rulekit.model.visitor import rebuilt, subexpressions


def only_term(low: Lowering, e: m.Expr, var: m.Var) -> m.Expr | None:
    """The smallest value of `var` through which alone the condition depends on it."""
    found: list[m.Expr] = []

    def look(e: m.Expr) -> bool:
        """False: `var` is read otherwise."""
        if var not in low.an.deps(e).vars:
            return True
        if isinstance(e.type, m.MemberOf) and not isinstance(e, m.Read) and low.an.deps(e).vars == {var}:
            if isinstance(e, m.ReadCell):
                place = low.unit.lay.places[e.cell]
                if place.index >= 0 and isinstance(e.keys[0], m.Read):
                    found.append(e)
                    return True
            elif low.an.vector(e, var, domain(var)) is not None:
                found.append(e)
                return True
        return not isinstance(e, m.Read) and all(look(x) for x in subexpressions(e))

    if not look(e) or not found or any(not same(f, found[0]) for f in found):
        return None
    return found[0]


def put_for(e: m.Expr, term: m.Expr, by: m.Expr) -> m.Expr:
    """A copy with a term replaced."""
    return by if same(e, term) else rebuilt(e, lambda x: put_for(x, term, by))
