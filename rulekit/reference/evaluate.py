"""Takes a checked model, makes `Reference`: the game played straight from the model, one plain function per kind of statement.

It is the oracle for the compiled code: slow, without any cleverness, the docstrings of `rulekit.check.model` written out. Procedures are
generators here; they yield a `Decision` and are sent the chosen `Offer`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from rulekit.base.errors import IllegalChoice, RulesError
from rulekit.check import model as m
from rulekit.check import walks
from rulekit.check.derivation import Derivation, explain
from rulekit.check.pure import Env, bits, offset
from rulekit.reference.chance import Chance
from rulekit.reference.offers import Decision, Offer, classes_of, group_offers, keys_of, legal, target_value
from rulekit.reference.position import Position, pooled

Play = Generator[Decision, Offer, Any]
SKIP, LEAVE, RETURN = "skip", "leave", "return"  # how a statement may end: the block is over, the loop is over, the procedure is over
PASS = Offer("pass", ())


class GameOver(Exception):
    """A `finish` was reached."""


class Machine:
    """Runs procedures. `events`: (name, arguments) of all that happened."""

    def __init__(self, model: m.Model, late: Mapping[m.Fixed, Sequence[int]], chance: Chance) -> None:
        self.model = model
        self.position = Position(model, late)
        self.chance = chance
        self.events: list[tuple[str, tuple[Any, ...]]] = []
        self.result: tuple[int, str] | None = None
        self.open_moments: set[int] = set()
        self.redo = False
        self.walking: list[m.Movement] = []
        self.in_whenever: dict[m.Whenever, int] = {}

    # ---------------------------------------------------------------------------------------- procedures
    def game(self) -> Play:
        """The whole game; ends when main does, or at a `finish`."""
        try:
            for proc in (self.model.setup, self.model.main):
                if proc is not None:
                    yield from self.call(proc, [])
        except GameOver:
            return

    def call(self, proc: m.Procedure, args: Sequence[Any]) -> Play:
        """One activation. Gives the value of the procedure's `result`."""
        p = self.position
        frame = [*proc.params, *proc.vars]
        depth = p.stack.count(proc)
        if depth and not proc.reentrant:
            raise RulesError(f"{proc.name} is called while it is running", str(proc.span))
        if depth >= 4:
            raise RulesError(f"{proc.name} runs more than 4 deep", str(proc.span))
        saved = {v: p.frames[v] for v in frame if v in p.frames} if depth else {}
        for var in frame:
            p.frames.pop(var, None)
        p.frames.update(zip(proc.params, args, strict=True))
        p.stack.append(proc)
        yield from self.block(proc.body)
        p.stack.pop()
        self.end_scope(proc)
        value = p.value(m.Read(proc.result, type=proc.result.type)) if proc.result else None
        if depth:
            for var in frame:
                p.frames.pop(var, None)
            p.frames.update(saved)
        return value

    def end_scope(self, proc: m.Procedure) -> None:
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

    # ---------------------------------------------------------------------------------------- plain statements
    def do_SetVar(self, s: m.SetVar) -> Play:
        self.position.write_var(s.var, s.op, self.position.value(s.value))
        return None
        yield

    def do_SetCell(self, s: m.SetCell) -> Play:
        self.changed(s.cell, self.values(s.keys), s.op, self.position.value(s.value), str(s.span))
        return None
        yield

    def changed(self, cell: m.Cell, keys: Sequence[int], op: str, value: int, where: str = "") -> None:
        """An assignment outside of an event: the anonymous event, with what hangs on it."""
        if self.position.write_cell(cell, keys, op, value, where):
            place = offset(cell.keys, keys) or 0
            self.events.append(("changed", (cell.name, *keys, self.position.cells[cell][place])))
            self.watch([cell])

    def do_CallProc(self, s: m.CallProc) -> Play:
        value = yield from self.call(s.proc, self.values(s.args))
        if s.into is not None:
            self.position.bind(s.into, value)
        return None

    def do_CallSlotSteps(self, s: m.CallSlotSteps) -> Play:
        member = self.position.value(s.member)
        proc = s.slot.blocks[member] if member >= 0 else None
        if proc is not None:
            yield from self.call(proc, self.values(s.args))
        return None

    def do_CallEvent(self, s: m.CallEvent) -> Play:
        self.happen(s.event, self.values(s.args))
        return None
        yield

    def do_IfStmt(self, s: m.IfStmt) -> Play:
        signal = yield from self.block(s.then if self.position.holds(s.cond) else s.other)
        return signal

    def do_Leave(self, s: m.Leave) -> Play:
        return LEAVE
        yield

    def do_Return(self, s: m.Return) -> Play:
        return RETURN
        yield

    def do_Finish(self, s: m.Finish) -> Play:
        self.result = (self.position.value(s.who), self.model.levels[s.level])
        raise GameOver
        yield

    def do_Answer(self, s: m.Answer) -> Play:
        if s.what == "redo":
            self.redo = True
        elif self.walking:
            self.position.bind(self.walking[-1].halted, 1)
        return None
        yield

    def do_Check(self, s: m.Check) -> Play:
        self.check(s.invariant)
        return None
        yield

    def check(self, invariant: m.Invariant) -> None:
        if not self.position.holds(invariant.cond):
            raise RulesError(f"the invariant {invariant.name} does not hold", str(invariant.cond.span))

    # ---------------------------------------------------------------------------------------- events
    def happen(self, event: m.Event, args: Sequence[Any]) -> None:
        """Record, body, whenevers."""
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
        """The `whenever` rules that read what was written, in order; each member at most once per event."""
        p = self.position
        for rule in self.model.whenevers:
            if not any(cell in written for cell in rule.reads):
                continue
            done = 0
            while todo := p.value(rule.source) & ~done:
                first = todo & -todo
                done |= first
                saved = {v: p.frames[v] for v in [*rule.proc.params, *rule.proc.vars] if v in p.frames}
                stack, p.stack = p.stack, [x for x in p.stack if x is not rule.proc]
                self.at_once(self.call(rule.proc, [first.bit_length() - 1]))
                p.stack = stack
                p.frames.update(saved)

    @staticmethod
    def at_once(play: Play) -> None:
        """Runs what may not ask."""
        for decision in play:
            raise RulesError(f"a decision ({decision.prompt}) where nothing may be asked")

    # ---------------------------------------------------------------------------------------- loops
    def round_of(self, s: m.Each) -> list[int]:
        """The elements of a loop over a fixed set, in order."""
        p = self.position
        if s.items is not None:
            return self.values(s.items)
        if s.numbers is not None:
            low, high = self.values(s.numbers)
            return list(range(low, high + 1))
        assert s.source is not None
        return sorted(p.members(s.source), key=lambda x: (keys_of(p, x, s.keys, s.key_var), x))

    def do_Each(self, s: m.Each) -> Play:
        left = [] if s.live else self.round_of(s)
        keys = {x: keys_of(self.position, x, s.keys, s.key_var) for x in left} if s.ties is not None else {}
        done: set[int] = set()
        while True:
            if s.live:
                left = [x for x in self.round_of(s) if x not in done]
                if s.ties is not None:
                    keys = {x: keys_of(self.position, x, s.keys, s.key_var) for x in left}
            if not left:
                return None
            x = left[0]
            equals = [y for y in left if keys[y] == keys[x]] if s.ties is not None else [x]
            if len(equals) > 1:
                x = yield from self.break_tie(s, equals)
            left = left[1:] if s.items is not None or s.numbers is not None else [y for y in left if y != x]
            done.add(x)
            self.position.bind(s.var, x)
            signal = yield from self.block(s.body)
            if signal == LEAVE:
                return None
            if signal is not None:
                return signal

    def break_tie(self, s: m.Each, equals: list[int]) -> Play:
        assert s.ties is not None
        p = self.position
        with p.binding({} if s.key_var is None else {s.key_var: equals[0]}):
            who = p.value(s.ties)
        chosen = yield Decision(who, "tie", [Offer(s.var.name, (y,), tag=y) for y in equals])
        return chosen.tag

    def do_Repeat(self, s: m.Repeat) -> Play:
        limit = self.position.value(s.limit)
        rounds = 0
        while True:
            if s.form == "until" and self.position.holds(s.cond):
                return None
            if rounds >= limit:
                if s.form == "until":
                    raise RulesError(f"the loop was not over after {limit} rounds", str(s.span))
                return None
            rounds += 1
            signal = yield from self.block(s.body)
            if signal == LEAVE:
                return None
            if signal is not None:
                return signal

    def do_Together(self, s: m.Together) -> Play:
        p = self.position
        answers: dict[int, int] = {}
        for x in p.members(s.source):
            p.bind(s.var, x)
            found = yield from self.answer_to(s.pick)
            if found is None:
                continue
            answers[x] = found
            p.write_cell(s.answers, [x], ":=", found)
        for x, answer in answers.items():
            p.bind(s.var, x)
            p.bind(s.pick.var, answer)
            signal = yield from self.block(s.body)
            if signal == LEAVE:
                return None
            if signal is not None:
                return signal
        return None

    # ---------------------------------------------------------------------------------------- chance
    def do_Roll(self, s: m.Roll) -> Play:
        p = self.position
        event = next((e for e in self.model.events if e.name == "die_rolled"), None)
        who, purpose = p.value(s.who), self.model.purposes.index(s.purpose)
        while True:
            value = self.chance.roll(s.dice, s.faces)
            p.bind(s.var, value)
            before, self.redo = self.redo, False
            if event is None:
                self.events.append(("die_rolled", (purpose, who, value)))
            elif event.wrapper is None:
                self.happen(event, [purpose, who, value])
            else:
                yield from self.call(event.wrapper, [purpose, who, value])
            again, self.redo = self.redo, before
            if not again:
                return None

    def do_Draw(self, s: m.Draw) -> Play:
        p = self.position
        kind = pooled(s.source.cell)
        for _ in range(min(p.value(s.count), p.content(s.source).bit_count())):
            content = p.content(s.source)
            thing = self.chance.draw(list(bits(content)))
            self.events.append(("drawn", (thing,)))
            p.forget(kind, content)
            p.move_thing(thing, s.target)
        self.watch([s.source.cell, s.target.cell])
        return None
        yield

    def do_Put(self, s: m.Put) -> Play:
        thing = self.position.value(s.what)
        if thing >= 0:
            self.position.move_thing(thing, s.target)
            self.watch([s.target.cell])
        return None
        yield

    def do_Gather(self, s: m.Gather) -> Play:
        for thing in bits(self.position.content(s.source)):
            self.position.move_thing(thing, s.target)
        self.watch([s.source.cell, s.target.cell])
        return None
        yield

    # ---------------------------------------------------------------------------------------- decisions
    def do_Choose(self, s: m.Choose) -> Play:
        p = self.position
        who = p.value(s.who)
        if s.me is not None:
            p.bind(s.me, who)
        while True:
            offers = [o for option in s.options for o in legal(p, option, who)]
            if not offers:
                return SKIP
            extra = [o for option in s.standing if self.in_context(option) for o in legal(p, option, who)]
            chosen = yield Decision(who, "choose", offers + extra, s.prompt)
            signal = yield from self.take(chosen, who)
            if chosen not in extra:
                return signal

    def in_context(self, option: m.Option) -> bool:
        return option.proc is None or option.proc.context is None or option.proc.context in self.position.stack

    def take(self, offer: Offer, who: int) -> Play:
        """Pays, counts, and does what the option says."""
        option = offer.option
        assert option is not None
        p = self.position
        given: Env = dict(offer.bound)
        if option.me is not None:
            given[option.me] = who
        if option.proc is None:
            for var, value in offer.bound.items():
                p.bind(var, value)
        for clause in option.clauses:
            with p.binding(given):
                if isinstance(clause, m.Pays):
                    self.pay(clause)
                elif isinstance(clause, m.Limit):
                    p.write_cell(clause.counter, self.values(clause.keys), "+=", 1)
        if option.proc is None:
            signal = yield from self.block(option.body)
            return signal
        yield from self.call(option.proc, [who, *offer.bound.values()])
        return None

    def pay(self, clause: m.Pays) -> None:
        p = self.position
        amount = p.value(clause.amount)
        if isinstance(clause.target, m.Var):
            p.bind(clause.target, target_value(p, clause.target) - amount)
        else:
            self.changed(clause.target.cell, self.values(clause.target.keys), "-=", amount)

    def answer_to(self, s: m.Pick) -> Play:
        """The element picked; -1: none; None: there was nothing to pick."""
        p = self.position
        if s.numbers is not None:
            low, high = self.values(s.numbers)
            elements = list(range(low, high + 1))
        else:
            assert s.source is not None
            elements = [c[0] for c in classes_of(p, p.members(s.source), s.alike, s.key_var)]
        if not elements:
            return -1 if s.or_none else None
        if len(elements) == 1 and not s.or_none:
            return elements[0]
        offers = [Offer(s.var.name, (x,), tag=x) for x in elements]
        if s.or_none:
            offers.append(Offer("none", (), tag=-1))
        chosen = yield Decision(p.value(s.who), "pick", offers, s.prompt)
        return chosen.tag

    def do_Pick(self, s: m.Pick) -> Play:
        found = yield from self.answer_to(s)
        if found is None:
            return SKIP
        self.position.bind(s.var, found)
        return None

    def do_PickGroup(self, s: m.PickGroup) -> Play:
        p = self.position
        members = p.members(s.source)
        if not members:
            if not s.or_none:
                return SKIP
            p.bind(s.var, 0)
            return None
        size = len(members)
        high = size if s.high is None else min(p.value(s.high), size)
        low = 0 if s.or_none else min(1 if s.low is None else p.value(s.low), high)
        classes = classes_of(p, members, s.alike, s.key_var)
        who = p.value(s.who)
        picked: list[int] = []
        while True:
            offers = group_offers(classes, picked, low, high)
            chosen = offers[0] if len(offers) == 1 else (yield Decision(who, "group", offers, s.prompt))
            if chosen.tag is None:
                p.bind(s.var, sum(1 << x for x in picked))
                return None
            picked.append(chosen.tag)

    def do_Window(self, s: m.Window) -> Play:
        p = self.position
        if s.moment in self.open_moments:
            return None
        self.open_moments.add(s.moment)
        before, p.moment = p.moment, s.moment
        for hook in s.hooks:
            if hook.proc not in p.stack and p.holds(hook.cond):
                yield from self.call(hook.proc, [])
        asked = [who for who in self.values(s.asks) if who >= 0]
        passed = 0
        while passed < len(asked):
            who = asked[passed]
            chosen = yield from self.ask_in_window(s, who)
            if chosen is PASS:
                passed += 1
            else:
                yield from self.take(chosen, who)
                passed = 0
        p.moment = before
        self.open_moments.discard(s.moment)
        return None

    def ask_in_window(self, s: m.Window, who: int) -> Play:
        p = self.position
        p.bind(s.me, who)
        offers: list[Offer] = []
        possible = False
        for option in s.options:
            with p.binding({} if option.me is None else {option.me: who}):
                if option.asked is not None and p.value(option.asked) != who:
                    continue
                possible = possible or p.holds(option.possible)
            offers += legal(p, option, who)
        if not possible:
            return PASS
        return (yield Decision(who, "window", [*offers, PASS], self.model.moments.members[s.moment] if self.model.moments else ""))

    # ---------------------------------------------------------------------------------------- walks
    def do_Walk(self, s: m.Walk) -> Play:
        p, mv = self.position, s.movement
        args, start, who = self.values(s.args), p.value(s.start), p.value(s.who)
        if start < 0:
            return None
        if mv.proc in p.stack:
            raise RulesError(f"{mv.name} is walked while it is running", str(s.span))
        for var in [*mv.proc.params, *mv.proc.vars]:
            p.frames.pop(var, None)
        p.frames.update(zip(mv.proc.params, args, strict=True))
        p.frames.update({mv.start: start, mv.at: start, mv.been: 1 << start, mv.halted: 0})
        p.frames[mv.fuel] = walks.allowance(p, mv, p.bound)
        p.stack.append(mv.proc)
        self.walking.append(mv)
        yield from self.walk(mv, who)
        self.walking.pop()
        p.stack.pop()
        self.end_scope(mv.proc)
        return None

    def walk(self, mv: m.Movement, who: int) -> Play:
        p, f = self.position, self.position.frames
        made = False
        while True:
            steps = walks.steps(p, mv, p.bound, f[mv.at], f[mv.fuel], f[mv.been])
            offers = [Offer("to", (step.border, step.to), tag=step) for step in steps]
            if made and walks.may_end(p, mv, p.bound):
                offers.append(Offer("stop", ()))
            if not offers:
                if made:
                    yield from self.block(mv.stranded)
                return
            chosen = offers[0] if len(offers) == 1 else (yield Decision(who, "walk", offers, mv.name))
            if chosen.tag is None:
                return
            made = True
            over = yield from self.walk_step(mv, chosen.tag)
            if over:
                return

    def walk_step(self, mv: m.Movement, step: walks.Step) -> Play:
        """One step with all that it brings about. Is the walk over?"""
        p, f = self.position, self.position.frames
        border, a, z = mv.arcs[step.arc]
        f.update({mv.border_var: border, mv.from_var: a, mv.to_var: z, mv.fuel: f[mv.fuel] - step.cost, mv.at: z, mv.been: f[mv.been] | 1 << z})
        yield from self.block(mv.on_entry)
        if mv.group is not None and mv.place_cell is not None and f[mv.group]:
            f[mv.group] = sum(1 << x for x in bits(f[mv.group]) if p.cells[mv.place_cell][x] == z)
            if not f[mv.group]:
                return True
        if f[mv.halted]:
            if not walks.may_end(p, mv, p.bound):
                yield from self.block(mv.stranded)
            return True
        return walks.must_stop(p, mv, p.bound)


class Reference:
    """A game in play: `decision`, `apply`, `events`, `result`, `cells`, `explain`."""

    def __init__(self, model: m.Model, scenario: str = "", rulings: Mapping[str, str] | None = None, seed: int = 0,
                 dice: Sequence[int] | None = None) -> None:
        from rulekit.reference.start import late_values, set_up

        self.model = model
        self.machine = Machine(model, late_values(model, scenario, rulings or {}), Chance(seed, dice))
        set_up(self.machine.position, scenario)
        self.decision: Decision | None = None
        self._play = self.machine.game()
        self._resume(None)

    @property
    def events(self) -> list[tuple[str, tuple[Any, ...]]]:
        return self.machine.events

    @property
    def result(self) -> tuple[int, str] | None:
        """(ordinal of the winner or -1, level), or None: not over, or over without a `finish`."""
        return self.machine.result

    @property
    def over(self) -> bool:
        return self.decision is None

    def _resume(self, offer: Offer | None) -> None:
        try:
            self.decision = next(self._play) if offer is None else self._play.send(offer)
        except StopIteration:
            self.decision = None
        for invariant in self.model.invariants:
            if invariant.everywhere:
                self.machine.check(invariant)

    def apply(self, index: int) -> None:
        """Takes the option with this index of the decision."""
        if self.decision is None or not 0 <= index < len(self.decision.offers):
            raise IllegalChoice(f"there is no option {index}")
        self._resume(self.decision.offers[index])

    def cells(self) -> dict[str, list[int]]:
        """All cells that are not machinery, row-major."""
        return {qualified(c): list(v) for c, v in self.machine.position.cells.items() if not c.hidden}

    def explain(self, target: m.Total | m.Permit, args: Sequence[int]) -> Derivation:
        """How a total or permit comes to its value now."""
        p = self.machine.position
        return explain(p, target, list(args), p.bound)


def qualified(cell: m.Cell) -> str:
    return f"{cell.owner.name}.{cell.name}" if cell.owner else cell.name
