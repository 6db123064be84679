"""Lower statements that ask nothing: assignments, events, dice, pools and plain loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod

from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind
from rulekit.compiler.lowering.aggregates import in_order
from rulekit.compiler.lowering.unit import (
    ONE,
    ZERO,
    Unit,
    const,
    is_read,
    known,
    number_at,
    type_of,
)
from rulekit.compiler.lowering.writes import Writes, event_over, grows
from rulekit.compiler.model.visitor import everything
from rulekit.runtime import slots

_MAX_INLINED_NODES = 40  # of the body of an event


class Body(Writes):
    """Lowers statements that ask nothing. The method for a statement is named `do_` and its
    class.
    """

    def sub(self, stmts: Sequence[m.Stmt]) -> c.Code:
        """Return the code of a separate block."""
        with self.apart() as made:
            self.plain(stmts)
        return tuple(made)

    def plain(self, stmts: Sequence[m.Stmt]) -> None:
        for s in stmts:
            self.span = s.span if s.span.line else self.span
            getattr(self, m.method_for(s.__class__, "do"))(s)

    # -------------------------------------------------------------------------- variables and cells
    def do_set_var(self, statement: m.SetVar) -> None:
        value = statement.value
        if statement.op != ":=":
            changed = m.SetOp if isinstance(statement.var.type, m.SetOf) else m.Arith
            value = changed(
                "+" if statement.op == "+=" else "-",
                m.Read(statement.var),
                statement.value,
                type=statement.var.type,
            )
        x = self.val(value)
        self.set_var(
            statement.var,
            v.RunValue("small", (x,))
            if isinstance(statement.var.type, m.Int) and grows(statement.value)
            else x,
        )

    def do_set_cell(self, statement: m.SetCell) -> None:
        self.write(statement.cell, statement.keys, statement.op, statement.value)
        if not self.in_event:
            self.after([statement.cell])

    # ---------------------------------------------------------------- events and their consequences
    def do_call_event(self, statement: m.CallEvent) -> None:
        e, args = statement.event, [self.val(a) for a in statement.args]
        small = (
            len(list(islice(everything(e.body), _MAX_INLINED_NODES + 1))) <= _MAX_INLINED_NODES
            and all(isinstance(x, m.SetCell) for x in e.body)
            and not e.reveals
        )
        if small:
            # The event may change cells during its body, but not variables.
            given = [x if isinstance(x, v.FrameValue) else self.hold(x) for x in args]
            self.add(c.LogStatement((const(event_id(self.unit, e)), *given)))
            inner = Body(self.unit, dict(zip(e.params, given, strict=True)), True)
            inner.temps, inner.span, inner.out = self.temps, self.span, self.out
            inner.plain(e.body)
            self.temps = inner.temps
        else:
            self.add(c.CallStatement(self.unit.request(FunctionKind.EVENT, e), tuple(args)))
        self.after(e.writes)

    def after(self, written: Sequence[m.Cell]) -> None:
        """Call the `whenever` rules that depend on the written cells."""
        for rule in self.unit.model.whenevers:
            if any(cell in written for cell in rule.reads):
                self.add(c.CallStatement(self.unit.request(FunctionKind.WHENEVER, rule), ()))

    def reveal(self, shown: m.Expr) -> None:
        kind = m.kind_of(shown.type)
        mask = self.hold(self.mask_of(shown))
        if kind in self.unit.lay.known:
            self.put(v.SlotValue(self.unit.lay.known[kind], type=v.Mask(kind.size)), mask, "|=")
        self.add(c.Effect("log_revealed", (const(self.unit.index(kind)), mask)))

    # ---------------------------------------------------------------------------------------- calls
    def do_call_proc(self, statement: m.CallProc) -> None:
        self.call(statement.proc, [self.val(a) for a in statement.args], statement.into)

    def call(self, proc: m.Procedure, args: Sequence[v.Value], into: m.Var | None = None) -> None:
        """Call a procedure that asks nothing, which is a function."""
        function = self.unit.request(FunctionKind.PROCEDURE, proc)
        if into is not None:
            self.read(into)
        self.add(
            c.CallStatement(
                function,
                tuple(args),
                -1 if into is None else self.unit.lay.vars[into],
            )
        )

    def do_call_slot_steps(self, statement: m.CallSlotSteps) -> None:
        for test, proc, args in self.steps(statement):
            with self.when(test):
                self.call(proc, args)

    def steps(
        self, statement: m.CallSlotSteps
    ) -> Iterator[tuple[v.Value, m.Procedure, Sequence[v.Value]]]:
        """Iterate over the procedures that can be a member's steps, each with the test for this
        member and the arguments.
        """
        who = self.hold(self.val(statement.member))
        args = [self.hold(self.val(a)) for a in statement.args]
        for i, proc in enumerate(statement.slot.blocks):
            if proc is not None and known(who) in (None, i):
                yield v.CompareValue("==", who, const(i)), proc, args

    # -------------------------------------------------------------------------------------- control
    def do_if_stmt(self, statement: m.IfStmt) -> None:
        x = self.cond(statement.cond)
        if isinstance(x, v.ConstValue):
            self.plain(statement.then if x.value else statement.other)
            return
        self.add(c.IfStatement(x, self.sub(statement.then), self.sub(statement.other)))

    def do_leave(self, statement: m.Leave) -> None:
        self.add(c.Break())

    def do_return(self, statement: m.Return) -> None:
        self.add(c.Give())

    def do_finish(self, statement: m.Finish) -> None:
        self.finish(statement)
        self.add(c.OverStatement())

    def finish(self, statement: m.Finish) -> None:
        who = self.hold(self.val(statement.who))
        self.put(v.SlotValue(slots.WINNER), who)
        self.put(v.SlotValue(slots.LEVEL), const(statement.level))
        self.put(v.SlotValue(slots.PC), ZERO)
        self.add(c.NoLayers())
        self.add(c.LogStatement((const(slots.FINISHED), who, const(statement.level))))

    def do_check(self, statement: m.Check) -> None:
        x = self.cond(statement.invariant.cond)
        if not known(x):
            self.add(
                c.IfStatement(
                    v.NotValue(x),
                    (
                        c.Fail(
                            "broken", (const(self.unit.index(statement.invariant)),), span=self.span
                        ),
                    ),
                )
            )

    def do_window(self, statement: m.Window) -> None:
        """Lower a moment at which nobody is asked: only its hooks run."""
        hooks = [h for h in statement.hooks if h.cond is None or self.unit.known.value(h.cond) != 0]
        if not hooks:
            return
        flag, here = v.SlotValue(self.unit.open_flag(statement.moment)), v.SlotValue(slots.HERE)
        with self.when(v.NotValue(flag)):
            self.put(flag, ONE)
            before = self.kept(here)
            self.put(here, const(statement.moment))
            for hook in hooks:
                self.hook(hook, v.All(self.tests_of(hook)))
            self.put(here, before)
            self.put(flag, ZERO)

    def hook(self, hook: m.Hook, test: v.Value) -> None:
        """Run a hook behind a test."""
        with self.when(test):
            self.call(hook.proc, [])

    def tests_of(self, hook: m.Hook) -> tuple[v.Value, v.Value]:
        """Return the tests that a hook is not running, and that its condition holds."""
        return v.NotValue(v.SlotValue(self.unit.lay.frames[hook.proc].runs)), (
            self.cond(hook.cond) if hook.cond is not None else ONE
        )

    def do_answer(self, statement: m.Answer) -> None:
        if statement.what == "redo":
            self.put(v.SlotValue(self.unit.lay.redo), ONE)
        else:  # halt the innermost walk: SPARE holds the slot of its flag
            walking = v.SlotValue(slots.SPARE)
            self.add(
                c.IfStatement(
                    walking, (c.PutStatement(v.SlotValue(0, walking), ONE, span=self.span),)
                )
            )

    def do_repeat(self, statement: m.Repeat) -> None:
        limit = self.hold(self.val(statement.limit))
        n = self.temp()
        self.add(c.Assign(n, ZERO))
        body: list[c.Stmt] = []
        if statement.form == "until" and statement.cond is not None:
            body.append(c.IfStatement(self.cond(statement.cond), (c.Break(),), span=statement.span))
            body.append(
                c.IfStatement(
                    v.CompareValue(">=", n, limit),
                    (c.Fail("too_long", (limit,), span=statement.span),),
                    span=statement.span,
                )
            )
        body.append(c.Assign(n, ONE, "+="))
        body += self.ticks([])
        self.add(
            c.While(
                None if statement.form == "until" else v.CompareValue("<", n, limit),
                (*body, *self.sub(statement.body)),
            )
        )

    def do_each(self, statement: m.Each) -> None:
        if statement.live:
            self._each_live(statement)
        elif statement.numbers is not None:
            low, high = self.val(statement.numbers[0]), self.val(statement.numbers[1])
            each = self.temp()
            self.add(
                c.ForRange(each, low, v.ArithValue("+", high, ONE), self._round(statement, each))
            )
        elif statement.items is not None or statement.keys:
            each = self.temp()
            items = (
                tuple(self.val(i) for i in statement.items)
                if statement.items is not None
                else (self.sorted_members(statement),)
            )
            self.add(c.ForItems(each, items, statement.items is None, self._round(statement, each)))
        else:
            assert statement.source is not None
            source = self.val(statement.source)
            if self._bulk(statement, source):
                return
            rest = self.temp(type_of(statement.source.type))
            self.add(c.Assign(rest, source))
            step = c.Assign(rest, v.ArithValue("-", rest, ONE), "&=")
            self.add(c.While(rest, self._round(statement, v.Lowest(rest), step)))

    def _round(self, statement: m.Each, value: v.Value, *step: c.Stmt) -> c.Code:
        """Return the code of a round of a loop: assign the variable, then execute the body."""
        with self.apart() as body:
            self.set_var(statement.var, value)
            for stmt in step:
                self.add(stmt)
            self.out += self.ticks(statement.body if statement.numbers is None else [])
            self.plain(statement.body)
        return tuple(body)

    def ticks(self, body: Sequence[m.Stmt]) -> c.Code:
        """Return code that counts a round of a loop. It is empty for a loop over a kind with
        nothing longer inside.
        """
        inner = [
            x for s in body for x in (s, *(getattr(s, "then", [])), *(getattr(s, "other", [])))
        ]
        if body and not any(
            isinstance(x, (m.CallProc, m.CallSlotSteps, m.Each, m.Repeat, m.IfStmt)) for x in inner
        ):
            return ()
        self.unit.ticking = True
        return (c.Tick(span=self.span),)

    def _each_live(self, statement: m.Each) -> None:
        assert statement.source is not None
        done = self.temp(type_of(statement.source.type))
        self.add(c.Assign(done, ZERO))
        with self.apart() as body:
            left = self.hold(v.Bits("&", self.val(statement.source), v.Complement(done)))
            self.add(c.IfStatement(v.NotValue(left), (c.Break(),)))
            self.set_var(statement.var, self.first_of(statement, left))
            self.add(c.Assign(done, v.Bit(self.read(statement.var), done.type), "|="))
            self.plain(statement.body)
        self.add(c.While(None, tuple(body)))

    def first_of(self, statement: m.Each, left: v.Value) -> v.Value:
        """Return the next element of a set, which is held in a local."""
        if not statement.keys or statement.key_var is None:
            return v.Lowest(left)
        set_var = m.Var("left", m.SetOf(m.kind_of(statement.key_var.type)))
        self.env[set_var] = left
        return self.val(
            m.FirstBy(
                m.Read(set_var),
                statement.key_var,
                statement.keys,
                type=statement.key_var.type,
                span=statement.span,
            )
        )

    def sorted_members(self, statement: m.Each) -> v.Value:
        """Return the members as a list in the order of the keys."""
        assert statement.source is not None and statement.key_var is not None
        return in_order(self, self.val(statement.source), statement.key_var, statement.keys)

    def _bulk(self, statement: m.Each, source: v.Value) -> bool:
        """Lower `each p in g` to operations on masks, if its body only sets cells of p to values
        that do not depend on p.

        Returns:
            Whether this was possible.
        """
        plan = [
            x
            for x in statement.body
            if isinstance(x, m.SetCell)
            and x.op == ":="
            and x.keys
            and is_read(x.keys[-1], statement.var)
        ]
        places = [self.unit.lay.places[x.cell] for x in plan]
        asked = [e for x in plan for e in (x.value, *x.keys[:-1])]
        if (
            not self.in_event
            or not plan
            or len(plan) < len(statement.body)
            or any(statement.var in self.an.deps(e).vars for e in asked)
        ):
            return False
        if any(
            place.images or (len(place.cell.keys) > 1 and place.form != "mask") for place in places
        ):
            return False
        if {n.cell for n, _ in everything(asked) if isinstance(n, m.ReadCell)} & {
            x.cell for x in plan
        }:
            return False
        group = self.hold(source)
        for x, place in zip(plan, places, strict=True):
            self.span, form = x.span, place.form
            if form == "mask":
                row = self.cell_slot(
                    x.cell.keys[:-1], x.keys[:-1], place.base, v.Mask(x.cell.keys[-1].size)
                )
                self.set_bit(row, group, self.cond(x.value))
            elif form == "plain":
                self.add(c.Effect("put_all", (const(place.base), group, self.val(x.value))))
            else:
                where = (const(place.base), const(place.index), const(place.values))
                self.add(c.Effect("put_group", (*where, group, self.val(x.value))))
        return True

    # ----------------------------------------------------------------------------- chance and pools
    def do_roll(self, statement: m.Roll) -> None:
        purpose = const(self.unit.model.purposes.index(statement.purpose))
        if statement.event is None or statement.event.wrapper is None:
            roller = self.val(statement.who)
            if self.an.deps(statement.who).raises:  # also evaluated in the fast variant
                roller = self.hold(roller)
            self.roll(statement)
            self.add(
                c.LogStatement((const(slots.DIE_ROLLED), purpose, roller, self.read(statement.var)))
            )
            return
        redo, who = v.SlotValue(self.unit.lay.redo), self.hold(self.val(statement.who))
        before = self.kept(redo)
        with self.apart() as body:
            self.out += self.ticks([])
            self.put(redo, ZERO)
            self.roll(statement)
            self.call(statement.event.wrapper, [purpose, who, self.read(statement.var)])
            self.add(c.IfStatement(v.NotValue(redo), (c.Break(),)))
            self.add(
                c.LogStatement(
                    (const(slots.ROLL_CANCELLED), purpose, who, self.read(statement.var))
                )
            )
        self.add(c.While(None, tuple(body)))
        self.put(redo, before)
        event_over(self, statement.event.wrapper)

    def roll(self, statement: m.Roll) -> None:
        """Add only the roll."""
        self.read(statement.var)
        self.add(
            c.Effect(
                "roll_dice",
                (const(statement.dice), const(statement.faces)),
                into=self.unit.lay.vars[statement.var],
            )
        )

    def do_draw(self, statement: m.Draw) -> None:
        self.moved(
            "draw_things", statement, self.val(statement.count), pool_slot(self, statement.source)
        )

    def do_put_member(self, statement: m.PutMember) -> None:
        self.moved("put_thing", statement, self.val(statement.what))

    def do_gather(self, statement: m.Gather) -> None:
        self.moved("gather_things", statement, pool_slot(self, statement.source))

    def moved(
        self, effect: c.Writes, statement: m.Draw | m.PutMember | m.Gather, *what: v.Value
    ) -> None:
        """Move things to a pool.

        The effect receives all pools of the kind, and the slot with the publicly known things of
        the kind.
        """
        pools = self.unit.model.pools_of(statement.target.cell)
        rows = [
            (
                self.unit.lay.places[each].base,
                prod(k.size for k in each.keys),
                int(not each.seen),
                self.unit.index(each),
            )
            for each in pools
        ]
        public = const(self.unit.lay.known[m.kind_of(statement.target.cell.type)])
        self.add(
            c.Effect(
                effect, (public, *what, pool_slot(self, statement.target)), (self.unit.table(rows),)
            )
        )
        self.after(
            pools
            if isinstance(statement, m.PutMember)
            else [statement.source.cell, statement.target.cell]
        )


def event_id(unit: Unit, event: m.EventDeclaration) -> int:
    """Return the id of an event in the log. `die_rolled` belongs to the machine."""
    return slots.DIE_ROLLED if event.built_in else slots.FIRST_EVENT + unit.index(event)


def pool_slot(low: Body, read: m.ReadCell) -> v.Value:
    """Return the number of the slot of a pool."""
    place = low.unit.lay.places[read.cell]
    return number_at(
        place.base,
        place.row,
        [low.ordinal(k, e) for k, e in zip(read.cell.keys, read.keys, strict=True)],
    )
