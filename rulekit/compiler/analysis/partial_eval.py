"""Evaluate expressions of which some parts are unknown."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

from rulekit.compiler import model as m
from rulekit.compiler.analysis.late_constants import Axis, Deps
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import Env, NotConstant, is_member, is_missing, refuses, void

Values = tuple[Any, ...]
T = TypeVar("T")
MISSING = (-1,)


def only(values: Sequence[Any] | None) -> Any:
    """Return the value if there is exactly one. Raise NotConstant if there are several, or if any
    value is possible (None).
    """
    if values is None or (len(values) > 1 and len(set(values)) > 1):
        raise NotConstant("")
    return values[0]


class Possible(PureEvaluator):
    """Evaluates expressions with unknown parts.

    It skips an unknown part that makes no difference and cannot end play with an error. For an
    `if`, a definition and a constant it computes all possible values.
    """

    chosen: dict[Axis, int]  # the choices assumed during an evaluation
    # The possible values of definitions for some arguments. None means any value.
    called: dict[tuple[object, ...], Values | None]

    @abstractmethod
    def deps(self, expression: m.Expr) -> Deps:
        """Return the dependencies of an expression."""

    @abstractmethod
    def deps_of(self, definition: m.Define) -> Deps:
        """Return the dependencies of a definition, apart from its parameters."""

    @abstractmethod
    def maybe_none(self, expression: m.Expr) -> bool:
        """Return True if this member can be -1."""

    def unless_unknown(
        self, find: Callable[[m.Expr, Env], T], expression: m.Expr, env: Env
    ) -> T | None:
        """Return the result of `find`, or None if it is unknown.

        Raises:
            NotConstant: it is unknown, and the expression may end play with an error.
        """
        try:
            return find(expression, env)
        except NotConstant:
            if self.deps(expression).raises:
                raise
            return None

    def known(self, expression: m.Expr, env: Env) -> Any | None:
        """Return the value if it is known, else None."""
        return self.unless_unknown(self.eval, expression, env)

    def values(self, expression: m.Expr, env: Env) -> Values:
        """Return all values that are possible in any state."""
        if isinstance(expression, m.If):
            return self._first([(expression.cond, expression.then), (None, expression.other)], env)
        if isinstance(expression, m.CallDefine):
            return self._of_call(expression, env)
        if isinstance(expression, m.ReadFixed):
            return tuple(
                {
                    self.fixed_at(expression, keys)
                    for keys in product(*[self.values(k, env) for k in expression.keys])
                }
            )
        return (self.eval(expression, env),)

    def possible(self, expression: m.Expr, env: Env) -> Values | None:
        """Return the same, or None if any value is possible."""
        return self.unless_unknown(self.values, expression, env)

    def _first(self, cases: Iterable[tuple[m.Expr | None, m.Expr]], env: Env) -> Values:
        """Return the possible values of the first case that holds."""
        found: set[Any] = set()
        for cond, value in cases:
            holds = cond is None or self.known(cond, env)
            if holds is None or holds:
                found.update(self.values(value, env))
            if holds:
                break
        return tuple(found)

    def _of_call(self, expression: m.CallDefine, env: Env) -> Values:
        params = expression.target.params
        args = [self.known(a, env) for a in expression.args]
        if refuses(params, args):
            return (void(expression.target.type),)
        for p, a, x in zip(params, expression.args, args, strict=True):
            if (
                x is None
                and isinstance(p.type, m.MemberOf)
                and not p.type.optional
                and self.maybe_none(a)
            ):
                raise NotConstant("")
        own = self.deps_of(expression.target).vars  # variables of the calling procedure
        key = (expression.target, *args, *self.chosen.items())
        if own or key not in self.called:
            inner = {
                var: x
                for var, x in {**env, **dict(zip(params, args, strict=True))}.items()
                if x is not None
            }
            try:
                self.called[key] = self._first(expression.target.cases, inner)
            except NotConstant:
                self.called[key] = None
        found = self.called[key]
        if found is None:
            raise NotConstant("")
        return found

    # ---------------------------------------------------------------------------------------- nodes
    def on_if(self, expression: m.If, env: Env) -> Any:
        return only(self.values(expression, env))

    def on_call_define(self, expression: m.CallDefine, env: Env) -> Any:
        return only(self.values(expression, env))

    def on_and(self, expression: m.And | m.Or, env: Env) -> Any:
        stop, found = isinstance(expression, m.Or), []
        for item in expression.items:
            found.append(self.known(item, env))
            if found[-1] is not None and bool(found[-1]) == stop:
                return stop
        return not stop if None not in found else only(None)

    on_or = on_and

    def on_compare(self, expression: m.Compare, env: Env) -> Any:
        d = self.deps(expression)
        if not d.state and d.vars <= env.keys():
            return super().on_compare(expression, env)
        left, right = self.possible(expression.left, env), self.possible(expression.right, env)
        if (left == MISSING and is_member(expression.left.type)) or (
            right == MISSING and is_member(expression.right.type)
        ):
            return False
        return only(
            None
            if left is None or right is None
            else [self.compared(expression, x, y) for x in left for y in right]
        )

    def on_in(self, expression: m.In, env: Env) -> Any:
        items, source = self.possible(expression.item, env), self.known(expression.source, env)
        if items == MISSING or source == 0:
            return False
        return only(
            None
            if items is None or source is None
            else [x != -1 and bool(source >> x & 1) for x in items]
        )

    def on_is_none(self, expression: m.IsNone, env: Env) -> Any:
        found = self.possible(expression.value, env)
        if (
            found is None
            and not isinstance(expression.value.type, m.Int)
            and not self.maybe_none(expression.value)
        ):
            return False
        return only(
            None if found is None else [is_missing(expression.value.type, x) for x in found]
        )
