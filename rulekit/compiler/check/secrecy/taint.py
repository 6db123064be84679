"""The taint of expressions: the secret cells and hidden identities that a value reveals.

The taint of a declaration is computed once, in terms of its parameters. Each call substitutes its
arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, field, frozen

from rulekit.common.diagnostics.span import NOWHERE, Span
from rulekit.compiler import model as m
from rulekit.compiler.check.secrecy.facts import (
    Term,
    bindings,
    element_facts,
    equal,
    facts_of,
    fill,
    holds,
    made,
    same,
    term,
    variables,
    ways,
)
from rulekit.compiler.model.visitor import asked, children, definition_nodes, nodes, subexpressions

Taint = frozenset[
    "Secret | m.Var | SizeOf"
]  # a variable stands for what it reveals where it is read
NOTHING: Taint = frozenset()


@frozen
class SizeOf:
    """The taint of the size of a set variable, or of its emptiness. It reveals less than the
    elements.
    """

    var: m.Var


@frozen
class Secret:
    """A value that not all may see.

    Attributes:
        root: the cell, or the kind of things whose identity is hidden.
        key: the key of the cell, such as a thing or a player.
        observers: the players who may see it.
        opens: conditions, each of which makes it public.
        kind: the kind of things that it is about.
        times: players who may see it while a condition holds.
        where: the facts that hold in the declaration that reads it.
        into: for a chosen value, the later write into the cell.
        at: the place where it is read.
    """

    name: str = field(eq=False)
    root: int
    key: Term
    observers: frozenset[Term]
    opens: frozenset[Term]
    kind: m.Kind | None = field(eq=False)
    times: frozenset[Term] = frozenset()
    where: frozenset[Term] = frozenset()
    into: Span | None = None
    at: Span = field(default=NOWHERE, eq=False)

    def filled(self, terms: dict[int, Term]) -> Secret:
        """Return the secret with terms substituted for variables."""
        observers, opens, times, where = (
            frozenset(fill(each, terms) for each in some) - {None}
            for some in (self.observers, self.opens, self.times, self.where)
        )
        return evolve(
            self,
            key=fill(self.key, terms),
            observers=observers,
            opens=opens,
            times=times,
            where=where,
        )

    def seen_where(self, facts: frozenset[Term]) -> Secret:
        """Return the secret with the aliases that these facts give to its observers."""
        known = facts | self.where
        observers = self.observers | {
            each[2] for each in self.times if each is not None and holds(each[1], known)
        }
        observers |= {other for fact in known for one, other in same(fact) if one in observers}
        return self if observers == self.observers else evolve(self, observers=observers)

    def revealed(self) -> Term:
        """Return the fact that this secret was made public."""
        return ("revealed", self.root, self.key)

    def is_open(self, facts: frozenset[Term]) -> bool:
        """Return True if the secret is public where these facts hold."""
        known = facts | self.where if self.where else facts
        return any(holds(fact, known) for fact in (*self.opens, self.revealed()))

    def known_to(self, people: Iterable[Term], facts: frozenset[Term]) -> bool:
        """Return True if one of these players may see it."""
        observers = self.seen_where(facts).observers
        return any(p in observers or any(equal(p, v) in facts for v in observers) for p in people)


# ------------------------------------------------------------------------------------------------ w
class Secrets:
    """The taint of the expressions of one game."""

    def __init__(self) -> None:
        # by declaration: itself, what its value reveals, what its size reveals
        self._declared: dict[int, tuple[object, Taint, Taint]] = {}
        self._public: dict[int, frozenset[int]] = {}
        self._plain: dict[
            int, tuple[object, Taint | None]
        ] = {}  # by expression or declaration, see `plain`
        self._declaring = 0  # how many declarations are being worked out

    def plain(self, expression: m.Node) -> Taint | None:
        """Return the variables that an expression or declaration reads, or None if it reads a
        secret.
        """
        if id(expression) in self._plain:
            return self._plain[id(expression)][1]
        self._plain[id(expression)] = (expression, NOTHING)
        found: Taint | None = (
            frozenset({expression.var}) if isinstance(expression, m.Read) else NOTHING
        )
        if self._here(expression):
            found = None
        elif (held := _held(expression)) is not None:
            found = frozenset({SizeOf(held)})
        elif not isinstance(expression, m.CouldBeIn):
            for part in (
                *(
                    children(expression)
                    if isinstance(expression, m.Expr)
                    else _expressions(definition_nodes(expression))
                ),
                *asked(expression),
            ):
                inside = self.plain(part)
                found = None if inside is None or found is None else found | inside
        self._plain[id(expression)] = (expression, found)
        return found

    def _here(self, expression: m.Node) -> bool:
        """Return True if this node itself, apart from its parts, may read a secret."""
        if isinstance(expression, m.ReadCell):
            return is_secret(expression.cell.seen) or any(
                _hidden(key) is not None for key in expression.keys
            )
        if isinstance(expression, m.ReadFixed):
            return any(_hidden(key) is not None for key in expression.keys)
        if isinstance(expression, m.Compare):
            return _hidden(expression.left) is not None
        return isinstance(expression, m.In) and _hidden(expression.item) is not None

    def of(self, expression: m.Expr | None, facts: frozenset[Term] = frozenset()) -> Taint:
        """Return the taint of the value of an expression where these facts hold."""
        if expression is None or isinstance(expression, (m.Const, m.CouldBeIn)):
            return NOTHING
        if (plain := self.plain(expression)) is not None:
            return plain
        if isinstance(expression, m.Count | m.IsNone):
            return self.size(
                expression.source if isinstance(expression, m.Count) else expression.value, facts
            )
        if isinstance(expression, m.And):
            return self._and(expression, facts)
        if isinstance(expression, m.If):
            return (
                self.of(expression.cond, facts)
                | self.of(expression.then, facts | facts_of(expression.cond))
                | self.of(expression.other, facts | facts_of(expression.cond, False))
            )
        found: set[Secret | m.Var | SizeOf] = set()
        if isinstance(expression, m.ReadCell):
            found |= self._cell(expression, facts)
        elif isinstance(expression, m.ReadFixed):
            found |= self._fixed(expression, facts)
        elif isinstance(expression, (m.Compare, m.In)):
            found |= self._named(expression, facts)
        for target in asked(expression):
            found |= self._called(target, expression, facts)[0]
        elements = self._elements(expression)
        for part in subexpressions(expression):
            found |= self.of(part, facts | elements)
        return frozenset(found)

    def size(self, expression: m.Expr | None, facts: frozenset[Term] = frozenset()) -> Taint:
        """Return the taint of the number of elements of a set.

        The size of a pool is public, because everybody sees things enter and leave it.
        """
        if isinstance(expression, m.Read):
            return frozenset({SizeOf(expression.var)})
        if isinstance(expression, m.FirstBy):
            return self.size(expression.source, facts)
        if isinstance(expression, m.ReadCell) and expression.cell.pool:
            return frozenset().union(*(self.of(key, facts) for key in expression.keys))
        if isinstance(expression, m.CallDefine):
            return self._called(expression.target, expression, facts)[1].union(
                *(self.of(arg, facts) for arg in expression.args)
            )
        if isinstance(expression, m.If):
            return (
                self.of(expression.cond, facts)
                | self.size(expression.then, facts)
                | self.size(expression.other, facts)
            )
        return self.of(expression, facts)

    def _and(self, expression: m.And, facts: frozenset[Term]) -> Taint:
        found: Taint = NOTHING
        for item in expression.items:
            found |= self.of(item, facts)
            facts |= facts_of(item)
        return found

    @staticmethod
    def _elements(expression: m.Expr) -> frozenset[Term]:
        """Return the facts about the variable that an expression binds."""
        return (
            element_facts(expression.source, ("var", id(expression.var)))
            if isinstance(expression, m.Over)
            else frozenset()
        )

    def _called(
        self, target: m.Node, expression: m.Expr, facts: frozenset[Term]
    ) -> tuple[Taint, Taint]:
        """Return the taints of the value and the size of a declaration, with the arguments of a
        call substituted. The taint of the arguments themselves is left out.
        """
        params, args = _arguments(target, expression)
        filled = bindings(params, args)
        own = {*map(id, params)}

        def there(taint: Taint) -> Taint:
            secrets = (x.filled(filled).seen_where(facts) for x in taint if isinstance(x, Secret))
            given = {
                x
                for x in taint
                if not isinstance(x, Secret)
                and id(x.var if isinstance(x, SizeOf) else x) not in own
            }
            return frozenset(self._known(x, facts) for x in secrets if not x.is_open(facts)) | given

        _, value, size = self._declaration(target)
        return there(value), there(size)

    def _declaration(self, target: m.Node) -> tuple[object, Taint, Taint]:
        known = self._declared.get(id(target))
        if known is None:
            self._declared[id(target)] = (target, NOTHING, NOTHING)
            value: Taint = NOTHING
            size: Taint = NOTHING
            self._declaring += 1
            for each in _bodies(target):
                value |= self.of(each)
                size |= self.size(each)
            self._declaring -= 1
            known = self._declared[id(target)] = (target, value, size)
        return known

    def _kept(self, secret: Secret, facts: frozenset[Term]) -> Taint:
        return NOTHING if secret.is_open(facts) else frozenset({self._known(secret, facts)})

    def _known(self, secret: Secret, facts: frozenset[Term]) -> Secret:
        """Inside a declaration, attach the facts at the place of the read, which the caller does
        not know.
        """
        if not self._declaring or not facts:
            return secret
        things = set(variables(secret.key))
        return evolve(
            secret, where=secret.where | {f for f in facts if not things.isdisjoint(variables(f))}
        )

    # ---------------------------------------------------------------- where secrets are
    def _cell(self, expression: m.ReadCell, facts: frozenset[Term]) -> Taint:
        if expression.cell.hidden:
            return NOTHING
        if is_secret(expression.cell.seen):
            return self._kept(
                secret_of(expression.cell, expression.keys, facts, expression.span), facts
            )
        named = next((key for key in expression.keys if is_named(key) and _hidden(key)), None)
        return self._identity(named, expression.cell.name, facts) if named is not None else NOTHING

    def _fixed(self, expression: m.ReadFixed, facts: frozenset[Term]) -> Taint:
        """Return the taint of a constant attribute: it reveals the identity of a thing unless it
        is public.
        """
        found: Taint = NOTHING
        for key in expression.keys:
            kind = _hidden(key)
            if (
                kind is not None
                and not is_named(key)
                and id(expression.fixed) not in self.public(kind)
            ):
                found |= self._identity(key, expression.fixed.name, facts)
        return found

    def _named(self, expression: m.Compare | m.In, facts: frozenset[Term]) -> Taint:
        """Return the taint of a comparison between a hidden thing and a named one."""
        left, right = (
            (expression.left, expression.right)
            if isinstance(expression, m.Compare)
            else (expression.item, expression.source)
        )
        kind = _hidden(left)
        if (
            kind is None
            or is_named(left) == is_named(right)
            or _all_or_none(left)
            or _all_or_none(right)
        ):
            return NOTHING
        return self._identity(right if is_named(left) else left, kind.name, facts)

    def _identity(self, thing: m.Expr, name: str, facts: frozenset[Term]) -> Taint:
        kind = _hidden(thing)
        if kind is None or kind.identity is None:
            return NOTHING
        key = term(thing)
        filled = [dict(zip(map(id, seen.vars), [key], strict=False)) for seen in kind.identity]
        return self._kept(
            _secret(name, kind, made("keys", key), kind.identity, filled, kind, facts, thing.span),
            facts,
        )

    def public(self, kind: m.Kind) -> frozenset[int]:
        """Return the constant attributes of a kind with hidden identities that everybody knows.

        These are the attributes that decide who may know a thing, and those that follow from them.
        """
        known = self._public.get(id(kind))
        if known is None:
            conditions = [
                e
                for seen in kind.identity or ()
                for e in (seen.who, seen.when)
                if isinstance(e, m.Expr)
            ]
            asked = {id(node.fixed) for node in nodes(conditions) if isinstance(node, m.ReadFixed)}
            own = [
                f for f in kind.fixed.values() if len(f.keys) == 1 and len(f.values) == kind.size
            ]
            given = [tuple(f.values[i] for f in own if id(f) in asked) for i in range(kind.size)]
            follows = {
                id(f) for f in own if len(set(zip(given, f.values, strict=True))) == len(set(given))
            }
            known = self._public[id(kind)] = frozenset(asked | follows)
        return known


def secret_of(
    cell: m.Cell, keys: Sequence[m.Expr], facts: frozenset[Term] = frozenset(), at: Span = NOWHERE
) -> Secret:
    """Return the secret behind one key of a secret cell."""
    terms = [term(key) for key in keys]
    filled = [dict(zip(map(id, seen.vars), terms, strict=False)) for seen in cell.seen]
    kind = cell.type.kind if cell.pool and isinstance(cell.type, m.SetOf) else cell.owner
    return _secret(cell.name, cell, made("keys", *terms), cell.seen, filled, kind, facts, at)


def _secret(
    name: str,
    root: m.Cell | m.Kind,
    key: Term,
    seen: Sequence[m.Seen],
    filled: Sequence[dict[int, Term]],
    kind: m.Kind | None,
    facts: frozenset[Term],
    at: Span,
) -> Secret:
    """Build a secret with everybody who may see it, including the aliases that the facts give."""
    observers, opens, times = set[Term](), set[Term](), set[Term]()
    for each, terms in zip(seen, filled, strict=True):
        if isinstance(each.who, m.Expr) and each.when is None:
            observers.add(fill(term(each.who), terms))
        elif isinstance(each.who, m.Expr) and each.when is not None:
            times |= {fill(made("if", way, term(each.who)), terms) for way in ways(each.when)}
        elif each.who == "all" and each.when is not None:
            opens |= {fill(way, terms) for way in ways(each.when)}
    who, when, at_times = (frozenset(some - {None}) for some in (observers, opens, times))
    return Secret(name, id(root), key, who, when, kind, at_times, at=at).seen_where(facts)


def is_secret(seen: Sequence[m.Seen]) -> bool:
    """Return True if somebody may not know it, at least at times."""
    return bool(seen) and not any(each.who == "all" and each.when is None for each in seen)


def is_named(expression: m.Expr) -> bool:
    """Return True if an expression names a thing directly or through data, not by where it lies."""
    if isinstance(expression, m.Const):
        return True
    if isinstance(expression, (m.ReadFixed, m.MakeSet, m.If, m.OrElse, m.The, m.SetOp)):
        return all(
            is_named(part)
            for part in subexpressions(expression)
            if isinstance(part.type, (m.MemberOf, m.SetOf))
        )
    return False


def _held(expression: m.Node) -> m.Var | None:
    """Return the variable of which only the size or the emptiness is asked."""
    inside = (
        expression.source
        if isinstance(expression, m.Count)
        else expression.value
        if isinstance(expression, m.IsNone)
        else None
    )
    return inside.var if isinstance(inside, m.Read) else None


def _all_or_none(expression: m.Expr) -> bool:
    whole = expression.type.kind.all if isinstance(expression.type, m.SetOf) else -1
    return isinstance(expression, m.Const) and expression.value in (
        whole,
        -1 if isinstance(expression.type, m.MemberOf) else 0,
    )


def _hidden(expression: m.Expr) -> m.Kind | None:
    """Return the kind of a value if the identities of its members are hidden."""
    kind = expression.type.kind if isinstance(expression.type, (m.MemberOf, m.SetOf)) else None
    return (
        kind
        if kind is not None and kind.identity is not None and is_secret(kind.identity)
        else None
    )


def _bodies(target: m.Node) -> list[m.Expr]:
    """Return the expressions that make up the value of a declaration."""
    if isinstance(target, m.Define) and len(target.cases) == 1:
        return [target.cases[0][1]]
    return list(_expressions(definition_nodes(target)))


def _expressions(some: Iterable[m.Node]) -> Iterator[m.Expr]:
    """Yield the outermost expressions in these nodes."""
    for each in some:
        if isinstance(each, m.Expr):
            yield each
        else:
            yield from _expressions(children(each))


def _arguments(target: m.Node, expression: m.Expr) -> tuple[Sequence[m.Var], Sequence[m.Expr]]:
    args: Sequence[m.Expr] = getattr(expression, "args", ())
    if isinstance(target, m.Movement):
        return target.proc.params, args
    if isinstance(expression, m.AppliesTo):
        return expression.target.params, args
    return getattr(target, "params", ()), args
