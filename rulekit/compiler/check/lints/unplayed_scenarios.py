"""Find the condition because of which a scenario is over before its first round.

The steps of the set-up and of the main phase are followed with the values of one scenario. If a
condition that is certain leaves out every step in which a player plays, play is over at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import opened
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.typecheck.block_exits import may_skip
from rulekit.compiler.model.visitor import nodes
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import Env, NotConstant, Value

DEEP = 6  # the number of calls inside calls that are followed
# Steps in which a player plays. A pick alone may be a part of the set-up.
PLAYS = (m.Choose, m.Walk)
ASKS = (*PLAYS, m.Pick, m.PickGroup, m.Together)


class _KnownState(PureEvaluator):
    """An evaluator that knows a part of the state, and the constants of a scenario."""

    def __init__(self, scenario: Any, open_names: frozenset[str]) -> None:
        self.late: Mapping[str, int | list[int]] = scenario.late
        self.open_names = open_names  # rulings, which an edition may answer differently
        self.values: dict[m.Cell, dict[tuple[int, ...], int]] = {}
        for cell, keys, value in scenario.cells:
            self.values.setdefault(cell, {})[tuple(keys)] = value
        self.lost: set[m.Node] = set()  # cells with unknown values

    def read_cell(self, cell: m.Cell, keys: tuple[int, ...]) -> int:
        if cell in self.lost or cell.pool or cell.hidden:
            raise NotConstant(cell.name)
        return self.values.get(cell, {}).get(keys, cell.initial)

    def read_late(self, fixed: m.Fixed) -> Sequence[int]:
        found = self.late.get(fixed.name) if fixed.name not in self.open_names else None
        if found is None:
            raise NotConstant(fixed.name)
        return found if isinstance(found, list) else [found]

    def on_and(self, e: m.And, env: Env) -> Value:
        return self._either(e.items, env, False)

    def on_or(self, e: m.Or, env: Env) -> Value:
        return self._either(e.items, env, True)

    def _either(self, items: Sequence[m.Expr], env: Env, decides: bool) -> bool:
        """Return `decides` if one of the items has this value, even if others are unknown."""
        unknown: NotConstant | None = None
        for item in items:
            try:
                if bool(self.eval(item, env)) == decides:
                    return decides
            except NotConstant as found:
                unknown = found
        if unknown is not None:
            raise unknown
        return not decides


@define(eq=False)
class OpeningSteps:
    """The steps of a scenario before its first round.

    Attributes:
        plays: the steps in which a player plays.
        left_out: the first condition, number or set that certainly leaves out such steps.
        part: the part of it that decides.
        passed: the condition of a `return` that was reached.
        over: True if a `finish` was reached.
        played: True if a player may play somewhere.
    """

    model: m.Model
    changes: Changes
    scenario: Any
    plays: tuple[type[m.Node], ...]
    state: _KnownState = field(init=False)
    left_out: m.Expr | None = None
    part: m.Expr = field(init=False)
    passed: m.Expr | None = None
    over: bool = False
    played: bool = False

    def __attrs_post_init__(self) -> None:
        rulings = frozenset(ruling.fixed.name for ruling in self.model.rulings)
        self.state = _KnownState(self.scenario, rulings)

    def cause(self) -> tuple[m.Expr, m.Expr] | None:
        """Return the condition because of which nobody ever plays, if there is one, and the part of
        it that decides.
        """
        for proc in (self.model.setup, self.model.main):
            if proc is not None:
                self.called(proc, {}, DEEP)
        if self.played or self.left_out is None:
            return None
        return self.left_out, self.part

    # ------------------------------------------------------------------------------------ the steps
    def called(self, proc: m.Procedure, env: Env, deep: int) -> None:
        """Follow the steps of a procedure."""
        self.passed = None
        self.block(proc.body, env, deep)
        if self.passed is not None and self.has(self.plays, proc.body):
            self.leave_out(self.passed, env)
        self.passed = None
        if not self.played:
            self.forget_after(proc)

    def block(self, stmts: m.Block, env: Env, deep: int, under: m.Expr | None = None) -> bool:
        """Follow the steps of a block.

        Args:
            under: the condition under which it certainly runs.

        Returns:
            Whether play may continue behind it.
        """
        for stmt in stmts:
            if self.played or self.over:
                return False
            if isinstance(stmt, m.Finish):
                self.over = True
                self.leave_out(under, env)
                return False
            if isinstance(stmt, (m.Return, m.Leave)):
                self.passed = under
                return False
            if not self.step(stmt, env, deep):
                return False
        return True

    def step(self, stmt: m.Stmt, env: Env, deep: int) -> bool:
        """Follow a step, and return False if play does not continue behind it."""
        if isinstance(stmt, m.IfStmt) and (cond := self.value(stmt.cond, env)) is not None:
            way, other = (stmt.then, stmt.other) if cond else (stmt.other, stmt.then)
            if self.has(self.plays, other):
                self.leave_out(stmt.cond, env)
            return self.block(way, env, deep, stmt.cond)
        if isinstance(stmt, (m.Repeat, m.Each)) and (none := self.no_rounds(stmt, env)) is not None:
            if self.has(self.plays, stmt.body):
                self.leave_out(none, env)
        elif isinstance(stmt, m.CallProc) and deep and stmt.proc.word in ("phase", "procedure"):
            self.called(stmt.proc, self.given(stmt.proc.params, stmt.args, env), deep - 1)
        elif isinstance(stmt, m.CallEvent) and all(
            isinstance(each, m.SetCell) for each in stmt.event.body
        ):
            given = self.given(stmt.event.params, stmt.args, env)
            self.forget(stmt, env)
            for each in stmt.event.body:
                self.step(each, given, deep)
        elif isinstance(stmt, m.SetCell):
            self.write(stmt, env)
        else:
            asks = ASKS if self.left_out is not None else self.plays
            self.played = self.has(asks, [stmt])
            if not self.played:
                self.forget(stmt, env)
        return True

    def no_rounds(self, loop: m.Repeat | m.Each, env: Env) -> m.Expr | None:
        """Return the expression because of which a loop certainly has no round."""
        if isinstance(loop, m.Repeat):
            if loop.cond is not None and self.value(loop.cond, env):
                return loop.cond
            number = self.value(loop.limit, env) if loop.form != "until" else None
            return loop.limit if number is not None and number <= 0 else None
        if loop.source is not None:
            return loop.source if self.value(loop.source, env) == 0 else None
        if loop.numbers is not None:
            low, high = (self.value(end, env) for end in loop.numbers)
            return loop.numbers[1] if low is not None and high is not None and low > high else None
        return None

    def leave_out(self, cause: m.Expr | None, env: Env) -> None:
        """Note the first condition that leaves out steps in which a player plays."""
        if self.left_out is None and cause is not None:
            self.left_out, self.part = cause, self.deciding(cause, env)

    def deciding(self, cond: m.Expr, env: Env) -> m.Expr:
        """Return the part of an `or` that is true."""
        if isinstance(cond, m.CallDefine) and (body := opened(cond)) is not None:
            return self.deciding(body, env)
        for item in cond.items if isinstance(cond, m.Or) else ():
            if self.value(item, env):
                return self.deciding(item, env)
        return cond

    def has(self, kinds: tuple[type[m.Node], ...], block: m.Block) -> bool:
        """Return True if these steps, or others because of them, contain such a step."""
        return any(isinstance(node, kinds) for node in self.changes.followed(*block))

    # ------------------------------------------------------------------------------------ the state
    def write(self, stmt: m.SetCell, env: Env) -> None:
        """Follow an assignment. The value is known if it fits and nothing reacts to it."""
        value, keys = self.value(stmt.value, env), [self.value(k, env) for k in stmt.keys]
        cell, whole = stmt.cell, stmt.cell not in self.state.lost or not stmt.keys
        self.forget(stmt, env)
        watched = any(cell in rule.reads for rule in self.model.whenevers)
        if whole and not watched and not cell.clamp and stmt.op == ":=" and value is not None:
            known = tuple(k for k in keys if k is not None)
            if len(known) == len(keys):
                self.state.lost.discard(cell)
                self.state.values.setdefault(cell, {})[known] = value

    def forget(self, stmt: m.Stmt, env: Env) -> None:
        """Forget the values that a step may change."""
        for changed in self.changes.of(stmt):
            if isinstance(changed, m.Cell):
                self.state.lost.add(changed)
            elif isinstance(changed, m.Var):
                env.pop(changed, None)

    def forget_after(self, proc: m.Procedure) -> None:
        """Forget the values that are reset when a procedure ends. If its last steps may have been
        left out, forget the values that any of its steps may change.
        """
        self.state.lost.update(self.changes.ending(proc))
        steps = [node for node in nodes(proc.body) if isinstance(node, m.Stmt)]
        if any(isinstance(stmt, (m.Return, m.Leave)) or may_skip(stmt) for stmt in steps):
            self.forget(m.CallProc(proc, []), {})

    def value(self, e: m.Expr, env: Env) -> int | None:
        """Return the value of an expression if it is known."""
        try:
            return int(self.state.eval(e, env))
        except (NotConstant, RulesError, StopIteration, KeyError, TypeError):
            return None

    def given(self, params: list[m.Var], args: list[m.Expr], env: Env) -> Env:
        """Return the parameters of a call that have a known value."""
        found = ((param, self.value(arg, env)) for param, arg in zip(params, args, strict=True))
        return {param: value for param, value in found if value is not None}


def unplayed(model: m.Model, changes: Changes, scenario: Any) -> tuple[m.Expr, m.Expr] | None:
    """Return the condition because of which nobody ever plays in a scenario, if there is one, and
    the part of it that decides.
    """
    body = model.main.body if model.main is not None else []
    for plays in (PLAYS, ASKS):
        if any(isinstance(node, plays) for node in changes.followed(*body)):
            return OpeningSteps(model, changes, scenario, plays).cause()
    return None
