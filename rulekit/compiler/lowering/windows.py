"""Lower windows: hooks, then each player is asked in turn until all have passed."""

from __future__ import annotations

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.lowering.blocks import Blocks
from rulekit.compiler.lowering.control_flow import Flow, Targets
from rulekit.compiler.lowering.expressions import ExpressionLowering
from rulekit.compiler.lowering.options import OUT, WHO, Lister, as_asked, family, take
from rulekit.compiler.lowering.unit import ONE, ZERO, conj, const, disj, known, there
from rulekit.runtime import program as pg
from rulekit.runtime import slots


def pass_family(flow: Flow) -> int:
    """Return the family of the only option to pass, which all windows share."""
    known = [i for i, info in enumerate(flow.families) if info.what == "pass"]
    return known[0] if known else flow.family(pg.FamilyInfo("pass", "pass", 0, [], "option.pass"))


def window(low: Blocks, statement: m.Window, to: Targets) -> None:
    flow = low.flow
    flag, here, redo = (
        v.SlotValue(low.unit.open_flag(statement.moment)),
        v.SlotValue(slots.HERE),
        v.SlotValue(low.unit.lay.redo),
    )
    end, close = low.new(), low.new()
    low.branch(flag, end)
    test = _possible(low, statement)
    if not statement.hooks:  # do not open it if nobody can do anything
        asks = disj([v.CallValue(test, (low.val(a),), v.FLAG) for a in statement.asks])
        was = low.kept(here)
        low.put(here, const(statement.moment))
        some = low.kept(asks)
        low.put(here, was)
        low.branch(v.NotValue(some), end)
    low.put(flag, ONE)
    before = low.stored(
        here, "member", low.unit.model.moments.size if low.unit.model.moments is not None else 0
    )
    low.put(here, const(statement.moment))
    for hook in statement.hooks:
        low.hook(hook, conj([test for test in low.tests_of(hook) if test != ONE]))
    if statement.redo and statement.hooks:
        low.branch(redo, close)
    players = v.Tuple(tuple(low.val(a) for a in statement.asks))
    those = (
        v.RunValue("packed_there", (players,), v.Packed(low.unit.players))
        if statement.asks
        else ZERO
    )
    asked, passed, who = (
        low.stored(those, "list", low.unit.players),
        low.stored(ZERO),
        low.slot("member", low.unit.players),
    )
    head, ask, next_one = low.new(), low.new(), low.new()
    low.begin(head)
    code = low.hold(v.ElementValue(asked, passed))
    low.branch(v.NotValue(code), close)
    low.put(who, v.ArithValue("-", code, const(2)))
    low.set_var(statement.me, who)
    low.branch(v.CallValue(test, (who,), v.FLAG), ask)
    low.begin(next_one)
    low.put(passed, ONE, "+=")
    low.goto(head)
    low.open(ask)
    name = low.unit.model.moments.members[statement.moment] if low.unit.model.moments else ""
    d = low.decision("window", statement, who, f"moment.{name.replace(' ', '.')}")
    d.moment = statement.moment
    lister = Lister(
        flow,
        ExpressionLowering(
            low.unit, as_asked(statement.me, *(option.me for option in statement.options))
        ),
    )
    for option in statement.options:
        lister.option(option, _asked(option, statement))
    pass_on = pass_family(flow)
    passing = v.Layer(const(flow.families[pass_on].base), ONE)
    d.layers = (
        c.Assign(WHO, who),
        c.NewList(OUT, "list"),
        *lister.code,
        c.Append(OUT, passing),
        c.Give(OUT),
    )
    low.add(
        c.Decide(d.number, v.CallValue(FunctionName(FunctionKind.OPTIONS, d.number), (), v.RECORD))
    )
    for option in statement.options:
        again = low.new()
        with low.taken(d, family(flow, option), again):
            take(low, option, who, again, to)
        low.open(again)
        if statement.redo:
            low.branch(redo, close)
        low.put(passed, ZERO)
        low.goto(head)
    with low.taken(d, pass_on, next_one):
        pass
    low.open(close)
    low.put(here, before)
    low.put(flag, ZERO)
    low.begin(end)


def _asked(option: m.GuardedOption, statement: m.Window) -> list[m.Expr]:
    if option.asked is None:
        return []
    me = option.me if option.me is not None else statement.me
    return [an.any_of([m.Compare("=", who, m.Read(me)) for who in option.asked])]


def _possible(low: Blocks, statement: m.Window) -> FunctionName:
    """Return the name of a function that tests whether a player could act, as far as public
    knowledge shows.
    """
    tests: list[v.Value] = []
    for option in statement.options:
        possible = option.possible if option.possible is not None else an.TRUE
        cond = ExpressionLowering(low.unit, as_asked(statement.me, option.me)).cond(
            an.all_of([*_asked(option, statement), possible])
        )
        if known(cond) != 0:
            tests.append(cond)
    return low.unit.helper([WHO], (c.Give(v.All((there(WHO), disj(tests)))),), statement.span)
