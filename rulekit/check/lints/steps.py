"""Takes a whole model, warns of steps that play never comes to: what stands behind a step after which it never goes on."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit import model as m
from rulekit.check.lints.uses import Uses
from rulekit.check.names.scope import World

GOES_ON, RETURNS, LEAVES = "on", "return", "leave"
ENDS = {m.Finish: "'finish' ends play", m.Return: "'return' ends the procedure", m.Leave: "'leave' ends the loop"}


def steps(world: World, uses: Uses) -> None:
    """Warns of the first step of each block that is never reached."""
    ways = _Ways()
    for proc in world.model.procedures:
        if uses.is_own(proc):
            _blocks(proc.body, ways, world)
    for movement in world.model.movements:
        if uses.is_own(movement.proc):
            for body in (movement.on_entry, movement.stranded):
                _blocks(body, ways, world)


def _blocks(body: m.Block, ways: _Ways, world: World) -> None:
    """The same of a block and of those in it."""
    before: m.Stmt | None = None
    for stmt in body:
        if before is not None:
            word = next((why for cls, why in ENDS.items() if isinstance(before, cls)), "play never goes on")
            world.sink.warn("RK700", stmt.span, f"this is never done: {word} in line {before.span.line}, before it",
                            "put it before that line, or let that line have a condition ('... when C')")
            return
        for inner in _inside(stmt):
            _blocks(inner, ways, world)
        if GOES_ON not in ways.of(stmt):
            before = stmt


def _inside(stmt: m.Stmt) -> list[m.Block]:
    """The blocks in a statement."""
    if isinstance(stmt, m.IfStmt):
        return [stmt.then, stmt.other]
    if isinstance(stmt, (m.Each, m.Repeat, m.Together)):
        return [stmt.body]
    return [option.body for option in stmt.options if option.proc is None] if isinstance(stmt, m.Choose) else []


@define(eq=False)
class _Ways:
    """How statements may end. Any set may be empty, and any choice may have no option: then the rest of a block is skipped."""

    known: dict[int, bool] = field(factory=dict)

    def ends(self, proc: m.Procedure) -> bool:
        """May it end, so that its caller goes on?"""
        if id(proc) not in self.known:
            self.known[id(proc)] = True  # one that calls itself, through a window
            self.known[id(proc)] = bool(self.of_block(proc.body))
        return self.known[id(proc)]

    def of_block(self, stmts: Sequence[m.Stmt]) -> set[str]:
        """What may come after a block; nothing, if play is over."""
        out: set[str] = set()
        for stmt in stmts:
            found = self.of(stmt)
            out |= found - {GOES_ON}
            if isinstance(stmt, m.Choose) or (isinstance(stmt, (m.Pick, m.PickGroup)) and not (stmt.or_none or stmt.sure)):
                out.add(GOES_ON)
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
            return {GOES_ON} if self.ends(stmt.proc) else set()
        if isinstance(stmt, m.Choose) and stmt.options:
            ways = [({GOES_ON} if self.ends(o.proc) else set()) if o.proc is not None else self.of_block(o.body) for o in stmt.options]
            return {way for found in ways for way in found}
        if isinstance(stmt, (m.Each, m.Repeat, m.Together)):
            return self.of_loop(stmt)
        return {GOES_ON}

    def of_loop(self, loop: m.Each | m.Repeat | m.Together) -> set[str]:
        """What may come after a loop. It goes on behind it when its rounds are over, is left, or has none."""
        found = self.of_block(loop.body)
        surely = isinstance(loop, m.Repeat) and loop.form == "times" and isinstance(loop.limit, m.Const) and loop.limit.value > 0
        return found & {RETURNS} if surely and not found & {GOES_ON, LEAVES} else {GOES_ON, *(found & {RETURNS})}


