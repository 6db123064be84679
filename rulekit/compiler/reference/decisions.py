"""The statements of the reference interpreter that may ask a player for a decision."""

from __future__ import annotations

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.reference.options import (
    ReferenceDecision,
    ReferenceOption,
    classes_of,
    group_offers,
    legal,
    target_value,
)
from rulekit.compiler.reference.procedures import LEAVE, SKIP, Machine, Play
from rulekit.compiler.semantics import movement
from rulekit.compiler.semantics.values import Env, bits

PASS = ReferenceOption("pass", ())


class Asking(Machine):
    """The machine with all statements."""

    def do_Together(self, statement: m.Together) -> Play:
        p = self.position
        answers: dict[int, list[int]] = {}
        for x in p.members(statement.source):
            p.bind(statement.var, x)
            found = yield from self.sealed(statement, x)
            if found is not None:
                answers[x] = found
        for x, answer in answers.items():
            p.bind(statement.var, x)
            for pick, value in zip(statement.picks, answer, strict=True):
                p.bind(pick.var, value)
            signal = yield from self.block(statement.body)
            if signal == LEAVE:
                return None
            if signal is not None:
                return signal
        return None

    def sealed(self, statement: m.Together, member: int) -> Play:
        """Return the answers of one member, or None if one of the picks has no option."""
        found: list[int] = []
        for pick, cell in zip(statement.picks, statement.answers, strict=True):
            answer = yield from (
                self.answer_to(pick) if isinstance(pick, m.Pick) else self.group_for(pick)
            )
            if answer is None:
                return None
            self.position.write_cell(cell, [member], ":=", answer)
            self.position.bind(pick.var, answer)
            found.append(answer)
        return found

    # ---------------------------------------------------------------------------------------- decis
    def do_Choose(self, statement: m.Choose) -> Play:
        p = self.position
        who = p.value(statement.who)
        if statement.me is not None:
            p.bind(statement.me, who)
        while True:
            offers = [o for option in statement.options for o in legal(p, option, who)]
            if not offers:
                return SKIP
            extra = [
                o
                for option in statement.standing
                if self.in_context(option)
                for o in legal(p, option, who)
            ]
            chosen = yield ReferenceDecision(who, "choose", offers + extra, statement.prompt)
            signal = yield from self.take(chosen, who)
            if chosen not in extra:
                return signal

    def in_context(self, option: m.GuardedOption) -> bool:
        return (
            option.proc is None
            or option.proc.context is None
            or option.proc.context in self.position.stack
        )

    def take(self, offer: ReferenceOption, who: int) -> Play:
        """Take an option: pay its costs, count its limits, and run its body or procedure."""
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
                elif isinstance(clause, m.Limit) and p.holds(clause.counts):
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

    def answer_to(self, statement: m.Pick) -> Play:
        """Return the picked element, -1 for none, or None if there was nothing to pick."""
        p = self.position
        if statement.numbers is not None:
            low, high = self.values(statement.numbers)
            elements = list(range(low, high + 1))
        else:
            assert statement.source is not None
            elements = [
                c[0]
                for c in classes_of(
                    p, p.members(statement.source), statement.alike, statement.key_var
                )
            ]
        if not elements:
            return -1 if statement.or_none else None
        if len(elements) == 1 and not statement.or_none:
            return elements[0]
        offers = [ReferenceOption(statement.var.name, (x,), tag=x) for x in elements]
        if statement.or_none:
            offers.append(ReferenceOption("none", (), tag=-1))
        chosen = yield ReferenceDecision(p.value(statement.who), "pick", offers, statement.prompt)
        return chosen.tag

    def do_Pick(self, statement: m.Pick) -> Play:
        found = yield from self.answer_to(statement)
        if found is None:
            return SKIP
        self.position.bind(statement.var, found)
        return None

    def do_PickGroup(self, statement: m.PickGroup) -> Play:
        found = yield from self.group_for(statement)
        if found is None:
            return SKIP
        self.position.bind(statement.var, found)
        return None

    def group_for(self, statement: m.PickGroup) -> Play:
        """Return the picked group, or None if there was nothing to pick."""
        p = self.position
        members = p.members(statement.source)
        if not members:
            return 0 if statement.or_none else None
        size = len(members)
        high = size if statement.high is None else min(p.value(statement.high), size)
        low = (
            0
            if statement.or_none
            else min(1 if statement.low is None else p.value(statement.low), high)
        )
        who = p.value(statement.who)
        classes = classes_of(p, members, statement.alike, statement.key_var)
        picked: list[int] = []
        while True:
            kept = (
                classes
                if statement.keeps is None
                else self.kept(statement.var, statement.keeps, classes, picked)
            )
            if not any(kept) and not picked and high and not statement.or_none:
                return None
            offers = group_offers(classes, kept, picked, low, high)
            chosen = (
                offers[0]
                if len(offers) == 1
                else (yield ReferenceDecision(who, "group", offers, statement.prompt))
            )
            if chosen.tag is None:
                return sum(1 << x for x in picked)
            picked.append(chosen.tag)

    def kept(
        self, group: m.Var, keeps: m.Guarded, classes: list[list[int]], picked: list[int]
    ) -> list[list[int]]:
        """Return the members of each class that can be added without breaking the `keeps`
        condition.
        """
        p = self.position

        def holds(member: int) -> bool:
            with p.binding({group: sum(1 << y for y in {*picked, member})}):
                return p.holds(keeps.cond)

        return [[x for x in c if holds(x)] for c in classes]

    def do_Window(self, statement: m.Window) -> Play:
        p = self.position
        if statement.moment in self.open_moments:
            return None
        self.open_moments.add(statement.moment)
        before, p.moment = p.moment, statement.moment
        for hook in statement.hooks:
            if hook.proc not in p.stack and p.holds(hook.cond):
                yield from self.call(hook.proc, [])
        asked = [who for who in dict.fromkeys(self.values(statement.asks)) if who >= 0]
        passed = 0
        while passed < len(asked) and not (statement.redo and self.redo):
            who = asked[passed]
            chosen = yield from self.ask_in_window(statement, who)
            if chosen is PASS:
                passed += 1
            else:
                yield from self.take(chosen, who)
                passed = 0
        p.moment = before
        self.open_moments.discard(statement.moment)
        return None

    def ask_in_window(self, statement: m.Window, who: int) -> Play:
        p = self.position
        p.bind(statement.me, who)
        offers: list[ReferenceOption] = []
        possible = False
        for option in statement.options:
            with p.binding({} if option.me is None else {option.me: who}):
                if option.asked is not None and who not in self.values(option.asked):
                    continue
                possible = possible or p.holds(option.possible)
            offers += legal(p, option, who)
        if not possible:
            return PASS
        return (
            yield ReferenceDecision(
                who,
                "window",
                [*offers, PASS],
                self.model.moments.members[statement.moment] if self.model.moments else "",
            )
        )

    # ---------------------------------------------------------------------------------------- walks
    def do_Walk(self, statement: m.Walk) -> Play:
        p, mv = self.position, statement.movement
        args, start, who = (
            self.values(statement.args),
            p.value(statement.start),
            p.value(statement.who),
        )
        if start < 0:
            return None
        if mv.proc in p.stack:
            raise RulesError(f"{mv.name} is walked while it is running", str(statement.span))
        for var in [*mv.proc.params, *mv.proc.vars]:
            p.frames.pop(var, None)
        p.frames.update(zip(mv.proc.params, args, strict=True))
        p.frames.update({mv.start: start, mv.at: start, mv.been: 1 << start, mv.halted: 0})
        p.frames[mv.fuel] = movement.allowance(p, mv, p.bound)
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
            steps = movement.steps(p, mv, p.bound, f[mv.at], f[mv.fuel], f[mv.been])
            offers = [ReferenceOption("to", (step.border, step.to), tag=step) for step in steps]
            if made and movement.may_end(p, mv, p.bound):
                offers.append(ReferenceOption("stop", ()))
            if not offers:
                if made:
                    yield from self.block(mv.stranded)
                return
            chosen = (
                offers[0]
                if len(offers) == 1
                else (yield ReferenceDecision(who, "walk", offers, mv.name))
            )
            if chosen.tag is None:
                return
            made = True
            over = yield from self.walk_step(mv, chosen.tag)
            if over:
                return

    def walk_step(self, mv: m.Movement, step: movement.MovementStep) -> Play:
        """Execute one step of a walk and its `on entry` block. Return True if the walk has
        ended.
        """
        p, f = self.position, self.position.frames
        border, a, z = mv.arcs[step.arc]
        f.update({mv.border_var: border, mv.from_var: a, mv.to_var: z, mv.at: z})
        f.update({mv.fuel: f[mv.fuel] - step.cost, mv.been: f[mv.been] | 1 << z})
        yield from self.block(mv.on_entry)
        if mv.group is not None and mv.place_cell is not None and f[mv.group]:
            f[mv.group] = sum(1 << x for x in bits(f[mv.group]) if p.cells[mv.place_cell][x] == z)
            if not f[mv.group]:
                return True
        if f[mv.halted]:
            if not movement.may_end(p, mv, p.bound):
                yield from self.block(mv.stranded)
            return True
        return movement.must_stop(p, mv, p.bound)
