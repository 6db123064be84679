"""The conditions that a permit stands for: none of its bars holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import applied, opened
from rulekit.compiler.check.lints.set_facts import parts
from rulekit.compiler.model.visitor import nodes

DEEP = 3  # the number of permits inside permits that are followed


@define(eq=False)
class PermitFacts:
    """The parts of facts, by the key of the fact."""

    known: dict[Any, tuple[m.Expr, ...]] = field(factory=dict)

    def split(self, facts: Sequence[m.Expr], key: Callable[[m.Expr], Any]) -> list[m.Expr]:
        """Return facts in parts, with one part for each bar of a permit."""
        for name, fact in ((key(fact), fact) for fact in facts):
            if name not in self.known:
                self.known[name] = tuple(granted(fact))
        return [part for fact in facts for part in self.known[key(fact)]]


def granted(fact: m.Expr, deep: int = DEEP) -> Iterator[m.Expr]:
    """Yield conditions that hold where a fact does. A permit gives one for each of its bars."""
    if isinstance(fact, m.CallPermit) and deep:
        for clause in fact.target.clauses:
            bar = applied(m.AppliesTo(fact.target, clause, fact.args, span=clause.span))
            if bar is not None:
                yield from granted(m.Not(bar, type=m.Bool()), deep - 1)
    elif isinstance(fact, m.And) and _names_permit(fact):
        for part in parts(fact):
            yield from granted(part, deep)
    elif isinstance(fact, m.Not) and isinstance(inner := _alone(fact.value), m.Not):
        yield from granted(inner.value, deep)
    elif isinstance(fact, m.CallDefine) and deep and (body := opened(fact)) is not None:
        yield from granted(body, deep - 1) if _names_permit(body) else (fact,)
    else:
        yield fact


def permitted(e: m.CallPermit) -> m.Expr | None:
    """Return the condition that no bar holds, or None if cards have a part in it."""
    bars = [applied(m.AppliesTo(e.target, clause, e.args)) for clause in e.target.clauses]
    known = [m.Not(bar, type=m.Bool()) for bar in bars if bar is not None]
    return m.And([*known], span=e.span) if len(known) == len(bars) else None


def unbarred(fact: m.Expr) -> Iterator[m.Expr]:
    """Yield, for each bar of a permit that a fact names, that it does not hold, with its place."""
    if isinstance(fact, m.CallPermit):
        for clause in fact.target.clauses:
            bar = applied(m.AppliesTo(fact.target, clause, fact.args))
            if bar is not None:
                yield m.Not(bar, span=clause.span)


def _alone(e: m.Expr) -> m.Expr:
    return e.items[0] if isinstance(e, m.And) and len(e.items) == 1 else e


def _names_permit(e: m.Expr) -> bool:
    return any(isinstance(node, m.CallPermit) for node in nodes(e))
