"""Takes procedures that ask, makes blocks: straight code between the points where play waits."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from rulekit import model as m
from rulekit.base.fill import names as gap_names
from rulekit.base.span import NOWHERE, Span
from rulekit.compile import ir
from rulekit.compile.endings import event_over, resets
from rulekit.compile.needs import must_begin
from rulekit.compile.seats import Round, seat
from rulekit.compile.stmts import Body
from rulekit.compile.unit import Unit, X, const
from rulekit.model.visitor import substitute
from rulekit.program import program as pg


@define(eq=False)
class Offer:
    """A family of options of a decision and the block that takes it up."""

    family: int  # index in Flow.families
    block: ir.Block


@define(eq=False)
class Decision:
    number: int
    kind: str
    who: m.Expr
    proc: m.Procedure
    prompt: str = ""
    text: str = ""
    ref: tuple[str, ...] = ()
    moment: int = -1
    group: tuple[int, int] = (-1, -1)  # the slots of those picked, and of those that are alike
    offers: list[Offer] = field(factory=list)
    asked: str = "0"  # the slot with the player who decides
    layers: list[str] = field(factory=list)  # lines of the function that makes the options
    env: dict[m.Var, m.Expr] = field(factory=dict)
    span: Span = NOWHERE
    visible: dict[str, m.Var] | None = None  # what is called by name where it is asked; None: all of the procedure


@define(eq=False)
class Growing:
    """A `pick group`, and the slots of its source, of those picked so far, and of the most there may be."""

    stmt: m.PickGroup
    source: str
    picked: str
    most: str


@define(eq=False)
class Flow:
    """All blocks, decisions and option families of a game while they are made."""

    unit: Unit
    blocks: list[ir.Block] = field(factory=list)
    decisions: list[Decision] = field(factory=list)
    families: list[pg.FamilyInfo] = field(factory=list)
    entries: dict[m.Procedure, ir.Block] = field(factory=dict)
    options: dict[int, tuple[m.Option, int]] = field(factory=dict)  # id of an option -> family
    next_id: int = 1
    sites: dict[m.Procedure, list[tuple[m.Procedure, int]]] = field(factory=dict)  # callee -> (caller, block to return to)
    seats: dict[int, int] = field(factory=dict)  # block to return to from a phase -> block with which play is begun in that phase
    spans: dict[int, m.Option] = field(factory=dict)  # family -> option
    groups: dict[int, Growing] = field(factory=dict)  # family of what is added -> the group
    picks: dict[int, m.Expr] = field(factory=dict)  # family of a pick -> the set of what may be picked

    def block(self, proc: m.Procedure | None) -> ir.Block:
        made = ir.Block(len(self.blocks) + 1, proc)
        self.blocks.append(made)
        return made

    def decision(self, kind: str, who: m.Expr, proc: m.Procedure) -> Decision:
        made = Decision(len(self.decisions) + 1, kind, who, proc)
        self.decisions.append(made)
        return made

    def family(self, info: pg.FamilyInfo) -> int:
        """A new family: its ids follow the last one's."""
        info.base = self.next_id
        self.next_id += info.size
        self.families.append(info)
        return len(self.families) - 1

    def entry(self, proc: m.Procedure) -> ir.Block:
        """The block with which an asking procedure begins; its body is lowered when the queue comes to it."""
        if proc not in self.entries:
            self.entries[proc] = self.block(proc)
        return self.entries[proc]


@define(eq=False)
class Targets:
    """Where control goes: the end of the rule block (`skip`), out of the loop, out of the procedure."""

    skip: ir.Block
    leave: ir.Block
    back: ir.Block

    def within(self, skip: ir.Block) -> Targets:
        return Targets(skip, self.leave, self.back)

    def loop(self, leave: ir.Block, skip: ir.Block) -> Targets:
        return Targets(skip, leave, self.back)


def _size(type: m.Type | None) -> int:
    """How many members a set may have."""
    assert isinstance(type, m.SetOf)
    return type.kind.size


class Lower(Body):
    """Lowers one asking procedure. `out` belongs to the open block."""

    def __init__(self, flow: Flow, proc: m.Procedure) -> None:
        super().__init__(flow.unit)
        self.flow = flow
        self.proc = proc
        self.changing: set[m.Var] = set()  # variables that the options of a decision assign
        self.rounds: list[Round] = []  # the loops that are open

    @property
    def players(self) -> int:
        """How many may decide."""
        sides = self.unit.model.sides
        return sides.size if sides is not None else 0

    # -------------------------------------------------------------------------------- blocks
    def open(self, block: ir.Block) -> None:
        self.out = block.body

    def new(self) -> ir.Block:
        return self.flow.block(self.proc)

    def goto(self, block: ir.Block) -> None:
        if not ir.ends(self.out):
            self.add(ir.Goto(block))

    def branch(self, cond: str, block: ir.Block) -> None:
        """Goes to a block if a condition holds, else on."""
        self.add(ir.If(cond, [ir.Goto(block, span=self.span)], []))

    def slot(self, form: str = "number", size: int = 0) -> str:
        """A slot of the frame for the machine itself (cursor of a loop, ...); what it holds: see `SlotInfo`."""
        at = self.unit.lay.note(self.unit.lay.take(0), form, size, self.proc)
        self.unit.lay.frames[self.proc].extra.append(at)
        return str(at)

    def shown(self, d: Decision, visible: dict[str, m.Var]) -> None:
        """What is called by name where a decision is asked; what its texts call stays in its slot while play waits."""
        d.visible = visible
        lent = [v for proc in self.unit.lay.procs for v in [*proc.params, *proc.vars] if v.shared or v in proc.params]
        for text in [d.text, *(texts.get(d.prompt, "") for texts in self.unit.model.texts.values())]:
            for gap in gap_names(text):
                self.unit.exposed.update([visible[gap]] if gap in visible else [v for v in lent if v.name == gap])

    def procedure(self) -> None:
        """The whole procedure."""
        proc = self.proc
        self.open(self.flow.entry(proc))
        self.span = proc.span
        if proc.word == "phase":
            args = "".join(f", {self.read(p).text}" for p in proc.params)
            self.add(ir.Log(f"{pg.PHASE_BEGUN}, {self.unit.index(proc)}{args}"))
        for var in proc.vars:
            if must_begin(proc, var):
                self.add(ir.PutVar(self.unit.lay.vars[var], str(m.first_value(var.type))))
        back = self.new()
        self.stmts(proc.body, Targets(back, back, back))
        self.goto(back)
        self.open(back)
        self.leave_procedure()

    def leave_procedure(self) -> None:
        proc, frame = self.proc, self.unit.lay.frames[self.proc]
        resets(self, proc)
        if proc.result is not None:
            self.put(str(self.unit.lay.redo + 1), "=", self.read(proc.result).text)
        self.add(ir.Return(frame.returns, f"¤{self.unit.index(proc)}¤" if proc.reentrant else ""))

    # -------------------------------------------------------------------------------- statements
    def stmts(self, stmts: Sequence[m.Stmt], to: Targets) -> None:
        """Lowers into the open block; what follows is open afterwards (it may be unreachable)."""
        for s in stmts:
            if ir.ends(self.out):
                return
            self.span = s.span if s.span.line else self.span
            if self.is_plain(s):
                self.plain([s])
            else:
                getattr(self, "flow_" + type(s).__name__)(s, to)

    def is_plain(self, s: m.Stmt) -> bool:
        """Can the statement be straight code: does it never wait, leave, return or finish?"""
        if isinstance(s, (m.SetVar, m.SetCell, m.CallEvent, m.Draw, m.Put, m.Gather, m.Check, m.Answer)):
            return True
        if isinstance(s, m.Roll):
            return s.event is None or s.event.wrapper is None or not s.event.wrapper.asks
        if isinstance(s, m.CallProc):
            return not s.proc.asks
        if isinstance(s, m.CallSlotSteps):
            return not any(p is not None and p.asks for p in s.slot.blocks)
        if isinstance(s, m.IfStmt):
            return all(self.is_plain(x) for x in [*s.then, *s.other])
        if isinstance(s, (m.Each, m.Repeat)):
            ties = isinstance(s, m.Each) and s.ties is not None
            return not ties and all(self.is_plain(x) or isinstance(x, m.Leave) or self._leaves(x) for x in s.body)
        return False

    def _leaves(self, s: m.Stmt) -> bool:
        return isinstance(s, m.IfStmt) and all(self.is_plain(x) or isinstance(x, m.Leave) or self._leaves(x) for x in [*s.then, *s.other])

    def nested(self, stmts: Sequence[m.Stmt], start: ir.Block, end: ir.Block, to: Targets) -> None:
        """A rule block in blocks of its own, from `start`, on to `end`."""
        self.open(start)
        self.stmts(stmts, to)
        self.goto(end)

    def flow_IfStmt(self, s: m.IfStmt, to: Targets) -> None:
        c = self.cond(s.cond)
        end = self.new()
        if c.const is not None:
            self.stmts(s.then if c.const else s.other, to.within(end))
            self.goto(end)
        else:
            then, other = self.new(), self.new()
            self.add(ir.If(c.text, [ir.Goto(then, span=self.span)], [ir.Goto(other, span=self.span)]))
            self.nested(s.then, then, end, to.within(end))
            self.nested(s.other, other, end, to.within(end))
        self.open(end)

    def flow_Leave(self, s: m.Leave, to: Targets) -> None:
        self.goto(to.leave)

    def flow_Return(self, s: m.Return, to: Targets) -> None:
        self.goto(to.back)

    def flow_Finish(self, s: m.Finish, to: Targets) -> None:
        self.finish(s)
        self.add(ir.Stop())

    def flow_CallProc(self, s: m.CallProc, to: Targets) -> None:
        self.call_asking(s.proc, [self.val(a).text for a in s.args], s.into)
        if s.proc.asks and s.proc.word == "phase":
            after = self.flow.sites[s.proc][-1][1]
            self.flow.seats[after] = seat(self, s, self.rounds).number

    def call_asking(self, proc: m.Procedure, args: Sequence[str], into: m.Var | None = None) -> None:
        """Goes to a procedure that may suspend; what follows is open afterwards."""
        if not proc.asks:
            self.call(proc, list(args), into)
            return
        lay = self.unit.lay
        frame, after = lay.frames[proc], self.new()
        held = [a if a.lstrip("-").isdigit() else self.hold(X(a)).text for a in args]
        if proc.reentrant:
            self.add(ir.If(f"s[{frame.returns}]", [ir.Call("save_frame", [f"¤{self.unit.index(proc)}¤"], span=self.span)], []))
        for var, text in zip(proc.params, held, strict=True):
            self.add(ir.PutVar(lay.vars[var], text))
        after.entry = True
        self.put(str(frame.returns), "=", str(after.number))
        self.flow.sites.setdefault(proc, []).append((self.proc, after.number))
        self.goto(self.flow.entry(proc))
        self.open(after)
        if into is not None:
            self.set_var(into, f"s[{lay.redo + 1}]")

    def flow_CallSlotSteps(self, s: m.CallSlotSteps, to: Targets) -> None:
        who = self.hold(self.val(s.member))
        args = [self.hold(self.val(a)).text for a in s.args]
        end = self.new()
        for i, proc in enumerate(s.slot.blocks):
            if proc is not None and (who.const is None or who.const == i):
                there, outer = self.new(), self.out
                self.branch(f"{who.p} == {i}", there)
                self.open(there)
                self.call_asking(proc, args)
                self.goto(end)
                self.out = outer
        self.goto(end)
        self.open(end)

    # -------------------------------------------------------------------------------- loops
    def looped(self, loop: Round, body: ir.Block, head: ir.Block, end: ir.Block, to: Targets) -> None:
        """The rounds of a loop."""
        self.goto(body)
        self.rounds.append(loop)
        self.nested(loop.loop.body, body, head, to.loop(end, head))
        self.rounds.pop()
        self.open(end)

    def flow_Repeat(self, s: m.Repeat, to: Targets) -> None:
        n = self.slot()
        slots = [n]
        limit = self.val(s.limit)
        if limit.const is None:
            top = self.slot()
            slots.append(top)
            self.put(top, "=", limit.text)
            limit = X(f"s[{top}]", atom=True)
        self.put(n, "=", "0")
        head, body, end = self.new(), self.new(), self.new()
        self.goto(head)
        self.open(head)
        if s.form == "until" and s.cond is not None:
            c = self.cond(s.cond)
            if c.const is None or c.const:
                self.branch(c.text if c.const is None else "1", end)
            self.add(ir.If(f"s[{n}] >= {limit.text}", [ir.Line(f"too_long({limit.text})", span=s.span)], []))
        else:
            self.branch(f"s[{n}] >= {limit.text}", end)
        self.put(n, "+=", "1")
        self.looped(Round(s, tuple(slots)), body, head, end, to)

    def flow_Each(self, s: m.Each, to: Targets) -> None:
        head, body, end = self.new(), self.new(), self.new()
        slots: tuple[str, ...]
        if s.numbers is not None:
            at, top = slots = self.slot(), self.slot()
            self.put(at, "=", self.val(s.numbers[0]).text)
            self.put(top, "=", self.val(s.numbers[1]).text)
            self.goto(head)
            self.open(head)
            self.branch(f"s[{at}] > s[{top}]", end)
            self.set_var(s.var, f"s[{at}]")
            self.put(at, "+=", "1")
        elif s.live or s.ties is not None:
            slots = self._each_asking(s, head, end)
        elif s.items is not None or s.keys:
            code = self.slot("list", s.var.type.kind.size if isinstance(s.var.type, m.MemberOf) else 0)
            slots = (code,)
            self.put(code, "=", self.packed_source(s))
            self.goto(head)
            self.open(head)
            self.branch(f"not s[{code}]", end)
            self.set_var(s.var, f"(s[{code}] & 65535) - 2")
            self.put(code, "=", f"s[{code}] >> 16")
        else:
            assert s.source is not None
            rest = self.slot("set", _size(s.source.type))
            slots = (rest,)
            self.put(rest, "=", self.val(s.source).text)
            self.goto(head)
            self.open(head)
            self.branch(f"not s[{rest}]", end)
            self.set_var(s.var, f"(s[{rest}] & -s[{rest}]).bit_length() - 1")
            self.put(rest, "&=", f"s[{rest}] - 1")
        self.looped(Round(s, slots), body, head, end, to)

    def packed_source(self, s: m.Each) -> str:
        """What a loop with items or keys goes through, in order, packed."""
        return f"packed(({', '.join(self.val(i).text for i in s.items)},))" if s.items is not None else f"packed({self.sorted_members(s)})"

    def _each_asking(self, s: m.Each, head: ir.Block, end: ir.Block) -> tuple[str, ...]:
        """live: the set and its order are computed anew before each round, else once. ties: a player picks among equals.
        Gives the slots that count the rounds."""
        assert s.source is not None
        size = _size(s.source.type)
        done = self.slot("set", size)
        self.put(done, "=", "0" if s.live else self.val(s.source).text)
        classes = "" if s.live else self.slot("masks", size)
        if classes:
            self.put(classes, "=", self.classes_of(s, done))
        self.goto(head)
        self.open(head)

        def left() -> str:
            return f"{self.val(s.source).p} & ~s[{done}]" if s.live and s.source is not None else f"s[{done}]"

        rest = self.hold(X(left()))
        self.branch(f"not {rest.text}", end)
        take = self.new()
        among_classes = self.hold(X(f"{self._first_class()}(s[{classes}], {rest.text})")) if classes else None
        first = self.hold(self.first_of(s, rest) if among_classes is None
                          else X(f"({among_classes.text} & -{among_classes.text}).bit_length() - 1"))
        chosen = self.slot("member", size)
        if s.ties is not None and s.key_var is not None:
            from rulekit.compile.picks import ask_member

            key_var = s.key_var
            who = self.slot("member", self.players)
            equal = self.hold(self._equals(s, rest, first)) if among_classes is None else among_classes
            kind = key_var.type
            assert isinstance(kind, m.MemberOf)
            self.env[key_var] = first
            self.put(who, "=", self.val(s.ties).text)
            ask = self.new()
            ties = self.slot("set", size)
            self.put(ties, "=", equal.text)
            self.branch(f"{equal.text} & ({equal.text} - 1)", ask)
            outer = self.out
            self.open(ask)
            among = X(f"s[{ties}]", atom=True)
            ask_member(self, "tie", s.var.name, kind.kind, among, who, "", "", s, lambda o: self.put(chosen, "=", o), take)
            self.out = outer
        self.put(chosen, "=", first.text)
        self.goto(take)
        self.open(take)
        self.set_var(s.var, f"s[{chosen}]")
        self.put(done, "|=" if s.live else "&=", f"1 << s[{chosen}]" if s.live else f"~(1 << s[{chosen}])")
        return done, classes

    def classes_of(self, s: m.Each, done: str) -> str:
        """The classes of those that a slot holds."""
        return self._classes(s, X(f"s[{done}]", atom=True)).text

    def _classes(self, s: m.Each, source: X) -> X:
        """The classes of members with equal keys, in the order of the keys: a list of masks."""
        from rulekit.compile.expr import Expressions
        from rulekit.compile.loops import loop

        assert s.key_var is not None

        def body(inner: Expressions) -> list[str]:
            keys = [f"not {inner.cond(k).p}" if isinstance(k.type, m.Bool) else inner.val(k).text for k in s.keys]
            return [f"k = ({''.join(f'{k}, ' for k in keys)})", "out[k] = out.get(k, 0) | x"]

        return loop(self, source, s.key_var, s.keys, ["out = {}"], body,
                    ["return pack_masks(out[k] for k in sorted(out)) if out else 0"])

    def _first_class(self) -> str:
        """The name of a function (classes, left): those left of the first class of which some are left."""
        return self.unit.helper(["c", "left"], ["w, c = c & 65535, c >> 16", "while c and not c & (1 << w) - 1 & left: c >>= w",
                                                "return c & (1 << w) - 1 & left"], self.span)

    def _equals(self, s: m.Each, rest: X, first: X) -> X:
        """Those of a set whose keys are those of the first."""
        from rulekit.compile.loops import loop

        assert s.key_var is not None
        key_var = s.key_var
        other = m.Var("first", key_var.type)
        self.env[other] = first

        def keys(inner: object, var: m.Var) -> str:
            from rulekit.compile.expr import Expressions

            assert isinstance(inner, Expressions)
            exprs = [substitute(k, {key_var: m.Read(var, type=var.type)}) for k in s.keys]
            return ", ".join(f"not {inner.cond(k).p}" if isinstance(k.type, m.Bool) else inner.val(k).text for k in exprs)

        reads: list[m.Expr] = [*s.keys, m.Read(other, type=other.type)]
        return loop(self, rest, key_var, reads, ["out = 0"],
                    lambda inner: [f"if ({keys(inner, key_var)},) == ({keys(inner, other)},): out |= x"], ["return out"])

    # -------------------------------------------------------------------------------- decisions
    def who_slot(self, who: m.Expr) -> str:
        """The player who decides, in a slot: that of a variable if it is one."""
        if isinstance(who, m.Read) and who.var not in self.env and self.an.value(who) is None and who.var not in self.changing:
            self.read(who.var)
            self.unit.exposed.add(who.var)
            return str(self.unit.lay.vars[who.var])
        x = self.val(who)
        at = self.slot("member", self.players)
        self.put(at, "=", x.text)
        return at

    def flow_Pick(self, s: m.Pick, to: Targets) -> None:
        end = self.new()
        from rulekit.compile.picks import pick

        pick(self, s, to.skip, lambda o: self.set_var(s.var, o), end)
        self.open(end)

    def flow_PickGroup(self, s: m.PickGroup, to: Targets) -> None:
        from rulekit.compile.group import pick_group

        pick_group(self, s, to)

    def flow_Choose(self, s: m.Choose, to: Targets) -> None:
        from rulekit.compile.options import choose

        choose(self, s, to)

    def flow_Window(self, s: m.Window, to: Targets) -> None:
        from rulekit.compile.window import window

        window(self, s, to)

    def flow_Walk(self, s: m.Walk, to: Targets) -> None:
        from rulekit.compile.walk import walk

        walk(self, s, to)

    def flow_Together(self, s: m.Together, to: Targets) -> None:
        from rulekit.compile.picks import together

        together(self, s, to)

    def flow_Roll(self, s: m.Roll, to: Targets) -> None:
        """A roll on which something hangs that asks: it may be rolled again."""
        assert s.event is not None and s.event.wrapper is not None
        redo, before = str(self.unit.lay.redo), self.slot("flag")
        who = self.val(s.who)
        if who.const is None:
            kept = self.slot("member", self.players)
            self.put(kept, "=", who.text)
            who = X(f"s[{kept}]", atom=True)
        head, end = self.new(), self.new()
        self.goto(head)
        self.open(head)
        self.roll(s)
        self.put(before, "=", f"s[{redo}]")
        self.put(redo, "=", "0")
        purpose = self.unit.model.purposes.index(s.purpose)
        self.call_asking(s.event.wrapper, [str(purpose), who.text, self.read(s.var).text])
        again = self.hold(X(f"s[{redo}]"))
        self.put(redo, "=", f"s[{before}]")
        self.branch(f"not {again.text}", end)
        self.add(ir.Log(f"{pg.ROLL_CANCELLED}, {purpose}, {who.text}, {self.read(s.var).text}"))
        self.goto(head)
        self.open(end)
        event_over(self, s.event.wrapper)


__all__ = ["Decision", "Flow", "Lower", "Offer", "Targets", "const"]
