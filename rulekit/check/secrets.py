"""Takes expressions of the model, makes what their values tell of what not all may see: cells, and which of its kind a
hidden thing is.

A `Term` is an expression as a plain tree, so that two of them can be compared: `b.owner` here and `b.owner` there. What
a declaration tells is worked out once, in terms of its parameters, and filled in at each call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from rulekit.check import model as m
from rulekit.check.walker import inner, nodes, parts, targets

Term = tuple[Any, ...] | None  # None: an expression that is not compared
ANY: Term = ("any",)  # in a term: whatever stands there
_DEEP = 6  # how deep a term may be
Told = frozenset["Secret | m.Var | SizeOf"]  # a variable stands for what it tells where it is read
NOTHING: Told = frozenset()


@frozen
class SizeOf:
    """What it tells how many things a variable holds, or whether there is one: less than which they are."""

    var: m.Var


@frozen
class Secret:
    """A value that not all may see. `root`: the cell, or the kind of things whose identity is hidden; `key`: of which
    thing, player ...; `viewers`: who may see it; `opens`: each of these conditions would make it public; `kind`: the
    things that it says something about."""

    name: str = field(eq=False)
    root: int
    key: Term
    viewers: frozenset[Term]
    opens: frozenset[Term]
    kind: m.Kind | None = field(eq=False)

    def filled(self, terms: dict[int, Term]) -> Secret:
        """With terms in place of variables."""
        return Secret(self.name, self.root, fill(self.key, terms), frozenset(fill(v, terms) for v in self.viewers),
                      frozenset(fill(o, terms) for o in self.opens), self.kind)

    def seen_where(self, facts: frozenset[Term]) -> Secret:
        """With those who may see it under the other names that facts give them."""
        others = {other for fact in facts for one, other in same(fact) if one in self.viewers}
        return self if others <= self.viewers else evolve(self, viewers=self.viewers | others)

    def told(self) -> Term:
        """The fact that it was made known."""
        return ("told", self.root, self.key)

    def is_open(self, facts: frozenset[Term]) -> bool:
        """Is it public where these facts hold?"""
        return any(fact in facts or general(fact) in facts for fact in (*self.opens, self.told()))

    def known_to(self, people: Iterable[Term], facts: frozenset[Term]) -> bool:
        """May one of these see it?"""
        return any(p in self.viewers or any(equal(p, v) in facts for v in self.viewers) for p in people)


# ------------------------------------------------------------------------------------------------ terms
def term(e: m.Expr) -> Term:
    """An expression as a tree that can be compared."""
    if isinstance(e, m.Const):
        return ("const", e.value)
    if isinstance(e, m.Read):
        return ("var", id(e.var))
    if isinstance(e, (m.ReadFixed, m.ReadCell)):
        read = e.fixed if isinstance(e, m.ReadFixed) else e.cell
        return _made("read", id(read), *[term(k) for k in e.keys])
    if isinstance(e, m.The):
        return term(e.source)
    if isinstance(e, m.Compare) and e.op == "=":
        return equal(term(e.left), term(e.right))
    if isinstance(e, m.Not):
        return _made("not", term(e.value))
    if isinstance(e, m.In):
        return _made("in", term(e.item), term(e.source))
    if isinstance(e, m.CallDefine) and len(e.define.cases) == 1:
        opened: Term = fill(term(e.define.cases[0][1]), bindings(e.define.params, e.args))
        return opened
    return None


def equal(a: Term, b: Term) -> Term:
    """The fact that two values are equal."""
    return None if a is None or b is None else _made("=", *sorted((a, b), key=repr))


def same(fact: Term) -> tuple[tuple[Term, Term], ...]:
    """The two values that a fact says to be equal, both ways round."""
    return ((fact[1], fact[2]), (fact[2], fact[1])) if fact is not None and fact[0] == "=" else ()


def _made(word: str, *parts: Any) -> Term:
    made = (word, *parts)
    return None if None in parts or _depth(made) > _DEEP else made


def _depth(part: Any) -> int:
    return 1 + max(map(_depth, part), default=0) if isinstance(part, tuple) else 0


def fill(part: Any, terms: dict[int, Term]) -> Any:
    """A term with terms in place of variables; None where one of them is none."""
    if not isinstance(part, tuple):
        return part
    if part[0] == "var":
        return terms.get(part[1], part)
    return _made(part[0], *[fill(each, terms) for each in part[1:]])


def general(part: Any, of: int | None = None) -> Any:
    """A term with `ANY` in place of a variable, or of all variables and constants."""
    if not isinstance(part, tuple):
        return part
    if (part[0] == "var" and of in (None, part[1])) or (part[0] == "const" and of is None):
        return ANY
    return tuple(general(each, of) for each in part)


def mentions(part: Any, number: int) -> bool:
    """Does this variable, cell or fixed value stand in a term?"""
    return any(mentions(each, number) for each in part) if isinstance(part, tuple) else part == number


def leaves(part: Any) -> Iterator[Any]:
    """Whatever stands in a term."""
    for each in part:
        if isinstance(each, tuple):
            yield from leaves(each)
        else:
            yield each


def bindings(params: Sequence[m.Var], args: Sequence[m.Expr]) -> dict[int, Term]:
    """The parameters of a call as terms."""
    return {id(p): term(a) for p, a in zip(params, args, strict=False)}


def facts_of(cond: m.Expr | None, holds: bool = True) -> frozenset[Term]:
    """What is known where a condition holds, or does not."""
    if cond is None:
        return frozenset()
    if isinstance(cond, m.Not):
        return facts_of(cond.value, not holds)
    if isinstance(cond, m.And if holds else m.Or):
        return frozenset().union(*(facts_of(each, holds) for each in cond.items))
    if isinstance(cond, m.CallDefine) and len(cond.define.cases) == 1:
        filled = bindings(cond.define.params, cond.args)
        return frozenset(fill(f, filled) for f in facts_of(cond.define.cases[0][1], holds)) - {None}
    if holds and isinstance(cond, m.In):
        return element_facts(cond.source, term(cond.item)) | ({term(cond)} - {None})
    found = term(cond)
    return frozenset({found if holds else _made("not", found)}) - {None}


def element_facts(source: m.Expr | None, element: Term) -> frozenset[Term]:
    """What is known of every element of a set."""
    if isinstance(source, m.Filter):
        own = {id(source.var): element}
        return frozenset(fill(f, own) for f in facts_of(source.cond)) - {None} | element_facts(source.source, element)
    if isinstance(source, m.CallDefine) and len(source.define.cases) == 1:
        filled = bindings(source.define.params, source.args)
        return frozenset(fill(f, filled) for f in element_facts(source.define.cases[0][1], element)) - {None}
    return frozenset()


# ------------------------------------------------------------------------------------------------ what a value tells
class Secrets:
    """What the expressions of one game tell."""

    def __init__(self) -> None:
        # by declaration: itself, what its value tells, what its size tells
        self._declared: dict[int, tuple[object, Told, Told]] = {}
        self._public: dict[int, frozenset[int]] = {}
        self._plain: dict[int, tuple[object, Told | None]] = {}  # by expression or declaration, see `plain`

    def plain(self, e: object) -> Told | None:
        """The variables that an expression or declaration reads, if it has no part in any secret; None if it has."""
        if id(e) in self._plain:
            return self._plain[id(e)][1]
        self._plain[id(e)] = (e, NOTHING)
        found: Told | None = frozenset({e.var}) if isinstance(e, m.Read) else NOTHING
        if self._here(e):
            found = None
        elif (held := _held(e)) is not None:
            found = frozenset({SizeOf(held)})
        elif not isinstance(e, m.CouldBeIn):
            for part in (*(parts(e) if isinstance(e, m.Expr) else _expressions(inner(e))), *targets(e)):
                inside = self.plain(part)
                found = None if inside is None or found is None else found | inside
        self._plain[id(e)] = (e, found)
        return found

    def _here(self, e: object) -> bool:
        """Is there a secret right here?"""
        if isinstance(e, m.ReadCell):
            return is_secret(e.cell.seen) or any(_hidden(key) is not None for key in e.keys)
        if isinstance(e, m.ReadFixed):
            return any(_hidden(key) is not None for key in e.keys)
        if isinstance(e, m.Compare):
            return _hidden(e.left) is not None
        return isinstance(e, m.In) and _hidden(e.item) is not None

    def of(self, e: m.Expr | None, facts: frozenset[Term] = frozenset()) -> Told:
        """What the value of an expression tells, where these facts hold."""
        if e is None or isinstance(e, (m.Const, m.CouldBeIn)):
            return NOTHING
        if (plain := self.plain(e)) is not None:
            return plain
        if isinstance(e, m.Count | m.IsNone):
            return self.size(e.source if isinstance(e, m.Count) else e.value, facts)
        if isinstance(e, m.And):
            return self._and(e, facts)
        if isinstance(e, m.If):
            return (self.of(e.cond, facts) | self.of(e.then, facts | facts_of(e.cond))
                    | self.of(e.other, facts | facts_of(e.cond, False)))
        found: set[Secret | m.Var | SizeOf] = set()
        if isinstance(e, m.ReadCell):
            found |= self._cell(e, facts)
        elif isinstance(e, m.ReadFixed):
            found |= self._fixed(e, facts)
        elif isinstance(e, (m.Compare, m.In)):
            found |= self._named(e, facts)
        for target in targets(e):
            found |= self._called(target, e, facts)[0]
        elements = self._elements(e)
        for part in parts(e):
            found |= self.of(part, facts | elements)
        return frozenset(found)

    def size(self, e: m.Expr | None, facts: frozenset[Term] = frozenset()) -> Told:
        """What the number of elements of a set tells. How many things lie in a pool is no secret: everybody sees them
        come and go."""
        if isinstance(e, m.Read):
            return frozenset({SizeOf(e.var)})
        if isinstance(e, m.FirstBy):
            return self.size(e.source, facts)
        if isinstance(e, m.ReadCell) and e.cell.pool:
            return frozenset().union(*(self.of(key, facts) for key in e.keys))
        if isinstance(e, m.CallDefine):
            return self._called(e.define, e, facts)[1].union(*(self.of(arg, facts) for arg in e.args))
        if isinstance(e, m.If):
            return self.of(e.cond, facts) | self.size(e.then, facts) | self.size(e.other, facts)
        return self.of(e, facts)

    def _and(self, e: m.And, facts: frozenset[Term]) -> Told:
        found: Told = NOTHING
        for item in e.items:
            found |= self.of(item, facts)
            facts |= facts_of(item)
        return found

    @staticmethod
    def _elements(e: m.Expr) -> frozenset[Term]:
        """What is known of the variable that an expression binds."""
        if isinstance(e, (m.Filter, m.Collect, m.Aggregate, m.FirstBy)):
            return element_facts(e.source, ("var", id(e.var)))
        return frozenset()

    def _called(self, target: object, e: m.Expr, facts: frozenset[Term]) -> tuple[Told, Told]:
        """What a declaration tells (its value, its size) with the arguments of a call, without what these tell."""
        params, args = _arguments(target, e)
        filled = bindings(params, args)
        own = {*map(id, params)}

        def there(told: Told) -> Told:
            secrets = (x.filled(filled).seen_where(facts) for x in told if isinstance(x, Secret))
            given = {x for x in told if not isinstance(x, Secret) and id(x.var if isinstance(x, SizeOf) else x) not in own}
            return frozenset(x for x in secrets if not x.is_open(facts)) | given

        _, value, size = self._declaration(target)
        return there(value), there(size)

    def _declaration(self, target: object) -> tuple[object, Told, Told]:
        known = self._declared.get(id(target))
        if known is None:
            self._declared[id(target)] = (target, NOTHING, NOTHING)
            value: Told = NOTHING
            size: Told = NOTHING
            for each in _bodies(target):
                value |= self.of(each)
                size |= self.size(each)
            known = self._declared[id(target)] = (target, value, size)
        return known

    # ---------------------------------------------------------------- where secrets are
    def _cell(self, e: m.ReadCell, facts: frozenset[Term]) -> Told:
        if e.cell.hidden:
            return NOTHING
        if is_secret(e.cell.seen):
            keys = [term(key) for key in e.keys]
            filled = [dict(zip(map(id, seen.vars), keys, strict=False)) for seen in e.cell.seen]
            kind = e.cell.type.kind if e.cell.pool and isinstance(e.cell.type, m.SetOf) else e.cell.owner
            return _kept(_secret(e.cell.name, e.cell, _made("keys", *keys), e.cell.seen, filled, kind, facts), facts)
        named = next((key for key in e.keys if is_named(key) and _hidden(key)), None)
        return self._identity(named, e.cell.name, facts) if named is not None else NOTHING

    def _fixed(self, e: m.ReadFixed, facts: frozenset[Term]) -> Told:
        """What stands on a thing tells which it is, unless it is what all may know of it."""
        found: Told = NOTHING
        for key in e.keys:
            kind = _hidden(key)
            if kind is not None and not is_named(key) and id(e.fixed) not in self.public(kind):
                found |= self._identity(key, e.fixed.name, facts)
        return found

    def _named(self, e: m.Compare | m.In, facts: frozenset[Term]) -> Told:
        """Is this hidden thing that one?"""
        left, right = (e.left, e.right) if isinstance(e, m.Compare) else (e.item, e.source)
        kind = _hidden(left)
        if kind is None or is_named(left) == is_named(right) or _all_or_none(left) or _all_or_none(right):
            return NOTHING
        return self._identity(right if is_named(left) else left, kind.name, facts)

    def _identity(self, thing: m.Expr, name: str, facts: frozenset[Term]) -> Told:
        kind = _hidden(thing)
        if kind is None or kind.identity is None:
            return NOTHING
        key = term(thing)
        filled = [dict(zip(map(id, seen.vars), [key], strict=False)) for seen in kind.identity]
        return _kept(_secret(name, kind, _made("keys", key), kind.identity, filled, kind, facts), facts)

    def public(self, kind: m.Kind) -> frozenset[int]:
        """The fixed attributes of a kind with hidden identities that everybody knows: those that say who may know a
        thing, and those that follow from them."""
        known = self._public.get(id(kind))
        if known is None:
            conditions = [e for seen in kind.identity or () for e in (seen.who, seen.when) if isinstance(e, m.Expr)]
            asked = {id(node.fixed) for node in nodes(conditions) if isinstance(node, m.ReadFixed)}
            own = [f for f in kind.fixed.values() if len(f.keys) == 1 and len(f.values) == kind.size]
            given = [tuple(f.values[i] for f in own if id(f) in asked) for i in range(kind.size)]
            follows = {id(f) for f in own if len(set(zip(given, f.values, strict=True))) == len(set(given))}
            known = self._public[id(kind)] = frozenset(asked | follows)
        return known


def _secret(name: str, root: m.Cell | m.Kind, key: Term, seen: Sequence[m.Seen], filled: Sequence[dict[int, Term]],
            kind: m.Kind | None, facts: frozenset[Term]) -> Secret:
    """With everybody who may see it, also under another name that the facts give him."""
    viewers, opens = set(), set()
    for each, terms in zip(seen, filled, strict=True):
        if isinstance(each.who, m.Expr) and each.when is None:
            viewers.add(fill(term(each.who), terms))
        elif each.who == "all" and each.when is not None:
            opens.add(fill(term(each.when), terms))
    return Secret(name, id(root), key, frozenset(viewers - {None}), frozenset(opens - {None}), kind).seen_where(facts)


def _kept(secret: Secret, facts: frozenset[Term]) -> Told:
    return NOTHING if secret.is_open(facts) else frozenset({secret})


def is_secret(seen: Sequence[m.Seen]) -> bool:
    """Is there somebody who may not know it, at least at times?"""
    return bool(seen) and not any(each.who == "all" and each.when is None for each in seen)


def is_named(e: m.Expr) -> bool:
    """Is it this very thing, by name or by what the data says, and not one that was found by how it lies?"""
    if isinstance(e, m.Const):
        return True
    if isinstance(e, (m.ReadFixed, m.MakeSet, m.If, m.OrElse, m.The, m.SetOp)):
        return all(is_named(part) for part in parts(e) if isinstance(part.type, (m.MemberOf, m.SetOf)))
    return False


def _held(e: object) -> m.Var | None:
    """The variable of which it is only asked how much, or whether something, is in it."""
    inside = e.source if isinstance(e, m.Count) else e.value if isinstance(e, m.IsNone) else None
    return inside.var if isinstance(inside, m.Read) else None


def _all_or_none(e: m.Expr) -> bool:
    whole = e.type.kind.all if isinstance(e.type, m.SetOf) else -1
    return isinstance(e, m.Const) and e.value in (whole, -1 if isinstance(e.type, m.MemberOf) else 0)


def _hidden(e: m.Expr) -> m.Kind | None:
    """The kind of a value, if the identities of its members are hidden."""
    kind = e.type.kind if isinstance(e.type, (m.MemberOf, m.SetOf)) else None
    return kind if kind is not None and kind.identity is not None and is_secret(kind.identity) else None


def _bodies(target: object) -> list[m.Expr]:
    """The expressions that the value of a declaration is made of."""
    if isinstance(target, m.Define) and len(target.cases) == 1:
        return [target.cases[0][1]]
    return list(_expressions(inner(target)))


def _expressions(value: Any) -> Iterable[m.Expr]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _expressions(each)
    elif isinstance(value, m.Expr):
        yield value
    elif isinstance(value, m.Guarded):
        yield value.cond


def _arguments(target: object, e: m.Expr) -> tuple[Sequence[m.Var], Sequence[m.Expr]]:
    args: Sequence[m.Expr] = getattr(e, "args", ())
    if isinstance(target, m.Movement):
        return target.proc.params, args
    if isinstance(e, m.AppliesTo):
        return e.target.params, args
    return getattr(target, "params", ()), args
