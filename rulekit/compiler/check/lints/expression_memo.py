"""Results about expressions that many queries ask for, each computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import key
from rulekit.compiler.model.visitor import nodes, reached
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import NotConstant

E = TypeVar("E", bound=m.Expr)
T = TypeVar("T")
_PURE = PureEvaluator()


@define(eq=False)
class ExpressionMemo:
    """Keeps results by the id of an expression. The expressions are kept alive here."""

    results: dict[tuple[Callable[..., Any], int], tuple[m.Expr, Any]] = field(factory=dict)
    # the number of each structure, and by id the number of each expression
    numbers: dict[Any, int] = field(factory=dict)
    keys: dict[int, tuple[m.Expr, int]] = field(factory=dict)

    def once(self, find: Callable[[E], T], e: E) -> T:
        """Return the result of a function for an expression."""
        found = self.results.get((find, id(e)))
        if found is None:
            found = self.results[find, id(e)] = (e, find(e))
        result: T = found[1]
        return result

    def key(self, e: m.Expr) -> int:
        """Return a number that is equal for expressions of the same structure."""
        found = self.keys.get(id(e))
        if found is None:
            number = self.numbers.setdefault(key(e), len(self.numbers))
            found = self.keys[id(e)] = (e, number)
        return found[1]


def reads_data(e: m.Expr) -> bool:
    """Return True if the value of an expression depends on the data of the game."""
    return any(isinstance(node, (m.ReadFixed, m.CallTable)) for node in reached(e))


def constant(e: m.Expr) -> m.Const | None:
    """Return the value of an expression if it is always the same."""
    if isinstance(e, m.Const):
        return e
    if any(
        isinstance(node, (m.Read, m.ReadCell, m.Here, m.Running)) for node in nodes(e)
    ) or isinstance(e.type, (m.Record, m.RatioT)):
        return None
    try:
        return m.Const(int(_PURE.eval(e, {})), type=e.type, span=e.span)
    except (NotConstant, RulesError, StopIteration, KeyError):
        return None
