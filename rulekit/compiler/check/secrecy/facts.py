"""Terms and facts: the information that follows from a condition that holds.

A `Term` is an expression as a plain tree, so that two of them can be compared: `b.owner` here and
`b.owner` there. A fact is a term that holds. Some facts are about all things, or about each element
of a set, and `holds` applies these too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Any

from rulekit.compiler import model as m

Term = tuple[Any, ...] | None  # None stands for an expression that cannot be compared
ANY: Term = ("any",)  # stands for any part of a fact about all things
IT: Term = ("it",)  # stands for the element in a fact about each element of a set
_DEEP = 6  # the greatest depth of a term
_WIDE = ("and", "each", "if")  # words that only combine facts. Their terms may be deeper
_WAYS = 16  # the largest number of ways in which a conjunction may hold


def term(expression: m.Expr) -> Term:
    """Return an expression as a tree that can be compared, or None if it has no such form."""
    if isinstance(expression, m.Const):
        return ("const", expression.value)
    if isinstance(expression, m.Read):
        return ("var", id(expression.var))
    if isinstance(expression, (m.ReadFixed, m.ReadCell)):
        read = expression.fixed if isinstance(expression, m.ReadFixed) else expression.cell
        return made("read", id(read), *[term(k) for k in expression.keys])
    if isinstance(expression, m.The):
        return term(expression.source)
    if isinstance(expression, m.Compare):
        return _compared(expression)
    if isinstance(expression, m.IsNone):
        return made("none", term(expression.value))
    if isinstance(expression, m.Not):
        return negated(term(expression.value))
    if isinstance(expression, m.In):
        return made("in", term(expression.item), term(expression.source))
    if isinstance(expression, m.CallDefine) and len(expression.target.cases) == 1:
        opened: Term = fill(
            term(expression.target.cases[0][1]), bindings(expression.target.params, expression.args)
        )
        return opened
    return None


def _compared(expression: m.Compare) -> Term:
    """Return the normal form of a comparison.

    `a > b` and `b < a` get the same form, and so do `a >= b` and `not a < b` of numbers. A member
    that is none is neither less nor greater.
    """
    left, right = term(expression.left), term(expression.right)
    if expression.op == "=":
        return equal(left, right)
    if expression.op in ("<", ">"):
        return made("<", left, right) if expression.op == "<" else made("<", right, left)
    if isinstance(expression.left.type, m.MemberOf):
        return made(expression.op, left, right)
    if expression.op == "!=":
        return negated(equal(left, right))
    return negated(made("<", left, right) if expression.op == ">=" else made("<", right, left))


def negated(fact: Term) -> Term:
    """Return the negation of a fact."""
    return fact[1] if fact is not None and fact[0] == "not" else made("not", fact)


def equal(left: Term, right: Term) -> Term:
    """Return the fact that two values are equal."""
    return None if left is None or right is None else made("=", *sorted((left, right), key=repr))


def same(fact: Term) -> tuple[tuple[Term, Term], ...]:
    """Return the two values that a fact says are equal, in both orders."""
    return ((fact[1], fact[2]), (fact[2], fact[1])) if fact is not None and fact[0] == "=" else ()


def made(word: str, *parts: Any) -> Term:
    """Return the term of a word and its parts.

    It is None if a part is None, or if it is too deep.
    """
    term = (word, *parts)
    return None if None in parts or (word not in _WIDE and _depth(term) > _DEEP) else term


@lru_cache(1 << 16)
def _depth(part: Any) -> int:
    return 1 + max(map(_depth, part), default=0) if isinstance(part, tuple) else 0


def fill(part: Any, terms: dict[int, Term]) -> Any:
    """Substitute terms for variables. The result is None if one of the terms is None."""
    if not isinstance(part, tuple):
        return part
    if part[0] == "var":
        return terms.get(part[1], part)
    filled = [fill(each, terms) for each in part[1:]]
    return equal(filled[0], filled[1]) if part[0] == "=" else made(part[0], *filled)


def renamed(part: Any, names: dict[Term, Term]) -> Any:
    """Replace parts of a term by the terms that stand for them."""
    if not isinstance(part, tuple) or part in names:
        return names.get(part, part) if isinstance(part, tuple) else part
    made_of = [renamed(each, names) for each in part]
    return equal(made_of[1], made_of[2]) if part[0] == "=" else tuple(made_of)


def holds(fact: Term, facts: frozenset[Term]) -> bool:
    """Return True if a fact is among these facts, or follows from them.

    Facts about all things, or about each element of a set, can imply it.
    """
    if fact is not None and fact[0] == "and":
        return all(holds(part, facts) for part in fact[1:])
    return fact in facts or (
        fact is not None and any(_follows(fact, each, facts) for each in _wide(facts))
    )


@lru_cache(4096)
def _wide(facts: frozenset[Term]) -> tuple[Term, ...]:
    """Return the facts that are about more than one thing."""
    return tuple(
        fact for fact in facts if fact is not None and (fact[0] == "each" or "any" in leaves(fact))
    )


def _follows(fact: Term, wide: Term, facts: frozenset[Term]) -> bool:
    assert wide is not None
    found: dict[str, Term] = {}
    if wide[0] != "each":
        return _fits(wide, fact, found)
    return (
        _fits(wide[2], fact, found)
        and "it" in found
        and all(in_place(each, found["it"]) in facts for each in wide[1][1:])
    )


def _fits(wide: Any, part: Any, found: dict[str, Term]) -> bool:
    """Return True if a wide fact matches a part.

    `ANY` matches anything. Each `IT` matches the same thing, which is stored in `found`.
    """
    if wide == ANY:
        return True
    if wide == IT:
        return bool(found.setdefault("it", part) == part)
    if isinstance(wide, tuple) and isinstance(part, tuple):
        return len(wide) == len(part) and all(
            _fits(*pair, found) for pair in zip(wide, part, strict=True)
        )
    return bool(wide == part)


def in_place(wide: Any, thing: Term) -> Any:
    """Replace `IT` by a thing."""
    if not isinstance(wide, tuple) or wide == IT:
        return thing if wide == IT else wide
    filled = tuple(in_place(each, thing) for each in wide)
    return equal(filled[1], filled[2]) if filled[0] == "=" else filled


def general(part: Any) -> Any:
    """Replace all constants by `ANY`."""
    if not isinstance(part, tuple):
        return part
    return ANY if part[0] == "const" else tuple(general(each) for each in part)


@lru_cache(1 << 16)
def mentioned(part: Any) -> frozenset[Any]:
    """Return everything that occurs in a term.

    These are variables, cells, constant attributes, and the words of the term.
    """
    return frozenset(leaves(part)) if isinstance(part, tuple) else frozenset((part,))


def leaves(part: Any) -> Iterator[Any]:
    """Yield the leaves of a term."""
    for each in part:
        if isinstance(each, tuple):
            yield from leaves(each)
        else:
            yield each


def reads(part: Any) -> Iterator[Any]:
    """Yield the cells and constant attributes that occur in a term."""
    if isinstance(part, tuple):
        yield from part[1:2] if part[:1] == ("read",) else ()
        for each in part:
            yield from reads(each)


def variables(part: Any) -> Iterator[Any]:
    """Yield the variables that occur in a term."""
    if isinstance(part, tuple) and part[:1] == ("var",):
        yield part[1]
    elif isinstance(part, tuple):
        for each in part:
            yield from variables(each)


def bindings(params: Sequence[m.Var], args: Sequence[m.Expr]) -> dict[int, Term]:
    """Map the parameters of a call to the terms of its arguments."""
    return {id(p): term(a) for p, a in zip(params, args, strict=False)}


def facts_of(cond: m.Expr | None, holds: bool = True) -> frozenset[Term]:
    """Return the facts that follow from a condition that holds, or from one that does not."""
    if cond is None:
        return frozenset()
    if isinstance(cond, m.Not):
        return facts_of(cond.value, not holds)
    if isinstance(cond, m.And if holds else m.Or):
        return frozenset().union(*(facts_of(each, holds) for each in cond.items))
    if isinstance(cond, m.CallDefine) and len(cond.target.cases) == 1:
        filled = bindings(cond.target.params, cond.args)
        return frozenset(fill(f, filled) for f in facts_of(cond.target.cases[0][1], holds)) - {None}
    if holds and isinstance(cond, m.In):
        return element_facts(cond.source, term(cond.item)) | ({term(cond)} - {None})
    found = term(cond)
    return frozenset({found if holds else negated(found)}) - {None}


def ways(cond: m.Expr, holds: bool = True) -> list[Term]:
    """Return facts that each imply a condition, or its negation.

    If None is among them, the condition can also hold in ways that no term describes. Of a
    conjunction, at most `_WAYS` are returned.
    """
    if isinstance(cond, m.Not):
        return ways(cond.value, not holds)
    if isinstance(cond, m.And | m.Or):
        each = [ways(item, holds) for item in cond.items]
        if isinstance(cond, m.And) != holds:
            return [way for some in each for way in some]
        return [
            made("and", *(part for way in some for part in conjuncts(way)))
            for some in islice(product(*each), _WAYS)
        ]
    if isinstance(cond, m.CallDefine) and len(cond.target.cases) == 1:
        filled = bindings(cond.target.params, cond.args)
        return [fill(way, filled) for way in ways(cond.target.cases[0][1], holds)]
    return [term(cond) if holds else negated(term(cond))]


def conjuncts(fact: Term) -> Sequence[Term]:
    """Return the facts whose conjunction is this fact."""
    return fact[1:] if fact is not None and fact[0] == "and" else (fact,)


def element_facts(source: m.Expr | None, element: Term) -> frozenset[Term]:
    """Return the facts that hold for every element of a set."""
    if isinstance(source, m.Filter):
        own = {id(source.var): element}
        return frozenset(fill(f, own) for f in facts_of(source.cond)) - {None} | element_facts(
            source.source, element
        )
    if isinstance(source, m.CallDefine) and len(source.target.cases) == 1:
        filled = bindings(source.target.params, source.args)
        return frozenset(
            fill(f, filled) for f in element_facts(source.target.cases[0][1], element)
        ) - {None}
    if source is None or is_all(source):
        return frozenset()
    return frozenset({made("in", element, term(source))}) - {None}


def tests(source: m.Expr, element: Term) -> tuple[Term, ...]:
    """Return terms that all hold exactly if `element` is in a set.

    If None is among them, membership needs more than the terms say.
    """
    if isinstance(source, m.Filter):
        own = {id(source.var): element}
        found = ways(source.cond)
        alone = conjuncts(fill(found[0], own)) if len(found) == 1 else (None,)
        return (*alone, *tests(source.source, element))
    if isinstance(source, m.CallDefine) and len(source.target.cases) == 1:
        filled = bindings(source.target.params, source.args)
        return tuple(fill(each, filled) for each in tests(source.target.cases[0][1], element))
    return () if is_all(source) else (made("in", element, term(source)),)


def is_all(source: m.Expr) -> bool:
    """Return True if a set has all members of its kind."""
    return (
        isinstance(source, m.Const)
        and isinstance(source.type, m.SetOf)
        and source.value == source.type.kind.all
    )
