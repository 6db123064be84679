"""Takes `pick group`, makes its blocks: elements one by one in ascending order, then go."""

from __future__ import annotations

from rulekit import model as m
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.ir.types import Mask
from rulekit.compile.lower.blocks import Blocks
from rulekit.compile.lower.decisions import Growing, Offer, Targets
from rulekit.compile.lower.expr import Expressions
from rulekit.compile.lower.gather import classes
from rulekit.compile.lower.loops import bit_of, loop
from rulekit.compile.lower.lowering import Lowering
from rulekit.compile.lower.options import CHOSEN, OUT
from rulekit.compile.lower.unit import ONE, ZERO, const
from rulekit.program import program as pg


def pick_group(low: Blocks, s: m.PickGroup, to: Targets) -> None:
    """Frame: the source, those picked, the bounds (and for `alike` the classes, packed)."""
    assert isinstance(s.source.type, m.SetOf)
    kind = s.source.type.kind
    source, picked = low.slot("set", kind.size), low.slot("set", kind.size)
    least, most = low.slot(), low.slot()
    head, end = low.new(), low.new()
    low.put(source, "=", low.val(s.source))
    if s.or_none:
        nothing = low.new()
        low.branch(v.Not(source), nothing)
        outer = low.out
        low.open(nothing)
        low.set_var(s.var, ZERO)
        low.goto(end)
        low.out = outer
    else:
        low.branch(v.Not(source), to.skip)
    high = low.val(s.high) if s.high is not None else None
    low.put(most, "=", v.Size(source) if high is None else v.Extreme("min", (high, v.Size(source))))
    floor = ZERO if s.or_none else low.val(s.low) if s.low is not None else ONE
    low.put(least, "=", v.Extreme("min", (floor, most)))
    low.put(picked, "=", ZERO)
    who = low.who_slot(s.who)
    alike: v.Slot | None = None
    if s.alike:
        assert s.key_var is not None
        alike = low.slot("masks", kind.size)
        low.put(alike, "=", classes(low, source, s.key_var, s.alike, sorted=False))
    low.goto(head)
    low.open(head)
    d = low.flow.decision("group", low.proc)
    d.prompt, d.text, d.ref, d.span = s.prompt, s.text, s.ref, s.span
    d.group = (picked.base, alike.base if alike is not None else -1)
    low.shown(d, s.visible)
    param = pg.ParamInfo(s.var.name, low.unit.index(kind), 0, kind.size)
    keeps = s.keeps
    clauses = [pg.ClauseInfo("when", "", keeps.reason, keeps.key, keeps.ref)] if keeps is not None else []
    add = low.flow.family(pg.FamilyInfo("add", "add", 0, [param], s.prompt, s.text, s.ref, clauses=clauses))
    go = low.flow.family(pg.FamilyInfo("go", "go", 0, [], "option.go", "", s.ref))
    base, stop = const(low.flow.families[add].base), v.Layer(const(low.flow.families[go].base), ONE)
    low.flow.groups[add] = Growing(s, source, picked, most)
    kept = source if keeps is None else _kept(low, s, keeps.cond, source, picked, most)
    offer = v.Run("group_mask", (kept, picked, least, most), Mask(kind.size))
    if alike is not None:
        further = (kept,) if keeps is not None else ()
        offer = v.Run("group_classes", (alike, picked, least, most, *further), Mask(kind.size))

    def layer(mask: v.Value) -> v.Layers:
        return v.Layers((v.Layer(base, mask) if alike is None else v.Run("in_classes", (base, alike, mask)),))

    mask = v.Local("m", Mask(kind.size))
    enough = v.Compare(">=", v.Size(picked), least)
    d.asked = who
    d.layers = (c.Assign(mask, offer), c.Assign(OUT, v.If(mask, layer(mask), v.Layers(()))),
                c.If(enough, (c.Append(OUT, stop),)), c.Give(OUT))
    free = low.hold(offer)
    ready = low.hold(enough)
    added, gone = low.new(), low.new()
    take_add, take_go = low.new(), low.new()
    take_add.option = take_go.option = True
    if keeps is not None and not s.or_none:
        low.branch(v.All((v.Not(free), v.Not(picked), most)), to.skip)
    low.branch(v.Not(free), gone)
    low.add(c.If(v.All((v.Not(ready), v.Not(v.More(free)))), (c.Put(picked, "|=", free), c.Goto(head, span=low.span))))
    low.add(c.Decide(d.number, v.If(ready, v.Layers((*layer(free).items, stop)), layer(free))))
    d.offers = [Offer(add, take_add), Offer(go, take_go)]
    low.open(take_add)
    low.put(picked, "|=", v.Bit(v.Arith("-", CHOSEN, base), Mask(kind.size)))
    low.goto(added)
    low.open(added)
    low.goto(head)
    low.open(take_go)
    low.goto(gone)
    low.open(gone)
    low.set_var(s.var, picked)
    low.goto(end)
    low.open(end)


def _kept(low: Blocks, s: m.PickGroup, cond: m.Expr, source: v.Slot, picked: v.Slot, most: v.Slot) -> v.Value:
    """The elements of the source with which the group would keep its condition, of those that may still be offered."""
    assert isinstance(s.source.type, m.SetOf)
    element = m.Var("element", m.MemberOf(s.source.type.kind))
    pure = Expressions(low.unit, {s.var: picked})
    out, grown, bit = v.Local("out", source.type), v.Local("grown", source.type), bit_of(element)

    def body(inner: Lowering) -> c.Code:
        before = inner.env.get(s.var, ZERO)
        inner.env[s.var] = grown
        inner.loop = frozenset((s.var,))
        test = inner.cond(cond)
        return c.Assign(grown, v.Bits("|", before, bit)), c.If(test, (c.Assign(out, bit, "|="),))

    rest = v.Run("group_rest", (source, picked, most, const(bool(s.alike))), source.type)
    return loop(pure, rest, element, [cond], (c.Assign(out, ZERO),), body, (c.Give(out),))
