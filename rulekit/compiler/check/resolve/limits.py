"""Limits that keep a small text from becoming a big game, with the sink and the evaluator that
enforce them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product

from attrs import define

from rulekit.common.diagnostics.diagnostic import Diagnostic, Sink
from rulekit.compiler import model as m
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import Env, Value

RULES = 600_000  # characters of the rules, libraries included
FINDINGS = 100  # errors, and as many warnings
MEMBERS = 20_000  # of a kind
FAMILY = 1_000_000  # values of one cell or fixed value
VALUES = 4_000_000  # of all of them together
TABLE = 100_000  # values of a table
CHOICES = 250_000  # combinations of the parameters of an option, numbers of a pick
BRANCHES = 60  # of one `if`
CASES = 200  # of one definition
STATEMENTS = 5_000  # of all procedures together
SEARCH = 100_000  # entries of a table of places within some steps: places times steps
CONTEXTS = 20  # procedures that stand in each other
DEPTH = 100  # of definitions that use each other, of procedures that call each other
LOOP = 100_000  # rounds of a loop
ROUNDS = 300_000  # of a loop without decisions, with all loops in it
STRETCH = 600_000  # statements of one procedure without decisions, with all that it calls
# steps of one value or one loop in play, all possible rounds counted: see lints/cost_bounds.py
WORK = 40_000_000_000
STEPS = 500_000  # of working out all values that are fixed
NUMBER = 1 << 62  # no number of a game is larger
FRAMES = 8_000  # of Python, while rules are checked


class TooManyFindings(Exception):
    """Raised if there are too many findings to continue."""


@define(slots=True)
class BoundedSink(Sink):
    """A sink that ends the run when it has too many errors.

    It drops warnings beyond the limit. If only warnings can follow, it then ends the run too. It
    shares its list with the sink that it replaces.
    """

    only_warnings: bool = False

    def add(self, diagnostic: Diagnostic) -> None:
        alike = sum(1 for d in self.found if (d.level == "error") == (diagnostic.level == "error"))
        if alike < FINDINGS:
            Sink.add(self, diagnostic)
            return
        what = "errors" if diagnostic.level == "error" else "warnings"
        full = Diagnostic(
            "RK218",
            f"more than {FINDINGS} {what}; the others are not listed",
            self.found[-1].span,
            "correct those above first",
            level="note",
        )
        if not any(d.message == full.message for d in self.found):
            self.found.append(full)
        if diagnostic.level == "error" or self.only_warnings:
            raise TooManyFindings


class Unbounded(Exception):
    """Raised if a constant takes too long to compute, or grows too large."""


@define(eq=False)
class Constant(PureEvaluator):
    """Evaluates constants within limits on the number of steps, the depth of definitions and the
    size of numbers.
    """

    left: int = STEPS
    depth: int = 0

    def eval(self, expr: m.Expr, env: Env) -> Value:
        self.left -= 1
        if self.left < 0:
            raise Unbounded("takes too long to compute")
        value = PureEvaluator.eval(self, expr, env)
        if isinstance(expr, (m.Arith, m.Aggregate)) and not -NUMBER < value < NUMBER:
            raise Unbounded("grows beyond what a number can be")
        return value

    def call_define(self, define: m.Define, args: list[Value], env: Env) -> Value:
        self.depth += 1
        try:
            if self.depth > DEPTH:
                raise Unbounded(f"needs definitions more than {DEPTH} deep")
            return super().call_define(define, args, env)
        finally:
            self.depth -= 1


@contextmanager
def deep_stack() -> Iterator[None]:
    """Raise Python's recursion limit for the duration of a `with` block."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def size(keys: Sequence[m.Key]) -> int:
    """Return the number of values of a family with these keys."""
    return math.prod(key.size for key in keys)


def points(keys: Sequence[m.Key]) -> Iterator[tuple[int, ...]]:
    """Return all combinations of keys, row-major."""
    return product(
        *(range(key.kind.size) if key.kind else range(key.low, key.high + 1) for key in keys)
    )


def shown(number: int) -> str:
    """Return a number, which may be very large, in readable form."""
    return f"{number:,}" if number < 10**15 else "more than a thousand million million"
