"""Takes an expression that runs over a set, makes a call of a small loop function, or mask algebra where that is possible."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from rulekit import model as m
from rulekit.base.span import NOWHERE
from rulekit.compile import fold
from rulekit.compile.expr import Expressions
from rulekit.compile.late import Late
from rulekit.compile.unit import X, const, name


def domain(var: m.Var) -> range:
    """The ordinals of a variable's kind."""
    assert isinstance(var.type, m.MemberOf)
    return range(var.type.kind.size)


def outside(low: Expressions, exprs: Sequence[m.Expr], bound: Sequence[m.Var], *first: str) -> tuple[list[str], list[str], dict[m.Var, X]]:
    """What a function over expressions takes from outside: its parameters, the arguments for them, and where it finds each variable.
    `bound`: those that it binds itself. `first`: an argument that stands before the others, called `m`."""
    free: list[m.Var] = []
    for e in exprs:
        for v in sorted(low.an.deps(e).vars, key=lambda v: v.name):
            if v not in bound and v not in free:
                free.append(v)
    params, args, env = ["s", *("m" for _ in first)], ["s", *first], {}
    for v in free:
        if v in low.env:
            x = low.env[v]
            if x.const is not None:
                env[v] = x
            else:
                env[v] = name(f"a{len(params)}")
                params.append(env[v].text)
                args.append(x.text)
        elif not low.pure:
            env[v] = name(f"a{len(params)}")
            params.append(env[v].text)
            args.append(low.read(v).text)
    return params, args, env


def loop(low: Expressions, mask: X, var: m.Var, exprs: Sequence[m.Expr], start: Sequence[str],
         body: Callable[[Expressions], list[str]], end: Sequence[str], empty: int | None = None) -> X:
    """A call of a function that runs over the members of a mask (`i`, their bit `x`). `exprs`: all that the body lowers.
    `empty` 0: of no members the value is 0, so that inside another loop the call can be left out."""
    params, args, env = outside(low, exprs, [var], mask.text)
    inner = Expressions(low.unit, {**env, var: name("i")})
    inner.loop = frozenset((var,))
    lines = body(inner)
    if mask.const is not None:
        del params[1], args[1]
    text = [*hoists(inner, lines), *start, *_head(low, mask, lines), *("    " + line for line in lines), *end]
    function = low.unit.helper(params, text, exprs[0].span if exprs else NOWHERE)
    if empty == 0 and low.loop and mask.const is None:
        held = mask.text if re.fullmatch(r"\w+|s\[\d+\]", mask.text) else f"t{function}"
        args[1] = held
        test = held if held == mask.text else f"({held} := {mask.text})"
        return X(f"{test} and {function}({', '.join(args)})")
    return X(f"{function}({', '.join(args)})", atom=True)


def _head(low: Expressions, mask: X, lines: Sequence[str]) -> list[str]:
    """The lines that begin a round: over members that are known, or over the bits of `m`."""
    if mask.const is None:
        return ["while m:", "    x = m & -m; m ^= x; i = x.bit_length() - 1"]
    members = fold.members_of(mask.const)
    if any(re.search(r"\bx\b", line) for line in lines):
        return [f"for i, x in {low.unit.table([(i, 1 << i) for i in members])}:"]
    return [f"for i in {low.unit.table(members)}:"]


def hoists(low: Expressions, lines: Sequence[str]) -> list[str]:
    """The assignments of what was taken out of a loop, as far as the lines use it."""
    text, found = "\n".join(lines), []
    for value, h in reversed(low.hoisted.items()):
        if re.search(rf"\b{h}\b", text):
            found.append(f"{h} = {value}")
            text += "\n" + value
    return found[::-1]


def collect(low: Expressions, e: m.Collect) -> X:
    late = low.an.vector(e.value, e.var, domain(e.var))
    vector = late.values[0] if late is not None and late.const else None
    source = low.val(e.source)
    if source.const == 0:
        return const(0)
    if vector is not None and isinstance(e.value.type, m.MemberOf):
        if source.const is not None:
            return fold.united([const(1 << vector[i]) for i in fold.members_of(source.const) if vector[i] >= 0])
        values = sorted({v for v in vector if v >= 0})
        if len(values) <= 4 and (source.atom or len(values) == 1):
            tests = [f"({1 << v} if {source.p} & {_mask(vector, v)} else 0)" for v in values]
            return X(" | ".join(tests)) if tests else const(0)
    if late is not None:
        member = isinstance(e.value.type, m.MemberOf)
        table = low.unit.table(late.map(lambda values: (*((1 << v if v >= 0 else 0) if member else v for v in values), 0)))
        return X(f"union_of({table}, {source.text})", atom=True)
    return loop(low, source, e.var, [e.value], ["out = 0"], lambda inner: [f"out |= {inner.mask_of(e.value).text}"], ["return out"])


def _mask(vector: Sequence[int], value: int) -> str:
    return const(sum(1 << i for i, v in enumerate(vector) if v == value)).text


def aggregate(low: Expressions, e: m.Aggregate) -> X:
    if e.op == "sum":
        return total(low, low.val(e.source), e.var, e.value)
    vector = low.an.fixed_vector(e.value, e.var, domain(e.var))
    source = low.val(e.source)
    none = -1 if isinstance(e.value.type, m.MemberOf) else 0
    if source.const is not None and (vector is not None or source.const == 0):
        values = [v for v in (vector[i] for i in fold.members_of(source.const)) if none == 0 or v >= 0] if vector else []
        return const((min if e.op == "min" else max)(values, default=none))
    if vector is not None:
        values = sorted({v for v in vector if none == 0 or v >= 0}, reverse=e.op == "max")
        if len(values) <= 6:
            t = source.text if source.atom else low.temp()
            first = source.text if source.atom else f"({t} := {source.text})"
            tests = [f"{v} if {first if i == 0 else t} & {_mask(vector, v)}" for i, v in enumerate(values)]
            return X(" else ".join([*tests, str(none)])) if tests else const(none)
    better = "<" if e.op == "min" else ">"
    skip = ["if v < 0: continue"] if none == -1 else []
    return loop(low, source, e.var, [e.value], ["out = None"],
                lambda inner: [f"v = {inner.val(e.value).text}", *skip, f"if out is None or v {better} out: out = v"],
                [f"return {none} if out is None else out"])


def total(low: Expressions, source: X, var: m.Var, value: m.Expr) -> X:
    """The sum of a number over a set: bit planes where it is fixed, split where it depends on a condition that is a mask."""
    vector = low.an.fixed_vector(value, var, domain(var)) if source.const else ()
    if source.const is not None and vector is not None:
        return const(sum(vector[i] for i in fold.members_of(source.const)))
    parts = planes(low, source, var, value) if source.atom else None
    if parts is not None:
        return X(" + ".join(parts)) if parts else const(0)
    if not source.atom and planes(low, name("m"), var, value) is not None:
        free = [v for v in sorted(low.an.deps(value).vars, key=lambda v: v.name) if v in low.env and low.env[v].const is None]
        if not free and low.pure:
            inner = Expressions(low.unit, {v: x for v, x in low.env.items() if x.const is not None})
            text = planes(inner, name("m"), var, value) or ["0"]
            return X(f"{low.unit.helper(['s', 'm'], ['return ' + ' + '.join(text)], value.span)}(s, {source.text})", atom=True)
    return loop(low, source, var, [value], ["out = 0"], lambda inner: [f"out += {inner.val(value).text}"], ["return out"])


def planes(low: Expressions, source: X, var: m.Var, value: m.Expr) -> list[str] | None:
    """Terms of the sum, or None if it needs a loop."""
    from rulekit.compile.masks import mask

    vector = low.an.vector(value, var, domain(var))
    if vector is not None:
        return _planes(low, source, vector)
    inlined = low._simple_inline(value)
    if inlined is not None:
        return planes(low, source, var, inlined)
    if isinstance(value, m.If):
        cond = mask(low, value.cond, var)
        if cond is None:
            return None
        t = X(f"{source.p} & {cond.p}")
        yes, no = (planes(low, X(text, atom=True), var, part) for text, part in
                   ((f"({t.text})", value.then), (f"({source.p} & ~{cond.p})", value.other)))
        return None if yes is None or no is None or len(yes) + len(no) > 12 else [*yes, *no]
    if isinstance(value, m.Arith) and value.op == "+":
        left, right = planes(low, source, var, value.left), planes(low, source, var, value.right)
        return None if left is None or right is None else [*left, *right]
    deps = low.an.deps(value)
    if var not in deps.vars:
        product = fold.arith("*", fold.size(source), low.val(value)).p
        return [f"({source.p} and {product})" if deps.raises and not source.const else product]  # of no members it is not asked
    return None


def _signed(sign: int, values: Sequence[int]) -> tuple[int, ...]:
    return tuple(max(0, sign * v) for v in values)


def _plane(k: int, values: Sequence[int]) -> int:
    """The places of the values with bit k."""
    return sum(1 << i for i, v in enumerate(values) if v >> k & 1)


def _planes(low: Expressions, source: X, vector: Late) -> list[str]:
    terms = []
    for sign in (1, -1):
        rest = vector.map(partial(_signed, sign))
        for k in range(max(max(values, default=0) for values in rest.values).bit_length()):
            plane = low.unit.pick(rest.map(partial(_plane, k)))
            if plane.const != 0:
                count = f"({source.p} & {plane.text}).bit_count()"
                terms.append(count if sign << k == 1 else f"{count}*{sign << k}")
    return terms


def first(low: Expressions, e: m.FirstBy) -> X:
    source = low.val(e.source)
    if source.const == 0:
        return const(-1)
    vectors = [low.an.fixed_vector(k, e.var, domain(e.var)) for k in e.keys]
    if all(v is not None for v in vectors):
        keys = [tuple(int(not x) for x in v or ()) if isinstance(k.type, m.Bool) else v or () for k, v in zip(e.keys, vectors, strict=True)]
        ranks = list(zip(*keys, strict=True)) if keys else []
        if source.const is not None:
            return const(min(fold.members_of(source.const), key=ranks.__getitem__))
        if ranks == sorted(ranks):  # the lowest bit is the first
            if source.atom:
                return X(f"({source.text} & -{source.text}).bit_length() - 1")
            t = low.temp()
            return X(f"(({t} := {source.text}) & -{t}).bit_length() - 1")
        order = {r: n for n, r in enumerate(sorted(set(ranks)))}
        table = low.unit.table([order[r] for r in ranks])
        return loop(low, source, e.var, [], ["best = -1; least = None"],
                    lambda inner: [f"k = {table}[i]", "if best < 0 or k < least: best = i; least = k"], ["return best"])

    def body(inner: Expressions) -> list[str]:
        keys = [f"not {inner.cond(k).p}" if isinstance(k.type, m.Bool) else inner.val(k).text for k in e.keys]
        text = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        return [f"k = {text}", "if best < 0 or k < least: best = i; least = k"]

    return loop(low, source, e.var, e.keys, ["best = -1; least = None"], body, ["return best"])
