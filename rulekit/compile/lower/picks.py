"""Takes `pick` and `together`, makes their blocks: decisions with one option for each member of a set, or for each number."""

from __future__ import annotations

from collections.abc import Callable

from rulekit import model as m
from rulekit.compile.ir import code as c
from rulekit.compile.ir import values as v
from rulekit.compile.ir.types import Mask
from rulekit.compile.lower.blocks import Blocks
from rulekit.compile.lower.decisions import Decision, Offer, Targets
from rulekit.compile.lower.gather import firsts
from rulekit.compile.lower.options import CHOSEN
from rulekit.compile.lower.unit import NONE, ONE, ZERO, const, known, type_of
from rulekit.program import program as pg

Take = Callable[[v.Value], None]


def ask_member(low: Blocks, kind: str, label: str, of: m.Kind | None, among: v.Slot, who: v.Slot, prompt: str, text: str, s: m.Stmt,
               take: Take, after: c.Block, first: int = 0, size: int = 0, none: bool = False) -> Decision:
    """A decision with one option per member of the mask in a slot."""
    d = low.flow.decision(kind, low.proc)
    d.prompt, d.text, d.ref, d.span = prompt, text, s.ref, s.span
    if isinstance(s, m.Pick):
        low.shown(d, s.visible)
    param = pg.ParamInfo(label, low.unit.index(of) if of else -1, first, of.size if of else size)
    family = low.flow.family(pg.FamilyInfo(label, "tie" if kind == "tie" else "pick", 0, [param], key=prompt, label=text, ref=s.ref))
    base = low.flow.families[family].base
    block = low.new()
    block.option = True
    d.offers.append(Offer(family, block))
    mask = v.Local("m", among.type)
    members = v.Layer(const(base), mask)
    layers = v.If(mask, v.Layers((members,)), v.Layers(()))
    if none:
        other = low.flow.family(pg.FamilyInfo("none", "pick", 0, [], key=prompt, ref=s.ref))
        no = low.new()
        no.option = True
        d.offers.append(Offer(other, no))
        nobody = v.Layer(const(base + param.size), ONE)
        layers = v.If(mask, v.Layers((members, nobody)), v.Layers((nobody,)))
    d.asked, d.layers = who, (c.Assign(mask, among), c.Give(layers))
    low.add(c.Decide(d.number, None))
    low.open(block)
    take(v.Arith("-", CHOSEN, const(base - first)))
    low.goto(after)
    if none:
        low.open(d.offers[1].block)
        take(NONE)
        low.goto(after)
    return d


def pick(low: Blocks, s: m.Pick, nothing: c.Block, take: Take, end: c.Block) -> None:
    first, size, kind = 0, 0, None
    if s.numbers is not None:
        mask, first, size = _numbers(low, s, s.numbers)
    else:
        assert s.source is not None and isinstance(s.source.type, m.SetOf)
        kind = s.source.type.kind
        mask = low.val(s.source)
        if s.alike:
            assert s.key_var is not None
            mask = firsts(low, mask, s.key_var, s.alike)
    left = low.slot("set", kind.size if kind is not None else size)
    low.put(left, "=", mask)
    if s.or_none:
        none, ask = low.new(), low.new()
        low.branch(v.Not(left), none)
        low.goto(ask)
        low.open(none)
        take(NONE)
        low.goto(end)
        low.open(ask)
    else:
        low.branch(v.Not(left), nothing)
        one = low.new()
        low.branch(v.Not(v.More(left)), one)
        outer = low.out
        low.open(one)
        take(v.Highest(left, first))
        low.goto(end)
        low.out = outer
    who = low.who_slot(s.who)
    d = ask_member(low, "pick", s.var.name, kind, left, who, s.prompt, s.text, s, take, end, first, size, s.or_none)
    if s.source is not None:
        low.flow.picks[d.offers[0].family] = s.source


def _numbers(low: Blocks, s: m.Pick, numbers: tuple[m.Expr, m.Expr]) -> tuple[v.Value, int, int]:
    """The mask of numbers that may be picked, which number its first bit is, and how many bits it may have."""
    bounds = [low.hold(low.val(x)) for x in numbers]
    types = [x.type for x in numbers]
    lows = [known(b) if known(b) is not None else t.low for b, t in zip(bounds, types, strict=True) if isinstance(t, m.Int)]
    highs = [known(b) if known(b) is not None else t.high for b, t in zip(bounds, types, strict=True) if isinstance(t, m.Int)]
    if isinstance(s.var.type, m.Int):
        lows.append(s.var.type.low)
        highs.append(s.var.type.high)
    first = min([x for x in lows[:1] if x is not None] or [0])
    size = max([x for x in highs[1:2] if x is not None] or [99]) - first + 1
    low_, high = (v.Arith("-", b, const(first)) for b in bounds)
    mask: v.Value = v.Below(v.Extreme("max", (ZERO, v.Arith("+", high, ONE))))
    if known(bounds[0]) != first:
        mask = v.Bits("&", mask, v.Complement(v.Below(v.Extreme("max", (ZERO, low_)))))
    return mask, first, size


def together(low: Blocks, s: m.Together, to: Targets) -> None:
    """Ask all, keep the answers in the hidden cell, then the body for each."""
    place = low.unit.lay.places[s.answers]
    players = s.source.type
    assert isinstance(players, m.SetOf)
    rest, answered = low.slot("set", players.kind.size), low.slot("set", players.kind.size)
    low.put(rest, "=", low.val(s.source))
    low.put(answered, "=", ZERO)
    head, ask, second, body, end = (low.new() for _ in range(5))
    low.goto(head)
    low.open(head)
    low.branch(v.Not(rest), second)
    low.next_of(s.var, rest)
    low.goto(ask)
    low.open(ask)

    def keep(value: v.Value) -> None:
        who = low.read(s.var)
        held = low.kept(value)
        if place.form in ("both", "index"):
            low.put_both(s.answers, who, held)
        else:
            low.put(v.Slot(place.base, who, type_of(s.answers.type)), "=", held)
        low.put(answered, "|=", v.Bit(who, Mask(players.kind.size)))

    pick(low, s.pick, head, keep, head)
    low.open(second)
    low.branch(v.Not(answered), end)
    low.next_of(s.var, answered)
    key = m.Read(s.var, type=s.var.type)
    low.set_var(s.pick.var, low.val(m.ReadCell(s.answers, [key], type=s.answers.type)))
    low.goto(body)
    low.nested(s.body, body, second, to.loop(end, second))
    low.open(end)
