"""The look-ahead of walks: the offered steps, and the places where a walk could end."""

from __future__ import annotations

import pytest

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.semantics import movement
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import Env

BOOL, NUM = m.Bool(), m.Int()
PLACE = m.Kind("Place", members=list("abcdef"))
BORDER = m.Kind("Border", members=["ab", "bc", "cd", "ae", "ef"])
AT = m.MemberOf(PLACE)
A, B, C, D, E, F = range(6)
PAIRS = [(A, B), (B, C), (C, D), (A, E), (E, F)]


def make() -> m.Movement:
    proc = m.Procedure("walk", "movement")

    def var(name: str, type: m.Type) -> m.Var:
        return m.Var(name, type, proc)

    arcs = [arc for b, (x, y) in enumerate(PAIRS) for arc in ((b, x, y), (b, y, x))]
    return m.Movement(
        "walk",
        proc,
        BORDER,
        var("start", AT),
        var("at", AT),
        var("fuel", NUM),
        var("been", m.SetOf(PLACE)),
        var("b", m.MemberOf(BORDER)),
        var("from", AT),
        var("to", AT),
        var("halted", BOOL),
        None,
        None,
        arcs,
        m.Const(2, type=NUM),
        m.Const(1, type=NUM),
        [],
        [],
        [],
        [],
        [],
    )


def to_is(mv: m.Movement, *places: int) -> m.Guarded:
    cond = m.In(
        m.Read(mv.to_var, type=AT), m.Const(sum(1 << p for p in places), type=m.SetOf(PLACE))
    )
    return m.Guarded(cond, "", "")


def not_to(mv: m.Movement, *places: int) -> m.Guarded:
    return m.Guarded(m.Not(to_is(mv, *places).cond), "", "")


def offered(
    mv: m.Movement, at: int, fuel: int, been: int | None = None, env: Env | None = None
) -> list[int]:
    return [
        step.to
        for step in movement.steps(
            PureEvaluator(),
            mv,
            {mv.start: at, **(env or {})},
            at,
            fuel,
            1 << at if been is None else been,
        )
    ]


def reached(mv: m.Movement, start: int) -> str:
    mask = movement.reach(PureEvaluator(), mv, [], start, {})
    return "".join(name for i, name in enumerate(PLACE.members) if mask >> i & 1)


def test_steps_go_to_neighbours_not_yet_visited() -> None:
    mv = make()
    assert offered(mv, A, 2) == [B, E]
    assert offered(mv, B, 1, 1 << A | 1 << B) == [C]
    assert offered(mv, A, 0) == []


def test_cost_and_permission_keep_a_step_away() -> None:
    mv = make()
    mv.cost = m.If(to_is(mv, B).cond, m.Const(3, type=NUM), m.Const(1, type=NUM), type=NUM)
    assert offered(mv, A, 2) == [E]
    assert [step.cost for step in movement.steps(PureEvaluator(), mv, {mv.start: A}, A, 9, 1)] == [
        3,
        1,
    ]
    mv.may = [not_to(mv, E)]
    assert offered(mv, A, 2) == []


def test_no_step_into_a_place_from_where_the_walk_cannot_end() -> None:
    mv = make()
    mv.end = [not_to(mv, B, E)]
    assert offered(mv, A, 2) == [B, E]
    assert offered(mv, A, 1) == []
    mv.may = [not_to(mv, F)]
    assert offered(mv, A, 2) == [B]


def test_who_must_stop_cannot_go_on() -> None:
    mv = make()
    mv.end = [not_to(mv, B)]
    mv.stop = [to_is(mv, B)]
    assert offered(mv, A, 2) == [E]
    assert reached(mv, A) == "ef"


@pytest.mark.docs("language#8-movement")
def test_reach_is_bounded_by_fuel_and_leaves_the_start_out() -> None:
    mv = make()
    assert reached(mv, A) == "bcef"
    mv.allowance = None
    assert reached(mv, A) == "bcdef"


def test_conditions_may_read_the_fuel() -> None:
    mv = make()
    mv.allowance = m.Const(3, type=NUM)
    mv.end = [m.Guarded(m.Compare("=", m.Read(mv.fuel, type=NUM), m.Const(1, type=NUM)), "", "")]
    assert reached(mv, A) == "cf"  # two steps leave a fuel of one


def test_a_negative_cost_is_an_error_of_the_rules() -> None:
    mv = make()
    mv.cost = m.Const(-1, type=NUM)
    with pytest.raises(RulesError, match="less than 0"):
        offered(mv, A, 2)


def test_the_cost_is_asked_of_every_arc_by_itself() -> None:
    mv = make()
    table = m.Fixed("price", [m.Key(BORDER)], NUM, [1, 1, 1, 2, 1])
    mv.cost = m.ReadFixed(table, [m.Read(mv.border_var, type=m.MemberOf(BORDER))], type=NUM)
    assert reached(mv, A) == "bce"


def test_the_look_ahead_does_not_count_on_going_back() -> None:
    mv = make()
    mv.allowance = None
    mv.end = [to_is(mv, A, E)]
    assert offered(mv, A, 9) == [E]  # from b the walk could end only by returning to a
    assert offered(mv, E, 9, 1 << A | 1 << E) == []


def test_the_look_ahead_sees_so_many_states_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    mv = make()
    monkeypatch.setattr(movement, "_MOST_STATES", 4)
    assert reached(mv, A) == "bcef"
    monkeypatch.setattr(movement, "_MOST_STATES", 3)
    with pytest.raises(RulesError, match="too many states"):
        reached(mv, A)
