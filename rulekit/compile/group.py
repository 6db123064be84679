"""Takes `pick group`, makes its blocks: elements one by one in ascending order, then go."""

from __future__ import annotations

from rulekit import model as m
from rulekit.compile import ir
from rulekit.compile.control import Growing, Lower, Offer, Targets
from rulekit.compile.expr import Expressions
from rulekit.compile.unit import X, const, name
from rulekit.program import program as pg


def pick_group(low: Lower, s: m.PickGroup, to: Targets) -> None:
    """Frame: the source, those picked, the bounds (and for `alike` the classes, packed)."""
    assert isinstance(s.source.type, m.SetOf)
    kind = s.source.type.kind
    source, picked = low.slot("set", kind.size), low.slot("set", kind.size)
    least, most = low.slot(), low.slot()
    who, head, end = "", low.new(), low.new()
    low.put(source, "=", low.val(s.source).text)
    if s.or_none:
        nothing = low.new()
        low.branch(f"not s[{source}]", nothing)
        outer = low.out
        low.open(nothing)
        low.set_var(s.var, "0")
        low.goto(end)
        low.out = outer
    else:
        low.branch(f"not s[{source}]", to.skip)
    size = f"s[{source}].bit_count()"
    high = low.val(s.high) if s.high is not None else None
    low.put(most, "=", size if high is None else f"min({high.text}, {size})")
    floor = const(0) if s.or_none else low.val(s.low) if s.low is not None else const(1)
    low.put(least, "=", f"min({floor.text}, s[{most}])")
    low.put(picked, "=", "0")
    who = low.who_slot(s.who)
    classes = ""
    if s.alike:
        classes = low.slot("masks", kind.size)
        low.put(classes, "=", _classes(low, s, source).text)
    low.goto(head)
    low.open(head)
    d = low.flow.decision("group", s.who, low.proc)
    d.prompt, d.text, d.ref, d.span, d.group = s.prompt, s.text, s.ref, s.span, (int(picked), int(classes or -1))
    low.shown(d, s.visible)
    param = pg.ParamInfo(s.var.name, low.unit.index(kind), 0, kind.size)
    keeps = s.keeps
    clauses = [pg.ClauseInfo("when", "", keeps.reason, keeps.key, keeps.ref)] if keeps is not None else []
    add = low.flow.family(pg.FamilyInfo("add", "add", 0, [param], s.prompt, s.text, s.ref, clauses=clauses))
    go = low.flow.family(pg.FamilyInfo("go", "go", 0, [], "option.go", "", s.ref))
    base, stop = low.flow.families[add].base, low.flow.families[go].base
    low.flow.groups[add] = Growing(s, source, picked, most)
    kept = f"s[{source}]"
    if keeps is not None:
        kept = _kept(low, s, keeps.cond, source, picked, most).text
    offer = f"group_mask({kept}, s[{picked}], s[{least}], s[{most}])"
    if s.alike:
        offer = f"group_classes(s[{classes}], s[{picked}], s[{least}], s[{most}]{f', {kept}' if keeps is not None else ''})"

    def layer(mask: str) -> str:
        return f"in_classes({base}, s[{classes}], {mask})" if s.alike else f"[({base}, {mask})]"

    d.asked = who
    d.layers = [f"m = {offer}", f"out = {layer('m')} if m else []",
                f"if s[{picked}].bit_count() >= s[{least}]: out.append(({stop}, 1))", "return out"]
    free = low.hold(X(offer))
    ready = low.hold(X(f"s[{picked}].bit_count() >= s[{least}]"))
    added, gone = low.new(), low.new()
    take_add, take_go = low.new(), low.new()
    take_add.option = take_go.option = True
    if keeps is not None and not s.or_none:
        low.branch(f"not {free.text} and not s[{picked}] and s[{most}]", to.skip)
    low.branch(f"not {free.text}", gone)
    low.add(ir.If(f"not {ready.text} and not {free.text} & ({free.text} - 1)",
                  [ir.Put(picked, "|=", free.text), ir.Goto(head, span=low.span)], []))
    low.add(ir.Decide(d.number, f"[*{layer(free.text)}, ({stop}, 1)] if {ready.text} else {layer(free.text)}"))
    d.offers = [Offer(add, take_add), Offer(go, take_go)]
    low.open(take_add)
    low.put(picked, "|=", f"1 << o - {base}")
    low.goto(added)
    low.open(added)
    low.goto(head)
    low.open(take_go)
    low.goto(gone)
    low.open(gone)
    low.set_var(s.var, f"s[{picked}]")
    low.goto(end)
    low.open(end)


def _kept(low: Lower, s: m.PickGroup, cond: m.Expr, source: str, picked: str, most: str) -> X:
    """The elements of the source with which the group would keep its condition, of those that may still be offered."""
    from rulekit.compile.loops import loop

    assert isinstance(s.source.type, m.SetOf)
    element = m.Var("element", m.MemberOf(s.source.type.kind))
    pure = Expressions(low.unit, {s.var: X(f"s[{picked}]", atom=True)})

    def body(inner: Expressions) -> list[str]:
        before = inner.env.get(s.var, const(0)).text
        inner.env[s.var] = name("grown")
        inner.loop = frozenset((s.var,))
        test = inner.cond(cond).text
        return [f"grown = {before} | x", f"if {test}: out |= x"]

    rest = X(f"group_rest(s[{source}], s[{picked}], s[{most}], {int(bool(s.alike))})", atom=True)
    return loop(pure, rest, element, [cond], ["out = 0"], body, ["return out"])


def _classes(low: Lower, s: m.PickGroup, source: str) -> X:
    """Classes of equal members in the order of their lowest ones, packed into one int: width bits each."""
    from rulekit.compile.loops import loop

    assert s.key_var is not None
    return loop(low, X(f"s[{source}]", atom=True), s.key_var, s.alike, ["out = {}"],
                lambda inner: [f"k = ({', '.join(inner.val(k).text for k in s.alike)},)", "out[k] = out.get(k, 0) | x"],
                ["return pack_masks(out.values())"])
