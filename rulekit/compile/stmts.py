"""Takes statements that ask nothing, makes instructions: writes of cells and variables, events, dice, pools, plain loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from rulekit import model as m
from rulekit.base.span import NOWHERE, Span
from rulekit.compile import ir
from rulekit.compile.expr import Expressions
from rulekit.compile.strict import held
from rulekit.compile.unit import Unit, X, const, name
from rulekit.compile.watched import worked_out
from rulekit.model.visitor import everything, reached
from rulekit.program import program as pg

_FIT = 12  # instructions of an event that is put in place of its call


def _grows(value: m.Expr) -> bool:
    """Does a product stand in it of whose size nothing is known? Multiplied again and again, a number would fill the memory."""
    return any(isinstance(e, m.Arith) and e.op == "*" and isinstance(e.type, m.Int) and e.type.low is None for e in reached(value))


class Body(Expressions):
    """Lowers statements into `out`. Frame variables are tokens; `env` binds the rest."""

    def __init__(self, unit: Unit, env: Mapping[m.Var, X] | None = None, in_event: bool = False) -> None:
        super().__init__(unit, env)
        self.pure = False
        self.out: list[ir.Instr] = []
        self.in_event = in_event
        self.span: Span = NOWHERE
        self.inside = not unit.trace  # of a value that is being lowered

    def _lower(self, e: m.Expr, test: bool) -> X:
        if self.inside:
            return super()._lower(e, test)
        self.inside = True
        x = worked_out(self, e, super()._lower, test)
        self.inside = False
        return x

    # -------------------------------------------------------------------------------- writing instructions
    def add(self, instr: ir.Instr) -> None:
        instr.span = self.span
        self.out.append(instr)

    def put(self, slot: str, op: str, value: str) -> None:
        self.add(ir.Put(slot, op, value))

    def sub(self, stmts: Sequence[m.Stmt]) -> list[ir.Instr]:
        """The instructions of a block of their own."""
        outer, self.out = self.out, []
        self.plain(stmts)
        made, self.out = self.out, outer
        return made

    def hold(self, x: X) -> X:
        """A value that is read several times or must not change, in a local of Python."""
        if x.const is not None or (x.atom and x.text.isidentifier()):
            return x
        t = self.temp()
        self.add(ir.Line(f"{t} = {x.text}"))
        return name(t)

    def set_var(self, var: m.Var, text: str) -> None:
        if var in self.env:
            self.add(ir.Line(f"{self.env[var].text} = {text}"))
        elif var.frame is None and var not in self.unit.lay.vars:
            self.env[var] = name(f"v{len(self.env)}")
            self.add(ir.Line(f"{self.env[var].text} = {text}"))
        else:
            self.read(var)
            self.add(ir.PutVar(self.unit.lay.vars[var], text))

    def plain(self, stmts: Sequence[m.Stmt]) -> None:
        for s in stmts:
            self.span = s.span if s.span.line else self.span
            getattr(self, "do_" + type(s).__name__)(s)

    # -------------------------------------------------------------------------------- variables and cells
    def do_SetVar(self, s: m.SetVar) -> None:
        x = self.val(s.value)
        if s.op != ":=":
            old = self.read(s.var).text
            if isinstance(s.var.type, m.SetOf):
                v = self.mask_of(s.value).p
                x = X(f"{old} | {v}" if s.op == "+=" else f"{old} & ~{v}")
            else:
                x = X(f"{old} {s.op[0]} {x.p}")
        self.set_var(s.var, f"small({x.text})" if isinstance(s.var.type, m.Int) and _grows(s.value) else x.text)

    def do_SetCell(self, s: m.SetCell) -> None:
        self.write(s.cell, s.keys, s.op, s.value)
        if not self.in_event:
            self.after([s.cell])

    def write(self, cell: m.Cell, keys: Sequence[m.Expr], op: str, value: m.Expr) -> None:
        """An assignment; nothing through a hole. Keys and value are worked out first, then it is looked whether there is such a cell."""
        place = self.unit.lay.places[cell]
        unsure = any(self.an.maybe_none(e) or not self.an.fits(k, e) for k, e in zip(cell.keys, keys, strict=True))
        if unsure and any(self.an.deps(e).raises for e in [*keys, value]):
            *keys, value = [held(self, e) for e in [*keys, value]]
        made: list[ir.Instr] = []
        ords, tests = [], []
        for k, e in zip(cell.keys, keys, strict=True):
            sure = self.an.fits(k, e)
            x = self.ordinal(k, e if sure else (e := held(self, e)))
            outer, self.out = self.out, self.out if sure else made
            ords.append(x if x.const is not None or (len(x.text) < 8 and not self.an.deps(e).raises) else self.hold(x))
            self.out = outer
            if k.kind is not None and self.an.maybe_none(e):
                tests.append(f"{ords[-1].p} >= 0")
        outer, self.out = self.out, made
        self._write(place.form, cell, ords, op, value)
        self.out = outer
        if tests:
            self.add(ir.If(" and ".join(tests), made, []))
        else:
            self.out += made

    def _write(self, form: str, cell: m.Cell, ords: list[X], op: str, value: m.Expr) -> None:
        place = self.unit.lay.places[cell]
        v = self.val(value)
        hidden = self.in_event or cell.hidden
        if form == "mask":
            row = row_major(place.row, ords[:-1], place.base)
            self._set_bit(row, _bit(ords[-1]), self.cond(value))
        elif form in ("index", "both"):
            v = v if v.const is not None else self.hold(v)
            self._write_index(cell, ords[0], v)
        else:
            slot = row_major(place.row, ords, place.base)
            if isinstance(cell.type, m.SetOf) and op != ":=":
                mask = self.mask_of(value)
                self.put(slot, "|=" if op == "+=" else "&=", mask.text if op == "+=" else f"~{mask.p}")
            elif isinstance(cell.type, m.Int):
                self._write_number(cell, slot, op, v, value)
            else:
                self.put(slot, "=", v.text)
        if not hidden:
            at = row_major([k.size for k in cell.keys], ords, 0)
            self.add(ir.Log(f"{pg.CHANGED}, {self.unit.index(cell)}, {at}, {self._now(cell, ords)}"))

    def _now(self, cell: m.Cell, ords: list[X]) -> str:
        """The value that a cell has now."""
        place = self.unit.lay.places[cell]
        if place.form == "mask":
            return f"s[{row_major(place.row, ords[:-1], place.base)}] >> {ords[-1].p} & 1"
        if place.form == "index":
            reads = [f"{v} if s[{place.index + v}] >> {ords[0].p} & 1" for v in range(place.values)]
            return " else ".join([*reads, "-1"])
        return f"s[{row_major(place.row, ords, place.base)}]"

    def _set_bit(self, row: str, bit: str, v: X) -> None:
        if v.const is not None:
            self.put(row, "|=" if v.const else "&=", bit if v.const else f"~({bit})")
        else:
            self.add(ir.If(v.text, [ir.Put(row, "|=", bit, span=self.span)], [ir.Put(row, "&=", f"~({bit})", span=self.span)]))

    def _write_index(self, cell: m.Cell, key: X, v: X) -> None:
        place = self.unit.lay.places[cell]
        if place.form == "both":
            self.add(ir.Call("put_both", [str(place.base), str(place.index), str(place.values), key.text, v.text]))
            return
        bit = self.hold(X(_bit(key)))
        others = self.hold(X(f"~{bit.p}"))
        goal = None if v.const is None else v.const if v.const >= 0 else place.values
        for i in range(place.values + 1):
            if i != goal:
                self.put(str(place.index + i), "&=", others.text)
        slot = str(place.index + goal) if goal is not None else f"{place.index} + ({v.text} if {v.text} >= 0 else {place.values})"
        self.put(slot, "|=", bit.text)

    def _write_number(self, cell: m.Cell, slot: str, op: str, v: X, value: m.Expr) -> None:
        assert isinstance(cell.type, m.Int)
        low, high = cell.type.low, cell.type.high
        if v.const == m.NO_LIMIT and op == ":=":
            self.put(slot, "=", v.text)
            return
        text = v.text if op == ":=" else f"s[{slot}] {op[0]} {v.p}"
        if op == ":=" and v.const is not None and (low is None or low <= v.const) and (high is None or v.const <= high):
            low = high = None
        if op == ":=" and isinstance(value.type, m.Int) and isinstance(value, m.Read):
            t = value.type
            if t.low is not None and t.high is not None and (low is None or t.low >= low) and (high is None or t.high <= high):
                low = high = None
        if low is None and high is None and _grows(value):
            self.put(slot, "=", f"small({text})")
        elif low is None and high is None:
            self.put(slot, "=" if op == ":=" else op, v.text)
        elif cell.clamp:
            text = f"max({low}, {text})" if low is not None else text
            self.put(slot, "=", f"min({high}, {text})" if high is not None else text)
        else:
            self.put(slot, "=", f"in_range({text}, {low}, {high}, {self.unit.index(cell)})")

    # -------------------------------------------------------------------------------- events and what follows them
    def do_CallEvent(self, s: m.CallEvent) -> None:
        self.event(s.event, [self.val(a) for a in s.args])

    def event(self, e: m.Event, args: Sequence[X]) -> None:
        number = event_id(self.unit, e)
        small = len(list(islice(everything(e.body), 41))) <= 40 and all(isinstance(x, m.SetCell) for x in e.body) and not e.reveals
        if small:
            held = [x if x.const is not None or x.text.startswith("§") else self.hold(x) for x in args]
            self.add(ir.Log(", ".join([str(number), *(x.text for x in held)])))
            inner = Body(self.unit, dict(zip(e.params, held, strict=True)), True)
            inner.temps, inner.span = self.temps, self.span
            inner.plain(e.body)
            self.temps = inner.temps
            self.out += inner.out
        else:
            self.unit.want("E", e)
            self.add(ir.Call(f"E{self.unit.index(e)}", [x.text for x in args]))
        self.after(e.writes)

    def after(self, written: Sequence[m.Cell]) -> None:
        """The rules that watch what was written."""
        for rule in self.unit.model.whenevers:
            if any(c in written for c in rule.reads):
                self.unit.want("H", rule)
                self.add(ir.Call(f"H{self.unit.index(rule)}", []))

    def reveal(self, shown: m.Expr) -> None:
        kind = shown.type.kind if isinstance(shown.type, (m.SetOf, m.MemberOf)) else None
        if kind is None:
            return
        mask = self.hold(self.mask_of(shown))
        if kind in self.unit.lay.known:
            self.put(str(self.unit.lay.known[kind]), "|=", mask.text)
        self.add(ir.Call("log_revealed", [str(self.unit.index(kind)), mask.text]))

    # -------------------------------------------------------------------------------- calls
    def do_CallProc(self, s: m.CallProc) -> None:
        self.call(s.proc, [self.val(a).text for a in s.args], s.into)

    def call(self, proc: m.Procedure, args: list[str], into: m.Var | None = None) -> None:
        """A procedure that asks nothing: a Python function."""
        self.unit.want("Q", proc)
        if into is not None:
            self.read(into)
        self.add(ir.Call(f"Q{self.unit.index(proc)}", args, -1 if into is None else self.unit.lay.vars[into]))

    def do_CallSlotSteps(self, s: m.CallSlotSteps) -> None:
        who = self.hold(self.val(s.member))
        args = [self.hold(self.val(a)).text for a in s.args]
        for i, proc in enumerate(s.slot.blocks):
            if proc is not None and (who.const is None or who.const == i):
                outer, self.out = self.out, []
                self.call(proc, args)
                made, self.out = self.out, outer
                self.add(ir.If(f"{who.p} == {i}", made, []))

    # -------------------------------------------------------------------------------- control
    def do_IfStmt(self, s: m.IfStmt) -> None:
        c = self.cond(s.cond)
        if c.const is not None:
            self.plain(s.then if c.const else s.other)
            return
        self.add(ir.If(c.text, self.sub(s.then), self.sub(s.other)))

    def do_Leave(self, s: m.Leave) -> None:
        self.add(ir.Line("break"))

    def do_Return(self, s: m.Return) -> None:
        self.add(ir.Return())

    def do_Finish(self, s: m.Finish) -> None:
        self.finish(s)
        self.add(ir.Line("raise Over"))

    def finish(self, s: m.Finish) -> None:
        who = self.hold(self.val(s.who))
        self.put(str(pg.WINNER), "=", who.text)
        self.put(str(pg.LEVEL), "=", str(s.level))
        self.put(str(pg.PC), "=", "0")
        self.add(ir.Line("s[1] = []"))
        self.add(ir.Log(f"{pg.FINISHED}, {who.text}, {s.level}"))

    def do_Check(self, s: m.Check) -> None:
        c = self.cond(s.invariant.cond)
        if c.const is None or not c.const:
            self.add(ir.If(f"not ({c.text})", [ir.Line(f"broken({self.unit.index(s.invariant)})", span=self.span)], []))

    def do_Window(self, s: m.Window) -> None:
        """A moment at which nobody is asked anything: hooks only."""
        hooks = [h for h in s.hooks if h.cond is None or self.unit.known.value(h.cond) != 0]
        if not hooks:
            return
        flag, before, here = self.unit.open_flag(s.moment), self.temp(), str(pg.HERE)
        outer, self.out = self.out, []
        self.put(flag, "=", "1")
        self.add(ir.Line(f"{before} = s[{here}]"))
        self.put(here, "=", str(s.moment))
        for hook in hooks:
            inner, self.out = self.out, []
            self.call(hook.proc, [])
            made, self.out = self.out, inner
            cond = self.cond(hook.cond).text if hook.cond is not None else "1"
            self.add(ir.If(f"not s[{self.unit.lay.frames[hook.proc].running}] and ({cond})", made, []))
        self.put(here, "=", before)
        self.put(flag, "=", "0")
        made, self.out = self.out, outer
        self.add(ir.If(f"not s[{flag}]", made, []))

    def do_Answer(self, s: m.Answer) -> None:
        if s.what == "redo":
            self.put(str(self.unit.lay.redo), "=", "1")
        else:
            self.add(ir.If(f"s[{pg.SPARE}]", [ir.Put(f"s[{pg.SPARE}]", "=", "1", span=self.span)], []))

    def do_Repeat(self, s: m.Repeat) -> None:
        limit = self.hold(self.val(s.limit))
        n = self.temp()
        self.add(ir.Line(f"{n} = 0"))
        body: list[ir.Instr] = []
        if s.form == "until" and s.cond is not None:
            body.append(ir.If(self.cond(s.cond).text, [ir.Line("break")], [], span=s.span))
            body.append(ir.If(f"{n} >= {limit.p}", [ir.Line(f"too_long({limit.text})", span=s.span)], [], span=s.span))
        body.append(ir.Line(f"{n} += 1"))
        body += self.ticks([])
        head = "while 1:" if s.form == "until" else f"while {n} < {limit.p}:"
        self.add(ir.While(head, [*body, *self.sub(s.body)]))

    def do_Each(self, s: m.Each) -> None:
        if s.live:
            self._each_live(s)
        elif s.numbers is not None:
            low, high = self.val(s.numbers[0]), self.val(s.numbers[1])
            v = self.temp()
            self._loop(s, f"for {v} in range({low.text}, {high.p} + 1):", v)
        elif s.items is not None:
            v = self.temp()
            self._loop(s, f"for {v} in ({', '.join(self.val(i).text for i in s.items)},):", v)
        elif s.keys:
            v = self.temp()
            self._loop(s, f"for {v} in {self.sorted_members(s)}:", v)
        else:
            assert s.source is not None
            source = self.val(s.source)
            if self._bulk(s, source):
                return
            v, rest = self.temp(), self.temp()
            self.add(ir.Line(f"{rest} = {source.text}"))
            self._loop(s, f"while {rest}:", f"({rest} & -{rest}).bit_length() - 1", f"{rest} &= {rest} - 1")

    def _loop(self, s: m.Each, head: str, value: str, step: str = "") -> None:
        outer, self.out = self.out, []
        self.set_var(s.var, value)
        if step:
            self.add(ir.Line(step))
        self.out += self.ticks(s.body if s.numbers is None else [])
        self.plain(s.body)
        body, self.out = self.out, outer
        self.add(ir.While(head, body))

    def ticks(self, body: Sequence[m.Stmt]) -> list[ir.Instr]:
        """Counts a round of a loop, unless it is a loop over a kind with nothing longer inside."""
        inner = [x for s in body for x in (s, *(getattr(s, "then", [])), *(getattr(s, "other", [])))]
        if body and not any(isinstance(x, (m.CallProc, m.CallSlotSteps, m.Each, m.Repeat, m.IfStmt)) for x in inner):
            return []
        self.unit.ticking = True
        return [ir.Line("tick()", span=self.span)]

    def _each_live(self, s: m.Each) -> None:
        assert s.source is not None
        done = self.temp()
        self.add(ir.Line(f"{done} = 0"))
        outer, self.out = self.out, []
        left = self.hold(X(f"{self.val(s.source).p} & ~{done}"))
        self.add(ir.If(f"not {left.text}", [ir.Line("break")], []))
        self.set_var(s.var, self.first_of(s, left).text)
        self.add(ir.Line(f"{done} |= 1 << {self.read(s.var).text}"))
        self.plain(s.body)
        body, self.out = self.out, outer
        self.add(ir.While("while 1:", body))

    def first_of(self, s: m.Each, left: X) -> X:
        """The element of a set (a local) that comes next."""
        if not s.keys or s.key_var is None:
            return X(f"({left.text} & -{left.text}).bit_length() - 1")
        kind = s.key_var.type
        assert isinstance(kind, m.MemberOf)
        set_var = m.Var("left", m.SetOf(kind.kind))
        self.env[set_var] = left
        e = m.FirstBy(m.Read(set_var, type=set_var.type), s.key_var, s.keys, type=kind, span=s.span)
        return self.val(e)

    def sorted_members(self, s: m.Each) -> str:
        """The members in order of the keys, as a list."""
        from rulekit.compile.loops import loop

        assert s.source is not None and s.key_var is not None

        def body(inner: Expressions) -> list[str]:
            keys = [f"not {inner.cond(k).p}" if isinstance(k.type, m.Bool) else inner.val(k).text for k in s.keys]
            return [f"out.append(({', '.join(keys)}, i))"]

        return loop(self, self.val(s.source), s.key_var, s.keys, ["out = []"], body, ["return [k[-1] for k in sorted(out)]"]).text

    def _bulk(self, s: m.Each, source: X) -> bool:
        """`each p in g` whose body only sets cells of p to values that do not depend on p: masks at one stroke."""
        plan: list[tuple[m.SetCell, str]] = []
        read: set[m.Cell] = set()
        for x in s.body:
            if not isinstance(x, m.SetCell) or x.op != ":=" or not x.keys or not _is(x.keys[-1], s.var):
                return False
            if any(s.var in self.an.deps(e).vars for e in [x.value, *x.keys[:-1]]):
                return False
            read |= {n.cell for n, _ in everything([x.value, *x.keys[:-1]]) if isinstance(n, m.ReadCell)}
            form = self.unit.lay.places[x.cell].form
            if len(x.cell.keys) > 1 and form != "mask":
                return False
            plan.append((x, form))
        if read & {x.cell for x, _ in plan} or not self.in_event or not plan:
            return False
        group = self.hold(source)
        for x, form in plan:
            self.span = x.span
            place = self.unit.lay.places[x.cell]
            if form == "mask":
                rows = [self.ordinal(k, e) for k, e in zip(x.cell.keys[:-1], x.keys[:-1], strict=True)]
                self._set_bit(row_major(place.row, rows, place.base), group.text, self.cond(x.value))
            elif form == "plain":
                self.add(ir.Call("put_all", [str(place.base), group.text, self.val(x.value).text]))
            else:
                value = self.val(x.value).text
                self.add(ir.Call("put_group", [str(place.base), str(place.index), str(place.values), group.text, value]))
        return True

    # -------------------------------------------------------------------------------- chance and pools
    def do_Roll(self, s: m.Roll) -> None:
        purpose = str(self.unit.model.purposes.index(s.purpose))
        if s.event is None or s.event.wrapper is None:
            roller = self.val(s.who)
            if self.an.deps(s.who).raises:  # it is asked where nothing is recorded, too
                roller = self.hold(roller)
            self.roll(s)
            self.add(ir.Log(", ".join([str(pg.DIE_ROLLED), purpose, roller.text, self.read(s.var).text])))
            return
        from rulekit.compile.endings import event_over

        redo, before, who = str(self.unit.lay.redo), self.temp(), self.hold(self.val(s.who))
        self.add(ir.Line(f"{before} = s[{redo}]"))
        outer, self.out = self.out, self.ticks([])
        self.put(redo, "=", "0")
        self.roll(s)
        self.call(s.event.wrapper, [purpose, who.text, self.read(s.var).text])
        self.add(ir.If(f"not s[{redo}]", [ir.Line("break")], []))
        self.add(ir.Log(f"{pg.ROLL_CANCELLED}, {purpose}, {who.text}, {self.read(s.var).text}"))
        body, self.out = self.out, outer
        self.add(ir.While("while 1:", body))
        self.put(redo, "=", before)
        event_over(self, s.event.wrapper)

    def roll(self, s: m.Roll) -> None:
        """The roll alone."""
        self.read(s.var)
        self.add(ir.Call("roll_dice", [str(s.dice), str(s.faces)], self.unit.lay.vars[s.var]))

    def do_Draw(self, s: m.Draw) -> None:
        args = [self.val(s.count).text, pool_slot(self, s.source), pool_slot(self, s.target)]
        self.add(ir.Call("draw_things", [*pools(self.unit, s.target.cell), *args]))
        self.after([s.source.cell, s.target.cell])

    def do_Put(self, s: m.Put) -> None:
        self.add(ir.Call("put_thing", [*pools(self.unit, s.target.cell), self.val(s.what).text, pool_slot(self, s.target)]))
        self.after(self.unit.model.pools_of(s.target.cell))

    def do_Gather(self, s: m.Gather) -> None:
        self.add(ir.Call("gather_things", [*pools(self.unit, s.target.cell), pool_slot(self, s.source), pool_slot(self, s.target)]))
        self.after([s.source.cell, s.target.cell])


def _is(e: m.Expr, var: m.Var) -> bool:
    return isinstance(e, m.Read) and e.var is var


def _bit(x: X) -> str:
    return const(1 << x.const).text if x.const is not None else f"1 << {x.p}"


def row_major(sizes: Sequence[int], ords: Sequence[X], start: int) -> str:
    fixed, terms = start, []
    for i, x in enumerate(ords):
        stride = 1
        for later in sizes[i + 1:]:
            stride *= later
        if x.const is not None:
            fixed += x.const * stride
        else:
            terms.append(x.p if stride == 1 else f"{x.p}*{stride}")
    return " + ".join([str(fixed), *terms] if fixed or not terms else terms)


def event_id(unit: Unit, e: m.Event) -> int:
    """The id of an event in the log; die_rolled is the machine's own."""
    return pg.DIE_ROLLED if e.built_in else pg.FIRST_EVENT + unit.index(e)


def pool_slot(low: Body, read: m.ReadCell) -> str:
    """The slot of a pool."""
    place = low.unit.lay.places[read.cell]
    return row_major(place.row, [low.ordinal(k, e) for k, e in zip(read.cell.keys, read.keys, strict=True)], place.base)


def pools(unit: Unit, cell: m.Cell) -> list[str]:
    """The table of all pools of the kind, and the slot of what is publicly known of it."""
    assert isinstance(cell.type, m.SetOf)
    kind = cell.type.kind
    rows: list[Any] = []
    for c in unit.model.cells:
        if c.pool and isinstance(c.type, m.SetOf) and c.type.kind is kind:
            place, size = unit.lay.places[c], 1
            for k in c.keys:
                size *= k.size
            rows.append((place.base, size, int(not c.seen), unit.index(c)))
    return [unit.table(rows), str(unit.lay.known[kind])]
