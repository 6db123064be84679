"""Takes a condition on the elements of a kind, makes the mask of the elements for which it holds, without looking at them one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile.expr import Expressions
from rulekit.compile.late import Late, both
from rulekit.compile.layout import Place
from rulekit.compile.loops import domain, loop
from rulekit.compile.unit import X, const, name
from rulekit.model.visitor import rebuilt, subexpressions, substitute


def conjuncts(e: m.Expr) -> list[m.Expr]:
    """The parts of a conjunction, nested ones opened."""
    return [x for item in e.items for x in conjuncts(item)] if isinstance(e, m.And) else [e]


def filtered(low: Expressions, e: m.Filter, any: bool = False) -> X:
    """The members of the source for which the condition holds."""
    known = low.unit.opened.get(id(e))
    if known is None:
        known = low.unit.opened[id(e)] = (e, *_one_filter(low, e))
    return narrowed(low, low.val(known[1]), e.var, known[2], any, low.an.deps(known[1]).raises)


def _one_filter(low: Expressions, e: m.Filter) -> tuple[m.Expr, list[m.Expr]]:
    """The source and the conditions of a filter, and of those that its source is."""
    source, rest = e.source, conjuncts(e.cond)
    while isinstance(source, (m.Filter, m.CallDefine)):  # a filter of a filter is one filter
        if isinstance(source, m.CallDefine):
            inlined = low._simple_inline(source)
            if inlined is None:
                break
            source = inlined
            continue
        rest = [*(substitute(c, {source.var: m.Read(e.var, type=e.var.type)}) for c in conjuncts(source.cond)), *rest]
        source = source.source
    return source, rest


def narrowed(low: Expressions, source: X, var: m.Var, tests: Sequence[m.Expr], any: bool = False, raises: bool = False) -> X:
    """A mask cut down by conditions on its members. `raises`: the source may end play with an error, so it must be looked at.
    A condition that may do so is asked of each member for which those before it hold, and of no other; so are those behind it."""
    sure = next((i for i, test in enumerate(tests) if low.an.deps(test).raises), len(tests))
    tests, late = tests[:sure], tests[sure:]
    plus, minus, free, slow, wide, kept = [], [], [], [], [], []
    whole = (1 << len(domain(var))) - 1
    fixed = whole
    for test in tests:
        if var not in low.an.deps(test).vars:
            free.append(test)
            continue
        for part in _opened(low, test):
            if var not in low.an.deps(part).vars:
                free.append(part)
                continue
            x = mask(low, part, var)
            if x is None:
                slow.append(part)
            elif x.const is not None:
                fixed &= x.const
            elif "union_of(" in x.text and "~" in x.text:
                wide.append((part, x))
            elif low.stays(part, var):
                kept.append(x.p if not x.text.startswith("~") or not _closed(x.text[1:]) else x.text)
            elif x.text.startswith("~") and x.text.count("~") == 1 and _closed(x.text[1:]):
                minus.append(x.text[1:])
            else:
                plus.append(x.p)
    for part, x in wide:  # a union over almost all members: better to try the few candidates there are
        if [p for p in plus if re.fullmatch(r"[CK]\d+\[[^\]]*\](\])?", p)]:
            slow.append(part)
        else:
            plus.append(x.p)
    if fixed == 0 and not raises:
        return const(0)
    if len(kept) == 1 and re.fullmatch(r"~?s\[\d+\]", kept[0]):
        (minus if kept[0][0] == "~" else plus).append(kept[0].lstrip("~"))
    elif kept:
        cut = [const(fixed).text] if fixed != whole or all("~" in k for k in kept) else []
        plus.append(low.before_loop(" & ".join([*dict.fromkeys(kept), *cut])))
        whole = fixed
    if source.const is not None:
        fixed &= source.const
    else:
        plus.insert(0, source.p)
    if fixed == 0 and not raises:
        return const(0)
    if fixed != whole or all("~" in t for t in plus):  # a complement has further bits
        plus.append(const(fixed).text)
    terms = list(dict.fromkeys(plus))
    x = X(" & ".join([*terms, *(f"~{t}" for t in dict.fromkeys(minus))]))
    if len(terms) == 1 and not minus:
        x = const(fixed) if plus == [const(fixed).text] else name(terms[0])
    conds = [c for c in (low.cond(f) for f in free) if c.const is None or not c.const]
    if raises and conds:
        x, conds = X(f"{x.p} & ({(1 << len(domain(var))) - 1} if {' and '.join(c.p for c in conds)} else 0)"), []
    if [c for c in conds if c.const is not None]:
        return const(0)
    slow += late
    if slow:
        cond = an.all_of(slow)
        if any and not late:
            x = loop(low, x, var, [cond], [], lambda inner: [f"if {inner.cond(cond).text}: return x"], ["return 0"], 0)
        else:
            x = loop(low, x, var, [cond], ["out = 0"], lambda inner: [f"if {inner.cond(cond).text}: out |= x"], ["return out"], 0)
    if conds:
        text = " and ".join(c.p for c in conds)
        return X(f"{text} and {x.p}", truthy=True) if any else X(f"{x.p} if {text} else 0")
    return x


def _closed(text: str) -> bool:
    """Is this one operand?"""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and c in ")]" and i < len(text) - 1 and text[i + 1] not in "[(":
            return False
        if depth == 0 and c in " &|":
            return False
    return True


def _opened(low: Expressions, test: m.Expr) -> list[m.Expr]:
    """A call of a definition opened to its conjuncts."""
    inlined = low._simple_inline(test)
    if inlined is None:
        return conjuncts(test) if isinstance(test, m.And) else [test]
    return [x for c in conjuncts(inlined) for x in _opened(low, c)]


def invert(x: X, whole: int) -> X:
    if x.const is not None:
        return const(whole & ~x.const)
    return X(x.text[1:], atom=_closed(x.text[1:])) if x.text.startswith("~") and _closed(x.text[1:]) else X(f"~{x.p}", atom=False)


def mask(low: Expressions, c: m.Expr, var: m.Var) -> X | None:
    """The members for which a condition holds; may have further bits. None: there is no such form."""
    kind = domain(var)
    whole = (1 << len(kind)) - 1
    if var not in low.an.deps(c).vars:
        settled = low.an.settled(c)
        if settled is not None:
            return low.unit.pick(settled.map(lambda v: whole if v else 0))
        if low.an.deps(c).raises:
            return None
        test = low.cond(c)
        return const(whole if test.const else 0) if test.const is not None else X(f"({whole} if {test.p} else 0)", atom=True)
    vector = low.an.vector(c, var, kind)
    if vector is not None:
        return low.unit.pick(vector.map(lambda values: _bits(values, bool)))
    known = low.an.value(c)
    if known is not None:
        return const(whole if known else 0)
    if low.an.deps(c).raises:
        return None
    if low._simple_inline(c) is not None:
        return mask(low, low._simple_inline(c) or c, var)
    if isinstance(c, m.Not):
        opposite = mask(low, c.value, var)
        return None if opposite is None else invert(opposite, whole)
    if isinstance(c, (m.And, m.Or)):
        return _joined(low, c, var)
    if isinstance(c, m.If) and var not in low.an.deps(c.cond).vars:
        return _either(low, c, var)
    if isinstance(c, m.If):
        return _chosen(_held(low, c.cond, var), mask(low, c.then, var), mask(low, c.other, var), whole)
    x: X | None = None
    if isinstance(c, m.Compare) and c.op in ("=", "!="):
        x = _compared(low, c, var)
    elif isinstance(c, m.In):
        x = _membership(low, c, var)
    elif isinstance(c, m.IsNone):
        x = _holes(low, c, var)
    elif isinstance(c, m.ReadCell):
        x = _flag(low, c, var)
    elif isinstance(c, m.Count) and c.op in ("some", "no"):
        x = _meets(low, c.source, var)
        x = invert(x, whole) if x is not None and c.op == "no" else x
    return x if x is not None else through(low, c, var)


def _joined(low: Expressions, c: m.And | m.Or, var: m.Var) -> X | None:
    stop = isinstance(c, m.Or)  # what a part without `var` says when it alone decides
    free = [x for x in c.items if var not in low.an.deps(x).vars]
    found = [(mask if low.stays(c, var) else _held)(low, x, var) for x in c.items if x not in free]
    if None in found:
        return None
    whole = (1 << len(domain(var))) - 1
    terms = list(dict.fromkeys(x.p for x in found if x is not None and x.const != (0 if stop else whole)))
    joined = X((" | " if stop else " & ").join(terms)) if len(terms) > 1 else name(terms[0]) if terms else const(0 if stop else whole)
    if not free:
        return joined
    test = low.cond(attrs.evolve(c, items=free))
    if test.const is not None:
        return joined if bool(test.const) != stop else const(whole if stop else 0)
    return X(f"({whole if stop else joined.p} if {test.p} else {joined.p if stop else 0})", atom=True)


def _either(low: Expressions, c: m.If, var: m.Var) -> X | None:
    """One mask or the other, as something says that is the same for all members."""
    a, b = mask(low, c.then, var), mask(low, c.other, var)
    if a is None or b is None:
        return None
    test = low.cond(c.cond)
    if test.const is not None:
        return a if test.const else b
    return a if a.text == b.text else X(f"({a.p} if {test.p} else {b.p})", atom=True)


def _held(low: Expressions, c: m.Expr, var: m.Var) -> X | None:
    """A mask that is a part of another one: computed before the loop if it stays the same."""
    x = mask(low, c, var)
    if x is None or x.const is not None or not low.stays(c, var) or re.fullmatch(r"~?(s\[\d+\]|\w+)", x.text):
        return x
    return name(low.before_loop(x.text))


def _compared(low: Expressions, c: m.Compare, var: m.Var) -> X | None:
    for left, right in ((c.left, c.right), (c.right, c.left)):
        if var in low.an.deps(left).vars and var not in low.an.deps(right).vars and not isinstance(left.type, m.Bool):
            x = equal(low, left, right, var)
            if x is None or c.op == "=":
                return x
            if not isinstance(left.type, m.MemberOf):
                return invert(x, (1 << len(domain(var))) - 1)
            none = mask(low, m.IsNone(left, type=an.BOOL), var)
            if none is None or low.an.maybe_none(right):
                return None
            return X(f"~({x.p} | {none.p})") if none.const != 0 else invert(x, (1 << len(domain(var))) - 1)
    return None


def equal(low: Expressions, left: m.Expr, right: m.Expr, var: m.Var) -> X | None:
    """The members of which `left` has a value that does not depend on them."""
    inlined = low._simple_inline(left)
    if inlined is not None:
        return equal(low, inlined, right, var)
    r = low.val(right)
    if isinstance(left, m.Read):
        return low.bit(right)
    vector = low.an.vector(left, var, domain(var))
    member = isinstance(left.type, m.MemberOf)
    if vector is not None and all(isinstance(v, int) for values in vector.values for v in values):
        settled = low.an.settled(right) if r.const is None else Late((), (r.const,))
        if settled is not None:
            return low.unit.pick(both(vector, settled).map(lambda t: _bits(t[0], lambda v: v == t[1] and not (member and v < 0))))
        if member and isinstance(left.type, m.MemberOf):
            size = left.type.kind.size
            return X(f"{low.unit.table(vector.map(lambda values: (*_holders(values, range(size)), 0)))}[{r.text}]", atom=True)
        low_, high = (f(f(values) for values in vector.values) for f in (min, max))
        if high - low_ <= 64:
            table = low.unit.table(vector.map(lambda values: _holders(values, range(low_, high + 1))))
            return X(f"at({table}, {r.p} - {low_})", atom=True)
        return None
    if isinstance(left, m.ReadCell):
        place = low.unit.lay.places[left.cell]
        if place.index >= 0 and isinstance(left.keys[0], m.Read) and left.keys[0].var is var:
            if r.const is not None:
                return const(0) if r.const < 0 else name(f"s[{place.index + r.const}]")
            return name(f"s[{place.index} + {r.p}]")
    if isinstance(left, m.ReadFixed):
        spread = _spread(low, left)
        return None if spread is None else equal(low, spread, right, var)
    if isinstance(left, m.If) and (r.atom or r.const is not None):
        t = mask(low, left.cond, var)
        parts = []
        for side in (left.then, left.other):
            parts.append(equal(low, side, right, var) if var in low.an.deps(side).vars else
                         mask(low, m.Compare("=", side, right, type=an.BOOL), var))
        return _chosen(t, parts[0], parts[1], (1 << len(domain(var))) - 1)
    return None


def _spread(low: Expressions, e: m.ReadFixed) -> m.If | None:
    """A fixed value of one thing or another, as the one fixed value or the other."""
    for i, key in enumerate(e.keys):
        chosen = low._simple_inline(key) or key
        if isinstance(chosen, m.If):
            then, other = (attrs.evolve(e, keys=[*e.keys[:i], x, *e.keys[i + 1:]]) for x in (chosen.then, chosen.other))
            return m.If(chosen.cond, then, other, type=e.type, span=e.span)
    return None


def _chosen(t: X | None, a: X | None, b: X | None, whole: int) -> X | None:
    """Those of `a` in `t`, those of `b` outside of it."""
    if t is None or a is None or b is None:
        return None
    if t.const is not None and a.const is not None and b.const is not None:
        return const(t.const & a.const | b.const & ~t.const & whole)
    if t.const is not None and t.const & whole in (0, whole):
        return a if t.const & whole else b
    left = t if a.const == whole else const(0) if a.const == 0 else X(f"{t.p} & {a.p}")
    right = const(0) if b.const == 0 else X(f"~{t.p}") if b.const == whole else X(f"{b.p} & ~{t.p}")
    if left.const == 0 or right.const == 0:
        return right if left.const == 0 else left
    return X(f"{left.p} | {right.p}")


def _membership(low: Expressions, c: m.In, var: m.Var) -> X | None:
    item, source = c.item, c.source
    in_item, in_source = var in low.an.deps(item).vars, var in low.an.deps(source).vars
    if isinstance(item, m.Read) and item.var is var and not in_source:
        return low.val(source)
    if in_source and not in_item:
        vector = low.an.vector(source, var, domain(var))
        if vector is not None and isinstance(item.type, m.MemberOf):
            size = item.type.kind.size
            table = vector.map(lambda values: (*_meeting(values, size), 0))
            r = low.val(item)
            settled = low.an.settled(item) if r.const is None else Late((), (r.const,))
            if settled is not None:
                return low.unit.pick(both(table, settled).map(lambda t: t[0][t[1]]))
            return X(f"{low.unit.table(table)}[{r.text}]", atom=True)
    return None


def _holes(low: Expressions, c: m.IsNone, var: m.Var) -> X | None:
    if isinstance(c.value, m.ReadCell):
        place = low.unit.lay.places[c.value.cell]
        if place.index >= 0 and isinstance(c.value.keys[0], m.Read) and c.value.keys[0].var is var:
            return name(f"s[{place.index + place.values}]")
    elif isinstance(c.value, m.Read) and c.value.var is var:
        return const(0)
    inlined = low._simple_inline(c.value)
    if inlined is not None:
        return mask(low, m.IsNone(inlined, type=an.BOOL), var)
    if isinstance(c.value, m.If):
        then, other = (m.IsNone(x, type=an.BOOL) for x in (c.value.then, c.value.other))
        return mask(low, m.If(c.value.cond, then, other, type=an.BOOL), var)
    return None


def _flag(low: Expressions, c: m.ReadCell, var: m.Var) -> X | None:
    place = low.unit.lay.places[c.cell]
    last = c.keys[-1] if c.keys else None
    if place.form != "mask" or not isinstance(last, m.Read) or last.var is not var or c.cell.keys[-1].kind is None:
        return None
    rest = c.keys[:-1]
    if any(var in low.an.deps(k).vars for k in rest) or (len(rest) > 1 and any(low.an.maybe_none(k) for k in rest)):
        return None
    return name(f"s[{low.offset(c.cell.keys[:-1], rest, place.base).text}]")


def _meets(low: Expressions, source: m.Expr, var: m.Var) -> X | None:
    """The members of which a fixed set has common members with a set that does not depend on them."""
    inlined = low._simple_inline(source)
    if inlined is not None:
        return _meets(low, inlined, var)
    tests: list[m.Expr] = []
    element = m.Var("e", m.MemberOf(source.type.kind)) if isinstance(source.type, m.SetOf) else None
    while isinstance(source, m.Filter) and element is not None:
        tests = [*(substitute(c, {source.var: m.Read(element, type=element.type)}) for c in conjuncts(source.cond)), *tests]
        source = source.source
    vector = low.an.vector(source, var, domain(var))
    if vector is None or element is None or any(var in low.an.deps(t).vars for t in tests):
        return None
    size = len(domain(element))
    met = narrowed(low, const((1 << size) - 1), element, tests)
    table = low.unit.table(vector.map(lambda values: _meeting(values, size)))
    return X(f"union_of({table}, {met.text})", atom=True)


def through(low: Expressions, c: m.Expr, var: m.Var) -> X | None:
    """The condition depends on `var` by one value of it only: find the values for which it holds, and who has them."""
    term = _only_term(low, c, var)
    if term is None or not isinstance(term.type, m.MemberOf):
        return None
    fresh = m.Var("v", m.MemberOf(term.type.kind))
    inner = _replace(c, term, m.Read(fresh, type=fresh.type), var)
    if var in low.an.deps(inner).vars:
        return None
    none = _replace(c, term, m.Const(-1, type=m.MemberOf(term.type.kind, True)), var)
    at_none = low.an.settled(none)
    if at_none is None:
        return None
    met = mask(low, inner, fresh)
    if met is None:
        return None
    whole = (1 << term.type.kind.size) - 1
    met = const(met.const & whole) if met.const is not None else X(f"{met.p} & {const(whole).text}")
    vector = low.an.vector(term, var, domain(var))
    if vector is not None:
        x = preimage(low, vector, met, term.type.kind.size)
        holes = low.unit.pick(both(vector, at_none).map(lambda t: _bits(t[0], lambda v: v < 0) if t[1] else 0))
        return x if holes.const == 0 else X(f"{x.p} | {holes.text}")
    assert isinstance(term, m.ReadCell)
    place = low.unit.lay.places[term.cell]
    inside = met.const
    if inside is not None and inside.bit_count() > 4 and inside.bit_count()*2 > place.values:
        return _all_but(place, whole & ~inside, low.unit.pick(at_none), len(domain(var)))
    if inside is not None and inside.bit_count() <= 4:
        terms = [f"s[{place.index + v}]" for v in range(place.values) if inside >> v & 1]
        x = X(" | ".join(terms)) if len(terms) > 1 else name(terms[0]) if terms else const(0)
    else:
        x = X(f"union(s, {place.index}, {met.text})", atom=True)
    here = f"s[{place.index + place.values}]"
    if not at_none.const:
        return X(f"{x.p} | ({here} if {low.unit.pick(at_none).text} else 0)")
    return X(f"{x.p} | {here}") if at_none.values[0] else x


def _all_but(place: Place, others: int, at_none: X, size: int) -> X:
    """All members of a kind of this size except those with one of a few values."""
    terms = [f"s[{place.index + v}]" for v in range(place.values) if others >> v & 1]
    if len(terms) > 4:
        terms = [f"union(s, {place.index}, {const(others).text})"]
    here = f"s[{place.index + place.values}]"
    if at_none.const is None:
        terms.append(f"(0 if {at_none.text} else {here})")
    elif not at_none.const:
        terms.append(here)
    if not terms:
        return const((1 << size) - 1)
    return X(f"~{terms[0]}" if len(terms) == 1 else f"~({' | '.join(terms)})")


def _bits(values: Sequence[Any], test: Callable[[Any], object]) -> int:
    """The set of the places where a value passes a test."""
    return sum(1 << i for i, v in enumerate(values) if test(v))


def _meeting(values: Sequence[int], size: int) -> tuple[int, ...]:
    """For each element the set of the places where a set with it stands."""
    return tuple(sum(1 << i for i, v in enumerate(values) if v >> w & 1) for w in range(size))


def _holders(values: Sequence[Any], wanted: Iterable[int]) -> tuple[int, ...]:
    """For each value the set of the places where it stands."""
    found: dict[int, int] = {}
    for i, v in enumerate(values):
        found[v] = found.get(v, 0) | 1 << i
    return tuple(found.get(w, 0) for w in wanted)


def preimage(low: Expressions, late: Late, met: X, size: int) -> X:
    """The members that a fixed map takes into a mask: a shift if the map is one."""
    if met.const is not None:
        inside: int = met.const
        return low.unit.pick(late.map(lambda values: _bits(values, lambda v: v >= 0 and inside >> v & 1)))
    if not late.const:
        return X(f"union_of({low.unit.table(late.map(lambda values: _holders(values, range(size))))}, {met.text})", atom=True)
    vector = late.values[0]
    steps = {v - i for i, v in enumerate(vector) if v >= 0}
    where = sum(1 << i for i, v in enumerate(vector) if v >= 0)
    if not steps:
        return const(0)
    if len(steps) == 1:
        step = steps.pop()
        shifted = f"{met.p} >> {step}" if step > 0 else f"{met.p} << {-step}" if step else met.text
        whole = (1 << len(vector)) - 1
        return X(f"({shifted}) & {const(where).text}") if where != whole or step < 0 else X(shifted)
    return X(f"union_of({low.unit.table(_holders(vector, range(size)))}, {met.text})", atom=True)


def _only_term(low: Expressions, c: m.Expr, var: m.Var) -> m.Expr | None:
    """The smallest value of `var` through which alone the condition depends on it."""
    found: list[m.Expr] = []

    def look(e: m.Expr) -> bool:
        """False: `var` is read otherwise."""
        if var not in low.an.deps(e).vars:
            return True
        if isinstance(e.type, m.MemberOf) and not isinstance(e, m.Read) and low.an.deps(e).vars == {var}:
            if isinstance(e, m.ReadCell):
                place = low.unit.lay.places[e.cell]
                if place.index >= 0 and isinstance(e.keys[0], m.Read):
                    found.append(e)
                    return True
            elif low.an.vector(e, var, domain(var)) is not None:
                found.append(e)
                return True
        return not isinstance(e, m.Read) and all(look(x) for x in subexpressions(e))

    if not look(c) or not found or any(not same(f, found[0]) for f in found):
        return None
    return found[0]


def same(a: m.Expr, b: m.Expr) -> bool:
    """Are two terms the same reading of the same variable?"""
    if a is b:
        return True
    if a.__class__ is not b.__class__:
        return False
    if isinstance(a, m.Read) and isinstance(b, m.Read):
        return a.var is b.var
    if isinstance(a, m.Const) and isinstance(b, m.Const):
        return a.value == b.value
    if isinstance(a, m.ReadCell) and isinstance(b, m.ReadCell) and a.cell is not b.cell:
        return False
    if isinstance(a, m.ReadFixed) and isinstance(b, m.ReadFixed) and a.fixed is not b.fixed:
        return False
    if not isinstance(a, (m.ReadCell, m.ReadFixed)):
        return False
    left, right = subexpressions(a), subexpressions(b)
    return len(left) == len(right) and all(same(x, y) for x, y in zip(left, right, strict=True))


def _replace(e: m.Expr, term: m.Expr, by: m.Expr, var: m.Var) -> m.Expr:
    """A copy with a term replaced."""
    if same(e, term):
        return by
    return rebuilt(e, lambda x: _replace(x, term, by, var))
