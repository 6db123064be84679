"""Lower writes of cells and variables, and the resets of cells when a procedure ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.expressions import ExpressionLowering, looked_for
from rulekit.compiler.lowering.layout import Image
from rulekit.compiler.lowering.unit import (
    NONE,
    Unit,
    change,
    conj,
    const,
    disj,
    having,
    known,
    number_at,
    slot_at,
    there,
    type_of,
)
from rulekit.compiler.model.visitor import nodes, reached
from rulekit.runtime import slots
from rulekit.runtime.slots import SCOPE_ENDED

_MAX_SINGLE_WRITES = 3  # slots that are written without a loop


class Writes(ExpressionLowering):
    """Lowers statements that change cells and variables into `out`. `env` binds variables. All
    others are frame variables.
    """

    def __init__(
        self,
        unit: Unit,
        env: Mapping[m.Var, v.Value] | None = None,
        in_event: bool = False,
        span: Span = NOWHERE,
    ) -> None:
        super().__init__(unit, env)
        self.pure = False
        self.out: list[c.Stmt] = []
        self.in_event = in_event
        self.span = span
        self.within = not unit.trace  # True inside a value, which is lowered without extra lines

    def cond(self, expression: m.Expr) -> v.Value:
        if self.within:
            return super().cond(expression)
        self.within = True
        x = self._lower_in_order(expression)
        self.within = False
        return x

    def _lower_in_order(self, expression: m.Expr) -> v.Value:
        """Lower a value inside a step.

        Steps are the same in all variants, so a value that is known in the other variants is a
        constant here too. Its totals are still evaluated, on a line of their own before it.
        """
        known = self.unit.known.settled(expression)
        x = super().cond(expression)
        if (
            known is None
            or isinstance(expression.type, m.Record)
            or self.an.settled(expression) is not None
        ):
            return x
        if not self.loop:
            self.add(c.Do(x))
        return self.unit.pick(known, type_of(expression.type))

    # --------------------------------------------------------------------------- writing statements
    def add(self, stmt: c.Stmt) -> None:
        self.out.append(evolve(stmt, span=self.span))

    @contextmanager
    def apart(self, out: list[c.Stmt] | None = None) -> Iterator[list[c.Stmt]]:
        """Collect the statements added inside in a list of their own, or in `out`."""
        outer, self.out = self.out, [] if out is None else out
        yield self.out
        self.out = outer

    @contextmanager
    def when(self, cond: v.Value) -> Iterator[None]:
        """Execute the statements added inside only if a condition holds."""
        with self.apart() as made:
            yield
        self.add(c.IfStatement(cond, tuple(made)))

    def put(self, slot: v.SlotValue, value: v.Value, op: str = "=") -> None:
        self.add(c.PutStatement(slot, value, op))

    def hold(self, value: v.Value) -> v.Value:
        """Return a value that can be read several times and does not change, in a local if
        necessary.
        """
        return value if isinstance(value, (v.ConstValue, v.Local, v.Chosen)) else self.kept(value)

    def kept(self, value: v.Value) -> v.Local:
        """Store a value in a new local."""
        t = self.temp(v.typed(value))
        self.add(c.Assign(t, value))
        return t

    def held(self, expression: m.Expr) -> m.Expr:
        """Evaluate the expression at the current statement, and return an expression that reads the
        result.
        """
        if isinstance(expression, m.Const):
            return expression
        var = self.var_for(expression, "held")
        self.env[var] = self.hold(self.val(expression))
        return m.Read(var, span=expression.span)

    def set_var(self, var: m.Var, value: v.Value) -> None:
        if var not in self.env and var.frame is None and var not in self.unit.lay.vars:
            self.env[var] = v.Local(f"v{len(self.env)}", type_of(var.type))
        if var in self.env:
            local = self.env[var]
            assert isinstance(local, v.Local)
            self.add(c.Assign(local, value))
        else:
            self.read(var)
            self.add(c.PutFrame(self.unit.lay.vars[var], value))

    # ---------------------------------------------------------------------------------------- cells
    def write(self, cell: m.Cell, keys: Sequence[m.Expr], op: str, value: m.Expr) -> None:
        """Lower an assignment. Nothing is written if a key is none.

        Keys and value are evaluated before the test that the cell exists.
        """
        place = self.unit.lay.places[cell]
        unsure = any(
            self.an.maybe_none(e) or not self.an.fits(k, e)
            for k, e in zip(cell.keys, keys, strict=True)
        )
        if unsure and any(self.an.deps(e).raises for e in [*keys, value]):
            *keys, value = [self.held(e) for e in [*keys, value]]
        made: list[c.Stmt] = []
        ords: list[v.Value] = []
        tests: list[v.Value] = []
        for k, e in zip(cell.keys, keys, strict=True):
            sure = self.an.fits(k, e)
            x = self.ordinal(k, e if sure else (e := self.held(e)))
            with self.apart(self.out if sure else made):
                ords.append(
                    x
                    if isinstance(x, v.ConstValue) or (_lasting(x) and not self.an.deps(e).raises)
                    else self.hold(x)
                )
            if k.kind is not None and self.an.maybe_none(e):
                tests.append(there(ords[-1]))
        with self.apart(made):
            self._write(place.form, cell, ords, op, value)
        if tests:
            self.add(c.IfStatement(conj(tests), tuple(made)))
        else:
            self.out += made

    def _write(self, form: str, cell: m.Cell, ords: list[v.Value], op: str, value: m.Expr) -> None:
        x = self.val(value)
        slot = self._slot_of(cell, ords)
        if form == "mask":
            self.set_bit(slot, constant_folding.bit(ords[-1], v.typed(slot)), self.cond(value))
        elif form == "index":
            self._write_index(cell, ords[0], self.hold(x))
        elif form == "both":
            self.put_both(cell, ords[0], self.hold(x))
        elif isinstance(cell.type, m.SetOf) and op != ":=":
            self.put(slot, *change(op == "+=", self.mask_of(value)))
        elif isinstance(cell.type, m.Int):
            self._write_number(cell, slot, op, x, value)
        else:
            self.put(slot, x)
        if not self.in_event and not cell.hidden:
            at = number_at(0, [k.size for k in cell.keys], ords)
            self.add(
                c.LogStatement(
                    (const(slots.CHANGED), const(self.unit.index(cell)), at, self._now(cell, ords))
                )
            )

    def _slot_of(self, cell: m.Cell, ords: Sequence[v.Value]) -> v.SlotValue:
        """Return the slot of the value of a cell. For a flag it is the row that contains its
        bit.
        """
        place = self.unit.lay.places[cell]
        rows = ords[:-1] if place.form == "mask" else ords
        return slot_at(
            place.base,
            place.row,
            rows,
            v.Mask(cell.keys[-1].size) if place.form == "mask" else type_of(cell.type),
        )

    def _now(self, cell: m.Cell, ords: list[v.Value]) -> v.Value:
        """Return the current value of a cell."""
        place = self.unit.lay.places[cell]
        if place.form == "mask":
            return v.Has(self._slot_of(cell, ords), ords[-1])
        return looked_for(place, ords[0]) if place.form == "index" else self._slot_of(cell, ords)

    def set_bit(self, row: v.SlotValue, bit: v.Value, value: v.Value) -> None:
        if isinstance(value, v.ConstValue):
            self.put(row, *change(value.value, bit))
        else:
            self.add(
                c.IfStatement(
                    value,
                    *(
                        (c.PutStatement(row, *change(on, bit), span=self.span),)
                        for on in (True, False)
                    ),
                )
            )

    def _write_index(self, cell: m.Cell, key: v.Value, value: v.Value) -> None:
        place = self.unit.lay.places[cell]
        bit = self.kept(constant_folding.bit(key, v.Mask(cell.keys[0].size)))
        others = self.kept(v.Complement(bit))
        goal = (
            None
            if not isinstance(value, v.ConstValue)
            else known(value)
            if known(value) >= 0
            else place.values
        )
        for i in range(place.values + 1):
            if i != goal:
                self.put(having(place, i), others, "&=")
        self.put(
            having(
                place,
                goal if goal is not None else v.IfValue(there(value), value, const(place.values)),
            ),
            bit,
            "|=",
        )

    def put_both(self, cell: m.Cell, key: v.Value, value: v.Value) -> None:
        """Write a cell that has an index by value, and update its indexes. Key and value must be
        cheap to read twice.
        """
        place = self.unit.lay.places[cell]
        before = self.kept(v.SlotValue(place.base, key)) if place.images else NONE
        self.add(
            c.Effect(
                "put_both", (const(place.base), const(place.index), const(place.values), key, value)
            )
        )
        if place.images:
            with self.when(v.CompareValue("!=", before, value)):
                bit = self.kept(constant_folding.bit(key, v.Mask(cell.keys[0].size)))
                for image in place.images:
                    self._move(image, bit, before, value)

    def _move(self, image: Image, bit: v.Local, before: v.Value, now: v.Value) -> None:
        """Move a key from the mask of one value to that of another."""
        table, all_values = self.unit.table(image.row), v.Mask(image.size + 1)
        out, goal = self.kept(v.RowValue(table, before)), self.kept(v.RowValue(table, now))
        left, filled = (
            v.SlotValue(image.base, out, bit.type),
            v.SlotValue(image.filled, type=all_values),
        )
        self.put(left, v.Complement(bit), "&=")
        self.add(
            c.IfStatement(
                v.NotValue(left),
                (
                    c.PutStatement(
                        filled, v.Complement(v.Bit(out, all_values)), "&=", span=self.span
                    ),
                ),
            )
        )
        self.put(v.SlotValue(image.base, goal, bit.type), bit, "|=")
        self.put(filled, v.Bit(goal, all_values), "|=")

    def _write_number(
        self, cell: m.Cell, slot: v.SlotValue, op: str, operand: v.Value, value: m.Expr
    ) -> None:
        assert isinstance(cell.type, m.Int)
        low, high = cell.type.low, cell.type.high
        given = known(operand)
        if given == m.NO_LIMIT and op == ":=":
            self.put(slot, operand)
            return
        new = operand if op == ":=" else v.ArithValue("+" if op == "+=" else "-", slot, operand)
        held = (
            value.type if given is None and isinstance(value, m.Read) else m.Int(None, given, given)
        )
        if op == ":=" and isinstance(held, m.Int) and held.within(low, high):
            low = high = None
        if low is None and high is None and grows(value):
            self.put(slot, v.RunValue("small", (new,)))
        elif low is None and high is None:
            self.put(slot, operand, "=" if op == ":=" else op)
        elif cell.clamp:
            new = v.Extreme("max", (const(low), new)) if low is not None else new
            self.put(slot, v.Extreme("min", (const(high), new)) if high is not None else new)
        else:
            self.put(
                slot,
                v.RunValue(
                    "in_range", (new, const(low), const(high), const(self.unit.index(cell)))
                ),
            )


def grows(value: m.Expr) -> bool:
    """Return True if the value contains a product of unknown size. Repeated multiplication could
    fill the memory.
    """
    return any(
        isinstance(e, m.Arith) and e.op == "*" and isinstance(e.type, m.Int) and e.type.low is None
        for e in reached(value)
    )


def _lasting(value: v.Value) -> bool:
    """Return True if the value does not change while a cell with keys is written, and is as quick
    to read again as a local.
    """
    if isinstance(value, (v.RowValue, v.SlotValue)):
        return isinstance(value.at, v.Local) if isinstance(value, v.RowValue) else value.at is None
    return isinstance(value, (v.Local, v.FrameValue, v.Chosen))


def resets(low: Writes, proc: m.Procedure) -> None:
    """Reset the cells that live as long as an activation of a procedure. For those that live as
    long as a roll, see `event_over`.
    """
    if proc.word != "event":
        _ended(low, proc)
    elif not any(event.built_in and event.wrapper is proc for event in low.unit.model.events):
        event_over(low, proc)


def event_over(low: Writes, wrapper: m.Procedure) -> None:
    """Reset the cells at the end of an event, or of a roll with all its repetitions.

    An event that happens inside a window of another event of the same kind resets nothing.
    """
    with low.apart() as made:
        _ended(low, wrapper)
    flags = [
        low.unit.open_flag(node.moment)
        for node in reversed(list(nodes(wrapper.body)))
        if isinstance(node, m.Window)
    ]
    if made:
        low.add(
            c.IfStatement(
                v.NotValue(disj([v.SlotValue(flag) for flag in sorted(flags, key=str)])),
                tuple(made),
            )
        )


def _ended(low: Writes, proc: m.Procedure) -> None:
    ended = [
        (cell, mask)
        for cell in low.unit.model.cells
        for scope, mask in cell.resets
        if scope is proc
    ]
    for cell, mask in ended:
        _reset(low, cell, mask)
    if ended:
        low.add(c.LogStatement((const(SCOPE_ENDED), const(low.unit.index(proc)))))


def _reset(low: Writes, cell: m.Cell, mask: int | None) -> None:
    place = low.unit.lay.places[cell]
    count = prod(key.size for key in cell.keys)
    rest = count // cell.keys[0].size if cell.keys else 1
    group = const((1 << count) - 1 if mask is None else mask)
    if place.images:
        i, bit, left = v.Local("i"), v.Local("x", v.Mask(count)), low.kept(group)
        with low.apart() as body:
            low.put_both(cell, i, const(cell.initial))
        low.add(c.ForBits(left, i, bit, tuple(body)))
    elif place.form in ("index", "both"):
        where = (const(place.base), const(place.index), const(place.values))
        low.add(c.Effect("put_group", (*where, group, const(cell.initial))))
    elif place.form == "mask":
        width = cell.keys[-1].size
        bits = (1 << width) - 1
        for row in range(count // width):
            hit = (
                bits
                if mask is None
                else sum(1 << i for i in range(width) if mask >> (row * width + i) // rest & 1)
            )
            one = v.SlotValue(place.base + row, type=v.Mask(width))
            if hit == bits:
                low.put(one, const(bits if cell.initial else 0))
            elif hit:
                low.put(one, *change(cell.initial, const(hit)))
    else:
        slots = [place.base + i for i in range(count) if mask is None or mask >> i // rest & 1]
        if len(slots) <= _MAX_SINGLE_WRITES:
            for slot in slots:
                low.put(v.SlotValue(slot, type=type_of(cell.type)), const(cell.initial))
        elif mask is None:
            low.add(c.Effect("fill", (const(place.base), const(count), const(cell.initial))))
        else:
            low.add(c.Effect("fill_at", (const(cell.initial),), (low.unit.table(slots),)))
