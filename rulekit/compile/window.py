"""Takes the opening of a moment, makes its blocks: hooks, then each player asked in turn until all have passed."""

from __future__ import annotations

from rulekit import model as m
from rulekit.compile import analysis as an
from rulekit.compile import ir
from rulekit.compile.control import Flow, Lower, Offer, Targets
from rulekit.compile.expr import Expressions
from rulekit.compile.options import Lister, family, take
from rulekit.compile.unit import X, name
from rulekit.program import program as pg


def pass_family(flow: Flow) -> int:
    """The one option to pass, the same in all windows."""
    for i, info in enumerate(flow.families):
        if info.what == "pass":
            return i
    return flow.family(pg.FamilyInfo("pass", "pass", 0, [], "option.pass"))


def window(low: Lower, s: m.Window, to: Targets) -> None:
    flow = low.flow
    flag, here = low.unit.open_flag(s.moment), str(pg.HERE)
    end, close = low.new(), low.new()
    low.branch(f"s[{flag}]", end)
    test = _possible(low, s)
    if not s.options and not s.hooks:
        low.goto(end)
        low.open(end)
        return
    if not s.hooks:  # nobody can do anything: it is not opened
        t, u = low.temp(), low.temp()
        asks = " or ".join(f"{test}(s, {low.val(a).text})" for a in s.asks) or "0"
        low.add(ir.Line(f"{t} = s[{here}]"))
        low.put(here, "=", str(s.moment))
        low.add(ir.Line(f"{u} = {asks}"))
        low.put(here, "=", t)
        low.branch(f"not {u}", end)
    before = low.slot("member", low.unit.model.moments.size if low.unit.model.moments is not None else 0)
    low.put(flag, "=", "1")
    low.put(before, "=", f"s[{here}]")
    low.put(here, "=", str(s.moment))
    for hook in s.hooks:
        _hook(low, hook)
    if s.redo and s.hooks:
        low.branch(f"s[{low.unit.lay.redo}]", close)
    asked, passed, who = low.slot("list", low.players), low.slot(), low.slot("member", low.players)
    low.put(asked, "=", f"packed_there(({', '.join(low.val(a).text for a in s.asks)},))" if s.asks else "0")
    low.put(passed, "=", "0")
    head, ask, next_one = low.new(), low.new(), low.new()
    low.goto(head)
    low.open(head)
    code = low.hold(X(f"s[{asked}] >> 16*s[{passed}] & 65535"))
    low.branch(f"not {code.text}", close)
    low.put(who, "=", f"{code.text} - 2")
    low.set_var(s.me, f"s[{who}]")
    low.branch(f"{test}(s, s[{who}])", ask)
    low.goto(next_one)
    low.open(next_one)
    low.put(passed, "+=", "1")
    low.goto(head)
    low.open(ask)
    d = flow.decision("window", m.Read(s.me, type=s.me.type), low.proc)
    d.moment, d.span, d.ref = s.moment, s.span, s.ref
    d.prompt = f"moment.{low.unit.model.moments.members[s.moment].replace(' ', '.')}" if low.unit.model.moments else ""
    inner = Expressions(low.unit, {s.me: name("w")})
    lister = Lister(flow, inner)
    for option in s.options:
        if option.me is not None:
            inner.env[option.me] = name("w")
        lister.option(option, _asked(option, s))
    pass_on = pass_family(flow)
    d.asked = who
    d.layers = [f"w = s[{who}]", "out = []", *lister.lines, f"out.append(({flow.families[pass_on].base}, 1))", "return out"]
    low.add(ir.Decide(d.number, f"O{d.number}(s)"))
    for option in s.options:
        block = low.new()
        block.option = True
        d.offers.append(Offer(family(flow, option), block))
        low.open(block)
        again = low.new()
        take(low, option, f"s[{who}]", again, to)
        low.open(again)
        if s.redo:
            low.branch(f"s[{low.unit.lay.redo}]", close)
        low.put(passed, "=", "0")
        low.goto(head)
    block = low.new()
    block.option = True
    d.offers.append(Offer(pass_on, block))
    low.open(block)
    low.goto(next_one)
    low.open(close)
    low.put(here, "=", f"s[{before}]")
    low.put(flag, "=", "0")
    low.goto(end)
    low.open(end)


def _asked(option: m.Option, s: m.Window) -> list[m.Expr]:
    if option.asked is None:
        return []
    me = option.me if option.me is not None else s.me
    tests: list[m.Expr] = [m.Compare("=", who, m.Read(me, type=me.type), type=an.BOOL) for who in option.asked]
    return tests if len(tests) == 1 else [m.Or(tests, type=an.BOOL)]


def _possible(low: Lower, s: m.Window) -> str:
    """The name of a function (s, w): could this player do something, as far as everybody knows?"""
    tests = []
    for option in s.options:
        inner = Expressions(low.unit, {s.me: name("w")})
        if option.me is not None:
            inner.env[option.me] = name("w")
        cond = inner.cond(an.all_of([*_asked(option, s), option.possible if option.possible is not None else an.TRUE]))
        if cond.const is None:
            tests.append(cond.p)
        elif cond.const:
            tests.append("1")
    return low.unit.helper(["s", "w"], [f"return w >= 0 and ({' or '.join(tests) or '0'})"], s.span)


def _hook(low: Lower, hook: m.Hook) -> None:
    frame = low.unit.lay.frames[hook.proc]
    running = frame.returns if frame.returns >= 0 else frame.running
    cond = low.cond(hook.cond) if hook.cond is not None else None
    if cond is not None and cond.const is not None and not cond.const:
        return
    test = f"not s[{running}]" + (f" and {cond.p}" if cond is not None and cond.const is None else "")
    if not hook.proc.asks:
        outer, low.out = low.out, []
        low.call(hook.proc, [])
        made, low.out = low.out, outer
        low.add(ir.If(test, made, []))
        return
    there, after = low.new(), low.new()
    low.branch(test, there)
    low.goto(after)
    low.open(there)
    low.call_asking(hook.proc, [])
    low.goto(after)
    low.open(after)
