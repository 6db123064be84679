"""The base class of the lowering of statements that ask: blocks, frame slots and decisions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulekit.common.i18n.message_format import names as gap_names
from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import ends
from rulekit.compiler.lowering.aggregates import classes
from rulekit.compiler.lowering.control_flow import Flow, LoweredDecision, OptionBlock, Targets
from rulekit.compiler.lowering.statements import Body
from rulekit.compiler.lowering.unit import ONE, const, known, type_of
from rulekit.compiler.lowering.writes import resets


class Blocks(Body):
    """Writes the blocks of one procedure that asks. `out` is the body of the open block."""

    def __init__(self, flow: Flow, proc: m.Procedure) -> None:
        super().__init__(flow.unit)
        self.flow = flow
        self.proc = proc
        self.changing: set[m.Var] = set()  # variables that the options of a decision assign

    # --------------------------------------------------------------------------------------- blocks
    def open(self, block: c.Block) -> None:
        self.out = block.body

    def new(self) -> c.Block:
        return self.flow.block(self.proc)

    def goto(self, block: c.Block) -> None:
        if not ends(self.out):
            self.add(c.Goto(block))

    def begin(self, block: c.Block) -> None:
        """Continue with a block, and open it."""
        self.goto(block)
        self.open(block)

    def branch(self, cond: v.Value, block: c.Block) -> None:
        """Go to a block if a condition holds, else continue."""
        if known(cond):
            self.goto(block)
        elif not isinstance(cond, v.ConstValue):
            self.add(c.IfStatement(cond, (c.Goto(block, span=self.span),)))

    @contextmanager
    def case(self, cond: v.Value, then: c.Block) -> Iterator[None]:
        """Execute the statements added inside only if a condition holds, in a block of their own,
        then go to `then`.
        """
        block = self.new()
        self.branch(cond, block)
        with self.apart(block.body):
            yield
            self.goto(then)

    def slot(self, form: str = "number", size: int = 0, most: int = 0) -> v.SlotValue:
        """Allocate a slot of the frame for the machine itself, for example for the cursor of a
        loop.

        Args:
            form: the content of the slot, as in `SlotInfo`.
            size: the number of members of the kind.
            most: the maximal length of a list. 0 means `size`.
        """
        at = self.unit.lay.note(self.unit.lay.take(0), form, size, self.proc)
        self.unit.lay.frames[self.proc].extra.append(at)
        types: dict[str, v.Type] = {
            "set": v.Mask(size),
            "list": v.Packed(most or size),
            "masks": v.Masks(size),
        }
        return v.SlotValue(at, type=types.get(form, v.NUMBER))

    def stored(
        self, value: v.Value, form: str = "number", size: int = 0, most: int = 0
    ) -> v.SlotValue:
        """Store a value in a new slot, where it survives a decision."""
        slot = self.slot(form, size, most)
        self.put(slot, value)
        return slot

    def decision(
        self,
        kind: str,
        statement: m.Stmt | m.Movement,
        who: v.SlotValue,
        prompt: str = "",
        text: str = "",
    ) -> LoweredDecision:
        """Create a decision of a player, asked by a statement."""
        d = self.flow.decision(kind, self.proc)
        d.asked, d.prompt, d.text, d.ref, d.span = who, prompt, text, statement.ref, statement.span
        if isinstance(statement, (m.Choose, m.Pick, m.PickGroup)):
            self._shown(d, statement.visible)
        return d

    @contextmanager
    def taken(self, decision: LoweredDecision, family: int, then: c.Block) -> Iterator[None]:
        """Execute the statements added inside when an option of a family is chosen, then go to
        `then`.
        """
        block = self.new()
        block.option = True
        decision.offers.append(OptionBlock(family, block))
        self.open(block)
        yield
        self.goto(then)

    def _shown(self, decision: LoweredDecision, visible: dict[str, m.Var]) -> None:
        """Set the names that the texts of a decision may use.

        A variable that such a text names stays in its slot while play waits.
        """
        decision.visible = visible
        lent = [
            x
            for proc in self.unit.lay.procs
            for x in [*proc.params, *proc.vars]
            if x.shared or x in proc.params
        ]
        for text in [
            decision.text,
            *(texts.get(decision.prompt, "") for texts in self.unit.model.texts.values()),
        ]:
            for gap in gap_names(text):
                self.unit.exposed.update(
                    [visible[gap]] if gap in visible else [x for x in lent if x.name == gap]
                )

    @abstractmethod
    def stmts(self, stmts: Sequence[m.Stmt], to: Targets) -> None:
        """Lower statements into the open block. The block that is open afterwards may be
        unreachable.
        """

    def nested(self, stmts: Sequence[m.Stmt], start: c.Block, end: c.Block, to: Targets) -> None:
        """Lower a rule block into blocks of its own, from `start` on, then go to `end`."""
        self.open(start)
        self.stmts(stmts, to)
        self.goto(end)

    def call_asking(
        self, proc: m.Procedure, args: Sequence[v.Value], into: m.Var | None = None
    ) -> None:
        """Call a procedure that may suspend. The block after the call is open afterwards."""
        if not proc.asks:
            self.call(proc, args, into)
            return
        lay = self.unit.lay
        frame, after = lay.frames[proc], self.new()
        held = [self.hold(a) for a in args]
        if proc.reentrant:
            save = c.Effect("save_frame", (), frame=self.unit.index(proc), span=self.span)
            self.add(c.IfStatement(v.SlotValue(frame.returns), (save,)))
        for var, value in zip(proc.params, held, strict=True):
            self.add(c.PutFrame(lay.vars[var], value))
        after.entry = True
        self.put(v.SlotValue(frame.returns), const(after.number))
        self.flow.sites.setdefault(proc, []).append((self.proc, after.number))
        self.goto(self.flow.entry(proc))
        self.open(after)
        if into is not None:
            self.set_var(into, v.SlotValue(lay.redo + 1, type=type_of(into.type)))

    def hook(self, hook: m.Hook, test: v.Value) -> None:
        if not hook.proc.asks:
            super().hook(hook, test)
            return
        after = self.new()
        with self.case(test, after):
            self.call_asking(hook.proc, [])
        self.begin(after)

    def leave_procedure(self) -> None:
        proc, frame = self.proc, self.unit.lay.frames[self.proc]
        resets(self, proc)
        if proc.result is not None:
            self.put(
                v.SlotValue(self.unit.lay.redo + 1, type=type_of(proc.result.type)),
                self.read(proc.result),
            )
        self.add(c.ReturnStatement(frame.returns, self.unit.index(proc) if proc.reentrant else -1))

    # ----------------------------------------------------------------------------- players and sets
    def who_slot(self, who: m.Expr) -> v.SlotValue:
        """Return a slot with the player who decides. If a variable holds the player, it is the slot
        of this variable.
        """
        if (
            isinstance(who, m.Read)
            and who.var not in self.env
            and self.an.value(who) is None
            and who.var not in self.changing
        ):
            self.read(who.var)
            self.unit.exposed.add(who.var)
            return v.SlotValue(self.unit.lay.vars[who.var])
        return self.stored(self.val(who), "member", self.unit.players)

    def next_of(self, var: m.Var, rest: v.SlotValue) -> None:
        """Move the first member of a set into a variable."""
        self.set_var(var, v.Lowest(rest))
        self.put(rest, v.ArithValue("-", rest, ONE), "&=")

    def packed_source(self, statement: m.Each) -> v.Value:
        """Return the elements of a loop with items or keys, in order, as a packed list."""
        if statement.items is not None:
            return v.RunValue(
                "packed",
                (v.Tuple(tuple(self.val(i) for i in statement.items)),),
                v.Packed(len(statement.items)),
            )
        members = self.sorted_members(statement)
        return v.RunValue("packed", (members,), v.typed(members))

    def classes_of(self, statement: m.Each, left: v.SlotValue) -> v.Value:
        """Return the classes with equal keys of the members in a slot, as a list of masks in the
        order of the keys.
        """
        assert statement.key_var is not None
        return classes(self, left, statement.key_var, statement.keys, in_order=True)
