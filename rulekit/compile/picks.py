"""Takes `pick` and `together`, makes their blocks: decisions with one option for each member of a set, or for each number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulekit import model as m
from rulekit.base.span import Span
from rulekit.compile import ir
from rulekit.compile.control import Decision, Lower, Offer, Targets
from rulekit.compile.loops import loop
from rulekit.compile.unit import X
from rulekit.program import program as pg


def ask_member(low: Lower, kind: str, label: str, of: m.Kind | None, mask: X, who: str, prompt: str, text: str, s: m.Stmt,
               take: Callable[[str], None], after: ir.Block, first: int = 0, size: int = 0, none: bool = False) -> Decision:
    """A decision with one option per member of a mask (of a slot or expression that can be computed again)."""
    d = low.flow.decision(kind, m.Const(0, type=m.Int()), low.proc)
    d.prompt, d.text, d.ref, d.span = prompt, text, s.ref, s.span
    if isinstance(s, m.Pick):
        low.shown(d, s.visible)
    param = pg.ParamInfo(label, low.unit.index(of) if of else -1, first, of.size if of else size)
    family = low.flow.family(pg.FamilyInfo(label, "tie" if kind == "tie" else "pick", 0, [param], key=prompt, label=text, ref=s.ref))
    base = low.flow.families[family].base
    block = low.new()
    block.option = True
    d.offers.append(Offer(family, block))
    lines = [f"m = {mask.text}", f"return [({base}, m)] if m else []"]
    if none:
        other = low.flow.family(pg.FamilyInfo("none", "pick", 0, [], key=prompt, ref=s.ref))
        no = low.new()
        no.option = True
        d.offers.append(Offer(other, no))
        lines = [f"m = {mask.text}", f"return [({base}, m), ({base + param.size}, 1)] if m else [({base + param.size}, 1)]"]
    d.asked, d.layers = who, lines
    low.add(ir.Decide(d.number, ""))
    low.open(block)
    take(f"o - {base - first}")
    low.goto(after)
    if none:
        low.open(d.offers[1].block)
        take("-1")
        low.goto(after)
    return d


def pick(low: Lower, s: m.Pick, nothing: ir.Block, take: Callable[[str], None], end: ir.Block) -> None:
    first, size, kind = 0, 0, None
    if s.numbers is not None:
        bounds = [low.hold(low.val(x)) for x in s.numbers]
        types = [x.type for x in s.numbers]
        lows = [b.const if b.const is not None else t.low for b, t in zip(bounds, types, strict=True) if isinstance(t, m.Int)]
        highs = [b.const if b.const is not None else t.high for b, t in zip(bounds, types, strict=True) if isinstance(t, m.Int)]
        if isinstance(s.var.type, m.Int):
            lows.append(s.var.type.low)
            highs.append(s.var.type.high)
        first = min([x for x in lows[:1] if x is not None] or [0])
        size = max([x for x in highs[1:2] if x is not None] or [99]) - first + 1
        text = f"(1 << max(0, {bounds[1].p} - {first} + 1)) - 1"
        if bounds[0].const != first:
            text = f"({text}) & ~((1 << max(0, {bounds[0].p} - {first})) - 1)"
        mask = X(text)
    else:
        assert s.source is not None and isinstance(s.source.type, m.SetOf)
        kind = s.source.type.kind
        mask = low.val(s.source)
        if s.alike:
            mask = firsts_alike(low, mask, s.alike, s.key_var, s.span)
    mask_slot = low.slot("set", kind.size if kind is not None else size)
    low.put(mask_slot, "=", mask.text)
    if s.or_none:
        none, ask = low.new(), low.new()
        low.branch(f"not s[{mask_slot}]", none)
        low.goto(ask)
        low.open(none)
        take("-1")
        low.goto(end)
        low.open(ask)
    else:
        low.branch(f"not s[{mask_slot}]", nothing)
        one = low.new()
        low.branch(f"not s[{mask_slot}] & (s[{mask_slot}] - 1)", one)
        outer = low.out
        low.open(one)
        take(f"s[{mask_slot}].bit_length() - {1 - first}")
        low.goto(end)
        low.out = outer
    who = low.who_slot(s.who)
    left = X(f"s[{mask_slot}]", atom=True)
    d = ask_member(low, "pick", s.var.name, kind, left, who, s.prompt, s.text, s, take, end, first, size, s.or_none)
    if s.source is not None:
        low.flow.picks[d.offers[0].family] = s.source


def firsts_alike(low: Lower, mask: X, keys: Sequence[m.Expr], key_var: m.Var | None, span: Span) -> X:
    """Of members equal in the keys only the first."""
    assert key_var is not None
    return loop(low, mask, key_var, keys, ["out = 0; seen = set()"],
                lambda inner: [f"k = ({', '.join(inner.val(k).text for k in keys)},)", "if k not in seen: out |= x; seen.add(k)"],
                ["return out"])


def together(low: Lower, s: m.Together, to: Targets) -> None:
    """Ask all, keep the answers in the hidden cell, then the body for each."""
    place = low.unit.lay.places[s.answers]
    players = s.source.type
    assert isinstance(players, m.SetOf)
    rest, answered = low.slot("set", players.kind.size), low.slot("set", players.kind.size)
    low.put(rest, "=", low.val(s.source).text)
    low.put(answered, "=", "0")
    head, ask, second, body, end = (low.new() for _ in range(5))
    low.goto(head)
    low.open(head)
    low.branch(f"not s[{rest}]", second)
    low.set_var(s.var, f"(s[{rest}] & -s[{rest}]).bit_length() - 1")
    low.put(rest, "&=", f"s[{rest}] - 1")
    low.goto(ask)
    low.open(ask)

    def keep(value: str) -> None:
        who = low.read(s.var).text
        held = low.hold(X(value)).text
        if place.form in ("both", "index"):
            low.add(ir.Call("put_both", [str(place.base), str(place.index), str(place.values), who, held]))
        else:
            low.put(f"{place.base} + {who}", "=", held)
        low.put(answered, "|=", f"1 << {who}")

    pick(low, s.pick, head, keep, head)
    low.open(second)
    low.branch(f"not s[{answered}]", end)
    low.set_var(s.var, f"(s[{answered}] & -s[{answered}]).bit_length() - 1")
    low.put(answered, "&=", f"s[{answered}] - 1")
    key = m.Read(s.var, type=s.var.type)
    low.set_var(s.pick.var, low.val(m.ReadCell(s.answers, [key], type=s.answers.type)).text)
    low.goto(body)
    low.nested(s.body, body, second, to.loop(end, second))
    low.open(end)
