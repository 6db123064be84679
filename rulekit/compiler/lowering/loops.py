"""Lower expressions that run over a set to calls of small loop functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulekit.common.diagnostics.span import NOWHERE
from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.visitor import nodes
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.layout import Image, Place
from rulekit.compiler.lowering.unit import ZERO, is_read, known, type_of
from rulekit.compiler.semantics.values import bits

I = v.Local("i")  # noqa: E741  the member of a round


def conjuncts(expression: m.Expr) -> list[m.Expr]:
    """Return the parts of a conjunction, with nested ones flattened."""
    return (
        [x for item in expression.items for x in conjuncts(item)]
        if isinstance(expression, m.And)
        else [expression]
    )


def domain(var: m.Var) -> range:
    """Return the ordinals of the kind of a variable."""
    return range(m.kind_of(var.type).size)


def bit_of(var: m.Var) -> v.Local:
    """Return the local for the set of the current member of a loop."""
    return v.Local("x", v.Mask(len(domain(var))))


def outside(
    low: Lowering, exprs: Sequence[m.Expr], bound: Sequence[m.Var], *first: v.Local
) -> tuple[list[v.Local], list[v.Value], dict[m.Var, v.Value]]:
    """Return the parameters of a function over expressions, its arguments, and the parameter that
    stands for each variable.

    Args:
        bound: the variables that the function binds itself.
        first: parameters that come before the others.
    """
    free = dict.fromkeys(
        var
        for e in exprs
        for var in sorted(low.an.deps(e).vars, key=lambda var: var.name)
        if var not in bound
    )
    params = list(first)
    args: list[v.Value] = []
    env: dict[m.Var, v.Value] = {}
    for var in free:
        if var not in low.env and low.pure:
            continue
        x = low.read(var)
        env[var] = param = v.Local(f"a{len(params) + 1}", type_of(var.type))
        params.append(param)
        args.append(x)
    return params, args, env


def loop(
    low: Lowering,
    mask: v.Value,
    var: m.Var,
    exprs: Sequence[m.Expr],
    start: c.Code,
    body: Callable[[Lowering], c.Code],
    end: c.Code,
    empty: int | None = None,
    type: v.Type | None = None,
) -> v.Value:
    """Return a call of a function that runs over the members of a mask.

    The member of a round is `I`, and its bit is `bit_of`.

    Args:
        exprs: all expressions that the body lowers.
        empty: 0 if the value of an empty mask is 0, so that the call can be skipped inside another
            loop.
        type: the type of the value, by default that of the mask.
    """
    every = v.Mask(len(domain(var)))
    m_ = v.Local("m", every)
    params, args, env = outside(low, exprs, [var], m_)
    inner = low.inside({**env, var: I})
    inner.loop = frozenset((var,))
    made = body(inner)
    if isinstance(mask, v.ConstValue):
        del params[0]
    else:
        args.insert(0, mask)
    code = (*hoists(inner, made), *start, _rounds(low, mask, m_, bit_of(var), made), *end)
    function = low.unit.helper(params, code, exprs[0].span if exprs else NOWHERE)
    result = type if type is not None else every
    if empty == 0 and low.loop and not isinstance(mask, v.ConstValue):
        plain = isinstance(mask, (v.Local, v.Chosen)) or (
            isinstance(mask, v.SlotValue) and mask.at is None
        )
        held = mask if plain else v.Local(f"tF{function.number}", every)
        test = held if not isinstance(held, v.Local) or held == mask else v.Bind(held, mask)
        return v.IfValue(test, v.CallValue(function, (held, *args[1:]), result), ZERO)
    return v.CallValue(function, tuple(args), result)


def _rounds(low: Lowering, mask: v.Value, held: v.Local, bit: v.Local, body: c.Code) -> c.Stmt:
    """Return the loop statement: over a constant table if the members are known, else over the bits
    of a local.
    """
    if not isinstance(mask, v.ConstValue):
        return c.ForBits(held, I, bit, body)
    members = list(bits(known(mask)))
    if bit in nodes(*body):
        return c.ForRows((I, bit), low.unit.table([(i, 1 << i) for i in members]), None, body)
    return c.ForRows((I,), low.unit.table(members), None, body)


def hoists(low: Lowering, code: c.Code) -> c.Code:
    """Return the assignments of hoisted values, as far as the code uses them."""
    used = {n for n in nodes(*code) if isinstance(n, v.Local)}
    found: list[c.Stmt] = []
    for value, held in reversed(low.hoisted.items()):
        if held in used:
            found.append(c.Assign(held, value))
            used.update(n for n in nodes(value) if isinstance(n, v.Local))
    return tuple(found[::-1])


def sort_keys(low: Lowering, keys: Sequence[m.Expr]) -> tuple[v.Value, ...]:
    """Lower sort keys so that ascending order applies. True sorts before False."""
    return tuple(
        v.NotValue(low.cond(k)) if isinstance(k.type, m.Bool) else low.val(k) for k in keys
    )


def index_of(low: Lowering, expression: m.Expr, var: m.Var) -> Place | None:
    """Return the place of the cell that `expression` reads with the key `var`, if the cell has one
    mask for each value.
    """
    place = (
        low.unit.lay.places[expression.cell]
        if isinstance(expression, m.ReadCell)
        and expression.keys
        and is_read(expression.keys[0], var)
        else None
    )
    return place if place is not None and place.index >= 0 else None


def image_of(low: Lowering, expression: m.Expr, var: m.Var) -> Image | None:
    """Return the index by the attribute that `expression` reads from a cell with the key `var`, if
    there is one.
    """
    if not isinstance(expression, m.ReadFixed) or not expression.keys:
        return None
    place = index_of(low, expression.keys[0], var)
    return (
        next((image for image in place.images if image.fixed is expression.fixed), None)
        if place is not None
        else None
    )
