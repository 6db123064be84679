"""Takes a checked model, finds where hidden information tells by what happens: a branch on it that leads to something
public, a public value made of it, a question to somebody who may not know it, a total that a player may ask for.

The way of the information is followed through expressions (`secrets`), variables, parameters and branches; what a rule
has made known before (`published`) is no secret any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from attrs import define, field

from rulekit.base.span import Span
from rulekit.check import model as m
from rulekit.check.flow import bodies, called
from rulekit.check.prompted import Prompts
from rulekit.check.published import NO_FACTS, Facts, Publishing, both, every, in_terms_of
from rulekit.check.scope import World
from rulekit.check.secrets import (
    Secret,
    Secrets,
    SizeOf,
    Term,
    Told,
    element_facts,
    equal,
    facts_of,
    fill,
    is_secret,
    same,
    term,
)
from rulekit.check.walker import nodes

# procedures that are a player's own choice: he may use what he alone knows
OWN = ("action", "reaction", "standing", "slot")
MOST = 40  # rounds in which what procedures are given is followed; each adds to what is known of them
QUIET = (m.SetVar, m.IfStmt, m.Each, m.Repeat, m.Leave, m.Return, m.Check)
KNOW = "let who knows it decide by an option, or make it public first: an event that 'reveals' it"
ASK = "let him pick from what all see, with ', or none', or make it public first: an event that 'reveals' it"
NAME = "leave it out of the text, or make it public first: an event that 'reveals' it"
ASKED = "who may not see it is told that it is hidden; let the total read what all see, or count only what is shown"
OFFER = "offer it by what he may know, and test the rest when it was chosen, after an event that 'reveals' it"


@define(eq=False)
class Branch:
    """What is done or not done by a condition that tells something."""

    span: Span
    secrets: frozenset[Secret]
    asks: bool = False  # whether somebody is asked, for want of anything to choose from


Paths = tuple[Branch, ...]
# how far a branch reaches: over the rest of the block (skip), of the loop (leave), of the procedure (return)
Escapes = tuple[tuple[str, Branch], ...]


def analyse(world: World) -> None:
    """Reports what tells a secret."""
    model = world.model
    if not any(map(is_secret, [*[c.seen for c in model.cells], *[k.identity or [] for k in model.kinds.values()]])):
        return
    leaks = Leaks(world)
    for _ in range(MOST):
        before = leaks.known()
        leaks.round()
        if leaks.known() == before:
            break
    leaks.reporting = True
    leaks.round()
    for total in model.totals:
        leaks.asked_for(total)
    for permit in model.permits:
        leaks.asked_for(permit)


@define(eq=False)
class Leaks:
    """The way of the information through one game."""

    world: World
    reporting: bool = False
    secrets: Secrets = field(factory=Secrets)
    bodies: dict[m.Procedure, list[m.Block]] = field(init=False)
    publishing: Publishing = field(init=False)
    prompts: Prompts = field(init=False)
    values: dict[m.Var, frozenset[Secret]] = field(factory=dict)  # what the value of a variable tells
    sizes: dict[m.Var, frozenset[Secret]] = field(factory=dict)  # what the size of the set tells
    entry: dict[m.Procedure, Facts] = field(factory=dict)  # what all calls of a procedure know
    gives: dict[m.Procedure, Facts] = field(factory=dict)  # what it has made known when it ends
    _next: dict[m.Procedure, Facts] = field(factory=dict)
    _me: list[Term] = field(factory=list)  # who makes this choice; empty: nobody does
    _masked: set[m.Kind] = field(init=False)
    _reached: set[m.Procedure] = field(init=False)
    _noticed: dict[m.Procedure, Span | None] = field(factory=dict)
    _told: set[Span] = field(factory=set)
    _proc: m.Procedure | None = None  # which is gone through

    def __attrs_post_init__(self) -> None:
        model = self.world.model
        self.bodies = {proc: list(body) for proc, body in bodies(self.world).items()}  # type: ignore[arg-type]
        self.publishing = Publishing(model, self.bodies)
        self.prompts = Prompts(model, self.bodies)
        self._reached = {proc for body in self.bodies.values() for node in nodes(body) for proc, _ in called(node)}
        self._masked = {c.type.kind for c in model.cells if c.pool and isinstance(c.type, m.SetOf)}
        self._masked |= {kind for kind in model.kinds.values() if kind.identity is not None}

    def known(self) -> object:
        """All that was found of variables and procedures."""
        return dict(self.values), dict(self.sizes), dict(self.entry), dict(self.gives)

    def round(self) -> None:
        """Goes through all procedures once."""
        model = self.world.model
        self._next = {}
        for whenever in model.whenevers:
            self._watching(whenever)
        for event in model.events:
            self._event_body(event)
        for proc, body in self.bodies.items():
            if proc in self._reached and proc not in self.entry:
                continue  # not called from anywhere that was gone through so far
            if proc.word in OWN and model.sides is not None:
                sides = [p for p in proc.params if isinstance(p.type, m.MemberOf) and p.type.kind is model.sides]
                self._me = [("var", id(p)) for p in sides[:1]]
            self._proc = proc
            facts: Facts | None = self.entry.get(proc, NO_FACTS)
            ends = [self.block(stmts, facts or NO_FACTS, ())[0] for stmts in body]
            own = {id(v) for v in (*proc.params, *proc.vars)}
            facts = ends[0] if ends else None
            self.gives[proc] = frozenset() if facts is None else frozenset(f for f in facts if not _local(f, own, proc))
            self._me, self._proc = [], None
        self.entry = self._next

    def _watching(self, whenever: m.Whenever) -> None:
        branch = self._branch(whenever.source.span, self.secrets.size(whenever.source), NO_FACTS)
        element = m.Read(whenever.var, type=whenever.var.type)
        self._call(whenever.proc, [element], element_facts(whenever.source, term(element)))
        self.block([m.CallProc(whenever.proc, [], span=whenever.proc.span)], NO_FACTS, branch)

    def _event_body(self, event: m.Event) -> None:
        facts = NO_FACTS
        for shown in event.reveals:
            facts |= self.publishing.thing(shown, self.secrets.of(shown))
        self.block(event.body, facts, ())

    # ---------------------------------------------------------------- what is told
    def told(self, found: Told, facts: Facts) -> frozenset[Secret]:
        """The secrets behind what an expression tells, without those that are public by now or known to who chooses."""
        out: set[Secret] = set()
        for each in found:
            if isinstance(each, Secret):
                out.add(each)
            elif isinstance(each, SizeOf):
                out |= self.sizes.get(each.var, frozenset())
            elif ("shown", ("var", id(each))) not in facts:
                out |= self.values.get(each, frozenset())
        people = self._people(facts)
        return frozenset(s for s in out if not s.is_open(facts) and not s.known_to(people, facts))

    def _people(self, facts: Facts) -> list[Term]:
        """Who chooses, under all his names."""
        out = list(self._me)
        out += [other for fact in facts for one, other in same(fact) if one in self._me]
        return out

    def value(self, e: m.Expr | None, facts: Facts) -> frozenset[Secret]:
        """What the value of an expression tells here."""
        return self.told(self.secrets.of(e, facts), facts)

    def size(self, e: m.Expr | None, facts: Facts) -> frozenset[Secret]:
        """What the size of a set tells here."""
        return self.told(self.secrets.size(e, facts), facts)

    def _branch(self, span: Span, found: Told, facts: Facts, asks: bool = False) -> Paths:
        secrets = self.told(found, facts)
        return (Branch(span, secrets, asks),) if secrets else ()

    def _facts(self, cond: m.Expr | None, holds: bool = True) -> Facts:
        return self.publishing.useful(facts_of(cond, holds))

    def _learn(self, var: m.Var, value: frozenset[Secret], size: frozenset[Secret], paths: Paths) -> None:
        by_path: frozenset[Secret] = frozenset().union(*(branch.secrets for branch in paths if not branch.asks))
        self.values[var] = self.values.get(var, frozenset()) | value | by_path
        self.sizes[var] = self.sizes.get(var, frozenset()) | size | by_path

    # ---------------------------------------------------------------- findings
    def notice(self, place: Span, facts: Facts, paths: Paths) -> None:
        """Something happens here that others notice: the branches that lead to it tell what they depend on."""
        for branch in paths:
            secrets = [s for s in branch.secrets if not s.is_open(facts)]
            if secrets and branch.asks:
                message = f"whether somebody is asked depends on {_names(secrets)}, which not all may see"
                self._report("RK519", branch.span, message, ASK)
            elif secrets:
                message = f"this depends on {_names(secrets)}, which not all may see, and what follows is public"
                self._report("RK507", branch.span, message, KNOW, place)

    def _public_value(self, e: m.Expr, facts: Facts) -> None:
        """A value that all see is made of secrets."""
        self._public(self.value(e, facts), e.span)

    def _public(self, secrets: Collection[Secret], span: Span) -> None:
        if secrets:
            message = f"this value depends on {_names(secrets)}, which not all may see, and everybody sees it"
            self._report("RK518", span, message, KNOW)

    def _asked(self, stmt: m.Choose | m.Pick | m.PickGroup | m.Window, facts: Facts) -> None:
        """Somebody is asked, and everybody reads what; things that not all may know are masked in it."""
        for var in self.prompts.read(stmt, self._proc) if self._proc is not None else ():
            secrets = self.told(frozenset({var}), facts) if not self._lies(var) else None
            if secrets:
                message = f"what is asked here names '{var.name}', which depends on {_names(secrets)}, which not all may see"
                self._report("RK518", stmt.span, message, NAME)

    def _offered(self, e: m.Expr, who: Sequence[Term], facts: Facts) -> None:
        """What a player is offered depends on what he may not know."""
        before, self._me = self._me, list(who)
        secrets = self.value(e, facts)
        self._me = before
        if secrets:
            message = f"what is offered here depends on {_names(secrets)}, which who is asked may not see"
            self._report("RK519", e.span, message, OFFER)

    def asked_for(self, total: m.Total | m.Permit) -> None:
        """A player may ask for a total while its context runs; what not all may see is masked then."""
        for clause in total.clauses:
            for e in (clause.amount, clause.cond, *(c.cond for c in clause.cancels)):
                facts = self.entry.get(total.context, NO_FACTS) if total.context is not None else NO_FACTS
                facts |= facts_of(clause.cond) if e is clause.amount else NO_FACTS
                secrets = [s for s in self.secrets.of(e, facts) if isinstance(s, Secret)]
                if e is not None and secrets:
                    what = f"'{total.name}' depends on {_names(secrets)}"
                    self._report("RK517", e.span, f"{what}, which not all may see; a player may ask for it", ASKED)
                    return

    def _report(self, code: str, span: Span, message: str, help: str, second: Span | None = None) -> None:
        if not self.reporting or span in self._told:
            return
        self._told.add(span)
        if second is not None:
            self.world.sink.error(code, span, message, help, second=second, second_label="everybody sees this")
        else:
            self.world.sink.warn(code, span, message, help)

    # ---------------------------------------------------------------- statements
    def block(self, stmts: m.Block, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        """What is known after some statements (None: they do not go on), and the branches that may have left them."""
        now: Facts | None = facts
        escapes: Escapes = ()
        for stmt in stmts:
            if now is None:
                break
            now, out = self.stmt(stmt, now, paths)
            paths += tuple(branch for _, branch in out if branch not in paths)
            escapes += out
        return now, tuple((how, branch) for how, branch in escapes if how != "skip")

    def stmt(self, stmt: m.Stmt, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        """The same for one statement."""
        if isinstance(stmt, m.Leave | m.Return):
            how = "leave" if isinstance(stmt, m.Leave) else "return"
            return None, tuple((how, branch) for branch in paths)
        if isinstance(stmt, m.SetVar):
            self._learn(stmt.var, self.value(stmt.value, facts), self.size(stmt.value, facts), paths)
            if stmt.var.shared or stmt.var in self.world.model.told:
                self._shared(stmt, facts, paths)
        elif isinstance(stmt, m.IfStmt):
            return self._if(stmt, facts, paths)
        elif isinstance(stmt, m.Each):
            return self._each(stmt, facts, paths)
        elif isinstance(stmt, m.Repeat):
            cond = self._branch(stmt.cond.span if stmt.cond is not None else stmt.limit.span,
                                self.secrets.of(stmt.cond, facts) | self.secrets.of(stmt.limit, facts), facts)
            return facts, self._loop(stmt.body, facts, paths + cond)[1]
        elif isinstance(stmt, m.Pick | m.PickGroup):
            return self._pick(stmt, facts, paths)
        elif isinstance(stmt, m.Together):
            self._learn(stmt.var, self.value(stmt.source, facts), frozenset(), paths)
            after, _ = self._pick(stmt.pick, facts, paths)
            return facts, self._loop(stmt.body, after or facts, paths)[1]
        elif isinstance(stmt, m.Choose):
            return self._choose(stmt, facts, paths)
        elif isinstance(stmt, m.Window):
            self._window(stmt, facts, paths)
        else:
            return self._act(stmt, facts, paths), ()
        return facts, ()

    def _act(self, stmt: m.Stmt, facts: Facts, paths: Paths) -> Facts | None:
        """A statement without blocks of its own."""
        publishing = self.publishing
        if isinstance(stmt, m.SetCell):
            return self._set(stmt, facts, paths)
        if isinstance(stmt, m.CallEvent):
            return self._event(stmt, facts, paths)
        if isinstance(stmt, m.CallProc):
            return self._called(stmt, facts, paths)
        if isinstance(stmt, m.Put | m.Draw | m.Gather):
            return self._moved(stmt, facts, paths)
        self.notice(stmt.span, facts, paths)
        if isinstance(stmt, m.Finish):
            self._public_value(stmt.who, facts)
            return None
        if isinstance(stmt, m.Walk):
            movement = stmt.movement
            for guard in (*movement.may, *movement.stop, *movement.end):
                self._offered(guard.cond, [term(stmt.who)], in_terms_of(facts, movement.proc.params, stmt.args))
            self._call(movement.proc, stmt.args, facts)
            return publishing.without(facts, publishing.writes(movement.proc))
        for proc, _ in called(stmt):
            args = stmt.args if isinstance(stmt, m.CallSlotSteps) else []
            self._call(proc, args, facts)
            facts = publishing.without(facts, publishing.writes(proc))
        return facts

    def _set(self, stmt: m.SetCell, facts: Facts, paths: Paths) -> Facts:
        if not stmt.cell.hidden and (not is_secret(stmt.cell.seen)):
            self.notice(stmt.span, facts, paths)
            facts |= self.publishing.value(stmt.value)
            if not isinstance(stmt.value.type, m.MemberOf | m.SetOf) or stmt.value.type.kind.identity is None:
                self._public_value(stmt.value, facts)
            for key in stmt.keys:
                self._public_value(key, facts)
        return self.publishing.written(stmt, facts, {})

    def _shared(self, stmt: m.SetVar, facts: Facts, paths: Paths) -> None:
        """A field, which all see, gets a value."""
        value = frozenset() if self._lies(stmt.var) else self.value(stmt.value, facts)
        by_path = [s for branch in paths if not branch.asks for s in branch.secrets if not s.is_open(facts)]
        self._public([*value, *by_path], stmt.value.span)

    def _event(self, stmt: m.CallEvent, facts: Facts, paths: Paths) -> Facts:
        terms = dict(zip(map(id, stmt.event.params), stmt.args, strict=False))
        for shown in stmt.event.reveals:
            given = terms.get(id(shown.var), shown) if isinstance(shown, m.Read) else shown
            facts |= self._shown(given, facts, paths)
        self.notice(stmt.span, facts, paths)
        for param, arg in zip(stmt.event.params, stmt.args, strict=False):
            facts |= self.publishing.value(arg)
            if not (isinstance(param.type, m.MemberOf | m.SetOf) and param.type.kind in self._masked):
                self._public_value(arg, facts)
        return self.publishing.event(stmt.event, stmt.args, self.publishing.whole(facts))

    def _shown(self, thing: m.Expr, facts: Facts, paths: Paths) -> Facts:
        """A thing is shown: what a branch asked about things of its kind is known with it."""
        kind = thing.type.kind if isinstance(thing.type, m.MemberOf | m.SetOf) else None
        asked = [s for branch in paths if not branch.asks for s in branch.secrets]
        by_branch = {s.told() for s in asked if s.kind is not None and s.kind is kind}
        return self.publishing.thing(thing, self.value(thing, NO_FACTS)) | by_branch

    def _moved(self, stmt: m.Put | m.Draw | m.Gather, facts: Facts, paths: Paths) -> Facts:
        target = stmt.target.cell
        facts = self.publishing.without(facts, {id(target)} if is_secret(target.seen) else ())
        if isinstance(stmt, m.Put) and not is_secret(target.seen):
            facts |= self._shown(stmt.what, facts, paths)
        if isinstance(stmt, m.Gather) and not is_secret(target.seen):
            facts |= self.publishing.thing(stmt.source, ())
        self.notice(stmt.span, facts, paths)
        if isinstance(stmt, m.Draw):
            self._public_value(stmt.count, facts)
        for key in stmt.target.keys if isinstance(stmt, m.Put) else (*stmt.source.keys, *stmt.target.keys):
            self._public_value(key, facts)
        return facts

    # ---------------------------------------------------------------- calls
    def _called(self, stmt: m.CallProc, facts: Facts, paths: Paths) -> Facts | None:
        place = self._first_noticed(stmt.proc)
        if place is not None:
            self.notice(stmt.span, facts, paths)
        self._call(stmt.proc, stmt.args, facts)
        for param, arg in zip(stmt.proc.params, stmt.args, strict=False):
            if (stmt.proc.word == "phase" or param in self.world.model.told) and not self._lies(param):  # it is told when it begins
                self._public_value(arg, facts)
        if stmt.into is not None and stmt.proc.result is not None:
            result = stmt.proc.result
            value, size = self.told(frozenset({result}), facts), self.told(frozenset({SizeOf(result)}), facts)
            self._learn(stmt.into, value, size, paths)
        terms = {id(p): term(a) for p, a in zip(stmt.proc.params, stmt.args, strict=False)}
        given = frozenset(fill(fact, terms) for fact in self.gives.get(stmt.proc, NO_FACTS)) - {None}
        return self.publishing.without(facts, self.publishing.writes(stmt.proc)) | given

    def _call(self, proc: m.Procedure, args: Sequence[m.Expr], facts: Facts) -> None:
        for param, arg in zip(proc.params, args, strict=False):
            self._learn(param, self.value(arg, facts), self.size(arg, facts), ())
        here = self.publishing.useful(in_terms_of(facts, proc.params, args))
        self._next[proc] = here if proc not in self._next else self._next[proc] & here

    def _first_noticed(self, proc: m.Procedure) -> Span | None:
        """The first thing that others notice in a procedure."""
        if proc not in self._noticed:
            self._noticed[proc] = None
            for node in nodes(*self.bodies.get(proc, [])):
                if isinstance(node, m.CallProc):
                    place = self._first_noticed(node.proc)
                else:
                    place = node.span if isinstance(node, m.Stmt) and noticed(node) else None
                if place is not None:
                    self._noticed[proc] = place
                    break
        return self._noticed[proc]

    # ---------------------------------------------------------------- branches and loops
    def _if(self, stmt: m.IfStmt, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        inside = paths + self._branch(stmt.cond.span, self.secrets.of(stmt.cond, facts), facts)
        one, out = self.block(stmt.then, facts | self._facts(stmt.cond), inside)
        other, more = self.block(stmt.other, facts | self._facts(stmt.cond, False), inside)
        return both(one, other), out + more

    def _loop(self, body: m.Block, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        """What is known after a round, and the branches that may have left more than the loop."""
        _, out = self.block(body, facts, paths)
        again = tuple(branch for _, branch in out if branch not in paths)
        after, out = self.block(body, facts, paths + again)
        return after, tuple((how, branch) for how, branch in out if how == "return")

    def _each(self, stmt: m.Each, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        var, source = stmt.var, stmt.source
        rounds = self.secrets.size(source, facts)
        for key in (*stmt.keys, *(stmt.numbers or ())):
            rounds |= self.secrets.of(key, facts | element_facts(source, ("var", id(stmt.key_var))))
        given = [source] if source is not None else stmt.items or []
        self._learn(var, frozenset().union(*(self.value(e, facts) for e in given)), frozenset(), ())
        around = paths + self._branch(source.span if source is not None else stmt.span, rounds, facts)
        inside = facts | self.publishing.useful(element_facts(source, ("var", id(var))))
        after, out = self._loop(stmt.body, inside, around)
        done = every(after - inside, var) if after is not None else NO_FACTS
        return facts | done, out

    # ---------------------------------------------------------------- decisions
    def _pick(self, stmt: m.Pick | m.PickGroup, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        who = [] if self._me else [term(stmt.who)]
        place = stmt.source.span if stmt.source is not None else stmt.span
        self._asked(stmt, facts)
        asked = self._branch(place, self.secrets.size(stmt.source, facts), facts, True)
        self.notice(stmt.span, facts, paths + asked)
        before = self._me
        self._me = who or before
        found = self.value(stmt.source, facts)
        pooled = isinstance(stmt.var.type, m.MemberOf | m.SetOf) and stmt.var.type.kind.identity is None
        self._me = before
        if pooled and stmt.source is not None and self._lies(stmt.var):
            found |= self.value(stmt.source, facts)
        self._learn(stmt.var, found, frozenset(), paths)
        return facts, tuple(("skip", branch) for branch in asked)

    def _lies(self, var: m.Var) -> bool:
        return isinstance(var.type, m.MemberOf | m.SetOf) and var.type.kind in self._masked

    def _choose(self, stmt: m.Choose, facts: Facts, paths: Paths) -> tuple[Facts | None, Escapes]:
        self.notice(stmt.span, facts, paths)
        self._asked(stmt, facts)
        who = term(stmt.who)
        if stmt.me is not None:
            facts |= {equal(("var", id(stmt.me)), who)} - {None}
        after: Facts | None = None
        out: Escapes = ()
        for option in (*stmt.options, *stmt.standing):
            ends, escapes = self._option(option, who, facts)
            after = both(after, ends)
            out += escapes
        return (facts if not stmt.options else after), out

    def _option(self, option: m.Option, who: Term, facts: Facts) -> tuple[Facts | None, Escapes]:
        """An option of this player's: what he is offered, and what he does with it."""
        mine: list[Term] = [who]
        me = option.proc.params[0] if option.proc is not None and option.proc.params else option.me
        if me is not None:
            mine.append(("var", id(me)))
            facts |= {equal(("var", id(me)), who)} - {None}
        for clause in option.clauses:
            if isinstance(clause, m.Guarded):
                self._offered(clause.cond, mine, facts)
                facts |= self._facts(clause.cond)
            elif isinstance(clause, m.With):
                self._offered(clause.value, mine, facts)
        if option.proc is not None:
            self._call(option.proc, [], facts)
            return facts, ()
        before, self._me = self._me, mine
        ends, out = self.block(option.body, facts, ())
        self._me = before
        return ends, out

    def _window(self, stmt: m.Window, facts: Facts, paths: Paths) -> None:
        self.notice(stmt.span, facts, paths)
        self._asked(stmt, facts)
        for hook in stmt.hooks:
            place = hook.cond.span if hook.cond is not None else stmt.span
            branch = self._branch(place, self.secrets.of(hook.cond, facts), facts)
            self.block([m.CallProc(hook.proc, [], span=hook.proc.span)], facts | self._facts(hook.cond), paths + branch)
        for who in stmt.asks:
            self._public_value(who, facts)
        for option in stmt.options:
            self._option(option, ("var", id(stmt.me)), facts)


def _names(secrets: Iterable[Secret]) -> str:
    return " and ".join(f"'{name}'" for name in sorted({s.name for s in secrets}))


def _local(fact: Term, own: set[int], proc: m.Procedure) -> bool:
    """Does a fact speak of a variable of the procedure that is no parameter?"""
    params = {id(p) for p in proc.params}

    def inside(part: object) -> bool:
        if isinstance(part, tuple):
            return (part[0] == "var" and part[1] in own and part[1] not in params) or any(map(inside, part))
        return False

    return inside(fact)


def noticed(stmt: m.Stmt) -> bool:
    """Do others notice this? Not a local variable, nor a write to what not all may see."""
    if isinstance(stmt, QUIET):
        return False
    return not isinstance(stmt, m.SetCell) or not (stmt.cell.hidden or is_secret(stmt.cell.seen))
