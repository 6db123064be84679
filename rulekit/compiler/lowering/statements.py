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
    def do_set_var(self, s: m.SetVar) -> None:
        value = s.value
        if s.op != ":=":
            changed = m.SetOp if isinstance(s.var.type, m.SetOf) else m.Arith
            value = changed("+" if s.op == "+=" else "-", m.Read(s.var), s.value, type=s.var.type)
        x = self.val(value)
        self.set_var(
            s.var,
            v.RunValue("small", (x,)) if isinstance(s.var.type, m.Int) and grows(s.value) else x,
        )

    def do_set_cell(self, s: m.SetCell) -> None:
        self.write(s.cell, s.keys, s.op, s.value)
        if not self.in_event:
            self.after([s.cell])

    # ---------------------------------------------------------------- events and their consequences
    def do_call_event(self, s: m.CallEvent) -> None:
        e, args = s.event, [self.val(a) for a in s.args]
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
    def do_call_proc(self, s: m.CallProc) -> None:
        self.call(s.proc, [self.val(a) for a in s.args], s.into)

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

    def do_call_slot_steps(self, s: m.CallSlotSteps) -> None:
        for test, proc, args in self.steps(s):
            with self.when(test):
                self.call(proc, args)

    def steps(self, s: m.CallSlotSteps) -> Iterator[tuple[v.Value, m.Procedure, Sequence[v.Value]]]:
        """Iterate over the procedures that can be a member's steps, each with the test for this
        member and the arguments.
        """
        who = self.hold(self.val(s.member))
        args = [self.hold(self.val(a)) for a in s.args]
        for i, proc in enumerate(s.slot.blocks):
            if proc is not None and known(who) in (None, i):
                yield v.CompareValue("==", who, const(i)), proc, args

    # -------------------------------------------------------------------------------------- control
    def do_if_stmt(self, s: m.IfStmt) -> None:
        x = self.cond(s.cond)
        if isinstance(x, v.ConstValue):
            self.plain(s.then if x.value else s.other)
            return
        self.add(c.IfStatement(x, self.sub(s.then), self.sub(s.other)))

    def do_leave(self, s: m.Leave) -> None:
        self.add(c.Break())

    def do_return(self, s: m.Return) -> None:
        self.add(c.Give())

    def do_finish(self, s: m.Finish) -> None:
        self.finish(s)
        self.add(c.OverStatement())

    def finish(self, s: m.Finish) -> None:
        who = self.hold(self.val(s.who))
        self.put(v.SlotValue(slots.WINNER), who)
        self.put(v.SlotValue(slots.LEVEL), const(s.level))
        self.put(v.SlotValue(slots.PC), ZERO)
        self.add(c.NoLayers())
        self.add(c.LogStatement((const(slots.FINISHED), who, const(s.level))))

    def do_check(self, s: m.Check) -> None:
        x = self.cond(s.invariant.cond)
        if not known(x):
            self.add(
                c.IfStatement(
                    v.NotValue(x),
                    (c.Fail("broken", (const(self.unit.index(s.invariant)),), span=self.span),),
                )
            )

    def do_window(self, s: m.Window) -> None:
        """Lower a moment at which nobody is asked: only its hooks run."""
        hooks = [h for h in s.hooks if h.cond is None or self.unit.known.value(h.cond) != 0]
        if not hooks:
            return
        flag, here = v.SlotValue(self.unit.open_flag(s.moment)), v.SlotValue(slots.HERE)
        with self.when(v.NotValue(flag)):
            self.put(flag, ONE)
            before = self.kept(here)
            self.put(here, const(s.moment))
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

    def do_answer(self, s: m.Answer) -> None:
        if s.what == "redo":
            self.put(v.SlotValue(self.unit.lay.redo), ONE)
        else:  # halt the innermost walk: SPARE holds the slot of its flag
            walking = v.SlotValue(slots.SPARE)
            self.add(
                c.IfStatement(
                    walking, (c.PutStatement(v.SlotValue(0, walking), ONE, span=self.span),)
                )
            )

    def do_repeat(self, s: m.Repeat) -> None:
        limit = self.hold(self.val(s.limit))
        n = self.temp()
        self.add(c.Assign(n, ZERO))
        body: list[c.Stmt] = []
        if s.form == "until" and s.cond is not None:
            body.append(c.IfStatement(self.cond(s.cond), (c.Break(),), span=s.span))
            body.append(
                c.IfStatement(
                    v.CompareValue(">=", n, limit),
                    (c.Fail("too_long", (limit,), span=s.span),),
                    span=s.span,
                )
            )
        body.append(c.Assign(n, ONE, "+="))
        body += self.ticks([])
        self.add(
            c.While(
                None if s.form == "until" else v.CompareValue("<", n, limit),
                (*body, *self.sub(s.body)),
            )
        )

    def do_each(self, s: m.Each) -> None:
        if s.live:
            self._each_live(s)
        elif s.numbers is not None:
            low, high = self.val(s.numbers[0]), self.val(s.numbers[1])
            each = self.temp()
            self.add(c.ForRange(each, low, v.ArithValue("+", high, ONE), self._round(s, each)))
        elif s.items is not None or s.keys:
            each = self.temp()
            items = (
                tuple(self.val(i) for i in s.items)
                if s.items is not None
                else (self.sorted_members(s),)
            )
            self.add(c.ForItems(each, items, s.items is None, self._round(s, each)))
        else:
            assert s.source is not None
            source = self.val(s.source)
            if self._bulk(s, source):
                return
            rest = self.temp(type_of(s.source.type))
            self.add(c.Assign(rest, source))
            step = c.Assign(rest, v.ArithValue("-", rest, ONE), "&=")
            self.add(c.While(rest, self._round(s, v.Lowest(rest), step)))

    def _round(self, s: m.Each, value: v.Value, *step: c.Stmt) -> c.Code:
        """Return the code of a round of a loop: assign the variable, then execute the body."""
        with self.apart() as body:
            self.set_var(s.var, value)
            for stmt in step:
                self.add(stmt)
            self.out += self.ticks(s.body if s.numbers is None else [])
            self.plain(s.body)
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

    def _each_live(self, s: m.Each) -> None:
        assert s.source is not None
        done = self.temp(type_of(s.source.type))
        self.add(c.Assign(done, ZERO))
        with self.apart() as body:
            left = self.hold(v.Bits("&", self.val(s.source), v.Complement(done)))
            self.add(c.IfStatement(v.NotValue(left), (c.Break(),)))
            self.set_var(s.var, self.first_of(s, left))
            self.add(c.Assign(done, v.Bit(self.read(s.var), done.type), "|="))
            self.plain(s.body)
        self.add(c.While(None, tuple(body)))

    def first_of(self, s: m.Each, left: v.Value) -> v.Value:
        """Return the next element of a set, which is held in a local."""
        if not s.keys or s.key_var is None:
            return v.Lowest(left)
        set_var = m.Var("left", m.SetOf(m.kind_of(s.key_var.type)))
        self.env[set_var] = left
        return self.val(
            m.FirstBy(m.Read(set_var), s.key_var, s.keys, type=s.key_var.type, span=s.span)
        )

    def sorted_members(self, s: m.Each) -> v.Value:
        """Return the members as a list in the order of the keys."""
        assert s.source is not None and s.key_var is not None
        return in_order(self, self.val(s.source), s.key_var, s.keys)

    def _bulk(self, s: m.Each, source: v.Value) -> bool:
        """Lower `each p in g` to operations on masks, if its body only sets cells of p to values
        that do not depend on p.

        Returns:
            Whether this was possible.
        """
        plan = [
            x
            for x in s.body
            if isinstance(x, m.SetCell) and x.op == ":=" and x.keys and is_read(x.keys[-1], s.var)
        ]
        places = [self.unit.lay.places[x.cell] for x in plan]
        asked = [e for x in plan for e in (x.value, *x.keys[:-1])]
        if (
            not self.in_event
            or not plan
            or len(plan) < len(s.body)
            or any(s.var in self.an.deps(e).vars for e in asked)
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
    def do_roll(self, s: m.Roll) -> None:
        purpose = const(self.unit.model.purposes.index(s.purpose))
        if s.event is None or s.event.wrapper is None:
            roller = self.val(s.who)
            if self.an.deps(s.who).raises:  # also evaluated in the fast variant
                roller = self.hold(roller)
            self.roll(s)
            self.add(c.LogStatement((const(slots.DIE_ROLLED), purpose, roller, self.read(s.var))))
            return
        redo, who = v.SlotValue(self.unit.lay.redo), self.hold(self.val(s.who))
        before = self.kept(redo)
        with self.apart() as body:
            self.out += self.ticks([])
            self.put(redo, ZERO)
            self.roll(s)
            self.call(s.event.wrapper, [purpose, who, self.read(s.var)])
            self.add(c.IfStatement(v.NotValue(redo), (c.Break(),)))
            self.add(c.LogStatement((const(slots.ROLL_CANCELLED), purpose, who, self.read(s.var))))
        self.add(c.While(None, tuple(body)))
        self.put(redo, before)
        event_over(self, s.event.wrapper)

    def roll(self, s: m.Roll) -> None:
        """Add only the roll."""
        self.read(s.var)
        self.add(
            c.Effect("roll_dice", (const(s.dice), const(s.faces)), into=self.unit.lay.vars[s.var])
        )

    def do_draw(self, s: m.Draw) -> None:
        self.moved("draw_things", s, self.val(s.count), pool_slot(self, s.source))

    def do_put_member(self, s: m.PutMember) -> None:
        self.moved("put_thing", s, self.val(s.what))

    def do_gather(self, s: m.Gather) -> None:
        self.moved("gather_things", s, pool_slot(self, s.source))

    def moved(self, effect: c.Writes, s: m.Draw | m.PutMember | m.Gather, *what: v.Value) -> None:
        """Move things to a pool.

        The effect receives all pools of the kind, and the slot with the publicly known things of
        the kind.
        """
        pools = self.unit.model.pools_of(s.target.cell)
        rows = [
            (
                self.unit.lay.places[each].base,
                prod(k.size for k in each.keys),
                int(not each.seen),
                self.unit.index(each),
            )
            for each in pools
        ]
        public = const(self.unit.lay.known[m.kind_of(s.target.cell.type)])
        self.add(
            c.Effect(effect, (public, *what, pool_slot(self, s.target)), (self.unit.table(rows),))
        )
        self.after(pools if isinstance(s, m.PutMember) else [s.source.cell, s.target.cell])


def event_id(unit: Unit, e: m.EventDeclaration) -> int:
    """Return the id of an event in the log. `die_rolled` belongs to the machine."""
    return slots.DIE_ROLLED if e.built_in else slots.FIRST_EVENT + unit.index(e)


def pool_slot(low: Body, read: m.ReadCell) -> v.Value:
    """Return the number of the slot of a pool."""
    place = low.unit.lay.places[read.cell]
    return number_at(
        place.base,
        place.row,
        [low.ordinal(k, e) for k, e in zip(read.cell.keys, read.keys, strict=True)],
    )
