"""Picks that certainly ask a player, or certainly find something, in every state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.set_facts import DEEP, least
from rulekit.compiler.model.visitor import nodes, read, substitute


@define(eq=False)
class Always:
    """The picks of one game. Each is analysed once, on first use."""

    bodies: Mapping[m.Procedure, Sequence[m.Block]]
    _known: dict[m.Stmt, int] = field(factory=dict)
    _lets: dict[m.Procedure, dict[m.Var, m.Expr]] = field(factory=dict)

    def asks(self, stmt: m.Pick | m.PickGroup, proc: m.Procedure | None) -> bool:
        """Return True if there is always more than one choice, so that nothing is picked without a
        question.
        """
        if stmt.source is None or stmt.alike:
            return False
        if isinstance(stmt, m.Pick):
            return self.least(stmt, proc) >= (1 if stmt.or_none else 2)
        low = 1 if stmt.low is None else stmt.low.value if isinstance(stmt.low, m.Const) else None
        free = stmt.high is None or (isinstance(stmt.high, m.Const) and stmt.high.value > 0)
        return (
            low is not None and free and stmt.keeps is None and self.least(stmt, proc) > max(1, low)
        )

    def finds(self, stmt: m.Stmt, proc: m.Procedure | None) -> bool:
        """Return True if there is always something to pick, so that the steps after the pick are
        never skipped.
        """
        return isinstance(stmt, m.Pick) and self.least(stmt, proc) > 0

    def least(self, stmt: m.Pick | m.PickGroup, proc: m.Procedure | None) -> int:
        """Return the number of things that are certainly there to pick from."""
        if stmt not in self._known:
            source = stmt.source
            for _ in range(DEEP):
                if source is not None and (
                    set_once := {
                        var: e for var, e in self.lets(proc).items() if var in read(source)
                    }
                ):
                    source = substitute(source, set_once)
            self._known[stmt] = least(source) if source is not None else 0
        return self._known[stmt]

    def lets(self, proc: m.Procedure | None) -> dict[m.Var, m.Expr]:
        """Return the variables of a procedure that are set only once, with their values."""
        if proc is None:
            return {}
        if proc not in self._lets:
            made = (
                node
                for node in nodes(*self.bodies.get(proc, ()))
                if isinstance(node, m.SetVar) and node.var.once
            )
            self._lets[proc] = {node.var: node.value for node in made}
        return self._lets[proc]
