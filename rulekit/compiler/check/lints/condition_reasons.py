"""Find the place that decides a condition, to be shown beside it."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.permit_facts import unbarred
from rulekit.compiler.check.lints.value_enumeration import NEVER, Outcomes
from rulekit.compiler.model.visitor import reached

MAX_LISTED_VALUES = 6  # maximal number of values that a message names


def reason(
    cond: m.Expr, facts: Sequence[m.Expr], outcomes: Outcomes, declared: Outcomes
) -> tuple[Span | None, str]:
    """Return the place that makes a condition never hold, with a label: the fact that alone
    excludes it, else the last of those that do together, or the only fixed value that it reads.

    Args:
        facts: the facts that hold at the condition.
        outcomes: the possible values of expressions.
        declared: the same, whatever fixed data are.
    """
    if outcomes.of(cond) == NEVER:
        return _data(cond, outcomes) if declared.of(cond) != NEVER else (None, "")
    alone = next((fact for fact in facts if outcomes.of(cond, (fact,)) == NEVER), None)
    together = (
        facts[at - 1] for at in range(1, len(facts) + 1) if outcomes.of(cond, facts[:at]) == NEVER
    )
    fact = alone if alone is not None else next(together, None)
    if fact is None:
        return None, ""
    if isinstance(fact, m.Not) and not fact.span.line:
        label = "where this holds, play ends or goes on elsewhere"
        return (fact.value.span, label) if fact.value.span.line else (None, "")
    return (fact.span, "this holds here") if fact.span.line else (None, "")


def sufficient(cond: m.Expr, facts: Sequence[m.Expr], outcomes: Outcomes) -> Span | None:
    """Return the place of a fact that alone decides a condition. For a permit, it is the bar."""
    found = outcomes.of(cond, facts)
    for fact in facts:
        if fact.span.line and outcomes.of(cond, (fact,)) == found:
            bars = (bar for bar in unbarred(fact) if outcomes.of(cond, (bar,)) == found)
            return next(bars, fact).span
    return None


def _data(cond: m.Expr, outcomes: Outcomes) -> tuple[Span | None, str]:
    fixed = {node.fixed for node in reached(cond) if isinstance(node, m.ReadFixed)}
    shown = [
        (each.span, _values(each, outcomes.ranges.fixed(each)), each.late)
        for each in fixed
        if not each.synthetic
    ]
    if len(shown) != 1 or not shown[0][1]:
        return None, ""
    span, words, late = shown[0]
    return span, f"in the {'scenarios' if late else 'data'} this is {words}"


def _values(fixed: m.Fixed, found: Sequence[int]) -> str:
    """Return the few values of a fixed attribute in words."""
    values, type = sorted(set(found)), fixed.type
    if not fixed.span.line or not 0 < len(values) <= MAX_LISTED_VALUES:
        return ""
    if isinstance(type, m.MemberOf):
        words = ["none" if value < 0 else type.kind.members[value] for value in values]
    elif isinstance(type, m.Bool):
        words = ["true" if value else "false" for value in values]
    else:
        words = [str(value) for value in values] if isinstance(type, m.Int) else []
    *most, last = words or [""]
    return f"{', '.join(most)} or {last}" if most else last
