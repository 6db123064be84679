"""Takes what expressions and branches tell, makes the findings: what is told here that not all may see, and to whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from attrs import define, field, frozen

from rulekit import model as m
from rulekit.base.span import Span
from rulekit.check.lints.noted import Asked, Noted, Notes
from rulekit.check.lints.secrets import Secret, Secrets, SizeOf, Told, is_secret
from rulekit.check.lints.terms import Term, same
from rulekit.check.lints.undoing import Facts
from rulekit.check.names.scope import World

KNOW = "let who knows it decide by an option, or make it public first: an event that 'reveals' it"
ASK = "let him pick from what all see, with ', or none', or make it public first: an event that 'reveals' it"
NAME = "leave it out of the text, or make it public first: an event that 'reveals' it"
ASKED = "who may not see it is told that it is hidden; let the total read what all see, or count only what is shown"
QUIET = (m.SetVar, m.IfStmt, m.Each, m.Repeat, m.Leave, m.Return, m.Check)
OFFER = "offer it by what he may know, and test the rest when it was chosen, after an event that 'reveals' it"


@frozen
class Branch:
    """What is done or not done by a condition that tells something."""

    span: Span
    secrets: frozenset[Secret]
    asks: bool = False  # whether somebody is asked, for want of anything to choose from


Paths = tuple[Branch, ...]
Finding = tuple[str, str, str, Span | None]  # code, message, help, second place


@define(eq=False)
class Part:
    """A procedure, an event or a `whenever` that was gone through: what it asked for, what it gave, what was found in it."""

    begun: int  # when
    read: set[Asked] = field(factory=set)
    calls: dict[m.Procedure, Facts] = field(factory=dict)  # what all of its calls of a procedure know
    found: dict[Span, Finding] = field(factory=dict)


@define(eq=False)
class Telling:
    """What the variables of one game tell, who chooses, and what was found."""

    world: World
    reporting: bool = False
    secrets: Secrets = field(factory=Secrets)
    notes: Notes = field(factory=Notes)
    parts: dict[object, Part] = field(factory=dict)
    values: Noted[m.Var, frozenset[Secret]] = field(init=False)  # what the value of a variable tells
    sizes: Noted[m.Var, frozenset[Secret]] = field(init=False)  # what the size of the set tells
    me: list[Term] = field(factory=list)  # who makes this choice; empty: nobody does
    masked: set[m.Kind] = field(init=False)
    found: dict[Span, Finding] = field(factory=dict)  # to be reported
    _part: Part = field(factory=lambda: Part(0))

    def __attrs_post_init__(self) -> None:
        model = self.world.model
        self.values, self.sizes = Noted(self.notes), Noted(self.notes)
        self.masked = {c.type.kind for c in model.cells if c.pool and isinstance(c.type, m.SetOf)}
        self.masked |= {kind for kind in model.kinds.values() if kind.identity is not None}

    # ---------------------------------------------------------------- what is told
    def told(self, found: Told, facts: Facts) -> frozenset[Secret]:
        """The secrets behind what an expression tells, without those that are public by now or known to who chooses."""
        out: set[Secret] = set()
        for each in found:
            if isinstance(each, Secret):
                out.add(each)
            elif isinstance(each, SizeOf):
                out |= self.sizes.find(each.var, frozenset())
            elif ("shown", ("var", id(each))) not in facts:
                out |= self.values.find(each, frozenset())
        people = self.people(facts)
        return frozenset(s for s in out if not s.is_open(facts) and not s.known_to(people, facts))

    def people(self, facts: Facts) -> list[Term]:
        """Who chooses, under all his names."""
        out = list(self.me)
        out += [other for fact in facts for one, other in same(fact) if one in self.me]
        return out

    def value(self, e: m.Expr | None, facts: Facts) -> frozenset[Secret]:
        """What the value of an expression tells here."""
        return self.told(self.secrets.of(e, facts), facts)

    def size(self, e: m.Expr | None, facts: Facts) -> frozenset[Secret]:
        """What the size of a set tells here."""
        return self.told(self.secrets.size(e, facts), facts)

    def branch(self, span: Span, found: Told, facts: Facts, asks: bool = False) -> Paths:
        secrets = self.told(found, facts)
        return (Branch(span, secrets, asks),) if secrets else ()

    def learn(self, var: m.Var, value: frozenset[Secret], size: frozenset[Secret], paths: Paths) -> None:
        by_path: frozenset[Secret] = frozenset().union(*(branch.secrets for branch in paths if not branch.asks))
        self.values[var] = self.values.get(var, frozenset()) | value | by_path
        self.sizes[var] = self.sizes.get(var, frozenset()) | size | by_path

    def lies(self, var: m.Var) -> bool:
        return isinstance(var.type, m.MemberOf | m.SetOf) and var.type.kind in self.masked

    # ---------------------------------------------------------------- findings
    def notice(self, place: Span, facts: Facts, paths: Paths) -> None:
        """Something happens here that others notice: the branches that lead to it tell what they depend on."""
        for branch in paths:
            secrets = [s for s in branch.secrets if not s.is_open(facts)]
            if secrets and branch.asks:
                message = f"whether somebody is asked depends on {names(secrets)}, which not all may see"
                self.report("RK519", branch.span, message, ASK)
            elif secrets:
                message = f"this depends on {names(secrets)}, which not all may see, and what follows is public"
                self.report("RK507", branch.span, message, KNOW, place)

    def public_value(self, e: m.Expr, facts: Facts) -> None:
        """A value that all see is made of secrets."""
        self.public(self.value(e, facts), e.span)

    def public(self, secrets: Collection[Secret], span: Span) -> None:
        if secrets:
            message = f"this value depends on {names(secrets)}, which not all may see, and everybody sees it"
            self.report("RK518", span, message, KNOW)

    def offered(self, e: m.Expr, who: Sequence[Term], facts: Facts) -> None:
        """What a player is offered depends on what he may not know."""
        before, self.me = self.me, list(who)
        secrets = self.value(e, facts)
        self.me = before
        if secrets:
            message = f"what is offered here depends on {names(secrets)}, which who is asked may not see"
            self.report("RK519", e.span, message, OFFER)

    def report(self, code: str, span: Span, message: str, help: str, second: Span | None = None) -> None:
        if self.reporting:
            self.found.setdefault(span, (code, message, help, second))

    def tell(self) -> None:
        """To the sink what was found."""
        for span, (code, message, help, second) in self.found.items():
            if second is not None:
                self.world.sink.error(code, span, message, help, second=second, second_label="everybody sees this")
            else:
                self.world.sink.warn(code, span, message, help)


def names(secrets: Iterable[Secret]) -> str:
    return " and ".join(f"'{name}'" for name in sorted({s.name for s in secrets}))


def may_skip(stmt: m.Stmt) -> bool:
    """May the rest of its block be skipped, because there is nothing to choose from?"""
    if isinstance(stmt, m.Choose):
        return not any(not option.clauses and not option.params for option in stmt.options)
    return isinstance(stmt, m.Pick | m.PickGroup) and not stmt.or_none and not stmt.sure


def noticed(stmt: m.Stmt) -> bool:
    """Do others notice this? Not a local variable, nor a write to what not all may see."""
    if isinstance(stmt, QUIET):
        return isinstance(stmt, m.Each) and stmt.ties is not None
    return not isinstance(stmt, m.SetCell) or not (stmt.cell.hidden or is_secret(stmt.cell.seen))
