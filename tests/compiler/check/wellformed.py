"""The well-formedness of a checked model, on which later stages rely."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import FLEX, Bad
from rulekit.compiler.model.visitor import nodes

Family = m.Fixed | m.Cell


def problems(model: m.Model) -> list[str]:
    """Return the faults of a model. There are none in a model that can be compiled."""
    return list(dict.fromkeys([*families(model), *trees(model), *arity(model), *frames(model)]))


def size(family: Family) -> int:
    total = 1
    for key in family.keys:
        total *= key.size
    return total


def families(model: m.Model) -> Iterator[str]:
    for kind in model.kinds.values():
        if len(set(kind.members)) != kind.size:
            yield f"{kind.name} has a member twice"
        for slot in kind.slots.values():
            if len(slot.values) != kind.size or len(slot.blocks) != kind.size:
                yield f"the slot {slot.name} has not one place for each member"
    for fixed in model.fixed:
        yield from of_type(f"fixed {fixed.name}", fixed.type)
        if not fixed.late and len(fixed.values) != size(fixed):
            yield f"fixed {fixed.name} has {len(fixed.values)} values for {size(fixed)} places"
        if isinstance(fixed.type, m.MemberOf) and any(
            not -1 <= v < fixed.type.kind.size for v in fixed.values
        ):
            yield f"fixed {fixed.name} names members that are not there"
    for cell in model.cells:
        yield from of_type(f"cell {cell.name}", cell.type)
        ends = cell.type
        if (
            isinstance(ends, m.Int)
            and ends.low is not None
            and ends.high is not None
            and not ends.low <= cell.initial <= ends.high
        ):
            yield f"cell {cell.name} begins outside of its range"


def of_type(what: str, type: m.Type) -> Iterator[str]:
    if isinstance(type, Bad):
        yield f"{what} has no type"
    if isinstance(type, m.Int) and type.unit == FLEX:
        yield f"{what} has the unit of a literal"


def roots(model: m.Model) -> Iterator[object]:
    """Yield all trees of a model."""
    for define in model.defines:
        for cond, value in define.cases:
            yield from (cond, value)
    for total in [*model.totals, *model.permits]:
        for clause in total.clauses:
            yield from (clause.amount, clause.cond, clause.holder, [c.cond for c in clause.cancels])
    for slot in model.slots:
        yield from (slot.default, slot.values)
    for event in model.events:
        yield from (event.body, event.reveals)
    for proc in model.procedures:
        yield proc.body
    for move in model.movements:
        yield from (
            move.allowance,
            move.cost,
            move.may,
            move.stop,
            move.end,
            move.on_entry,
            move.stranded,
        )
    yield from model.options
    for invariant in model.invariants:
        yield invariant.cond
    for whenever in model.whenevers:
        yield whenever.source


def trees(model: m.Model) -> Iterator[str]:
    for node in nodes(*roots(model)):
        if isinstance(node, m.Expr) and isinstance(node.type, Bad):
            yield f"an expression without a type at {node.span}"
        if (
            isinstance(node, m.Const)
            and isinstance(node.type, m.MemberOf)
            and not -1 <= node.value < node.type.kind.size
        ):
            yield f"a member that is not there at {node.span}"


def arity(model: m.Model) -> Iterator[str]:
    """Every call has as many arguments as its target has parameters, and every read as many
    keys."""
    for node in nodes(*roots(model)):
        pairs: list[tuple[str, int, int]] = []
        if isinstance(node, (m.ReadCell, m.SetCell)):
            pairs.append((node.cell.name, len(node.keys), len(node.cell.keys)))
        elif isinstance(node, m.ReadFixed):
            pairs.append((node.fixed.name, len(node.keys), len(node.fixed.keys)))
        elif isinstance(node, (m.CallDefine, m.CallTotal, m.CallPermit)):
            pairs.append((node.target.name, len(node.args), len(node.target.params)))
        elif isinstance(node, m.CallTable):
            pairs.append((node.table.name, len(node.args), len(node.table.params)))
        elif isinstance(node, m.CallProc):
            pairs.append((node.proc.name, len(node.args), len(node.proc.params)))
        elif isinstance(node, m.CallEvent):
            pairs.append((node.event.name, len(node.args), len(node.event.params)))
        elif isinstance(node, (m.CallSlot, m.CallSlotSteps)):
            pairs.append((node.slot.name, len(node.args), len(node.slot.params)))
        elif isinstance(node, (m.Walk, m.ReachOf)):
            pairs.append((node.movement.name, len(node.args), len(node.movement.proc.params)))
        for name, have, want in pairs:
            if have != want:
                yield f"{name} takes {want}, here it has {have}"


def frames(model: m.Model) -> Iterator[str]:
    """Every variable of a frame belongs to it, and every called procedure is in the model."""
    owned = {id(var) for proc in model.procedures for var in [*proc.params, *proc.vars]}
    owned |= {id(var) for move in model.movements for var in [*move.proc.params, *move.proc.vars]}
    known = {id(proc) for proc in model.procedures}
    cells, fixed = {id(cell) for cell in model.cells}, {id(one) for one in model.fixed}
    for node in nodes(*roots(model)):
        if (
            isinstance(node, (m.Read, m.SetVar))
            and node.var.frame is not None
            and id(node.var) not in owned
        ):
            yield f"the variable {node.var.name} belongs to no frame at {node.span}"
        if isinstance(node, m.CallProc) and id(node.proc) not in known:
            yield f"the procedure {node.proc.name} is not in the model"
        if isinstance(node, (m.ReadCell, m.SetCell)) and id(node.cell) not in cells:
            yield f"the cell {node.cell.name} is not in the model"
        if isinstance(node, m.ReadFixed) and id(node.fixed) not in fixed:
            yield f"the fixed value {node.fixed.name} is not in the model"
