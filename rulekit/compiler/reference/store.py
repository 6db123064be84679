"""`ReferencePosition`: all cells and variables of a running game, with the functions that read and
write them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import reached, read
from rulekit.compiler.semantics import movement as walks
from rulekit.compiler.semantics.evaluate import PureEvaluator, held
from rulekit.compiler.semantics.values import Env, bits, offset, void


class ReferencePosition(PureEvaluator):
    """The state of a game, and the evaluation of expressions over it.

    Attributes:
        frames: the variables of procedures.
        bound: the variables that live only inside one evaluation or event.
        stack: the running procedures.
        moment: the innermost open moment.
        known: for each kind, the set of pooled things whose place is publicly known.
    """

    def __init__(self, model: m.Model, late: Mapping[m.Fixed, Sequence[int]]) -> None:
        self.model = model
        self.late = dict(late)
        self.cells: dict[m.Cell, list[int]] = {}
        self.frames: Env = {}
        self.bound: Env = {}
        self.stack: list[m.Procedure] = []
        self.moment = -1
        self.known: dict[m.Kind, int] = {}
        self.free: dict[
            m.Define, bool
        ] = {}  # does a define read nothing but its arguments and cells?
        self.memo: dict[tuple[Any, ...], Any] = {}  # values of such defines, until a cell changes
        for cell in model.cells:
            size = 1
            for key in cell.keys:
                size *= key.size
            self.cells[cell] = [cell.initial] * size
            if cell.pool and isinstance(cell.type, m.SetOf) and not cell.seen:
                self.known[cell.type.kind] = self.known.get(cell.type.kind, 0) | cell.initial

    # -------------------------------------------------------------------------------- reading
    def read_cell(self, cell: m.Cell, keys: tuple[int, ...]) -> int:
        place = offset(cell.keys, keys)
        assert place is not None
        return self.cells[cell][place]

    def call_define(self, define: m.Define, args: list[Any], env: Env) -> Any:
        free = self.free.get(define)
        if free is None:
            free = self.free[define] = all(
                var.frame is None for var in read(define)
            ) and not reads_play(define)
        if not free or self.derivation is not None:
            return super().call_define(define, args, env)
        key = (define, *args)
        if key not in self.memo:
            self.memo[key] = super().call_define(define, args, env)
        return self.memo[key]

    def read_frame(self, var: m.Var) -> Any:
        return self.frames.get(
            var, m.first_value(var.type) if isinstance(var.type, m.Int) else void(var.type)
        )

    def read_late(self, fixed: m.Fixed) -> Sequence[int]:
        return self.late[fixed]

    def here(self) -> int:
        return self.moment

    def reach(self, movement: m.Movement, args: list[Any], start: int, env: Env) -> int:
        return walks.reach(self, movement, args, start, env)

    def runs(self, proc: m.Procedure) -> bool:
        return proc in self.stack

    def value(self, expr: m.Expr) -> Any:
        """Return the value of an expression in the current position."""
        return self.eval(expr, self.bound)

    def holds(self, cond: m.Expr | None) -> bool:
        return cond is None or bool(self.value(cond))

    def members(self, source: m.Expr) -> list[int]:
        return list(bits(self.value(source)))

    @contextmanager
    def binding(self, values: Mapping[m.Var, Any]) -> Iterator[None]:
        """Bind variables for the duration of a `with` block."""
        before = self.bound
        self.bound = {**before, **values}
        try:
            yield
        finally:
            self.bound = before

    # -------------------------------------------------------------------------------- writing
    def bind(self, var: m.Var, value: Any) -> None:
        if var.frame is None:
            self.bound[var] = value
        else:
            self.frames[var] = value

    def write_var(self, var: m.Var, op: str, value: Any) -> None:
        self.bind(var, combine(var.type, op, self.value(m.Read(var)), value))

    def write_cell(
        self, cell: m.Cell, keys: Sequence[int], op: str, value: int, where: str = ""
    ) -> bool:
        """Assign a cell. Return False, without an effect, if a key is the missing value."""
        try:
            place = offset(cell.keys, keys)
        except IndexError as wrong:
            raise RulesError(f"{cell.name} has no value for {wrong}", where) from None
        if place is None:
            return False
        new = combine(cell.type, op, self.cells[cell][place], value)
        if isinstance(cell.type, m.Int) and new != m.NO_LIMIT:
            low, high = cell.type.low, cell.type.high
            if cell.clamp:
                new = new if low is None else max(low, new)
                new = new if high is None else min(high, new)
            else:
                held(cell.type, new, cell.name, where)
        self.cells[cell][place] = int(new)
        self.memo.clear()
        return True

    # -------------------------------------------------------------------------------- pools
    def pool_place(self, read: m.ReadCell) -> int:
        place = offset(read.cell.keys, [self.value(k) for k in read.keys])
        if place is None:
            raise RulesError(f"no such pool {read.cell.name}", str(read.span))
        return place

    def content(self, read: m.ReadCell) -> int:
        return self.cells[read.cell][self.pool_place(read)]

    def move_thing(self, thing: int, target: m.ReadCell) -> None:
        """Move a thing from the pool where it lies, if any, to another pool.

        Its place becomes publicly known if one of the two pools is open to all.
        """
        kind = pooled(target.cell)
        place = self.pool_place(target)
        seen = not target.cell.seen
        for pool in self.model.cells:
            if not pool.pool or pooled(pool) is not kind:
                continue
            for i, content in enumerate(self.cells[pool]):
                if content >> thing & 1:
                    self.cells[pool][i] = content & ~(1 << thing)
                    seen = seen or not pool.seen
        self.cells[target.cell][place] |= 1 << thing
        self.memo.clear()
        if seen:
            self.known[kind] = self.known.get(kind, 0) | 1 << thing

    def put_things(self, things: int, pool: m.Cell, keys: Sequence[int]) -> None:
        """Put several things into a pool while a game is set up."""
        constants: list[m.Expr] = [m.Const(k, type=m.Int()) for k in keys]
        for thing in bits(things):
            self.move_thing(thing, m.ReadCell(pool, constants, type=pool.type))

    def forget(self, kind: m.Kind, things: int) -> None:
        self.known[kind] = self.known.get(kind, 0) & ~things

    def could_be_in(self, thing: int, pool: m.ReadCell) -> bool:
        """Evaluate public knowledge, see `rulekit.compiler.model.CouldBeIn`."""
        content = self.content(pool)
        if self.known.get(pooled(pool.cell), 0) >> thing & 1:
            return bool(content >> thing & 1)
        return bool(pool.cell.seen) and content != 0


def reads_play(define: m.Define) -> bool:
    """Return True if a define depends on the point of play: the open moment, running procedures,
    places where a movement could end, or public knowledge about pools.
    """
    return any(
        isinstance(node, (m.Here, m.Running, m.ReachOf, m.CouldBeIn)) for node in reached(define)
    )


def pooled(pool: m.Cell) -> m.Kind:
    """Return the kind of thing that lies in a pool."""
    assert isinstance(pool.type, m.SetOf)
    return pool.type.kind


def combine(type: m.Type, op: str, old: Any, new: Any) -> Any:
    """Return the value after `:=`, `+=` or `-=`."""
    if op == ":=":
        return new
    if isinstance(type, m.SetOf):
        return old | new if op == "+=" else old & ~new
    return old + new if op == "+=" else old - new
