"""Lower options and their guards to functions that list the legal ones as masks, and to blocks that
execute a chosen one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from attrs import define, field

from rulekit.compiler import model as m
from rulekit.compiler.analysis import dependencies as an
from rulekit.compiler.analysis.guards import proved_in_turn
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.ir.functions import FunctionKind, FunctionName
from rulekit.compiler.ir.visitor import nodes
from rulekit.compiler.lowering import constant_folding
from rulekit.compiler.lowering.blocks import Blocks
from rulekit.compiler.lowering.control_flow import Flow, LoweredDecision, Targets, when
from rulekit.compiler.lowering.expressions import ExpressionLowering, over
from rulekit.compiler.lowering.filters import narrowed
from rulekit.compiler.lowering.loops import conjuncts
from rulekit.compiler.lowering.single_layer import one_layer
from rulekit.compiler.lowering.unit import ONE, ZERO, Unit, const, known, layers, type_of
from rulekit.compiler.model.visitor import everything, substitute
from rulekit.runtime import program as pg

_PLAYERS_OF_DUEL = 2  # number of players for which code is written twice
_UNROLL = 6  # maximal number of values of a parameter for which its loop is unrolled
_WRITTEN_OUT = 16  # the same for a number as the last parameter
# The player who is asked, the layers, the id of the chosen option.
WHO, OUT, CHOSEN = (
    v.Local("w"),
    v.Local("out"),
    v.Local("o"),
)


def param_info(unit: Unit, param: m.Var) -> pg.ParamInfo:
    if isinstance(param.type, m.MemberOf):
        return pg.ParamInfo(param.name, unit.index(param.type.kind), 0, param.type.kind.size)
    low, high = (
        (param.type.low or 0, param.type.high or 0) if isinstance(param.type, m.Int) else (0, 1)
    )
    return pg.ParamInfo(param.name, -1, low, high - low + 1)


def clause_info(clause: m.Guarded | m.With | m.Pays | m.Limit) -> pg.ClauseInfo:
    match clause:
        case m.Guarded():
            return when(clause)
        case m.With():
            return pg.ClauseInfo("with", clause.var.name)
        case m.Pays():
            return pg.ClauseInfo("pays", "", ref=clause.ref)
        case m.Limit():
            return pg.ClauseInfo("limit", clause.name, ref=clause.ref)


def family(flow: Flow, option: m.GuardedOption) -> int:
    """Return the family of an option, which is the same wherever the option is offered."""
    if id(option) not in flow.options:
        params, clauses = (
            [param_info(flow.unit, p) for p in option.params],
            [clause_info(x) for x in option.clauses],
        )
        info = pg.FamilyInfo(
            option.name,
            "option",
            0,
            params,
            option.key,
            option.label,
            option.ref,
            option.secret,
            option.word,
            clauses,
        )
        index = flow.family(info)
        flow.options[id(option)], flow.spans[index] = index, option
    return flow.options[id(option)]


def tests(option: m.GuardedOption, analysis: an.ModelAnalysis) -> list[m.Expr]:
    """Return all conditions of an option in written order. `with` variables are replaced by their
    values.
    """
    found: list[m.Expr] = []
    values: dict[m.Var, m.Expr] = {}
    for clause in option.clauses:
        if isinstance(clause, m.With):
            value = substitute(clause.value, values)
            values[clause.var] = value
            if isinstance(clause.value.type, m.MemberOf):
                found.append(m.Not(m.IsNone(value), span=option.span))
            elif analysis.deps(value).raises:
                # This evaluates the value here, where it may raise an error.
                found.append(m.Compare("=", value, value, span=option.span))
        else:
            found.append(substitute(clause_test(clause), values))
    return found


def in_option(
    unit: Unit, option: m.GuardedOption
) -> tuple[tuple[v.Local, ...], ExpressionLowering]:
    """Return the parameters of a function of an option, and the context inside it. The player who
    is asked is `WHO`.
    """
    params, low = over(unit, option.params)
    low.env.update(as_asked(option.me))
    return params, low


def as_asked(*vars: m.Var | None) -> dict[m.Var, v.Value]:
    """Bind these variables to the player who is asked."""
    return {var: WHO for var in vars if var is not None}


def bound(low: ExpressionLowering, number: int, clause: m.With) -> c.Assign:
    """Return the assignment of the variable of a `with` clause."""
    made = c.Assign(v.Local(f"w{number}", type_of(clause.value.type)), low.val(clause.value))
    low.env[clause.var] = made.local
    return made


def clause_test(clause: m.Guarded | m.Pays | m.Limit) -> m.Expr:
    """Return the condition of one clause."""
    if isinstance(clause, m.Guarded):
        return clause.cond
    if isinstance(clause, m.Pays):
        have: m.Expr = m.Read(clause.target) if isinstance(clause.target, m.Var) else clause.target
        return m.Compare(">=", have, clause.amount, span=clause.amount.span)
    used = m.ReadCell(clause.counter, clause.keys, type=clause.counter.type)
    free: m.Expr = m.Compare("<", used, m.Const(clause.count, type=m.Int()))
    return free if clause.unless is None else m.Or([free, clause.unless])


Params = Sequence[tuple[m.Var, pg.ParamInfo]]  # the parameters of an option, in order


@define(eq=False)
class Lister:
    """Writes the code that appends the layers of options to `out`."""

    flow: Flow
    low: ExpressionLowering
    fix: dict[m.Var, m.Expr] = field(factory=dict)  # variables whose value is taken as known
    code: list[c.Stmt] = field(factory=list)

    def option(self, option: m.GuardedOption, extra: Sequence[m.Expr] = ()) -> None:
        index = family(self.flow, option)
        info = self.flow.families[index]
        conds: list[m.Expr] = [
            m.In(m.Read(p), among)
            for p, among in zip(option.params, option.domains, strict=False)
            if among is not None
        ]
        conds += [x for test in (*extra, *tests(option, self.low.an)) for x in conjuncts(test)]
        if not self.low.unit.trace:  # totals are reported in the order of the rules
            conds = proved_in_turn(conds)
        if self.fix:
            conds = [substitute(cond, self.fix) for cond in conds]
        self.code += self._params(
            list(zip(option.params, info.params, strict=True)), const(info.base), conds
        )

    def _split(self, conds: Sequence[m.Expr], open: Params) -> tuple[list[m.Expr], list[m.Expr]]:
        """Split conditions into those that can be evaluated now, without the parameters that are
        still open, and those for later.

        A condition that can raise an error stays behind those before it, and ahead of those after
        it.
        """
        now: list[m.Expr] = []
        later: list[m.Expr] = []
        held = False
        for cond in conds:
            d = self.low.an.deps(cond)
            held = held or (d.raises and bool(later))
            wait = held or any(p in d.vars for p, _ in open)
            (later if wait else now).append(cond)
            held = held or (d.raises and wait)
        return now, later

    def _params(self, params: Params, base: v.Value, conds: list[m.Expr]) -> c.Code:
        """List the values of the open parameters: first the conditions without any of them, then
        loops, and the last parameter as a mask.
        """
        now, later = self._split(conds, params)
        x = self.low.cond(an.all_of(now))
        if known(x) == 0:
            return ()
        made = self._ranges(params, base, later) if params else (c.Append(OUT, v.Layer(base, ONE)),)
        return made if isinstance(x, v.ConstValue) or not made else (c.IfStatement(x, made),)

    def _ranges(self, params: Params, base: v.Value, conds: list[m.Expr]) -> c.Code:
        """List the values of the first parameter, and for each of them those of the next
        parameters.
        """
        (var, param), *rest = params
        stride = prod(p.size for _, p in rest)
        if not rest and isinstance(var.type, m.MemberOf):
            return _layer(
                base, narrowed(self.low, const((1 << param.size) - 1), var, conds), param.size
            )
        if param.size <= _UNROLL and not isinstance(var.type, m.MemberOf):
            code: list[c.Stmt] = []
            for value in range(param.size):
                fixed = {var: m.Const(value + param.low, type=var.type)}
                left = [substitute(cond, fixed) for cond in conds]
                code += self._params(rest, constant_folding.moved(base, value * stride), left)
            return tuple(code)
        return (
            self._loop(params, base, conds, stride)
            if rest
            else self._numbers(base, var, param, conds)
        )

    def _numbers(
        self, base: v.Value, var: m.Var, param: pg.ParamInfo, conds: list[m.Expr]
    ) -> c.Code:
        """List the values of a number as the last parameter, tested one by one into a mask."""
        size, low = param.size, param.low
        mask = v.Local("m", v.Mask(size))
        if size <= _WRITTEN_OUT:
            tests = [
                self.low.cond(
                    an.all_of(
                        [substitute(cond, {var: m.Const(low + i, type=var.type)}) for cond in conds]
                    )
                )
                for i in range(size)
            ]
            return _layer(
                base,
                constant_folding.bits(
                    "|",
                    [constant_folding.either(x, const(1 << i), ZERO) for i, x in enumerate(tests)],
                ),
                size,
            )
        n = self.low.temp()
        self.low.env[var] = n
        test = self.low.cond(an.all_of(conds))
        one = v.Bit(constant_folding.moved(n, -low), mask.type)
        body = c.IfStatement(test, (c.Assign(mask, one, "|="),))
        return (
            c.Assign(mask, ZERO),
            c.ForRange(n, const(low), const(low + size), (body,)),
            _if_any(base, mask),
        )

    def _loop(self, params: Params, base: v.Value, conds: list[m.Expr], stride: int) -> c.Code:
        (var, param), *rest = params
        n = self.low.temp()
        self.low.env[var] = n
        member = isinstance(var.type, m.MemberOf)
        inner, left = self._split(conds, rest) if member else ([], conds)
        made = self._params(
            rest,
            v.ArithValue(
                "+",
                base,
                constant_folding.arith("*", constant_folding.moved(n, -param.low), const(stride)),
            ),
            left,
        )
        if member:
            return (
                c.ForMembers(n, narrowed(self.low, const((1 << param.size) - 1), var, inner), made),
            )
        return (c.ForRange(n, const(param.low), const(param.low + param.size), made),)


def _layer(base: v.Value, mask: v.Value, size: int) -> c.Code:
    """Append the members of a mask, if there are any."""
    if isinstance(mask, v.ConstValue):
        return (c.Append(OUT, v.Layer(base, mask)),) if mask.value else ()
    held = v.Local("m", v.Mask(size))
    return (c.Assign(held, mask), _if_any(base, held))


def _if_any(base: v.Value, mask: v.Local) -> c.Stmt:
    return c.IfStatement(mask, (c.Append(OUT, v.Layer(base, mask)),))


def decode(low: Blocks, option: m.GuardedOption, info: pg.FamilyInfo) -> None:
    """Compute the parameters from the chosen id."""
    for i, (var, param) in enumerate(zip(option.params, info.params, strict=True)):
        stride = prod(later.size for later in info.params[i + 1 :])
        at: v.Value = v.ArithValue("-", CHOSEN, const(info.base))
        at = at if stride == 1 else v.ArithValue("//", at, const(stride))
        low.set_var(
            var,
            constant_folding.moved(
                v.ArithValue("%", at, const(param.size)) if i else at, param.low
            ),
        )


def take(
    low: Blocks, option: m.GuardedOption, me: v.SlotValue, after: c.Block, to: Targets
) -> None:
    """Execute a chosen option: pay its prices, count its limits, then run its body."""
    info = low.flow.families[family(low.flow, option)]
    low.span = option.span
    if option.me is not None:
        low.env[option.me] = me
    mine = [
        *option.params,
        *(clause.var for clause in option.clauses if isinstance(clause, m.With)),
    ]
    if option.proc is not None:  # its frame may be in use, so hold them in locals
        for p in mine:
            low.env[p] = low.temp(type_of(p.type))
    decode(low, option, info)
    for clause in option.clauses:
        if isinstance(clause, m.With):
            low.set_var(clause.var, low.val(clause.value))
    for clause in option.clauses:
        if isinstance(clause, m.Pays):
            if isinstance(clause.target, m.Var):
                low.do_set_var(m.SetVar(clause.target, "-=", clause.amount))
            else:
                low.do_set_cell(
                    m.SetCell(clause.target.cell, clause.target.keys, "-=", clause.amount)
                )
        elif isinstance(clause, m.Limit):
            one: m.Expr = m.Const(1, type=m.Int())
            counts = (
                one
                if clause.counts is None
                else m.If(clause.counts, one, m.Const(0, type=m.Int()), type=m.Int())
            )
            low.write(clause.counter, clause.keys, "+=", counts)
    if option.proc is None:
        low.stmts(option.body, to.within(after))
    args = [me, *(low.env.pop(p) for p in mine if p in low.env)]
    if option.me is not None:
        del low.env[option.me]
    if option.proc is not None:
        low.call_asking(option.proc, args)


def decide(
    low: Blocks,
    decision: LoweredDecision,
    offered: Callable[[v.Value], v.Value],
    mask: tuple[v.Value, v.Value],
    stop: v.Layer,
    enough: tuple[v.Value, v.Value],
) -> None:
    """Create a decision with the options of a mask, and one more to stop if there is enough.

    Args:
        mask: the mask as an expression for the options function, and as a held value.
        enough: the same for the test.
    """
    asked, held = v.Local("m", v.typed(mask[1])), mask[1]
    decision.layers = (
        c.Assign(asked, mask[0]),
        c.Assign(OUT, layers(asked, offered(asked))),
        c.IfStatement(enough[0], (c.Append(OUT, stop),)),
        c.Give(OUT),
    )
    low.add(
        c.Decide(
            decision.number,
            v.IfValue(enough[1], v.Layers((offered(held), stop)), v.Layers((offered(held),))),
        )
    )


def choose(low: Blocks, statement: m.Choose, to: Targets) -> None:
    """Lower a decision among options."""
    low.changing = {
        n.var for n, _ in everything([o.body for o in statement.options]) if isinstance(n, m.SetVar)
    }
    who, end, ask = low.who_slot(statement.who), low.new(), low.new()
    if statement.me is not None:
        low.set_var(statement.me, who)
        if low.unit.lay.vars[statement.me] != who.base:
            low.env[statement.me] = who
    low.begin(ask)
    d = low.decision("choose", statement, who, statement.prompt, statement.text)
    d.layers = (
        c.Assign(WHO, who),
        *one_layer((c.NewList(OUT, "list"), *_for_players(low, statement), c.Give(OUT))),
    )
    layers = low.kept(v.CallValue(FunctionName(FunctionKind.OPTIONS, d.number), (), v.RECORD))
    low.branch(v.NotValue(layers), to.skip)
    low.add(c.Decide(d.number, layers))
    for option in (*statement.options, *statement.standing):
        after = ask if option in statement.standing else end
        with low.taken(d, family(low.flow, option), after):
            take(low, option, who, after, to)
    if statement.me is not None:
        low.env.pop(statement.me, None)
    low.open(end)


def _for_players(low: Blocks, statement: m.Choose) -> c.Code:
    """Return the code that lists the options. It is written once for each of two players if that
    saves loops.
    """
    both = listing(low, statement, {})
    sides = low.unit.model.sides
    if (
        sides is None
        or sides.size != _PLAYERS_OF_DUEL
        or not isinstance(statement.who, m.Read)
        or statement.standing
        or not _loops(both)
    ):
        return both
    players = [
        var
        for var in (statement.who.var, statement.me, *(o.me for o in statement.options))
        if var is not None
    ]
    each = [
        listing(low, statement, {var: m.Const(i, type=m.MemberOf(sides)) for var in players})
        for i in range(2)
    ]
    if max(map(_loops, each)) >= _loops(both):
        return both
    return (c.IfStatement(v.NotValue(WHO), (*each[0], c.Give(OUT))), *each[1])


def listing(low: Blocks, statement: m.Choose, fix: dict[m.Var, m.Expr]) -> c.Code:
    """Return the code that lists the options. Variables for the player are the local `w`."""
    players = as_asked(
        statement.me, *(option.me for option in (*statement.options, *statement.standing))
    )
    lister = Lister(low.flow, ExpressionLowering(low.unit, players), fix)
    for option in statement.options:
        lister.option(option)
    if statement.standing:
        lister.code.append(c.IfStatement(v.NotValue(OUT), (c.Give(OUT),)))
        for option in statement.standing:
            context = option.proc.context if option.proc is not None else None
            # A standing option is offered only while its context is running.
            lister.option(option, [m.Running(context)] if context is not None else [])
    return tuple(lister.code)


def _loops(code: c.Code) -> int:
    """Return the number of loops over members."""
    return sum(
        n.function.kind is FunctionKind.HELPER
        if isinstance(n, v.CallValue)
        else n.function in ("union", "union_of")
        for n in nodes(*code)
        if isinstance(n, (v.CallValue, v.RunValue))
    )
