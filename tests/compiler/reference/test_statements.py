"""The reference interpreter, statement by statement, on models built by hand."""

from __future__ import annotations

import pytest

from rulekit.common.errors import IllegalChoice, RulesError
from rulekit.compiler import model as m
from rulekit.compiler.reference.interpreter import Reference
from tests.compiler.reference import small_models as b


def play(reference: Reference, *choices: tuple[str, tuple[int, ...]]) -> None:
    for choice in choices:
        assert reference.decision is not None
        reference.apply(reference.decision.options.index(choice))


def offered(reference: Reference) -> list[tuple[str, tuple[int, ...]]]:
    assert reference.decision is not None
    return reference.decision.options


def notes(reference: Reference) -> list[int]:
    return [args[0] for name, args in reference.events if name == "note"]


def test_pick_asks_only_where_there_is_a_choice() -> None:
    x = m.Var("x", b.ITEM)
    note = b.note()
    proc = b.main(x)
    proc.body = [
        m.Pick(x, b.items(0b0100), b.side(0), ""),
        m.CallEvent(note, [b.read(x)]),
        m.Pick(x, b.items(0b1010), b.side(1), ""),
        m.CallEvent(note, [b.read(x)]),
        m.Pick(x, b.items(0b0001), b.side(1), "", or_none=True),
        m.CallEvent(note, [b.read(x)]),
        m.Pick(x, b.items(0), b.side(0), "", or_none=True),
        m.CallEvent(note, [b.read(x)]),
        m.Pick(x, b.items(0), b.side(0), ""),
        m.CallEvent(note, [b.read(x)]),
    ]
    reference = Reference(b.game(proc, events=[note]))
    assert reference.decision is not None and reference.decision.who == 1
    assert offered(reference) == [("x", (1,)), ("x", (3,))]
    play(reference, ("x", (3,)))
    assert offered(reference) == [("x", (0,)), ("none", ())]
    play(reference, ("none", ()))
    assert reference.over
    assert notes(reference) == [2, 3, -1, -1]  # the pick from nothing skipped the rest
    with pytest.raises(IllegalChoice):
        reference.apply(0)


def test_groups_rise_and_close_their_classes() -> None:
    g, k = m.Var("g", b.ITEM_SET), m.Var("k", b.ITEM)
    note = b.note()
    proc = b.main(g)
    even = m.In(b.read(k), b.items(0b0101))  # classes {0, 2} and {1, 3}
    pick = m.PickGroup(
        g, b.items(), b.side(0), "", low=b.num(2), high=b.num(3), alike=[even], key_var=k
    )
    proc.body = [pick, m.CallEvent(note, [b.read(g)])]
    reference = Reference(b.game(proc, events=[note]))
    assert offered(reference) == [("add", (0,)), ("add", (1,))]
    play(
        reference, ("add", (1,))
    )  # the class of 0 is closed now; 3 must follow, then nothing is left
    assert reference.over and notes(reference) == [0b1010]
    reference = Reference(b.game(proc, events=[note]))
    play(reference, ("add", (0,)), ("add", (2,)))
    assert offered(reference) == [("add", (1,)), ("go", ())]
    play(reference, ("go", ()))
    assert notes(reference) == [0b0101]


def test_every_subset_arises_once() -> None:
    g = m.Var("g", b.ITEM_SET)
    note = b.note()
    proc = b.main(g)
    proc.body = [
        m.PickGroup(g, b.items(), b.side(0), "", or_none=True),
        m.CallEvent(note, [b.read(g)]),
    ]
    found: list[int] = []

    def walk(path: list[int]) -> None:
        reference = Reference(b.game(proc, events=[note]))
        for index in path:
            reference.apply(index)
        if reference.decision is None:
            found.extend(notes(reference))
            return
        for i in range(len(reference.decision.options)):
            walk([*path, i])

    walk([])
    assert sorted(found) == list(range(16))


def test_live_loop_takes_the_least_and_lets_ties_be_broken() -> None:
    rank = m.Cell("rank", [m.Key(b.ITEMS)], m.Int(None, 0, 9), initial=5)
    x, k = m.Var("x", b.ITEM), m.Var("k", b.ITEM)
    note = b.note()
    proc = b.main(x)
    lower = m.SetCell(rank, [b.item(3)], ":=", b.num(1))
    proc.body = [
        m.SetCell(rank, [b.item(1)], ":=", b.num(2)),
        m.Each(
            x,
            b.items(),
            [b.cell(rank, b.read(k))],
            k,
            b.side(1),
            True,
            [m.CallEvent(note, [b.read(x)]), lower],
        ),
    ]
    reference = Reference(b.game(proc, [rank], [note]))
    assert notes(reference) == [1, 3]  # 3 became the smallest during the first iteration
    assert offered(reference) == [("x", (0,)), ("x", (2,))]
    play(reference, ("x", (2,)))
    assert notes(reference) == [1, 3, 2, 0]


def test_loops_end() -> None:
    note = b.note()
    proc = b.main()
    proc.body = [
        m.Repeat("times", None, b.num(2), [m.CallEvent(note, [b.num(1)])]),
        m.Repeat("most", None, b.num(5), [m.CallEvent(note, [b.num(2)]), m.Leave()]),
        m.Repeat("until", m.Const(0, type=m.Bool()), b.num(1), [m.CallEvent(note, [b.num(3)])]),
    ]
    model = b.game(proc, events=[note])
    with pytest.raises(RulesError, match="not over after 1 rounds"):
        Reference(model)


def test_an_option_pays_is_limited_and_is_explained_by_its_clauses() -> None:
    purse = m.Cell("purse", [], m.Int(None, 0, 9), initial=3)
    count = m.Cell("count", [], m.Int(None, 0, 9), hidden=True)
    taken = m.Cell("taken", [m.Key(b.ITEMS)], m.Bool())
    x = m.Var("x", b.ITEM)
    proc = b.main(x)
    option = m.GuardedOption(
        "take",
        "option",
        [x],
        domains=[None],
        clauses=[
            m.Guarded(m.Not(b.cell(taken, b.read(x))), "", ""),
            m.Pays(b.num(1), b.cell(purse)),
            m.Limit(2, count, []),
        ],
        body=[m.SetCell(taken, [b.read(x)], ":=", m.Const(1, type=m.Bool()))],
    )
    proc.body = [
        m.Repeat("most", None, b.num(4), [m.Choose(b.side(0), None, [option], [], "")]),
        m.Finish(b.side(1), 0),
    ]
    reference = Reference(b.game(proc, [purse, count, taken]))
    assert offered(reference) == [("take", (i,)) for i in range(4)]
    play(reference, ("take", (2,)))
    assert offered(reference) == [("take", (i,)) for i in (0, 1, 3)]
    play(reference, ("take", (0,)))
    assert reference.over and reference.result == (1, "win")  # twice is the limit
    assert reference.cells() == {"purse": [1], "taken": [1, 0, 1, 0]}


def test_a_window_asks_again_after_each_play() -> None:
    moments = m.Kind("Moment", members=["alarm"])
    count = m.Cell("count", [m.Key(b.SIDES)], m.Int(None, 0, 9), hidden=True)
    me = m.Var("me", m.MemberOf(b.SIDES))
    note = b.note()
    shout = m.Procedure("shout", "reaction", params=[me], body=[m.CallEvent(note, [b.read(me)])])
    me.frame = shout
    option = m.GuardedOption(
        "shout",
        "reaction",
        [],
        [m.Limit(1, count, [b.read(me)])],
        proc=shout,
        me=me,
        possible=m.Compare("<", b.cell(count, b.read(me)), b.num(1)),
    )
    asked = m.Var("asked", m.MemberOf(b.SIDES))
    proc = b.main(asked)
    proc.body = [m.Window(0, [b.side(0), b.side(1)], [option], asked, [])]
    reference = Reference(b.game(proc, [count], [note], moments=moments))
    assert reference.decision is not None and reference.decision.who == 0
    play(reference, ("pass", ()))
    assert reference.decision.who == 1
    play(reference, ("shout", ()))
    assert reference.decision is not None and reference.decision.who == 0  # from the first again
    play(reference, ("shout", ()))
    assert reference.over and notes(reference) == [1, 0]  # no side could answer, so none was asked


def test_answers_given_together() -> None:
    answers = m.Cell("answers", [m.Key(b.SIDES)], b.ITEM, initial=-1, hidden=True)
    s, x = m.Var("s", m.MemberOf(b.SIDES)), m.Var("x", b.ITEM)
    note = b.note()
    proc = b.main(s, x)
    proc.body = [
        m.Together(
            s,
            m.Const(0b11, type=m.SetOf(b.SIDES)),
            [m.Pick(x, b.items(), b.read(s), "")],
            [answers],
            [m.CallEvent(note, [b.read(x)])],
        )
    ]
    reference = Reference(b.game(proc, [answers], [note]))
    play(reference, ("x", (3,)))
    assert notes(reference) == []
    play(reference, ("x", (1,)))
    assert notes(reference) == [3, 1]


def test_frames_come_back_after_a_reentrant_call() -> None:
    depth = m.Var("depth", b.INT)
    note = b.note()
    inner = m.Procedure("inner", "procedure", params=[depth], reentrant=True, asks=True)
    depth.frame = inner
    less = m.Arith("-", b.read(depth), b.num(1), type=b.INT)
    more = m.Compare(">", b.read(depth), b.num(1))
    inner.body = [
        m.IfStmt(more, [m.CallProc(inner, [less])], []),
        m.CallEvent(note, [b.read(depth)]),
    ]
    proc = b.main()
    proc.body = [m.CallProc(inner, [b.num(4)])]
    assert notes(Reference(b.game(proc, events=[note]))) == [1, 2, 3, 4]
    proc.body = [m.CallProc(inner, [b.num(5)])]
    with pytest.raises(RulesError, match="more than 4 deep"):
        Reference(b.game(proc, events=[note]))


def test_cells_live_as_long_as_their_scope() -> None:
    note = b.note()
    inner = m.Procedure("inner", "phase")
    flag = m.Cell("flag", [m.Key(b.ITEMS)], m.Bool(), resets=[(inner, 0b0011)])
    inner.body = [
        m.Each(
            x := m.Var("x", b.ITEM, inner),
            b.items(),
            [],
            None,
            None,
            False,
            [m.SetCell(flag, [b.read(x)], ":=", m.Const(1, type=m.Bool()))],
        )
    ]
    proc = b.main()
    proc.body = [m.CallProc(inner, [])]
    reference = Reference(b.game(proc, [flag], [note]))
    assert reference.cells() == {"flag": [0, 0, 1, 1]}
    assert ("scope_ended", ("inner",)) in reference.events


def test_whenever_runs_once_for_each() -> None:
    hot = m.Cell("hot", [m.Key(b.ITEMS)], m.Bool())
    k, v = m.Var("k", b.ITEM), m.Var("v", b.ITEM)
    note = b.note()
    e = m.Var("e", b.ITEM_SET)
    x = m.Var("x", b.ITEM)
    heated = m.EventDeclaration(
        "heated",
        [e],
        [
            m.Each(
                x,
                b.read(e),
                [],
                None,
                None,
                False,
                [m.SetCell(hot, [b.read(x)], ":=", m.Const(1, type=m.Bool()))],
            )
        ],
        [hot],
    )
    cool = m.Procedure("cool", "whenever", params=[v], body=[m.CallEvent(note, [b.read(v)])])
    v.frame = cool
    rule = m.Whenever(
        "cool", v, m.Filter(b.items(), k, b.cell(hot, b.read(k)), type=b.ITEM_SET), cool, [hot]
    )
    proc = b.main()
    proc.body = [m.CallEvent(heated, [b.items(0b0110)]), m.CallEvent(heated, [b.items(0b0010)])]
    reference = Reference(b.game(proc, [hot], [note, heated], whenevers=[rule]))
    assert notes(reference) == [1, 2, 1, 2]


def test_dice_from_seed_and_script() -> None:
    d = m.Var("d", b.INT)
    proc = b.main(d)
    proc.body = [m.Roll(d, 2, 6, b.side(0), "fire")]
    first = Reference(b.game(proc), seed=7).events
    assert first == Reference(b.game(proc), seed=7).events
    assert Reference(b.game(proc), dice=[11]).events == [("die_rolled", (0, 0, 11))]


def test_things_move_between_pools() -> None:
    cup = m.Cell("cup", [], b.ITEM_SET, initial=0b1111, pool=True, seen=[m.Seen("none")])
    hand = m.Cell("hand", [m.Key(b.SIDES)], b.ITEM_SET, pool=True, seen=[m.Seen("none")])
    out = m.Cell("out", [], b.ITEM_SET, pool=True)
    proc = b.main()
    draw = m.Draw(b.num(3), b.cell(cup), b.cell(hand, b.side(1)))
    proc.body = [
        draw,
        m.PutMember(b.item(0), b.cell(out)),
        m.Gather(b.cell(hand, b.side(1)), b.cell(cup)),
    ]
    for seed in range(5):
        reference = Reference(b.game(proc, [cup, hand, out]), seed=seed)
        assert reference.cells() == {"cup": [0b1110], "hand": [0, 0], "out": [0b0001]}
        position = reference.machine.position
        assert position.could_be_in(0, b.cell(out)) and not position.could_be_in(0, b.cell(cup))
        assert position.could_be_in(1, b.cell(cup)) and not position.could_be_in(
            1, b.cell(hand, b.side(1))
        )  # this hand is empty


def test_a_walk_looks_ahead_and_stops() -> None:
    places = m.Kind("Place", members=["p", "q", "r", "s"])
    roads = m.Kind("Road", members=["pq", "qr", "qs"], joins=places)
    place, road = m.MemberOf(places), m.MemberOf(roads)
    names = {n: m.Var(n, place) for n in ("start", "at", "a", "z")}
    fuel, been, edge, halted = (
        m.Var("fuel", b.INT),
        m.Var("been", m.SetOf(places)),
        m.Var("b", road),
        m.Var("halted", m.Bool()),
    )
    proc = m.Procedure("march", "movement", vars=[*names.values(), fuel, been, edge, halted])
    for var in proc.vars:
        var.frame = proc
    note = b.note()
    arcs = [
        (i, x, y) for i, ends in enumerate([(0, 1), (1, 2), (1, 3)]) for x, y in (ends, ends[::-1])
    ]
    rest = m.Guarded(m.Compare("=", b.read(names["z"]), m.Const(2, type=place)), "", "")
    walk = m.Movement(
        "march",
        proc,
        roads,
        names["start"],
        names["at"],
        fuel,
        been,
        edge,
        names["a"],
        names["z"],
        halted,
        None,
        None,
        arcs,
        b.num(2),
        b.num(1),
        [],
        [],
        [rest],
        [m.CallEvent(note, [b.read(names["z"])])],
        [],
    )
    top = b.main()
    top.body = [m.Walk(walk, [], m.Const(0, type=place), b.side(0))]
    reference = Reference(b.game(top, events=[note], movements=[walk]))
    assert reference.over and notes(reference) == [
        1,
        2,
    ]  # the road to s has no end, so it is never offered and nobody is asked
