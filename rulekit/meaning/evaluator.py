"""Takes nothing, makes what every evaluator of expressions is: `Evaluator`, and the values of variables that it is given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from rulekit import model as m
from rulekit.meaning.derivation import Derivation
from rulekit.meaning.values import Value, refuses

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
