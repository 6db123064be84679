"""Facts about each element of a set, and bounds on its number of elements that follow from
constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from attrs import define, field

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.check.lints.membership_facts import is_there, key
from rulekit.compiler.model.visitor import nodes, reached, read, rebuilt, substitute
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import NotConstant

DEEP = 8  # maximal depth of definitions that are inlined
TRIES = 2_000  # maximal number of evaluations for one set
MAX_TRIED_VALUES = 40  # maximal number of values of one variable that are all tried
PLAIN = (
    m.Const,
    m.Read,
    m.ReadFixed,
    m.Compare,
    m.And,
    m.Or,
    m.Not,
    m.If,
    m.In,
    m.Between,
    m.IsNone,
    m.MakeSet,
    m.Arith,
    m.The,
)


def said(source: m.Expr, element: m.Expr, deep: int = DEEP) -> Iterator[m.Expr]:
    """Yield conditions that hold for every element of a set, through filters and definitions."""
    if isinstance(source, m.Filter):
        yield from said(source.source, element, deep)
        yield from parts(substitute(source.cond, {source.var: element}))
    elif isinstance(source, m.CallDefine) and deep and len(source.target.cases) == 1:
        yield from said(
            substitute(
                source.target.cases[0][1], dict(zip(source.target.params, source.args, strict=True))
            ),
            element,
            deep - 1,
        )
    elif isinstance(source, m.SetOp) and source.op == "-":
        yield from said(source.left, element, deep)
        yield m.Not(m.In(element, source.right))
    elif (
        isinstance(source.type, m.SetOf)
        and not _is_all(source, source.type)
        and not isinstance(source, m.Collect)
    ):
        yield m.In(element, source)


def parts(cond: m.Expr) -> Iterator[m.Expr]:
    """Yield the conditions that are joined by `and`."""
    for item in cond.items if isinstance(cond, m.And) else ():
        yield from parts(item)
    if not isinstance(cond, m.And):
        yield cond


def lasting(cond: m.Expr) -> bool:
    """Return True if the condition reads no state, so that it changes only with its variables."""
    plain = (*PLAIN, m.FieldOf)
    return all(
        isinstance(node, plain) or not isinstance(node, m.Expr)
        for node in reached(cond)
        if not isinstance(node, m.CallDefine)
    )


def _is_all(source: m.Expr, type: m.SetOf) -> bool:
    return isinstance(source, m.Const) and source.value == type.kind.all


# The members for which conditions may hold, for each combination of the other values.
Fits = dict[Any, dict[tuple[int, ...], set[int]]]


def most(source: m.Expr, fits: Fits, worth: Sequence[int] | None = None) -> int:
    """Return an upper bound on the number of elements of a set.

    It counts the members whose constants fit, for any values of the rest.

    Args:
        fits: a cache of the results for conditions.
        worth: a number for each member. The result is then a bound on the sum.
    """
    assert isinstance(source.type, m.SetOf)
    kind = source.type.kind
    worth = [1] * kind.size if worth is None else worth
    element = m.Read(m.Var("element", m.MemberOf(kind)))
    asking = _Asking(element.var)
    conds = [made for cond in said(source, element) if (made := asking.made(cond)) is not None]
    used = [
        var
        for var in asking.domains
        if any(node.var is var for node in nodes(*conds) if isinstance(node, m.Read))
    ]
    ways = kind.size
    for var in used:
        ways *= len(asking.domains[var])
    if not conds or ways > TRIES:
        return sum(worth)
    tests = [
        (
            cond,
            [
                var
                for var in used
                if any(node.var is var for node in nodes(cond) if isinstance(node, m.Read))
            ],
        )
        for cond in conds
    ]
    known = [
        fits.setdefault((id(kind), key(cond, (element.var, *beside))), {}) for cond, beside in tests
    ]
    found = 0
    for values in product(*(asking.domains[var] for var in used)):
        env, left = dict(zip(used, values, strict=True)), [*range(kind.size)]
        for (cond, beside), fit in zip(tests, known, strict=True):
            given = tuple(env[var] for var in beside)
            if given not in fit:
                fit[given] = {
                    member
                    for member in range(kind.size)
                    if _may(cond, {**env, element.var: member})
                }
            left = [member for member in left if member in fit[given]]
        found = max(found, sum(worth[member] for member in left))
    return found


def least(source: m.Expr) -> int:
    """Return a lower bound on the number of elements of a set: the members that certainly fit, less
    those that may be removed.
    """
    if isinstance(source, m.If):
        return min(least(source.then), least(source.other))
    if isinstance(source, m.SetOp) and source.op == "+":
        return max(least(source.left), least(source.right))
    if not isinstance(source.type, m.SetOf) or isinstance(base(source), m.Collect):
        return 0
    element = m.Read(m.Var("element", m.MemberOf(source.type.kind)))
    conds = [*said(source, element)]
    out = [_taken(cond, element.var) for cond in conds]
    others = [cond for cond, taken in zip(conds, out, strict=True) if taken is None]
    certain = _surely(conds, element)
    if len(others) == len(conds):
        return certain
    return max(0, certain, _surely(others, element) - sum(taken or 0 for taken in out))


def base(source: m.Expr, deep: int = DEEP) -> m.Expr:
    """Return the set below filters and differences."""
    if isinstance(source, m.Filter):
        return base(source.source, deep)
    if isinstance(source, m.CallDefine) and deep and len(source.target.cases) == 1:
        return base(source.target.cases[0][1], deep - 1)
    return base(source.left, deep) if isinstance(source, m.SetOp) and source.op == "-" else source


def _taken(cond: m.Expr, element: m.Var) -> int | None:
    """Return the maximal number of elements that a condition removes, or None if it is unknown.

    Such a condition requires that the element is not a certain thing, or is not in a set.
    """
    if isinstance(cond, m.Compare) and cond.op == "!=":  # it is false if one side is none
        sides = [
            side
            for side in (cond.left, cond.right)
            if not (isinstance(side, m.Read) and side.var is element)
        ]
        return (
            1 if len(sides) == 1 and not _lacks(sides[0]) and element not in read(*sides) else None
        )
    inner = cond.value if isinstance(cond, m.Not) else None
    if isinstance(inner, m.Compare) and inner.op == "=":
        sides = [
            side
            for side in (inner.left, inner.right)
            if not (isinstance(side, m.Read) and side.var is element)
        ]
        return 1 if len(sides) == 1 and element not in read(*sides) else None
    if (
        isinstance(inner, m.In)
        and isinstance(inner.item, m.Read)
        and inner.item.var is element
        and element not in read(inner.source)
    ):
        return _upmost(inner.source)
    return None


def _lacks(e: m.Expr) -> bool:
    """Return True if the expression may be none, by its declaration or by its fixed values."""
    if isinstance(e, m.Const):
        return e.value < 0
    if isinstance(e, m.ReadFixed):
        return not is_there(e)
    type = (
        e.var.type if isinstance(e, m.Read) else e.cell.type if isinstance(e, m.ReadCell) else None
    )
    return not isinstance(type, m.MemberOf) or type.optional


def _upmost(source: m.Expr) -> int:
    if isinstance(source, m.MakeSet):
        return sum(_upmost(item) if isinstance(item.type, m.SetOf) else 1 for item in source.items)
    return most(source, {})


def _surely(conds: Sequence[m.Expr], element: m.Read) -> int:
    """Return the number of members that fit all conditions, for any values of the rest, or 0 if it
    is unknown.
    """
    assert isinstance(element.type, m.MemberOf)
    asking = _Asking(element.var)
    tests = list[m.Expr]()
    for cond in conds:
        made = asking.made(cond)
        if made is None:
            return 0
        tests.append(made)
    used = [var for var in asking.domains if var in read(*tests)]
    ways = element.type.kind.size
    for var in used:
        ways *= len(asking.domains[var])
    if ways > TRIES:
        return 0
    found = []
    for values in product(*(asking.domains[var] for var in used)):
        env = dict(zip(used, values, strict=True))
        found.append(
            sum(
                all(_must(cond, {**env, element.var: member}) for cond in tests)
                for member in range(element.type.kind.size)
            )
        )
    return min(found, default=0)


_PURE = PureEvaluator()


def _may(cond: m.Expr, env: dict[m.Var, int]) -> bool:
    try:
        return bool(_PURE.eval(cond, env))
    except (NotConstant, RulesError, KeyError):
        return True


def _must(cond: m.Expr, env: dict[m.Var, int]) -> bool:
    try:
        return bool(_PURE.eval(cond, env))
    except (NotConstant, RulesError, KeyError):
        return False


@define(eq=False)
class _Asking:
    """Conditions on an element, with a variable for each other value on which they depend."""

    element: m.Var
    domains: dict[m.Var, range] = field(factory=dict)
    known: dict[tuple[int, ...], m.Var] = field(factory=dict)

    def made(self, cond: m.Expr) -> m.Expr | None:
        """Return the condition if it depends only on constants of the element and on such
        variables, else None.
        """
        made = self.of(cond, DEEP)
        if not all(isinstance(node, PLAIN) for node in nodes(made) if isinstance(node, m.Expr)):
            return None
        unknown = any(
            isinstance(node, m.ReadFixed) and (node.fixed.late or not node.fixed.values)
            for node in nodes(made)
        )
        return None if unknown else made

    def of(self, e: m.Expr, deep: int) -> m.Expr:
        if isinstance(e, m.Const) or (
            isinstance(e, m.Read) and (e.var is self.element or e.var in self.domains)
        ):
            return e
        if (
            not any(isinstance(node, m.Read) and node.var is self.element for node in nodes(e))
            and (values := _values(e)) is not None
        ):
            return self.beside(e, values)
        if isinstance(e, m.CallDefine) and deep and len(e.target.cases) == 1:
            return self.of(
                substitute(e.target.cases[0][1], dict(zip(e.target.params, e.args, strict=True))),
                deep - 1,
            )
        return rebuilt(e, lambda part: self.of(part, deep))

    def beside(self, e: m.Expr, values: range) -> m.Expr:
        """Return the variable for an expression that does not depend on the element. Equal reads
        share a variable.
        """
        name = (id(e.var),) if isinstance(e, m.Read) else _name(e)
        if name not in self.known:
            self.known[name] = m.Var("beside", e.type)
            self.domains[self.known[name]] = values
        return m.Read(self.known[name], type=e.type)


def _name(e: m.Expr) -> tuple[int, ...]:
    """Return a key that is equal for two reads of the same constant of the same thing."""
    if isinstance(e, m.ReadFixed) and all(isinstance(k, (m.Read, m.ReadFixed)) for k in e.keys):
        return (
            id(e.fixed),
            *(
                part
                for k in e.keys
                for part in ((id(k.var),) if isinstance(k, m.Read) else _name(k))
            ),
        )
    return (id(e),)


def _values(e: m.Expr) -> range | None:
    """Return all values that this can have, or None if there are too many."""
    if isinstance(e.type, m.Bool):
        return range(2) if isinstance(e, (m.Read, m.ReadFixed, m.ReadCell)) else None
    if isinstance(e.type, m.MemberOf) and e.type.kind.size <= MAX_TRIED_VALUES:
        return range(-1 if _lacks(e) else 0, e.type.kind.size)
    if (
        isinstance(e.type, m.Int)
        and isinstance(e, (m.ReadFixed, m.ReadCell))
        and e.type.low is not None
        and e.type.high is not None
    ):
        return (
            range(e.type.low, e.type.high + 1)
            if e.type.high - e.type.low < MAX_TRIED_VALUES
            else None
        )
    return None
