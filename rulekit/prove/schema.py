"""Many mutants in one model, each behind a switch.

The switch is a hidden cell: mutant number n is on where the cell holds n, and 0 is the game as
written. Because it is a cell, nothing that a mutant touches is computed in advance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import everything, rebuilt
from rulekit.prove.operators import TRUE
from rulekit.prove.slots import Mutant, blocks_of, replaceable

SWITCH = "mutant that is switched on"  # no author can write this name


@define
class _Edits:
    exprs: dict[int, list[tuple[m.Expr, m.Expr]]] = field(factory=lambda: defaultdict(list))
    steps: dict[int, list[m.Expr]] = field(factory=lambda: defaultdict(list))
    swaps: dict[int, list[tuple[m.Expr, m.Stmt]]] = field(factory=lambda: defaultdict(list))
    for_good: bool = False


def switch_cell(count: int) -> m.Cell:
    """Return the cell that holds the number of the mutant that is on."""
    return m.Cell(SWITCH, [], m.Int(None, 0, count), hidden=True)


def switch(model: m.Model, chosen: Sequence[Mutant]) -> m.Cell:
    """Put mutants into their model, each behind its number from 1 in the switch.

    Args:
        chosen: mutants of this model. Those of tables change nothing here.
    """
    cell = switch_cell(len(chosen))
    model.cells.append(cell)
    _put(model, [(each, partial(_is_on, cell, n)) for n, each in enumerate(chosen, 1)])
    return cell


def apply(model: m.Model, mutant: Mutant) -> None:
    """Put one mutant into its model for good."""
    for limit, count in mutant.limits:
        limit.count = count
    if mutant.cell is not None:
        cell = mutant.cell
        model.tables[cell.table].data[cell.output][cell.index] = cell.value
    _put(model, [(mutant, lambda: TRUE)], for_good=True)


def _copied(e: m.Expr) -> m.Expr:
    """Return a copy without switches: inside the alternative of a mutant, no other one is on."""
    return rebuilt(e, _copied)


def _is_on(cell: m.Cell, number: int) -> m.Expr:
    return m.Compare("=", m.ReadCell(cell, [], type=cell.type), m.Const(number, type=cell.type))


def _put(
    model: m.Model,
    chosen: Sequence[tuple[Mutant, Callable[[], m.Expr]]],
    for_good: bool = False,
) -> None:
    edits, visited = _Edits(for_good=for_good), [node for node, _ in everything(model)]
    synthetic: dict[int, m.Fixed] = {id(x): x for x in model.fixed}
    for mutant, on in chosen:
        for e, build in {id(e): (e, build) for e, build in mutant.exprs}.values():
            made = build(_copied(e))
            edits.exprs[id(e)].append((on(), made))
            if isinstance(made, m.ReadFixed) and id(made.fixed) not in synthetic:
                synthetic[id(made.fixed)] = made.fixed
                model.fixed.append(made.fixed)
        for step in {id(x): x for x in mutant.steps}.values():
            edits.steps[id(step)].append(on())
        for one, two in {id(one): (one, two) for one, two in mutant.swaps}.values():
            edits.swaps[id(one)].append((on(), two))
        for part in mutant.parts:
            _switch_part(part, on())
    _Rewriting(edits).all(visited)


def _switch_part(part: Any, on: m.Expr) -> None:
    """Let a part have no effect while a mutant is on."""
    if isinstance(part, m.Limit):
        part.unless = on if part.unless is None else m.Or([on, part.unless])
    else:
        off = m.Not(on)
        part.cond = off if part.cond is None else m.And([off, part.cond])


class _Rewriting:
    """Puts the switches around the changed nodes."""

    def __init__(self, edits: _Edits) -> None:
        self.edits = edits
        self._made: dict[int, m.Expr] = {}

    def all(self, visited: Sequence[m.Node]) -> None:
        """Change all nodes in place."""
        for node in visited:
            for name in replaceable(node):
                value = getattr(node, name)
                changed = self._value(value)
                if changed is not value:
                    setattr(node, name, changed)
            for name in blocks_of(node):
                setattr(node, name, self._block(getattr(node, name)))

    def _value(self, value: Any) -> Any:
        if isinstance(value, m.Expr):
            return self._expression(value)
        if isinstance(value, list | tuple) and any(
            isinstance(x, m.Expr | list | tuple) for x in value
        ):
            changed = [self._value(x) for x in value]
            if all(a is b for a, b in zip(value, changed, strict=True)):
                return value
            return changed if isinstance(value, list) else tuple(changed)
        return value

    def _expression(self, e: m.Expr) -> m.Expr:
        if id(e) not in self.edits.exprs:
            return e
        if id(e) not in self._made:
            made = e
            for on, other in self.edits.exprs[id(e)]:
                made = m.If(on, other, made, type=e.type, span=e.span)
            self._made[id(e)] = made
        return self._made[id(e)]

    def _block(self, block: m.Block) -> m.Block:
        if self.edits.for_good and any(id(step) in self.edits.swaps for step in block):
            return self._swapped(block)
        out: m.Block = []
        late: dict[int, list[m.Expr]] = defaultdict(list)
        for step in block:
            for on, two in self.edits.swaps.get(id(step), ()):
                out.append(m.IfStmt(on, [two], [], span=two.span))
                late[id(two)].append(on)
            made = step
            for on in (*self.edits.steps.get(id(step), ()), *late[id(step)]):
                made = m.IfStmt(on, [], [made], span=step.span)
            out.append(made)
        return out

    def _swapped(self, block: m.Block) -> m.Block:
        out = list(block)
        for at, step in enumerate(block[:-1]):
            if id(step) in self.edits.swaps:
                out[at], out[at + 1] = block[at + 1], step
        return out
