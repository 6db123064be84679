"""Takes nothing, makes what every evaluator of expressions is: `Evaluator`, the values of variables that it is given, and the record of how
a total or permit came to its value: a line for each clause that was tried."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from attrs import define, field

from rulekit import model as m
from rulekit.meaning.values import Value, refuses


@define(eq=False)
class Line:
    """One clause in a derivation. status: applied; condition (it does not hold); cancelled (`cancel` says by what);
    overridden (another set or base came first); idle (a bound that the value keeps anyway). `amount`: what it gave.
    `holder`: the member that a card's clause holds for, -1 if it has none. `parts`: the totals and permits that its
    condition and its amount asked."""

    clause: m.Clause
    status: str
    amount: int | None = None
    holder: int = -1
    cancel: m.Cancel | None = None
    parts: list[Derivation] = field(factory=list)


@define(eq=False)
class Derivation:
    """How a total or permit came to its value."""

    target: m.Total | m.Permit
    args: list[Any]
    value: int = 0
    lines: list[Line] = field(factory=list)
    pending: list[Derivation] = field(factory=list)  # parts of the line that is being worked out

    def add(self, line: Line) -> None:
        line.parts, self.pending = self.pending, []
        self.lines.append(line)


Env = dict[m.Var, Any]


class NotConstant(Exception):
    """The value depends on the state of a game."""


class Evaluator(ABC):
    """Evaluates expressions. `env` binds variables."""

    derivation: Derivation | None = None  # where the clauses that are tried are recorded, while `explain` runs

    @abstractmethod
    def eval(self, expr: m.Expr, env: Env) -> Value:
        """The value of an expression."""

    def test(self, expr: m.Expr | None, env: Env) -> bool:
        """A condition; none at all holds."""
        return expr is None or bool(self.eval(expr, env))

    def calling(self, params: list[m.Var], args: Sequence[Value], env: Env) -> Env | None:
        """The environment inside a call, or None if an argument is a hole that its parameter does not take."""
        return None if refuses(params, args) else {**env, **dict(zip(params, args, strict=True))}
