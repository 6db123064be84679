"""Lower procedures that ask to blocks: straight code between the decisions. Also the blocks from
which play can begin in a phase.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import ends
from rulekit.compiler.lowering.blocks import Blocks
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.control_flow import Flow, Targets
from rulekit.compiler.lowering.group_picks import ask_member, picked, together
from rulekit.compiler.lowering.loops import bit_of, loop, sort_keys
from rulekit.compiler.lowering.options import choose
from rulekit.compiler.lowering.unit import ONE, ZERO, change, const
from rulekit.compiler.lowering.walks import walk
from rulekit.compiler.lowering.windows import window
from rulekit.compiler.lowering.writes import event_over
from rulekit.compiler.model.visitor import substitute
from rulekit.runtime.slots import PHASE_BEGUN, ROLL_CANCELLED


class Lower(Blocks):
    """Lowers one procedure that asks. The method for a statement that asks is named `flow_` and its
    class.
    """

    def __init__(self, flow: Flow, proc: m.Procedure) -> None:
        super().__init__(flow, proc)
        self.rounds: list[Round] = []  # the loops that are open

    def procedure(self) -> None:
        """Lower the whole procedure."""
        proc = self.proc
        self.open(self.flow.entry(proc))
        self.span = proc.span
        if proc.word == "phase":
            self.add(
                c.LogStatement(
                    (
                        const(PHASE_BEGUN),
                        const(self.unit.index(proc)),
                        *(self.read(p) for p in proc.params),
                    )
                )
            )
        back = self.new()
        self.stmts(proc.body, Targets(back, back, back))
        self.begin(back)
        self.leave_procedure()

    # ----------------------------------------------------------------------------------- statements
    def stmts(self, stmts: Sequence[m.Stmt], to: Targets) -> None:
        """Lower statements into the open block. The block that is open afterwards may be
        unreachable.
        """
        for s in stmts:
            if ends(self.out):
                return
            self.span = s.span if s.span.line else self.span
            if self.is_plain(s):
                self.plain([s])
            else:
                getattr(self, m.method_for(s.__class__, "flow"))(s, to)

    def is_plain(self, statement: m.Stmt, looped: bool = False) -> bool:
        """Return True if the statement can be straight code: it never waits, returns or finishes,
        and leaves only a loop inside it.
        """
        if isinstance(statement, m.Leave):
            return looped
        if not hasattr(self, m.method_for(statement.__class__, "flow")):
            return True
        if isinstance(statement, m.Roll):
            return (
                statement.event is None
                or statement.event.wrapper is None
                or not statement.event.wrapper.asks
            )
        if isinstance(statement, m.CallProc):
            return not statement.proc.asks
        if isinstance(statement, m.CallSlotSteps):
            return not any(p is not None and p.asks for p in statement.slot.blocks)
        if isinstance(statement, m.IfStmt):
            return all(self.is_plain(x, looped) for x in [*statement.then, *statement.other])
        if isinstance(statement, (m.Each, m.Repeat)):
            return getattr(statement, "ties", None) is None and all(
                self.is_plain(x, True) for x in statement.body
            )
        return False

    def flow_if_stmt(self, statement: m.IfStmt, to: Targets) -> None:
        x = self.cond(statement.cond)
        end = self.new()
        if isinstance(x, v.ConstValue):
            self.stmts(statement.then if x.value else statement.other, to.within(end))
            self.goto(end)
        else:
            then, other = self.new(), self.new()
            self.add(
                c.IfStatement(x, (c.Goto(then, span=self.span),), (c.Goto(other, span=self.span),))
            )
            self.nested(statement.then, then, end, to.within(end))
            self.nested(statement.other, other, end, to.within(end))
        self.open(end)

    def flow_leave(self, statement: m.Leave, to: Targets) -> None:
        self.goto(to.leave)

    def flow_return(self, statement: m.Return, to: Targets) -> None:
        self.goto(to.back)

    def flow_finish(self, statement: m.Finish, to: Targets) -> None:
        self.finish(statement)
        self.add(c.StopStatement())

    def flow_call_proc(self, statement: m.CallProc, to: Targets) -> None:
        self.call_asking(statement.proc, [self.val(a) for a in statement.args], statement.into)
        if statement.proc.asks and statement.proc.word == "phase":
            after = self.flow.sites[statement.proc][-1][1]
            self.flow.seats[after] = seat(self, statement, self.rounds).number

    def flow_call_slot_steps(self, statement: m.CallSlotSteps, to: Targets) -> None:
        end = self.new()
        for test, proc, args in self.steps(statement):
            with self.case(test, end):
                self.call_asking(proc, args)
        self.begin(end)

    # ---------------------------------------------------------------------------------------- loops
    def looped(self, loop: Round, body: c.Block, head: c.Block, end: c.Block, to: Targets) -> None:
        """Lower the rounds of a loop."""
        self.goto(body)
        self.rounds.append(loop)
        self.nested(loop.loop.body, body, head, to.loop(end, head))
        self.rounds.pop()
        self.open(end)

    def flow_repeat(self, statement: m.Repeat, to: Targets) -> None:
        n, limit = self.slot(), self.val(statement.limit)
        if not isinstance(limit, v.ConstValue):
            limit = self.stored(limit)
        self.put(n, ZERO)
        head, body, end = self.new(), self.new(), self.new()
        self.begin(head)
        full = v.CompareValue(">=", n, limit)
        if statement.form == "until" and statement.cond is not None:
            self.branch(self.cond(statement.cond), end)
            self.add(c.IfStatement(full, (c.Fail("too_long", (limit,), span=statement.span),)))
        else:
            self.branch(full, end)
        self.put(n, ONE, "+=")
        self.looped(
            Round(statement, (n, limit) if isinstance(limit, v.SlotValue) else (n,)),
            body,
            head,
            end,
            to,
        )

    def flow_each(self, statement: m.Each, to: Targets) -> None:
        head, body, end = self.new(), self.new(), self.new()
        if statement.live or statement.ties is not None:
            slots = self._each_asking(statement, head, end)
        else:
            slots, over, now, step = self._each_simple(statement)
            self.begin(head)
            self.branch(over, end)
            self.set_var(statement.var, now)
            self.put(slots[0], *step)
        self.looped(Round(statement, slots), body, head, end, to)

    def _each_simple(
        self, statement: m.Each
    ) -> tuple[tuple[v.SlotValue, ...], v.Value, v.Value, tuple[v.Value, str]]:
        """Prepare a loop over a fixed list.

        Returns:
            The slots with the rest of the list, the test that the loop is over, the value of the
            variable, and the update of the first slot.
        """
        if statement.numbers is not None:
            at, top = (self.stored(self.val(x)) for x in statement.numbers)
            return (at, top), v.CompareValue(">", at, top), at, (ONE, "+=")
        if statement.items is not None or statement.keys:
            size = statement.var.type.kind.size if isinstance(statement.var.type, m.MemberOf) else 0
            rest = self.stored(
                self.packed_source(statement), "list", size, len(statement.items or ())
            )
            return (rest,), v.NotValue(rest), v.Head(rest), (v.Tail(rest), "=")
        assert statement.source is not None
        rest = self.stored(self.val(statement.source), "set", m.kind_of(statement.source.type).size)
        return (rest,), v.NotValue(rest), v.Lowest(rest), (v.ArithValue("-", rest, ONE), "&=")

    def _each_asking(
        self, statement: m.Each, head: c.Block, end: c.Block
    ) -> tuple[v.SlotValue, ...]:
        """Prepare a loop that is live or in which a player decides ties, and return the slots that
        count its rounds.

        A live loop computes the set and its order before each round, others only once. With `ties`,
        a player picks among equal members.
        """
        assert statement.source is not None
        size = m.kind_of(statement.source.type).size
        done = self.stored(ZERO if statement.live else self.val(statement.source), "set", size)
        alike = (
            None if statement.live else self.stored(self.classes_of(statement, done), "masks", size)
        )
        self.begin(head)
        rest = self.hold(
            v.Bits("&", self.val(statement.source), v.Complement(done)) if statement.live else done
        )
        self.branch(v.NotValue(rest), end)
        take = self.new()
        among = (
            self.hold(v.RunValue("first_class", (alike, rest), v.Mask(size)))
            if alike is not None
            else None
        )
        first = self.hold(self.first_of(statement, rest) if among is None else v.Lowest(among))
        chosen = self.slot("member", size)
        if statement.ties is not None and statement.key_var is not None:
            equal = self.hold(self._equals(statement, rest, first)) if among is None else among
            self.env[statement.key_var] = first
            who = self.stored(self.val(statement.ties), "member", self.unit.players)
            ties = self.stored(equal, "set", size)
            with self.case(v.More(equal), take):
                ask_member(
                    self,
                    statement,
                    m.kind_of(statement.key_var.type),
                    ties,
                    who,
                    lambda o: self.put(chosen, o),
                    take,
                )
        self.put(chosen, first)
        self.begin(take)
        self.set_var(statement.var, chosen)
        self.put(done, *change(statement.live, v.Bit(chosen, v.Mask(size))))
        return (done,) if alike is None else (done, alike)

    def _equals(self, statement: m.Each, rest: v.Value, first: v.Value) -> v.Value:
        """Return the members of a set that have the same keys as the first one."""
        assert statement.key_var is not None
        key_var = statement.key_var
        other = m.Var("first", key_var.type)
        self.env[other] = first
        out = v.Local("out", bit_of(key_var).type)
        of_other = [substitute(k, {key_var: m.Read(other)}) for k in statement.keys]

        def body(inner: Lowering) -> c.Code:
            same = v.CompareValue(
                "==", v.Tuple(sort_keys(inner, statement.keys)), v.Tuple(sort_keys(inner, of_other))
            )
            return (c.IfStatement(same, (c.Assign(out, bit_of(key_var), "|="),)),)

        reads: list[m.Expr] = [*statement.keys, m.Read(other)]
        return loop(self, rest, key_var, reads, (c.Assign(out, ZERO),), body, (c.Give(out),))

    # ------------------------------------------------------------------------------------ decisions
    def flow_roll(self, statement: m.Roll, to: Targets) -> None:
        """Lower a roll with a wrapper that asks. The roll may be repeated."""
        assert statement.event is not None and statement.event.wrapper is not None
        redo, before = v.SlotValue(self.unit.lay.redo), self.slot("flag")
        who = self.val(statement.who)
        if not isinstance(who, v.ConstValue):
            who = self.stored(who, "member", self.unit.players)
        head, end = self.new(), self.new()
        self.begin(head)
        self.roll(statement)
        self.put(before, redo)
        self.put(redo, ZERO)
        purpose = const(self.unit.model.purposes.index(statement.purpose))
        self.call_asking(statement.event.wrapper, [purpose, who, self.read(statement.var)])
        again = self.hold(redo)
        self.put(redo, before)
        self.branch(v.NotValue(again), end)
        self.add(c.LogStatement((const(ROLL_CANCELLED), purpose, who, self.read(statement.var))))
        self.goto(head)
        self.open(end)
        event_over(self, statement.event.wrapper)

    flow_choose, flow_together, flow_walk, flow_window = choose, together, walk, window
    flow_pick = flow_pick_group = picked


@frozen
class Round:
    """A loop that is open: its statement, and the slots of the machine that count its rounds."""

    loop: m.Each | m.Repeat
    slots: tuple[v.SlotValue, ...]


def seat(low: Blocks, call: m.CallProc, rounds: list[Round]) -> c.Block:
    """Return the block from which play can begin in a phase, as if its caller were running. No jump
    leads to this block.

    The variables of the caller receive the values of the phase's parameters. Each enclosing loop
    stands in the round of its variable, so that play continues with the next rounds after the
    phase. Other values that the caller computed earlier are unknown.
    """
    block = low.new()
    block.entry = True
    with low.apart(block.body):
        for param, given in zip(call.proc.params, call.args, strict=True):
            arg = given.value if isinstance(given, m.InRange) else given
            if isinstance(arg, m.Read) and arg.var in low.unit.lay.vars:
                low.set_var(arg.var, low.read(param))
        for each in rounds:
            _stand(low, each)
        low.add(c.StopStatement())
    return block


def _stand(low: Blocks, each: Round) -> None:
    """Put a loop into the round of its variable. A `repeat` is put into its first round."""
    loop, slots = each.loop, each.slots
    if isinstance(loop, m.Repeat):
        low.put(slots[0], ONE)
        if len(slots) > 1:
            low.put(slots[1], low.val(loop.limit))
        return
    now, rest = low.read(loop.var), slots[0]
    if loop.numbers is not None:
        low.put(rest, v.ArithValue("+", now, ONE))
        low.put(slots[1], low.val(loop.numbers[1]))
    elif loop.live:
        low.put(rest, v.Bit(now, rest.type))
    elif loop.ties is not None and loop.source is not None:
        low.put(rest, low.val(loop.source))
        low.put(slots[1], low.classes_of(loop, rest))
        low.put(rest, v.Complement(v.Bit(now, rest.type)), "&=")
    elif loop.items is not None or loop.keys:
        source = low.packed_source(loop)
        low.put(rest, v.RunValue("packed_after", (source, now), v.typed(source)))
    elif loop.source is not None:
        low.put(rest, v.Bits("&", low.val(loop.source), v.From(now, 1)))
