"""Find the places of a checked model where hidden information becomes visible.

There are four sorts:

- a branch on a secret that leads to something public.
- a public value that is computed from a secret.
- an option that is offered under a condition that its player may not know.
- a total that reads a secret and that a player may ask for.

Information is followed through expressions (`Secrets`), variables, parameters and branches. A value
that a rule has made public (`Publishing`) is no longer secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from attrs import define, evolve, field

from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.call_graph import bodies, called
from rulekit.compiler.check.lints.certain_picks import Always
from rulekit.compiler.check.secrecy.disclosures import (
    NO_FACTS,
    Publishing,
    among,
    both,
    callee,
    every,
    in_terms_of,
    stated,
)
from rulekit.compiler.check.secrecy.facts import (
    Term,
    bindings,
    element_facts,
    equal,
    facts_of,
    fill,
    in_place,
    term,
)
from rulekit.compiler.check.secrecy.hidden_destinations import Destined
from rulekit.compiler.check.secrecy.invalidation import Facts, Undoing, is_local
from rulekit.compiler.check.secrecy.prompts import Prompts
from rulekit.compiler.check.secrecy.reports import (
    ASKED,
    NAME,
    AnalysedPart,
    Paths,
    SecretBranch,
    TaintAnalysis,
    is_observable,
    may_skip,
    named,
)
from rulekit.compiler.check.secrecy.taint import Secret, SizeOf, is_secret
from rulekit.compiler.check.secrecy.worklist import RecordedDict
from rulekit.compiler.model.visitor import nodes, read

# procedures that a player chooses, so that they may use the player's own secrets
OWN = ("action", "reaction", "standing", "slot")
MAX_FLOW_ROUNDS = (
    40  # the largest number of rounds. Each adds to the taint and the facts of procedures
)
# branches that may have left statements early, with the part that is then left out: the rest of the
# block (skip), of the loop (leave) or of the procedure (return)
Escapes = tuple[tuple[str, SecretBranch], ...]


@define(eq=False)
class Leaks(TaintAnalysis):
    """The information flow through one game."""

    bodies: dict[m.Procedure, list[m.Block]] = field(init=False)
    publishing: Publishing = field(init=False)
    undoing: Undoing = field(init=False)
    prompts: Prompts = field(init=False)
    always: Always = field(init=False)
    entry: RecordedDict[m.Procedure, Facts] = field(
        init=False
    )  # the facts at all calls of a procedure
    gives: RecordedDict[m.Procedure, Facts] = field(
        init=False
    )  # the facts that it establishes at its end
    _reached: set[m.Procedure] = field(init=False)
    _observable_places: dict[m.Procedure, Span | None] = field(factory=dict)
    _proc: m.Procedure | None = None  # the procedure that is analysed
    _returns: list[Facts] = field(factory=list)  # the facts at each early return from it
    _leaves: list[Facts] = field(factory=list)  # the facts at each early exit from the loop

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        model = self.world.model
        self.entry, self.gives = RecordedDict(self.notes), RecordedDict(self.notes)
        self.bodies = {proc: list(body) for proc, body in bodies(self.world).items()}  # type: ignore[arg-type]
        self.publishing = Publishing(model, self.bodies)
        self.undoing = self.publishing.undoing
        self.destined = Destined.of(model, self.secrets, self.masked, self.bodies.values())
        self.prompts = Prompts(model, self.bodies)
        self.always = Always(self.bodies)
        self._reached = {
            proc
            for body in self.bodies.values()
            for node in nodes(body)
            for proc, _ in called(node)
        }

    def follow(self) -> None:
        """Analyse all parts in rounds until a fixed point is reached."""
        for _ in range(MAX_FLOW_ROUNDS):
            if not self.round():
                break
        self.found = {}
        for part in self.parts.values():
            for span, finding in part.found.items():
                self.found.setdefault(span, finding)

    def round(self) -> bool:
        """Analyse every part whose inputs have changed. Return True if there was one."""
        model = self.world.model
        gone = [
            self._through(whenever, partial(self._watching, whenever))
            for whenever in model.whenevers
        ]
        gone += [self._through(event, partial(self._event_body, event)) for event in model.events]
        for proc, body in self.bodies.items():
            if (
                proc not in self._reached or proc in self.entry
            ):  # otherwise no analysed part calls it so far
                gone.append(self._through(proc, partial(self._procedure, proc, body)))
        calls: dict[m.Procedure, Facts] = {}
        for part in self.parts.values():
            for proc, facts in part.calls.items():
                calls[proc] = calls[proc] & facts if proc in calls else facts
        for proc, facts in calls.items():
            self.entry[proc] = facts
        return any(gone)

    def _through(self, what: object, go: Callable[[], None]) -> bool:
        """Analyse one part, unless its inputs are the same as the last time."""
        before = self.parts.get(what)
        if before is not None and not self.notes.changed(before.read, before.begun):
            return False
        part = self.parts[what] = self._part = AnalysedPart(self.notes.now)
        self.notes.read, self.found = part.read, part.found
        go()
        self.notes.read = set()
        return True

    def _procedure(self, proc: m.Procedure, body: Sequence[m.Block]) -> None:
        if proc.word in OWN and self.world.model.sides is not None:
            sides = [
                p
                for p in proc.params
                if isinstance(p.type, m.MemberOf) and p.type.kind is self.world.model.sides
            ]
            self.me = [("var", id(p)) for p in sides[:1]]
        self._proc, self._returns = proc, []
        ends = [self.block(stmts, self.entry.find(proc, NO_FACTS), ())[0] for stmts in body]
        own = {id(v) for v in (*proc.params, *proc.vars)}
        facts = ends[0] if ends else None
        for left in self._returns:
            facts = both(facts, left)
        facts = self.undoing.over(facts or NO_FACTS, proc)
        self.gives[proc] = frozenset(
            f for f in facts if f is not None and f[0] != "stated" and not is_local(f, own, proc)
        )
        self.me, self._proc = [], None

    def _watching(self, whenever: m.Whenever) -> None:
        branch = self.branch(whenever.source.span, self.secrets.size(whenever.source), NO_FACTS)
        element = m.Read(whenever.var)
        facts = self.publishing.useful(element_facts(whenever.source, term(element)))
        self.block([m.CallProc(whenever.proc, [element], span=whenever.proc.span)], facts, branch)

    def _event_body(self, event: m.EventDeclaration) -> None:
        facts = NO_FACTS
        for shown in event.reveals:
            facts |= self.publishing.thing(shown, self.secrets.of(shown))
        self.block(event.body, facts, ())

    def _facts(self, cond: m.Expr | None, holds: bool = True) -> Facts:
        return self.publishing.useful(facts_of(cond, holds))

    def _asked(self, stmt: m.Choose | m.Pick | m.PickGroup | m.Window, facts: Facts) -> None:
        """Analyse a decision.

        Everybody sees who decides and reads the text, in which hidden things are masked.
        """
        for who in stmt.asks if isinstance(stmt, m.Window) else [stmt.who]:
            self.public_value(who, facts)
        for var in self.prompts.read(stmt, self._proc) if self._proc is not None else ():
            secrets = self.unknown_secrets(frozenset({var}), facts) if not self.lies(var) else None
            if secrets:
                self.mask(var, secrets, {})
                message = (
                    f"this question names '{var.name}', which depends on {named(secrets)}, which "
                    "not all players may see"
                )
                self.report("RK518", stmt.span, message, NAME)

    def asked_for(self, total: m.Total | m.Permit) -> None:
        """Report a total or permit that depends on secrets.

        A player may ask for it while its context runs. In play, the secrets are then masked.
        """
        for clause in total.clauses:
            holders = [
                h[1] for h in (clause.holder, *(c.holder for c in clause.cancels)) if h is not None
            ]
            for e in (clause.amount, clause.cond, *(c.cond for c in clause.cancels), *holders):
                facts = self._during(total.context) if total.context is not None else NO_FACTS
                facts |= facts_of(clause.cond) if e is not clause.cond else NO_FACTS
                secrets = [s for s in self.secrets.of(e, facts) if isinstance(s, Secret)]
                if e is not None and secrets:
                    what = f"'{total.name}' depends on {named(secrets)}"
                    self.report(
                        "RK517",
                        e.span,
                        f"{what}, which not all players may see, but any player may ask for its "
                        "value",
                        ASKED,
                    )
                    return

    def _during(self, proc: m.Procedure) -> Facts:
        """Return the facts that hold as long as a procedure runs."""
        return self.undoing.undone(self.entry.find(proc, NO_FACTS), self.undoing.writes(proc))

    # ---------------------------------------------------------------- statements
    def block(self, stmts: m.Block, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        """Analyse some statements.

        Returns:
            The facts after them, and the branches that may have left them. The facts are None if
            the statements do not continue.
        """
        now: Facts | None = facts
        escapes: Escapes = ()
        skipped: list[tuple[m.Stmt, Facts]] = []
        for stmt in stmts:
            if now is None:
                break
            if may_skip(stmt):
                skipped.append((stmt, now))
            now, out = self.stmt(stmt, now, paths)
            paths += tuple(branch for _, branch in out if branch not in paths)
            escapes += out
        for stmt, left in skipped:
            short = both(now, left)
            now = now if short != now and self.always.finds(stmt, self._proc) else short
        return now, tuple((how, branch) for how, branch in escapes if how != "skip")

    def stmt(self, stmt: m.Stmt, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        """Analyse one statement. The result is the same as that of `block`."""
        if isinstance(stmt, m.Leave | m.Return):
            how, exits = (
                ("leave", self._leaves) if isinstance(stmt, m.Leave) else ("return", self._returns)
            )
            exits.append(facts)
            return None, tuple((how, branch) for branch in paths)
        if isinstance(stmt, m.SetVar):
            self.learn(stmt.var, self.value(stmt.value, facts), self.size(stmt.value, facts), paths)
            if stmt.var.shared or stmt.var in self.world.model.shown_vars:
                self._shared(stmt, facts, paths)
            return self.undoing.without(facts, {id(stmt.var)}), ()
        elif isinstance(stmt, m.IfStmt):
            return self._if(stmt, facts, paths)
        elif isinstance(stmt, m.Each):
            return self._each(stmt, facts, paths)
        elif isinstance(stmt, m.Repeat):
            return self._repeat(stmt, facts, paths)
        elif isinstance(stmt, m.Pick | m.PickGroup):
            return self._pick(stmt, facts, paths)
        elif isinstance(stmt, m.Together):
            self.learn(stmt.var, self.value(stmt.source, facts), frozenset(), paths)
            self.notice(
                stmt.span,
                facts,
                self.branch(stmt.source.span, self.secrets.of(stmt.source, facts), facts),
            )
            after = self._sealed(stmt, facts, paths)
            kept, _, left, out = self._loop(stmt.body, after, paths)
            return kept.intersection(*left), out
        elif isinstance(stmt, m.Choose):
            return self._choose(stmt, facts, paths)
        elif isinstance(stmt, m.Window):
            return self._window(stmt, facts, paths), ()
        return self._act(stmt, facts, paths), ()

    def _act(self, stmt: m.Stmt, facts: Facts, paths: Paths) -> Facts | None:
        """Analyse a statement without blocks of its own."""
        undoing = self.undoing
        if isinstance(stmt, m.SetCell | m.CallEvent):
            after = (
                self._set(stmt, facts, paths)
                if isinstance(stmt, m.SetCell)
                else self._event(stmt, facts, paths)
            )
            return undoing.set_off(after, stmt)
        if isinstance(stmt, m.CallProc):
            return self._called(stmt, facts, paths)
        if isinstance(stmt, m.PutMember | m.Draw | m.Gather):
            return undoing.set_off(self._moved(stmt, facts, paths), stmt)
        self.notice(stmt.span, facts, paths)
        if isinstance(stmt, m.Finish | m.Walk | m.Roll):
            self.public_value(stmt.who, facts)
        if isinstance(stmt, m.Finish):
            return None
        if isinstance(stmt, m.Walk):
            return self._walk(stmt, facts)
        if isinstance(stmt, m.CallSlotSteps):  # the steps reveal their member
            self.notice(
                stmt.span,
                facts,
                self.branch(stmt.member.span, self.secrets.of(stmt.member, facts), facts),
            )
        for proc, _ in called(stmt):
            args = stmt.args if isinstance(stmt, m.CallSlotSteps) else []
            self._call(proc, args, facts)
            facts = undoing.undone(facts, undoing.writes(proc))
        return undoing.without(facts, {id(stmt.var)}) if isinstance(stmt, m.Roll) else facts

    def _walk(self, stmt: m.Walk, facts: Facts) -> Facts:
        movement = stmt.movement
        there = in_terms_of(facts, movement.proc.params, stmt.args)
        for guard in (*movement.may, *movement.stop, *movement.end):
            self.offered(guard.cond, [term(stmt.who)], there)
        for number in (movement.cost, movement.allowance):
            if number is not None:
                self.offered(number, [term(stmt.who)], there)
        for place in (movement.at, movement.from_var, movement.to_var, movement.border_var):
            self.learn(place, self.value(stmt.start, facts), frozenset(), ())
        self._call(movement.proc, stmt.args, facts)
        return self.undoing.undone(facts, self.undoing.writes(movement.proc))

    def _set(self, stmt: m.SetCell, facts: Facts, paths: Paths) -> Facts:
        if not stmt.cell.hidden and (not is_secret(stmt.cell.seen)):
            self.notice(stmt.span, facts, paths)
            facts |= self.publishing.value(stmt.value)
            if (
                not isinstance(stmt.value.type, m.MemberOf | m.SetOf)
                or stmt.value.type.kind.identity is None
            ):
                self.public_value(stmt.value, facts)
            for key in stmt.keys:
                self.public_value(key, facts)
        return self.publishing.written(stmt, facts, {})

    def _shared(self, stmt: m.SetVar, facts: Facts, paths: Paths) -> None:
        """Analyse the assignment to a field. Fields are public."""
        by_path = [
            s for branch in paths if not branch.asks for s in branch.secrets if not s.is_open(facts)
        ]
        self.shown(stmt.var, stmt.value, facts, more=by_path)

    def _event(self, stmt: m.CallEvent, facts: Facts, paths: Paths) -> Facts:
        args = dict(zip(map(id, stmt.event.params), stmt.args, strict=False))
        terms = bindings(stmt.event.params, stmt.args)
        for shown in stmt.event.reveals:
            given = args.get(id(shown.var), shown) if isinstance(shown, m.Read) else shown
            facts |= {fill(fact, terms) for fact in self._shown(given, facts, paths)} - {None}
        self.notice(stmt.span, facts, paths)
        names = callee(stmt.event.params, stmt.args)
        if self._proc is not None and self._proc.word == "event":
            # arguments that are the values of secret cells are public from here on
            facts |= {stated(param) for param in self._proc.params}
        for param, arg in zip(stmt.event.params, stmt.args, strict=False):
            facts |= self.publishing.value(arg)
            # the event reveals the size of a set
            self.learn(param, self.value(arg, facts), frozenset(), ())
            # the secrets that the event writes, whoever has chosen their values
            written = {s.filled(terms) for s in self.destined.private(param)}
            self.shown(param, arg, facts, names, [s for s in written if not s.is_open(facts)])
        return self.publishing.event(stmt.event, stmt.args, self.publishing.whole(facts))

    def _shown(self, thing: m.Expr, facts: Facts, paths: Paths) -> Facts:
        """Analyse a statement that shows a thing.

        The answers of earlier branches about things of its kind become public with it.
        """
        kind = thing.type.kind if isinstance(thing.type, m.MemberOf | m.SetOf) else None
        asked = [s for branch in paths if not branch.asks for s in branch.secrets]
        by_branch = {s.revealed() for s in asked if s.kind is not None and s.kind is kind}
        return self.publishing.thing(thing, self.value(thing, NO_FACTS)) | by_branch

    def _moved(self, stmt: m.PutMember | m.Draw | m.Gather, facts: Facts, paths: Paths) -> Facts:
        target = stmt.target.cell
        shown = isinstance(stmt, m.PutMember) and ("shown", term(stmt.what)) in facts
        facts = self.undoing.undone(
            facts, frozenset({(id(target), False)}) if shown else self.undoing.changed(stmt)
        )
        if isinstance(stmt, m.PutMember) and not is_secret(target.seen):
            facts |= self._shown(stmt.what, facts, paths)
        if isinstance(stmt, m.Gather) and not is_secret(target.seen):
            facts |= self.publishing.thing(stmt.source, ())
        self.notice(stmt.span, facts, paths)
        if isinstance(stmt, m.Draw):
            self.public_value(stmt.count, facts)
        for key in (
            stmt.target.keys
            if isinstance(stmt, m.PutMember)
            else (*stmt.source.keys, *stmt.target.keys)
        ):
            self.public_value(key, facts)
        return facts

    # ---------------------------------------------------------------- calls
    def _called(self, stmt: m.CallProc, facts: Facts, paths: Paths) -> Facts | None:
        place = self._first_observable(stmt.proc)
        if place is not None:
            self.notice(stmt.span, facts, paths)
        names_it = self.publishing.as_it_stands(stmt)  # the facts that the wrapped event reveals
        facts |= names_it if names_it and self.publishing.begins_with_event(stmt.proc) else NO_FACTS
        self._call(stmt.proc, stmt.args, facts)
        for param, arg in zip(stmt.proc.params, stmt.args, strict=False):
            if stmt.proc.word == "phase" or param.shared or param in self.world.model.shown_vars:
                # players are shown it when the procedure begins
                self.shown(param, arg, facts, callee(stmt.proc.params, stmt.args))
        if stmt.into is not None and stmt.proc.result is not None:
            result = stmt.proc.result
            value, size = (
                self.unknown_secrets(frozenset({result}), facts),
                self.unknown_secrets(frozenset({SizeOf(result)}), facts),
            )
            self.learn(stmt.into, value, size, paths)
        terms = {id(p): term(a) for p, a in zip(stmt.proc.params, stmt.args, strict=False)}
        given = frozenset(fill(fact, terms) for fact in self.gives.find(stmt.proc, NO_FACTS)) - {
            None
        }
        facts |= names_it if names_it and self.publishing.always_reports(stmt.proc) else NO_FACTS
        left = self.undoing.undone(facts, self.undoing.writes(stmt.proc)) | given
        return left if stmt.into is None else self.undoing.without(left, {id(stmt.into)})

    def _call(self, proc: m.Procedure, args: Sequence[m.Expr], facts: Facts) -> None:
        for param, arg in zip(proc.params, args, strict=False):
            value = self.value(arg, facts)
            if proc.word == "event" and self.publishing.value(arg):  # secret until the event
                value = frozenset(evolve(s, opens=s.opens | {stated(param)}) for s in value)
            self.learn(param, value, self.size(arg, facts), ())
        here = self.publishing.useful(in_terms_of(facts, proc.params, args))
        calls = self._part.calls
        calls[proc] = calls[proc] & here if proc in calls else here

    def _first_observable(self, proc: m.Procedure) -> Span | None:
        """Return the place of the first statement of a procedure that others can observe."""
        if proc not in self._observable_places:
            self._observable_places[proc] = None
            for node in nodes(*self.bodies.get(proc, [])):
                if isinstance(node, m.CallProc):
                    place = self._first_observable(node.proc)
                else:
                    place = node.span if isinstance(node, m.Stmt) and is_observable(node) else None
                if place is not None:
                    self._observable_places[proc] = place
                    break
        return self._observable_places[proc]

    # ---------------------------------------------------------------- branches and loops
    def _if(self, stmt: m.IfStmt, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        inside = paths + self.branch(stmt.cond.span, self.secrets.of(stmt.cond, facts), facts)
        one, out = self.block(stmt.then, facts | self._facts(stmt.cond), inside)
        other, more = self.block(stmt.other, facts | self._facts(stmt.cond, False), inside)
        return both(one, other), out + more

    def _loop(
        self, body: m.Block, facts: Facts, paths: Paths, own: Facts = NO_FACTS
    ) -> tuple[Facts, Facts | None, list[Facts], Escapes]:
        """Analyse a loop.

        Args:
            own: the facts about the element of each round.

        Returns:
            The facts before each round and after the last, the facts at the end of a round, the
            facts at each exit from the loop, and the branches that may have left more than the
            loop.
        """
        (outer, self._leaves), (reporting, self.reporting) = (
            (self._leaves, []),
            (
                self.reporting,
                False,
            ),
        )
        steady = False
        while True:
            end, out = self.block(body, facts | own, paths)
            again = tuple(branch for _, branch in out if branch not in paths)
            kept = facts if end is None else facts & end
            if steady:
                break
            steady = kept == facts and not again
            self.reporting = reporting and steady
            facts, paths = kept, paths + again
        left, self._leaves = self._leaves, outer
        self.reporting = reporting
        return facts, end, left, tuple((how, branch) for how, branch in out if how == "return")

    def _repeat(self, stmt: m.Repeat, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        always = self.undoing.undone(
            facts, self.undoing.follow(stmt.body)
        )  # also before a later round
        asked = self.secrets.of(stmt.cond, always) | self.secrets.of(stmt.limit, facts)
        cond = self.branch(
            stmt.cond.span if stmt.cond is not None else stmt.limit.span, asked, always
        )
        kept, _, left, out = self._loop(stmt.body, facts, paths + cond)
        return kept.intersection(*left), out

    def _each(self, stmt: m.Each, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        var, source = stmt.var, stmt.source
        rounds = self.secrets.size(source, facts)
        for key in (*stmt.keys, *(stmt.numbers or ())):
            rounds |= self.secrets.of(key, facts | element_facts(source, ("var", id(stmt.key_var))))
        given = [source] if source is not None else stmt.items or []
        self.learn(var, frozenset().union(*(self.value(e, facts) for e in given)), frozenset(), ())
        around = paths + self.branch(
            source.span if source is not None else stmt.span, rounds, facts
        )
        element: Term = ("var", id(var))
        own = (
            element_facts(source, element)
            if source is not None
            else {in_place(each, element) for each in among(stmt)} - {None}
        )
        own = self.publishing.useful(frozenset(own))
        if not stmt.live:  # the condition of the set is not tested again
            own = self.undoing.undone(own, self.undoing.follow(stmt.body, var))
        if stmt.ties is not None:
            self.notice(stmt.span, facts, around)
            self.public_value(stmt.ties, facts)
        kept, end, left, out = self._loop(stmt.body, facts, around, own)
        after = kept.intersection(*left)
        if end is not None and not left and (done := every(end - kept - own, stmt)):
            after |= self._lasting(stmt.body, kept | own, done)
        return after, out

    def _lasting(self, body: m.Block, facts: Facts, done: Facts) -> Facts:
        """Return the facts that each round establishes and no later round invalidates."""
        reporting, self.reporting = self.reporting, False
        end, _ = self.block(body, facts | done, ())
        self.reporting = reporting
        return done if end is None else done & end

    # ---------------------------------------------------------------- decisions
    def _sealed(self, stmt: m.Together, facts: Facts, paths: Paths) -> Facts:
        """Analyse simultaneous picks.

        Until all have answered, each pick is known only to its player.
        """
        sealed: dict[m.Var, Secret] = {}
        for pick, cell in zip(stmt.picks, stmt.answers, strict=True):
            among = (
                [pick.source, *(pick.numbers or ())]
                if isinstance(pick, m.Pick)
                else [pick.source, pick.low, pick.high]
            )
            secrets = frozenset(sealed[var] for var in read(among) if var in sealed)
            place = pick.source.span if pick.source is not None else pick.span
            self.notice(
                pick.span,
                facts,
                ()
                if secrets and self.always.asks(pick, self._proc)
                else (SecretBranch(place, secrets, True),),
            )
            facts = self._pick(pick, facts, paths)[0] or facts
            sealed[pick.var] = Secret(pick.var.name, id(cell), None, frozenset(), frozenset(), None)
        return facts

    def _pick(
        self, stmt: m.Pick | m.PickGroup, facts: Facts, paths: Paths
    ) -> tuple[Facts | None, Escapes]:
        source, who = stmt.source, [term(stmt.who)]
        bounds = (stmt.numbers or ()) if isinstance(stmt, m.Pick) else (stmt.low, stmt.high)
        self._asked(stmt, facts)
        asked = self.branch(
            source.span if source is not None else stmt.span,
            self.secrets.size(source, facts),
            facts,
            True,
        )
        asked = () if asked and self.always.asks(stmt, self._proc) else asked
        self.notice(stmt.span, facts, paths + asked)
        given = [e for e in (source, *bounds) if e is not None]
        known = (
            self.publishing.useful(element_facts(source, ("var", id(stmt.var))))
            if isinstance(stmt, m.Pick)
            else NO_FACTS
        )
        for e in (
            *given,
            *(
                [stmt.keeps.cond]
                if isinstance(stmt, m.PickGroup) and stmt.keeps is not None
                else ()
            ),
        ):
            self.offered(e, who, facts)
        for key in stmt.alike:
            self.offered(key, who, facts | element_facts(source, ("var", id(stmt.key_var))))
        before = self.me
        self.me = before or who
        mine = self.choose(self.destined.private(stmt.var), who[0])
        found = mine.union(*(self.value(e, facts) for e in given))
        # earlier facts about the cell are about another value
        facts = self.undoing.without(facts, {s.root for s in mine})
        pooled = (
            isinstance(stmt.var.type, m.MemberOf | m.SetOf) and stmt.var.type.kind.identity is None
        )
        self.me = before
        if pooled and source is not None and self.lies(stmt.var):
            found |= self.value(source, facts)
        self.learn(stmt.var, found, frozenset(), paths)
        return self.undoing.without(facts, {id(stmt.var)}) | known, tuple(
            ("skip", branch) for branch in asked
        )

    def _choose(self, stmt: m.Choose, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        self.notice(stmt.span, facts, paths)
        self._asked(stmt, facts)
        who = term(stmt.who)
        if stmt.me is not None:
            facts |= {equal(("var", id(stmt.me)), who)} - {None}
        # the decision is repeated after each of these
        facts = self.undoing.undone(facts, self.undoing.options(stmt.standing))
        after: Facts | None = None
        out: Escapes = ()
        for option in (*stmt.options, *stmt.standing):
            ends, escapes = self._option(option, who, facts)
            after = both(after, ends) if option in stmt.options else after
            out += escapes
        return (facts if not stmt.options else after), out

    def _option(
        self, option: m.GuardedOption, who: Term, facts: Facts, asked: Sequence[m.Expr] = ()
    ) -> tuple[Facts | None, Escapes]:
        """Analyse an option: its conditions, and its steps."""
        mine: list[Term] = [who]
        me = option.proc.params[0] if option.proc is not None and option.proc.params else option.me
        if me is not None:
            mine.append(("var", id(me)))
            facts |= {
                equal(("var", id(me)), each)
                for each in (who, *map(term, asked if len(asked) == 1 else ()))
            } - {None}
        for param in option.params:
            self.learn(param, self.choose(self.destined.private(param), mine[-1]), frozenset(), ())
        for clause in option.clauses:
            if isinstance(clause, m.Guarded):
                self.offered(clause.cond, mine, facts, option.params)
                facts |= self._facts(clause.cond)
            elif isinstance(clause, m.With | m.Pays):
                self.offered(
                    clause.value if isinstance(clause, m.With) else clause.amount,
                    mine,
                    facts,
                    option.params,
                )
                if (
                    isinstance(clause, m.Pays)
                    and isinstance(clause.target, m.ReadCell)
                    and not is_secret(clause.target.cell.seen)
                ):
                    self.public(
                        [s for s in self.value(clause.amount, facts) if s.into is not None],
                        clause.amount.span,
                    )
            elif clause.unless is not None:
                self.offered(clause.unless, mine, facts, option.params)
        facts = self.undoing.undone(facts, self.undoing.follow(option.clauses))
        if option.proc is not None:
            self._call(option.proc, [], facts)
            return self.undoing.undone(facts, self.undoing.writes(option.proc)), ()
        before, self.me = self.me, mine
        ends, out = self.block(option.body, facts, ())
        self.me = before
        return ends, out

    def _window(self, stmt: m.Window, facts: Facts, paths: Paths) -> Facts:
        self.notice(stmt.span, facts, paths)
        self._asked(stmt, facts)
        for hook in stmt.hooks:
            place = hook.cond.span if hook.cond is not None else stmt.span
            branch = self.branch(place, self.secrets.of(hook.cond, facts), facts)
            self.block(
                [m.CallProc(hook.proc, [], span=hook.proc.span)],
                facts | self._facts(hook.cond),
                paths + branch,
            )
            facts = self.undoing.undone(facts, self.undoing.writes(hook.proc))
        # each option may be played before another
        facts = self.undoing.undone(facts, self.undoing.options(stmt.options))
        for option in stmt.options:
            self._option(
                option,
                ("var", id(stmt.me)),
                facts,
                option.asked if option.asked is not None else stmt.asks,
            )
        return facts
