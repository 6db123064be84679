"""Takes statements, says how they may end: whether play goes on behind them, comes back to a
caller, or leaves a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from rulekit.compiler import model as m

GOES_ON, RETURNS, LEAVES = "on", "return", "leave"


def may_skip(stmt: m.Stmt) -> bool:
    """May there be nothing to pick or choose, so that the rest of the block is skipped?"""
    if isinstance(stmt, m.Choose):
        return not any(not option.clauses and not option.params for option in stmt.options)
    return isinstance(stmt, (m.Pick, m.PickGroup)) and not (stmt.or_none or stmt.sure)


@define(eq=False)
class Ways:
    """How statements may end. `skips`: the picks and choices that may have nothing to offer."""

    skips: Callable[[m.Stmt], bool] = may_skip
    known: dict[int, bool] = field(factory=dict)

    def of_procedure(self, proc: m.Procedure) -> bool:
        """May it end, so that its caller goes on?"""
        if id(proc) not in self.known:
            self.known[id(proc)] = True  # one that calls itself, through a window
            self.known[id(proc)] = bool(self.of_block(proc.body))
        return self.known[id(proc)]

    def of_block(self, stmts: Sequence[m.Stmt]) -> set[str]:
        """What may come after a block; nothing, if play is over."""
        out: set[str] = set()
        for stmt in stmts:
            if self.skips(stmt):
                out.add(GOES_ON)
            found = self.of(stmt)
            out |= found - {GOES_ON}
            if GOES_ON not in found:
                return out
        return out | {GOES_ON}

    def of(self, stmt: m.Stmt) -> set[str]:
        """What may come after a statement, in its block."""
        if isinstance(stmt, (m.Finish, m.Return, m.Leave)):
            return {m.Finish: set(), m.Return: {RETURNS}, m.Leave: {LEAVES}}[type(stmt)]
        if isinstance(stmt, m.IfStmt):
            return self.of_block(stmt.then) | self.of_block(stmt.other)
        if isinstance(stmt, m.CallProc):
            return {GOES_ON} if self.of_procedure(stmt.proc) else set()
        if isinstance(stmt, m.Choose) and stmt.options:
            ways = [
                (
                    ({GOES_ON} if self.of_procedure(o.proc) else set())
                    if o.proc is not None
                    else self.of_block(o.body)
                )
                for o in stmt.options
            ]
            return {way for found in ways for way in found}
        if isinstance(stmt, (m.Each, m.Repeat, m.Together)):
            return self.of_loop(stmt)
        return {GOES_ON}

    def of_loop(self, loop: m.Each | m.Repeat | m.Together) -> set[str]:
        """What may come after a loop. It goes on behind it when its rounds are over, is left, or
        has none."""
        found = self.of_block(loop.body)
        surely = (
            isinstance(loop, m.Repeat)
            and loop.form == "times"
            and isinstance(loop.limit, m.Const)
            and loop.limit.value > 0
        )
        return (
            found & {RETURNS}
            if surely and not found & {GOES_ON, LEAVES}
            else {GOES_ON, *(found & {RETURNS})}
        )
