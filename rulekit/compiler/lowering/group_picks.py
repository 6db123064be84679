"""Lower `pick`, `pick group` and `together` to blocks.

A decision has one option for each member of a set, or for each number. The elements of a group are
picked one by one in ascending order, followed by `go`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulekit.compiler import model as m
from rulekit.compiler.ir import statements as c
from rulekit.compiler.ir import values as v
from rulekit.compiler.lowering.aggregates import classes, firsts
from rulekit.compiler.lowering.blocks import Blocks
from rulekit.compiler.lowering.context import Lowering
from rulekit.compiler.lowering.control_flow import Growing, LoweredDecision, Targets, when
from rulekit.compiler.lowering.expressions import ExpressionLowering
from rulekit.compiler.lowering.loops import bit_of, loop
from rulekit.compiler.lowering.options import CHOSEN, decide
from rulekit.compiler.lowering.unit import NONE, ONE, ZERO, const, known, layers, type_of
from rulekit.runtime import program as pg

Take = Callable[[v.Value], None]


def ask_member(
    low: Blocks,
    statement: m.Pick | m.Each,
    of: m.Kind | None,
    among: v.SlotValue,
    who: v.SlotValue,
    take: Take,
    after: c.Block,
    first: int = 0,
    size: int = 0,
) -> LoweredDecision:
    """Create a decision with one option for each member of the mask in a slot, or for each number
    from `first` on.
    """
    kind, prompt, text = (
        ("pick", statement.prompt, statement.text)
        if isinstance(statement, m.Pick)
        else ("tie", "", "")
    )
    d = low.decision(kind, statement, who, prompt, text)
    param = pg.ParamInfo(statement.var.name, low.unit.index(of), first, of.size if of else size)
    family = low.flow.family(
        pg.FamilyInfo(
            statement.var.name, kind, 0, [param], key=prompt, label=text, ref=statement.ref
        )
    )
    base = low.flow.families[family].base
    mask = v.Local("m", among.type)
    members = v.Layer(const(base), mask)
    low.add(c.Decide(d.number, None))
    with low.taken(d, family, after):
        take(v.ArithValue("-", CHOSEN, const(base - first)))
    made = layers(mask, members)
    if isinstance(statement, m.Pick) and statement.or_none:
        other = low.flow.family(pg.FamilyInfo("none", "pick", 0, [], key=prompt, ref=statement.ref))
        nobody = v.Layer(const(base + param.size), ONE)
        made = v.IfValue(mask, v.Layers((members, nobody)), v.Layers((nobody,)))
        with low.taken(d, other, after):
            take(NONE)
    d.layers = (c.Assign(mask, among), c.Give(made))
    return d


def picked(low: Blocks, statement: m.Pick | m.PickGroup, to: Targets) -> None:
    """Lower the statement, with its variable as the target of the picked value."""
    end = low.new()
    ask(low, statement, to.skip, lambda value: low.set_var(statement.var, value), end)
    low.open(end)


def ask(
    low: Blocks, statement: m.Pick | m.PickGroup, nothing: c.Block, take: Take, end: c.Block
) -> None:
    """Lower the question of a pick.

    Args:
        nothing: the next block if there is nothing to pick.
        end: the next block after something was picked.
    """
    if isinstance(statement, m.Pick):
        _one(low, statement, nothing, take, end)
    else:
        _group(low, statement, nothing, take, end)


def _one(low: Blocks, statement: m.Pick, nothing: c.Block, take: Take, end: c.Block) -> None:
    first, size, kind = 0, 0, None
    if statement.numbers is not None:
        mask, first, size = _numbers(low, statement, statement.numbers)
    else:
        assert statement.source is not None
        kind = m.kind_of(statement.source.type)
        mask = low.val(statement.source)
        if statement.alike:
            assert statement.key_var is not None
            mask = firsts(low, mask, statement.key_var, statement.alike)
    left = low.stored(mask, "set", kind.size if kind is not None else size)
    if statement.or_none:
        with low.case(v.NotValue(left), end):
            take(NONE)
    else:
        low.branch(v.NotValue(left), nothing)
        with low.case(v.NotValue(v.More(left)), end):
            take(v.Highest(left, first))
    who = low.who_slot(statement.who)
    d = ask_member(low, statement, kind, left, who, take, end, first, size)
    if statement.source is not None:
        low.flow.picks[d.offers[0].family] = statement.source


def _numbers(
    low: Blocks, statement: m.Pick, numbers: tuple[m.Expr, m.Expr]
) -> tuple[v.Value, int, int]:
    """Return the mask of the numbers that may be picked, the number of its first bit, and its
    number of bits.
    """
    ends = [low.hold(low.val(x)) for x in numbers]
    least, most = (
        x.type.low if i == 0 else x.type.high
        for i, x in enumerate(numbers)
        if isinstance(x.type, m.Int)
    )
    first = known(ends[0]) if known(ends[0]) is not None else least or 0
    last = known(ends[1]) if known(ends[1]) is not None else 99 if most is None else most
    bottom, top = (v.ArithValue("-", x, const(first)) for x in ends)
    mask: v.Value = v.Below(v.Extreme("max", (ZERO, v.ArithValue("+", top, ONE))))
    if known(ends[0]) != first:
        mask = v.Bits("&", mask, v.Complement(v.Below(v.Extreme("max", (ZERO, bottom)))))
    return mask, first, last - first + 1


def together(low: Blocks, statement: m.Together, to: Targets) -> None:
    """Lower a `together`: ask all players, keep the answers in hidden cells, then execute the body
    for each player.
    """
    players = m.kind_of(statement.source.type).size
    rest, answered = (low.stored(x, "set", players) for x in (low.val(statement.source), ZERO))
    head, second, body, end = (low.new() for _ in range(4))
    low.begin(head)
    low.branch(v.NotValue(rest), second)
    low.next_of(statement.var, rest)
    for at, (one, cell) in enumerate(zip(statement.picks, statement.answers, strict=True)):
        last = at == len(statement.picks) - 1
        after = head if last else low.new()
        keep = partial(
            _seal, low, statement, cell, None if last else one.var, answered if last else None
        )
        ask(low, one, head, keep, after)
        if not last:
            low.open(after)
    low.open(second)
    low.branch(v.NotValue(answered), end)
    low.next_of(statement.var, answered)
    key = m.Read(statement.var)
    for one, cell in zip(statement.picks, statement.answers, strict=True):
        low.set_var(one.var, low.val(m.ReadCell(cell, [key], type=cell.type)))
    low.goto(body)
    low.nested(statement.body, body, second, to.loop(end, second))
    low.open(end)


def _seal(
    low: Blocks,
    statement: m.Together,
    cell: m.Cell,
    var: m.Var | None,
    answered: v.SlotValue | None,
    value: v.Value,
) -> None:
    """Store an answer in the hidden cell.

    Args:
        var: the variable that later picks of the same player read, or None for the last pick.
        answered: the set of the players who have answered, for the last pick. The variables of the
            earlier picks are then cleared, so that nobody can read them.
    """
    place, who = low.unit.lay.places[cell], low.read(statement.var)
    held = low.kept(value)
    low.put(v.SlotValue(place.base, who, type_of(cell.type)), held)
    if var is not None:
        low.set_var(var, held)
    if answered is not None:
        low.put(answered, v.Bit(who, answered.type), "|=")
        for before in statement.picks[:-1]:
            low.set_var(before.var, const(m.empty(before.var.type)))


def _group(low: Blocks, statement: m.PickGroup, nothing: c.Block, take: Take, end: c.Block) -> None:
    """Lower a `pick group`. Its frame holds the source, the picked elements and the bounds. With
    `alike` it also holds the packed classes.
    """
    kind = m.kind_of(statement.source.type)
    source, picked = low.slot("set", kind.size), low.slot("set", kind.size)
    least, most = low.slot(), low.slot()
    head = low.new()
    low.put(source, low.val(statement.source))
    if statement.or_none:
        with low.case(v.NotValue(source), end):
            take(ZERO)
    else:
        low.branch(v.NotValue(source), nothing)
    high = low.val(statement.high) if statement.high is not None else None
    low.put(most, v.Size(source) if high is None else v.Extreme("min", (high, v.Size(source))))
    floor = (
        ZERO if statement.or_none else low.val(statement.low) if statement.low is not None else ONE
    )
    low.put(least, v.Extreme("min", (floor, most)))
    low.put(picked, ZERO)
    who = low.who_slot(statement.who)
    alike: v.SlotValue | None = None
    if statement.alike:
        assert statement.key_var is not None
        alike = low.stored(
            classes(low, source, statement.key_var, statement.alike, in_order=False),
            "masks",
            kind.size,
        )
    low.begin(head)
    d = low.decision("group", statement, who, statement.prompt, statement.text)
    d.group = (picked.base, alike.base if alike is not None else -1)
    param = pg.ParamInfo(statement.var.name, low.unit.index(kind), 0, kind.size)
    keeps = statement.keeps
    clauses = [when(keeps)] if keeps is not None else []
    add = low.flow.family(
        pg.FamilyInfo(
            "add",
            "add",
            0,
            [param],
            statement.prompt,
            statement.text,
            statement.ref,
            clauses=clauses,
        )
    )
    go = low.flow.family(pg.FamilyInfo("go", "go", 0, [], "option.go", "", statement.ref))
    base, stop = const(low.flow.families[add].base), v.Layer(const(low.flow.families[go].base), ONE)
    low.flow.groups[add] = Growing(statement, source, picked, most)
    kept = source if keeps is None else _kept(low, statement, keeps.cond, source, picked, most)
    offer = v.RunValue("group_mask", (kept, picked, least, most), v.Mask(kind.size))
    if alike is not None:
        further = (kept,) if keeps is not None else ()
        offer = v.RunValue(
            "group_classes", (alike, picked, least, most, *further), v.Mask(kind.size)
        )

    def offered(mask: v.Value) -> v.Value:
        return (
            v.Layer(base, mask) if alike is None else v.RunValue("in_classes", (base, alike, mask))
        )

    enough = v.CompareValue(">=", v.Size(picked), least)
    free = low.hold(offer)
    ready = low.hold(enough)
    gone = low.new()
    if keeps is not None and not statement.or_none:
        low.branch(v.All((v.NotValue(free), v.NotValue(picked), most)), nothing)
    low.branch(v.NotValue(free), gone)
    low.add(
        c.IfStatement(
            v.All((v.NotValue(ready), v.NotValue(v.More(free)))),
            (c.PutStatement(picked, free, "|="), c.Goto(head, span=low.span)),
        )
    )
    decide(low, d, offered, (offer, free), stop, (enough, ready))
    with low.taken(d, add, head):
        low.put(picked, v.Bit(v.ArithValue("-", CHOSEN, base), v.Mask(kind.size)), "|=")
    with low.taken(d, go, gone):
        pass
    low.open(gone)
    take(picked)
    low.goto(end)


def _kept(
    low: Blocks,
    statement: m.PickGroup,
    cond: m.Expr,
    source: v.SlotValue,
    picked: v.SlotValue,
    most: v.SlotValue,
) -> v.Value:
    """Return the elements that could be added without breaking the condition of the group, out of
    those that may still be offered.
    """
    element = m.Var("element", m.MemberOf(m.kind_of(statement.source.type)))
    pure = ExpressionLowering(low.unit, {statement.var: picked})
    out, grown, bit = v.Local("out", source.type), v.Local("grown", source.type), bit_of(element)

    def body(inner: Lowering) -> c.Code:
        before = inner.env.get(statement.var, ZERO)
        inner.env[statement.var] = grown
        inner.loop = frozenset((statement.var,))
        test = inner.cond(cond)
        return c.Assign(grown, v.Bits("|", before, bit)), c.IfStatement(
            test, (c.Assign(out, bit, "|="),)
        )

    rest = v.RunValue(
        "group_rest", (source, picked, most, const(bool(statement.alike))), source.type
    )
    return loop(pure, rest, element, [cond], (c.Assign(out, ZERO),), body, (c.Give(out),))
