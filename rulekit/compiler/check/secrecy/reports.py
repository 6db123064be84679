"""The findings of the information-flow check: places where a secret becomes visible."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import define, evolve, field, frozen

from rulekit.common.diagnostics.diagnostic import Diagnostic
from rulekit.common.diagnostics.span import Span
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.scope import CheckState
from rulekit.compiler.check.secrecy.facts import Term, renamed, same
from rulekit.compiler.check.secrecy.hidden_destinations import Destined
from rulekit.compiler.check.secrecy.invalidation import Facts
from rulekit.compiler.check.secrecy.taint import Secret, Secrets, SizeOf, Taint, is_secret
from rulekit.compiler.check.secrecy.worklist import Asked, ReadRecord, RecordedDict

KNOW = "make it an option for the player who knows it, or first reveal it with an event"
ASK = (
    "let the player pick from a set that all see, with ', or none', or one that always has two "
    "members; or first reveal it with an event"
)
NAME = "remove it from the text, or first reveal it with an event"
CHOSEN = (
    "write it only to places that not all players may see, until an event 'reveals' it or shows "
    "the value"
)
MASKED = (
    "remove the parameter, and write the value in place of the event: `bid(s) := n`; to show it "
    "later, pass the cell: `bids_shown(bid(s))`"
)
ASKED = (
    "players who may not see it are told that it is hidden; let the total read values that all "
    "see, such as a state that an event writes"
)
QUIET = (m.SetVar, m.IfStmt, m.Each, m.Repeat, m.Leave, m.Return, m.Check)
OFFER = (
    "let the condition read only what the deciding player may see, and test the rest after the "
    "choice and an event that 'reveals' it"
)


@frozen
class SecretBranch:
    """A branch whose condition depends on a secret."""

    span: Span
    secrets: frozenset[Secret]
    asks: bool = False  # whether somebody is asked, for want of anything to choose from


Paths = tuple[SecretBranch, ...]
Finding = tuple[str, str, str, Span | None, str]  # code, message, help, second place, what is there


@define(eq=False)
class AnalysedPart:
    """An analysed procedure, event or `whenever` rule, with its inputs, its results and its
    findings.
    """

    begun: int  # when
    read: set[Asked] = field(factory=set)
    calls: dict[m.Procedure, Facts] = field(
        factory=dict
    )  # what all of its calls of a procedure know
    found: dict[Span, Finding] = field(factory=dict)


@define(eq=False)
class TaintAnalysis:
    """The taint of the variables of one game, the current chooser, and the findings so far."""

    world: CheckState
    reporting: bool = False
    secrets: Secrets = field(factory=Secrets)
    notes: ReadRecord = field(factory=ReadRecord)
    parts: dict[object, AnalysedPart] = field(factory=dict)
    values: RecordedDict[m.Var, frozenset[Secret]] = field(
        init=False
    )  # what the value of a variable reveals
    sizes: RecordedDict[m.Var, frozenset[Secret]] = field(
        init=False
    )  # what the size of the set reveals
    me: list[Term] = field(factory=list)  # who makes this choice; empty: nobody does
    masked: set[m.Kind] = field(init=False)
    found: dict[Span, Finding] = field(factory=dict)  # to be reported
    roots: dict[int, m.Cell | m.Kind] = field(init=False)
    destined: Destined = field(init=False)
    _part: AnalysedPart = field(factory=lambda: AnalysedPart(0))

    def __attrs_post_init__(self) -> None:
        model = self.world.model
        self.values, self.sizes = RecordedDict(self.notes), RecordedDict(self.notes)
        roots: list[m.Cell | m.Kind] = [*model.cells, *model.kinds.values()]
        self.roots = {id(root): root for root in roots}
        self.masked = {c.type.kind for c in model.cells if c.pool and isinstance(c.type, m.SetOf)}
        self.masked |= {kind for kind in model.kinds.values() if kind.identity is not None}

    # ---------------------------------------------------------------- what is revealed
    def unknown_secrets(self, found: Taint, facts: Facts) -> frozenset[Secret]:
        """Return the secrets behind a taint, without those that are public or known to the
        chooser.
        """
        out: set[Secret] = set()
        for each in found:
            if isinstance(each, Secret):
                out.add(each)
            elif isinstance(each, SizeOf):
                out |= self.sizes.find(each.var, frozenset())
            elif ("shown", ("var", id(each))) not in facts:
                out |= self.values.find(each, frozenset())
        people = self.people(
            facts
            # a player may use what they know to choose, and a choice tells nothing of itself
        )
        return frozenset(
            s
            for s in out
            if not s.is_open(facts) and (s.into is not None or not s.known_to(people, facts))
        )

    def people(self, facts: Facts) -> list[Term]:
        """Return the terms for the chooser, including all aliases."""
        out = list(self.me)
        out += [other for fact in facts for one, other in same(fact) if one in self.me]
        return out

    def value(self, expression: m.Expr | None, facts: Facts) -> frozenset[Secret]:
        """Return the secrets that the value of an expression reveals here."""
        return self.unknown_secrets(self.secrets.of(expression, facts), facts)

    def size(self, expression: m.Expr | None, facts: Facts) -> frozenset[Secret]:
        """Return the secrets that the size of a set reveals here."""
        return self.unknown_secrets(self.secrets.size(expression, facts), facts)

    def branch(self, span: Span, found: Taint, facts: Facts, asks: bool = False) -> Paths:
        secrets = frozenset(
            s for s in self.unknown_secrets(found, facts) if s.into is None or not self.me
        )
        return (SecretBranch(span, secrets, asks),) if secrets else ()

    def learn(
        self, var: m.Var, value: frozenset[Secret], size: frozenset[Secret], paths: Paths
    ) -> None:
        by_path: frozenset[Secret] = frozenset().union(
            *(branch.secrets for branch in paths if not branch.asks)
        )
        self.values[var] = self.values.get(var, frozenset()) | value | by_path
        self.sizes[var] = self.sizes.get(var, frozenset()) | size | by_path

    def choose(self, secrets: Iterable[Secret], who: Term) -> frozenset[Secret]:
        """Return the secrets that a chosen value will become, with the chooser among those who
        see them.
        """
        return frozenset(evolve(s, observers=s.observers | ({who} - {None})) for s in secrets)

    def lies(self, var: m.Var) -> bool:
        return isinstance(var.type, m.MemberOf | m.SetOf) and var.type.kind in self.masked

    # ---------------------------------------------------------------- findings
    def notice(self, place: Span, facts: Facts, paths: Paths) -> None:
        """Report every branch that leads to an observable event and depends on a secret."""
        for branch in paths:
            secrets = [s for s in branch.secrets if not s.is_open(facts)]
            first = chosen(secrets)
            if first is not None and branch.asks:
                message = (
                    f"the choice for '{first.name}', which not all players may see, decides "
                    "whether somebody has to choose here"
                )
                self.report("RK742", branch.span, message, ASK, first.into, "it is written here")
            elif first is not None:
                message = (
                    f"this condition depends on the choice for '{first.name}', which not all "
                    "players may see, but its effects are public"
                )
                self.report("RK742", branch.span, message, CHOSEN, place, "everybody sees this")
            elif secrets and branch.asks:
                message = (
                    f"{named(secrets)}, which not all players may see, decides whether somebody "
                    "has to choose here"
                )
                self.report("RK519", branch.span, message, ASK)
            elif secrets:
                message = (
                    f"this condition depends on {named(secrets)}, which not all players may see, "
                    "but its effects are public"
                )
                read = read_outside(secrets, branch.span)
                label = "it is read here" if read is not None else "everybody sees this"
                self.report("RK507", branch.span, message, KNOW, read or place, label)

    def public_value(self, expression: m.Expr, facts: Facts) -> None:
        """Report a public value that is computed from secrets."""
        self.public(self.value(expression, facts), expression.span)

    def public(self, secrets: Collection[Secret], span: Span) -> None:
        if (first := chosen(secrets)) is not None:
            message = (
                f"this value is chosen for '{first.name}', which not all players may see, but "
                "here everybody sees it"
            )
            self.report("RK741", span, message, CHOSEN, first.into, "it is written here")
        elif secrets:
            message = (
                f"this value depends on {named(secrets)}, which not all players may see, but here "
                "everybody sees it"
            )
            read = read_outside(secrets, span)
            label = "it is read here" if read is not None else ""
            self.report("RK518", span, message, KNOW, read, label)

    def shown(
        self,
        var: m.Var,
        value: m.Expr,
        facts: Facts,
        terms: Mapping[Term, Term] | None = None,
        more: Collection[Secret] = (),
    ) -> None:
        """Mask or report the secrets in a variable that players are shown.

        Args:
            terms: the callee's names for the terms of the caller.
            more: the secrets of a branch around it.
        """
        here = self.value(value, facts)
        secrets = {*here, *more}
        if self.lies(var):  # which thing it is, is masked by who may know the thing
            secrets = {s for s in secrets if s.into is not None}
        if self.destined.is_public(var):  # what the event writes where all see it, is told of there
            secrets = {s for s in secrets if s.into is None}
        is_evaluated = isinstance(value.type, m.Bool) and not isinstance(
            value, m.Read
        )  # a yes or no that is worked out is meant to be told
        outcome = is_evaluated or self.destined.is_public(var)
        masked = {s for s in secrets if s.into is not None or not outcome}
        self.mask(var, masked, terms or {})
        if not value.span.line or not (
            here or self.me or chosen(secrets) is None
        ):  # made by check, or what nobody chooses
            return
        if (first := chosen(secrets)) is not None:
            message = (
                f"'{var.name}' is chosen for '{first.name}', which not all players may see; the "
                "others are shown '?'"
            )
            self.report("RK740", value.span, message, MASKED, first.into, "it is written here")
        elif masked:
            message = (
                f"this value depends on {named(masked)}; players who may not see it are shown '?'"
            )
            self.report("RK518", value.span, message, KNOW)
        else:
            self.public(secrets, value.span)

    def mask(self, var: m.Var, secrets: Collection[Secret], terms: Mapping[Term, Term]) -> None:
        """Mask a variable for each player who may not know one of these secrets."""
        found = (
            self.world.model.masked.setdefault(var, set()) if self.reporting and secrets else set()
        )
        found |= {
            (root, renamed(s.key, dict(terms)))
            for s in secrets
            if (root := self.roots.get(s.root)) is not None
        }

    def offered(
        self, expression: m.Expr, who: Sequence[Term], facts: Facts, own: Collection[m.Var] = ()
    ) -> None:
        """Report an offer that depends on a secret of which the player who is asked may not know.

        Args:
            own: the variables that the player chooses with the offer.
        """
        before, self.me = self.me, list(who)
        people = self.people(facts)
        found = self.unknown_secrets(
            frozenset(each for each in self.secrets.of(expression, facts) if each not in own), facts
        )
        secrets = [s for s in found if s.into is None or not s.known_to(people, facts)]
        self.me = before
        if secrets:
            message = (
                f"these options depend on {named(secrets)}, which the deciding player may not see"
            )
            read = read_outside(secrets, expression.span)
            self.report("RK519", expression.span, message, OFFER, read, "it is read here")

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        help: str,
        second: Span | None = None,
        label: str = "",
    ) -> None:
        if self.reporting:
            self.found.setdefault(span, (code, message, help, second, label))

    def tell(self) -> None:
        """Send the findings to the sink."""
        for span, (code, message, help, second, label) in self.found.items():
            if code == "RK507":
                self.world.sink.error(code, span, message, help, second=second, second_label=label)
            else:
                places = (
                    [each for each, other in self.found.items() if other[0] == "RK519"]
                    if code == "RK519"
                    else []
                )
                follows = second is not None and any(each.holds(second) for each in places)
                self.world.sink.add(
                    Diagnostic(code, message, span, help, "", "warning", "", second, label, follows)
                )


def chosen(secrets: Collection[Secret]) -> Secret | None:
    """Return the first by name if all of these secrets are chosen values, otherwise None."""
    return (
        min(secrets, key=lambda s: s.name)
        if secrets and all(s.into is not None for s in secrets)
        else None
    )


def read_outside(secrets: Iterable[Secret], span: Span) -> Span | None:
    """Return the first place outside of a finding where one of its secrets is read, such as a
    clause of a total.
    """
    places = (secret.at for secret in secrets if secret.at.line and not span.holds(secret.at))
    return min(places, key=str, default=None)


def named(secrets: Iterable[Secret]) -> str:
    return " and ".join(f"'{name}'" for name in sorted({s.name for s in secrets}))


def may_skip(stmt: m.Stmt) -> bool:
    """Return True if the rest of the block may be skipped because there is nothing to choose
    from.
    """
    if isinstance(stmt, m.Choose):
        return not any(not option.clauses and not option.params for option in stmt.options)
    return isinstance(stmt, m.Pick | m.PickGroup) and not stmt.or_none and not stmt.sure


def is_observable(stmt: m.Stmt) -> bool:
    """Return True if others observe this statement. Local variables and writes to secret cells
    are not observable.
    """
    if isinstance(stmt, QUIET):
        return isinstance(stmt, m.Each) and stmt.ties is not None
    return not isinstance(stmt, m.SetCell) or not (stmt.cell.hidden or is_secret(stmt.cell.seen))
