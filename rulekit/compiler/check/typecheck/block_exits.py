"""Determines how statements may end: execution continues after them, returns to the caller, or
leaves a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from rulekit.compiler import model as m

GOES_ON, RETURNS, LEAVES = "on", "return", "leave"


def may_skip(stmt: m.Stmt) -> bool:
    """Return True if a statement may have nothing to pick or choose, so that the rest of its block
    is skipped.
    """
    if isinstance(stmt, m.Choose):
        return not any(not option.clauses and not option.params for option in stmt.options)
    return isinstance(stmt, (m.Pick, m.PickGroup)) and not (stmt.or_none or stmt.sure)


@define(eq=False)
class BlockExits:
    """The possible exits of statements.

    Attributes:
        skips: returns True for the picks and choices that may have nothing to offer.
    """

    skips: Callable[[m.Stmt], bool] = may_skip
    known: dict[int, bool] = field(factory=dict)

    def of_procedure(self, proc: m.Procedure) -> bool:
        """Return True if a procedure may end, so that its caller continues."""
        if id(proc) not in self.known:
            self.known[id(proc)] = True  # one that calls itself, through a window
            self.known[id(proc)] = bool(self.of_block(proc.body))
        return self.known[id(proc)]

    def of_block(self, stmts: Sequence[m.Stmt]) -> set[str]:
        """Return the possible exits of a block. There are none if it always ends the game."""
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
        """Return the possible exits of a statement in its block."""
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
        """Return the possible exits of a loop.

        Execution continues after it when its rounds are over, when it is left, or when it has no
        rounds.
        """
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
