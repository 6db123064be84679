"""Find the values that a counter never has, because a loop of the main phase ends by it.

The loop `repeat until day > last_day` stands in the main phase, and all writes of `day` stand in
it. Up to the first step that writes `day`, it is at most `last_day` of the longest scenario. If a
round adds at most 1 to it, it is nowhere more than `last_day + 1`.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import opened
from rulekit.compiler.check.lints.reachable_uses import ReachableUses
from rulekit.compiler.check.lints.side_effects import Changes
from rulekit.compiler.check.lints.starting_positions import Counters, ScenarioStart, compared
from rulekit.compiler.check.lints.step_facts import Facts
from rulekit.compiler.check.resolve.scope import CheckState

TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "="}


@define(frozen=True)
class _End:
    """A number at which a loop ends.

    Attributes:
        way: 1 if the counter grows towards the number, -1 if it falls.
        last: the number in the last round, for each scenario.
    """

    counter: m.ReadCell
    way: int
    last: list[int]


@define(eq=False)
class CounterEnds:
    """The bounds of counters.

    Attributes:
        known: the facts at a node, by its id.
        everywhere: the smallest and the greatest value of a counter in the whole game.
    """

    world: CheckState
    uses: ReachableUses
    known: dict[int, Facts] = field(factory=dict)
    everywhere: dict[m.Cell, tuple[int, int]] = field(factory=dict)
    changes: Changes = field(init=False)
    starts: list[ScenarioStart] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.changes = Changes(self.world)
        main = self.world.model.main
        loops = [s for s in main.body if isinstance(s, m.Repeat)] if main is not None else []
        if not loops:
            return
        counters = Counters(self.world, self.uses)
        self.starts = [
            ScenarioStart(scenario, counters, self.world, self.uses, None, set())
            for scenario in self.world.model.scenarios.values()
        ]
        for loop in loops:
            self._counted(loop)
            for end in self._ends(loop, loop.cond) if loop.cond is not None else ():
                last = m.Const(max(n * end.way for n in end.last) * end.way, type=end.counter.type)
                fact = m.Compare("<=" if end.way > 0 else ">=", end.counter, last, type=m.Bool())
                self._loop(loop, end.counter.cell, fact)

    def at(self, node: m.Node) -> Facts:
        """Return the facts that hold whenever a node is evaluated."""
        return self.known.get(id(node), ())

    # ------------------------------------------------------------------------------- ends of a loop
    def _ends(self, loop: m.Repeat, cond: m.Expr) -> Iterator[_End]:
        """Yield the ends of a loop that are known for all scenarios."""
        if isinstance(cond, m.Or):
            for item in cond.items:
                yield from self._ends(loop, item)
        elif isinstance(cond, m.CallDefine) and (body := opened(cond)) is not None:
            yield from self._ends(loop, body)
        elif isinstance(cond, m.Compare) and cond.op in TURNED:
            yield from self._end(loop, cond.left, cond.op, cond.right)
            yield from self._end(loop, cond.right, TURNED[cond.op], cond.left)

    def _end(self, loop: m.Repeat, counter: m.Expr, op: str, limit: m.Expr) -> Iterator[_End]:
        if not isinstance(counter, m.ReadCell) or not _is_counter(counter.cell):
            return
        found = [start.value(limit) for start in self.starts]
        ends = [end for end in found if end is not None]
        if not ends or len(ends) < len(found):
            return
        if op != "=":
            way = 1 if op in (">", ">=") else -1
            yield _End(counter, way, [end - way if op in (">=", "<=") else end for end in ends])
            return
        # A counter that moves by 1 in each round does not pass the number.
        by = self._by(loop.body, counter.cell) if self._only(loop, counter.cell) else None
        begins = [start.begin(counter.cell) for start in self.starts]
        if by in (1, -1) and all(
            begin is not None and (begin - end) * by <= 0
            for begin, end in zip(begins, ends, strict=True)
        ):
            yield _End(counter, by, [end - by for end in ends])

    def _is_begin(self, node: m.SetCell) -> bool:
        return any(node is each for start in self.starts for each in start.counters.setup.values())

    # ----------------------------------------------------------------------- bounds of the counter
    def _counted(self, loop: m.Repeat) -> None:
        """Note the bounds of the counters that only this loop changes, in one direction."""
        written = {
            node.cell: None
            for node in self.changes.followed(*loop.body)
            if isinstance(node, m.SetCell) and _is_counter(node.cell)
        }
        for cell in written:
            by = self._by(loop.body, cell) if self._only(loop, cell) else None
            begins = [start.begin(cell) for start in self.starts]
            begun = [begin for begin in begins if begin is not None]
            if not by or len(begun) < len(begins) or self._is_beyond(loop, cell, by, begun):
                continue
            tops = [self._top(loop, cell, by, at, begin) for at, begin in enumerate(begun)]
            ends = [*begun, *(top for top in tops if top is not None)]
            if None not in tops:
                self.everywhere[cell] = (min(ends), max(ends))

    def _is_beyond(self, loop: m.Repeat, cell: m.Cell, by: int, begun: list[int]) -> bool:
        """Return True if a scenario begins behind an end of the loop. RK722 reports this."""
        ends = compared(loop.cond) if loop.cond is not None else ()
        return any(
            read.cell is cell and (end := start.value(limit)) is not None and (begin - end) * by > 0
            for read, limit, _ in ends
            for start, begin in zip(self.starts, begun, strict=True)
        )

    def _top(self, loop: m.Repeat, cell: m.Cell, by: int, at: int, begin: int) -> int | None:
        """Return the furthest value of a counter in one scenario, or None if it is unknown.

        Args:
            by: the most that one round adds.
        """
        way = 1 if by > 0 else -1
        found: list[int] = []
        rounds = self.starts[at].value(loop.limit)
        if rounds is not None:
            found.append((begin + rounds * by) * way)
        for end in self._ends(loop, loop.cond) if loop.cond is not None else ():
            if end.counter.cell is cell and end.way == way:
                found.append(max((end.last[at] + by) * way, begin * way))
        return min(found) * way if found else None

    def _only(self, loop: m.Repeat, cell: m.Cell) -> bool:
        """Return True if nothing else than this loop changes the counter after the start."""
        model = self.world.model
        others: list[object] = [
            stmt for stmt in (model.main.body if model.main else []) if stmt is not loop
        ]
        others += [rule.proc.body for rule in model.whenevers]
        others += [
            stmt
            for stmt in (model.setup.body if model.setup is not None else [])
            if not (isinstance(stmt, m.SetCell) and self._is_begin(stmt))
        ]
        return cell not in self.changes.of(*others)

    def _by(self, steps: m.Block, cell: m.Cell) -> int | None:
        """Return the most that these steps add to a counter, or None if it is unknown, or if steps
        move the counter in both directions.
        """
        found = [self._step(stmt, cell) for stmt in steps]
        known = [by for by in found if by is not None]
        one_way = all(by >= 0 for by in known) or all(by <= 0 for by in known)
        return sum(known) if one_way and len(known) == len(found) else None

    def _step(self, stmt: m.Stmt, cell: m.Cell) -> int | None:
        if isinstance(stmt, m.SetCell) and stmt.cell is cell:
            return _added(stmt)
        if isinstance(stmt, m.CallEvent):
            return self._by(stmt.event.body, cell)
        if isinstance(stmt, m.CallProc):
            return self._by(stmt.proc.body, cell)
        if isinstance(stmt, m.IfStmt):
            parts = [self._by(stmt.then, cell), self._by(stmt.other, cell)]
            known = sorted(part for part in parts if part is not None)
            if len(known) < len(parts) or known[0] * known[-1] < 0:
                return None
            return max(known, key=abs)
        return None if cell in self.changes.of(stmt) else 0

    def _loop(self, loop: m.Repeat, cell: m.Cell, fact: m.Expr) -> None:
        """Note a fact at all nodes that are evaluated only before the counter is written."""
        model = self.world.model
        behind = [stmt for stmt in (model.main.body if model.main else []) if stmt is not loop]
        written = [at for at, stmt in enumerate(loop.body) if cell in self.changes.of(stmt)]
        first = written[0] if written else len(loop.body)
        others: list[object] = [*behind, *loop.body[first:]]
        others += model.setup.body if model.setup is not None else []
        elsewhere = {id(node) for node in self.changes.followed(*others)}
        for node in self.changes.followed(*loop.body[:first]):
            if id(node) not in elsewhere:
                self.known[id(node)] = (*self.at(node), fact)


def _is_counter(cell: m.Cell) -> bool:
    """Return True if this is a number without keys that is never reset."""
    return isinstance(cell.type, m.Int) and not cell.keys and not cell.resets


def _added(node: m.SetCell) -> int | None:
    """Return the number that a step adds, or None if it does anything else."""
    if node.op == ":=" or not isinstance(node.value, m.Const):
        return None
    return node.value.value if node.op == "+=" else -node.value.value
