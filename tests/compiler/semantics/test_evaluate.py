"""The meaning of every pure expression, one law a test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

import pytest

from rulekit.common.errors import RulesError
from rulekit.compiler import model as m
from rulekit.compiler.semantics import evaluate
from rulekit.compiler.semantics.evaluate import PureEvaluator
from rulekit.compiler.semantics.values import (
    ARITH,
    COMPARE,
    COUNT,
    LEAST,
    SETS,
    NotConstant,
    bits,
    compare_ratios,
    offset,
    ratio_column,
)

BOOL, NUM = m.Bool(), m.Int()
COLOUR = m.Kind("Colour", members=["red", "green", "blue"], ordered=True)
SIDE = m.Kind("Side", members=["x", "y"])
ONE, MAYBE, SET = m.MemberOf(COLOUR), m.MemberOf(COLOUR, True), m.SetOf(COLOUR)
WEIGHT = m.Fixed("weight", [m.Key(COLOUR)], NUM, [5, 2, 5])
NEXT = m.Fixed("next", [m.Key(COLOUR)], MAYBE, [1, 2, -1])


def n(value: int) -> m.Const:
    return m.Const(value, type=NUM)


def c(value: int) -> m.Const:
    return m.Const(value, type=MAYBE if value < 0 else ONE)


def s(*members: int) -> m.Const:
    return m.Const(sum(1 << i for i in members), type=SET)


def read(var: m.Var) -> m.Read:
    return m.Read(var)


def weight(of: m.Expr) -> m.ReadFixed:
    return m.ReadFixed(WEIGHT, [of], type=NUM)


def ev(expr: m.Expr, env: dict[m.Var, Any] | None = None, pure: PureEvaluator | None = None) -> Any:
    return (pure or PureEvaluator()).eval(expr, env or {})


def mask(*members: int) -> int:
    return sum(1 << i for i in members)


# ------------------------------------------------------------------------------------------- leaves
def test_what_changes_is_not_constant() -> None:
    cell = m.Cell("mark", [m.Key(COLOUR)], NUM)
    proc = m.Procedure("main", "main")
    for expr in (
        m.ReadCell(cell, [c(0)], type=NUM),
        m.Here(type=NUM),
        m.Running(proc),
        m.ReadFixed(m.Fixed("late", [], NUM, [3], late=True), [], type=NUM),
        m.ReadFixed(m.Fixed("empty", [], NUM), [], type=NUM),
        read(m.Var("free", NUM)),
        read(m.Var("local", NUM, proc)),
    ):
        with pytest.raises(NotConstant):
            ev(expr)


def test_bound_variables_come_before_frames() -> None:
    var = m.Var("local", NUM, m.Procedure("main", "main"))
    assert ev(read(var), {var: 7}) == 7


def test_state_is_read_through_the_overridden_methods() -> None:
    cell = m.Cell("mark", [m.Key(COLOUR), m.Key(None, 1, 3)], NUM)
    late = m.Fixed("late", [m.Key(COLOUR)], NUM, late=True)
    pool = m.Cell("cup", [m.Key(SIDE)], SET, pool=True)

    class Running(PureEvaluator):
        def read_cell(self, cell: m.Cell, keys: tuple[int, ...]) -> int:
            return keys[0] * 10 + keys[1]

        def read_late(self, fixed: m.Fixed) -> list[int]:
            return [7, 8, 9]

        def could_be_in(self, thing: int, pool: m.ReadCell) -> bool:
            return self.eval(pool.keys[0], {}) == 1

    pure = Running()
    side = m.Var("side", m.MemberOf(SIDE))
    assert ev(m.ReadCell(cell, [c(2), n(3)], type=NUM), pure=pure) == 23
    assert ev(m.ReadCell(cell, [c(-1), n(3)], type=NUM), pure=pure) == 0
    assert ev(m.ReadFixed(late, [c(1)], type=NUM), pure=pure) == 8
    assert ev(m.CouldBeIn(c(0), m.ReadCell(pool, [read(side)], type=SET)), {side: 1}, pure)
    assert not ev(m.CouldBeIn(c(-1), m.ReadCell(pool, [read(side)], type=SET)), {side: 1}, pure)
    with pytest.raises(RulesError, match="mark has no value for 4"):
        ev(m.ReadCell(cell, [c(2), n(4)], type=NUM), pure=pure)


def test_reading_through_a_missing_value_gives_the_empty_value() -> None:
    assert ev(weight(c(-1))) == 0
    assert ev(m.ReadFixed(NEXT, [c(-1)], type=MAYBE)) == -1
    assert ev(m.ReadFixed(NEXT, [m.ReadFixed(NEXT, [c(1)], type=MAYBE)], type=MAYBE)) == -1


def test_a_key_that_is_a_number_may_be_minus_one() -> None:
    fixed = m.Fixed("by", [m.Key(None, -1, 1)], NUM, [10, 20, 30])
    assert ev(m.ReadFixed(fixed, [n(-1)], type=NUM)) == 10
    with pytest.raises(RulesError):
        ev(m.ReadFixed(fixed, [n(2)], type=NUM))


def test_offset_is_row_major() -> None:
    keys = [m.Key(COLOUR), m.Key(None, 5, 6)]
    assert [offset(keys, (i, j)) for i in range(3) for j in (5, 6)] == list(range(6))
    assert offset(keys, (-1, 5)) is None


# ---------------------------------------------------------------------------------------- operators
@pytest.mark.parametrize(
    ("op", "a", "b", "value"),
    [
        ("+", 2, 3, 5),
        ("-", 2, 3, -1),
        ("*", 2, 3, 6),
        ("up", 7, 2, 4),
        ("down", 7, 2, 3),
        ("up", -7, 2, -3),
        ("down", -7, 2, -4),
    ],
)
def test_arithmetic(op: str, a: int, b: int, value: int) -> None:
    assert ev(m.Arith(op, n(a), n(b), type=NUM)) == value


def test_division_by_zero_is_an_error_of_the_rules() -> None:
    with pytest.raises(RulesError, match="division by zero"):
        ev(m.Arith("up", n(1), n(0), type=NUM))


@pytest.mark.parametrize("op", ["=", "!=", "<", "<=", ">", ">="])
def test_comparisons_with_a_missing_value_are_false_but_numbers_may_be_minus_one(op: str) -> None:
    assert not ev(m.Compare(op, c(-1), c(0)))
    assert not ev(m.Compare(op, c(0), c(-1)))
    assert not ev(m.Compare(op, c(-1), c(-1)))
    assert ev(m.Compare(op, n(-1), n(0))) == (op in ("!=", "<", "<="))


def test_ratios_compare_by_cross_multiplication() -> None:
    assert compare_ratios("=", (2, 4), (1, 2))
    assert compare_ratios(">", (1, 0), (100, 1))
    assert compare_ratios("<", (0, 0), (1, 100))
    left, right = (m.RatioOf(n(a), n(b), type=m.RatioT()) for a, b in ((7, 2), (3, 1)))
    assert ev(m.Compare(">=", left, right))


def test_logic_is_short() -> None:
    wrong = m.Arith("up", n(1), n(0), type=BOOL)
    yes, no = m.Const(1, type=BOOL), m.Const(0, type=BOOL)
    assert not ev(m.And([no, wrong]))
    assert ev(m.Or([yes, wrong]))
    assert ev(m.If(yes, n(1), wrong, type=NUM)) == 1
    assert ev(m.Not(no))


def test_none_of_members_and_of_numbers() -> None:
    assert ev(m.IsNone(c(-1))) and not ev(m.IsNone(c(0)))
    assert ev(m.IsNone(n(m.NO_LIMIT))) and not ev(m.IsNone(n(-1)))
    assert ev(m.OrElse(c(-1), c(2), type=ONE)) == 2
    assert ev(m.OrElse(n(m.NO_LIMIT), n(4), type=NUM)) == 4
    assert ev(m.OrElse(n(-1), n(4), type=NUM)) == -1


def test_in_and_between() -> None:
    assert ev(m.In(c(1), s(0, 1))) and not ev(m.In(c(-1), s(0, 1, 2)))
    assert ev(m.Between(n(3), n(1), n(3))) and not ev(m.Between(n(4), n(1), n(3)))
    assert not ev(m.Between(c(-1), c(-1), c(2)))


def test_a_shift_stops_at_the_ends() -> None:
    assert [ev(m.Shift(c(1), n(by), type=ONE)) for by in (-5, -1, 0, 1, 9)] == [0, 0, 1, 2, 2]
    assert ev(m.Shift(c(-1), n(1), type=MAYBE)) == -1


# --------------------------------------------------------------------------------------------- sets
def test_sets() -> None:
    it = m.Var("it", ONE)
    heavy = m.Compare("=", weight(read(it)), n(5))
    assert ev(m.Filter(s(0, 1, 2), it, heavy, type=SET)) == mask(0, 2)
    assert ev(m.MakeSet([c(0), c(-1), s(2)], type=SET)) == mask(0, 2)
    assert ev(m.Collect(s(0, 2), it, m.ReadFixed(NEXT, [read(it)], type=MAYBE), type=SET)) == mask(
        1
    )
    assert [ev(m.SetOp(op, s(0, 1), s(1, 2), type=SET)) for op in "+-"] == [mask(0, 1, 2), mask(0)]
    assert [ev(m.Count(op, s(0, 1), type=NUM)) for op in ("some", "no", "count")] == [
        True,
        False,
        2,
    ]
    assert list(bits(mask(0, 2))) == [0, 2]


def test_the_only_one() -> None:
    assert ev(m.The(s(2), type=ONE)) == 2
    assert ev(m.The(c(1), type=ONE)) == 1
    for wrong in (s(), s(0, 1), c(-1)):
        with pytest.raises(RulesError, match="'the'"):
            ev(m.The(wrong, type=ONE))


def test_aggregates() -> None:
    it = m.Var("it", ONE)
    assert [
        ev(m.Aggregate(op, s(0, 1, 2), it, weight(read(it)), type=NUM))
        for op in ("sum", "min", "max")
    ] == [12, 2, 5]
    assert [
        ev(m.Aggregate(op, s(), it, weight(read(it)), type=NUM)) for op in ("sum", "min", "max")
    ] == [0, 0, 0]
    after = m.ReadFixed(NEXT, [read(it)], type=MAYBE)
    assert ev(m.Aggregate("min", s(0, 1, 2), it, after, type=MAYBE)) == 1
    assert ev(m.Aggregate("max", s(2), it, after, type=MAYBE)) == -1
    assert ev(m.Aggregate("min", s(), it, after, type=MAYBE)) == -1


def test_the_least_of_numbers_with_no_limit() -> None:
    it = m.Var("it", ONE)
    moves = m.ReadFixed(
        m.Fixed("pm", [m.Key(COLOUR)], NUM, [m.NO_LIMIT, 4, m.NO_LIMIT]), [read(it)], type=NUM
    )
    assert ev(m.Aggregate("min", s(0, 1), it, moves, type=NUM)) == 4
    assert ev(m.Aggregate("min", s(0, 2), it, moves, type=NUM)) == m.NO_LIMIT
    assert ev(m.Least("min", [n(3), n(2)], type=NUM)) == 2
    assert ev(m.Least("max", [c(0), c(2)], type=ONE)) == 2


def test_first_by_keys_then_data_order() -> None:
    it = m.Var("it", ONE)
    assert ev(m.FirstBy(s(0, 1, 2), it, [weight(read(it))], type=MAYBE)) == 1
    assert ev(m.FirstBy(s(0, 2), it, [weight(read(it))], type=MAYBE)) == 0
    blue = m.Compare("=", read(it), c(2))
    assert ev(m.FirstBy(s(0, 1, 2), it, [blue], type=MAYBE)) == 2  # true comes first
    assert ev(m.FirstBy(s(), it, [], type=MAYBE)) == -1


# -------------------------------------------------------------------------------------------- calls
def test_a_define_takes_its_first_case() -> None:
    p = m.Var("p", ONE)
    define = m.Define("f", [p], NUM, [(m.Compare("=", read(p), c(1)), n(10)), (None, n(20))])
    assert [ev(m.CallDefine(define, [c(i)], type=NUM)) for i in (0, 1, -1)] == [20, 10, 0]
    p.type = MAYBE
    assert ev(m.CallDefine(define, [c(-1)], type=NUM)) == 20


def test_a_table_clamps_or_fails() -> None:
    d, k = m.Var("d", NUM), m.Var("k", ONE)
    table = m.Table(
        "t",
        [d, k],
        [m.Key(None, 1, 2), m.Key(COLOUR)],
        [True, False],
        [("a", NUM), ("b", MAYBE)],
        [[11, 12, 13, 21, 22, 23], [0, 1, 2, 0, 1, 2]],
    )
    assert ev(m.CallTable(table, [n(9), c(1)], 0, type=NUM)) == 22
    assert ev(m.CallTable(table, [n(-9), c(0)], 0, type=NUM)) == 11
    assert ev(m.CallTable(table, [n(1), c(-1)], 1, type=MAYBE)) == -1
    record = m.CallTable(table, [n(1), c(2)], type=m.Record((("a", NUM), ("b", MAYBE))))
    assert ev(record) == (13, 2)
    assert ev(m.FieldOf(record, 1, type=MAYBE)) == 2
    table.clamps[0] = False
    with pytest.raises(RulesError, match="no line for 3"):
        ev(m.CallTable(table, [n(3), c(1)], 0, type=NUM))


RATIOS = [(1, 3), (1, 2), (1, 1), (2, 1), (3, 1)]


@pytest.mark.parametrize(
    ("num", "den", "down", "up"),
    [
        (1, 1, 2, 2),
        (5, 3, 2, 3),
        (1, 9, 0, 0),
        (9, 1, 4, 4),
        (1, 0, 4, 4),
        (0, 5, 0, 0),
        (0, 0, 0, 0),
        (7, 2, 4, 4),
        (2, 5, 0, 1),
    ],
)
def test_ratio_columns(num: int, den: int, down: int, up: int) -> None:
    assert (ratio_column(RATIOS, "down", num, den), ratio_column(RATIOS, "up", num, den)) == (
        down,
        up,
    )


def test_a_ratio_table() -> None:
    table = m.Table(
        "odds", [m.Var("r", m.RatioT())], [None], [True], [("", ONE)], [[0, 1, 2]], RATIOS[1:4]
    )
    assert ev(m.CallTable(table, [m.RatioOf(n(5), n(3), type=m.RatioT())], 0, type=ONE)) == 1


def test_a_slot_of_a_member_or_its_default() -> None:
    me = m.Var("me", m.MemberOf(SIDE))
    slot = m.Slot(
        "guard",
        COLOUR,
        [me],
        BOOL,
        m.Const(1, type=BOOL),
        [m.Compare("=", read(me), m.Const(0, type=m.MemberOf(SIDE))), None, None],
    )

    def call(member: int, side: int) -> Any:
        return ev(m.CallSlot(slot, c(member), [m.Const(side, type=m.MemberOf(SIDE))], type=BOOL))

    assert [call(0, 0), call(0, 1), call(1, 1), call(-1, 0), call(1, -1)] == [True, False, 1, 0, 0]


# ------------------------------------------------------------------------------- totals and permits
def total(*clauses: m.Clause) -> m.Total:
    return m.Total("t", [], NUM, list(clauses))


def value(*clauses: m.Clause) -> int:
    return int(ev(m.CallTotal(total(*clauses), [], type=NUM)))


YES, NO = m.Const(1, type=BOOL), m.Const(0, type=BOOL)


def clause(
    word: str,
    amount: int = 0,
    cond: m.Expr | None = None,
    name: str = "",
    cancels: list[m.Cancel] | None = None,
) -> m.Clause:
    return m.Clause(word, name, n(amount), cond, cancels=cancels or [])


def test_a_total_in_its_order() -> None:
    assert value() == 0
    assert value(clause("base", 2), clause("base", 3)) == 2
    assert value(clause("base", 2, NO), clause("base", 3)) == 3
    assert value(clause("base", 2), clause("set", 7, NO), clause("set", 5), clause("set", 6)) == 5
    assert (
        value(
            clause("base", 2),
            clause("modifier", 3),
            clause("modifier", 9, NO),
            clause("modifier", -1),
        )
        == 4
    )
    assert value(clause("base", 2), clause("least", 5), clause("least", 4)) == 5
    assert value(clause("base", 9), clause("most", 5), clause("most", 6)) == 5
    assert value(clause("base", 9), clause("least", 12), clause("most", 5)) == 5


def test_a_cancelled_clause_does_not_count() -> None:
    assert (
        value(clause("base", 2), clause("modifier", 3, cancels=[m.Cancel(NO), m.Cancel(YES)])) == 2
    )
    assert value(clause("base", 2), clause("modifier", 3, cancels=[m.Cancel(NO)])) == 5
    it = m.Var("me", ONE)
    held = m.Cancel(m.Compare("=", read(it), c(1)), (it, s(0, 1)))
    assert value(clause("base", 2), clause("modifier", 3, cancels=[held])) == 2


def test_a_clause_with_holders() -> None:
    me = m.Var("me", ONE)
    bonus = m.Clause("modifier", "card", weight(read(me)), None, (me, s(0, 1)))
    assert value(clause("base", 1), bonus) == 8  # the clause adds for every holder
    assert (
        value(clause("base", 1), m.Clause("set", "card", weight(read(me)), None, (me, s(1, 2))))
        == 2
    )  # the first holder counts
    assert value(clause("base", 1), m.Clause("set", "card", weight(read(me)), None, (me, s()))) == 1


def test_a_permit_is_true_unless_a_bar_holds() -> None:
    p = m.Var("p", ONE)
    bar = m.Clause("bar", "one", cond=m.Compare("=", read(p), c(1)))
    permit = m.Permit("may", [p], [bar])

    def call(i: int) -> Any:
        return ev(m.CallPermit(permit, [c(i)]))

    assert [call(0), call(1), call(-1)] == [1, 0, 0]
    assert ev(m.AppliesTo(permit, bar, [c(1)])) and not ev(m.AppliesTo(permit, bar, [c(0)]))
    bar.cancels.append(m.Cancel(None))
    assert call(1) == 1 and not ev(m.AppliesTo(permit, bar, [c(1)]))


def test_a_derivation_says_why() -> None:
    inner = m.Total("inner", [], NUM, [clause("base", 4)])
    cancel = m.Cancel(YES, by="a card")
    clauses = [
        clause("base", 2, name="base"),
        clause("set", 7, NO, "off"),
        clause("set", 5, name="on"),
        clause("set", 6, name="late"),
        m.Clause("modifier", "nested", m.CallTotal(inner, [], type=NUM)),
        clause("modifier", 3, name="gone", cancels=[cancel]),
    ]
    outer = total(*clauses)
    tree = evaluate.explain(PureEvaluator(), outer, [], {})
    assert tree.value == 9 == ev(m.CallTotal(outer, [], type=NUM))
    said = {line.clause.name: (line.status, line.amount) for line in tree.lines}
    assert said == {
        "base": ("overridden", None),
        "off": ("condition", None),
        "on": ("applied", 5),
        "late": ("overridden", None),
        "nested": ("applied", 4),
        "gone": ("cancelled", None),
    }
    by_name = {line.clause.name: line for line in tree.lines}
    assert by_name["nested"].parts[0].target is inner and by_name["nested"].parts[0].value == 4
    assert by_name["gone"].cancel is cancel


def test_a_derivation_of_a_permit_shows_all_bars() -> None:
    permit = m.Permit(
        "may",
        [],
        [m.Clause("bar", "a"), m.Clause("bar", "b", cond=NO), m.Clause("bar", "c", cond=YES)],
    )
    tree = evaluate.explain(PureEvaluator(), permit, [], {})
    assert tree.value == 0 and [line.status for line in tree.lines] == [
        "applied",
        "condition",
        "applied",
    ]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (ARITH, m.ArithOp),
        (COMPARE, m.CompareOp),
        (COUNT, m.Count),
        (LEAST, m.Least),
        (SETS, m.SetOp),
    ],
)
def test_each_operator_of_the_model_has_a_meaning(table: Mapping[str, object], words: Any) -> None:
    """A table of meanings has all operators that the model allows."""
    assert set(table) == set(
        get_args(get_type_hints(words)["op"] if isinstance(words, type) else words)
    )
