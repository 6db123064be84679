"""`Machine`: runs procedures, with one plain function for each kind of statement.

Procedures are generators here. They yield a `ReferenceDecision` and are sent the chosen
`ReferenceOption`. The statements that ask a player are in `decisions`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import nodes
from rulekit.compiler.reference.chance import ReferenceChance
from rulekit.compiler.reference.options import ReferenceDecision, ReferenceOption, keys_of
from rulekit.compiler.reference.store import ReferencePosition, pooled
from rulekit.compiler.semantics.values import bits, offset
from rulekit.runtime.slots import MAX_ACTIVATIONS

Play = Generator[ReferenceDecision, ReferenceOption, Any]
SKIP, LEAVE, RETURN = (
    "skip",
    "leave",
    "return",
)  # how a statement may end: the block is over, the loop is over, the procedure is over


class GameOver(Exception):
    """Raised when a `finish` is reached."""


class Machine:
    """Runs procedures. `events` lists (name, arguments) of everything that happened."""

    def __init__(
        self, model: m.Model, late: Mapping[m.Fixed, Sequence[int]], chance: ReferenceChance
    ) -> None:
        self.model = model
        self.position = ReferencePosition(model, late)
        self.chance = chance
        self.events: list[tuple[str, tuple[Any, ...]]] = []
        self.result: tuple[int, str] | None = None
        self.open_moments: set[int] = set()
        self.redo = False
        self.walking: list[m.Movement] = []
        self.in_whenever: dict[m.Whenever, int] = {}

    # ---------------------------------------------------------------------------------------- proce
    def game(self) -> Play:
        """Run the whole game, until main returns or a `finish` is reached."""
        try:
            for proc in (self.model.setup, self.model.main):
                if proc is not None:
                    yield from self.call(proc, [])
        except GameOver:
            return

    def call(self, proc: m.Procedure, args: Sequence[Any]) -> Play:
        """Run one activation of a procedure and return the value of its `result`."""
        p = self.position
        frame = [*proc.params, *proc.vars]
        depth = p.stack.count(proc)
        if depth and not proc.reentrant:
            raise RulesError(f"{proc.name} is called while it is running", str(proc.span))
        if (
            depth >= MAX_ACTIVATIONS and proc.asks
        ):  # one that asks has a place for each of its activations
            raise RulesError(f"{proc.name} runs more than {MAX_ACTIVATIONS} deep", str(proc.span))
        saved = {v: p.frames[v] for v in frame if v in p.frames} if depth else {}
        for var in frame:
            p.frames.pop(var, None)
        p.frames.update(zip(proc.params, args, strict=True))
        p.stack.append(proc)
        yield from self.block(proc.body)
        p.stack.pop()
        if (
            self.model.rolled is None or proc is not self.model.rolled.wrapper
        ):  # that ends with its last roll
            self.end_scope(proc)
        value = p.value(m.Read(proc.result)) if proc.result else None
        if depth:
            for var in frame:
                p.frames.pop(var, None)
            p.frames.update(saved)
        return value

    def end_scope(self, proc: m.Procedure) -> None:
        if proc.word == "event" and any(
            w.moment in self.open_moments for w in nodes(proc.body) if isinstance(w, m.Window)
        ):
            return  # it was made inside a window of another one of its name: that one is not over
        ended = False
        for cell in self.model.cells:
            for scope, mask in cell.resets:
                if scope is proc:
                    ended = True
                    self.reset(cell, mask)
        if ended:
            self.events.append(("scope_ended", (proc.name,)))

    def reset(self, cell: m.Cell, mask: int | None) -> None:
        values = self.position.cells[cell]
        self.position.memo.clear()
        rest = len(values) // cell.keys[0].size if cell.keys else 1
        for i in range(len(values)):
            if mask is None or mask >> (i // rest) & 1:
                values[i] = cell.initial

    def block(self, stmts: m.Block) -> Play:
        for stmt in stmts:
            signal = yield from self.step(stmt)
            if signal == SKIP:
                return None
            if signal is not None:
                return signal
        return None

    def step(self, stmt: m.Stmt) -> Play:
        method = getattr(self, "do_" + type(stmt).__name__)
        signal = yield from method(stmt)
        return signal

    def values(self, exprs: Sequence[m.Expr]) -> list[Any]:
        return [self.position.value(e) for e in exprs]

    # ---------------------------------------------------------------------------------------- plain
    def do_SetVar(self, statement: m.SetVar) -> Play:
        self.position.write_var(statement.var, statement.op, self.position.value(statement.value))
        return None
        yield

    def do_SetCell(self, statement: m.SetCell) -> Play:
        self.changed(
            statement.cell,
            self.values(statement.keys),
            statement.op,
            self.position.value(statement.value),
            str(statement.span),
        )
        return None
        yield

    def changed(
        self, cell: m.Cell, keys: Sequence[int], op: str, value: int, where: str = ""
    ) -> None:
        """Assign a cell outside an event, as the anonymous event `changed`, and run the `whenever`
        rules that depend on it.
        """
        if self.position.write_cell(cell, keys, op, value, where):
            place = offset(cell.keys, keys) or 0
            self.events.append(("changed", (cell.name, *keys, self.position.cells[cell][place])))
            self.watch([cell])

    def do_CallProc(self, statement: m.CallProc) -> Play:
        value = yield from self.call(statement.proc, self.values(statement.args))
        if statement.into is not None:
            self.position.bind(statement.into, value)
        return None

    def do_CallSlotSteps(self, statement: m.CallSlotSteps) -> Play:
        member = self.position.value(statement.member)
        proc = statement.slot.blocks[member] if member >= 0 else None
        if proc is not None:
            yield from self.call(proc, self.values(statement.args))
        return None

    def do_CallEvent(self, statement: m.CallEvent) -> Play:
        self.happen(statement.event, self.values(statement.args))
        return None
        yield

    def do_IfStmt(self, statement: m.IfStmt) -> Play:
        signal = yield from self.block(
            statement.then if self.position.holds(statement.cond) else statement.other
        )
        return signal

    def do_Leave(self, statement: m.Leave) -> Play:
        return LEAVE
        yield

    def do_Return(self, statement: m.Return) -> Play:
        return RETURN
        yield

    def do_Finish(self, statement: m.Finish) -> Play:
        self.result = (self.position.value(statement.who), self.model.levels[statement.level])
        raise GameOver
        yield

    def do_Answer(self, statement: m.Answer) -> Play:
        if statement.what == "redo":
            self.redo = True
        elif self.walking:
            self.position.bind(self.walking[-1].halted, 1)
        return None
        yield

    def do_Check(self, statement: m.Check) -> Play:
        self.check(statement.invariant)
        return None
        yield

    def check(self, invariant: m.Invariant) -> None:
        if not self.position.holds(invariant.cond):
            raise RulesError(
                f"the invariant {invariant.name} does not hold", str(invariant.cond.span)
            )

    # ---------------------------------------------------------------------------------------- event
    def happen(self, event: m.EventDeclaration, args: Sequence[Any]) -> None:
        """Make an event happen: its record, its body, then the `whenever` rules."""
        p = self.position
        self.events.append((event.name, tuple(args)))
        with p.binding(dict(zip(event.params, args, strict=True))):
            for shown in event.reveals:
                self.reveal(shown)
            self.event_body(event.body)
        self.watch(event.writes)

    def reveal(self, shown: m.Expr) -> None:
        value = self.position.value(shown)
        if isinstance(shown.type, m.SetOf):
            kind, things = shown.type.kind, value
        elif isinstance(shown.type, m.MemberOf):
            kind, things = shown.type.kind, 1 << value if value >= 0 else 0
        else:
            return
        self.position.known[kind] = self.position.known.get(kind, 0) | things

    def event_body(self, stmts: m.Block) -> None:
        p = self.position
        for s in stmts:
            if isinstance(s, m.SetCell):
                p.write_cell(s.cell, self.values(s.keys), s.op, p.value(s.value), str(s.span))
            elif isinstance(s, m.SetVar):
                p.write_var(s.var, s.op, p.value(s.value))
            elif isinstance(s, m.IfStmt):
                self.event_body(s.then if p.holds(s.cond) else s.other)
            elif isinstance(s, m.Each):
                for x in self.round_of(s):
                    p.bind(s.var, x)
                    self.event_body(s.body)

    def watch(self, written: Sequence[m.Cell]) -> None:
        """Run the `whenever` rules that read one of the written cells, in order. Each member runs
        at most once for each event.
        """
        p = self.position
        for rule in self.model.whenevers:
            if not any(cell in written for cell in rule.reads):
                continue
            done = 0
            while todo := p.value(rule.source) & ~done:
                first = todo & -todo
                done |= first
                self.at_once(self.call(rule.proc, [first.bit_length() - 1]))

    @staticmethod
    def at_once(play: Play) -> None:
        """Run a procedure that must not ask for a decision."""
        for decision in play:
            raise RulesError(f"a decision ({decision.prompt}) where nothing may be asked")

    # ---------------------------------------------------------------------------------------- loops
    def round_of(self, statement: m.Each) -> list[int]:
        """Return the elements of a loop over a fixed set, in order."""
        p = self.position
        if statement.items is not None:
            return self.values(statement.items)
        if statement.numbers is not None:
            low, high = self.values(statement.numbers)
            return list(range(low, high + 1))
        assert statement.source is not None
        return sorted(
            p.members(statement.source),
            key=lambda x: (keys_of(p, x, statement.keys, statement.key_var), x),
        )

    def do_Each(self, statement: m.Each) -> Play:
        left = [] if statement.live else self.round_of(statement)
        keys = (
            {x: keys_of(self.position, x, statement.keys, statement.key_var) for x in left}
            if statement.ties is not None
            else {}
        )
        done: set[int] = set()
        while True:
            if statement.live:
                left = [x for x in self.round_of(statement) if x not in done]
                if statement.ties is not None:
                    keys = {
                        x: keys_of(self.position, x, statement.keys, statement.key_var)
                        for x in left
                    }
            if not left:
                return None
            x = left[0]
            equals = [y for y in left if keys[y] == keys[x]] if statement.ties is not None else [x]
            if len(equals) > 1:
                x = yield from self.break_tie(statement, equals)
            left = (
                left[1:]
                if statement.items is not None or statement.numbers is not None
                else [y for y in left if y != x]
            )
            done.add(x)
            self.position.bind(statement.var, x)
            signal = yield from self.block(statement.body)
            if signal == LEAVE:
                return None
            if signal is not None:
                return signal

    def break_tie(self, statement: m.Each, equals: list[int]) -> Play:
        assert statement.ties is not None
        p = self.position
        with p.binding({} if statement.key_var is None else {statement.key_var: equals[0]}):
            who = p.value(statement.ties)
        chosen = yield ReferenceDecision(
            who, "tie", [ReferenceOption(statement.var.name, (y,), tag=y) for y in equals]
        )
        return chosen.tag

    def do_Repeat(self, statement: m.Repeat) -> Play:
        limit = self.position.value(statement.limit)
        rounds = 0
        while True:
            if statement.form == "until" and self.position.holds(statement.cond):
                return None
            if rounds >= limit:
                if statement.form == "until":
                    raise RulesError(
                        f"the loop was not over after {limit} rounds", str(statement.span)
                    )
                return None
            rounds += 1
            signal = yield from self.block(statement.body)
            if signal == LEAVE:
                return None
            if signal is not None:
                return signal

    # ---------------------------------------------------------------------------------------- chanc
    def do_Roll(self, statement: m.Roll) -> Play:
        p = self.position
        wrapper = statement.event.wrapper if statement.event is not None else None
        who, purpose = p.value(statement.who), self.model.purposes.index(statement.purpose)
        before = self.redo
        while True:
            value = self.chance.roll(statement.dice, statement.faces)
            p.bind(statement.var, value)
            if wrapper is None:
                self.events.append(("die_rolled", (purpose, who, value)))
                return None
            self.redo = False
            yield from self.call(wrapper, [purpose, who, value])
            if not self.redo:
                break
            self.events.append(("roll_cancelled", (purpose, who, value)))
        self.redo = before
        self.end_scope(wrapper)
        return None

    def do_Draw(self, statement: m.Draw) -> Play:
        p = self.position
        kind = pooled(statement.source.cell)
        count, content = p.value(statement.count), p.content(statement.source)
        p.pool_place(statement.target)
        for _ in range(min(count, content.bit_count())):
            content = p.content(statement.source)
            thing = self.chance.draw(list(bits(content)))
            self.events.append(("drawn", (thing,)))
            p.forget(kind, content)
            p.move_thing(thing, statement.target)
        self.watch([statement.source.cell, statement.target.cell])
        return None
        yield

    def do_PutMember(self, statement: m.PutMember) -> Play:
        thing = self.position.value(statement.what)
        self.position.pool_place(statement.target)
        if thing >= 0:
            self.position.move_thing(thing, statement.target)
            self.watch(self.model.pools_of(statement.target.cell))
        return None
        yield

    def do_Gather(self, statement: m.Gather) -> Play:
        things = bits(self.position.content(statement.source))
        self.position.pool_place(statement.target)
        for thing in things:
            self.position.move_thing(thing, statement.target)
        self.watch([statement.source.cell, statement.target.cell])
        return None
        yield


def qualified(cell: m.Cell) -> str:
    return f"{cell.owner.name}.{cell.name}" if cell.owner else cell.name
