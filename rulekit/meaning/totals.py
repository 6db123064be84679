"""Takes a total or permit, its arguments and an evaluator, makes its value, and on demand the derivation of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit import model as m
from rulekit.base.errors import RulesError
from rulekit.meaning.evaluator import Derivation, Env, Evaluator, Line


def explain(by: Evaluator, target: m.Total | m.Permit, args: list[Any], env: Env) -> Derivation:
    """The value of a total or permit, with every clause of it: applied, or why not."""
    before = by.derivation
    root = by.derivation = Derivation(target, args)
    try:
        call(by, target, args, env)
    finally:
        by.derivation = before
    return root.pending[0]


def held(type: m.Type, value: int, what: str, where: str = "") -> int:
    """A number that keeps to its range; else a RulesError."""
    low, high = (type.low, type.high) if isinstance(type, m.Int) else (None, None)
    if value != m.NO_LIMIT and ((low is not None and value < low) or (high is not None and value > high)):
        raise RulesError(f"{what} would be {value}, outside of {low} .. {high}", where)
    return value


def call(by: Evaluator, target: m.Total | m.Permit, args: list[Any], env: Env) -> int:
    """The value; 0 through a hole."""
    outer = by.derivation
    inner = by.derivation = None if outer is None else Derivation(target, args)
    try:
        value = 0
        bound = by.calling(target.params, args, env)
        if bound is not None:
            value = total_of(by, target, bound) if isinstance(target, m.Total) else allowed(by, target, bound)
            if isinstance(target, m.Total):
                held(target.type, value, target.name, str(target.span))
    finally:
        by.derivation = outer
    if outer is not None and inner is not None:
        inner.value = value
        outer.pending.append(inner)
    return value


def total_of(by: Evaluator, total: m.Total, env: Env) -> int:
    """The value of a total whose parameters are bound."""
    value = 0
    found = False
    for clause in _of(total, "set") + _of(total, "base"):
        if not found:
            amounts = list(_amounts(by, clause, env))
            found = bool(amounts)
            value = amounts[0] if found else 0
        elif by.derivation is not None and any(True for _ in _holders(by, clause, env)):
            by.derivation.add(Line(clause, "overridden"))
    for clause in _of(total, "modifier"):
        value += sum(_amounts(by, clause, env))
    for word, other in (("least", max), ("most", min)):
        for clause in _of(total, word):
            for amount in _amounts(by, clause, env, value):
                value = other(value, amount)
    return value


def allowed(by: Evaluator, permit: m.Permit, env: Env) -> int:
    """1 unless a bar holds. While explaining all bars are tried, else only up to the first that holds."""
    value = 1
    for clause in permit.clauses:
        for bound in _holders(by, clause, env):
            value = 0
            if by.derivation is None:
                return value
            by.derivation.add(Line(clause, "applied", holder=_holder(clause, bound)))
            break
    return value


def bars(by: Evaluator, permit: m.Permit, env: Env) -> list[m.Clause]:
    """The bars that hold, in order, with the parameters bound: the refusal."""
    return [clause for clause in permit.clauses if applies(by, clause, env)]


def applies(by: Evaluator, clause: m.Clause, env: Env) -> bool:
    """Does the clause count, with the parameters of its target bound?"""
    outer, by.derivation = by.derivation, None
    try:
        return any(True for _ in _holders(by, clause, env))
    finally:
        by.derivation = outer


def _of(total: m.Total, word: str) -> list[m.Clause]:
    return [clause for clause in total.clauses if clause.word == word]


def _holder(clause: m.Clause, env: Env) -> int:
    return -1 if clause.holder is None else int(env[clause.holder[0]])


def _amounts(by: Evaluator, clause: m.Clause, env: Env, value: int = 0) -> Iterator[int]:
    """What the clause gives: once for each holder for a modifier, else once at most, for the first holder. `value`: what a
    bound is held against."""
    for bound in _holders(by, clause, env):
        amount = 0 if clause.amount is None else int(by.eval(clause.amount, bound))
        if by.derivation is not None:
            idle = (clause.word == "least" and amount <= value) or (clause.word == "most" and amount >= value)
            by.derivation.add(Line(clause, "idle" if idle else "applied", amount, _holder(clause, bound)))
        yield amount
        if clause.word != "modifier":
            return


def _holders(by: Evaluator, clause: m.Clause, env: Env) -> list[Env]:
    """The bindings under which the clause counts; if there are none, a derivation is told why."""
    held = [bound for bound in _bindings(by, clause.holder, env) if by.test(clause.cond, bound)]
    cancel = _cancelled(by, clause, env) if held else None
    if by.derivation is not None and (not held or cancel is not None):
        by.derivation.add(Line(clause, "cancelled" if held else "condition", cancel=cancel))
    return held if cancel is None else []


def _cancelled(by: Evaluator, clause: m.Clause, env: Env) -> m.Cancel | None:
    for cancel in clause.cancels:
        asked = [by.test(cancel.cond, bound) for bound in _bindings(by, cancel.holder, env)]
        if any(asked):
            return cancel
    return None


def _bindings(by: Evaluator, holder: tuple[m.Var, m.Expr] | None, env: Env) -> Iterator[Env]:
    if holder is None:
        yield env
        return
    var, source = holder
    mask = by.eval(source, env)
    for member in range(mask.bit_length()):
        if mask >> member & 1:
            yield {**env, var: member}
