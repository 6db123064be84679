"""The legal steps of a movement, and the places where it could end: the look-ahead.

It implements the docstring of `rulekit.compiler.model.Movement`. The variables of the step (border,
from, to) are bound while its conditions are tested. For `cost` and `may`, `at` and `fuel` have
their values before the step. For `stop` and `end` they have those after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from attrs import define, field

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import read
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import Env, Value

_MOST_STATES = 100_000


@define(frozen=True)
class MovementStep:
    """One legal step. `arc` is its index in `Movement.arcs`."""

    arc: int
    border: int
    to: int
    cost: int


def allowance(by: PureEvaluator, movement: m.Movement, env: Env) -> int:
    """Return the fuel at the start of a walk, with the parameters and the start bound."""
    return m.NO_LIMIT if movement.allowance is None else int(by.eval(movement.allowance, env))


def steps(
    by: PureEvaluator, movement: m.Movement, env: Env, at: int, fuel: int, been: int
) -> list[MovementStep]:
    """Return the legal steps from `at`, in data order.

    Parameters and `start` are bound in `env` or in a frame.
    """
    look = _Lookahead(by, movement, {**env, movement.been: been}, been)
    found = [
        MovementStep(arc, movement.arcs[arc][0], movement.arcs[arc][2], cost)
        for arc, cost in look.steps(at, fuel)
    ]
    return [step for step in found if look.can_end(step.arc, fuel - step.cost)]


def may_end(by: PureEvaluator, movement: m.Movement, env: Env) -> bool:
    """Return True if all `may end` conditions hold, with the last step bound."""
    return all(by.eval(g.cond, env) for g in movement.end)


def must_stop(by: PureEvaluator, movement: m.Movement, env: Env) -> bool:
    """Return True if a `must stop` condition holds, with the last step bound."""
    return any(by.eval(g.cond, env) for g in movement.stop)


def reach(by: PureEvaluator, movement: m.Movement, args: list[Value], start: int, env: Env) -> int:
    """Return the places other than `start` where a walk from there could end, ignoring hooks."""
    begin: Env = {movement.start: start, movement.at: start, movement.been: 1 << start}
    inner = {**env, **dict(zip(movement.proc.params, args, strict=True)), **begin}
    look = _Lookahead(by, movement, inner, 1 << start)
    return look.reach(start, allowance(by, movement, inner))


@lru_cache(maxsize=64)
def _reads_fuel(movement: m.Movement) -> bool:
    return movement.fuel in read([movement.cost, movement.may, movement.stop, movement.end])


@define(eq=False)
class _Lookahead:
    """Searches the graph of states (the arc that reached a place, and the fuel left).

    Each condition is evaluated once for each arc, or for each arc and fuel if conditions read the
    fuel.
    """

    by: PureEvaluator
    movement: m.Movement
    env: Env
    been: int  # places that are not entered
    by_fuel: bool = False  # some condition reads the fuel: then states with unlike fuel are unlike
    known: dict[tuple[str, int, int], int] = field(factory=dict)
    out: dict[int, list[int]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        mv = self.movement
        self.by_fuel = _reads_fuel(mv)
        for i, (_, a, z) in enumerate(mv.arcs):
            if not self.been >> z & 1:
                self.out.setdefault(a, []).append(i)

    def _ask(self, what: str, arc: int, fuel: int) -> int:
        key = (what, arc, fuel if self.by_fuel else 0)
        if key not in self.known:
            self.known[key] = self._find_out(what, arc, fuel)
        return self.known[key]

    def _find_out(self, what: str, arc: int, fuel: int) -> int:
        mv = self.movement
        b, a, z = mv.arcs[arc]
        at = a if what in ("cost", "may") else z
        env = {**self.env, mv.border_var: b, mv.from_var: a, mv.to_var: z, mv.at: at, mv.fuel: fuel}
        if what == "cost":
            cost = 0 if mv.cost is None else int(self.by.eval(mv.cost, env))
            if cost < 0:
                raise RulesError(
                    f"a step of {mv.name} costs less than 0",
                    str(mv.cost.span) if mv.cost else mv.name,
                )
            return cost
        if what == "may":
            return int(all(self.by.eval(g.cond, env) for g in mv.may))
        return int(may_end(self.by, mv, env) if what == "end" else must_stop(self.by, mv, env))

    def steps(self, at: int, fuel: int) -> Iterator[tuple[int, int]]:
        """Yield (arc, cost) of the steps that the fuel and `may` allow."""
        for arc in self.out.get(at, []):
            cost = self._ask("cost", arc, fuel)
            if cost <= fuel and self._ask("may", arc, fuel):
                yield arc, cost

    def can_end(self, arc: int, fuel: int) -> bool:
        """Return True if the walk can end at the end of this arc, or continue from there and
        end.
        """
        return any(
            self._ask("end", i, f)
            for i, f in self._states([(arc, fuel)], self.movement.arcs[arc][2])
        )

    def reach(self, start: int, fuel: int) -> int:
        mask = 0
        for arc, left in self._states([(i, fuel - cost) for i, cost in self.steps(start, fuel)]):
            if self._ask("end", arc, left):
                mask |= 1 << self.movement.arcs[arc][2]
        return mask

    def _states(self, first: list[tuple[int, int]], closed: int = -1) -> Iterator[tuple[int, int]]:
        """Yield all states reachable from these without entering the place `closed` again.

        Unless conditions read the fuel, a state with more fuel is at least as good.
        """
        best: dict[tuple[int, int], int] = {}
        todo = list(first)
        while todo:
            arc, fuel = todo.pop()
            key = (arc, fuel if self.by_fuel else 0)
            if best.get(key, -1) >= fuel:
                continue
            best[key] = fuel
            if len(best) > _MOST_STATES:
                raise RulesError("too many states in the look-ahead", self.movement.name)
            yield arc, fuel
            if not self._ask("stop", arc, fuel):
                onward = self.steps(self.movement.arcs[arc][2], fuel)
                todo.extend(
                    (i, fuel - cost) for i, cost in onward if self.movement.arcs[i][2] != closed
                )
