"""The conditions that `x in S` puts on x, and relations between the sizes of sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulekit.common.node_fields import evolve
from rulekit.compiler import model as m
from rulekit.compiler.model.visitor import fields, nodes, substitute

# the base set of a set, and the conditions on its elements
Tests = tuple[Any, frozenset[Any]]
Once = Callable[[Callable[[m.Expr], Tests], m.Expr], Tests]
_MAX_CASES = 8  # of a definition that is replaced by its expression
SMALL = 6  # maximal number of nodes of an expression that replaces a variable
LONG = 400  # maximal number of nodes of the `when` lines of all members of a kind


def key(e: Any, bound: tuple[m.Var, ...] = ()) -> Any:
    """Return the structure of an expression without places, types and the names of elements. It is
    equal for two expressions that read the same.
    """
    if isinstance(e, m.Expr):
        inside = (*bound, e.var) if isinstance(e, m.Over) else bound
        parts = [name for name in fields(e) if name not in ("span", "type")]
        return (
            e.__class__.__name__,
            *(key(getattr(e, name), bound if name == "source" else inside) for name in parts),
        )
    if isinstance(e, (list, tuple)):
        return tuple(key(each, bound) for each in e)
    if isinstance(e, m.Var) and e in bound:
        return f"element {len(bound) - bound.index(e)}"
    return e if isinstance(e, (int, str)) else id(e)


def is_there(e: m.Expr) -> bool:
    """Return True if this key is never none."""
    if isinstance(e.type, m.Int) or isinstance(e, m.The):
        return True
    if isinstance(e, m.Read):
        return not (isinstance(e.var.type, m.MemberOf) and e.var.type.optional)
    if isinstance(e, m.ReadFixed) and isinstance(e.type, m.MemberOf) and not e.type.optional:
        return (
            bool(e.fixed.values)
            and min(e.fixed.values) >= 0
            and not e.fixed.late
            and all(map(is_there, e.keys))
        )
    return isinstance(e, m.Const) and e.value >= 0


def _takes(params: list[m.Var], args: list[m.Expr]) -> bool:
    """Return True if every argument is short, and none of them can be none where that is
    refused.
    """
    for param, arg in zip(params, args, strict=True):
        refused = isinstance(param.type, m.MemberOf) and not param.type.optional
        if (refused and not is_there(arg)) or len(list(nodes(arg))) > SMALL:
            return False
    return True


def applied(e: m.AppliesTo) -> m.Expr | None:
    """Return the condition under which a clause counts, or None if the clause depends on
    holders.
    """
    clause, params = e.clause, e.target.params
    if (
        clause.holder is not None
        or any(cancel.holder is not None for cancel in clause.cancels)
        or not _takes(params, e.args)
    ):
        return None
    conds = [clause.cond] if clause.cond is not None else []
    conds += [
        m.Not(cancel.cond) if cancel.cond is not None else m.Const(0, type=m.Bool())
        for cancel in clause.cancels
    ]
    return substitute(m.And(conds, span=e.span), dict(zip(params, e.args, strict=True)))


def apart(e: m.In, declared: bool) -> m.Expr | None:
    """Return the condition that follows from `n in a.neighbours`: n is not a.

    No border joins a place to itself. The same holds for any constant set of a member that never
    contains the member itself.

    Args:
        declared: accept only facts that hold for any data.
    """
    source, type = e.source, e.item.type
    if (
        not isinstance(source, m.ReadFixed)
        or len(source.keys) != 1
        or not isinstance(type, m.MemberOf)
        or source.fixed.late
    ):
        return None
    at, near = source.keys[0], source.fixed.values
    if (
        not isinstance(at.type, m.MemberOf)
        or at.type.kind is not type.kind
        or len(near) != type.kind.size
    ):
        return None
    if (declared and not source.fixed.synthetic) or any(
        mask >> place & 1 for place, mask in enumerate(near)
    ):
        return None
    return m.Not(m.Compare("=", e.item, at, type=m.Bool()), span=e.span)


def opened(e: m.CallDefine) -> m.Expr | None:
    """Return the expression that a call stands for, or None if an argument may be none where that
    is refused.
    """
    target = e.target
    if not _takes(target.params, e.args):
        return None
    if len(target.cases) > _MAX_CASES or isinstance(target.type, (m.Record, m.RatioT)):
        return None
    made: m.Expr | None = None
    for cond, value in reversed(target.cases):
        made = (
            value
            if made is None or cond is None
            else m.If(cond, value, made, type=target.type, span=value.span)
        )
    return (
        substitute(made, dict(zip(target.params, e.args, strict=True)))
        if made is not None
        else None
    )


def of_member(e: m.CallSlot) -> m.Expr | None:
    """Return the `when` lines of a member as one condition, if all members have few."""
    slot, none = e.slot, m.Const(0, type=m.Bool())
    if not isinstance(slot.type, m.Bool) or not _takes(slot.params, e.args):
        return None
    if len(list(nodes(e.member))) > SMALL or not is_there(e.member):
        return None
    if isinstance(e.member, m.Const):
        made = slot.of(e.member.value) or none
    else:
        own = [(at, value) for at, value in enumerate(slot.values) if value is not None]
        if len(list(nodes(*(value for _, value in own)))) > LONG:
            return None
        made = slot.default or none
        for at, value in reversed(own):
            here = m.Compare("=", e.member, m.Const(at, type=e.member.type), type=m.Bool())
            made = m.If(here, value, made, type=slot.type, span=e.span)
    return substitute(made, dict(zip(slot.params, e.args, strict=True)))


def membership(e: m.In) -> m.Expr | None:
    """Return the condition that a member is in the set, or None if it has no such form. The value
    none is in no set.
    """
    if isinstance(e.source, m.Filter):
        if len(list(nodes(e.item))) > SMALL:
            return None
        there = [] if is_there(e.item) else [m.Not(m.IsNone(e.item))]
        cond = substitute(e.source.cond, {e.source.var: e.item})
        return m.And([*there, evolve(e, source=e.source.source), cond], span=e.span)
    if isinstance(e.source, m.SetOp):
        left, right = evolve(e, source=e.source.left), evolve(e, source=e.source.right)
        return (
            m.Or([left, right], span=e.span)
            if e.source.op == "+"
            else m.And([left, m.Not(right)], span=e.span)
        )
    if isinstance(e.source, m.If):
        return m.If(
            e.source.cond,
            evolve(e, source=e.source.then),
            evolve(e, source=e.source.other),
            type=m.Bool(),
            span=e.span,
        )
    body = opened(e.source) if isinstance(e.source, m.CallDefine) else None
    return evolve(e, source=body) if body is not None else None


# ------------------------------------------------------------------------------ numbers of elements
def linked(
    counts: Sequence[tuple[m.Expr, m.Expr]],
    inside: Sequence[tuple[m.Expr, m.Expr]],
    once: Once,
) -> Iterator[m.Expr]:
    """Yield relations between numbers of elements, and between them and memberships.

    Args:
        counts: sets with the expression for their number of elements.
        inside: sets with a condition that something is in them.
        once: calls a function unless its result for this expression is known.
    """
    if not counts or len(counts) + len(inside) <= 1:
        return
    made = [(once(_tests, source), number) for source, number in counts]
    members = [(once(_tests, source), cond) for source, cond in inside]
    for (base, tests), number in made:
        for (other, more), smaller in made:
            if smaller is not number and other == base and tests < more:
                yield m.Compare("<=", smaller, number)
        for (other, more), cond in members:
            if other == base and tests <= more:
                yield m.Or([m.Not(cond), m.Compare(">", number, m.Const(0, type=m.Int()))])


def _tests(source: m.Expr) -> Tests:
    """Return the base set of a set, and the conditions on its elements."""
    if isinstance(source, m.CallDefine) and (body := opened(source)) is not None:
        return _tests(body)
    if isinstance(source, m.Filter):
        base, tests = _tests(source.source)
        items = source.cond.items if isinstance(source.cond, m.And) else [source.cond]
        return base, tests | {key(item, (source.var,)) for item in items}
    if isinstance(source, m.SetOp) and source.op == "-":
        base, tests = _tests(source.left)
        return base, tests | {("not in", key(source.right))}
    return key(source), frozenset()
