"""The tables for name resolution: `CheckState` for a whole game, `Scope` for one place in its
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, evolve, field, fields

from rulekit.common.diagnostics.diagnostic import Sink, guess
from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.resolve.limits import DEPTH, MEMBERS, Constant, Unbounded
from rulekit.compiler.semantics.values import Env, NotConstant
from rulekit.compiler.source.game_source import GameSource
from rulekit.compiler.syntax import ast as t


class Bad(m.Type):
    """The type of an expression with an error that was already reported."""


BAD = Bad()
BOOL = m.Bool()
FLEX = "*"  # the unit of a literal: it takes the unit of its neighbour


@define(eq=False)
class Symbol:
    """A name of the game.

    Attributes:
        what: define, total, permit, table, cell, fixed, pool, event, moment, menu, procedure,
            option or movement.
    """

    what: str
    name: str
    decl: t.Decl
    obj: Any = None
    params: list[m.Var] = field(factory=list)
    context: m.Procedure | None = None
    layer: int = 0

    @property
    def span(self) -> Span:
        return self.decl.span


@define(eq=False)
class AttributeSubject:
    """The subject of attributes without a base: the element of a filter, the subject of `is`, or
    the owner of an attribute.
    """

    kind: m.Kind
    expr: m.Expr


@define(eq=False)
class CheckState:
    """The state of the check of one game."""

    source: GameSource
    sink: Sink
    model: m.Model
    symbols: dict[str, Symbol] = field(factory=dict)
    # names of contexts: procedures, options, events, moments, movements
    frames: dict[str, m.Procedure] = field(factory=dict)
    visible: dict[m.Procedure, dict[str, m.Var]] = field(
        factory=dict
    )  # parameters and fields of a frame
    borders: dict[m.Kind, m.Kind] = field(
        factory=dict
    )  # kind of place -> kind of border that joins it
    grids: dict[m.Kind, tuple[int, int]] = field(factory=dict)
    synthetic: dict[Any, m.Fixed] = field(factory=dict)
    member_names: dict[m.Kind, dict[str, int]] = field(factory=dict)
    listed: dict[m.Kind, set[str]] = field(factory=dict)  # members that the rules name
    overfull: set[m.Kind] = field(factory=set)  # kinds reported for too many members
    moment_parts: dict[str, list[str]] = field(
        factory=dict
    )  # group -> plain moments (itself for a plain one)
    moment_scope: dict[str, m.Procedure] = field(factory=dict)
    pending: dict[m.Define, Callable[[], None]] = field(
        factory=dict
    )  # defines whose body is not typed yet
    settling: list[m.Define] = field(factory=list)
    menus_used: set[str] = field(factory=set)
    hiding: dict[Span, tuple[m.Var, m.Var | Symbol]] = field(
        factory=dict
    )  # names that hide others, where they are given
    limits: dict[tuple[str, str], m.Cell] = field(factory=dict)
    standing: list[tuple[m.Procedure | None, m.GuardedOption]] = field(factory=list)
    waiting: list[m.AppliesTo] = field(
        factory=list
    )  # `applies` whose clause is looked up when all clauses are there
    fixed_values: Constant = field(factory=Constant)  # works out what is fixed
    unsure: set[str] = field(
        factory=set
    )  # names of rolls that have a guard: they have no value outside of it
    values: int = 0  # of all families so far
    statements: int = 0  # of all procedures so far

    def settle(self, define: m.Define, node: t.NodeSyntax | None = None) -> None:
        """Type the body of a define now, because its type is needed.

        Args:
            node: the expression that needs it.
        """
        work = self.pending.pop(define, None)
        if work is not None and len(self.settling) >= DEPTH:
            self.error(
                "RK511",
                define.span,
                f"'{self.settling[0].name}' needs more than {DEPTH} definitions inside each other",
                "write some of them directly where they are used, or use a table",
            )
        elif work is not None:
            self.settling.append(define)
            work()
            self.settling.pop()
        elif define in self.settling and isinstance(define.type, Bad):
            names = " -> ".join(d.name for d in self.settling[self.settling.index(define) :])
            self.sink.error(
                "RK501",
                node.span if node is not None else define.span,
                f"'{define.name}' is defined by itself: {names} -> {define.name}",
                "remove one of the references, or keep the value in a state",
                second=define.span,
                second_label="the cycle begins here",
            )

    def constant_value(self, made: m.Expr, env: Env, node: t.NodeSyntax, what: str) -> int | None:
        """Return the value of a typed expression over constants, or None after reporting why it has
        none.
        """
        try:
            return int(self.fixed_values.eval(made, env))
        except NotConstant:
            self.error(
                "RK401",
                node,
                f"{what} must be constant: it may not read state, dice or rulings",
                "use 'define' for a value that changes in play",
            )
        except RulesError as why:
            self.error("RK408", node, f"{what} cannot be computed: {why}")
        except (Unbounded, RecursionError) as why:
            self.error(
                "RK408",
                node,
                f"{what}"
                f" {why if isinstance(why, Unbounded) else 'needs too many nested definitions'}",
            )
        return None

    @property
    def kinds(self) -> dict[str, m.Kind]:
        return self.model.kinds

    def error(
        self, code: str, node: t.NodeSyntax | Span, message: str, help: str = "", label: str = ""
    ) -> None:
        self.sink.error(code, node if isinstance(node, Span) else node.span, message, help, label)

    def member(self, kind: m.Kind, name: str) -> int | None:
        """Return the ordinal of the member for a name: its id, or a last dotted part that only one
        member has.
        """
        index = self.member_names.get(kind)
        if index is None or len(index) < len(kind.members):
            index = {}
            seen: dict[str, int] = {}
            for i, full in enumerate(kind.members):
                last = full.rsplit(".", 1)[-1]
                seen[last] = -2 if last in seen else i
            index.update({k: i for k, i in seen.items() if i >= 0})
            index.update({full: i for i, full in enumerate(kind.members)})
            self.member_names[kind] = index
        return index.get(name)

    def add_member(self, kind: m.Kind, name: str, node: t.NodeSyntax) -> None:
        """Add a member that the rules name, unless it exists or there are too many."""
        index = self.listed.get(kind)
        if index is None:
            index = self.listed[kind] = set(kind.members)
        if name in index:
            self.error(
                "RK303",
                node,
                f"{kind.name} has the member '{name}' twice",
                "remove one of the two members",
            )
        elif len(kind.members) >= MEMBERS:
            self.too_many(kind, node)
        else:
            index.add(name)
            kind.members.append(name)

    def too_many(self, kind: m.Kind, node: t.NodeSyntax | Span) -> None:
        """Report a kind with too many members, once for each kind."""
        if kind not in self.overfull:
            self.overfull.add(kind)
            self.error(
                "RK407",
                node,
                f"{kind.name} has more than {MEMBERS:,} members",
                "use fewer members, or a range of numbers",
            )

    def kinds_with(self, name: str) -> list[m.Kind]:
        """Return the kinds with a member of this name.

        Kinds of the language count only if no kind of the game has such a member.
        """
        having = [k for k in self.kinds.values() if self.member(k, name) is not None]
        return [k for k in having if not k.own] or having

    def known_names(self, scope: Scope) -> Iterator[str]:
        yield from scope.locals
        if scope.element:
            yield from attributes(scope.element.kind)
        for proc in scope.contexts:
            yield from self.visible.get(proc, {})
        yield from self.symbols
        yield from self.kinds
        for kind in self.kinds.values():
            yield from kind.members

    def unknown(
        self, node: t.NodeSyntax, name: str, scope: Scope, want: m.Type | None = None
    ) -> None:
        help = (
            f"the 'roll {name}' above has a condition: write 'if', and move all that needs"
            f" '{name}' into its block"
            if name in self.unsure
            else ""
        )
        help = help or guess(name, self.known_names(scope))
        if isinstance(want, (m.MemberOf, m.SetOf)) and not want.kind.members:
            help = help or f"{want.kind.name} has no members; {how_to_give(want.kind.name)}"
        self.error("RK301", node, f"unknown name '{name}'", help)


def how_to_give(kind: str) -> str:
    """Return a help text on how a kind gets members."""
    return (
        f"write 'members {kind} = a | b' in the rules, or 'kind: {kind}' with 'members' in the data"
    )


def own_kinds(kinds: dict[str, m.Kind]) -> list[str]:
    """Return the names of the kinds of the game itself, without those of the language."""
    return [name for name, kind in kinds.items() if not kind.own]


def attributes(kind: m.Kind) -> Iterator[str]:
    yield from kind.fixed
    yield from kind.cells
    yield from kind.defines


@define(eq=False)
class Scope:
    """The context of an expression or statement.

    Attributes:
        proc: the procedure whose frame holds new variables (None: pure code).
        known: expressions known here not to be none, and sets known not to be empty.
    """

    world: CheckState
    locals: dict[str, m.Var] = field(factory=dict)
    element: AttributeSubject | None = None
    contexts: tuple[m.Procedure, ...] = ()
    proc: m.Procedure | None = None
    known: frozenset[t.ExprSyntax] = frozenset()
    loops: int = 0
    tested: m.Kind | None = (
        None  # of whose elements `has`, `only` or `all` said something just before an `and` or `or`
    )
    choosing: str = ""  # the variable whose set this is: it has no value yet
    chosen: t.ExprSyntax | None = None  # this set, while its elements are not named
    candidate: m.Var | None = None  # in the filter of this set: its element
    event: bool = False  # in the body of an event
    member: bool = False  # in the block of a member
    answer: m.Var | None = None  # what `answer E` sets
    stop: m.Var | None = None  # what `answer stop` sets
    redo: bool = False  # may a roll be cancelled by `answer redo`?
    own: set[str] = field(factory=set)  # the names that were given in this very block

    def inner(self, **changes: Any) -> Scope:
        changes.setdefault("locals", dict(self.locals))
        changes.setdefault("own", set())
        return evolve(self, **changes)

    def with_facts(self, facts: frozenset[t.ExprSyntax]) -> Scope:
        return (
            self
            if facts <= self.known
            else evolve(self, locals=self.locals, known=self.known | facts)
        )

    def forgetting(self, node: t.ExprSyntax) -> Scope:
        """Return a scope for testing whether an expression is none. Only the facts about the whole
        expression are removed, not those about its parts.
        """
        return self.inner(known=self.known - {node})

    def how_to_know(self, name: str, proc: str) -> str:
        """Return a help text on how the code here can access a parameter, a field or another
        declaration of a procedure.
        """
        if self.event:
            return (
                "an event is not part of a procedure: pass it as a parameter, or keep it in a"
                f" 'state ... per {proc}'"
            )
        if self.member:
            return (
                "the block of a member can read only the parameters of its slots and state: keep"
                f" '{name}' in a 'state ... per {proc}', or pass the value to the slot"
            )
        return f"declare this 'in {proc}', or pass it as a parameter"

    def context_var(self, name: str) -> m.Var | None:
        for proc in self.contexts:
            var = self.world.visible.get(proc, {}).get(name)
            if var is not None:
                return var
        return None

    def hides(self, var: m.Var) -> None:
        """Record that a variable has the name of an outer variable, or of a state or value of the
        game.
        """
        outer, symbol = self.locals.get(var.name), self.world.symbols.get(var.name)
        if var.span.line and outer is not None:
            self.world.hiding[var.span] = (var, outer)
        elif var.span.line and symbol is not None and symbol.what in ("cell", "pool", "fixed"):
            self.world.hiding[var.span] = (var, symbol)

    def bind(self, name: str, type: m.Type, span: Span = NOWHERE) -> m.Var:
        """Add a variable to this scope. It belongs to the frame of the procedure, or to no frame in
        pure code.
        """
        var = m.Var(name, type, None if self.event else self.proc, span=span)
        if name not in self.own:  # a later local may take over the name of one in its own block
            self.hides(var)
        self.own.add(name)
        self.locals[name] = var
        self.known = frozenset(
            fact for fact in self.known if name not in bare(fact)
        )  # what was known of an earlier one of this name
        if var.frame is not None:
            var.frame.vars.append(var)
        return var


def bare(node: t.NodeSyntax) -> set[str]:
    """Return the names in an expression that could mean an attribute of an element."""
    if isinstance(node, t.Name):
        return {node.id}
    if isinstance(node, t.WordSyntax):
        return {node.word}
    parts = [getattr(node, f.name) for f in fields(type(node)) if f.name not in ("span", "name")]
    flat = [x for part in parts for x in (part if isinstance(part, tuple) else (part,))]
    return {name for part in flat if isinstance(part, t.NodeSyntax) for name in bare(part)}


def mentioned(node: t.NodeSyntax) -> set[str]:
    """Return the names in an expression, and the attributes that it reads."""
    out, todo = set[str](), [node]
    while todo:
        now = todo.pop()
        if isinstance(now, t.Name):
            out.add(now.id)
        if isinstance(now, t.Attr):
            out.add(now.name)
        parts = [getattr(now, f.name) for f in fields(type(now)) if f.name != "span"]
        todo += [
            x
            for part in parts
            for x in (part if isinstance(part, tuple) else (part,))
            if isinstance(x, t.NodeSyntax)
        ]
    return out


def context_chain(proc: m.Procedure | None) -> tuple[m.Procedure, ...]:
    """Return a procedure and all that must be running around it, innermost first."""
    chain: list[m.Procedure] = []
    while proc is not None and proc not in chain:
        chain.append(proc)
        proc = proc.context
    return tuple(chain)


def is_none(node: t.ExprSyntax) -> bool:
    return isinstance(node, t.WordSyntax) and node.word == "none"


def show(type: m.Type) -> str:
    """Return a type in the words of the author."""
    if isinstance(type, m.Bool):
        return "a condition"
    if isinstance(type, m.Int):
        return f"a number of {type.unit}" if type.unit and type.unit != FLEX else "a number"
    if isinstance(type, m.MemberOf):
        return f"a {type.kind.name}" + (" or none" if type.optional else "")
    if isinstance(type, m.SetOf):
        return f"a set of {type.kind.name}"
    if isinstance(type, m.RatioT):
        return "a ratio"
    if isinstance(type, m.Record):
        return (
            "the results of a table"
            f" ({', '.join(f'{name}: {_ranged(each)}' for name, each in type.fields)})"
        )
    return "something unknown"


def _ranged(type: m.Type) -> str:
    """Return a type in the words of the author, and for a number also its range."""
    return (
        f"{show(type)} {type.low}..{type.high}"
        if isinstance(type, m.Int) and type.low is not None
        else show(type)
    )
